"""Random loops over `prange`: what is not refused gives what Python gives, with the rounds in the opposite order too."""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import jit, prange
from jitcore.backends.interpreter.program import run_program
from jitcore.passes import parallel
from jitcore.source import RaceError

SIZE = 400


def subscript(r: random.Random) -> str:
    """An index or a slice, of which many are of the same form."""
    slope = r.choice(["", "", "2 * ", "3 * ", "w * ", "-"])
    index = f"{slope}i{r.choice(['', '', ' + 1', ' - 1', ' + 2', ' + n', ' + w'])}"
    kind = r.randrange(8)
    if kind == 0:
        return f"{index} : {index} + {r.choice(['1', '2', '3', 'w', 'w + 1'])}"
    if kind == 1:
        return r.choice(["i // 2", "i % 3", "min(i, 5)", "n - i", "n - 1 - i", "5", "w", "abs(i - 4)", "i * i"])
    if kind == 2:
        return f"w * i + j{r.choice(['', '', ' + 1'])}"
    return index


def program(r: random.Random) -> str:
    """The text of a function of two arrays, which may be one."""
    ends = r.choice(["n", "n", "1, n", "0, n, 2", "n, 0, -1", "s, n", "n - s"])
    lines = ["def f(x, y, n, w, s):", f"    for i in prange({ends}):", "        for j in range(w):"]
    same = subscript(r)
    for _ in range(r.randrange(1, 4)):
        a, b = (r.choice([same, subscript(r)]) for _ in "ab")
        if ":" in a:
            lines.append(f"            {r.choice('xy')}[{a}] = float(i + j)")
        elif ":" in b:
            lines.append(f"            {r.choice('xy')}[{a}] = {r.choice('xy')}[{b}].sum()")
        else:
            lines.append(f"            {r.choice('xy')}[{a}] = {r.choice('xy')}[{b}] + {r.choice(['i', 'j', '1.0'])}")
    return "\n".join(lines) + "\n"


def expression(r: random.Random) -> str:
    """A number, which now and then depends on what other rounds did."""
    plain = ["x[i]", "x[i]", "float(i)", "1.0", "x[i] * 2.0", "x[i] - 3.0", "y[i % 5]"]
    return r.choice([*plain, *plain, r.choice(["s", "best", "float(count)", "x[i] + t", "h[i % 3]"])])


def condition(r: random.Random) -> str:
    """What a round decides by."""
    return r.choice(
        ["x[i] > 2.0", "i % 2 == 0", "x[i] > best", "x[i] < least", f"{expression(r)} > 1.0", "found", "count > 3"]
    )


def statement(r: random.Random, depth: int) -> list[str]:
    """A statement of a round, indented by four."""
    e = expression(r)
    if depth and r.random() < 0.4:
        lines = [f"if {condition(r)}:", *statement(r, depth - 1)]
        if r.random() < 0.4:
            lines += statement(r, depth - 1)
        if r.random() < 0.3:
            lines += ["else:", *statement(r, depth - 1)]
    elif depth and r.random() < 0.15:
        lines = [f"for j in range({r.choice(['2', 'i % 3'])}):", *statement(r, depth - 1)]
    else:
        sums = [f"s += {e}", f"s = {e} + s", f"t -= {e}", "count += 1", f"h[i % 3] += {e}", f"h[i % 3] -= {e}"]
        most = [f"best = max(best, {e})", "best = x[i]", f"least = min(least, {e})", "least = x[i]", f"w = {e}"]
        marks = ["found = True", "found = False", "every = False", f"out[i] = {e}", "out[i] = w", "out[i] = found"]
        most += [f"g[i % 3] = max(g[i % 3], {e})"]
        lines = [r.choice(r.choice([sums, sums, most, marks]))]
    return [f"    {line}" for line in lines]


