"""How rows become columns: `pack`, the writing half of `CallGraph`.

Edges are sorted by caller; within a caller first those that can always be taken, the certain ones before the others,
then those that a question must look at (imports, and edges that require something): the conditional ones. So a search
walks most edges by slices. The conditional ones are kept once more by call site, see `packed_fans`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from itertools import accumulate
from typing import NamedTuple

import msgspec

from deepgrep.graph.columns import BYTE, SIGNED, UNSIGNED, pack_numbers, pack_strings
from deepgrep.graph.endings import first_of_each, packed_endings
from deepgrep.graph.kinds import ACCESS_KINDS, CERTAIN, IMPORT, KINDS, NO_TEXT
from deepgrep.graph.rows import Certainty, Edge, GraphRows, Parameter, Skipped, Source, Via
from deepgrep.graph.sure_calls import Edges, always_run, packed_imports, packed_sure_calls
from deepgrep.graph.walks import search_columns


class Meta(msgspec.Struct, frozen=True):
    """The small rest of a graph that is not columns."""

    sources: list[Source]
    skipped: list[Skipped]


class _Texts:
    """Strings that occur often (files, expressions, conditions), each kept once."""

    def __init__(self) -> None:
        self._index: dict[str, int] = {"": NO_TEXT}

    def __call__(self, text: str) -> int:
        return self._index.setdefault(text, len(self._index))

    def all(self) -> list[str]:
        return list(self._index)


def pack(rows: GraphRows) -> dict[str, bytes]:
    """The sections that `CallGraph` reads.

    Raises:
        ValueError: a row breaks its contract: an index out of range, a function's name that does not end with its
            qualname.
    """
    text = _Texts()
    sections = {**rows.interface, "meta": msgspec.msgpack.encode(Meta(rows.sources, rows.skipped))}
    sections |= _functions(rows, text)
    sections |= _edges(rows, text)
    sections |= _guards(rows, text)
    sections |= _states(rows, text)
    sections |= _call_sites(rows, text)
    sections |= _classes(rows, text)
    sections["texts"] = pack_strings(text.all())
    return sections


def _starts(count: int, keys: Iterable[int], what: str) -> list[int]:
    """Where each of `count` groups begins in rows sorted by key, and where the last one ends."""
    sizes = [0] * (count + 1)
    for key in keys:
        if not 0 <= key < count:
            raise ValueError(f"{what} {key} is out of range: there are {count}")
        sizes[key + 1] += 1
    return list(accumulate(sizes))


def _numbers(code: str = UNSIGNED, **columns: Iterable[int]) -> dict[str, bytes]:
    return {name: pack_numbers(code, numbers) for name, numbers in columns.items()}


def _functions(rows: GraphRows, text: _Texts) -> dict[str, bytes]:
    functions = rows.functions
    for function in functions:
        if not function.name.endswith("." + function.qualname):
            raise ValueError(f"function name {function.name!r} does not end with its qualname {function.qualname!r}")
    names = [function.name for function in functions]
    return {
        "function_names": pack_strings(names),
        **packed_endings("function_names", names),
        **_numbers(
            function_order=sorted(range(len(names)), key=lambda i: (names[i], i)),
            function_named=first_of_each(names),
            function_module=(text(f.name[: -len(f.qualname) - 1]) for f in functions),
            function_last=(text(f.qualname.rpartition(".")[2]) for f in functions),
            function_file=(text(f.file) for f in functions),
            function_line=(f.line for f in functions),
            function_context=(text(f.context) for f in functions),
            function_parameters=(text(signature(f.parameters)) for f in functions),
        ),
    }


class _Group(IntEnum):
    """The order of a caller's edges."""

    CERTAIN = 0
    PLAIN = 1
    CONDITIONAL = 2


def _group(edge: Edge) -> _Group:
    if edge.via is Via.IMPORT or edge.requires:
        return _Group.CONDITIONAL
    return _Group.CERTAIN if edge.certainty is Certainty.CERTAIN else _Group.PLAIN


_PackedEdge = tuple[int, _Group, int, int, int, int, tuple[int, ...], tuple[tuple[int, int | str], ...]]


