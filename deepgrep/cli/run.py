"""`deepgrep run`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from deepgrep.cli import EXIT_ERROR
from deepgrep.cli.options import Setup, help_text, paths_option, setup_options, text_or_json_option

if TYPE_CHECKING:
    from deepgrep.api import Analysis
    from deepgrep.questions.stored import StoredQuery
    from deepgrep.questions.stored_answers import RunQuery


@click.command(
    help=help_text(
        """Answer stored queries, as `reach` does.

        QUERY is the name of one that ships with deepgrep (`deepgrep queries` lists them), a .toml file, or a folder of
        them. Several are answered one after the other; as JSON, in one document.""",
        example="deepgrep run fx-tracing-flag-block-mask",
        status={
            0: "there is a path: reaches or may-reach; of several, for one of them",
            1: "no-path or excluded; of several, for each of them",
        },
    )
)
@click.argument("names", metavar="QUERY...", nargs=-1, required=True)
@paths_option
@text_or_json_option
@setup_options
def run(setup: Setup, names: tuple[str, ...], paths: int, file_format: str) -> int:
    """Answer `deepgrep run`."""
    from deepgrep.cli.analysis import analysis
    from deepgrep.cli.output import complain, show
    from deepgrep.questions.answers import FOUND
    from deepgrep.questions.stored import find_queries

    queries = find_queries(names)
    answers: list[RunQuery] = []
    with analysis(setup) as opened:
        for query in queries:
            answered = _answered(opened, query, paths, alone=len(queries) == 1)
            answers.append(answered)
            if answered.answer is None:
                complain(f"{query.name}: {answered.error}")
            elif file_format == "text":
                show(_text(opened, answered, after_another=len(answers) > 1))
    if file_format == "json":
        from deepgrep.questions.stored_answers import RunAnswer
        from deepgrep.reports.json import encode

        alone = answers[0].answer if len(answers) == 1 else None
        show(encode(alone or RunAnswer(answers=answers)))
    if any(answered.answer is None for answered in answers):
        return EXIT_ERROR
    return 0 if any(answered.answer and answered.answer.verdict in FOUND for answered in answers) else 1


def _answered(opened: Analysis, query: StoredQuery, paths: int, alone: bool) -> RunQuery:
    """The answer to a query; of several, one that cannot be answered does not stop the others."""
    from deepgrep.errors import DeepgrepError
    from deepgrep.questions.stored_answers import RunQuery

    try:
        return RunQuery(query, opened.run(query, paths=paths))
    except DeepgrepError as error:
        if alone:
            raise DeepgrepError(f"{query.name}: {error}") from error
        return RunQuery(query, None, str(error))


def _text(opened: Analysis, answered: RunQuery, after_another: bool) -> str:
    from deepgrep.cli.output import width
    from deepgrep.reports.text.reach import reach_text
    from deepgrep.reports.text.stored import query_heading

    assert answered.answer is not None
    columns = width()
    text = reach_text(answered.answer, opened.source_lines(answered.query.root), columns)
    between = "\n" + columns * "─" + "\n\n" if after_another else ""
    return between + query_heading(answered.query, columns) + text
