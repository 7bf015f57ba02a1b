"""The answer of `check` as SARIF 2.1.0: a rule for each query, a result for each access reached, with the path to it.

An access that is new is an error, and one that is as it was a note. Of a query that is different, cannot be answered,
or was not compared, one more result says so where the query is stored: there is where to look, and what to change.
"""

from __future__ import annotations

import hashlib
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from urllib.parse import quote

import msgspec

from deepgrep import __version__
from deepgrep.graph.rows import Certainty
from deepgrep.questions.answers import Hop, Path
from deepgrep.questions.checking import ChangeKind, CheckAnswer, CheckedQuery, Outcome
from deepgrep.reports.check.sarif_format import (
    ArtifactLocation,
    BaselineState,
    CodeFlow,
    Driver,
    Invocation,
    Level,
    Location,
    Log,
    LogicalLocation,
    MappedTo,
    Message,
    Notification,
    PhysicalLocation,
    Region,
    Result,
    Rule,
    Run,
    ThreadFlow,
    ThreadFlowLocation,
    Tool,
    UriBase,
    VersionControl,
)
from deepgrep.reports.check.sentences import change_sentence, query_sentence
from deepgrep.reports.words import CODE_FILE, DOES, clean, local_name, passing, plural, root_name, shorten

_ROOT = "%SRCROOT%"
_BASE = "Where the analyzed packages and the query files are: the root of the repository, or the folder of the packages"
_FINGERPRINT = "primaryLocationLineHash"  # the one that GitHub matches alerts by
# Code scanning takes 25,000 results and shows 5,000; texts of more than 1,024 characters are refused.
_MOST_RESULTS = 5_000
_LONGEST = 1_000
_LEVELS: dict[Outcome, Level] = {
    Outcome.DIFFERENT: "error",
    Outcome.NOT_ANSWERED: "error",
    Outcome.NOT_COMPARED: "warning",
}
_ORDER: dict[Level, int] = {"error": 0, "warning": 1, "note": 2}


def sarif(answer: CheckAnswer, repositories: Mapping[str, str], local_paths: Mapping[str, str]) -> bytes:
    """Write the answer of `check` as SARIF.

    Args:
        answer: what was found.
        repositories: the addresses of the public repositories of the sources, by their names.
        local_paths: the paths of files from the current folder, where they lie under it, by the names they have here.

    Returns:
        One line of JSON. No path of the machine is in it: other files are named from the folder that holds their
        package.
    """
    results = [
        result for index, query in enumerate(answer.queries) for result in _results(answer, query, index, local_paths)
    ]
    results.sort(key=lambda result: _ORDER[result.level])  # stable: what is cut off is what matters least
    run = Run(
        tool=Tool(driver=Driver(name="deepgrep", semantic_version=__version__, rules=list(map(_rule, answer.queries)))),
        invocations=[
            Invocation(
                execution_successful=not answer.outcomes[Outcome.NOT_ANSWERED],
                tool_execution_notifications=list(_notifications(answer, len(results) - _MOST_RESULTS)),
            )
        ],
        original_uri_base_ids={_ROOT: UriBase(description=_message(_BASE))},
        version_control_provenance=[
            VersionControl(
                repository_uri=repositories[source.name],
                revision_id=source.commit,
                mapped_to=MappedTo(uri_base_id=_ROOT),
            )
            for source in answer.sources
            # What is checked besides has the same root, and is not in that repository.
            if source.commit and repositories.get(source.name) and not local_paths
        ],
        results=_numbered(results[:_MOST_RESULTS]),
    )
    return msgspec.json.encode(Log(runs=[run])) + b"\n"


def _rule(query: CheckedQuery) -> Rule:
    parts = [query.question, query.note.strip(), *query.reports, f"deepgrep run {shlex.quote(query.typed)}"]
    return Rule(
        id=_plain(query.name),
        short_description=_message(query.question),
        full_description=_message(query.note.strip() or query.question),
        help=Message(text="\n\n".join(_plain(part) for part in parts if part)),
        help_uri=query.reports[0] if query.reports else "",
    )


def _results(answer: CheckAnswer, query: CheckedQuery, index: int, local_paths: Mapping[str, str]) -> Iterator[Result]:
    has_baseline = answer.compared_with == "baseline"
    if level := _LEVELS.get(query.outcome):
        said = [query_sentence(query, answer.compared_with)]
        said += [f"new: {change_sentence(query, change, _LONGEST)}" for change in query.new if change.counts]
        said += [f"gone: {change_sentence(query, change, _LONGEST)}" for change in query.gone if change.counts]
        yield Result(
            rule_id=_plain(query.name),
            rule_index=index,
            level=level,
            message=_message(f"{query.question} {'; '.join(said)}"),
            locations=[_in_query_file(query)],
            partial_fingerprints=_fingerprint(query.name, query.outcome),
            baseline_state=("updated" if query.before else "new") if has_baseline else None,
        )
    new = {change.functions[0] for change in query.new if change.kind is ChangeKind.ACCESS and change.counts}
    ways = {change.functions[-1] for change in query.new if change.kind is ChangeKind.PATH}
    for path in query.paths:
        end = path.hops[-1].function
        places = _locations(query, path, local_paths)
        is_new = end in new
        state: BaselineState = "new" if is_new or not query.before else "updated" if end in ways else "unchanged"
        yield Result(
            rule_id=_plain(query.name),
            rule_index=index,
            level="error" if is_new else "note",
            message=_message(_path_sentence(query, path)),
            locations=[places[-1]],
            partial_fingerprints=_fingerprint(query.name, end),
            baseline_state=state if has_baseline else None,
            code_flows=[_code_flow(places)],
        )


