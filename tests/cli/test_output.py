import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from deepgrep.cli.output import complain, show, warn, width
from deepgrep.errors import DeepgrepError

COLOURED = click.style("reaches", fg="green") + " naïve\n"

SETUP = """
import sys
import click
from deepgrep.cli.output import show
from deepgrep.errors import DeepgrepError
text = click.style("reaches", fg="green") + " na\\xefve\\n"
"""


def piped(code: str, **environment: str) -> bytes:
    """What a process writes when its stdout is a pipe."""
    command = [sys.executable, "-c", SETUP + code]
    return subprocess.run(command, stdout=subprocess.PIPE, env={**os.environ, **environment}, check=True).stdout


def in_terminal(code: str, **environment: str) -> bytes:
    """What a process writes when its stdout is a terminal."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", SETUP + code]
    with subprocess.Popen(command, stdout=theirs, env={**os.environ, **environment}) as child:
        child.wait()
    os.close(theirs)
    written = os.read(ours, 10_000)
    os.close(ours)
    return written


def test_pipe_gets_no_escape_codes():
    assert piped("show(text)") == "reaches naïve\n".encode()


def test_terminal_gets_colour_unless_no_color_is_set():
    code = "show(click.style('reaches', fg='green'))"
    assert in_terminal(code, NO_COLOR="") == b"\x1b[32mreaches\x1b[0m"
    assert in_terminal(code, NO_COLOR="1") == b"reaches"


def test_file_gets_no_escape_codes(tmp_path):
    show(COLOURED, tmp_path / "answer.txt")
    assert (tmp_path / "answer.txt").read_bytes() == "reaches naïve\n".encode()


def test_bytes_are_written_as_they_are(tmp_path, capfdbinary):
    show(b"\x89PNG\r\n", tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes() == b"\x89PNG\r\n"
    show(b"\x89PNG\r\n")
    assert capfdbinary.readouterr().out == b"\x89PNG\r\n"


def test_character_that_the_output_cannot_show_is_escaped():
    assert piped(r"show('\u2192\n')", PYTHONIOENCODING="latin-1") == b"\\u2192\n"


def test_file_that_cannot_be_written_is_an_error(tmp_path):
    missing = tmp_path / "missing" / "answer.txt"
    with pytest.raises(DeepgrepError, match=r"cannot write .*answer.txt: No such file or directory"):
        show("x", missing)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits there")
def test_a_file_that_cannot_be_written_whole_stays_what_it_was(tmp_path):
    (tmp_path / "answer.txt").write_text("before")
    code = f"""
import resource
from pathlib import Path
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))
try:
    show("x" * 100_000, Path({str(tmp_path / "answer.txt")!r}))
except DeepgrepError as error:
    print(error)
"""
    assert piped(code).decode().endswith("answer.txt: File too large\n")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("answer.txt", "before")]


def test_a_file_that_is_replaced_keeps_its_permissions_and_the_link_to_it(tmp_path):
    (tmp_path / "real.txt").write_text("before")
    (tmp_path / "real.txt").chmod(0o640)
    (tmp_path / "link.txt").symlink_to("real.txt")
    show("after", tmp_path / "link.txt")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "after"
    assert (tmp_path / "real.txt").stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everything")
def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path):
    (tmp_path / "answer.txt").write_text("before")
    (tmp_path / "answer.txt").chmod(0o444)
    with pytest.raises(DeepgrepError, match="Permission denied"):
        show("after", tmp_path / "answer.txt")
    assert (tmp_path / "answer.txt").read_text() == "before"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes there")
def test_a_pipe_is_written_into_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE) as reader:
        show("answer", tmp_path / "pipe")
        assert reader.communicate(timeout=20)[0] == b"answer"
    assert not (tmp_path / "pipe").is_file()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_disk_behind_stdout_is_an_error_not_an_answer():
    code = """
try:
    show("x" * 100_000)
except DeepgrepError as error:
    sys.exit(str(error))
"""
    with open("/dev/full", "wb") as full:
        done = subprocess.run([sys.executable, "-c", SETUP + code], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.stderr == b"cannot write to stdout: No space left on device\n"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close otherwise there")
@pytest.mark.parametrize("size", [10, 1_000_000])
def test_closed_pipe_is_silent_and_not_an_answer(size):
    command = [sys.executable, "-c", f"{SETUP}sys.stdin.read()\nshow('x' * {size})"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as child:
        child.stdout.close()
        child.stdin.close()
        assert child.stderr.read() == b""
        assert child.wait() == 141


def test_messages_keep_their_lines_but_no_escape_codes_of_analyzed_names(capfd):
    complain("several functions are called f:\n  pkg.\x1b[31mf")
    warn("\x1b]0;title\x07")
    assert capfd.readouterr().err == (
        "deepgrep: several functions are called f:\n  pkg.\ufffd[31mf\ndeepgrep: warning: \ufffd]0;title\ufffd\n"
    )


def test_pipes_and_files_have_100_columns(capfd):
    assert width() == 100
