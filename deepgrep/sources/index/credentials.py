"""User names and passwords for package indexes: where pip finds them."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit, urlunsplit

import requests
from requests.auth import HTTPBasicAuth

_Pair = tuple[str, str]


class Credentials(requests.auth.AuthBase):
    """User names and passwords by host: those in addresses, else those in .netrc; if that is not enough, of keyring.

    They are set when a request is made, and `requests` takes them off when it is redirected to another host.
    """

    def __init__(self, addresses: Iterable[str]) -> None:
        """Take those in some addresses."""
        self._known: dict[str, _Pair] = {}
        self._asked: set[str] = set()
        for address in addresses:
            self.learn(address)

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        """Set those of its host for a request."""
        url = request.url or ""
        found = self._known.get(_origin(url)) or requests.utils.get_netrc_auth(url)
        return HTTPBasicAuth(*found)(request) if found else request

    def learn(self, address: str) -> None:
        """Take those in an address, unless some are known for its host."""
        parts = urlsplit(address)
        if "@" in parts.netloc:
            pair = unquote(parts.username or ""), unquote(parts.password or "")
            self._known.setdefault(_origin(address), pair)

    def ask_keyring(self, url: str) -> bool:
        """Look into the keyring, if that package is installed, once for each host; says whether there is something."""
        origin = _origin(url)
        if origin in self._asked:
            return False
        self._asked.add(origin)
        name = self._known.get(origin, ("", ""))[0]
        try:
            keyring = importlib.import_module("keyring")
            for service in (without_credentials(url), urlsplit(origin).netloc):
                found = keyring.get_credential(service, name or None)
                if found is not None:
                    self._known[origin] = (found.username, found.password)
                    return True
        except Exception:  # none is installed, or its backend fails in a way of its own: the index's answer says enough
            return False
        return False


def without_credentials(url: str) -> str:
    """An address without a user name and password."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}".lower()
