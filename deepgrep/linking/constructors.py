"""Constructors that run for one class each: what they keep in attributes belongs to that class, not to its bases.

`super().__init__(callback=None)` in one subclass and `super().__init__(callback)` in another make objects of which one
never calls anything back. So the constructor of a base is told apart by the class that it runs for (contexts.py), and
assigns to that one's attributes. (A heap context by the type of the receiver, as in Smaragdakis, Bravenboer and
Lhotak, "Pick your contexts well", 2011.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deepgrep.facts.operations import AnyOperation, Assign, Attribute, Call, Return
from deepgrep.linking.blindspots import last_name
from deepgrep.linking.values import NOTHING, Context, Values

if TYPE_CHECKING:
    from deepgrep.linking.evaluation import Evaluation
    from deepgrep.linking.program import Frame, UnitInfo
    from deepgrep.linking.solver import Solver


def is_constructor(unit: UnitInfo) -> bool:
    """Whether a function is the `__init__` of a class."""
    return unit.cls is not None and unit.binding == "instance" and unit.facts.qualname.endswith(".__init__")


def is_for_class(unit: UnitInfo, context: Context) -> bool:
    """Whether a context is of a constructor that runs for one class."""
    return context[:1] != () and context[0][0] == 0 and is_constructor(unit)


class Constructors:
    """Knows which constructors are called for no class in particular, and what parameters are declared to hold."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._called: dict[Frame, None] = {}
        # Assignments that mean nothing until their constructor is called for no class in particular.
        self._waiting: dict[Frame, set[int]] = {}

    def declare(self, frame: Frame, parameter: int, values: Values, *, is_type: bool) -> None:
        """Know what a parameter of any function holds by its default, or by its type, however much it holds already."""
        frame.declared = {**frame.declared, parameter: frame.declared.get(parameter, NOTHING) | values}
        put = self._solver.state if is_type else self._solver.add
        put(frame.cell(parameter + 1), values)
        for clone, _ in frame.clones:
            self._declare(clone, parameter, values)

    def make(self, clone: Frame, base: Frame) -> None:
        """Let a new clone for a class know what the parameters that nothing is passed for hold."""
        for parameter, values in base.declared.items():
            self._declare(clone, parameter, values)

    def _declare(self, clone: Frame, parameter: int, values: Values) -> None:
        if is_for_class(clone.unit, clone.context) and all(index != parameter for index, _ in clone.context):
            self._solver.state(clone.cell(parameter + 1), values)

    def call(self, frame: Frame) -> None:
        """Know that a constructor is called for no class in particular."""
        if frame not in self._called:
            self._called[frame] = None
            frame.pending.update(self._waiting.pop(frame, ()))
            self._solver.enqueue(frame)

    def is_told_apart(self, ev: Evaluation) -> bool:
        """Whether an assignment in a constructor means nothing, as each call of it is for some class.

        What annotations say of its parameters is then said of what each class passes.
        """
        frame = ev.frame
        if frame.context or not frame.clones or frame in self._called or not is_constructor(frame.unit):
            return False
        if not any(is_for_class(clone.unit, clone.context) for clone, _ in frame.clones):
            return False
        self._waiting.setdefault(frame, set()).add(ev.index)
        return True


def may_make_instance(unit: UnitInfo) -> bool:
    """Whether a class method may make an instance of its class: it calls it, or hands it on; not if it only keeps it.

    Of one of the library, that is not known.
    """
    if 1 in unit.shared or not unit.module.facts.units:
        return True
    operations = unit.facts.operations
    methods = {index for index, op in enumerate(operations) if isinstance(op, Attribute) and op.base == ~1}
    return any(_uses_class(unit, op, {~1, *methods}) for op in operations)


def _uses_class(unit: UnitInfo, op: AnyOperation, called: set[int]) -> bool:
    match op:
        case Call():
            passed = (*op.args, *op.star, *op.double_star, *(value for _, value in op.keywords))
            is_super = not op.args and last_name(unit.facts, op.func) == "super"
            return op.func in called or ~1 in passed or is_super
        case Return() | Assign():
            return op.value == ~1
        case _:
            return False
