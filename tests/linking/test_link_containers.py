"""Containers: what a list, tuple, set or dict holds; dispatch tables."""

from linked import link_sources


def test_a_dispatch_table_leads_to_what_it_holds():
    graph = link_sources("""
        def g(): pass
        def h(): pass
        def other(): pass
        table = {"g": g, "h": h}
        def f(name): table[name]()
    """)
    assert graph.edges("f") == {("g", "call", "flow"), ("h", "call", "flow")}


def test_a_constant_key_leads_to_what_is_held_there():
    graph = link_sources("""
        def g(): pass
        def h(): pass
        table = {"g": g, "h": h}
        def f(): table["g"]()
    """)
    assert graph.callees("f") == {"g"}


def test_two_tables_are_told_apart():
    graph = link_sources("""
        def g(): pass
        def h(): pass
        first = {}
        second = {}
        first["x"] = g
        second["x"] = h
        def f(name): first[name]()
    """)
    assert graph.callees("f") == {"g"}


def test_what_is_put_into_a_table_by_a_function_is_found():
    graph = link_sources("""
        table = {}
        def register(name, function): table[name] = function
        def g(): pass
        register("g", g)
        def f(name): table[name]()
    """)
    assert graph.callees("f") == {"g"}


def test_get_setdefault_pop_values_and_items_lead_to_what_a_table_holds():
    graph = link_sources("""
        def g(): pass
        table = {"g": g}
        def by_get(name): table.get(name)()
        def by_setdefault(name): table.setdefault(name, None)()
        def by_pop(name): table.pop(name)()
        def by_values():
            for run in table.values(): run()
        def by_items():
            for name, run in table.items(): run()
    """)
    for caller in ("by_get", "by_setdefault", "by_pop", "by_values", "by_items"):
        assert graph.callees(caller) == {"g"}, caller


def test_get_may_give_its_default():
    graph = link_sources("""
        def g(): pass
        def default(): pass
        table = {"g": g}
        def f(name): table.get(name, default)()
    """)
    assert graph.callees("f") == {"g", "default"}


def test_get_with_a_constant_key_leads_to_what_is_held_there():
    graph = link_sources("""
        def g(): pass
        def h(): pass
        table = {"g": g, "h": h}
        def f(): table.get("g")()
    """)
    assert graph.callees("f") == {"g"}


def test_append_extend_insert_and_add_put_into_a_container():
    graph = link_sources("""
        def g(): pass
        def h(): pass
        def i(): pass
        def j(): pass
        hooks = []
        names = set()
        def install():
            hooks.append(g)
            hooks.extend([h])
            hooks.insert(0, i)
            names.add(j)
        def f():
            for hook in hooks: hook()
        def k():
            for name in names: name()
    """)
    assert graph.callees("f") == {"g", "h", "i"}
    assert graph.callees("k") == {"j"}


def test_update_and_merging_put_into_a_table():
    graph = link_sources("""
        def g(): pass
        def h(): pass
        def i(): pass
        table = {}
        table.update({"g": g})
        table |= {"h": h}
        both = {**table, "i": i}
        def f(name): table[name]()
        def k(name): both[name]()
    """)
    assert graph.callees("f") == {"g", "h"}
    assert graph.callees("k") == {"g", "h", "i"}


def test_concatenated_lists_hold_what_both_hold():
    graph = link_sources("""
        def g(): pass
        def h(): pass
        steps = [g] + [h]
        def f():
            for step in steps: step()
    """)
    assert graph.callees("f") == {"g", "h"}


def test_a_defaultdict_holds_what_its_factory_makes():
    graph = link_sources("""
        import collections
        class A:
            def run(self): pass
        table = collections.defaultdict(A)
        def f(name): table[name].run()
    """)
    assert "A.run" in graph.callees("f")


def test_a_default_dict_of_lists_holds_what_is_appended():
    graph = link_sources("""
        from collections import defaultdict
        def g(): pass
        hooks = defaultdict(list)
        def install(name): hooks[name].append(g)
        def f(name):
            for hook in hooks[name]: hook()
    """)
    assert graph.callees("f") == {"g"}


def test_a_table_in_a_class_is_found_through_self():
    graph = link_sources("""
        def g(): pass
        class A:
            table = {"g": g}
            def run(self, name): self.table[name]()
    """)
    assert graph.callees("A.run") == {"g"}


def test_a_list_of_methods_in_an_attribute():
    graph = link_sources("""
        class A:
            def __init__(self): self.steps = [self.first, self.second]
            def run(self):
                for step in self.steps: step()
            def first(self): pass
            def second(self): pass
    """)
    assert graph.callees("A.run") == {"A.first", "A.second"}


