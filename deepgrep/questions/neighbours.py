"""`callers` and `callees`: the functions around one, to some depth or all the way."""

from __future__ import annotations

from collections.abc import Iterable

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.contexts import clones_of, rest_of
from deepgrep.graph.costs import COST
from deepgrep.graph.relays import is_gathering
from deepgrep.graph.rows import AccessKind, Certainty, Via
from deepgrep.graph.slices import ForwardSlice, passed_all
from deepgrep.questions.allowed import Allowed
from deepgrep.questions.answers import Neighbour, NeighboursAnswer, RootRef
from deepgrep.questions.asked import asked
from deepgrep.questions.evidence import imported_before, removed
from deepgrep.questions.filters import NO_FILTERS, Filters, resolve_filters
from deepgrep.questions.leads import count_blind_spots
from deepgrep.questions.roots import resolve_root
from deepgrep.questions.targets import Target, resolve_target

_Link = tuple[int, Via, Certainty, str, int]
"""How a function was come to: distance, how control passes, how sure that is, through what, at which line."""


def callees(graph: CallGraph, root: str, depth: int | None = 1, filters: Filters = NO_FILTERS) -> NeighboursAnswer:
    """What `root` reaches, nearest first, contexts and requirements applied; `blind_spots` are those in all of it.

    Args:
        graph: the analyzed sources.
        root: a name, Python code, or the path of a script.
        depth: the number of calls to follow; None for all.
        filters: what is left out.

    Raises:
        DeepgrepError: a name means nothing, or several things; or the filters contradict each other.
    """
    question = asked(resolve_root(graph, root), filters)
    graph, start, reached = question.graph, question.root, question.reached
    beyond = passed_all(graph, reached)
    found: dict[int, _Link] = {}
    known = set(start.functions)
    layer, distance = sorted(start.functions), 0
    while layer and (depth is None or distance < depth):
        distance += 1
        new: list[int] = []
        while layer:  # what a gathering stands for is no further away than it
            best = _next_layer(graph, reached, layer, known)
            for callee, edge in best.items():
                row = graph.edge(edge)
                link = (distance, row.via, row.certainty, graph.function_names[row.caller], row.line)
                if is_gathering(graph, row.caller):
                    link = (*link[:3], *found[row.caller][3:])
                new += _added(found, (callee, *rest_of(graph, callee)), link)
            known.update(new)
            layer = sorted(callee for callee in best if is_gathering(graph, callee))
        layer = sorted(new)
    return NeighboursAnswer(
        schema="deepgrep-callees/1",
        sources=graph.sources,
        root=start.ref,
        depth=depth,
        functions=_neighbours(graph, {f: link for f, link in found.items() if beyond.inside[f]}),
        blind_spots=count_blind_spots(graph, reached)[0],
        skipped=graph.skipped,
        filters=question.filters.said(graph, reached),
        removed=removed(graph, reached),
        assumptions=imported_before(start, reached),
        notes=question.notes,
    )


def callers(graph: CallGraph, name: str, depth: int | None = 1, filters: Filters = NO_FILTERS) -> NeighboursAnswer:
    """What calls the function `name`, and what calls that, nearest first; no root, so requirements count as met.

    `blind_spots` are those, anywhere, whose callee's name is that of the function.

    Args:
        graph: the analyzed sources.
        name: of a function, native and stdlib ones included, or of a class for its construction.
        depth: the number of calls to follow back; None for all.
        filters: what is left out; there is no root whose parameters could be assumed.

    Raises:
        DeepgrepError: the name means nothing, or several things; or the filters contradict each other.
    """
    target = resolve_target(graph, name, AccessKind.CALL)
    if target.ref.kind not in ("function", "class"):
        raise DeepgrepError(f"{target.ref.name} is a {target.ref.kind}, which nothing calls: use `deepgrep accesses`")
    resolved = resolve_filters(graph, filters, None, target)
    allowed = Allowed(graph, resolved.restriction)
    found: dict[int, _Link] = {}
    sites = [site for site in target.sites if allowed.site(site)]
    for site in sorted(sites, key=lambda site: site.doubt(graph)):
        for function in (site.function, *clones_of(graph, site.function)):
            found.setdefault(function, (1, *site.kind(graph), target.ref.name, site.line))
    most = resolved.restriction.most_calls
    depth = most if depth is None else min(depth, most or depth)
    layer, distance = sorted(found), 1
    while layer and (depth is None or distance < depth):
        distance += 1
        best: dict[int, int] = {}
        new: list[int] = []
        for function in layer:  # grows as it is walked: what leads to a gathering is no further away than it
            start, end = graph.in_start[function], graph.in_start[function + 1]
            for caller, edge in zip(graph.in_caller[start:end], graph.in_edge[start:end], strict=True):
                if caller in found or _cost(graph, edge) >= _cost(graph, best.get(caller, -1)):
                    continue
                if allowed.edge(caller, edge):
                    if is_gathering(graph, caller) and caller not in best:
                        layer.append(caller)
                    best[caller] = edge
        for caller, edge in best.items():
            row = graph.edge(edge)
            link = (distance, row.via, row.certainty, graph.function_names[row.callee], row.line)
            new += _added(found, (caller, *clones_of(graph, caller)), link)
        layer = sorted(new)
    return NeighboursAnswer(
        schema="deepgrep-callers/1",
        sources=graph.sources,
        root=_target_ref(graph, target),
        depth=depth,
        functions=_neighbours(graph, _through(graph, allowed, found)),
        blind_spots=_blind_spots_named(graph, target.ref.name.rpartition(".")[2]),
        skipped=graph.skipped,
        filters=[*resolved.filters, *allowed.left_out(resolved.left_out)],
        notes=[*target.notes, *resolved.notes],
    )


