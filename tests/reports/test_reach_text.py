import click
import pytest
from msgspec.structs import replace
from report_examples import LINES, NO_PATH, PATH, REACHES, SOURCE, WRITE, hop, source_line

from deepgrep.graph.rows import AccessKind, Certainty, Skipped, Via
from deepgrep.questions.answers import Lead, NativeExitRef, Path, ReachAnswer, Removed, Verdict
from deepgrep.reports.sentences import verdict_sentence
from deepgrep.reports.text.reach import reach_text


def plain(answer: ReachAnswer, width: int = 100) -> str:
    return click.unstyle(reach_text(answer, source_line, width))


def block(text: str, start: str) -> list[str]:
    """The lines from the one that starts so to the next empty one."""
    lines = text.splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith(start))
    end = next((index for index in range(first, len(lines)) if not lines[index]), len(lines))
    return lines[first:end]


def test_first_line_is_the_verdict_in_plain_words():
    assert plain(REACHES).splitlines()[0] == "reaches   pkg.api.start can reach code that writes pkg.tracer._flag"


def test_long_names_stay_within_the_width():
    name = "pkg." + "some_module." * 5 + "some_function"
    access = replace(WRITE, function=name, file="pkg/" + "folder/" * 8 + "x.py", form="attribute of an unknown name")
    root, target = replace(REACHES.root, name=name), replace(REACHES.target, name=f"{name}_flag")
    for answer in (REACHES, NO_PATH):
        lines = plain(replace(answer, root=root, target=target, accesses=[access])).splitlines()
        assert max(map(len, lines)) <= 100
        assert lines[lines.index(f"root      {name}") + 1] == "          pkg/api.py:10"


def test_sources_and_both_ends_follow_the_verdict():
    assert plain(REACHES).splitlines()[2:5] == [
        "sources   pkg 2.13.0, commit 0123456789ab, digest fedcba987654",
        "root      pkg.api.start  pkg/api.py:10",
        "target    pkg.tracer._flag  (module global, one for the whole process)",
    ]


def test_every_source_is_named():
    other = replace(SOURCE, name="mine", version="", commit="")
    assert (
        block(plain(replace(REACHES, sources=[SOURCE, other])), "sources")[1] == "          mine, digest fedcba987654"
    )


def test_root_given_as_code_is_shown_as_that_code(monkeypatch):
    monkeypatch.setitem(LINES, ("<root>", 1), "import pkg")
    root = replace(REACHES.root, name="<root>", file="<root>", line=1)
    assert "root      import pkg\n" in plain(replace(REACHES, root=root))


def test_all_accesses_are_listed_reached_or_not_and_restores_are_marked():
    assert block(plain(REACHES), "writes") == [
        "writes    2 places write it, 1 reached",
        "  reached      pkg/tracer.py:44  global           Tracer.trace",
        "  not reached  pkg/other.py:7    global, restore  undo",
    ]


def test_of_many_accesses_those_that_are_reached_come_first_and_the_rest_is_counted():
    reached = [replace(WRITE, line=line) for line in range(100, 125)]
    others = [replace(WRITE, file="pkg/a.py", line=line, reached=False) for line in range(1, 15)]
    lines = block(plain(replace(REACHES, accesses=[*others, *reached])), "writes")
    assert lines[0] == "writes    39 places write it, 25 reached"
    assert [line.split()[0] for line in lines[1:-1]] == ["reached"] * 20 + ["not"] * 10
    assert lines[-1] == "  … 5 more reached, 4 more not reached: --format json lists all"


def test_of_many_accesses_the_one_that_the_best_path_leads_to_comes_first():
    others = [replace(WRITE, function=f"pkg.a.f{line}", file="pkg/a.py", line=line) for line in range(40)]
    lines = block(plain(replace(REACHES, accesses=[*others, WRITE])), "writes")
    assert lines[1].split()[:2] == ["reached", "pkg/tracer.py:44"]


def test_what_may_be_of_something_else_is_said_and_comes_after_what_is_not():
    may = replace(WRITE, file="pkg/a.py", form="subscript of an unknown name", is_sure=False)
    text = plain(replace(REACHES, accesses=[may, WRITE]))
    assert "writes    2 places write it, 1 of them perhaps, 2 reached" in text
    many = [replace(may, line=line) for line in range(40)]
    assert block(plain(replace(REACHES, accesses=[*many, WRITE])), "writes")[1].split()[1] == "pkg/tracer.py:44"
    flow = replace(PATH, certainty=Certainty.FLOW)
    answer = replace(REACHES, verdict=Verdict.MAY_REACH, paths=[flow], accesses=[may])
    assert verdict_sentence(answer).endswith("_flag: what is reached may access another one instead")
    assert verdict_sentence(replace(answer, accesses=[WRITE])).endswith("a call that is one of several possible")


