"""The answer of `race` for people: what can interleave, step by step, and all that accesses the state."""

from __future__ import annotations

from collections.abc import Sequence

import click

from deepgrep.graph.rows import AccessKind, Certainty
from deepgrep.questions.race_answers import (
    EntryPoint,
    Interleaving,
    Lock,
    PairKind,
    RaceAccess,
    RaceAnswer,
    RacePair,
    RaceVerdict,
    Window,
    WithUse,
)
from deepgrep.reports.text.lines import (
    DETAIL,
    entry,
    filter_lines,
    headline,
    labelled,
    left_out,
    named,
    place_and_name,
    removed_lines,
    section,
    skipped_lines,
    sources_lines,
    under,
    wrap,
)
from deepgrep.reports.words import clean, local_name, place, plural, shorten, state_title

_COLOURS = {
    RaceVerdict.CAN_INTERLEAVE: "red",
    RaceVerdict.LOCKED: "green",
    RaceVerdict.SEPARATE: "green",
    RaceVerdict.NOT_SHARED: "blue",
}
_INTERLEAVINGS_SHOWN = 2
_PLACES_SHOWN = 20
_WINDOWS_SHOWN = 12
_NAMES_SHOWN = 4
_MORE = "--from A --from B asks about two threads that run A and B; --format json has everything"
_OWN = {"thread": "each thread has its own", "context": "each context has its own"}
_PLAIN = (PairKind.READ_THEN_WRITE, PairKind.WRITE_AND_WRITE, PairKind.WRITE_AND_READ)


def race_text(answer: RaceAnswer, width: int) -> str:
    """Write the answer of `race`.

    Args:
        answer: what was found.
        width: columns to stay within; `file:line` may be longer.

    Returns:
        Lines with colour, with a newline after each.
    """
    lines = [
        *headline(race_sentence(answer), width, word=answer.verdict, colour=_COLOURS[answer.verdict]),
        *section(*sources_lines(answer.sources), *_head(answer, width)),
        *section(*removed_lines(answer.removed, width)),
        *_interleavings(answer, width),
        *_in_windows(answer, PairKind.READ_IN_WINDOW, "reads while a window is open", width),
        *_in_windows(answer, PairKind.WRITE_IN_WINDOW, "writes while a window is open, undone by its restore", width),
        *_plain_pairs(answer, width),
        *_windows(answer, width),
        *_places(answer, AccessKind.WRITE, width),
        *_places(answer, AccessKind.READ, width),
        *section(*(line for note in answer.notes for line in wrap(f"note: {clean(note)}", width, ""))),
        *section(*skipped_lines(answer.skipped, width)),
        *section(*wrap(f"more: {_MORE}", width, "")),
    ]
    return "\n".join(lines) + "\n"


def race_sentence(answer: RaceAnswer) -> str:
    """The verdict in plain words, on one line and without colour."""
    name = clean(answer.state.name)
    match answer.verdict:
        case RaceVerdict.CAN_INTERLEAVE:
            stuck = next((one for one in answer.interleavings if one.is_stuck), None)
            what = f": it can stay {clean(stuck.left)} for ever" if stuck else ""
            return f"two threads can interleave on {name}{what}"
        case RaceVerdict.LOCKED:
            return f"two threads cannot interleave on {name}: where one writes it, both hold a common lock"
        case RaceVerdict.SEPARATE:
            return f"two threads cannot interleave on {name}: {_OWN[answer.state.scope]}"
        case RaceVerdict.NOT_SHARED if len(answer.roots) > 1:
            return f"no two of these roots access {name} so that they could interleave"
        case RaceVerdict.NOT_SHARED:
            return f"nothing can interleave on {name}: no write after import meets another access of it"


