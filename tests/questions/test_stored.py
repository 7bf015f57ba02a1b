"""Stored queries: what a file means, how one is found, and what is said of a bad one."""

import os
import sys
from pathlib import Path

import pytest

from deepgrep.errors import DeepgrepError
from deepgrep.questions.filters import NO_FILTERS, Filters
from deepgrep.questions.stored import find_queries, find_query, load_query, shipped_queries

LEAST = 'question = "Can it?"\nroot = "start"\ntarget = "_flag"\n'

FULL = """\
question = "Can it?"
root = "start"
target = "_flag"
access = "read"
expect = "no-path"
reports = ["https://example.org/issues/1", "http://example.org/2"]
note = '''
Two
lines.'''

[filters]
assume = ["defaults"]
assume_env = ["A=1"]
avoid = ["a"]
through = ["b"]
within = ["c"]
exclude = ["d"]
certainty = "dispatch"
max_length = 7
testing = true
"""


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """Write a query file into the folder that deepgrep runs in."""
    monkeypatch.chdir(tmp_path)

    def write(text: str | bytes, name: str = "q.toml") -> Path:
        path = Path(name)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def said(path: Path) -> str:
    with pytest.raises(DeepgrepError) as caught:
        load_query(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_query_is_called_by_the_stem_of_its_file(stored):
    query = load_query(stored(LEAST, "folder/my-question.toml"))
    assert (query.name, query.file) == ("my-question", "folder/my-question.toml")


def test_what_is_left_out_has_the_meaning_of_reach(stored):
    query = load_query(stored(LEAST))
    assert (query.access, query.expect, query.reports, query.note) == (None, None, (), "")
    assert query.filters == NO_FILTERS


def test_every_key_is_read(stored):
    query = load_query(stored(FULL))
    assert (query.question, query.root, query.target) == ("Can it?", "start", "_flag")
    assert (query.access, query.expect) == ("read", "no-path")
    assert query.reports == ("https://example.org/issues/1", "http://example.org/2")
    assert query.note == "Two\nlines."
    assert query.filters == Filters(
        avoid=("a",),
        through=("b",),
        within=("c",),
        exclude=("d",),
        certainty="dispatch",
        max_length=7,
        testing=True,
        assume=("defaults",),
        assume_env=("A=1",),
    )


def test_a_file_of_windows_is_read(stored):
    assert load_query(stored(b"\xef\xbb\xbf" + FULL.replace("\n", "\r\n").encode())).note == "Two\nlines."


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (LEAST + "expct = 'x'", "4: expct is no key of a query: did you mean expect? the keys are question, root, "),
        (LEAST + "\n[filters]\n# why\nfoo = 1", "7: filters.foo is no key of [filters]: the keys are avoid, through, "),
        (LEAST + "exclude = ['x']", "4: exclude belongs under [filters]"),
        (LEAST + "[filters]\nexpect = 'no-path'", "5: filters.expect is no filter: expect belongs above [filters]"),
        (LEAST + "name = 'x'", "4: name is no key of a query: "),
        ('question = "q"\n', "1: there is no root: it needs question, root, target"),
        (LEAST.replace('"start"', "3"), "2: root is a whole number: it must be a text"),
        (LEAST + "reports = 'https://x.org'", "4: reports is a text: it must be a list"),
        (
            LEAST + "reports = [\n  'https://x.org',\n  1]",
            "4: reports holds a whole number in its list: each must be a text",
        ),
        (LEAST + "filters = 1", "4: filters is a whole number: it must be a table"),
        (LEAST + "[filters]\nmax_length = true", "5: filters.max_length is true or false: it must be a whole number"),
        (
            LEAST + "[filters]\nmax_length = 1.5",
            "5: filters.max_length is a number with a fraction: it must be a whole ",
        ),
        (LEAST + "[filters]\nmax_length = 0", "5: filters.max_length is no number from 1 to 9223372036854775807"),
        (LEAST + f"[filters]\nmax_length = 0x{'f' * 9_000}", "5: filters.max_length is no number from 1 to "),
        (LEAST + f"[filters]\nmax_length = {'9' * 9_000}", "1: not TOML: a number in it is too long"),
        (LEAST + f"[filters]\n{'a.' * 5_000}a = 1", "5: filters.a is no key of [filters]: "),
        (LEAST + f"[{'a.' * 5_000}a]", "4: a is no key of a query: "),
        (
            f"{LEAST}note = '''\n[\n'''  # ]\nb = [1, # [\n2]\nc.d = \"\"\"x\"\"\"\"\nreports = {{e = '['}}",
            "7: b is no key of a query",
        ),
        (LEAST + "filters.testing = 'yes'", "4: filters.testing is a text: it must be true or false"),
        (LEAST + "[filters]\ncertainty = 'sure'", "5: filters.certainty is 'sure': it is one of certain, dispatch, "),
        (LEAST + "access = 'use'", "4: access is 'use': it is one of write, read, call"),
        (LEAST + "expect = 'yes'", "4: expect is 'yes': it is one of reaches, may-reach, no-path, excluded"),
        (LEAST.replace('"_flag"', '" "'), "3: target is empty"),
        (LEAST + "[filters]\navoid = ['a', '']", "5: filters.avoid holds an empty text: drop it"),
        ("question = '''a\nb'''\nroot = 'r'\ntarget = 't'", "1: question is longer than a line: it is one sentence"),
        (LEAST + "reports = ['#12']", "4: reports holds '#12': each is the whole address of a page, https://…"),
        (LEAST + "reports = ['javascript:alert(1)']", "4: reports holds 'javascript:alert(1)': each is "),
        (LEAST + "reports = ['https://x.org/a b']", "4: reports holds 'https://x.org/a b': each is "),
        (LEAST + "reports = ['https://[x']", "4: reports holds 'https://[x': each is "),
        (LEAST + "root 3", "4: not TOML: expected '=' after a key in a key/value pair"),
        (LEAST + "note = '''a\nb\n", "5: not TOML: expected \"'''\""),
        (LEAST + 'root = "again"', "4: not TOML: cannot overwrite a value"),
        (LEAST.encode() + b"# \xff\n", "4: it is not UTF-8: save it as that"),
        (LEAST + f"note = '{'x' * 20_000}'", "1: it has 20,062 bytes, of which no more than 20,000 are read"),
    ],
)
def test_of_a_bad_file_the_line_is_said_and_what_may_be_there(stored, text, line):
    assert said(stored(text)).startswith(f"q.toml:{line}")


