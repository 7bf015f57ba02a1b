from __future__ import annotations

import msgspec
import pytest
from linked import link_sources
from sketch import Sketch

from deepgrep.graph.rows import AccessKind, Certainty, Edge, NativeExit, Skipped, Via
from deepgrep.questions import leads as leads_module
from deepgrep.questions import reach as reach_module
from deepgrep.questions.answers import Hop, Lead, NativeExitRef, ReachAnswer, Verdict
from deepgrep.questions.filters import Filters
from deepgrep.questions.reach import reach


def ask(sketch: Sketch, root: str = "m.root", target: str = "_flag", paths: int = 1) -> ReachAnswer:
    return reach(sketch.graph(), root, target, paths=paths)


def shown(answer: ReachAnswer) -> list[list[str]]:
    return [[hop.function.removeprefix("m.") for hop in path.hops] for path in answer.paths]


def test_a_path_of_certain_hops_reaches() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:set", line=4)
    sketch.access("m:set", "m._flag", line=7)
    answer = ask(sketch)
    assert answer.verdict is Verdict.REACHES
    assert [row.reached for row in answer.accesses] == [True]
    assert [path.certainty for path in answer.paths] == [Certainty.CERTAIN]
    assert answer.paths[0].hops == [
        Hop("m.root", "m.py", 1, 4, Via.CALL, Certainty.CERTAIN, [], []),
        Hop("m.set", "m.py", 1, 7, Via.CALL, Certainty.CERTAIN, [], []),
    ]
    assert (answer.path_count, answer.path_count_exact) == (1, True)
    assert (answer.chop.functions, answer.chop.edges) == (["m.root", "m.set"], 1)
    assert (answer.chokepoints, answer.cut) == (["m.set"], ["m.set"])


def test_that_every_path_goes_on_in_another_process_is_said() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:worker", via=Via.PROCESS)
    sketch.access("m:worker", "m._flag")
    said = "the path shown goes on in another process: what is done there is done to that process's own state"
    assert said in ask(sketch).notes
    sketch.access("m:root", "m._flag")
    assert ask(sketch).notes == []


def test_a_path_with_an_uncertain_hop_may_reach() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:a")
    sketch.edge("m:a", "m:set", certainty=Certainty.DISPATCH)
    sketch.access("m:set", "m._flag")
    answer = ask(sketch)
    assert answer.verdict is Verdict.MAY_REACH
    assert [path.certainty for path in answer.paths] == [Certainty.DISPATCH]


def test_a_certain_path_is_shown_before_a_shorter_uncertain_one() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:near", certainty=Certainty.FLOW)
    sketch.chain("m:root", "m:a", "m:b", "m:far")
    sketch.access("m:near", "m._flag")
    sketch.access("m:far", "m._flag")
    answer = ask(sketch)
    assert answer.verdict is Verdict.REACHES
    assert shown(answer) == [["root", "a", "b", "far"], ["root", "near"]]


def test_each_reached_writer_has_a_path_and_the_others_are_listed_as_not_reached() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:one")
    sketch.edge("m:root", "m:two")
    for line, function in enumerate(("m:one", "m:two", "m:three")):
        sketch.access(function, "m._flag", line=line)
    answer = ask(sketch)
    assert [(row.function, row.reached) for row in answer.accesses] == [
        ("m.one", True),
        ("m.two", True),
        ("m.three", False),
    ]
    assert shown(answer) == [["root", "one"], ["root", "two"]]
    assert (answer.chokepoints, answer.cut) == ([], ["m.one", "m.two"])


def test_more_paths_are_given_if_asked_for() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:a", "m:set")
    sketch.chain("m:root", "m:b", "m:b2", "m:set")
    sketch.access("m:set", "m._flag")
    assert shown(ask(sketch)) == [["root", "a", "set"]]
    assert shown(ask(sketch, paths=5)) == [["root", "a", "set"], ["root", "b", "b2", "set"]]


