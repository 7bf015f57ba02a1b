"""What reports of `reach` say in sentences: once, for every form that a report has.

A sentence that names something of the analyzed code takes `name`, which writes a name as that form needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deepgrep.questions.answers import AccessRef, Hop, Lead, NativeExitRef, Path, ReachAnswer, Verdict
from deepgrep.reports.words import DO, DOES, clean, plural, root_name

_CALLED_FROM_THE_PATH = 2
SHARED_HOPS_WORTH_FOLDING = 3

AGAIN = "the root, entered once more: its parameters can be anything here"
PASSES = "every path passes through each of these: a lock or a fix in one of them covers all"
ONE_UNCERTAIN_HOP = "one uncertain hop: look at this one"
NO_LEADS = "none: no call with unknown callees could lead to the target, even by name alone"
NO_NATIVE_EXITS = "no call leaves Python for native code without a model"


def verdict_sentence(answer: ReachAnswer, name: Callable[[str], str] = clean) -> str:
    """The verdict in plain words, on one line and without colour; `name` writes what it names."""
    root = root_name(answer.root, name)
    end = f"code that {DOES[answer.target.access]} {name(answer.target.name)}"
    match answer.verdict:
        case Verdict.REACHES:
            return f"{root} can reach {end}"
        case Verdict.MAY_REACH:
            is_sure = any(access.reached and access.is_sure for access in answer.accesses)
            why = "every path takes a call that is one of several possible"
            return f"{root} may reach {end}: {why if is_sure else 'what is reached may access another one instead'}"
        case Verdict.NO_PATH:
            counts = [plural(answer.lead_count, "lead"), plural(len(answer.native_exits), "native exit")]
            if answer.open_calls:
                counts.append(plural(answer.open_calls, "other open call"))
            remain = f"{', '.join(counts[:-1])} and {counts[-1]} remain"
            own = (
                f", and the caller's own {', '.join(map(name, answer.open_parameters))}"
                if answer.open_parameters
                else ""
            )
            return f"no path found from {root} to {end}; {remain}{own}"
        case Verdict.EXCLUDED:
            return f"{root} cannot reach {end}: no unresolved call could lead there, even by name alone"


def accesses_sentence(answer: ReachAnswer) -> str:
    """How many places access the target, and how many of them are reached."""
    do, does = DO[answer.target.access], DOES[answer.target.access]
    count = len(answer.accesses)
    if not count:
        return f"nothing in the sources {does} it"
    reached = sum(1 for access in answer.accesses if access.reached)
    unsure = sum(not access.is_sure for access in answer.accesses)
    perhaps = f", {unsure:,} of them perhaps" if unsure else ""
    return f"{plural(count, 'place')} {does if count == 1 else do} it{perhaps}, {reached:,} reached"


def path_numbers(answer: ReachAnswer, access: AccessRef) -> list[int]:
    """The paths that end in the function of an access, best first, counted from 1."""
    if not access.reached:
        return []
    ends = [(path.hops[-1].function, path.hops[-1].file) for path in answer.paths]
    return [number for number, end in enumerate(ends, 1) if end == (access.function, access.file)]


def first_path_number(answer: ReachAnswer, access: AccessRef) -> int:
    """Sorts accesses by the best path that leads to their function; without one, they come last."""
    return min(path_numbers(answer, access), default=len(answer.paths) + 1)


def ordered_accesses(answer: ReachAnswer) -> list[AccessRef]:
    """Those that are reached first, by the path that leads there, and what is known to be the target before others."""
    return sorted(
        answer.accesses,
        key=lambda access: (not access.reached, first_path_number(answer, access), not access.is_sure),
    )


def path_title(answer: ReachAnswer, index: int) -> tuple[str, str]:
    """Which path it is of how many, and what it is like."""
    path = answer.paths[index]
    total = f"{answer.path_count:,}" if answer.path_count_exact else f"at least {answer.path_count:,}"
    return f"path {index + 1} of {total}", f"{path.certainty}, {plural(len(path.hops) - 1, 'hop')}"


def shared_hops(before: Path, path: Path) -> int:
    """How many hops two paths have in common at their start."""
    count = 0
    for one, other in zip(before.hops, path.hops, strict=False):
        if one != other:
            break
        count += 1
    return min(count, len(path.hops) - 1)


def requires_sentence(hop: Hop, name: Callable[[str], str]) -> tuple[str, Sequence[str]] | None:
    """What must have run before control can pass on, and the way to it; None where the path itself calls it."""
    if not hop.requires or not hop.met_along or len(hop.met_along) <= _CALLED_FROM_THE_PATH:
        return None
    first, *others = hop.requires
    more = f" or 1 of {len(others):,} others" if len(others) > 1 else " or 1 other" if others else ""
    return f"requires that {name(first)}{more} has run, by way of ", hop.met_along[:-1]


def short_name(function: str) -> str:
    """A function's name within its class or module, with that."""
    return clean(".".join(function.rpartition("<locals>.")[2].split(".")[-2:]))


