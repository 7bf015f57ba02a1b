"""The drawing's place in the page: its controls, its legend, a picture for print, and all of it as a list."""

from __future__ import annotations

from deepgrep.questions.answers import Drawing, DrawnFunction, ReachAnswer
from deepgrep.reports.html.elements import Element, Part, code, element, listed, place_link, rest, section
from deepgrep.reports.links import Permalink
from deepgrep.reports.words import DOES, SEVERAL, clean, plural

_LEVELS = (
    ("all", "all calls"),
    ("dispatch", "certain and dispatch"),
    ("certain", "certain only"),
)
_KEYS = (
    "In the drawing: arrow keys move, + and − zoom, 0 shows all of it, Escape lets go of what is highlighted. "
    "A click on a module folds or unfolds it; one on a function keeps its source in view."
)


def drawing_section(answer: ReachAnswer, drawing: Drawing, picture: Element) -> Element:
    """The section that the drawing is put in; `picture` is shown in its place where no script runs, and in print."""
    modules = len({function.module for function in drawing.functions if function.module})
    said = f"{plural(len(drawing.functions), 'function')} in {plural(modules, 'module')}, "
    said += f"{plural(len(drawing.edges), 'edge')}."
    name = f"Drawing of the calls from {clean(answer.root.name)} to {clean(answer.target.name)}"
    return section(
        "drawing",
        "Drawing",
        element("p", said + _left_out(drawing)),
        _controls(),
        element(
            "div",
            id="canvas",
            tabindex="0",
            role="application",
            aria_label=f"{name}; the same as text: the paths, and the list of functions below",
            aria_describedby="keys",
        ),
        element("p", _KEYS, id="keys", class_="controls"),
        _legend(answer),
        element("figure", picture, class_="picture"),
    )


def _left_out(drawing: Drawing) -> str:
    if not drawing.left_out_functions and not drawing.left_out_edges:
        return ""
    functions, edges = plural(drawing.left_out_functions, "function"), plural(drawing.left_out_edges, "edge")
    return f" Not drawn: {functions} and {edges} that also lie on paths."


def _controls() -> Element:
    options = [element("option", said, value=level) for level, said in _LEVELS]
    return element(
        "div",
        element(
            "div",
            _button("zoom-in", "+", "zoom in"),
            _button("zoom-out", "−", "zoom out"),
            _button("fit", "show all"),
            _button("fit-path", "show path"),
            _button("fold", "fold modules"),
            _button("unfold", "unfold modules"),
            role="group",
            aria_label="View",
        ),
        element("label", "show ", element("select", *options, id="level")),
        element(
            "form",
            element("label", "find a function ", element("input", type="search", id="find", autocomplete="off")),
            element("button", "find", type="submit"),
            id="search",
            role="search",
        ),
        element("p", id="said", role="status", aria_live="polite"),
        element("ul", id="results"),
        class_="controls",
    )


def _button(name: str, text: str, label: str = "") -> Element:
    return element("button", text, type="button", id=name, **({"aria_label": label, "title": label} if label else {}))


def _legend(answer: ReachAnswer) -> Element:
    does = DOES[answer.target.access]
    marks = (
        ("root", "root"),
        ("access", f"{does} the target"),
        ("target", "target"),
        ("chokepoint", "on every path"),
        ("certain", "certain call"),
        *((str(certainty), said) for certainty, said in SEVERAL.items()),
        ("onpath", "the path that is highlighted"),
    )
    items = [element("li", element("span", class_=f"mark {name}", aria_hidden="true"), said) for name, said in marks]
    return element("ul", *items, class_="legend", aria_label="What the looks mean")


def functions_section(answer: ReachAnswer, drawing: Drawing, permalink: Permalink) -> Element:
    """The section that lists, by module, what is drawn."""
    members: dict[str, list[int]] = {}
    for index, function in enumerate(drawing.functions):
        members.setdefault(function.module, []).append(index)
    groups = []
    positions = {module: position for position, module in enumerate(filter(None, members))}
    for module, these in members.items():
        items = [_function(answer, drawing, index, permalink) for index in these]
        summary = f"{clean(module) or 'the code that was given'}: {plural(len(these), 'function')}"
        groups.append(rest(summary, _fold(positions[module]) if module else None, listed(items)))
    return section("functions", "Functions drawn", *groups)


def _fold(module: int) -> Element:
    said = "fold or unfold in the drawing"
    return element("button", said, type="button", class_="controls", data_module=str(module))


def _function(answer: ReachAnswer, drawing: Drawing, index: int, permalink: Permalink) -> Element:
    function = drawing.functions[index]
    marks = "; ".join(_marks(answer, function, is_root=index == drawing.root))
    parts: list[Part] = [
        element("button", code(function.label), type="button", data_function=str(index)),
        " ",
        place_link(function.file, function.line, permalink),
        f" ({marks})" if marks else None,
    ]
    return element("span", *parts)


def _marks(answer: ReachAnswer, function: DrawnFunction, *, is_root: bool) -> list[str]:
    marks = ["root"] if is_root else []
    if function.chokepoint:
        marks.append("on every path")
    if function.accesses:
        lines = ", ".join(map(str, function.accesses))
        marks.append(f"{DOES[answer.target.access]} the target at line {lines}")
    return marks
