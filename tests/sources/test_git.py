"""A revision of a local repository is a source: nothing is checked out, and nothing of the repository is run."""

import os
import subprocess
from pathlib import Path

import pytest

from deepgrep.errors import DeepgrepError
from deepgrep.sources import read_tree
from deepgrep.sources.git import find_revision

IDENTITY = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}


def git(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, **IDENTITY, "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(folder: Path, files: dict[str, str]) -> str:
    """Commit the files, and say which commit it is."""
    if not (folder / ".git").exists():
        folder.mkdir(parents=True)
        git(folder, "init", "-q", "-b", "main")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "x")
    return git(folder, "rev-parse", "HEAD")


TORCH = {"torch/__init__.py": "x = 1\n", "torch/fx/__init__.py": "", "tools/a.py": "", "version.txt": "2.14.0a0\n"}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    commit(tmp_path / "pytorch", TORCH)
    return tmp_path / "pytorch"


def tree(spec: str, package: str = "torch"):
    return read_tree(find_revision(spec, package, pytest.fail), b"", pytest.fail)[0]


def test_the_package_of_a_revision_is_read_with_its_version_and_commit(clone):
    first = git(clone, "rev-parse", "HEAD")
    commit(clone, {"torch/new.py": ""})
    found = tree(f"git:{clone}@HEAD~1")
    assert [file.path for file in found.files] == ["torch/__init__.py", "torch/fx/__init__.py"]
    assert (found.name, found.version, found.commit) == ("torch", "2.14.0a0", first)


def test_without_a_revision_it_is_the_one_that_is_checked_out_as_it_was_committed(clone):
    (clone / "torch" / "__init__.py").write_text("edited\n")
    (clone / "torch" / "added.py").write_text("")
    found = tree(f"git:{clone}")
    assert [file.path for file in found.files] == ["torch/__init__.py", "torch/fx/__init__.py"]
    assert (found.commit, found.digest) == (git(clone, "rev-parse", "HEAD"), tree(f"git:{clone}@main").digest)


@pytest.mark.parametrize("revision", ["v1", "main", "HEAD", "main@{0}", "HEAD^{tree}^{commit}"])
def test_a_revision_is_what_git_calls_one(clone, revision):
    git(clone, "tag", "-a", "v1", "-m", "x")
    if "tree" in revision:
        with pytest.raises(DeepgrepError, match="has no revision"):
            tree(f"git:{clone}@{revision}")
    else:
        assert tree(f"git:{clone}@{revision}").commit == git(clone, "rev-parse", "HEAD")


def test_a_bare_repository_a_work_tree_and_a_folder_in_one_will_do(clone, tmp_path):
    digest = tree(f"git:{clone}").digest
    git(tmp_path, "clone", "-q", "--bare", str(clone), str(tmp_path / "bare.git"))
    git(clone, "worktree", "add", "-q", str(tmp_path / "work@tree"))
    for folder in (tmp_path / "bare.git", tmp_path / "work@tree", clone / "torch"):
        assert tree(f"git:{folder}@HEAD").digest == digest


def test_the_package_may_lie_in_src(tmp_path):
    commit(tmp_path / "my-lib", {"src/my_lib/__init__.py": "", "setup.py": ""})
    found = tree(f"git:{tmp_path / 'my-lib'}", "")
    assert [(file.path, file.module) for file in found.files] == [("my_lib/__init__.py", "my_lib")]


def test_of_a_repository_that_is_about_torch_it_is_torch(clone):
    assert tree(f"git:{clone}", "").name == "torch"


def test_of_a_repository_without_a_package_of_its_name_it_is_everything(tmp_path):
    commit(tmp_path / "scripts", {"a.py": "", "lib/__init__.py": ""})
    found = tree(f"git:{tmp_path / 'scripts'}", "")
    assert (found.name, [file.module for file in found.files]) == ("scripts", ["a", "lib"])


def test_a_symbolic_link_is_left_out_and_that_is_said(clone):
    (clone / "torch" / "link.py").symlink_to("/etc/passwd")
    commit(clone, {})
    said: list[str] = []
    place = find_revision(f"git:{clone}", "torch", said.append)
    assert "torch/link.py" not in [file.path for file in read_tree(place, b"", pytest.fail)[0].files]
    assert said == ["'torch/link.py': left out: a symbolic link, or its name is not valid text"]


