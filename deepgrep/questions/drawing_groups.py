"""A drawing with several functions as one node: those of a cycle, or those of a package."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise

import msgspec

from deepgrep.questions.answers import Drawing

FUNCTIONS_DRAWN = 2000
_EACH_DRAWN = 40
PACKAGES_DRAWN = 60
"""Of so many nodes a picture by package can still be taken in at a glance."""


class Grouped(StrEnum):
    """What the nodes of a picture with several functions hold."""

    NOTHING = "nothing"
    CYCLES = "cycles"
    PACKAGES = "packages"


class Node(msgspec.Struct, frozen=True):
    """A node of a picture.

    Attributes:
        functions: what it holds, by positions in the drawing.
        module: the module that it is drawn in; "" for none.
        package: the package or module that it stands for; "" where it is one function or a cycle.
        whole: of a package, whether all that is drawn of it is here; else parts of it are nodes of their own.
    """

    functions: list[int]
    module: str = ""
    package: str = ""
    whole: bool = True


class Link(msgspec.Struct, frozen=True):
    """The edges of the drawing between two nodes.

    Attributes:
        edges: by positions in the drawing.
        is_best: whether a best path takes one of them.
    """

    caller: int
    callee: int
    edges: list[int]
    is_best: bool


class Picture(msgspec.Struct, frozen=True):
    """A drawing, and what of it is one node.

    Attributes:
        thin: how many links are left out because others carry more calls.
    """

    drawing: Drawing
    nodes: list[Node]
    links: list[Link]
    grouped: Grouped
    thin: int = 0


def readable(drawing: Drawing) -> Picture:
    """As much of a drawing as a reader can make use of.

    Each function by itself; of more than about 40, cycles as one node; of more than 2,000, packages.
    """
    if len(drawing.functions) > FUNCTIONS_DRAWN:
        return by_package(drawing)
    return by_cycle(drawing) if len(drawing.functions) > _EACH_DRAWN else each_function(drawing)


def each_function(drawing: Drawing) -> Picture:
    """Every function is a node."""
    nodes = [Node([index], function.module) for index, function in enumerate(drawing.functions)]
    return Picture(drawing, nodes, _links(drawing, nodes), Grouped.NOTHING)


def by_cycle(drawing: Drawing) -> Picture:
    """Functions that can each reach all the others are one node.

    All functions of the best paths, those that access the target and the chokepoints stay nodes of their own.
    """
    import networkx  # late: 140 ms

    network = networkx.DiGraph()
    network.add_nodes_from(range(len(drawing.functions)))
    network.add_edges_from((edge.caller, edge.callee) for edge in drawing.edges)
    alone = _alone(drawing).union(*drawing.best)
    nodes = []
    for strong in networkx.strongly_connected_components(network):
        together = sorted(strong - alone)
        apart = [[index] for index in sorted(strong & alone)]
        for functions in [*apart, together] if together else apart:
            modules = {drawing.functions[index].module for index in functions}
            nodes.append(Node(functions, modules.pop() if len(modules) == 1 else ""))
    nodes.sort(key=lambda node: node.functions)
    is_grouped = len(nodes) < len(drawing.functions)
    return Picture(drawing, nodes, _links(drawing, nodes), Grouped.CYCLES if is_grouped else Grouped.NOTHING)


def by_package(drawing: Drawing, most: int = PACKAGES_DRAWN) -> Picture:
    """Functions of a package are one node: of packages whose names are as long as `most` nodes allow.

    The root, the functions that access the target and the chokepoints stay nodes of their own. Of the links those are
    kept that a best path takes, from each node the one with the most calls, and to each that from a nearer node.
    """
    alone = _alone(drawing)
    rest = Counter(function.module for index, function in enumerate(drawing.functions) if index not in alone)
    packages = _split(rest, most - len(alone))
    nodes = {
        package: Node([], package=package, whole=not any(other.startswith(f"{package}.") for other in packages))
        for package in packages
    }
    singles = []
    for index, function in enumerate(drawing.functions):
        if index in alone:
            singles.append(Node([index], function.module))
        else:
            nodes[_package_of(function.module, packages)].functions.append(index)
    found = sorted([*singles, *nodes.values()], key=lambda node: node.functions)
    links = _links(drawing, found)
    main = _main(drawing, links)
    return Picture(drawing, found, main, Grouped.PACKAGES, len(links) - len(main))


def calls_of(drawing: Drawing, link: Link) -> int:
    """How many calls a link stands for."""
    return sum(len(drawing.edges[number].lines) for number in link.edges)


def _main(drawing: Drawing, links: list[Link]) -> list[Link]:
    most: dict[tuple[str, int], Link] = {}
    for link in sorted(links, key=lambda link: -calls_of(drawing, link)):
        most.setdefault(("from", link.caller), link)
        if link.caller < link.callee:  # from what is nearer to the root
            most.setdefault(("to", link.callee), link)
    kept = {(link.caller, link.callee) for link in most.values()}
    return [link for link in links if link.is_best or (link.caller, link.callee) in kept]


def _alone(drawing: Drawing) -> set[int]:
    narrow = (index for index, function in enumerate(drawing.functions) if function.chokepoint)
    return {drawing.root, *drawing.targets, *narrow}


def _split(modules: Counter[str], most: int) -> set[str]:
    """The names to draw modules by: what holds the most is taken out of its package first, while there is room."""
    packages = {module.split(".")[0] for module in modules}
    while len(packages) < most:
        parts, left = Counter[str](), Counter[str]()
        for module, count in modules.items():
            package = _package_of(module, packages)
            left[package] += count
            if module != package:
                parts[".".join(module.split(".")[: package.count(".") + 2])] += count
        if not parts:
            break
        part = min(parts, key=lambda part: (-parts[part], part))
        packages.add(part)
        around = part.rpartition(".")[0]
        if parts[part] == left[around]:
            packages.remove(around)
    return packages


def _package_of(module: str, packages: set[str]) -> str:
    """The longest of the packages that a module is, or lies in."""
    parts = module.split(".")
    return next(name for n in range(len(parts), 0, -1) if (name := ".".join(parts[:n])) in packages)


def _links(drawing: Drawing, nodes: Sequence[Node]) -> list[Link]:
    node_of = {index: number for number, node in enumerate(nodes) for index in node.functions}
    edges: dict[tuple[int, int], list[int]] = {}
    for number, edge in enumerate(drawing.edges):
        ends = node_of[edge.caller], node_of[edge.callee]
        if ends[0] != ends[1]:
            edges.setdefault(ends, []).append(number)
    best = {(node_of[caller], node_of[callee]) for path in drawing.best for caller, callee in pairwise(path)}
    return [Link(*ends, numbers, ends in best) for ends, numbers in sorted(edges.items())]
