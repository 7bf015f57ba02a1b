"""What can interleave on a state, and why not."""

import msgspec
import pytest
from asking_race import ask, kinds, places

from deepgrep.errors import DeepgrepError
from deepgrep.questions.race_answers import PairKind, RaceVerdict

TWO_WINDOWS = """
    import contextlib
    flag = False
    def trace():
        global flag
        old = flag
        flag = True
        try:
            work()
        finally:
            flag = old
    @contextlib.contextmanager
    def scope():
        global flag
        saved = flag
        flag = False
        try:
            yield
        finally:
            flag = saved
    def run():
        with scope():
            work()
    def work(): pass
    def is_on():
        return flag
    def look():
        if is_on():
            work()
"""


def test_two_windows_that_cross_are_found_step_by_step():
    answer = ask(TWO_WINDOWS, "flag")
    assert answer.verdict is RaceVerdict.CAN_INTERLEAVE
    assert [(step.thread, step.line, step.does, step.value) for step in answer.interleavings[0].steps] == [
        ("A", 6, "saves", "False"),
        ("A", 7, "writes", "True"),
        ("B", 15, "saves", "True"),
        ("B", 16, "writes", "False"),
        ("A", 11, "restores", "False"),
        ("B", 20, "restores", "True"),
    ]
    assert (answer.interleavings[0].left, answer.interleavings[0].is_stuck) == ("True", True)


def test_a_window_crosses_itself_on_two_threads():
    answer = ask(TWO_WINDOWS, "flag")
    assert places(answer, PairKind.RESTORES_CROSS) == {("trace", "scope"), ("trace", "trace"), ("scope", "scope")}
    assert [one.is_stuck for one in answer.interleavings] == [True, True, False]


def test_who_calls_a_function_that_only_returns_the_state_reads_in_the_window():
    answer = ask(TWO_WINDOWS, "flag")
    assert places(answer, PairKind.READ_IN_WINDOW) == {("trace", "look"), ("scope", "look")}
    (getter,) = [row for row in answer.accesses if row.function == "m.is_on"]
    assert getter.handed_on
    (reader,) = [row for row in answer.accesses if row.through]
    assert (reader.function, reader.line, reader.through) == ("m.look", 28, "m.is_on")


def test_the_initial_value_is_no_write_and_is_told():
    answer = ask(TWO_WINDOWS, "flag")
    assert (answer.state.initial, answer.state.initial_line) == ("False", 3)
    assert all(not row.at_import for row in answer.accesses)


def test_written_values_are_those_of_the_source():
    answer = ask(TWO_WINDOWS, "flag")
    assert [(row.line, row.value) for row in answer.accesses if row.access == "write"] == [
        (7, "True"), (11, "old"), (16, "False"), (20, "saved"),
    ]  # fmt: skip


def test_a_lock_around_the_windows_keeps_them_apart():
    answer = ask(
        """
        import threading
        lock = threading.Lock()
        flag = False
        def trace():
            global flag
            with lock:
                old = flag
                flag = True
                try:
                    pass
                finally:
                    flag = old
        """,
        "flag",
    )
    assert (answer.verdict, answer.locked_pairs, answer.common_locks) == (RaceVerdict.LOCKED, 1, ["m.lock"])
    assert answer.pairs == []


def test_a_lock_that_is_taken_twice_does_not_span_the_window():
    answer = ask(
        """
        import threading
        lock = threading.Lock()
        flag = False
        def trace():
            global flag
            with lock:
                old = flag
                flag = True
            work()
            with lock:
                flag = old
        def work(): pass
        """,
        "flag",
    )
    assert answer.common_locks == ["m.lock"]
    assert [window.locks for window in answer.windows] == [[]]
    assert kinds(answer) == [PairKind.RESTORES_CROSS]


def test_a_lock_on_every_path_counts_and_one_on_some_paths_does_not():
    source = """
        import threading
        lock = threading.Lock()
        items = []
        def _add(x): items.append(x)
        def add(x):
            with lock: _add(x)
        def show():
            with lock: print(items)
        {more}
    """
    answer = ask(source.format(more=""), "items")
    assert (answer.verdict, answer.common_locks) == (RaceVerdict.LOCKED, ["m.lock"])
    answer = ask(source.format(more="def quick(x): _add(x)"), "items")
    assert (answer.verdict, answer.common_locks) == (RaceVerdict.CAN_INTERLEAVE, [])
    assert places(answer, PairKind.WRITE_AND_READ) == {("_add", "show")}