def _edge_order(edge: _PackedEdge) -> tuple[object, ...]:
    return edge[:7], tuple((parameter, str(source)) for parameter, source in edge[7])


def _edges(rows: GraphRows, text: _Texts) -> dict[str, bytes]:
    count = len(rows.functions)
    kind_of = {kind: i for i, kind in enumerate(KINDS)}
    requirements: dict[tuple[int, ...], int] = {(): 0}
    by_caller: dict[int, set[_PackedEdge]] = {}
    for edge in rows.edges:
        kind = kind_of[edge.via, edge.certainty]
        requires = tuple(sorted(set(edge.requires))) if len(edge.requires) > 1 else edge.requires
        packed = (edge.caller, _group(edge), edge.callee, edge.line, kind, edge.guard, requires, edge.passes)
        by_caller.setdefault(edge.caller, set()).add(packed)
    ordered = [edge for caller in sorted(by_caller) for edge in sorted(by_caller[caller], key=_edge_order)]
    callers = [edge[0] for edge in ordered]
    callees = [edge[2] for edge in ordered]
    required = [requirements.setdefault(edge[6], len(requirements)) for edge in ordered]
    members = [member for needed in requirements for member in needed]
    if any(not 0 <= member < count for member in members):
        raise ValueError("an edge requires a function that is out of range")
    incoming = sorted(range(len(ordered)), key=lambda e: (callees[e], ordered[e][1] is _Group.CONDITIONAL, e))
    out_start, in_start = _starts(count, callers, "caller"), _starts(count, callees, "callee")
    out_certain, out_plain, in_plain = out_start[:count], out_start[:count], in_start[:count]
    for caller, group, callee, *_ in ordered:
        out_certain[caller] += group is _Group.CERTAIN
        out_plain[caller] += group is not _Group.CONDITIONAL
        in_plain[callee] += group is not _Group.CONDITIONAL
    fans = packed_fans(
        range(count),
        [
            FannedEdge(edge[0], edge[2], needed, (edge[3], edge[4], edge[5]))
            for edge, needed in zip(ordered, required, strict=True)
            if edge[1] is _Group.CONDITIONAL
        ],
    )
    kinds = [edge[4] for edge in ordered]
    needed = [(name, requirements.get(tuple(sorted(set(places))), 0)) for name, places in rows.instance_requirements]
    instances = sorted({(name, requirement) for name, requirement in needed if requirement})
    edges = Edges(
        out_start,
        out_certain,
        out_plain,
        callees,
        [edge[5] for edge in ordered],
        required,
        is_import=lambda edge: bool(IMPORT[kinds[edge]]),
        is_certain=lambda edge: bool(CERTAIN[kinds[edge]]),
    )
    is_run = always_run([guard.parent for guard in rows.guards], [guard.kind for guard in rows.guards])
    return {
        **packed_sure_calls(edges, is_run),
        **packed_imports([function.name for function in rows.functions], edges, is_run),
        **search_columns(out_start, out_certain, out_plain, callees, kinds, fans),
        **fans,
        **_numbers(
            out_start=out_start,
            out_certain=out_certain,
            out_plain=out_plain,
            edge_callee=callees,
            edge_line=(edge[3] for edge in ordered),
            edge_requires=required,
            in_start=in_start,
            in_plain=in_plain,
            in_caller=(callers[e] for e in incoming),
            in_edge=incoming,
            requires_start=[0, *accumulate(map(len, requirements))],
            requires_member=members,
            instance_requirement=(requirement for _, requirement in instances),
        ),
        "instance_names": pack_strings([name for name, _ in instances]),
        **_numbers(BYTE, edge_kind=kinds),
        **_numbers(SIGNED, edge_guard=(edge[5] for edge in ordered)),
        **packed_passes([(i, edge[7]) for i, edge in enumerate(ordered) if edge[7]], text),
    }


class FannedEdge(NamedTuple):
    """A conditional edge, as `packed_fans` takes it.

    Attributes:
        requirement: the number of what it requires.
        site: its line, the number of its kind, and its guard: the edges of a caller that share them are one call site.
    """

    caller: int
    callee: int
    requirement: int
    site: tuple[int, int, int]


