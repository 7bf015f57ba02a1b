"""What a check is compared with: of each query, what was found before, as far as it is worth comparing (JSON).

Kept is what a later version of the code can be held against: no lines, which every edit moves, and not how many
functions and paths there are, which changes with code that has nothing to do with the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import structs

from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import AccessKind, Certainty, Source
from deepgrep.questions.answers import AccessRef, ReachAnswer, Verdict
from deepgrep.questions.filters import NO_FILTERS
from deepgrep.questions.stored import StoredQuery

_SCHEMA = "deepgrep-baseline/1"
_ADVICE = "--update-baseline writes one into another file"


class Asked(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question as it was stored; `filters` are those that were given."""

    root: str
    target: str
    access: AccessKind | None = None
    filters: dict[str, str | int | bool | list[str]] = {}


class KeptPath(msgspec.Struct, frozen=True):
    """A path: the names of its functions."""

    certainty: Certainty
    functions: Annotated[list[str], msgspec.Meta(min_length=1)]


class Kept(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is kept of an answer.

    Attributes:
        versions: what was analyzed.
        error: why there was none.
        root, target: their full names.
        reached, not_reached: the forms in which each function accesses the target.
        paths: the path to each accessing function that is shown.
        leads: of a null result, the expressions in each function that could not be followed and could lead on.
        more_leads: how many leads were not listed.
    """

    asked: Asked
    versions: list[str]
    error: str = ""
    verdict: Verdict | None = None
    root: str = ""
    target: str = ""
    reached: dict[str, list[str]] = {}
    not_reached: dict[str, list[str]] = {}
    paths: list[KeptPath] = []
    chokepoints: list[str] = []
    leads: dict[str, list[str]] = {}
    more_leads: int = 0


class _Document(msgspec.Struct):
    """What a JSON file says that it is."""

    schema: str = ""


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """What was found before, by the query's name (`deepgrep-baseline/1`)."""

    schema: str = _SCHEMA
    queries: dict[str, Kept] = {}

    def updated(self, found: Mapping[str, Kept]) -> Baseline:
        """The same with what was found now."""
        return structs.replace(self, queries={**self.queries, **found})


def kept_answer(query: StoredQuery, answer: ReachAnswer) -> Kept:
    """What is kept of the answer to a query."""
    leads: dict[str, list[str]] = {}
    for lead in answer.leads:
        leads.setdefault(lead.function, []).append(lead.expression)
    ends = {path.hops[-1].function for path in answer.paths}

    def is_reached(access: AccessRef) -> bool:
        # Where paths must pass through something, an access can be reached by others only.
        is_end = access.function in ends or not query.filters.through
        return bool(access.reached and answer.paths and is_end)

    return Kept(
        asked=_asked(query),
        versions=_versions(answer.sources),
        verdict=answer.verdict,
        root=answer.root.name,
        target=answer.target.name,
        reached=_forms(access for access in answer.accesses if is_reached(access)),
        not_reached=_forms(access for access in answer.accesses if not is_reached(access)),
        paths=[KeptPath(path.certainty, [hop.function for hop in path.hops]) for path in answer.paths],
        chokepoints=answer.chokepoints,
        leads=_sorted(leads),
        more_leads=answer.lead_count - len(answer.leads),
    )


def kept_error(query: StoredQuery, sources: Iterable[Source], error: DeepgrepError) -> Kept:
    """What is kept of a query that could not be answered."""
    return Kept(asked=_asked(query), versions=_versions(sources), error=str(error))


def access_form(access: AccessRef) -> str:
    """How an access is told from others in the same function: its form, whether it restores, whether it is sure."""
    remarks = [access.form, *(["restore"] if access.restore else []), *([] if access.is_sure else [PERHAPS])]
    return ", ".join(remarks)


PERHAPS = "perhaps"
"""Ends the form of an access that may be one of another state."""


def load_baseline(path: Path) -> Baseline:
    """Read a baseline.

    Raises:
        DeepgrepError: it is not there, cannot be read, or is none.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise DeepgrepError(f"there is no baseline {path}: --update-baseline writes it") from None
    except OSError as error:
        raise DeepgrepError(f"cannot read {path}: {error.strerror}") from error
    try:
        # First what it is: another version need not have the same fields.
        if (schema := msgspec.json.decode(data, type=_Document).schema) != _SCHEMA:
            what = f"is a {schema!r}" if schema else "names no schema"
            raise DeepgrepError(f"{path} {what}, not a {_SCHEMA!r}: {_ADVICE}")
        return msgspec.json.decode(data, type=Baseline)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        said = str(error).replace("`", "")
        raise DeepgrepError(f"{path} is no baseline ({said}): {_ADVICE}") from None


def encode_baseline(baseline: Baseline) -> bytes:
    """Write a baseline: by name, one value in a line, so that two of them can be compared line by line."""
    ordered = structs.replace(baseline, queries=dict(sorted(baseline.queries.items())))
    return msgspec.json.format(msgspec.json.encode(ordered), indent=2) + b"\n"


def _asked(query: StoredQuery) -> Asked:
    given = msgspec.to_builtins(query.filters)
    default = msgspec.to_builtins(NO_FILTERS)
    filters = {name: value for name, value in given.items() if value != default[name]}
    return Asked(
        query.root, query.target, query.access, msgspec.convert(filters, dict[str, str | int | bool | list[str]])
    )


def _versions(sources: Iterable[Source]) -> list[str]:
    """Name, version and commit of what was analyzed."""
    named = ((f"{source.name} {source.version}".strip(), source.commit) for source in sources)
    return [f"{name}, commit {commit}" if commit else name for name, commit in named]


def _forms(accesses: Iterable[AccessRef]) -> dict[str, list[str]]:
    forms: dict[str, list[str]] = {}
    for access in accesses:
        forms.setdefault(access.function, []).append(access_form(access))
    return _sorted(forms)


def _sorted(lists: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: sorted(set(values)) for name, values in sorted(lists.items())}
