"""A file on a server, of which only the parts that are read are fetched."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NoReturn

from deepgrep.errors import DeepgrepError

if TYPE_CHECKING:
    import requests

    from deepgrep.sources.index.connection import Connection

# At first: in it is where the directory of a zip file begins, and of a small one all.
_TAIL_BYTES = 1 << 16
# What lies between two parts is fetched along where that takes less time than another request.
_GAP_BYTES = 1 << 18
# The directory of the largest wheels that are known has 4 MB.
_MOST_AT_ONCE = 1 << 26

_CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)", re.ASCII)


class RangesRefusedError(Exception):
    """The server sends the whole file only; `answer` is one with it, not read yet, or None."""

    def __init__(self, answer: requests.Response | None) -> None:
        super().__init__()
        self.answer = answer


class RemoteFile(io.RawIOBase):
    """A file to read and seek in; `fetch` gets parts that are wanted soon in few requests."""

    def __init__(self, connection: Connection, url: str, what: str, advance: Callable[[int], None]) -> None:
        """Fetch the end of the file.

        Args:
            connection: to its server.
            url: its address.
            what: how errors call it.
            advance: called with the number of bytes whenever some were fetched.

        Raises:
            RangesRefusedError: it can only be had whole.
            DeepgrepError: it cannot be had.
        """
        super().__init__()
        self._connection = connection
        self._url = url
        self._what = what
        self._advance = advance
        self._position = 0
        self._parts: dict[int, bytes] = {}
        self.size = 0
        self._request(f"bytes=-{_TAIL_BYTES}", None)

    def fetch(self, spans: Iterable[tuple[int, int]]) -> None:
        """Get parts of the file.

        Args:
            spans: the first byte of each, and the one after its last.
        """
        for start, end in _joined(spans):
            for first in range(start, end, _MOST_AT_ONCE):
                self._get(first, min(end, first + _MOST_AT_ONCE))

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def seekable(self) -> bool:
        """Say that any part can be read."""
        return True

    def tell(self) -> int:
        """Say where the next byte is read."""
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a byte, as in any file."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self.size}[whence]
        self._position = max(0, base + offset)
        return self._position

    def read(self, size: int = -1) -> bytes:
        """Read from here on, as in any file; what is not there yet is fetched."""
        end = self.size if size is None or size < 0 else min(self.size, self._position + size)
        if end <= self._position:
            return b""
        if end - self._position > _MOST_AT_ONCE:
            raise DeepgrepError(f"{self._what}: refused: over {_MOST_AT_ONCE:,} bytes of directory: is it damaged?")
        data = self._held(self._position, end)
        if data is None:
            self._get(self._position, end)
            data = self._held(self._position, end) or b""
        self._position += len(data)
        return data

    def _held(self, start: int, end: int) -> bytes | None:
        for first, data in self._parts.items():
            if first <= start and end <= first + len(data):
                return data[start - first : end - first]
        return None

    def _get(self, start: int, end: int) -> None:
        if self._held(start, end) is None:
            self._request(f"bytes={start}-{end - 1}", (start, end))

    def _request(self, wanted: str, expected: tuple[int, int] | None) -> None:
        from deepgrep.sources.index.connection import chunks

        answer = self._connection.get(self._url, self._what, Range=wanted)
        if answer.status_code != 206:
            if expected is None and answer.status_code == 200:
                raise RangesRefusedError(answer)
            answer.close()
            self._refuse(expected)
        with answer:
            found = _CONTENT_RANGE.fullmatch(answer.headers.get("Content-Range", ""))
            if found is None:
                self._refuse(expected)
            first, last, size = map(int, found.groups())
            if (first, last + 1) != (expected or (max(0, size - _TAIL_BYTES), size)):
                self._refuse(expected)
            if expected is None:
                self.size = size
            elif size != self.size:
                self._refuse(expected)
            data = bytearray()
            for chunk in chunks(answer, self._what, last + 1 - first):
                data += chunk
                self._advance(len(chunk))
        if len(data) != last + 1 - first:
            raise DeepgrepError(
                f"{self._what}: the download was cut off after {len(data):,} bytes: run the command again"
            )
        self._parts[first] = bytes(data)

    def _refuse(self, expected: tuple[int, int] | None) -> NoReturn:
        if expected is None:
            raise RangesRefusedError(None)
        raise DeepgrepError(f"{self._what}: the package index sends other parts than it was asked for: try again")


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, as one where little lies between."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start - joined[-1][1] <= _GAP_BYTES:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
