"""Calls whose ints leave 64 bits: finished with Python's ints where nothing of them can be seen yet."""

from __future__ import annotations

import math
import random
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import FallbackWarning, Tensor, grad, jit, nn, ops
from jitcore.passes.visible_effects import places_after_effects

SAID = "an int left 64 bits here"


def factorial(n):
    made = 1
    for k in range(2, n + 1):
        made *= k
    return made


def recursive(n):
    return 1 if n == 0 else n * recursive(n - 1)


def fibonacci(n):
    a, b, found = 0, 1, []
    for _ in range(n):
        found.append(a)
        a, b = b, a + b
    return found


def fnv(text):
    made = 14695981039346656037
    for c in text:
        made = ((made ^ ord(c)) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return made


def linear(n, seed):
    made = []
    for _ in range(n):
        seed = (seed * 6364136223846793005 + 1442695040888963407) % (1 << 62)
        made.append(seed >> 33)
    return made


def power(a, n):
    while n > 62:
        a, n = a * a, n - 1
    return a**n, -a, (a << n % 5) ^ 3


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def counted(n):
    return {"whole": math.factorial(n), "chosen": math.comb(2 * n, n)}, (math.perm(n, n),)


def converted(x):
    return int(x * 1e12), round(x * 1e15)


def total(values):
    return sum(values), [v * 2 for v in values]


CASES = [
    (factorial, (20,), (40,)), (recursive, (20,), (60,)), (fibonacci, (5,), (120,)), (fnv, ("",), ("hello",)),
    (linear, (1, 0), (9, 1 << 62)), (power, (3, 4), (10, 65)), (collatz, (27,), ((1 << 62) - 1,)),
    (counted, (5,), (40,)), (converted, (1.5,), (1e9,)), (total, ([1, 2],), ([1 << 62] * 40,)),
]  # fmt: skip


@pytest.mark.parametrize(("function", "small", "large"), CASES, ids=[f.__name__ for f, _, _ in CASES])
def test_calls_are_finished_with_longer_ints(function: Any, small: Any, large: Any) -> None:
    compiled = jit(function)
    for args in (small, large, small, large):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FallbackWarning)
            got = compiled(*args)
        assert got == function(*args)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compiled(*small) == function(*small)


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(("function", "small", "large"), CASES, ids=[f.__name__ for f, _, _ in CASES])
def test_strict_calls_raise(function: Any, small: Any, large: Any) -> None:
    compiled = jit(function)
    if function is not fnv:  # which has a constant of more bits
        assert compiled(*small) == function(*small)
    with pytest.raises(OverflowError, match="past 64 bits"):
        compiled(*large)


def test_functions_that_are_strict_by_themselves_raise() -> None:
    with pytest.raises(OverflowError, match="past 64 bits"):
        jit(factorial, nopython=True)(40)
    with pytest.raises(OverflowError, match=r"argument n: .* past 64 bits"):
        jit(factorial, nopython=True)(1 << 70)


def test_the_user_is_told_once_where() -> None:
    compiled = jit(factorial)
    with pytest.warns(FallbackWarning, match=SAID) as noted:
        assert [compiled(n) for n in (40, 50)] == [factorial(40), factorial(50)]
    (warning,) = noted
    assert f"line {factorial.__code__.co_firstlineno + 3}" in str(warning.message)
    assert "STRICT raises OverflowError" in str(warning.message)
    assert "in the interpreter: ints past 64 bits\n    ran 2 times" in compiled.explain()
    assert len(compiled.specialisations) == 1


def test_ints_given_that_are_too_long() -> None:
    compiled = jit(lambda x, y: x + y)
    assert compiled(1, 2) == 3
    with pytest.warns(FallbackWarning, match=r"argument y: the int 73786976294838206464 is past 64 bits"):
        assert compiled(1, 1 << 66) == (1 << 66) + 1
    assert compiled([1 << 70], []) == [1 << 70]


class Counter:
    def __init__(self, start: int) -> None:
        self.value = start
        self.history: list[int] = []

    @jit
    def grow(self, by: int, times: int) -> int:
        for _ in range(times):
            self.value = self.value * by + 1
            self.history.append(self.value)
        return self.value

    def plain(self, by: int, times: int) -> int:
        return Counter.grow.__wrapped__(self, by, times)


@pytest.mark.filterwarnings("ignore::jitcore.FallbackWarning")
def test_methods_that_change_their_object() -> None:
    ours, theirs = Counter(1), Counter(1)
    for times in (2, 3, 50, 1):
        assert ours.grow(3, times) == theirs.plain(3, times)
        assert (ours.value, ours.history) == (theirs.value, theirs.history)


