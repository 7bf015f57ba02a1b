"""Stored queries over many versions: on this machine and on a cluster, with the same result."""

import io
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

import deepgrep
from deepgrep.api import many_versions
from deepgrep.errors import DeepgrepError
from deepgrep.indexing.cluster import Cluster
from deepgrep.questions.answers import Verdict
from deepgrep.questions.stored import typed_query
from deepgrep.questions.sweep import SweepAnswer

QUERIES = [typed_query("torch.f", "torch.state"), typed_query("torch.g", "torch.state")]
CALLS = """
    state = None
    def write():
        global state
        state = 1
    def f():
        {f}
    def g():
        {g}
"""


def version(folder: Path, name: str, f: str = "pass", g: str = "pass") -> str:
    """A torch in a folder of its own."""
    package = folder / name / "torch"
    package.mkdir(parents=True)
    lines = CALLS.format(f=f, g=g).split("\n")
    (package / "__init__.py").write_text("\n".join(line[4:] for line in lines))
    return str(package)


def sweep(folder: Path, versions: list[str], **options: object) -> SweepAnswer:
    return deepgrep.sweep(QUERIES, versions, cache_dir=folder / "cache", **options)


def verdicts(answer: SweepAnswer) -> list[list[Verdict | None]]:
    return [[one.verdict for one in query.answers] for query in answer.queries]


def test_verdicts_come_by_query_and_version(tmp_path: Path) -> None:
    versions = [version(tmp_path, "a"), version(tmp_path, "b", f="write()"), version(tmp_path, "c", f="write()")]
    answer = sweep(tmp_path, versions)
    assert verdicts(answer) == [
        [Verdict.EXCLUDED, Verdict.REACHES, Verdict.REACHES],
        [Verdict.EXCLUDED, Verdict.EXCLUDED, Verdict.EXCLUDED],
    ]
    assert [(change.query, change.version) for change in answer.changes] == [(0, 1)]
    assert [one.reached for one in answer.queries[0].answers] == [0, 1, 1]


def test_versions_in_the_cache_are_answered_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = [version(tmp_path, "a"), version(tmp_path, "b", f="write()")]
    first = sweep(tmp_path, versions)
    monkeypatch.setattr("deepgrep.api.many_versions.gather", lambda *_: pytest.fail("indexed again"))
    assert sweep(tmp_path, versions) == first


def test_version_that_cannot_be_had_is_part_of_the_answer(tmp_path: Path) -> None:
    versions = [version(tmp_path, "a"), str(tmp_path / "absent"), version(tmp_path, "b", f="write()")]
    answer = sweep(tmp_path, versions)
    assert "no such file or folder" in answer.versions[1].error
    assert verdicts(answer)[0] == [Verdict.EXCLUDED, None, Verdict.REACHES]
    assert [(change.query, change.version) for change in answer.changes] == [(0, 2)]


def test_query_that_means_nothing_in_a_version_says_so(tmp_path: Path) -> None:
    older = version(tmp_path, "a")
    (Path(older) / "__init__.py").write_text("state = 1\n")
    answer = sweep(tmp_path, [older, version(tmp_path, "b")])
    assert verdicts(answer)[0] == [None, Verdict.EXCLUDED]
    assert "torch.f" in answer.queries[0].answers[0].error
    assert answer.changes


