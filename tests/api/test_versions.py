"""Which versions lie between two."""

from __future__ import annotations

import pytest

from deepgrep.api.versions import title_of, versions_between
from deepgrep.errors import DeepgrepError

RELEASED = ["2.10.0", "2.11.0", "2.12.0", "2.12.1", "2.13.0", "2.13.0+cpu", "2.14.0"]


@pytest.fixture(autouse=True)
def _released(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deepgrep.sources.releases.released_versions", lambda package, warn: list(RELEASED))


@pytest.mark.parametrize(
    ("good", "bad", "between"),
    [
        (None, None, ["2.10.0", "2.11.0", "2.12.0", "2.12.1", "2.13.0", "2.14.0"]),
        ("2.12.0", "2.13.0", ["2.12.0", "2.12.1", "2.13.0"]),
        ("2.12", "2.13", ["2.12.1", "2.13.0"]),
        ("2.12.1", None, ["2.12.1", "2.13.0", "2.14.0"]),
        (None, "latest", ["2.10.0", "2.11.0", "2.12.0", "2.12.1", "2.13.0", "2.14.0"]),
    ],
)
def test_releases_lie_between_two_both_among_them_and_each_once(good, bad, between) -> None:
    assert versions_between(good, bad, print) == between


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        ("2.13.0", "2.12.0", r"torch 2\.13\.0 is not before 2\.12\.0: --good is the earlier one"),
        ("2.12.0", "2.12.0", r"torch 2\.12\.0 is not before 2\.12\.0"),
        ("3.0", None, r"torch 3\.0: no such release between 2\.10\.0 and 2\.14\.0"),
        ("nightly", None, "torch nightly: no such release"),
        ("nonsense", None, "neither a version"),
        ("git:.@HEAD", None, "both are git:PATH@REVISION, of one repository, or none is"),
    ],
)
def test_ends_that_do_not_go_together_are_an_error(good, bad, said) -> None:
    with pytest.raises(DeepgrepError, match=said):
        versions_between(good, bad, print)


def test_a_commit_is_called_by_its_first_digits_without_the_path() -> None:
    assert title_of("git:/home/me@work/pytorch@0123456789abcdef0123") == "0123456789ab"
    assert title_of("2.13.0") == "2.13.0"
