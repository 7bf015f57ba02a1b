import pytest
from sketch import Sketch

from deepgrep.graph.endings import endings, first_of_each, last_part


def found(names: list[str], typed: str) -> list[str]:
    sketch = Sketch()
    for name in names:
        sketch.state(name)
    graph = sketch.graph()
    return [graph.state_names[row] for row in graph.rows_ending("state_names", typed)]


def test_rows_are_found_by_the_last_part_of_what_is_typed() -> None:
    assert found(["m.flag", "m.x_flag", "n.flag", "flag"], "m.flag") == ["m.flag", "n.flag", "flag"]


@pytest.mark.parametrize("typed", ["x", "os.environ[A.B].x", "environ[A.B].x"])
def test_rows_whose_names_hold_items_are_found_by_any_end_of_them(typed: str) -> None:
    assert found(["os.environ[A.B].x", "os.environ[A.B]"], typed) == ["os.environ[A.B].x"]


def test_what_no_name_ends_with_is_not_found() -> None:
    assert found(["m.flag"], "fla") == []


def test_each_row_is_there_once_for_each_of_its_ends() -> None:
    assert [row for _, row in endings(["a.b", "a[0].b[1]"], first=5)].count(6) == 2
    assert len(endings(["a.b", "c.d"])) == 2


def test_the_last_part_is_what_follows_the_last_dot_outside_of_brackets() -> None:
    assert [last_part(name) for name in ("a.b", "os.environ[A.B]", "b")] == ["b", "environ[A.B]", "b"]


def test_of_rows_of_one_name_the_first_is_known() -> None:
    assert first_of_each(["a", "b", "a", "c", "b"]) == [0, 1, 0, 3, 1]
