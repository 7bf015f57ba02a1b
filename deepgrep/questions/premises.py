"""What a question assumes of values: `NAME=VALUE`, as it was typed, and the conditions that this is about."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from dataclasses import dataclass

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.conditions import Constant, Premise
from deepgrep.graph.kinds import KINDS
from deepgrep.graph.restriction import Assumptions
from deepgrep.graph.rows import AccessKind, Certainty, Parameter, Via
from deepgrep.questions.names import Definition, find, the_one
from deepgrep.questions.roots import Root

_DEFAULTS = "defaults"
_INSTANCE = "instance attribute"


@dataclass(frozen=True, slots=True)
class Assumed:
    """Assumptions in a graph.

    Attributes:
        assumptions: None where there are none.
        said: what the answer says of them.
        notes: what the user should know of how they were understood.
    """

    assumptions: Assumptions | None
    said: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def assumptions(graph: CallGraph, root: Root | None, assume: tuple[str, ...], environment: tuple[str, ...]) -> Assumed:
    """What is assumed of values.

    Args:
        graph: the analyzed sources, and the root where that is code.
        root: whose parameters can be named; None where a question has no root.
        assume: `NAME=VALUE` of a parameter, a state or a call `NAME()`, or `defaults`.
        environment: `NAME=VALUE` of environment variables.

    Raises:
        DeepgrepError: one of them is not understood.
    """
    if not assume and not environment:
        return Assumed(None)
    known = _parameters(root)
    parameters: dict[str, Constant] = {}
    premises: dict[tuple[int, int], dict[Premise, None]] = {}
    said: list[str] = []
    notes: list[str] = []
    for typed in assume:
        name, equals, text = typed.partition("=")
        if not equals:
            if typed != _DEFAULTS:
                raise DeepgrepError(f"--assume {typed}: write NAME=VALUE, or {_DEFAULTS}")
            continue
        name = name.strip()
        value = _constant(name, text)
        if name in known:
            if parameters.get(name, value) != value:
                raise DeepgrepError(f"--assume {name}: it cannot be both {parameters[name]!r} and {value!r}")
            parameters[name] = value
        else:
            title = _elsewhere(graph, root, known, name, value, premises, notes)
            said.append(f"assumes that {title} is {value!r} wherever it is looked at")
    notes += [
        f"{root.ref.name if root else ''} binds {name} anew, so what was passed decides no condition of it"
        for name in parameters
        if known[name].is_rebound
    ]
    if _DEFAULTS in assume:
        parameters = _defaults(root, known) | parameters
    if parameters and root is not None:
        said.insert(0, f"assumes that {root.ref.name} is called with {_listed(parameters)}")
    for typed in environment:
        name, equals, setting = typed.partition("=")
        if not equals or not name:
            raise DeepgrepError(f"--assume-env {typed}: write NAME=VALUE")
        title = f"os.environ[{name}]"
        if not _read(graph, title, Premise("environment", name, title, setting), premises):
            notes.append(f"nothing in the analyzed sources reads {title}, so assuming it changes nothing")
        said.append(f"assumes that the environment variable {name} is {setting!r}")
    placed = {place: tuple(found) for place, found in premises.items()}
    return Assumed(Assumptions(parameters, placed), tuple(said), tuple(notes))


def is_about(root: Root, typed: str) -> bool:
    """Whether an assumption is one about parameters that a root has."""
    known = _parameters(root)
    name, equals, _ = typed.partition("=")
    if not equals:
        return typed == _DEFAULTS and any(parameter.default for parameter in known.values())
    return name.strip() in known


def _listed(parameters: dict[str, Constant]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in parameters.items())


def _constant(name: str, text: str) -> Constant:
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):  # all that it is documented to raise
        value = ...
    if not isinstance(value, Constant) or (isinstance(value, float) and not math.isfinite(value)):
        raise DeepgrepError(
            f"--assume {name}={text}: the value must be None, True, False, a number or a string in quotes of its own, "
            f"such as --assume \"{name}='{text.strip() or 'text'}'\""
        )
    return value


def _parameters(root: Root | None) -> dict[str, Parameter]:
    """The parameters of the root that a caller passes by name; one that some part of it binds anew says so."""
    found: dict[str, Parameter] = {}
    for parameter in root.parameters if root is not None else ():
        if not parameter.name.startswith("*"):
            known = found.get(parameter.name, parameter)
            found[parameter.name] = known if known.is_rebound else parameter
    return found


def _defaults(root: Root | None, known: dict[str, Parameter]) -> dict[str, Constant]:
    if root is None or root.is_code:
        raise DeepgrepError(f"--assume {_DEFAULTS}: {_no_parameters(root)}")
    found: dict[str, Constant] = {name: ast.literal_eval(p.default) for name, p in known.items() if p.default}
    if not found:
        raise DeepgrepError(
            f"--assume {_DEFAULTS}: no parameter of {root.ref.name} has a constant as its default: name one, of "
            f"{', '.join(known) or 'none that there are'}"
        )
    return found


def _no_parameters(root: Root | None) -> str:
    what = "the question has no root" if root is None else "the root is code"
    return f"{what}, so there are no parameters: assume a state, a call NAME() or, by --assume-env, a variable"


def _elsewhere(
    graph: CallGraph,
    root: Root | None,
    known: dict[str, Parameter],
    name: str,
    value: Constant,
    premises: dict[tuple[int, int], dict[Premise, None]],
    notes: list[str],
) -> str:
    """Assume something of a state or a call; what it is called."""
    is_call = name.endswith("()")
    plain = name.removesuffix("()")
    found = find(graph, plain, states=True)
    is_one_state = len(found) == 1 and bool(found[0].states)
    if plain.isidentifier() and not is_call and not is_one_state:
        if root is None or root.is_code:
            raise DeepgrepError(f"--assume {name}: no one state has this name, and {_no_parameters(root)}")
        raise DeepgrepError(
            f"--assume {name}: {root.ref.name} has no parameter {name}: it has {', '.join(known) or 'none'}"
        )
    try:
        definition = the_one(graph, plain, found, states=True)
    except DeepgrepError as error:
        raise DeepgrepError(f"--assume {name}: {error}") from None
    states = [state for state in definition.states if graph.state(state).kind != "function"]
    if not is_call and not states:
        raise DeepgrepError(f"--assume {name}: {definition.name} is no state: of a call, write {name}()={value!r}")
    if is_call:
        title = f"{definition.name}()"
        count = _called(graph, definition, Premise("call", _last(definition.name), title, value), premises)
    else:
        title = definition.name
        count = _read(graph, title, Premise("value", _last(title), title, value), premises)
    if not count:
        does = "calls" if is_call else "reads"
        notes.append(f"nothing in the analyzed sources certainly {does} {title}, so assuming it changes nothing")
    return title


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _called(
    graph: CallGraph,
    definition: Definition,
    premise: Premise,
    premises: dict[tuple[int, int], dict[Premise, None]],
) -> int:
    """Note the places that certainly call a function; how many there are."""
    places = set(_places(graph, definition.name, AccessKind.CALL))
    for function in definition.functions:
        for edge in graph.in_edges(function):
            via, certainty = KINDS[graph.edge_kind[edge]]
            if via is Via.CALL and certainty is Certainty.CERTAIN:
                row = graph.edge(edge)
                places.add((graph.function_file[row.caller], row.line))
    for place in places:
        premises.setdefault(place, {})[premise] = None
    return len(places)


def _read(graph: CallGraph, state: str, premise: Premise, premises: dict[tuple[int, int], dict[Premise, None]]) -> int:
    """Note the places that read a state, and no other of the same last name; how many there are."""
    places = set(_places(graph, state, AccessKind.READ))
    for place in places:
        premises.setdefault(place, {})[premise] = None
    return len(places)


def _places(graph: CallGraph, state: str, access: AccessKind) -> Iterator[tuple[int, int]]:
    last = _last(state)
    for number in graph.states_named(state):
        for row in graph.accesses_of(number):
            if row.access is not access:
                continue
            others = (
                graph.state(other.state)
                for other in graph.accesses_in(row.function)
                if other.line == row.line and other.access is access and other.state != number
            )
            # An attribute of an object is known as one of its class too.
            if not any(_last(other.name) == last and other.kind != _INSTANCE for other in others):
                yield graph.function_file[row.function], row.line
