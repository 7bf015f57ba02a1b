"""What holds for every verb: help, errors, exit statuses."""

import contextlib
import signal
import subprocess
import sys
import textwrap
from types import SimpleNamespace

import pytest

import deepgrep as package
from deepgrep.cli import ending
from deepgrep.cli.ending import run
from deepgrep.errors import DeepgrepError

ANALYZING = ["reach", "effects", "grep", "race", "accesses", "states", "callers", "callees", "run", "check", "export"]
VERBS = [*ANALYZING, "queries"]


def app_that(behaviour):
    return SimpleNamespace(main=lambda **_: behaviour())


def raising(error):
    def behaviour():
        raise error

    return app_that(behaviour)


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_every_verb_has_an_example_and_the_exit_statuses(deepgrep, verb):
    outcome = deepgrep(verb, "--help")
    assert outcome.code == 0
    assert f"Example:\n    deepgrep {verb} " in outcome.out
    assert "Exit status:\n    0  " in outcome.out
    assert "    2  error; one line on stderr says what to do" in outcome.out


@pytest.mark.parametrize("verb", ANALYZING)
def test_every_verb_that_analyzes_takes_the_options_that_say_what_to_analyze(deepgrep, verb):
    text = deepgrep(verb, "--help").out
    assert all(option in text for option in ["--source", "--python", "--cache-dir", "DEEPGREP_CACHE_DIR", "--jobs"])


def test_version(deepgrep):
    outcome = deepgrep("--version")
    assert (outcome.code, outcome.out) == (0, f"deepgrep, version {package.__version__}\n")


def test_no_verb_shows_the_help_and_is_an_error(deepgrep):
    outcome = deepgrep()
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("Usage: deepgrep")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["find"], "No such command 'find': see deepgrep --help"),
        (["reach", "f"], "Missing argument 'TARGET': see deepgrep reach --help"),
        (["reach", "f", "g", "--format", "png"], "--format png needs -o FILE: see deepgrep reach --help"),
        (
            ["callees", "f", "--depth", "0"],
            "Invalid value for '--depth': '0' is neither a number from 1 on nor 'all': see deepgrep callees --help",
        ),
        (
            ["states", "--cache-dir", ""],
            "Invalid value for '--cache-dir' (env var: 'DEEPGREP_CACHE_DIR'): the folder has no name: give one, or "
            "leave the option out: see deepgrep states --help",
        ),
    ],
)
def test_wrong_arguments_are_one_line_and_status_2(deepgrep, arguments, line):
    outcome = deepgrep(*arguments)
    assert (outcome.code, outcome.out, outcome.err) == (2, "", f"deepgrep: {line}\n")


def test_error_for_the_user_is_one_line_and_status_2(monkeypatch, capfd):
    monkeypatch.setattr(ending, "app", raising(DeepgrepError("no function is called f: did you mean g?")))
    assert run() == 2
    assert capfd.readouterr() == ("", "deepgrep: no function is called f: did you mean g?\n")


def test_defect_of_deepgrep_is_never_taken_for_an_answer(monkeypatch, capfd):
    monkeypatch.setattr(ending, "app", raising(ZeroDivisionError("by zero")))
    assert run() == 2
    error = capfd.readouterr().err
    assert "ZeroDivisionError: by zero" in error
    assert error.splitlines()[-1] == "deepgrep: internal error: please report it with the lines above"


def test_memory_that_runs_out_is_one_line(monkeypatch, capfd):
    monkeypatch.setattr(ending, "app", raising(MemoryError()))
    assert run() == 2
    assert capfd.readouterr().err == "deepgrep: not enough memory: free some, and run the command again\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell that closes streams")
@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        ("--help >&-", 2, "deepgrep: cannot write to stdout: Bad file descriptor\n"),
        ("reach --help >&-", 2, "deepgrep: cannot write to stdout: Bad file descriptor\n"),
        ("--help >/dev/full", 2, "deepgrep: cannot write to stdout: No space left on device\n"),
        ("--version >/dev/full", 2, "deepgrep: cannot write to stdout: No space left on device\n"),
        ("reach f 2>&-", 2, ""),
        ("reach f 2>/dev/full", 2, ""),
        ("reach f >&- 2>&-", 2, ""),
    ],
)
def test_what_cannot_be_written_is_an_error_and_no_answer(command, status, said):
    shell = ["sh", "-c", f'exec "$0" -m deepgrep {command}', sys.executable]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", said)


@pytest.mark.parametrize("code", [0, 1])
def test_status_is_what_the_verb_returns(monkeypatch, code):
    monkeypatch.setattr(ending, "app", app_that(lambda: code))
    assert run() == code


@pytest.mark.skipif(sys.platform == "win32", reason="signals are otherwise there")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_request_to_end_is_answered_silently_after_what_is_half_done_was_removed(sent, tmp_path):
    with working(f"""
try:
    print("working", flush=True)
    time.sleep(60)
finally:
    open({str(tmp_path / "removed")!r}, "x").close()
""") as child:
        child.send_signal(sent)
        assert child.communicate(timeout=20) == (b"", b"")
        assert child.returncode == 128 + sent
    assert (tmp_path / "removed").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are otherwise there")
def test_interrupt_that_python_loses_ends_the_process_all_the_same():
    # In a finalizer, as in callbacks of the import system, an exception is printed and goes no further.
    with working("""
class Lost:
    def __del__(self):
        print("working", flush=True)
        time.sleep(60)

Lost()
time.sleep(60)
""") as child:
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=20) == (b"", b"")
        assert child.returncode == 130


@pytest.mark.skipif(sys.platform == "win32", reason="signals are otherwise there")
def test_hangup_that_was_ignored_from_the_beginning_stays_so():
    with working('print("working", flush=True); sys.stdin.read(); print("done")', ignored=signal.SIGHUP) as child:
        child.send_signal(signal.SIGHUP)
        assert child.communicate(timeout=20) == (b"done\n", b"")


@contextlib.contextmanager
def working(code: str, ignored: signal.Signals | None = None):
    """The command line, whose work is some code that prints a line first."""
    program = f"""
import sys, time, types
import deepgrep.cli, deepgrep.cli.ending
def work(**_):
{textwrap.indent(code, "    ")}
deepgrep.cli.ending.app = types.SimpleNamespace(main=work)
deepgrep.cli.main()
"""

    def set_signals() -> None:  # whoever started the tests may ignore them
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN if number == ignored else signal.SIG_DFL)

    pipe = subprocess.PIPE
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, preexec_fn=set_signals) as child:
        assert child.stdout.readline() == b"working\n"
        yield child


def test_start_imports_nothing_heavy():
    heavy = ["networkx", "libcst", "rich", "graphviz", "torch"]
    code = (
        "import sys; "
        "import deepgrep.cli.ending, deepgrep.cli.reach, deepgrep.cli.analysis, deepgrep.reports.text.reach; "
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_nothing_is_imported_before_interrupts_are_quiet():
    code = "import sys; before = set(sys.modules); import deepgrep.cli; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['__future__', 'deepgrep', 'deepgrep.cli', 'deepgrep.errors', 'gc']\n"
