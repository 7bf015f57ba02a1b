"""`race` about states of a real torch, each answer checked by reading the lines that it names."""

import json
from typing import Any

import pytest
from asking import Deepgrep

pytestmark = pytest.mark.torch

FLAG = "_is_fx_tracing_flag"
TRACE = ("torch/fx/_symbolic_trace.py", 799, 931, "True")
COMPILATION = ("torch/_higher_order_ops/utils.py", 322, 328, "False")
# As `Deepgrep.cost` measures it; it is 11 to 15.
COST = 28


def race(deepgrep: Deepgrep, state: str, *options: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(deepgrep.run("race", state, "--format", "json", *options).stdout)
    return answer


def windows(answer: dict[str, Any]) -> set[tuple[str, int, int, str]]:
    return {(window["file"], window["line"], window["end_line"], window["value"]) for window in answer["windows"]}


def test_the_flag_has_two_windows_that_leave_it_true_for_ever(deepgrep: Deepgrep) -> None:
    answer = race(deepgrep, FLAG)
    assert windows(answer) == {TRACE, COMPILATION}
    first = answer["interleavings"][0]
    assert (first["left"], first["is_stuck"]) == ("True", True)
    assert [(step["thread"], step["does"], step["line"], step["value"]) for step in first["steps"]] == [
        ("A", "saves", 798, "False"),
        ("A", "writes", 799, "True"),
        ("B", "saves", 308, "True"),
        ("B", "writes", 322, "False"),
        ("A", "restores", 931, "False"),
        ("B", "restores", 328, "True"),
    ]


def test_the_flag_is_read_in_both_windows_without_a_lock(deepgrep: Deepgrep) -> None:
    answer = race(deepgrep, FLAG)
    for pair in (pair for pair in answer["pairs"] if pair["kind"] == "read in window"):
        reads = [answer["accesses"][other] for other in pair["others"]]
        places = {(read["file"], read["line"], read["through"], len(read["locks"])) for read in reads}
        through = "torch.fx._symbolic_trace.is_fx_symbolic_tracing"
        assert ("torch/_dynamo/eval_frame.py", 1116, through, 0) in places


def test_two_roots_run_one_window_each(deepgrep: Deepgrep) -> None:
    answer = race(deepgrep, FLAG, "--from", "torch.fx.symbolic_trace", "--from", "torch.cond")
    assert [root["name"].rpartition(".")[2] for root in answer["roots"]] == ["symbolic_trace", "cond"]
    assert (answer["interleavings"][0]["first_root"], answer["interleavings"][0]["second_root"]) == (0, 1)


@pytest.mark.parametrize(
    ("state", "scope"),
    [
        ("torch._C.grad_enabled", "thread"),
        ("torch._guards._TLS.tracing_context", "thread"),
        ("torch.fx.experimental.proxy_tensor.ORIGINAL_ATEN", "context"),
        ("torch._dynamo.config.capture_scalar_outputs", "context"),
    ],
)
def test_what_each_thread_or_context_has_of_its_own_is_separate(deepgrep: Deepgrep, state: str, scope: str) -> None:
    answer = race(deepgrep, state)
    assert (answer["verdict"], answer["state"]["scope"], answer["pairs"]) == ("separate", scope, [])
    assert any("what it does not protect" in note for note in answer["notes"])


@pytest.mark.parametrize(
    ("state", "lock"),
    [
        ("torch.storage._share_memory_map", "torch.storage._share_memory_lock"),
        ("torch.cuda._queued_calls", "torch.cuda._initialization_lock"),
    ],
)
def test_a_lock_that_is_held_at_all_accesses_is_found(deepgrep: Deepgrep, state: str, lock: str) -> None:
    answer = race(deepgrep, state)
    assert (answer["verdict"], answer["common_locks"]) == ("locked", [lock])


@pytest.mark.parametrize(
    ("state", "window"),
    [
        ("torch.compiler._is_compiling_flag", ("torch/compiler/__init__.py", 526, 529, "True")),
        ("torch._dynamo.trace_rules._force_inline_flag", ("torch/_dynamo/trace_rules.py", 3893, 3896, "True")),
        ("CompilerBisector.bisection_enabled", ("torch/_inductor/compiler_bisector.py", 558, 564, "True")),
        (
            "os.environ[TORCHINDUCTOR_CACHE_DIR]",
            ("torch/_inductor/runtime/cache_dir_utils.py", 52, 61, "directory"),
        ),
    ],
)
def test_a_window_of_what_all_threads_share_can_be_crossed(
    deepgrep: Deepgrep, state: str, window: tuple[str, int, int, str]
) -> None:
    answer = race(deepgrep, state)
    assert answer["verdict"] == "can-interleave"
    assert window in windows(answer)


def test_a_warm_answer_takes_little_time(deepgrep: Deepgrep) -> None:
    assert deepgrep.cost("race", FLAG) < COST
