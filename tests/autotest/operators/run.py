"""AutoTest over the public functions, methods, layers and losses of PyTorch's front, against PyTorch in one process.

    python tests/autotest/operators/run.py                      # 200 cases of each operator; goes on where it stopped
    python tests/autotest/operators/run.py --cases 3 --specialisations 2 --state ""     # a slice
    python tests/autotest/operators/run.py --only 'torch.sum|nn.Linear' --state "" --workers 1

Each operator has at most `--specialisations` kinds of calls (an expression with extents and layouts), over which its
cases go. What differs is printed with a script that shows it, and kept in the state file with what has been done.
"""

from __future__ import annotations

import argparse
import copy
import functools
import itertools
import json
import multiprocessing
import os
import re
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any, Final

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent))

from expressions import Expression, call_of, expressions, modules_of
from families import Body, families

from jitcore import FallbackWarning
from jitcore.bars import bar
from jitcore.structs import dataclass, field, replace
from jitcore.testing.autotest.calls import Call, Operand
from jitcore.testing.autotest.checks import Graphs, Mismatch, Options, Sides, examine
from jitcore.testing.autotest.draws import Draws
from jitcore.testing.autotest.running import AutotestFailure, Plan, Test, run_test, torch_sides
from jitcore.testing.autotest.scripts import shown
from jitcore.testing.autotest.shrinking import reproduced, simpler_call

STATE = Path("build/autotest/state.jsonl")
DRAW = frozenset(
    [
        "torch.empty",
        "torch.empty_like",
        "Tensor.new_empty",
        "torch.empty_strided",
        "torch.rand",
        "torch.randn",
        "torch.randint",
        "torch.randperm",
        "torch.rand_like",
        "torch.randn_like",
        "torch.randint_like",
        "F.rrelu",
        "nn.RReLU",
    ]
)
"""Operators whose results are random, or whatever is in memory."""
OF_ONE_SHAPE = frozenset(["F.ctc_loss", "nn.CTCLoss", "torch.take_along_dim"])
"""Operators that PyTorch calls with extents that are wrong without a word; it also resizes Tensors of `out=`."""


@dataclass(slots=True, eq=False)
class Kind:
    """A kind of calls of an operator: an expression, the number of its extents and layouts, and its modules."""

    expression: Expression
    shape: int
    modules: tuple[Any, Any] | None = None
    failed: bool = False


@dataclass(slots=True, eq=False)
class Report:
    """What was found of an operator."""

    operator: str
    cases: int = 0
    kinds: int = 0
    failures: list[dict[str, str]] = field(default_factory=list[dict[str, str]])


def examined(operator: str, lines: list[Expression], settings: argparse.Namespace) -> Report:
    """Run the cases of an operator."""
    sides, options = torch_sides(), Options(check_vmap=settings.vmap)
    graphs = Graphs(options.compiler)
    report = Report(operator)
    kinds = list(_kinds(lines, settings, sides))
    report.kinds = len(kinds)
    for case in range(settings.cases):
        alive = [kind for kind in kinds if not kind.failed]
        if not alive:
            break
        kind = alive[case % len(alive)]
        call = call_of(kind.expression, Draws(settings.seed, case, kind.shape), kind.modules)
        found = examine(call, sides, graphs, options)
        report.cases += 1
        if found is not None:
            kind.failed = True
            if not _is_known(found, report) and not _is_rounding(found, sides, options):
                report.failures.append(_told(kind, found, sides, options))
    return report


def _kinds(lines: list[Expression], settings: argparse.Namespace, sides: Sides) -> Iterator[Kind]:
    """The kinds of calls: each expression as it is, then with other extents that the reference takes."""
    left = settings.specialisations
    shape = 0
    others = [line for line in lines if line.operator not in OF_ONE_SHAPE and "out=" not in line.line]
    while left > 0 and shape < max(2, settings.specialisations):
        for expression in lines[:left] if shape == 0 else others:
            if left == 0:
                return
            draws = Draws(settings.seed, 0, shape)
            kind = Kind(expression, shape, modules_of(expression, draws, sides.roots))
            call = call_of(expression, Draws(settings.seed, 0, shape), kind.modules)
            if shape == 0 or sides.reference.run(call.function(sides.roots[0]), call).error is None:
                left -= 1
                yield kind
        shape += 1


def _is_known(found: Mismatch, report: Report) -> bool:
    """Whether the operator's failures have one like it."""
    return any(failure["text"][:60] == str(found)[:60] for failure in report.failures)


def _is_rounding(found: Mismatch, sides: Sides, options: Options) -> bool:
    """Whether a difference of values is gone in float64: of what float32 is too short for."""
    if found.difference is None or found.difference.what != "value" or found.call.before:
        return False
    call = found.call
    if not any(o.module or _is_single(o.array) for o in call.operands):
        return False
    whole: Call = replace(call, operands=tuple(map(_wider, call.operands)))
    return examine(whole, sides, Graphs(options.compiler), options) is None


def _wider(operand: Operand) -> Operand:
    """An operand with float64 in the place of float32."""
    if operand.module:
        theirs, mine = (copy.deepcopy(module).double() for module in operand.of)
        return replace(operand, of=(theirs, mine))
    return replace(operand, array=operand.array.astype("float64")) if _is_single(operand.array) else operand


