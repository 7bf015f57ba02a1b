"""Methods of containers that are states outside the analyzed sources: `os.environ.update(...)`, `sys.path.append(x)`.

The state's model says which container class it `holds`; what a method changes, the model of the class's method says.
"""

from __future__ import annotations

from deepgrep.linking.evaluation import Evaluation
from deepgrep.linking.invocation import Arguments
from deepgrep.linking.mappings import is_mapping
from deepgrep.linking.states import read_external, read_external_item, write_external, write_external_item
from deepgrep.linking.values import NOTHING, Container, Text, Value, Values

_FORM = "mutating call"
_BY_KEY = frozenset({"__contains__", "__delitem__", "__getitem__", "__setitem__", "get", "pop", "setdefault"})
_BY_KEYS = frozenset({"__ior__", "update"})


def call_state_method(ev: Evaluation, name: str, arguments: Arguments) -> None:
    """Note what a call of a function outside changes or looks at, if it is a method of a container that is a state.

    Args:
        ev: the evaluation in which the call happens.
        name: of the method: `sys.path.append`.
        arguments: what is passed.
    """
    owner, _, method = name.rpartition(".")
    state = ev.solver.models.state(owner)
    if ev.recorder is None or state is None or not state.holds or ev.solver.model(name) is not None:
        return
    model = ev.solver.model(f"{state.holds}.{method}")
    if model is None:
        return
    op = ev.operation
    if state.holds != "dict":
        if model.mutates:
            write_external(ev, op, owner, _FORM, None)
        elif model.inspects:
            read_external(ev, op, owner)
        return
    keys = NOTHING
    if method in _BY_KEY and arguments.positional:
        keys = arguments.positional[0]
    elif method in _BY_KEYS:
        keys = keys_of(ev, arguments)
    if model.mutates:
        write_external_item(ev, op, owner, keys, _FORM, None)
    elif model.inspects:
        read_external_item(ev, op, owner, keys)


def keys_of(ev: Evaluation, arguments: Arguments) -> Values:
    """Return the keys that a mapping gets by `update`; one that is no constant stands for those that are not known."""
    interner = ev.solver.interner
    keys: set[Value] = {interner.text(name) for name in arguments.keywords}
    is_known = not arguments.double_star
    for other in arguments.positional[0] if arguments.positional else NOTHING:
        held = ev.read(other.key) if isinstance(other, Container) and is_mapping(ev, other) else NOTHING
        keys |= {key for key in held if isinstance(key, Text)}
        is_known = is_known and bool(held)
    if not keys or not is_known:
        keys.add(interner.container("str", "some"))
    return frozenset(keys)
