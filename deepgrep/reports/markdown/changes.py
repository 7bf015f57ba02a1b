"""The answer of `diff` without a question, in Markdown."""

from __future__ import annotations

from deepgrep.questions.changes_answers import ChangesAnswer, StateDiff
from deepgrep.reports.changes_sentences import (
    changes_sentence,
    has_more,
    kind_lines,
    left_out_sentence,
    package_sentence,
    state_details,
)
from deepgrep.reports.markdown.diff import fitted, more
from deepgrep.reports.markdown.escaping import code, prose
from deepgrep.reports.words import source_title, state_title


def changes_markdown(answer: ChangesAnswer) -> str:
    """Write the answer of `diff` without a question; long lists are shortened, and say so."""
    return fitted(lambda most: _parts(answer, most))


def _parts(answer: ChangesAnswer, most: int) -> list[list[str]]:
    word = "same" if answer.same else "different"
    titles = [f"- before: {prose(source_title(source))}" for source in answer.before]
    titles += [f"- after: {prose(source_title(source))}" for source in answer.after]
    kinds = kind_lines(answer, code, prose)
    functions = list(answer.changed_functions.items())
    return [
        [f"**{word}**: {changes_sentence(answer)}."],
        titles,
        ["### Other kind or scope", "", *(f"- {line}" for line in kinds[:most]), *more(len(kinds) - most)]
        if kinds
        else [],
        *(_package(answer, package.package, package_sentence(package), most) for package in answer.packages),
        [
            "### Public functions that change other states",
            "",
            f"{len(functions):,} of {answer.public_functions:,}, by certain calls alone; with how many states:",
            "",
            *(f"- {code(name)}: {count:,}" for name, count in functions[:most]),
            *more(len(functions) - most),
        ]
        if functions
        else [],
        [f"- note: {prose(note)}" for note in answer.notes],
    ]


def _package(answer: ChangesAnswer, package: str, said: str, most: int) -> list[str]:
    rows = [row for row in answer.states if row.package == package and has_more(row)]
    lines = [f"### {code(package)}", "", f"{said}.", ""]
    for row in rows[:most]:
        lines += _state(row)
    return [*lines, *([f"- … {left_out_sentence(rows[most:])}: `--format json` lists all"] if rows[most:] else [])]


def _state(row: StateDiff) -> list[str]:
    state = row.after or row.before
    assert state is not None
    first = f"- **{row.change}** {code(state.name)}, {prose(state_title(state.kind, state.scope))}"
    return [first, *(f"  - {said}" for said in state_details(row, code))]
