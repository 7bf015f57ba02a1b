"""The bytes of a wheel, and of source distributions."""

import contextlib
import io

from deepgrep.errors import DeepgrepError
from deepgrep.sources.archives.sdist import read_sdist
from deepgrep.sources.archives.wheel import read_wheel


def one_input(data: bytes) -> None:
    for read, name in (
        (read_wheel, "a-1.0-py3-none-any.whl"),
        (read_sdist, "a-1.0.zip"),
        (read_sdist, "a-1.0.tar.gz"),
    ):
        with contextlib.suppress(DeepgrepError):
            for path, content in read(io.BytesIO(data), name):
                assert isinstance(content, bytes)
                assert not path.startswith("/")
                assert ".." not in path.split("/")
