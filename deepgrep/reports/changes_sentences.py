"""What reports of `diff` without a question say in sentences, for every form that a report has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from deepgrep.questions.changes_answers import ChangesAnswer, PackageChanges, StateDiff
from deepgrep.questions.diff_answers import Change
from deepgrep.reports.words import clean, plural, state_title

Name = Callable[[str], str]

_NAMED = 3


def changes_sentence(answer: ChangesAnswer) -> str:
    """How much changed, on one line."""
    if answer.same:
        return (
            f"the {plural(answer.states_after, 'mutable shared state')} of both are the same, and so is who writes them"
        )
    counts = Counter(row.change for row in answer.states)
    kinds = sum(package.kind_or_scope for package in answer.packages)
    said = f"of {plural(answer.states_before, 'mutable shared state')} before and {answer.states_after:,} after"
    parts = [f"{counts[change]:,} {change}" for change in (Change.GONE, Change.NEW, Change.CHANGED) if counts[change]]
    changed = f" ({kinds:,} in kind or scope)" if kinds else ""
    return f"{said}: {', '.join(parts)}{changed}, in {plural(len(answer.packages), 'package')}"


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
    said = ", ".join(f"{count:,} {what}" for count, what in counts if count)
    if not package.public_functions:
        return said
    concern = "concerns" if package.public_functions == 1 else "concern"
    return f"{said}; {concern} {plural(package.public_functions, 'public function')}"


def kind_lines(answer: ChangesAnswer, name: Name = clean, sentence: Name = clean) -> list[str]:
    """What became of kind and scope: states that changed alike, for the same reason, as one line.

    Args:
        answer: what was found.
        name: writes a name as the form of a report needs it.
        sentence: writes a sentence that holds names.
    """
    alike: dict[tuple[str, str, str], list[StateDiff]] = {}
    for row in answer.states:
        if row.before is not None and row.after is not None and not {"kind", "scope"}.isdisjoint(row.what):
            before = state_title(row.before.kind, row.before.scope)
            after = state_title(row.after.kind, row.after.scope)
            alike.setdefault((before, after, row.after.reason or row.before.reason), []).append(row)
    lines = []
    for (before, after, reason), rows in sorted(alike.items(), key=lambda item: -len(item[1])):
        counts = Counter(row.package for row in rows).most_common()
        which = f"{plural(len(rows), 'state')} ({', '.join(f'{name(package)} {count:,}' for package, count in counts)})"
        if len(rows) == 1 and rows[0].after is not None:
            which = name(rows[0].after.name)
        why = f": {sentence(reason)}" if reason else ""
        lines.append(f"{which}: was {before}; is {after}{why}")
    return lines


def has_more(row: StateDiff) -> bool:
    """Whether more of a state changed than its kind or scope."""
    return row.change is not Change.CHANGED or not {"kind", "scope"}.issuperset(row.what)


def state_details(row: StateDiff, name: Name = clean) -> list[str]:
    """Who writes a state now, or did, and which public functions change it."""
    said = []
    if row.before is not None and row.after is not None:
        if "name" in row.what:
            said.append(f"was {name(row.before.name)}")
        if "kind" in row.what or "scope" in row.what:
            said.append(f"was {state_title(row.before.kind, row.before.scope)}")
    said += [
        f"{word} {_some(names, name)}"
        for word, names in (("no longer written by", row.writers_gone), (_written(row), row.writers_new))
        if names
    ]
    for word, names in (("no longer changed by", row.functions_gone), ("now changed by", row.functions_new)):
        if names:
            said.append(f"{word} {plural(len(names), 'public function')}: {_some(names, name)}")
    return said


def _written(row: StateDiff) -> str:
    return "written by" if row.change is Change.NEW else "now written by"


def _some(names: Sequence[str], name: Name) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{', '.join(map(name, names[:_NAMED]))}{more}"


def left_out_sentence(hidden: Sequence[StateDiff]) -> str:
    """What of a package is not shown, counted by what became of it."""
    counts = Counter(row.change for row in hidden)
    listed = [f"{counts[change]:,} {change}" for change in (Change.NEW, Change.GONE, Change.CHANGED) if counts[change]]
    return f"{len(hidden):,} more ({', '.join(listed)})"
