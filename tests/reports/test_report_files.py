"""What reports are called, what repeats them, and how they come onto the disk."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest
from report_examples import REACHES

from deepgrep.errors import DeepgrepError
from deepgrep.questions.filters import NO_FILTERS, Filters
from deepgrep.reports.provenance import repeating_command
from deepgrep.reports.report import Report, marker
from deepgrep.reports.report_files import write_report
from deepgrep.reports.report_name import question_id, report_name, safe_name

HOSTILE = [
    "../../etc/passwd",
    "/etc/passwd",
    "..",
    ".",
    "",
    "-rf",
    "a\x00b",
    "a\nb",
    "x" * 10_000,
    "é",
    "con:",
    "a b",
    '"',
]


def name(root: str = "start", target: str = "_flag", access: str | None = None, **filters: object) -> str:
    return report_name(root, target, access, Filters(**filters))


def test_a_name_says_what_was_asked() -> None:
    assert name("Tracer.trace", "_is_fx_tracing_flag") == "Tracer.trace--_is_fx_tracing_flag"


def test_what_a_file_name_cannot_hold_is_left_out_and_told_apart_by_digits() -> None:
    assert name("torch.compile(f)(x)", "os.environ[A]").startswith("torch.compile-f-x--os.environ-A-")
    assert name("f(x)") != name("f[x]")


@pytest.mark.parametrize("text", HOSTILE)
def test_any_name_is_a_file_of_the_folder(text: str) -> None:
    for made in (name(text, "_flag"), name("start", text), safe_name(text)):
        assert Path(made).name == made
        assert made.isascii()
        assert set(made).isdisjoint('/\\:*?"<>| \0\n')
        assert not made.startswith((".", "-"))
        assert len(made) < 150


def test_other_questions_have_other_names() -> None:
    names = [
        name(),
        name(access="read"),
        name(access="write"),
        name(exclude=("a",)),
        name(avoid=("a",)),
        name(assume=("a=1",)),
        name(certainty="certain"),
        name(max_length=3),
        name(testing=True),
        name("start--_flag", "x"),
        name("start", "_flag--x"),
    ]
    assert len(set(names)) == len(names)


def test_the_command_is_quoted_for_a_shell_and_says_all_of_the_question() -> None:
    filters = Filters(
        assume=("a=1", "defaults"), certainty="dispatch", max_length=9, testing=True, assume_env=("A=b c",)
    )
    command = repeating_command(["f(x, 'y')", "os.environ[A]"], "read", 7, filters, ["--source", "mine"])
    assert shlex.split(command) == [
        *("deepgrep", "report", "f(x, 'y')", "os.environ[A]", "--access", "read", "--paths", "7"),
        *("--certainty", "dispatch", "--max-length", "9", "--testing", "--assume", "a=1", "--assume", "defaults"),
        *("--assume-env", "A=b c", "--source", "mine"),
    ]


def test_what_cannot_be_seen_in_the_command_is_an_escape_that_a_shell_reads() -> None:
    root = "f('\u202e\x1b[31m\u2028\\n', $x)\n"
    command = repeating_command([root, "a\nb"], None, None, NO_FILTERS, [])
    assert command.replace("\n", "").isprintable()
    assert "'a\nb'" in command
    read = subprocess.run(
        ["bash", "-c", f"deepgrep() {{ printf '%s\\0' \"$@\"; }}; {command}"], capture_output=True, check=True
    )
    assert read.stdout.decode().split("\0") == ["report", root, "a\nb", ""]


def test_the_command_of_a_stored_query_is_its_name() -> None:
    assert repeating_command(["--query", "a-b"], None, None, NO_FILTERS, []) == "deepgrep report --query a-b"


def test_a_root_that_looks_like_an_option_is_none() -> None:
    assert (
        repeating_command(["-x", "f"], None, None, NO_FILTERS, ["--source", "m"])
        == "deepgrep report --source m -- -x f"
    )


QUESTION = question_id("start", "_flag", None, NO_FILTERS)


def report(question: str = QUESTION, **files: bytes) -> Report:
    contents = {"md": f"text\n{marker(question)}\n".encode(), **files}
    return Report("r", question, REACHES, {f"r.{suffix}": data for suffix, data in contents.items()}, ())


def listed(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_all_files_are_written_into_a_folder_that_is_made(tmp_path: Path) -> None:
    made = report(html=b"page", svg=b"drawing")
    written = write_report(made, tmp_path / "a" / "b")
    assert written == [tmp_path / "a" / "b" / f"r.{suffix}" for suffix in ("md", "html", "svg")]
    assert listed(tmp_path / "a" / "b") == made.files


def test_a_report_to_the_same_question_is_replaced_and_leaves_nothing_of_itself(tmp_path: Path) -> None:
    write_report(report(html=b"old", svg=b"old"), tmp_path)
    made = report(html=b"new", dot=b"new")
    write_report(made, tmp_path)
    assert listed(tmp_path) == made.files


@pytest.mark.parametrize("existing", ["r.md", "r.html", "r.svg", "r.dot"])
def test_what_is_no_report_to_the_same_question_is_never_replaced(tmp_path: Path, existing: str) -> None:
    (tmp_path / existing).write_text("mine")
    with pytest.raises(DeepgrepError, match=r"is there, and not a report of this question: remove it, or name another"):
        write_report(report(html=b"new"), tmp_path)
    assert listed(tmp_path) == {existing: b"mine"}


@pytest.mark.parametrize("existing", ["r.md", "r.html", "r.svg"])
def test_nothing_is_replaced_where_one_of_the_files_is_none(tmp_path: Path, existing: str) -> None:
    write_report(report(html=b"old", svg=b"old"), tmp_path)
    (tmp_path / existing).unlink()
    os.mkfifo(tmp_path / existing)
    with pytest.raises(DeepgrepError, match=r"is there, and not a report of this question"):
        write_report(report(html=b"new", svg=b"new"), tmp_path)
    assert b"new" not in [path.read_bytes() for path in tmp_path.iterdir() if path.is_file()]


def test_the_report_to_another_question_is_not_replaced(tmp_path: Path) -> None:
    write_report(report("0123"), tmp_path)
    with pytest.raises(DeepgrepError, match=r"not a report of this question"):
        write_report(report("4567"), tmp_path)


def test_nothing_is_left_where_a_file_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_bytes = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if b"large" in data:
            raise OSError(28, "No space left on device")
        return write_bytes(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(DeepgrepError, match=r"cannot write the report r into .*: No space left on device"):
        write_report(report(html=b"large"), tmp_path)
    assert listed(tmp_path) == {}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may search every folder")
def test_a_folder_that_may_not_be_searched_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir(mode=0o600)
    with pytest.raises(DeepgrepError, match=r"cannot write the report r into .*f: Permission denied"):
        write_report(report(), tmp_path / "f")


def test_a_folder_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    with pytest.raises(DeepgrepError, match=r"cannot make the folder .*f: File exists: -o DIR names another"):
        write_report(report(), tmp_path / "f")