def _head(answer: RaceAnswer, width: int) -> list[str]:
    state = answer.state
    lines = named("state", clean(state.name), f"({state_title(state.kind, state.scope)})", width)
    if state.scope_reason:
        lines += wrap(clean(state.scope_reason), width, DETAIL)
    if state.initial:
        lines += named("at first", clean(state.initial), _at(state.initial_file, state.initial_line), width)
    for index, root in enumerate(answer.roots):
        lines.append(entry("threads" if not index else "", clean(root.name)))
    if not answer.roots:
        leads = f"{answer.writer_entries:,} lead to a write, {answer.reader_entries:,} to a read"
        lines += labelled("threads", f"any public function on any thread: {leads}", width)
    common = ", ".join(map(clean, answer.common_locks))
    held = f"held at all accesses: {common}" if common else "none is held at all accesses"
    kept = f"; {plural(answer.locked_pairs, 'pair')} kept apart by a lock" if answer.locked_pairs else ""
    lines += labelled("locks", held + kept, width)
    return lines + filter_lines(answer.filters, width)


def _interleavings(answer: RaceAnswer, width: int) -> list[str]:
    found = answer.interleavings
    if not found:
        return []
    lines = section(click.style("restores that cross", bold=True))
    for one in found[:_INTERLEAVINGS_SHOWN]:
        lines += _interleaving(answer, one, width)
    rest = found[_INTERLEAVINGS_SHOWN:]
    for one in rest[:_PLACES_SHOWN]:
        lines += wrap(f"also: {_crossing(answer, one)}", width, "  ")
    return lines + left_out(len(rest) - _PLACES_SHOWN)


def _interleaving(answer: RaceAnswer, one: Interleaving, width: int) -> list[str]:
    lines = wrap(_crossing(answer, one), width, "  ")
    wide = max(len(place(step.file, step.line)) for step in one.steps)
    for step in one.steps:
        where = click.style(f"{place(step.file, step.line):<{wide}}", fg="cyan")
        value = f" {clean(step.value)}" if step.value else ""
        said = f"{step.does}{value}"
        name = shorten(local_name(step.function, step.file), max(20, width - wide - len(said) - 14))
        lines.append(f"      {step.thread}  {where}  {said}  {click.style(name, bold=True)}")
    return lines


def _crossing(answer: RaceAnswer, one: Interleaving) -> str:
    first, second = answer.windows[one.first], answer.windows[one.second]
    a, b = _thread(answer, "A", one.first_root), _thread(answer, "B", one.second_root)
    names = f"{a} in {_opener(first)}, {b} in {_opener(second)}"
    if one.is_stuck:
        return f"{names}: it stays {clean(one.left)} when both are done"
    undone = ", and A's restore undoes what B wrote" if second.writes else ""
    ends = "as at first" if one.left == answer.state.initial else f"as {clean(one.left)}"
    return f"{names}: it ends {ends}{undone}"


def _thread(answer: RaceAnswer, name: str, root: int) -> str:
    return f"thread {name}" if root < 0 else f"thread {name} ({clean(answer.roots[root].name)})"