def test_a_lock_of_each_object_does_not_protect_what_all_share():
    answer = ask(
        """
        import threading
        count = 0
        class A:
            def __init__(self): self.lock = threading.Lock()
            def add(self):
                global count
                with self.lock: count += 1
        """,
        "m.count",
    )
    assert places(answer, PairKind.READ_THEN_WRITE) == {("add", "add")}
    (write,) = [row for row in answer.accesses if row.access == "write"]
    assert [(lock.name, lock.may_differ) for lock in write.locks] == [("m.A.lock", True)]
    assert any(note.startswith("locks that may differ") for note in answer.notes)


@pytest.mark.parametrize("write", ["count += 1", "count = count + 1"])
def test_what_is_written_from_what_was_read_can_be_lost(write):
    answer = ask(f"count = 0\ndef add():\n    global count\n    {write}\n", "count")
    assert kinds(answer) == [PairKind.READ_THEN_WRITE]


def test_two_threads_that_write_the_same_constant_do_no_harm():
    assert kinds(ask("on = False\ndef f():\n    global on\n    on = True\n", "m.on")) == []
    assert kinds(ask("on = None\ndef f(x):\n    global on\n    on = x\n", "m.on")) == [PairKind.WRITE_AND_WRITE]


def test_what_changes_a_container_is_one_write():
    answer = ask("items = []\ndef add(x): items.append(x)\n", "items")
    assert places(answer, PairKind.WRITE_AND_WRITE) == {("add", "add")}
    assert kinds(answer) == [PairKind.WRITE_AND_WRITE]
    assert [row.value for row in answer.accesses if row.access == "write"] == ["append(x)"]


def test_check_and_act_can_be_interrupted():
    answer = ask(
        """
        cache = None
        def get():
            global cache
            if cache is None:
                cache = make()
            return cache
        def make(): return {}
        """,
        "cache",
    )
    assert places(answer, PairKind.READ_THEN_WRITE) == {("get", "get")}


def test_a_write_outside_is_undone_by_the_restore_of_a_window():
    answer = ask(TWO_WINDOWS + "\n    def set_on():\n        global flag\n        flag = True\n", "flag")
    assert places(answer, PairKind.WRITE_IN_WINDOW) == {("trace", "set_on"), ("scope", "set_on")}


def test_enter_and_exit_are_a_window_over_the_bodies_of_their_withs():
    answer = ask(
        """
        flag = False
        class Mode:
            def __enter__(self):
                global flag
                self.prev = flag
                flag = True
            def __exit__(self, *exc):
                global flag
                flag = self.prev
        def run():
            with Mode():
                work()
        def work(): pass
        """,
        "m.flag",
    )
    (window,) = answer.windows
    assert (window.save_line, window.line, window.end_line, window.value) == (6, 7, 10, "True")
    assert [(use.function, use.line, use.calls) for use in window.uses] == [("m.run", 12, ["m.work"])]


def test_the_window_of_a_generator_is_open_in_the_bodies_of_those_who_enter_it():
    source = TWO_WINDOWS.replace("def run():", "@contextlib.contextmanager\n    def run():").replace(
        "with scope():\n            work()", "with scope():\n            work()\n            yield"
    )
    answer = ask(source + "\n    def main():\n        with run():\n            look()\n", "flag")
    (scope,) = [window for window in answer.windows if window.function == "m.scope"]
    assert [(use.function, use.calls) for use in scope.uses] == [("m.run", ["m.work"]), ("m.main", ["m.look"])]


def test_a_value_that_is_popped_from_where_it_was_pushed_is_a_restore():
    answer = ask(
        """
        flag = False
        class Mode:
            def __init__(self): self.saved = []
            def __enter__(self):
                global flag
                self.saved.append(flag)
                flag = flag or self.is_infra()
            def __exit__(self, *exc):
                global flag
                flag = self.saved.pop()
            def is_infra(self): return True
        """,
        "m.flag",
    )
    assert [(window.save_line, window.line, window.end_line) for window in answer.windows] == [(7, 8, 11)]


