from __future__ import annotations

import os
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from asking import Deepgrep

CHECKOUT = Path(__file__).parents[2]
SHARED = CHECKOUT.parent / "shared"
VERSION = "2.13.0"


@pytest.fixture(scope="session")
def deepgrep(tmp_path_factory: pytest.TempPathFactory) -> Deepgrep:
    """Index the installed torch, once; in DEEPGREP_TEST_CACHE where that is set, so that later runs find it there."""
    try:
        torch = distribution("torch")
    except PackageNotFoundError:
        pytest.skip("torch is not installed: pip install '.[torch]'")
    if torch.version.partition("+")[0] != VERSION:
        pytest.skip(f"the answers expected here are those about torch {VERSION}, and {torch.version} is installed")
    cache = os.environ.get("DEEPGREP_TEST_CACHE") or str(tmp_path_factory.mktemp("cache"))
    environment = {**os.environ, "DEEPGREP_CACHE_DIR": cache, "PYTHONPATH": str(CHECKOUT)}
    ready = Deepgrep(environment, Path(str(torch.locate_file(""))))
    ready.run("accesses", "torch._dynamo.config.recompile_limit")
    return ready


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of known cases and recorded calls that lies beside the checkout where the project is developed."""
    if not SHARED.is_dir():
        pytest.skip(f"{SHARED} is not there: it holds the cases and recordings that this test compares with")
    return SHARED