def test_more_writers_than_are_shown_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    sketch = Sketch()
    for i in range(5):
        sketch.edge("m:root", f"m:set{i}")
        sketch.access(f"m:set{i}", "m._flag")
    monkeypatch.setattr(reach_module, "_PATHS_SHOWN", 3)
    answer = ask(sketch)
    assert len(answer.paths) == 3
    assert "5 functions that access the target are reached: paths to 3 are given" in answer.notes


def test_a_hop_has_the_conditions_and_locks_of_its_call() -> None:
    sketch = Sketch()
    lock = sketch.guard("_lock", kind="with", parent=sketch.guard("_compile"))
    sketch.edge("m:root", "m:set", guard=lock)
    sketch.access("m:set", "m._flag", guard=sketch.guard("debug"))
    first, last = ask(sketch).paths[0].hops
    assert (first.conditions, first.locks) == (["_compile"], ["_lock"])
    assert (last.conditions, last.locks) == (["debug"], [])


def test_of_parallel_calls_the_surest_is_shown() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:set", line=2, certainty=Certainty.FLOW)
    sketch.edge("m:root", "m:set", line=8)
    sketch.access("m:set", "m._flag")
    assert ask(sketch).paths[0].hops[0].call_line == 8


def test_of_a_writers_accesses_one_that_does_not_restore_is_shown() -> None:
    sketch = Sketch()
    sketch.access("m:root", "m._flag", line=2, restore=True)
    sketch.access("m:root", "m._flag", line=8)
    assert ask(sketch).paths[0].hops[0].call_line == 8


def test_the_last_hop_to_a_function_says_how_it_is_called() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:a")
    sketch.edge("m:a", "m:target", line=6, via=Via.CALLBACK, certainty=Certainty.FLOW)
    answer = ask(sketch, target="target")
    assert answer.verdict is Verdict.MAY_REACH
    assert shown(answer) == [["root", "a"]]
    assert answer.paths[0].hops[-1] == Hop("m.a", "m.py", 1, 6, Via.CALLBACK, Certainty.FLOW, [], [])


def test_a_call_whose_requirement_is_not_met_is_not_reached() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:target", requires=("m:make",))
    answer = ask(sketch, target="target")
    assert (answer.verdict, answer.open_calls) == (Verdict.NO_PATH, 1)
    assert [row.reached for row in answer.accesses] == [False]
    assert answer.assumptions[0].startswith(
        "the caller has neither made nor registered m.target: 1 call would lead to one"
    )


def test_a_method_that_no_object_has_is_said_to_need_one() -> None:
    sketch = Sketch()
    sketch.class_row("m.C")
    sketch.edge("m:root", "m:C.target", requires=("m:make",))
    answer = ask(sketch, target="target")
    assert (answer.verdict, answer.open_calls) == (Verdict.EXCLUDED, 0)
    assert answer.assumptions[0].startswith(
        "the caller passes in no instance of m.C, and has entered no mode of them: 1 "
    )


def test_the_contexts_of_a_root_are_one_root() -> None:
    sketch = Sketch()
    sketch.function("m:root", context="one")
    sketch.edge("m:root", "m:set")
    sketch.access("m:set", "m._flag")
    answer = ask(sketch)
    assert shown(answer) == [["root", "set"]]
    assert answer.chokepoints == ["m.set"]


def test_without_a_path_or_anything_unknown_the_target_is_excluded() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:a")
    sketch.access("m:set", "m._flag")
    answer = ask(sketch)
    assert answer.verdict is Verdict.EXCLUDED
    assert (answer.paths, answer.path_count, answer.chop.functions, answer.cut) == ([], 0, [], [])


def test_a_reached_blind_spot_of_the_right_name_is_a_lead() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:a")
    sketch.edge("n:install", "m:set")
    sketch.access("m:set", "m._flag")
    sketch.blind_spot("m:a", "self.install", "install", line=5)
    sketch.blind_spot("m:a", "self.other", "other", line=6)
    sketch.blind_spot("m:unreached", "self.install", "install")
    answer = ask(sketch)
    assert answer.verdict is Verdict.NO_PATH
    assert answer.leads == [Lead("m.a", "m.py", 5, "self.install", "parameter", ["n.install"], certain=True)]
    assert answer.blind_spots == 2


