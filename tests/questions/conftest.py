import sys
from pathlib import Path

# The sketches of small graphs are shared with the tests of the graph itself.
sys.path.insert(0, str(Path(__file__).parent.parent / "graph"))
