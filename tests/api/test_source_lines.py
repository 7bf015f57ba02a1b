import hashlib
from pathlib import Path

import pytest

from deepgrep.api.source_lines import source_files, source_lines
from deepgrep.sources import SourceFile, SourceTree


def tree(location: Path, contents: bytes) -> SourceTree:
    """A tree of one file, `pkg/a.py`, written where it says it is."""
    path = location / "pkg" / "a.py"
    path.parent.mkdir(parents=True)
    path.write_bytes(contents)
    file = SourceFile("pkg/a.py", "pkg.a", hashlib.sha256(contents).hexdigest(), is_package=False)
    return SourceTree("pkg", "", "", "", location, (file,))


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_line_is_found_by_its_number_whatever_the_line_ends(tmp_path, end):
    line_of = source_lines([tree(tmp_path, end.join([b"one", b"two", b"three"]))])
    assert line_of("pkg/a.py", 2) == "two"


def test_only_line_ends_of_python_count(tmp_path):
    line_of = source_lines([tree(tmp_path, "a\x0c\u2028b\ntwo\n".encode())])
    assert line_of("pkg/a.py", 2) == "two"


@pytest.mark.parametrize("line", [0, -1, 3])
def test_line_that_is_not_there_is_none(tmp_path, line):
    assert source_lines([tree(tmp_path, b"one\ntwo\n")])("pkg/a.py", line) is None


def test_file_that_changed_since_it_was_analyzed_has_no_lines(tmp_path):
    line_of = source_lines([tree(tmp_path, b"one\n")])
    (tmp_path / "pkg" / "a.py").write_bytes(b"other\n")
    assert line_of("pkg/a.py", 1) is None


def test_file_that_is_gone_has_no_lines(tmp_path):
    line_of = source_lines([tree(tmp_path, b"one\n")])
    (tmp_path / "pkg" / "a.py").unlink()
    assert line_of("pkg/a.py", 1) is None


def test_file_outside_the_trees_has_no_lines(tmp_path):
    line_of = source_lines([tree(tmp_path, b"one\n")])
    assert line_of("../../etc/passwd", 1) is None
    assert line_of("<root>", 1) is None


def test_bytes_that_are_not_utf8_are_replaced(tmp_path):
    assert source_lines([tree(tmp_path, b"a = '\xff'\n")])("pkg/a.py", 1) == "a = '\ufffd'"


@pytest.mark.parametrize(
    ("declared", "expected"), [("latin-1", "x = 'é'"), ("no-such", "x = '\ufffd'"), ("utf-8", "x = '\ufffd'")]
)
def test_a_line_is_read_as_its_file_declares_that_it_is_written(tmp_path, declared, expected):
    contents = f"# coding: {declared}\nx = 'é'\n".encode("latin-1")
    assert source_lines([tree(tmp_path, contents)])("pkg/a.py", 2) == expected


def test_of_two_trees_with_the_same_path_the_first_is_meant(tmp_path):
    first, second = tree(tmp_path / "1", b"first\n"), tree(tmp_path / "2", b"second\n")
    assert source_lines([first, second])("pkg/a.py", 1) == "first"


def test_code_that_was_typed_as_the_root_has_lines(tmp_path):
    line_of = source_lines([tree(tmp_path, b"one\n")], root="import a\nimport b")
    assert line_of("<root>", 2) == "import b"


def test_a_script_that_is_the_root_has_lines(tmp_path):
    script = tmp_path / "train.py"
    script.write_text("import a\nrun()\n")
    line_of = source_lines([tree(tmp_path / "sources", b"one\n")], root=f" {script} ")
    assert line_of(str(script), 2) == "run()"
    script.unlink()
    assert source_lines([], root=str(script))(str(script), 2) is None


def test_space_around_code_that_was_typed_does_not_count(tmp_path):
    assert source_lines([], root="\n import a\n")("<root>", 1) == "import a"


def test_whole_files_are_given_too_and_code_that_was_typed(tmp_path):
    read = source_files([tree(tmp_path, b"one\n")], " import torch\n")
    assert (read("pkg/a.py"), read("<root>"), read("pkg/b.py")) == (b"one\n", b"import torch", None)
