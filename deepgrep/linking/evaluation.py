"""One frame is evaluated: its operations in order, each by the plugin that knows its kind.

Evaluation only ever adds values to cells. When it is done for the last time, a recorder listens and notes what the
frame calls, writes and reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from deepgrep.facts.operations import (
    AnyOperation,
    Assign,
    Attribute,
    Call,
    Join,
    Narrow,
    Operation,
    Return,
    Yield,
)
from deepgrep.linking.cells import Cell, with_reader
from deepgrep.linking.clones import Own
from deepgrep.linking.functions import are_functions
from deepgrep.linking.values import NOTHING, Container, Value, Values

if TYPE_CHECKING:
    from deepgrep.linking.program import Frame
    from deepgrep.linking.recording import Recorder
    from deepgrep.linking.solver import Solver

Handler = Callable[["Evaluation", Any], Values]


class Site(msgspec.Struct, frozen=True):
    """Where something happens: a line (0: it is never executed) under a guard; `key` tells sites of a frame apart."""

    line: int
    guard: int
    key: object


class Evaluation:
    """The evaluation of one frame.

    Attributes:
        values: the result of each operation so far.
        recorder: listens in the last evaluation; None before.
        index: of the operation that is evaluated.
        calling: the partials, and the values for many, that are being called: one can hold itself.
    """

    __slots__ = ("_done", "_slots", "_variables", "calling", "frame", "index", "recorder", "solver", "values")

    def __init__(self, solver: Solver, frame: Frame, recorder: Recorder | None) -> None:
        self.solver = solver
        self.frame = frame
        self.recorder = recorder
        self.index = 0
        self.calling: set[Value] = set()
        self._done: dict[object, tuple[int, Values]] = {}
        self._slots = _slots(frame)
        if frame.own is None and not frame.variables:
            frame.variables = [NOTHING] * len(self._slots)
        self._variables = frame.variables
        self.values = frame.values

    def run(self, handlers: dict[type[Operation], Handler]) -> None:
        """Evaluate what is pending; the first time, and the last, all operations."""
        operations, own = self.frame.unit.facts.operations, self.frame.own
        if own is not None:
            self._run_own(operations, handlers, own)
            return
        if self.recorder is not None or len(self.values) < len(operations):
            values: list[Values] = []
            self.values = self.frame.values = values
            add = values.append
            for index, op in enumerate(operations):
                self._begin(index)
                add(handlers[op.__class__](self, op))
        if self.recorder is not None:
            self.recorder.names(range(len(operations)), self.get)
            if not self.frame.clones:
                self.values = self.frame.values = self.frame.variables = []  # not needed any more
            return
        self._again(operations, handlers)

    def _run_own(self, operations: tuple[Any, ...], handlers: dict[type[Operation], Handler], own: Own) -> None:
        """Evaluate what is pending of a clone; the first time, and the last, all that is its own."""
        if self.recorder is not None:
            for index in own.operations:
                self._begin(index)
                op = operations[index]
                is_ruled_out = isinstance(op, Call) and self._is_ruled_out(op)
                self.values[index] = NOTHING if is_ruled_out else handlers[op.__class__](self, op)
            self.recorder.names(own.operations, self.get)
            return
        if not self.values:
            for index in (*own.operations, *own.left_out):
                self.values[index] = NOTHING
            for variable in own.variables:
                self.frame.variables[variable] = NOTHING
            self.frame.pending.update(own.operations)
        self._again(operations, handlers)

    def run_rest(self, handlers: dict[type[Operation], Handler], own: Own) -> None:
        """Evaluate what clones have in common with the frame, which has been evaluated: for the recorder."""
        assert self.recorder is not None
        operations = self.frame.unit.facts.operations
        for index in own.shared:
            self._begin(index)
            handlers[operations[index].__class__](self, operations[index])
        self.recorder.names(own.shared, self.get)

    def _begin(self, index: int) -> None:
        """Evaluate an operation next."""
        self.index = index
        if self._done:
            self._done.clear()

    def _again(self, operations: tuple[Any, ...], handlers: dict[type[Operation], Handler]) -> None:
        """Evaluate pending operations, lowest first, and those that use a result that has grown."""
        pending, values = self.frame.pending, self.values
        while pending:
            for index in sorted(pending):
                pending.discard(index)
                self._begin(index)
                op = operations[index]
                if self.frame.own is not None and isinstance(op, Call) and (self._waits(op) or self._is_ruled_out(op)):
                    continue
                result = handlers[op.__class__](self, op)
                if result != values[index]:
                    values[index] = result
                    self._grown(index)

    def _waits(self, op: Call) -> bool:
        """Whether a call in a clone should wait: what it will hand on, of what the clone was handed, is not known yet.

        Without it the call would be one in no context, and what that gives back would stay in the clone's result.
        """
        own, deferred, number = self.frame.own, self.solver.deferred, self.number
        if own is None or number in self.solver.settled:
            return False
        for operand in (*op.args, *(value for _, value in op.keywords)):
            if operand in own.operations and not self.values[operand]:
                deferred[number] = self.frame, self.index
                return True
        deferred.pop(number, None)
        return False

    def _is_ruled_out(self, op: Call) -> bool:
        """Whether a clone was handed a function where a call takes it for an object of some class."""
        operands = (*op.args, *(value for _, value in op.keywords))
        return any(self._is_function_taken_for_object(operand) for operand in operands)

    def _is_function_taken_for_object(self, operand: int) -> bool:
        while operand >= 0:
            op = self.frame.unit.facts.operations[operand]
            match op:
                case Narrow():
                    values = self.get(op.value)
                    if not self.values[operand]:
                        return are_functions(self.solver, values)
                    operand = op.value
                case Assign():
                    operand = op.value
                case Attribute():
                    operand = op.base
                case _:
                    return False
        return False

    def _grown(self, operand: int) -> None:
        """Evaluate again what uses a result or variable that has grown, in the clones of this frame too."""
        users = self.frame.unit.users(operand)
        self.frame.pending.update(users)
        for clone, own in self.frame.clones:
            new = [user for user in users if user in own.operations]
            if new:
                clone.pending.update(new)
                self.solver.enqueue(clone)

    def get(self, operand: int) -> Values:
        """Return what an operand may hold."""
        if operand >= 0:
            return self.values[operand]
        cell = self._slots[~operand]
        if cell is None:
            return self._variables[~operand]
        if self.recorder is None:
            cell.readers = with_reader(cell.readers, self.frame.number + self.index, self.frame)
        return cell.values

    def assign(self, variable: int, values: Values) -> None:
        """Add values to a variable, by its operand."""
        cell = self._slots[~variable]
        if cell is not None:
            self.solver.add(cell, values)
            return
        known = self._variables[~variable]
        if not values <= known:
            self._variables[~variable] = known | values if known else values
            unit = self.frame.unit
            if self.frame.own is not None or len(self.values) == len(unit.facts.operations):
                self._grown(variable)
            elif unit.facts.reads_ahead:
                evaluated = len(self.values)
                self.frame.pending.update(user for user in unit.users(variable) if user < evaluated)

    def read(self, cell: Cell) -> Values:
        """Return what a cell holds; the operation is evaluated again when it holds more."""
        if self.recorder is None:
            cell.readers = with_reader(cell.readers, self.frame.number + self.index, self.frame)
        return cell.values

    @property
    def number(self) -> int:
        """The number of the operation that is evaluated."""
        return self.frame.number + self.index

    @property
    def operation(self) -> AnyOperation:
        """The operation that is evaluated."""
        return self.frame.unit.facts.operations[self.index]

    def once(self, key: object, work: Callable[[], Values]) -> Values:
        """Return what some work gives; within the evaluation of one operation it is not done again in vain.

        Work that changed nothing would do and note the same again, as long as nothing else has changed: but for what a
        partial that is being called holds, and what is noted of a relay.
        """
        if self.calling or (self.recorder is not None and self.recorder.is_through_relay):
            return work()
        before = self.solver.changes
        known = self._done.get(key)
        if known is not None and known[0] == before:
            return known[1]
        result = work()
        if self.solver.changes == before:
            self._done[key] = before, result
        return result

    def site(self, op: Operation) -> Site:
        """Return the place of the operation that is evaluated."""
        return Site(op.line, op.guard, self.index)

    def one(self, value: Value) -> Values:
        """Return the set of just one value."""
        return self.solver.interner.one(value)


def _slots(frame: Frame) -> list[Cell | None]:
    """Return the cell of each variable that is shared with other frames; None for what is this frame's own."""
    unit = frame.unit
    slots: list[Cell | None] = []
    parameters = len(unit.facts.parameters)
    for index, variable in enumerate(unit.facts.variables):
        if variable.unit >= 0:
            slots.append(frame.ancestor(variable.unit).cell(variable.variable))
        elif 0 < index <= parameters or index in unit.shared:
            slots.append(frame.cell(index))
        else:
            slots.append(None)
    return slots


