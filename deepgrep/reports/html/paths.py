"""The paths, hop by hop."""

from __future__ import annotations

from deepgrep.questions.answers import Hop, Path, ReachAnswer
from deepgrep.reports.html.elements import Element, Part, code, element, listed, place_link, section
from deepgrep.reports.links import Permalink
from deepgrep.reports.sentences import (
    AGAIN,
    ONE_UNCERTAIN_HOP,
    all_paths_sentence,
    is_root_again,
    path_title,
    requires_sentence,
    short_name,
)
from deepgrep.reports.words import DOES, SourceLine, clean, local_name, passing, plural

# Of a path of more hops, those at both ends are enough for a person, and a browser shows no more.
_HOPS_SHOWN = 1_000


def hidden_hops(path: Path) -> range:
    """The positions of the hops that are not shown of a path of very many."""
    if len(path.hops) <= _HOPS_SHOWN:
        return range(0)
    return range(_HOPS_SHOWN // 2, len(path.hops) - _HOPS_SHOWN // 2)


def paths(answer: ReachAnswer, source_line: SourceLine, permalink: Permalink) -> Element:
    """The section with every path of the answer, and what all of them are made of."""
    items = [
        element("li", *_path(answer, number, path, source_line, permalink), class_="path")
        for number, path in enumerate(answer.paths)
    ]
    return section(
        "paths",
        "Paths",
        element("p", f"All paths: {all_paths_sentence(answer)}; {len(answer.paths):,} shown."),
        element("ol", *items, class_="paths"),
    )


def rests_on(answer: ReachAnswer, source_line: SourceLine, permalink: Permalink) -> Element | None:
    """The section with the only hop that is not certain, if there is just one."""
    if answer.rests_on is None:
        return None
    hop = _hop(answer, answer.rests_on, source_line, permalink, is_last=False)
    return section("rests-on", "Rests on", element("p", ONE_UNCERTAIN_HOP), hop)


def _path(
    answer: ReachAnswer, number: int, path: Path, source_line: SourceLine, permalink: Permalink
) -> tuple[Element, Element]:
    which, what = path_title(answer, number)
    title = element("span", which, class_="title")
    how = element("span", what, class_=f"how {path.certainty}")
    button = element("button", title, " ", how, type="button", data_path=str(number), aria_pressed="false")
    hidden = hidden_hops(path)
    hops = [
        _hop(answer, hop, source_line, permalink, is_last=hop is path.hops[-1], position=position)
        for position, hop in enumerate(path.hops)
        if position not in hidden
    ]
    if hidden:
        said = f"… {plural(len(hidden), 'hop')} between: --format json lists all"
        hops.insert(hidden.start, element("p", said, class_="warning"))
    return element("h3", button), listed(hops, "ol", class_="hops")


def _hop(
    answer: ReachAnswer,
    hop: Hop,
    source_line: SourceLine,
    permalink: Permalink,
    *,
    is_last: bool,
    position: int = 0,
) -> Element:
    how = passing(hop.via, hop.certainty)
    if is_last:
        how = f"{DOES[answer.target.access]} {clean(answer.target.name)}{f' {how}' if how else ''}"
    text = source_line(hop.file, hop.call_line)
    parts: list[Part] = [
        element(
            "p",
            place_link(hop.file, hop.call_line, permalink),
            " ",
            element("b", code(local_name(hop.function, hop.file)), title=hop.function),
        ),
        element("p", AGAIN, class_="warning") if is_root_again(answer, position, hop) else None,
        element("p", code(text.strip()), class_="source") if text and text.strip() else None,
        *(element("p", said, class_="condition") for said in _standing(hop)),
        element("p", f"→ {how}", class_=f"passing {'access' if is_last else hop.certainty}") if how else None,
    ]
    # It can be focused: its source is then shown beside it.
    named = f"source of {local_name(hop.function, hop.file)}, line {hop.call_line}"
    where = {"data_file": hop.file, "data_line": str(hop.call_line), "data_defined": str(hop.line)}
    return element(
        "div",
        *parts,
        class_="hop",
        tabindex="0",
        role="group",
        aria_label=named,
        data_function=hop.function,
        **where,
    )


def _standing(hop: Hop) -> list[str]:
    """What a hop stands under."""
    said = []
    if hop.conditions:
        said.append("when " + "; ".join(map(clean, hop.conditions)))
    if hop.locks:
        said.append("holding " + ", ".join(map(clean, hop.locks)))
    if hop.depends_on:
        said.append(f"depends on the root's {', '.join(map(clean, hop.depends_on))}")
    if required := requires_sentence(hop, short_name):
        sentence, along = required
        said.append(sentence + " → ".join(map(short_name, along)))
    return said
