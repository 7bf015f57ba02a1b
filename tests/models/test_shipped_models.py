"""The models that ship: each can be checked against the Python that runs, and against an installed torch's stubs."""

import functools
import importlib
import importlib.util
import inspect
import mmap
import re
import sys
from pathlib import Path

import pytest

from deepgrep.models import load
from deepgrep.models.model import Argument, Bound, External, FunctionModel, Instance, Passed, Receiver, StateUse

MODELS = load()
# What a call returns (`f()`), what stands for many (`math.*`), a global's methods, and a protocol that is no attribute.
UNNAMED = re.compile(r"\(\)|\.\*$|^iterator$|^os\.environ\.|^functools\.singledispatchmethod\.__call__$")
# Where the methods of a class are found that has them from a base's entry, or that has another name at run time.
HOMES = {
    "argparse.ArgumentParser": ["argparse.ArgumentParser", "argparse._SubParsersAction"],
    "dict": ["dict", "collections.OrderedDict", "collections.Counter", "collections.ChainMap"],
    "list": ["list", "collections.deque", "array.array"],
    "logging.Handler": ["logging.Handler", "logging.StreamHandler"],
    "multiprocessing.context.BaseContext": [
        "multiprocessing.context.BaseContext",
        "multiprocessing.context.SpawnContext",
    ],
    "queue.Queue": ["queue.Queue", "multiprocessing.queues.Queue"],
    "threading.Lock": ["_thread.LockType"],
    "threading.RLock": ["_thread.RLock"],
    "threading.Thread": ["threading.Thread", "threading.Timer"],
}
ELSEWHERE = ("torch.", "numpy.", "sympy")


def stdlib_names():
    return sorted(
        name
        for name in {*MODELS.functions, *MODELS.classes}
        if not name.startswith(ELSEWHERE) and not UNNAMED.search(name)
    )


