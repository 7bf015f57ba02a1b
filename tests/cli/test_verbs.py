"""Every verb, from its arguments to its output, on a package of two modules whose graph is given."""

import json
import os
import xml.etree.ElementTree as ElementTree

import pytest

from deepgrep.api import opening, places
from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph, pack
from deepgrep.graph.rows import (
    Access,
    AccessKind,
    BlindSpot,
    Certainty,
    Edge,
    Function,
    GraphRows,
    Guard,
    Source,
    State,
    Via,
)

API = """\
def start(fn):
    return trace(fn)

def idle():
    return 1
"""

TRACER = """\
def trace(fn):
    global _flag
    if fn:
        _flag = True
"""

ROWS = GraphRows(
    sources=[Source("pkg", "", "", "0123456789abcdef")],
    functions=[
        Function("pkg.api.start", "pkg/api.py", "start", 1),
        Function("pkg.api.idle", "pkg/api.py", "idle", 4),
        Function("pkg.tracer.trace", "pkg/tracer.py", "trace", 1),
        Function("pkg.api.<module>", "pkg/api.py", "<module>", 1),
        Function("pkg.tracer.<module>", "pkg/tracer.py", "<module>", 1),
    ],
    edges=[Edge(0, 2, 2, Via.CALL, Certainty.CERTAIN)],
    guards=[Guard(-1, "if", "fn", 3)],
    states=[
        State("pkg.tracer._flag", "module global", "process"),
        State("pkg.tracer._other", "module global", "process"),
    ],
    accesses=[Access(0, 2, 4, AccessKind.WRITE, "global", guard=0)],
    blind_spots=[BlindSpot(0, 2, "fn", "fn", "parameter")],
    native_exits=[],
    classes=[],
    aliases={},
    skipped=[],
)


