"""The bytes of a package index's page about a project, as JSON and as HTML."""

import contextlib

from deepgrep.errors import DeepgrepError
from deepgrep.sources.index.offers import _offers_of_page, _page


def one_input(data: bytes) -> None:
    for content_type in ("application/vnd.pypi.simple.v1+json", "text/html; charset=utf-8"):
        with contextlib.suppress(DeepgrepError):
            page = _page(data, content_type, "https://example.org/simple/a/", "a")
            for offer in _offers_of_page(page, "a", is_local=False):
                assert offer.path is None
