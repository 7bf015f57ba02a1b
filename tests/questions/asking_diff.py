"""Two versions of small programs, and a question asked of both."""

from __future__ import annotations

from textwrap import dedent

from linked import link_sources

from deepgrep.questions.diff import diff
from deepgrep.questions.diff_answers import Change, DiffAnswer, PathDiff
from deepgrep.questions.diff_sides import Question, Version
from deepgrep.questions.filters import NO_FILTERS, Filters

Sources = str | dict[str, str]


def version(sources: Sources) -> Version:
    files = {"m": sources} if isinstance(sources, str) else sources
    packages = {name for name in files if any(other.startswith(f"{name}.") for other in files)}
    texts = {
        name.replace(".", "/") + ("/__init__.py" if name in packages else ".py"): dedent(text).encode()
        for name, text in files.items()
    }
    return Version(link_sources(sources).graph(), texts.get, lambda file, line: f"https://code.example/{file}#L{line}")


def ask(
    before: Sources, after: Sources, root: str = "m.root", target: str = "m._flag", filters: Filters = NO_FILTERS
) -> DiffAnswer:
    return diff(version(before), version(after), Question(root, target, filters=filters))


def paths(answer: DiffAnswer, change: Change) -> list[list[str]]:
    return [
        [hop.function.removeprefix("m.") for hop in path.path.hops] for path in answer.paths if path.change is change
    ]


def only(answer: DiffAnswer, change: Change) -> PathDiff:
    (path,) = (path for path in answer.paths if path.change is change)
    return path
