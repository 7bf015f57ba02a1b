"""`bisect`: the first of several versions whose answer to a question is another one, found by halving."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Literal

import msgspec

from deepgrep.errors import DeepgrepError
from deepgrep.questions.answers import Verdict
from deepgrep.questions.diff_answers import DiffAnswer
from deepgrep.questions.diff_sides import Side


class On(StrEnum):
    """What of an answer must change."""

    VERDICT = "verdict"
    PATHS = "paths"


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What one version answers.

    Attributes:
        version: a release, or the first digits of a commit.
        verdict: null where the question cannot be asked.
        missing: which of root and target are not there.
        error: why else the question cannot be asked; "" where it can.
        functions, edges: what lies on paths, by names.
        paths: a digest of their names; "" where there is none.
    """

    version: str
    verdict: Verdict | None
    missing: list[str] = []
    error: str = ""
    functions: int = 0
    edges: int = 0
    paths: str = ""


class BisectAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `bisect` (`deepgrep-bisect/1`).

    Attributes:
        on: what was looked at.
        versions: how many versions there are, both ends among them.
        replies: those that were asked, in the versions' order.
        before, after: the two neighbours between which it changes; null where both ends answer the same.
        several: whether the replies show that it changes more than once, so that this is one change of several.
        diff: what changed between the two, as `diff` gives it.
    """

    schema: Literal["deepgrep-bisect/1"] = "deepgrep-bisect/1"
    on: On
    versions: int
    replies: list[Reply]
    before: str | None
    after: str | None
    several: bool
    diff: DiffAnswer | None


@dataclass(frozen=True, slots=True)
class Halving:
    """What was asked, and what was found.

    Attributes:
        replies: by the version's position.
        change: the position of the first version that answers otherwise than the first of all; None where the last
            answers as the first.
    """

    on: On
    replies: dict[int, Reply]
    change: int | None

    @property
    def several(self) -> bool:
        """Whether what was asked changes more than once."""
        values = [_value(self.replies[position], self.on) for position in sorted(self.replies)]
        return sum(one != other for one, other in pairwise(values)) > 1


def halve(count: int, ask: Callable[[int], Reply], on: On | None = None) -> Halving:
    """Find the first version that answers otherwise than the first of all.

    Args:
        count: how many versions there are, two at least.
        ask: asks one of them, by its position.
        on: what must change; None for the verdict, or the paths where the verdicts of both ends agree.

    Returns:
        One change; there may be others, as only few of the versions are asked.

    Raises:
        DeepgrepError: neither end can be asked.
    """
    first, last = 0, count - 1
    replies = {first: ask(first), last: ask(last)}
    if all(one.verdict is None for one in replies.values()):
        why = replies[last].error or f"the {' and the '.join(replies[last].missing)} is not there"
        raise DeepgrepError(f"neither {replies[first].version} nor {replies[last].version} can be asked: {why}")
    if on is None:
        differs = _value(replies[first], On.VERDICT) != _value(replies[last], On.VERDICT)
        on = On.VERDICT if differs else On.PATHS
    known = _value(replies[first], on)
    if _value(replies[last], on) == known:
        return Halving(on, replies, None)
    while last - first > 1:
        middle = (first + last) // 2
        replies[middle] = ask(middle)
        if _value(replies[middle], on) == known:
            first = middle
        else:
            last = middle
    return Halving(on, replies, last)


def _value(reply: Reply, on: On) -> object:
    """What is compared of a reply: all that cannot be asked answer the same."""
    return reply.verdict if on is On.VERDICT else (reply.verdict, reply.paths)


def reply(version: str, side: Side) -> Reply:
    """What a version answered.

    The paths are told by the names of all functions and edges that lie on them.
    """
    if side.findings is None or side.answer is None:
        return Reply(version=version, verdict=None, missing=side.missing)
    named, successors = side.named, side.findings.chop.successors
    edges = {(named[caller], named[callee]) for caller, callees in successors.items() for callee in callees}
    edges = {edge for edge in edges if edge[0] != edge[1]}
    lines = sorted([*side.names, *(f"{caller}\n{callee}" for caller, callee in edges)])
    ends = sorted({named[goal] for goal in side.findings.chop.goals})
    text = "\0".join([*lines, "", *ends])
    return Reply(
        version=version,
        verdict=side.answer.verdict,
        functions=len(side.names),
        edges=len(edges),
        paths=hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest() if lines else "",
    )


def check_versions(versions: Sequence[str]) -> None:
    """Refuse fewer versions than two.

    Raises:
        DeepgrepError: there are fewer.
    """
    if len(versions) < 2:
        raise DeepgrepError(f"{', '.join(versions) or 'none'}: two versions are needed, to ask where an answer changes")