def test_the_writer_itself_can_be_what_a_blind_spot_calls() -> None:
    sketch = Sketch()
    sketch.access("m:set", "m._flag")
    sketch.blind_spot("m:root", "x.set", "set")
    assert [lead.could_be for lead in ask(sketch).leads] == [["m.set"]]


def test_a_blind_spot_named_like_a_class_could_construct_it() -> None:
    sketch = Sketch()
    sketch.class_row("n.Sub", "n.Base")
    sketch.access("n:Base.__init__", "m._flag")
    sketch.blind_spot("m:root", "kinds.Sub", "Sub")
    assert [lead.could_be for lead in ask(sketch).leads] == [["n.Base.__init__"]]


def test_a_blind_spot_without_a_name_is_no_lead_but_excludes_nothing_and_is_told() -> None:
    sketch = Sketch()
    sketch.access("m:set", "m._flag")
    sketch.blind_spot("m:root", "f()()", "")
    answer = ask(sketch)
    assert (answer.verdict, answer.leads, answer.open_calls) == (Verdict.NO_PATH, [], 1)
    assert any(note.startswith("1 of the 1 blind spots call a value that has no name") for note in answer.notes)


def test_a_blind_spot_without_a_name_keeps_nothing_open_where_nothing_accesses_the_target() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:other")
    sketch.access("m:set", "m._flag", access=AccessKind.READ)
    sketch.blind_spot("m:root", "f()()", "")
    assert ask(sketch).verdict is Verdict.EXCLUDED


def test_a_blind_spot_that_could_be_what_a_required_edge_waits_for_is_a_lead() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:set", requires=("n:Mode.__enter__",))
    sketch.access("m:set", "m._flag")
    sketch.blind_spot("m:root", "x.__enter__", "__enter__")
    answer = ask(sketch)
    assert answer.verdict is Verdict.NO_PATH
    assert [lead.could_be for lead in answer.leads] == [["n.Mode.__enter__"]]


@pytest.mark.parametrize("reached", ["m:a", "m:A.__init__"])
def test_a_function_that_is_reached_anyway_makes_no_lead(reached: str) -> None:
    sketch = Sketch()
    sketch.class_row("m.A")
    sketch.edge("m:root", reached)
    sketch.edge(reached, "m:set", requires=("m:never",))
    sketch.access("m:set", "m._flag")
    sketch.blind_spot("m:root", "x.a", "a")
    sketch.blind_spot("m:root", "x.A", "A")
    assert ask(sketch).leads == []


def test_leads_and_their_candidates_beyond_what_is_listed_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    sketch = Sketch()
    for i in range(3):
        sketch.access(f"n{i}:set", "m._flag")
        sketch.blind_spot("m:root", f"x{i}.set", "set")
    monkeypatch.setattr(leads_module, "_SHOWN", 2)
    monkeypatch.setattr(leads_module, "_NAMES_SHOWN", 1)
    answer = ask(sketch)
    assert [lead.could_be for lead in answer.leads] == [["n0.set"], ["n0.set"]]
    assert answer.lead_count == 3
    assert answer.notes[-2:] == [
        "3 leads, of which the first 2 are listed",
        "of what a lead could be, at most 1 functions are listed",
    ]


def test_candidates_of_no_lead_are_not_remarked_on(monkeypatch: pytest.MonkeyPatch) -> None:
    sketch = Sketch()
    for i in range(3):
        sketch.access(f"n{i}:set", "m._flag")
    sketch.function("m:root")
    monkeypatch.setattr(leads_module, "_NAMES_SHOWN", 1)
    assert ask(sketch).notes == []


def test_a_reached_native_exit_leaves_the_answer_open() -> None:
    sketch = Sketch()
    sketch.access("m:set", "m._flag")
    sketch.native_exit("m:root", "torch._C.x", line=6)
    answer = ask(sketch)
    assert answer.verdict is Verdict.NO_PATH
    assert answer.native_exits == [NativeExitRef("m.root", "m.py", 6, "torch._C.x", certain=True)]


