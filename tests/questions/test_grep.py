"""`grep`, over sources whose call graph is given beside them."""

from __future__ import annotations

import textwrap

import pytest
from sketch import Sketch

from deepgrep.graph.rows import Certainty
from deepgrep.questions.grep import GrepAnswer, grep
from deepgrep.questions.patterns import patterns


def ask(
    sketch: Sketch, source: str, depth: int | None = None, pattern: str = "flag", root: str = "m.root"
) -> GrepAnswer:
    files = {"m.py": textwrap.dedent(source).encode()}
    return grep(sketch.graph(), root, patterns([pattern]), files.get, depth)


def lines(answer: GrepAnswer) -> dict[str, list[int]]:
    return {
        function.function.removeprefix("m."): [match.line for match in function.matches]
        for function in answer.functions
    }


@pytest.fixture
def sketch() -> Sketch:
    sketch = Sketch()
    sketch.function("m:root", 1)
    return sketch


CHAIN = """\
def root():
    near()  # flag

def near():
    far()

def far():
    flag = 1
    flag = 2

def unreached():
    flag = 3
"""


@pytest.fixture
def chain(sketch: Sketch) -> Sketch:
    sketch.function("m:near", 4)
    sketch.function("m:far", 7)
    sketch.function("m:unreached", 11)
    sketch.edge("m:root", "m:near", line=2)
    sketch.edge("m:near", "m:far", line=5, certainty=Certainty.FLOW)
    return sketch


def test_matching_lines_of_all_that_is_reached_are_given_nearest_first(chain: Sketch) -> None:
    answer = ask(chain, CHAIN)
    assert lines(answer) == {"root": [2], "far": [8, 9]}
    far = answer.functions[1]
    assert (far.distance, far.certainty, far.line) == (2, Certainty.FLOW, 7)
    assert [(hop.function, hop.call_line) for hop in far.path] == [("m.root", 2), ("m.near", 5)]
    assert (answer.searched_functions, answer.searched_files) == (3, 1)


def test_at_depth_0_the_root_alone_is_searched(chain: Sketch) -> None:
    answer = ask(chain, CHAIN, depth=0)
    assert lines(answer) == {"root": [2]}
    assert answer.searched_functions == 1


def test_functions_are_searched_to_a_depth(chain: Sketch) -> None:
    assert lines(ask(chain, CHAIN, depth=1)) == {"root": [2]}
    assert lines(ask(chain, CHAIN, depth=2)) == {"root": [2], "far": [8, 9]}


INNER = """\
def root():
    @mark(flag)
    def inner():
        flag
    flag
"""


def test_the_lines_of_a_function_within_are_its_own_and_its_decorators_too(sketch: Sketch) -> None:
    sketch.function("m:root.<locals>.inner", 3)
    assert lines(ask(sketch, INNER)) == {"root": [5]}
    sketch.edge("m:root", "m:root.<locals>.inner")
    assert lines(ask(sketch, INNER)) == {"root": [5], "root.<locals>.inner": [2, 4]}


def test_a_lambda_shares_its_line_with_the_code_around_it(sketch: Sketch) -> None:
    source = """\
    def root():
        f = lambda: flag
    """
    sketch.function("m:root.<locals>.<lambda>", 2)
    sketch.edge("m:root", "m:root.<locals>.<lambda>")
    assert lines(ask(sketch, source)) == {"root": [2]}


def test_a_lambda_that_is_reached_without_the_code_around_it_has_its_line(sketch: Sketch) -> None:
    source = """\
    def root(): pass
    def other():
        f = lambda: flag
    """
    sketch.function("m:other.<locals>.<lambda>", 3)
    sketch.edge("m:root", "m:other.<locals>.<lambda>")
    assert lines(ask(sketch, source)) == {"other.<locals>.<lambda>": [3]}


def test_the_lines_in_the_middle_of_a_lambda_are_its_own(sketch: Sketch) -> None:
    source = """\
    def root():
        f = lambda: (
            flag,
        )
    """
    sketch.function("m:root.<locals>.<lambda>", 2)
    assert lines(ask(sketch, source)) == {}
    sketch.edge("m:root", "m:root.<locals>.<lambda>")
    assert lines(ask(sketch, source)) == {"root.<locals>.<lambda>": [3]}


def test_a_class_body_is_part_of_the_code_around_it(sketch: Sketch) -> None:
    source = """\
    def root():
        class C:
            flag = 1
            def method(self):
                flag
    """
    sketch.function("m:root.<locals>.C.method", 4)
    assert lines(ask(sketch, source)) == {"root": [3]}


def test_the_lines_of_a_module_are_those_outside_of_functions(sketch: Sketch) -> None:
    source = """\
    def root(): flag

    class C:
        flag = 1
    flag = 2
    """
    sketch.function("m:<module>")
    assert lines(ask(sketch, source, root="m.<module>")) == {"<module>": [4, 5]}


def test_the_contexts_of_a_function_are_one_and_the_nearest_counts(chain: Sketch) -> None:
    other = chain.function("m:far", 7, context="f")
    edge = chain.rows.edges[0]
    chain.rows.edges.append(type(edge)(chain.index("m:root"), other, 2, edge.via, Certainty.CERTAIN))
    answer = ask(chain, CHAIN)
    assert [(function.function, function.distance) for function in answer.functions] == [("m.root", 0), ("m.far", 1)]


def test_a_relay_is_a_hop_and_has_no_lines(sketch: Sketch) -> None:
    sketch.function("native:<operation>", 0)
    sketch.function("m:called", 2)
    sketch.chain("m:root", "native:<operation>", "m:called")
    answer = ask(sketch, "def root(): pass\ndef called(): flag\n")
    assert [hop.function for hop in answer.functions[0].path] == ["m.root", "native.<operation>"]
    assert answer.searched_files == 1


def test_a_file_that_cannot_be_read_any_more_is_told(sketch: Sketch) -> None:
    answer = grep(sketch.graph(), "m.root", patterns(["flag"]), lambda file: None)
    assert answer.searched_files == 0
    assert answer.notes == ["1 file (m.py) cannot be read any more, or changed since it was analyzed: not searched"]


def test_a_file_of_a_later_python_is_searched(sketch: Sketch) -> None:
    assert lines(ask(sketch, "def root[T](): flag\n")) == {"root": [1]}


def test_a_file_that_has_to_be_parsed_and_that_this_python_cannot_parse_is_told(sketch: Sketch) -> None:
    answer = ask(sketch, "def root():\n\tflag = = 1\n")
    assert answer.functions == []
    assert answer.notes == [
        "1 file (m.py) has matches of which it is not known what function they are in: this Python cannot parse it"
    ]


def test_the_blind_spots_are_those_of_what_was_searched(chain: Sketch) -> None:
    chain.blind_spot("m:root", "x", "x")
    chain.blind_spot("m:far", "x", "x")
    assert ask(chain, CHAIN, depth=0).blind_spots == 1
    assert ask(chain, CHAIN).blind_spots == 2
