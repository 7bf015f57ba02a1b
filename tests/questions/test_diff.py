from __future__ import annotations

from itertools import pairwise
from textwrap import dedent

import pytest
from asking_diff import ask, only, paths

from deepgrep.errors import DeepgrepError
from deepgrep.questions.answers import Verdict
from deepgrep.questions.diff_answers import Change, Reason
from deepgrep.questions.filters import Filters

SET = """
    _flag = False

    def set_it():
        global _flag
        _flag = True
"""


def test_the_same_code_on_other_lines_is_the_same() -> None:
    before = f"{SET}\n    def root():\n        set_it()\n"
    answer = ask(before, f"\n\n\n    # moved down\n{before}")
    assert answer.same
    assert [path.change for path in answer.paths] == [Change.SAME]
    assert [one.change for one in answer.accesses] == [Change.SAME]
    assert (answer.before.verdict, answer.after.verdict) == (Verdict.REACHES, Verdict.REACHES)


def test_a_call_that_was_added_makes_a_path_new_and_its_line_is_shown() -> None:
    answer = ask(f"{SET}\n    def root():\n        pass\n", f"{SET}\n    def root():\n        set_it()\n")
    assert not answer.same
    assert answer.after.verdict is Verdict.REACHES
    path = only(answer, Change.NEW)
    (differs,) = path.differs
    assert (differs.reason, differs.hop) == (Reason.CALL, 0)
    assert differs.why == "a call of m.set_it was added to m.root"
    assert differs.before is None
    assert differs.after is not None
    assert (differs.after.file, differs.after.line, differs.after.text) == ("m.py", 9, "set_it()")
    assert differs.after.address == "https://code.example/m.py#L9"
    assert not path.otherwise


def test_a_call_that_was_removed_makes_a_path_gone() -> None:
    answer = ask(f"{SET}\n    def root():\n        set_it()\n", f"{SET}\n    def root():\n        pass\n")
    (differs,) = only(answer, Change.GONE).differs
    assert differs.why == "a call of m.set_it was removed from m.root"
    assert (differs.before and differs.before.text, differs.after) == ("set_it()", None)


def test_a_line_that_was_changed_is_shown_as_it_was_and_as_it_is() -> None:
    both = f"{SET}\n    def other(x):\n        pass\n"
    answer = ask(
        f"{both}\n    def root():\n        return other(set_up=1)\n",
        f"{both}\n    def root():\n        return set_it(set_up=1)\n",
    )
    (differs,) = only(answer, Change.NEW).differs
    assert differs.why == "this line of m.root was changed: the call of m.set_it was added to it"
    assert differs.before is not None
    assert differs.before.text == "return other(set_up=1)"


def test_a_new_function_is_named_with_where_it_is_defined() -> None:
    before = f"{SET}\n    def root():\n        return 1\n"
    after = f"{SET}\n    def step():\n        set_it()\n\n    def root():\n        step()\n        return 1\n"
    (differs,) = only(ask(before, after), Change.NEW).differs
    assert (differs.reason, differs.why) == (Reason.FUNCTION, "m.step is new, and is called here")
    assert differs.definition is not None
    assert differs.definition.text == "def step():"


CLASSES = f"""{SET}
    class Base:
        def run(self):
            pass

    class Child(Base):
        {{}}

    def root(it: Base):
        Child()
        it.run()
"""


def test_a_new_override_is_told_from_a_new_call() -> None:
    after = CLASSES.format("def run(self):\n            set_it()")
    (differs,) = only(ask(CLASSES.format("pass"), after), Change.NEW).differs
    assert differs.reason is Reason.OVERRIDE
    assert differs.why == "m.Child overrides run now: the line is the same, and goes on to that"
    assert differs.before is not None
    assert differs.before.text == "it.run()"


def test_a_path_that_an_override_took_the_place_of_is_gone_for_that() -> None:
    both = f"""{SET}
    class Base:
        def run(self):
            set_it()

    class Child(Base):
        {{}}

    def root():
        Child().run()
    """
    answer = ask(both.format("pass"), both.format("def run(self):\n            pass"))
    (differs,) = only(answer, Change.GONE).differs
    assert differs.reason is Reason.OVERRIDE
    assert differs.why == "m.Child overrides run now: the line is the same, and goes on to that instead"
    assert differs.definition is not None
    assert differs.definition.text == "def run(self):"


