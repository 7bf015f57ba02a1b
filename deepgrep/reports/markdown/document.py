"""The answer of `reach` for a public tracker: GitHub-flavoured Markdown, each claim with a link to the code.

It is to be read by someone who never saw deepgrep, so it says what it is, of which code, and how to repeat it.
"""

from __future__ import annotations

from collections.abc import Sequence

from deepgrep.questions.answers import AccessRef, ReachAnswer
from deepgrep.reports.links import Permalink, commit_address
from deepgrep.reports.markdown.escaping import cell, code, fenced, linked, linked_cell, prose, written
from deepgrep.reports.markdown.evidence import evidence
from deepgrep.reports.markdown.legend import HOW_TO_READ
from deepgrep.reports.markdown.paths import Page, first_path, further_paths, listed
from deepgrep.reports.provenance import Provenance
from deepgrep.reports.sentences import (
    PASSES,
    accesses_sentence,
    all_paths_sentence,
    cut_sentence,
    ordered_accesses,
    path_numbers,
    place_of,
    verdict_sentence,
)
from deepgrep.reports.words import CODE_FILE, DOES, SourceLine, local_name, plural, state_title
from deepgrep.sources.released import Released

MOST_BYTES = 60_000
"""Trackers refuse more than 65,536 characters; this leaves room for what people write around it."""

_LIST_LENGTHS = (60, 30, 15, 8, 4, 2)
_MOST_MERMAID = 15_000
_OPEN_ROWS = 10
# Code that was typed as the root can be of any length.
_LONGEST_COMMAND = 8_000
_TOO_LONG = "The command has {:,} characters: the HTML page of this report has it."
_DIGITS_SHOWN = 12
_WHAT_IT_IS = (
    "This is a static analysis of the source code, made by deepgrep: nothing was run. It is there to be attached "
    "beside a reproducer, and is not a bug report by itself. The words it uses are explained at its end."
)


def markdown(
    answer: ReachAnswer,
    source_line: SourceLine,
    permalink: Permalink,
    provenance: Provenance,
    *,
    question: str = "",
    note: str = "",
    mermaid: str | None = None,
    attached: Sequence[str] = (),
) -> str:
    """Write a report.

    Args:
        answer: what was found.
        source_line: gives the text of the lines that paths pass through.
        permalink: gives the public addresses of lines.
        provenance: where the report comes from.
        question: the sentence of a stored query.
        note: what that says of its answer.
        mermaid: a small drawing, or None.
        attached: the names of the files that belong to the report.

    Returns:
        At most `MOST_BYTES` bytes, unless the command alone is longer: where that does not hold everything, long lists
        are shortened, and say so.
    """
    drawn = mermaid if mermaid is not None and len(mermaid) <= _MOST_MERMAID else None
    text = ""
    for most in _LIST_LENGTHS:
        page = Page(answer, source_line, permalink, most)
        parts = [
            _head(page, question, note),
            _versions(page, provenance),
            first_path(page) if answer.paths else [],
            _accesses(page),
            _root_conditions(page),
            evidence(page),
            further_paths(page),
            ["### Drawing", "", *fenced(drawn, "mermaid")] if drawn else [],
            _all_paths(page) if answer.paths else [],
            HOW_TO_READ,
            _repeat(provenance, attached),
        ]
        text = "\n\n".join("\n".join(part) for part in parts if part) + "\n"
        if len(text.encode()) <= MOST_BYTES:
            break
    return text


def _head(page: Page, question: str, note: str) -> list[str]:
    lines = [f"## {written(question)}", ""] if question else []
    lines += [f"**{page.answer.verdict}**: {verdict_sentence(page.answer, code)}.", "", f"> {_WHAT_IT_IS}"]
    return [*lines, "", written(note)] if note else lines


def _versions(page: Page, provenance: Provenance) -> list[str]:
    answer = page.answer
    lines = []
    for source, release in zip(answer.sources, provenance.released, strict=True):
        parts = [f"**{prose(f'{source.name} {source.version}'.strip())}**"]
        if source.commit:
            address = commit_address(release, source.commit)
            digits = code(source.commit[:_DIGITS_SHOWN])
            parts.append(f"commit [{digits}]({address})" if address else f"commit {digits}")
        parts.append(f"digest {code(source.digest[:_DIGITS_SHOWN])}")
        lines.append(f"- {', '.join(parts)}; {_compared(release, page.most)}")
    lines.append(f"- deepgrep {prose(provenance.deepgrep)}, on Python {prose(provenance.python)}")
    lines += [f"- root: {_root(page)}", f"- target: {_target(answer)}"]
    lines += [f"- filter: {prose(said)}" for said in answer.filters[: page.most]]
    return lines + page.left_out(len(answer.filters) - page.most)


def _compared(release: Released, most: int) -> str:
    """How the files stand to those that were released."""
    if not release.compared:
        return "not compared with a release: no RECORD of an installer names these files"
    compared = f"{plural(release.compared, 'file')} compared with the wheel's RECORD"
    differing = [f"{len(files):,} {word} ({listed(files, most)})" for word, files in release.differing]
    if not differing:
        return f"the files are those of the release ({compared})"
    return f"**the files differ from those of the release**: {', '.join(differing)}; {compared}"


