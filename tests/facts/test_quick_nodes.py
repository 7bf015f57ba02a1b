import subprocess
import sys

# In a process of its own: what is made faster stays so.
COMPARED = """
import argparse, dataclasses, typing
from pathlib import Path
from deepgrep.facts import extract_pieces, quicken

sources = [Path(module.__file__).read_bytes() for module in (argparse, dataclasses, typing)]
before = [extract_pieces(source) for source in sources]
quicken()
assert [extract_pieces(source) for source in sources] == before

import libcst
assert libcst.Name("x").deep_equals(libcst.Name(value="x"))
assert libcst.parse_module("f( x )").code == "f( x )"
libcst.Name("x").value = "y"  # no longer frozen: it took effect
"""


def test_facts_are_the_same_with_quick_nodes() -> None:
    subprocess.run([sys.executable, "-c", COMPARED], check=True)