def is_root_again(answer: ReachAnswer, position: int, hop: Hop) -> bool:
    """Whether a path has come back to the root."""
    return position > 0 and (hop.function, hop.line) == (answer.root.name, answer.root.line)


def all_paths_sentence(answer: ReachAnswer) -> str:
    """How many paths there are, and of how much."""
    count = plural(answer.path_count, "path")
    count = count if answer.path_count_exact else f"at least {count}"
    return f"{count}, made of {plural(len(answer.chop.functions), 'function')}, {plural(answer.chop.edges, 'edge')}"


def place_of(answer: ReachAnswer, name: str) -> tuple[str, int]:
    """Where a chokepoint or a function of the cut is defined; line 0 where it has none, as what is native."""
    where = answer.places.get(name, "")
    file, _, line = where.rpartition(":")
    return (file, int(line)) if file and line.isdecimal() else (where, 0)


def cut_sentence(answer: ReachAnswer) -> str:
    """What breaks every path."""
    these = "this function" if len(answer.cut) == 1 else f"these {len(answer.cut):,} functions"
    return f"a change of {these} is enough to break every path"


def unknown_sentence(answer: ReachAnswer) -> str:
    """What could hide more paths than were found."""
    unknown = f"{plural(answer.blind_spots, 'blind spot')}, {plural(len(answer.native_exits), 'native exit')}"
    return f"there may be more paths: {unknown} reached"


def searched_sentence(answer: ReachAnswer) -> str:
    """How much a null result looked at."""
    return f"{plural(answer.reached_functions, 'function')} can be reached from the root"


def blind_sentence(answer: ReachAnswer) -> str:
    """How much a null result could not follow."""
    return f"{plural(answer.blind_spots, 'reached call')} with callees that are not all known"


def open_sentence(answer: ReachAnswer, name: Callable[[str], str]) -> str:
    """What of a null result is the caller's own code."""
    names = ", ".join(map(name, answer.open_parameters))
    return f"what the caller passes for {names} is called: that code is the caller's own, and not part of this answer"


def leads_sentence(leads: Sequence[Lead], count: int) -> str:
    """How many leads there are, and to how many of them certain calls lead."""
    certain = sum(1 for lead in leads if lead.certain)
    said = f"{plural(count, 'call')} with unknown callees could lead to the target, by name alone"
    # Those that certain calls lead to come first.
    at_least = "at least " if certain == len(leads) < count else ""
    return f"{said}; certain calls lead to {at_least}{certain or 'none'} of them"


def leads_by_callee(leads: Sequence[Lead]) -> dict[tuple[str, ...], list[Lead]]:
    """Leads by what they could be: whoever rules that out, or sees it, has done with all of them."""
    groups: dict[tuple[str, ...], list[Lead]] = {}
    for lead in leads:
        groups.setdefault(tuple(lead.could_be), []).append(lead)
    return groups


def lead_reason(lead: Lead, leads: Sequence[Lead]) -> str:
    """Why a lead's callees are unknown, and whether the call itself is doubtful where others are not."""
    doubtful = not lead.certain and any(other.certain for other in leads)
    return f"{lead.reason}; only doubtful calls lead here" if doubtful else lead.reason


def native_sentence(exits: Sequence[NativeExitRef]) -> str:
    """How many calls leave Python, and to how many of them certain calls lead."""
    certain = sum(1 for native in exits if native.certain)
    callees = plural(len({native.callee for native in exits}), "callee")
    said = f"{plural(len(exits), 'call')} into native code without a model, {callees}"
    return f"{said}; certain calls lead to {certain:,} of them, which come first"


def native_by_callee(exits: Sequence[NativeExitRef]) -> dict[str, list[NativeExitRef]]:
    """Native exits by what they call."""
    groups: dict[str, list[NativeExitRef]] = {}
    for native in exits:
        groups.setdefault(native.callee, []).append(native)
    return groups
