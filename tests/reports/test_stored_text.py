"""How stored queries are listed, and what stands above the answer of one."""

import click
from check_examples import QUERY
from msgspec.structs import replace

from deepgrep.reports.text.stored import queries_text, query_heading


def test_queries_are_listed_with_their_questions_and_verdicts():
    text = click.unstyle(queries_text([QUERY, replace(QUERY, name="other", expect=None)], 100))
    assert text == ("2 queries\n\nflag  reaches\n  Can start change the flag?\n\nother\n  Can start change the flag?\n")


def test_above_an_answer_stand_the_question_the_reports_and_the_note():
    assert click.unstyle(query_heading(QUERY, 100)) == (
        "query     flag\n"
        "asks      Can start change the flag?\n"
        "expects   reaches\n"
        "reports   https://example.org/issues/1\n"
        "note      Look at the lock.\n"
        "\n"
    )


def test_hostile_names_and_texts_stay_on_their_lines():
    hostile = replace(
        QUERY, name="a\x1b[2Jb\nc" + "x" * 300, question="q\x1b]0;t\x07 " + "y " * 200, note="n\u202e\x00"
    )
    for text in (queries_text([hostile], 80), query_heading(hostile, 80)):
        plain = click.unstyle(text)
        assert plain.replace("\n", "").isprintable()
        assert max(map(len, plain.splitlines())) <= 80
