"""A program that runs the cases and prints, as JSON, the states that each one changed: names, by case.

It is run in a process of its own, as it imports torch. Each case runs in a fork, so none sees what another changed.
"""

from __future__ import annotations

import atexit
import gc
import json
import logging
import os
import random
import signal
import sys
import tempfile
import traceback
import types
import warnings
from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import torch
from effects_cases import CASES, Case

_PLAIN = (int, float, str, bytes, bool, type(None), complex)
_MISSING = object()
_CONTAINERS = (dict, list, set, frozenset, tuple, deque)
# What says what a function or class is, and caches of Python's own.
_DESCRIBING = frozenset({"__wrapped__", "__slotnames__", "__doc__", "__module__", "__abstractmethods__"})
_SYS = (
    "argv", "breakpointhook", "displayhook", "dont_write_bytecode", "excepthook", "meta_path", "path", "path_hooks",
    "pycache_prefix", "stderr", "stdin", "stdout", "unraisablehook",
)  # fmt: skip
_SETTINGS: dict[str, Callable[[], Any]] = {
    "torch._C.default_dtype": torch.get_default_dtype,
    "torch._C.grad_enabled": torch.is_grad_enabled,
    "torch._C.inference_mode": torch.is_inference_mode_enabled,
    "torch._C.deterministic_algorithms": lambda: (
        torch.are_deterministic_algorithms_enabled(),
        torch.is_deterministic_algorithms_warn_only_enabled(),
    ),
    "torch._C.deterministic_fill_uninitialized_memory": torch._C._get_deterministic_fill_uninitialized_memory,
    "torch._C.num_threads": torch.get_num_threads,
    "torch._C.num_interop_threads": torch.get_num_interop_threads,
    "torch._C.default_generator": lambda: torch.default_generator.get_state().tolist(),
    "torch._C.autocast_enabled": lambda: (torch.is_autocast_enabled("cpu"), torch.is_autocast_enabled("cuda")),
    "torch._C.autocast_dtype": lambda: (torch.get_autocast_dtype("cpu"), torch.get_autocast_dtype("cuda")),
    "torch._C.autocast_cache_enabled": torch.is_autocast_cache_enabled,
    "torch._C.anomaly_enabled": lambda: (torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()),
    "torch._C.float32_matmul_precision": torch.get_float32_matmul_precision,
    "torch._C.cudnn_enabled": torch._C._get_cudnn_enabled,
    "torch._C.cudnn_benchmark": torch._C._get_cudnn_benchmark,
    "torch._C.cudnn_deterministic": torch._C._get_cudnn_deterministic,
    "torch._C.cudnn_allow_tf32": torch._C._get_cudnn_allow_tf32,
    "torch._C.cublas_allow_tf32": torch._C._get_cublas_allow_tf32,
    "torch._C.mkldnn_enabled": torch._C._get_mkldnn_enabled,
    "torch._C.sdp_use_flash": torch._C._get_flash_sdp_enabled,
    "torch._C.sdp_use_math": torch._C._get_math_sdp_enabled,
    "torch._C.warnAlways": torch.is_warn_always_enabled,
    "torch._C.qengine": torch._C._get_qengine,
    "torch._C.torch_function_stack": torch._C._len_torch_function_stack,
    "torch._C.torch_dispatch_stack": torch._C._len_torch_dispatch_stack,
    "torch._C.torch_function_state": torch._C._is_torch_function_enabled,
    "torch._C.multithreading_enabled": torch._C._is_multithreading_enabled,
    "torch._C.view_replay_enabled": torch._C._is_view_replay_enabled,
    "torch._C.fwd_grad_enabled": torch._C._is_fwd_grad_enabled,
    "torch._C._autograd.profiler": torch._C._autograd._profiler_enabled,
    "torch._C.check_sparse_tensor_invariants": torch._C._check_sparse_tensor_invariants,
    "torch._C.jit_tracing_state": lambda: torch._C._get_tracing_state() is not None,
    "torch._C.jit_profiling_executor": lambda: torch._C._get_graph_executor_optimize(),
    "torch._C._functorch.functorch_nesting": torch._C._functorch.maybe_current_level,
    "torch._C._dynamo.eval_frame.callback": torch._C._dynamo.eval_frame.get_eval_frame_callback,
    "torch._C.operator registrations": lambda: len(torch._C._dispatch_get_all_op_names()),
    "warnings.filters": lambda: list(warnings.filters),
    "warnings.showwarning": lambda: warnings.showwarning,
    "logging.root": lambda: [logging.root.level, logging.root.manager.disable, *logging.root.handlers],
    "signal.handlers": lambda: [signal.getsignal(number) for number in sorted(signal.valid_signals())],
    "random state": lambda: repr(random.getstate()),
    "tempfile.tempdir": lambda: tempfile.tempdir,
    "os.working directory": os.getcwd,
    "gc.enabled": gc.isenabled,
    "gc.callbacks": lambda: list(gc.callbacks),
    "atexit callbacks": atexit._ncallbacks,
}


