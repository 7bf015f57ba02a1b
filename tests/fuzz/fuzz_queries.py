"""The bytes of a query file."""

from in_file import in_file

from deepgrep.errors import DeepgrepError
from deepgrep.questions.stored import load_query


def one_input(data: bytes) -> None:
    try:
        load_query(in_file(data, "query.toml"))
    except DeepgrepError as error:
        assert "\n" not in str(error)  # noqa: PT017 - it is one line for people
