from __future__ import annotations

from itertools import permutations
from random import Random

import networkx
import pytest
from sketch import Sketch

from deepgrep.graph import chokepoints as narrow
from deepgrep.graph import paths
from deepgrep.graph.chokepoints import chokepoints, smallest_cut
from deepgrep.graph.chop import Chop, chop
from deepgrep.graph.counting import MOST, count_paths
from deepgrep.graph.history import History, imported_before
from deepgrep.graph.paths import alternatives, best_routes
from deepgrep.graph.premises import premises
from deepgrep.graph.rows import Certainty, Via
from deepgrep.graph.slices import forward_slice


class Asked:
    """A sketch, asked from `m:root` to `goals`."""

    def __init__(self, sketch: Sketch, *goals: str) -> None:
        self.sketch, self.graph = sketch, sketch.graph()
        self.root = sketch.index("m:root")
        self.reached = forward_slice(
            self.graph, [self.root], History(self.graph, imported_before(self.graph, [self.root]))
        )
        self.premises = premises(self.graph, self.reached)
        self.chop = chop(self.graph, self.reached, [sketch.index(goal) for goal in goals])

    def best(self) -> list[list[str]]:
        return [self.short(route) for route in best_routes(self.graph, self.reached, self.premises, self.chop).values()]

    def more(self, known: int, wanted: int) -> tuple[list[list[str]], bool]:
        routes = list(best_routes(self.graph, self.reached, self.premises, self.chop).values())[:known]
        found, complete = alternatives(self.graph, self.reached, self.premises, self.chop, routes, wanted)
        return [self.short(route) for route in found], complete

    def short(self, functions: object) -> list[str]:
        return [name.removeprefix("m.") for name in self.sketch.names(functions)]


def test_the_chop_holds_what_lies_on_some_path_and_nothing_else() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:a", "m:goal")
    sketch.chain("m:a", "m:a2", "m:a")
    sketch.chain("m:root", "m:dead")
    sketch.chain("m:goal", "m:after")
    asked = Asked(sketch, "m:goal")
    assert set(asked.short(asked.chop.functions)) == {"root", "a", "a2", "goal"}
    assert asked.chop.edge_count == 4


def test_parallel_calls_are_one_edge_of_the_chop() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:goal", line=1)
    sketch.edge("m:root", "m:goal", line=2, certainty=Certainty.FLOW)
    sketch.edge("m:root", "m:goal", line=3, requires=("m:root",))
    assert Asked(sketch, "m:goal").chop.edge_count == 1


def test_without_a_path_the_chop_is_empty() -> None:
    sketch = Sketch()
    sketch.function("m:root")
    sketch.function("m:goal")
    asked = Asked(sketch, "m:goal")
    assert (asked.chop.functions, asked.chop.goals, asked.best()) == ([], [], [])


def test_a_root_that_accesses_the_target_itself_is_the_path() -> None:
    sketch = Sketch()
    sketch.function("m:root")
    assert Asked(sketch, "m:root").best() == [["root"]]


def test_a_certain_path_is_best_even_if_it_is_longer() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:a", "m:b", "m:c", "m:d", "m:goal")
    sketch.edge("m:root", "m:goal", certainty=Certainty.DISPATCH)
    assert Asked(sketch, "m:goal").best() == [["root", "a", "b", "c", "d", "goal"]]


def test_of_certain_paths_the_shortest_is_best() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:a", "m:b", "m:goal")
    sketch.edge("m:root", "m:b", requires=("m:a",))
    assert Asked(sketch, "m:goal").best() == [["root", "b", "goal"]]


def test_without_a_certain_path_the_least_doubtful_is_best() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:a", certainty=Certainty.FLOW)
    sketch.edge("m:a", "m:goal")
    sketch.edge("m:root", "m:b", certainty=Certainty.DISPATCH)
    sketch.chain("m:b", "m:c", "m:goal")
    assert Asked(sketch, "m:goal").best() == [["root", "b", "c", "goal"]]