class Snapshot:
    """The states and what they hold, as tokens that can be compared.

    Attributes:
        tokens: by name of the state.
        modules: the modules that are there.
    """

    def __init__(self, before: Snapshot | None = None) -> None:
        self.tokens: dict[str, object] = {}
        # The names of classes: what is said of a class's module may change.
        self._classes: dict[int, str] = dict(before._classes) if before else {}
        self.modules = {name for name in sys.modules if name.partition(".")[0] == "torch"}
        self._kept: dict[int, object] = {}  # an object that is kept alive keeps its identity for itself
        self._places: dict[int, list[str]] = {}
        self._part_of: dict[str, tuple[int, type, str]] = {}
        for name, value in os.environ.items():
            self.tokens[f"os.environ[{name}]"] = value
        for name in _SYS:
            self.tokens[f"sys.{name}"] = self._token(getattr(sys, name))
        for name in sorted(self.modules):
            if isinstance(module := sys.modules[name], types.ModuleType):
                self._places.setdefault(id(module), []).append(name)
                self._module(name, module)
        for identity, name in list(self._classes.items()):
            cls = self._kept[identity]
            if isinstance(cls, type):
                self._attributes(name, cls, cls)
        for name, getter in _SETTINGS.items():
            value = getter()
            is_several = isinstance(value, list | tuple)  # a new one each time: what is in it counts
            self.tokens[name] = [self._token(item) for item in value] if is_several else self._token(value)

    def is_new(self, state: str, before: Snapshot) -> bool:
        """Whether a state is an attribute of an object that was not there before."""
        identity, _, attribute = self._part_of.get(state, (0, type, ""))
        return bool(attribute) and identity not in before._places

    def names(self, state: str) -> list[str]:
        """A state's name with those that it has besides: by other places of the object, by the classes of it."""
        if state.endswith(".__warningregistry__"):
            return ["warnings.onceregistry"]
        if state not in self._part_of:
            return [state]
        identity, cls, attribute = self._part_of[state]
        if not attribute:  # a container is known under each name
            return self._places[identity]
        if cls is logging.Logger:  # one for each name, for the whole process
            return ["logging.logger configuration"]
        classes = [f"{base.__module__}.{base.__qualname__}" for base in cls.__mro__]
        return [f"{owner}.{attribute}" for owner in (*self._places.get(identity, ()), *classes)]

    def _module(self, name: str, module: types.ModuleType) -> None:
        for key, value in list(vars(module).items()):
            if key in {"__builtins__", "__cached__", "__spec__"} or isinstance(value, types.ModuleType):
                continue
            full = f"{name}.{key}"
            self.tokens[full] = self._shallow(value)
            if not isinstance(value, _PLAIN):
                self._places.setdefault(id(value), []).append(full)
            if type(module) is not types.ModuleType:
                self._part_of[full] = id(module), type(module), key
            elif isinstance(value, _CONTAINERS):
                self._part_of[full] = id(value), type(value), ""
            if isinstance(value, type):
                if value.__module__ == name:
                    self._classes.setdefault(id(value), f"{name}.{value.__qualname__}")
            elif isinstance(value, types.FunctionType):
                self._attributes(f"{value.__module__}.{value.__qualname__}", value, type(value))
            elif isinstance(value, logging.Logger):
                self.tokens[f"{full}.level"] = self._token(value.level)
                self._part_of[f"{full}.level"] = id(value), type(value), "level"
            elif key == "_config" and isinstance(value, dict):
                for option, entry in value.items():
                    self.tokens[f"{name}.{option}"] = self._token(entry.user_override.get(_MISSING))
            elif type(value).__module__.partition(".")[0] in {"torch", "_thread", "types"}:
                self._attributes(full, value, type(value))

    def _attributes(self, full: str, value: object, cls: type) -> None:
        try:
            attributes = list(vars(value).items())
        except TypeError:  # it has slots, or is native
            return
        for attribute, held in attributes:
            if attribute in _DESCRIBING:
                continue
            # What a function's attribute holds may be that of what it wraps.
            is_function = isinstance(value, types.FunctionType)
            self.tokens[f"{full}.{attribute}"] = self._token(held) if is_function else self._shallow(held)
            self._part_of[f"{full}.{attribute}"] = id(value), cls, attribute

    def _shallow(self, value: object) -> object:
        if isinstance(value, ContextVar):
            return self._token(value.get(_MISSING))
        if not isinstance(value, _CONTAINERS):
            return self._token(value)
        if isinstance(value, dict):
            return id(value), [(self._token(key), self._token(held)) for key, held in list(value.items())]
        held = [self._token(item) for item in list(value)]
        if isinstance(value, tuple):
            return held
        return id(value), sorted(held, key=repr) if isinstance(value, set | frozenset) else held

    def _token(self, value: object) -> object:
        if isinstance(value, _PLAIN):
            return type(value).__name__, repr(value)
        self._kept[id(value)] = value
        return type(value).__name__, id(value)


