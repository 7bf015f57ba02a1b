"""Config modules: a module whose class is replaced, so that assigning an option runs code."""

import pytest
from linked import link_sources

_CONFIG = """
    import sys
    import types
    from contextlib import ContextDecorator
    size = 1
    other = 2
    class Config(types.ModuleType):
        def __setattr__(self, name, value): pass
        def patch(self, arg1=None, arg2=None, **kwargs):
            changes = {arg1: arg2} if arg2 is not None else (arg1 or kwargs)
            config = self
            class Patch(ContextDecorator):
                def __enter__(self):
                    for name, value in changes.items(): config.__setattr__(name, value)
                def __exit__(self, *exc): pass
            return Patch()
        def patcher(self, **changes):
            def change():
                for name, value in changes.items(): self.__setattr__(name, value)
            return change
        def names(self, **filters): return []
    sys.modules[__name__].__class__ = Config
"""
_INSTALLED = (
    _CONFIG.rpartition("    sys.modules")[0]
    + """
    def install(module: types.ModuleType):
        class ThisConfig(Config): pass
        module.__class__ = ThisConfig
    install(sys.modules[__name__])
"""
)


@pytest.mark.parametrize("config", [_CONFIG, _INSTALLED], ids=["directly", "by a function"])
def test_assigning_to_a_module_whose_class_is_replaced_runs_the_setattr_method(config: str) -> None:
    graph = link_sources({"m": "import config\ndef f(): config.size = 2", "config": config})
    assert graph.edges("f") == {("config.Config.__setattr__", "setattr", "certain")}
    assert graph.writes("config.size") == {("f", "attribute")}


def test_a_setting_of_a_module_whose_class_is_replaced_is_a_config_option():
    graph = link_sources({"m": "import config\ndef f(): config.size = 2", "config": _CONFIG})
    assert graph.state("config.size")[0] == "config option"


def test_a_method_of_a_module_whose_class_is_replaced():
    graph = link_sources({"m": "import config\ndef f(): config.patch(size=2)", "config": _INSTALLED})
    assert graph.callees("f") == {"config.Config.patch"}


@pytest.mark.parametrize(
    "statement",
    [
        "with config.patch(size=2): pass",
        "with config.patch('size', 2): pass",
        "with config.patch({'size': 2}): pass",
        "with config.patch({'size': 2, 'more': 3}): pass",
        "with config.patch(**{'size': 2}): pass",
    ],
)
def test_an_option_of_a_config_module_is_written_by_patch(statement: str) -> None:
    graph = link_sources({"m": f"import config\ndef f():\n    {statement}", "config": _CONFIG})
    assert "f" in graph.writers("config.size")
    assert "f" not in graph.writers("config.other")
    assert "config.Config.patch" in graph.callees("f")
    assert "config.Config.patch.<locals>.Patch.__enter__" in graph.callees("f")


_DICTS = [
    "{**base}",
    "{**base, 'more': 3}",
    "{'more': 3, **base}",
    "{**more, **base}",
    "{**(more or {}), **(base if more else {})}",
    "{**{**base}}",
    "more or base",
    "base if more else {}",
    "base | more",
    "more | base",
    "{'more': 3} | base",
    "dict(base)",
    "dict(base, more=3)",
    "dict(more, **base)",
    "dict(size=2)",
    "dict([('size', 2)])",
    "dict(zip(['size'], more))",
    "dict((key, value) for key, value in base.items())",
    "dict.fromkeys(['size'], more)",
    "base.copy()",
    "collections.OrderedDict(base)",
    "collections.ChainMap(more, base)",
    "{key: value for key, value in base.items()}",
    "{key: more for key in ['size', 'more']}",
    "{key: more[key] for key in base}",
    "{**options for options in [base]}",
]


