"""How much work indexing and asking is, on a small tree that stays as it is: counted, not timed.

Bounds are 1.2 times what it took when they were written. Where one is passed, look for what is done twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import deepgrep
from deepgrep.indexing import file_facts
from deepgrep.linking.solver import Solver
from deepgrep.store import Store

FILES = 12


def module(number: int) -> str:
    """Classes, a registry, closures and calls over files: some of everything that linking follows."""
    before = max(0, number - 1)
    return f"""
from torch.m{before} import Base{before}, wrap{before}
flag = 0
REGISTRY = {{}}
class Base{number}(Base{before} if {number} else object):
    def __init__(self, callback):
        self.callback = callback
    def step(self, x):
        return self.callback(x)
def wrap{number}(f):
    def wrapper(*args):
        global flag
        flag = {number}
        return f(*args)
    REGISTRY[f.__name__] = wrapper
    return wrapper
@wrap{number}
def run{number}(x):
    return Base{number}(wrap{before}).step(x)
def all{number}(name):
    for f in REGISTRY.values():
        f(name)
    REGISTRY[name](run{number})
"""


class Work:
    """What was done, by what it is."""

    def __init__(self, folder: Path) -> None:
        self.package = folder / "torch"
        self.package.mkdir()
        (self.package / "__init__.py").write_text("")
        for number in range(FILES):
            (self.package / f"m{number}.py").write_text(module(number))
        self.cache = folder / "cache"
        self.done: Counter[str] = Counter()

    def ask(self) -> Counter[str]:
        """Ask a question; return the work of it."""
        self.done.clear()
        with deepgrep.open(self.package, cache_dir=self.cache) as opened:
            assert opened.reach("torch.m5.all5", "torch.m5.flag").paths
        return Counter(self.done)


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    work = Work(tmp_path)
    extract, evaluate, section = file_facts.extract_here, Solver.evaluate, Store.section

    def extracted(files: Sequence[Any], *arguments: Any, **options: Any) -> Any:
        work.done["files parsed"] += len(files)
        return extract(files, *arguments, **options)

    def evaluated(*arguments: Any) -> None:
        work.done["evaluations"] += 1
        evaluate(*arguments)

    def read(*arguments: Any) -> bytes | None:
        data = section(*arguments)
        work.done["bytes read"] += len(data or b"")
        return data

    monkeypatch.setattr("deepgrep.indexing.graphs.extract_here", extracted)
    monkeypatch.setattr(Solver, "evaluate", evaluated)
    monkeypatch.setattr(Store, "section", read)
    return work


def test_the_first_question_parses_each_file_once(work: Work) -> None:
    done = work.ask()
    assert done["files parsed"] == FILES + 1
    assert 0 < done["evaluations"] <= 1.2 * 468


def test_a_later_question_parses_and_links_nothing_and_reads_little(work: Work) -> None:
    work.ask()
    done = work.ask()
    assert done.keys() == {"bytes read"}
    assert done["bytes read"] <= 1.2 * 43_120


def test_after_an_edit_one_file_is_parsed(work: Work) -> None:
    work.ask()
    (work.package / "m3.py").write_text(module(3) + "\ndef more():\n    run3(1)\n")
    done = work.ask()
    assert done["files parsed"] == 1
    assert 0 < done["evaluations"] <= 1.2 * 469
