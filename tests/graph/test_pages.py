"""Large sections are kept in pages, of which only those are read that are looked at."""

from __future__ import annotations

import pytest
from sketch import Sketch

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph, pack
from deepgrep.graph.columns import SIGNED, UNSIGNED, Rows, Strings, pack_numbers, pack_strings, unpack_numbers
from deepgrep.graph.pages import PAGE, PagedSections, Pages, in_pages, parts, whole

MANY = 3 * PAGE // 4 + 1
"""So many numbers take more than three pages."""


class Stored:
    """Sections as they are stored, and what was read of them."""

    def __init__(self, sections: dict[str, bytes]) -> None:
        self.rows = in_pages(sections)
        self.read: list[str] = []
        self.sections = PagedSections(self._read)

    def _read(self, name: str) -> bytes:
        self.read.append(name)
        return self.rows[name]

    def pages(self, name: str) -> Pages:
        blob = self.sections.blob(name)
        assert isinstance(blob, Pages)
        return blob


def test_a_small_section_is_kept_as_it_is() -> None:
    assert Stored({"small": b"x" * PAGE}).sections.blob("small") == b"x" * PAGE


def test_a_large_section_is_the_same_out_of_its_pages() -> None:
    data = bytes(range(256)) * (PAGE // 100)
    pages = Stored({"large": data}).pages("large")
    assert whole(pages) == b"".join(parts(pages)) == data
    assert len(pages) == len(data)


@pytest.mark.parametrize(
    ("start", "stop"),
    [(0, 4), (PAGE - 2, PAGE + 2), (PAGE, 2 * PAGE), (1, 3 * PAGE + 1), (2 * PAGE, 9 * PAGE), (5, 5), (9 * PAGE, None)],
)
def test_a_slice_is_the_same_wherever_pages_end(start: int, stop: int | None) -> None:
    data = bytes(range(251)) * (3 * PAGE // 250)
    assert Stored({"large": data}).pages("large")[start:stop] == data[start:stop]


def test_one_row_of_a_large_column_reads_one_page() -> None:
    stored = Stored({"numbers": pack_numbers(UNSIGNED, range(MANY))})
    assert Rows(stored.pages("numbers"), "numbers")[PAGE // 4] == PAGE // 4
    assert stored.read == ["pages", "numbers#1"]


def test_rows_are_what_the_whole_column_holds() -> None:
    numbers = [-1, 0, 7, -(2**31), 2**31 - 1] * MANY
    data = pack_numbers(SIGNED, numbers)
    pages = Stored({"numbers": data}).pages("numbers")
    assert list(unpack_numbers(SIGNED, pages, "numbers")) == numbers
    rows = Rows(pages, "numbers", signed=True)
    assert [rows[0], rows[PAGE], rows[-1], len(rows)] == [numbers[0], numbers[PAGE], numbers[-1], len(numbers)]
    with pytest.raises(IndexError):
        rows[len(numbers)]


def test_strings_read_the_pages_they_are_on() -> None:
    strings = [f"name {i}" for i in range(PAGE)]
    stored = Stored({"strings": pack_strings(strings)})
    column = Strings(stored.pages("strings"), "strings")
    assert (column[0], column[PAGE - 1], len(column)) == (strings[0], strings[-1], PAGE)
    assert len(set(stored.read)) < len(stored.rows) / 2
    assert list(column.ending_with(" 777")) == [777]


def test_pages_of_another_length_are_told() -> None:
    stored = Stored({"large": b"x" * (PAGE + 1)})
    stored.rows["large#1"] = b""
    with pytest.raises(DeepgrepError, match="'large' is malformed"):
        whole(stored.pages("large"))


def test_a_single_row_of_the_graph_leaves_the_columns_of_all_others_alone() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:f", line=7, guard=sketch.guard("x"))
    sections = pack(sketch.rows)
    graph = CallGraph(sections.__getitem__)
    assert (graph.edge(0).line, graph.guard(0).text) == (7, "x")
    assert not {"edge_line", "edge_guard", "guard_text", "guard_line"} & graph.__dict__.keys()
