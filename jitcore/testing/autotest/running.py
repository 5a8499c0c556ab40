"""`@autotest` and `compare`: cases are drawn, run on both sides, and what differs fails with a script that shows it."""

from __future__ import annotations

import functools
import importlib
import os
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar, cast

import numpy as np

import jitcore
from jitcore.compat.torch import package
from jitcore.structs import dataclass, replace
from jitcore.testing.autotest.calls import ROOT, Call
from jitcore.testing.autotest.checks import EAGER, Compiler, Graphs, Mismatch, Options, Sides
from jitcore.testing.autotest.draws import Draws, chosen_seed
from jitcore.testing.autotest.duals import Dual, MismatchFound, Name, Run, active_run, needed, running
from jitcore.testing.autotest.items import Item, Tolerance, difference, flattened
from jitcore.testing.autotest.layouts import PLAIN
from jitcore.testing.autotest.replicas import Replicas
from jitcore.testing.autotest.scripts import case_script, fails_by_itself, shown
from jitcore.testing.autotest.shrinking import reproduced, simpler_call, smaller_case
from jitcore.testing.autotest.sides import ArraySide, TorchSide, differentiable, weights_of

F = TypeVar("F", bound=Callable[..., Any])

torch: Final[Any] = Name(ROOT)
"""The dual object of PyTorch and jitcore's front of it."""
_VERBOSE: Final = "ONEFLOW_TEST_VERBOSE"


class AutotestFailure(AssertionError):
    """jitcore differs from the reference. `mismatch` says in what, `seed` repeats it, `script` is the text of a program
    that shows it."""

    def __init__(self, text: str, mismatch: Mismatch, seed: int, script: str) -> None:
        super().__init__(text)
        self.mismatch, self.seed, self.script = mismatch, seed, script


@dataclass(slots=True, eq=False)
class Count:
    """How many cases were run, how many calls were examined, and how many cases ended since both sides raised."""

    cases: int = 0
    calls: int = 0
    raised: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Test:
    """A body to be run with the values that a stream gives, on two sides."""

    body: Callable[[], Any]
    sides: Sides
    options: Options

    def case(self, draws: Draws, graphs: Graphs, count: Count) -> tuple[Mismatch | None, Run]:
        """Run one case."""
        verbose = print if os.environ.get(_VERBOSE) == "1" else None
        run = Run(self.sides, draws, graphs, self.options, verbose)
        with running(run):
            try:
                self._judge(self.body(), run)
                found = None
            except MismatchFound as error:
                found = error.mismatch
            except Exception as error:
                if error is not run.raised:
                    raise
                count.raised += 1
                found = None
        count.cases += 1
        count.calls += run.calls
        return found, run

    def _judge(self, returned: object, run: Run) -> None:
        """Compare the gradients of what the body returned by all leaves and parameters."""
        if not self.options.auto_backward or not isinstance(self.sides.mine, TorchSide):
            return
        results = [differentiable([dual.pair[side] for dual in _duals(returned)]) for side in (0, 1)]
        if not results[0]:
            return
        expected, error = (_backward(results[side], run, side) for side in (0, 1))
        if type(expected).__name__ != type(error).__name__:
            raise MismatchFound(Mismatch(Call("backward", "", ()), EAGER, "gradient", None, error, expected))
        if expected is not None:
            return
        want, have = (_gradients(run, side) for side in (0, 1))
        found = difference(have, want, self.options.tolerance)
        if found is not None:
            raise MismatchFound(Mismatch(Call("backward", "", ()), EAGER, "gradient", found))


def _backward(results: list[Any], run: Run, side: int) -> Exception | None:
    """Add the gradients of the weighted sum of results to the leaves and parameters of a side; what that raises."""
    leaves = [leaf.pair[side] for leaf in run.leaves]
    wanted = [leaf for leaf in [*leaves, *_parameters(run, side)] if leaf.requires_grad]
    try:
        run.sides.roots[side].autograd.backward(results, list(map(weights_of, results)), inputs=wanted)
    except Exception as error:
        return error
    return None


def _duals(value: object) -> list[Dual]:
    if isinstance(value, Dual):
        return [value]
    if isinstance(value, tuple | list):
        return [dual for item in cast("Sequence[object]", value) for dual in _duals(item)]
    return []


