"""Make anew what is made from code and real answers: JSON Schemas, reports, pictures, answers in the documents.

    python docs/generate.py            # all of it
    python docs/generate.py --check    # say what is not current, and exit with 1

Needs the torch that the documents speak of, and takes minutes where that is not indexed yet.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
from cogapp import Cog
from schemas import schemas

CHECKOUT = Path(__file__).parents[1]
SCHEMAS = CHECKOUT / "deepgrep" / "reports" / "schemas"
REPORTS = CHECKOUT / "reports"
DOCUMENTS = ("README.md", "docs/*.md", "reports/README.md")
# The stored queries whose reports are shown.
REPORTED = (
    "rng-svd-lowrank",
    "recursion-limit-inductor",
    "inductor-cache-dir-import",
    "fx-tracing-flag-aot",
    "cuda-device-mesh",
    "recursion-limit-dynamo",
    "cuda-init-memory-allocated",
)
PICTURES = {
    "docs/images/push_mode.svg": ("reach", "FakeTensorMode.__enter__", "torch._C._push_on_torch_dispatch_stack"),
}
# A report names the Python that deepgrep ran on, which is no part of the answer.
_PYTHON = re.compile(rb"Python 3\.\d+\.\d+\w*")


@click.command()
@click.option("--check", is_flag=True, help="Change nothing; exit with 1 where something is not current.")
def generate(*, check: bool) -> None:
    """Make anew what is generated."""
    stale = []
    for path, made in [*_schemas(), *_reports(), *_pictures()]:
        kept = path.read_bytes() if path.exists() else b""
        if _comparable(kept) != _comparable(made):
            stale.append(path)
            if not check:
                path.write_bytes(made)
    for path in stale:
        click.echo(f"{path.relative_to(CHECKOUT)}: {'is not current' if check else 'made anew'}")
    if _documents(check=check) or (check and stale):
        sys.exit(1)


def _schemas() -> Iterator[tuple[Path, bytes]]:
    """The JSON Schema of each format."""
    for name, schema in schemas().items():
        yield SCHEMAS / name, schema


def _reports() -> Iterator[tuple[Path, bytes]]:
    """The files of each example report."""
    asked = [argument for name in REPORTED for argument in ("--query", name)]
    with tempfile.TemporaryDirectory() as folder:
        _ask("report", *asked, "-o", folder)
        for made in sorted(Path(folder).iterdir()):
            yield REPORTS / made.name, made.read_bytes()


def _pictures() -> Iterator[tuple[Path, bytes]]:
    """The pictures that the documents show."""
    for path, question in PICTURES.items():
        yield CHECKOUT / path, _ask(*question, "--format", "svg")


def _ask(*arguments: str) -> bytes:
    done = subprocess.run([sys.executable, "-P", "-m", "deepgrep", *arguments], capture_output=True, check=False)
    if done.returncode not in {0, 1}:
        raise click.ClickException(done.stderr.decode().strip())
    return done.stdout


def _documents(*, check: bool) -> int:
    """Put real answers into the documents where they name them; 0 if all are current, or now made so."""
    files = [str(path) for pattern in DOCUMENTS for path in sorted(CHECKOUT.glob(pattern))]
    how = ["--check", "--diff"] if check else ["-r"]
    status: int = Cog().main(["cog", "-P", "-I", str(CHECKOUT / "docs"), *how, *files])
    return status


def _comparable(content: bytes) -> bytes:
    return _PYTHON.sub(b"Python 3", content)


if __name__ == "__main__":
    generate()
