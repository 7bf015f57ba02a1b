"""What an answer rests on: accesses, chokepoints, conditions that cannot hold, leads, native exits, notes."""

from __future__ import annotations

from collections.abc import Sequence

from deepgrep.questions.answers import AccessRef, Lead, NativeExitRef, ReachAnswer
from deepgrep.reports.html.elements import (
    Element,
    Part,
    code,
    element,
    folded,
    listed,
    place_link,
    rest,
    section,
    table,
)
from deepgrep.reports.links import Permalink
from deepgrep.reports.sentences import (
    NO_LEADS,
    NO_NATIVE_EXITS,
    PASSES,
    accesses_sentence,
    blind_sentence,
    cut_sentence,
    lead_reason,
    leads_by_callee,
    leads_sentence,
    native_by_callee,
    native_sentence,
    open_sentence,
    ordered_accesses,
    place_of,
    searched_sentence,
    unknown_sentence,
)
from deepgrep.reports.words import DOES, SourceLine, clean, local_name, plural, removed_sentence, skipped_sentence

_GROUPS_OPEN, _CALLEES_OPEN, _NOT_REACHED_OPEN = 10, 20, 10
_COULD_BE_SHOWN = 3


def accesses(answer: ReachAnswer, source_line: SourceLine, permalink: Permalink) -> Element:
    """The section with every place that accesses the target."""
    title = f"Who {DOES[answer.target.access]} {clean(answer.target.name)}"
    said = accesses_sentence(answer)
    if not answer.accesses:
        return section("accesses", title, element("p", said))
    ordered = ordered_accesses(answer)
    heads = ("reached", "place", "function", "form", "source", "conditions")
    reached = sum(1 for access in ordered if access.reached)
    open_until = reached if len(ordered) - reached > _NOT_REACHED_OPEN else len(ordered)
    rows = [_access(access, source_line, permalink) for access in ordered]
    shown = table(said, heads, rows[:open_until]) if open_until else element("p", said)
    others = f"{len(rows) - open_until:,} places that are not reached"
    return section(
        "accesses", title, shown, rest(others, table(others, heads, rows[open_until:])) if rows[open_until:] else None
    )


def _access(access: AccessRef, source_line: SourceLine, permalink: Permalink) -> list[Part]:
    word = "reached" if access.reached else "not reached"
    form = f"{access.form}, restore" if access.restore else access.form
    text = source_line(access.file, access.line)
    return [
        element("span", word, class_=word.replace(" ", "-")),
        place_link(access.file, access.line, permalink),
        code(local_name(access.function, access.file)),
        form if access.is_sure else f"{form}, perhaps",
        code(text.strip()) if text else "",
        "; ".join(access.conditions),
    ]


def structure(answer: ReachAnswer, permalink: Permalink) -> list[Element]:
    """The sections with the functions that every path passes through, and those that break every path."""
    made = []
    if answer.chokepoints:
        names = _names(answer, answer.chokepoints, permalink)
        made.append(section("chokepoints", "Chokepoints", element("p", PASSES), names))
    if answer.cut:
        names = _names(answer, answer.cut, permalink)
        made.append(section("cut", "Cut", element("p", cut_sentence(answer)), names))
    return made


def _names(answer: ReachAnswer, names: Sequence[str], permalink: Permalink) -> Element:
    items = []
    for name in names:
        file, line = place_of(answer, name)
        where = place_link(file, line, permalink) if line else file
        items.append(element("span", where, " ", code(local_name(name, file if line else ""), "code name")))
    return listed(items)


def removed(answer: ReachAnswer, permalink: Permalink) -> Element | None:
    """The section with the conditions that cannot hold by what is assumed."""
    if not answer.removed:
        return None
    said = removed_sentence(answer.removed)
    rows: list[list[Part]] = [
        [
            place_link(row.file, row.line, permalink),
            code(local_name(row.function, row.file)),
            code(row.condition),
            f"({clean(row.why)})",
            "could have led on" if row.leads_on else "",
        ]
        for row in answer.removed
    ]
    return section(
        "removed", "Conditions removed", table(said, ("place", "function", "condition", "why", "target"), rows)
    )


