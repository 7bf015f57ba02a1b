from pathlib import Path

import pytest

from deepgrep.errors import DeepgrepError
from deepgrep.models import Models, load
from deepgrep.models.model import (
    Argument,
    Attribute,
    Bound,
    Call,
    ClassModel,
    External,
    Instance,
    Items,
    Lacking,
    MethodCall,
    Number,
    OnResult,
    Part,
    Passed,
    Receiver,
    Registered,
    StateModel,
    StateUse,
    Store,
)


def read(folder: Path, text: str) -> Models:
    (folder / "area.toml").write_text(text, encoding="utf-8")
    return load(folder)


def function(folder: Path, *fields: str, signature: str = ""):
    lines = "\n".join(fields)
    models = read(
        folder, f'[[function]]\nnames = ["m.f"]\nsignature = "{signature}"\nevidence = "Lib/m.py, f"\n{lines}\n'
    )
    return models.function("m.f")


def test_a_parameter_can_be_given_by_position_and_by_keyword(tmp_path):
    model = function(tmp_path, 'returns = ["a", "b", "c"]', signature="a, /, b, *, c")
    assert model.returns == (Argument("a", 0, None), Argument("b", 1, "b"), Argument("c", None, "c"))


def test_variadic_parameters_are_all_the_rest(tmp_path):
    model = function(tmp_path, 'returns = ["args", "kwargs"]', signature="a, *args, **kwargs")
    assert model.returns == (Argument("args", 1, None, "*"), Argument("kwargs", None, None, "**"))


def test_the_receiver_takes_no_position(tmp_path):
    model = function(tmp_path, 'returns = ["self", "a"]', signature="self, a")
    assert model.method
    assert model.returns == (Receiver(), Argument("a", 0, "a"))


def test_calls_name_the_callee_what_is_passed_and_how(tmp_path):
    model = function(tmp_path, 'calls = ["f(a, ..., *args, k=a)"]', 'via = "thread"', signature="f, a, *args")
    a = Argument("a", 1, "a")
    passes = (Passed(a), Passed(None), Passed(Argument("args", 2, None, "*"), "*"), Passed(a, keyword="k"))
    assert model.calls == (Call(Argument("f", 0, "f"), passes, "thread"),)


def test_calls_are_callbacks_unless_said_otherwise(tmp_path):
    model = function(tmp_path, 'calls = ["f(**kwargs)"]', signature="f, **kwargs")
    assert model.calls == (
        Call(Argument("f", 0, "f"), (Passed(Argument("kwargs", None, None, "**"), "**"),), "callback"),
    )


def test_methods_of_values_can_be_called(tmp_path):
    model = function(tmp_path, 'calls = ["self.run()"]', signature="self")
    assert model.calls == (Call(Attribute(Receiver(), "run"), (), "callback"),)


@pytest.mark.parametrize("part", ["element", "key", "value", "item", "result", "entered", "awaited", "instance_of"])
def test_parts_of_values(tmp_path, part):
    model = function(tmp_path, f'returns = ["{part}(a)"]', signature="a")
    assert model.returns == (Part(part, Argument("a", 0, "a")),)


def test_a_parameter_may_have_the_name_of_a_part(tmp_path):
    model = function(tmp_path, 'calls = ["key(element(a))"]', signature="a, key=None")
    assert model.calls[0].callee == Argument("key", 1, "key")


def test_new_containers_and_instances_say_what_they_hold(tmp_path):
    a, b = Argument("a", 0, "a"), Argument("b", 1, "b")
    texts = ["list(a)", "tuple(a, b)", "dict(a, b)", "instance('m.C', a)", "mapping('m.D', a, b)", "iterator()"]
    model = function(tmp_path, "returns = [" + ", ".join(f'"{text}"' for text in texts) + "]", signature="a, b")
    assert model.returns == (
        Instance("list", (a,)),
        Instance("tuple", (a, b)),
        Instance("dict", (b,), (a,)),
        Instance("m.C", (a,)),
        Instance("m.D", (b,), (a,)),
        Instance("iterator"),
    )


def test_a_new_dict_of_what_others_hold(tmp_path):
    model = function(tmp_path, 'returns = ["dict(**a, **b)"]', signature="a, b")
    assert model.returns == (Instance("dict", merged=(Argument("a", 0, "a"), Argument("b", 1, "b"))),)


def test_external_names_and_bound_callables(tmp_path):
    model = function(tmp_path, """returns = ["external('m.g')", "bound(f, *args)"]""", signature="f, *args")
    passes = (Passed(Argument("args", 1, None, "*"), "*"),)
    assert model.returns == (External("m.g"), Bound(Argument("f", 0, "f"), passes))


def test_returning_nothing_of_interest_is_not_the_same_as_unknown(tmp_path):
    assert function(tmp_path, "returns = []").returns == ()
    load.cache_clear()
    assert function(tmp_path).returns is None


