"""The answer of `diff` to a question for people: what differs, the paths that are gone and new, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import click

from deepgrep.questions.answers import AccessRef
from deepgrep.questions.diff_answers import AccessDiff, Change, ChopDiff, DiffAnswer, DiffSide, HopDiff
from deepgrep.reports.diff_sentences import (
    access_what,
    accesses_sentence,
    both_filters,
    chop_rows,
    chop_sentences,
    diff_sentence,
    hop_what,
    packages_of,
    side_sentence,
    trust_sentences,
)
from deepgrep.reports.text.diff_paths import path_lines
from deepgrep.reports.text.lines import (
    DETAIL,
    entry,
    filter_lines,
    headline,
    labelled,
    left_out,
    named,
    place_and_name,
    root_lines,
    section,
    wrap,
)
from deepgrep.reports.words import DOES, SourceLine, clean, cut, local_name, place, plural, source_title, state_title

_SIGNS = {Change.NEW: "+", Change.GONE: "-", Change.CHANGED: "~", Change.SAME: " "}
_COLOURS = {Change.NEW: "green", Change.GONE: "red", Change.CHANGED: "yellow", Change.SAME: None}
_REACHED_SHOWN, _NOT_REACHED_SHOWN, _HOPS_SHOWN, _MOVED_SHOWN, _LEADS_SHOWN = 30, 8, 12, 10, 5
_PACKAGES_SHOWN = _NAMES_SHOWN = 12


def diff_text(answer: DiffAnswer, source_line: SourceLine, width: int) -> str:
    """Write the answer of `diff` to a question.

    Args:
        answer: what was found.
        source_line: gives the text of a root that is code.
        width: columns to stay within; `file:line` may be longer.

    Returns:
        Lines with colour, with a newline after each.
    """
    word, colour = ("same", "green") if answer.same else ("different", "yellow")
    lines = [
        *headline(diff_sentence(answer), width, word=word, colour=colour),
        *section(*_side("before", answer.before, width), *_side("after", answer.after, width)),
        *section(*_ends(answer, source_line, width)),
        *section(*_accesses(answer, width)),
        *path_lines(answer, width),
        *section(*_hops(answer.hops, width)),
        *section(*_chop(answer.chop, width)),
        *section(*_trust(answer, width)),
        *section(*_moved(answer, width)),
        *section(*(line for note in _notes(answer) for line in wrap(f"note: {clean(note)}", width, ""))),
        *section(
            *wrap("more: --format json has everything; --format svg -o FILE draws both versions in one", width, "")
        ),
    ]
    return "\n".join(lines) + "\n"


def _side(label: str, side: DiffSide, width: int) -> list[str]:
    titles = [source_title(source) for source in side.sources]
    lines = [entry(label if not index else "", title) for index, title in enumerate(titles)]
    said = side_sentence(side)
    return [*lines, *(entry("", part) for part in _wrapped(said, width))]


def _wrapped(text: str, width: int) -> list[str]:
    return [line.strip() for line in wrap(text, width - 12, "")]


def _ends(answer: DiffAnswer, source_line: SourceLine, width: int) -> list[str]:
    before, after = answer.before, answer.after
    root, target = after.root or before.root, after.target or before.target
    lines = []
    if root is not None:
        lines += root_lines(root, source_line, width)
    if target is not None:
        lines += named("target", clean(target.name), f"({state_title(target.kind, target.scope)})", width)
    for what in answer.target.what if answer.target is not None else ():
        lines += [click.style(line, fg="yellow") for line in wrap(f"~ {clean(what)}", width, "  ")]
    return [*lines, *filter_lines(both_filters(answer), width)]


def _accesses(answer: DiffAnswer, width: int) -> list[str]:
    target = answer.after.target or answer.before.target
    if target is None:
        return []
    lines = labelled(DOES[target.access], accesses_sentence(answer), width)
    shown = [one for one in answer.accesses if one.change is not Change.SAME]
    reached = [one for one in shown if _is_reached(one)]
    others = [one for one in shown if not _is_reached(one)]
    for one in (*reached[:_REACHED_SHOWN], *others[:_NOT_REACHED_SHOWN]):
        lines += _access(one, width)
    return lines + left_out(len(shown) - len(reached[:_REACHED_SHOWN]) - len(others[:_NOT_REACHED_SHOWN]))


def _is_reached(one: AccessDiff) -> bool:
    """Whether the root reaches an access in one of the versions."""
    return any(access is not None and bool(access.reached) for access in (one.before, one.after))


def _access(one: AccessDiff, width: int) -> list[str]:
    access, line = (one.after, one.after_line) if one.after is not None else (one.before, one.before_line)
    assert access is not None
    assert line is not None
    sign = click.style(f"  {_SIGNS[one.change]} ", fg=_COLOURS[one.change])
    lines = place_and_name(sign, place(access.file, access.line), local_name(access.function, access.file), width)
    if line.text:
        lines.append(DETAIL + cut(clean(line.text), width - len(DETAIL)))
    return [*lines, *_detail(f"{_form(access)}{access_what(one)}", width)]


def _form(access: AccessRef) -> str:
    restore = ", restore" if access.restore else ""
    reached = {True: ", reached", False: ", not reached", None: ""}[access.reached]
    return f"{access.form}{restore}{reached}"


def _detail(said: str, width: int) -> list[str]:
    return [click.style(line, dim=True) for line in wrap(clean(said), width, DETAIL)]


def _hops(hops: Sequence[HopDiff], width: int) -> list[str]:
    if not hops:
        return []
    lines = labelled("hops", f"{plural(len(hops), 'hop')} changed, of those that both have on these paths", width)
    for hop in hops[:_HOPS_SHOWN]:
        lines += place_and_name("  ~ ", place(hop.after.file, hop.after.line), clean(hop.caller), width)
        lines += _detail(f"to {hop.callee}", width)
        for said in hop_what(hop):
            lines += [click.style(line, fg="yellow") for line in wrap(clean(said), width, DETAIL)]
    return lines + left_out(len(hops) - _HOPS_SHOWN)


def _chop(chop: ChopDiff | None, width: int) -> list[str]:
    if chop is None:
        return []
    lines: list[str] = []
    for index, said in enumerate(chop_sentences(chop)):
        lines += labelled("on paths" if not index else "", said, width)
    if len(chop.functions_gone) + len(chop.functions_new) > _NAMES_SHOWN:
        return lines + _packages(chop.functions_gone, chop.functions_new)
    for said in chop_rows(chop, _NAMES_SHOWN):
        lines += wrap(said, width, "  ")
    return lines


def _packages(gone: Iterable[str], new: Iterable[str]) -> list[str]:
    """How many functions of each package only one version has on paths; those with the most first."""
    counts = [Counter(packages_of(names)) for names in (gone, new)]
    total = counts[0] + counts[1]
    order = sorted(total, key=lambda package: (-total[package], package))
    if len(order) < 2:
        return []
    longest = max(len(clean(package)) for package in order[:_PACKAGES_SHOWN])
    lines = [
        f"  {clean(package):<{longest}}  {f'-{counts[0][package]:,}':>7}  {f'+{counts[1][package]:,}':>7}"
        for package in order[:_PACKAGES_SHOWN]
    ]
    return lines + left_out(len(order) - _PACKAGES_SHOWN)


def _trust(answer: DiffAnswer, width: int) -> list[str]:
    lines: list[str] = []
    for index, said in enumerate(trust_sentences(answer)):
        lines += labelled("trust" if not index else "", said, width)
    trust = answer.trust
    for sign, leads in (("-", trust.leads_gone), ("+", trust.leads_new)):
        for lead in leads[:_LEADS_SHOWN]:
            where = place(lead.file, lead.line)
            lines += place_and_name(f"  {sign} ", where, local_name(lead.function, lead.file), width)
            could_be = f"{len(lead.could_be):,} functions" if len(lead.could_be) > 1 else lead.could_be[0]
            lines += _detail(f"lead: {lead.expression} ({lead.reason}) could be {could_be}", width)
        lines += left_out(len(leads) - _LEADS_SHOWN)
    for sign, exits in (("-", trust.native_exits_gone), ("+", trust.native_exits_new)):
        for native in exits[:_LEADS_SHOWN]:
            where = place(native.file, native.line)
            lines += place_and_name(f"  {sign} ", where, local_name(native.function, native.file), width)
            lines += _detail(f"native exit: {native.callee}", width)
        lines += left_out(len(exits) - _LEADS_SHOWN)
    return lines


def _moved(answer: DiffAnswer, width: int) -> list[str]:
    if not answer.moved:
        return []
    said = "the same code under another name, compared as one"
    lines = labelled("moved", f"{plural(len(answer.moved), 'function')}: {said}", width)
    for one in answer.moved[:_MOVED_SHOWN]:
        nearly = "" if one.exact else "  (nearly the same)"
        lines += wrap(f"{clean(one.before)} → {clean(one.after)}{nearly}", width, "  ")
    return lines + left_out(len(answer.moved) - _MOVED_SHOWN)


def _notes(answer: DiffAnswer) -> list[str]:
    """What is said of both, once; and of one, with which."""
    old, new = answer.before.notes, answer.after.notes
    both = [note for note in old if note in new]
    return [
        *answer.notes,
        *both,
        *(f"before: {note}" for note in old if note not in both),
        *(f"after: {note}" for note in new if note not in both),
    ]