@pytest.mark.parametrize("options", _DICTS)
@pytest.mark.parametrize(
    "statement",
    [
        "with config.patch({options}): pass",
        "with config.patch(**{options}): pass",
        "for name, value in ({options}).items(): setattr(config, name, value)",
        "vars(config).update({options})",
    ],
)
def test_an_option_is_written_by_whatever_dict_names_it(statement: str, options: str) -> None:
    f = f"def f(more):\n    base = {{'size': 2}}\n    {statement.format(options=options)}"
    graph = link_sources({"m": f"import collections\nimport config\n{f}", "config": _CONFIG})
    assert "f" in graph.writers("config.size")
    assert "f" not in graph.writers("config.other")


@pytest.mark.parametrize(
    "change",
    [
        "options['size'] = 2",
        "options |= {'size': 2}",
        "options.update({'size': 2})",
        "options.update(size=more)",
        "options.update(more, **{'size': 2})",
        "options.update([('size', 2)])",
        "options.setdefault('size', 2)",
    ],
)
def test_an_option_is_written_by_a_dict_that_is_filled_step_by_step(change: str) -> None:
    use = f"import config\ndef f(more):\n    options = {{}}\n    {change}\n    with config.patch(options): pass"
    graph = link_sources({"m": use, "config": _CONFIG})
    assert "f" in graph.writers("config.size")


@pytest.mark.parametrize(
    "use",
    [
        "import config\ndef f():\n    change = config.patch\n    with change(size=2): pass",
        "import config\ndef f():\n    with getattr(config, 'patch')(size=2): pass",
        "def f():\n    from config import patch\n    with patch(size=2): pass",
        "from config import patch\ndef f():\n    with patch(size=2): pass",
    ],
)
def test_patch_by_another_name(use: str) -> None:
    assert link_sources({"m": use, "config": _CONFIG}).writes("config.size") == {("f", "call")}


def test_what_others_keep_on_a_config_module_is_no_option():
    config = _CONFIG.replace("size = 1", "size = 1\n    _private = 2")
    use = "import config\ndef f():\n    config._entries = {}\n    config._private = 3\n    config.new = 4"
    graph = link_sources({"m": use, "config": config})
    assert graph.state("config._entries")[0] == "module global"
    assert graph.state("config._private")[0] == graph.state("config.new")[0] == "config option"


def test_an_option_that_says_which_other_it_stands_for_is_an_alias():
    config = _CONFIG.replace(
        "    sys.modules",
        """
    class Option:
        def __init__(self, alias=None): self.alias = alias
    old: int = Option(alias="config.size")
    older = Option(alias="config.size")
    none = Option(alias="config.nothing")
    sys.modules""",
    )
    graph = link_sources({"m": "import config\ndef f(): config.size = 2", "config": config})
    assert {name: graph.alias(f"config.{name}") for name in ("old", "older", "none")} == {
        "old": "config.size",
        "older": "config.size",
        "none": None,
    }


def test_an_option_that_is_patched_by_its_full_name_is_one():
    graph = link_sources(
        {
            "m": "import config\nfrom unittest import mock\ndef f():\n    with mock.patch('config.size', 2): pass",
            "config": _CONFIG,
        }
    )
    assert graph.state("config.size")[0] == "config option"
    assert "f" in graph.writers("config.size")


def test_patch_as_a_decorator_writes_when_the_function_is_called():
    graph = link_sources(
        {
            "m": """
            import config
            @config.patch(size=2)
            def g(): pass
            def f(): g()
        """,
            "config": _CONFIG,
        }
    )
    assert "g" in graph.reached("f")
    assert "config.Config.patch.<locals>.Patch.__enter__" in graph.reached("f")


def test_a_function_that_a_method_makes_to_set_options_sets_those_it_was_made_for():
    graph = link_sources({"m": "import config\ndef f(): config.patcher(size=2)()", "config": _CONFIG})
    assert graph.writes("config.size") == {("f", "call")}


def test_a_method_that_gives_back_neither_sets_no_options():
    graph = link_sources({"m": "import config\ndef f(): config.names(size=2)", "config": _CONFIG})
    assert graph.writes("config.size") == set()
