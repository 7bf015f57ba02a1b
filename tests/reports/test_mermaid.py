import re

import pytest
from hostile_names import HOSTILE
from msgspec.structs import replace
from report_examples import REACHES, drawing_of

from deepgrep.reports.drawings.mermaid import mermaid_source


def nothing(_file, _line):
    return None


def linked(file, line):
    return f"https://example.org/{file}#L{line}"


# What may stand in a line: a label is letters, digits, a few signs, entity codes and line breaks.
LABEL = r'"(?:[A-Za-z0-9 .,:+]|\#\d+;|<br/>)*"'
LINES = re.compile(
    rf"""%% .*
    | flowchart\ TD
    | \ \ subgraph\ m\d+\[{LABEL}\]
    | \ +f\d+\[{LABEL}\]
    | \ \ end
    | \ \ target\{{\{{{LABEL}\}}\}}
    | \ \ f\d+\ (-->|-\.->|==>)(\|{LABEL}\|)?\ (f\d+|target)
    | \ \ classDef\ \w+\ [\w:#,-]+
    | \ \ class\ (f\d+|target)\ \w+
    | \ \ click\ f\d+\ href\ "https://[^"\s<>]+"\ _blank
    """,
    re.VERBOSE,
)


def lines_of(drawing, answer=REACHES, permalink=nothing):
    source = mermaid_source(drawing, answer, permalink)
    assert source is not None
    return source.splitlines()


def test_a_comment_is_no_directive():
    directive = '%%{init: {"theme":"forest"}}%%'
    answer = replace(
        REACHES, root=replace(REACHES.root, name=directive), target=replace(REACHES.target, name=directive)
    )
    assert "%{" not in mermaid_source(drawing_of(3), answer, nothing)


def test_functions_stand_in_their_modules_with_lines_on_the_calls():
    lines = lines_of(drawing_of(3))
    assert lines[lines.index('  subgraph m0["pkg.part0"]') + 1] == '    f0["Class0.method#95;0<br/>line 1"]'
    assert '  f0 -->|"2"| f1' in lines
    assert '  f2 ==>|"writes 25, 29"| target' in lines
    assert '  target{{"pkg.tracer.#95;flag<br/>module global"}}' in lines


def test_uncertain_calls_are_dotted_and_say_how_control_passes():
    assert '  f2 -->|"22 callback"| f3' in lines_of(drawing_of(5))
    assert '  f1 -.->|"12"| f2' in lines_of(drawing_of(5))


def test_root_target_accesses_and_chokepoints_have_classes():
    lines = lines_of(drawing_of(3))
    assert {"  class f0 isRoot", "  class target isTarget", "  class f2 doesAccess", "  class f2 isChokepoint"} <= set(
        lines
    )


def test_no_class_has_a_name_of_mermaids_own():
    names = {line.split()[1] for line in lines_of(drawing_of(3)) if line.startswith("  classDef")}
    assert not names & {"root", "node", "default", "label", "cluster", "edgePath", "marker"}


def test_functions_link_to_the_public_source():
    assert '  click f1 href "https://example.org/pkg/part1.py#L11" _blank' in lines_of(drawing_of(2), permalink=linked)


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", 'https://x.org/"x', "https://x.org/\nclick", "http://x.org"]
)
def test_only_addresses_on_the_web_become_links(address):
    assert not [line for line in lines_of(drawing_of(2), permalink=lambda *_: address) if "click" in line]


def test_verdict_and_versions_are_told_in_comments():
    assert lines_of(drawing_of(2))[:2] == [
        "%% reaches: pkg.api.start can reach code that writes pkg.tracer._flag",
        "%% pkg 2.13.0, commit 0123456789ab, digest fedcba987654",
    ]


@pytest.mark.parametrize("name", [*HOSTILE, "end", "`md`", "a|b", "%%{init: {}}%%", "#quot;", "**b**", "\u2028x"])
def test_hostile_names_are_text_and_nothing_else(name):
    drawing = drawing_of(3)
    evil = replace(drawing.functions[0], name=name, module=name, label=name, file=name)
    answer = replace(REACHES, root=replace(REACHES.root, name=name), target=replace(REACHES.target, name=name))
    expected = len(lines_of(drawing))
    lines = lines_of(replace(drawing, functions=[evil, *drawing.functions[1:]]), answer)
    assert [line for line in lines if not LINES.fullmatch(line)] == []
    assert len(lines) == expected


def test_what_is_too_large_for_a_tracker_is_not_written():
    assert mermaid_source(drawing_of(41), REACHES, nothing) is None
    many = replace(drawing_of(40), edges=drawing_of(40).edges * 10)
    assert mermaid_source(many, REACHES, nothing) is None


def test_links_are_left_out_where_they_do_not_fit():
    source = mermaid_source(drawing_of(40), REACHES, lambda file, line: f"https://example.org/{'x' * 2000}")
    assert source is not None
    assert "click" not in source
