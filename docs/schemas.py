"""The JSON Schemas of every JSON output, made from the types that the answers are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import docstring_parser
import msgspec
from msgspec import UNSET, structs

from deepgrep.questions.answers import AccessesAnswer, NeighboursAnswer, ReachAnswer
from deepgrep.questions.at_hand import SourcesAnswer
from deepgrep.questions.baseline import Baseline
from deepgrep.questions.bisect import BisectAnswer
from deepgrep.questions.changes_answers import ChangesAnswer
from deepgrep.questions.checking import CheckAnswer
from deepgrep.questions.diff_answers import DiffAnswer
from deepgrep.questions.effects import EffectsAnswer
from deepgrep.questions.export import ExportedGraph
from deepgrep.questions.grep import GrepAnswer
from deepgrep.questions.race_answers import RaceAnswer
from deepgrep.questions.states import StatesAnswer
from deepgrep.questions.stored_answers import QueriesAnswer, RunAnswer
from deepgrep.questions.sweep import SweepAnswer

_DOCUMENTS = (
    AccessesAnswer,
    Baseline,
    BisectAnswer,
    ChangesAnswer,
    CheckAnswer,
    DiffAnswer,
    EffectsAnswer,
    ExportedGraph,
    GrepAnswer,
    NeighboursAnswer,
    QueriesAnswer,
    RaceAnswer,
    ReachAnswer,
    RunAnswer,
    SourcesAnswer,
    StatesAnswer,
    SweepAnswer,
)
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_DEFINITION = "#/$defs/{name}"


def schemas() -> dict[str, bytes]:
    """The schema of each format, by the name of its file: `deepgrep-reach-1.json`."""
    made = {}
    for document in _DOCUMENTS:
        for name in _names(document):
            made[f"{name.replace('/', '-')}.json"] = json.dumps(_schema(document, name), indent=2).encode() + b"\n"
    return made


def _names(document: type[msgspec.Struct]) -> Iterator[str]:
    """The formats that a type is written as: the literals of its field `schema`, or its default."""
    (field,) = (field for field in msgspec.inspect.type_info(document).fields if field.name == "schema")
    yield from field.type.values if isinstance(field.type, msgspec.inspect.LiteralType) else (field.default,)


def _schema(document: type[msgspec.Struct], name: str) -> dict[str, Any]:
    _, definitions = msgspec.json.schema_components([document], ref_template=_DEFINITION)
    for struct in _structs(document):
        _complete(definitions[struct.__name__], struct)
    whole = definitions.pop(document.__name__)
    whole["properties"]["schema"] = {"const": name}
    return {"$schema": _DIALECT, "$id": f"urn:deepgrep:{name}", **whole, "$defs": definitions}


def _complete(definition: dict[str, Any], struct: type) -> None:
    """Say of a type what its docstring says of each field, and that what is always written is required."""
    said = docstring_parser.parse(struct.__doc__ or "", docstring_parser.DocstringStyle.GOOGLE)
    definition["description"] = " ".join((said.description or "").split())
    for parameter in said.params:
        for field in parameter.arg_name.split(", "):
            definition["properties"][field]["description"] = " ".join((parameter.description or "").split())
    for written in definition["properties"].values():
        written.pop("default", None)  # of the constructor: nothing is left out of the JSON for being the default
    if issubclass(struct, msgspec.Struct):
        definition["required"] = [
            field.encode_name
            for field in structs.fields(struct)
            if field.required or (field.default is not UNSET and not struct.__struct_config__.omit_defaults)
        ]
    else:
        definition["required"] = list(definition["properties"])


def _structs(struct: type[msgspec.Struct]) -> Iterator[type]:
    """A type and every type that its fields hold: structs and dataclasses."""
    waiting: list[Any] = [msgspec.inspect.type_info(struct)]
    seen: set[type] = set()
    while waiting:
        info = waiting.pop()
        if isinstance(info, msgspec.inspect.StructType | msgspec.inspect.DataclassType) and info.cls not in seen:
            seen.add(info.cls)
            yield info.cls
            waiting += [field.type for field in info.fields]
        for part in ("item_type", "key_type", "value_type"):
            if hasattr(info, part):
                waiting.append(getattr(info, part))
        waiting += getattr(info, "types", ())
        waiting += getattr(info, "item_types", ())