def test_target_that_nothing_accesses_is_said_so():
    assert block(plain(replace(NO_PATH, accesses=[])), "writes") == ["writes    nothing in the sources writes it"]


def test_the_word_for_the_access_follows_the_question():
    target = replace(REACHES.target, access=AccessKind.CALL)
    text = plain(replace(REACHES, target=target, accesses=[replace(WRITE, access=AccessKind.CALL)]))
    assert "can reach code that calls pkg.tracer._flag" in text
    assert "1 place calls it" in text
    assert "→ calls pkg.tracer._flag" in text


def test_path_shows_place_function_source_conditions_and_locks_of_every_hop():
    assert block(plain(REACHES), "path 1") == [
        "path 1 of 1  certain, 1 hop",
        "  pkg/api.py:12  start",
        "      return trace(fn)",
        "  pkg/tracer.py:44  Tracer.trace",
        "      _flag = True",
        "      when enabled; not (fn is None)",
        "      holding self.lock",
        "      → writes pkg.tracer._flag",
    ]


@pytest.mark.parametrize(
    ("via", "certainty", "said"),
    [
        (Via.PROPERTY, Certainty.CERTAIN, "→ by property"),
        (Via.CALL, Certainty.DISPATCH, "→ by call, dispatch: one of several overrides"),
        (Via.CALLBACK, Certainty.FLOW, "→ by callback, flow: one of several values"),
        (Via.PROCESS, Certainty.CERTAIN, "→ by process: what follows is in another process"),
    ],
)
def test_hop_says_how_control_passes_where_it_is_not_a_plain_call(via, certainty, said):
    first = replace(PATH.hops[0], via=via, certainty=certainty)
    assert (
        block(plain(replace(REACHES, paths=[replace(PATH, hops=[first, PATH.hops[1]])])), "path 1")[3]
        == f"      {said}"
    )


def test_last_hop_says_how_the_target_is_called_where_that_is_not_certain():
    last = replace(PATH.hops[1], via=Via.CONSTRUCT, certainty=Certainty.DISPATCH)
    called = replace(REACHES.target, access=AccessKind.CALL)
    text = plain(replace(REACHES, target=called, paths=[replace(PATH, hops=[PATH.hops[0], last])]))
    assert "      → calls pkg.tracer._flag by construct, dispatch: one of several overrides\n" in text


def test_line_whose_file_is_gone_is_shown_by_its_place_alone():
    text = click.unstyle(reach_text(REACHES, lambda file, line: None, 100))
    assert block(text, "path 1")[:3] == [
        "path 1 of 1  certain, 1 hop",
        "  pkg/api.py:12  start",
        "  pkg/tracer.py:44  Tracer.trace",
    ]


def test_hops_that_the_path_before_has_too_are_not_repeated():
    start = [hop(f"pkg.api.f{number}", "pkg/api.py", number, number) for number in range(5)]
    one = Path(certainty=Certainty.CERTAIN, hops=[*start, hop("pkg.one.a", "pkg/one.py", 1, 2)])
    two = Path(certainty=Certainty.CERTAIN, hops=[*start, hop("pkg.two.b", "pkg/two.py", 3, 4)])
    assert block(plain(replace(REACHES, paths=[one, two], path_count=2)), "path 2") == [
        "path 2 of 2  certain, 5 hops",
        "  … the first 5 hops are those of path 1",
        "  pkg/two.py:4  b",
        "      → writes pkg.tracer._flag",
    ]


def test_structure_of_all_paths_follows_the_paths():
    assert block(plain(replace(REACHES, path_count=12)), "all paths") == [
        "all paths 12 paths, made of 2 functions, 1 edge",
        "passes    every path passes through each of these: a lock or a fix in one of them covers all",
        "  pkg/tracer.py:30  Tracer.trace",
        "cut       a change of this function is enough to break every path",
        "  pkg/tracer.py:30  Tracer.trace",
    ]


def test_count_that_is_only_a_lower_bound_says_so():
    text = plain(replace(REACHES, path_count=5000, path_count_exact=False))
    assert "path 1 of at least 5,000" in text
    assert "at least 5,000 paths, made of" in text