def test_a_file_that_is_nested_too_deeply_is_refused(stored):
    path = stored("x = " + 19_000 * "[")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000)  # whatever other tests have made of it
    try:
        assert said(path) == "q.toml:1: it is nested too deeply"
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.parametrize("value", ["[\n" + 6_000 * "1,\n" + "]", '"""' + 19_000 * "\n" + '"""'], ids=["list", "text"])
def test_the_line_after_a_value_of_thousands_of_lines_is_found_at_once(stored, value):
    path = stored(f"{LEAST}note = {value}\nx = 1\n")
    assert said(path).startswith(f"q.toml:{5 + value.count(chr(10))}: x is no key of a query")


def test_what_is_no_regular_file_is_not_waited_for(stored):
    os.mkfifo("q.toml")
    assert said(Path("q.toml")) == "cannot read q.toml: it is not a regular file"


@pytest.mark.parametrize("typed", ["loop.toml", "folder"])
def test_a_loop_of_links_is_an_error_not_a_defect(stored, typed):
    Path("folder").mkdir()
    for folder in (".", "folder"):
        Path(folder, "loop.toml").symlink_to("loop.toml")
    with pytest.raises(DeepgrepError, match=r"^cannot read (folder/)?loop\.toml: Too many levels of symbolic links"):
        find_queries([typed])


def test_a_link_in_a_folder_that_leads_nowhere_is_not_left_out_in_silence(stored):
    stored(LEAST, "mine/a.toml")
    Path("mine/b.toml").symlink_to("gone.toml")
    with pytest.raises(DeepgrepError, match=r"^cannot read mine/b\.toml: No such file or directory"):
        find_queries(["mine"])


