"""Compares compiled code with plain Python on random programs and expressions, as many as wanted.

    python tests/fuzz/run.py --programs 20000 --expressions 100000 --loops 5000 --gradients 1000 --recursion 1000 --seed 1
    python tests/fuzz/run.py --numpy 5000 --seed 1
    python tests/fuzz/run.py --numpy-shapes 500 --seed 1

The second compares calls of NumPy's functions, and nothing else; the third calls each compiled function with arrays of other extents and layouts, too.

Prints the seed, how many were run, how many calls were compared, how many programs were run by the interpreter in part or
whole, every difference, and what the slowest calls took, their compilation included, in seconds of the processor. The exit
code is 1 if there was any difference.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import signal
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE.parent), str(_HERE.parent.parent)]

from fuzz.clock import clock  # noqa: E402  the folders are on the path only now
from fuzz.comparison import define, difference, forget  # noqa: E402
from fuzz.containers import NAMESPACE as CONTAINER_NAMESPACE  # noqa: E402
from fuzz.containers import ContainerWriter  # noqa: E402
from fuzz.expressions import NAMESPACE, ExpressionWriter  # noqa: E402
from fuzz.gradients import NAMESPACE as GRADIENT_NAMESPACE  # noqa: E402
from fuzz.gradients import GradientWriter, disagreements  # noqa: E402
from fuzz.long_ints import NAMESPACE as LONG_INT_NAMESPACE  # noqa: E402
from fuzz.long_ints import LongIntWriter  # noqa: E402
from fuzz.loops import NAMESPACE as LOOP_NAMESPACE  # noqa: E402
from fuzz.loops import LoopWriter  # noqa: E402
from fuzz.numpy_calls import NAMESPACE as NUMPY_NAMESPACE  # noqa: E402
from fuzz.numpy_calls import CallWriter  # noqa: E402
from fuzz.numpy_comparison import Outcome, disagreement, is_deliberate, outcome  # noqa: E402
from fuzz.numpy_shapes import variants  # noqa: E402
from fuzz.odd_calls import NAMESPACE as ODD_NAMESPACE  # noqa: E402
from fuzz.odd_calls import OddCallWriter, is_known  # noqa: E402
from fuzz.places import NAMESPACE as PLACE_NAMESPACE  # noqa: E402
from fuzz.places import PlaceWriter  # noqa: E402
from fuzz.places import disagreements as place_disagreements  # noqa: E402
from fuzz.recursion import NAMESPACE as RECURSION_NAMESPACE  # noqa: E402
from fuzz.recursion import RecursionWriter  # noqa: E402
from jitcore import jit  # noqa: E402
from jitcore.backends.native.boxes import library  # noqa: E402
from jitcore.runtime.dispatch import FallbackWarning  # noqa: E402

SLOW = 3.0
"""Seconds of the processor, in all threads, that no compiled call should take."""
NAMED = 5
"""How many of the slowest calls are named."""
_REASON = re.compile(r"  (?! |File |instead:)")
EXPRESSIONS_A_FUNCTION = 40
CALLS_AN_EXPRESSION = 4
CALLS_A_LOOP = 10
CALLS_A_RECURSION = 3
CALLS_A_CONTAINER = 4
SHAPES_A_CALL = 4


class Timed:
    """A compiled function that notes the seconds of the processor, in all threads, that its slowest call took, and what it
    was given."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function
        self.most = 0.0
        self.given = ""

    def __call__(self, *args: object) -> object:
        given, start = repr(args), clock()
        try:
            return self._function(*args)
        finally:
            took = clock() - start
            if took > self.most:
                self.most, self.given = took, given


class Tally:
    """What was run."""

    def __init__(self) -> None:
        self.made = 0
        self.calls = 0
        self.fallbacks = 0
        self.reasons: dict[str, int] = {}
        self.differences: list[str] = []
        self.slowest: list[tuple[float, str]] = []
        """The seconds of the processor that the slowest compiled calls took (one a program), and their programs."""

    def compare(self, text: str, name: str, namespace: dict[str, object], calls: Sequence[tuple[object, ...]]) -> None:
        """Compare a program's compiled calls with its plain ones."""
        plain = define(text, name, dict(namespace))
        compiled = Timed(jit(plain))
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                for args in calls:
                    self.calls += 1
                    found = difference(text, name, plain, compiled, args)
                    if found is not None:
                        self.differences.append(found)
            self.note_fallback(caught)
        finally:
            self.took(compiled.most, f"{name}{compiled.given}\n{text}")
            forget(plain)

    def took(self, seconds: float, text: str) -> None:
        """Note how long a program's slowest call took."""
        self.slowest = sorted([*self.slowest, (seconds, text)], reverse=True)[:NAMED]

    def note_fallback(self, caught: Sequence[warnings.WarningMessage]) -> None:
        """Count what the interpreter ran, and why."""
        fell_back = _not_compiled(caught)
        self.fallbacks += bool(fell_back)
        for warning in fell_back[:1]:
            reason = next((line for line in str(warning.message).splitlines()[1:] if _REASON.match(line)), "?").strip()
            self.reasons[reason] = self.reasons.get(reason, 0) + 1


