"""What was asked and of what: the question, the sources and how they stand to their release, how to repeat it."""

from __future__ import annotations

from deepgrep.questions.answers import ReachAnswer, RootRef
from deepgrep.reports.html.elements import Element, Part, code, element, folded, listed, place_link, section
from deepgrep.reports.links import Permalink
from deepgrep.reports.provenance import Provenance
from deepgrep.reports.words import CODE_FILE, SourceLine, plural, source_title, state_title
from deepgrep.sources.released import Released


def about(answer: ReachAnswer, source_line: SourceLine, permalink: Permalink, provenance: Provenance) -> Element:
    """The section that says what was asked, of which sources, and how to ask it again."""
    target = answer.target
    rows: list[tuple[str, Part]] = [("sources", source_title(source)) for source in answer.sources]
    rows += [("release", _released(released)) for released in provenance.released]
    rows += [
        ("root", _root(answer.root, source_line, permalink)),
        ("target", element("span", code(target.name), f" ({state_title(target.kind, target.scope)})")),
        *(("filter", said) for said in answer.filters),
        ("made by", f"deepgrep {provenance.deepgrep}, Python {provenance.python}"),
        ("repeat with", code(provenance.command, "command")),
    ]
    terms = [part for term, said in rows for part in (element("dt", term), element("dd", said))]
    return section("about", "Question", element("dl", *terms))


def _root(root: RootRef, source_line: SourceLine, permalink: Permalink) -> Element:
    if root.file == CODE_FILE:
        lines: list[Part] = []
        while (text := source_line(CODE_FILE, len(lines) + 1)) is not None:
            lines.append(element("span", text, class_="line"))
        return element("code", *lines, class_="typed", dir="ltr") if lines else code(root.name)
    return element("span", code(root.name), " ", place_link(root.file, root.line, permalink))


def _released(released: Released) -> Element:
    """How a source stands to what was released."""
    said: list[Part] = []
    if released.repository.startswith(("https://", "http://")):
        address = released.repository
        said += ["repository ", element("a", address, href=address, rel="noreferrer noopener"), "; "]
    if not released.compared:
        return element("span", *said, f"{released.name}: not compared with a release, as it has no RECORD")
    differing = [(f"{len(files):,} {word}", files) for word, files in released.differing]
    compared = f"{released.name}: {plural(released.compared, 'file')} compared with the release"
    if not differing:
        return element("span", *said, f"{compared}, none differs")
    counts = ", ".join(count for count, _ in differing)
    names = [folded(count, listed(code(file) for file in files)) for count, files in differing]
    return element("div", *said, f"{compared}: {counts}", *names)