def program_of_carries(r: random.Random) -> str:
    """The text of a function that puts numbers together."""
    start = r.choice(["0.0", "0", "x[0]"])
    lines = [f"s, t, best, least = {start}, 0.0, {start}, {r.choice(['x[1]', '100.0'])}"]
    lines += ["count, w, found, every = 0, 0.0, False, True", "h, g = np.zeros(3), np.zeros(3)"]
    lines += ["for i in prange(n):", *(line for _ in range(r.randrange(1, 4)) for line in statement(r, 2))]
    kept = [v for v in ("s", "t", "best", "least", "count", "found", "every", "h", "g") if r.random() < 0.8]
    return "def f(x, y, out, n):\n" + "\n".join(f"    {line}" for line in [*lines, f"return {', '.join([*kept, 'n'])}"])


def made(text: str, name: str) -> Callable[..., Any]:
    """The function of a program."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {"prange": prange, "np": np}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def compare(seed: int) -> bool:
    """Whether a random program was not refused. Raises AssertionError where rounds in another order give something
    else than Python does."""
    r = random.Random(seed)
    text, name = program(r), f"<prange {seed}>"
    function = made(text, name)
    for given in ((9, 2, 0), (12, 3, 4), (7, 1, -3), (5, 0, 2)):
        wanted = [np.arange(float(SIZE)) for _ in "xy"]
        try:
            function(*wanted, *given)
        except IndexError:
            continue
        compiled = jit(parallel=True)(function)
        got = [np.arange(float(SIZE)) for _ in "xy"]
        try:
            compiled(*got, *given)
        except RaceError:
            return False
        np.testing.assert_array_equal(got, wanted, err_msg=f"{text}\n{given}")
        (member,) = compiled.specialisations
        got = [np.arange(float(SIZE)) for _ in "xy"]
        main = member.compilation.inferred.module.main
        run_program(member.compilation.code.program, [*got, *given], [q.type for q in main.params], main.result_types)
        np.testing.assert_array_equal(got, wanted, err_msg=f"{text}\n{given}, backwards")
    return True


def compare_carries(seed: int) -> bool:
    """The same for a program that puts numbers together: whole ones, of which sums are exact."""
    r = random.Random(seed)
    text, name = program_of_carries(r), f"<prange carries {seed}>"
    function = made(text, name)
    x, y = np.array([float(r.randrange(-9, 9)) for _ in range(40)]), np.arange(5.0)

    def outcome(call: Callable[..., Any]) -> list[Any]:
        out = np.zeros(40)
        results = call(x, y, out, 40)
        return [*(float(v) if np.ndim(v) == 0 else v.tolist() for v in results), out.tolist()]

    compiled = jit(parallel=True)(function)
    wanted = outcome(function)
    try:
        got = outcome(compiled)
    except RaceError:
        return False
    assert got == wanted, text
    (member,) = compiled.specialisations
    main, out = member.compilation.inferred.module.main, np.zeros(40)
    given: list[Any] = [x, y, out, 40]
    places = [int(str(i.path[1])) for i in member.compilation.inferred.inputs]
    args = [given[place] for place in places]
    types = [q.type for q in main.params]
    results, _ = run_program(member.compilation.code.program, args, types, main.result_types)
    if 2 in places:
        assert out.tolist() == wanted[-1], text
    for result in results:  # what is always the same is none of the program's
        value = result[1][0] if isinstance(result, tuple) else result
        assert (float(value) if np.ndim(value) == 0 else np.asarray(value).tolist()) in wanted, text
    return True


@pytest.mark.parametrize("block", range(2))
def test_random_sums(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "WORTH_A_PART", 1)
    before = jitcore.get_context("jit_syntax_level")
    jitcore.set_context(jit_syntax_level="STRICT")
    try:
        accepted = sum(compare_carries(seed) for seed in range(block * 20, block * 20 + 20))
    finally:
        jitcore.set_context(jit_syntax_level=before)
    assert 0 < accepted < 20


@pytest.mark.parametrize("block", range(2))
def test_random_loops(block: int) -> None:
    before = jitcore.get_context("jit_syntax_level")
    jitcore.set_context(jit_syntax_level="STRICT")
    try:
        accepted = sum(compare(seed) for seed in range(block * 20, block * 20 + 20))
    finally:
        jitcore.set_context(jit_syntax_level=before)
    assert 0 < accepted < 20
