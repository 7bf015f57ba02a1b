"""`reach`: can the root ever come to code that accesses the target, and how?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.chokepoints import LARGEST_CUT_SEARCH, chokepoints, smallest_cut
from deepgrep.graph.chop import Chop, chop
from deepgrep.graph.counting import count_paths
from deepgrep.graph.layout import KINDS
from deepgrep.graph.paths import Route, alternatives, best_routes, edge_between
from deepgrep.graph.rows import AccessKind, Certainty, Via
from deepgrep.graph.slices import ForwardSlice, with_imports
from deepgrep.questions import answers
from deepgrep.questions.answers import Path, ReachAnswer, Verdict
from deepgrep.questions.hops import hop
from deepgrep.questions.leads import count_blind_spots, leads, native_exits
from deepgrep.questions.roots import Root, resolve_root
from deepgrep.questions.targets import Site, Target, access_refs, resolve_target

_PATHS_SHOWN = 100

_DOUBT = list(Certainty)


@dataclass(frozen=True)
class Findings:
    """What an answer and a drawing are made from.

    Attributes:
        reached: what the root reaches.
        sites: for each function that is reached and accesses the target, its accesses that can happen, surest first.
        chop: what lies between.
    """

    graph: CallGraph
    root: Root
    target: Target
    reached: ForwardSlice
    sites: dict[int, list[Site]]
    chop: Chop

    @cached_property
    def routes(self) -> list[Route]:
        """One for each accessing function (of its contexts, the best), best first."""
        routes = best_routes(self.graph, self.reached, self.chop).values()
        return _one_for_each_function(self.graph, _best_first(self, routes))


def reach(graph: CallGraph, root: str, target: str, access: AccessKind | None = None, paths: int = 1) -> ReachAnswer:
    """Whether and how `root` reaches code that accesses `target`.

    Args:
        graph: the analyzed sources.
        root: a name, Python code, or the path of a script.
        target: the name of a state or function.
        access: what is done to the target; by default a write of a state, a call of a function.
        paths: how many paths to give in all; one to each accessing function is given in any case.

    Raises:
        DeepgrepError: a name means nothing, or several things.
    """
    return answer(investigate(graph, root, target, access), paths)


def investigate(graph: CallGraph, root: str, target: str, access: AccessKind | None = None) -> Findings:
    """The searches behind an answer; arguments as of `reach`."""
    start = resolve_root(graph, root)
    graph = start.graph
    end = resolve_target(graph, target, access)
    reached = start.slice()
    sites = _reached_sites(graph, end, reached)
    if not sites and start.is_code:
        # The code's own calls lead nowhere: what its imports ran may have.
        whole = with_imports(graph, reached)
        if sites := _reached_sites(graph, end, whole):
            reached = whole
    return Findings(graph, start, end, reached, sites, chop(graph, reached, sites))


def _reached_sites(graph: CallGraph, target: Target, reached: ForwardSlice) -> dict[int, list[Site]]:
    """For each function that is reached, its accesses that can happen, surest first."""
    sites: dict[int, list[Site]] = {}
    for site in target.sites:
        if site.reached(graph, reached):
            sites.setdefault(site.function, []).append(site)
    for found in sites.values():
        found.sort(key=lambda site: site.doubt(graph))
    return sites


def answer(findings: Findings, paths: int = 1) -> ReachAnswer:
    """The findings in the words of the report; `paths` as of `reach`."""
    graph, reached = findings.graph, findings.reached
    notes = [*findings.root.notes, *findings.target.notes, *_assumptions(findings)]
    routes, path_notes = _routes(findings, paths)
    count, exact = count_paths(findings.chop)
    if not exact:
        path_notes.append("path_count is a lower bound: there are too many paths to count")
    narrow = chokepoints(findings.chop, findings.root.functions)
    cut = smallest_cut(findings.chop, findings.root.functions, narrow)
    if cut is None:
        path_notes.append(
            f"no smallest cut was searched for: the chop has more than {LARGEST_CUT_SEARCH} edges and no chokepoint"
        )
    null = _null_result(findings)
    shown = [_path(findings, route) for route in routes]
    return ReachAnswer(
        verdict=_verdict(findings, shown, null),
        sources=graph.sources,
        root=findings.root.ref,
        target=findings.target.ref,
        accesses=access_refs(graph, findings.target, reached),
        paths=shown,
        path_count=count,
        path_count_exact=exact,
        chop=_chop(findings),
        chokepoints=_names(graph, narrow),
        cut=_names(graph, cut or []),
        leads=null.leads,
        native_exits=null.native_exits,
        blind_spots=null.blind_spots,
        reached_functions=len(reached.order),
        skipped=graph.skipped,
        notes=notes + path_notes + null.notes,
    )


@dataclass(frozen=True, slots=True)
class _NullResult:
    """What stands against "there is no path"."""

    leads: list[answers.Lead]
    native_exits: list[answers.NativeExitRef]
    blind_spots: int
    notes: list[str]


def _null_result(findings: Findings) -> _NullResult:
    graph, reached = findings.graph, findings.reached
    exits = native_exits(graph, reached)
    blind, unnamed = count_blind_spots(graph, reached)
    notes = []
    if graph.skipped:
        notes.append(f"{len(graph.skipped)} files could not be read: what they hold is not part of this answer")
    if findings.routes:
        return _NullResult([], exits, blind, notes)
    found = leads(graph, reached, {site.function for site in findings.target.sites})
    notes += found.notes
    if unnamed:
        notes.append(
            f"{unnamed} of the {blind} blind spots call a value that has no name to match, so they give no lead"
        )
    if waiting := sum(map(len, reached.unmet.values())):
        notes.append(
            f"{waiting} edges were not followed, as nothing that the root reaches makes the instance or enters the "
            f"mode that they require; it is assumed that no caller passes one in"
        )
    return _NullResult(found.shown, exits, blind, notes)


def _verdict(findings: Findings, paths: list[Path], null: _NullResult) -> Verdict:
    if paths:
        return Verdict.REACHES if paths[0].certainty is Certainty.CERTAIN else Verdict.MAY_REACH
    # An unread file is a blind spot as a whole.
    if null.leads or null.native_exits or findings.graph.skipped:
        return Verdict.NO_PATH
    return Verdict.EXCLUDED


def _assumptions(findings: Findings) -> Iterator[str]:
    if ran := findings.reached.history.ran:
        imported = ", ".join(findings.root.imported)
        has = "has" if len(findings.root.imported) == 1 else "have"
        yield f"assumes that {imported} {has} been imported: the {len(ran)} modules that this runs are not run again"


def _certainty(findings: Findings, route: Route) -> Certainty:
    """That of the least certain hop, the access included."""
    graph = findings.graph
    edges = [edge_between(graph, findings.reached, *hop) for hop in pairwise(route)]
    hops = [KINDS[graph.edge_kind[edge]][1] for edge in edges]
    return max([*hops, findings.sites[route[-1]][0].kind(graph)[1]], key=_DOUBT.index)


def _best_first(findings: Findings, routes: Iterable[Route]) -> list[Route]:
    """Routes by certainty, then length."""
    return sorted(routes, key=lambda route: (_DOUBT.index(_certainty(findings, route)), len(route), route))


def _one_for_each_function(graph: CallGraph, routes: list[Route]) -> list[Route]:
    best: dict[tuple[str, int], Route] = {}
    for route in routes:
        best.setdefault((graph.function_names[route[-1]], graph.function_line[route[-1]]), route)
    return list(best.values())


def _routes(findings: Findings, wanted: int) -> tuple[list[Route], list[str]]:
    """The routes to show, and what is to be said of others."""
    routes = findings.routes
    most = max(_PATHS_SHOWN, wanted)
    if len(routes) > most:
        return routes[:most], [f"{len(routes)} functions that access the target are reached: paths to {most} are given"]
    if not routes or len(routes) >= wanted:
        return routes, []
    more, complete = alternatives(findings.graph, findings.reached, findings.chop, routes, wanted - len(routes))
    all_routes = _best_first(findings, [*routes, *more])
    notes = [] if complete else [f"the search for more paths was given up as too long, after {len(all_routes)}"]
    return all_routes, notes


def _path(findings: Findings, route: Route) -> Path:
    graph = findings.graph
    hops = []
    for caller, callee in pairwise(route):
        edge = graph.edge(edge_between(graph, findings.reached, caller, callee))
        if edge.via is Via.SAME:  # the next hop is the same function
            continue
        hops.append(hop(graph, caller, edge.line, edge.via, edge.certainty, edge.guard))
    site = findings.sites[route[-1]][0]
    hops.append(hop(graph, route[-1], site.line, *site.kind(graph), site.guard))
    return Path(_certainty(findings, route), hops)


def _chop(findings: Findings) -> answers.Chop:
    between = findings.chop
    return answers.Chop(_names(findings.graph, between.functions), between.edge_count)


def _names(graph: CallGraph, functions: Iterable[int]) -> list[str]:
    """Their names in this order, each once for all contexts."""
    return list(dict.fromkeys(graph.function_names[function] for function in functions))