def resolve(name):
    """The object of a dotted name: the longest importable module, then attributes."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        module_name = ".".join(parts[:length])
        if importlib.util.find_spec(parts[0]) is None:
            break
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            continue
        return functools.reduce(getattr, parts[length:], module)
    return functools.reduce(getattr, parts, importlib.import_module("builtins"))


def exists(name):
    owner, _, last = name.rpartition(".")
    for home in HOMES.get(owner, [owner]):
        try:
            resolve(f"{home}.{last}" if home else last)
        except AttributeError:
            continue
        return True
    return False


NOT_EVERYWHERE = (
    "resource.",
    "os.set",
    "os.sched_",
    "os.chroot",
    "os.fchdir",
    "os.nice",
    "os.umask",
    "os.register_at_fork",
    "time.tzset",
    "signal.",
    "faulthandler.",
)


@pytest.mark.parametrize("name", stdlib_names())
def test_a_modelled_stdlib_name_exists(name):
    if sys.platform != "linux" and name.startswith(NOT_EVERYWHERE):
        pytest.skip("not on this platform")
    assert exists(name)


def test_a_star_stands_for_the_functions_of_a_module_that_exists():
    modules = [name.removesuffix(".*") for name in MODELS.functions if name.endswith(".*")]
    stdlib = [name for name in modules if not name.startswith(ELSEWHERE)]
    assert "math" in stdlib
    assert [name for name in stdlib if importlib.util.find_spec(name) is None] == []


def signature_of(name):
    try:
        return inspect.signature(resolve(name))
    except (AttributeError, ImportError, TypeError, ValueError):
        return None


def arguments(value):
    """All parameters that a model refers to."""
    if isinstance(value, Argument):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from arguments(part)
    elif hasattr(value, "__struct_fields__"):
        for field in value.__struct_fields__:
            yield from arguments(getattr(value, field))


def with_signatures():
    for name in stdlib_names():
        model = MODELS.functions.get(name)
        if model and (signature := signature_of(name)):
            named = [a for a in arguments(model) if a.rest == "" and a.keyword]
            parameters = list(signature.parameters.values())
            if any(p.kind is p.VAR_POSITIONAL or p.kind is p.VAR_KEYWORD for p in parameters):
                continue
            if named:
                yield pytest.param(model, parameters, named, id=name)


@pytest.mark.parametrize(("model", "parameters", "named"), list(with_signatures()))
def test_a_parameter_that_a_model_names_is_one_of_the_functions_own(model, parameters, named):
    own = {p.name for p in parameters}
    assert {argument.keyword for argument in named} <= own


def shipped():
    return [*MODELS.functions.values(), *MODELS.classes.values(), *MODELS.states.values()]


def test_every_model_has_evidence_that_names_a_file():
    without = [
        model.name for model in shipped() if not re.search(r"\w/\w|\.rst|POSIX|standard library", model.evidence)
    ]
    assert without == []


def test_every_state_that_a_function_uses_is_described():
    uses = {use.state for model in MODELS.functions.values() for use in (*model.writes, *model.reads) if use.state}
    assert sorted(name for name in uses if MODELS.state(name) is None) == []


def test_every_base_of_a_class_is_described():
    bases = {base for model in MODELS.classes.values() for base in model.bases}
    assert sorted(base for base in bases if MODELS.class_(base) is None) == []


def model(name) -> FunctionModel:
    found = MODELS.function(name)
    assert found is not None
    return found


def test_filterwarnings_writes_the_filters():
    assert model("warnings.filterwarnings").writes == (StateUse("warnings.filters"),)
    assert MODELS.state("warnings.filters").scope == "process"


def test_a_thread_calls_its_target_on_another_thread():
    call = model("threading.Thread").calls[0]
    assert (call.callee, call.via) == (Argument("target", 1, "target"), "thread")


def test_putenv_writes_the_variable_that_its_first_argument_names():
    assert model("os.putenv").writes == (StateUse("os.environ", Argument("name", 0, None)),)
    assert MODELS.state("os.environ[HOME]").scope == "environment"


def test_wraps_gives_a_decorator_that_returns_its_argument():
    decorator = model("functools.wraps").returns[0]
    assert decorator == Bound(
        External("functools.update_wrapper"), (Passed(Argument("wrapped", 0, "wrapped"), keyword="wrapped"),)
    )
    assert model("functools.update_wrapper").returns == (Argument("wrapper", 0, "wrapper"),)


def test_a_context_variable_is_a_state_of_its_own_and_reset_restores_it():
    assert MODELS.class_("contextvars.ContextVar").state_kind == "context variable"
    assert model("contextvars.ContextVar.set").mutates == (Receiver(),)
    assert model("contextvars.ContextVar.reset").restore


def test_getlogger_gives_a_logger():
    assert model("logging.getLogger").returns == (Instance("logging.Logger"),)


def test_a_builtin_may_be_named_with_its_module():
    assert model("builtins.len") is model("len")


def test_a_deque_has_the_methods_of_a_list():
    assert MODELS.method("collections.deque", "append").mutates == (Receiver(),)


TORCH = importlib.util.find_spec("torch")
needs_torch = pytest.mark.skipif(TORCH is None, reason="torch is not installed")


@needs_torch
def test_modelled_torch_names_are_in_its_stubs_or_its_native_library():
    folder = Path(TORCH.origin).parent
    words = {
        word for stub in folder.glob("_C/**/*.pyi") for word in re.findall(r"\w+", stub.read_text(encoding="utf-8"))
    }
    words |= {module.stem for module in folder.glob("*.py")}
    names = {
        part.removesuffix("()")
        for name in (*MODELS.functions, *MODELS.classes)
        if name.startswith("torch.")
        for part in name.split(".")
        if part != "*" and not part.startswith("__")
    }
    names |= {
        name.removesuffix("()")
        for relay in MODELS.relays.values()
        if relay.name.startswith("torch.")
        for _, name in relay.calls
    }
    unknown = names - words
    libraries = list(folder.glob("lib/*torch_python.*"))
    for library in libraries:
        with library.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            unknown -= {name for name in unknown if content.find(b"\0" + name.encode() + b"\0") >= 0}
    assert sorted(unknown) == []


def test_grad_mode_is_the_threads_and_deterministic_algorithms_the_processes():
    assert model("torch._C._set_grad_enabled").writes == (StateUse("torch._C.grad_enabled"),)
    assert MODELS.state("torch._C.grad_enabled").scope == "thread"
    assert MODELS.state("torch._C.deterministic_algorithms").scope == "process"


def test_set_eval_frame_calls_its_callback_from_native_code():
    call = model("torch._C._dynamo.eval_frame.set_eval_frame").calls[0]
    assert (call.callee, call.via) == (Argument("callback", 0, None), "native")