# --- what can be seen before ------------------------------------------------------------------------------


def test_after_printing_it_raises(capsys: pytest.CaptureFixture[str]) -> None:
    @jit
    def told(n: int) -> int:
        print("n is", n)
        return n * n

    assert told(3) == 9
    with pytest.raises(OverflowError):
        told(1 << 40)
    assert capsys.readouterr().out == f"n is 3\nn is {1 << 40}\n"


def test_before_printing_it_is_finished(capsys: pytest.CaptureFixture[str]) -> None:
    @jit
    def told(n: int) -> int:
        made = n * n
        print("done")
        return made - made + n

    with pytest.warns(FallbackWarning, match=SAID):
        assert told(1 << 40) == 1 << 40
    assert capsys.readouterr().out == "done\n"


def test_after_writing_to_an_argument_it_raises() -> None:
    @jit
    def late(x: Any, n: int) -> int:
        x[0] += 1.0
        return n * n

    @jit
    def early(x: Any, n: int) -> int:
        made = n * n
        x[0] += 1.0
        return made

    x = np.zeros(2)
    with pytest.raises(OverflowError):
        late(x, 1 << 40)
    assert x.tolist() == [1, 0]
    with pytest.warns(FallbackWarning, match=SAID):
        assert early(x, 1 << 40) == 1 << 80
    assert x.tolist() == [2, 0]


def test_memory_of_its_own_is_not_seen() -> None:
    @jit
    def own(n: int) -> Any:
        x = np.zeros(3)
        for k in range(3):
            x[k] = k
        return n * n * int(x.sum())

    with pytest.warns(FallbackWarning, match=SAID):
        assert own(1 << 40) == 3 << 80


def test_after_drawing_it_raises() -> None:
    @jit
    def drawn(n: int) -> Any:
        x = random.random()
        return x, n * n

    random.seed(1)
    first = random.random()
    random.seed(1)
    with pytest.raises(OverflowError):
        drawn(1 << 40)
    random.seed(1)
    assert drawn(2) == (first, 4)


seen: list[int] = []
state = {"count": 1}


def test_lists_and_dicts_outside_are_changed_once() -> None:
    @jit
    def grown(n: int) -> int:
        seen.append(n)
        for _ in range(n):
            state["count"] *= 10
        return state["count"] + 1

    assert grown(3) == 1001
    with pytest.warns(FallbackWarning, match=SAID):
        assert grown(20) == 10**23 + 1
    assert seen == [3, 20]
    assert state == {"count": 10**23}