def test_a_class_that_is_new_is_named_as_a_whole() -> None:
    before = f"""{SET}
    class Base:
        def run(self): pass

    def make():
        return Base()

    def root(it: Base):
        make()
        it.run()
    """
    child = (
        "class Child(Base):\n        def run(self):\n            set_it()\n\n    def make():\n        return Child()"
    )
    after = before.replace("def make():\n        return Base()", child)
    (differs,) = only(ask(before, after), Change.NEW).differs
    assert differs.reason is Reason.CLASS
    assert differs.why == "class m.Child is new: the line is the same, and goes on to its run too"


def test_a_class_with_another_base_is_the_reason_for_a_call_of_its_method() -> None:
    both = f"""{SET}
    class Base:
        def run(self): pass

    class Child({{}}):
        def run(self):
            set_it()

    def root(it: Base):
        Child()
        it.run()
    """
    (differs,) = only(ask(both.format(""), both.format("Base")), Change.NEW).differs
    assert (differs.reason, differs.why) == (Reason.BASES, "m.Child is a subclass of m.Base")


def test_what_a_call_requires_and_nothing_made_before_is_the_reason() -> None:
    both = f"""{SET}
    class Base:
        def run(self): pass

    class Child(Base):
        def run(self):
            set_it()

    def elsewhere():
        return Child()

    def anywhere():
        return Base()

    def root(it: Base):
        {{}}
        it.run()
    """
    (differs,) = only(ask(both.format("pass"), both.format("Child()")), Change.NEW).differs
    assert differs.reason is Reason.REQUIREMENT
    assert differs.why.startswith("the call is there in both; in one nothing that is reached meets what it requires")


def test_a_write_that_was_added_is_the_last_hop_that_differs() -> None:
    looks = "_flag = False\n\ndef looks():\n    return _flag\n\n"
    before = f"{looks}def step():\n    pass\n\ndef root():\n    step()\n"
    after = f"{looks}def step():\n    global _flag\n    _flag = True\n\ndef root():\n    step()\n"
    answer = ask(before, after)
    (differs,) = only(answer, Change.NEW).differs
    assert (differs.hop, differs.reason, differs.why) == (1, Reason.ACCESS, "m.step writes m._flag now")
    assert [(one.change, one.after and one.after.line) for one in answer.accesses] == [(Change.NEW, 8)]


def test_after_a_call_that_differs_the_path_is_gone_on_from_where_both_come_to() -> None:
    before = """
    _flag = False

    def looks(): return _flag

    def far(): pass

    def near():
        far()

    def root():
        near()
    """
    after = """
    _flag = False

    def far():
        global _flag
        _flag = True

    def near():
        far()

    def between():
        near()

    def root():
        between()
    """
    answer = ask(before, after)
    assert paths(answer, Change.NEW) == [["root", "between", "near", "far"]]
    assert [(one.hop, one.reason) for one in only(answer, Change.NEW).differs] == [
        (0, Reason.FUNCTION),
        (3, Reason.ACCESS),
    ]


def test_conditions_and_locks_that_changed_on_a_hop_that_both_have_are_told() -> None:
    both = f"{SET}\n    import threading\n    _lock = threading.Lock()\n\n    def root(deep):\n        {{}}\n"
    answer = ask(
        both.format("if deep:\n            set_it()"),
        both.format("if deep > 1:\n            with _lock:\n                set_it()"),
    )
    (hop,) = answer.hops
    assert (hop.before_conditions, hop.after_conditions) == (["deep"], ["deep > 1"])
    assert (hop.before_locks, hop.after_locks) == ([], ["_lock"])
    assert not answer.same
    assert [path.change for path in answer.paths] == [Change.SAME]


def test_an_assumption_that_only_one_version_looks_at_is_a_reason() -> None:
    both = f"{SET}\n    def root(deep=False):\n        {{}}\n"
    answer = ask(
        both.format("set_it()"),
        both.format("if deep:\n            set_it()"),
        filters=Filters(assume=("defaults",)),
    )
    (differs,) = only(answer, Change.GONE).differs
    assert differs.reason is Reason.CONDITION
    assert "stands under deep, which cannot hold" in differs.why