def union(sets: Iterable[Values]) -> Values:
    """Return the union of sets of values; one of them itself, where that is enough."""
    result = NOTHING
    is_new = False
    gathered: set[Value] | None = None  # so that what there is already is not copied for each of thousands
    for values in sets:
        if gathered is not None:
            gathered |= values
        elif not result:
            result = values
        elif not values <= result:
            if is_new:
                gathered = {*result, *values}
            else:
                result, is_new = result | values, True
    return result if gathered is None else frozenset(gathered)


def _assign(ev: Evaluation, op: Assign) -> Values:
    values = ev.get(op.value)
    if values:
        ev.assign(op.variable, values)
    return values


def _join(ev: Evaluation, op: Join) -> Values:
    return union([ev.get(v) for v in op.values])


def _return(ev: Evaluation, op: Return) -> Values:
    unit = ev.frame.unit
    if op.value < 0 and ~op.value - 1 in unit.given_back:
        return NOTHING  # each call has back what it passed
    values = ev.get(op.value)
    if values and unit.states_result:
        held = NOTHING if unit.states_contents else frozenset(v for v in values if isinstance(v, Container))
        values = ev.solver.passed(values, False) | held
        if -1 in unit.closed:
            values = ev.solver.fitting(unit.closed[-1], values)
    if values:
        ev.solver.add(ev.frame.result, values)
    return NOTHING


def _yield(ev: Evaluation, op: Yield) -> Values:
    values = ev.get(op.value)
    if values:
        ev.solver.add(ev.frame.yielded, values)
    return NOTHING


OPERATIONS: dict[type[Operation], Handler] = {
    Assign: _assign,
    Join: _join,
    Return: _return,
    Yield: _yield,
}
