"""The bytes of a configuration file of pip; what it says is enough to make a connection."""

import os

from in_file import in_file

from deepgrep.errors import DeepgrepError
from deepgrep.sources.index.configuration import read_configuration
from deepgrep.sources.index.connection import Connection


def one_input(data: bytes) -> None:
    os.environ["PIP_CONFIG_FILE"] = str(in_file(data, "pip.conf"))
    try:
        with Connection(read_configuration()):
            pass
    except DeepgrepError as error:
        assert "\n" not in str(error)  # noqa: PT017 - it is one line for people