def test_may_reach_says_that_every_path_is_uncertain():
    assert verdict_sentence(replace(REACHES, verdict=Verdict.MAY_REACH)) == (
        "pkg.api.start may reach code that writes pkg.tracer._flag: "
        "every path takes a call that is one of several possible"
    )


def test_no_path_lists_what_could_still_lead_to_the_target():
    lead = Lead("pkg.api.run", "pkg/api.py", 3, "self.fn(x)", "unknown attribute", ["pkg.a.fn", "pkg.b.fn"], ["x"])
    leads = [replace(lead, certain=True), replace(lead, line=5, conditions=[])]
    exits = [NativeExitRef("pkg.api.run", "pkg/api.py", line, "pkg._C.go") for line in (8, 9)]
    text = plain(replace(NO_PATH, leads=leads, lead_count=len(leads), native_exits=exits))
    assert text.startswith(
        "no-path   no path found from pkg.api.start to code that writes pkg.tracer._flag; 2 leads and 2\n          "
    )
    assert block(text, "what this rests on") == [
        "what this rests on",
        "searched  210 functions can be reached from the root",
        "leads     2 calls with unknown callees could lead to the target, by name alone; certain calls lead",
        "          to 1 of them",
        "  could be pkg.a.fn, pkg.b.fn",
        "    pkg/api.py:3  run",
        "      self.fn(x)  (unknown attribute)",
        "      when x",
        "    pkg/api.py:5  run",
        "      self.fn(x)  (unknown attribute; only doubtful calls lead here)",
        "native    2 calls into native code without a model, 1 callee; certain calls lead to 0 of them, which",
        "          come first",
        "  pkg/api.py:8 and 1 more  pkg._C.go",
        "blind     17 reached calls with callees that are not all known",
    ]


def test_excluded_says_that_no_lead_is_left():
    text = plain(replace(NO_PATH, verdict=Verdict.EXCLUDED))
    assert text.startswith("excluded   pkg.api.start cannot reach code that writes pkg.tracer._flag: ")
    assert "leads     none" in text


def test_list_that_is_cut_says_how_much_it_leaves_out():
    leads = [Lead("pkg.api.run", "pkg/api.py", line, "f()", "parameter", [f"pkg.f{line}"]) for line in range(12)]
    text = plain(replace(NO_PATH, leads=leads, lead_count=len(leads)))
    assert "  … 2 more: --format json lists all" in text
    assert text.count("could be pkg.f") == 10


def test_leads_that_could_be_the_same_are_one_group():
    leads = [Lead("pkg.api.run", "pkg/api.py", line, "f()", "parameter", ["pkg.f"]) for line in range(25)]
    text = plain(replace(NO_PATH, leads=leads, lead_count=len(leads)))
    assert text.count("could be pkg.f") == 1
    assert "    … and 22 more calls that could be this" in text


def test_what_the_caller_passes_to_be_called_is_named():
    answer = replace(NO_PATH, open_parameters=["fn"])
    assert verdict_sentence(answer).endswith("remain, and the caller's own fn")
    assert "open      what the caller passes for fn is called: that code is the caller's own" in plain(answer)


def test_what_assumptions_removed_is_shown_with_what_decides_it():
    row = Removed("pkg.api.start", "pkg/api.py", 12, "_compile", "_compile is False", leads_on=True)
    text = plain(replace(NO_PATH, removed=[row], filters=["assumes that pkg.api.start is called with _compile=False"]))
    assert "filter    assumes that pkg.api.start is called with _compile=False" in text
    assert block(text, "removed   1 condition") == [
        "removed   1 condition cannot hold, by what is assumed; 1 of them kept calls out that could have led",
        "          to the target",
        "  pkg/api.py:12  start",
        "      _compile  (_compile is False)",
    ]


def test_a_condition_on_a_parameter_of_the_root_stands_out():
    path = replace(PATH, hops=[replace(hop, depends_on=["_compile"]) for hop in PATH.hops])
    assert "      depends on the root's _compile" in plain(replace(REACHES, paths=[path])).splitlines()


def requiring(*requires: str, along: tuple[str, ...]) -> list[str]:
    hop = replace(PATH.hops[0], requires=list(requires), met_along=list(along))
    path = replace(PATH, hops=[hop, *PATH.hops[1:]])
    return [line.strip() for line in plain(replace(REACHES, paths=[path])).splitlines() if "requires" in line]


