"""SARIF 2.1.0, as far as it is written here: its objects, by the names that its schema gives them.

The standard describes each of them. Of the libraries for it, sarif-om was last released in 2019, and sarif-pydantic
brings pydantic, which takes longer to import than anything else here.
"""
# ruff: noqa: D101

from __future__ import annotations

from typing import Literal

import msgspec

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

Level = Literal["error", "warning", "note"]
BaselineState = Literal["new", "unchanged", "updated", "absent"]


class _Object(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """What all objects have in common: what says nothing is left out."""


class Message(_Object, frozen=True):
    text: str


class ArtifactLocation(_Object, frozen=True):
    uri: str
    uri_base_id: str


class Region(_Object, frozen=True):
    start_line: int


class PhysicalLocation(_Object, frozen=True):
    artifact_location: ArtifactLocation
    region: Region


class LogicalLocation(_Object, frozen=True):
    fully_qualified_name: str
    kind: str


class Location(_Object, frozen=True):
    physical_location: PhysicalLocation
    logical_locations: list[LogicalLocation] = []
    message: Message | None = None


class ThreadFlowLocation(_Object, frozen=True):
    location: Location


class ThreadFlow(_Object, frozen=True):
    locations: list[ThreadFlowLocation]


class CodeFlow(_Object, frozen=True):
    thread_flows: list[ThreadFlow]


class Result(_Object, frozen=True):
    rule_id: str
    rule_index: int
    level: Level
    message: Message
    locations: list[Location]
    partial_fingerprints: dict[str, str]
    baseline_state: BaselineState | None = None
    code_flows: list[CodeFlow] = []


class Rule(_Object, frozen=True):
    id: str
    short_description: Message
    full_description: Message
    help: Message
    help_uri: str = ""


class Driver(_Object, frozen=True):
    name: str
    semantic_version: str
    rules: list[Rule]


class Tool(_Object, frozen=True):
    driver: Driver


class Notification(_Object, frozen=True):
    level: Level
    message: Message


class Invocation(_Object, frozen=True):
    execution_successful: bool
    tool_execution_notifications: list[Notification] = []


class UriBase(_Object, frozen=True):
    description: Message


class MappedTo(_Object, frozen=True):
    uri_base_id: str


class VersionControl(_Object, frozen=True):
    repository_uri: str
    revision_id: str
    mapped_to: MappedTo


class Run(_Object, frozen=True):
    tool: Tool
    invocations: list[Invocation]
    original_uri_base_ids: dict[str, UriBase]
    version_control_provenance: list[VersionControl] = []
    results: list[Result] | None = None


class Log(msgspec.Struct, frozen=True, kw_only=True):
    schema: str = msgspec.field(default=SCHEMA, name="$schema")
    version: str = "2.1.0"
    runs: list[Run]
