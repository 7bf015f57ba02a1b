import click
from msgspec.structs import replace
from report_examples import PATH, SOURCE

from deepgrep.graph.rows import Certainty
from deepgrep.questions.answers import Removed, RootRef
from deepgrep.questions.grep import GrepAnswer, MatchingFunction, MatchingLine
from deepgrep.reports.text.grep import grep_text

FOUND = MatchingFunction(
    function="pkg.tracer.flag",
    file="pkg/tracer.py",
    line=60,
    distance=2,
    certainty=Certainty.FLOW,
    importing=False,
    matches=[MatchingLine(98, "    return _flag"), MatchingLine(101, "\t# _flag\x1b[31m")],
    path=PATH.hops,
)
ANSWER = GrepAnswer(
    sources=[SOURCE],
    root=RootRef(name="pkg.api.start", file="pkg/api.py", line=10),
    patterns=["_flag"],
    depth=None,
    functions=[FOUND],
    searched_functions=1_200,
    searched_files=30,
    blind_spots=2,
    skipped=[],
    notes=[],
)


def text(answer, width=100, **options):
    return click.unstyle(grep_text(answer, width, **options)).splitlines()


def test_each_function_has_the_way_to_it_and_its_lines():
    assert text(ANSWER) == [
        "2 lines in 1 function",
        "",
        "sources   pkg 2.13.0, commit 0123456789ab, digest fedcba987654",
        "searched  1,200 functions in 30 files that pkg.api.start reaches",
        "",
        "pkg/tracer.py:60  flag",
        "  2 calls away, flow: one of several values",
        "  start → Tracer.trace → flag",
        "   98      return _flag",
        "  101   # _flag�[31m",
        "",
        "2 calls in there could not be followed, or not to all callees",
    ]


def test_every_hop_is_shown_if_asked():
    assert text(ANSWER, paths=True)[5:12] == [
        "pkg/tracer.py:60  flag",
        "  2 calls away, flow: one of several values",
        "    pkg/api.py:12  start",
        "    pkg/tracer.py:44  Tracer.trace",
        "      when enabled; not (fn is None)",
        "      holding self.lock",
        "   98      return _flag",
    ]


def test_the_root_has_no_way_to_it():
    root = replace(FOUND, distance=0, certainty=Certainty.CERTAIN, path=[])
    assert text(replace(ANSWER, functions=[root]))[5:7] == ["pkg/tracer.py:60  flag", "   98      return _flag"]


def test_what_was_searched_is_told():
    assert "searched  pkg.api.start itself" in text(replace(ANSWER, depth=0))
    expected = "searched  1,200 functions in 30 files that pkg.api.start reaches in 3 calls"
    assert expected in text(replace(ANSWER, depth=3))


def test_long_lines_are_cut():
    long = replace(FOUND, matches=[MatchingLine(1, "_flag" * 50)])
    assert all(len(line) <= 80 for line in text(replace(ANSWER, functions=[long]), 80))


def test_what_is_left_out_and_what_cannot_be_is_told():
    removed = Removed("pkg.api.start", "pkg/api.py", 11, "a", "a is False", leads_on=False)
    lines = text(replace(ANSWER, filters=["avoids trace"], removed=[removed]))
    assert "filter    avoids trace" in lines
    at = lines.index("removed   1 condition cannot hold, by what is assumed")
    assert lines[at + 1 : at + 3] == ["  pkg/api.py:11  start", "      a  (a is False)"]
