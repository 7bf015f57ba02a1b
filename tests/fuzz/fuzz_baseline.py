"""The bytes of a baseline; one that is read is written as it was read."""

from in_file import in_file

from deepgrep.errors import DeepgrepError
from deepgrep.questions.baseline import encode_baseline, load_baseline


def one_input(data: bytes) -> None:
    try:
        baseline = load_baseline(in_file(data, "baseline.json"))
    except DeepgrepError as error:
        assert "\n" not in str(error)  # noqa: PT017 - it is one line for people
        return
    assert load_baseline(in_file(encode_baseline(baseline), "baseline.json")) == baseline
