"""`race`: can threads interleave on a state, and what comes of it?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace as replace_filters

from msgspec.structs import replace

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.rows import AccessKind, State
from deepgrep.questions.answers import Removed, RootRef, TargetRef
from deepgrep.questions.asked import asked
from deepgrep.questions.code import CODE
from deepgrep.questions.filters import NO_FILTERS, Filters, resolve_filters
from deepgrep.questions.interleavings import interleavings
from deepgrep.questions.premises import is_about
from deepgrep.questions.race_answers import RaceAccess, RaceAnswer, RaceVerdict, StateRef, Window
from deepgrep.questions.race_pairs import Pairs, counted, pairs
from deepgrep.questions.race_places import Places, merged, places, together
from deepgrep.questions.race_threads import Threads
from deepgrep.questions.roots import Root, resolve_root
from deepgrep.questions.scopes import Scopes
from deepgrep.questions.statements import SourceLine, Statements, last_name
from deepgrep.questions.targets import resolve_target

_SEPARATE = {
    "thread": (
        "each thread has a value of its own, and a new thread begins without one: no other thread can change it",
        "what it does not protect: code that runs on the same thread in between, such as hooks, garbage collection or "
        "asyncio tasks, where a window is open across an await or a yield",
        "an object that is stored in it and is handed to another thread is shared all the same",
    ),
    "context": (
        "each context has a value of its own, and a new thread begins with an empty one: no other thread can change it",
        "what it does not protect: code that runs in the same context in between, such as hooks and generators",
        "a copied context (asyncio tasks, contextvars.copy_context) begins with the values of that moment; an object "
        "that is stored in it is then shared by both, and can be changed by either",
    ),
}


def race(
    graph: CallGraph,
    target: str,
    source_lines: Callable[[str], SourceLine],
    roots: Sequence[str] = (),
    filters: Filters = NO_FILTERS,
) -> RaceAnswer:
    """Who writes and reads a state, under which locks, and which of that can interleave on two threads.

    Args:
        graph: the analyzed sources.
        target: the name of a state.
        source_lines: for a root as it was given, or "", gives access to the lines of the analyzed files.
        roots: what the threads run, each a name, Python code or the path of a script: of several, each thread another;
            one alone, all threads; none, any public function.
        filters: what no thread does; what is assumed of parameters, of those roots that have them.

    Raises:
        DeepgrepError: a name means nothing or several things, or the target is no state; or the filters contradict each
            other, or are about single paths.
    """
    if filters.through or filters.max_length is not None:
        raise DeepgrepError("race is about all paths, so it takes no through and no max_length: leave these out")
    found = resolve_target(graph, target, AccessKind.WRITE)
    if found.ref.name.endswith(".<module>"):
        module = found.ref.name.removesuffix(".<module>")
        raise DeepgrepError(f"{module} is a module, not a state: name one of its variables, as {module}.NAME")
    if found.ref.kind in ("function", "class"):
        raise DeepgrepError(
            f"{found.ref.name} is a {found.ref.kind}, not a state: name a state that it writes; "
            f"`deepgrep callers {found.ref.name}` says who calls it"
        )
    name = found.ref.name
    lines = source_lines("")
    state = _state(graph, found.ref, Statements(lines))
    named = [resolve_root(graph, root) for root in roots]
    questions = [
        asked(root, _of_root(filters, root, named), lambda graph: resolve_target(graph, name, AccessKind.WRITE))
        for root in named
    ]
    starts = [question.root for question in questions]
    if starts:
        threads = [
            Threads(question.graph, question.filters, question, i, typed.strip())
            for i, (question, typed) in enumerate(zip(questions, roots, strict=True))
        ]
    else:
        threads = [Threads(graph, resolve_filters(graph, filters, None, found))]
    each = [
        places(name, Statements(source_lines(typed)), one) for one, typed in zip(threads, roots or [""], strict=True)
    ]
    accesses = merged(row for one in each for row in one.accesses)
    windows = _merged_windows(each)
    of_object = state.scope == "object" or state.kind == "object attribute"
    is_separate = state.scope in _SEPARATE
    paired = Pairs([], 0) if is_separate else pairs(accesses, windows, roots=len(roots), of_object=of_object)
    return RaceAnswer(
        verdict=_verdict(paired, is_separate=is_separate),
        sources=graph.sources,
        state=state,
        roots=[_root_ref(start, typed) for start, typed in zip(starts, roots, strict=True)],
        accesses=accesses,
        windows=windows,
        pairs=paired.found,
        interleavings=interleavings(paired.found, windows, state.initial),
        common_locks=_common_locks(accesses, of_object=of_object),
        locked_pairs=paired.locked,
        writer_entries=sum(one.count(there.writers) for one, there in zip(threads, each, strict=True)),
        reader_entries=sum(one.count(there.readers) for one, there in zip(threads, each, strict=True)),
        skipped=graph.skipped,
        notes=[
            *_names_notes(graph, target, starts),
            *dict.fromkeys(note for one in threads for note in one.notes()),
            *_notes(state, accesses, of_object=of_object),
        ],
        filters=list(dict.fromkeys(said for one in threads for said in one.said())),
        removed=_removed(threads),
    )


def _of_root(filters: Filters, root: Root, roots: Sequence[Root]) -> Filters:
    """The filters without what is assumed of parameters that only others of the roots have."""
    kept = (typed for typed in filters.assume if is_about(root, typed) or not any(is_about(r, typed) for r in roots))
    return replace_filters(filters, assume=tuple(kept))


def _removed(threads: Sequence[Threads]) -> list[Removed]:
    """The conditions that cannot hold, each once."""
    return list({(row.file, row.line, row.condition): row for one in threads for row in one.removed()}.values())


def _state(graph: CallGraph, ref: TargetRef, statements: Statements) -> StateRef:
    reason = Scopes(graph).reason(State(ref.name, ref.kind, ref.scope))
    owner, last = ref.name.rpartition(".")[0], last_name(ref.name)
    file, first, indented = "", 0, False
    if "[" not in ref.name:
        if (body := graph.module_body(owner)) is not None:
            file, first = graph.texts[graph.function_file[body]], 1
        elif classes := graph.classes_named(owner):
            file, first, indented = classes[0].file, classes[0].line, True
    value, line = statements.initial(file, first, last, indented=indented) if file else ("", 0)
    return StateRef(ref.name, ref.kind, ref.scope, reason, value, file if value else "", line)


def _root_ref(root: Root, typed: str) -> RootRef:
    return replace(root.ref, name=typed.strip()) if root.ref.file == CODE else root.ref


def _merged_windows(each: Sequence[Places]) -> list[Window]:
    rows: dict[tuple[str, int, str, str, int, tuple[int, ...]], Window] = {}
    for one in each:
        for window in one.windows:
            own = tuple(window.roots) if window.file == CODE else ()
            key = window.file, window.line, window.function, window.end_file, window.end_line, own
            known = rows.get(key)
            if known is not None:
                window = together(known, window)
            rows[key] = window
    return [rows[key] for key in sorted(rows)]


def _verdict(paired: Pairs, *, is_separate: bool) -> RaceVerdict:
    if is_separate:
        return RaceVerdict.SEPARATE
    if paired.found:
        return RaceVerdict.CAN_INTERLEAVE
    return RaceVerdict.LOCKED if paired.locked else RaceVerdict.NOT_SHARED


def _common_locks(accesses: Sequence[RaceAccess], *, of_object: bool) -> list[str]:
    sets = [counted(row.locks, of_object=of_object) for row in accesses if not row.at_import and not row.handed_on]
    return sorted(set.intersection(*sets)) if sets else []


def _names_notes(graph: CallGraph, target: str, roots: Sequence[Root]) -> Iterator[str]:
    for access in (AccessKind.WRITE, AccessKind.READ):
        found = resolve_target(graph, target, access)
        yield from (note for note in found.notes if not note.startswith("nothing in"))
        break
    for root in roots:
        yield from root.notes


def _notes(state: StateRef, accesses: Sequence[RaceAccess], *, of_object: bool) -> Iterator[str]:
    if state.scope in _SEPARATE:
        yield from _SEPARATE[state.scope]
    if not state.scope:
        yield "it is not known whether each thread has a value of its own: the answer takes it to be shared"
    if state.scope == "object":
        yield "each object has a value of its own: only threads that share an object can interleave"
    if unsure := sum(not row.is_sure for row in accesses):
        yield f"{unsure} of the accesses may be of something else: of an unknown name, or by a call of one of several"
    if not of_object and any(lock.may_differ for row in accesses for lock in row.locks):
        yield "locks that may differ (each object has its own, a function replaces it) do not count as common"
    yield (
        "public are functions whose name has no part that begins with an underscore, and what is re-exported so; "
        "locks are those taken by `with`"
    )
