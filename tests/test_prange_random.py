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


def made(text: str, name: str) -> Callable[..., Any]:
    """The function of a program."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {"prange": prange}
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


@pytest.mark.parametrize("block", range(2))
def test_random_loops(block: int) -> None:
    before = jitcore.get_context("jit_syntax_level")
    jitcore.set_context(jit_syntax_level="STRICT")
    try:
        accepted = sum(compare(seed) for seed in range(block * 20, block * 20 + 20))
    finally:
        jitcore.set_context(jit_syntax_level=before)
    assert 0 < accepted < 20
