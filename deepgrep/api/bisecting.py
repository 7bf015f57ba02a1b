"""The version at which the answer to a question changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from deepgrep.api.analysis import Analysis
from deepgrep.api.arguments import access_kind, checked_filters, ignore, one_of, text
from deepgrep.api.comparing import question_of, version_of
from deepgrep.api.opening import open as open_sources
from deepgrep.api.versions import title_of, versions_between
from deepgrep.errors import DeepgrepError
from deepgrep.questions.filters import NO_FILTERS, Filters

if TYPE_CHECKING:
    from deepgrep.questions.bisect import BisectAnswer, Reply
    from deepgrep.questions.diff_answers import DiffAnswer
    from deepgrep.questions.diff_sides import Question


def bisect(
    root: str,
    target: str,
    *,
    good: str | None = None,
    bad: str | None = None,
    versions: Sequence[str] | None = None,
    on: str | None = None,
    access: str | None = None,
    filters: Filters = NO_FILTERS,
    open_version: Callable[[str], Analysis] | None = None,
    warn: Callable[[str], None] | None = None,
) -> BisectAnswer:
    """The first version whose answer to a question is another one, and what changed there.

        >>> answer = deepgrep.bisect("torch.cond", "_is_fx_tracing_flag", good="2.6", bad="2.13.0")
        >>> answer.before, answer.after, [reply.version for reply in answer.replies]

    Args:
        root: a function by any end of its name, Python code, or the path of a script.
        target: a state or a function, by any end of its name.
        good: the first version, as `deepgrep.open(torch=...)` takes it: a release, or `git:PATH@REVISION`, of which the
            first-parent history is looked through; None for the oldest release.
        bad: the last one; None for the newest release.
        versions: those to look through, oldest first, instead of what lies between both ends.
        on: "verdict" or "paths": what must change; None for the verdict, or the paths where both ends have the same.
        access: "write", "read" or "call"; None for writes of a state and calls of a function.
        filters: what to leave out and what to assume, in each version.
        open_version: opens one of them; None for `deepgrep.open(torch=...)`.
        warn: called with a line about each thing that went wrong and does not stop the answer; None for nobody.

    Raises:
        DeepgrepError: there are no such versions, one cannot be opened, or the question can be asked of neither end.
    """
    from deepgrep.questions.bisect import BisectAnswer, On, check_versions, halve

    one_of("on", on, [word.value for word in On])
    question = question_of(text("root", root), text("target", target), access_kind(access), 1, checked_filters(filters))
    listed = list(versions) if versions is not None else versions_between(good, bad, warn or ignore)
    check_versions(listed)
    opening = open_version or (lambda spec: open_sources(torch=spec, warn=warn))
    asking = _Asking(listed, question, opening)
    found = halve(len(listed), asking.ask, None if on is None else On(on))
    change = found.change
    return BisectAnswer(
        on=found.on,
        versions=len(listed),
        replies=[found.replies[position] for position in sorted(found.replies)],
        before=None if change is None else title_of(listed[change - 1]),
        after=None if change is None else title_of(listed[change]),
        several=found.several,
        diff=None if change is None else asking.compare(change - 1, change),
    )


class _Asking:
    """Asks versions the question, as it is understood in those of both ends where it can be asked."""

    def __init__(self, versions: Sequence[str], question: Question, opening: Callable[[str], Analysis]) -> None:
        self._versions = versions
        self._question = question
        self._opening = opening

    def ask(self, position: int) -> Reply:
        from deepgrep.questions.bisect import Reply, reply
        from deepgrep.questions.diff_sides import ask_one

        title = title_of(self._versions[position])
        with self._opening(self._versions[position]) as opened:
            try:
                return reply(title, ask_one(version_of(opened, self._question), self._question))
            except DeepgrepError as error:  # it does not stop the search: that version is one that cannot be asked
                return Reply(version=title, verdict=None, error=str(error))

    def compare(self, before: int, after: int) -> DiffAnswer:
        from deepgrep.questions.diff import diff

        with self._opening(self._versions[before]) as old, self._opening(self._versions[after]) as new:
            return diff(version_of(old, self._question), version_of(new, self._question), self._question)
