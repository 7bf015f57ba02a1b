"""`race`, asked about small programs."""

from __future__ import annotations

from textwrap import dedent

from linked import link_sources

from deepgrep.questions.race import race
from deepgrep.questions.race_answers import PairKind, RaceAnswer


def ask(sources: str | dict[str, str], target: str, roots: tuple[str, ...] = ()) -> RaceAnswer:
    """Ask about modules by name; a text alone is the module `m`."""
    by_name = {"m": sources} if isinstance(sources, str) else sources
    graph = link_sources(by_name).graph()
    texts = {graph.texts[graph.function_file[body]]: dedent(by_name[name]).splitlines()
             for name in by_name if (body := graph.module_body(name)) is not None}  # fmt: skip

    def lines_with(root: str):
        files = texts | {"<root>": root.splitlines()}

        def line_of(file: str, line: int) -> str | None:
            lines = files.get(file, [])
            return lines[line - 1] if 0 < line <= len(lines) else None

        return line_of

    return race(graph, target, lines_with, roots)


def kinds(answer: RaceAnswer) -> list[PairKind]:
    """The kinds of the pairs, in the order of the answer."""
    return list(dict.fromkeys(pair.kind for pair in answer.pairs))


def places(answer: RaceAnswer, kind: PairKind) -> set[tuple[str, str]]:
    """The pairs of a kind, by the functions' own names."""
    in_windows = kind in (PairKind.RESTORES_CROSS, PairKind.READ_IN_WINDOW, PairKind.WRITE_IN_WINDOW)
    firsts = answer.windows if in_windows else answer.accesses
    others = answer.windows if kind is PairKind.RESTORES_CROSS else answer.accesses
    return {
        (_last(firsts[pair.first].function), _last(others[other].function))
        for pair in answer.pairs
        if pair.kind is kind
        for other in pair.others
    }


def _last(name: str) -> str:
    return name.rpartition(".")[2]