def test_script_is_a_root_as_well(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import torch\ntorch.f()\n")
    versions = [version(tmp_path, "a"), version(tmp_path, "b", f="write()")]
    queries = [typed_query(str(script), "torch.state"), *QUERIES]
    answer = deepgrep.sweep(queries, versions, cache_dir=tmp_path / "cache")
    assert [row[1] for row in verdicts(answer)] == [Verdict.REACHES, Verdict.REACHES, Verdict.EXCLUDED]


def test_damaged_graph_is_made_again(tmp_path: Path) -> None:
    import sqlite3

    versions = [version(tmp_path, "a")]
    first = sweep(tmp_path, versions)
    with sqlite3.connect(tmp_path / "cache" / "deepgrep.sqlite3") as database:
        database.execute("UPDATE sections SET data = x'00'")
    database.close()
    warnings: list[str] = []
    assert sweep(tmp_path, versions, warn=warnings.append) == first
    assert len(warnings) == 1


def test_queries_are_a_list() -> None:
    with pytest.raises(DeepgrepError, match="it is a list of queries"):
        deepgrep.sweep("name", ["2.13"])


# on a cluster


@pytest.fixture(scope="module")
def scheduler() -> Iterator["object"]:
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        yield cluster


def test_cluster_gives_the_same_bytes_though_a_worker_is_killed(tmp_path: Path, scheduler) -> None:
    versions = [version(tmp_path, f"v{number}", **({"f": "write()"} if number % 2 else {})) for number in range(10)]
    expected = sweep(tmp_path, versions)
    victim = next(iter(scheduler.workers.values())).pid
    killed = []

    def kill() -> None:
        os.kill(victim, signal.SIGKILL)
        killed.append(victim)

    class Watched(io.StringIO):
        """Kills a worker once versions are being linked."""

    soon = 0.2
    timer = threading.Timer(soon, kill)
    timer.start()
    begun = time.monotonic()
    answer = deepgrep.sweep(
        QUERIES, versions, cache_dir=tmp_path / "other", scheduler=scheduler.scheduler_address, progress=Watched()
    )
    took = time.monotonic() - begun
    timer.join()
    assert killed
    assert took > soon, "the work was over before the worker was killed"
    assert msgspec.json.encode(answer) == msgspec.json.encode(expected)


def test_file_that_ends_its_workers_is_skipped_on_a_cluster(tmp_path: Path, scheduler) -> None:
    deep = version(tmp_path, "deep")
    (Path(deep) / "deep.py").write_text(f"x = {'(' * 50_000}1{')' * 50_000}\n")
    expected = sweep(tmp_path, [deep])
    answer = deepgrep.sweep(QUERIES, [deep], cache_dir=tmp_path / "other", scheduler=scheduler.scheduler_address)
    assert answer == expected


def test_scheduler_that_is_not_there_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deepgrep.indexing.cluster._PATIENCE", 1)
    with pytest.raises(DeepgrepError, match=r"--scheduler tcp://127\.0\.0\.1:9: no scheduler answers there"):
        sweep(tmp_path, [version(tmp_path, "a")], scheduler="tcp://127.0.0.1:9")


def test_nothing_is_waited_for_where_there_is_no_scheduler(tmp_path: Path) -> None:
    arguments = ["--reach", "torch.f", "torch.state", "--versions", version(tmp_path, "a"), "--scheduler", "nowhere"]
    run = [sys.executable, "-m", "deepgrep", "sweep", *arguments, "--cache-dir", str(tmp_path)]
    ended = subprocess.run(run, capture_output=True, text=True, timeout=30, check=False)
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1


def test_work_that_is_lost_with_its_scheduler_is_one_clear_line() -> None:
    cluster = Cluster(SimpleNamespace(get_executor=lambda pure: None), "tcp://10.0.0.1:8786")
    future: Future[None] = Future()
    future.cancel()
    future.set_running_or_notify_cancel()
    with pytest.raises(DeepgrepError, match=r"cluster tcp://10\.0\.0\.1:8786: its scheduler does not answer any more"):
        cluster.result_of(future)


def test_dask_prints_nothing_of_its_own(tmp_path: Path, scheduler) -> None:
    logging.getLogger("distributed.client").setLevel(logging.WARNING)
    sweep(tmp_path, [version(tmp_path, "a")], scheduler=scheduler.scheduler_address)
    assert not logging.getLogger("distributed.client").isEnabledFor(logging.ERROR)


def test_process_that_was_killed_before_the_next_version_is_one_clear_line() -> None:
    with ProcessPoolExecutor(1) as pool:
        with pytest.raises(BrokenProcessPool):
            pool.submit(os._exit, 1).result()
        with pytest.raises(DeepgrepError, match="a process that linked was killed"):
            many_versions._submit_here(pool, None, [])
