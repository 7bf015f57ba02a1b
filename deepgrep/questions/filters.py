"""What a question leaves out, as it was typed, and what that means in a graph."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import compress

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.restriction import Restriction, kinds_up_to
from deepgrep.graph.rows import Certainty
from deepgrep.graph.slices import ForwardSlice
from deepgrep.questions.names import find, the_one
from deepgrep.questions.premises import assumptions
from deepgrep.questions.roots import Root
from deepgrep.questions.targets import VERBS, Target

LEFT_OUT = "torch.testing"
LEFT_OUT_THOUGH = f"{LEFT_OUT} is left out, as by default, though it leads there (--testing follows it)"


@dataclass(frozen=True, slots=True)
class Filters:
    """What the user wants left out.

    Attributes:
        avoid: functions that no path may pass through; of a package or module, all that are in it.
        through: functions that every path must pass through, in this order; of a package or module, one of them.
        within: packages or modules that paths must stay in.
        exclude: packages or modules that no path may enter.
        certainty: the least certainty of a call.
        max_length: the most calls of a path.
        testing: whether torch.testing is followed like everything else.
        assume: `NAME=VALUE` of a parameter of the root, a state or a call, or `defaults`.
        assume_env: `NAME=VALUE` of an environment variable.
    """

    avoid: tuple[str, ...] = ()
    through: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    certainty: str = Certainty.FLOW
    max_length: int | None = None
    testing: bool = False
    assume: tuple[str, ...] = ()
    assume_env: tuple[str, ...] = ()


NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True)
class Resolved:
    """Filters in a graph.

    Attributes:
        restriction: what they leave out.
        left_out: the functions of what is left out by default.
        filters: what the answer says of them.
        notes: what the user should know of how they were understood.
    """

    restriction: Restriction
    left_out: tuple[int, ...]
    filters: tuple[str, ...]
    notes: tuple[str, ...]

    def said(self, graph: CallGraph, reached: ForwardSlice) -> list[str]:
        """What the answer says of the filters; of what is left out by default, only where a call leads there."""
        said = list(self.filters)
        if callers := self.callers_of_left_out(graph, reached):
            count = f"{callers} reached function{'s' if callers > 1 else ''}"
            said.append(f"{LEFT_OUT} is left out, as by default, where {count} could lead (--testing follows it)")
        return said

    def callers_of_left_out(self, graph: CallGraph, reached: ForwardSlice) -> int:
        """How many reached functions lead to what is left out by default."""
        callers: set[int] = set()
        fans: set[int] = set()
        for function in self.left_out:
            callers.update(graph.back_caller[graph.back_start[function] : graph.back_start[function + 1]])
            fans.update(graph.led_fan[graph.led_start[function] : graph.led_start[function + 1]])
        for fan in fans:
            callers.update(graph.having_function[graph.having_start[fan] : graph.having_start[fan + 1]])
        return sum(map(reached.inside.__getitem__, callers))


def resolve_filters(graph: CallGraph, filters: Filters, root: Root | None, target: Target | None) -> Resolved:
    """What some filters mean for a question.

    Args:
        graph: the analyzed sources, and the root where that is code.
        filters: as they were typed.
        root: where paths begin; None where a question has no root.
        target: where they end, likewise.

    Raises:
        DeepgrepError: a name in them means nothing, or they contradict each other or the question.
    """
    closed = bytearray(graph.function_count)
    _check_values(filters)
    modules = _Modules(graph)
    left_out = _left_out(modules, filters, root, target)
    for function in left_out:
        closed[function] = 1
    for package in filters.exclude:
        for function in modules.functions(package, "--exclude"):
            closed[function] = 1
    if filters.within:
        kept = {function for package in filters.within for function in modules.functions(package, "--within")}
        for function in range(graph.function_count):
            # Native code lies in no package; a root that is code counts as within.
            own = root is not None and root.is_code and graph.function(function).file == root.ref.file
            if function not in kept and graph.function_line[function] and not own:
                closed[function] = 1
    for name in filters.avoid:
        for function in _functions(graph, modules, root, name, "--avoid"):
            closed[function] = 1
    stops = (_functions(graph, modules, root, name, "--through") for name in filters.through)
    through = tuple(_with_own_call(root, stop) for stop in stops)
    _check(graph, filters, closed, root, target, through)
    assumed = assumptions(graph, root, filters.assume, filters.assume_env)
    restriction = Restriction(
        closed=bytes(closed) if any(closed) else b"",
        kinds=kinds_up_to(Certainty(filters.certainty)),
        assumptions=assumed.assumptions,
        most_calls=filters.max_length,
        through=through,
    )
    return Resolved(restriction, left_out, (*_said(filters), *assumed.said), assumed.notes)


def _check_values(filters: Filters) -> None:
    """Refuse what the command line could not have given.

    Raises:
        DeepgrepError: a filter has a value of the wrong kind.
    """
    for name in ("avoid", "through", "within", "exclude", "assume", "assume_env"):
        typed = getattr(filters, name)
        if isinstance(typed, str):
            raise DeepgrepError(f"{name}={typed!r}: it is a tuple: {(typed,)!r}")
        if not isinstance(typed, Sequence) or not all(isinstance(text, str) for text in typed):
            raise DeepgrepError(f"{name}={typed!r}: it is a tuple of texts")
    if filters.certainty not in list(Certainty):
        kinds = ", ".join(repr(kind.value) for kind in Certainty)
        raise DeepgrepError(f"certainty={filters.certainty!r}: it is one of {kinds}")
    most = filters.max_length
    if most is not None and (not isinstance(most, int) or most < 1):
        raise DeepgrepError(f"max_length={filters.max_length!r}: it is a number from 1 on")


def _said(filters: Filters) -> Iterable[str]:
    for does, names in (
        ("avoids", filters.avoid),
        ("passes through", filters.through),
        ("stays within", filters.within),
        ("stays out of", filters.exclude),
    ):
        if names:
            yield f"{does} {', '.join(names)}"
    if filters.certainty != Certainty.FLOW:
        only = "certain" if filters.certainty == Certainty.CERTAIN else "certain or dispatch"
        yield f"takes only calls that are {only}"
    if filters.max_length is not None:
        yield f"has at most {filters.max_length} call{'s' if filters.max_length > 1 else ''}"


class _Modules:
    """The modules of a graph, and the functions in them."""

    def __init__(self, graph: CallGraph) -> None:
        self._graph = graph

    def functions(self, package: str, option: str) -> list[int]:
        """Those of a package or module.

        Raises:
            DeepgrepError: there is none of this name.
        """
        found = self.found(package)
        if not found:
            import difflib

            names = [self._graph.texts[number] for number in sorted(set(self._graph.function_module))]
            near = difflib.get_close_matches(package, names, n=3)
            hint = f"did you mean {' or '.join(near)}?" if near else "write its full name"
            raise DeepgrepError(f"{option}: there is no package or module {package}: {hint}")
        return found

    def found(self, package: str) -> list[int]:
        """Those of a package or module, if there is one of this name."""
        graph, inside = self._graph, f"{package}."
        # All others have names that do not begin so; a class can be called as a package is.
        begin = bisect_left(graph.function_order, inside, key=graph.function_names.__getitem__)
        end = bisect_left(
            graph.function_order, f"{package}/", begin, key=graph.function_names.__getitem__
        )  # "/" is "." + 1
        on_top = range(len(graph.function_order), graph.function_count)  # code, whose names are in no order
        functions = [*sorted(graph.function_order[begin:end]), *on_top]
        modules = list(map(graph.function_module.__getitem__, functions))
        is_in = {number: f"{graph.texts[number]}.".startswith(inside) for number in set(modules)}
        return list(compress(functions, map(is_in.__getitem__, modules)))


def _holds_left_out(package: str) -> bool:
    return f"{LEFT_OUT}.".startswith(f"{package}.")


def _left_out(modules: _Modules, filters: Filters, root: Root | None, target: Target | None) -> tuple[int, ...]:
    """What is left out by default, unless the question is about it."""
    about = [ref.name for ref in (root and root.ref, target and target.ref) if ref]
    about += [*filters.through, *filters.within]
    if filters.testing or any(f"{name}.".startswith(f"{LEFT_OUT}.") for name in about):
        return ()
    is_within = not filters.within or any(map(_holds_left_out, filters.within))
    if not is_within or any(map(_holds_left_out, filters.exclude)):  # out already
        return ()
    return tuple(modules.found(LEFT_OUT))


def _functions(graph: CallGraph, modules: _Modules, root: Root | None, typed: str, option: str) -> tuple[int, ...]:
    """The functions that a name in a filter means, those of a root that is code first.

    Of a class it is its construction, of a package or module all that is in it; `m.<module>` is a module's own code.
    """
    if own := _of_code(graph, root, typed):
        return own
    try:
        definition = the_one(graph, typed, find(graph, typed, states=False), states=False)
    except DeepgrepError as error:
        raise DeepgrepError(f"{option}: {error}") from None
    module = definition.name.removesuffix(".<module>")
    if module != definition.name and not typed.endswith("<module>"):
        return tuple(modules.found(module))
    functions = definition.functions or definition.constructors(graph, inherited=True)
    if not functions:
        raise DeepgrepError(f"{option}: class {definition.name} has no __init__: name one of its methods")
    return functions


def _with_own_call(root: Root | None, functions: tuple[int, ...]) -> tuple[int, ...]:
    """Some functions, and the root's own call if it is one of them."""
    is_root = root is not None and not set(root.others).isdisjoint(functions)
    return (*root.functions, *functions) if root is not None and is_root else functions


