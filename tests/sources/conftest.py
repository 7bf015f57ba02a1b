from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from index_server import Index, serving

from deepgrep.sources.fetching import Fetching
from deepgrep.sources.index import configuration


@dataclass
class Heard:
    """What somebody who waits hears."""

    warnings: list[str] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    fetched: int = 0


@pytest.fixture
def unconfigured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pip that nobody has configured; gives the home folder."""
    for name in list(os.environ):
        if name.startswith("PIP_") or name.lower().endswith(("_proxy", "_ca_bundle")) or name == "NETRC":
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"):
        monkeypatch.setenv(name, str(home / name))
    monkeypatch.setattr(configuration, "_SYSTEM_FOLDER", str(home / "etc"))
    return home


@pytest.fixture
def no_files(unconfigured: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file of this machine configures pip."""
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)


@pytest.fixture
def index(no_files: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """A package index, which pip is configured for."""
    with serving() as index:
        monkeypatch.setenv("PIP_INDEX_URL", index.simple)
        yield index


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def fetching(tmp_path: Path, heard: Heard) -> Fetching:
    def advance(size: int) -> None:
        heard.fetched += size

    return Fetching(
        tmp_path / "cache" / "sources", heard.warnings.append, heard.begun.append, advance, heard.ended.append
    )
