"""Answers of `diff` about small programs, in which everything that a report shows is there."""

from __future__ import annotations

from asking_diff import ask, version

from deepgrep.questions.changes import changes
from deepgrep.questions.changes_answers import ChangesAnswer
from deepgrep.questions.diff import Compared, compare
from deepgrep.questions.diff_answers import DiffAnswer
from deepgrep.questions.diff_sides import Question

BEFORE = """
import threading

_flag = False
_lock = threading.Lock()


def set_it():
    global _flag
    _flag = True


def old_name():
    a = 1
    b = [a, a]
    c = {a: b}
    set_it()
    return c


def goes():
    set_it()


def keeps(deep):
    set_it()


class Base:
    def run(self):
        pass


class Child(Base):
    pass


def root(it: Base, deep):
    goes()
    old_name()
    keeps(deep)
    Child()
    it.run()


def looks_back():
    global _flag
    _flag = 3
"""
AFTER = (
    BEFORE.replace("    goes()\n", "")
    .replace("old_name", "new_name")
    .replace(
        "def keeps(deep):\n    set_it()", "def keeps(deep):\n    with _lock:\n        if deep:\n            set_it()"
    )
    .replace(
        "class Child(Base):\n    pass",
        "class Child(Base):\n    def run(self):\n        also()\n\n\ndef also():\n    global _flag\n    _flag = 2",
    )
    .replace("def looks_back():\n    global _flag\n    _flag = 3\n", "")
)
QUESTION = Question("m.root", "m._flag", paths=6)


def compared() -> Compared:
    return compare(version(BEFORE), version(AFTER), QUESTION)


def answer() -> DiffAnswer:
    return compared().answer


def null_answer() -> DiffAnswer:
    """An answer of two null results."""
    text = "_flag = False\n\ndef set_it():\n    global _flag\n    _flag = True\n\ndef root(fn):\n    {}\n"
    return ask(text.format("pass"), text.format("fn.set_it()"))


def all_changes() -> ChangesAnswer:
    return changes(version(BEFORE), version(AFTER))