def test_stores_put_a_value_into_a_part_or_an_attribute(tmp_path):
    model = function(tmp_path, 'stores = ["key(self) = a", "self.name = a"]', signature="self, a")
    a = Argument("a", 0, "a")
    assert model.stores == (Store(Part("key", Receiver()), a), Store(Attribute(Receiver(), "name"), a))


def test_stores_take_over_items_or_put_one_at_a_key(tmp_path):
    model = function(tmp_path, 'stores = ["items(self) = a", "item(self, b) = a"]', signature="self, a, b")
    a, b = Argument("a", 0, "a"), Argument("b", 1, "b")
    assert model.stores == (Store(Items(Receiver()), a), Store(Part("item", Receiver(), b), a))


def test_states_are_written_whole_or_by_key(tmp_path):
    model = function(tmp_path, 'writes = ["m.s", "m.t[k]", "[k]"]', 'reads = ["m.u"]', "restore = true", signature="k")
    k = Argument("k", 0, "k")
    assert model.writes == (StateUse("m.s"), StateUse("m.t", k), StateUse("", k))
    assert model.reads == (StateUse("m.u"),)
    assert model.restore


def test_objects_are_mutated_inspected_and_iterated(tmp_path):
    model = function(tmp_path, 'mutates = ["self"]', 'inspects = ["a"]', 'iterates = ["a"]', signature="self, a")
    a = Argument("a", 0, "a")
    assert (model.mutates, model.inspects, model.iterates) == ((Receiver(),), (a,), (a,))


def test_of_is_put_before_each_name(tmp_path):
    models = read(tmp_path, '[[function]]\nof = "m"\nnames = ["f", "C.g"]\nevidence = "Lib/m.py"\n')
    assert set(models.functions) == {"m.f", "m.C.g"}


def test_a_state_names_its_setters_and_getters(tmp_path):
    models = read(
        tmp_path,
        '[[state]]\nof = "m"\nnames = ["s"]\nkind = "native setting"\nscope = "thread"\nevidence = "m.cpp"\n'
        'written_by = ["set_s"]\nrestored_by = ["C.__exit__"]\nread_by = ["get_s"]\n',
    )
    assert models.state("m.s") == StateModel("m.s", "native setting", "thread", "m.cpp")
    assert models.function("m.set_s").writes == (StateUse("m.s"),)
    assert models.function("m.C.__exit__").restore
    assert models.function("m.get_s").reads == (StateUse("m.s"),)


def test_a_part_of_a_state_is_described_by_the_whole(tmp_path):
    models = read(tmp_path, '[[state]]\nnames = ["m.s"]\nkind = "stdlib global"\nevidence = "Lib/m.py"\n')
    assert models.state("m.s[KEY]").name == "m.s"
    assert models.state("m.t") is None


CLASSES = """
[[class]]
names = ["m.Base"]
evidence = "Lib/m.py"

[[class]]
names = ["m.Derived"]
bases = ["m.Base"]
evidence = "Lib/m.py"

[[function]]
names = ["m.Base.put"]
signature = "self, item"
evidence = "Lib/m.py, Base.put"

[[function]]
names = ["m.Base"]
signature = "self, item"
mutates = ["item"]
evidence = "Lib/m.py, Base.__init__"
"""


def test_methods_are_found_in_the_bases(tmp_path):
    models = read(tmp_path, CLASSES)
    assert models.method("m.Derived", "put").name == "m.Base.put"
    assert models.method("m.Derived", "take") is None
    assert models.class_("m.Derived") == ClassModel("m.Derived", "Lib/m.py", ("m.Base",))


def test_constructing_a_class_gives_an_instance_of_it(tmp_path):
    models = read(tmp_path, CLASSES)
    assert models.function("m.Derived").returns == (Instance("m.Derived"),)
    assert models.function("m.Base").returns == (Instance("m.Base"),)
    assert models.function("m.Base").mutates == (Argument("item", 0, "item"),)


