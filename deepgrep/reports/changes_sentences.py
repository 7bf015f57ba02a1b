"""What reports of `diff` without a question say in sentences, for every form that a report has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from deepgrep.questions.changes_answers import ChangesAnswer, PackageChanges, StateDiff
from deepgrep.questions.diff_answers import Change
from deepgrep.reports.words import plural, state_title

_NAMED = 3


def changes_sentence(answer: ChangesAnswer) -> str:
    """How much changed, on one line."""
    if answer.same:
        return f"the {plural(answer.states_after, 'mutable shared state')} of both are the same, and so is who writes them"
    counts = Counter(row.change for row in answer.states)
    kinds = sum(package.kind_or_scope for package in answer.packages)
    said = f"of {answer.states_before:,} mutable shared states before and {answer.states_after:,} after"
    parts = [f"{counts[Change.GONE]:,} are gone, {counts[Change.NEW]:,} new, {counts[Change.CHANGED]:,} changed"]
    if kinds:
        parts.append(f"{kinds:,} of these in kind or scope")
    return f"{said}, {', '.join(parts)}, in {plural(len(answer.packages), 'package')}"


def package_sentence(package: PackageChanges) -> str:
    """What changed in a package, counted."""
    counts = (
        (package.new, "new"),
        (package.gone, "gone"),
        (package.moved, "moved"),
        (package.kind_or_scope, "of another kind or scope"),
        (package.writers, "with other writers"),
        (package.functions, "changed by other public functions"),
    )
    return ", ".join(f"{count:,} {what}" for count, what in counts if count)


def kind_lines(answer: ChangesAnswer) -> list[str]:
    """Each state that changed its kind or scope; those of one module, which changed alike, as one line."""
    alike: dict[tuple[str, str, str, str], list[str]] = {}
    for row in answer.states:
        if row.before is None or row.after is None or {"kind", "scope"}.isdisjoint(row.what):
            continue
        before = state_title(row.before.kind, row.before.scope)
        after = state_title(row.after.kind, row.after.scope)
        owner = row.after.name.rpartition(".")[0]
        alike.setdefault((owner, before, after, row.after.reason or row.before.reason), []).append(row.after.name)
    lines = []
    for (owner, before, after, reason), names in alike.items():
        which = names[0] if len(names) == 1 else f"{len(names):,} of {owner}"
        lines.append(f"{which}: was {before}; is {after}{f' ({reason})' if reason else ''}")
    return lines


def state_details(row: StateDiff) -> list[str]:
    """Who writes a state now, or did, and which public functions change it."""
    said = []
    if row.before is not None and row.after is not None:
        if "name" in row.what:
            said.append(f"was {row.before.name}")
        if "kind" in row.what or "scope" in row.what:
            said.append(f"was {state_title(row.before.kind, row.before.scope)}")
    said += [
        f"{word} {_some(names)}"
        for word, names in (("no longer written by", row.writers_gone), (_written(row), row.writers_new))
        if names
    ]
    for word, names in (("no longer changed by", row.functions_gone), ("now changed by", row.functions_new)):
        if names:
            said.append(f"{word} {plural(len(names), 'public function')}: {_some(names)}")
    return said


def _written(row: StateDiff) -> str:
    return "written by" if row.change is Change.NEW else "now written by"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def left_out_sentence(hidden: Sequence[StateDiff]) -> str:
    """What of a package is not shown, counted by what became of it."""
    counts = Counter(row.change for row in hidden)
    listed = [f"{counts[change]:,} {change}" for change in (Change.NEW, Change.GONE, Change.CHANGED) if counts[change]]
    return f"{len(hidden):,} more ({', '.join(listed)})"
