"""A root and a target as they are typed, a line each: names, code, or the path of a script."""

from small_graph import graph

from deepgrep.errors import DeepgrepError
from deepgrep.questions.neighbours import callers
from deepgrep.questions.reach import reach


def one_input(data: bytes) -> None:
    root, _, target = data.decode("utf-8", "surrogateescape").partition("\n")
    for ask in (lambda: reach(graph(), root, target), lambda: callers(graph(), target)):
        try:
            ask()
        except DeepgrepError as error:
            assert str(error)  # noqa: PT017 - it says something
