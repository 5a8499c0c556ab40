"""Programs whose kernels work on another memory than the host's: what goes over, what comes back, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from graph_evaluator import graph

from jitcore.backends import lookup
from jitcore.backends.interpreter.program import Fault, ProgramRun, run_program
from jitcore.backends.protocol import ProgramError
from jitcore.ir.nodes import Module, Var
from jitcore.passes.plan import ArgLayout, plan
from jitcore.primitives.ops import conversions, elementwise, python_ints, shape, state
from jitcore.program import nodes as n
from jitcore.program.printer import print_program
from jitcore.program.verify import verify_program
from jitcore.program.walk import statements
from jitcore.source import InternalError
from jitcore.types import INT, RefType, TensorType, Type, f64

_ROOT = Path(__file__).parent.parent


def tensor(*extents: int) -> TensorType:
    return TensorType(f64, extents)


def programs(
    types: Sequence[Type], write: Callable[..., Any], contiguous: bool = True
) -> tuple[n.Program, list[Any], Sequence[Any]]:
    """A program for a device, its parameters' types and its results'."""
    made = Module("main", {"main": graph("main", types, write)})
    program = plan(made, [ArgLayout(contiguous) for _ in types], "device")
    verify_program(program)
    return program, [p.type for p in made.main.params], made.main.result_types


def run(program: tuple[n.Program, list[Any], Sequence[Any]], *args: Any) -> list[Any]:
    return run_program(program[0], args, program[1], program[2])[0]


def test_results_come_back() -> None:
    program = programs([tensor(3)], lambda x: elementwise.add(x, x))
    assert run(program, np.arange(3.0))[0].tolist() == [0.0, 2.0, 4.0]
    moved = [s for s in statements(program[0].functions["main"].body) if isinstance(s, n.Transfer | n.Fetch)]
    assert [type(s) for s in moved] == [n.Transfer, n.Fetch], "more goes over than is needed"


@pytest.mark.parametrize("view", [np.s_[::2], np.s_[::-1], np.s_[1:4], np.s_[::3], np.s_[5:5]])
def test_places_are_written_back(view: Any) -> None:
    def double(place: Var) -> None:
        value = state.ref_read(place)
        state.ref_write(place, elementwise.add(value, value))

    whole = np.arange(6.0)
    expected = np.arange(6.0)
    expected[view] *= 2
    run(programs([RefType(tensor(*whole[view].shape))], double, contiguous=False), whole[view])
    assert whole.tolist() == expected.tolist()


def test_transposed_and_broadcast_arguments() -> None:
    program = programs([tensor(4, 3), tensor(4, 3)], elementwise.add, contiguous=False)
    x, y = np.arange(12.0).reshape(3, 4).T, np.broadcast_to(np.arange(3.0), (4, 3))
    assert run(program, x, y)[0].tolist() == (x + y).tolist()


def test_what_was_written_before_an_exception_is_seen() -> None:
    def write(place: Var, number: Var) -> Any:
        value = state.ref_read(place)
        state.ref_write(place, elementwise.add(value, value))
        conversions.check(python_ints.int_gt(number, 0), exception="ValueError", message="not positive")
        state.ref_write(place, elementwise.mul(value, value))
        return number

    program = programs([RefType(tensor(3)), INT], write)
    given = np.array([1.0, 2.0, 5.0])
    with pytest.raises(ProgramError, match="not positive"):
        run(program, given, 0)
    assert given.tolist() == [2.0, 4.0, 10.0]
    assert run(program, given, 1) == [1]
    assert given.tolist() == [4.0, 16.0, 100.0]


def test_an_argument_that_is_returned_is_itself() -> None:
    program, types, _ = programs([tensor(3, 4)], lambda x: shape.transpose(x, permutation=(1, 0)))
    call = ProgramRun(program)
    given = call.encode(np.zeros((3, 4)), types[0])
    assert call.run(list(given)) == [*given[:2], 4, 3, 8, 32]


def test_results_that_share_memory_share_it_outside() -> None:
    def write(x: Var) -> Any:
        made = elementwise.add(x, x)
        return made, shape.transpose(made, permutation=(1, 0))

    program, types, _ = programs([tensor(3, 4)], write)
    call = ProgramRun(program)
    left = call.run(call.encode(np.zeros((3, 4)), types[0]))
    assert left[:2] == left[6:8]
    assert call.memory.block(left[1]).count == 2


def test_a_kernel_that_is_given_the_host_s_memory_is_a_fault() -> None:
    program, types, results = programs([tensor(3)], lambda x: elementwise.add(x, x))
    main = program.functions["main"]
    words = [s.out for s in main.body.statements if isinstance(s, n.ReadWord)]
    astray = tuple(
        replace(s, args=(words[0], *s.args[1:])) if isinstance(s, n.Launch) else s for s in main.body.statements
    )
    wrong = replace(program, functions={"main": replace(main, body=n.Block(astray))})
    with pytest.raises(Fault, match="no memory"):
        run_program(wrong, [np.arange(3.0)], types, results)


def test_the_verifier_keeps_memories_apart() -> None:
    program, _, _ = programs([RefType(tensor(3))], lambda x: state.ref_write(x, state.ref_read(x)))
    with pytest.raises(InternalError, match="Transfer in a program of the host's memory"):
        verify_program(replace(program, memory=n.HOST))
    with pytest.raises(InternalError, match="a block of device in a program of elsewhere"):
        verify_program(replace(programs([tensor(3)], lambda x: elementwise.add(x, x))[0], memory="elsewhere"))


def test_a_backend_refuses_programs_of_another_memory() -> None:
    program, _, _ = programs([tensor(3)], lambda x: elementwise.add(x, x))
    with pytest.raises(InternalError, match="kernels of a program for 'device' cannot run on the CPU"):
        lookup("CPU").load(program)


def test_programs_are_shown() -> None:
    def double(place: Var) -> None:
        value = state.ref_read(place)
        state.ref_write(place, elementwise.add(value, value))

    text = print_program(programs([RefType(tensor(2, 3))], double)[0])
    assert "in the memory device" in text
    for shown in ("= mirror(", "= block_data(", "transfer(host ", "transfer(memory ", "rethrow(0)"):
        assert shown in text


def test_the_runtime_runs_on_another_memory() -> None:
    """Functions, networks and their gradients, line by line and compiled, by `tests.numpy_backend`; .ci/run has the corpus of
    programs."""
    files = [f"tests/test_{name}.py" for name in ("train", "control_flow_gradients", "vmap")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "tests.numpy_backend", "-p", "no:cacheprovider", *files],
        cwd=_ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
