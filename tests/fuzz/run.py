"""Coverage-guided fuzzing of one parser, by hand.

`python tests/fuzz/run.py NAME [folder of inputs] [-max_total_time=600]`

NAME is that of a file here, `extractor` for `fuzz_extractor.py`; the rest goes to libFuzzer. It needs atheris, which is
no dependency: it has wheels for some Pythons only. What it finds is written to the current folder as `crash-…`: once
the fault is fixed, the input is kept in `tests/fuzz/inputs/NAME`, where a test runs it.
"""

import importlib
import sys
from pathlib import Path

import atheris

HERE = Path(__file__).parent


def main() -> None:
    sys.path.insert(0, str(HERE))
    name = sys.argv.pop(1)
    with atheris.instrument_imports(include=["deepgrep", "tomllib", "configparser", "zipfile"]):
        one_input = importlib.import_module(f"fuzz_{name}").one_input
        # What is imported late is imported, and instrumented, now.
        for path in sorted((HERE / "inputs" / name).glob("*")):
            one_input(path.read_bytes())
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
