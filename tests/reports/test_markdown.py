"""The Markdown of a report: what it says, that it stays small, and that nothing of the analyzed code can break it."""

import msgspec
import pytest
from msgspec.structs import replace
from rendered import rendered
from report_examples import NO_PATH, PATH, REACHES, RESTORE, SOURCE, WRITE, hop, source_line

from deepgrep.graph.rows import AccessKind, Certainty, Skipped, Via
from deepgrep.questions.answers import Lead, NativeExitRef, Path, ReachAnswer, Removed, Verdict
from deepgrep.reports.markdown.document import MOST_BYTES, markdown
from deepgrep.reports.provenance import Provenance
from deepgrep.sources.released import Released

COMMIT = "0123456789abcdef0123456789abcdef01234567"
RELEASED = Released("pkg", "https://github.com/owner/pkg", 3, (), (), ())
PROVENANCE = Provenance("deepgrep report start _flag", "0.1.0", "3.11.2", [RELEASED])


def permalink(file: str, line: int) -> str | None:
    return f"https://github.com/owner/pkg/blob/{COMMIT}/{file}#L{line}" if file.startswith("pkg/") and line else None


def written(answer: ReachAnswer, provenance: Provenance = PROVENANCE, **rest: object) -> str:
    return markdown(answer, source_line, permalink, provenance, **rest)


def section(text: str, title: str) -> list[str]:
    """The lines under a heading, up to the next."""
    _, _, after = text.partition(f"### {title}")
    return [line for line in after.partition("\n### ")[0].splitlines()[1:] if line]


def test_the_verdict_comes_first_in_one_sentence():
    assert written(REACHES).splitlines()[0] == (
        "**reaches**: `pkg.api.start` can reach code that writes `pkg.tracer._flag`."
    )


def test_then_it_says_what_it_is():
    lines = written(REACHES).splitlines()
    assert lines[2].startswith("> This is a static analysis of the source code, made by deepgrep: nothing was run.")
    assert "beside a reproducer, and is not a bug report by itself" in lines[2]


def test_a_stored_query_gives_the_title_and_a_note():
    lines = written(REACHES, question="Can it change the flag?", note="Look at the lock.").splitlines()
    assert lines[0] == "## Can it change the flag?"
    assert "Look at the lock." in lines


def test_versions_say_the_commit_the_digest_and_what_was_compared():
    answer = replace(REACHES, sources=[replace(SOURCE, commit=COMMIT)])
    assert written(answer).splitlines()[4:6] == [
        f"- **pkg 2.13.0**, commit [`0123456789ab`](https://github.com/owner/pkg/commit/{COMMIT}),"
        " digest `fedcba987654`; the files are those of the release (3 files compared with the wheel's RECORD)",
        "- deepgrep 0.1.0, on Python 3.11.2",
    ]


def test_files_that_differ_from_the_release_are_named():
    released = replace(PROVENANCE, released=[Released("pkg", "", 3, ("pkg/a_b.py",), (), ("pkg/x.py", "pkg/y.py"))])
    assert (
        "**the files differ from those of the release**: 1 changed (`pkg/a_b.py`), 2 added (`pkg/x.py`, `pkg/y.py`);"
        " 3 files compared with the wheel's RECORD"
    ) in written(REACHES, released)


def test_what_was_compared_with_nothing_is_said_so():
    released = replace(PROVENANCE, released=[Released("pkg", "", 0, (), (), ())])
    assert "not compared with a release: no RECORD of an installer names these files" in written(REACHES, released)


def test_a_command_that_would_not_fit_is_in_the_page_only():
    text = written(REACHES, replace(PROVENANCE, command=f"deepgrep report '{'x' * 99_000}' _flag"))
    assert len(text) < MOST_BYTES
    assert "The command has 99,024 characters: the HTML page of this report has it." in text


def test_filters_of_the_question_are_told():
    assert "- filter: stays out of `pkg.other`" in written(replace(REACHES, filters=["stays out of pkg.other"]))


def test_a_path_is_a_numbered_list_with_links_source_lines_and_conditions():
    blob = f"https://github.com/owner/pkg/blob/{COMMIT}/pkg"
    assert section(written(REACHES), "Path 1 of 1: certain, 1 hop") == [
        f"1. [`pkg/api.py:12`]({blob}/api.py#L12) in `start`",
        "   ```python",
        "   return trace(fn)",
        "   ```",
        f"2. [`pkg/tracer.py:44`]({blob}/tracer.py#L44) in `Tracer.trace`",
        "   ```python",
        "   _flag = True",
        "   ```",
        "   when `enabled`; `not (fn is None)`\\",
        "   holding `self.lock`\\",
        "   → **writes `pkg.tracer._flag`**",
    ]


