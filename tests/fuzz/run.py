"""Compares compiled code with plain Python on random programs and expressions, as many as wanted.

    python tests/fuzz/run.py --programs 20000 --expressions 100000 --loops 5000 --gradients 1000 --seed 1

Prints the seed, how many were run, how many calls were compared, how many programs were run by the interpreter in part or
whole, and every difference. The exit code is 1 if there was any.
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

_HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE.parent), str(_HERE.parent.parent)]

from fuzz.comparison import define, difference, forget  # noqa: E402  the folders are on the path only now
from fuzz.expressions import NAMESPACE, ExpressionWriter  # noqa: E402
from fuzz.gradients import NAMESPACE as GRADIENT_NAMESPACE  # noqa: E402
from fuzz.gradients import GradientWriter, disagreements  # noqa: E402
from fuzz.loops import NAMESPACE as LOOP_NAMESPACE  # noqa: E402
from fuzz.loops import LoopWriter  # noqa: E402
from jitcore import jit  # noqa: E402
from jitcore.runtime.dispatch import FallbackWarning  # noqa: E402

_REASON = re.compile(r"  (?! |File |instead:)")
EXPRESSIONS_A_FUNCTION = 40
CALLS_AN_EXPRESSION = 4
CALLS_A_LOOP = 10


class Tally:
    """What was run."""

    def __init__(self) -> None:
        self.made = 0
        self.calls = 0
        self.fallbacks = 0
        self.reasons: dict[str, int] = {}
        self.differences: list[str] = []
        self.slowest = 0.0
        """The seconds that one program took."""

    def compare(self, text: str, name: str, namespace: dict[str, object], calls: Sequence[tuple[object, ...]]) -> None:
        """Compare a program's compiled calls with its plain ones."""
        plain = define(text, name, dict(namespace))
        compiled = jit(plain)
        start = time.perf_counter()
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                for args in calls:
                    self.calls += 1
                    found = difference(text, name, plain, compiled, args)
                    if found is not None:
                        self.differences.append(found)
            fell_back = [w for w in caught if issubclass(w.category, FallbackWarning)]
            self.fallbacks += bool(fell_back)
            for warning in fell_back[:1]:
                reason = next(
                    (line for line in str(warning.message).splitlines()[1:] if _REASON.match(line)), "?"
                ).strip()
                self.reasons[reason] = self.reasons.get(reason, 0) + 1
        finally:
            self.slowest = max(self.slowest, time.perf_counter() - start)
            forget(plain)


def run_expressions(seed: int, count: int, tally: Tally) -> None:
    """Compare `count` expressions, each for several arguments."""
    function = 0
    while tally.made < count:
        writer = ExpressionWriter(seed * 1_000_003 + function)
        function += 1
        number = min(EXPRESSIONS_A_FUNCTION, count - tally.made)
        text = writer.function("f", number)
        calls = [(k, *writer.arguments()) for k in range(number) for _ in range(CALLS_AN_EXPRESSION)]
        tally.made += number
        tally.compare(text, "f", NAMESPACE, calls)


def run_programs(seed: int, count: int, tally: Tally) -> None:
    """Compare `count` programs written by Hypothesis."""
    import hypothesis

    from fuzz.program_writer import NAMESPACE as names
    from fuzz.program_writer import programs

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=count, deadline=None, database=None, phases=[hypothesis.Phase.generate],
        suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large],
    )  # fmt: skip
    @hypothesis.given(programs())
    def check(program: tuple[str, list[tuple[object, ...]]]) -> None:
        text, calls = program
        tally.made += 1
        tally.compare(text, "f", names, calls)

    check()


def run_loops(seed: int, count: int, tally: Tally) -> None:
    """Compare `count` functions with counted loops, each for several arguments."""
    for k in range(count):
        writer = LoopWriter(seed * 1_000_003 + k)
        tally.made += 1
        tally.compare(writer.function(), "f", LOOP_NAMESPACE, [writer.arguments() for _ in range(CALLS_A_LOOP)])


def run_gradients(seed: int, count: int, tally: Tally) -> None:
    """Compare the gradients of `count` programs."""
    for k in range(count):
        writer = GradientWriter(seed * 1_000_003 + k)
        text, args = writer.text(), writer.arguments()
        plain = define(text, "f", dict(GRADIENT_NAMESPACE))
        tally.made += 1
        start = time.perf_counter()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = disagreements(plain, args, thorough=k % 4 == 0)
            tally.calls += found is not None
            tally.differences += [f"{what}\n  of f{args!r}\n{text}" for what in found or ()]
        finally:
            tally.slowest = max(tally.slowest, time.perf_counter() - start)
            forget(plain)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=1000, help="how many programs (default 1000)")
    parser.add_argument("--expressions", type=int, default=4000, help="how many expressions (default 4000)")
    parser.add_argument("--loops", type=int, default=300, help="how many functions with counted loops (default 300)")
    parser.add_argument("--gradients", type=int, default=100, help="the gradients of how many programs (default 100)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=5, help="how many differences to print in full")
    args = parser.parse_args()
    failed = False
    for what, count, run in (
        ("expressions", args.expressions, run_expressions), ("programs", args.programs, run_programs),
        ("functions with loops", args.loops, run_loops), ("gradients", args.gradients, run_gradients),
    ):  # fmt: skip
        if not count:
            continue
        tally, start = Tally(), time.perf_counter()
        try:
            run(args.seed, count, tally)
        finally:  # where it is stopped, too
            report(f"seed {args.seed}: {tally.made} {what}", tally, time.perf_counter() - start, args.show)
        failed |= bool(tally.differences)
    return int(failed)


def report(what: str, tally: Tally, seconds: float, show: int) -> None:
    """Print what was found."""
    print(
        f"{what}, {tally.calls} calls, {tally.fallbacks} functions run by the interpreter, "
        f"{len(tally.differences)} differences, {seconds:.0f} s, {tally.slowest:.1f} s of them for one",
        flush=True,
    )
    for reason, times in sorted(tally.reasons.items(), key=lambda item: -item[1])[:show]:
        print(f"  {times} times by the interpreter: {reason}")
    for found in tally.differences[:show]:
        print(found)


def stop(*_: object) -> None:
    """Asked to end, say what was found until then."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, stop)
    sys.exit(main())