def test_a_file_that_could_not_be_read_leaves_the_answer_open_and_is_told() -> None:
    sketch = Sketch()
    sketch.function("m:root")
    sketch.access("m:set", "m._flag")
    sketch.skip("x.py", "not UTF-8")
    answer = ask(sketch)
    assert answer.verdict is Verdict.NO_PATH
    assert answer.skipped == [Skipped("x.py", "not UTF-8")]
    assert "the 1 files that could not be read hold nothing that matters" in answer.assumptions


def test_a_target_that_nothing_accesses_so_is_told_with_what_does() -> None:
    sketch = Sketch()
    sketch.function("m:root")
    sketch.access("m:get", "m._flag", access=AccessKind.READ)
    answer = ask(sketch)
    assert (answer.verdict, answer.accesses) == (Verdict.EXCLUDED, [])
    assert "nothing in the analyzed sources writes m._flag; there are 1 with --access read" in answer.notes


def test_that_the_roots_module_has_been_imported_is_told() -> None:
    sketch = Sketch()
    sketch.imports("m:<module>", "n")
    sketch.access("m:root", "m._flag")
    assert ask(sketch).assumptions == ["m has been imported: the 2 modules that this runs are not run again"]


def test_a_count_that_is_not_exact_is_told() -> None:
    sketch = Sketch()
    for i in range(30):
        sketch.chain(f"m:n{i}", f"m:left{i}", f"m:n{i + 1}")
        sketch.chain(f"m:n{i}", f"m:right{i}", f"m:n{i + 1}")
    sketch.chain("m:n30", "m:n0")
    sketch.access("m:n30", "m._flag")
    answer = ask(sketch, root="m.n0")
    assert not answer.path_count_exact
    assert "path_count is a lower bound: there are too many paths to count" in answer.notes


def test_the_same_question_has_the_same_answer_whatever_the_order_of_the_rows() -> None:
    sketch = Sketch()
    for i in range(6):
        sketch.chain("m:root", f"m:a{i % 3}", f"m:b{i}", "m:set", "m:root")
    sketch.access("m:set", "m._flag")
    sketch.access("m:set", "m._flag", line=4)
    first = msgspec.json.encode(ask(sketch, paths=4))
    sketch.rows.edges.reverse()
    sketch.rows.accesses.reverse()
    assert msgspec.json.encode(ask(sketch, paths=4)) == first


def test_the_json_has_the_fields_of_the_format() -> None:
    sketch = Sketch()
    sketch.access("m:root", "m._flag")
    data = msgspec.to_builtins(ask(sketch))
    assert data["schema"] == "deepgrep-reach/1"
    assert data["target"] == {"name": "m._flag", "kind": "module global", "scope": "process", "access": "write"}
    assert data["paths"][0]["hops"][0].keys() == {
        *("function", "file", "line", "call_line", "via", "certainty", "conditions", "locks", "depends_on")
    }


def test_a_place_that_writes_it_if_one_of_several_values_is_called_is_uncertain() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:writer")
    sketch.access("m:writer", "m._flag", form="call of one of several")
    assert ask(sketch).verdict is Verdict.MAY_REACH


def with_a_far_premise() -> Sketch:
    sketch = Sketch()
    sketch.chain("m:root", "m:corner", "m:C.__init__", certainty=Certainty.FLOW)
    sketch.edge("m:root", "m:set", requires=("m:never", "m:D.__init__", "m:C.__init__"))
    sketch.chain("m:C.__init__", "m:D.__init__")
    sketch.access("m:set", "m._flag")
    return sketch


def test_a_hop_says_what_it_requires_and_the_way_to_that() -> None:
    first, last = ask(with_a_far_premise()).paths[0].hops
    assert first.requires == ["m.C.__init__", "m.D.__init__"]
    assert first.met_along == ["m.root", "m.corner", "m.C.__init__"]
    assert not last.requires