def _of_code(graph: CallGraph, root: Root | None, typed: str) -> tuple[int, ...]:
    """The functions of a root that is code whose name ends so; they are the last ones of the graph."""
    found: list[int] = []
    if root is not None and root.is_code:
        for index in range(graph.function_count - 1, -1, -1):
            function = graph.function(index)
            if function.file != root.ref.file:
                break
            if f".{function.name}".endswith(f".{typed}"):
                found.append(index)
    return tuple(sorted(found))


def _check(
    graph: CallGraph,
    filters: Filters,
    closed: bytearray,
    root: Root | None,
    target: Target | None,
    through: tuple[tuple[int, ...], ...],
) -> None:
    """Refuse filters that leave no path by themselves.

    Raises:
        DeepgrepError: the root, a stop, or every place that accesses the target is left out.
    """

    def shut(functions: Iterable[int]) -> bool:
        functions = list(functions)
        return bool(functions) and all(closed[function] for function in functions)

    if root is not None and shut(root.functions):
        raise DeepgrepError(f"the root {root.ref.name} is left out by {_who(graph, filters, root.functions)}")
    for name, functions in zip(filters.through, through, strict=True):
        if shut(functions):
            raise DeepgrepError(f"--through {name} is left out by {_who(graph, filters, functions)}")
    if target is not None:
        sites = [site.function for site in target.sites]
        if shut(sites):
            who = _who(graph, filters, sites)
            raise DeepgrepError(f"every place that {VERBS[target.ref.access]} {target.ref.name} is left out by {who}")


def _who(graph: CallGraph, filters: Filters, functions: Iterable[int]) -> str:
    """Which option leaves out some functions, and what to do."""
    modules = sorted({graph.module(function) for function in functions})
    inside: Callable[[str, str], bool] = lambda module, package: f"{module}.".startswith(f"{package}.")  # noqa: E731
    for package in filters.exclude:
        if all(inside(module, package) for module in modules):
            return f"--exclude {package}: drop that"
    for package in (LEFT_OUT,) if not filters.testing else ():
        if all(inside(module, package) for module in modules):
            return "default: --testing follows torch.testing"
    if filters.within and not any(inside(module, package) for module in modules for package in filters.within):
        return f"--within {' '.join(filters.within)}: add --within {modules[0]}"
    return f"--avoid {' '.join(filters.avoid)}: drop that" if filters.avoid else "the filters together: drop one"
