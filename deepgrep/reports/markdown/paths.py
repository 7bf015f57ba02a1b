"""Paths in Markdown: one numbered item for each hop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deepgrep.questions.answers import Hop, ReachAnswer
from deepgrep.reports.links import Permalink
from deepgrep.reports.markdown.escaping import code, html_code, linked, source_block
from deepgrep.reports.sentences import (
    AGAIN,
    SHARED_HOPS_WORTH_FOLDING,
    is_root_again,
    path_title,
    requires_sentence,
    shared_hops,
    short_name,
)
from deepgrep.reports.words import DOES, SourceLine, local_name, passing, plural

_WAY_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Page:
    """What the parts of a report need.

    Attributes:
        most: the length of the longest list.
    """

    answer: ReachAnswer
    source_line: SourceLine
    permalink: Permalink
    most: int

    @property
    def paths(self) -> int:
        """How many paths are shown."""
        return max(1, self.most // 4)

    def left_out(self, count: int) -> list[str]:
        """Say what a list does not show."""
        return [f"- … {count:,} more: `--format json` lists all"] if count > 0 else []


def first_path(page: Page) -> list[str]:
    """The best path, in full."""
    which, what = path_title(page.answer, 0)
    return [f"### {which[0].upper()}{which[1:]}: {what}", "", *_hops(page, 0)]


def further_paths(page: Page) -> list[str]:
    """All others that the answer gives, folded."""
    lines = []
    for index in range(1, min(len(page.answer.paths), page.paths)):
        which, what = path_title(page.answer, index)
        last = page.answer.paths[index].hops[-1]
        end = html_code(local_name(last.function, last.file))
        lines += [
            f"<details><summary>{which}: {what}, to {end}</summary>",
            "",
            *_hops(page, index),
            "",
            "</details>",
            "",
        ]
    if (hidden := len(page.answer.paths) - page.paths) > 0:
        lines += [f"… {plural(hidden, 'more path')}: `--format json` lists all", ""]
    return ["### Further paths", "", *lines[:-1]] if lines else []


def _hops(page: Page, index: int) -> list[str]:
    """The hops of a path that the one before does not have; of very many, those at both ends."""
    answer = page.answer
    path = answer.paths[index]
    shared = shared_hops(answer.paths[index - 1], path) if index else 0
    shared = shared if shared >= SHARED_HOPS_WORTH_FOLDING else 0
    lines = [f"The first {shared} hops are those of path {index}.", ""] if shared else []
    positions = range(shared, len(path.hops))
    hidden = len(positions) - 2 * page.most
    for position in positions:
        if position < shared + page.most or hidden <= 0 or position >= len(path.hops) - page.most:
            lines += _hop(page, position, path.hops[position], is_last=position == len(path.hops) - 1)
        elif position == shared + page.most:
            lines += ["", f"… {plural(hidden, 'hop')} between: `--format json` lists all", ""]
    return lines


def _hop(page: Page, position: int, hop: Hop, *, is_last: bool) -> list[str]:
    number = f"{position + 1}. "
    indent = " " * len(number)
    first = f"{number}{linked(page.permalink, hop.file, hop.call_line)} in {code(local_name(hop.function, hop.file))}"
    text = page.source_line(hop.file, hop.call_line)
    block = source_block(text, indent) if text and text.strip() else []
    said = _said(page, position, hop, is_last=is_last)
    # A backslash ends a line; without a block before it, the first of these follows the place.
    joined = ([] if block else [first]) + [f"{indent}{line}" for line in said]
    return ([first, *block] if block else []) + [f"{line}\\" for line in joined[:-1]] + joined[-1:]


def _said(page: Page, position: int, hop: Hop, *, is_last: bool) -> list[str]:
    """What is to be said of a hop, a line each."""
    lines = []
    if is_root_again(page.answer, position, hop):
        lines.append(f"({AGAIN})")
    if hop.conditions:
        lines.append(f"when {listed(hop.conditions, page.most, '; ')}")
    if hop.locks:
        lines.append(f"holding {listed(hop.locks, page.most)}")
    if hop.depends_on:
        lines.append(f"**depends on the root's {listed(hop.depends_on, page.most)}**")
    if required := requires_sentence(hop, lambda name: code(short_name(name))):
        said, along = required
        lines.append(said + _way(along))
    how = passing(hop.via, hop.certainty)
    if is_last:
        target = page.answer.target
        lines.append(f"→ **{DOES[target.access]} {code(target.name)}**{f' {how}' if how else ''}")
    elif how:
        lines.append(f"→ {how}")
    return lines


def listed(texts: Sequence[str], most: int, between: str = ", ") -> str:
    """Names or conditions in the code's own words; of very many, the last are counted."""
    shown = [code(text) for text in texts[:most]]
    more = len(texts) - len(shown)
    return between.join([*shown, f"and {more:,} more"] if more > 0 else shown)


def _way(functions: Sequence[str]) -> str:
    names = [code(short_name(name)) for name in functions]
    if len(names) > _WAY_SHOWN:
        half = _WAY_SHOWN // 2
        names = [*names[:half], f"({len(names) - _WAY_SHOWN} more)", *names[-half:]]
    return " → ".join(names)