def test_an_import_costs_more_than_a_call() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:x", certainty=Certainty.DISPATCH)
    sketch.imports("m:x", "n")
    sketch.imports("n:<module>", "k")
    sketch.edge("k:<module>", "m:goal")
    sketch.chain("m:x", "m:y", "m:z", "m:w", "m:goal")
    assert Asked(sketch, "m:goal").best() == [["root", "x", "y", "z", "w", "goal"]]


def test_a_path_does_not_use_an_edge_whose_requirement_is_not_met() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:goal", requires=("m:never",))
    sketch.chain("m:root", "m:a", "m:goal")
    assert Asked(sketch, "m:goal").best() == [["root", "a", "goal"]]


def test_an_uncertain_path_does_not_use_one_either() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:goal", certainty=Certainty.FLOW, requires=("m:never",))
    sketch.chain("m:root", "m:a", "m:b", "m:goal", certainty=Certainty.DISPATCH)
    assert Asked(sketch, "m:goal").best() == [["root", "a", "b", "goal"]]


def test_of_two_paths_that_require_something_the_one_whose_premise_is_nearer_is_best() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:a", "m:b", "m:c", "m:far")
    sketch.edge("m:root", "m:x", requires=("m:far",), certainty=Certainty.FLOW)
    sketch.edge("m:root", "m:y", requires=("m:a",), certainty=Certainty.FLOW)
    sketch.chain("m:x", "m:goal")
    sketch.chain("m:y", "m:goal")
    assert Asked(sketch, "m:goal").best() == [["root", "y", "goal"]]


def test_of_certain_paths_too() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:corner", certainty=Certainty.FLOW)
    sketch.edge("m:root", "m:goal", requires=("m:corner",))
    sketch.chain("m:root", "m:a", "m:b", "m:goal")
    assert Asked(sketch, "m:goal").best() == [["root", "a", "b", "goal"]]


def test_a_certain_path_with_a_far_premise_stays_certain() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:corner", "m:corner2", certainty=Certainty.FLOW)
    sketch.edge("m:root", "m:goal", requires=("m:corner2",))
    sketch.edge("m:root", "m:goal2", certainty=Certainty.DISPATCH)
    sketch.edge("m:goal2", "m:goal")
    assert Asked(sketch, "m:goal").best() == [["root", "goal"]]


def test_a_longer_path_without_premise_is_better_than_a_short_one_with_a_far_one() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:x", certainty=Certainty.DISPATCH)
    sketch.chain("m:x", "m:c1", "m:c2", "m:c3", certainty=Certainty.FLOW)
    sketch.edge("m:x", "m:goal", requires=("m:c3",))
    sketch.chain("m:x", "m:a", "m:b", "m:c", "m:goal")
    assert Asked(sketch, "m:goal").best() == [["root", "x", "a", "b", "c", "goal"]]


def test_a_premise_on_the_path_itself_costs_nothing() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:maker", certainty=Certainty.FLOW)
    sketch.chain("m:maker", "m:use")
    sketch.edge("m:use", "m:goal", requires=("m:maker",))
    sketch.chain("m:use", "m:b", "m:goal")
    assert Asked(sketch, "m:goal").best() == [["root", "maker", "use", "goal"]]


def test_a_premise_that_ran_before_the_root_costs_nothing() -> None:
    sketch = Sketch()
    sketch.edge("m:<module>", "m:made")
    sketch.edge("m:root", "m:x", certainty=Certainty.FLOW, requires=("m:made",))
    sketch.chain("m:x", "m:goal")
    sketch.edge("m:root", "m:y", certainty=Certainty.FLOW)
    sketch.chain("m:y", "m:z", "m:goal")
    sketch.chain("m:root", "m:c1", "m:c2", "m:made", certainty=Certainty.FLOW)
    assert Asked(sketch, "m:goal").best() == [["root", "x", "goal"]]