BODY = """
    a = 1
    b = a + 2
    c = [a, b]
    set_it()
    return c
"""


def _defined(name: str, body: str = BODY) -> str:
    return f"def {name}():" + body.replace("\n", "\n    ") + "\n"


def test_a_function_with_the_same_code_under_another_name_is_the_same() -> None:
    before = f"{SET}\n    {_defined('old')}\n    def root():\n        old()\n"
    answer = ask(before, f"{SET}\n    {_defined('new')}\n    def root():\n        new()\n")
    assert [(one.before, one.after, one.exact) for one in answer.moved] == [("m.old", "m.new", True)]
    assert paths(answer, Change.SAME) == [["root", "new", "set_it"]]
    assert answer.paths[0].moved == {"m.new": "m.old"}
    assert answer.chop is not None
    assert answer.chop.is_same
    assert answer.same


def test_a_function_that_moved_to_another_module_with_small_changes_is_followed() -> None:
    body = BODY.replace("b = a + 2", "b = a + 3")
    before = {
        "m": f"    from n import other\n{SET}\n    {_defined('step')}\n    def root():\n        step()\n",
        "n": "other = 1",
    }
    after = {
        "m": f"    from n import step\n{SET}\n    def root():\n        step()\n",
        "n": f"    from m import set_it\n\n    {_defined('step', body)}\n",
    }
    answer = ask(before, after)
    assert [(one.before, one.after, one.exact) for one in answer.moved] == [("m.step", "n.step", False)]
    assert [path.change for path in answer.paths] == [Change.SAME]


def test_short_functions_that_say_the_same_under_other_names_are_not_taken_for_one() -> None:
    before = f"{SET}\n    def old():\n        set_it()\n\n    def root():\n        old()\n"
    answer = ask(before, before.replace("old", "new"))
    assert answer.moved == []
    assert [path.change for path in answer.paths] == [Change.GONE, Change.NEW]


def test_what_lies_on_paths_is_compared_whole_by_functions_and_edges() -> None:
    def program(*calls: tuple[str, str]) -> str:
        functions = dict.fromkeys(name for call in calls for name in call)
        bodies = {name: [callee for caller, callee in calls if caller == name] for name in functions}
        text = "\n".join(
            f"    def {name}(x):\n" + "".join(f"        {callee}(x)\n" for callee in callees) + "        return x\n"
            for name, callees in bodies.items()
            if name != "set_it"
        )
        return SET.replace("set_it()", "set_it(x)") + "\n" + text

    chain = list(pairwise(["root", "a", "b", "set_it"]))
    answer = ask(program(*chain, ("root", "old"), ("old", "set_it")), program(*chain, ("a", "set_it")))
    chop = answer.chop
    assert chop is not None
    assert (chop.functions_gone, chop.defined_gone, chop.functions_new) == (["m.old"], ["m.old"], [])
    assert [(edge.caller, edge.callee) for edge in chop.edges_new] == [("m.a", "m.set_it")]
    assert (chop.edges_gone, chop.edges_beside_gone, chop.edges_same) == ([], 2, 3)


def test_a_target_that_is_not_there_in_one_version_is_an_answer() -> None:
    answer = ask("def root():\n    pass\n", f"{SET}\n    def root():\n        set_it()\n")
    assert (answer.before.verdict, answer.before.missing) == (None, ["target"])
    assert answer.after.verdict is Verdict.REACHES
    assert not answer.same
    assert answer.chop is None


def test_a_root_that_is_not_there_in_one_version_is_an_answer() -> None:
    answer = ask(f"{SET}\n    def root():\n        set_it()\n", SET)
    assert answer.after.missing == ["root"]
    (differs,) = only(answer, Change.GONE).differs
    assert (differs.reason, differs.why) == (Reason.ROOT, "the root is not there any more")


def test_what_is_in_neither_version_is_an_error_that_says_so() -> None:
    with pytest.raises(DeepgrepError, match=r"the target is in neither version: nothing is named 'm\._nothing'"):
        ask(SET, SET, root="set_it", target="m._nothing")