def test_a_hop_that_requires_nothing_leaves_that_out() -> None:
    first, last = msgspec.to_builtins(ask(with_a_far_premise()).paths[0].hops)
    assert {"requires", "met_along"} <= first.keys()
    assert not {"requires", "met_along"} & last.keys()


def test_what_is_met_on_the_path_before_is_not_said_to_be_required() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:maker", "m:use")
    sketch.edge("m:use", "m:set", requires=("m:maker",))
    sketch.access("m:set", "m._flag")
    assert not any(hop.requires for hop in ask(sketch).paths[0].hops)


def test_what_one_hop_requires_is_not_said_again_of_the_next() -> None:
    sketch = with_a_far_premise()
    sketch.edge("m:set", "m:set2", requires=("m:C.__init__",))
    sketch.access("m:set2", "m._flag2")
    assert [bool(hop.requires) for hop in ask(sketch, target="_flag2").paths[0].hops] == [True, False, False]


def test_of_paths_to_several_accesses_one_with_a_near_premise_comes_first() -> None:
    sketch = with_a_far_premise()
    sketch.chain("m:root", "m:a", "m:b", "m:set2")
    sketch.access("m:set2", "m._flag")
    assert shown(ask(sketch)) == [["root", "a", "b", "set2"], ["root", "set"]]


def test_a_premise_before_a_stop_costs_nothing_after_it() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:maker", certainty=Certainty.FLOW)
    sketch.chain("m:maker", "m:stop")
    sketch.edge("m:stop", "m:set", requires=("m:maker",))
    sketch.chain("m:stop", "m:a", "m:set")
    sketch.access("m:set", "m._flag")
    answer = reach(sketch.graph(), "m.root", "_flag", filters=Filters(through=("m.stop",)))
    assert shown(answer) == [["root", "maker", "stop", "set"]]


def test_a_limit_of_the_length_holds_whatever_is_required() -> None:
    sketch = with_a_far_premise()
    sketch.chain("m:root", "m:a", "m:b", "m:set")
    assert shown(ask(sketch)) == [["root", "a", "b", "set"]]
    answer = reach(sketch.graph(), "m.root", "_flag", filters=Filters(max_length=2))
    assert shown(answer) == [["root", "set"]]


def test_of_an_attribute_that_is_computed_what_it_is_made_from_is_state_of_its_own() -> None:
    graph = link_sources("""
        class Flags:
            def __getattr__(self, name): return read()
        flags = Flags()
        def read(): pass
        def user(): flags.fast = True
        def root(): pass
    """).graph()
    answer = reach(graph, "root", "flags.fast")
    assert (answer.verdict, answer.open_calls) == (Verdict.NO_PATH, 1)
    assert any(
        note.startswith("m.flags.fast is computed by m.Flags.__getattr__ when it is read") for note in answer.notes
    )


def test_a_brief_answer_has_as_many_functions_and_native_exits_as_the_whole_one() -> None:
    sketch = Sketch()
    sketch.function("m:f", context="of a")
    sketch.edge("m:root", "m:f")
    sketch.rows.edges.append(
        Edge(sketch.function("m:root"), sketch.function("m:f", context="of a"), 2, Via.CALL, Certainty.CERTAIN)
    )
    for caller in (sketch.function("m:f"), sketch.function("m:f", context="of a")):
        sketch.rows.edges.append(Edge(caller, sketch.function("m:goal"), 3, Via.CALL, Certainty.CERTAIN))
        sketch.rows.native_exits.append(NativeExit(caller, 6, "torch._C.x"))
    sketch.native_exit("m:goal", "torch._C.x")
    sketch.native_exit("m:elsewhere", "torch._C.y")
    sketch.access("m:goal", "m.flag")
    findings = reach_module.investigate(sketch.graph(), "m.root", "m.flag")
    whole, brief = reach_module.answer(findings), reach_module.answer(findings, brief=True)
    assert whole.chop.functions == ["m.root", "m.f", "m.goal"]
    assert (len(brief.chop.functions), brief.chop.edges) == (3, whole.chop.edges)
    assert len(brief.native_exits) == len(whole.native_exits) == 2
