"""The shared state that a function can change or depends on, for people: a summary, then the nearest of each kind."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import click

from deepgrep.graph.rows import AccessKind, Certainty
from deepgrep.questions.effects import Effect, EffectCount, EffectsAnswer
from deepgrep.questions.shared_state import INSTANCE
from deepgrep.reports.chains import chain, chain_name
from deepgrep.reports.text.lines import (
    DETAIL,
    entry,
    filter_lines,
    headline,
    place_and_name,
    remark_lines,
    removed_lines,
    root_lines,
    section,
    skipped_lines,
    sources_lines,
    under,
    wrap,
)
from deepgrep.reports.words import SCOPES, SourceLine, clean, cut, local_name, place, plural, root_name, shorten

_COLOURS = {Certainty.CERTAIN: "green", Certainty.DISPATCH: "yellow", Certainty.FLOW: "yellow"}
_IMPORTS_SHOWN = 10
_ELSEWHERE = "only in processes that it starts, not in this one"


def effects_text(answer: EffectsAnswer, source_line: SourceLine, width: int) -> str:
    """Write the answer of `effects`.

    Args:
        answer: what was found, or the nearest of it: what is counted and not given is said to be left out.
        source_line: gives the text of a root that is code.
        width: columns to stay within; `file:line` may be longer.

    Returns:
        Lines with colour, with a newline after each.
    """
    lines = [
        *headline(_sentence(answer), width),
        *section(
            *sources_lines(answer.sources),
            *root_lines(answer.root, source_line, width),
            *filter_lines(answer.filters, width),
        ),
        *section(*_summary(answer, width)),
        *section(*removed_lines(answer.removed, width)),
    ]
    here = [effect for effect in answer.effects if not effect.elsewhere]
    for kind, group in groupby(here, key=lambda effect: effect.kind):
        total = sum(count.states for count in answer.counts if count.kind == kind)
        lines += section(*_kind(kind, list(group), total, answer.access, width))
    if answer.elsewhere:
        others = [effect for effect in answer.effects if effect.elsewhere]
        lines += section(*_kind(_ELSEWHERE, others, answer.elsewhere, answer.access, width))
    lines += section(*_rest(answer, width))
    lines += section(*skipped_lines(answer.skipped, width))
    return "\n".join(lines) + "\n"


def _sentence(answer: EffectsAnswer) -> str:
    shared = [count for count in answer.counts if count.kind != INSTANCE]
    states, certain = sum(count.states for count in shared), sum(count.certain for count in shared)
    does = "can change" if answer.access is AccessKind.WRITE else "may depend on"
    if not states:
        return f"{root_name(answer.root)} {does} no shared state that is known"
    return f"{root_name(answer.root)} {does} {plural(states, 'shared state')}, {certain:,} by certain calls alone"


def _summary(answer: EffectsAnswer, width: int) -> list[str]:
    """One row for each kind, with its packages."""
    if not answer.counts:
        return []
    restored = "restored" if answer.access is AccessKind.WRITE else ""
    lines = [click.style(f"{'kind':<22}{'states':>8}{'certain':>9}{restored:>10}  packages", dim=True)]
    for kind, group in groupby(answer.counts, key=lambda count: count.kind):
        counts = list(group)
        states, certain = sum(count.states for count in counts), sum(count.certain for count in counts)
        back = f"{sum(count.restored for count in counts):,}" if restored else ""
        head = f"{kind:<22}{states:>8,}{certain:>9,}{back:>10}  "
        lines.append(head + _packages(counts, width - len(head)))
    if any(count.kind == INSTANCE for count in answer.counts):
        lines += wrap(
            f"{INSTANCE}s are parts of objects, and shared only where the object is: --all lists them too", width, ""
        )
    return lines


def _packages(counts: Sequence[EffectCount], width: int) -> str:
    """The packages with the most states, as many as fit."""
    totals: dict[str, int] = {}
    for count in counts:
        totals[count.package] = totals.get(count.package, 0) + count.states
    names = [f"{clean(package)} {totals[package]:,}" for package in sorted(totals, key=lambda p: (-totals[p], p))]
    for shown in range(len(names), 0, -1):
        more = f", {len(names) - shown} more" if shown < len(names) else ""
        if len(text := ", ".join(names[:shown]) + more) <= width:
            return text
    return cut(names[0], width)


def _kind(kind: str, shown: Sequence[Effect], total: int, access: AccessKind, width: int) -> list[str]:
    lines = [click.style(f"{kind}: the {len(shown)} nearest of {total:,}" if total > len(shown) else kind, bold=True)]
    for effect in shown:
        lines += _effect(effect, access, width)
    if total > len(shown):
        lines.append(f"  … {total - len(shown):,} more: --all lists them, and so does --format json")
    return lines


def _effect(effect: Effect, access: AccessKind, width: int) -> list[str]:
    where = "in the root" if not effect.distance else f"{plural(effect.distance, 'call')} away"
    said = [str(effect.certainty), where]
    if effect.importing:
        said.append("first import only")
    if access is AccessKind.WRITE and effect.restored:
        said.append("restored")
    if scope := SCOPES.get(effect.scope, effect.scope):
        said.append(scope)
    nearest = effect.places[0]
    name = local_name(nearest.function, nearest.file)
    if others := len(effect.places) - 1:
        name += f"  and {plural(others, 'other place')}"
    names = [chain_name(hop.function, hop.file) for hop in effect.path.hops]
    conditions = [condition for hop in effect.path.hops for condition in hop.conditions]
    return [
        f"  {click.style(shorten(clean(effect.name), width - 2), bold=True)}",
        DETAIL + click.style(", ".join(said), fg=_COLOURS[effect.certainty]),
        *place_and_name(DETAIL, place(nearest.file, nearest.line), name, width),
        *([DETAIL + chain(names, width - len(DETAIL))] if effect.distance else []),
        *_when(conditions, width),
    ]


def _when(conditions: Sequence[str], width: int) -> list[str]:
    """What the whole path stands under, on one line; `--format json` has it hop by hop."""
    lines = under(list(dict.fromkeys(conditions)), [], 10 * width)
    return [click.style(cut(click.unstyle(line), width), dim=True) for line in lines[:1]]


def _rest(answer: EffectsAnswer, width: int) -> list[str]:
    lines = []
    if answer.imports:
        shown = ", ".join(clean(module) for module in answer.imports[:_IMPORTS_SHOWN])
        more = f" and {len(answer.imports) - _IMPORTS_SHOWN:,} more" if len(answer.imports) > _IMPORTS_SHOWN else ""
        said = f"{plural(len(answer.imports), 'module')} may be imported for the first time: {shown}{more}"
        lines += wrap(said, width, "")
    does = "change" if answer.access is AccessKind.WRITE else "depend on"
    unknown = f"{plural(answer.blind_spots, 'blind spot')}, {plural(len(answer.native_exits), 'native exit')}"
    more = f"{unknown} reached: these may {does} more"
    nothing = "nothing: every call that is reached could be followed"
    lines.append(entry("unknown", more if answer.blind_spots or answer.native_exits else nothing))
    return lines + remark_lines(answer.assumptions, answer.notes, width)
