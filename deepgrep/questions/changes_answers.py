"""What `diff` answers without a question: the state that changed between two versions, and who changes it."""

from __future__ import annotations

from typing import Literal

import msgspec

from deepgrep.graph.rows import Source
from deepgrep.questions.diff_answers import Change


class StateRef(msgspec.Struct, frozen=True):
    """A state in one version.

    Attributes:
        writers: how many functions write it once it is defined.
        reason: what its scope rests on, where its kind does not say it.
    """

    name: str
    kind: str
    scope: str
    writers: int
    reason: str = ""


class StateDiff(msgspec.Struct, frozen=True, kw_only=True):
    """A state that is new or gone, or something of which changed.

    Attributes:
        change: `changed` for one that both have.
        package: the one that it is part of.
        before, after: null where it is not there; of one that has another name now, they differ in that too.
        what: of one that both have, what changed: `name`, `kind`, `scope`, `writers`, `functions`.
        writers_new, writers_gone: the functions that write it once it is defined in one version only.
        functions_new, functions_gone: the public functions of both versions that change it by certain calls alone in
            one version only.
    """

    change: Change
    package: str
    before: StateRef | None
    after: StateRef | None
    what: list[str]
    writers_new: list[str]
    writers_gone: list[str]
    functions_new: list[str]
    functions_gone: list[str]


class PackageChanges(msgspec.Struct, frozen=True):
    """How many states of a package changed.

    Attributes:
        new, gone: how many states are new, and gone.
        moved: how many have another name now.
        kind_or_scope: of how many the kind or the scope changed.
        writers: of how many that both have the writers changed.
        functions: of how many that both have other public functions change them.
        public_functions: how many public functions of both versions change any of these in one version only.
    """

    package: str
    new: int
    gone: int
    moved: int
    kind_or_scope: int
    writers: int
    functions: int
    public_functions: int


class ChangesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `diff` without a question (`deepgrep-changes/1`).

    Attributes:
        same: whether no state, and nobody who changes one, is another.
        states_before, states_after: how many mutable shared states there are.
        public_functions: how many public functions both versions have, whose effects were compared.
        changed_functions: those of them that change other states by certain calls alone, with how many states.
        packages: the changes by package: those first of which the most states changed their kind or scope, and then
            those that concern the most public functions.
        states: every state that changed, by package in that order, and of a package the most important first: what
            changed its kind or scope, then what the most public functions begin or cease to change, then by name.
        notes: what the answer rests on.
    """

    schema: Literal["deepgrep-changes/1"] = "deepgrep-changes/1"
    same: bool
    before: list[Source]
    after: list[Source]
    states_before: int
    states_after: int
    public_functions: int
    changed_functions: dict[str, int]
    packages: list[PackageChanges]
    states: list[StateDiff]
    notes: list[str]
