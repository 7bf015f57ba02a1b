"""The answer of `check` for people: what is different first, with what is new and what is gone; then the rest."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence

import click

from deepgrep.questions.answers import FOUND
from deepgrep.questions.checking import Change, ChangeKind, CheckAnswer, CheckedQuery, Outcome
from deepgrep.reports.chains import chain
from deepgrep.reports.check.sentences import WORDS, change_sentence, check_sentence, query_sentence
from deepgrep.reports.text.lines import entry, headline, labelled, section, skipped_lines, sources_lines, wrap
from deepgrep.reports.words import clean, count_of_queries, local_name, place, shorten

_COMMIT = re.compile(r"(commit [0-9a-f]{12})[0-9a-f]+")
_INDENT = " " * 12
_SHOWN = 10
_COLOURS = {Outcome.DIFFERENT: "red", Outcome.NOT_COMPARED: "yellow", Outcome.NOT_ANSWERED: "magenta"}
_KINDS = {
    ChangeKind.ACCESS: ("access", "accesses"),
    ChangeKind.UNREACHED: ("access that is not reached", "accesses that are not reached"),
    ChangeKind.PATH: ("path", "paths"),
    ChangeKind.CHOKEPOINT: ("chokepoint", "chokepoints"),
    ChangeKind.LEAD: ("lead", "leads"),
}


def check_text(answer: CheckAnswer, width: int, *, is_updated: bool = False) -> str:
    """Write the answer of `check`.

    Args:
        answer: what was found.
        width: columns to stay within; `file:line` and addresses may be longer.
        is_updated: the baseline holds what was found from now on.

    Returns:
        Lines with colour, with a newline after each.
    """
    lines = [
        *headline(check_sentence(answer), width),
        *section(*sources_lines(answer.sources), *_compared_with(answer, width)),
    ]
    for outcome in (Outcome.NOT_ANSWERED, Outcome.DIFFERENT, Outcome.NOT_COMPARED):
        for query in answer.queries:
            if query.outcome is outcome:
                lines += section(*_query(query, answer.compared_with, width))
    lines += section(*_as_expected(answer.queries, width))
    lines += section(*_remarks(answer, width))
    lines += section(*skipped_lines(answer.skipped, width))
    lines += section(*wrap(_more(answer, is_updated), width, ""))
    return "\n".join(lines) + "\n"


def _query(query: CheckedQuery, compared_with: str, width: int) -> Iterator[str]:
    word = f"{WORDS[query.outcome]}  "
    name = shorten(clean(query.name), width - len(word))
    yield click.style(word, fg=_COLOURS[query.outcome], bold=True) + click.style(name, bold=True)
    yield from _entry("asks", clean(query.question), width)
    yield from _entry("verdict" if query.found.verdict else "error", query_sentence(query, compared_with), width)
    if query.is_asked_differently:
        yield from _asked_before(query, width)
    yield from _changes(query, width)
    if query.outcome is Outcome.DIFFERENT and query.expected in FOUND and query.found.verdict not in FOUND:
        yield from _entry("gone", "every path", width)
    for address in query.reports:
        yield _label("report") + clean(address)


def _changes(query: CheckedQuery, width: int) -> Iterator[str]:
    """What is new and what is gone: what counts first."""
    told: set[str] = set()
    for counts, also in ((True, ""), (False, "also ")):
        for label, changes in (("new", query.new), ("gone", query.gone)):
            listed = [change for change in changes if change.counts is counts]
            for index, change in enumerate(listed[:_SHOWN]):
                yield from _change(change, f"{also}{label}" if index == 0 else "", query, width)
                if label == "new" and change.kind is ChangeKind.ACCESS and change.functions[0] not in told:
                    told.add(change.functions[0])
                    yield from _ways(query, change.functions[0], width)
            if len(listed) > _SHOWN:
                yield f"{_INDENT}… {len(listed) - _SHOWN:,} more: --format json lists all"


def _change(change: Change, label: str, query: CheckedQuery, width: int) -> Iterator[str]:
    said = shorten(change_sentence(query, change, width - len(_INDENT)), width - len(_INDENT))
    where = place(change.file, change.line) if change.file else ""
    if where and len(where) + 2 + len(said) > width - len(_INDENT):
        yield _label(label) + click.style(where, fg="cyan")
        yield _INDENT + said
    else:
        yield _label(label) + (f"{click.style(where, fg='cyan')}  {said}" if where else said)


def _ways(query: CheckedQuery, function: str, width: int) -> Iterator[str]:
    """The paths to a function, each on one line."""
    for path in query.paths:
        if path.hops[-1].function == function:
            names = [local_name(hop.function, hop.file) for hop in path.hops]
            yield _INDENT + click.style(f"{path.certainty}: {chain(names, width - len(_INDENT) - 12)}", dim=True)


def _entry(label: str, text: str, width: int) -> Iterator[str]:
    first, *others = textwrap.wrap(text, width - len(_INDENT), break_on_hyphens=False)
    yield _label(label) + first
    yield from (_INDENT + other for other in others)


def _label(label: str) -> str:
    return click.style(f"  {label:<{len(_INDENT) - 2}}", dim=True)


def _asked_before(query: CheckedQuery, width: int) -> Iterator[str]:
    """In what the question is another one."""
    before, now = (query.before.asked if query.before else query.found.asked), query.found.asked
    for name in before.__struct_fields__:
        one, other = getattr(before, name), getattr(now, name)
        if one != other:
            yield from _entry("asked", f"{name} was {_value(one)}, and is {_value(other)}", width)


def _value(value: object) -> str:
    return "not given" if value is None or value == {} else clean(str(value))


def _as_expected(queries: Sequence[CheckedQuery], width: int) -> Iterator[str]:
    """One line for each query that is as expected, with what else changed."""
    listed = [query for query in queries if query.outcome is Outcome.AS_EXPECTED]
    if listed:
        yield click.style("as expected", fg="green", bold=True)
    for query in listed:
        yield f"  {query.found.verdict or 'not answered':<12}  {shorten(clean(query.name), width - 16)}"
        changed = [*_counted("new", query.new), *_counted("gone", query.gone)]
        if changed:
            yield from wrap(f"also {'; '.join(changed)}", width, " " * 16)


def _counted(word: str, changes: Iterable[Change]) -> Iterator[str]:
    """`new: 2 paths, 1 lead`, or nothing."""
    kinds = [change.kind for change in changes]
    said = [
        f"{count:,} {one if count == 1 else several}"
        for kind, (one, several) in _KINDS.items()
        if (count := kinds.count(kind))
    ]
    if said:
        yield f"{word}: {', '.join(said)}"


def _compared_with(answer: CheckAnswer, width: int) -> list[str]:
    if answer.compared_with != "baseline":
        return [entry("expected", "the verdicts that the queries expect")]
    made_with = {
        _COMMIT.sub(r"\1", version) for query in answer.queries if query.before for version in query.before.versions
    }
    said = f"the baseline, made with {'; '.join(sorted(map(clean, made_with)))}" if made_with else "the baseline"
    return labelled("expected", said, width)


def _remarks(answer: CheckAnswer, width: int) -> Iterator[str]:
    if answer.not_asked:
        names = ", ".join(map(clean, answer.not_asked))
        yield from wrap(f"note: in the baseline, but not asked: {names}", width, "")
    for query in answer.queries:
        if query.before is not None and query.found.more_leads:
            more = f"{query.found.more_leads:,} leads are not listed, so leads are not compared"
            yield from wrap(f"note: {clean(query.name)}: {more}", width, "")


def _more(answer: CheckAnswer, is_updated: bool) -> str:
    if is_updated:
        return f"updated: what was found is in the baseline now, {count_of_queries(len(answer.queries))}"
    advice = ["`deepgrep run QUERY` shows a whole answer", "--format json has everything"]
    if answer.compared_with == "baseline" and any(answer.outcomes[one] for one in _COLOURS):
        advice.insert(0, "--update-baseline accepts what is different")
    return f"more: {'; '.join(advice)}"
