import click
from msgspec.structs import replace
from report_examples import REACHES, RESTORE, SOURCE, WRITE, source_line

from deepgrep.graph.rows import Certainty, Via
from deepgrep.questions.answers import AccessesAnswer, Neighbour, NeighboursAnswer, RootRef
from deepgrep.reports.text.accesses import accesses_text
from deepgrep.reports.text.neighbours import callees_text, callers_text

ACCESSES = AccessesAnswer(
    sources=[SOURCE],
    target=REACHES.target,
    accesses=[replace(WRITE, reached=None), replace(RESTORE, reached=None)],
    skipped=[],
)

ROOT = RootRef(name="pkg.api.start", file="pkg/api.py", line=10)


def neighbours(*functions: Neighbour, depth: int | None = 1) -> NeighboursAnswer:
    return NeighboursAnswer(
        schema="deepgrep-callees/1",
        sources=[SOURCE],
        root=ROOT,
        depth=depth,
        functions=list(functions),
        blind_spots=2,
        skipped=[],
    )


def neighbour(name: str, file: str, line: int, **rest: object) -> Neighbour:
    fields = {
        "qualname": name.rpartition(".")[2],
        "distance": 1,
        "certainty": Certainty.CERTAIN,
        "via": Via.CALL,
        "through": ROOT.name,
        "call_line": 12,
    } | rest
    return Neighbour(name=name, file=file, line=line, **fields)


def test_accesses_show_each_place_with_source_form_and_conditions():
    assert click.unstyle(accesses_text(ACCESSES, source_line, 100)).splitlines() == [
        "2 places write pkg.tracer._flag  (module global, one for the whole process)",
        "",
        "sources   pkg 2.13.0, commit 0123456789ab, digest fedcba987654",
        "",
        "pkg/tracer.py:44  Tracer.trace",
        "      _flag = True",
        "      → global",
        "      when enabled",
        "",
        "pkg/other.py:7  undo",
        "      → global, restore",
    ]


def test_accesses_of_a_target_that_nothing_accesses_are_none():
    first = accesses_text(replace(ACCESSES, accesses=[]), source_line, 100).splitlines()[0]
    assert click.unstyle(first).startswith("0 places write pkg.tracer._flag")


def test_callees_are_shown_at_their_definition_with_the_calling_line():
    answer = neighbours(neighbour("pkg.tracer.trace", "pkg/tracer.py", 38, via=Via.CALLBACK))
    assert click.unstyle(callees_text(answer, source_line, 100)).splitlines() == [
        "1 callee of pkg.api.start  pkg/api.py:10",
        "",
        "sources   pkg 2.13.0, commit 0123456789ab, digest fedcba987654",
        "",
        "1 call away",
        "  pkg/tracer.py:38  trace",
        "      return trace(fn)",
        "      → by callback",
        "",
        "2 reached calls with callees that are not all known",
        "",
        "more: --depth 2 or --depth all goes further; --format json has everything",
    ]


def test_callers_are_shown_at_the_calling_line():
    caller = neighbour("pkg.api.outer", "pkg/api.py", 1, call_line=12)
    lines = click.unstyle(callers_text(neighbours(caller), source_line, 100)).splitlines()
    assert lines[4:9] == [
        "1 call away",
        "  pkg/api.py:12  outer",
        "      return trace(fn)",
        "",
        "2 calls with unknown callees could mean it, by name alone",
    ]


def test_functions_further_away_say_through_which_function():
    near = neighbour("pkg.tracer.trace", "pkg/tracer.py", 38)
    far = neighbour("pkg.other.f", "pkg/other.py", 5, distance=2, through="pkg.tracer.trace", call_line=44)
    lines = click.unstyle(callees_text(neighbours(near, far, depth=None), source_line, 100)).splitlines()
    assert lines[lines.index("2 calls away") :][:4] == [
        "2 calls away",
        "  pkg/other.py:5  f",
        "      _flag = True",
        "      → called at line 44 of pkg.tracer.trace",
    ]
