"""`diff` without a question: which shared state changed between two versions, and who changes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.restriction import NONE
from deepgrep.graph.rows import State
from deepgrep.questions.allowed import Allowed
from deepgrep.questions.changes_answers import ChangesAnswer, PackageChanges, StateDiff, StateRef
from deepgrep.questions.diff_answers import Change
from deepgrep.questions.diff_moves import moves
from deepgrep.questions.diff_names import Renamed
from deepgrep.questions.diff_sides import Version
from deepgrep.questions.entry_points import EntryPoints
from deepgrep.questions.reached_states import with_certain_calls
from deepgrep.questions.scopes import Scopes
from deepgrep.questions.shared_state import INSTANCE, SET_FROM_OUTSIDE, Packages
from deepgrep.questions.states import Accessors, shared_states
from deepgrep.questions.touched import SureAccesses

_RESTS_ON = (
    "what public functions change is compared by certain calls alone (each with just one callee, requiring nothing; "
    "imports not followed, conditions not looked at): `diff` with a ROOT and a TARGET compares all paths"
)
_SURE = "where one line writes an attribute or item of several objects, one of which is meant, none of them counts"
_MOVED = "a state that is gone is taken for one that is new if both are the only ones of their last name and kind"


@dataclass(frozen=True, slots=True)
class _Written:
    """The mutable shared states of a version by name, and who writes them.

    Attributes:
        writers: their names, by state.
        direct: the states that each function writes, as bits.
    """

    states: dict[str, State] = field(default_factory=dict)
    writers: dict[str, set[str]] = field(default_factory=dict)
    direct: dict[int, int] = field(default_factory=dict)


def changes(before: Version, after: Version) -> ChangesAnswer:
    """Compare all shared state of two versions, and what their public functions change of it.

    Args:
        before: the earlier version.
        after: the later one.
    """
    numbers: dict[str, int] = {}
    old, new = _written(before.graph, numbers), _written(after.graph, numbers)
    moved = _moved_states(old, new)
    renamed = _renamed_writers(before, after, old, new, moved)
    effects = [_effects(version.graph, found, list(numbers)) for version, found in ((before, old), (after, new))]
    effects[0] = {function: {moved.get(state, state) for state in states} for function, states in effects[0].items()}
    both = [name for name in effects[1] if name in effects[0]]
    gained: dict[str, list[str]] = {}
    lost: dict[str, list[str]] = {}
    changed: dict[str, int] = {}
    for function in both:
        more, less = effects[1][function] - effects[0][function], effects[0][function] - effects[1][function]
        for found, states in ((gained, more), (lost, less)):
            for state in states:
                found.setdefault(state, []).append(function)
        if more or less:
            changed[function] = len(more) + len(less)
    rows = list(_states(before.graph, after.graph, old, new, moved, renamed, gained, lost))
    packages = _packages(rows)
    order = {package.package: position for position, package in enumerate(packages)}
    rows.sort(key=lambda row: (order[row.package], _importance(row)))
    return ChangesAnswer(
        same=not rows,
        before=before.graph.sources,
        after=after.graph.sources,
        states_before=len(old.states),
        states_after=len(new.states),
        public_functions=len(both),
        changed_functions=dict(sorted(changed.items(), key=lambda item: (-item[1], item[0]))),
        packages=packages,
        states=rows,
        notes=[_RESTS_ON, _SURE, *([_MOVED] if moved else [])],
    )


def _written(graph: CallGraph, numbers: dict[str, int]) -> _Written:
    """The shared states of a version that something surely changes, or that are there to be set.

    Args:
        graph: the version's.
        numbers: gets a number for each name, the same in both versions.
    """
    accessors, found, sure = Accessors(graph), _Written(), SureAccesses(graph)
    for index, state in shared_states(graph):
        if state.kind == INSTANCE:
            continue
        writers = [function for function, number in accessors.writers(index, state) if sure.is_sure(number)]
        if not writers and state.kind not in SET_FROM_OUTSIDE:
            continue
        found.states[state.name] = state
        named = found.writers.setdefault(state.name, set())
        bit = 1 << numbers.setdefault(state.name, len(numbers))
        for function in writers:
            named.add(graph.function_names[function])
            found.direct[function] = found.direct.get(function, 0) | bit
    return found


def _moved_states(old: _Written, new: _Written) -> dict[str, str]:
    """The states that have another name now: the later one, by the earlier."""
    gone, added = (
        _by_last_name(state for name, state in states.items() if name not in others)
        for states, others in ((old.states, new.states), (new.states, old.states))
    )
    return {names[0]: added[key][0] for key, names in gone.items() if len(names) == 1 and len(added.get(key, ())) == 1}


def _by_last_name(states: Iterable[State]) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for state in states:
        found.setdefault((state.name.rpartition(".")[2], state.kind), []).append(state.name)
    return found


def _renamed_writers(before: Version, after: Version, old: _Written, new: _Written, moved: dict[str, str]) -> Renamed:
    """The functions that write states and have another name now."""
    gone, added = set[str](), set[str]()
    for name, writers in old.writers.items():
        others = new.writers.get(moved.get(name, name), set())
        gone |= writers - others
        added |= others - writers
    gone, added = (
        {name for name in names if not version.has(name)} for names, version in ((gone, after), (added, before))
    )
    return Renamed(moves(before, after, gone, added, ()))


def _effects(graph: CallGraph, found: _Written, names: list[str]) -> dict[str, set[str]]:
    """The states that each public function changes by certain calls alone."""
    bits = with_certain_calls(graph, found.direct)
    public = EntryPoints(graph, Allowed(graph, NONE))
    known: dict[int, set[str]] = {}
    effects: dict[str, set[str]] = {}
    for function in range(graph.function_count):
        name = public.public_name(function)
        if not name:
            continue
        here = bits[function]
        if here not in known:
            known[here] = {names[number] for number in _members(here)}
        effects[name] = effects[name] | known[here] if name in effects else known[here]
    return effects


def _members(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _states(
    before: CallGraph,
    after: CallGraph,
    old: _Written,
    new: _Written,
    moved: dict[str, str],
    renamed: Renamed,
    gained: dict[str, list[str]],
    lost: dict[str, list[str]],
) -> Iterator[StateDiff]:
    """Every state that is new or gone, or changed."""
    packages, scopes = (Packages(before), Packages(after)), (Scopes(before), Scopes(after))
    earlier = {later: name for name, later in moved.items()}
    for name in sorted({*new.states, *(moved.get(name, name) for name in old.states)}):
        one, other = old.states.get(earlier.get(name, name)), new.states.get(name)
        writers = {renamed.other(writer, is_later=False) for writer in old.writers[one.name]} if one else set()
        others = new.writers[name] if other else set()
        state = other or one
        assert state is not None
        what = _what(one, other, writers, others, bool(gained.get(name) or lost.get(name)))
        if not what and one is not None and other is not None:
            continue
        yield StateDiff(
            change=Change.NEW if one is None else Change.GONE if other is None else Change.CHANGED,
            package=(packages[1] if other else packages[0]).of(state.name),
            before=None if one is None else _ref(one, len(writers), scopes[0]),
            after=None if other is None else _ref(other, len(others), scopes[1]),
            what=what,
            writers_new=sorted(others - writers),
            writers_gone=sorted(writers - others),
            functions_new=_shortest_first(gained.get(name, ())),
            functions_gone=_shortest_first(lost.get(name, ())),
        )


def _what(one: State | None, other: State | None, writers: set[str], others: set[str], functions: bool) -> list[str]:
    """What changed of a state that both versions have."""
    if one is None or other is None:
        return []
    differs = {
        "name": one.name != other.name,
        "kind": one.kind != other.kind,
        "scope": one.scope != other.scope,
        "writers": writers != others,
        "functions": functions,
    }
    return [word for word, is_so in differs.items() if is_so]


def _ref(state: State, writers: int, scopes: Scopes) -> StateRef:
    return StateRef(state.name, state.kind, state.scope, writers, scopes.reason(state))


def _shortest_first(names: Iterable[str]) -> list[str]:
    """Public functions as people know them: those with short names first."""
    return sorted(names, key=lambda name: (name.count("."), name))


def _packages(rows: list[StateDiff]) -> list[PackageChanges]:
    counts: dict[str, Counter[str]] = {}
    public: dict[str, set[str]] = {}
    for row in rows:
        public.setdefault(row.package, set()).update(row.functions_new, row.functions_gone)
        here = counts.setdefault(row.package, Counter())
        here[row.change] += 1
        here.update(row.what)
        here["kind or scope"] += not {"kind", "scope"}.isdisjoint(row.what)
    found = [
        PackageChanges(
            package,
            here[Change.NEW],
            here[Change.GONE],
            here["name"],
            here["kind or scope"],
            here["writers"],
            here["functions"],
            len(public[package]),
        )
        for package, here in counts.items()
    ]
    return sorted(found, key=_most_first)


def _most_first(one: PackageChanges) -> tuple[int, int, int, str]:
    return -one.kind_or_scope, -one.public_functions, -(one.new + one.gone + one.writers), one.package


def _importance(row: StateDiff) -> tuple[bool, int, int, str]:
    state = row.after or row.before
    assert state is not None
    functions = len(row.functions_new) + len(row.functions_gone)
    return {"kind", "scope"}.isdisjoint(row.what), -functions, -len(row.writers_new + row.writers_gone), state.name