def test_a_hop_says_what_is_special_of_it():
    first = replace(
        PATH.hops[0],
        via=Via.CALLBACK,
        certainty=Certainty.FLOW,
        depends_on=["fn"],
        requires=["pkg.mode.Mode.__enter__", "pkg.mode.other"],
        met_along=["pkg.api.start", "pkg.api.make", "pkg.mode.Mode.__enter__"],
    )
    path = replace(PATH, certainty=Certainty.FLOW, hops=[first, *PATH.hops])
    page = rendered(written(replace(REACHES, paths=[path])))
    assert "depends on the root's fn\n" in page.text
    assert "requires that Mode.__enter__ or 1 other has run, by way of api.start → api.make\n" in page.text
    assert "→ by callback, flow: one of several values" in page.text
    assert "(the root, entered once more: its parameters can be anything here)" in page.text


def test_a_hop_without_a_line_of_source_and_without_a_link_is_still_a_hop():
    native = hop("native.<loop>", "Modules/loop.c", 0, 0, via=Via.NATIVE)
    page = rendered(written(replace(REACHES, paths=[replace(PATH, hops=[native, PATH.hops[1]])])))
    assert "Modules/loop.c in native.<loop>\n→ by native" in page.text


def test_conditions_that_the_caller_decides_are_told_once_for_all_paths():
    first = replace(PATH.hops[0], conditions=["_compile"], depends_on=["_compile"])
    path = replace(PATH, hops=[first, PATH.hops[1]])
    lines = section(written(replace(REACHES, paths=[path, path], path_count=2)), "Conditions on the root")
    assert lines[1].startswith("- `_compile`: [`pkg/api.py:12`]")
    assert lines[1].endswith(" when `_compile`")
    assert len(lines) == 2


def test_accesses_are_a_table_those_that_are_reached_first():
    text = written(replace(REACHES, accesses=list(reversed(REACHES.accesses))))
    assert section(text, "Who writes it")[:1] == ["2 places write it, 1 reached."]
    rows = [line.split(" | ") for line in section(text, "Who writes it")[3:]]
    assert [(row[0], row[2], row[3], row[4]) for row in rows] == [
        ("| **yes**", "global", "no", "1 |"),
        ("| no", "global", "yes", " |"),
    ]
    assert rows[0][1].endswith("<br>`Tracer.trace`")


def test_the_access_that_the_best_path_leads_to_comes_first():
    other = replace(WRITE, function="pkg.a.other", file="pkg/a.py")
    text = written(replace(REACHES, accesses=[other, WRITE]))
    rows = [line.split(" | ") for line in section(text, "Who writes it")[3:]]
    assert [row[1].rpartition("<br>")[2] for row in rows] == ["`Tracer.trace`", "`other`"]


def test_many_accesses_that_are_not_reached_are_folded_under_how_many_there_are():
    many = [replace(RESTORE, line=line) for line in range(100)]
    text = written(replace(REACHES, accesses=[WRITE, *many]))
    assert "<details><summary>59 of 100 places that are not reached</summary>" in text
    assert "… 41 more, not reached: `--format json` lists all" in text


def test_many_accesses_are_cut_with_their_count():
    many = [replace(WRITE, line=line, reached=line < 70) for line in range(100)]
    assert section(written(replace(REACHES, accesses=many)), "Who")[-1] == (
        "… 40 more, 10 of them reached: `--format json` lists all"
    )


def test_further_paths_are_folded():
    other = replace(PATH, hops=[PATH.hops[0], replace(PATH.hops[1], function="pkg.tracer.other_trace")])
    text = written(replace(REACHES, paths=[PATH, other], path_count=9, path_count_exact=False))
    page = rendered(text)
    assert "### Path 1 of at least 9: certain, 1 hop" in text
    assert page.tags.count("details") == 2  # and the legend
    assert "path 2 of at least 9: certain, 1 hop, to other_trace" in page.text


def test_a_further_path_does_not_repeat_a_long_start():
    start = [hop(f"pkg.api.f{index}", "pkg/api.py", index, index) for index in range(5)]
    paths = [replace(PATH, hops=[*start, PATH.hops[1]]), replace(PATH, hops=[*start, PATH.hops[0], PATH.hops[1]])]
    text = section(written(replace(REACHES, paths=paths, path_count=2)), "Further paths")
    assert text[1] == "The first 5 hops are those of path 1."
    assert text[2].startswith("6. ")


