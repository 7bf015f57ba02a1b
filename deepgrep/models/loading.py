"""Reads the TOML files of this package into one set of models."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from deepgrep.errors import DeepgrepError
from deepgrep.models.entries import ClassEntry, FunctionEntry, RelayEntry, StateEntry
from deepgrep.models.model import ClassModel, FunctionModel, Instance, RelayModel, StateModel
from deepgrep.models.reading import Unreadable

T = TypeVar("T", FunctionModel, ClassModel, StateModel, RelayModel)

ENTRY_TYPES: dict[str, type[FunctionEntry | ClassEntry | StateEntry | RelayEntry]] = {
    "function": FunctionEntry,
    "class": ClassEntry,
    "state": StateEntry,
    "relay": RelayEntry,
}


class Models:
    """All models, by dotted name. A builtin's name may be given with or without `builtins.`.

    Attributes:
        modules: the names of the modules that have what some model describes.
        entering: the names of the classes with a method that leads to a relay.
        made: the names of the classes of which some function gives an instance.
    """

    def __init__(
        self,
        functions: dict[str, FunctionModel],
        classes: dict[str, ClassModel],
        states: dict[str, StateModel],
        relays: dict[str, RelayModel],
    ) -> None:
        self.functions = functions
        self.classes = classes
        self.states = states
        self.relays = relays
        owners = {name.rpartition(".")[0] for name in (*functions, *classes)}
        known = {*functions, *classes, *states}
        self.modules = frozenset(name for name in owners - known if name.islower())
        entering = {name.rpartition(".")[0] for name, model in functions.items() if model.enters}
        self.entering = frozenset(n for n, c in classes.items() if n in entering or not entering.isdisjoint(c.bases))
        returned = [value for model in functions.values() for value in model.returns or ()]
        self.made = frozenset(value.class_name for value in returned if isinstance(value, Instance))

    def function(self, name: str) -> FunctionModel | None:
        """Gives the model of a function, of a class's construction, or of a method by its full name.

        A method that the named class does not have itself is looked for in the bases that its model names. A model
        named `math.*` stands for every function of `math` that has none of its own.
        """
        name = name.removeprefix("builtins.")
        if name in self.functions:
            return self.functions[name]
        owner, _, last = name.rpartition(".")
        if owner in self.classes:
            for base in self.classes[owner].bases:
                if found := self.function(f"{base}.{last}"):
                    return found
        return self.functions.get(f"{owner}.*")

    def method(self, class_name: str, name: str) -> FunctionModel | None:
        """Gives the model of a method of a class or of its bases: `method("collections.OrderedDict", "pop")`."""
        return self.function(f"{class_name}.{name}")

    def class_(self, name: str) -> ClassModel | None:
        """Gives the model of a class."""
        return self.classes.get(name.removeprefix("builtins."))

    def state(self, name: str) -> StateModel | None:
        """Gives the model of a state; for a part (`os.environ[HOME]`) without its own, that of the whole."""
        return self.states.get(name) or self.states.get(name.partition("[")[0])


@cache
def load(folder: Path = Path(__file__).parent) -> Models:
    """Reads all models of a folder; by default those that ship with deepgrep.

    Args:
        folder: holds the TOML files.

    Returns:
        The models; the same object every time.

    Raises:
        DeepgrepError: an entry is malformed, or its name is taken; names the file and the entry.
    """
    functions: dict[str, FunctionModel] = {}
    classes: dict[str, ClassModel] = {}
    states: dict[str, StateModel] = {}
    relays: dict[str, RelayModel] = {}
    for path in sorted(folder.glob("*.toml")):
        for model in _file_models(path):
            match model:
                case FunctionModel():
                    _add(functions, model, path)
                case ClassModel():
                    _add(classes, model, path)
                case StateModel():
                    _add(states, model, path)
                case RelayModel():
                    _add(relays, model, path)
    for name, class_model in classes.items():
        functions[name] = _constructor(functions.get(name), class_model)
    _check_relays(functions, relays)
    return Models(functions, classes, states, relays)


def _check_relays(functions: dict[str, FunctionModel], relays: dict[str, RelayModel]) -> None:
    named = {name: model.name for model in functions.values() for name in model.enters}
    named |= {registered.relay: model.name for model in functions.values() for registered in model.registers}
    named |= {name: model.name for model in relays.values() for name in model.enters}
    for name, user in named.items():
        if name not in relays:
            raise DeepgrepError(f"models: {user}: there is no relay {name}; add a [[relay]] of this name")


def _constructor(model: FunctionModel | None, class_model: ClassModel) -> FunctionModel:
    """What constructing a class does: what its entry says, and where that leaves it open, it gives an instance."""
    model = model or FunctionModel(class_model.name, class_model.evidence)
    if model.returns is None:
        return msgspec.structs.replace(model, returns=(Instance(class_model.name),))
    return model


def _file_models(path: Path) -> list[FunctionModel | ClassModel | StateModel | RelayModel]:
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise DeepgrepError(f"{path.name}: not valid TOML: {error}; correct the file") from error
    models: list[FunctionModel | ClassModel | StateModel | RelayModel] = []
    for kind, entries in tables.items():
        if kind not in ENTRY_TYPES:
            raise DeepgrepError(f"{path.name}: unknown table [[{kind}]]; use one of: {', '.join(ENTRY_TYPES)}")
        if not isinstance(entries, list):
            raise DeepgrepError(f"{path.name}: `{kind}` is not a list of tables; write [[{kind}]]")
        for entry in entries:
            models += _entry_models(path, kind, entry)
    return models


def _entry_models(path: Path, kind: str, entry: dict[str, Any]) -> list[Any]:
    try:
        decoded = msgspec.convert(entry, ENTRY_TYPES[kind])
        if not decoded.evidence.strip():
            raise Unreadable("`evidence` is empty")
        if not decoded.names:
            raise Unreadable("`names` is empty")
        return list(decoded.models())
    except (msgspec.ValidationError, Unreadable) as error:
        names = entry.get("names", "without names")
        raise DeepgrepError(f"{path.name}, [[{kind}]] {names}: {error}; correct the entry") from error


def _add(models: dict[str, T], model: T, path: Path) -> None:
    if model.name in models:
        raise DeepgrepError(f"{path.name}: a second model of {model.name}; keep one of them")
    models[model.name] = model
