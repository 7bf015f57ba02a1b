"""`with`: `__enter__` and `__exit__`, or their asynchronous forms."""

from __future__ import annotations

from deepgrep.facts.operations import With
from deepgrep.graph.rows import Via
from deepgrep.linking.evaluation import Evaluation, Handler, Site, union
from deepgrep.linking.invocation import Arguments
from deepgrep.linking.protocols import call_method
from deepgrep.linking.values import InstanceValue, Value, Values

_METHODS = {False: ("__enter__", "__exit__"), True: ("__aenter__", "__aexit__")}


def entered(ev: Evaluation, manager: Value, site: Site, is_async: bool = False) -> Values:
    """Enter and leave a context manager; return what `as` binds."""
    enter, leave = _METHODS[is_async]
    if ev.recorder is not None and isinstance(manager, InstanceValue):
        ev.recorder.entering(manager.cls)
    values = call_method(ev, manager, enter, Arguments(), site, Via.WITH)
    call_method(ev, manager, leave, Arguments(), site, Via.WITH)
    return values


def _with(ev: Evaluation, op: With) -> Values:
    site = ev.site(op)
    return union([entered(ev, manager, site, op.is_async) for manager in ev.get(op.context)])


OPERATIONS: dict[type, Handler] = {With: _with}
