"""Every question says the same of for whom a write of an option is visible."""

from __future__ import annotations

import pytest
from linked import link_sources

from deepgrep.graph.callgraph import CallGraph
from deepgrep.questions.accesses import accesses
from deepgrep.questions.effects import effects
from deepgrep.questions.reach import reach
from deepgrep.questions.states import states

_MACHINERY = """
    from contextvars import ContextVar
    from types import ModuleType
    values = ContextVar("values")
    class Config(ModuleType):
        def __setattr__(self, name, value):
            {body}
"""


def graph_with(body: str) -> CallGraph:
    """A config module whose options are assigned to by the body of `__setattr__`."""
    sources = {
        "p": "",
        "p.config": """
            import sys
            from p.machinery import Config
            limit = 8
            class tuning:
                width = 1
            sys.modules[__name__].__class__ = Config
        """,
        "p.machinery": _MACHINERY.format(body=body),
        "p.use": "import p.config\ndef f():\n    p.config.limit = 9\n    p.config.tuning.width = 2\n",
    }
    return link_sources(sources).graph()


@pytest.mark.parametrize("option", ["p.config.limit", "p.config.tuning.width"])
@pytest.mark.parametrize(
    ("body", "scope"), [("values.set(value)", "context"), ("super().__setattr__(name, value)", "process")]
)
def test_an_option_is_visible_to_those_for_whom_its_module_keeps_it(option: str, body: str, scope: str) -> None:
    graph = graph_with(body)
    assert reach(graph, "p.use.f", option).target.scope == scope
    assert accesses(graph, option).target.scope == scope
    assert {effect.name: effect.scope for effect in effects(graph, "p.use.f").effects}[option] == scope
    assert {row.name: row.scope for row in states(graph).states}[option] == scope
    assert option in [row.name for row in states(graph, scope=scope).states]
