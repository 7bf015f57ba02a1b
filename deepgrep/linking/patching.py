"""`unittest.mock.patch` and its kin: a patch writes an attribute, or items of a mapping.

The write is counted where the patch is made, not where it is entered; what the patch itself is, its model says.
"""

from __future__ import annotations

from deepgrep.linking.attributes import attribute
from deepgrep.linking.dotted import longest_module
from deepgrep.linking.evaluation import Evaluation, union
from deepgrep.linking.invocation import Arguments, constant_text
from deepgrep.linking.outside_containers import keys_of
from deepgrep.linking.setting import set_attribute
from deepgrep.linking.states import write_contents, write_external_item
from deepgrep.linking.values import NOTHING, Container, External, Values

_FORM = "call"
# Parameters of `patch.multiple` that are no attributes.
_OPTIONS = frozenset({"spec", "create", "spec_set", "autospec", "new_callable"})


def patch(ev: Evaluation, name: str, arguments: Arguments) -> None:
    """Note what a call of `unittest.mock.{name}` replaces."""
    target = _argument(arguments, 0, "in_dict" if name == "patch.dict" else "target")
    match name:
        case "patch":
            owner, _, last = (constant_text(target) or "").rpartition(".")
            _set(ev, _named(ev, owner), last, _argument(arguments, 1, "new"))
        case "patch.object":
            attribute_name = constant_text(_argument(arguments, 1, "attribute"))
            _set(ev, _resolved(ev, target), attribute_name or "*", _argument(arguments, 2, "new"))
        case "patch.multiple":
            owners = _resolved(ev, target)
            for keyword, values in arguments.keywords.items():
                if keyword not in _OPTIONS and keyword != "target":
                    _set(ev, owners, keyword, values)
        case _:
            _patch_dict(ev, _resolved(ev, target), arguments)


def _argument(arguments: Arguments, index: int, name: str) -> Values:
    return arguments.keywords[name] if name in arguments.keywords else arguments.at(index)


def _set(ev: Evaluation, owners: Values, name: str, values: Values) -> None:
    for owner in owners:
        set_attribute(ev, ev.operation, owner, name, values, _FORM, None)


def _resolved(ev: Evaluation, target: Values) -> Values:
    """Return what a target is: an object, or one that a text names."""
    text = constant_text(target)
    return target if text is None else _named(ev, text)


def _named(ev: Evaluation, dotted: str) -> Values:
    """Return what a dotted name is: the longest module that it begins with, then attributes."""
    interner = ev.solver.interner
    module, names = longest_module(ev, dotted)
    if module is None:
        return ev.one(interner.external(dotted)) if dotted else NOTHING
    values = ev.one(interner.module(module))
    for name in names:
        values = union([attribute(ev, ev.operation, value, name) for value in values])
    return values


def _patch_dict(ev: Evaluation, targets: Values, arguments: Arguments) -> None:
    others = _argument(arguments, 1, "values")
    named = {k: v for k, v in arguments.keywords.items() if k not in ("in_dict", "values", "clear")}
    for target in targets:
        if isinstance(target, External):
            keys = keys_of(ev, Arguments((others,), named, NOTHING, arguments.double_star))
            write_external_item(ev, ev.operation, target.name, keys, _FORM, None)
        elif isinstance(target, Container):
            write_contents(ev, ev.operation, target, _FORM, None)
            for name, values in named.items():
                ev.solver.add(ev.solver.item(target, name), values)