@pytest.mark.parametrize(
    ("typed", "line"), [("a" * 5_000, "there is no query '"), ("a" * 5_000 + ".toml", "cannot read aaa")]
)
def test_a_name_that_is_too_long_for_a_file_is_an_error_not_a_defect(stored, typed, line):
    with pytest.raises(DeepgrepError, match=line):
        find_queries([typed])


def test_a_file_whose_name_is_no_text_is_refused(stored):
    path = Path(os.fsdecode(b"bad\xff.toml"))
    try:
        path.write_text(LEAST)
    except OSError:
        pytest.skip("the file system takes no such names")
    assert said(path).startswith(r"bad\udcff.toml: its name is not valid text: rename it")


def test_a_folder_that_was_removed_while_deepgrep_runs_in_it_hides_no_query(stored, tmp_path, monkeypatch):
    path = stored(LEAST).resolve()
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert load_query(path).file == "q.toml"
    with pytest.raises(DeepgrepError, match=r"^cannot read q\.toml: No such file"):
        find_query("q.toml")
    monkeypatch.chdir(tmp_path)


def test_file_that_is_not_there_is_an_error(stored, tmp_path):
    assert said(tmp_path / "no.toml") == f"cannot read {tmp_path}/no.toml: No such file or directory"


def test_name_means_a_query_that_ships(stored):
    shipped = shipped_queries()
    assert shipped
    assert find_query(shipped[0].name) == shipped[0]
    assert shipped[0].file == f"deepgrep/queries/{shipped[0].name}.toml"
    assert shipped[0].typed == shipped[0].name


def test_a_file_is_named_by_its_path(stored):
    assert load_query(stored(LEAST, "mine/a.toml")).typed == "mine/a.toml"


def test_path_means_that_file_and_a_folder_all_in_it(stored):
    for name in ("mine/b.toml", "mine/a.toml", "mine/notes.txt", "other.toml"):
        stored(LEAST, name)
    assert [query.name for query in find_queries(["other.toml", "mine"])] == ["other", "a", "b"]
    assert find_query("mine/b.toml").name == "b"


def test_what_is_named_twice_is_asked_once(stored):
    stored(LEAST, "mine/a.toml")
    assert [query.name for query in find_queries(["mine", "mine/a.toml", "./mine"])] == ["a"]


def test_two_files_of_one_name_are_refused(stored):
    stored(LEAST, "mine/a.toml")
    stored(LEAST, "yours/a.toml")
    with pytest.raises(DeepgrepError, match=r"^mine/a\.toml and yours/a\.toml are both called a: rename one"):
        find_queries(["mine", "yours"])


def test_near_names_are_suggested(stored):
    name = shipped_queries()[0].name
    with pytest.raises(DeepgrepError, match=f"^there is no query '{name}s': did you mean {name}"):
        find_query(f"{name}s")


@pytest.mark.parametrize("typed", ["", "nothing-like-it"])
def test_unknown_name_says_where_the_names_are(stored, typed):
    with pytest.raises(DeepgrepError, match="`deepgrep queries` lists them"):
        find_query(typed)


def test_a_path_that_leads_nowhere_is_no_misspelt_name(stored):
    with pytest.raises(DeepgrepError, match=r"^there is no file or folder 'nothing/like/it': a query is a file NAME"):
        find_query("nothing/like/it")


def test_folder_without_a_query_is_an_error(stored):
    stored("text", "mine/notes.txt")
    with pytest.raises(DeepgrepError, match=r"^mine: there is no query in this folder"):
        find_queries(["mine"])


def test_one_query_is_not_a_folder_of_several(stored):
    stored(LEAST, "mine/a.toml")
    stored(LEAST, "mine/b.toml")
    with pytest.raises(DeepgrepError, match=r"^mine holds 2 queries: name one of them, such as mine/a\.toml"):
        find_query("mine")


def test_no_folder_of_the_machine_is_shown(stored, tmp_path, monkeypatch):
    path = stored(LEAST).resolve()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert load_query(path).file == "q.toml"


def test_every_query_that_ships_says_what_it_expects_and_where_it_comes_from():
    queries = shipped_queries()
    assert [query.name for query in queries if query.expect is None or not query.note] == []
