"""`deepgrep queries`."""

from __future__ import annotations

import click

from deepgrep.cli.options import help_text, text_or_json_option


@click.command(
    help=help_text(
        """List the stored queries that ship with deepgrep.

        They are questions that people asked, with the verdict on them.

        PATTERN is a part of the name, the question, the root or the target, or with * or ? in it a pattern of one of
        them. `deepgrep run NAME` answers one.""",
        example="deepgrep queries fx",
        status={0: "there are some", 1: "there are none"},
    )
)
@click.argument("pattern", default="")
@text_or_json_option
def queries(pattern: str, file_format: str) -> int:
    """Answer `deepgrep queries`."""
    from deepgrep.cli.output import show, width
    from deepgrep.questions.stored import shipped_queries
    from deepgrep.questions.stored_answers import QueriesAnswer, matching

    found = matching(shipped_queries(), pattern)
    if file_format == "json":
        from deepgrep.reports.json import encode

        show(encode(QueriesAnswer(queries=found)))
    else:
        from deepgrep.reports.text.stored import queries_text

        show(queries_text(found, width()))
    return 0 if found else 1
