"""The words of a report, for someone who never saw deepgrep: once, for every form that a report has."""

GLOSSARY = {
    "reaches": "there is a path on which every call has just this callee.",
    "may-reach": "there is a path, but each one takes a call that is one of several possible; "
    "a path like that can be one that no run takes.",
    "no-path": "no path was found, but calls remain that could not be followed; they are listed.",
    "excluded": "no path, and no call that could not be followed could lead to the target, even by name alone.",
    "hop": "a step from one function to the next, mostly a call: a path of 2 hops passes through 3 functions.",
    "certain, dispatch, flow": "the only callee; one of the overrides of a known class; one of several values that "
    "came through variables, containers or attributes. A hop without a remark is a plain call of the only callee.",
    "when": "what the line stands under, outermost first, in the code's own words. "
    "Whether these can all hold at once is not decided.",
    "requires": "what must have run before control can pass on, such as what makes an instance.",
    "perhaps": "what is accessed here is the target or something else; which one is not known.",
    "restores": "puts back a value that was saved before.",
    "blind spot": "a reached call whose callees are not all known.",
    "lead": "a blind spot that could go on to the target, were its callee some function of the name that is called.",
    "native exit": "a call that leaves Python for native code of which nothing is known.",
    "chokepoint": "a function that every path goes through.",
    "cut": "a smallest set of functions without which there is no path.",
}
