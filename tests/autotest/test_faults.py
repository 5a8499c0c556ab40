"""What AutoTest is for: each of seven planted faults is found, and told with its place, its seed and a script."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import faults
import pytest

from jitcore import jit
from jitcore.compat.torch import package
from jitcore.testing.autotest import (
    AutotestFailure,
    Options,
    autotest,
    compare,
    constant,
    nothing,
    oneof,
    random,
    random_bool,
    random_tensor,
    torch,
)

ours = package()
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def product() -> Any:
    k = random(1, 6)
    return torch.matmul(random_tensor(2, dim1=k), random_tensor(2, dim0=k))


def largest() -> Any:
    return torch.max(random_tensor(2), 1)


def clamped() -> Any:
    return (random_tensor(2) * 2).clamp_(-0.5, 0.5)


def layer() -> Any:
    m = torch.nn.Linear(3, random(1, 8))
    m.train(random_bool())
    return m(random_tensor(2, dim1=3))


FAULTS = [
    (faults.value_off, product, "graph: result: the value differs", "torch.matmul"),
    (faults.gradient_wrong, product, "graph: gradient: the value of item operand 0", "torch.matmul"),
    (faults.item_wrong, largest, "graph: result: the ", "torch.max"),
    (faults.dtype_wrong, product, "graph: result: the dtype differs", "torch.matmul"),
    (faults.input_changed, product, "graph: operands afterwards: the value of item operand 0", "torch.matmul"),
    (faults.second_call_wrong, product, "graph, called again with the same inputs: result", "torch.matmul"),
    (faults.other_shape_wrong, product, "graph, called with other shapes before: result", "torch.matmul"),
]


@pytest.mark.parametrize(("fault", "body", "text", "call"), FAULTS, ids=[f.__name__ for f, *_ in FAULTS])
def test_planted_faults_are_found(
    fault: Callable[..., Any], body: Callable[[], Any], text: str, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(AutotestFailure) as caught:
        autotest(n=6, seed=5, reference=ours, compiler=fault)(body)()
    message = str(caught.value)
    assert text in message
    assert message.startswith(f"{call} differs in case ")
    assert "seed 5: JITCORE_AUTOTEST_SEED=5 repeats it" in message
    assert "reference: " in message
    assert "jitcore: " in message
    assert caught.value.script.splitlines()[0].startswith(("import ", "from ")), caught.value.script
    assert len(caught.value.script.splitlines()) < 30


@pytest.mark.parametrize("body", [product, largest, clamped, layer], ids=lambda body: body.__name__)
def test_sound_twins_pass(body: Callable[[], Any]) -> None:
    autotest(n=3, seed=5, reference=ours, check_second_order=True, check_vmap=True)(body)()


def test_a_module_whose_compiled_gradient_is_wrong_is_found() -> None:
    with pytest.raises(
        AutotestFailure, match=r"Linear differs in case 0 of layer: graph: gradient: the value of item operand 0"
    ):
        autotest(n=2, seed=5, reference=ours, compiler=faults.gradient_wrong_of_modules)(layer)()


def test_an_in_place_method_whose_compiled_value_is_off_is_found() -> None:
    with pytest.raises(AutotestFailure, match=r"Tensor.clamp_ differs in case 0 of clamped: graph: result"):
        autotest(n=2, seed=5, reference=ours, compiler=faults.clamping_off)(clamped)()


def test_the_script_of_a_failure_fails_by_itself(tmp_path: Path) -> None:
    with pytest.raises(AutotestFailure) as caught:
        autotest(n=1, seed=5, reference=ours, compiler=faults.value_off)(product)()
    script = tmp_path / "script.py"
    script.write_text(caught.value.script)
    run = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(HERE)])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert "AssertionError: the value differs" in run.stderr


def test_failures_are_shrunk() -> None:
    with pytest.raises(AutotestFailure) as caught:
        autotest(n=1, seed=5, reference=ours, compiler=faults.value_off)(product)()
    shapes = [operand.array.shape for operand in caught.value.mismatch.call.operands]
    assert shapes == [(1, 1), (1, 1)]
    assert "ours.tensor([[0.0]], dtype=ours.float32)" in caught.value.script


# --- compare ---------------------------------------------------------------------------------------------


def test_numpy_functions_are_compared_with_compiled_ones() -> None:
    x = random_tensor(2, dim0=3, dim1=2, dtype="float64")
    assert compare(faults.scaled, faults.scaled_numpy, x, random(0.0, 2.0), n=4, seed=1).cases == 4
    assert compare(faults.halves, faults.halves_numpy, random_tensor(dtype="float64"), n=4, seed=1).calls == 4


def test_tensors_are_given_to_yours() -> None:
    assert compare(lambda x: x * 2, lambda x: x * 2, random_tensor(2), inputs="tensor", n=3, seed=1).cases == 3


def test_what_is_off_compiled_is_found_with_ndarrays() -> None:
    x = random_tensor(1, dtype="float64")
    with pytest.raises(AutotestFailure, match=r"scaled differs in case 0 .*: graph: result") as caught:
        compare(faults.scaled, faults.scaled_numpy, x, 0.5, n=2, seed=1, options=Options(compiler=faults.value_off))
    assert "from faults import scaled_numpy as reference" in caught.value.script


def test_what_writes_to_its_argument_is_found() -> None:
    with pytest.raises(AutotestFailure, match="eager: operands afterwards: the value of item operand 0"):
        compare(faults.written_to, faults.successor, random_tensor(1, dtype="float64"), n=2, seed=1)


def test_wrong_gradients_are_found_by_differences() -> None:
    with pytest.raises(AutotestFailure, match="gradient: the value of item operand 0"):
        compare(faults.with_wrong_gradient, faults.cube, random_tensor(1, dtype="float64"), n=2, seed=1)


def test_what_only_the_reference_refuses_is_found() -> None:
    with pytest.raises(AutotestFailure, match="eager: the reference raises ValueError: no, jitcore does not"):
        compare(faults.identity, faults.refusing, random_tensor(1), n=1, seed=1)


def test_what_only_ours_refuses_is_found() -> None:
    with pytest.raises(AutotestFailure, match="eager: jitcore raises ValueError: no, the reference does not"):
        compare(faults.refusing, faults.identity, random_tensor(1), n=1, seed=1)


def test_what_both_refuse_is_no_failure() -> None:
    assert compare(faults.refusing, faults.refusing, random_tensor(1), n=2, seed=1).raised == 2


def test_other_inputs_are_refused() -> None:
    with pytest.raises(ValueError, match="inputs is one of"):
        compare(faults.identity, faults.identity, inputs="list")


# --- a body's own ------------------------------------------------------------------------------------------


def test_a_gradient_that_is_wrong_over_several_calls_is_found() -> None:
    def body() -> Any:
        x = random_tensor(2)
        return torch.nn.functional.softplus(x).sum() * oneof(2.0, 3.0) + constant(1.0)

    autotest(n=2, seed=1, reference=ours)(body)()


def test_arguments_may_be_left_out() -> None:
    def body() -> Any:
        return torch.sum(random_tensor(2), dim=random(0, 2) | nothing(), keepdim=random_bool() | nothing())

    run: list[AutotestFailure] = []
    try:
        autotest(n=6, seed=2, reference=ours)(body)()
    except AutotestFailure as failure:
        run.append(failure)
    assert not run, run


def test_the_environment_has_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def body() -> None:
        drawn.append(random(0, 1_000_000).value())

    monkeypatch.setenv("ONEFLOW_TEST_SEED", "17")
    autotest(n=3, reference=ours)(body)()
    autotest(n=3, reference=ours)(body)()
    monkeypatch.setenv("JITCORE_AUTOTEST_SEED", "18")
    autotest(n=3, reference=ours)(body)()
    assert drawn[:3] == drawn[3:6] != drawn[6:]


def test_calls_are_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("ONEFLOW_TEST_VERBOSE", "1")
    autotest(n=1, seed=1, reference=ours)(product)()
    told = capsys.readouterr().out
    assert "torch.matmul(tensor(" in told
    assert "jitcore:   tensor(" in told


def test_methods_of_test_cases_are_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    class Case:
        @autotest(n=1, seed=1, reference=ours)
        def test_product(self) -> Any:
            return product()

    Case().test_product()


def test_pytorch_is_asked_for_by_name() -> None:
    text = (
        "import sys; sys.modules['torch'] = None\n"
        "from jitcore.testing.autotest import autotest, torch\n"
        "autotest(n=1)(lambda: torch.ones(2))()\n"
    )
    run = subprocess.run([sys.executable, "-c", text], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "ImportError: there is no PyTorch to compare with: pip install 'jitcore[autotest]'" in run.stderr


def test_jit_is_the_compiler() -> None:
    autotest(n=1, seed=1, reference=ours, compiler=jit)(product)()
