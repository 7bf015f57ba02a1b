"""Callables in attributes: they are there once the code that assigns them has run."""

from linked import link_sources

_KEPT = """
    def hook(): pass
    class Runner:
        def __init__(self): self.hook = None
        def use(self): self.hook = hook
        def run(self): {run}
"""


def _requires(run: str) -> set[str]:
    return link_sources(_KEPT.format(run=run)).requires("Runner.run", "hook")


def test_what_an_attribute_holds_requires_what_assigns_it():
    assert _requires("self.hook()") == {"Runner.use"}


def test_through_a_local_variable():
    assert _requires("h = self.hook; h()") == {"Runner.use"}


def test_a_function_that_is_called_by_its_name_too_requires_nothing():
    assert _requires("self.hook(); hook()") == set()


def test_what_may_come_from_elsewhere_requires_nothing():
    graph = link_sources("""
        def hook(): pass
        class Runner:
            def use(self): self.hook = hook
            def run(self, given=hook):
                h = self.hook or given
                h()
    """)
    assert graph.requires("Runner.run", "hook") == set()


def test_a_method_that_the_class_has_anyhow_requires_nothing():
    graph = link_sources("""
        class Runner:
            def step(self): pass
            def patch(self):
                before = self.step
                self.step = before
            def run(self): self.step()
    """)
    assert graph.requires("Runner.run", "Runner.step") == set()


def test_what_a_module_body_assigns_requires_nothing():
    graph = link_sources("""
        def hook(): pass
        class Runner:
            def __init__(self): self.hook = None
            def run(self): self.hook()
        runner = Runner()
        runner.hook = hook
    """)
    assert graph.requires("Runner.run", "hook") == set()
