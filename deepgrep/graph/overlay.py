"""Functions that are linked on top of a stored graph, laid over it: a graph that has both, made column by column.

Nothing that is stored leads to what is laid over it, so most columns are the stored ones with more at the end.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from itertools import accumulate, pairwise

import msgspec

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.columns import BYTE, SIGNED, UNSIGNED, extended_strings, pack_numbers, unpack_numbers
from deepgrep.graph.endings import endings, first_of_each
from deepgrep.graph.kinds import ACCESS_KINDS, KINDS, NO_TEXT
from deepgrep.graph.layout import FannedEdge, packed_fans, packed_passes, signature
from deepgrep.graph.pages import Blob
from deepgrep.graph.rows import Access, BlindSpot, BuiltinCall, Certainty, Edge, Function, Guard, NativeExit, State, Via
from deepgrep.graph.walks import packed_overlaps, packed_walks


class CodeEdge(msgspec.Struct, frozen=True):
    """An edge that leaves code on top.

    Attributes:
        needs: the class of which it requires an instance, or "".
        is_nested: whether the callee is a function of the graph that another one has to make.
        requirement: what it requires, by the graph's number; 0 where only the others say.
    """

    edge: Edge
    needs: str = ""
    is_nested: bool = False
    requirement: int = 0


class CodeRows(msgspec.Struct):
    """What linking says of code on top of a graph.

    Its functions are numbered on from those of the graph; guards and states are numbered from 0.

    Attributes:
        first: the number of its first function.
        body: the number of its module body.
        makes: (function, class of the graph): which of its functions make an instance of what.
        members: for each class that `makes` or an edge's `needs` names, the rows of its methods.
        meets: (requirement of the graph, function): which of its functions meet what.
    """

    first: int
    body: int
    functions: list[Function]
    edges: list[CodeEdge]
    guards: list[Guard]
    states: list[State]
    accesses: list[Access]
    blind_spots: list[BlindSpot]
    native_exits: list[NativeExit]
    builtin_calls: list[BuiltinCall]
    makes: list[tuple[int, str]]
    members: dict[str, list[int]]
    meets: list[tuple[int, int]] = []


def lay_over(graph: CallGraph, rows: CodeRows) -> CallGraph:
    """The graph with the code on top of it."""
    layer = _Layer(graph, rows)

    def blob(name: str) -> Blob:
        make = layer.sections.get(name)
        return make() if make is not None else graph.blob(name)

    return CallGraph(blob)


class _Layer:
    """The columns that differ from the stored ones, each made when it is asked for."""

    def __init__(self, graph: CallGraph, rows: CodeRows) -> None:
        self._graph = graph
        self._rows = rows
        self._new_texts: dict[str, int] = {}
        self._known_texts: dict[str, int] = {}
        self._text_count = len(graph.texts)
        self._state_number = self._number_states()
        # All texts are numbered before the first of these columns is asked for.
        self.sections: dict[str, Callable[[], bytes]] = {}
        self._functions()
        self._edges()
        self._guards()
        self._states()
        self._call_sites()
        self.sections["texts"] = lambda: extended_strings(graph.load("texts"), list(self._new_texts))

    def _text(self, text: str) -> int:
        if not text:
            return NO_TEXT
        return self._new_texts.setdefault(text, self._text_count + len(self._new_texts))

    def _known_text(self, text: str) -> int:
        """The number that the graph has for a text, if it has one: names and files are compared by number."""
        if text not in self._known_texts:
            texts = self._graph.texts
            known = next((i for i in texts.ending_with(text) if texts[i] == text), None) if text else None
            self._known_texts[text] = self._text(text) if known is None else known
        return self._known_texts[text]

    def _appended(self, code: str = UNSIGNED, **columns: Iterable[int]) -> None:
        self._added({name: pack_numbers(code, numbers) for name, numbers in columns.items()})

    def _functions(self) -> None:
        graph, rows = self._graph, self._rows
        names = [function.name for function in rows.functions]
        self.sections["function_names"] = lambda: extended_strings(graph.load("function_names"), names)
        self._endings("function_names", names, rows.first)
        own = first_of_each(names)
        self._appended(
            function_named=[
                next(iter(graph.functions_named(name)), rows.first + own[i]) for i, name in enumerate(names)
            ],
            function_module=[self._text(f.name.removesuffix(f".{f.qualname}")) for f in rows.functions],
            function_last=[self._known_text(f.qualname.rpartition(".")[2]) for f in rows.functions],
            function_file=[self._known_text(f.file) for f in rows.functions],
            function_line=[f.line for f in rows.functions],
            function_context=[self._text(f.context) for f in rows.functions],
            function_parameters=[self._text(signature(f.parameters)) for f in rows.functions],
        )

    def _guards(self) -> None:
        start, guards = self._guard_count, self._rows.guards
        self._appended(SIGNED, guard_parent=[g.parent if g.parent < 0 else start + g.parent for g in guards])
        self._appended(
            guard_kind=[self._text(guard.kind) for guard in guards],
            guard_text=[self._text(guard.text) for guard in guards],
            guard_line=[guard.line for guard in guards],
            guard_parameters=[self._text(" ".join(guard.parameters)) for guard in guards],
        )

    @cached_property
    def _guard_count(self) -> int:
        return len(self._graph.guard_parent)

    def _guard(self, index: int) -> int:
        return index if index < 0 else self._guard_count + index

    def _edges(self) -> None:
        graph, rows = self._graph, self._rows
        kind_of = {kind: i for i, kind in enumerate(KINDS)}
        made: list[tuple[int, int, int, int, int, int, int]] = []
        passes: dict[tuple[int, ...], tuple[tuple[int, int | str], ...]] = {}
        for row in rows.edges:
            edge = row.edge
            requirement = self._requirement(row.needs) if row.needs else row.requirement
            if row.is_nested and not requirement:
                requirement = self._required_by([edge.callee])
            plain = edge.via is not Via.IMPORT and not requirement
            group = 2 if not plain else int(edge.certainty is not Certainty.CERTAIN)
            kind = kind_of[edge.via, edge.certainty]
            key = (edge.caller, group, edge.callee, edge.line, kind, self._guard(edge.guard), requirement)
            made.append(key)
            known = passes.setdefault(key, edge.passes)
            passes[key] = tuple(passed for passed in known if passed in edge.passes)
        made = sorted(set(made))
        first, count = graph.edge_count, len(rows.functions)
        sizes, certain, plain_sizes = [0] * count, [0] * count, [0] * count
        for caller, group, *_ in made:
            sizes[caller - rows.first] += 1
            certain[caller - rows.first] += group == 0
            plain_sizes[caller - rows.first] += group < 2
        starts = list(accumulate(sizes, initial=first))
        self._appended(
            out_start=starts[1:],
            out_certain=[start + size for start, size in zip(starts, certain, strict=False)],
            out_plain=[start + size for start, size in zip(starts, plain_sizes, strict=False)],
            edge_callee=[edge[2] for edge in made],
            edge_line=[edge[3] for edge in made],
            edge_requires=[edge[6] for edge in made],
        )
        self._appended(BYTE, edge_kind=[edge[4] for edge in made])
        self._appended(SIGNED, edge_guard=[edge[5] for edge in made])
        fans = self._fans(
            [FannedEdge(edge[0], edge[2], edge[6], (edge[3], edge[4], edge[5])) for edge in made if edge[1] == 2]
        )
        own = list(accumulate(sizes, initial=0))[:-1]
        certain_ends = [start + size for start, size in zip(own, certain, strict=True)]
        plain_ends = [start + size for start, size in zip(own, plain_sizes, strict=True)]
        callees, kinds = [edge[2] for edge in made], [edge[4] for edge in made]
        walks, pairs = packed_walks(own, certain_ends, plain_ends, callees, kinds, len(graph.walk_callee))
        self._walks(walks, pairs, fans)
        self._passing([(first + i, passes[edge]) for i, edge in enumerate(made) if passes[edge]])
        self._incoming([(edge[2], edge[1] == 2, first + i, edge[0]) for i, edge in enumerate(made)])
        self._requirements()

    def _fans(self, edges: list[FannedEdge]) -> dict[str, bytes]:
        graph, rows = self._graph, self._rows
        callers = range(rows.first, rows.first + len(rows.functions))
        packed = packed_fans(callers, edges, len(graph.fan_kind), len(graph.fan_callee), len(graph.site_fan))
        after_first = {name: packed[name][4:] for name in ("site_start", "fan_start")}  # where that begins is stored
        self._added({**packed, **after_first})
        return packed

    def _walks(self, walks: dict[str, bytes], pairs: list[tuple[int, int]], fans: dict[str, bytes]) -> None:
        """What searches walk, see `walks`.

        Args:
            walks: the sections that `packed_walks` gives.
            pairs: what else it gives.
            fans: what `packed_fans` gives.
        """
        graph, first, count = self._graph, self._rows.first, len(self._rows.functions)
        site_start, site_fan, fan_start, fan_callee = (
            unpack_numbers(UNSIGNED, fans[name], name) for name in ("site_start", "site_fan", "fan_start", "fan_callee")
        )
        first_fan, first_member, first_site = len(graph.fan_kind), len(graph.fan_callee), len(graph.site_fan)
        spans = [range(start - first_member, end - first_member) for start, end in pairwise(fan_start)]
        members = [[fan_callee[i] for i in span] for span in spans]
        sites = [start - first_site for start in site_start]
        overlaps = packed_overlaps(pairs, sites, site_fan, lambda fan: members[fan - first_fan])
        self._added({**walks, "walk_start": walks["walk_start"][4:], **overlaps})
        self._grouped("back", "caller", [(callee, first + caller) for caller, callee in pairs], first + count)
        led = [(callee, fan) for fan, callees in enumerate(members, first_fan) for callee in callees]
        self._grouped("led", "fan", led, first + count)
        having = [(fan, first + i) for i, (start, end) in enumerate(pairwise(sites)) for fan in site_fan[start:end]]
        self._grouped("having", "function", having, first_fan + len(members))

    def _grouped(self, name: str, member: str, pairs: list[tuple[int, int]], groups: int) -> None:
        """Add members to the groups of `walks.grouped`, and groups at the end."""
        ordered = sorted(set(pairs))

        def old_starts() -> array[int]:
            old = array(UNSIGNED, getattr(self._graph, f"{name}_start"))
            old.extend([old[-1]] * (groups + 1 - len(old)))
            return old

        def members() -> bytes:
            old = old_starts()
            places = [old[group + 1] for group, _ in ordered]
            return _packed(_inserted(getattr(self._graph, f"{name}_{member}"), places, [new for _, new in ordered]))

        self.sections[f"{name}_start"] = lambda: _packed(_shifted(old_starts(), [group + 1 for group, _ in ordered]))
        self.sections[f"{name}_{member}"] = members

    def _endings(self, column: str, names: Sequence[str], first: int) -> None:
        """Let rows be found by the ends of their names, see `endings`."""
        found = endings(names, first)

        @cache
        def places() -> list[int]:
            sums = getattr(self._graph, f"{column}_sum")
            return [bisect_right(sums, number) for number, _ in found]

        for part, name in enumerate((f"{column}_sum", f"{column}_row")):
            self.sections[name] = lambda part=part, name=name: _packed(  # type: ignore[misc]
                _inserted(getattr(self._graph, name), places(), [end[part] for end in found])
            )

    def _added(self, packed: dict[str, bytes]) -> None:
        """Let sections follow on the stored ones of their names."""
        for name, section in packed.items():
            self.sections[name] = lambda name=name, section=section: self._graph.load(name) + section  # type: ignore[misc]

    def _passing(self, edges: list[tuple[int, tuple[tuple[int, int | str], ...]]]) -> None:
        graph = self._graph
        packed = packed_passes(edges, self._text, len(graph.passing_end) - 1, len(graph.passing_parameter))
        packed["passing_end"] = packed["passing_end"][4:]  # where the first one begins is stored
        self._added(packed)

    def _incoming(self, edges: list[tuple[int, bool, int, int]]) -> None:
        """Put new edges, (callee, whether it is conditional, its number, caller), among those that enter a callee."""
        graph, count = self._graph, self._rows.first
        edges = sorted(edges)
        end = graph.edge_count

        @cache
        def places() -> list[int]:
            return [
                end if callee >= count else graph.in_start[callee + 1] if conditional else graph.in_plain[callee]
                for callee, conditional, _, _ in edges
            ]

        def starts() -> bytes:
            old = array(UNSIGNED, graph.in_start)
            old.extend([end] * len(self._rows.functions))
            return _packed(_shifted(old, [callee + 1 for callee, *_ in edges]))

        def plain() -> bytes:
            old = array(UNSIGNED, graph.in_plain)
            old.extend([end] * len(self._rows.functions))
            moved = sorted(callee + conditional for callee, conditional, *_ in edges)
            return _packed(_shifted(old, moved))

        self.sections["in_start"] = starts
        self.sections["in_plain"] = plain
        self.sections["in_caller"] = lambda: _packed(_inserted(graph.in_caller, places(), [e[3] for e in edges]))
        self.sections["in_edge"] = lambda: _packed(_inserted(graph.in_edge, places(), [e[2] for e in edges]))

    def _requirement(self, class_name: str) -> int:
        """What the graph's edges to methods of a class require, those of relays aside; 0 where that is nothing."""
        of_instance = set(self._graph.requirements_of(class_name))
        required = self._required(self._rows.members.get(class_name, ()))
        return min((number for number, of_relay in required if number in of_instance and not of_relay), default=0)

    def _required_by(self, functions: Sequence[int]) -> int:
        """What the graph's edges into some functions require, those of relays aside; 0 where they require nothing."""
        return next((requirement for requirement, of_relay in self._required(functions) if not of_relay), 0)

    def _required(self, functions: Iterable[int]) -> list[tuple[int, bool]]:
        """What the edges into some functions require, each with whether it is a relay that they come from."""
        graph = self._graph
        found: dict[tuple[int, bool], None] = {}
        for function in functions:
            for position in range(graph.in_plain[function], graph.in_start[function + 1]):
                if requirement := graph.edge_requires[graph.in_edge[position]]:
                    found[requirement, not graph.function_line[graph.in_caller[position]]] = None
        return sorted(found)

    def _requirements(self) -> None:
        """Functions of the code that make instances meet what is required of those that the graph has."""
        graph, rows = self._graph, self._rows

        @cache
        def met() -> list[tuple[int, int]]:
            made = {(requirement, f) for f, name in rows.makes for requirement in graph.requirements_of(name)}
            return sorted(made.union(rows.meets))

        def starts() -> bytes:
            return _packed(_shifted(graph.requires_start, [requirement + 1 for requirement, _ in met()]))

        def members() -> bytes:
            places = [graph.requires_start[requirement + 1] for requirement, _ in met()]
            return _packed(_inserted(graph.requires_member, places, [function for _, function in met()]))

        self.sections["requires_start"] = starts
        self.sections["requires_member"] = members

    def _number_states(self) -> list[int]:
        """The graph's number of each state; those that it does not know follow on its own."""
        numbers, count = [], len(self._graph.state_names)
        self._new_states: list[State] = []
        for state in self._rows.states:
            known = self._graph.states_named(state.name)
            if known:
                numbers.append(known[0])
            else:
                numbers.append(count + len(self._new_states))
                self._new_states.append(state)
        return numbers

    def _states(self) -> None:
        graph, new = self._graph, self._new_states
        names = [state.name for state in new]
        count = len(graph.state_names)
        self.sections["state_names"] = lambda: extended_strings(graph.load("state_names"), names)
        self._endings("state_names", names, count)

        def order() -> bytes:
            old = graph.state_order
            by_name = sorted(range(len(new)), key=names.__getitem__)
            places = [bisect_left(old, names[i], key=graph.state_names.__getitem__) for i in by_name]
            return _packed(_inserted(old, places, [count + i for i in by_name]))

        self.sections["state_order"] = order
        self._appended(
            state_kind=[self._text(state.kind) for state in new],
            state_scope=[self._text(state.scope) for state in new],
        )
        self._accesses(count)

    def _accesses(self, states: int) -> None:
        graph, rows = self._graph, self._rows
        accesses = sorted(
            (self._state_number[a.state], ACCESS_KINDS.index(a.access) * 2 + a.restore, a.function, a.line,
             self._text(a.form), self._guard(a.guard))
            for a in set(rows.accesses)
        )  # fmt: skip
        end = len(graph.access_function)

        @cache
        def places() -> list[int]:
            return [graph.access_start[access[0] + 1] if access[0] < states else end for access in accesses]

        def column(name: str, part: int) -> None:
            self.sections[name] = lambda: _packed(
                _inserted(getattr(graph, name), places(), [access[part] for access in accesses])
            )

        for part, name in enumerate(("kind", "function", "line", "form", "guard"), 1):
            column(f"access_{name}", part)

        def starts() -> bytes:
            old = array(UNSIGNED, graph.access_start)
            old.extend([end] * len(self._new_states))
            return _packed(_shifted(old, [access[0] + 1 for access in accesses]))

        def moved() -> array[int]:
            """The new number of each stored access, then those of the new ones."""
            return _shifted(array(UNSIGNED, range(end)), places())

        def by_function() -> bytes:
            numbers = moved()
            own = [place + i for i, place in enumerate(places())]
            ordered = sorted(range(len(accesses)), key=lambda i: (accesses[i][2], accesses[i][3], own[i]))
            return pack_numbers(
                UNSIGNED, [*map(numbers.__getitem__, graph.function_access), *(own[i] for i in ordered)]
            )

        self.sections["access_start"] = starts
        self.sections["function_access"] = by_function
        self._appended(function_access_start=self._ends(end, [access[2] for access in accesses]))

    def _ends(self, first: int, functions: Iterable[int]) -> list[int]:
        """Where the rows of each function of the code end, if those of the graph end at `first`."""
        sizes = [0] * len(self._rows.functions)
        for function in functions:
            sizes[function - self._rows.first] += 1
        return list(accumulate(sizes, initial=first))[1:]

    def _call_sites(self) -> None:
        graph, rows = self._graph, self._rows
        blind = sorted(
            set(rows.blind_spots), key=lambda b: (b.function, b.line, b.expression, b.name, b.reason, b.guard)
        )
        exits = sorted(set(rows.native_exits), key=lambda e: (e.function, e.line, e.callee, e.guard))
        builtins = sorted(set(rows.builtin_calls), key=lambda b: (b.function, b.callee))
        self._appended(
            blind_start=self._ends(graph.blind_start[-1], [spot.function for spot in blind]),
            blind_line=[spot.line for spot in blind],
            blind_expression=[self._text(spot.expression) for spot in blind],
            blind_name=[self._known_text(spot.name) for spot in blind],
            blind_reason=[self._text(spot.reason) for spot in blind],
            exit_start=self._ends(graph.exit_start[-1], [exit_.function for exit_ in exits]),
            exit_line=[exit_.line for exit_ in exits],
            exit_callee=[self._text(exit_.callee) for exit_ in exits],
            builtin_start=self._ends(graph.builtin_start[-1], [call.function for call in builtins]),
            builtin_callee=[self._text(call.callee) for call in builtins],
        )
        self._appended(
            SIGNED,
            blind_guard=[self._guard(spot.guard) for spot in blind],
            exit_guard=[self._guard(exit_.guard) for exit_ in exits],
        )


def _packed(column: array[int]) -> bytes:
    return pack_numbers(column.typecode, column)


def _inserted(column: array[int], places: Sequence[int], values: Sequence[int]) -> array[int]:
    """A column with a value put in before each of some places, which ascend."""
    result = array(column.typecode)
    start = 0
    for place, value in zip(places, values, strict=True):
        result.extend(column[start:place])
        result.append(value)
        start = place
    result.extend(column[start:])
    return result


def _shifted(column: array[int], places: Sequence[int]) -> array[int]:
    """A column in which each number is raised by how many of `places`, which ascend, are at or before it."""
    result = array(column.typecode)
    start = 0
    for shift, place in enumerate([*places, len(column)]):
        if place > start:
            part = column[start:place]
            result.extend(part if shift == 0 else array(column.typecode, [number + shift for number in part]))
            start = place
    return result
