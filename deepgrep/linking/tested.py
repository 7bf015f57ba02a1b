"""What functions take their values to be: the classes that their parameters are declared or tested for, and conditions.

What stands under `isinstance(x, C)` runs only once there is an instance of C.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from deepgrep.facts.operations import Narrow
from deepgrep.linking.hierarchy import Hierarchy
from deepgrep.linking.program import ClassInfo, Frame, ModuleInfo, UnitInfo
from deepgrep.linking.values import Container, External, InstanceValue, Values

_ABSTRACT = frozenset({"abc.ABC", "abc.ABCMeta", "typing.Protocol", "typing_extensions.Protocol"})
_IMPORTED = re.compile(r"""["']([\w.]+)["'] in sys\.modules""")
Alternatives = tuple[ClassInfo, ...]
"""Classes of which a value is an instance of one."""


class Tested:
    """Which classes values are tested for, under which guards, and which parameters hold instances of which."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self._hierarchy = hierarchy
        self._under: dict[tuple[ModuleInfo, int], dict[Alternatives, None]] = {}
        self._parameters: dict[tuple[UnitInfo, int], dict[ClassInfo, None]] = {}

    def declared(self, frame: Frame) -> None:
        """Note what the parameters of a frame are declared to hold, in containers too."""
        for parameter, values in frame.declared.items():
            classes = dict.fromkeys(_classes(values))
            for cls in tuple(classes):
                if _is_abstract(cls):  # an object of it is one of a subclass
                    subclasses = self._hierarchy.subclasses(cls)
                    classes |= {sub: None for sub in subclasses if isinstance(sub, ClassInfo)}
            if classes:
                self._parameters.setdefault((frame.unit, parameter), {}).update(classes)

    def test(self, frame: Frame, op: Narrow, classes: Alternatives) -> None:
        """Note that a value is an instance of one of some classes where a test holds."""
        if op.is_condition and op.guard >= 0:
            self._under.setdefault((frame.unit.module, op.guard), {})[classes] = None
        index = ~op.value - 1
        if op.value < 0 and frame.unit.facts.variables[~op.value].unit < 0 and _is_parameter(frame.unit, index):
            self._parameters.setdefault((frame.unit, index), {}).update(dict.fromkeys(classes))

    def under(self, module: ModuleInfo, guard: int) -> Iterator[Alternatives]:
        """Yield what there must be instances of for a guard, and those around it, to hold; innermost first."""
        guards = module.facts.guards
        while guard >= 0:
            found = self._under.get((module, guard), ())
            if len(found) == 1:  # of which several could be meant, as in different contexts, nothing is required
                yield from found
            guard = guards[guard].parent

    def modules(self, module: ModuleInfo, guard: int) -> Iterator[str]:
        """Yield the modules that must have been imported for a guard, and those around it, to hold."""
        guards = module.facts.guards
        while guard >= 0:
            imported = _IMPORTED.fullmatch(guards[guard].text)
            if imported is not None and guards[guard].kind in ("if", "return"):
                yield imported[1]
            guard = guards[guard].parent

    def classes(self, unit: UnitInfo, parameter: int) -> tuple[ClassInfo, ...]:
        """Return the classes of which a parameter is declared, or tested, to hold an instance."""
        return tuple(self._parameters.get((unit, parameter), ()))


def _is_parameter(unit: UnitInfo, index: int) -> bool:
    return 0 <= index < len(unit.facts.parameters)


def _is_abstract(cls: ClassInfo) -> bool:
    named = (*cls.bases, *cls.metaclass)
    return any(isinstance(base, External) and base.name in _ABSTRACT for base in named)


def _classes(values: Values) -> Iterable[ClassInfo]:
    for value in values:
        if isinstance(value, InstanceValue):
            yield value.cls
        elif isinstance(value, Container) and isinstance(value.site, tuple) and value.site[:1] == ("annotation",):
            # Not of `str`: one text stands for all, whatever is read from it.
            cells = (value.element, value.key, *value.items.values())
            yield from (held.cls for cell in cells for held in cell.values if isinstance(held, InstanceValue))
