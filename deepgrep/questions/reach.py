"""`reach`: can the root ever come to code that accesses the target, and how?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import pairwise

from msgspec import structs

from deepgrep.graph.between import Between, between
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.chokepoints import LARGEST_CUT_SEARCH
from deepgrep.graph.chop import Chop
from deepgrep.graph.consistent import consistent_edges, consistent_routes
from deepgrep.graph.held_values import Held, HeldValues
from deepgrep.graph.kinds import KINDS
from deepgrep.graph.paths import Route, edge_between, open_requirements
from deepgrep.graph.relays import is_gathering
from deepgrep.graph.rows import AccessKind, Certainty, Via
from deepgrep.graph.slices import ForwardSlice, with_imports
from deepgrep.questions import answers
from deepgrep.questions.answers import Hop, Path, ReachAnswer, Verdict
from deepgrep.questions.asked import asked
from deepgrep.questions.evidence import Evidence, evidence
from deepgrep.questions.filters import NO_FILTERS, Filters, Resolved
from deepgrep.questions.given import Given
from deepgrep.questions.hops import hop, is_said_by_next
from deepgrep.questions.roots import Root, resolve_root
from deepgrep.questions.targets import Site, Target, access_refs, resolve_target

LOWER_BOUND = "path_count is a lower bound: there are too many paths to count"
NO_CUT = f"no smallest cut was searched for: the chop has more than {LARGEST_CUT_SEARCH} edges and no chokepoint"

_PATHS_SHOWN = 100

_DOUBT = list(Certainty)


@dataclass(frozen=True)
class Findings:
    """What an answer and a drawing are made from.

    Attributes:
        filters: what is left out.
        reached: what the root reaches.
        sites: for each function that is reached and accesses the target, its accesses that can happen, surest first.
        told: the edges of routes, where what is assumed decides which.
    """

    graph: CallGraph
    root: Root
    target: Target
    filters: Resolved
    reached: ForwardSlice
    sites: dict[int, list[Site]]
    told: dict[Route, tuple[int, ...]] = field(default_factory=dict)

    @cached_property
    def between(self) -> Between:
        """All that lies on some path."""
        return between(self.graph, self.reached, self.sites)

    @property
    def chop(self) -> Chop:
        """The same as one."""
        return self.between.whole

    @cached_property
    def routes(self) -> list[Route]:
        """One for each accessing function (of its contexts, the best), best first."""
        routes = list(self.between.best_routes.values())
        if self.reached.values is not None:
            routes = self._consistent(self.reached.values, routes)
        return _one_for_each_function(self.graph, _best_first(self, routes))

    def _consistent(self, values: HeldValues, routes: list[Route]) -> list[Route]:
        """The routes, and instead of each that contradicts what is assumed the best that does not, if that is found.

        Where paths pass through stops, or are limited in length, the routes themselves.
        """
        goals = {route[-1] for route in routes if self.edges_within(values, route) is None}
        if not goals or len(self.between.parts) > 1 or self.between.shortest is not None:
            return routes
        ends = partial(self._ends, values)
        premises = self.between.premises
        found = consistent_routes(self.graph, self.reached, premises, values, self.chop, goals, ends)
        self.told.update(found.values())
        return [found[route[-1]][0] if route[-1] in found else route for route in routes]

    def edges_within(self, values: HeldValues, route: Route) -> tuple[int, ...] | None:
        """The edges of a route that agree with what is assumed; None where there are none."""
        if route not in self.told:
            edges = consistent_edges(self.graph, self.reached, values, route, partial(self._ends, values))
            if edges is None:
                return None
            self.told[route] = edges
        return self.told[route]

    def _ends(self, values: HeldValues, function: int, held: Held) -> bool:
        return any(not values.blocks(function, site.guard, held) for site in self.sites[function])

    def edges(self, route: Route) -> tuple[int, ...]:
        """The edges of a route: the least doubtful ones, or those that agree with what is assumed."""
        if route in self.told:
            return self.told[route]
        return tuple(edge_between(self.graph, self.reached, *step) for step in pairwise(route))

    def required(self, route: Route) -> list[tuple[int, list[int]]]:
        """For each edge of a route what it costs and what it requires; see `paths.open_requirements`."""
        return open_requirements(self.graph, self.between.premises, route[0], self.edges(route))

    def site(self, route: Route) -> Site:
        """The access at the end of a route: the surest, or the surest that agrees with what is assumed."""
        sites, values = self.sites[route[-1]], self.reached.values
        if values is None or route not in self.told:
            return sites[0]
        held = values.given(route[0])
        for edge in self.told[route]:
            held = values.passed(held, edge)
        return next(site for site in sites if not values.blocks(site.function, site.guard, held))


def reach(
    graph: CallGraph,
    root: str,
    target: str,
    access: AccessKind | None = None,
    paths: int = 1,
    filters: Filters = NO_FILTERS,
) -> ReachAnswer:
    """Whether and how `root` reaches code that accesses `target`.

    Args:
        graph: the analyzed sources.
        root: a name, Python code, or the path of a script.
        target: the name of a state or function.
        access: what is done to the target; by default a write of a state, a call of a function.
        paths: how many paths to give in all; one to each accessing function is given in any case.
        filters: what is left out.

    Raises:
        DeepgrepError: a name means nothing, or several things; or the filters contradict each other.
    """
    return answer(investigate(graph, root, target, access, filters), paths)


def investigate(
    graph: CallGraph, root: str, target: str, access: AccessKind | None = None, filters: Filters = NO_FILTERS
) -> Findings:
    """The searches behind an answer; arguments as of `reach`."""
    question = asked(resolve_root(graph, root), filters, lambda graph: resolve_target(graph, target, access))
    graph, start, end, reached = question.graph, question.root, question.target, question.reached
    assert end is not None
    sites = _reached_sites(graph, end, reached)
    if not sites and start.is_code:
        # The code's own calls lead nowhere: what its imports ran may have.
        whole = with_imports(graph, reached)
        if sites := _reached_sites(graph, end, whole):
            reached = whole
    return Findings(graph, start, end, question.filters, reached, sites)


def _reached_sites(graph: CallGraph, target: Target, reached: ForwardSlice) -> dict[int, list[Site]]:
    """For each function that is reached, its accesses that can happen, surest first."""
    sites: dict[int, list[Site]] = {}
    for site in target.sites:
        if site.reached(graph, reached):
            sites.setdefault(site.function, []).append(site)
    for found in sites.values():
        found.sort(key=lambda site: site.doubt(graph))
    return sites


def answer(findings: Findings, paths: int = 1, *, brief: bool = False) -> ReachAnswer:
    """The findings in the words of the report.

    Args:
        findings: what was found.
        paths: as of `reach`.
        brief: whether the functions of the chop, and beside paths the native exits, may be left empty, as only how many
            there are is to be shown.
    """
    graph, reached = findings.graph, findings.reached
    notes = [*findings.root.notes, *findings.target.notes, *findings.filters.notes]
    routes, path_notes = shown_routes(findings, paths)
    count, exact = findings.between.count()
    if not exact:
        path_notes.append(LOWER_BOUND)
    narrow = [f for f in findings.between.chokepoints(findings.root.functions) if not is_gathering(findings.graph, f)]
    cut = findings.between.smallest_cut(findings.root.functions)
    if cut is None:
        path_notes.append(NO_CUT)
    rests = evidence(graph, findings.root, reached, findings.target, found=bool(routes), brief=brief)
    shown = [_path(findings, route) for route in routes]
    return ReachAnswer(
        verdict=_verdict(findings, shown, rests),
        sources=graph.sources,
        root=findings.root.ref,
        target=findings.target.ref,
        accesses=access_refs(graph, findings.target, reached),
        paths=shown,
        path_count=count,
        path_count_exact=exact,
        chop=_chop(findings, brief),
        chokepoints=_names(graph, narrow),
        cut=_names(graph, cut or []),
        leads=rests.leads,
        native_exits=rests.native_exits,
        blind_spots=rests.blind_spots,
        reached_functions=len(reached.order),
        skipped=graph.skipped,
        notes=notes + path_notes + _process_notes(shown) + rests.notes,
        filters=findings.filters.said(graph, reached),
        assumptions=rests.assumptions,
        removed=rests.removed,
        open_parameters=rests.open_parameters,
        rests_on=_rests_on(shown),
        lead_count=rests.lead_count,
        open_calls=rests.open_calls,
        places=_places(graph, [*narrow, *(cut or [])]),
    )


def _process_notes(paths: list[Path]) -> list[str]:
    """That paths go on in another process, whose state is its own."""
    if not paths or not all(any(hop.via is Via.PROCESS for hop in path.hops) for path in paths):
        return []
    these = "the path shown goes" if len(paths) == 1 else "all paths shown go"
    return [f"{these} on in another process: what is done there is done to that process's own state"]


def _verdict(findings: Findings, paths: list[Path], rests: Evidence) -> Verdict:
    if paths:
        return Verdict.REACHES if paths[0].certainty is Certainty.CERTAIN else Verdict.MAY_REACH
    # An unread file is a blind spot as a whole; a call that has no name could be any.
    remains = rests.leads or rests.native_exits or rests.open_parameters or rests.open_calls
    return Verdict.NO_PATH if remains or findings.graph.skipped else Verdict.EXCLUDED


def _rests_on(paths: list[Path]) -> Hop | None:
    return paths[0].hops[paths[0].uncertain[0]] if paths and len(paths[0].uncertain) == 1 else None


def _places(graph: CallGraph, functions: Iterable[int]) -> dict[str, str]:
    rows = map(graph.function, functions)
    return {row.name: f"{row.file}:{row.line}" if row.line else row.file for row in rows}


def _certainty(findings: Findings, route: Route) -> Certainty:
    """That of the least certain hop, the access included."""
    graph = findings.graph
    hops = [KINDS[graph.edge_kind[edge]][1] for edge in findings.edges(route)]
    return max([*hops, findings.site(route).kind(graph)[1]], key=_DOUBT.index)


def _best_first(findings: Findings, routes: Iterable[Route]) -> list[Route]:
    """Routes by certainty, then by what they cost, then by length."""

    def key(route: Route) -> tuple[int, int, int, Route]:
        cost = sum(cost for cost, _ in findings.required(route))
        return _DOUBT.index(_certainty(findings, route)), cost, len(route), route

    return sorted(routes, key=key)


def _one_for_each_function(graph: CallGraph, routes: list[Route]) -> list[Route]:
    best: dict[tuple[str, int], Route] = {}
    for route in routes:
        best.setdefault((graph.function_names[route[-1]], graph.function_line[route[-1]]), route)
    return list(best.values())


def shown_routes(findings: Findings, wanted: int) -> tuple[list[Route], list[str]]:
    """The routes of the paths that an answer gives, in its order, and what is to be said of others."""
    routes = findings.routes
    most = max(_PATHS_SHOWN, wanted)
    if len(routes) > most:
        return routes[:most], [f"{len(routes)} functions that access the target are reached: paths to {most} are given"]
    if not routes or len(routes) >= wanted:
        return routes, []
    more, complete = findings.between.alternatives(routes, wanted - len(routes))
    values = findings.reached.values
    if values is not None:
        more = [route for route in more if findings.edges_within(values, route) is not None]
    all_routes = _best_first(findings, [*routes, *more])
    notes = [] if complete else [f"the search for more paths was given up as too long, after {len(all_routes)}"]
    return all_routes, notes


def _path(findings: Findings, route: Route) -> Path:
    graph = findings.graph
    hops = []
    given = Given(graph, findings.root)
    needed: list[tuple[int, list[int]]] = []
    for caller, number, (_, leading) in zip(route, findings.edges(route), findings.required(route), strict=False):
        edge = graph.edge(number)
        if leading:
            needed.append((number, leading))
        if not is_said_by_next(graph, edge):
            named = given.named_in(edge.guard)
            hops.append(hop(graph, caller, edge.line, edge.via, edge.certainty, edge.guard, named))
        if needed and hops:
            hops[-1] = _requiring(findings, hops[-1], needed)
            needed = []
        given.follow(edge)
    site = findings.site(route)
    hops.append(hop(graph, route[-1], site.line, *site.kind(graph), site.guard, given.named_in(site.guard)))
    uncertain = [i for i, row in enumerate(hops) if row.certainty is not Certainty.CERTAIN]
    return Path(_certainty(findings, route), hops, uncertain)


def _requiring(findings: Findings, of: Hop, needed: list[tuple[int, list[int]]]) -> Hop:
    """A hop with what edges require, each given with the way to it."""
    if of.requires:  # one line says it: what is required first is nearest to the root
        return of
    graph = findings.graph
    number, leading = needed[0]
    members = findings.between.premises.members(graph.look("edge_requires")[number])
    return structs.replace(of, requires=_names(graph, members), met_along=[graph.function_names[f] for f in leading])


def _chop(findings: Findings, brief: bool) -> answers.Chop:
    whole = findings.chop
    if brief:
        count = len(set(map(findings.graph.function_named.__getitem__, whole.functions)))
        return answers.Chop([""] * count, whole.edge_count)
    return answers.Chop(_names(findings.graph, whole.functions), whole.edge_count)


def _names(graph: CallGraph, functions: Iterable[int]) -> list[str]:
    """Their names in this order, each once for all contexts."""
    return list(dict.fromkeys(graph.function_names[function] for function in functions))