def packed_fans(
    callers: range, edges: Iterable[FannedEdge], first: int = 0, first_member: int = 0, first_site: int = 0
) -> dict[str, bytes]:
    """Conditional edges by call site: `site_start` and `site_fan`, and the fans, each kept once.

    A fan is what a call site can lead to. A method that is called by a common name has the same overrides wherever that
    is done: half a million such edges of torch are 20,000 fans, and a search looks at each only once.

    Args:
        callers: the functions that edges may leave.
        edges: by caller.
        first: the number of the first fan.
        first_member: where its members begin.
        first_site: the number of the first site.
    """
    sites: dict[tuple[int, tuple[int, int, int]], list[tuple[int, int]]] = {}
    for edge in edges:
        sites.setdefault((edge.caller, edge.site), []).append((edge.callee, edge.requirement))
    fans: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}
    fans_of: dict[int, dict[int, None]] = {caller: {} for caller in callers}
    for (caller, (_, kind, _)), members in sites.items():
        fan = fans.setdefault((kind, tuple(sorted(set(members)))), first + len(fans))
        fans_of[caller][fan] = None
    members = [member for _, found in fans for member in found]
    return {
        **_numbers(
            site_start=accumulate(map(len, fans_of.values()), initial=first_site),
            site_fan=(fan for found in fans_of.values() for fan in found),
            fan_start=accumulate((len(found) for _, found in fans), initial=first_member),
            fan_callee=(callee for callee, _ in members),
            fan_requires=(requirement for _, requirement in members),
        ),
        **_numbers(BYTE, fan_kind=(kind for kind, _ in fans)),
    }


def packed_passes(
    edges: Sequence[tuple[int, tuple[tuple[int, int | str], ...]]],
    text: Callable[[str], int],
    first: int = 0,
    first_item: int = 0,
) -> dict[str, bytes]:
    """What edges pass: `passing_edge` and `passing_row`, and the rows, each kept once.

    Args:
        edges: those that pass something that matters, ascending, with what they pass.
        text: gives the number of a text.
        first: the number of the first row.
        first_item: where its items begin.
    """
    rows: dict[tuple[tuple[int, int | str], ...], int] = {}
    row_of = [rows.setdefault(passes, first + len(rows)) for _, passes in edges]
    items = [item for passes in rows for item in passes]
    sources = [~source if isinstance(source, int) else text(source) for _, source in items]
    return {
        **_numbers(
            passing_edge=(edge for edge, _ in edges),
            passing_row=row_of,
            passing_end=accumulate(map(len, rows), initial=first_item),
            passing_parameter=(parameter for parameter, _ in items),
        ),
        **_numbers(SIGNED, passing_source=sources),
    }


def signature(parameters: Iterable[Parameter]) -> str:
    """Parameters as one text, which `parameters_of` reads."""
    return "\n".join(
        f"{'!' if p.is_rebound else ''}{'@' if p.is_called else ''}{':'.join((p.name, *p.classes))}={p.default}"
        for p in parameters
    )


def parameters_of(text: str) -> tuple[Parameter, ...]:
    """What `signature` wrote."""
    found = []
    for line in text.split("\n") if text else ():
        declared, _, default = line.partition("=")
        name, *classes = declared.split(":")
        is_called = name.startswith(("@", "!@"))
        found.append(Parameter(name.lstrip("!@"), default, name.startswith("!"), is_called, tuple(classes)))
    return tuple(found)


def _guards(rows: GraphRows, text: _Texts) -> dict[str, bytes]:
    guards = rows.guards
    return {
        **_numbers(SIGNED, guard_parent=(guard.parent for guard in guards)),
        **_numbers(
            guard_kind=(text(guard.kind) for guard in guards),
            guard_text=(text(guard.text) for guard in guards),
            guard_line=(guard.line for guard in guards),
            guard_parameters=(text(" ".join(guard.parameters)) for guard in guards),
        ),
    }