def test_structure_names_chokepoints_and_the_cut_with_links():
    lines = section(written(REACHES), "All paths")
    assert lines[0] == "1 path, made of 2 functions, 1 edge."
    assert lines[1] == (
        "Chokepoints: every path passes through each of these: a lock or a fix in one of them covers all."
    )
    assert lines[2].startswith("- `pkg.tracer.Tracer.trace` at [`pkg/tracer.py:30`]")
    assert lines[3] == "Cut: a change of this function is enough to break every path."


def test_an_answer_with_paths_says_that_there_may_be_more_and_what_to_look_at():
    text = written(replace(REACHES, rests_on=PATH.hops[0]))
    assert "- one uncertain hop: look at this one: [`pkg/api.py:12`]" in text
    assert "- there may be more paths: 17 blind spots, 0 native exits reached" in text


LEAD = Lead("pkg.api.idle", "pkg/api.py", 5, "self.fn", "attribute of an unknown value", ["pkg.tracer.fn"], ["x"], True)
EXIT = NativeExitRef("pkg.api.idle", "pkg/api.py", 6, "pkg._C.go", True)


def test_a_null_result_says_how_far_it_can_be_trusted():
    answer = replace(
        NO_PATH,
        leads=[LEAD],
        lead_count=1,
        native_exits=[EXIT, replace(EXIT, line=7)],
        open_parameters=["fn"],
        assumptions=["pkg has been imported"],
        notes=["start is decorated"],
        skipped=[Skipped("pkg/bad.py", "no Python")],
        removed=[Removed("pkg.api.idle", "pkg/api.py", 8, "not fn", "fn is None", True)],
    )
    text = rendered(written(answer)).text
    for said in (
        "searched: 210 functions can be reached from the root",
        "open: what the caller passes for fn is called",
        "blind: 17 reached calls with callees that are not all known",
        "assumes that pkg has been imported",
        "note: start is decorated",
        "Leads: 1 call with unknown callees could lead to the target, by name alone; certain calls lead to 1 of them",
        "could be pkg.tracer.fn\n\npkg/api.py:5 in idle: self.fn (attribute of an unknown value), when x",
        "Native exits: 2 calls into native code without a model, 1 callee; certain calls lead to 2 of them",
        "pkg._C.go at pkg/api.py:6 and 1 more",
        "Removed: 1 condition cannot hold, by what is assumed; 1 of them kept calls out",
        "pkg/api.py:8 in idle: not fn (fn is None)",
        "Skipped: 1 file could not be read and may hide something",
        "pkg/bad.py: no Python",
    ):
        assert said in text


def test_an_excluded_answer_says_that_nothing_remains():
    text = written(replace(NO_PATH, verdict=Verdict.EXCLUDED))
    assert "cannot reach code that writes `pkg.tracer._flag`: no unresolved call could lead there" in text
    assert "**Leads**: none: no call with unknown callees" in text
    assert "**Native exits**: no call leaves Python" in text


def test_long_lists_of_evidence_are_folded():
    exits = [replace(EXIT, callee=f"pkg._C.go_{index}") for index in range(12)]
    page = rendered(written(replace(NO_PATH, native_exits=exits)))
    assert page.tags.count("details") == 2
    assert page.code.count("pkg._C.go_11") == 1


def test_the_command_and_the_attached_files_come_last():
    text = written(REACHES, attached=["x.html", "x.svg"])
    assert "```sh\ndeepgrep report start _flag\n```\n\nWith deepgrep 0.1.0 and the same sources installed, " in text
    assert text.endswith("\n\nAttached: `x.html`, `x.svg`\n")


def test_a_small_drawing_is_in_it_and_a_large_one_is_not():
    assert "```mermaid\nflowchart TD\n```" in written(REACHES, mermaid="flowchart TD")
    assert "mermaid" not in written(REACHES, mermaid="x" * 20_000)


def test_no_line_is_broken_within_a_sentence():
    # In comments, trackers keep the breaks of lines.
    outside, in_block = [], False
    for line in written(replace(NO_PATH, leads=[LEAD], lead_count=1)).splitlines():
        in_block ^= line.strip().startswith("```")
        outside.append(line)
    starts = ("#", "**", ">", "-", "|", "<", "```", "deepgrep", "1 place", "With deepgrep")
    assert [line for line in outside if line.strip() and not line.lstrip().startswith(starts)] == []


