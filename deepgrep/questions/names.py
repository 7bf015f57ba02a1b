"""What people type, and the definitions it means: any dotted suffix of a name that only one definition has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.columns import Strings
from deepgrep.graph.endings import last_part
from deepgrep.graph.rows import ClassRow
from deepgrep.questions.shared_state import is_nameless

_LISTED = 20
# No name has so many parts; looking for its bases would recurse through all of them.
_MOST_PARTS = 60
_CONSTRUCTORS = ("__init__", "__new__")


@dataclass(frozen=True, slots=True)
class Definition:
    """Everything that bears one full name; one of the parts is there, seldom two.

    Attributes:
        name: the full name.
        functions: the rows of that name: the contexts of one function, or definitions that replace each other.
        states: the states of that name.
        class_row: the class of that name.
        instead_of: other, private names that were not meant.
        typed: the name that was typed for a state, if that is another one.
    """

    name: str
    functions: tuple[int, ...] = ()
    states: tuple[int, ...] = ()
    class_row: ClassRow | None = None
    instead_of: tuple[str, ...] = ()
    typed: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know of how the name was understood."""
        said = [f"{self.typed} is another name of {self.name}"] if self.typed else []
        if self.instead_of:
            others = ", ".join(self.instead_of)
            said.append(f"{self.name} is the only public name that fits; type more of the name to mean {others}")
        return tuple(said)

    def constructors(self, graph: CallGraph, *, inherited: bool) -> tuple[int, ...]:
        """The functions that constructing the class runs."""
        if self.class_row is None:
            return ()
        bases = self.class_row.mro if inherited else (self.name,)
        return tuple(f for method in _CONSTRUCTORS for f in _method(graph, bases, method))


def find(graph: CallGraph, typed: str, *, states: bool) -> list[Definition]:
    """The definitions that a name may mean: functions, classes, module bodies and, if asked for, states.

    A full name means just that. Otherwise the first of these that has a match: definitions whose name ends with it,
    aliases that end with it, a method or an attribute that a class has by another name or inherits, a module.
    """
    typed = _normal(typed)
    if not typed or typed.count(".") > _MOST_PARTS:
        return []
    for names in (
        _exact(graph, typed, states=states),
        _definitions_ending(graph, typed, states=states),
        (graph.alias_definition(i) for i in _ending(graph, "alias_names", typed)),
        _of_classes(graph, typed, states=states),
        (graph.function_names[i] for i in _ending(graph, "function_names", f"{typed}.<module>")),
    ):
        meant = dict.fromkeys(_option(graph, name) if states else name for name in names)
        found = [_definition(graph, name, states=states) for name in meant]
        if matches := [definition for definition in found if definition is not None]:
            return [_as_typed(definition, typed) for definition in matches]
    return []


def the_one(graph: CallGraph, typed: str, found: list[Definition], *, states: bool) -> Definition:
    """The only definition found; of several that fit `a.b`, the only one without a private part (`_inductor`).

    Raises:
        DeepgrepError: there is none, or more than one; the message lists what could be meant.
    """
    if len(found) == 1:
        return found[0]
    public = [definition for definition in found if not _is_private(definition.name)]
    if len(public) == 1 and "." in typed:
        others = sorted(definition.name for definition in found if definition is not public[0])
        return replace(public[0], instead_of=tuple(others))
    if found:
        names = sorted(definition.name for definition in found)
        shown = "".join(f"\n  {name}" for name in names[:_LISTED])
        more = f"\n  ... and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        raise DeepgrepError(
            f"{typed!r} could mean {len(names)} things: type more of the name of one of them{shown}{more}"
        )
    if not typed.strip():
        raise DeepgrepError("a name is empty: give a function or a state, by any end of its name")
    near = nearest(graph, typed, states=states)
    hint = "the nearest names are" + "".join(f"\n  {name}" for name in near) if near else "no name is near to it"
    raise DeepgrepError(f"nothing is named {typed!r} in {_analyzed(graph)}: {hint}")


def nearest(graph: CallGraph, typed: str, *, states: bool) -> list[str]:
    """Up to five full names that resemble what was typed, most alike first."""
    import difflib  # late: 5 ms

    typed = _normal(typed)
    last = last_part(typed)
    lasts = {graph.texts[i] for i in set(graph.function_last)} | {last_part(name) for name in graph.class_names}
    if states:
        lasts |= {last_part(name) for name in graph.state_names}
    # difflib takes 10 us for each: only names of similar length and beginning are put to it.
    likely = [name for name in lasts if abs(len(name) - len(last)) <= 3 and _beginning(name) == _beginning(last)]
    close = [last, *difflib.get_close_matches(last, sorted(likely), n=5)]
    names = dict.fromkeys(name for part in close for name in _definitions_ending(graph, part, states=states))
    names = {name: None for name in names if not is_nameless(name)}
    return difflib.get_close_matches(typed, list(names)[:200], n=5, cutoff=0.0)


