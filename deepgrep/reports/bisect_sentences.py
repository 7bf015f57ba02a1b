"""What reports of `bisect` say in sentences, for every form; `name` writes a name as that form needs it."""

from __future__ import annotations

from collections.abc import Callable

from deepgrep.questions.bisect import BisectAnswer, On, Reply
from deepgrep.reports.words import clean, not_there, plural

Name = Callable[[str], str]

_WORDS = {On.VERDICT: "verdict", On.PATHS: "set of paths"}


def bisect_sentence(answer: BisectAnswer, name: Name = clean) -> str:
    """At which version the answer becomes another one, and from what to what."""
    what, first, last = _WORDS[answer.on], answer.replies[0].version, answer.replies[-1].version
    if answer.after is None or answer.before is None:
        return f"the {what} is that of {name(first)} in {name(last)}"
    said = f"the {what} changes at {name(answer.after)}"
    replies = {reply.version: reply for reply in answer.replies}
    before, after = replies.get(answer.before), replies.get(answer.after)
    if answer.on is On.PATHS or before is None or after is None:
        return f"{said}, after {name(answer.before)}"
    return f"{said}: {_verdict(before)} in {name(answer.before)}, {_verdict(after)} in {name(answer.after)}"


def _verdict(reply: Reply) -> str:
    return str(reply.verdict) if reply.verdict is not None else "cannot be asked"


def reply_sentence(reply: Reply, sentence: Name = clean) -> str:
    """What one version answered."""
    if reply.error:
        return f"cannot be asked: {sentence(reply.error.partition(chr(10))[0])}"
    if reply.verdict is None:
        return f"cannot be asked: {not_there(reply.missing)}"
    size = f", {plural(reply.functions, 'function')} and {plural(reply.edges, 'edge')} on paths" if reply.paths else ""
    return f"{reply.verdict}{size}"


def asked_sentence(answer: BisectAnswer) -> str:
    """How many versions were asked."""
    return f"{len(answer.replies):,} of {plural(answer.versions, 'version')}"


def reply_marks(answer: BisectAnswer) -> list[str]:
    """What is to be said beside each reply: which are the two between which it changes."""
    marks = {answer.before: "the last as before", answer.after: "the first that differs"}
    return [marks.get(reply.version, "") if answer.after is not None else "" for reply in answer.replies]


def bisect_notes(answer: BisectAnswer) -> list[str]:
    """How far the answer can be trusted."""
    notes = []
    if answer.several:
        notes.append("what was asked shows that it changes more than once: this is one change of several")
    elif answer.after is not None and len(answer.replies) < answer.versions:
        notes.append("it could change, and change back, between versions that were not asked")
    if answer.after is None and answer.versions > len(answer.replies):
        notes.append("only both ends were asked: it could change, and change back, between them")
    return notes