def test_a_premise_is_paid_for_once_on_a_path() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:c1", "m:maker", certainty=Certainty.FLOW)
    sketch.edge("m:root", "m:x", certainty=Certainty.FLOW, requires=("m:maker",))
    sketch.edge("m:x", "m:goal", requires=("m:maker",))
    sketch.chain("m:x", "m:a", "m:b", "m:goal")
    assert Asked(sketch, "m:goal").best() == [["root", "x", "goal"]]


def test_a_premise_that_only_lies_behind_the_call_meets_nothing() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:x", requires=("m:behind",))
    sketch.chain("m:x", "m:behind", "m:goal")
    sketch.chain("m:root", "m:a", "m:goal", certainty=Certainty.FLOW)
    assert Asked(sketch, "m:goal").best() == [["root", "a", "goal"]]


def test_a_premise_behind_the_call_costs_as_much_as_the_way_to_it_past_the_call() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:x", certainty=Certainty.DISPATCH, requires=("m:behind",))
    sketch.chain("m:x", "m:behind")
    sketch.chain("m:x", "m:goal")
    sketch.chain("m:root", "m:c1", "m:behind", certainty=Certainty.FLOW)
    asked = Asked(sketch, "m:goal")
    behind = asked.sketch.index("m:behind")
    assert asked.short(asked.premises.way(behind)) == ["behind", "c1", "root"]
    assert asked.premises.distance[behind] == 12


def test_alternatives_cost_what_they_require_too() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:goal")
    sketch.chain("m:root", "m:c1", "m:c2", "m:c3", certainty=Certainty.FLOW)
    sketch.edge("m:root", "m:x", requires=("m:c3",))
    sketch.chain("m:x", "m:goal")
    sketch.chain("m:root", "m:a", "m:b", "m:goal")
    assert Asked(sketch, "m:goal").more(known=1, wanted=1) == ([["root", "a", "b", "goal"]], True)


def test_each_goal_has_its_path() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:one", "m:two")
    sketch.edge("m:root", "m:three", certainty=Certainty.FLOW)
    assert Asked(sketch, "m:one", "m:two", "m:three").best() == [
        ["root", "one"],
        ["root", "one", "two"],
        ["root", "three"],
    ]


def test_alternatives_are_further_paths_least_doubtful_first() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:a", "m:goal")
    sketch.chain("m:root", "m:b", "m:goal", certainty=Certainty.FLOW)
    sketch.chain("m:root", "m:c", "m:goal", certainty=Certainty.DISPATCH)
    asked = Asked(sketch, "m:goal")
    assert asked.more(known=1, wanted=1) == ([["root", "c", "goal"]], True)
    assert asked.more(known=1, wanted=9) == ([["root", "c", "goal"], ["root", "b", "goal"]], True)


def test_a_search_for_alternatives_that_is_given_up_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    sketch = Sketch()
    for first, second in permutations("abcdef", 2):
        sketch.chain("m:root", f"m:{first}", f"m:{second}", "m:goal")
    asked = Asked(sketch, "m:goal")
    monkeypatch.setattr(paths, "_ALTERNATIVES_WORK", 60)
    found, complete = asked.more(known=1, wanted=10_000)
    assert not complete
    assert len(found) < 100


def diamonds(count: int) -> Sketch:
    sketch = Sketch()
    for i in range(count):
        head, tail = ("m:root" if i == 0 else f"m:n{i}"), f"m:n{i + 1}"
        sketch.chain(head, f"m:left{i}", tail)
        sketch.chain(head, f"m:right{i}", tail)
    return sketch


def test_paths_of_an_acyclic_chop_are_counted_exactly() -> None:
    assert count_paths(Asked(diamonds(40), "m:n40").chop) == (2**40, True)


def test_a_path_to_each_goal_counts_even_if_it_goes_on_to_the_next() -> None:
    assert count_paths(Asked(diamonds(2), "m:n1", "m:n2").chop) == (2 + 4, True)


