"""How pip is configured to find packages: its own files and PIP_* variables, read without pip."""

from __future__ import annotations

import configparser
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from deepgrep.errors import DeepgrepError

_TIMEOUT = 15.0

_SYSTEM_FOLDER = "/etc"

# What later sections and places say goes before what earlier ones do. `install` is how a torch would be got.
_SECTIONS = ("global", "install")


@dataclass(frozen=True, slots=True)
class Configuration:
    """What pip is told about package indexes. Nothing of it may be shown: addresses hold credentials.

    Attributes:
        index_urls: simple indexes, the main one first; none where pip must not ask any.
        find_links: folders, archives, and pages with links.
        trusted_hosts: `host` or `host:port`, whose certificates are not verified.
        cert: a file or folder of certificates; None for the usual ones.
        client_cert: a file with a certificate and its key, or None.
        proxy: an address, or None for what the environment says.
        timeout: seconds without an answer.
    """

    index_urls: tuple[str, ...]
    find_links: tuple[str, ...]
    trusted_hosts: tuple[str, ...]
    cert: str | None
    client_cert: str | None
    proxy: str | None
    timeout: float


def read_configuration() -> Configuration:
    """Read the configuration as `pip install` would.

    Raises:
        DeepgrepError: a file of it cannot be read, or says what is no value of an option.
    """
    options: dict[str, str] = {}
    for section in _SECTIONS:
        for file in _files():
            options |= _section(file, section)
    options |= _variables(os.environ)
    indexes = [options.get("index-url") or options.get("pypi-url") or _default_index()]
    indexes += options.get("extra-index-url", "").split()
    links = options.get("find-links", "").split()
    for address in (*indexes, *links, options.get("proxy", "")):
        _check_address(address)
    return Configuration(
        index_urls=() if _is_true(options, "no-index") else tuple(indexes),
        find_links=tuple(links),
        trusted_hosts=tuple(options.get("trusted-host", "").split()),
        cert=_path(options, "cert"),
        client_cert=_path(options, "client-cert"),
        proxy=options.get("proxy"),
        timeout=_seconds(options),
    )


def _default_index() -> str:
    from pypi_simple import PYPI_SIMPLE_ENDPOINT

    return PYPI_SIMPLE_ENDPOINT


def _files() -> list[Path]:
    """Pip's configuration files, the general ones first."""
    import platformdirs

    named = os.environ.get("PIP_CONFIG_FILE")
    if named == os.devnull:
        return []
    file = "pip.ini" if sys.platform == "win32" else "pip.conf"
    home = Path(os.path.expanduser("~"))
    if sys.platform == "darwin":
        site = platformdirs.site_data_dir("pip", appauthor=False, multipath=True).split(os.pathsep)
    else:
        site = platformdirs.site_config_dir("pip", appauthor=False, multipath=True).split(os.pathsep)
        site += [_SYSTEM_FOLDER] if sys.platform != "win32" else []
    user = Path(platformdirs.user_config_dir("pip", appauthor=False, roaming=True))
    if sys.platform == "darwin" and not user.is_dir():
        user = home / ".config" / "pip"
    legacy = home / ("pip" if sys.platform == "win32" else ".pip")
    found = [*(Path(folder) / file for folder in site), legacy / file, user / file, Path(sys.prefix) / file]
    return [*found, Path(named)] if named else found


def _section(file: Path, section: str) -> dict[str, str]:
    """The options in a section of a file, under the names of the long options."""
    parser = configparser.RawConfigParser()
    try:
        parser.read(file, encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        # Its message would quote lines of the file, which may hold a password.
        raise DeepgrepError(
            f"{file}: not a configuration file of pip: 'pip config debug' shows what pip reads"
        ) from None
    if not parser.has_section(section):
        return {}
    return {_option(name): value.strip() for name, value in parser.items(section) if value and value.strip()}


def _variables(environment: Mapping[str, str]) -> dict[str, str]:
    """The options that PIP_* variables set."""
    return {
        _option(name[4:]): value.strip()
        for name, value in environment.items()
        if name.startswith("PIP_") and value.strip()
    }


def _option(name: str) -> str:
    option = name.lower().replace("_", "-").removeprefix("--")
    return "timeout" if option == "default-timeout" else option


def _is_true(options: Mapping[str, str], name: str) -> bool:
    value = options.get(name, "no").lower()
    if value in ("y", "yes", "t", "true", "on", "1"):
        return True
    if value in ("n", "no", "f", "false", "off", "0"):
        return False
    raise DeepgrepError(f"pip's option {name} is neither yes nor no: 'pip config debug' shows where it is set")


def _check_address(address: str) -> None:
    try:
        _ = urlsplit(address).port
    except ValueError:  # its message would quote the address
        raise DeepgrepError("pip is given an address that is none: 'pip config debug' shows where it is set") from None


def _seconds(options: Mapping[str, str]) -> float:
    try:
        return float(options.get("timeout", _TIMEOUT))
    except ValueError:
        raise DeepgrepError("pip's option timeout is not a number: 'pip config debug' shows where it is set") from None


def _path(options: Mapping[str, str], name: str) -> str | None:
    value = options.get(name)
    return os.path.expanduser(value) if value else None