class Written(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Dense(1, 1).weight

    def construct(self, n: int) -> Any:
        ops.assign_add(self.weight, ops.ones_like(self.weight))
        return n * n


def test_after_writing_to_a_parameter_it_raises() -> None:
    net = Written()
    before = net.weight.asnumpy().copy()
    assert net(3) == 9
    with pytest.raises(OverflowError):
        net(1 << 40)
    np.testing.assert_allclose(net.weight.asnumpy(), before + 2, rtol=1e-6)


def recursive_and_printing(n):
    if n == 0:
        return 1
    made = n * recursive_and_printing(n - 1)
    print(n)
    return made


def test_recursion_with_effects_raises(capsys: pytest.CaptureFixture[str]) -> None:
    compiled = jit(recursive_and_printing)
    assert compiled(3) == 6
    assert capsys.readouterr().out == "1\n2\n3\n"
    with pytest.raises(OverflowError):
        compiled(40)


# --- handlers ---------------------------------------------------------------------------------------------


def handled(n):
    try:
        return factorial(n)
    except (OverflowError, ValueError):
        return -1


def handled_by_rounds(n):
    made = 1
    for k in range(n):
        try:
            made = made * 7 + k // (k - 3)
        except ZeroDivisionError:
            made += 1
        except Exception:
            return None
        finally:
            made -= 2
    return made


def handled_of_pythons(n):
    try:
        return math.factorial(n) + 1, math.comb(2 * n, n)
    except Exception:
        return -1


def handled_by_bare_except(n):
    made = 0
    try:
        made = math.perm(n, n // 2) // (n - 5)
        made = made * made * made
    except:  # noqa: E722
        made = -1
    finally:
        made += 1
    return made


@pytest.mark.filterwarnings("ignore::jitcore.FallbackWarning")
@pytest.mark.parametrize("function", [handled, handled_by_rounds, handled_of_pythons, handled_by_bare_except])
def test_no_handler_is_for_what_python_does_not_raise(function: Any) -> None:
    compiled = jit(function)
    for n in (3, 10, 60):
        assert compiled(n) == function(n)


def test_no_handler_is_for_it_after_effects_either(capsys: pytest.CaptureFixture[str]) -> None:
    @jit
    def told(n: int) -> Any:
        print("begun")
        try:
            return n * n, 1 << 70
        except (OverflowError, ValueError):
            return None

    with pytest.raises(OverflowError):
        told(1 << 40)
    assert told(2) == (4, 1 << 70)
    assert capsys.readouterr().out == "begun\nbegun\n"


@pytest.mark.usefixtures("strict")
def test_handlers_catch_it_where_it_is_an_error() -> None:
    assert jit(handled)(60) == -1


@pytest.mark.filterwarnings("ignore::jitcore.FallbackWarning")
def test_ints_that_are_known_to_be_too_long() -> None:
    def known_before(n: int) -> Any:
        try:
            return (1 << 40) ** 2 + n
        except Exception:
            return -n

    assert jit(known_before)(2) == (1 << 80) + 2


def test_overflows_of_floats_are_the_programs() -> None:
    @jit
    def exponential(x: float) -> Any:
        try:
            return math.exp(x)
        except OverflowError:
            return -1.0

    assert exponential(1000.0) == -1.0
    with pytest.raises(OverflowError, match="math range error"):
        jit(lambda x: math.exp(x))(1000.0)


# --- parts of functions, gradients, both modes --------------------------------------------------------------


def test_parts_of_functions() -> None:
    def parted(n: int) -> Any:
        class Local:
            step = 3

        made = 1
        for k in range(1, n):
            made = made * k + Local.step
        return made

    compiled = jit(parted)
    with pytest.warns(FallbackWarning):
        assert compiled(5) == parted(5)
    assert compiled(50) == parted(50)
    assert "an int is past 64 bits" in compiled.explain()


@pytest.mark.filterwarnings("ignore::jitcore.FallbackWarning")
def test_handlers_around_parts_are_not_for_it_either(capsys: pytest.CaptureFixture[str]) -> None:
    def parted(n: int) -> Any:
        class Local:
            step = 3

        try:
            print("begun")
            made = n * n
            kept = made + type(Local()).step
        except Exception:
            kept = -1
        return kept

    compiled = jit(parted)
    assert compiled(3) == 12
    with pytest.raises(OverflowError) as raised:
        compiled(1 << 40)
    assert raised.traceback[-1].lineno == parted.__code__.co_firstlineno + 5
    assert capsys.readouterr().out == "begun\nbegun\n"


@pytest.mark.usefixtures("mode")
@pytest.mark.filterwarnings("ignore::jitcore.FallbackWarning")
def test_gradients_of_programs_with_long_ints() -> None:
    def scaled(x: Any, n: int) -> Any:
        return (x * x * (factorial(n) % 7)).sum()

    x = Tensor(np.array([1.0, 2.0], np.float32))
    for n in (3, 5, 30):
        want = [2.0 * (math.factorial(n) % 7), 4.0 * (math.factorial(n) % 7)]
        assert grad(scaled)(x, n).asnumpy().tolist() == want
        assert jit(grad(scaled))(x, n).asnumpy().tolist() == want


def test_a_deep_recursion_is_finished() -> None:
    with pytest.warns(FallbackWarning, match=SAID):
        assert deep(300) == math.factorial(300)


@jit
def deep(n):
    return 1 if n == 0 else n * deep(n - 1)


def test_places_after_effects() -> None:
    def program(x: Any, n: int) -> Any:
        first = n + 1
        if n > 3:
            x[0] = 2.0
        second = n * 2
        return first, second

    member = _specialised(program, np.zeros(2), 5)
    lines = {span.line - program.__code__.co_firstlineno for span in places_after_effects(member)}
    assert lines == {3, 4} or lines == {3, 4, 5}


def _specialised(function: Callable[..., Any], *args: Any) -> Any:
    compiled = jit(function)
    compiled(*args)
    return compiled.specialisations[0].compilation.inferred.module


def test_messages_have_what_calls_are_told_by() -> None:
    from jitcore.primitives.core.python_numbers import past_64_bits
    from jitcore.program.words import PAST_64_BITS

    for text in (PAST_64_BITS, past_64_bits(1 << 64), past_64_bits(1 << 999)):
        assert re.search("past 64 bits", text)
