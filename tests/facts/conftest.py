import sys
from pathlib import Path

# The tests share a module that shows facts as text.
sys.path.insert(0, str(Path(__file__).parent))
