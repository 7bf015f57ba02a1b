"""The sources at hand for people, and whether they are what was released."""

from __future__ import annotations

import click

from deepgrep.questions.at_hand import KeptSource, SourcesAnswer, VerifiedSource
from deepgrep.reports.text.lines import entry, labelled, left_out
from deepgrep.reports.words import clean, shorten, source_title

_SHOWN = 20
_SHORT_COMMIT = 12


def sources_text(answer: SourcesAnswer, width: int) -> str:
    """Write the list of what is at hand.

    Args:
        answer: of `sources`, without what was verified.
        width: columns to stay within.

    Returns:
        Lines with colour, with a newline after each.
    """
    lines = []
    for source in answer.installed:
        commit = f", commit {source.commit[:_SHORT_COMMIT]}" if source.commit else ""
        lines.append(entry("installed", clean(f"{source.name} {source.version}".rstrip() + commit)))
    if not answer.installed:
        lines.append(entry("installed", "no torch: --torch 2.13.0 (or latest) reads one without installing it"))
    lines += [entry("" if index else "kept", _kept(kept)) for index, kept in enumerate(answer.kept)]
    if not answer.kept:
        lines.append(
            entry("kept", "nothing yet: --torch VERSION fetches the Python files of a release, and keeps them")
        )
    if answer.available:
        lines += labelled("available", clean(", ".join(answer.available)), width)
    return "\n".join(lines) + "\n"


def verified_text(answer: SourcesAnswer, width: int) -> str:
    """Write how sources compare with their releases; arguments as of `sources_text`."""
    lines: list[str] = []
    for source in answer.verified:
        lines += _verified(source, width)
    return "\n".join(lines) + "\n"


def _kept(kept: KeptSource) -> str:
    origin = ", unpacked from a file" if kept.is_from_file else ""
    return clean(f"{kept.name} {kept.version}  {kept.size / 1_000_000:,.0f} MB{origin}")


def _verified(verified: VerifiedSource, width: int) -> list[str]:
    title = source_title(verified.source)
    if not verified.compared:
        return [f"{click.style('no release', dim=True)}   {title}: nothing to compare with"]
    if verified.is_as_released:
        return [f"{click.style('as released', fg='green', bold=True)}   {title}: {verified.compared:,} files compared"]
    lines = [f"{click.style('edited', fg='red', bold=True)}   {title}: {verified.compared:,} files compared"]
    for word, files in (("changed", verified.changed), ("missing", verified.missing), ("added", verified.added)):
        shown = [shorten(clean(file), width - 12) for file in files[:_SHOWN]]
        lines += [f"  {click.style(f'{word:<8}', dim=True)}  {file}" for file in shown]
        lines += left_out(len(files) - _SHOWN)
    return lines
