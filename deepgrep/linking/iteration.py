"""Iteration, unpacking and awaiting."""

from __future__ import annotations

from deepgrep.facts.operations import Await, Iterate, Unpack
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking.containers import all_elements, item
from deepgrep.linking.evaluation import Evaluation, Handler, Site, union
from deepgrep.linking.invocation import Arguments
from deepgrep.linking.protocols import call_method
from deepgrep.linking.values import Container, Generator, InstanceValue, Value, Values


def elements(ev: Evaluation, value: Value, site: Site, is_async: bool = False) -> Values:
    """Iterate over a value: return what it gives; note what runs for it."""
    if not isinstance(value, Container | InstanceValue):
        return _elements(ev, value, site, is_async)
    return ev.once(("elements", value, is_async), lambda: _elements(ev, value, site, is_async))


def _elements(ev: Evaluation, value: Value, site: Site, is_async: bool) -> Values:
    match value:
        case Container():
            if value.class_name == "dict":
                return ev.read(value.key)
            return all_elements(ev, value)
        case Generator():
            if ev.recorder is not None and site.line:
                ev.recorder.edge(site, value.frame, Via.ITERATE, Certainty.CERTAIN)
            return ev.read(value.frame.yielded)
        case InstanceValue():
            start, step = ("__aiter__", "__anext__") if is_async else ("__iter__", "__next__")
            iterators = call_method(ev, value, start, Arguments(), site, Via.ITERATE)
            results = [call_method(ev, value, "__getitem__", Arguments(), site, Via.ITERATE)] if not iterators else []
            for iterator in iterators:
                if isinstance(iterator, InstanceValue):
                    results.append(_next(ev, iterator, step, site))
                else:
                    results.append(elements(ev, iterator, site))
            return union(results)
        case _:
            return call_method(ev, value, "__iter__", Arguments(), site, Via.ITERATE, only_analyzed=True)


def _next(ev: Evaluation, iterator: InstanceValue, step: str, site: Site) -> Values:
    return ev.once((step, iterator), lambda: call_method(ev, iterator, step, Arguments(), site, Via.ITERATE))


def _iterate(ev: Evaluation, op: Iterate) -> Values:
    site = ev.site(op)
    return union([elements(ev, value, site, op.is_async) for value in ev.get(op.base)])


def _unpack(ev: Evaluation, op: Unpack) -> Values:
    site = ev.site(op)
    results = []
    for value in ev.get(op.base):
        if isinstance(value, Container) and op.index >= 0:
            results.append(item(ev, value, op.index))
        else:
            results.append(elements(ev, value, site))
    return union(results)


def _await(ev: Evaluation, op: Await) -> Values:
    """A coroutine is not told apart from its result: an `async def` gives what it returns."""
    site = ev.site(op)
    values = ev.get(op.base)
    results = [values]
    results += [
        call_method(ev, value, "__await__", Arguments(), site, Via.OPERATOR, only_analyzed=True)
        for value in values
        if isinstance(value, InstanceValue)
    ]
    return union(results)


OPERATIONS: dict[type, Handler] = {Iterate: _iterate, Unpack: _unpack, Await: _await}
