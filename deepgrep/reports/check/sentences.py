"""What `check` says in sentences, in every form: of all queries, of one, and of something that is new or gone."""

from __future__ import annotations

from deepgrep.questions.checking import Change, ChangeKind, CheckAnswer, CheckedQuery, Outcome
from deepgrep.reports.chains import chain
from deepgrep.reports.words import clean, count_of_queries, local_name

WORDS = {
    Outcome.AS_EXPECTED: "as expected",
    Outcome.DIFFERENT: "different",
    Outcome.NOT_COMPARED: "not compared",
    Outcome.NOT_ANSWERED: "not answered",
}


def check_sentence(answer: CheckAnswer) -> str:
    """How many queries had which outcome, in one line: `3 queries: 2 as expected, 1 different`."""
    counts = [f"{count:,} {WORDS[outcome]}" for outcome, count in answer.outcomes.items() if count]
    known = sum(query.outcome is Outcome.AS_EXPECTED and query.found.verdict is None for query in answer.queries)
    still = f" ({known:,} of them cannot be answered, as before)" if known else ""
    return f"{count_of_queries(len(answer.queries))}: {', '.join(counts)}{still}"


def query_sentence(query: CheckedQuery, compared_with: str) -> str:
    """What came of a query, in one line and without colour."""
    by = "the baseline" if compared_with == "baseline" else "the query"
    match query.outcome:
        case Outcome.NOT_ANSWERED:
            return f"cannot be answered: {clean(' '.join(query.found.error.split()))}"
        case Outcome.NOT_COMPARED if compared_with == "baseline":
            return f"found {query.found.verdict}, and it is not in the baseline"
        case Outcome.NOT_COMPARED:
            return f'found {query.found.verdict}, and the query expects nothing: add expect = "{query.found.verdict}"'
        case Outcome.AS_EXPECTED if query.found.verdict is None:
            return "it cannot be answered, as before"
        case Outcome.AS_EXPECTED:
            return f"found {query.found.verdict}, as {by} expects"
    if query.is_asked_differently:
        return f"found {query.found.verdict}, and the baseline answers another question"
    if query.expected is None:
        return f"found {query.found.verdict}, where it could not be answered before"
    if query.expected != query.found.verdict:
        return f"found {query.found.verdict}, where {by} expects {query.expected}"
    return f"found {query.found.verdict}, as {by} expects, but by other accesses"


def change_sentence(query: CheckedQuery, change: Change, width: int) -> str:
    """Something that is new or gone, in one line and without colour; a chain of functions is folded to `width`."""
    name = local_name(change.functions[-1], change.file) if change.file else clean(change.functions[-1])
    detail = clean(change.detail)
    match change.kind:
        case ChangeKind.ACCESS:
            is_there = change.detail in query.found.not_reached.get(change.functions[-1], ())
            return f"{name} ({detail}{', still there but not reached' if is_there else ''})"
        case ChangeKind.UNREACHED:
            return f"{name} ({detail}), which is not reached"
        case ChangeKind.PATH:
            return f"{detail} path {chain([clean(function) for function in change.functions], max(20, width - 20))}"
        case ChangeKind.CHOKEPOINT:
            return f"chokepoint {name}"
        case ChangeKind.LEAD:
            return f"lead {detail} in {name}"