def test_a_cycle_adds_no_path_in_which_a_function_comes_twice() -> None:
    sketch = diamonds(3)
    sketch.chain("m:n2", "m:n1")
    assert count_paths(Asked(sketch, "m:n3").chop) == (8, True)


def test_too_many_paths_around_cycles_are_counted_from_below() -> None:
    sketch = diamonds(30)
    sketch.chain("m:n30", "m:root")
    count, exact = count_paths(Asked(sketch, "m:n30").chop)
    assert not exact
    assert count == 2**30


def test_a_count_beyond_what_json_readers_hold_is_cut_off_and_not_called_exact() -> None:
    assert count_paths(Asked(diamonds(80), "m:n80").chop) == (MOST, False)


def test_no_path_is_counted_as_none() -> None:
    assert count_paths(Chop([], {}, [], [])) == (0, True)


def test_chokepoints_are_on_every_path_and_leave_out_the_root() -> None:
    asked = Asked(diamonds(2), "m:n2")
    assert asked.short(chokepoints(asked.chop, [asked.root])) == ["n1", "n2"]


def test_two_goals_apart_have_no_chokepoint() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:one")
    sketch.edge("m:root", "m:two")
    asked = Asked(sketch, "m:one", "m:two")
    assert chokepoints(asked.chop, [asked.root]) == []


def random_chop(seed: int) -> Asked:
    random, sketch = Random(seed), Sketch()
    sketch.function("m:root")
    functions = ["m:root", *(f"m:f{i}" for i in range(9))]
    for function in functions:
        sketch.function(function)
    goals = random.sample(functions[1:], 2)
    for _ in range(16):
        sketch.edge(random.choice(functions), random.choice(functions))
    while not (asked := Asked(sketch, *goals)).chop.goals:
        sketch.edge(random.choice(functions), random.choice(functions))
    return asked


def network_of(asked: Asked) -> networkx.DiGraph:
    network = networkx.DiGraph((f, callee) for f in asked.chop.functions for callee in asked.chop.successors[f])
    network.add_edges_from((goal, "target") for goal in asked.chop.goals)
    return network


@pytest.mark.parametrize("seed", range(60))
def test_chokepoints_are_the_dominators_of_the_target(seed: int) -> None:
    asked = random_chop(seed)
    dominators, expected = networkx.immediate_dominators(network_of(asked), asked.root), []
    function = dominators["target"]
    while function != asked.root:
        expected.append(function)
        function = dominators[function]
    assert chokepoints(asked.chop, [asked.root]) == expected[::-1]


@pytest.mark.parametrize("seed", range(60))
def test_a_cut_breaks_every_path_and_no_smaller_one_does(seed: int) -> None:
    asked = random_chop(seed)
    cut = smallest_cut(asked.chop, [asked.root], chokepoints(asked.chop, [asked.root]))
    assert cut is not None
    network = network_of(asked)
    assert len(cut) == len(networkx.minimum_node_cut(network, asked.root, "target"))
    network.remove_nodes_from(cut)
    assert not networkx.has_path(network, asked.root, "target")


def test_nothing_cuts_a_root_that_accesses_the_target_itself() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:goal")
    asked = Asked(sketch, "m:root", "m:goal")
    assert smallest_cut(asked.chop, [asked.root], []) == []


def test_a_chop_too_large_to_search_has_no_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:one")
    sketch.edge("m:root", "m:two")
    asked = Asked(sketch, "m:one", "m:two")
    monkeypatch.setattr(narrow, "LARGEST_CUT_SEARCH", 1)
    assert smallest_cut(asked.chop, [asked.root], []) is None


def test_a_doubtful_path_in_this_process_is_shown_before_a_shorter_one_in_another() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:goal", via=Via.PROCESS, certainty=Certainty.FLOW)
    sketch.edge("m:root", "m:a", certainty=Certainty.FLOW)
    sketch.chain("m:a", "m:goal")
    assert Asked(sketch, "m:goal").best() == [["root", "a", "goal"]]