def _not_compiled(caught: Sequence[warnings.WarningMessage]) -> list[warnings.WarningMessage]:
    """The warnings of what was not compiled; calls whose ints left 64 bits were."""
    told = [w for w in caught if issubclass(w.category, FallbackWarning)]
    return [w for w in told if "ints past 64 bits" not in str(w.message)]


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


def run_numpy(seed: int, count: int, tally: Tally) -> None:
    """Compare `count` calls of NumPy's functions. Those that the interpreter runs are counted, not compared."""
    _run_numpy_calls(seed, count, tally, 0)


def run_numpy_shapes(seed: int, count: int, tally: Tally) -> None:
    """Compare `count` functions with a call of NumPy's, each for arrays of several extents and layouts."""
    _run_numpy_calls(seed, count, tally, SHAPES_A_CALL)


def _run_numpy_calls(seed: int, count: int, tally: Tally, more: int) -> None:
    for k in range(count):
        writer = CallWriter(seed * 1_000_003 + k)
        text = writer.text()
        args = writer.arguments()
        plain = define(text, "f", dict(NUMPY_NAMESPACE))
        tally.made += 1
        compiled = Timed(jit(plain))
        try:
            for given in [args, *variants(args, writer.random, more)]:
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    want, got = outcome(plain, given), outcome(compiled, given)
                tally.note_fallback(caught)
                if _not_compiled(caught):
                    break
                tally.calls += not is_deliberate(got[1])
                found = None if is_deliberate(got[1]) else disagreement(want, got, given)
                if found is not None:
                    tally.differences.append(_told(found, f"{writer.callee}\n  of {given!r}", want, got, text))
                    break
        finally:
            tally.took(compiled.most, f"f{compiled.given}\n{text}")
            forget(plain)


def run_odd_calls(seed: int, count: int, tally: Tally) -> None:
    """Compare `count` calls of anything with anything: what they give or change, and the class of what they raise."""
    for k in range(count):
        writer = OddCallWriter(seed * 1_000_003 + k)
        text, args = writer.text(), writer.arguments()
        try:
            plain = define(text, "f", dict(ODD_NAMESPACE))
        except SyntaxError:
            continue
        tally.made += 1
        compiled = Timed(jit(plain))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                want, got = outcome(plain, args), outcome(compiled, writer.arguments())
            tally.calls += 1
            found = None if is_deliberate(got[1]) else disagreement(want, got, args)
            if found is not None and not found.startswith("words of") and not is_known(want[1], got[1]):
                tally.differences.append(_told(found, f"f\n  of {args!r}", want, got, text))
        finally:
            tally.took(compiled.most, f"f{compiled.given}\n{text}")
            forget(plain)


def _told(found: str, call: str, want: Outcome, got: Outcome, text: str) -> str:
    told = [f"raises {error!r}" if error is not None else f"gives {made!r}" for made, error, _ in (want, got)]
    return f"[{found}] {call}\n  plain    {told[0]}\n  compiled {told[1]}\n{text}"


def run_recursion(seed: int, count: int, tally: Tally) -> None:
    """Compare `count` recursive programs, each for several arguments."""
    for k in range(count):
        writer = RecursionWriter(seed * 1_000_003 + k)
        tally.made += 1
        calls = [writer.arguments() for _ in range(CALLS_A_RECURSION)]
        tally.compare(writer.text(), "f", RECURSION_NAMESPACE, calls)


def run_containers(seed: int, count: int, tally: Tally) -> None:
    """Compare `count` programs over containers and strings of the run, each for several arguments. What rounds of loops
    leave is filled with ones."""
    library.poison(True)
    for k in range(count):
        writer = ContainerWriter(seed * 1_000_003 + k)
        text = writer.text()
        tally.made += 1
        tally.compare(text, "f", CONTAINER_NAMESPACE, [writer.arguments() for _ in range(CALLS_A_CONTAINER)])


