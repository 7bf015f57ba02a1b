"""Addresses of analyzed lines in the public repository."""

from dataclasses import replace
from pathlib import Path

import pytest

from deepgrep.reports.links import commit_address, permalinks
from deepgrep.sources import SourceFile, SourceTree
from deepgrep.sources.released import Released

COMMIT = "0123456789abcdef0123456789abcdef01234567"
REPOSITORY = "https://github.com/pytorch/pytorch"
BLOB = f"{REPOSITORY}/blob/{COMMIT}"


def tree(*paths: str, commit: str = COMMIT) -> SourceTree:
    files = tuple(SourceFile(path, "", "", False) for path in paths)
    return SourceTree("torch", "2.13.0", commit, "", Path("/nowhere"), files)


RELEASED = Released("torch", REPOSITORY, 1, (), (), ())


def test_a_line_is_that_of_the_commit_that_the_package_states() -> None:
    permalink = permalinks([tree("torch/fx/graph.py")], [RELEASED])
    assert permalink("torch/fx/graph.py", 12) == f"{BLOB}/torch/fx/graph.py#L12"


@pytest.mark.parametrize("file", ["<root>", "train.py", "torch._C.<tensor operation>", "torch/other.py"])
def test_what_is_not_in_the_sources_has_none(file: str) -> None:
    assert permalinks([tree("torch/fx/graph.py")], [RELEASED])(file, 12) is None


def test_a_place_without_a_line_has_none() -> None:
    assert permalinks([tree("torch/a.py")], [RELEASED])("torch/a.py", 0) is None


@pytest.mark.parametrize("commit", ["", "cf30153", "main", "../../../../evil", COMMIT.upper()])
def test_without_a_full_commit_there_are_none(commit: str) -> None:
    assert permalinks([tree("torch/a.py", commit=commit)], [RELEASED])("torch/a.py", 1) is None
    assert commit_address(RELEASED, commit) == ""


@pytest.mark.parametrize(
    "released",
    [
        replace(RELEASED, repository=""),
        replace(RELEASED, compared=0),
        replace(RELEASED, repository="https://github.com/owner/where-paths-may-differ"),
        replace(RELEASED, changed=("torch/a.py",)),
        replace(RELEASED, added=("torch/a.py",)),
    ],
)
def test_what_is_not_known_to_be_the_same_there_has_none(released: Released) -> None:
    assert permalinks([tree("torch/a.py")], [released])("torch/a.py", 1) is None


@pytest.mark.parametrize("file", ["torch/version.py", "torch/testing/generated/args.py"])
def test_what_a_build_makes_is_not_in_the_repository(file: str) -> None:
    assert permalinks([tree(file)], [RELEASED])(file, 1) is None


def test_a_version_file_of_a_part_is_in_the_repository() -> None:
    assert permalinks([tree("torch/onnx/version.py")], [RELEASED])("torch/onnx/version.py", 1) is not None


def test_hostile_file_names_are_quoted() -> None:
    file = 'torch/a b)[x]("#?%\n<é.py'
    assert permalinks([tree(file)], [RELEASED])(file, 1) == (
        f"{BLOB}/torch/a%20b%29%5Bx%5D%28%22%23%3F%25%0A%3C%C3%A9.py#L1"
    )


def test_of_two_trees_with_the_same_file_the_first_is_meant() -> None:
    trees = [tree("torch/a.py", commit=""), tree("torch/a.py", "torch/b.py")]
    permalink = permalinks(trees, [RELEASED, RELEASED])
    assert permalink("torch/a.py", 1) is None
    assert permalink("torch/b.py", 1) == f"{BLOB}/torch/b.py#L1"


def test_a_commit_has_an_address() -> None:
    assert commit_address(RELEASED, COMMIT) == f"{REPOSITORY}/commit/{COMMIT}"