def _root(page: Page) -> str:
    root = page.answer.root
    if root.file == CODE_FILE:
        return code((page.source_line(root.file, root.line) or root.name).strip())
    return code(root.name) if root.name == root.file else f"{code(root.name)} at {_linked(page, root.file, root.line)}"


def _linked(page: Page, file: str, line: int) -> str:
    return linked(page.permalink, file, line)


def _target(answer: ReachAnswer) -> str:
    return f"{code(answer.target.name)}, {prose(state_title(answer.target.kind, answer.target.scope))}"


def _accesses(page: Page) -> list[str]:
    answer = page.answer
    lines = [f"### Who {DOES[answer.target.access]} it", "", f"{accesses_sentence(answer)}."]
    if not answer.accesses:
        return lines
    ordered = ordered_accesses(answer)
    shown = ordered[: page.most]
    reached = [access for access in shown if access.reached]
    others = [access for access in shown if not access.reached]
    if reached:
        lines += ["", *_table(page, reached)]
    if len(others) > _OPEN_ROWS:
        count = sum(1 for access in answer.accesses if not access.reached)
        shown_of = f"{len(others):,} of " if len(others) < count else ""
        said = f"{shown_of}{plural(count, 'place')} that {'is' if count == 1 else 'are'} not reached"
        lines += ["", f"<details><summary>{said}</summary>", "", *_table(page, others), "", "</details>"]
    elif others:
        lines += [*_table(page, others)[2:]] if reached else ["", *_table(page, others)]
    hidden = ordered[page.most :]
    if hidden:
        count = sum(1 for access in hidden if access.reached)
        reached_too = f"{count:,} of them reached" if count else "not reached"
        lines += ["", f"… {len(hidden):,} more, {reached_too}: `--format json` lists all"]
    return lines


def _table(page: Page, accesses: Sequence[AccessRef]) -> list[str]:
    lines = ["| reached | place, function | form | restores | by path |", "| --- | --- | --- | --- | --- |"]
    for access in accesses:
        # One above the other: side by side, they do not fit on a tracker's page.
        where = linked_cell(page.permalink, access.file, access.line)
        columns = [
            "**yes**" if access.reached else "no",
            f"{where}<br>{cell(local_name(access.function, access.file))}",
            prose(access.form if access.is_sure else f"{access.form}, perhaps").replace("|", r"\|"),
            "yes" if access.restore else "no",
            ", ".join(map(str, path_numbers(page.answer, access))),
        ]
        lines.append(f"| {' | '.join(columns)} |")
    return lines


def _root_conditions(page: Page) -> list[str]:
    """The conditions that the caller decides, as they stand on the paths that are given."""
    hops = [hop for path in page.answer.paths for hop in path.hops if hop.depends_on]
    places = {(hop.file, hop.call_line, tuple(hop.depends_on), tuple(hop.conditions)): hop for hop in hops}
    if not places:
        return []
    lines = []
    for hop in list(places.values())[: page.most]:
        names, said = listed(hop.depends_on, page.most), listed(hop.conditions, page.most, "; ")
        lines.append(f"- {names}: {_linked(page, hop.file, hop.call_line)} when {said}")
    told = "These depend on what the caller passes; `--assume NAME=VALUE` asks again with one of them fixed."
    return [
        "### Conditions on the root's own parameters",
        "",
        told,
        "",
        *lines,
        *page.left_out(len(places) - page.most),
    ]


def _all_paths(page: Page) -> list[str]:
    answer = page.answer
    said = all_paths_sentence(answer)
    lines = ["### All paths", "", f"{said[0].upper()}{said[1:]}."]
    if answer.chokepoints:
        lines += ["", f"Chokepoints: {PASSES}.", "", *_names(page, answer.chokepoints)]
    if answer.cut:
        lines += ["", f"Cut: {cut_sentence(answer)}.", "", *_names(page, answer.cut)]
    return lines


def _names(page: Page, names: Sequence[str]) -> list[str]:
    lines = []
    for name in names[: page.most]:
        file, line = place_of(page.answer, name)
        where = f" at {_linked(page, file, line)}" if line else ""
        lines.append(f"- {code(name)}{where}")
    return lines + page.left_out(len(names) - page.most)


def _repeat(provenance: Provenance, attached: Sequence[str]) -> list[str]:
    told = (
        f"With deepgrep {prose(provenance.deepgrep)} and the same sources installed, which are read and never run. "
        "`deepgrep reach` (`deepgrep run NAME` for `--query NAME`) with `--format json` lists what is left out here."
    )
    command = provenance.command
    typed = fenced(command, "sh") if len(command) <= _LONGEST_COMMAND else [_TOO_LONG.format(len(command))]
    lines = ["### To repeat this", "", *typed, "", told]
    return [*lines, "", f"Attached: {listed(attached, len(attached))}"] if attached else lines
