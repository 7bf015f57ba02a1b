"""Functions of torch's public API of different kinds, each with a run of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """A run whose real effects are compared with what `effects ROOT` says.

    Attributes:
        root: what deepgrep is asked about.
        run: Python code that calls it; what it binds to begin with is not compared.
        before: Python code that is run first: imports, and what the run needs.
    """

    root: str
    run: str
    before: str = ""


_MODULE = """
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 2)
    def forward(self, x):
        return self.linear(x).relu()
m, x = M(), torch.ones(1, 2)
"""

CASES = {
    # Setters of native and Python settings.
    "manual_seed": Case("torch.random.manual_seed", "torch.manual_seed(7)"),
    "cuda.manual_seed": Case("torch.cuda.random.manual_seed", "torch.cuda.manual_seed(7)"),
    "set_default_dtype": Case("torch.set_default_dtype", "torch.set_default_dtype(torch.float64)"),
    "set_default_device": Case("torch.set_default_device", "torch.set_default_device('meta')"),
    "set_num_threads": Case("torch.set_num_threads(1)", "torch.set_num_threads(1)", "torch.set_num_threads(2)"),
    "use_deterministic_algorithms": Case(
        "torch.use_deterministic_algorithms", "torch.use_deterministic_algorithms(True, warn_only=True)"
    ),
    "set_float32_matmul_precision": Case(
        "torch.set_float32_matmul_precision", "torch.set_float32_matmul_precision('high')"
    ),
    "set_warn_always": Case("torch.set_warn_always", "torch.set_warn_always(True)"),
    "set_printoptions": Case("torch.set_printoptions", "torch.set_printoptions(precision=2)"),
    "allow_tf32": Case("torch.backends.cuda.matmul.allow_tf32 = True", "torch.backends.cuda.matmul.allow_tf32 = True"),
    "config": Case(
        "torch._dynamo.config.recompile_limit = 3", "torch._dynamo.config.recompile_limit = 3", "import torch._dynamo"
    ),
    "set_sharing_strategy": Case(
        "torch.multiprocessing.set_sharing_strategy", "torch.multiprocessing.set_sharing_strategy('file_system')"
    ),
    "hub.set_dir": Case("torch.hub.set_dir", "torch.hub.set_dir('/nowhere')", "import torch.hub"),
    "set_logs": Case("torch._logging.set_logs", "torch._logging.set_logs(dynamo=10)", "import torch._dynamo"),
    # Modes and contexts, entered and not left.
    "set_grad_enabled": Case("torch.set_grad_enabled", "torch.set_grad_enabled(False)"),
    "no_grad": Case("torch.no_grad.__enter__", "torch.no_grad().__enter__()"),
    "inference_mode": Case("torch.inference_mode.__enter__", "c.__enter__()", "c = torch.inference_mode()"),
    "autocast": Case("torch.autocast.__enter__", "c.__enter__()", "c = torch.autocast('cpu')"),
    "set_detect_anomaly": Case("torch.autograd.set_detect_anomaly", "torch.autograd.set_detect_anomaly(True)"),
    "dual_level": Case(
        "torch.autograd.forward_ad.dual_level.__enter__", "c.__enter__()", "c = torch.autograd.forward_ad.dual_level()"
    ),
    "profile": Case(
        "torch.autograd.profiler.profile.__enter__", "c.__enter__()", "c = torch.autograd.profiler.profile()"
    ),
    # Registries.
    "register_pytree_node": Case(
        "torch.utils._pytree.register_pytree_node",
        "torch.utils._pytree.register_pytree_node(C, lambda c: ([], None), lambda c, d: C())",
        "class C: pass",
    ),
    "register_module_forward_hook": Case(
        "torch.nn.modules.module.register_module_forward_hook",
        "torch.nn.modules.module.register_module_forward_hook(lambda *args: None)",
    ),
    "custom_op": Case(
        "torch.library.custom_op",
        "@torch.library.custom_op('mine::f', mutates_args=())\ndef f(x: torch.Tensor) -> torch.Tensor:\n"
        "    return x.clone()",
    ),
    # What people run.
    "module": Case("torch.nn.Linear(2, 2)(torch.ones(1, 2))", "m(x)", _MODULE),
    "backward": Case("torch.Tensor.backward", "y.backward()", _MODULE + "y = m(x).sum()"),
    "sgd.step": Case(
        "torch.optim.SGD([torch.ones(1)], lr=0.1).step()",
        "o.step()",
        _MODULE + "o = torch.optim.SGD(m.parameters(), lr=0.1)\nm(x).sum().backward()",
    ),
    "dropout": Case("torch.nn.functional.dropout", "torch.nn.functional.dropout(x)", _MODULE),
    "save": Case("torch.save", "torch.save(m.state_dict(), io.BytesIO())", "import io" + _MODULE),
    "load": Case(
        "torch.load",
        "torch.load(b)",
        "import io" + _MODULE + "b = io.BytesIO()\ntorch.save(m.state_dict(), b)\nb.seek(0)",
    ),
    "dataloader": Case(
        "for batch in torch.utils.data.DataLoader([1, 2]): pass",
        "for batch in torch.utils.data.DataLoader([1, 2]): pass",
        "import torch.utils.data",
    ),
    "symbolic_trace": Case("torch.fx.symbolic_trace", "torch.fx.symbolic_trace(m)", "import torch.fx" + _MODULE),
    "jit.trace": Case("torch.jit._trace.trace", "torch.jit.trace(m, x)", _MODULE),
    "compile": Case("torch.compile(f, backend='eager')(x)", "torch.compile(m, backend='eager')(x)", _MODULE),
    "export": Case("torch.export.export", "torch.export.export(m, (x,))", "import torch.export" + _MODULE),
    "func.grad": Case("torch.func.grad(f)(x)", "torch.func.grad(lambda x: x.sum())(x)", "import torch.func" + _MODULE),
    "init_process_group": Case(
        "torch.distributed.init_process_group",
        "torch.distributed.init_process_group('gloo', store=torch.distributed.HashStore(), rank=0, world_size=1)",
        "import torch.distributed",
    ),
}