def test_a_root_that_moved_is_followed_by_its_code() -> None:
    before = f"{SET}\n    {_defined('root')}\n"
    answer = ask(before, f"{SET}\n    {_defined('renamed')}\n")
    assert answer.after.root is not None
    assert answer.after.root.name == "m.renamed"
    assert answer.notes == ["the root m.root is not there in m 1.0: m.renamed has the same code"]
    assert [path.change for path in answer.paths] == [Change.SAME]


def test_a_name_that_means_several_things_in_one_version_means_what_it_does_in_the_other() -> None:
    before = {"m": f"{SET}\n    def root():\n        set_it()\n"}
    after = {**before, "n": "def root():\n    pass\n"}
    answer = ask(before, after, root="root", target="_flag")
    assert answer.same


def test_a_global_that_became_a_context_variable_under_another_name_is_followed() -> None:
    before = f"{SET}\n    def root():\n        set_it()\n"
    after = """
    from contextvars import ContextVar

    _flag_var = ContextVar("flag", default=False)

    def set_it():
        _flag_var.set(True)

    def root():
        set_it()
    """
    answer = ask(before, after)
    assert answer.target is not None
    assert answer.target.after.name == "m._flag_var"
    assert answer.target.what == [
        "it was m._flag, and is m._flag_var",
        "it was a module global, and is a context variable",
        "it was one for each process, and is one for each context",
    ]
    assert [one.change for one in answer.accesses] == [Change.CHANGED]
    assert not answer.same


def test_a_state_that_came_with_a_setter_of_its_own_is_followed() -> None:
    before = f"{SET}\n    def root():\n        set_it()\n"
    after = """
    import threading

    _local = threading.local()

    def store(value):
        _local.flag = value

    def set_it():
        store(True)

    def root():
        set_it()
    """
    answer = ask(before, after)
    assert answer.target is not None
    assert answer.target.after.name == "m._local"
    assert "it was one for each process, and is one for each thread" in answer.target.what


def test_what_a_null_result_rests_on_is_compared() -> None:
    both = f"{SET}\n    def root(fn):\n        {{}}\n"
    answer = ask(both.format("pass"), both.format("fn.set_it()"))
    assert (answer.before.verdict, answer.after.verdict) == (Verdict.EXCLUDED, Verdict.NO_PATH)
    assert [lead.expression for lead in answer.trust.leads_new] == ["fn.set_it"]
    assert not answer.same


def test_an_access_that_is_reached_in_one_version_only_is_changed() -> None:
    answer = ask(f"{SET}\n    def root():\n        pass\n", f"{SET}\n    def root():\n        set_it()\n")
    assert [(one.change, one.what) for one in answer.accesses] == [(Change.CHANGED, ["reached"])]


def test_a_function_that_a_path_ends_in_can_be_reached_otherwise() -> None:
    both = f"{SET}\n    def a():\n        set_it()\n\n    def root():\n        {{}}\n"
    answer = ask(both.format("a()"), both.format("set_it()"))
    assert paths(answer, Change.GONE) == [["root", "a", "set_it"]]
    assert paths(answer, Change.NEW) == [["root", "set_it"]]
    assert all(path.otherwise for path in answer.paths)


def test_the_same_question_gives_the_same_answer_whatever_was_asked_before() -> None:
    before, after = f"{SET}\n    def root():\n        pass\n", f"{SET}\n    def root():\n        set_it()\n"
    assert ask(before, after) == ask(before, after)


def test_where_paths_must_pass_through_something_only_that_differs_and_not_the_access() -> None:
    both = f"{SET}\n    def by_way():\n        {{}}\n\n    def root():\n        by_way()\n        set_it()\n"
    answer = ask(both.format("pass"), both.format("set_it()"), filters=Filters(through=("by_way",)))
    assert [one.reason for one in only(answer, Change.NEW).differs] == [Reason.CALL]
    assert not only(answer, Change.NEW).otherwise


def test_what_a_null_result_rests_on_says_nothing_where_the_other_version_has_a_path() -> None:
    both = f"{SET}\n    def root(fn):\n        {{}}\n"
    answer = ask(both.format("fn.set_it()"), both.format("set_it()"))
    assert answer.trust.is_same


