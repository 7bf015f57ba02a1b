"""A call graph as questions read it: columns, each loaded and decoded when first looked at."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import cast, overload

import msgspec

from deepgrep.graph.columns import BYTE, SIGNED, UNSIGNED, Rows, Strings, unpack_numbers
from deepgrep.graph.endings import rows_ending
from deepgrep.graph.kinds import ACCESS_KINDS, KINDS
from deepgrep.graph.layout import Meta, pack, parameters_of
from deepgrep.graph.pages import Blob, malformed, whole
from deepgrep.graph.rows import (
    Access,
    BlindSpot,
    ClassRow,
    Edge,
    Function,
    Guard,
    NativeExit,
    Skipped,
    Source,
    State,
)

__all__ = ["CallGraph", "pack"]


class _Numbers:
    """A column of numbers: the section of the attribute's name, decoded on the first look."""

    def __init__(self, code: str = UNSIGNED) -> None:
        self._code = code

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, graph: None, owner: type) -> _Numbers: ...
    @overload
    def __get__(self, graph: CallGraph, owner: type) -> array[int]: ...
    def __get__(self, graph: CallGraph | None, owner: type) -> _Numbers | array[int]:
        if graph is None:
            return self
        column = unpack_numbers(self._code, graph.blob(self._name), self._name)
        graph.__dict__[self._name] = column  # found before this descriptor from now on
        return column


class _Strings:
    """A column of strings, likewise; of one that is large and of which few rows are looked at, only pages are read."""

    def __init__(self, *, few: bool = False) -> None:
        self._few = few

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, graph: None, owner: type) -> _Strings: ...
    @overload
    def __get__(self, graph: CallGraph, owner: type) -> Strings: ...
    def __get__(self, graph: CallGraph | None, owner: type) -> _Strings | Strings:
        if graph is None:
            return self
        column = Strings(graph.blob(self._name) if self._few else graph.load(self._name), self._name)
        graph.__dict__[self._name] = column
        return column