def test_a_window_that_only_saves_puts_back_what_another_thread_wrote():
    answer = ask(
        TWO_WINDOWS
        + "\n    def keep():\n        global flag\n        kept = flag\n        work()\n        flag = kept\n",
        "flag",
        roots=("trace", "keep"),
    )
    assert [(step.thread, step.line, step.does, step.value) for step in answer.interleavings[0].steps] == [
        ("A", 6, "saves", "False"),
        ("A", 7, "writes", "True"),
        ("B", 33, "saves", "True"),
        ("A", 11, "restores", "False"),
        ("B", 35, "restores", "True"),
    ]


def test_what_a_setter_returned_is_put_back():
    answer = ask(
        """
        import signal
        def run(handler):
            old = signal.signal(signal.SIGINT, handler)
            work()
            signal.signal(signal.SIGINT, old)
        def work(): pass
        """,
        "signal.handlers",
    )
    assert [(window.save_line, window.line, window.end_line) for window in answer.windows] == [(4, 4, 6)]


def test_two_windows_that_only_save_do_not_cross():
    source = """
    flag = False
    def keep():
        global flag
        kept = flag
        work()
        flag = kept
    def work(): pass
    """
    answer = ask(source, "flag")
    assert [window.writes for window in answer.windows] == [False]
    assert PairKind.RESTORES_CROSS not in kinds(answer)


def test_parts_of_one_object_are_saved_apart():
    answer = ask(
        """
        class Flags: pass
        flags = Flags()
        def run():
            one = flags.one
            two = flags.two
            flags.one = 1
            flags.two = 2
            flags.one = one
            flags.two = two
        """,
        "m.flags",
    )
    assert [(window.save_line, window.line, window.end_line) for window in answer.windows] == [(5, 7, 9), (6, 8, 10)]


def test_different_parts_of_one_state_do_not_meet():
    answer = ask(
        """
        meta = {}
        def one():
            old = meta.get("one")
            meta["one"] = 1
            work()
            meta["one"] = old
        def two():
            if "two" in meta:
                work()
        def all():
            print(meta)
        def work(): pass
        """,
        "m.meta",
    )
    assert [(window.line, window.part, window.value) for window in answer.windows] == [(5, "['one']", "1")]
    assert places(answer, PairKind.READ_IN_WINDOW) == {("one", "all")}


def test_a_window_says_what_is_called_in_it():
    (trace, _) = sorted(ask(TWO_WINDOWS, "flag").windows, key=lambda window: window.line)
    assert trace.calls == ["m.work"]


def test_a_thread_local_is_separate_and_what_it_does_not_protect_is_said():
    answer = ask(
        """
        import threading
        tls = threading.local()
        def set(): tls.on = True
        def get(): print(tls.on)
        """,
        "m.tls",
    )
    assert (answer.verdict, answer.pairs) == (RaceVerdict.SEPARATE, [])
    assert answer.notes[0].startswith("each thread has a value of its own")
    assert any("asyncio" in note for note in answer.notes)


def test_a_context_variable_is_separate_and_what_it_does_not_protect_is_said():
    answer = ask(
        """
        import contextvars
        mode = contextvars.ContextVar("mode", default=0)
        def run():
            token = mode.set(1)
            try:
                print(mode.get())
            finally:
                mode.reset(token)
        """,
        "m.mode",
    )
    assert (answer.verdict, answer.pairs) == (RaceVerdict.SEPARATE, [])
    assert any(note.startswith("a copied context") for note in answer.notes)
    assert [(window.line, window.end_line, window.value) for window in answer.windows] == [(5, 9, "1")]


def test_what_nothing_writes_after_import_is_not_shared():
    answer = ask("LIMIT = 8\ndef f(): return g(LIMIT)\ndef g(x): pass\n", "LIMIT")
    assert answer.verdict is RaceVerdict.NOT_SHARED