def _added(found: dict[int, _Link], functions: Iterable[int], link: _Link) -> list[int]:
    """Add functions that were come to; return those that are new."""
    new = [function for function in functions if function not in found]
    found.update(dict.fromkeys(new, link))
    return new


def _through(graph: CallGraph, allowed: Allowed, found: dict[int, _Link]) -> dict[int, _Link]:
    """The callers that pass through each stop of the question on their way."""
    for stop in allowed.restriction.through[::-1]:
        waiting = [function for function in stop if function in found]
        kept = set(waiting)
        for function in waiting:  # grows as it is walked
            start, end = graph.in_start[function], graph.in_start[function + 1]
            entering = zip(graph.in_caller[start:end], graph.in_edge[start:end], strict=True)
            new = {caller for caller, edge in entering if caller in found and allowed.edge(caller, edge)} - kept
            kept |= new
            waiting += new
        found = {function: link for function, link in found.items() if function in kept}
    return found


def _next_layer(graph: CallGraph, reached: ForwardSlice, layer: list[int], known: set[int]) -> dict[int, int]:
    """The functions one call further on, each with the least doubtful edge to it."""
    best: dict[int, int] = {}
    for function in layer:
        for edge in graph.out_edges(function):
            callee = graph.edge_callee[edge]
            if (
                callee in known
                or not reached.inside[callee]
                or _cost(graph, edge) >= _cost(graph, best.get(callee, -1))
            ):
                continue
            if reached.takes(graph, function, edge):
                best[callee] = edge
    return best


def _cost(graph: CallGraph, edge: int) -> int:
    return COST[graph.edge_kind[edge]] if edge >= 0 else max(COST) + 1


def _neighbours(graph: CallGraph, found: dict[int, _Link]) -> list[Neighbour]:
    """Rows nearest first; of a function's contexts the nearest."""
    rows: dict[tuple[str, int], Neighbour] = {}
    for index in sorted(found, key=lambda i: (found[i][0], i)):
        if is_gathering(graph, index):
            continue
        function = graph.function(index)
        distance, via, certainty, through, line = found[index]
        rows.setdefault(
            (function.name, function.line),
            Neighbour(
                name=function.name,
                file=function.file,
                qualname=function.qualname,
                line=function.line,
                distance=distance,
                certainty=certainty,
                via=via,
                through=through,
                call_line=line,
            ),
        )
    return list(rows.values())


def _target_ref(graph: CallGraph, target: Target) -> RootRef:
    name = target.ref.name
    if functions := graph.functions_named(name):
        function = graph.function(functions[0])
        return RootRef(name, function.file, function.line)
    if classes := graph.classes_named(name):
        return RootRef(name, classes[0].file, classes[0].line)
    return RootRef(name, "", 0)  # its source is not analyzed


def _blind_spots_named(graph: CallGraph, name: str) -> int:
    number = next((i for i, text in enumerate(graph.texts) if text == name), None)
    return 0 if number is None else graph.blind_name.count(number)
