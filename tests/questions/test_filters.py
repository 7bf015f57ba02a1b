"""Filters leave functions and calls out of every path; those that contradict the question are refused."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from sketch import Sketch

from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import AccessKind, Certainty
from deepgrep.questions.answers import ReachAnswer, Verdict
from deepgrep.questions.effects import effects
from deepgrep.questions.filters import Filters
from deepgrep.questions.grep import grep
from deepgrep.questions.neighbours import callees, callers
from deepgrep.questions.patterns import patterns
from deepgrep.questions.race import race
from deepgrep.questions.reach import reach


def two_ways() -> Sketch:
    """root -> a.left -> a.more -> b.set, and by a value that flowed root -> b.right -> b.set."""
    sketch = Sketch()
    sketch.chain("m:root", "a:left", "a:more", "b:set")
    sketch.chain("m:root", "b:right", "b:set", certainty=Certainty.FLOW)
    sketch.access("b:set", "b._flag")
    return sketch


def ask(sketch: Sketch, **filters: Any) -> ReachAnswer:
    return reach(sketch.graph(), "m.root", "b._flag", filters=Filters(**filters))


def shown(answer: ReachAnswer) -> list[str]:
    return [hop.function for hop in answer.paths[0].hops] if answer.paths else []


@pytest.mark.parametrize(
    ("filters", "path"),
    [
        ({"avoid": ("p",)}, []),
        ({"avoid": ("p.q",)}, []),
        ({"avoid": ("p.<module>",)}, ["m.root", "p.q.far", "b.set"]),
        ({"avoid": ("p.q.<module>",)}, ["m.root", "p.q.far", "b.set"]),
        ({"through": ("p",)}, ["m.root", "p.q.far", "b.set"]),
        ({"through": ("q",)}, ["m.root", "p.q.far", "b.set"]),
    ],
)
def test_the_name_of_a_package_or_module_means_all_that_is_in_it(filters: dict[str, Any], path: list[str]) -> None:
    sketch = Sketch()
    sketch.function("p:<module>")
    sketch.function("p.q:<module>")
    sketch.chain("m:root", "p.q:far", "b:set")
    sketch.access("b:set", "b._flag")
    assert shown(ask(sketch, **filters)) == path


@pytest.mark.parametrize(
    ("filters", "path"),
    [
        ({}, ["m.root", "a.left", "a.more", "b.set"]),
        ({"avoid": ("a.left",)}, ["m.root", "b.right", "b.set"]),
        ({"avoid": ("left", "right")}, []),
        ({"exclude": ("a",)}, ["m.root", "b.right", "b.set"]),
        ({"within": ("m", "a", "b")}, ["m.root", "a.left", "a.more", "b.set"]),
        ({"within": ("m", "b")}, ["m.root", "b.right", "b.set"]),
        ({"through": ("right",)}, ["m.root", "b.right", "b.set"]),
        ({"through": ("left", "more")}, ["m.root", "a.left", "a.more", "b.set"]),
        ({"through": ("more", "left")}, []),  # in this order
        ({"through": ("left", "right")}, []),
        ({"max_length": 2}, ["m.root", "b.right", "b.set"]),
        ({"max_length": 3}, ["m.root", "b.right", "b.set"]),  # the shortest
        ({"max_length": 1}, []),
        ({"through": ("left",), "max_length": 2}, []),
        ({"through": ("left",), "max_length": 3}, ["m.root", "a.left", "a.more", "b.set"]),
        ({"certainty": Certainty.CERTAIN}, ["m.root", "a.left", "a.more", "b.set"]),
        ({"certainty": Certainty.CERTAIN, "avoid": ("left",)}, []),
    ],
)
def test_the_best_path_that_is_left(filters: dict[str, Any], path: list[str]) -> None:
    assert shown(ask(two_ways(), **filters)) == path


def test_the_chop_holds_only_what_lies_on_paths_that_are_left() -> None:
    answer = ask(two_ways(), max_length=2)
    assert (answer.chop.functions, answer.chop.edges) == (["m.root", "b.right", "b.set"], 2)


@pytest.mark.parametrize(("most", "count"), [(1, (0, True)), (2, (1, True)), (3, (2, True))])
def test_paths_that_are_short_enough_are_counted(most: int, count: tuple[int, bool]) -> None:
    answer = ask(two_ways(), max_length=most)
    assert (answer.path_count, answer.path_count_exact) == count


def test_where_some_paths_may_be_too_long_there_are_at_least_the_shortest() -> None:
    sketch = Sketch()
    for one, other in (("p", "q"), ("q", "r"), ("r", "p")):
        sketch.chain("m:root", f"m:{one}", f"m:{other}", "b:set")
    sketch.access("b:set", "b._flag")
    answer = ask(sketch, max_length=3)
    assert (answer.path_count, answer.path_count_exact) == (1, False)


def test_a_function_that_only_a_longer_path_leads_on_from_lies_on_none() -> None:
    sketch = two_ways()
    sketch.chain("m:root", "m:near", "m:middle", "m:far")
    sketch.edge("m:far", "b:right", requires=("m:root",))
    assert "m.near" in ask(sketch, max_length=5).chop.functions
    assert ask(sketch, max_length=2).chop.functions == ["m.root", "b.right", "b.set"]
    assert "m.near" not in ask(sketch, max_length=4).chop.functions


def test_every_path_passes_through_a_stop() -> None:
    answer = ask(two_ways(), through=("left",))
    assert answer.chokepoints == ["a.left", "a.more", "b.set"]
    assert answer.chop.functions == ["m.root", "a.left", "a.more", "b.set"]


def test_a_stop_that_leads_nowhere_leaves_no_path() -> None:
    sketch = two_ways()
    sketch.chain("m:root", "m:stop")
    answer = ask(sketch, through=("stop",))
    assert (answer.verdict, answer.chop.functions, answer.cut) == (Verdict.EXCLUDED, [], [])


def test_what_is_left_out_is_said() -> None:
    answer = ask(two_ways(), avoid=("left",), exclude=("a",), max_length=5, certainty=Certainty.DISPATCH)
    assert answer.filters == [
        "avoids left",
        "stays out of a",
        "takes only calls that are certain or dispatch",
        "has at most 5 calls",
    ]


def test_what_is_left_out_gives_no_leads() -> None:
    sketch = Sketch()
    sketch.blind_spot("m:root", "x.install", "install")
    sketch.chain("a:install", "b:set")
    sketch.access("b:set", "b._flag")
    assert ask(sketch).leads
    assert not ask(sketch, exclude=("a",)).leads


def test_torch_testing_is_left_out_and_that_is_said_where_a_call_leads_there() -> None:
    sketch = two_ways()
    sketch.chain("m:root", "torch.testing._x:helper")
    sketch.access("torch.testing._x:helper", "b._flag")
    answer = ask(sketch)
    assert [row.reached for row in answer.accesses] == [True, False]
    assert answer.filters == [
        "torch.testing is left out, as by default, where 1 reached function could lead (--testing follows it)"
    ]
    assert [row.reached for row in ask(sketch, testing=True).accesses] == [True, True]
    assert ask(two_ways()).filters == []


def test_a_question_about_torch_testing_follows_it() -> None:
    sketch = Sketch()
    sketch.chain("torch.testing._x:root", "torch.testing._x:set")
    sketch.access("torch.testing._x:set", "b._flag")
    assert reach(sketch.graph(), "torch.testing._x.root", "b._flag").paths


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"avoid": ("root",)}, "the root m.root is left out by --avoid root: drop that"),
        ({"avoid": ("b.set",)}, "every place that writes b._flag is left out by --avoid b.set: drop that"),
        ({"exclude": ("m",)}, "the root m.root is left out by --exclude m: drop that"),
        ({"exclude": ("b",)}, "every place that writes b._flag is left out by --exclude b: drop that"),
        ({"within": ("a", "b")}, "the root m.root is left out by --within a b: add --within m"),
        ({"within": ("m",)}, "every place that writes b._flag is left out by --within m: add --within b"),
        ({"through": ("left",), "avoid": ("left",)}, "--through left is left out by --avoid left: drop that"),
        ({"avoid": ("nothing",)}, "--avoid: nothing is named 'nothing'"),
        ({"through": ("nothing",)}, "--through: nothing is named 'nothing'"),
        ({"within": ("n",)}, "--within: there is no package or module n"),
        ({"exclude": ("a.left",)}, "--exclude: there is no package or module a.left"),
    ],
)
def test_filters_that_contradict_the_question_or_mean_nothing(filters: dict[str, Any], message: str) -> None:
    with pytest.raises(DeepgrepError) as error:
        ask(two_ways(), **filters)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, ["a.left", "b.right", "a.more", "b.set"]),
        ({"exclude": ("b",)}, ["a.left", "a.more"]),
        ({"avoid": ("left",)}, ["b.right", "b.set"]),
        ({"certainty": Certainty.CERTAIN}, ["a.left", "a.more", "b.set"]),
        ({"max_length": 1}, ["a.left", "b.right"]),
        ({"through": ("more",)}, ["a.more", "b.set"]),
    ],
)
def test_callees(filters: dict[str, Any], found: list[str]) -> None:
    answer = callees(two_ways().graph(), "m.root", None, Filters(**filters))
    assert [row.name for row in answer.functions] == found


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, ["a.more", "b.right", "m.root", "a.left"]),
        ({"exclude": ("b.nothing", "a")}, None),
        ({"avoid": ("more",)}, ["b.right", "m.root"]),
        ({"certainty": Certainty.CERTAIN}, ["a.more", "a.left", "m.root"]),
        ({"max_length": 1}, ["a.more", "b.right"]),
        ({"through": ("left",)}, ["m.root", "a.left"]),
    ],
)
def test_callers(filters: dict[str, Any], found: list[str] | None) -> None:
    graph = two_ways().graph()
    if found is None:
        with pytest.raises(DeepgrepError, match=r"no package or module b\.nothing"):
            callers(graph, "b.set", None, Filters(**filters))
        return
    assert [row.name for row in callers(graph, "b.set", None, Filters(**filters)).functions] == found


@pytest.mark.parametrize(
    ("filters", "path"),
    [
        ({}, ["m.root", "a.left", "a.more", "b.set"]),
        ({"exclude": ("a",)}, ["m.root", "b.right", "b.set"]),
        ({"through": ("right",)}, ["m.root", "b.right", "b.set"]),
        ({"max_length": 2}, ["m.root", "b.right", "b.set"]),
        ({"max_length": 1}, []),
        ({"certainty": Certainty.CERTAIN, "avoid": ("left",)}, []),
    ],
)
def test_effects(filters: dict[str, Any], path: list[str]) -> None:
    answer = effects(two_ways().graph(), "m.root", filters=Filters(**filters))
    assert [[hop.function for hop in effect.path.hops] for effect in answer.effects] == ([path] if path else [])


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, ["m.root", "a.left", "b.right", "a.more", "b.set"]),
        ({"within": ("m", "a")}, ["m.root", "a.left", "a.more"]),
        ({"max_length": 1}, ["m.root", "a.left", "b.right"]),
        ({"through": ("left",)}, ["a.left", "a.more", "b.set"]),
    ],
)
def test_what_grep_searches(filters: dict[str, Any], found: list[str]) -> None:
    sketch = two_ways()
    functions = {"m": ["root"], "a": ["left", "more"], "b": ["set", "right"]}
    sketch.rows.functions[:] = [
        replace(row, line=functions[row.file[0]].index(row.qualname) + 1) for row in sketch.rows.functions
    ]
    files = {f"{module}.py": "".join(f"def {name}(): x\n" for name in names) for module, names in functions.items()}
    read = {file: text.encode() for file, text in files.items()}.get
    answer = grep(sketch.graph(), "m.root", patterns(["x"]), read, filters=Filters(**filters))
    assert [row.function for row in answer.functions] == found


@pytest.mark.parametrize("roots", [(), ("m.root",)])
@pytest.mark.parametrize(
    ("filters", "entries"),
    [
        ({"exclude": ("a",)}, {"m.root", "b.right", "b.set"}),
        ({"avoid": ("right",)}, {"m.root", "a.left", "a.more", "b.set"}),
        ({"certainty": Certainty.CERTAIN}, {"m.root", "a.left", "a.more", "b.set"}),
        ({"within": ("m", "b")}, {"m.root", "b.right", "b.set"}),
    ],
)
def test_what_the_threads_of_a_race_do(roots: tuple[str, ...], filters: dict[str, Any], entries: set[str]) -> None:
    answer = race(two_ways().graph(), "b._flag", lambda _: lambda _file, _line: None, roots, Filters(**filters))
    assert answer.writer_entries == (1 if roots else len(entries))
    assert {entry.name for row in answer.accesses for entry in row.entries} <= entries
    assert len(answer.filters) == 1


def test_what_no_thread_can_come_to_does_not_race() -> None:
    sketch = two_ways()
    sketch.access("a:more", "b._flag", access=AccessKind.READ)
    no_lines = lambda _: lambda _file, _line: None  # noqa: E731
    both = race(sketch.graph(), "b._flag", no_lines)
    one = race(sketch.graph(), "b._flag", no_lines, filters=Filters(exclude=("a",)))
    assert [[row.function for row in answer.accesses] for answer in (both, one)] == [["a.more", "b.set"], ["b.set"]]


def test_a_race_is_about_all_paths() -> None:
    with pytest.raises(DeepgrepError, match="race is about all paths, so it takes no through and no max_length"):
        race(two_ways().graph(), "b._flag", lambda _: lambda _file, _line: None, filters=Filters(through=("left",)))


def test_torch_testing_is_left_out_of_effects_and_races_and_that_is_said() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "torch.testing.a:f")
    sketch.edge("torch.testing.a:f", "m:set")
    sketch.access("m:set", "m._flag")
    graph, said = sketch.graph(), "torch.testing is left out, as by default, "
    assert effects(graph, "m.root").effects == []
    assert effects(graph, "m.root").filters == [f"{said}where 1 reached function could lead (--testing follows it)"]
    answer = race(graph, "m._flag", lambda _: lambda _file, _line: None)
    assert answer.writer_entries == 1
    assert answer.filters == [f"{said}though it leads there (--testing follows it)"]
    assert effects(graph, "m.root", filters=Filters(testing=True)).effects[0].distance == 2
    assert (
        race(graph, "m._flag", lambda _: lambda _file, _line: None, filters=Filters(testing=True)).writer_entries == 3
    )


@pytest.mark.parametrize("filters", [{"within": ("m",)}, {"exclude": ("torch",)}])
def test_torch_testing_is_not_left_out_twice(filters: dict[str, Any]) -> None:
    sketch = Sketch()
    sketch.edge("m:root", "torch.testing.a:f")
    sketch.function("torch:f")
    assert len(callees(sketch.graph(), "m.root", None, Filters(**filters)).filters) == 1


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"avoid": "left"}, "avoid='left': it is a tuple: ('left',)"),
        ({"certainty": "sure"}, "certainty='sure': it is one of 'certain', 'dispatch', 'flow'"),
        ({"max_length": 0}, "max_length=0: it is a number from 1 on"),
    ],
)
def test_values_that_the_command_line_would_refuse(filters: dict[str, Any], message: str) -> None:
    with pytest.raises(DeepgrepError) as error:
        ask(two_ways(), **filters)
    assert str(error.value) == message