class CallGraph:
    """A linked call graph; built with a function that gives a section that `pack` wrote.

    Functions, edges, guards, states and accesses are numbered from 0; edges in the order of their callers. The columns
    are there for searches, and are read as a whole; single rows come from the methods, which read no more than those.
    """

    function_names = _Strings(few=True)
    function_names_sum = _Numbers()
    function_names_row = _Numbers()
    function_order = _Numbers()
    function_named = _Numbers()
    function_module = _Numbers()
    function_last = _Numbers()
    function_file = _Numbers()
    function_line = _Numbers()
    function_context = _Numbers()
    function_parameters = _Numbers()
    texts = _Strings(few=True)

    # The edges of caller f: out_start[f] .. out_start[f + 1]; those before out_plain[f] can always be taken, and of
    # these the ones before out_certain[f] are certain.
    out_start = _Numbers()
    out_certain = _Numbers()
    out_plain = _Numbers()
    edge_callee = _Numbers()
    edge_line = _Numbers()
    edge_kind = _Numbers(BYTE)
    edge_guard = _Numbers(SIGNED)
    edge_requires = _Numbers()
    requires_start = _Numbers()
    requires_member = _Numbers()
    # What edges require that says that a class has an instance, by the class.
    instance_names = _Strings(few=True)
    instance_requirement = _Numbers()
    # The conditional ones once more: the call sites of function f are site_start[f] .. site_start[f + 1], and one with
    # the fan site_fan[i] leads to what that holds, fan_start[n] .. fan_start[n + 1].
    site_start = _Numbers()
    site_fan = _Numbers()
    fan_start = _Numbers()
    fan_callee = _Numbers()
    fan_requires = _Numbers()
    fan_kind = _Numbers(BYTE)
    # What searches walk, see `walks`: of the plain edges of f those that lead somewhere for less than the ones before,
    # walk_start[f] .. walk_start[f + 1], those before walk_certain[f] certain; back, the callers of f that have one to
    # it, back_start[f] .. back_start[f + 1], the fans that lead to f, led_start[f] .. led_start[f + 1], and who has
    # the fan n, having_start[n] .. having_start[n + 1].
    walk_start = _Numbers()
    walk_certain = _Numbers()
    walk_callee = _Numbers()
    walk_kind = _Numbers(BYTE)
    walk_overlaps = _Numbers(BYTE)
    back_start = _Numbers()
    back_caller = _Numbers()
    led_start = _Numbers()
    led_fan = _Numbers()
    having_start = _Numbers()
    having_function = _Numbers()
    # What has certainly run, see `sure_calls`: that f calls, sure_start[f] .. sure_start[f + 1]; and that the module
    # body body_function[i] imports, body_start[i] .. body_start[i + 1].
    sure_start = _Numbers()
    sure_callee = _Numbers()
    sure_requires = _Numbers()
    body_function = _Numbers()
    body_start = _Numbers()
    body_import = _Numbers()
    body_always = _Numbers(BYTE)
    # All edges by callee.
    in_start = _Numbers()
    in_plain = _Numbers()
    in_caller = _Numbers()
    in_edge = _Numbers()

    guard_parent = _Numbers(SIGNED)
    guard_kind = _Numbers()
    guard_text = _Numbers()
    guard_line = _Numbers()
    guard_parameters = _Numbers()

    # What edges pass on: of passing_edge[i] the items passing_end[r] .. passing_end[r + 1], where r is passing_row[i];
    # a source is the number of a constant's text, or ~p for the caller's parameter p.
    passing_edge = _Numbers()
    passing_row = _Numbers()
    passing_end = _Numbers()
    passing_parameter = _Numbers()
    passing_source = _Numbers(SIGNED)

    state_names = _Strings(few=True)
    state_names_sum = _Numbers()
    state_names_row = _Numbers()
    state_order = _Numbers()
    state_kind = _Numbers()
    state_scope = _Numbers()
    access_start = _Numbers()
    access_function = _Numbers()
    access_line = _Numbers()
    access_form = _Numbers()
    access_kind = _Numbers(BYTE)
    access_guard = _Numbers(SIGNED)
    function_access_start = _Numbers()
    function_access = _Numbers()

    blind_start = _Numbers()
    blind_line = _Numbers()
    blind_expression = _Numbers()
    blind_name = _Numbers()
    blind_reason = _Numbers()
    blind_guard = _Numbers(SIGNED)
    exit_start = _Numbers()
    exit_line = _Numbers()
    exit_callee = _Numbers()
    exit_guard = _Numbers(SIGNED)
    builtin_start = _Numbers()
    builtin_callee = _Numbers()

    class_names = _Strings(few=True)
    class_names_sum = _Numbers()
    class_names_row = _Numbers()
    class_file = _Numbers()
    class_line = _Numbers()
    mro_start = _Numbers()
    mro_member = _Numbers()
    constructor_name = _Numbers()
    constructor_function = _Numbers()
    alias_names = _Strings(few=True)
    alias_names_sum = _Numbers()
    alias_names_row = _Numbers()
    alias_target = _Numbers()
    object_names = _Strings()
    object_class = _Numbers()

    def __init__(self, blob: Callable[[str], Blob]) -> None:
        self.blob = blob
        self._rows: dict[str, Sequence[int]] = {}
        self._guards: dict[int, Guard] = {}
        """Those that were asked for: many calls stand under the same."""

    def load(self, name: str) -> bytes:
        """All bytes of a section."""
        return whole(self.blob(name))

    def look(self, name: str, *, signed: bool = False) -> Sequence[int]:
        """A column of numbers of 32 bits to look at single rows of, for what does not walk all of it."""
        if name in self.__dict__:
            return cast("array[int]", self.__dict__[name])
        if name not in self._rows:
            self._rows[name] = Rows(self.blob(name), name, signed=signed)
        return self._rows[name]

    @cached_property
    def _meta(self) -> Meta:
        try:
            return msgspec.msgpack.decode(self.load("meta"), type=Meta)
        except msgspec.MsgspecError as error:
            raise malformed("meta") from error

    @property
    def sources(self) -> list[Source]:
        """Which versions of which packages this graph is of."""
        return self._meta.sources

    @property
    def skipped(self) -> list[Skipped]:
        """The files that are not part of it."""
        return self._meta.skipped

    @cached_property
    def function_count(self) -> int:
        """How many functions there are."""
        if not self.out_start:
            raise malformed("out_start")
        return len(self.out_start) - 1

    @property
    def edge_count(self) -> int:
        """How many edges there are."""
        return len(self.edge_callee)

    def module(self, index: int) -> str:
        """The dotted name of the module that a function is in."""
        return self.texts[self.function_module[index]]

    def function(self, index: int) -> Function:
        """One function."""
        name = self.function_names[index]
        return Function(
            name=name,
            file=self.texts[self.function_file[index]],
            qualname=name[len(self.module(index)) + 1 :] or "<module>",
            line=self.function_line[index],
            context=self.texts[self.function_context[index]],
            parameters=parameters_of(self.texts[self.function_parameters[index]]),
        )

    def functions_named(self, name: str) -> list[int]:
        """Every function of exactly this name: its contexts, and definitions that replace each other."""
        return _rows_named(self.function_names, self.function_order, name)

    def rows_ending(self, column: str, typed: str) -> Iterator[int]:
        """The rows of a column of names that may end with what was typed, few others among them; see `endings`."""
        return rows_ending(self.look(f"{column}_sum"), self.look(f"{column}_row"), typed)

    def module_body(self, module: str) -> int | None:
        """The code of a module, by its dotted name."""
        return next(iter(self.functions_named(f"{module}.<module>")), None)

    def out_edges(self, function: int) -> range:
        """The edges that leave a function."""
        return range(self.out_start[function], self.out_start[function + 1])

    def in_edges(self, function: int) -> Sequence[int]:
        """The edges that enter a function."""
        return self.in_edge[self.in_start[function] : self.in_start[function + 1]]

    def caller(self, edge: int) -> int:
        """The function that an edge leaves."""
        return bisect_right(self.out_start, edge) - 1

    def edge(self, index: int) -> Edge:
        """One edge."""
        via, certainty = KINDS[self.edge_kind[index]]
        return Edge(
            caller=self.caller(index),
            callee=self.look("edge_callee")[index],
            line=self.look("edge_line")[index],
            via=via,
            certainty=certainty,
            guard=self.look("edge_guard", signed=True)[index],
            requires=tuple(self.requirement(self.look("edge_requires")[index])),
            passes=self.passes(index),
        )

    def passes(self, edge: int) -> tuple[tuple[int, int | str], ...]:
        """What an edge passes on; see `Edge.passes`."""
        passing = self.look("passing_edge")
        place = bisect_left(passing, edge)
        if place == len(passing) or passing[place] != edge:
            return ()
        return self.passes_of(self.look("passing_row")[place])

    def passes_of(self, row: int) -> tuple[tuple[int, int | str], ...]:
        """One row of what edges pass on."""
        return tuple(
            (self.passing_parameter[i], self.texts[source] if source >= 0 else ~source)
            for i, source in enumerate(
                self.passing_source[self.passing_end[row] : self.passing_end[row + 1]], self.passing_end[row]
            )
        )

    def requirement(self, index: int) -> Sequence[int]:
        """The functions of one set that edges require one of; the set 0 is empty."""
        return self.requires_member[self.requires_start[index] : self.requires_start[index + 1]]

    def requirements_of(self, name: str) -> list[int]:
        """The requirements, by number, that an instance of a class meets."""
        start, end = bisect_left(self.instance_names, name), bisect_right(self.instance_names, name)
        return self.instance_requirement[start:end].tolist()

    def required_classes(self) -> dict[int, str]:
        """For each requirement that an instance meets, by number, the first class that it may be of."""
        found: dict[int, str] = {}
        for name, requirement in zip(self.instance_names, self.instance_requirement, strict=True):
            found.setdefault(requirement, name)
        return found

    def guard(self, index: int) -> Guard:
        """One guard."""
        guard = self._guards.get(index)
        if guard is None:
            guard = self._guards[index] = self._guard(index)
        return guard

    def _guard(self, index: int) -> Guard:
        return Guard(
            parent=self.look("guard_parent", signed=True)[index],
            kind=self.texts[self.look("guard_kind")[index]],
            text=self.texts[self.look("guard_text")[index]],
            line=self.look("guard_line")[index],
            parameters=tuple(self.texts[self.look("guard_parameters")[index]].split()),
        )

    def guard_chain(self, index: int) -> list[Guard]:
        """A guard and those around it, outermost first; none for -1."""
        chain: list[Guard] = []
        while index >= 0:
            chain.append(self.guard(index))
            index = chain[-1].parent
        return chain[::-1]

    def state(self, index: int) -> State:
        """One state."""
        return State(
            name=self.state_names[index],
            kind=self.texts[self.state_kind[index]],
            scope=self.texts[self.state_scope[index]],
        )

    def states_named(self, name: str) -> list[int]:
        """Every state of exactly this name."""
        return _rows_named(self.state_names, self.state_order, name)

    def accesses_of(self, state: int) -> list[Access]:
        """What touches a state, sorted by kind, function and line."""
        return [self._access(i, state) for i in range(self.access_start[state], self.access_start[state + 1])]

    def accesses_in(self, function: int) -> list[Access]:
        """What a function touches, by line."""
        start, end = self.function_access_start[function], self.function_access_start[function + 1]
        return [self._access(i, bisect_right(self.access_start, i) - 1) for i in self.function_access[start:end]]

    def _access(self, index: int, state: int) -> Access:
        kind, restore = divmod(self.access_kind[index], 2)
        return Access(
            state=state,
            function=self.look("access_function")[index],
            line=self.look("access_line")[index],
            access=ACCESS_KINDS[kind],
            form=self.texts[self.look("access_form")[index]],
            restore=bool(restore),
            guard=self.look("access_guard", signed=True)[index],
        )

    def blind_spot(self, index: int, function: int) -> BlindSpot:
        """One blind spot of a function, `index` from `blind_start[function]` on."""
        return BlindSpot(
            function=function,
            line=self.blind_line[index],
            expression=self.texts[self.blind_expression[index]],
            name=self.texts[self.blind_name[index]],
            reason=self.texts[self.blind_reason[index]],
            guard=self.blind_guard[index],
        )

    def blind_spots_in(self, function: int) -> list[BlindSpot]:
        """A function's calls whose callees are not all known, by line."""
        spots = range(self.blind_start[function], self.blind_start[function + 1])
        return [self.blind_spot(i, function) for i in spots]

    def native_exits_in(self, function: int) -> list[NativeExit]:
        """A function's calls into native code without a model, by line."""
        exits = range(self.exit_start[function], self.exit_start[function + 1])
        return [
            NativeExit(function, self.exit_line[i], self.texts[self.exit_callee[i]], self.exit_guard[i]) for i in exits
        ]

    def builtins_in(self, function: int) -> list[str]:
        """The builtins, and methods of builtin types, that a function calls, by name."""
        return [
            self.texts[i] for i in self.builtin_callee[self.builtin_start[function] : self.builtin_start[function + 1]]
        ]

    def class_row(self, index: int) -> ClassRow:
        """One class; they are sorted by name."""
        return ClassRow(
            name=self.class_names[index],
            file=self.texts[self.class_file[index]],
            line=self.class_line[index],
            mro=tuple(self.texts[i] for i in self.mro_member[self.mro_start[index] : self.mro_start[index + 1]]),
        )

    def classes_named(self, name: str) -> list[ClassRow]:
        """Every class of exactly this name."""
        found = []
        index = bisect_left(self.class_names, name)
        while index < len(self.class_names) and self.class_names[index] == name:
            found.append(self.class_row(index))
            index += 1
        return found

    def classes_of(self, state: str) -> list[ClassRow]:
        """The classes of the objects that a state holds, where these are told apart from others of their class."""
        found: list[ClassRow] = []
        index = bisect_left(self.object_names, state)
        while index < len(self.object_names) and self.object_names[index] == state:
            found += self.classes_named(self.texts[self.object_class[index]])
            index += 1
        return found

    def alias(self, name: str) -> str | None:
        """The definition's own name that another full name stands for."""
        index = bisect_left(self.alias_names, name)
        if index < len(self.alias_names) and self.alias_names[index] == name:
            return self.alias_definition(index)
        return None

    def aliases_of(self, name: str) -> list[str]:
        """The other full names that stand for a definition."""
        return [self.alias_names[i] for i, text in enumerate(self.alias_target) if self.texts[text] == name]

    def alias_definition(self, index: int) -> str:
        """The definition's own name that the alias of this number stands for."""
        return self.texts[self.alias_target[index]]


def _rows_named(names: Strings, order: array[int], name: str) -> list[int]:
    """The rows of a name, found by bisection over `order`, which sorts the rows by name."""

    def found() -> Iterator[int]:
        position = bisect_left(order, name, key=names.__getitem__)
        while position < len(order) and names[order[position]] == name:
            yield order[position]
            position += 1

    return list(found())
