"""Names of the forms and containers that annotations are made of."""

from __future__ import annotations

EITHER = frozenset({"Optional", "Union", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly"})
TYPE = frozenset({"type", "Type"})
MAPPINGS = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict", "DefaultDict"})
ELEMENTS = frozenset(
    {"list", "List", "Sequence", "MutableSequence", "Iterable", "Iterator", "Collection", "set", "Set", "frozenset",
     "FrozenSet", "AbstractSet", "deque", "Deque", "Generator", "tuple", "Tuple", "KeysView", "ValuesView"}
)  # fmt: skip
PROTOCOLS = frozenset({"typing.Protocol", "typing_extensions.Protocol"})
# Types whose objects are just what they say: an object of another class can be an `Iterable`, but is no `list`.
CONCRETE = frozenset(
    {"list", "List", "set", "Set", "frozenset", "FrozenSet", "tuple", "Tuple", "dict", "Dict", "OrderedDict",
     "defaultdict", "DefaultDict", "deque", "Deque"}
)  # fmt: skip