def test_what_is_left_out_and_only_one_version_has_needs_not_be_left_out_in_the_other() -> None:
    before = f"{SET}\n    def root():\n        set_it()\n"
    after = f"{SET}\n    def step():\n        set_it()\n\n    def root():\n        set_it()\n        step()\n"
    answer = ask(before, after, filters=Filters(avoid=("step",)))
    assert answer.notes == ["step, which --avoid leaves out, is not there in m 1.0"]
    assert [path.change for path in answer.paths] == [Change.SAME]
    with pytest.raises(DeepgrepError, match="nothing is named 'nobody'"):
        ask(before, after, filters=Filters(avoid=("nobody",)))


def test_a_class_that_is_gone_is_named_whatever_its_method_is_called() -> None:
    after = f"{SET}\n    def root():\n        pass\n"
    gone = "class Gone:\n        def goes(self):\n            set_it()"
    before = f"{SET}\n    {gone}\n\n    def root():\n        Gone().goes()\n"
    (differs,) = only(ask(before, after), Change.GONE).differs
    assert differs.why == "class m.Gone is gone: its goes was called here"


def test_a_root_that_was_no_function_before_was_not_there() -> None:
    answer = ask(
        f"{SET}\n    root = object()\n\n    def looks(): return root\n", f"{SET}\n    def root():\n        set_it()\n"
    )
    assert answer.before.missing == ["root"]
    assert answer.after.verdict is Verdict.REACHES


def test_a_name_that_only_ends_alike_is_not_followed_where_its_end_means_several_things() -> None:
    before = {"m": SET, "a.x": "def root(): pass\n", "a": ""}
    after = {"m": f"{SET}\n    def root():\n        set_it()\n", "a.x": "def root(): pass\n", "a": ""}
    assert ask(before, after).before.missing == ["root"]


def test_a_function_that_was_on_no_path_before_and_moved_is_not_a_new_one() -> None:
    before = f"{SET}\n    {_defined('old')}\n    def root():\n        pass\n"
    after = f"{SET}\n    {_defined('new')}\n    def root():\n        new()\n"
    answer = ask(before, after)
    assert [(one.before, one.after) for one in answer.moved] == [("m.old", "m.new")]
    (differs,) = only(answer, Change.NEW).differs
    assert (differs.reason, differs.why) == (Reason.CALL, "a call of m.new was added to m.root")


def test_a_call_that_is_less_sure_says_what_else_its_line_can_call() -> None:
    before = """
        _flag = False

        def set_it():
            global _flag
            _flag = True

        def other():
            pass

        def root():
            set_it()
    """
    answer = ask(before, before + "\n        def patch():\n            global set_it\n            set_it = other\n")
    (hop,) = answer.hops
    assert (hop.before_certainty, hop.after_certainty) == ("certain", "flow")
    assert (hop.calls_gone, hop.calls_new) == ([], ["m.other"])


def test_notes_of_a_version_leave_out_the_size_of_what_is_not_compared() -> None:
    diamonds = "\n".join(f"def f{n}():\n    f{n + 1}()\n    g{n}()\n\ndef g{n}():\n    f{n + 1}()\n" for n in range(90))
    source = f"_flag = False\n\ndef root():\n    f0()\n\n{diamonds}\ndef f90():\n    global _flag\n    _flag = True\n"
    side = ask(source, source).after
    assert not side.path_count_exact
    assert side.notes == []


def test_a_place_that_is_given_more_functions_than_are_followed_is_no_difference_of_a_path() -> None:
    registry = """
        _flag = 0
        def set_it():
            global _flag
            _flag = 1
        table = {}
        def register(f):
            table[f.__name__] = f
        def root(key):
            table[key]()
        """

    def program(others: int, last: str) -> str:
        functions = "".join(f"def g{number}(): pass\nregister(g{number})\n" for number in range(others))
        return f"{dedent(registry)}{functions}def h(): set_it()\n{last}\n"

    few, many = program(3, "register(h)"), program(200, "register(h)")
    for before, after in ((few, many), (many, few), (many, many)):
        answer = ask(before, after)
        assert paths(answer, Change.SAME) == [["root", "h", "set_it"]]
        assert answer.hops == []
    path = only(ask(program(200, ""), many), Change.NEW)
    assert [(one.caller, one.callee, one.reason) for one in path.differs] == [("m.root", "m.h", Reason.CALLEES)]
    assert path.differs[0].after_calls[0] == "m.h"