def run_long_ints(seed: int, count: int, tally: Tally) -> None:
    """Compare `count` programs whose ints may leave 64 bits, each for several arguments."""
    for k in range(count):
        writer = LongIntWriter(seed * 1_000_003 + k)
        tally.made += 1
        with contextlib.redirect_stdout(io.StringIO()):
            tally.compare(writer.text(), "f", LONG_INT_NAMESPACE, writer.arguments())


def run_gradients(seed: int, count: int, tally: Tally) -> None:
    """Compare the gradients of `count` programs."""
    for k in range(count):
        writer = GradientWriter(seed * 1_000_003 + k)
        text, args = writer.text(), writer.arguments()

        def compare(plain: Any, took: Callable[[float], object], args: Any = args, k: int = k) -> list[str] | None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = disagreements(plain, args, thorough=k % 4 == 0, took=took)
            return None if found is None else [f"{what}\n  of f{args!r}" for what in found]

        compare_gradients(text, GRADIENT_NAMESPACE, compare, tally)


def run_places(seed: int, count: int, tally: Tally) -> None:
    """Compare the gradients of `count` programs whose variables change hands."""
    for k in range(count):
        text = PlaceWriter(seed * 1_000_003 + k).text()
        tally.fallbacks += not compare_gradients(text, PLACE_NAMESPACE, place_disagreements, tally)


def compare_gradients(
    text: str,
    namespace: dict[str, Any],
    compare: Callable[[Any, Callable[[float], object]], list[str] | None],
    tally: Tally,
) -> bool:
    """Note what `compare` finds wrong with a program's gradient, and the seconds that it tells of; whether it compared."""
    plain = define(text, "f", dict(namespace))
    tally.made += 1
    took: list[float] = []
    try:
        found = compare(plain, took.append)
    finally:
        tally.took(max(took, default=0.0), text)
        forget(plain)
    tally.calls += found is not None
    tally.differences += [f"{what}\n{text}" for what in found or ()]
    return found is not None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=1000, help="how many programs (default 1000)")
    parser.add_argument("--expressions", type=int, default=4000, help="how many expressions (default 4000)")
    parser.add_argument("--loops", type=int, default=300, help="how many functions with counted loops (default 300)")
    parser.add_argument("--gradients", type=int, default=100, help="the gradients of how many programs (default 100)")
    parser.add_argument("--places", type=int, default=100, help="the same, of arrays that change hands (default 100)")
    parser.add_argument(
        "--numpy", type=int, nargs="?", const=2000, default=0, help="only so many calls of NumPy's functions (2000)"
    )
    parser.add_argument("--numpy-shapes", type=int, default=0, help="only so many such calls, of several shapes each")
    parser.add_argument("--odd-calls", type=int, default=1000, help="how many calls of anything (default 1000)")
    parser.add_argument("--recursion", type=int, default=100, help="how many recursive programs (default 100)")
    parser.add_argument(
        "--containers", type=int, default=100, help="how many programs over dicts, sets and strings (100)"
    )
    parser.add_argument("--long-ints", type=int, default=100, help="how many programs of long ints (default 100)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=5, help="how many differences to print in full")
    args = parser.parse_args()
    failed = False
    if args.numpy or args.numpy_shapes:
        args.expressions = args.programs = args.loops = args.gradients = args.places = 0
        args.recursion = args.odd_calls = args.containers = args.long_ints = 0
    for what, count, run in (
        ("calls of NumPy's", args.numpy, run_numpy), ("calls of several shapes", args.numpy_shapes, run_numpy_shapes),
        ("expressions", args.expressions, run_expressions), ("programs", args.programs, run_programs),
        ("functions with loops", args.loops, run_loops), ("gradients", args.gradients, run_gradients),
        ("gradients of arrays that change hands", args.places, run_places),
        ("programs over containers", args.containers, run_containers),
        ("programs of long ints", args.long_ints, run_long_ints),
        ("recursive programs", args.recursion, run_recursion), ("odd calls", args.odd_calls, run_odd_calls),
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
        f"{len(tally.differences)} differences, {seconds:.0f} s, the slowest calls "
        f"{', '.join(f'{took:.1f}' for took, _ in tally.slowest)} s of the processor",
        flush=True,
    )
    for reason, times in sorted(tally.reasons.items(), key=lambda item: -item[1])[:show]:
        print(f"  {times} times by the interpreter: {reason}")
    for found in tally.differences[:show]:
        print(found)
    for took, text in tally.slowest:
        if took > SLOW:
            print(f"took {took:.1f} s:\n{text}")


def stop(*_: object) -> None:
    """Asked to end, say what was found until then."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, stop)
    sys.exit(main())
