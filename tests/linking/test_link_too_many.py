"""Places that are given more callables than are followed lead to all of them, once what gave them has run."""

from linked import Linked, link_sources

_FUNCTIONS = "\n".join(f"def f{i}(): pass" for i in range(12))


def _reached_by(graph: Linked, caller: str) -> set[str]:
    """What a function calls, also through the places that it reads."""
    callees = graph.callees(caller)
    return callees | {member for one in callees if "<one of" in one for member in graph.callees(one)}


def test_a_registry_of_many_functions_leads_to_each():
    adds = "\n".join(f"table.append(f{i})" for i in range(12))
    graph = link_sources(f"{_FUNCTIONS}\ntable = []\n{adds}\ndef run(i): table[i]()")
    assert {f"f{i}" for i in range(12)} <= _reached_by(graph, "run")


def test_a_registry_of_many_classes_leads_to_each_constructor():
    classes = "\n".join(f"class C{i}:\n  def __init__(self): pass" for i in range(12))
    adds = "\n".join(f"table.append(C{i})" for i in range(12))
    graph = link_sources(f"{classes}\ntable = []\n{adds}\ndef run(i): table[i]()")
    assert {f"C{i}.__init__" for i in range(12)} <= _reached_by(graph, "run")


def test_what_is_beyond_the_limit_is_called_once_what_gave_it_has_run():
    adds = "\n".join(f"def add{i}(): table.append(f{i})" for i in range(12))
    graph = link_sources(f"{_FUNCTIONS}\ntable = []\n{adds}\ndef run(i): table[i]()")
    (place,) = {one for one in graph.callees("run") if "<one of" in one}
    for member in graph.callees(place):
        assert graph.requires(place, member) == {f"add{member.removeprefix('f')}"}


def test_a_value_for_many_goes_on_through_variables_and_parameters():
    adds = "\n".join(f"table.append(f{i})" for i in range(12))
    graph = link_sources(f"""{_FUNCTIONS}
table = []
{adds}
def call(function): function()
def run(i):
    chosen = table[i]
    call(chosen)
""")
    assert {f"f{i}" for i in range(12)} <= _reached_by(graph, "call")


def test_such_a_place_is_no_blind_spot():
    adds = "\n".join(f"table.append(f{i})" for i in range(12))
    graph = link_sources(f"{_FUNCTIONS}\ntable = []\n{adds}\ndef run(i): table[i]()")
    assert not graph.rows.blind_spots


def test_an_attribute_of_one_of_many_is_a_blind_spot():
    adds = "\n".join(f"table.append(f{i})" for i in range(12))
    graph = link_sources(f"{_FUNCTIONS}\ntable = []\n{adds}\ndef run(i): table[i].go()")
    assert [spot.reason for spot in graph.rows.blind_spots] == ["too many values"]


def test_native_setters_in_a_place_of_many_write_their_states():
    names = ", ".join(f"torch._C._set_cudnn_{name}" for name in ("enabled", "benchmark", "deterministic"))
    more = ", ".join(f"f{i}" for i in range(12))
    graph = link_sources(f"import torch\n{_FUNCTIONS}\ndef run(set): set(True)\nfor one in ({more}, {names}): run(one)")
    states = {graph.rows.states[a.state].name for a in graph.rows.accesses if a.access == "write"}
    assert "torch._C.cudnn_benchmark" in states


def test_what_one_of_several_values_writes_is_said_to_be_so():
    graph = link_sources("""
        import torch
        def other(value): pass
        def run(chosen):
            setter = torch._C._set_cudnn_benchmark if chosen else other
            setter(True)
        def sure(): torch._C._set_cudnn_benchmark(True)
    """)
    forms = {
        (graph.functions[a.function], a.form)
        for a in graph.rows.accesses
        if graph.rows.states[a.state].name == "torch._C.cudnn_benchmark" and a.access == "write"
    }
    assert forms == {("run", "call of one of several"), ("sure", "call")}


def test_a_method_of_several_objects_is_not_one_of_several_functions():
    graph = link_sources("""
        kept: list = []
        def run(value): kept.append(value)
    """)
    assert {a.form for a in graph.rows.accesses if a.access == "write"} >= {"mutating call"}
    assert not [a for a in graph.rows.accesses if "one of several" in a.form]


def test_a_place_that_holds_a_partial_of_itself_ends():
    adds = "\n".join(f"table.append(f{i})" for i in range(12))
    graph = link_sources(f"""import functools
{_FUNCTIONS}
table = []
{adds}
def run(i):
    table.append(functools.partial(table[i], 1))
    table[i]()
""")
    assert {f"f{i}" for i in range(12)} <= _reached_by(graph, "run")