def null_result(answer: ReachAnswer, permalink: Permalink) -> Element | None:
    """The section that says how far the absence of a path can be trusted."""
    if answer.paths:
        return None
    return section(
        "evidence",
        "What this rests on",
        element("p", searched_sentence(answer)),
        element("p", open_sentence(answer, clean)) if answer.open_parameters else None,
        *_leads(answer, permalink),
        *_native_exits(answer.native_exits, permalink),
        element("p", blind_sentence(answer)),
    )


def remarks(answer: ReachAnswer) -> Element | None:
    """The section with what the answer takes for granted and remarks, and the files that could not be read."""
    said = [f"that {clean(assumption)}" for assumption in answer.assumptions]
    parts: list[Part] = []
    if answer.paths:
        parts.append(element("p", unknown_sentence(answer)))
    if said:
        parts += [element("h3", "Assumes"), listed(element("span", one) for one in said)]
    parts += [element("p", f"note: {clean(note)}") for note in answer.notes]
    if answer.skipped:
        parts.append(element("p", skipped_sentence(len(answer.skipped))))
        parts.append(listed(element("span", f"{clean(file.file)}: {clean(file.reason)}") for file in answer.skipped))
    return section("remarks", "Remarks", *parts) if parts else None


def _leads(answer: ReachAnswer, permalink: Permalink) -> list[Part]:
    leads, count = answer.leads, answer.lead_count
    heading = element("h3", "Leads")
    if not leads:
        return [heading, element("p", NO_LEADS)]
    parts: list[Part] = [heading, element("p", leads_sentence(leads, count))]
    made = []
    for number, (could_be, alike) in enumerate(leads_by_callee(leads).items()):
        items = [_lead(lead, permalink, lead_reason(lead, leads)) for lead in alike]
        names = listed(code(name) for name in could_be) if len(could_be) > _COULD_BE_SHOWN else None
        all_names = None if names is None else rest(f"all {len(could_be):,} functions that it could be", names)
        group = folded(f"could be {_could_be(could_be)}: {plural(len(alike), 'call')}", listed(items), all_names)
        if number < _GROUPS_OPEN:
            group.set("open", "")
        made.append(group)
    parts += made[:_GROUPS_OPEN]
    if more := made[_GROUPS_OPEN:]:
        parts.append(rest(f"{len(more):,} more that they could be", *more))
    if len(leads) < count:
        parts.append(element("p", f"… {count - len(leads):,} more: --format json lists all"))
    return parts


def _could_be(could_be: Sequence[str]) -> str:
    if len(could_be) <= _COULD_BE_SHOWN:
        return ", ".join(map(clean, could_be))
    return f"{clean(could_be[0])} or {len(could_be) - 1:,} more"


def _lead(lead: Lead, permalink: Permalink, reason: str) -> Element:
    when = f"when {'; '.join(map(clean, lead.conditions))}"
    return element(
        "div",
        place_link(lead.file, lead.line, permalink),
        " ",
        element("b", code(local_name(lead.function, lead.file))),
        element("p", code(lead.expression), f"  ({clean(reason)})"),
        element("p", when, class_="condition") if lead.conditions else None,
    )


def _native_exits(exits: Sequence[NativeExitRef], permalink: Permalink) -> list[Part]:
    heading = element("h3", "Native exits")
    if not exits:
        return [heading, element("p", NO_NATIVE_EXITS)]
    groups = [_exits_to(callee, calls, permalink) for callee, calls in native_by_callee(exits).items()]
    more = groups[_CALLEES_OPEN:]
    others = rest(plural(len(more), "more callee"), listed(more)) if more else None
    return [heading, element("p", native_sentence(exits)), listed(groups[:_CALLEES_OPEN]), others]


def _exits_to(callee: str, calls: list[NativeExitRef], permalink: Permalink) -> Element:
    first, *others = calls
    head: list[Part] = [place_link(first.file, first.line, permalink)]
    if others:
        head.append(f" and {len(others):,} more")
    more = rest(
        f"all {plural(len(calls), 'call')}",
        listed(
            element(
                "span", place_link(call.file, call.line, permalink), " ", code(local_name(call.function, call.file))
            )
            for call in calls
        ),
    )
    return element("div", *head, " ", code(callee), more if others else None)
