"""What an answer of `reach` rests on, for people: leads, native exits, blind spots and notes."""

from __future__ import annotations

from collections.abc import Sequence

import click

from deepgrep.questions.answers import Lead, NativeExitRef, ReachAnswer
from deepgrep.reports.sentences import (
    NO_LEADS,
    NO_NATIVE_EXITS,
    blind_sentence,
    lead_reason,
    leads_by_callee,
    leads_sentence,
    native_by_callee,
    native_sentence,
    open_sentence,
    searched_sentence,
    unknown_sentence,
)
from deepgrep.reports.text.lines import DETAIL, entry, labelled, left_out, place_and_name, remark_lines, under
from deepgrep.reports.words import clean, cut, local_name, place, plural, shorten

_GROUPS_SHOWN = 10
_ALIKE_SHOWN = 3
_CALLEES_SHOWN = 20
_COULD_BE_SHOWN = 3


def null_result(answer: ReachAnswer, width: int) -> list[str]:
    """Say how far the absence of a path can be trusted: what was searched, and what could not be followed."""
    lines = [click.style("what this rests on", bold=True), entry("searched", searched_sentence(answer))]
    lines += _own_code(answer, width)
    lines += _leads(answer.leads, answer.lead_count, width)
    lines += _native_exits(answer.native_exits, width)
    lines.append(entry("blind", blind_sentence(answer)))
    return lines


def _own_code(answer: ReachAnswer, width: int) -> list[str]:
    if not answer.open_parameters:
        return []
    return labelled("open", open_sentence(answer, clean), width)


def remarks(answer: ReachAnswer, width: int) -> list[str]:
    """What the answer itself remarks, and for an answer with paths the counts of what could not be followed."""
    lines = []
    if answer.paths:
        lines.append(entry("unknown", unknown_sentence(answer)))
    return lines + remark_lines(answer.assumptions, answer.notes, width)


def _leads(leads: Sequence[Lead], count: int, width: int) -> list[str]:
    if not leads:
        return [entry("leads", NO_LEADS)]
    lines = labelled("leads", leads_sentence(leads, count), width)
    groups = leads_by_callee(leads)
    for could_be, alike in list(groups.items())[:_GROUPS_SHOWN]:
        lines.append("  " + click.style(f"could be {_could_be(could_be, width)}", bold=True))
        for lead in alike[:_ALIKE_SHOWN]:
            lines += place_and_name("    ", place(lead.file, lead.line), local_name(lead.function, lead.file), width)
            how = f"{clean(lead.expression)}  ({lead_reason(lead, leads)})"
            lines.append(DETAIL + cut(how, width - len(DETAIL)))
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
        return [entry("native", NO_NATIVE_EXITS)]
    by_callee = native_by_callee(exits)
    lines = labelled("native", native_sentence(exits), width)
    for callee, calls in list(by_callee.items())[:_CALLEES_SHOWN]:
        where = place(calls[0].file, calls[0].line)
        more = f" and {len(calls) - 1:,} more" if len(calls) > 1 else ""
        name = shorten(clean(callee), max(20, width - len(where) - len(more) - 4))
        lines.append(f"  {click.style(where, fg='cyan')}{more}  {name}")
    return lines + left_out(len(by_callee) - _CALLEES_SHOWN)
