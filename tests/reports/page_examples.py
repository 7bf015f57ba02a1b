"""Pages to look at, and what is in them."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser

from msgspec.structs import replace
from report_examples import REACHES, RESTORE, WRITE, drawing_of, hop, source_line

from deepgrep.graph.rows import Certainty, Via
from deepgrep.questions.answers import Drawing, Hop, Path, ReachAnswer
from deepgrep.reports.html import html_page
from deepgrep.reports.provenance import Provenance
from deepgrep.sources.released import Released

PROVENANCE = Provenance(
    command="deepgrep report pkg.api.start pkg.tracer._flag -o report",
    deepgrep="0.1.0",
    python="3.11.9",
    released=[Released("pkg", "https://example.org/pkg", 120, ("pkg/api.py",), (), ())],
)


def permalink(file: str, line: int) -> str | None:
    return f"https://example.org/pkg/blob/0123456789/{file}#L{line}" if file.startswith("pkg/") else None


def page(answer: ReachAnswer, drawing: Drawing | None = None, question: str = "") -> str:
    return html_page(answer, drawing, source_line, permalink, PROVENANCE, question)


def answer_about(drawing: Drawing) -> ReachAnswer:
    """An answer whose paths pass through the functions of a drawing: along the chain, and by its short cuts."""
    last = len(drawing.functions) - 1
    chain = list(range(min(6, last + 1))) + ([last] if last > 5 else [])
    short = [*[0, *range(3, last, 2)][:6], last]
    paths = [
        Path(Certainty.CERTAIN, [_hop(drawing, index) for index in chain]),
        Path(Certainty.FLOW, [_hop(drawing, index) for index in dict.fromkeys(short)]),
    ]
    return replace(REACHES, paths=paths, path_count=2, accesses=[WRITE, RESTORE])


def _hop(drawing: Drawing, index: int) -> Hop:
    one = drawing.functions[index]
    return hop(one.name, one.file, one.line, one.line + 1)


def large_drawing(functions: int, edges: int) -> Drawing:
    """As large as drawings become: functions in modules of eight, each calling a few near it and some far away."""
    drawing = drawing_of(functions)
    named = [replace(one, module=f"pkg.part{index // 8}") for index, one in enumerate(drawing.functions)]
    known = {(edge.caller, edge.callee): edge for edge in drawing.edges}
    step = 0
    while len(known) < edges:
        step += 1
        caller = (step * 7919) % functions
        callee = (caller + 1 + (step * 31) % 97) % functions
        if caller != callee:
            certainty = list(Certainty)[step % 3]
            known.setdefault(
                (caller, callee),
                replace(drawing.edges[0], caller=caller, callee=callee, via=Via.CALL, certainty=certainty),
            )
    return replace(drawing, functions=named, edges=list(known.values()))


class Page(HTMLParser):
    """A page as a browser reads it: its elements, their attributes, and the text of its body."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self._raw = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self._raw = tag if tag in {"script", "style"} else ""

    def handle_endtag(self, tag: str) -> None:
        self._raw = ""

    def handle_data(self, data: str) -> None:
        if not self._raw:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())

    @property
    def tags(self) -> Counter[str]:
        return Counter(tag for tag, _ in self.elements)

    def attributes(self, name: str) -> list[str]:
        return [attributes[name] for _, attributes in self.elements if name in attributes]
