"""What an answer rests on, in Markdown: leads, native exits, what is assumed, what was left out."""

from __future__ import annotations

from collections.abc import Sequence

from deepgrep.questions.answers import Lead
from deepgrep.reports.markdown.escaping import code, linked, prose
from deepgrep.reports.markdown.paths import Page, listed
from deepgrep.reports.sentences import (
    NO_LEADS,
    NO_NATIVE_EXITS,
    ONE_UNCERTAIN_HOP,
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
from deepgrep.reports.words import local_name, plural, removed_sentence, skipped_sentence

_ALIKE_SHOWN = 3
_OPEN_ENTRIES = 10
_COULD_BE_SHOWN = 3


def evidence(page: Page) -> list[str]:
    """All of it, under one heading."""
    answer = page.answer
    lines = ["### What this rests on", ""]
    if answer.rests_on is not None:
        where = linked(page.permalink, answer.rests_on.file, answer.rests_on.call_line)
        lines.append(f"- {ONE_UNCERTAIN_HOP}: {where}")
    if answer.paths:
        lines.append(f"- {unknown_sentence(answer)}")
    else:
        lines.append(f"- searched: {searched_sentence(answer)}")
        if answer.open_parameters:
            lines.append(f"- open: {open_sentence(answer, code)}")
        lines.append(f"- blind: {blind_sentence(answer)}")
    lines += _listed(page, [f"assumes that {prose(said)}" for said in answer.assumptions])
    lines += _listed(page, [f"note: {prose(note)}" for note in answer.notes])
    blocks = [lines, *([] if answer.paths else [_leads(page), _native_exits(page)]), _removed(page), _skipped(page)]
    return [line for block in blocks if block for line in ["", *block]][1:]


def _listed(page: Page, entries: Sequence[str]) -> list[str]:
    return [f"- {entry}" for entry in entries[: page.most]] + page.left_out(len(entries) - page.most)


def _block(label: str, sentence: str, lines: Sequence[str], entries: int) -> list[str]:
    """A list under its sentence; folded where it is long. Neither holds anything of the analyzed code unescaped."""
    if not entries:
        return [f"**{label}**: {sentence}."]
    if entries <= _OPEN_ENTRIES:
        return [f"**{label}**: {sentence}:", "", *lines]
    return [f"<details><summary><b>{label}</b>: {sentence}</summary>", "", *lines, "", "</details>"]


def _leads(page: Page) -> list[str]:
    leads = page.answer.leads
    if not leads:
        return _block("Leads", NO_LEADS, [], 0)
    lines = []
    groups = leads_by_callee(leads)
    for could_be, alike in list(groups.items())[: page.most]:
        more = len(could_be) - _COULD_BE_SHOWN
        names = [code(name) for name in could_be[:_COULD_BE_SHOWN]] + ([f"{more:,} more"] if more > 0 else [])
        lines.append(f"- could be {' or '.join(names)}")
        lines += [f"  - {_lead(page, lead)}" for lead in alike[:_ALIKE_SHOWN]]
        if len(alike) > _ALIKE_SHOWN:
            lines.append(f"  - … and {plural(len(alike) - _ALIKE_SHOWN, 'more call')} that could be this")
    lines += page.left_out(len(groups) - page.most)
    return _block("Leads", leads_sentence(leads, page.answer.lead_count), lines, len(groups))


def _lead(page: Page, lead: Lead) -> str:
    where = f"{linked(page.permalink, lead.file, lead.line)} in {code(local_name(lead.function, lead.file))}"
    under = f", when {listed(lead.conditions, page.most, '; ')}" if lead.conditions else ""
    return f"{where}: {code(lead.expression)} ({prose(lead_reason(lead, page.answer.leads))}){under}"


def _native_exits(page: Page) -> list[str]:
    exits = page.answer.native_exits
    if not exits:
        return _block("Native exits", NO_NATIVE_EXITS, [], 0)
    entries = []
    for callee, calls in native_by_callee(exits).items():
        more = f" and {len(calls) - 1:,} more" if len(calls) > 1 else ""
        entries.append(f"{code(callee)} at {linked(page.permalink, calls[0].file, calls[0].line)}{more}")
    return _block("Native exits", native_sentence(exits), _listed(page, entries), len(entries))


def _removed(page: Page) -> list[str]:
    removed = page.answer.removed
    if not removed:
        return []
    entries = []
    for row in removed[: page.most]:
        where = f"{linked(page.permalink, row.file, row.line)} in {code(local_name(row.function, row.file))}"
        entries.append(f"{where}: {code(row.condition)} ({prose(row.why)})")
    lines = _listed(page, entries) + page.left_out(len(removed) - page.most)
    return _block("Removed", removed_sentence(removed), lines, len(removed))


def _skipped(page: Page) -> list[str]:
    skipped = page.answer.skipped
    if not skipped:
        return []
    entries = [f"{code(file.file)}: {prose(file.reason)}" for file in skipped]
    return _block("Skipped", skipped_sentence(len(skipped)), _listed(page, entries), len(skipped))
