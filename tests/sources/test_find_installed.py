"""Installed packages are found without running any of their code."""

import sys
from pathlib import Path

import pytest

from deepgrep.errors import DeepgrepError
from deepgrep.sources import Place, environment, find_installed
from deepgrep.sources.environment import find_installed_distribution


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which this interpreter looks for packages."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [str(folder)])
    return folder


def install(site: Path, package: str = "torch") -> None:
    (site / package).mkdir()
    (site / package / "__init__.py").write_text("raise SystemExit('this code was run')\n")


def script(path: Path, text: str) -> str:
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def test_installed_package_is_found_and_not_run(site: Path) -> None:
    install(site)
    assert find_installed() == Place("torch", site, "torch")


def test_single_module_is_found(site: Path) -> None:
    (site / "six.py").touch()
    assert find_installed("six") == Place("six", site, "six.py")


def test_missing_torch_is_one_line_that_says_how_to_get_or_name_one(site: Path) -> None:
    with pytest.raises(DeepgrepError) as raised:
        find_installed()
    assert str(raised.value) == (
        "torch is not installed in this Python environment: --torch 2.13.0 (or latest) reads one without installing "
        "it; --python PATH/TO/python or --source DIR names one elsewhere"
    )


def test_folder_that_an_uninstall_left_behind_is_no_package(site: Path) -> None:
    (site / "torch" / "lib").mkdir(parents=True)
    with pytest.raises(DeepgrepError, match="torch is not installed"):
        find_installed()


def test_editable_install_behind_an_import_hook_is_named_as_such(site: Path) -> None:
    (site / "torch-2.13.0.dist-info").mkdir()
    (site / "torch-2.13.0.dist-info" / "direct_url.json").write_text("{}")
    with pytest.raises(DeepgrepError, match=r"editable project .* --source DIR"):
        find_installed()


def test_package_of_another_interpreter_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert find_installed("torch", sys.executable) == Place("torch", tmp_path, "torch")


def test_missing_in_another_interpreter_names_that_interpreter(tmp_path: Path) -> None:
    with pytest.raises(DeepgrepError, match=f"not installed in the environment of {sys.executable}"):
        find_installed("no_such_package", sys.executable)


def test_modules_in_the_current_folder_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ast", "json", "site", "encodings"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('this code was run')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    with pytest.raises(DeepgrepError, match="not installed in the environment of"):
        find_installed("no_such_package", sys.executable)


def test_interpreter_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(DeepgrepError, match="no such file or command"):
        find_installed("torch", str(tmp_path / "python"))


def test_interpreter_that_is_not_executable(tmp_path: Path) -> None:
    (tmp_path / "python").touch(mode=0o644)
    with pytest.raises(DeepgrepError, match="not an executable file"):
        find_installed("torch", str(tmp_path / "python"))


@pytest.mark.parametrize(
    "answer",
    ["exit 1", "true", "echo hello", "echo 42", "echo '[1, 2]'"],
    ids=["fails", "silent", "text", "number", "list"],
)
def test_program_that_is_no_python(tmp_path: Path, answer: str) -> None:
    with pytest.raises(DeepgrepError, match="does not answer as a Python 3 interpreter does"):
        find_installed("torch", script(tmp_path / "python", f"#!/bin/sh\n{answer}\n"))


def test_file_that_is_no_program(tmp_path: Path) -> None:
    with pytest.raises(DeepgrepError, match="cannot be run"):
        find_installed("torch", script(tmp_path / "python", "\x7fnot a program"))


def test_interpreter_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "_ANSWER_SECONDS", 0.2)
    with pytest.raises(DeepgrepError, match="no answer within"):
        find_installed("torch", script(tmp_path / "python", "#!/bin/sh\nexec sleep 30\n"))


# distributions


def installed(site: Path, name: str, *files: str) -> None:
    (site / f"{name}.dist-info").mkdir(parents=True)
    (site / f"{name}.dist-info" / "RECORD").write_text("".join(f"{file},,\n" for file in files))
    for file in files:
        (site / file).parent.mkdir(parents=True, exist_ok=True)
        (site / file).write_text("")


@pytest.mark.parametrize("name", ["Py-YAML", "py_yaml", "py.yaml"])
def test_packages_of_a_distribution_are_found_by_the_name_that_pip_knows(site: Path, name: str) -> None:
    installed(
        site, "py_yaml-6.0", "_yaml/__init__.py", "yaml/__init__.py", "yaml/sub/__init__.py", "one.py", "../bin/x.py"
    )
    installed(site, "other-1.0", "other/__init__.py")
    assert [place.start for place in find_installed_distribution(name)] == ["_yaml", "one.py", "yaml"]


def test_distribution_that_is_recorded_without_its_files_is_found_by_the_name_of_its_package(site: Path) -> None:
    installed(site, "my_lib-1.0", "my_lib.pth")
    (site / "my_lib").mkdir()
    (site / "my_lib" / "__init__.py").write_text("")
    assert [place.start for place in find_installed_distribution("my-lib")] == ["my_lib"]


def test_distribution_that_is_not_installed_is_one_line(site: Path) -> None:
    with pytest.raises(DeepgrepError, match="nothing is not installed in this Python environment"):
        find_installed_distribution("nothing")
