"""Files in a git object store are read as files in a folder are."""

import hashlib
import pickle
import subprocess
from pathlib import Path

import pytest

from deepgrep.indexing.extraction import Unread, extract_files
from deepgrep.sources import Place, read_tree
from deepgrep.sources.revision import Revision, object_id


def commit(folder: Path, **files: str) -> Revision:
    """A bare repository that holds some contents, and a revision in which they are files `pkg/NAME.py`."""
    if not folder.exists():
        subprocess.run(["git", "init", "-q", "--bare", str(folder)], check=True)
    for text in files.values():
        command = ["git", f"--git-dir={folder}", "hash-object", "-w", "--stdin"]
        subprocess.run(command, input=text.encode(), check=True, capture_output=True)
    listed = {f"pkg/{name}.py": (object_id(text.encode()), len(text)) for name, text in files.items()}
    return Revision(folder, "c" * 40, listed)


def test_file_is_read_by_its_blob(tmp_path):
    revision = commit(tmp_path / "r.git", a="x = 1\n", b="y = 2\n")
    assert (revision / "pkg/a.py").read_bytes() == b"x = 1\n"
    assert (revision / "pkg/b.py").read_bytes() == b"y = 2\n"


def test_file_that_the_revision_does_not_have_is_an_error_as_on_disk(tmp_path):
    revision = commit(tmp_path / "r.git", a="x = 1\n")
    with pytest.raises(OSError, match="no such object"):
        (revision / "pkg/b.py").read_bytes()
    assert (revision / "pkg/a.py").read_bytes() == b"x = 1\n"


def test_object_that_is_not_what_its_id_says_is_an_error(tmp_path):
    revision = commit(tmp_path / "r.git", a="x = 1\n", b="y = 2\n")
    one, other = ((tmp_path / "r.git" / "objects" / blob[:2] / blob[2:]) for blob, _ in revision.files.values())
    one.chmod(0o600)
    one.write_bytes(other.read_bytes())
    with pytest.raises(OSError, match=r"damaged|no such object"):
        (revision / "pkg/a.py").read_bytes()


def test_tree_of_a_revision_is_that_of_a_folder(tmp_path):
    revision = commit(tmp_path / "r.git", __init__="", a="x = 1\n")
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text("")
    (tmp_path / "pkg" / "a.py").write_text("x = 1\n")
    tree, _ = read_tree(Place("pkg", revision, "pkg"), b"", pytest.fail)
    on_disk, _ = read_tree(Place("pkg", tmp_path, "pkg"), b"", pytest.fail)
    assert (tree.files, tree.digest) == (on_disk.files, on_disk.digest)
    assert tree.commit == revision.commit


def test_contents_that_another_revision_had_are_not_read_again(tmp_path, monkeypatch):
    first = commit(tmp_path / "r.git", a="x = 1\n", b="y = 2\n")
    _, remembered = read_tree(Place("pkg", first, "pkg"), b"", pytest.fail)
    second = commit(tmp_path / "r.git", a="x = 1\n", b="y = 3\n")
    read = []
    real = type(second / "pkg/a.py").read_bytes
    monkeypatch.setattr(type(second / "pkg/a.py"), "read_bytes", lambda file: read.append(file.path) or real(file))
    tree, remembered = read_tree(Place("pkg", second, "pkg"), remembered, pytest.fail)
    assert "pkg/b.py" in read
    assert "pkg/a.py" not in read
    assert [file.digest for file in tree.files] == [hashlib.sha256(t).hexdigest() for t in (b"x = 1\n", b"y = 3\n")]
    _, again = read_tree(Place("pkg", first, "pkg"), remembered, pytest.fail)
    assert again is remembered


def test_only_modules_that_python_could_import_belong_to_it(tmp_path):
    revision = commit(tmp_path / "r.git", a="")
    blob = revision.files["pkg/a.py"]
    paths = ["pkg/.hidden/a.py", "pkg/__pycache__/a.py", "pkg/not-a-name/a.py", "pkg/a.txt", "other/a.py"]
    more = Revision(revision.repository, revision.commit, {**revision.files, **dict.fromkeys(paths, blob)})
    tree, _ = read_tree(Place("pkg", more, "pkg"), b"", pytest.fail)
    assert [file.path for file in tree.files] == ["pkg/a.py"]


def test_facts_are_extracted_from_a_revision_in_other_processes(tmp_path):
    revision = commit(tmp_path / "r.git", a="def f(): g()\n", b="x = 1\n")
    (revision / "pkg/a.py").read_bytes()  # this process has a pipe of its own by then
    tree, _ = read_tree(Place("pkg", revision, "pkg"), b"", pytest.fail)
    files = [Unread(revision / file.path, file.digest) for file in tree.files]
    results = [result for some in extract_files(files, frozenset(), 2) for result in some]
    assert {result.digest for result in results} == {file.digest for file in files}
    assert all(result.facts for result in results)


def test_file_of_a_revision_is_small_where_it_is_handed_on(tmp_path):
    revision = Revision(tmp_path, "c" * 40, {f"pkg/{number}.py": ("b" * 40, 1) for number in range(10_000)})
    assert len(pickle.dumps(revision / "pkg/1.py")) < 1000
