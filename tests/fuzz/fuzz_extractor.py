"""The bytes of a file -> its facts, or the reason why there are none.

Python agrees with them, and with those of the file in one piece.
"""

import sys
import warnings
from pathlib import Path

import msgspec

from deepgrep.facts import ExtractError, decode, extract
from deepgrep.facts.division import decoded, undivided
from deepgrep.facts.module import _whole

sys.path.insert(0, str(Path(__file__).parents[1] / "robustness"))

from agreement import disagreements

warnings.simplefilter("ignore")


def one_input(data: bytes) -> None:
    try:
        facts = extract(data)
    except ExtractError as error:
        assert "\n" not in str(error)  # noqa: PT017 - it is one line for people
        return
    text = decoded(data)
    whole = decode(undivided(text), [msgspec.msgpack.encode(_whole(text))])
    try:
        found = [list(disagreements(text, one)) for one in (facts, whole)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # libcst reads more than Python
        return
    assert found == [[], []], found
