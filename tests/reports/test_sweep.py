"""The table of verdicts, as text and as Markdown."""

import click
import pytest
from msgspec import structs

from deepgrep.graph.rows import Source
from deepgrep.questions.answers import Verdict
from deepgrep.questions.stored import typed_query
from deepgrep.questions.sweep import SweepAnswer, Swept, SweptVersion, sweep_answer
from deepgrep.reports.markdown.sweep import sweep_markdown
from deepgrep.reports.text.sweep import sweep_text

MAY, REACHES, NONE = Swept(Verdict.MAY_REACH), Swept(Verdict.REACHES), Swept(Verdict.NO_PATH)


def version(name: str, error: str = "") -> SweptVersion:
    sources = [] if error else [Source("torch", name, "0123456789abcdef", "fedcba9876543210")]
    return SweptVersion(name, sources, error)


def answer(*answers: list[Swept], names: str = "2.11.0 2.12.0 2.13.0") -> SweepAnswer:
    versions = [version(name) for name in names.split()]
    queries = [typed_query("f", f"state{number}") for number in range(len(answers))]
    return sweep_answer(versions, queries, [list(row) for row in zip(*answers, strict=True)])


def text(found: SweepAnswer, width: int = 100) -> str:
    return click.unstyle(sweep_text(found, width))


def test_table_has_a_line_for_each_query_and_a_column_for_each_version() -> None:
    shown = text(answer([NONE, NONE, MAY], [REACHES, REACHES, REACHES]))
    assert (
        "          2.11.0   2.12.0   2.13.0\n"
        "f state0  no-path  no-path  may-reach\n"
        "f state1  reaches  reaches  reaches\n"
    ) in shown


def test_changes_are_said_with_both_versions() -> None:
    shown = text(answer([NONE, NONE, MAY]))
    assert shown.startswith("1 query on 3 versions: 1 change of verdicts, in 1 query\n")
    assert "changed   f state0: no-path on 2.12.0, may-reach on 2.13.0" in shown
    assert "`deepgrep diff 2.12.0 2.13.0 f state0` explains it" in shown


def test_the_command_that_explains_a_change_names_a_stored_query_and_quotes_code() -> None:
    typed = typed_query("f()", "state")
    stored = structs.replace(typed, name="a-question")
    for query, asked in ((typed, "'f()' state"), (stored, "--query a-question")):
        found = sweep_answer([version("2.1.0"), version("2.2.0"), version("2.3.0")], [query], [[NONE], [MAY], [NONE]])
        assert f"`deepgrep diff 2.1.0 2.2.0 {asked}` explains the first" in text(found)


def test_versions_with_names_of_different_lengths_stay_in_columns() -> None:
    shown = text(answer([MAY, MAY], names="2.1.0 git:clone@main"))
    assert "versions  2.1.0           torch 2.1.0" in shown


def test_without_changes_that_is_said() -> None:
    assert text(answer([MAY, MAY, MAY])).startswith("1 query on 3 versions: no verdict changes\n")


def test_what_does_not_fit_is_told_by_neighbouring_versions_with_the_same_verdict() -> None:
    names = " ".join(f"2.{number}.0" for number in range(12))
    shown = text(answer([NONE] * 5 + [MAY] * 7, names=names))
    assert (
        "f state0\n  no-path          2.0.0 … 2.4.0  (5 versions)\n  may-reach        2.5.0 … 2.11.0  (7 versions)\n"
        in shown
    )
    assert all(len(line) <= 100 for line in shown.splitlines())


def test_version_that_could_not_be_had_and_query_that_could_not_be_answered_say_why() -> None:
    versions = [version("2.12.0"), version("2.99.0", "the package index has no such release"), version("2.13.0")]
    found = sweep_answer(versions, [typed_query("f", "s")], [[Swept(None, "nothing is called f")], [], [MAY]])
    shown = text(found)
    assert "2 changes" not in shown
    assert "2.99.0  not had: the package index has no such release" in shown
    assert "cannot be asked  f s on 2.12.0: nothing is called f" in shown
    assert "f s  cannot be asked  not had  may-reach" in shown
    assert "changed   f s: cannot be asked on 2.12.0, may-reach on 2.13.0" in shown


def test_markdown_is_a_table_with_changes_in_bold() -> None:
    shown = sweep_markdown(answer([NONE, NONE, MAY]))
    assert "| version | `f state0` |\n| --- | --- |\n| `2.11.0` | no-path |\n" in shown
    assert "| `2.13.0` | **may-reach** |" in shown
    assert "torch 2.13.0, commit `0123456789ab`" in shown


@pytest.mark.parametrize("hostile", ["a|b", "`x`", "<script>", "@user #1", "\x1b[31m", "a\nb"])
def test_hostile_names_change_nothing_around_them(hostile: str) -> None:
    versions = [version(hostile), version("2.13.0", hostile)]
    found = sweep_answer(versions, [typed_query(hostile, hostile)], [[Swept(None, hostile)], []])
    shown = sweep_markdown(found)
    table = [line for line in shown.splitlines() if line.startswith("|")]
    assert len(table) == 4
    assert all(line.count("|") == 3 for line in table)
    assert "<script>" not in shown.replace("`<script>", "").replace("<script>`", "")
    assert "\x1b" not in shown + sweep_text(found, 100).replace("\x1b[0m", "").replace("\x1b[1m", "").replace(
        "\x1b[2m", ""
    )
