from __future__ import annotations

from asking_diff import Sources, version
from sketch import Sketch

from deepgrep.graph.rows import Certainty
from deepgrep.questions.changes import changes
from deepgrep.questions.changes_answers import ChangesAnswer, StateDiff
from deepgrep.questions.diff_answers import Change
from deepgrep.questions.reached_states import with_certain_calls

SET = "_flag = False\n\ndef set_it():\n    global _flag\n    _flag = True\n\ndef start():\n    set_it()\n"


def compare(before: Sources, after: Sources) -> ChangesAnswer:
    return changes(version(before), version(after))


def only(answer: ChangesAnswer) -> StateDiff:
    (row,) = answer.states
    return row


def test_the_same_code_is_the_same() -> None:
    answer = compare(SET, f"\n\n{SET}")
    assert (answer.same, answer.states, answer.states_before, answer.states_after) == (True, [], 1, 1)


def test_state_that_is_new_is_given_with_its_writers_and_the_public_functions_that_change_it() -> None:
    row = only(compare("def set_it(): pass\n\ndef start():\n    set_it()\n", SET))
    assert (row.change, row.after and row.after.name) == (Change.NEW, "m._flag")
    assert row.writers_new == ["m.set_it"]
    assert row.functions_new == ["m.set_it", "m.start"]


def test_state_that_is_gone_is_given_as_it_was() -> None:
    row = only(compare(SET, "def set_it(): pass\n\ndef start():\n    set_it()\n"))
    assert (row.change, row.before and row.before.name, row.after) == (Change.GONE, "m._flag", None)
    assert (row.writers_gone, row.functions_gone) == (["m.set_it"], ["m.set_it", "m.start"])


def test_another_kind_and_scope_of_a_state_are_told() -> None:
    after = (
        "from contextvars import ContextVar\n_flag = ContextVar('flag')\n\n"
        "def set_it():\n    _flag.set(True)\n\ndef start():\n    set_it()\n"
    )
    row = only(compare(SET, after))
    assert (row.change, row.what) == (Change.CHANGED, ["kind", "scope"])
    assert [(one.kind, one.scope) for one in (row.before, row.after) if one] == [
        ("module global", "process"),
        ("context variable", "context"),
    ]


def test_another_writer_is_told() -> None:
    row = only(compare(SET, f"{SET}\ndef _more():\n    global _flag\n    _flag = 3\n"))
    assert (row.what, row.writers_new, row.writers_gone) == (["writers"], ["m._more"], [])


def test_a_writer_that_was_only_renamed_is_no_change() -> None:
    def program(name: str) -> str:
        lines = ["global _flag", "a = 1", "b = a + 1", "_flag = b", "return [a, b]"]
        return f"_flag = 0\n\ndef {name}():\n" + "".join(f"    {line}\n" for line in lines)

    assert compare(program("_set"), program("_put")).same


def test_a_call_between_public_functions_and_a_writer_changes_their_effects_and_not_the_writers() -> None:
    answer = compare(SET.replace("def start():\n    set_it()", "def start():\n    pass"), SET)
    row = only(answer)
    assert (row.what, row.functions_new, row.functions_gone) == (["functions"], ["m.start"], [])
    assert (answer.changed_functions, answer.public_functions) == ({"m.start": 1}, 2)


def test_a_state_that_moved_is_one_that_changed() -> None:
    answer = compare({"m": SET, "n": ""}, {"m": "", "n": SET})
    row = only(answer)
    assert (row.change, row.what[0]) == (Change.CHANGED, "name")
    assert [one.name for one in (row.before, row.after) if one] == ["m._flag", "n._flag"]
    assert any("that is gone is taken for one that is new" in note for note in answer.notes)


def test_packages_are_counted_and_those_that_concern_the_most_public_functions_come_first() -> None:
    quiet = "_a = 0\n\ndef _set():\n    global _a\n    _a = 1\n\ndef _more():\n    global _a\n    _a = 2\n"
    answer = compare({"a": "", "m": SET.replace("    set_it()\n", "    pass\n")}, {"a": quiet, "m": SET})
    assert [(one.package, one.new, one.functions, one.public_functions) for one in answer.packages] == [
        ("m", 0, 1, 1),
        ("a", 1, 0, 0),
    ]
    assert [row.package for row in answer.states] == ["m", "a"]


def test_what_a_function_has_is_its_own_and_that_of_all_it_certainly_calls() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:a", "m:b", "m:a")  # a and b call each other
    sketch.edge("m:b", "m:c")
    sketch.edge("m:root", "m:unsure", certainty=Certainty.FLOW)
    sketch.edge("m:root", "m:needs", requires=("m:other",))
    owns = {"m:root": 1, "m:c": 2, "m:unsure": 4, "m:needs": 8, "m:b": 16}
    bits = with_certain_calls(sketch.graph(), {sketch.index(name): own for name, own in owns.items()})
    assert {name: bits[sketch.index(name)] for name in ("m:root", "m:a", "m:b", "m:c", "m:unsure")} == {
        "m:root": 1 | 2 | 16,
        "m:a": 2 | 16,
        "m:b": 2 | 16,
        "m:c": 2,
        "m:unsure": 4,
    }


def test_a_chain_of_any_length_is_followed() -> None:
    sketch = Sketch()
    names = [f"m:f{number}" for number in range(5000)]
    sketch.chain(*names)
    bits = with_certain_calls(sketch.graph(), {sketch.index(names[-1]): 1})
    assert bits[sketch.index(names[0])] == 1
