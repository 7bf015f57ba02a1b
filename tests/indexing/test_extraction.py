"""Many files at once, and no file can take the run along."""

import hashlib
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deepgrep import facts
from deepgrep.errors import DeepgrepError
from deepgrep.indexing import extraction
from deepgrep.indexing.extraction import Extracted, Unread, extract_files, unpack_facts

# Where workers are copies of this process, they share what is patched in it.
forked = pytest.mark.skipif(multiprocessing.get_start_method() != "fork", reason="workers do not see what is patched")


def write(folder: Path, name: str, text: str) -> Unread:
    path = folder / name
    path.write_text(text)
    return Unread(path, hashlib.sha256(path.read_bytes()).hexdigest())


def extract(files: list[Unread], jobs: int = 2, known: frozenset[bytes] = frozenset()) -> dict[str, Extracted]:
    return {result.digest: result for results in extract_files(files, known, jobs) for result in results}


def unpacked(result: Extracted) -> facts.ModuleFacts:
    """The facts in a result that has all pieces."""
    return unpack_facts(result.facts, [result.new[key] for key in result.facts.keys])


def patch_extract(monkeypatch: pytest.MonkeyPatch, marker: bytes, action) -> None:
    """Let the extractor do something else with files that contain a marker."""
    real = facts.extract_pieces
    monkeypatch.setattr(facts, "extract_pieces", lambda data, known: action() if marker in data else real(data, known))


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_file_gives_the_facts_that_it_gives_alone(tmp_path: Path, jobs: int) -> None:
    files = [write(tmp_path, f"f{number}.py", f"def f{number}(): return g()\n" * 20) for number in range(100)]
    results = extract(files, jobs)
    assert len(results) == 100
    for file in files:
        assert unpacked(results[file.digest]) == facts.extract(file.path.read_bytes())


def test_known_pieces_are_not_made_again(tmp_path: Path) -> None:
    before = write(tmp_path, "before.py", "x = 1\ndef f():\n    g()\ndef h():\n    g()\n")
    after = write(tmp_path, "after.py", "x = 1\ndef f():\n    g()\ndef h():\n    f()\n")
    first = extract([before])[before.digest]
    second = extract([after], known=frozenset(first.new))[after.digest]
    assert len(second.new) == 1
    contents = first.new | second.new
    assert unpack_facts(second.facts, [contents[key] for key in second.facts.keys]) == facts.extract(
        after.path.read_bytes()
    )


def test_file_that_cannot_be_parsed_has_a_reason(tmp_path: Path) -> None:
    bad = write(tmp_path, "bad.py", "def (:\n")
    result = extract([bad])[bad.digest]
    assert result.facts is None
    assert "\n" not in result.reason.strip()
    assert result.reason


def test_file_that_is_nested_too_deeply_has_a_reason_and_the_others_their_facts(tmp_path: Path) -> None:
    deep = write(tmp_path, "deep.py", f"x = {'(' * 50_000}1{')' * 50_000}\n")
    good = [write(tmp_path, f"good{number}.py", f"x = {number}\n") for number in range(5)]
    results = extract([deep, *good])
    assert results[deep.digest].reason
    assert all(results[file.digest].facts for file in good)


@forked
def test_file_that_crashes_its_process_is_found_and_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    patch_extract(monkeypatch, b"crash", lambda: os.kill(os.getpid(), signal.SIGTRAP))
    bad = [write(tmp_path, f"bad{number}.py", f"crash = {number}\n") for number in range(3)]
    good = [write(tmp_path, f"good{number}.py", f"x = {number}\n" * 1_000) for number in range(20)]
    results = extract([*bad, *good])
    assert {results[file.digest].reason for file in bad} == {"the parser crashed: nested too deeply?"}
    assert all(results[file.digest].facts for file in good)


@forked
def test_worker_that_is_killed_once_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flag = tmp_path / "killed"

    def kill_once() -> tuple[facts.Pieces, dict[bytes, bytes]]:
        if not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return real(b"")

    real = facts.extract_pieces
    patch_extract(monkeypatch, b"kill", kill_once)
    file = write(tmp_path, "mod.py", "kill = 1\n")
    assert extract([file])[file.digest].facts


@forked
@pytest.mark.parametrize("ended_by", [signal.SIGKILL, signal.SIGABRT])
def test_worker_that_runs_out_of_memory_again_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ended_by: signal.Signals
) -> None:
    patch_extract(monkeypatch, b"kill", lambda: os.kill(os.getpid(), ended_by))
    with pytest.raises(
        DeepgrepError, match=r"mod\.py: the process that read it was killed, as happens when memory runs"
    ):
        extract([write(tmp_path, "mod.py", "kill = 1\n")])


