"""What holds for every verb: help, errors, exit statuses."""

import functools
import signal
import subprocess
import sys
from types import SimpleNamespace

import click
import pytest

import deepgrep as package
from deepgrep.cli import ending, main
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


@pytest.mark.parametrize("interrupt", [click.Abort, KeyboardInterrupt])
def test_interrupt_leaves_with_130_and_no_traceback(monkeypatch, capfd, interrupt):
    monkeypatch.setattr(ending, "app", raising(interrupt()))
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 130
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are otherwise there")
def test_ctrl_c_ends_a_running_process_silently():
    code = """
import time, types
import deepgrep.cli, deepgrep.cli.ending
def work(**_):
    print("working", flush=True)
    time.sleep(60)
deepgrep.cli.ending.app = types.SimpleNamespace(main=work)
deepgrep.cli.main()
"""
    pipe = subprocess.PIPE
    # Whoever started the tests may ignore the signal.
    default = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen([sys.executable, "-c", code], stdout=pipe, stderr=pipe, preexec_fn=default) as child:
        assert child.stdout.readline() == b"working\n"
        child.send_signal(signal.SIGINT)
        assert child.stderr.read() == b""
        assert child.wait() == 130


def test_start_imports_nothing_heavy():
    heavy = ["networkx", "libcst", "rich", "graphviz", "torch"]
    code = (
        "import sys; "
        "import deepgrep.cli.ending, deepgrep.cli.reach, deepgrep.cli.analysis, deepgrep.reports.text.reach; "
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