@pytest.fixture(autouse=True)
def analyzed(monkeypatch, tmp_path):
    """The package lies in a folder; its graph is the one above; no torch is installed."""
    folder = tmp_path / "pkg"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "api.py").write_text(API)
    (folder / "tracer.py").write_text(TRACER)

    def no_torch(name, python):
        raise DeepgrepError(f"{name} is not installed")

    sections = pack(ROWS)
    monkeypatch.setattr(places, "find_installed", no_torch)
    monkeypatch.setattr(opening, "open_graph", lambda trees, store, **_: CallGraph(sections.__getitem__))
    monkeypatch.setenv("DEEPGREP_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def ask(deepgrep, tmp_path):
    """Run a verb on the package."""
    return lambda *arguments: deepgrep(*arguments, "--source", str(tmp_path / "pkg"))


def test_reach_shows_the_path_with_its_source_lines_and_leaves_with_0(ask):
    outcome = ask("reach", "start", "_flag")
    assert outcome.code == 0
    assert outcome.out.startswith("reaches   pkg.api.start can reach code that writes pkg.tracer._flag\n")
    assert "  pkg/api.py:2  start\n      return trace(fn)\n" in outcome.out
    assert (
        "  pkg/tracer.py:4  trace\n      _flag = True\n      when fn\n      → writes pkg.tracer._flag\n" in outcome.out
    )


def test_reach_without_a_path_leaves_with_1(ask):
    outcome = ask("reach", "idle", "_flag")
    assert outcome.code == 1
    assert outcome.out.startswith("excluded   pkg.api.idle cannot reach code that writes pkg.tracer._flag")


def test_reach_as_json_is_the_format(ask):
    outcome = ask("reach", "start", "_flag", "--format", "json")
    answer = json.loads(outcome.out)
    assert (answer["schema"], answer["verdict"]) == ("deepgrep-reach/1", "reaches")
    assert [hop["function"] for hop in answer["paths"][0]["hops"]] == ["pkg.api.start", "pkg.tracer.trace"]


def test_reach_writes_into_a_file_instead_of_stdout(ask, tmp_path):
    outcome = ask("reach", "start", "_flag", "-o", str(tmp_path / "answer.txt"))
    assert (outcome.code, outcome.out) == (0, "")
    assert (tmp_path / "answer.txt").read_text().startswith("reaches   pkg.api.start")


def test_a_file_called_dash_is_stdout(ask, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = ask("reach", "start", "_flag", "-o", "-")
    assert outcome.out.startswith("reaches   ")
    assert not (tmp_path / "-").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_no_root_that_is_waited_for(ask, tmp_path):
    os.mkfifo(tmp_path / "pipe.py")
    outcome = ask("reach", str(tmp_path / "pipe.py"), "_flag")
    assert outcome.code == 2
    assert outcome.err.splitlines()[-1].endswith("pipe.py: not a regular file: a root that ends in .py is a script")


def test_reach_draws_svg_on_stdout(ask):
    picture = ElementTree.fromstring(ask("reach", "start", "_flag", "--format", "svg").out)
    assert len(picture.findall(".//*[@class='node']")) == 3


def test_reach_draws_png_into_a_file(ask, tmp_path):
    assert ask("reach", "start", "_flag", "--format", "png", "-o", str(tmp_path / "paths.png")).code == 0
    assert (tmp_path / "paths.png").read_bytes().startswith(b"\x89PNG")


def test_reach_draws_nothing_where_there_is_no_path_and_says_so(ask, tmp_path):
    outcome = ask("reach", "idle", "_flag", "--format", "svg", "-o", str(tmp_path / "paths.svg"))
    assert outcome.code == 1
    assert "nothing is drawn: pkg.api.idle cannot reach code that writes pkg.tracer._flag" in outcome.err
    assert not (tmp_path / "paths.svg").exists()


def test_unknown_name_is_an_error_of_one_line_after_the_warnings(ask):
    outcome = ask("reach", "nowhere", "_flag")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.splitlines()[-1].startswith("deepgrep: ")


def test_accesses_lists_places_and_leaves_with_0(ask):
    outcome = ask("accesses", "_flag")
    assert outcome.code == 0
    assert "pkg/tracer.py:4  trace\n      _flag = True\n      → global\n      when fn\n" in outcome.out


def test_accesses_of_what_nothing_reads_leaves_with_1(ask):
    outcome = ask("accesses", "_flag", "--access", "read", "--format", "json")
    assert outcome.code == 1
    assert json.loads(outcome.out)["accesses"] == []


def test_callers_are_shown_where_they_call(ask):
    outcome = ask("callers", "trace")
    assert outcome.code == 0
    assert "  pkg/api.py:2  start\n      return trace(fn)\n" in outcome.out


def test_function_without_callers_leaves_with_1(ask):
    assert ask("callers", "idle").code == 1


def test_callees_are_shown_where_they_are_defined(ask):
    outcome = ask("callees", "start", "--depth", "all")
    assert outcome.code == 0
    assert "  pkg/tracer.py:1  trace\n      return trace(fn)\n" in outcome.out


def test_callees_as_json_is_the_format(ask):
    answer = json.loads(ask("callees", "start", "--depth", "all", "--format", "json").out)
    assert answer["schema"] == "deepgrep-callees/1"
    assert [(function["name"], function["distance"]) for function in answer["functions"]] == [("pkg.tracer.trace", 1)]


def test_race_without_a_pair_leaves_with_1(ask):
    outcome = ask("race", "_flag", "--from", "start")
    assert outcome.code == 1
    assert outcome.out.startswith("not-shared   nothing can interleave on pkg.tracer._flag")


def test_race_as_json_is_the_format(ask):
    answer = json.loads(ask("race", "_flag", "--format", "json").out)
    assert (answer["schema"], answer["verdict"]) == ("deepgrep-race/1", "not-shared")
    assert [(place["line"], place["value"]) for place in answer["accesses"]] == [(4, "True")]


def test_export_writes_the_whole_graph(ask, tmp_path):
    assert ask("export", "-o", str(tmp_path / "graph.json")).code == 0
    graph = json.loads((tmp_path / "graph.json").read_bytes())
    assert (graph["schema"], len(graph["functions"]), len(graph["edges"])) == ("deepgrep-callgraph/1", 5, 1)


def test_export_for_pycg_maps_callers_to_callees(ask):
    assert json.loads(ask("export", "--format", "pycg").out)["pkg.api.start"] == ["pkg.tracer.trace"]


def test_effects_lists_what_the_root_can_change(ask):
    outcome = ask("effects", "start")
    assert outcome.code == 0
    assert outcome.out.startswith("pkg.api.start can change 1 shared state, 1 by certain calls alone\n")
    assert "  pkg.tracer._flag\n      certain, 1 call away, one for the whole process\n" in outcome.out
    assert "      pkg/tracer.py:4  trace\n      start → trace\n      when fn\n" in outcome.out


def test_effects_of_what_changes_nothing_leave_with_1(ask):
    outcome = ask("effects", "idle")
    assert outcome.code == 1
    assert outcome.out.startswith("pkg.api.idle can change no shared state that is known\n")


def test_effects_as_json_is_the_format(ask):
    answer = json.loads(ask("effects", "start", "--format", "json").out)
    assert (answer["schema"], answer["access"]) == ("deepgrep-effects/1", "write")
    assert [effect["name"] for effect in answer["effects"]] == ["pkg.tracer._flag"]


def test_effects_can_be_what_the_root_depends_on(ask):
    assert ask("effects", "start", "--reads").code == 1


def test_grep_shows_matching_lines_with_the_way_to_them(ask):
    outcome = ask("grep", "start", "_flag", "nothing")
    assert outcome.code == 0
    assert outcome.out.startswith("2 lines in 1 function\n")
    assert (
        "pkg/tracer.py:1  trace\n  1 call away\n  start → trace\n  2      global _flag\n  4          _flag = True\n"
        in outcome.out
    )


def test_grep_shows_every_hop_if_asked(ask):
    outcome = ask("grep", "start", "_flag", "--paths")
    assert "pkg/tracer.py:1  trace\n  1 call away\n    pkg/api.py:2  start\n  2      global _flag\n" in outcome.out


def test_grep_in_the_root_alone_leaves_with_1_where_nothing_matches(ask):
    outcome = ask("grep", "start", "_flag", "--depth", "0")
    assert (outcome.code, outcome.out.splitlines()[0]) == (1, "0 lines in 0 functions")


def test_grep_as_json_is_the_format(ask):
    answer = json.loads(ask("grep", "start", "-E", "-i", "^ +_FLAG", "--format", "json").out)
    assert (answer["schema"], answer["patterns"]) == ("deepgrep-grep/1", ["^ +_FLAG"])
    assert answer["functions"][0]["matches"] == [{"line": 4, "text": "        _flag = True"}]


def test_grep_for_what_is_no_regular_expression_is_an_error_of_one_line(ask):
    outcome = ask("grep", "start", "-E", "(")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.splitlines()[-1].startswith("deepgrep: pattern '(' is no regular expression")


def test_states_lists_what_is_written(ask):
    outcome = ask("states")
    assert outcome.code == 0
    assert "module global: 1" in outcome.out
    assert outcome.out.splitlines()[-1].split() == ["pkg.tracer._flag", "1", "0"]


def test_states_as_csv_have_a_line_of_headings(ask):
    lines = ask("states", "--all", "--format", "csv").out.splitlines()
    assert lines == [
        "name,kind,scope,package,writers,readers",
        "pkg.tracer._flag,module global,process,pkg,1,0",
        "pkg.tracer._other,module global,process,pkg,0,0",
    ]


def test_states_as_json_is_the_format(ask):
    answer = json.loads(ask("states", "*_flag", "--format", "json").out)
    assert (answer["schema"], len(answer["states"])) == ("deepgrep-states/1", 1)


def test_without_a_state_of_that_name_states_leaves_with_1(ask):
    assert ask("states", "nowhere").code == 1


@pytest.mark.parametrize(
    "verb",
    [
        ("reach", "start", "_flag"),
        ("effects", "start"),
        ("grep", "start", "_flag"),
        ("callees", "start"),
        ("callers", "trace"),
    ],
)
def test_the_verbs_that_follow_calls_take_filters(ask, verb):
    assert ask(*verb).code == 0
    assert ask(*verb, "--exclude", "pkg.nothing").code == 2
    outcome = ask(*verb, "--certainty", "dispatch", "--max-length", "3")
    assert outcome.code == 0
    assert "filter    takes only calls that are certain or dispatch\nfilter    has at most 3 calls\n" in outcome.out


def test_race_takes_the_filters_that_are_not_about_single_paths(ask):
    assert "filter    stays out of pkg.api\n" in ask("race", "_flag", "--exclude", "pkg.api").out
    outcome = ask("race", "_flag", "--through", "start")
    assert outcome.code == 2
    assert outcome.err.startswith("deepgrep: No such option '--through'")


def test_a_contradictory_filter_is_one_line_that_says_what_to_do(ask):
    outcome = ask("reach", "start", "_flag", "--avoid", "start")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.endswith("deepgrep: the root pkg.api.start is left out by --avoid start: drop that\n")


def test_assumptions_are_passed_on(ask):
    outcome = ask("reach", "start", "_flag", "--assume-env", "FAST=1")
    assert outcome.code == 0
    assert "filter    assumes that the environment variable FAST is '1'\n" in outcome.out
    assert ask("reach", "start", "_flag", "--assume", "nothing=1").code == 2
