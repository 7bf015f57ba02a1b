"""Client code: test code inside the package uses the rest, and is nothing that the rest uses."""

from linked import Linked, link_sources


def _link(test: str, library: str) -> Linked:
    return link_sources(
        {
            "torch": "",
            "torch.testing": "",
            "torch.testing._internal": "",
            "torch.testing._internal.case": test,
            "m": library,
        }
    )


_CASE = "torch.testing._internal.case"


def test_what_client_code_hands_to_the_library_is_not_what_that_calls():
    graph = _link(
        """
        import m
        def hook(): pass
        def test():
            m.register(hook)
            m.handler = hook
            m.Holder.field = hook
            m.call_all()
        """,
        """
        hooks = []
        handler = None
        class Holder:
            field = None
        def register(hook): hooks.append(hook)
        def own(): pass
        def call_all():
            register(own)
            for hook in hooks: hook()
            if handler: handler()
            Holder.field()
        """,
    )
    assert "own" in graph.callees("call_all")
    assert graph.blind_spots("call_all") == set()
    assert f"{_CASE}.hook" not in graph.reached(f"{_CASE}.test") | graph.reached("call_all")
    assert "call_all" in graph.callees(f"{_CASE}.test")


def test_the_calls_of_client_code_are_followed():
    graph = _link(
        """
        import m
        class Case:
            def setUp(self): self.value = m.make()
            def test(self): self.value.run()
        def test(): Case().test()
        """,
        """
        class A:
            def run(self): pass
        def make(): return A()
        """,
    )
    assert graph.reached(f"{_CASE}.test") >= {f"{_CASE}.Case.test", "A.run"}


def test_a_subclass_in_client_code_overrides_nothing():
    graph = _link(
        """
        from m import Base
        class Fake(Base):
            def run(self): pass
        def test(): Fake().run()
        """,
        """
        class Base:
            def run(self): pass
        class Sub(Base):
            def run(self): pass
        def f(base: Base): base.run()
        """,
    )
    assert graph.callees("f") == {"Base.run", "Sub.run"}
    assert graph.callees(f"{_CASE}.test") == {f"{_CASE}.Fake.run"}


def test_client_code_may_hand_functions_to_itself():
    graph = _link(
        """
        hooks = []
        def hook(): pass
        def test():
            hooks.append(hook)
            call_all()
        def call_all():
            for hook in hooks: hook()
        """,
        "",
    )
    assert f"{_CASE}.hook" in graph.callees(f"{_CASE}.call_all")


def test_a_helper_of_the_library_calls_what_client_code_hands_it_for_that_call():
    graph = _link(
        """
        import m
        def hook(): pass
        def test(): m.apply(hook)
        """,
        """
        def apply(function): function()
        def own(): pass
        def f(): apply(own)
        """,
    )
    assert f"{_CASE}.hook" in graph.reached(f"{_CASE}.test")
    assert f"{_CASE}.hook" not in graph.reached("f")


def test_other_modules_of_testing_are_part_of_the_library():
    graph = link_sources(
        {
            "torch": "",
            "torch.testing": "import m\ndef hook(): pass\nm.hooks.append(hook)",
            "m": "hooks = []\ndef f():\n    for hook in hooks: hook()",
        }
    )
    assert graph.callees("f") == {"torch.testing.hook"}
