"""Failures made small: the choices of a case drawn smaller, then the numbers of the call that differs made simple."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from jitcore.structs import dataclass, replace
from jitcore.testing.autotest.calls import Call
from jitcore.testing.autotest.checks import Graphs, Mismatch, Options, Sides, examine
from jitcore.testing.autotest.draws import Choice, Draws
from jitcore.testing.autotest.items import Array

_REPLAYS: Final = 60
"""How often a case is run again, at most."""
_TRIALS: Final = 40
"""How often the call is, with other numbers."""

Replay = Callable[[Draws], "Mismatch | None"]


@dataclass(slots=True, eq=False)
class _Search:
    """The smallest case so far, and how many more are tried."""

    draws: Draws
    mismatch: Mismatch
    left: int = _REPLAYS


def smaller_case(draws: Draws, mismatch: Mismatch, replay: Replay) -> tuple[Draws, Mismatch]:
    """A case that fails in the same way, with choices as small as can be found."""
    search = _Search(draws, mismatch)
    _try(search, Draws(draws.seed, draws.case, draws.shape, simple=True), replay)
    moved = True
    while moved and search.left > 0:
        moved = sum(_lower(search, k, replay) for k in range(len(search.draws.choices))) > 0
    return search.draws, search.mismatch


def _lower(search: _Search, k: int, replay: Replay) -> bool:
    """Try smaller values of choice k; whether one was found."""
    if k >= len(search.draws.choices):
        return False
    for value in _smaller(search.draws.choices[k]):
        if search.left <= 0:
            return False
        before = search.draws
        replaced = {i: choice.value for i, choice in enumerate(before.choices)} | {k: value}
        if _try(search, Draws(before.seed, before.case, before.shape, replaced, before.simple), replay):
            return True
    return False


def _smaller(choice: Choice) -> Iterator[float]:
    if choice.value > choice.low:
        yield choice.low
    if choice.whole and choice.value - 1 > choice.low:
        yield (choice.value + choice.low) // 2
        yield choice.value - 1


def _try(search: _Search, draws: Draws, replay: Replay) -> bool:
    search.left -= 1
    found = replay(draws)
    if not search.mismatch.is_like(found):
        return False
    assert found is not None
    search.draws, search.mismatch = draws, found
    return True


def simpler_call(mismatch: Mismatch, sides: Sides, options: Options) -> Mismatch:
    """The mismatch of a call with simpler numbers; the same if none differs in the same way."""
    best = mismatch
    trials = itertools.islice(_trials(mismatch.call), _TRIALS)
    simplified: set[int] = set()
    for k, array in trials:
        if k not in simplified:
            found = _again(_with_array(best.call, k, array), sides, options)
            if found is not None and mismatch.is_like(found):
                best = found
                simplified.add(k)
    return best


def _trials(call: Call) -> Iterator[tuple[int, Array]]:
    for k, operand in enumerate(call.operands):
        if operand.array is not None:
            yield from ((k, array) for array in _simpler(operand.array))


def reproduced(mismatch: Mismatch, sides: Sides, options: Options) -> bool:
    """Whether the call differs in the same way by itself."""
    return mismatch.is_like(_again(mismatch.call, sides, options))


def _again(call: Call, sides: Sides, options: Options) -> Mismatch | None:
    return examine(call, sides, Graphs(options.compiler), options)


def _with_array(call: Call, k: int, array: Array) -> Call:
    operands = list(call.operands)
    operands[k] = replace(operands[k], array=array)
    return replace(call, operands=tuple(operands))


def _simpler(array: Array) -> Iterator[Array]:
    """Arrays of the same shape whose numbers are easier to read, the easiest first; plain in memory before others."""
    if array.dtype.kind in "fc":
        for made in (np.zeros_like(array), np.ones_like(array), array.round(0), array.round(1), array.round(2)):
            yield np.ascontiguousarray(made).reshape(array.shape)
    elif array.dtype.kind in "iu":
        yield np.zeros(array.shape, array.dtype)
    if not array.flags.c_contiguous:
        yield np.ascontiguousarray(array)