def _states(rows: GraphRows, text: _Texts) -> dict[str, bytes]:
    states = rows.states
    kinds = {kind: number for number, kind in enumerate(ACCESS_KINDS)}
    accesses = sorted(
        set(rows.accesses),
        key=lambda a: (a.state, kinds[a.access], a.function, a.line, a.form, a.restore, a.guard),
    )
    by_function = sorted(range(len(accesses)), key=lambda i: (accesses[i].function, accesses[i].line, i))
    return {
        "state_names": pack_strings([state.name for state in states]),
        **packed_endings("state_names", [state.name for state in states]),
        **_numbers(
            state_order=sorted(range(len(states)), key=lambda i: (states[i].name, i)),
            state_kind=(text(state.kind) for state in states),
            state_scope=(text(state.scope) for state in states),
            access_start=_starts(len(states), (access.state for access in accesses), "state"),
            access_function=(access.function for access in accesses),
            access_line=(access.line for access in accesses),
            access_form=(text(access.form) for access in accesses),
            function_access_start=_starts(
                len(rows.functions), (access.function for access in accesses), "accessing function"
            ),
            function_access=by_function,
        ),
        **_numbers(BYTE, access_kind=(kinds[a.access] * 2 + a.restore for a in accesses)),
        **_numbers(SIGNED, access_guard=(access.guard for access in accesses)),
    }


def _call_sites(rows: GraphRows, text: _Texts) -> dict[str, bytes]:
    """Blind spots, native exits and calls of builtins, by function."""
    count = len(rows.functions)
    blind = sorted(set(rows.blind_spots), key=lambda b: (b.function, b.line, b.expression, b.name, b.reason, b.guard))
    exits = sorted(set(rows.native_exits), key=lambda e: (e.function, e.line, e.callee, e.guard))
    builtins = sorted(set(rows.builtin_calls), key=lambda b: (b.function, b.callee))
    guards = _numbers(SIGNED, blind_guard=(s.guard for s in blind), exit_guard=(e.guard for e in exits))
    return guards | _numbers(
        blind_start=_starts(count, (spot.function for spot in blind), "blind spot's function"),
        blind_line=(spot.line for spot in blind),
        blind_expression=(text(spot.expression) for spot in blind),
        blind_name=(text(spot.name) for spot in blind),
        blind_reason=(text(spot.reason) for spot in blind),
        exit_start=_starts(count, (exit_.function for exit_ in exits), "native exit's function"),
        exit_line=(exit_.line for exit_ in exits),
        exit_callee=(text(exit_.callee) for exit_ in exits),
        builtin_start=_starts(count, (call.function for call in builtins), "builtin call's function"),
        builtin_callee=(text(call.callee) for call in builtins),
    )


def _classes(rows: GraphRows, text: _Texts) -> dict[str, bytes]:
    """Classes, what their construction runs, aliases, and the objects that states hold."""
    classes = sorted(rows.classes, key=lambda c: (c.name, c.file, c.line))
    constructors = _constructors(rows)
    aliases = sorted(rows.aliases.items())
    objects = sorted(set(rows.objects))
    return {
        "class_names": pack_strings([row.name for row in classes]),
        **packed_endings("class_names", [row.name for row in classes]),
        "alias_names": pack_strings([name for name, _ in aliases]),
        **packed_endings("alias_names", [name for name, _ in aliases]),
        "object_names": pack_strings([name for name, _ in objects]),
        **_numbers(
            class_file=(text(row.file) for row in classes),
            class_line=(row.line for row in classes),
            mro_start=[0, *accumulate(len(row.mro) for row in classes)],
            mro_member=(text(name) for row in classes for name in row.mro),
            constructor_name=(text(name) for name, _ in constructors),
            constructor_function=(function for _, function in constructors),
            alias_target=(text(target) for _, target in aliases),
            object_class=(text(name) for _, name in objects),
        ),
    }


def _constructors(rows: GraphRows) -> Sequence[tuple[str, int]]:
    """Each class's last name with each function that constructing one runs, inherited or its own."""
    by_name: dict[str, list[int]] = {}
    for index, function in enumerate(rows.functions):
        by_name.setdefault(function.name, []).append(index)
    found = set()
    for row in rows.classes:
        for method in ("__init__", "__new__"):
            owner = next((base for base in row.mro if f"{base}.{method}" in by_name), None)
            if owner is not None:
                found |= {(row.name.rpartition(".")[2], index) for index in by_name[f"{owner}.{method}"]}
    return sorted(found)