def test_a_star_stands_for_the_functions_without_an_entry_of_their_own(tmp_path):
    models = read(tmp_path, '[[function]]\nnames = ["m.*", "m.f"]\nevidence = "Lib/m.py"\n')
    assert models.function("m.f").name == "m.f"
    assert models.function("m.g").name == "m.*"
    assert models.function("m.C.g") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[function]\n", "area.toml: not valid TOML"),
        ("[[functions]]\n", "area.toml: unknown table [[functions]]; use one of: function, class, state"),
        ("function = 3\n", "area.toml: `function` is not a list of tables"),
        (
            '[[function]]\nnames = ["m.f"]\n',
            "area.toml, [[function]] ['m.f']: Object missing required field `evidence`",
        ),
        ('[[function]]\nnames = ["m.f"]\nevidence = " "\n', "`evidence` is empty"),
        ('[[function]]\nnames = []\nevidence = "e"\n', "`names` is empty"),
        ('[[function]]\nnames = ["m.f"]\nevidence = "e"\nwrite = []\n', "unknown field `write`"),
        ('[[function]]\nnames = ["m.f"]\nevidence = "e"\nvia = "mail"\n', "Invalid enum value 'mail'"),
        ('[[function]]\nnames = ["m.f"]\nevidence = "e"\ncalls = ["g()"]\n', "`g` is not a parameter in `signature`"),
        ('[[function]]\nnames = ["m.f"]\nevidence = "e"\ncalls = ["g"]\n', "`g` is not a call"),
        ('[[function]]\nnames = ["m.f"]\nevidence = "e"\ncalls = ["g("]\n', "`g(` is not a Python expression"),
        ('[[function]]\nnames = ["m.f"]\nevidence = "e"\nsignature = "a b"\n', "signature `a b` is not a Python"),
        ('[[function]]\nnames = ["m.f"]\nevidence = "e"\nreturns = ["1 + 2"]\n', "`1 + 2` is not a value"),
        ('[[function]]\nnames = ["m.f"]\nevidence = "e"\nsignature = "a"\nstores = ["a"]\n', "`a` is not a store"),
        ('[[function]]\nnames = ["m.f"]\nevidence = "e"\nwrites = ["s[k]"]\n', "`k` is not a parameter"),
        ('[[function]]\nnames = ["m.f", "m.f"]\nevidence = "e"\n', "area.toml: a second model of m.f"),
        ('[[state]]\nnames = ["m.s"]\nevidence = "e"\nkind = "mood"\n', "Invalid enum value 'mood'"),
    ],
)
def test_a_malformed_entry_is_an_error_that_says_where(tmp_path, text, message):
    with pytest.raises(DeepgrepError) as error:
        read(tmp_path, text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_the_same_models_are_given_every_time():
    assert load() is load()


RELAY = '[[relay]]\nnames = ["n.<operation>"]\nfile = "n.cpp"\nevidence = "n.cpp, run"\n'


def test_relays_call_methods_and_names(tmp_path):
    models = read(tmp_path, RELAY + 'methods = ["__run__"]\nneeds = "m.C"\n[relay.calls]\n"m.C" = ["f", "g()"]\n')
    (relay,) = models.relays.values()
    assert (relay.methods, relay.calls, relay.needs) == (
        (MethodCall("__run__"),),
        (("m.C", "f"), ("m.C", "g()")),
        "m.C",
    )


def test_relays_call_what_methods_return(tmp_path):
    fields = 'of_native = true\ninstead = "__copy__"\nelsewhere = true\n'
    results = '[relay.results]\n__run__ = ["item(returned, 0)(...)"]\n'
    (relay,) = read(tmp_path, RELAY + fields + results).relays.values()
    first = Part("item", Argument("returned", 0, "returned"), Number(0))
    assert relay.results == (OnResult("__run__", Call(first, (Passed(None),), "native")),)
    assert (relay.of_native, relay.instead, relay.is_elsewhere) == (True, "__copy__", True)


def test_values_whose_class_lacks_a_method(tmp_path):
    entry = '[[function]]\nnames = ["m.f"]\nsignature = "x"\nevidence = "n.cpp, f"\n'
    model = read(tmp_path, entry + "returns = [\"lacking(x, '__copy__')\"]\n").function("m.f")
    assert model.returns == (Lacking(Argument("x", 0, "x"), "__copy__"),)


def test_a_class_that_is_named_among_its_bases_is_none_of_its_own(tmp_path):
    text = '[[class]]\nnames = ["m.A", "m.B"]\nbases = ["m.A"]\nevidence = "m.py"\n'
    models = read(tmp_path, text)
    assert (models.class_("m.A").bases, models.class_("m.B").bases) == ((), ("m.A",))
    assert models.function("m.A.missing") is None


def test_relays_pass_arguments(tmp_path):
    models = read(tmp_path, RELAY + "methods = [\"run_*(external('m.f'), ...)\"]\n")
    assert models.relays["n.<operation>"].methods == (MethodCall("run_*", (External("m.f"), None)),)


def test_functions_enter_relays_and_register_with_them(tmp_path):
    entry = '[[function]]\nnames = ["m.f"]\nsignature = "hook"\nevidence = "n.cpp, f"\n'
    fields = 'enters = ["n.<operation>"]\nregisters = {"n.<operation>" = ["hook(...)"]}\n'
    model = read(tmp_path, RELAY + entry + fields).function("m.f")
    call = Call(Argument("hook", 0, "hook"), (Passed(None),), "native")
    assert (model.enters, model.registers) == (("n.<operation>",), (Registered("n.<operation>", call),))


def test_a_relay_that_is_not_there(tmp_path):
    entry = '[[function]]\nnames = ["m.f"]\nevidence = "n.cpp, f"\nenters = ["n.<other>"]\n'
    with pytest.raises(DeepgrepError, match=r"m\.f: there is no relay n\.<other>"):
        read(tmp_path, RELAY + entry)