def _path_sentence(query: CheckedQuery, path: Path) -> str:
    assert query.root is not None
    assert query.target is not None
    can = "can" if path.certainty is Certainty.CERTAIN else "may"
    end = path.hops[-1]
    does = f"{local_name(end.function, end.file)}, which {DOES[query.target.access]} {clean(query.target.name)}"
    return f"{root_name(query.root)} {can} reach {does} ({path.certainty}, {plural(len(path.hops) - 1, 'call')})"


def _code_flow(places: Sequence[Location]) -> CodeFlow:
    locations = [ThreadFlowLocation(location=location) for location in places]
    return CodeFlow(thread_flows=[ThreadFlow(locations=locations)])


def _locations(query: CheckedQuery, path: Path, local_paths: Mapping[str, str]) -> list[Location]:
    """A location for each hop: what is done there. Native code has no lines: it is where it was called from."""
    locations: list[Location] = []
    for position, hop in enumerate(path.hops):
        following = path.hops[position + 1] if hop is not path.hops[-1] else None
        place = locations[-1].physical_location if locations and not hop.call_line else _place(query, hop, local_paths)
        locations.append(
            Location(
                physical_location=place,
                logical_locations=[LogicalLocation(fully_qualified_name=_plain(hop.function), kind="function")],
                message=_message(_hop_sentence(query, hop, following)),
            )
        )
    return locations


def _hop_sentence(query: CheckedQuery, hop: Hop, following: Hop | None) -> str:
    assert query.target is not None
    does = (
        f"calls {local_name(following.function, following.file)}"
        if following
        else f"{DOES[query.target.access]} {query.target.name}"
    )
    parts = [f"{local_name(hop.function, hop.file)} {does}"]
    if how := passing(hop.via, hop.certainty):
        parts[0] += f" {how}"
    parts += [f"when {condition}" for condition in hop.conditions]
    parts += [f"holding {lock}" for lock in hop.locks]
    return "; ".join(parts)


def _place(query: CheckedQuery, hop: Hop, local_paths: Mapping[str, str]) -> PhysicalLocation:
    if hop.file == CODE_FILE:  # it is in the query
        return _in_query_file(query).physical_location
    return _physical(local_paths.get(hop.file, hop.file), hop.call_line)


def _in_query_file(query: CheckedQuery) -> Location:
    return Location(physical_location=_physical(query.file, 1))


def _physical(file: str, line: int) -> PhysicalLocation:
    # A script can have been named by a path of the machine.
    path = PurePath(file).name if PurePath(file).is_absolute() else file
    uri = quote(path, errors="replace")
    return PhysicalLocation(
        artifact_location=ArtifactLocation(uri=uri, uri_base_id=_ROOT), region=Region(start_line=max(1, line))
    )


def _fingerprint(*parts: str) -> dict[str, str]:
    """What stays the same while lines move."""
    text = "\0".join(parts).encode(errors="replace")
    return {_FINGERPRINT: hashlib.sha256(text).hexdigest()[:16]}


def _numbered(results: Sequence[Result]) -> list[Result]:
    """Tell results with the same fingerprint apart, by their order."""
    seen: Counter[str] = Counter()
    numbered = []
    for result in results:
        print_ = result.partial_fingerprints[_FINGERPRINT]
        seen[print_] += 1
        prints = {_FINGERPRINT: f"{print_}:{seen[print_]}"}
        numbered.append(msgspec.structs.replace(result, partial_fingerprints=prints))
    return numbered


def _notifications(answer: CheckAnswer, left_out: int) -> Iterator[Notification]:
    for query in answer.queries:
        if query.outcome is Outcome.NOT_ANSWERED:
            said = f"{query.name}: {query_sentence(query, answer.compared_with)}"
            yield Notification(level="error", message=_message(said))
    if left_out > 0:
        said = f"{plural(left_out, 'result')} left out, as viewers take no more: deepgrep check --format json has all"
        yield Notification(level="warning", message=_message(said))
    for file in answer.skipped:
        said = f"{file.file} could not be read and may hide something: {file.reason}"
        yield Notification(level="warning", message=_message(said))


def _message(text: str) -> Message:
    return Message(text=_plain(text))


def _plain(text: str) -> str:
    """Text that stays text: no control characters, placeholders or links, and no longer than is taken."""
    text = clean(text)
    plain = _escaped(shorten(text, _LONGEST))
    return plain if len(plain) <= _LONGEST else _escaped(shorten(text, _LONGEST // 2))  # it at most doubles


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}").replace("](", "] (")
