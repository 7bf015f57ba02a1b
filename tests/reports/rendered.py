"""Markdown as GitHub renders it (its own parser), taken apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

import cmarkgfm
from cmarkgfm.cmark import Options

_ALONE = {"br", "hr", "img", "input"}


@dataclass
class Rendered:
    """What a page holds.

    Attributes:
        tags: in this order, without those of code spans, as how many there are depends on the words.
        links: the addresses that it links to.
        attributes: all others.
        plain: the text outside of code.
        code: the code spans and blocks.
        text: all text.
    """

    tags: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    attributes: list[str] = field(default_factory=list)
    plain: str = ""
    code: list[str] = field(default_factory=list)
    text: str = ""


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Rendered()
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _ALONE:
            self.inside.append(tag)
        if tag == "code":
            self.page.code.append("")
        else:
            self.page.tags.append(tag)
        for name, value in attrs:
            (self.page.links if name == "href" else self.page.attributes).append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.inside.pop() == tag, f"</{tag}> closes something else"
        if tag != "code":
            self.page.tags.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        self.page.text += data
        if "code" in self.inside:
            self.page.code[-1] += data
        else:
            self.page.plain += data

    def handle_comment(self, data: str) -> None:
        self.page.tags.append(f"!{data}")


def rendered(markdown: str) -> Rendered:
    """Render, without the filter that a tracker puts behind it."""
    parser = _Parser()
    parser.feed(cmarkgfm.github_flavored_markdown_to_html(markdown, options=Options.CMARK_OPT_UNSAFE))
    parser.close()
    assert parser.inside == []
    return parser.page
