from typing import cast

from deepgrep.linking.cells import each_reader, with_reader
from deepgrep.linking.program import Frame

ONE, OTHER = cast("Frame", "one"), cast("Frame", "other")


def test_a_place_that_nobody_reads_has_no_readers() -> None:
    assert list(each_reader(None)) == []


def test_readers_are_given_in_the_order_in_which_they_came() -> None:
    readers = with_reader(with_reader(with_reader(None, 7, ONE), 3, OTHER), 5, ONE)
    assert list(each_reader(readers)) == [(7, ONE), (3, OTHER), (5, ONE)]


def test_an_operation_that_reads_again_is_one_reader() -> None:
    readers = with_reader(with_reader(None, 7, ONE), 7, ONE)
    assert list(each_reader(readers)) == [(7, ONE)]
    readers = with_reader(with_reader(readers, 3, OTHER), 7, ONE)
    assert list(each_reader(readers)) == [(7, ONE), (3, OTHER)]
