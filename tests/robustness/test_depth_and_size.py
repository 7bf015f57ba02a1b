"""Programs that are too deep, too large or too entangled: each is read and asked, or left out with a reason.

Here they are small; `measure.py` takes them as large as they get.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hostile import PROGRAMS

from deepgrep.facts import ExtractError, extract
from deepgrep.graph.callgraph import CallGraph, pack
from deepgrep.graph.rows import AccessKind, Skipped
from deepgrep.linking import LinkModule, link
from deepgrep.questions.answers import FOUND
from deepgrep.questions.effects import effects
from deepgrep.questions.neighbours import callees, callers
from deepgrep.questions.race import race
from deepgrep.questions.reach import reach
from deepgrep.reports.json import encode
from deepgrep.reports.text.reach import reach_text
from deepgrep.sources import find_directory, read_tree

# `await` outside a coroutine.
LEFT_OUT = {"awaits"}
# What would change the flag is in a function that nothing calls.
NOT_CALLED = {"lambdas", "inner_functions"}


def linked(package: Path) -> CallGraph:
    """Read a package, in this process, and link it."""
    tree, _ = read_tree(find_directory(package), b"", print)
    modules, skipped = [], []
    for file in tree.files:
        try:
            modules.append(LinkModule(file, extract((tree.location / file.path).read_bytes())))
        except ExtractError as error:
            skipped.append(Skipped(file.path, str(error)))
    return CallGraph(pack(link([tree], modules, skipped)).__getitem__)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_way_to_the_change_is_found_or_the_file_is_named(name: str, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    graph = linked(program.write(tmp_path, program.small))
    left_out = [file.file for file in graph.skipped if file.file == "torch/m.py"]
    assert bool(left_out) == (name in LEFT_OUT), graph.skipped
    answer = reach(graph, "torch.start.entry", "torch.start.flag")
    assert (answer.verdict in FOUND) == (name not in LEFT_OUT | NOT_CALLED)
    assert encode(answer)
    assert reach_text(answer, lambda path, line: None, 100)
    changed = [effect.name for effect in effects(graph, "entry", AccessKind.WRITE).effects]
    assert ("torch.start.flag" in changed) == (answer.verdict in FOUND)
    assert race(graph, "flag", lambda root: lambda path, line: None).accesses
    assert ("torch.start.entry" in [f.name for f in callers(graph, "torch.start.change", None).functions]) == (
        answer.verdict in FOUND
    )
    assert callees(graph, "entry", None).functions or left_out
