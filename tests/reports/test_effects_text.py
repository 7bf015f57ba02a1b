import click
from msgspec.structs import replace
from report_examples import PATH, SOURCE

from deepgrep.graph.rows import AccessKind, Certainty, Skipped
from deepgrep.questions.answers import Path, Removed, RootRef
from deepgrep.questions.effects import Effect, EffectCount, EffectPlace, EffectsAnswer
from deepgrep.reports.text.effects import effects_text

PLACE = EffectPlace(
    function="pkg.tracer.Tracer.trace",
    file="pkg/tracer.py",
    line=44,
    form="global",
    restore=False,
    conditions=["enabled", "not (fn is None)"],
)
FLAG = Effect(
    name="pkg.tracer._flag",
    kind="module global",
    scope="process",
    package="pkg",
    certainty=Certainty.CERTAIN,
    distance=1,
    importing=False,
    restored=True,
    elsewhere=False,
    places=[PLACE, replace(PLACE, line=48, restore=True)],
    path=PATH,
)
ANSWER = EffectsAnswer(
    sources=[SOURCE],
    root=RootRef(name="pkg.api.start", file="pkg/api.py", line=10),
    access=AccessKind.WRITE,
    counts=[
        EffectCount("module global", "process", "pkg", states=1_200, certain=1, restored=1),
        EffectCount("instance attribute", "object", "pkg", states=3, certain=0, restored=0),
    ],
    effects=[FLAG],
    imports=["pkg.late"],
    native_exits=[],
    blind_spots=2,
    reached_functions=3,
    skipped=[],
    notes=["the root was taken to be start"],
)


def text(answer, width=100):
    return click.unstyle(effects_text(answer, lambda file, line: "compile(f)", width)).splitlines()


def test_the_summary_comes_first_then_the_nearest_of_each_kind():
    assert text(ANSWER) == [
        "pkg.api.start can change 1,200 shared states, 1 by certain calls alone",
        "",
        "sources   pkg 2.13.0, commit 0123456789ab, digest fedcba987654",
        "root      pkg.api.start  pkg/api.py:10",
        "",
        "kind                    states  certain  restored  packages",
        "module global            1,200        1         1  pkg 1,200",
        "instance attribute           3        0         0  pkg 3",
        "instance attributes are parts of objects, and shared only where the object is: --all lists them too",
        "",
        "module global: the 1 nearest of 1,200",
        "  pkg.tracer._flag",
        "      certain, 1 call away, restored, one for the whole process",
        "      pkg/tracer.py:44  Tracer.trace  and 1 other place",
        "      start → Tracer.trace",
        "      when enabled; not (fn is None)",
        "  … 1,199 more: --all lists them, and so does --format json",
        "",
        "1 module may be imported for the first time: pkg.late",
        "unknown   2 blind spots, 0 native exits reached: these may change more",
        "note: the root was taken to be start",
    ]


def test_an_effect_of_the_root_itself_needs_no_path():
    effect = replace(FLAG, distance=0, places=[PLACE], path=Path(Certainty.CERTAIN, PATH.hops[1:]))
    lines = text(replace(ANSWER, effects=[effect]))
    assert "      certain, in the root, restored, one for the whole process" in lines
    assert not any("→" in line for line in lines)


def test_what_only_another_process_changes_comes_last_and_says_so():
    theirs = replace(FLAG, name="pkg.theirs", elsewhere=True)
    lines = text(replace(ANSWER, effects=[FLAG, theirs], elsewhere=7))
    at = lines.index("only in processes that it starts, not in this one: the 1 nearest of 7")
    assert lines.index("module global: the 1 nearest of 1,200") < at
    assert lines[at + 1] == "  pkg.theirs"


def test_a_path_that_is_not_certain_or_imports_says_so():
    effect = replace(FLAG, certainty=Certainty.FLOW, importing=True, restored=False)
    lines = text(replace(ANSWER, effects=[effect]))
    assert "      flow, 1 call away, first import only, one for the whole process" in lines


def test_what_is_depended_on_is_told_without_restores():
    reads = replace(ANSWER, access=AccessKind.READ, effects=[])
    lines = text(reads)
    assert lines[0] == "pkg.api.start may depend on 1,200 shared states, 1 by certain calls alone"
    assert lines[5] == "kind                    states  certain            packages"
    assert lines[-2] == "unknown   2 blind spots, 0 native exits reached: these may depend on more"


def test_where_every_call_could_be_followed_that_is_told():
    assert text(replace(ANSWER, blind_spots=0))[-2] == "unknown   nothing: every call that is reached could be followed"


def test_a_root_that_is_code_is_shown_as_it_was_typed():
    lines = text(replace(ANSWER, root=RootRef("<root>", "<root>", 1)))
    assert lines[0] == "the code can change 1,200 shared states, 1 by certain calls alone"
    assert lines[3] == "root      compile(f)"


def test_no_effect_is_told():
    nothing = replace(ANSWER, counts=[], effects=[], imports=[], notes=[])
    assert text(nothing)[0] == "pkg.api.start can change no shared state that is known"


def test_as_many_packages_are_named_as_fit():
    counts = [
        EffectCount("module global", "process", f"pkg.{name}", states=9, certain=0, restored=0)
        for name in ("first", "second", "third", "fourth")
    ]
    assert text(replace(ANSWER, counts=counts), 80)[6].endswith("pkg.first 9, 3 more")


def test_lines_stay_within_the_width():
    effect = replace(
        FLAG,
        name="pkg." + "long_name." * 12 + "x",
        path=Path(Certainty.CERTAIN, [replace(PATH.hops[1], function=f"pkg.tracer.{'f' * 60}{i}") for i in range(9)]),
    )
    assert all(len(line) <= 100 for line in text(replace(ANSWER, effects=[effect])))


def test_files_that_could_not_be_read_are_told():
    assert "pkg/bad.py: no Python" in "\n".join(text(replace(ANSWER, skipped=[Skipped("pkg/bad.py", "no Python")])))


def test_what_is_left_out_and_what_cannot_be_is_told():
    removed = Removed("pkg.api.start", "pkg/api.py", 11, "a", "a is False", leads_on=False)
    lines = text(replace(ANSWER, filters=["avoids trace"], removed=[removed]))
    assert "filter    avoids trace" in lines
    at = lines.index("removed   1 condition cannot hold, by what is assumed")
    assert lines[at + 1 : at + 3] == ["  pkg/api.py:11  start", "      a  (a is False)"]
