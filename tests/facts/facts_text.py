"""Facts as text: what tests compare.

An operation is written with its operands inside, much like the code it was made from: `x = f(1)`. Operations that
are operands of another are shown only there, and a name or constant whose value is not used is not shown. A name that
was just bound is shown as the name.
"""

from __future__ import annotations

from textwrap import dedent

from deepgrep.facts import ModuleFacts, extract
from deepgrep.facts import operations as op
from deepgrep.facts.model import Unit
from deepgrep.facts.operations import NOTHING, AnyOperation, operands


def facts_of(source: str) -> ModuleFacts:
    return extract(dedent(source).encode())


def unit_of(facts: ModuleFacts, qualname: str) -> Unit:
    (found,) = [unit for unit in facts.units if unit.qualname == qualname]
    return found


def body(source: str, qualname: str = "<module>") -> list[str]:
    """Return the operations of a unit as text."""
    return [text for _, text in _shown(source, qualname)]


def lines(source: str, qualname: str = "<module>") -> list[tuple[int, str]]:
    """Return (line, operation) of a unit."""
    return [(operation.line, text) for operation, text in _shown(source, qualname)]


def conditions(source: str, qualname: str = "<module>") -> dict[str, list[str]]:
    """Return what each call of a global function in a unit stands under, the outermost first, as `kind: text`."""
    facts = facts_of(source)
    unit = unit_of(facts, qualname)
    found = {}
    for operation in unit.operations:
        if isinstance(operation, op.Call):
            function = unit.operations[operation.func]
            if isinstance(function, op.Global):
                found[function.name] = guards_of(facts, operation)
    return found


def guards_of(facts: ModuleFacts, operation: AnyOperation) -> list[str]:
    stack = []
    index = operation.guard
    while index >= 0:
        guard = facts.guards[index]
        stack.append(f"{guard.kind}: {guard.text}")
        index = guard.parent
    return stack[::-1]


def _shown(source: str, qualname: str) -> list[tuple[AnyOperation, str]]:
    facts = facts_of(source)
    unit = unit_of(facts, qualname)
    used = {operand for operation in unit.operations for operand in operands(operation)}
    return [
        (operation, text_of(facts, unit, operation))
        for index, operation in enumerate(unit.operations)
        if isinstance(operation, op.Assign | op.SetGlobal)
        or (index not in used and not isinstance(operation, op.Global | op.ClassName | op.Constant))
    ]


def text_of(facts: ModuleFacts, unit: Unit, operation: AnyOperation) -> str:
    def show(operand: int) -> str:
        if operand == NOTHING:
            return "_"
        if operand < 0:
            return unit.variables[~operand].name
        if isinstance(bound := unit.operations[operand], op.Assign):
            return unit.variables[~bound.variable].name
        if isinstance(bound, op.SetGlobal):
            return bound.name
        return text_of(facts, unit, unit.operations[operand])

    def listed(values: tuple[int, ...]) -> list[str]:
        return [show(value) for value in values]

    match operation:
        case op.Constant():
            return repr(operation.value)
        case op.Global():
            return operation.name
        case op.ClassName():
            return f"<{facts.classes[operation.cls].qualname}>.{operation.name}"
        case op.Attribute():
            return f"{show(operation.base)}.{operation.name}"
        case op.Subscript():
            return f"{show(operation.base)}[{show(operation.index)}]"
        case op.Call():
            arguments = [
                *listed(operation.args),
                *(f"*{value}" for value in listed(operation.star)),
                *(f"{name}={show(value)}" for name, value in operation.keywords),
                *(f"**{value}" for value in listed(operation.double_star)),
            ]
            return f"{'@' if operation.decorator else ''}{show(operation.func)}({', '.join(arguments)})"
        case op.Function():
            parameters = facts.units[operation.unit].parameters
            names = {-1: "return", **dict(enumerate(p.name for p in parameters))}
            parts = [f"{names[i]}={show(value)}" for i, value in operation.defaults]
            parts += [f"{names[i]}: {show(value)}" for i, value in operation.annotations]
            return f"def {facts.units[operation.unit].qualname}({', '.join(parts)})"
        case op.Class():
            parts = [*listed(operation.bases), *(f"{name}={show(value)}" for name, value in operation.keywords)]
            return f"class {facts.classes[operation.cls].qualname}({', '.join(parts)})"
        case op.Collection():
            elements = listed(operation.elements)
            if operation.keys:
                elements = [f"{k}: {v}" for k, v in zip(listed(operation.keys), elements, strict=True)]
            elements += [f"**{value}" for value in listed(operation.merged)]
            return f"{operation.kind}{'' if operation.positional else '?'}[{', '.join(elements)}]"
        case op.Join():
            return f"({' | '.join(listed(operation.values))})"
        case op.Operator():
            return f"{operation.name}({show(operation.left)}, {show(operation.right)})"
        case op.Iterate():
            return f"{'async ' if operation.is_async else ''}each({show(operation.base)})"
        case op.Unpack():
            return f"{show(operation.base)}#{operation.index}"
        case op.Truth():
            return f"bool({show(operation.base)})"
        case op.Format():
            return f"format({show(operation.base)})"
        case op.Await():
            return f"await {show(operation.base)}"
        case op.Yield():
            return f"yield {show(operation.value)}"
        case op.With():
            return f"{'async ' if operation.is_async else ''}with {show(operation.context)}"
        case op.Import():
            return f"import {operation.module}{' (renamed)' if operation.renamed else ''}"
        case op.ImportFrom():
            return f"from {'.' * operation.level}{operation.module} import {operation.name}"
        case op.InstanceOf():
            return f"a({show(operation.cls)})"
        case op.Narrow():
            word = {"isinstance": "as", "type": "as just", "predicate": "that"}[operation.test]
            return f"{show(operation.value)} {'' if operation.holds else 'not '}{word} {show(operation.types)}"
        case op.Assign():
            return f"{operation.form}: {show(operation.variable)} = {show(operation.value)}"
        case op.SetGlobal():
            return f"{operation.form}: global {operation.name} = {show(operation.value)}"
        case op.SetClassName():
            owner = facts.classes[operation.cls].qualname
            return f"{operation.form}: <{owner}>.{operation.name} = {show(operation.value)}"
        case op.SetAttribute():
            return f"{operation.form}: {show(operation.base)}.{operation.name} = {show(operation.value)}"
        case op.SetSubscript():
            target = f"{show(operation.base)}[{show(operation.index)}]"
            return f"{operation.form}: {target} = {show(operation.value)}"
        case op.DeleteGlobal():
            return f"del global {operation.name}"
        case op.DeleteAttribute():
            return f"del {show(operation.base)}.{operation.name}"
        case op.DeleteSubscript():
            return f"del {show(operation.base)}[{show(operation.index)}]"
        case op.Return():
            return f"return {show(operation.value)}"
        case op.Raise():
            return f"raise {show(operation.value)}"
    raise AssertionError(operation)