HOSTILE = [
    "`",
    "a```b",
    "|",
    r"\|",
    "\\",
    "__init__|*args",
    "<script>alert(1)</script>",
    "<img/src=x/onerror=alert(1)>",
    "</details></summary>",
    "<!--",
    "@everyone",
    "#123",
    "](javascript:alert(1))",
    "![x](https://evil.example)",
    "https://evil.example",
    "\n\n# heading\n\n- item\n\n```\n",
    "\u202eevil\u2066",
    "\x00\x1b[31m\ud800",
    "~~~",
    "-->",
]
OURS = {"verdict", "schema", "access", "via", "certainty", "digest", "commit", "places"}


def poisoned(value: object, text: str, key: str = "") -> object:
    """Everything that can come from the analyzed code, replaced."""
    if isinstance(value, dict):
        return {name: item if name in OURS else poisoned(item, text, name) for name, item in value.items()}
    if isinstance(value, list):
        return [poisoned(item, text, key) for item in value]
    return text if isinstance(value, str) else value


FULL = replace(
    REACHES,
    paths=[replace(PATH, hops=[replace(PATH.hops[0], depends_on=["fn"], requires=["a_a"], met_along=["b_b"] * 3)] * 2)],
    path_count=1,
    rests_on=PATH.hops[0],
    filters=["f_f"],
    assumptions=["a_a"],
    notes=["n_n"],
    skipped=[Skipped("s_s", "r_r")],
    removed=[Removed("r_r", "f_f", 8, "c_c", "w_w", True)],
)
EMPTY_HANDED = replace(
    FULL, verdict=Verdict.NO_PATH, paths=[], leads=[LEAD], native_exits=[EXIT], open_parameters=["fn"]
)


@pytest.mark.parametrize("answer", [FULL, EMPTY_HANDED])
@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_of_the_analyzed_code_changes_what_is_around_it(answer: ReachAnswer, text: str):
    def page(name: str):
        hostile = msgspec.convert(poisoned(msgspec.to_builtins(answer), name), ReachAnswer)
        released = Released(name, f"https://github.com/{name}", 1, (name,), (name,), (name,))
        provenance = Provenance("x", "0.1.0", "3.11.2", [released])
        return rendered(
            markdown(
                hostile,
                lambda file, line: name,
                lambda file, line: None,
                provenance,
                question=name,
                note=name,
                attached=[name],
            )
        )

    ours, theirs = page("a_name"), page(text)
    assert theirs.tags == ours.tags
    assert theirs.links == ours.links == []
    assert not any(sign in theirs.plain for sign in ("@", "#", "evil", "alert", "<", "`"))
    assert theirs.text.isprintable() or set(filter(lambda c: not c.isprintable(), theirs.text)) == {"\n"}


def test_any_answer_stays_small_enough_for_a_tracker():
    huge = "a_" * 1_000
    answer = msgspec.convert(poisoned(msgspec.to_builtins(EMPTY_HANDED), huge), ReachAnswer)
    released = Released(huge, "", 1, (huge,) * 500, (huge,) * 500, (huge,) * 500)
    hops = [replace(PATH.hops[0], conditions=[huge] * 50, locks=[huge] * 50, depends_on=[huge] * 50)] * 300
    path = Path(certainty=Certainty.FLOW, hops=hops)
    lead = replace(answer.leads[0], conditions=[huge] * 20, could_be=[huge] * 20)
    answer = replace(
        answer,
        accesses=[replace(WRITE, function=huge, file=huge, form=huge, access=AccessKind.WRITE)] * 200,
        leads=[replace(lead, could_be=[f"{index}{huge}"]) for index in range(500)],
        native_exits=[replace(EXIT, callee=f"{index}{huge}") for index in range(500)],
        notes=[huge] * 200,
        assumptions=[f"{huge} " * 9] * 200,
        filters=[huge] * 50,
        skipped=answer.skipped * 500,
        removed=answer.removed * 500,
        chokepoints=[huge] * 200,
        cut=[huge] * 200,
    )
    for shown in (answer, replace(answer, paths=[path] * 100)):
        text = markdown(
            shown,
            lambda file, line: huge,
            lambda file, line: None,
            Provenance(huge, "0.1.0", "3.11.2", [released]),
            question=huge,
            note=f"{huge} " * 100,
            attached=[huge],
        )
        assert len(text.encode()) <= MOST_BYTES
        rendered(text)
