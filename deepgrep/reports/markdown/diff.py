"""The answer of `diff` to a question for a public tracker: GitHub-flavoured Markdown, with links to both commits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deepgrep.questions.diff_answers import (
    AccessDiff,
    Change,
    CodeLine,
    DiffAnswer,
    Difference,
    DiffSide,
    HopDiff,
    PathDiff,
)
from deepgrep.reports.diff_sentences import (
    access_what,
    accesses_sentence,
    both_filters,
    chop_rows,
    chop_sentences,
    diff_sentence,
    ends_in,
    hop_what,
    packages_of,
    path_sentence,
    rest_as_in,
    side_sentence,
    trust_sentences,
)
from deepgrep.reports.markdown.escaping import cell, code, linked, linked_cell, prose, source_block
from deepgrep.reports.words import CODE_FILE, DOES, SourceLine, local_name, passing, plural, source_title, state_title

MOST_BYTES = 60_000
"""As of reports of `reach`."""

_LIST_LENGTHS = (40, 20, 10, 5, 3)
_WHAT_IT_IS = (
    "This compares two static analyses of the source code, made by deepgrep: nothing was run. Paths and accesses are "
    "compared by names, not by lines."
)
_SIGNS = {Change.NEW: "new", Change.GONE: "gone", Change.CHANGED: "changed"}


def diff_markdown(answer: DiffAnswer, source_line: SourceLine) -> str:
    """Write the answer of `diff` to a question.

    Args:
        answer: what was found.
        source_line: gives the text of a root that is code.

    Returns:
        At most `MOST_BYTES` bytes, as long as names and code are not huge: where that does not hold everything, long
        lists are shortened, and say so.
    """
    return fitted(lambda most: diff_parts(answer, source_line, most))


def fitted(parts: Callable[[int], Sequence[Sequence[str]]]) -> str:
    """Write parts of a document whose lists are at most so long that it fits a tracker; each part gives its lines."""
    text = ""
    for most in _LIST_LENGTHS:
        text = "\n\n".join("\n".join(part) for part in parts(most) if part) + "\n"
        if len(text.encode()) <= MOST_BYTES:
            break
    return text


def diff_parts(answer: DiffAnswer, source_line: SourceLine, most: int) -> list[list[str]]:
    """The lines of each part of the document; lists are at most so long."""
    word = "same" if answer.same else "different"
    return [
        [f"**{word}**: {diff_sentence(answer, code)}.", "", f"> {_WHAT_IT_IS}"],
        [*_side("before", answer.before), *_side("after", answer.after), *_ends(answer, source_line)],
        _accesses(answer, most),
        *_paths(answer, most),
        _hops(answer.hops, most),
        _chop(answer, most),
        _trust(answer, most),
        _moved(answer, most),
        _notes(answer),
    ]


def more(count: int, what: str = "more") -> list[str]:
    """Say what a list does not show."""
    return [f"- … {count:,} {what}: `--format json` lists all"] if count > 0 else []


def _side(label: str, side: DiffSide) -> list[str]:
    titles = "; ".join(source_title(source) for source in side.sources)
    return [f"- {label}: {prose(titles)}", f"  - {side_sentence(side)}"]


def _ends(answer: DiffAnswer, source_line: SourceLine) -> list[str]:
    root, target = answer.after.root or answer.before.root, answer.after.target or answer.before.target
    lines = []
    if root is not None:
        text = source_line(root.file, root.line) if root.file == CODE_FILE else None
        lines.append(f"- root: {code((text or root.name).strip())}")
    if target is not None:
        lines.append(f"- target: {code(target.name)}, {prose(state_title(target.kind, target.scope))}")
    lines += [f"  - **{prose(what)}**" for what in (answer.target.what if answer.target is not None else ())]
    return lines + [f"- filter: {prose(said)}" for said in both_filters(answer)]


def _accesses(answer: DiffAnswer, most: int) -> list[str]:
    target = answer.after.target or answer.before.target
    if target is None:
        return []
    lines = [f"### Who {DOES[target.access]} it", "", f"{accesses_sentence(answer)}."]
    changed = [one for one in answer.accesses if one.change is not Change.SAME]
    if changed:
        lines += ["", "| change | place, function | what |", "| --- | --- | --- |"]
        lines += [_row(one) for one in changed[:most]]
        hidden = more(len(changed) - most)
        lines += ["", *hidden] if hidden else []
    return lines


def _row(one: AccessDiff) -> str:
    access, line = (one.after, one.after_line) if one.after is not None else (one.before, one.before_line)
    assert access is not None
    assert line is not None
    reached = {True: ", reached", False: ", not reached", None: ""}[access.reached]
    what = prose(f"{access.form}{', restore' if access.restore else ''}{reached}{access_what(one)}").replace("|", r"\|")
    place = linked_cell(lambda _file, _line: line.address or None, line.file, line.line)
    return f"| **{_SIGNS[one.change]}** | {place}<br>{cell(local_name(access.function, access.file))} | {what} |"


def _link(line: CodeLine) -> str:
    return linked(lambda _file, _line: line.address or None, line.file, line.line)


def _paths(answer: DiffAnswer, most: int) -> list[list[str]]:
    shown = [path for path in answer.paths if path.change is not Change.SAME]
    count = max(2, most // 4)
    parts = [
        [f"### Path {path.change}: {prose(path_sentence(path))}", "", *_path(answer, path, most)]
        for path in shown[:count]
    ]
    parts.append(more(len(shown) - count, "more paths that only one version has"))
    same = [path for path in answer.paths if path.change is Change.SAME]
    if same:
        ends = ", ".join(code(ends_in(path)) for path in same[:most])
        parts.append([f"{plural(len(same), 'path')} that both have: to {ends}{' …' if len(same) > most else ''}"])
    return parts


def _path(answer: DiffAnswer, path: PathDiff, most: int) -> list[str]:
    lines: list[str] = []
    rest = rest_as_in(answer, path)
    for position, (hop, line) in enumerate(zip(path.path.hops, path.lines, strict=True)):
        if position == rest:
            count = len(path.path.hops) - rest
            return [*lines, "", f"The other {plural(count, 'hop')} are those of the path that is gone."]
        number = f"{position + 1}. "
        indent = " " * len(number)
        first = f"{number}{_link(line)} in {code(local_name(hop.function, hop.file))}"
        if there := path.moved.get(hop.function):
            first += f" (moved {'from' if path.change is Change.NEW else 'to'} {code(there)})"
        lines.append(first)
        here = [differs for differs in path.differs if differs.hop == position]
        for differs in here:
            lines += [f"{indent}{one}" for one in _difference(differs)]
        if not here and line.text:
            lines += source_block(line.text, indent)
        if hop.conditions:
            conditions = "; ".join(code(condition) for condition in hop.conditions[:most])
            lines.append(f"{indent}when {conditions}{' …' if len(hop.conditions) > most else ''}")
        how = passing(hop.via, hop.certainty)
        if how and position < len(path.path.hops) - 1:
            lines.append(f"{indent}→ {how}")
    return lines


def _difference(differs: Difference) -> list[str]:
    lines = ["", f"**{prose(differs.why)}**", ""]
    sides = (("before", differs.before, differs.before_calls), ("after", differs.after, differs.after_calls))
    for label, line, calls in sides if differs.before or differs.after else ():
        if line is None:
            lines.append(f"- {label}: not there")
            continue
        lines.append(f"- {label}: {_link(line)}")
        lines += source_block(line.text, "  ") if line.text else []
        if calls:
            lines.append(f"  calls {', '.join(map(code, calls))}")
    if differs.definition is not None:
        lines.append(f"- defined: {_link(differs.definition)}")
        lines += source_block(differs.definition.text, "  ") if differs.definition.text else []
    return [*lines, ""]


def _hops(hops: Sequence[HopDiff], most: int) -> list[str]:
    if not hops:
        return []
    lines = ["### Hops that both have, and that changed", ""]
    for hop in hops[:most]:
        said = "; ".join(prose(what) for what in hop_what(hop))
        lines.append(f"- {code(hop.caller)} to {code(hop.callee)}: {said} ({_link(hop.before)}, {_link(hop.after)})")
    return lines + more(len(hops) - most)


def _chop(answer: DiffAnswer, most: int) -> list[str]:
    if answer.chop is None:
        return []
    chop = answer.chop
    lines = ["### On paths", "", *(f"- {said}" for said in chop_sentences(chop))]
    if len(chop.functions_gone) + len(chop.functions_new) <= most:
        return lines + [f"  - {row.removesuffix(': --format json lists all')}" for row in chop_rows(chop, most, code)]
    for word, names in (("before", answer.chop.functions_gone), ("after", answer.chop.functions_new)):
        counts: dict[str, int] = {}
        for package in packages_of(names):
            counts[package] = counts.get(package, 0) + 1
        listed = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        if listed:
            shown = ", ".join(f"{code(package)} {count:,}" for package, count in listed[:most])
            others = f" and {len(listed) - most:,} other packages" if len(listed) > most else ""
            lines.append(f"- {word} only: {shown}{others}")
    return lines


def _trust(answer: DiffAnswer, most: int) -> list[str]:
    said, trust = trust_sentences(answer), answer.trust
    if not said:
        return []
    lines = ["### How far a null result can be trusted", "", *(f"- {one}" for one in said)]
    for word, leads in (("gone", trust.leads_gone), ("new", trust.leads_new)):
        for lead in leads[:most]:
            could_be = code(lead.could_be[0]) if len(lead.could_be) == 1 else f"{len(lead.could_be):,} functions"
            where = f"{code(f'{lead.file}:{lead.line}')} in {code(local_name(lead.function, lead.file))}"
            lines.append(f"- lead {word}: {code(lead.expression)} could be {could_be}, {where}")
        lines += more(len(leads) - most)
    for word, exits in (("gone", trust.native_exits_gone), ("new", trust.native_exits_new)):
        if exits:
            names = ", ".join(code(native.callee) for native in exits[:most])
            others = f" and {len(exits) - most:,} more" if len(exits) > most else ""
            lines.append(f"- native functions {word}: {names}{others}")
    return lines


def _moved(answer: DiffAnswer, most: int) -> list[str]:
    if not answer.moved:
        return []
    lines = ["### Moved", "", "The same code under another name, compared as one:", ""]
    lines += [
        f"- {code(one.before)} → {code(one.after)}{'' if one.exact else ' (nearly the same)'}"
        for one in answer.moved[:most]
    ]
    return lines + more(len(answer.moved) - most)


def _notes(answer: DiffAnswer) -> list[str]:
    notes = [*answer.notes]
    notes += [f"before: {note}" for note in answer.before.notes] + [f"after: {note}" for note in answer.after.notes]
    return [f"- note: {prose(note)}" for note in notes]
