import pytest

from deepgrep.errors import DeepgrepError
from deepgrep.graph.columns import BYTE, SIGNED, UNSIGNED, Strings, pack_numbers, pack_strings, unpack_numbers


@pytest.mark.parametrize(("code", "numbers"), [(UNSIGNED, [0, 7, 2**32 - 1]), (SIGNED, [-1, 5]), (BYTE, [0, 255])])
def test_numbers_come_back_as_they_were(code: str, numbers: list[int]) -> None:
    assert list(unpack_numbers(code, pack_numbers(code, numbers), "s")) == numbers


def test_numbers_are_stored_little_endian() -> None:
    assert pack_numbers(UNSIGNED, [1]) == b"\x01\x00\x00\x00"


@pytest.mark.parametrize("strings", [[], [""], ["a", "", "ab\nc", "ä\ud800"]])
def test_strings_come_back_as_they_were(strings: list[str]) -> None:
    column = Strings(pack_strings(strings), "s")
    assert list(column) == strings
    assert [column[i] for i in range(len(column))] == strings


def test_rows_are_found_by_their_end_only() -> None:
    column = Strings(pack_strings(["x.run", "runner", "run", "run\nrun", "x.ru"]), "s")
    assert list(column.ending_with("run")) == [0, 2, 3]


@pytest.mark.parametrize("data", [b"", b"\x01\x00", b"\x05\x00\x00\x00abc", pack_strings(["abc"])[:-1]])
def test_bytes_that_hold_no_strings_are_refused_with_the_name_of_the_section(data: bytes) -> None:
    with pytest.raises(DeepgrepError, match="'texts' is malformed"):
        Strings(data, "texts")


def test_bytes_that_hold_no_numbers_are_refused() -> None:
    with pytest.raises(DeepgrepError, match="'edge_line' is malformed"):
        unpack_numbers(UNSIGNED, b"abc", "edge_line")
