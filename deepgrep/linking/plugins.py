"""All plugins in one table: which of them evaluates which operation."""

from __future__ import annotations

from deepgrep.facts.operations import Operation
from deepgrep.linking import (
    attributes,
    calls,
    containers,
    context_managers,
    definitions,
    evaluation,
    imports,
    iteration,
    name_patterns,
    names,
    narrowing,
    operators,
    relays,
    setting,
    stated_types,
)
from deepgrep.linking.evaluation import Handler

OPERATIONS: dict[type[Operation], Handler] = {
    **evaluation.OPERATIONS,
    **stated_types.OPERATIONS,
    **attributes.OPERATIONS,
    **calls.OPERATIONS,
    **containers.OPERATIONS,
    **context_managers.OPERATIONS,
    **definitions.OPERATIONS,
    **imports.OPERATIONS,
    **iteration.OPERATIONS,
    **name_patterns.OPERATIONS,
    **names.OPERATIONS,
    **narrowing.OPERATIONS,
    **operators.OPERATIONS,
    **relays.OPERATIONS,
    **setting.OPERATIONS,
}
