"""A call of something that has a model: what the model says is done (models/README.md)."""

from __future__ import annotations

from msgspec.structs import replace

from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking import relays, states
from deepgrep.linking.dotted import named
from deepgrep.linking.evaluation import Evaluation, Site, union
from deepgrep.linking.invocation import Arguments, invoke
from deepgrep.linking.mappings import is_mapping, put, put_pairs, take_over
from deepgrep.linking.values import NOTHING, ClassValue, Container, Generator, InstanceValue, Text, Value, Values
from deepgrep.models import model as models


def apply(
    ev: Evaluation, model: models.FunctionModel, receiver: Value | None, arguments: Arguments, site: Site
) -> Values:
    """Do what a model says a call does; return what comes back.

    Args:
        ev: the evaluation in which the call happens.
        model: of what is called.
        receiver: what a method is called on; of a class's construction, None: the new instance takes its place.
        arguments: what is passed.
        site: where.
    """
    is_class = ev.solver.models.class_(model.name) is not None
    if is_class and receiver is None:
        receiver = ev.solver.interner.container(model.name, (ev.frame, site.key))
    elif model.method and receiver is None and ev.solver.models.class_(model.name.rpartition(".")[0]) is None:
        receiver = ev.solver.interner.external(model.name.rpartition(".")[0])
    elif model.method and receiver is None and arguments.positional:
        # A method called on the class: `dict.update(d, other)`.
        arguments, first = _without_first(arguments)
        return union([_Application(ev, model, value, arguments, site).run(is_class) for value in first])
    return _Application(ev, model, receiver, arguments, site).run(is_class)


def _without_first(arguments: Arguments) -> tuple[Arguments, Values]:
    first, *rest = arguments.positional
    return replace(arguments, positional=tuple(rest), written=None), first


