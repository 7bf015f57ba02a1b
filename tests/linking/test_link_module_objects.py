"""Modules whose class is replaced: what reading and assigning their attributes runs."""

from linked import link_sources

_CONFIG = """
    import sys
    import types
    class Nested:
        def __init__(self, module): self.module = module
        def __getattr__(self, name): pass
    class Config(types.ModuleType):
        @property
        def computed(self): pass
        def __getattr__(self, name): pass
    def install(module):
        for key, value in list(module.__dict__.items()):
            if isinstance(value, type):
                setattr(module, key, Nested(module))
            else:
                delattr(module, key)
        class This(Config): pass
        module.__class__ = This
"""


def _linked(options: str, code: str):
    option_module = f"import sys\nfrom base import install\n{options}\ninstall(sys.modules[__name__])"
    return link_sources({"base": _CONFIG, "config": option_module, "m": f"import config\n{code}"})


def test_data_that_was_moved_away_is_asked_for():
    graph = _linked("size = 1", "def f(): return config.size")
    assert graph.edges("f") == {("base.Config.__getattr__", "property", "certain")}


def test_a_function_of_the_module_stays_where_it_is():
    graph = _linked("def run(): pass", "def f(): config.run()")
    assert graph.callees("f") == {"config.run"}


def test_a_property_comes_before_what_the_module_binds():
    graph = _linked("computed = 1", "def f(): return config.computed")
    assert graph.edges("f") == {("base.Config.computed", "property", "certain")}


def test_what_was_assigned_at_unknown_names_may_be_any_attribute():
    graph = _linked("class sub:\n    size = 1", "def f(): return config.sub.depth")
    assert graph.edges("f") == {("base.Nested.__getattr__", "property", "certain")}


def test_the_module_itself_reads_its_own_names_without_asking():
    graph = _linked("size = 1\ndef f(): return size", "")
    assert graph.edges("config.f") == set()


def test_a_module_from_which_nothing_was_moved_is_not_asked():
    graph = link_sources(
        {
            "m": "import config\ndef f(): return config.size",
            "config": """
            import sys, types
            size = 1
            class Config(types.ModuleType):
                def __getattr__(self, name): pass
            sys.modules[__name__].__class__ = Config
        """,
        }
    )
    assert graph.edges("f") == set()


def test_an_object_that_takes_a_modules_place_says_what_its_attributes_do():
    graph = link_sources(
        {
            "a": """
                import sys, types
                def get(): pass
                def put(value): pass
                class Option:
                    def __init__(self, getter, setter): self.getter, self.setter = getter, setter
                    def __get__(self, obj, owner): return self.getter()
                    def __set__(self, obj, value): self.setter(value)
                class Options(types.ModuleType):
                    flag = Option(get, put)
                sys.modules[__name__] = Options(__name__)
                flag: bool
            """,
            "m": """
                import a
                def f(): a.flag = 1
                def g(): return a.flag
            """,
        }
    )
    assert graph.callees("f") == {"a.Option.__set__"}
    assert graph.reached("f") >= {"a.put"}
    assert graph.callees("g") == {"a.Option.__get__"}
    assert graph.reached("g") >= {"a.get"}


def test_of_an_object_in_a_modules_place_a_model_says_what_native_functions_it_gives():
    graph = link_sources(
        {
            "torch": "",
            "torch._VF": """
                import sys, types
                class Functions(types.ModuleType):
                    def __getattr__(self, name): return native(name)
                sys.modules[__name__] = Functions(__name__)
            """,
            "m": "from torch import _VF\ndef f(x): return _VF.dropout(x)",
        }
    )
    assert graph.callees("f") == {"torch._C.<tensor operation>", "torch._VF.Functions.__getattr__"}
