"""What was asked and of what: the question, the sources and how they stand to their release, how to repeat it."""

from __future__ import annotations

from collections.abc import Sequence

from deepgrep.questions.answers import ReachAnswer, RootRef
from deepgrep.reports.glossary import GLOSSARY
from deepgrep.reports.html.elements import Element, Part, code, element, folded, listed, place_link, section
from deepgrep.reports.links import Permalink, commit_address
from deepgrep.reports.provenance import Provenance
from deepgrep.reports.words import CODE_FILE, SourceLine, plural, source_title, state_title
from deepgrep.sources.released import Released


def about(answer: ReachAnswer, source_line: SourceLine, permalink: Permalink, provenance: Provenance) -> Element:
    """The section that says what was asked, of which sources, and how to ask it again."""
    target = answer.target
    rows: list[tuple[str, Part]] = []
    for source, released in zip(answer.sources, provenance.released, strict=True):
        rows += [("sources", source_title(source)), ("release", _released(released, source.commit))]
    rows += [
        ("root", _root(answer.root, source_line, permalink)),
        ("target", element("span", code(target.name), f" ({state_title(target.kind, target.scope)})")),
        *(("filter", said) for said in answer.filters),
        ("made by", f"deepgrep {provenance.deepgrep}, Python {provenance.python}"),
        ("repeat with", _lined(provenance.command.split("\n"), "command")),
    ]
    terms = [part for term, said in rows for part in (element("dt", term), element("dd", said))]
    words = [part for word, meaning in GLOSSARY.items() for part in (element("dt", word), element("dd", meaning))]
    return section(
        "about", "Question", element("dl", *terms), folded("How to read this", element("dl", *words, class_="words"))
    )


def _root(root: RootRef, source_line: SourceLine, permalink: Permalink) -> Element:
    if root.file == CODE_FILE:
        lines: list[str] = []
        while (text := source_line(CODE_FILE, len(lines) + 1)) is not None:
            lines.append(text)
        return _lined(lines, "typed") if lines else code(root.name)
    return element("span", code(root.name), " ", place_link(root.file, root.line, permalink))


def _link(address: str, text: str) -> Element:
    return element("a", text, href=address, rel="noreferrer noopener")


def _lined(lines: Sequence[str], class_: str) -> Element:
    """Code of several lines."""
    return element("code", *(element("span", line, class_="line") for line in lines), class_=class_, dir="ltr")


def _released(released: Released, commit: str) -> Element:
    """How a source stands to what was released."""
    said: list[Part] = []
    if released.repository.startswith(("https://", "http://")):
        address = released.repository
        said += ["repository ", _link(address, address), "; "]
    if address := commit_address(released, commit):
        said += ["built from ", _link(address, f"commit {commit}"), "; "]
    if not released.compared:
        none = "not compared with a release, as no RECORD of an installer names its files"
        return element("span", *said, f"{released.name}: {none}")
    differing = [(f"{len(files):,} {word}", files) for word, files in released.differing]
    compared = f"{released.name}: {plural(released.compared, 'file')} compared with the release"
    if not differing:
        return element("span", *said, f"{compared}, none differs")
    counts = ", ".join(count for count, _ in differing)
    names = [folded(count, listed(code(file) for file in files)) for count, files in differing]
    return element("div", *said, f"{compared}: {counts}", *names)