def _is_single(array: Any) -> bool:
    return array is not None and array.dtype.name == "float32"


def _told(kind: Kind, found: Mismatch, sides: Sides, options: Options) -> dict[str, str]:
    """A failure, with the script that shows it."""
    simple = simpler_call(found, sides, options) if reproduced(found, sides, options) else found
    return {"line": kind.expression.line, "text": str(simple), "script": shown(simple, sides, options)}


def drawn(operator: str, body: Body, settings: argparse.Namespace) -> Report:
    """Run the cases of a family's body."""
    report = Report(operator, kinds=settings.specialisations)
    plan = Plan(settings.cases, settings.seed, settings.specialisations)
    test = Test(body, torch_sides(), Options(check_vmap=settings.vmap))
    try:
        report.cases = run_test(
            test, plan, operator, lambda found: not _is_rounding(found, test.sides, test.options)
        ).cases
    except AutotestFailure as failure:
        report.failures.append({"line": operator, "text": str(failure.mismatch), "script": failure.script})
    return report


# --- the run -----------------------------------------------------------------------------------------------


def by_operator() -> dict[str, list[Expression]]:
    """The expressions by their operators."""
    found: dict[str, list[Expression]] = defaultdict(list)
    for expression in expressions():
        if expression.operator not in DRAW:
            found[expression.operator].append(expression)
    return dict(sorted(found.items()))


def tasks(settings: argparse.Namespace) -> Iterator[tuple[str, Callable[[], Report]]]:
    """What is run: the families' operators, then those of the expressions."""
    for operator, body in families():
        yield operator, functools.partial(drawn, operator, body, settings)
    for operator, lines in by_operator().items():
        yield operator, functools.partial(examined, operator, lines, settings)


def _done(state: Path | None) -> dict[str, dict[str, Any]]:
    if state is None or not state.exists():
        return {}
    return {entry["operator"]: entry for entry in map(json.loads, state.read_text().splitlines())}


def _settings(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=200, help="of each operator")
    parser.add_argument("--specialisations", type=int, default=20, help="kinds of calls of each operator, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a regular expression for the operators")
    parser.add_argument("--state", default=str(STATE), help="the file to go on from; empty for none")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="after which no operator is begun")
    parser.add_argument("--vmap", action="store_true", help="check vmap of each call, too")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes that operators are run in")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Run what the arguments ask for; 1 if something differs."""
    settings = _settings(arguments)
    state = Path(settings.state) if settings.state else None
    done = _done(state)
    left = [name for name, _ in tasks(settings) if name not in done and re.search(settings.only, name)]
    with bar("operators", len(left)) as progress:
        for report in _reports(left, settings):
            entry = {n: getattr(report, n) for n in ("operator", "cases", "kinds", "failures")}
            done[report.operator] = entry
            progress.hide()
            _tell(report)
            progress.advance()
            if state is not None:
                state.parent.mkdir(parents=True, exist_ok=True)
                with state.open("a") as file:
                    file.write(json.dumps(entry) + "\n")
    if any(name not in done for name in left):
        print("stopped: run it again to go on")
    return _summary(done)


def _reports(operators: list[str], settings: argparse.Namespace) -> Iterator[Report]:
    """What is found of operators, as it is found; none is begun after `--seconds`."""
    end = time.monotonic() + settings.seconds
    waiting = iter(operators)
    if settings.workers == 1:
        _prepare(settings)
        for name in waiting:
            if time.monotonic() > end:
                return
            yield _report(name)
        return
    while time.monotonic() <= end and (some := list(itertools.islice(waiting, _A_POOL))):
        yield from _of_pool(some, settings, end)


def _of_pool(operators: list[str], settings: argparse.Namespace, end: float) -> Iterator[Report]:
    """The reports of new processes, none of operators that would be begun after a moment."""
    waiting = iter(operators)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(settings.workers, context, _prepare, (settings,)) as pool:
        running = {pool.submit(_report, name) for name in itertools.islice(waiting, settings.workers)}
        while running:
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            if time.monotonic() <= end:
                running |= {pool.submit(_report, name) for name in itertools.islice(waiting, len(ended))}
            for future in ended:
                yield future.result()


_A_POOL: Final = 120
"""Operators that processes run before new ones take their place: what is compiled for library functions stays, some 10 MB
an operator."""
_tasks: Final = dict[str, Callable[[], Report]]()
"""Of this process, by operator."""


def _prepare(settings: argparse.Namespace) -> None:
    """Make a process one that runs operators."""
    warnings.simplefilter("ignore")
    warnings.simplefilter("error", FallbackWarning)  # what is run by the interpreter in part
    torch.set_num_threads(1)
    _tasks.update(tasks(settings))


def _report(operator: str) -> Report:
    return _tasks[operator]()


def _tell(report: Report) -> None:
    print(f"{report.operator}: {report.cases} cases of {report.kinds} kinds", flush=True)
    for failure in report.failures:
        print(f"  DIFFERS {failure['line']}\n    {failure['text']}", flush=True)


def _summary(done: dict[str, dict[str, Any]]) -> int:
    different = sum(bool(entry["failures"]) for entry in done.values())
    cases = sum(entry["cases"] for entry in done.values())
    print(f"{len(done)} operators, {cases} cases; {different} operators differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