def _parameters(run: Run, side: int) -> list[Any]:
    found = [p for module in run.modules for p in module.pair[side].parameters()]
    return list({id(p): p for p in found}.values())


def _gradients(run: Run, side: int) -> list[Item]:
    read = run.sides.mine.read if side else run.sides.reference.read
    named = [(leaf.name_, leaf.pair[side].grad) for leaf in run.leaves]
    for module in run.modules:
        named += [(f"{module.name_}.{n}", p.grad) for n, p in module.pair[side].named_parameters()]
    return [item for name, grad in named for item in flattened(grad, read, name)]


# --- the loop --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plan:
    """How many cases are run, of how many shapes (None: each its own), from which seed (None: chosen at each run)."""

    n: int
    seed: int | None
    specialisations: int | None = None
    shrink: bool = True


def run_test(test: Test, plan: Plan, label: str, is_fault: Callable[[Mismatch], bool] = lambda found: True) -> Count:
    """Run the cases of a test; raises AutotestFailure for the first that differs in what `is_fault` says is one."""
    seed = chosen_seed(plan.seed)
    graphs = Graphs(test.options.compiler)
    count = Count()
    for case in range(plan.n):
        draws = Draws(seed, case, case if plan.specialisations is None else case % plan.specialisations)
        found, run = test.case(draws, graphs, count)
        if found is not None and is_fault(found):
            raise _failure(test, plan, label, draws, found, run)
    return count


def _failure(test: Test, plan: Plan, label: str, draws: Draws, found: Mismatch, run: Run) -> AutotestFailure:
    """The failure of a case, made small."""
    if plan.shrink and not found.call.before:

        def replay(smaller: Draws) -> Mismatch | None:
            nonlocal run
            mismatch, again = test.case(smaller, Graphs(test.options.compiler), Count())
            if found.is_like(mismatch):
                run = again
            return mismatch

        _, found = smaller_case(draws, found, replay)
    script, found = _script(test, found, run) if plan.shrink else ("", found)
    text = "\n".join(
        [
            f"{found.call.name} differs in case {draws.case} of {label}: {found}",
            f"seed {draws.seed}: JITCORE_AUTOTEST_SEED={draws.seed} repeats it."
            + " A script that shows it:\n" * bool(script),
            textwrap.indent(script, "    "),
        ]
    )
    return AutotestFailure(text, found, draws.seed, script)


def _script(test: Test, found: Mismatch, run: Run) -> tuple[str, Mismatch]:
    """The script of a failure, and the mismatch that it shows."""
    if found.call.text and reproduced(found, test.sides, test.options):
        simple = simpler_call(found, test.sides, test.options)
        return shown(simple, test.sides, test.options), simple
    leaves = [leaf.name_ for leaf in (*run.leaves, *run.modules)]
    made = [line.target for line in run.lines if line.target and line.target not in leaves]
    lines = needed(run.lines, *made, *leaves)
    try:
        text = case_script(lines, made[-1:], leaves, test.sides, test.options, found.expected)
    except LookupError as error:
        return f"# {error.args[0]}", found
    return (text if fails_by_itself(text) else "# the case by itself does not fail"), found


# --- what users call ---------------------------------------------------------------------------------------


def torch_sides(reference: object = None) -> Sides:
    """PyTorch, or another package of its names, and jitcore's front of it. Raises ImportError, saying what to install,
    if there is no PyTorch."""
    if reference is None:
        try:
            reference = importlib.import_module("torch")
        except ModuleNotFoundError as error:
            if error.name != "torch":
                raise
            message = "there is no PyTorch to compare with: pip install 'jitcore[autotest]'"
            raise ImportError(message, name="torch") from error
    roots = (reference, package())
    theirs, mine = (TorchSide(root, position, Replicas(root)) for position, root in enumerate(roots))
    return Sides(theirs, mine, roots)


