"""Text of the analyzed code in GitHub-flavoured Markdown, where it can change nothing of what is around it.

Names and code stand in code spans: nothing is emphasized, linked or taken for HTML there, and trackers notify nobody of
an `@name` and refer to nothing by a `#1`.
"""

from __future__ import annotations

import re

from deepgrep.reports.links import Permalink
from deepgrep.reports.words import clean, cut, place, shorten

NAME_WIDTH = 200
_CODE_WIDTH = 240
_PROSE_WIDTH = 2_000
_LONGEST_ADDRESS = 500
# A word; names of native code hold spaces: `torch._C.<tensor operation>`.
_WORD = re.compile(r"(?:<[\w ]+>|\S)+")
_WORD_OR_SPAN = re.compile(r"\(?`[^`]+`[.,;:?!)]*|\S+")
_SPAN = re.compile(r"(\(?)`([^`]+)`([.,;:?!)]*)")
_PLAIN_WORD = re.compile(r"\(?(?:[A-Za-z]+(?:['-][A-Za-z]+)*|[0-9]+(?:[.,][0-9]+)*)[.,;:?!)]*|[–→…]", re.ASCII)


def code(text: str) -> str:
    """A code span: names and short pieces of code, shortened in their middle where they are huge."""
    text = shorten(clean(text), NAME_WIDTH)
    if not text:
        return ""
    ticks = "`" * (_longest_run(text) + 1)
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def html_code(text: str) -> str:
    """The same as HTML, for where Markdown has no code spans: a summary, and a table cell with a `|`."""
    text = shorten(clean(text), NAME_WIDTH)
    return f"<code>{''.join(c if c.isalnum() or c == ' ' else f'&#{ord(c)};' for c in text)}</code>"


def cell(text: str) -> str:
    """A code span in a table, where a `|` would end the cell."""
    return html_code(text) if "|" in text else code(text)


def prose(text: str) -> str:
    """A sentence of ours that holds names: every word that is not a plain one becomes a code span."""
    words = _WORD.findall(shorten(clean(text), _PROSE_WIDTH))
    return " ".join(word if _PLAIN_WORD.fullmatch(word) else _quoted(word) for word in words)


def written(text: str) -> str:
    """What the author of a query wrote: as `prose`, and code spans stay what they are."""
    words = _WORD_OR_SPAN.findall(clean(text))
    spans = (_SPAN.fullmatch(word) for word in words)
    return " ".join(
        f"{span[1]}{code(span[2])}{span[3]}" if span else prose(word) for word, span in zip(words, spans, strict=True)
    )


def _quoted(word: str) -> str:
    """A word as a code span, without the punctuation around it."""
    name = word.rstrip(".,;:?!")
    after = word[len(name) :]
    unclosed = name.count("(") - name.count(")")
    if unclosed > 0 and name.startswith("("):
        before, name = "(", name[1:]
    else:
        before = ""
    if unclosed < 0 and name.endswith(")"):
        name, after = name[:-1], f"){after}"
    return f"{before}{code(name)}{after}" if name else code(word)


def source_block(line: str, indent: str) -> list[str]:
    """A line of source as a block of Python code."""
    text = cut(clean(line.strip()), _CODE_WIDTH)
    return fenced(text, "python", indent)


def fenced(text: str, language: str, indent: str = "") -> list[str]:
    """A block of code, in fences that nothing in it can close."""
    fence = "`" * max(3, _longest_run(text) + 1)
    return [f"{indent}{fence}{language}", *(f"{indent}{line}" for line in text.splitlines()), f"{indent}{fence}"]


def linked(permalink: Permalink, file: str, line: int) -> str:
    """`file:line`, with a link to it where there is one."""
    return _link(code(place(file, line)), permalink(file, line))


def linked_cell(permalink: Permalink, file: str, line: int) -> str:
    """The same in a table."""
    return _link(cell(place(file, line)), permalink(file, line))


def _link(text: str, address: str | None) -> str:
    return f"[{text}]({address})" if address and len(address) <= _LONGEST_ADDRESS else text


def _longest_run(text: str) -> int:
    return max(map(len, re.findall(r"`+", text)), default=0)