def test_a_class_that_extends_dict_holds_what_is_put_in():
    graph = link_sources("""
        class Registry(dict): pass
        registry = Registry()
        def g(): pass
        registry["g"] = g
        def f(name): registry[name]()
    """)
    assert graph.callees("f") == {"g"}


def test_a_class_that_extends_dict_may_override_its_methods():
    graph = link_sources("""
        class Registry(dict):
            def __setitem__(self, key, value): super().__setitem__(key, value)
            def __missing__(self, key): pass
        registry = Registry()
        def f(name): registry[name] = 1
        def g(name): return registry[name]
    """)
    assert graph.callees("f") == {"Registry.__setitem__"}
    assert graph.callees("g") == {"Registry.__missing__"}


def test_keys_that_are_functions_are_told_apart():
    graph = link_sources("""
        def a(): pass
        def b(): pass
        def g(): pass
        def h(): pass
        table = {a: g, b: h}
        def f(): table[a]()
        def run_keys():
            for key in table: key()
    """)
    assert graph.callees("f") == {"g"}
    assert graph.callees("run_keys") == {"a", "b"}


def test_a_comprehension_of_functions():
    graph = link_sources("""
        def g(): pass
        def h(): pass
        table = {f.__name__: f for f in (g, h)}
        def run(name): table[name]()
    """)
    assert graph.callees("run") == {"g", "h"}


def test_a_slice_holds_what_the_list_holds():
    graph = link_sources("""
        def g(): pass
        def h(): pass
        steps = [g, h]
        def f():
            for step in steps[1:]: step()
    """)
    assert {"h"} <= graph.callees("f") <= {"g", "h"}


def test_a_container_made_of_another_holds_what_that_holds():
    graph = link_sources("""
        import collections
        def g(): pass
        def by_list():
            for run in list([g]): run()
        def by_tuple():
            for run in tuple(x for x in (g,)): run()
        def by_deque():
            for run in collections.deque([g]): run()
        def by_keyword(): dict(a=g)["a"]()
        def by_dict(): dict({"a": g})["a"]()
        def by_copy(): {"a": g}.copy()["a"]()
    """)
    for caller in ("by_list", "by_tuple", "by_deque", "by_keyword", "by_dict", "by_copy"):
        assert graph.callees(caller) == {"g"}, caller


def test_a_deque_holds_what_is_put_in():
    graph = link_sources("""
        import collections
        queue = collections.deque()
        def g(): pass
        def put(): queue.append(g)
        def f(): queue.popleft()()
    """)
    assert graph.callees("f") == {"g"}


def test_a_queue_holds_what_is_put_in():
    graph = link_sources("""
        import queue
        tasks = queue.Queue()
        def g(): pass
        def put(): tasks.put(g)
        def f(): tasks.get()()
    """)
    assert graph.callees("f") == {"g"}


def test_a_simple_namespace_holds_what_is_assigned():
    graph = link_sources("""
        import types
        hooks = types.SimpleNamespace()
        def g(): pass
        hooks.run = g
        def f(): hooks.run()
    """)
    assert graph.callees("f") == {"g"}


def test_a_slice_with_constant_bounds_keeps_positions():
    graph = link_sources("""
        def a(): pass
        def b(): pass
        def c(): pass
        steps = [a, b, c]
        def f(): steps[1:][0]()
        def g(): steps[:1][0]()
        def h(n): steps[n:][0]()
        def k(): steps[::2][0]()
        def l():
            rest = steps
            while rest:
                rest[0]()
                rest = rest[1:]
    """)
    assert graph.callees("f") == {"b"}
    assert graph.callees("g") == {"a"}
    assert graph.callees("h") == graph.callees("k") == graph.callees("l") == {"a", "b", "c"}


def test_what_is_assigned_to_a_slice_is_held():
    graph = link_sources("""
        def g(): pass
        def f(x):
            steps = []
            steps[1:] = [g]
            steps[x]()
    """)
    assert graph.callees("f") == {"g"}


def test_a_list_that_gets_what_several_sets_hold_beyond_what_is_followed():
    tables = [[f"f{table}_{i}" for i in range(12)] for table in range(5)]
    functions = "\n".join(f"        def {name}(): pass" for names in tables for name in names)
    makers = "\n".join(f"        def table{i}(): return {{{', '.join(names)}}}" for i, names in enumerate(tables))
    copies = "\n".join(f"            for x{i} in table{i}(): found.append(x{i})" for i in range(5))
    graph = link_sources(f"""
{functions}
        def other(): pass
{makers}
        def f():
            found = []
{copies}
            for function in found: function()
    """)
    reached = graph.reached("f")
    assert [name for names in tables for name in names if name not in reached] == []
    assert "other" not in reached