@pytest.mark.parametrize("failure", [OSError(24, "Too many open files"), NotImplementedError("no semaphores")])
def test_without_a_pool_of_processes_a_single_one_does_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr("deepgrep.indexing.processes.ProcessPoolExecutor", refuse)
    files = [write(tmp_path, f"f{number}.py", f"x = {number}\n") for number in range(3)]
    assert all(result.facts for result in extract(files).values())


def test_no_process_at_all_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr("deepgrep.indexing.processes.ProcessPoolExecutor", refuse)
    monkeypatch.setattr(extraction, "Pipe", refuse)
    with pytest.raises(DeepgrepError, match=r"no process can be started to read the files in \(Too many open files\)"):
        extract([write(tmp_path, "mod.py", "x = 1\n")])


@forked
def test_failure_of_the_extractor_itself_is_reported_for_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patch_extract(monkeypatch, b"odd", lambda: {}["missing"])
    odd = write(tmp_path, "odd.py", "odd = 1\n")
    good = write(tmp_path, "good.py", "x = 1\n")
    results = extract([odd, good])
    assert results[odd.digest].reason == "deepgrep failed on it: KeyError: 'missing'"
    assert results[good.digest].facts


@pytest.mark.parametrize("change", ["edited", "deleted"])
def test_file_that_changed_since_it_was_listed_is_one_clear_line(tmp_path: Path, change: str) -> None:
    file = write(tmp_path, "mod.py", "x = 1\n")
    if change == "edited":
        file.path.write_text("x = 2\n")
    else:
        file.path.unlink()
    with pytest.raises(DeepgrepError, match=r"mod\.py: changed while it was being read: run the command again"):
        extract([file])


@forked
def test_no_process_is_left_when_the_work_is_broken_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    patch_extract(monkeypatch, b"slow", lambda: time.sleep(60))
    monkeypatch.setattr(extraction, "_CHUNK_BYTES", 20)
    files = [write(tmp_path, "first.py", "x = 1\n" * 100)]
    files += [write(tmp_path, f"slow{number}.py", f"slow = {number}\n") for number in range(5)]
    before = set(multiprocessing.active_children())
    results = extract_files(files, frozenset(), 2)
    next(results)
    results.close()
    deadline = time.monotonic() + 30
    while set(multiprocessing.active_children()) - before and time.monotonic() < deadline:
        time.sleep(0.01)
    # A child of an earlier test may end in the meantime: only new ones count.
    assert not set(multiprocessing.active_children()) - before


def test_largest_files_come_first_in_portions_of_similar_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extraction, "_CHUNK_BYTES", 100)
    files = [write(tmp_path, f"{size}.py", "#" * size) for size in (10, 300, 40, 50, 60)]
    chunks = [[file.path.stem for file in chunk] for chunk in extraction.portions(files)]
    assert chunks == [["300"], ["60"], ["50", "40", "10"]]


_SLOW = """
import hashlib, sys, time
from pathlib import Path
from deepgrep import facts
from deepgrep.indexing.extraction import Unread, extract_files

def slow(data, known):
    Path(sys.argv[1], "started").touch()
    time.sleep(60)

facts.extract_pieces = slow
files = []
for number in range(10):
    path = Path(sys.argv[1], f"f{number}.py")
    path.write_text(f"x = {number}")
    files.append(Unread(path, hashlib.sha256(path.read_bytes()).hexdigest()))
try:
    list(extract_files(files, frozenset(), 2))
except KeyboardInterrupt:
    print("interrupted")
"""


def _started(folder: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", _SLOW, str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Whoever started the tests may ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 30
    while not (folder / "started").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    return process


@forked
@pytest.mark.parametrize("send", [os.killpg, os.kill], ids=["to all, as Ctrl-C does", "to the parent alone"])
def test_interrupt_ends_all_at_once_and_silently(tmp_path: Path, send) -> None:
    process = _started(tmp_path)
    send(process.pid, signal.SIGINT)
    # The work itself takes a minute. Ending takes a moment, or longer where others keep the machine busy.
    output, errors = process.communicate(timeout=30)
    assert (output, errors) == ("interrupted\n", "")
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


@forked
def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    process = _started(tmp_path)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.02)
    else:
        os.killpg(process.pid, signal.SIGKILL)
        pytest.fail("workers went on without their parent")
    process.communicate()
