"""The questions of the Python API, on a real package that is indexed for it."""

import json
import subprocess
import sys
from textwrap import dedent

import msgspec
import pytest

import deepgrep
from deepgrep import DeepgrepError, Filters
from deepgrep.questions.answers import AccessesAnswer, NeighboursAnswer, ReachAnswer
from deepgrep.questions.baseline import Baseline
from deepgrep.questions.checking import CheckAnswer
from deepgrep.questions.effects import EffectsAnswer
from deepgrep.questions.grep import GrepAnswer
from deepgrep.questions.race_answers import RaceAnswer
from deepgrep.questions.states import StatesAnswer
from deepgrep.questions.stored import StoredQuery

CODE = """
    _flag = False

    def start():
        middle()

    def middle():
        global _flag
        _flag = True

    def show():
        print(_flag)
"""


def stored(name, **fields):
    """A query about the flag."""
    return StoredQuery(name=name, file=f"{name}.toml", question="q", target="_flag", **fields)


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A package torch of one module `torch.m`, so that none is looked for."""
    folder = tmp_path_factory.mktemp("api")
    (folder / "torch").mkdir()
    (folder / "torch" / "__init__.py").touch()
    (folder / "torch" / "m.py").write_text(dedent(CODE))
    with deepgrep.open(folder / "torch", cache_dir=folder / "cache", jobs=1) as opened:
        yield opened


def test_reach_gives_the_verdict_and_the_path(package):
    answer = package.reach("start", "_flag")
    assert isinstance(answer, ReachAnswer)
    assert answer.verdict == "reaches"
    assert [hop.function for hop in answer.paths[0].hops] == ["torch.m.start", "torch.m.middle"]


def test_a_root_can_be_code(package):
    assert package.reach("import torch.m; torch.m.start()", "_flag").verdict == "reaches"


def test_accesses_are_of_the_kind_that_was_asked_for(package):
    answer = package.accesses("_flag", access="read")
    assert isinstance(answer, AccessesAnswer)
    assert [place.function for place in answer.accesses] == ["torch.m.show"]


def test_a_report_is_files_that_are_not_yet_written(package):
    made = package.report("start", "_flag")
    assert (made.name, made.answer.verdict, made.warnings) == ("start--_flag", "reaches", ())
    assert [name.removeprefix(made.name) for name in made.files] == [".md", ".html", ".svg"]
    with pytest.raises(DeepgrepError, match=r"paths=0: it is a number from 1 on"):
        package.report("start", "_flag", paths=0)


def test_lines_have_addresses_only_where_the_release_is_known(package):
    assert package.permalinks()("torch/m.py", 1) is None


def test_callers_and_callees_go_as_far_as_was_asked_for(package):
    assert isinstance(package.callees("start"), NeighboursAnswer)
    assert [callee.name for callee in package.callees("start").functions] == ["torch.m.middle"]
    assert [caller.name for caller in package.callers("middle", depth=None).functions] == ["torch.m.start"]


def test_race_says_what_two_threads_can_do(package):
    answer = package.race("_flag", roots=["start", "show"])
    assert isinstance(answer, RaceAnswer)
    assert (answer.verdict, [pair.kind for pair in answer.pairs]) == ("can-interleave", ["write and read"])


def test_effects_are_what_is_changed_or_what_is_read(package):
    answer = package.effects("start")
    assert isinstance(answer, EffectsAnswer)
    assert [effect.name for effect in answer.effects] == ["torch.m._flag"]
    assert [effect.name for effect in package.effects("show", reads=True).effects] == ["torch.m._flag"]


def test_grep_gives_the_lines_as_deep_as_was_asked_for(package):
    answer = package.grep("start", "_FLAG", ignore_case=True)
    assert isinstance(answer, GrepAnswer)
    assert [(found.function, [line.line for line in found.matches]) for found in answer.functions] == [
        ("torch.m.middle", [8, 9])
    ]
    assert package.grep("start", "_flag", depth=0).functions == []


def test_grep_searches_a_root_that_is_code(package):
    answer = package.grep("import torch.m; torch.m.start()", "start", depth=0)
    assert [line.text for line in answer.functions[0].matches] == ["import torch.m; torch.m.start()"]


def test_every_question_that_follows_calls_takes_filters(package):
    filters = Filters(avoid=("middle",))
    assert package.callees("start", filters=filters).functions == []
    assert package.effects("start", filters=filters).effects == []
    assert package.grep("start", "_flag", filters=filters).functions == []
    away = Filters(avoid=("start",))
    assert package.callers("middle", filters=Filters(max_length=1)).filters == ["has at most 1 call"]
    assert package.race("_flag", filters=away).filters == ["avoids start"]
    assert package.reach("middle", "_flag", filters=away).filters == ["avoids start"]


def test_a_stored_query_is_answered_as_what_it_asks(package):
    query = stored("starts", root="start", expect="reaches")
    assert package.run(query) == package.reach("start", "_flag")
    filtered = stored("starts", root="start", filters=Filters(max_length=1))
    assert package.run(filtered).filters == ["has at most 1 call"]


def test_stored_queries_are_checked_by_path_or_as_they_were_read(package, tmp_path):
    (tmp_path / "idles.toml").write_text('question = "q"\nroot = "show"\ntarget = "_flag"\nexpect = "excluded"\n')
    answer = package.check([stored("starts", root="start", expect="no-path"), str(tmp_path)])
    assert isinstance(answer, CheckAnswer)
    assert [(query.name, query.outcome) for query in answer.queries] == [
        ("starts", "different"),
        ("idles", "as-expected"),
    ]
    baseline = answer.updated(Baseline())
    assert (
        package.check([stored("starts", root="start", expect="no-path")], baseline=baseline).outcomes["different"] == 0
    )


def test_each_source_is_compared_with_its_release(package):
    assert [(released.name, released.repository) for released in package.released()] == [("torch", "")]


def test_states_are_those_of_the_kind_that_was_asked_for(package):
    answer = package.states(kind="module global")
    assert isinstance(answer, StatesAnswer)
    assert [(state.name, state.writers, state.readers) for state in answer.states] == [("torch.m._flag", 1, 1)]
    assert package.states(scope="thread").states == []


def test_an_answer_encodes_to_the_json_of_the_command_line(package):
    assert json.loads(msgspec.json.encode(package.accesses("_flag")))["schema"] == "deepgrep-accesses/1"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (lambda package: package.reach("nowhere", "_flag"), "nothing is named 'nowhere'"),
        (lambda package: package.reach("start", "_flag", access="change"), "access='change': it is one of 'write'"),
        (lambda package: package.reach("start", "_flag", paths=0), "paths=0: it is a number from 1 on"),
        (lambda package: package.race("_flag", roots="start"), "roots='start': it is a list of roots"),
        (lambda package: package.run("nothing-like-it"), "there is no query 'nothing-like-it'"),
        (lambda package: package.check("starts"), "queries='starts': it is a list of queries"),
        (lambda package: package.states(kind="global"), "kind='global': it is one of 'native setting', "),
        (lambda package: package.states(scope="all"), "scope='all': it is one of 'process', 'thread', "),
        (lambda package: package.grep("start"), "there is nothing to look for: give a pattern after the root"),
        (lambda package: package.grep("start", "_flag", depth=-1), "depth=-1: it is a number from 0 on"),
        (lambda package: package.effects("start", nearest=0), "nearest=0: it is a number from 1 on"),
        (lambda package: package.effects("start", filters=Filters(avoid="middle")), "avoid='middle': it is a tuple"),
        (lambda package: package.callers("start", depth=0), "depth=0: it is a number from 1 on"),
        (lambda package: package.callers("start", depth="all"), "depth='all': it is a number from 1 on"),
        (lambda package: package.effects(None), "root=None: it is a text"),
        (lambda package: package.reach("start", 1), "target=1: it is a text"),
        (lambda package: package.callees(["start"]), r"root=\['start'\]: it is a text"),
        (lambda package: package.callers(b"start"), "name=b'start': it is a text"),
        (lambda package: package.accesses(None), "target=None: it is a text"),
        (lambda package: package.race("_flag", roots=[None]), "root=None: it is a text"),
        (lambda package: package.states(None), "pattern=None: it is a text"),
        (lambda package: package.states(package=1), "package=1: it is a text"),
        (lambda package: package.grep("start", ["_flag"]), r"pattern=\['_flag'\]: it is a text"),
        (lambda package: package.effects("start", filters={}), "filters={}: it is a deepgrep.Filters"),
        (lambda package: package.effects("start", filters=Filters(avoid=None)), "avoid=None: it is a tuple of texts"),
        (lambda package: package.effects("start", filters=Filters(assume=(1,))), "assume=.*: it is a tuple of texts"),
        (lambda package: package.effects("start", filters=Filters(max_length="2")), "max_length='?2'?: it is a number"),
    ],
)
def test_what_cannot_be_answered_is_an_error_that_says_why(package, question, said):
    with pytest.raises(deepgrep.DeepgrepError, match=said):
        question(package)


def test_importing_deepgrep_imports_nothing_else():
    code = "import sys; import deepgrep; print(sorted(n for n in sys.modules if n.startswith('deepgrep.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['deepgrep.errors']\n"


def test_a_name_that_deepgrep_does_not_have_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'close'"):
        _ = deepgrep.close
