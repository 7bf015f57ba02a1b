"""A pattern, and after the first line the bytes of a file that is looked through."""

import contextlib

from deepgrep.errors import DeepgrepError
from deepgrep.questions.patterns import matching_lines, patterns


def one_input(data: bytes) -> None:
    typed, _, source = data.partition(b"\n")
    pattern = typed.decode("utf-8", "surrogateescape")
    if any(repeat in pattern for repeat in "*+{"):  # what repeats a repetition takes as long as it takes
        pattern = pattern[:8]
    for regular in (False, True):
        with contextlib.suppress(DeepgrepError):
            wanted = patterns([pattern], regular=regular, strings=False, comments=False)
            for number, _ in matching_lines(source, wanted)[0]:
                assert 0 < number <= len(source.splitlines())
