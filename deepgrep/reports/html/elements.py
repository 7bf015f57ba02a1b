"""HTML elements, built as a tree: whatever is put into them is text or the value of an attribute, never markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree import ElementTree

from deepgrep.reports.links import Permalink
from deepgrep.reports.words import clean, place

Element = ElementTree.Element
Part = Element | str | None
"""What an element holds: another one, text, or nothing at all."""

_WEB = ("https://", "http://")


def element(tag: str, *parts: Part, **attributes: str) -> Element:
    """Build an element.

    Args:
        tag: its name.
        parts: what it holds, in order; characters that cannot be shown, or turn text around, are replaced.
        attributes: by name; `class_` is the class, and a `_` within a name a `-`.
    """
    named = {name.rstrip("_").replace("_", "-"): clean(value) for name, value in attributes.items()}
    made = Element(tag, named)
    for part in parts:
        if isinstance(part, str):
            _add_text(made, clean(part))
        elif part is not None:
            made.append(part)
    return made


def markup(elements: Iterable[Element]) -> str:
    """Write elements as HTML."""
    return "\n".join(ElementTree.tostring(one, "unicode", "html") for one in elements)


def section(name: str, title: str, *parts: Part, **attributes: str) -> Element:
    """A section of the page with a heading, which is what it is called by a screen reader."""
    heading = element("h2", title, id=f"{name}-title")
    return element("section", heading, *parts, id=name, aria_labelledby=f"{name}-title", **attributes)


def listed(items: Iterable[Element], tag: str = "ul", **attributes: str) -> Element:
    """A list."""
    return element(tag, *(element("li", item) for item in items), **attributes)


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[Part]]) -> Element:
    """A table, which scrolls by itself where the window is narrow."""
    head = element("thead", element("tr", *(element("th", text, scope="col") for text in heads)))
    body = element("tbody", *(element("tr", *(element("td", cell) for cell in row)) for row in rows))
    made = element("table", element("caption", caption), head, body)
    return element("div", made, class_="scrolls", tabindex="0", role="region", aria_label=caption)


def folded(summary: str, *parts: Part) -> Element:
    """What is shown when asked for, and in print."""
    return element("details", element("summary", summary), *parts)


def rest(summary: str, *parts: Part) -> Element:
    """What is shown only when asked for: of a long list what few readers need."""
    return element("details", element("summary", summary), *parts, class_="rest")


def place_link(file: str, line: int, permalink: Permalink) -> Element:
    """`file:line`, with a link to the public source where there is one."""
    where = place(file, line)
    address = permalink(file, line) if line else None
    if address is None or not address.startswith(_WEB):
        return element("span", where, class_="place")
    return element("a", where, class_="place", href=address, rel="noreferrer noopener")


def code(text: str, class_: str = "code") -> Element:
    """Text of analyzed code; it is never turned around by the text near it."""
    return element("code", text, class_=class_, dir="ltr")


def _add_text(to: Element, text: str) -> None:
    if len(to):
        to[-1].tail = (to[-1].tail or "") + text
    else:
        to.text = (to.text or "") + text
