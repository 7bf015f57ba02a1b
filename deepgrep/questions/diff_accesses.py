"""The places that access the target, in two versions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deepgrep.questions.answers import AccessRef
from deepgrep.questions.diff_answers import AccessDiff, Change, CodeLine
from deepgrep.questions.diff_names import Renamed
from deepgrep.questions.diff_sides import Side, Version
from deepgrep.questions.targets import access_refs

_ORDER = [Change.GONE, Change.NEW, Change.CHANGED, Change.SAME]
_FIELDS = {
    "form": "form",
    "restore": "restore",
    "reached": "reached",
    "conditions": "conditions",
    "is_sure": "sure",
}


def compare_accesses(before: Side, after: Side, renamed: Renamed) -> list[AccessDiff]:
    """Pair the accesses of two versions: those of one function by what their lines say, then in their order."""
    old, new = _accesses(before), _accesses(after)
    by_function: dict[str, tuple[list[AccessRef], list[AccessRef]]] = {}
    for access in old:
        by_function.setdefault(renamed.other(access.function, is_later=False), ([], []))[0].append(access)
    for access in new:
        by_function.setdefault(access.function, ([], []))[1].append(access)
    found: list[AccessDiff] = []
    for here, there in by_function.values():
        found += [_compared(before.version, after.version, *pair) for pair in _pairs(before, after, here, there)]
    return sorted(found, key=lambda one: (_ORDER.index(one.change), *_place(one)))


def _accesses(side: Side) -> list[AccessRef]:
    if side.answer is not None:
        return side.answer.accesses
    return [] if side.target is None else access_refs(side.graph, side.target, None)


def _pairs(
    before: Side, after: Side, old: Sequence[AccessRef], new: Sequence[AccessRef]
) -> list[tuple[AccessRef | None, AccessRef | None]]:
    """The accesses of one function in both versions, each with the one that it was or became."""

    def text(side: Side) -> Callable[[AccessRef], object]:
        return lambda access: (side.version.line(access.file, access.line).text, access.form, access.restore)

    def form(_side: Side) -> Callable[[AccessRef], object]:
        return lambda access: (access.form, access.restore)

    def restore(_side: Side) -> Callable[[AccessRef], object]:
        return lambda access: access.restore

    pairs: list[tuple[AccessRef | None, AccessRef | None]] = []
    left_old, left_new = list(old), list(new)
    for key in (text, form, restore):
        key_old, key_new = key(before), key(after)
        for access in tuple(left_old):
            match = next((other for other in left_new if key_new(other) == key_old(access)), None)
            if match is not None:
                pairs.append((access, match))
                left_old.remove(access)
                left_new.remove(match)
    return [*pairs, *((access, None) for access in left_old), *((None, access) for access in left_new)]


def _compared(before: Version, after: Version, old: AccessRef | None, new: AccessRef | None) -> AccessDiff:
    what: list[str] = []
    if old is None or new is None:
        change = Change.NEW if old is None else Change.GONE
    else:
        pairs = ((word, getattr(old, field), getattr(new, field)) for field, word in _FIELDS.items())
        # Where the question could not be asked of one version, it says nothing of what is reached.
        what = [word for word, one, other in pairs if one != other and one is not None and other is not None]
        change = Change.CHANGED if what else Change.SAME
    return AccessDiff(change, old, new, what, _line(before, old), _line(after, new))


def _line(version: Version, access: AccessRef | None) -> CodeLine | None:
    return None if access is None else version.line(access.file, access.line)


def _place(one: AccessDiff) -> tuple[bool, str, int]:
    """Those that are reached first, then by their place."""
    access = one.after or one.before
    assert access is not None
    return not access.reached, access.file, access.line
