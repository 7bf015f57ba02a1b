"""The call graph in the simple format of PyCG: `{caller: [callees]}`, under the names that PyCG gives."""

from __future__ import annotations

from collections import Counter

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.relays import Relays
from deepgrep.graph.rows import AccessKind, Via

_LAMBDA = "<lambda>"
_NO_CALLS = frozenset({Via.IMPORT, Via.SAME})


def export_pycg(graph: CallGraph) -> dict[str, list[str]]:
    """Every function with what it calls, sorted.

    Names are `main`, `main.C.method`, `main.<lambda1>`, `<builtin>.print`, `<dict>.items`. Imports are left
    out, as PyCG does; contexts of a function are one. Relays are left out, as in `export_graph`.
    """
    names = _names(graph)
    calls: dict[str, set[str]] = {name: set() for name in names}
    relays = Relays(graph)
    for relay in relays.numbers:
        del calls[names[relay]]
    for caller, name in enumerate(names):
        if caller in relays.numbers:
            continue
        calls[name] |= {names[edge.callee] for edge in relays.calls(caller) if edge.via not in _NO_CALLS}
        calls[name] |= {exit_.callee for exit_ in graph.native_exits_in(caller)}
        calls[name] |= {
            graph.state_names[row.state] for row in graph.accesses_in(caller) if row.access is AccessKind.CALL
        }
        calls[name] |= {_builtin(callee) for callee in graph.builtins_in(caller)}
    return {name: sorted(callees) for name, callees in sorted(calls.items())}


def _builtin(name: str) -> str:
    owner, _, last = name.rpartition(".")
    return f"<{owner or 'builtin'}>.{last}"


def _names(graph: CallGraph) -> list[str]:
    """PyCG's name of each function."""
    rows = [graph.function(i) for i in range(graph.function_count)]
    names = [""] * len(rows)
    numbers: dict[tuple[str, int, int], int] = {}
    lambdas_in: Counter[str] = Counter()
    same_line: Counter[tuple[str, int, str]] = Counter()
    # For the name of a nested lambda: the numbered one around it begins on the same line or before.
    last_lambda: dict[str, str] = {}
    for index in sorted(range(len(rows)), key=lambda i: (rows[i].file, rows[i].line, len(rows[i].qualname), i)):
        row = rows[index]
        scope, _, last = row.name.replace(".<locals>", "").rpartition(".")
        scope = last_lambda.get(scope, scope)
        if last == "<module>":
            names[index] = scope
        elif last != _LAMBDA:
            names[index] = f"{scope}.{last}"
        else:
            place = (row.name, row.line, row.context)
            same_line[place] += 1
            # The contexts of a lambda share its number.
            lambda_ = (f"{scope}.{last}", row.line, same_line[place])
            if lambda_ not in numbers:
                lambdas_in[scope] += 1
                numbers[lambda_] = lambdas_in[scope]
            names[index] = f"{scope}.<lambda{numbers[lambda_]}>"
            last_lambda[f"{row.name.replace('.<locals>', '')}"] = names[index]
    return names