class _Application:
    """One application of a model: its values, in the terms of the call."""

    def __init__(
        self, ev: Evaluation, model: models.FunctionModel, receiver: Value | None, arguments: Arguments, site: Site
    ) -> None:
        self.ev = ev
        self.model = model
        self.receiver = receiver
        self.arguments = arguments
        self.site = site
        self.op = ev.operation
        # What the calls of a value that this model makes give back.
        self.results: dict[models.Value, Values] = {}

    def run(self, is_class: bool) -> Values:
        model, ev = self.model, self.ev
        for use in model.writes:
            self._state(use, write=True)
        for use in model.reads:
            self._state(use, write=False)
        for value in model.mutates:
            for held in self.value(value):
                states.write_contents(ev, self.op, held, "mutating call", None, model.restore)
        for value in model.inspects:
            for held in self.value(value):
                states.read_contents(ev, self.op, held)
        for relay in model.enters:
            relays.enter(ev, relay, self.site)
        for value in model.iterates:
            self._elements(self.value(value))
        for value in model.hashes:
            self._hash(value)
        for made in model.calls:
            self._call(made)
        for registered in model.registers:
            self._register(registered)
        for store in model.stores:
            self._store(store)
        if model.returns is None:
            return ev.one(self.receiver) if is_class and self.receiver is not None else NOTHING
        if is_class and self.receiver is not None and model.returns == (models.Instance(model.name),):
            return ev.one(self.receiver)
        return union([self.value(value) for value in model.returns])

    def value(self, value: models.Value) -> Values:
        """Return what a value of the model is in this call."""
        match value:
            case models.Argument():
                return self._argument(value)
            case models.Receiver():
                return self.ev.one(self.receiver) if self.receiver is not None else NOTHING
            case models.Attribute():
                return self._attribute(value)
            case models.Part():
                return self._part(value)
            case models.Instance():
                return self._instance(value)
            case models.Lacking():
                return frozenset(v for v in self.value(value.of) if not self._has(v, value.name))
            case models.Number():
                return self.ev.one(self.ev.solver.interner.text(value.value))
            case models.External():
                return named(self.ev, value.name)
            case models.Bound():
                return self._bound(value)
            case models.First():
                return next((held for held in map(self.value, value.values) if held), NOTHING)

    def _argument(self, argument: models.Argument) -> Values:
        arguments = self.arguments
        if argument.rest == "*":
            start = argument.position or 0
            return self._packed("tuple", dict(enumerate(arguments.positional[start:])), arguments.star)
        if argument.rest == "**":
            return self._packed("dict", dict(arguments.keywords), arguments.double_star)
        if argument.keyword is not None and argument.keyword in arguments.keywords:
            return arguments.keywords[argument.keyword]
        position = argument.position
        if position is not None and position < len(arguments.positional):
            return arguments.positional[position]
        if position is not None and arguments.star:
            return arguments.star
        return arguments.double_star if argument.keyword is not None else NOTHING

    def _packed(self, kind: str, items: dict[int, Values] | dict[str, Values], rest: Values) -> Values:
        solver = self.ev.solver
        container = solver.interner.container(kind, (self.ev.frame, self.site.key, self.model.name, kind))
        for key, values in items.items():
            solver.add(solver.item(container, key), values)
        solver.add(container.element, rest)
        return self.ev.one(container)

    def _attribute(self, value: models.Attribute) -> Values:
        owners = self.value(value.of)
        if not owners:
            return NOTHING
        from deepgrep.linking.attributes import attribute, find

        results = []
        for owner in owners:
            # An attribute that the value does not have says nothing: `__getattr__` is not asked.
            if isinstance(owner, InstanceValue):
                found = find(self.ev, owner.cls, value.name, owner.is_open)
                if not found.is_anywhere:
                    continue
            elif isinstance(owner, Container) and self.ev.solver.model(f"{owner.class_name}.{value.name}") is None:
                results.append(self._assigned(owner, value.name))
                continue
            elif not isinstance(owner, InstanceValue | Container | Generator) and value.name.startswith("__"):
                continue
            results.append(attribute(self.ev, self.op, owner, value.name))
        return union(results)

    def _has(self, value: Value, name: str) -> bool:
        """Whether the class of a value is known to have an attribute."""
        from deepgrep.linking.attributes import find

        return isinstance(value, InstanceValue) and find(self.ev, value.cls, name, False).inherited is not None

    def _assigned(self, owner: Container, name: str) -> Values:
        """Return what was assigned to an attribute of an object of an outside class."""
        if name.startswith("__"):  # looked up on the type
            return NOTHING
        self.ev.solver.watch_items(owner, self.ev)
        cell = owner.items.get(("attribute", name))
        return self.ev.read(cell) if cell is not None else NOTHING

    def _part(self, value: models.Part) -> Values:
        if value.part == "result":
            return self.results.get(value.of, NOTHING)
        held = self.value(value.of)
        if not held and value.key is None:
            return NOTHING
        from deepgrep.linking.containers import all_elements, items, subscript
        from deepgrep.linking.context_managers import entered

        ev = self.ev
        match value.part:
            case "element":
                generated = [ev.read(v.frame.yielded) for v in held if isinstance(v, Generator)]
                # A new set even if it is the same: the order of its values, and so of what flows, may be another.
                others = frozenset(v for v in held if not isinstance(v, Generator))
                return union((*generated, self._elements(others)))
            case "key":
                return union([ev.read(c.key) for c in self._containers(held)])
            case "value":
                return union([all_elements(ev, c) for c in self._containers(held) if c.class_name != "list"])
            case "item" if value.key is not None:
                keys = self.value(value.key)
                return union([items(ev, c, keys) for c in self._containers(held)])
            case "item":
                return union([subscript(ev, self.op, v, NOTHING) for v in held])
            case "entered":
                return union([entered(ev, v, self.site) for v in held])
            case "awaited":
                return held
            case "instance_of":
                interner = ev.solver.interner
                classes = [v for v in held if isinstance(v, ClassValue)]
                if ev.recorder is not None and self.site.line:
                    for made in classes:
                        ev.recorder.construction(made.cls, made.is_open)
                return frozenset(interner.instance(made.cls, made.is_open) for made in classes)

    def _containers(self, values: Values) -> list[Container]:
        """Return the containers among some values; an instance of a class that extends one counts as one."""
        found = []
        for value in values:
            if isinstance(value, Container):
                found.append(value)
            elif isinstance(value, InstanceValue):
                found.append(self.ev.solver.contents(value.cls))
        return found

    def _elements(self, values: Values) -> Values:
        if not values:
            return NOTHING
        from deepgrep.linking.containers import all_elements
        from deepgrep.linking.iteration import elements

        results = []
        for value in values:
            if isinstance(value, InstanceValue):
                held = self.ev.solver.contents(value.cls)
                results += [all_elements(self.ev, held), self.ev.read(held.key)]
            # What iterating over the receiver gives is what this model is about to say.
            if value is not self.receiver or not isinstance(value, InstanceValue):
                results.append(elements(self.ev, value, self.site))
        return union(results)

    def _instance(self, value: models.Instance) -> Values:
        solver = self.ev.solver
        classes = [v.cls for v in named(self.ev, value.class_name) if isinstance(v, ClassValue)]
        if classes:
            return frozenset(solver.interner.instance(cls, True) for cls in classes)
        place = self.model.returns.index(value) if self.model.returns and value in self.model.returns else repr(value)
        container = solver.interner.container(value.class_name, (self.ev.frame, self.site.key, self.model.name, place))
        for index, element in enumerate(() if value.keys else value.elements):
            cell = solver.item(container, index) if value.class_name == "tuple" else container.element
            solver.add(cell, self.value(element))
        keys = union([self.value(key) for key in value.keys])
        if keys:
            put(self.ev, container, keys, union([self.value(element) for element in value.elements]))
        for other in value.merged:
            take_over(self.ev, container, self.value(other))
        return self.ev.one(container)

    def _bound(self, value: models.Bound) -> Values:
        solver = self.ev.solver
        place = (self.site.key, self.model.name, repr(value) if len(self.model.returns or ()) > 1 else 0)
        partial = solver.interner.partial(self.ev.frame, place)
        solver.add(partial.callee, self.value(value.callee))
        passed = self._passed(value.passes)
        for index, values in enumerate(passed.positional):
            solver.add(solver.argument(partial, index), values)
        for name, values in passed.keywords.items():
            solver.add(solver.argument(partial, name), values)
        solver.add(partial.star, passed.star)
        solver.add(partial.double_star, passed.double_star)
        return self.ev.one(partial)

    def _passed(self, passes: tuple[models.Passed, ...]) -> Arguments:
        """Return the arguments of a call that the model makes."""
        positional: list[Values] = []
        keywords: dict[str, Values] = {}
        star: list[Values] = []
        double_star: list[Values] = []
        for passed in passes:
            values = self.value(passed.value) if passed.value is not None else NOTHING
            if passed.spread == "*":
                for container in self._containers(values):
                    self.ev.solver.watch_items(container, self.ev)
                    places = sorted(key for key in container.items if isinstance(key, int))
                    positional += [self.ev.read(container.items[place]) for place in places]
                    star.append(self.ev.read(container.element))
            elif passed.spread == "**":
                for container in self._containers(values):
                    self.ev.solver.watch_items(container, self.ev)
                    for name, cell in container.items.items():
                        if isinstance(name, str):
                            keywords[name] = union((keywords.get(name, NOTHING), self.ev.read(cell)))
                    double_star.append(self.ev.read(container.element))
            elif passed.keyword:
                keywords[passed.keyword] = values
            else:
                positional.append(values)
        return Arguments(tuple(positional), keywords, union(star), union(double_star))

    def _hash(self, value: models.Value) -> None:
        from deepgrep.linking.hashing import hash_keys

        hash_keys(self.ev, self.value(value), self.site)

    def _call(self, made: models.Call) -> None:
        callees = self.value(made.callee)
        if not callees:
            return
        certainty = Certainty.CERTAIN if len(callees) == 1 else Certainty.FLOW
        results = invoke(self.ev, callees, self._passed(made.passes), self.site, Via(made.via), certainty)
        self.results[made.callee] = union((self.results.get(made.callee, NOTHING), results))

    def _register(self, registered: models.Registered) -> None:
        made = registered.call
        if callees := self.value(made.callee):
            results = relays.register(self.ev, registered, callees, self._passed(made.passes), self.site)
            self.results[made.callee] = union((self.results.get(made.callee, NOTHING), results))

    def _store(self, store: models.Store) -> None:
        from deepgrep.linking.setting import set_attribute

        values = self.value(store.value)
        solver = self.ev.solver
        if isinstance(store.into, models.Attribute):
            for owner in self.value(store.into.of):
                set_attribute(self.ev, self.op, owner, store.into.name, values, "setattr", None)
            return
        for container in self._containers(self.value(store.into.of)):
            is_mapping = container.class_name == "dict"
            if isinstance(store.into, models.Items):
                self._update(container, values)
            elif store.into.part == "item" and store.into.key is not None:
                put(self.ev, container, self.value(store.into.key), values)
            elif store.into.part == "key" or (store.into.part == "element" and is_mapping):
                solver.add(container.key, values)
            else:
                solver.add(container.element, values)

    def _update(self, mapping: Container, others: Values) -> None:
        """Let a mapping take over what others hold, mappings or pairs."""
        take_over(self.ev, mapping, others)
        pairs = frozenset(other for other in others if not is_mapping(self.ev, other))
        put_pairs(self.ev, mapping, self._elements(pairs))

    def _state(self, use: models.StateUse, write: bool) -> None:
        key: str | None = None
        if use.key is not None:
            keys = self.value(use.key)
            known = [v.value for v in keys if isinstance(v, Text) and isinstance(v.value, str)]
            key = known[0] if len(known) == 1 and len(keys) == 1 else "*"
        states.use_modelled(self.ev, self.op, use.state, key, write, self.model.restore)
