"""What can be asked of opened sources: one method for each question, each giving plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from deepgrep.api.arguments import access_kind as _access
from deepgrep.api.arguments import at_least as _at_least
from deepgrep.api.arguments import checked_depth as _depth
from deepgrep.api.arguments import checked_filters as _filters
from deepgrep.api.arguments import meant_queries
from deepgrep.api.arguments import one_of as _one_of
from deepgrep.api.arguments import text as _text
from deepgrep.api.source_lines import source_files, source_lines
from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import AccessKind
from deepgrep.questions.filters import NO_FILTERS, Filters
from deepgrep.sources import SourceTree
from deepgrep.store import Store

if TYPE_CHECKING:
    from deepgrep.graph.callgraph import CallGraph
    from deepgrep.questions.answers import AccessesAnswer, NeighboursAnswer, ReachAnswer
    from deepgrep.questions.baseline import Baseline
    from deepgrep.questions.checking import CheckAnswer
    from deepgrep.questions.effects import EffectsAnswer
    from deepgrep.questions.grep import GrepAnswer
    from deepgrep.questions.race_answers import RaceAnswer
    from deepgrep.questions.states import StatesAnswer
    from deepgrep.questions.stored import StoredQuery
    from deepgrep.reports.report import Asked, Report
    from deepgrep.sources.released import Released


class Analysis:
    """Opened sources, made by `deepgrep.open`; also a context manager that closes them.

    Every answer is a `msgspec.Struct`, with the fields of the JSON format that the
    command line writes: `msgspec.json.encode(answer)` is that JSON. Every question raises `DeepgrepError`, with a
    line that says what to do, for a name that means nothing or several things.
    """

    def __init__(
        self, graph: CallGraph, trees: Sequence[SourceTree], store: Store, sources: Sequence[str] = ()
    ) -> None:
        self._graph: CallGraph | None = graph
        self._trees = trees
        self._store = store
        self._sources = sources

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

    def source_files(self, root: str = "") -> Callable[[str], bytes | None]:
        """Give a function from a file of an answer to its bytes, or None; the argument is that of `source_lines`."""
        return source_files(self._trees, root)

    def released(self) -> list[Released]:
        """How each of the sources stands to its release: its public repository, and the files that differ."""
        from deepgrep.sources.released import compare_releases

        return compare_releases(self._trees)

    def local_paths(self) -> dict[str, str]:
        """The paths from the current folder of what is analyzed there and was not installed, by the files' names."""
        from pathlib import Path

        here = Path.cwd()
        return {
            file.path: (tree.location / file.path).relative_to(here).as_posix()
            for tree, released in zip(self._trees, self.released(), strict=True)
            if isinstance(tree.location, Path) and not released.compared and tree.location.is_relative_to(here)
            for file in tree.files
        }

    def permalinks(self) -> Callable[[str, int], str | None]:
        """Give a function from a file of an answer and a line number to that line's public address, or None."""
        from deepgrep.reports.links import permalinks

        return permalinks(self._trees, self.released())

    def reach(
        self, root: str, target: str, *, access: str | None = None, paths: int = 1, filters: Filters = NO_FILTERS
    ) -> ReachAnswer:
        """Whether and how `root` can get to code that accesses `target`.

            >>> answer = torch.reach("create_block_mask", "_is_fx_tracing_flag")
            >>> answer.verdict, answer.paths[0].hops[0].call_line

        Args:
            root: a function by any end of its name, Python code, or the path of a script.
            target: a state or a function, by any end of its name.
            access: "write", "read" or "call"; None for writes of a state and calls of a function.
            paths: how many paths to give in all; one to each accessing function is given in any case.
            filters: what to leave out and what to assume, such as `deepgrep.Filters(exclude=("torch.onnx",))`.
        """
        from deepgrep.questions.reach import reach

        ends = _text("root", root), _text("target", target)
        return reach(self.graph, *ends, _access(access), _at_least("paths", paths, 1), _filters(filters))

    def run(self, query: str | StoredQuery, *, paths: int = 1) -> ReachAnswer:
        """The answer to a stored query.

            >>> torch.run("fx-tracing-flag-block-mask").verdict

        Args:
            query: the name of one that ships with deepgrep, the path of a file, or one that was read.
            paths: as of `reach`.
        """
        from deepgrep.questions.stored import find_query

        query = find_query(query) if isinstance(query, str) else query
        return self.reach(query.root, query.target, access=query.access, paths=paths, filters=query.filters)

    def check(self, queries: Iterable[str | StoredQuery], *, baseline: Baseline | None = None) -> CheckAnswer:
        """Whether stored queries are answered as expected: what is new, and what is gone.

            >>> [query.name for query in torch.check(["queries"]).queries if query.outcome == "different"]

        Args:
            queries: names, files and folders, as on the command line, or queries that were read.
            baseline: what was found before (`deepgrep.questions.baseline.load_baseline`); None to compare with the
                verdicts that the queries expect.

        Returns:
            A query that cannot be answered here is one of its outcomes, and does not stop the others.
        """
        from deepgrep.questions.checking import check

        found = meant_queries(queries)
        graph = self.graph
        return check(((query, self._asked(query)) for query in found), baseline, graph.sources, graph.skipped)

    def _asked(self, query: StoredQuery) -> ReachAnswer | DeepgrepError:
        try:
            return self.run(query)
        except DeepgrepError as error:
            return error

    def report(
        self,
        root: str,
        target: str,
        *,
        access: str | None = None,
        paths: int | None = None,
        filters: Filters = NO_FILTERS,
    ) -> Report:
        """The answer of `reach` as files that are attached to a bug filing: Markdown, a page, a drawing.

            >>> for name, content in torch.report("create_block_mask", "_is_fx_tracing_flag").files.items():
            ...     Path(name).write_bytes(content)

        Args:
            root: a function by any end of its name, Python code, or the path of a script.
            target: a state or a function, by any end of its name.
            access: "write", "read" or "call"; None for writes of a state and calls of a function.
            paths: how many paths to give in all; None for five.
            filters: as of `reach`.
        """
        from deepgrep.reports.report import Asked

        paths = None if paths is None else _at_least("paths", paths, 1)
        asked = Asked(_text("root", root), _text("target", target), _access(access), paths, _filters(filters))
        return self._report(asked)

    def report_query(self, query: str | StoredQuery, *, paths: int | None = None) -> Report:
        """The same of a stored query.

            >>> torch.report_query("fx-tracing-flag-block-mask").name

        Args:
            query: the name of one that ships with deepgrep, the path of a file, or one that was read.
            paths: as of `report`.
        """
        from deepgrep.questions.stored import find_query, shipped_queries
        from deepgrep.reports.report import Asked

        stored = find_query(query) if isinstance(query, str) else query
        paths = None if paths is None else _at_least("paths", paths, 1)
        question = stored.root, stored.target, stored.access, paths, stored.filters
        return self._report(Asked(*question, stored=stored, is_shipped=stored in shipped_queries()))

    def _report(self, asked: Asked) -> Report:
        from deepgrep.api.reporting import report

        return report(self.graph, self._trees, self._sources, asked)

    def accesses(self, target: str, *, access: str | None = None) -> AccessesAnswer:
        """Every place that accesses `target`.

            >>> [(place.file, place.line) for place in torch.accesses("recompile_limit", access="read").accesses]

        Args:
            target: a state or a function, by any end of its name.
            access: "write", "read" or "call"; None for writes of a state and calls of a function.
        """
        from deepgrep.questions.accesses import accesses

        return accesses(self.graph, _text("target", target), _access(access))

    def callers(self, name: str, *, depth: int | None = 1, filters: Filters = NO_FILTERS) -> NeighboursAnswer:
        """The functions that call `name`, nearest first.

            >>> [caller.name for caller in torch.callers("Tracer.trace").functions]

        Args:
            name: a function or class, by any end of its name.
            depth: how many calls to follow back; None for all.
            filters: as of `reach`.
        """
        from deepgrep.questions.neighbours import callers

        return callers(self.graph, _text("name", name), _depth(depth), _filters(filters))

    def callees(self, root: str, *, depth: int | None = 1, filters: Filters = NO_FILTERS) -> NeighboursAnswer:
        """The functions that `root` calls, nearest first.

            >>> len(torch.callees("torch.compile(f)(x)", depth=None).functions)

        Args:
            root: a function by any end of its name, Python code, or the path of a script.
            depth: how many calls to follow; None for all.
            filters: as of `reach`.
        """
        from deepgrep.questions.neighbours import callees

        return callees(self.graph, _text("root", root), _depth(depth), _filters(filters))

    def effects(
        self, root: str, *, reads: bool = False, nearest: int | None = None, filters: Filters = NO_FILTERS
    ) -> EffectsAnswer:
        """The shared state that `root` can change, or depends on: what is certain and near first.

            >>> [effect.name for effect in torch.effects("torch.set_default_dtype").effects]

        Args:
            root: a function by any end of its name, Python code, or the path of a script.
            reads: give what it depends on instead, which is what it reads.
            nearest: how many states of each kind to give, and no attributes of instances; None for all.
            filters: as of `reach`.
        """
        from deepgrep.questions.effects import effects

        nearest = None if nearest is None else _at_least("nearest", nearest, 1)
        access = AccessKind.READ if reads else AccessKind.WRITE
        return effects(self.graph, _text("root", root), access, nearest, _filters(filters))

    def grep(
        self,
        root: str,
        *patterns: str,
        regular: bool = False,
        ignore_case: bool = False,
        strings: bool = True,
        comments: bool = True,
        depth: int | None = None,
        filters: Filters = NO_FILTERS,
    ) -> GrepAnswer:
        """The lines that match, in every function that `root` can reach.

            >>> answer = torch.grep("torch.compile", "os.environ", comments=False)
            >>> [(found.function, line.line) for found in answer.functions for line in found.matches]

        Args:
            root: a function by any end of its name, Python code, or the path of a script.
            patterns: what to look for: a line matches if it holds one of them.
            regular: they are Python's regular expressions; otherwise fixed strings.
            ignore_case: upper and lower case are the same.
            strings: whether what is in string literals counts.
            comments: whether what is in comments counts.
            depth: how many calls to follow, 0 for the root alone; None for all.
            filters: as of `reach`.
        """
        from deepgrep.questions import patterns as understand
        from deepgrep.questions.grep import grep

        if not patterns:
            raise DeepgrepError("there is nothing to look for: give a pattern after the root")
        typed = [_text("pattern", pattern) for pattern in patterns]
        wanted = understand.patterns(
            typed, regular=regular, ignore_case=ignore_case, strings=strings, comments=comments
        )
        depth = None if depth is None else _at_least("depth", depth, 0)
        return grep(self.graph, _text("root", root), wanted, self.source_files(root), depth, _filters(filters))

    def states(
        self,
        pattern: str = "",
        *,
        kind: str | None = None,
        package: str | None = None,
        scope: str | None = None,
        everything: bool = False,
    ) -> StatesAnswer:
        """The mutable shared state there is, with the number of functions that write and that read it.

            >>> [state.name for state in torch.states(package="torch.fx", kind="module global").states]

        Args:
            pattern: a part of the name; with `*` or `?` in it, a pattern of the name, or of an end of it after a dot.
            kind: only state of this kind, such as "module global".
            package: only state whose name begins with this package, module or class.
            scope: only state that is one for each of these, such as "thread".
            everything: also what nothing changes, and attributes of instances.
        """
        from deepgrep.questions.shared_state import SCOPES, STATE_KINDS
        from deepgrep.questions.states import states

        _one_of("kind", kind, STATE_KINDS)
        _one_of("scope", scope, SCOPES)
        package = None if package is None else _text("package", package)
        return states(
            self.graph, _text("pattern", pattern), kind=kind, package=package, scope=scope, everything=everything
        )

    def race(self, target: str, *, roots: Sequence[str] = (), filters: Filters = NO_FILTERS) -> RaceAnswer:
        """Who writes and reads the state `target`, under which locks, and what of that two threads can interleave.

            >>> answer = torch.race("_is_fx_tracing_flag")
            >>> answer.verdict, [(step.thread, step.does, step.line) for step in answer.interleavings[0].steps]

        Args:
            target: a state, by any end of its name.
            roots: what the threads run, each as in `reach`: of several, each thread another one; one alone, all of
                them; none, any public function.
            filters: as of `reach`, but for `through` and `max_length`, which are for paths.
        """
        from deepgrep.questions.race import race

        if isinstance(roots, str):
            raise DeepgrepError(f"roots={roots!r}: it is a list of roots: [{roots!r}]")
        roots = [_text("root", root) for root in roots]
        return race(self.graph, _text("target", target), self.source_lines, roots, _filters(filters))
