"""The bytes of what an installer wrote down: METADATA, RECORD, and a package's `version.py`."""

import shutil
from pathlib import Path

from in_file import in_file

from deepgrep.sources.distribution import metadata_fields
from deepgrep.sources.released import _recorded
from deepgrep.sources.repository import named_repository
from deepgrep.sources.version import stated_version


def one_input(data: bytes) -> None:
    written = in_file(data, "version")
    folder = written.parent / "site"
    for path in ("a-1.0.dist-info/METADATA", "a-1.0.dist-info/RECORD", "a/version.py", "a/__init__.py", "version.txt"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(written, folder / path)
    distribution = Path(folder, "a-1.0.dist-info")
    named_repository(metadata_fields(distribution))
    _recorded(distribution, "a")
    stated_version(folder, "a")