def _in_windows(answer: RaceAnswer, kind: PairKind, title: str, width: int) -> list[str]:
    """The accesses that can happen while windows are open, those of the same windows together."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for index, windows in _others(answer, kind).items():
        groups.setdefault(tuple(windows), []).append(index)
    lines = []
    for group, indices in groups.items():
        held = [answer.windows[index] for index in group]
        lines += wrap("while " + _listed([_stated(window) for window in held], " or "), width, "  ")
        rows = [answer.accesses[index] for index in indices]
        shown = _shown(rows)
        for row in shown:
            said = f"{local_name(row.function, row.file)} {_does(row)} {_holding(row.locks)}"
            lines += _place_and_text("      ", place(row.file, row.line), said, width)
        lines += _not_shown(rows, shown)
    return section(click.style(title, bold=True), *lines) if lines else []


def _shown(rows: Sequence[RaceAccess]) -> list[RaceAccess]:
    """The first accesses that are surely of the state, or if there are none, of all; of one line, the first."""
    sure = [row for row in rows if row.is_sure] or rows
    return list({(row.file, row.line, row.function, row.through): row for row in reversed(sure)}.values())[::-1][
        :_PLACES_SHOWN
    ]


def _not_shown(rows: Sequence[RaceAccess], shown: Sequence[RaceAccess]) -> list[str]:
    """Say how many accesses `_shown` leaves out."""
    places_shown = {(row.file, row.line) for row in shown}
    rest = [row for row in rows if (row.file, row.line) not in places_shown]
    unsure = sum(not row.is_sure for row in rest)
    lines = left_out(len(rest) - unsure)
    if unsure:
        lines.append(f"  … {unsure:,} more may be of something else: --format json lists all")
    return lines


def _place_and_text(indent: str, where: str, said: str, width: int) -> list[str]:
    head = f"{indent}{click.style(where, fg='cyan')}"
    if len(indent) + len(where) + 2 + len(said) <= width:
        return [f"{head}  {said}"]
    return [head, *wrap(said, width, f"{indent}    ")]


def _plain_pairs(answer: RaceAnswer, width: int) -> list[str]:
    """The writes that are in no window."""
    pairs: dict[int, list[RacePair]] = {}
    for pair in answer.pairs:
        if pair.kind in _PLAIN:
            pairs.setdefault(pair.first, []).append(pair)
    rows = [answer.accesses[index] for index in sorted(pairs)]
    shown = _shown(rows)
    lines = []
    for index in sorted(pairs):
        row = answer.accesses[index]
        if row not in shown:
            continue
        lines += place_and_name("  ", place(row.file, row.line), local_name(row.function, row.file), width)
        lines += wrap(f"{_does(row)} {_holding(row.locks)}", width, DETAIL)
        for pair in pairs[index]:
            lines += wrap(_against(answer, pair), width, DETAIL)
    title = click.style("writes without a window", bold=True)
    return section(title, *lines, *_not_shown(rows, shown)) if lines else []


def _against(answer: RaceAnswer, pair: RacePair) -> str:
    rows = [answer.accesses[index] for index in pair.others]
    sure = [row for row in rows if row.is_sure]
    named = list(
        dict.fromkeys(f"{place(row.file, row.line)} {local_name(row.function, row.file)}" for row in sure or rows)
    )
    perhaps = f", and perhaps {len(rows) - len(sure):,} more" if sure and len(sure) < len(rows) else ""
    where = _listed(list(named), most=2) + perhaps
    match pair.kind:
        case PairKind.READ_THEN_WRITE:
            return f"after it read it: what is written in between is lost, by {where}"
        case PairKind.WRITE_AND_WRITE:
            return f"also written by {where}"
        case _:
            return f"while it is read by {where}"


def _windows(answer: RaceAnswer, width: int) -> list[str]:
    if not answer.windows:
        return []
    title = "windows: the old value is saved, and put back at the end"
    lines = [click.style(title, bold=True)]
    for window in answer.windows[:_WINDOWS_SHOWN]:
        lines += place_and_name("  ", _span(window), f"{_opener(window)}{_holds(window)}", width)
        saved = f"saved at :{window.save_line}, " if window.save_line else ""
        lines += wrap(f"{saved}{_holding(window.locks)}{_calls(window)}", width, DETAIL)
        lines += _uses(window.uses, width)
        lines += under(window.conditions, [], width)
    return section(*lines, *left_out(len(answer.windows) - _WINDOWS_SHOWN))


def _places(answer: RaceAnswer, access: AccessKind, width: int) -> list[str]:
    rows = [row for row in answer.accesses if row.access is access]
    if not rows:
        return section(entry(f"{access}s", "none"))
    lines = [click.style(f"{plural(len(rows), 'place')} {access}", bold=True)]
    said: set[str] = set()
    shown = _shown(rows)
    for row in shown:
        lines += place_and_name("  ", place(row.file, row.line), local_name(row.function, row.file), width)
        lines += wrap(f"{_does(row)}{_remarks(row)} {_holding(row.locks)}", width, DETAIL)
        lines += under(row.conditions, [], width)
        if row.function not in said and not row.function.endswith(".<module>"):
            said.add(row.function)
            lines += _entries(row.entries, width)
    return section(*lines, *_not_shown(rows, shown))


def _does(row: RaceAccess) -> str:
    if row.access is AccessKind.READ:
        verb, what = "reads it", f" through {clean(row.through.rpartition('.')[2])}" if row.through else ""
    else:
        verb = "restores" if row.restore else "writes"
        what = f" {clean(row.value)}" if row.value else " it"
    return f"{verb}{what}" if row.is_sure else f"perhaps {verb}{what}"


def _remarks(row: RaceAccess) -> str:
    if row.at_import:
        return " before others can see it,"
    return ", and only hands it on: its callers are the readers," if row.handed_on else ""


def _holding(locks: Sequence[Lock]) -> str:
    if not locks:
        return "without a lock"
    return "holding " + ", ".join(clean(lock.name) + (" (may be another)" if lock.may_differ else "") for lock in locks)


def _others(answer: RaceAnswer, kind: PairKind) -> dict[int, list[int]]:
    """For each access in pairs of a kind, the windows."""
    found: dict[int, list[int]] = {}
    for pair in answer.pairs:
        if pair.kind is kind:
            for other in pair.others:
                found.setdefault(other, []).append(pair.first)
    return dict(sorted(found.items()))


def _stated(window: Window) -> str:
    return f"{_opener(window)}{_holds(window)} from {_span(window)}"


def _opener(window: Window) -> str:
    return local_name(window.function, window.file)


def _holds(window: Window) -> str:
    what = clean(window.part) or "it"
    if not window.writes:
        return f" saves {what}"
    return f" holds {what} at {clean(window.value)}" if window.value else f" writes {what}"


def _span(window: Window) -> str:
    if (window.end_file, window.end_function) != (window.file, window.function):
        return f"{place(window.file, window.line)} to {place(window.end_file, window.end_line)}"
    return f"{place(window.file, window.line)} to :{window.end_line}"


def _calls(window: Window) -> str:
    # Imports run once.
    names = [_short(name) for name in window.calls if not name.endswith(".<module>")]
    return f"; calls {plural(len(names), 'function')} meanwhile: {_listed(names)}" if names else ""


def _uses(uses: Sequence[WithUse], width: int) -> list[str]:
    if not uses:
        return []
    where = _listed([f"{place(use.file, use.line)} {local_name(use.function, use.file)}" for use in uses])
    return wrap(f"is open in the body of {plural(len(uses), '`with`')}: {where}", width, DETAIL)


def _entries(entries: Sequence[EntryPoint], width: int) -> list[str]:
    if not entries:
        return [DETAIL + click.style("no public function leads here", dim=True)]
    said = []
    for one in entries:
        how = "itself" if not one.distance else plural(one.distance, "call")
        sure = "" if one.certainty is Certainty.CERTAIN else f", {one.certainty}"
        said.append(f"{clean(one.name)} ({how}{sure})")
    return [click.style(line, dim=True) for line in wrap(f"from {', '.join(said)}", width, DETAIL)]


def _listed(names: Sequence[str], between: str = ", ", most: int = _NAMES_SHOWN) -> str:
    shown = between.join(names[:most])
    return f"{shown} and {len(names) - most:,} more" if len(names) > most else shown


def _short(function: str) -> str:
    """A function's own name, with its class."""
    *_, owner, last = ("", *function.replace(".<locals>", "").split("."))
    return clean(f"{owner}.{last}" if owner[:1].isupper() else last)


def _at(file: str, line: int) -> str:
    return click.style(place(file, line), fg="cyan")
