"""What an answer of `reach` rests on, for people: leads, native exits, blind spots and notes."""

from __future__ import annotations

from collections.abc import Sequence

import click

from deepgrep.questions.answers import Lead, NativeExitRef, ReachAnswer
from deepgrep.reports.text import (
    DETAIL,
    clean,
    cut,
    entry,
    labelled,
    left_out,
    local_name,
    place,
    place_and_name,
    plural,
    remark_lines,
    shorten,
    under,
)

_GROUPS_SHOWN = 10
_ALIKE_SHOWN = 3
_CALLEES_SHOWN = 20
_COULD_BE_SHOWN = 3


def null_result(answer: ReachAnswer, width: int) -> list[str]:
    """Say how far the absence of a path can be trusted: what was searched, and what could not be followed."""
    searched = f"{plural(answer.reached_functions, 'function')} can be reached from the root"
    lines = [click.style("what this rests on", bold=True), entry("searched", searched)]
    lines += _own_code(answer, width)
    lines += _leads(answer.leads, answer.lead_count, width)
    lines += _native_exits(answer.native_exits, width)
    blind = f"{plural(answer.blind_spots, 'reached call')} with callees that are not all known"
    lines.append(entry("blind", blind))
    return lines


def _own_code(answer: ReachAnswer, width: int) -> list[str]:
    if not answer.open_parameters:
        return []
    names = ", ".join(map(clean, answer.open_parameters))
    said = f"what the caller passes for {names} is called: that code is the caller's own, and not part of this answer"
    return labelled("open", said, width)


def remarks(answer: ReachAnswer, width: int) -> list[str]:
    """What the answer itself remarks, and for an answer with paths the counts of what could not be followed."""
    lines = []
    if answer.paths:
        unknown = f"{plural(answer.blind_spots, 'blind spot')}, {plural(len(answer.native_exits), 'native exit')}"
        lines.append(entry("unknown", f"there may be more paths: {unknown} reached"))
    return lines + remark_lines(answer.assumptions, answer.notes, width)


def _leads(leads: Sequence[Lead], count: int, width: int) -> list[str]:
    """Leads by what they could be: whoever rules that out, or sees it, has done with all of them."""
    if not leads:
        return [entry("leads", "none: no call with unknown callees could lead to the target, even by name alone")]
    certain = sum(1 for lead in leads if lead.certain)
    said = f"{plural(count, 'call')} with unknown callees could lead to the target, by name alone"
    # Those that certain calls lead to come first.
    at_least = "at least " if certain == len(leads) < count else ""
    lines = labelled("leads", f"{said}; certain calls lead to {at_least}{certain or 'none'} of them", width)
    groups: dict[tuple[str, ...], list[Lead]] = {}
    for lead in leads:
        groups.setdefault(tuple(lead.could_be), []).append(lead)
    for could_be, alike in list(groups.items())[:_GROUPS_SHOWN]:
        lines.append("  " + click.style(f"could be {_could_be(could_be, width)}", bold=True))
        for lead in alike[:_ALIKE_SHOWN]:
            lines += place_and_name("    ", place(lead.file, lead.line), local_name(lead.function, lead.file), width)
            how = f"{lead.reason}; only doubtful calls lead here" if certain and not lead.certain else lead.reason
            lines.append(DETAIL + cut(f"{clean(lead.expression)}  ({how})", width - len(DETAIL)))
            lines += under(lead.conditions, (), width)
        if len(alike) > _ALIKE_SHOWN:
            lines.append(f"    … and {plural(len(alike) - _ALIKE_SHOWN, 'more call')} that could be this")
    return lines + left_out(len(groups) - _GROUPS_SHOWN)


def _could_be(could_be: Sequence[str], width: int) -> str:
    room = width - len(DETAIL) - len("could be ")
    first, *others = could_be
    if not others:
        return shorten(clean(first), room)
    more = f" or {len(others):,} more"
    names = ", ".join(clean(name) for name in could_be)
    if len(could_be) <= _COULD_BE_SHOWN and len(names) <= room:
        return names
    return shorten(clean(first), room - len(more)) + more


def _native_exits(exits: Sequence[NativeExitRef], width: int) -> list[str]:
    if not exits:
        return [entry("native", "no call leaves Python for native code without a model")]
    by_callee: dict[str, list[NativeExitRef]] = {}
    for native in exits:
        by_callee.setdefault(native.callee, []).append(native)
    certain = sum(1 for native in exits if native.certain)
    said = f"{plural(len(exits), 'call')} into native code without a model, {plural(len(by_callee), 'callee')}"
    lines = labelled("native", f"{said}; certain calls lead to {certain:,} of them, which come first", width)
    for callee, calls in list(by_callee.items())[:_CALLEES_SHOWN]:
        where = place(calls[0].file, calls[0].line)
        more = f" and {len(calls) - 1:,} more" if len(calls) > 1 else ""
        name = shorten(clean(callee), max(20, width - len(where) - len(more) - 4))
        lines.append(f"  {click.style(where, fg='cyan')}{more}  {name}")
    return lines + left_out(len(by_callee) - _CALLEES_SHOWN)