def test_of_two_roots_only_what_each_reaches_counts():
    answer = ask(TWO_WINDOWS, "flag", roots=("m.trace", "m.run"))
    assert places(answer, PairKind.RESTORES_CROSS) == {("trace", "scope")}
    assert [root.name for root in answer.roots] == ["m.trace", "m.run"]
    assert [(one.first_root, one.second_root) for one in answer.interleavings] == [(0, 1)]
    assert {tuple(row.roots) for row in answer.accesses} == {(0,), (1,)}
    (scope,) = [window for window in answer.windows if window.function == "m.scope"]
    assert [(entry.name, entry.distance, entry.certainty) for entry in scope.entries] == [("m.run", 1, "certain")]


def test_one_root_runs_on_all_threads():
    answer = ask(TWO_WINDOWS, "flag", roots=("m.trace",))
    assert places(answer, PairKind.RESTORES_CROSS) == {("trace", "trace")}


def test_roots_that_do_not_meet_are_not_shared():
    answer = ask(TWO_WINDOWS, "flag", roots=("m.trace", "m.work"))
    assert (answer.verdict, answer.pairs) == (RaceVerdict.NOT_SHARED, [])


def test_a_lock_of_the_root_itself_counts():
    source = """
        import threading
        lock = threading.Lock()
        count = 0
        def add():
            global count
            count += 1
        def one():
            with lock: add()
        def two():
            with lock: add()
    """
    assert ask(source, "count").verdict is RaceVerdict.CAN_INTERLEAVE  # `add` is public
    assert ask(source, "count", roots=("one", "two")).verdict is RaceVerdict.LOCKED


def test_roots_can_be_code():
    answer = ask(TWO_WINDOWS, "flag", roots=("import m; m.trace()", "import m; m.flag = True"))
    assert places(answer, PairKind.WRITE_IN_WINDOW) == {("trace", "<root>")}
    assert [root.name for root in answer.roots] == ["import m; m.trace()", "import m; m.flag = True"]


def test_nearest_public_functions_are_named_as_users_do():
    answer = ask(
        {
            "p": "from p._impl import trace as trace_it, Tracer\n",
            "p._impl": """
                flag = False
                def set_flag():
                    global flag
                    flag = True
                def trace(): set_flag()
                class Tracer:
                    def run(self): trace()
            """,
        },
        "flag",
    )
    (write,) = answer.accesses
    assert [(entry.name, entry.distance) for entry in write.entries] == [("p.trace_it", 1), ("p.Tracer.run", 2)]
    assert answer.writer_entries == 2


def test_an_option_whose_module_stores_it_in_a_context_variable_is_separate():
    answer = ask(
        {
            "p": "",
            "p.config": """
                import sys
                from p.machinery import Config
                limit = 8
                sys.modules[__name__].__class__ = Config
            """,
            "p.machinery": """
                from contextvars import ContextVar
                from types import ModuleType
                values = ContextVar("values")
                class Config(ModuleType):
                    def __setattr__(self, name, value):
                        values.set(value)
            """,
            "p.use": "import p.config\ndef f(): p.config.limit = 9\n",
        },
        "p.config.limit",
    )
    assert (answer.verdict, answer.state.scope) == (RaceVerdict.SEPARATE, "context")
    assert "runs p.machinery.Config.__setattr__, which sets p.machinery.values" in answer.state.scope_reason


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("trace", "m.trace is a function, not a state: name a state that it writes"),
        ("m", "m is a module, not a state: name one of its variables, as m.NAME"),
        ("flagg", "nothing is named 'flagg'"),
    ],
)
def test_what_is_no_state_is_an_error(target, said):
    with pytest.raises(DeepgrepError, match=said):
        ask(TWO_WINDOWS, target)


def test_without_the_source_there_are_no_values_but_all_places():
    from linked import link_sources

    from deepgrep.questions.race import race

    answer = race(link_sources(TWO_WINDOWS).graph(), "flag", lambda root: lambda file, line: None)
    assert kinds(answer) == [PairKind.RESTORES_CROSS, PairKind.READ_IN_WINDOW]
    assert {window.value for window in answer.windows} == {""}


def test_the_same_question_has_the_same_answer():
    first = msgspec.json.encode(ask(TWO_WINDOWS, "flag"))
    assert msgspec.json.encode(ask(TWO_WINDOWS, "flag")) == first