def test_what_must_have_run_for_a_hop_is_said_on_one_line():
    assert requiring("pkg.a.C.make", along=("pkg.api.start", "pkg.b.f.<locals>.g", "pkg.a.C.make")) == [
        "requires that C.make has run, by way of api.start → g"
    ]


def test_of_several_functions_of_which_one_must_have_run_the_nearest_is_named():
    along = ("pkg.api.start", "pkg.b.f", "pkg.a.C.make")
    assert requiring("pkg.a.C.make", "pkg.a.D.make", "pkg.a.E.make", along=along) == [
        "requires that C.make or 1 of 2 others has run, by way of api.start → b.f"
    ]


def test_what_the_path_itself_calls_is_not_said_to_be_required():
    assert requiring("pkg.a.C.make", along=("pkg.api.start", "pkg.a.C.make")) == []


def test_the_only_uncertain_hop_is_pointed_out():
    text = plain(replace(REACHES, verdict=Verdict.MAY_REACH, rests_on=PATH.hops[0]))
    assert "rests on  one uncertain hop: look at this one\n  pkg/api.py:" in text


def test_what_an_answer_takes_for_granted_is_said():
    assert "assumes   that x has been imported" in plain(replace(NO_PATH, assumptions=["x has been imported"]))


def test_answer_with_paths_counts_what_could_not_be_followed():
    assert "there may be more paths: 17 blind spots, 0 native exits reached" in plain(REACHES)


@pytest.mark.parametrize("answer", [REACHES, NO_PATH])
def test_skipped_files_and_notes_are_always_shown(answer):
    text = plain(replace(answer, skipped=[Skipped("pkg/bad.py", "not UTF-8")], notes=["the cut was not computed"]))
    assert "  pkg/bad.py: not UTF-8\n" in text
    assert "note: the cut was not computed\n" in text


def test_last_line_says_how_to_get_more():
    assert plain(REACHES).splitlines()[-1] == "more: --format svg -o FILE draws the paths; --format json has everything"
    assert plain(replace(REACHES, path_count=9)).splitlines()[-1].startswith("more: --paths 2 shows more paths; ")


@pytest.mark.parametrize("width", [60, 100])
def test_text_stays_within_the_width_but_places_are_never_cut(width):
    name = "pkg.deep." + "_very_long_name" * 12
    file = "pkg/" + "deep_folder/" * 10 + "module.py"
    long = hop(
        name, file, 1, 123456, conditions=["some_condition and " * 12 + "x"], certainty=Certainty.FLOW, via=Via.NATIVE
    )
    lead = Lead(name, file, 77, "f" * 300, "parameter", [name, name + "2"])
    note = "a note with many words " * 20
    reaching = replace(
        REACHES, paths=[replace(PATH, hops=[long, long])], chokepoints=[name], accesses=[replace(WRITE, function=name)]
    )
    text = plain(replace(reaching, notes=[note]), width)
    text += plain(
        replace(NO_PATH, leads=[lead], lead_count=1, native_exits=[NativeExitRef(name, file, 78, name)]), width
    )
    for place in (f"{file}:123456", f"{file}:77", f"{file}:78"):
        assert place in text
    first_lines = ("reaches", "no-path", "sources", "searched", "leads", "native", "unknown", "target", "blind")
    too_long = [line for line in text.splitlines() if len(line) > width and ".py:" not in line]
    assert [line for line in too_long if not line.startswith(first_lines)] == []


def test_escape_codes_in_analyzed_code_do_not_reach_the_terminal(monkeypatch):
    monkeypatch.setitem(LINES, ("pkg/api.py", 12), "x = '\x1b[2J\x07\u202e'\r\n")
    evil = hop("pkg.api.\x1b[31mevil", "pkg/\x1bapi.py", 10, 12, conditions=["\x9b31m"], locks=["\x00"])
    root = replace(REACHES.root, name="\x1b]0;title\x07")
    lead = Lead("\x1bf", "\x1bfile.py", 1, "\x1bx", "parameter", ["\x1by"])
    skipped = [Skipped("\x1bbad.py", "\x1b")]
    texts = [
        plain(replace(REACHES, root=root, paths=[replace(PATH, hops=[evil, PATH.hops[1]])], skipped=skipped)),
        plain(
            replace(
                NO_PATH,
                leads=[lead],
                lead_count=1,
                native_exits=[NativeExitRef("f", "f.py", 1, "\x1bgo")],
                notes=["\x1bnote"],
            )
        ),
    ]
    assert [char for text in texts for char in text if not char.isprintable() and char != "\n"] == []
