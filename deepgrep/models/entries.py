"""One entry of a TOML file: its fields as written, and the models that it stands for."""

from __future__ import annotations

import msgspec

from deepgrep.models.model import (
    CallVia,
    ClassModel,
    FunctionModel,
    Registered,
    RelayModel,
    StateKind,
    StateModel,
    StateScope,
    StateUse,
)
from deepgrep.models.reading import Signature, Unreadable, method_call, on_result


class FunctionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[[function]]`: functions, methods or constructors that do the same (`README.md` describes each field)."""

    names: list[str]
    evidence: str
    of: str = ""
    signature: str = ""
    writes: list[str] = []
    reads: list[str] = []
    mutates: list[str] = []
    inspects: list[str] = []
    restore: bool = False
    property: bool = False
    enters: list[str] = []
    registers: dict[str, list[str]] = {}
    iterates: list[str] = []
    hashes: list[str] = []
    calls: list[str] = []
    via: CallVia = "callback"
    stores: list[str] = []
    returns: list[str] | None = None

    def models(self) -> list[FunctionModel]:
        """Gives a model for each name.

        Raises:
            Unreadable: a text is not in the model language.
        """
        signature = Signature(self.signature)
        model = FunctionModel(
            name="",
            evidence=self.evidence,
            method=signature.method,
            writes=tuple(map(signature.state, self.writes)),
            reads=tuple(map(signature.state, self.reads)),
            mutates=tuple(map(signature.value, self.mutates)),
            inspects=tuple(map(signature.value, self.inspects)),
            restore=self.restore,
            is_property=self.property,
            enters=tuple(self.enters),
            registers=tuple(
                Registered(relay, signature.call(text, "native"))
                for relay, texts in self.registers.items()
                for text in texts
            ),
            iterates=tuple(map(signature.value, self.iterates)),
            hashes=tuple(map(signature.value, self.hashes)),
            calls=tuple(signature.call(text, self.via) for text in self.calls),
            stores=tuple(map(signature.store, self.stores)),
            returns=None if self.returns is None else tuple(map(signature.value, self.returns)),
        )
        return [msgspec.structs.replace(model, name=name) for name in _full(self.of, self.names)]


class ClassEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[[class]]`: classes of one kind."""

    names: list[str]
    evidence: str
    of: str = ""
    bases: list[str] = []
    state_kind: StateKind | None = None
    state_scope: StateScope = ""

    def models(self) -> list[ClassModel]:
        """Gives a model for each name; one that is a base of the others is none of its own."""
        return [
            ClassModel(
                name,
                self.evidence,
                tuple(base for base in self.bases if base != name),
                self.state_kind or "",
                self.state_scope,
            )
            for name in _full(self.of, self.names)
        ]


class RelayEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[[relay]]`: native code that many functions lead to, and that calls back."""

    names: list[str]
    file: str
    evidence: str
    methods: list[str] = []
    bases: list[str] = []
    calls: dict[str, list[str]] = {}
    needs: str = ""
    enters: list[str] = []
    results: dict[str, list[str]] = {}
    elsewhere: bool = False
    of_native: bool = False
    instead: str = ""

    def models(self) -> list[RelayModel]:
        """Gives a model for each name.

        Raises:
            Unreadable: a name is not that of a relay.
        """
        if wrong := [name for name in self.names if not (".<" in name and name.endswith(">"))]:
            raise Unreadable(f"`{wrong[0]}` is not the name of a relay; write `m.<what it does>`")
        calls = tuple((owner, name) for owner, names in self.calls.items() for name in names)
        model = RelayModel(
            "",
            self.file,
            self.evidence,
            tuple(map(method_call, self.methods)),
            tuple(self.bases),
            calls,
            self.needs,
            tuple(self.enters),
            tuple(on_result(method, text) for method, texts in self.results.items() for text in texts),
            self.elsewhere,
            self.of_native,
            self.instead,
        )
        return [msgspec.structs.replace(model, name=name) for name in self.names]


class StateEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[[state]]`: states of one kind, and the functions that do nothing but set, put back or get them."""

    names: list[str]
    kind: StateKind
    evidence: str
    of: str = ""
    scope: StateScope = ""
    holds: str = ""
    called: bool = False
    written_by: list[str] = []
    restored_by: list[str] = []
    read_by: list[str] = []

    def models(self) -> list[StateModel | FunctionModel]:
        """Gives a model for each state, and for each function named."""
        states = _full(self.of, self.names)
        uses = tuple(StateUse(name) for name in states)
        evidence = self.evidence
        return [
            *(StateModel(name, self.kind, self.scope, evidence, self.holds, self.called) for name in states),
            *(FunctionModel(name, evidence, writes=uses, returns=()) for name in _full(self.of, self.written_by)),
            *(
                FunctionModel(n, evidence, writes=uses, restore=True, returns=())
                for n in _full(self.of, self.restored_by)
            ),
            *(FunctionModel(name, evidence, reads=uses, returns=()) for name in _full(self.of, self.read_by)),
        ]


def _full(of: str, names: list[str]) -> list[str]:
    return [f"{of}.{name}" for name in names] if of else names
