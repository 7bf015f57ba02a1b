"""A small linked program that questions are asked of, with a bit of all that names can mean."""

import sys
from functools import cache
from pathlib import Path

from deepgrep.graph.callgraph import CallGraph

sys.path.insert(0, str(Path(__file__).parents[1] / "linking"))

from linked import link_sources

PROGRAM = """
    import os
    flag = None
    table = {"a": 1}
    class C:
        x = 1
        def __init__(self, a=1): self.y = a
        def m(self, b=None):
            if b is None: target()
            return lambda: self.x
    class D(C):
        pass
    def target():
        global flag
        flag = os.environ["MODE"]
        table["a"] = 2
    def root(a, b=False, *c, d="text", **e):
        if a and os.environ.get("MODE") == "on": D(a).m(b)
        def inner(): target()
        return inner()
    """


@cache
def graph() -> CallGraph:
    return link_sources(PROGRAM).graph()
