"""Programs that bind few names in many ways, so that they often mean the same name in different scopes."""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = st.sampled_from(["a", "b", "c", "__p", "_q", "T"])
LINES = st.lists(st.deferred(lambda: STATEMENTS), min_size=1, max_size=4)


def _indented(lines: list[str]) -> str:
    return "\n".join(f"  {line}" for part in lines for line in part.split("\n"))


def _form(template: str, *parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return texts in which each `{}` is one of a part."""
    return st.tuples(*parts).map(lambda filled: template.format(*filled))


def _all(*forms: tuple[str, tuple[st.SearchStrategy[str], ...]]) -> st.SearchStrategy[str]:
    return st.one_of(*(_form(template, *parts) for template, parts in forms))


E = st.deferred(lambda: EXPRESSIONS)
TARGETS = st.one_of(
    NAMES,
    _all(
        ("{}.{}", (NAMES, NAMES)),
        ("{}[{}]", (NAMES, E)),
        ("{}().{}", (NAMES, NAMES)),
        ("({}, *{})", (NAMES, NAMES)),
        ("[{}, ({}, {})]", (NAMES, NAMES, NAMES)),
    ),
)
ONE = st.one_of(NAMES, _all(("{}.{}", (NAMES, NAMES)), ("{}({})[{}]", (NAMES, E, E)), ("{}().{}", (NAMES, NAMES))))
PARAMETERS = st.one_of(
    st.just(""),
    NAMES,
    _all(
        ("{}={}", (NAMES, E)),
        ("{}, /, *args, kw: {} = {}", (NAMES, NAMES, E)),
        ("*{}, **kwargs", (NAMES,)),
        ("self, {}", (NAMES,)),
    ),
)
LAMBDA_PARAMETERS = st.one_of(st.just(""), NAMES, _form("{}={}", NAMES, E), _form("*{}", NAMES))
ANNOTATIONS = st.one_of(NAMES, st.just("'a.b[c]'"), _form("{}[{} | None]", NAMES, NAMES))
EXPRESSIONS: st.SearchStrategy[str] = st.recursive(
    st.one_of(NAMES, st.sampled_from(["1", "'s'", "None", "True", "...", "b''", "super()", "isinstance(a, b)"])),
    lambda inner: st.one_of(
        _all(
            ("{}({})", (inner, inner)),
            ("{}(\n{}, *{}, {}, k={}, **{})", (NAMES, inner, inner, inner, inner, inner)),
            ("{}\\\n.{}", (NAMES, NAMES)),
            ("({}\n.{}())", (NAMES, NAMES)),
            ("{}.{}({})", (NAMES, NAMES, inner)),
            ("(lambda {}: {})", (LAMBDA_PARAMETERS, inner)),
            ("[{} for {} in {}]", (inner, NAMES, inner)),
            ("{{{} for ({}, *{}) in {} if {}}}", (inner, NAMES, NAMES, inner, inner)),
            ("{{{}: {} for {} in {} for {} in {}}}", (inner, inner, NAMES, inner, NAMES, inner)),
            ("({} for {} in {})", (inner, NAMES, inner)),
            ("({} := {})", (NAMES, inner)),
            ("({} if {} else {})", (inner, inner, inner)),
            ("({} and not {} or {})", (inner, inner, inner)),
            ("({} + -{} < {} in {})", (inner, inner, inner, inner)),
            ("[{}, *{}][{}:{}]", (inner, inner, inner, inner)),
            ("{{{}: {}, **{}}}", (inner, inner, inner)),
            ('f"""{{{}!r:>{{{}}}}} {{{}()}}"""', (NAMES, NAMES, NAMES)),
            ("(yield {})", (inner,)),
            ("(await {}())", (NAMES,)),
            ('"""\n""".{}({})', (NAMES, inner)),
        )
    ),
    max_leaves=6,
)
SIMPLE = _all(
    ("{}", (E,)),
    ("{} = {}", (TARGETS, E)),
    ("{} = {} = {}", (TARGETS, TARGETS, E)),
    ("{} += {}", (ONE, E)),
    ("{}: {} = {}", (ONE, ANNOTATIONS, E)),
    ("{}: {}", (NAMES, ANNOTATIONS)),
    ("del {}", (NAMES,)),
    ("del {}.{}, {}[{}]", (NAMES, NAMES, NAMES, E)),
    ("global {}", (NAMES,)),
    ("global {}, {}", (NAMES, NAMES)),
    ("nonlocal {}", (NAMES,)),
    ("import {}.b", (NAMES,)),
    ("import {} as {}", (NAMES, NAMES)),
    ("from .{} import {}, x as {}", (NAMES, NAMES, NAMES)),
    ("return {}", (E,)),
    ("raise {} from {}", (E, E)),
    ("assert {}, {}", (E, E)),
    ("pass; {}", (E,)),
)
BLOCKS = LINES.map(_indented)
STATEMENTS: st.SearchStrategy[str] = st.one_of(
    SIMPLE,
    _all(
        ("def {}({}):\n{}", (NAMES, PARAMETERS, BLOCKS)),
        ("@{}\n@{}\nasync def {}({}) -> {}:\n{}", (NAMES, E, NAMES, PARAMETERS, ANNOTATIONS, BLOCKS)),
        ("def {}({}): return {}", (NAMES, PARAMETERS, E)),
        ("class {}:\n{}", (NAMES, BLOCKS)),
        ("@{}\nclass {}({}, metaclass={}):\n{}", (E, NAMES, E, E, BLOCKS)),
        ("if {}:\n{}\nelse:\n{}", (E, BLOCKS, BLOCKS)),
        ("if TYPE_CHECKING:\n{}\nelif {}:\n{}", (BLOCKS, E, BLOCKS)),
        ("for {} in {}:\n{}\nelse:\n{}", (TARGETS, E, BLOCKS, BLOCKS)),
        ("while {}:\n{}", (E, BLOCKS)),
        ("with {} as {}, {}:\n{}", (E, TARGETS, E, BLOCKS)),
        ("try:\n{}\nexcept {} as {}:\n{}\nelse:\n{}", (BLOCKS, E, NAMES, BLOCKS, BLOCKS)),
        ("try:\n{}\nexcept* {}:\n  pass\nfinally:\n{}", (BLOCKS, E, BLOCKS)),
        ("match {}:\n  case [{}, *_] if {}:\n    {}\n  case _: pass", (E, NAMES, E, SIMPLE)),
        ("match {}:\n  case {{'k': {}.b, **{}}} | a.C(x={}): pass", (E, NAMES, NAMES, NAMES)),
        ("match {}:\n  case a.b() as {}: {}", (E, NAMES, SIMPLE)),
    ),
)
MODULES = st.lists(STATEMENTS, min_size=1, max_size=5).map("\n".join)
# In a function, more is allowed.
PROGRAMS = st.one_of(
    MODULES, _form("async def outer({}):\n{}", PARAMETERS, MODULES.map(lambda text: _indented([text])))
)
