"""Large sections of a graph in pages: who looks at a few rows of a large column reads only the pages they are on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated

import msgspec

from deepgrep.errors import DeepgrepError

PAGE = 1 << 17
"""Bytes. A page is read and checked in about 0.1 ms."""

SIZES = "pages"
"""The section that says how large those sections are that are kept in pages."""


def malformed(section: str) -> DeepgrepError:
    """The error for a section whose bytes cannot be what was stored."""
    return DeepgrepError(f"stored graph: section {section!r} is malformed: delete the cache folder and run again")


class Pages:
    """The bytes of one section, of which slices can be taken; each page is read when it is first needed."""

    def __init__(self, read: Callable[[str], bytes], name: str, size: int) -> None:
        self._read = read
        self._name = name
        self._size = size
        self._pages: dict[int, bytes] = {}

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, part: slice) -> bytes:
        start, stop, _ = part.indices(self._size)
        number = start // PAGE
        if stop <= (number + 1) * PAGE:  # most parts are rows
            return self._page(number)[start - number * PAGE : stop - number * PAGE] if start < stop else b""
        pages = b"".join(map(self._page, range(number, (stop - 1) // PAGE + 1)))
        return pages[start - number * PAGE : stop - number * PAGE]

    def __iter__(self) -> Iterator[bytes]:
        """All pages, which are not kept."""
        return (self._checked(number) for number in range(-(-self._size // PAGE)))

    def _page(self, number: int) -> bytes:
        if number not in self._pages:
            self._pages[number] = self._checked(number)
        return self._pages[number]

    def _checked(self, number: int) -> bytes:
        page = self._pages.get(number) or self._read(f"{self._name}#{number}")
        if len(page) != min(PAGE, self._size - number * PAGE):
            raise malformed(self._name)
        return page


Blob = bytes | Pages
_Size = Annotated[int, msgspec.Meta(ge=0, lt=1 << 62)]


class PagedSections:
    """Sections that `in_pages` split; built with a function that gives what that made, by name."""

    def __init__(self, read: Callable[[str], bytes]) -> None:
        self._read = read
        self._sizes: dict[str, int] | None = None

    def blob(self, name: str) -> Blob:
        """A section, to look at parts of it.

        Raises:
            DeepgrepError: what says how large sections are cannot be read.
        """
        if self._sizes is None:
            try:
                self._sizes = msgspec.msgpack.decode(self._read(SIZES), type=dict[str, _Size])
            except msgspec.MsgspecError as error:
                raise malformed(SIZES) from error
        size = self._sizes.get(name)
        return self._read(name) if size is None else Pages(self._read, name, size)


def whole(blob: Blob) -> bytes:
    """All bytes of a section."""
    return blob if isinstance(blob, bytes) else b"".join(blob)


def parts(blob: Blob) -> Iterator[bytes]:
    """All bytes of a section, in the parts that they are in."""
    return iter((blob,)) if isinstance(blob, bytes) else iter(blob)


def in_pages(sections: Mapping[str, bytes]) -> dict[str, bytes]:
    """Sections as they are stored: those that are larger than a page in pages, and how large they are."""
    large = {name: len(data) for name, data in sections.items() if len(data) > PAGE}
    stored = {name: data for name, data in sections.items() if name not in large}
    for name, size in large.items():
        for number, start in enumerate(range(0, size, PAGE)):
            stored[f"{name}#{number}"] = sections[name][start : start + PAGE]
    return stored | {SIZES: msgspec.msgpack.encode(large)}