# what goes wrong


def failure(spec: str, package: str = "torch") -> str:
    with pytest.raises(DeepgrepError) as raised:
        find_revision(spec, package, pytest.fail)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_a_folder_that_is_not_there_is_one_line(tmp_path):
    assert "no such folder: it is git:PATH@REVISION" in failure(f"git:{tmp_path}/none@main")


def test_a_folder_that_is_no_repository_is_one_line(tmp_path):
    assert "no git repository in" in failure(f"git:{tmp_path}@main")


@pytest.mark.parametrize("revision", ["none", "--help", "--output=x", "-x", "main:torch", "0" * 40])
def test_a_revision_that_there_is_not_is_one_line(clone, revision):
    assert failure(f"git:{clone}@{revision}").endswith(f"the repository has no revision {revision}")


def test_a_revision_without_the_package_is_one_line(tmp_path):
    commit(tmp_path / "r", {"a.py": ""})
    assert failure(f"git:{tmp_path / 'r'}").endswith("there is no package torch in this revision")


def test_a_repository_with_a_missing_object_is_one_line(clone):
    blob = git(clone, "rev-parse", "HEAD:torch/__init__.py")
    (clone / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert "damaged or incomplete" in failure(f"git:{clone}")


# hostile repositories


def test_nothing_that_a_repository_configures_is_run(clone, tmp_path):
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    for hook in ("post-checkout", "reference-transaction", "post-index-change", "fsmonitor-watchman"):
        hooks = clone / ".git" / "hooks"
        hooks.mkdir(exist_ok=True)
        (hooks / hook).unlink(missing_ok=True)
        (hooks / hook).symlink_to(trap)
    for name in (
        *(
            "core.fsmonitor",
            "core.pager",
            "core.sshCommand",
            "core.editor",
            "core.alternateRefsCommand",
            "diff.external",
        ),
        *(
            "filter.x.smudge",
            "filter.x.clean",
            "filter.x.process",
            "diff.x.textconv",
            "alias.cat-file",
            "alias.ls-tree",
        ),
        *("credential.helper", "gpg.program", "pager.cat-file", "pager.ls-tree", "uploadpack.packObjectsHook"),
    ):
        git(clone, "config", name, f"!{trap}" if name.startswith("alias") else str(trap))
    (clone / ".gitattributes").write_text("*.py filter=x diff=x\n")
    (clone / ".git" / "info").mkdir(exist_ok=True)
    (clone / ".git" / "info" / "attributes").write_text("*.py filter=x diff=x\n")
    assert tree(f"git:{clone}").files
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("url", ["ext::{trap}", "{other}", "file://{other}", "trap::x"])
def test_objects_that_a_repository_would_fetch_are_missing(clone, tmp_path, url, monkeypatch):
    trap = tmp_path / "git-remote-trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    git(tmp_path, "clone", "-q", "--bare", str(clone), str(tmp_path / "other.git"))
    for name, value in {
        "remote.origin.url": url.format(trap=trap, other=tmp_path / "other.git"),
        "remote.origin.promisor": "true",
        "remote.origin.partialclonefilter": "blob:none",
        "remote.origin.uploadpack": str(trap),
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "protocol.allow": "always",
        "protocol.ext.allow": "always",
        "protocol.file.allow": "always",
        "protocol.trap.allow": "always",
    }.items():
        git(clone, "config", name, value)
    blob = git(clone, "rev-parse", "HEAD:torch/__init__.py")
    (clone / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert "damaged or incomplete" in failure(f"git:{clone}")
    assert not (tmp_path / "sprung").exists()


def test_the_environment_does_not_lead_to_another_repository(clone, tmp_path, monkeypatch):
    commit(tmp_path / "other", {"torch/__init__.py": "other\n"})
    expected = tree(f"git:{clone}").digest
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "other" / ".git" / "objects"))
    assert tree(f"git:{clone}").digest == expected


def test_an_object_that_stands_for_another_does_not_count(clone):
    expected = tree(f"git:{clone}").digest
    original = git(clone, "rev-parse", "HEAD:torch/__init__.py")
    (clone / "evil").write_text("evil\n")
    evil = git(clone, "hash-object", "-w", "evil")
    git(clone, "replace", original, evil)
    assert tree(f"git:{clone}").digest == expected
