"""`deepgrep sources`: what is at hand, and whether it is what was released."""

import json
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from jsonschema import Draft202012Validator
from wheels import FILES, wheel

SCHEMA = Path(__file__).parents[2] / "deepgrep" / "reports" / "schemas" / "deepgrep-sources-1.json"
TORCH = {"torch/__init__.py": b"flag = 0\ndef start():\n    global flag\n    flag = 1\n", "torch/fx.py": b""}


@pytest.fixture
def sources(deepgrep, tmp_path, monkeypatch):
    """Ask with a pip that knows a folder of wheels only, and without an installed torch."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    for version in ("1.0.0", "1.0.1"):
        (wheels / f"torch-{version}-py3-none-any.whl").write_bytes(wheel("torch", version, TORCH))
    (wheels / "pkg-2.0-py3-none-any.whl").write_bytes(wheel("pkg", "2.0", FILES))
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("DEEPGREP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("deepgrep.sources.environment.PathFinder", SimpleNamespace(find_spec=lambda *_: None))
    return lambda *arguments, verb="sources": deepgrep(verb, *arguments)


def kept_file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "sources" / "torch-1.0.0" / "torch" / "__init__.py"


def test_at_first_there_is_nothing_and_it_is_said_how_to_get_something(sources):
    outcome = sources()
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == (
        "installed no torch: --torch 2.13.0 (or latest) reads one without installing it\n"
        "kept      nothing yet: --torch VERSION fetches the Python files of a release, and keeps them\n"
    )


def test_what_was_fetched_is_listed(sources):
    sources("--verify", "--torch", "1.0.0", "--with", "pkg==2.0")
    assert sources().out.splitlines()[1:] == ["kept      pkg 2.0  0 MB", "          torch 1.0.0  0 MB"]


def test_a_release_that_was_unpacked_from_a_file_is_listed_as_one(sources, tmp_path):
    sources("--verify", "--torch", str(tmp_path / "wheels" / "torch-1.0.0-py3-none-any.whl"))
    assert sources().out.splitlines()[1] == "kept      torch 1.0.0  0 MB, unpacked from a file"


def test_what_the_package_index_has_is_listed(sources):
    assert sources("--available").out.splitlines()[-1] == "available 1.0.0, 1.0.1"
    assert sources("--available", "pkg").out.splitlines()[-1] == "available 2.0"
    outcome = sources("--available", "none")
    assert outcome.code == 2
    assert outcome.err == "deepgrep: none: the package index has no such package: is that its name for pip?\n"


def test_a_release_is_as_released(sources):
    outcome = sources("--verify", "--torch", "1.0.0")
    assert outcome.code == 0
    assert outcome.out.startswith("as released   torch 1.0.0, digest ")
    assert outcome.out.endswith(": 2 files compared\n")


def test_edited_missing_and_added_files_are_named(sources, tmp_path):
    sources("--verify", "--torch", "1.0.0")
    kept_file(tmp_path).write_text("patched = 1\n")
    kept_file(tmp_path).with_name("fx.py").unlink()
    kept_file(tmp_path).with_name("mine\x1b.py").write_text("")
    outcome = sources("--verify", "--torch", "1.0.0")
    assert outcome.code == 1
    assert outcome.out.splitlines()[0].startswith("edited   torch 1.0.0, digest ")
    assert outcome.out.splitlines()[1:] == [
        "  changed   torch/__init__.py",
        "  missing   torch/fx.py",
        "  added     torch/mine\ufffd.py",
    ]


def test_a_folder_that_was_not_installed_cannot_be_compared(sources, tmp_path):
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("")
    outcome = sources("--verify", "--torch", str(tmp_path / "torch"))
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        "deepgrep: torch: nothing to compare with: it was not installed from a release, or without a RECORD\n"
    )


def test_what_cannot_be_compared_is_named_beside_what_can(sources, tmp_path):
    (tmp_path / "train.py").write_text("")
    outcome = sources("--verify", "--torch", "1.0.0", "--source", str(tmp_path / "train.py"))
    assert outcome.code == 0
    assert [line.partition("   ")[0] for line in outcome.out.splitlines()] == ["no release", "as released"]


@pytest.mark.parametrize("arguments", [(), ("--available",), ("--verify", "--torch", "1.0.0")])
def test_as_json_it_is_the_format(sources, arguments):
    outcome = sources(*arguments, "--format", "json")
    Draft202012Validator(json.loads(SCHEMA.read_bytes())).validate(json.loads(outcome.out))
    assert json.loads(outcome.out)["schema"] == "deepgrep-sources/1"


def test_a_release_is_removed(sources, tmp_path):
    sources("--verify", "--torch", "1.0.0")
    assert sources("--remove", "torch==1.0.0").code == 0
    assert not kept_file(tmp_path).parents[1].exists()
    outcome = sources("--remove", "torch==1.0.0")
    assert (outcome.code, outcome.err) == (2, "deepgrep: torch==1.0.0 is not kept; kept is nothing\n")


def test_several_questions_at_once_are_an_error(sources):
    assert sources("--verify", "--available").code == 2


# the option --torch


@pytest.mark.parametrize("spec", ["1.0.0", "1.0", "latest"])
def test_a_question_is_about_the_torch_that_is_named(sources, spec):
    outcome = sources("start", "flag", "--torch", spec, verb="reach")
    assert outcome.code == 0
    version = "1.0.0" if spec == "1.0.0" else "1.0.1"
    assert f"sources   torch {version}, digest " in outcome.out


def test_a_library_above_torch_is_analyzed_beside_it(sources):
    outcome = sources("pkg.sub.mod.f", "--torch", "1.0.0", "--with", "pkg==2.0", verb="callees")
    assert outcome.code in {0, 1}
    assert "pkg 2.0" in outcome.out
    assert "torch 1.0.0" in outcome.out


def test_a_question_about_a_revision_is_answered_with_its_lines_and_its_commit(sources, tmp_path):
    clone = tmp_path / "pytorch"
    (clone / "torch").mkdir(parents=True)
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for text in (b"", TORCH["torch/__init__.py"]):
        (clone / "torch" / "__init__.py").write_bytes(text)
        for command in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-q", "-m", "x"]):
            subprocess.run(["git", "-C", str(clone), *command], check=True)
    (clone / "torch" / "__init__.py").write_text("what is not committed does not count\n")
    commit = subprocess.run(["git", "-C", str(clone), "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    outcome = sources("start", "flag", "--torch", f"git:{clone}@HEAD", verb="reach")
    assert outcome.code == 0, outcome.err
    assert f"sources   torch, commit {commit.stdout[:12]}, digest " in outcome.out
    assert "      flag = 1\n" in outcome.out
    outcome = sources("start", "flag", "--torch", f"git:{clone}@HEAD~1", verb="reach")
    assert outcome.code == 2
    assert "nothing is named" in outcome.err


def test_without_any_torch_the_line_says_how_to_name_one(sources):
    outcome = sources("start", "flag", verb="reach")
    assert outcome.code == 2
    assert "--torch 2.13.0 (or latest) reads one without installing it" in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_torch_and_an_interpreter_are_two_torches(sources):
    outcome = sources("start", "flag", "--torch", "1.0.0", "--python", "python", verb="reach")
    assert outcome.code == 2
    assert "name two torches" in outcome.err


def test_a_torch_and_a_source_with_one_are_two_torches(sources, tmp_path):
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("")
    outcome = sources("start", "flag", "--torch", "1.0.0", "--source", str(tmp_path / "torch"), verb="reach")
    assert outcome.code == 2
    assert "the other sources hold a package torch already" in outcome.err
