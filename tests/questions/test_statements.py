"""What single statements say."""

from textwrap import dedent

import pytest

from deepgrep.questions.statements import Statements


def statements(text: str) -> Statements:
    lines = dedent(text).splitlines()
    return Statements(lambda file, line: lines[line - 1] if 0 < line <= len(lines) else None)


@pytest.mark.parametrize(
    ("code", "state", "value"),
    [
        ("flag = True", "m.flag", "True"),
        ("    a.b.flag: bool = x or y", "m.flag", "x or y"),
        ("flag += 1", "m.flag", "+= 1"),
        ("other, flag = 1, 2", "m.flag", "2"),
        ("other, flag = f()", "m.flag", "f()"),
        ("if (flag := f()): pass", "m.flag", "f()"),
        ("if flag: flag = None", "m.flag", "None"),
        ("os.environ['A'] = 'x'", "os.environ[A]", "'x'"),
        ("del cache[key]", "m.cache", "nothing: it is deleted"),
        ("cache.append(x)", "m.cache", "append(x)"),
        ("set_flag(False)", "torch._C.flag", "False"),
        ("old = torch._C._swap_flag(x)", "torch._C.flag", "x"),
        ("torch.manual_seed(0)", "torch._C.generator", "0"),
        ("y = torch.rand_like(x) < p", "torch._C.generator", ""),
        ("x = torch.dropout(x, 0.5, True)", "torch._C.generator", ""),
        ("setattr(m, name, value)", "m.flag", "value"),
        ("token = mode.set(func)", "m.mode", "func"),
        ("with config.patch(limit=3, other=4):", "m.config.limit", "3"),
        ("x = f()", "m.flag", ""),
        ("flag = (\n    1 +\n    2\n)", "m.flag", "1 + 2"),
        ("elif x: flag = 3", "m.flag", "3"),
        ("flag = [", "m.flag", ""),
    ],
)
def test_written_value(code, state, value):
    assert statements(code).written("m.py", 1, state) == value


def test_a_statement_is_found_by_any_of_its_lines():
    assert statements("flag = (\n    other\n)").written("m.py", 2, "m.flag") == "other"
    assert statements("f(\n    x)\nflag = 1").written("m.py", 3, "m.flag") == "1"


@pytest.mark.parametrize(
    ("restore", "line"),
    [
        ("flag = old", 2),
        ("set_flag(old)", 2),
        ("set_flag('cuda', self.old)", 3),
        ("flag = self.stack.pop()", 4),
        ("flag = pair[0]", 5),
        ("flag = other", 0),
    ],
)
def test_where_a_value_was_saved(restore, line):
    code = f"x = 1\nold = flag\nself.old: bool = flag\nself.stack.append(flag)\npair, y = flag, 2\n{restore}\nother = 1"
    assert statements(code).save_line("m.py", 6, 1, 5) == line


def test_what_is_made_from_itself_is_rewritten():
    assert statements("x.a = x.a or y").rewrites("m.py", 1)
    assert not statements("x.a = y.a").rewrites("m.py", 1)


@pytest.mark.parametrize(
    ("code", "key"),
    [
        ("x = a.meta['k']", "'k'"),
        ("meta['k'] = 1", "'k'"),
        ("x = meta.get('k', 2)", "'k'"),
        ("if 'k' not in meta: pass", "'k'"),
        ("meta[k] = 1", "*"),
        ("meta['k'] = meta['l']", ""),
        ("f(meta, meta['k'])", ""),
        ("x = other['k']", ""),
    ],
)
def test_the_item_that_a_statement_accesses(code, key):
    assert statements(code).item("m.py", 1, "meta") == key


def test_a_key_that_is_a_variable_of_a_constant_is_that_constant():
    assert statements("k = 'x'\nother()\nmeta[k] = 1").item("m.py", 3, "meta") == "'x'"
    assert statements("k = 'x'\nk = f()\nmeta[k] = 1").item("m.py", 3, "meta") == "*"


def test_a_long_value_is_cut():
    assert len(statements(f"flag = {'x + ' * 50}x").written("m.py", 1, "m.flag")) == 60


@pytest.mark.parametrize(
    ("code", "result"),
    [
        ("return flag", True),
        ("return not m.flag", True),
        ("return flag and f()", True),
        ("return flag == 3", True),
        ("return f(flag)", False),
        ("return other", False),
        ("x = flag", False),
    ],
)
def test_what_is_handed_on(code, result):
    assert statements(code).hands_on("m.py", 1, "flag") is result


def test_the_initial_value_of_a_module_is_not_one_in_a_function():
    code = "def f():\n    flag = 1\nflag == 2\nflag: int = 3\n"
    assert statements(code).initial("m.py", 1, "flag", indented=False) == ("3", 4)
    assert statements("flag: list[\n    int\n] = []").initial("m.py", 1, "flag", indented=False) == ("[]", 1)
    assert statements(code).initial("m.py", 1, "none", indented=False) == ("", 0)


def test_the_initial_value_of_a_class_is_in_it():
    assert statements("flag = 1\nclass A:\n    flag = 2\n").initial("m.py", 2, "flag", indented=True) == ("2", 3)


def test_a_yield_under_a_with_over_several_lines_is_found():
    code = """
        with (
            one(),
            two(),
        ):
            if x:
                yield
        with three():
            pass
        yield
    """
    assert statements(code).yields_under("m.py", 4)
    assert not statements(code).yields_under("m.py", 8)


def test_a_yield_between_lines_is_not_a_word_in_a_comment():
    assert not statements("a\nb  # yield\nc").yields("m.py", 1, 3)
    assert statements("a\nx = yield b\nc").yields("m.py", 1, 3)
