"""What can be asked of opened sources: one method for each question, each giving plain data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from deepgrep.api.source_lines import source_lines
from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import AccessKind
from deepgrep.sources import SourceTree
from deepgrep.store import Store

if TYPE_CHECKING:
    from deepgrep.graph.callgraph import CallGraph
    from deepgrep.questions.answers import AccessesAnswer, NeighboursAnswer, ReachAnswer
    from deepgrep.questions.race_answers import RaceAnswer


class Analysis:
    """Opened sources, made by `deepgrep.open`; also a context manager that closes them.

    Every answer is a `msgspec.Struct` of `deepgrep.questions.answers`, with the fields of the JSON format that the
    command line writes: `msgspec.json.encode(answer)` is that JSON. Every question raises `DeepgrepError`, with a
    line that says what to do, for a name that means nothing or several things.
    """

    def __init__(self, graph: CallGraph, trees: Sequence[SourceTree], store: Store) -> None:
        self._graph: CallGraph | None = graph
        self._trees = trees
        self._store = store

    def __enter__(self) -> Analysis:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the cache; nothing can be asked any more."""
        self._graph = None
        self._store.close()

    @property
    def graph(self) -> CallGraph:
        """The call graph itself, for searches of one's own.

        Raises:
            DeepgrepError: it was closed.
        """
        if self._graph is None:
            raise DeepgrepError("this analysis is closed: open it again with deepgrep.open")
        return self._graph

    def source_lines(self, root: str = "") -> Callable[[str, int], str | None]:
        """Give a function from a file of an answer and a line number to the text of that line, or None.

        Args:
            root: the root of the question as it was given, where that is code or a script: its lines are found too.
        """
        return source_lines(self._trees, root)

    def reach(self, root: str, target: str, *, access: str | None = None, paths: int = 1) -> ReachAnswer:
        """Whether and how `root` can get to code that accesses `target`.

            >>> answer = torch.reach("create_block_mask", "_is_fx_tracing_flag")
            >>> answer.verdict, answer.paths[0].hops[0].call_line

        Args:
            root: a function by any end of its name, Python code, or the path of a script.
            target: a state or a function, by any end of its name.
            access: "write", "read" or "call"; None for writes of a state and calls of a function.
            paths: how many paths to give in all; one to each accessing function is given in any case.
        """
        from deepgrep.questions.reach import reach

        return reach(self.graph, root, target, _access(access), _at_least_one("paths", paths))

    def accesses(self, target: str, *, access: str | None = None) -> AccessesAnswer:
        """Every place that accesses `target`.

            >>> [(place.file, place.line) for place in torch.accesses("recompile_limit", access="read").accesses]

        Args:
            target: a state or a function, by any end of its name.
            access: "write", "read" or "call"; None for writes of a state and calls of a function.
        """
        from deepgrep.questions.accesses import accesses

        return accesses(self.graph, target, _access(access))

    def callers(self, name: str, *, depth: int | None = 1) -> NeighboursAnswer:
        """The functions that call `name`, nearest first.

            >>> [caller.name for caller in torch.callers("Tracer.trace").functions]

        Args:
            name: a function or class, by any end of its name.
            depth: how many calls to follow back; None for all.
        """
        from deepgrep.questions.neighbours import callers

        return callers(self.graph, name, _depth(depth))

    def callees(self, root: str, *, depth: int | None = 1) -> NeighboursAnswer:
        """The functions that `root` calls, nearest first.

            >>> len(torch.callees("torch.compile(f)(x)", depth=None).functions)

        Args:
            root: a function by any end of its name, Python code, or the path of a script.
            depth: how many calls to follow; None for all.
        """
        from deepgrep.questions.neighbours import callees

        return callees(self.graph, root, _depth(depth))

    def race(self, target: str, *, roots: Sequence[str] = ()) -> RaceAnswer:
        """Who writes and reads the state `target`, under which locks, and what of that two threads can interleave.

            >>> answer = torch.race("_is_fx_tracing_flag")
            >>> answer.verdict, [(step.thread, step.does, step.line) for step in answer.interleavings[0].steps]

        Args:
            target: a state, by any end of its name.
            roots: what the threads run, each as in `reach`: of several, each thread another one; one alone, all of
                them; none, any public function.
        """
        from deepgrep.questions.race import race

        if isinstance(roots, str):
            raise DeepgrepError(f"roots={roots!r}: it is a list of roots: [{roots!r}]")
        return race(self.graph, target, self.source_lines, roots)


def _access(access: str | None) -> AccessKind | None:
    if access is None:
        return None
    try:
        return AccessKind(access)
    except ValueError:
        kinds = ", ".join(repr(kind.value) for kind in AccessKind)
        raise DeepgrepError(f"access={access!r}: it is one of {kinds}") from None


def _depth(depth: int | None) -> int | None:
    return None if depth is None else _at_least_one("depth", depth)


def _at_least_one(name: str, number: int) -> int:
    if number < 1:
        raise DeepgrepError(f"{name}={number}: it is a number above 0")
    return number
