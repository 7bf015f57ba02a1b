"""Assumptions as they are typed, a line each: those of `--assume`, then an empty line, those of `--assume-env`."""

from small_graph import graph

from deepgrep.errors import DeepgrepError
from deepgrep.questions.filters import Filters
from deepgrep.questions.reach import reach


def one_input(data: bytes) -> None:
    assume, _, environment = data.decode("utf-8", "surrogateescape").partition("\n\n")
    lines = tuple(assume.split("\n")), tuple(environment.split("\n")) if environment else ()
    try:
        reach(graph(), "m.root", "m.flag", filters=Filters(assume=lines[0], assume_env=lines[1]))
    except DeepgrepError as error:
        assert str(error)  # noqa: PT017 - it says something