def autotest(
    n: int = 20,
    auto_backward: bool = True,
    check_graph: bool = True,
    check_dtype: bool = True,
    rtol: float = 1e-4,
    atol: float = 1e-5,
    check_allclose: bool = True,
    seed: int | None = None,
    *,
    check_second_order: bool = False,
    check_vmap: bool = False,
    check_layouts: bool = True,
    check_empty: bool = False,
    specialisations: int | None = None,
    shrink: bool = True,
    compiler: Compiler = jitcore.jit,
    reference: object = None,
) -> Callable[[F], F]:
    """Decorate a test, written once in terms of `jitcore.testing.autotest.torch`, which is run `n` times with random
    values by PyTorch and by jitcore, line by line and (`check_graph`) compiled.

    Compared are values within `rtol` and `atol` (not with `check_allclose=False`, for what draws random numbers),
    shapes, dtypes (`check_dtype`), classes, operands written to, exceptions, and with `auto_backward` the gradients of
    each call and of what the test returns; with `check_second_order` second derivatives, with `check_vmap` `vmap` of
    each call. Inputs lie at times not plainly in memory (`check_layouts`), and with `check_empty` have at times rank 0
    or no elements. Cases draw from `seed` (or JITCORE_AUTOTEST_SEED, ONEFLOW_TEST_SEED, or a new one), in
    `specialisations` kinds of shapes if given. A failure is made small and has a script that shows it (unless
    `shrink=False`). `compiler` compiles, `reference` is what stands for PyTorch.

    The test raises AutotestFailure for what differs, and ImportError if PyTorch is not installed.

    >>> @autotest(n=2, seed=0, reference=package())
    ... def test_exp():
    ...     x = torch.ones(2, 3)
    ...     return torch.exp(x)
    >>> test_exp()
    """
    options = Options(
        Tolerance(rtol, atol, check_dtype, check_allclose),
        auto_backward,
        check_graph,
        check_second_order,
        check_vmap,
        check_layouts,
        check_empty,
        compiler,
    )
    plan = Plan(n, seed, specialisations, shrink)

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def run(*args: object, **keywords: object) -> None:
            test = Test(lambda: function(*args, **keywords), torch_sides(reference), options)
            run_test(test, plan, cast("Any", function).__name__)

        return cast("F", run)

    return decorate


_INPUTS: Final = ("ndarray", "tensor", "torch")


def compare(
    mine: Callable[..., Any],
    reference: Callable[..., Any],
    *arguments: object,
    inputs: str = "ndarray",
    n: int = 20,
    seed: int | None = None,
    rtol: float = 1e-4,
    atol: float = 1e-5,
    options: Options | None = None,
    shrink: bool = True,
) -> Count:
    """Compare a function of jitcore's with a reference over random arguments: values, generators or `random_tensor`s,
    or arrays. Both are given ndarrays; with `inputs="tensor"` yours Tensors of jitcore's, with "torch" both PyTorch's
    Tensors, yours those of jitcore's front. Yours is run line by line and compiled. Gradients are compared with
    central differences of the reference for results in float64 of arguments in float64, with PyTorch's for "torch".

    Gives the numbers of cases and calls. Raises AutotestFailure for what differs, ValueError for other `inputs`.

    >>> import numpy as np
    >>> from jitcore.testing.autotest import random_tensor
    >>> compare(lambda x: x * x + 1, lambda x: np.square(x) + 1, random_tensor(2, dtype="float64"), n=3).cases
    3
    """
    if inputs not in _INPUTS:
        raise ValueError(f"inputs is one of {', '.join(map(repr, _INPUTS))}, not {inputs!r}")
    if inputs == "torch":
        found = torch_sides()
        sides = Sides(found.reference, found.mine, (reference, mine))
    else:
        sides = Sides(ArraySide(False, True), ArraySide(inputs == "tensor", False), (reference, mine))
    return run_test(
        Test(lambda: _compared(arguments), sides, replace(options or Options(), tolerance=Tolerance(rtol, atol))),
        Plan(n, seed, shrink=shrink),
        f"compare({getattr(mine, '__name__', 'mine')}, {getattr(reference, '__name__', 'reference')})",
    )


def _compared(arguments: Sequence[object]) -> Any:
    run = active_run()
    return torch(*(run.tensor(a, a.dtype.kind == "f", PLAIN) if isinstance(a, np.ndarray) else a for a in arguments))