def _option(graph: CallGraph, name: str) -> str:
    """The option that another one stands for, by its definition; any other name as it is."""
    other = graph.alias(name)
    if other is None or not graph.states_named(other) or graph.functions_named(other) or graph.classes_named(other):
        return name
    return other


def _as_typed(definition: Definition, typed: str) -> Definition:
    """A definition with what was typed, where that is another name of a state."""
    is_state = definition.states and not definition.functions and definition.class_row is None
    return replace(definition, typed=typed) if is_state and not _ends_so(definition.name, typed) else definition


def _is_private(name: str) -> bool:
    """Whether a part of the name, its last one aside, begins with an underscore; special methods do not count."""
    return any(part.startswith("_") and not part.endswith("__") for part in name.split(".")[:-1])


def _normal(typed: str) -> str:
    """`os.environ["X"]` as names have it: `os.environ[X]`."""
    return re.sub(r"""\[\s*(['"]?)(.*?)\1\s*\]$""", r"[\2]", typed.strip())


def _beginning(name: str) -> str:
    return name.lstrip("_")[:1].lower()


def _analyzed(graph: CallGraph) -> str:
    return ", ".join(f"{source.name} {source.version}".rstrip() for source in graph.sources) or "the analyzed sources"


def _definition(graph: CallGraph, name: str, *, states: bool) -> Definition | None:
    functions = tuple(graph.functions_named(name))
    found_states = tuple(_states(graph, name)) if states else ()
    class_row = next(iter(graph.classes_named(name)), None)
    if functions or found_states or class_row:
        return Definition(name, functions, found_states, class_row)
    if graph.module_body(name) is not None:
        return Definition(f"{name}.<module>", tuple(graph.functions_named(f"{name}.<module>")))
    return None


def _states(graph: CallGraph, name: str) -> Iterator[int]:
    """The states of a name; for an option, with those of its other names."""
    if is_nameless(name):
        return
    for state in graph.states_named(name):
        yield state
        if graph.state(state).kind == "config option":
            for other in graph.aliases_of(name):
                yield from graph.states_named(other)


def _exact(graph: CallGraph, typed: str, *, states: bool) -> Iterator[str]:
    if _definition(graph, typed, states=states) is not None:
        yield typed
    elif (definition := graph.alias(typed)) is not None:
        yield definition


def _definitions_ending(graph: CallGraph, typed: str, *, states: bool) -> list[str]:
    columns = ["function_names", "class_names", *(["state_names"] if states else [])]
    names = [getattr(graph, column)[i] for column in columns for i in _ending(graph, column, typed)]
    whole = [name for name in names if _without_locals(name) == typed]
    return whole or names


def _ending(graph: CallGraph, column: str, typed: str) -> Iterator[int]:
    """The rows that are what was typed, or end with it after a dot; `<locals>` may be left out."""
    names: Strings = getattr(graph, column)
    return (row for row in graph.rows_ending(column, typed) if _ends_so(names[row], typed))


def _ends_so(name: str, typed: str) -> bool:
    name = name if "<locals>" in typed else _without_locals(name)
    return name == typed or name.endswith("." + typed)


def _without_locals(name: str) -> str:
    return name.replace(".<locals>", "")


def _of_classes(graph: CallGraph, typed: str, *, states: bool) -> list[str]:
    """`Linear.__call__` and `Linear.training`, which are defined in a base of `Linear`."""
    class_name, _, name = typed.rpartition(".")
    if not class_name:
        return []
    classes = [row for definition in find(graph, class_name, states=False) if (row := definition.class_row)]
    names = [[f"{base}.{name}" for base in row.mro] for row in classes]
    found = [
        next((full for full in full_names if _definition(graph, full, states=states)), None) for full_names in names
    ]
    return [full for full in found if full is not None]


def _method(graph: CallGraph, bases: Iterable[str], method: str) -> list[int]:
    """The functions that a method's name means for a class: those of the first of its bases that has one."""
    return next((found for base in bases if (found := graph.functions_named(f"{base}.{method}"))), [])
