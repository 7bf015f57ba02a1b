"""Small answers of `check`, made from those of `reach`."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from report_examples import NO_PATH, REACHES, RESTORE, SOURCE, WRITE, hop

from deepgrep.errors import DeepgrepError
from deepgrep.questions.answers import Lead, Path, ReachAnswer, Verdict
from deepgrep.questions.baseline import Baseline, kept_answer
from deepgrep.questions.checking import CheckAnswer, check
from deepgrep.questions.stored import StoredQuery

QUERY = StoredQuery(
    name="flag",
    file="mine/flag.toml",
    question="Can start change the flag?",
    root="start",
    target="_flag",
    expect=Verdict.REACHES,
    reports=("https://example.org/issues/1",),
    note="Look at the lock.",
)

# One more function that writes the flag, by another path.
OTHER_WRITE = replace(WRITE, function="pkg.other.undo", file="pkg/other.py", line=9)
OTHER_PATH = Path(
    certainty="flow",
    hops=[
        hop("pkg.api.start", "pkg/api.py", 10, 13, certainty="flow"),
        hop("pkg.other.undo", "pkg/other.py", 5, 9),
    ],
)
MORE = replace(REACHES, accesses=[*REACHES.accesses, OTHER_WRITE], paths=[*REACHES.paths, OTHER_PATH])
WITH_LEAD = replace(
    NO_PATH, leads=[Lead("pkg.api.start", "pkg/api.py", 12, "self.fn()", "parameter", [])], lead_count=1
)
GONE = DeepgrepError("nothing is named 'start' in pkg: no name is near to it")

__all__ = ["MORE", "NO_PATH", "QUERY", "REACHES", "RESTORE", "WRITE"]


def baseline(**answers: ReachAnswer) -> Baseline:
    """What was found before, by the query's name."""
    return Baseline(queries={name: kept_answer(replace(QUERY, name=name), found) for name, found in answers.items()})


def checked(found: ReachAnswer | DeepgrepError, before: Baseline | None = None, **fields: Any) -> CheckAnswer:
    """The query, with some fields replaced, answered like this."""
    return check([(replace(QUERY, **fields), found)], before, [SOURCE], [])
