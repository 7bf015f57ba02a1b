"""Asking a package index: as pip does, with its credentials, and without a word about where it is."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3 import Retry
from urllib3.exceptions import HTTPError, InsecureRequestWarning, ReadTimeoutError

from deepgrep.errors import DeepgrepError
from deepgrep.sources.index.configuration import Configuration
from deepgrep.sources.index.credentials import Credentials, without_credentials

_CHUNK = 1 << 18

# What a server answers that gives no ranges, or not this one.
_NO_RANGES = (requests.codes.range_not_satisfiable, requests.codes.not_implemented)

_ADVICE = "is there a network? 'pip download --no-deps' shows whether pip can"


class Connection:
    """A session with the hosts of the indexes; also a context manager that closes it."""

    def __init__(self, configuration: Configuration) -> None:
        """Connect to nothing yet."""
        self._session = session = requests.Session()
        adapter = _Adapter(configuration.trusted_hosts)
        session.mount("https://", adapter)
        session.mount("http://", adapter)
        if configuration.client_cert:
            session.cert = configuration.client_cert
        if configuration.proxy:
            session.proxies = {"http": configuration.proxy, "https": configuration.proxy}
            session.trust_env = False
        session.auth = self._credentials = Credentials((*configuration.index_urls, *configuration.find_links))
        self._timeout = configuration.timeout
        # Given with each request: what a session has, REQUESTS_CA_BUNDLE replaces.
        self._verify = configuration.cert

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self._session.close()

    def get(self, url: str, what: str, **headers: str) -> requests.Response:
        """Ask for something; the body of the answer is not read yet.

        Args:
            url: what to ask for; credentials in it are not sent to other hosts.
            what: how errors call it.
            headers: more of the request, such as `Range`.

        Returns:
            The answer, to be closed. Its status is no error, but that of a range that cannot be had.

        Raises:
            DeepgrepError: there is none.
        """
        self._credentials.learn(url)
        answer = self._answer(url, what, headers)
        if answer.status_code == requests.codes.unauthorized and self._credentials.ask_keyring(url):
            answer.close()
            answer = self._answer(url, what, headers)
        if "Range" not in headers or answer.status_code not in _NO_RANGES:
            _check(answer, what)
        return answer

    def _answer(self, url: str, what: str, headers: dict[str, str]) -> requests.Response:
        sent = {"Accept-Encoding": "identity", **headers}
        try:
            return self._session.get(
                without_credentials(url), headers=sent, stream=True, timeout=self._timeout, verify=self._verify
            )
        except requests.exceptions.ProxyError:
            raise UnreachableError(f"{what}: the proxy that is configured does not answer: {_ADVICE}") from None
        except requests.exceptions.SSLError:
            raise DeepgrepError(
                f"{what}: the certificate of the package index cannot be verified: set pip's option cert"
            ) from None
        except requests.exceptions.Timeout:
            raise UnreachableError(self._silence(what)) from None
        except requests.exceptions.TooManyRedirects:
            raise DeepgrepError(f"{what}: the package index redirects in a circle") from None
        except requests.exceptions.ConnectionError as error:
            if error.args and isinstance(getattr(error.args[0], "reason", None), ReadTimeoutError):
                raise UnreachableError(self._silence(what)) from None
            raise UnreachableError(f"{what}: the package index cannot be reached: {_ADVICE}") from None
        except (requests.exceptions.RequestException, HTTPError, OSError, ValueError):  # their messages hold addresses
            raise UnreachableError(f"{what}: the package index cannot be asked: {_ADVICE}") from None

    def _silence(self, what: str) -> str:
        return f"{what}: no answer from the package index within {self._timeout:g} s"


def chunks(answer: requests.Response, what: str, most: int) -> Iterator[bytes]:
    """Read the body of an answer, in parts.

    Args:
        answer: as `Connection.get` gives it.
        what: how errors call it.
        most: so many bytes are too many.

    Raises:
        DeepgrepError: it has more, or fewer than it says.
    """
    said = answer.headers.get("Content-Length", "")
    read = 0
    while part := _read(answer, what, read):
        read += len(part)
        if read > most:
            raise DeepgrepError(f"{what}: the package index sends more than the {most:,} bytes that were expected")
        yield part
    if said.isdigit() and read != int(said):
        raise DeepgrepError(f"{what}: the download was cut off after {read:,} bytes: run the command again")


def _read(answer: requests.Response, what: str, before: int) -> bytes:
    try:
        data: bytes = answer.raw.read(_CHUNK, decode_content=False)
    except ReadTimeoutError:
        raise DeepgrepError(f"{what}: the package index stopped answering: run the command again") from None
    except (HTTPError, OSError):
        raise DeepgrepError(f"{what}: the download was cut off after {before:,} bytes: run the command again") from None
    return data


def _check(answer: requests.Response, what: str) -> None:
    status = answer.status_code
    if status in (requests.codes.unauthorized, requests.codes.forbidden):
        raise DeepgrepError(
            f"{what}: the package index asks for another user name and password ({status}): "
            "put them into pip's option index-url, or into .netrc"
        )
    if status == requests.codes.not_found:
        raise NotOfferedError(f"{what}: the package index does not have it")
    if status >= 500:
        raise UnreachableError(f"{what}: the package index answers with status {status}: try again later")
    if status >= 400:
        raise DeepgrepError(f"{what}: the package index answers with status {status}: is pip's option index-url right?")


class UnreachableError(DeepgrepError):
    """The package index does not answer."""


class NotOfferedError(DeepgrepError):
    """What was asked for is not there, and everything else is well."""


class _Adapter(HTTPAdapter):
    """Sends what may be sent, as pip does: without encryption only to this machine and to trusted hosts."""

    def __init__(self, trusted_hosts: tuple[str, ...]) -> None:
        self._trusted = {host.lower() for host in trusted_hosts}
        super().__init__(
            max_retries=Retry(total=3, read=1, backoff_factor=0.25, status_forcelist=(500, 503), raise_on_status=False)
        )

    def send(self, request: requests.PreparedRequest, *args: Any, **kwargs: Any) -> requests.Response:
        import warnings

        url = request.url or ""
        if urlsplit(url).scheme == "http" and not (self._is_trusted(url) or _is_this_machine(url)):
            raise DeepgrepError(
                "the package index is asked without encryption: use https, or set pip's option trusted-host"
            )
        if self._is_trusted(url):
            kwargs["verify"] = False
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InsecureRequestWarning)  # pip's configuration asks for it
            return super().send(request, *args, **kwargs)

    def _is_trusted(self, url: str) -> bool:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower()
        return host in self._trusted or f"{host}:{parts.port or ''}" in self._trusted


def _is_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
