"""`race` for people."""

import click
from asking_race import ask

from deepgrep.reports.text.race import race_text

SOURCE = """
    import threading
    flag = False
    lock = threading.Lock()
    def trace():
        global flag
        old = flag
        flag = True
        work()
        flag = old
    def look():
        with lock:
            print(flag)
    def work(): pass
    def set_flag(x):
        global flag
        flag = x
"""


def shown(target: str = "m.flag", source: str = SOURCE, roots: tuple[str, ...] = (), width: int = 100) -> list[str]:
    return click.unstyle(race_text(ask(source, target, roots), width)).splitlines()


def block(lines: list[str], start: str) -> list[str]:
    """The lines from the one that starts so to the next empty one."""
    first = lines.index(next(line for line in lines if line.startswith(start)))
    return lines[first : lines.index("", first)]


def test_first_line_is_the_verdict_and_the_worst_of_it():
    assert shown()[0] == "can-interleave   two threads can interleave on m.flag: it can stay True for ever"


def test_head_says_what_the_state_is_and_was_at_first():
    assert block(shown(), "state") == [
        "state     m.flag  (module global, one for the whole process)",
        "at first  False  m.py:3",
        "threads   any public function on any thread: 2 lead to a write, 2 to a read",
        "locks     none is held at all accesses",
    ]


def test_an_interleaving_is_told_step_by_step():
    assert block(shown(), "restores that cross") == [
        "restores that cross",
        "  thread A in trace, thread B in trace: it stays True when both are done",
        "      A  m.py:7   saves False  trace",
        "      A  m.py:8   writes True  trace",
        "      B  m.py:7   saves True  trace",
        "      B  m.py:8   writes True  trace",
        "      A  m.py:10  restores False  trace",
        "      B  m.py:10  restores True  trace",
    ]


def test_a_read_in_a_window_says_what_it_may_see():
    assert block(shown(), "reads while a window is open") == [
        "reads while a window is open",
        "  while trace holds it at True from m.py:8 to :10",
        "      m.py:13  look reads it holding m.lock",
    ]


def test_a_write_in_a_window_is_undone():
    assert block(shown(), "writes while a window is open")[1:] == [
        "  while trace holds it at True from m.py:8 to :10",
        "      m.py:17  set_flag writes x without a lock",
    ]


def test_other_writes_say_what_they_meet():
    assert block(shown(), "writes without a window")[1:] == [
        "  m.py:17  set_flag",
        "      writes x without a lock",
        "      also written by m.py:17 set_flag",
        "      while it is read by m.py:13 look",
    ]


def test_a_window_says_what_is_called_in_it():
    assert block(shown(), "windows")[1:] == [
        "  m.py:8 to :10  trace holds it at True",
        "      saved at :7, without a lock; calls 1 function meanwhile: work",
    ]


def test_every_place_is_listed_with_what_leads_there():
    assert block(shown(), "3 places write") == [
        "3 places write",
        "  m.py:8  trace",
        "      writes True without a lock",
        "      from m.trace (itself)",
        "  m.py:10  trace",
        "      restores old without a lock",
        "  m.py:17  set_flag",
        "      writes x without a lock",
        "      from m.set_flag (itself)",
    ]


def test_what_no_public_function_leads_to_says_so():
    source = SOURCE.replace("def trace", "def _trace")
    assert block(shown(source=source), "3 places write")[3] == "      no public function leads here"


def test_roots_are_named():
    assert block(shown(roots=("trace", "look")), "state")[2:4] == ["threads   m.trace", "          m.look"]


def test_what_is_separate_says_so_first():
    source = "import threading\ntls = threading.local()\ndef set(): tls.on = True\n"
    assert shown("m.tls", source)[0] == "separate   two threads cannot interleave on m.tls: each thread has its own"


def test_lines_fit_the_width():
    assert all(len(line) <= 60 for line in shown(width=60)[1:])