def changed(case: Case) -> dict[str, Any]:
    """What a case changed: the states, each with all its names; and the modules that it imported."""
    names: dict[str, Any] = {"torch": torch}
    exec(case.before, names)
    before = Snapshot()
    exec(case.run, names)
    after = Snapshot(before)
    found: dict[tuple[str, ...], str] = {}
    for state in sorted(before.tokens.keys() | after.tokens.keys()):
        if before.tokens.get(state, _MISSING) == after.tokens.get(state, _MISSING):
            continue
        known = after if state in after.tokens else before
        if _was_there(state, before) and not known.is_new(state, before):
            found.setdefault(tuple(known.names(state)), state)
    return {
        "changed": {state: list(dict.fromkeys(names)) for names, state in found.items()},
        "imported": sorted(after.modules - before.modules),
    }


def _was_there(state: str, before: Snapshot) -> bool:
    """Whether a state is not one of a module that was imported only now, which defines all that is in it."""
    if state.partition(".")[0] != "torch" or state.startswith("torch._C."):
        return True
    module = state
    while module not in sys.modules:
        module = module.rpartition(".")[0]
    return module in before.modules


def in_a_fork(case: Case) -> dict[str, Any]:
    """What `changed` says in a process of its own."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        status = 1
        try:
            sys.stdout = sys.stderr
            os.write(write, json.dumps(changed(case)).encode())
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return json.loads(data) if data else {"error": "the run failed: see stderr"}


if __name__ == "__main__":
    chosen = sys.argv[1:] or list(CASES)
    json.dump({name: in_a_fork(CASES[name]) for name in chosen}, sys.stdout, indent=1)
