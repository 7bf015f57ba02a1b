"""Which of some values flow to parameters and from returns: code, and few objects.

All objects that a function may be handed would say little of each; what they are, annotations say.
"""

from __future__ import annotations

from collections.abc import Callable

from deepgrep.linking.closed_types import Closed, fitting
from deepgrep.linking.hierarchy import Hierarchy
from deepgrep.linking.program import Frame
from deepgrep.linking.values import (
    CODE,
    Bound,
    ClassValue,
    Container,
    Cut,
    External,
    InstanceValue,
    Many,
    ModuleValue,
    Value,
    Values,
)
from deepgrep.models import Models
from deepgrep.models.model import FunctionModel

# A class that may be any of more subclasses than this is not handed on.
_MOST_CLASSES = 8


class Flowing:
    """Answers by the class hierarchy as it is known so far; each question about a set of values is answered once."""

    def __init__(self, hierarchy: Hierarchy, model: Callable[[str], FunctionModel | None], models: Models) -> None:
        """`model` gives what is known of a function outside the analyzed sources, of all that are in `models`."""
        self._hierarchy = hierarchy
        self._modules = models.modules
        self._entering = models.entering
        self._model = model
        self._code: dict[Values, Values] = {}
        self._passed: dict[tuple[Values, bool], Values] = {}
        self._fitting: dict[tuple[Closed, Values], Values] = {}

    def forget(self) -> None:
        """Drop what was derived from the bases of classes: they have changed."""
        self._fitting.clear()

    def fitting(self, classes: Closed, values: Values) -> Values:
        """Return those of some values that a place of a closed type may hold (closed_types.py)."""
        key = (classes, values)
        if key not in self._fitting:
            self._fitting[key] = fitting(self._hierarchy, classes, values)
        return self._fitting[key]

    def passed(self, values: Values, with_objects: bool) -> Values:
        """Return those of some values that flow to parameters."""
        known = self._passed.get((values, with_objects))
        if known is None:
            kept = self.code(values) | frozenset(v for v in values if self._is_passed(v, with_objects))
            known = self._passed[values, with_objects] = values if len(kept) == len(values) else kept
        return known

    def code(self, values: Values) -> Values:
        """Return those of some values that are code: functions, methods, classes, modules, callable instances."""
        known = self._code.get(values)
        if known is None:
            kept = frozenset(filter(self._is_code, values))
            known = self._code[values] = values if len(kept) == len(values) else kept
        return known

    def _sets_or_calls(self, name: str) -> bool:
        """Whether a function outside the analyzed sources is known to change a state, or to call what it is handed."""
        model = self._model(name)
        return model is not None and bool(model.writes or model.calls)

    def _is_code(self, value: Value) -> bool:
        if isinstance(value, External):
            return value.name.endswith("()") or self._sets_or_calls(value.name)  # a callable that a model gives back
        if isinstance(value, Bound) and isinstance(value.function, External):
            # Any attribute of an outside object looks like a method: only one that is known is handed on.
            return self._model(value.function.name) is not None
        hierarchy = self._hierarchy
        if isinstance(value, ClassValue) and value.is_open and len(hierarchy.subclasses(value.cls)) > _MOST_CLASSES:
            return False  # `type(x)`, of anything: nothing is known of what it makes
        return isinstance(value, (*CODE, ModuleValue, Many, Cut)) or (
            isinstance(value, InstanceValue)
            and not (value.is_open and hierarchy.direct_subclasses(value.cls))
            and hierarchy.find(value.cls, "__call__", False).inherited is not None
        )

    def _is_passed(self, value: Value, with_objects: bool) -> bool:
        """Whether a value that is no code flows to a parameter: modules and states, and objects where wanted."""
        match value:
            case ModuleValue():
                return True
            case External():
                return value.name in self._modules
            case InstanceValue():
                return bool(value.site) or (with_objects and not value.is_open)
            case Container() if value.class_name in self._entering:  # a queue, a pickler: its methods call back
                return True
            case Container(site=(Frame() as frame, *_)):
                return frame.unit.is_module
            case _:
                return False
