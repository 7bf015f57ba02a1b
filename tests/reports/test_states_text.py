import click
import pytest
from report_examples import SOURCE

from deepgrep.questions.states import StateRow, StatesAnswer
from deepgrep.reports.text.states import states_csv, states_text


def answer(*rows):
    return StatesAnswer(sources=[SOURCE], states=list(rows), skipped=[])


FLAG = StateRow("pkg._flag", "module global", "process", "pkg", 2, 1_200)
LOCAL = StateRow("pkg._local", "thread-local", "thread", "pkg", 1, 0)


def text(found, width=60):
    return click.unstyle(states_text(found, width)).splitlines()


def test_states_are_shown_by_kind_with_their_writers_and_readers():
    assert text(answer(FLAG, LOCAL)) == [
        "2 states",
        "",
        "sources   pkg 2.13.0, commit 0123456789ab, digest fedcba987654",
        "",
        "module global: 1                            writers readers",
        "  pkg._flag                                       2   1,200",
        "",
        "thread-local: 1                             writers readers",
        "  pkg._local  (one for each thread)               1       0",
    ]


def test_of_many_states_some_are_shown_and_the_rest_is_counted():
    lines = text(answer(*[FLAG] * 60))
    assert lines[-1] == "  … 10 more: --format csv or json lists all"
    assert len(lines) == 5 + 50 + 1


def test_a_name_that_does_not_fit_beside_its_counts_stays_whole():
    long = StateRow("pkg." + "x" * 40, "module global", "thread", "pkg", 1, 1_200)
    assert text(answer(long))[5:] == [
        f"  pkg.{'x' * 40}",
        "    (one for each thread)                         1   1,200",
    ]


def test_what_a_star_means_is_said():
    legend = "`.*` and `[*]` are some attribute and some item: which one is not known"
    assert legend in text(answer(StateRow("pkg.table[*]", "module global", "process", "pkg", 1, 1)), 80)
    assert legend not in text(answer(FLAG), 80)


def test_a_long_name_is_shortened():
    long = StateRow("pkg." + "x" * 200, "module global", "thread", "pkg", 1, 1)
    assert all(len(line) <= 80 for line in text(answer(long), 80))


def test_csv_quotes_what_must_be():
    found = StateRow('os.environ[A,"B"]', "environment variable", "environment", "os", 0, 1)
    assert states_csv(answer(found)).decode() == (
        'name,kind,scope,package,writers,readers\n"os.environ[A,""B""]",environment variable,environment,os,0,1\n'
    )


@pytest.mark.parametrize("name", ["=cmd|' /c calc'!A1", "+1", "-1", "@SUM(A1)"])
def test_csv_holds_no_formulas(name):
    assert (
        states_csv(answer(StateRow(name, "module global", "process", "pkg", 1, 1)))
        .decode()
        .splitlines()[1]
        .lstrip('"')
        .startswith(f"'{name[0]}")
    )


def test_csv_holds_no_control_characters():
    assert (
        "a\ufffd[31m\ufffdb"
        in states_csv(answer(StateRow("a\x1b[31m\u202eb", "module global", "process", "pkg", 1, 1))).decode()
    )
