"""Several versions in one word."""

import pytest

from deepgrep.errors import DeepgrepError
from deepgrep.sources.version_range import listed_versions

RELEASED = ["1.13.1", "2.0.0", "2.0.1", "2.5.0", "2.5.1", "2.6.0", "2.10.0", "2.10.1", "2.11.0"]


def listed(*texts: str) -> list[str]:
    return listed_versions(texts, lambda: RELEASED)


def test_range_is_the_newest_patch_release_of_each_minor_version() -> None:
    assert listed("2.0..2.10") == ["2.0.1", "2.5.1", "2.6.0", "2.10.1"]


def test_ends_of_a_range_can_be_releases() -> None:
    assert listed("2.5.1..2.10.0") == ["2.5.1", "2.6.0", "2.10.0"]


def test_major_version_alone_begins_or_ends_a_range() -> None:
    assert listed("2..2.5") == ["2.0.1", "2.5.1"]
    assert listed("1.13..2") == ["1.13.1", "2.0.1", "2.5.1", "2.6.0", "2.10.1", "2.11.0"]


def test_others_are_taken_as_they_are_and_the_index_is_not_asked() -> None:
    texts = ("2.11,latest", "git:../pytorch@v2.11.0", "../torch", "installed,latest")
    assert listed_versions(texts, lambda: pytest.fail("asked")) == [
        *("2.11", "latest", "git:../pytorch@v2.11.0", "../torch", "installed")
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("2.12..2.14", r"--versions 2\.12\.\.2\.14: there is no release in it"),
        ("2.11..2.5", "there is no release in it"),
        ("2.11..", "'' is no version: a range is"),
        ("2.11..main", "'main' is no version: a range is"),
        (f"2.11..2.{'9' * 5000}", "is no version: a range is"),
        ("2.11,,2.12", "a version is missing in it"),
        ("", "a version is missing in it"),
    ],
)
def test_what_means_nothing_is_one_clear_line(text: str, line: str) -> None:
    with pytest.raises(DeepgrepError, match=line):
        listed(text)
