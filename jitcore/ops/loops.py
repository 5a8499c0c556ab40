"""MindSpore's loops over functions: `WhileLoop`, `ForiLoop` and `Scan`, also as `while_loop`, `fori_loop` and `scan`.

They are loops like any other: compiled as one, differentiated without unrolling, and of any number of rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def while_loop(cond_fun: Callable[[Any], Any], body_fun: Callable[[Any], Any], init_val: Any) -> Any:
    """What repeating `val = body_fun(val)` from `init_val` on comes to, as long as `cond_fun(val)` holds.

    >>> while_loop(lambda x: x < 100, lambda x: x * 2, 1)
    128
    """
    val = init_val
    while cond_fun(val):
        val = body_fun(val)
    return val


def fori_loop(lower: Any, upper: Any, body_fun: Callable[[Any, Any], Any], init_val: Any) -> Any:
    """What `val = body_fun(i, val)` from `init_val` on comes to, for i in `range(lower, upper)`.

    >>> fori_loop(0, 5, lambda i, total: total + i, 0)
    10
    """
    val = init_val
    for i in range(int(lower), int(upper)):
        val = body_fun(i, val)
    return val


def scan(
    loop_func: Callable[[Any, Any], Any], init: Any, xs: Any, length: int | None = None, unroll: bool = True
) -> tuple[Any, list[Any]]:
    """`carry, y = loop_func(carry, x)` for every x of `xs` (without any: None, `length` times), from the carry `init`
    on; gives the last carry and the list of the ys.

    Raises ValueError if `xs` has not `length` items.

    >>> scan(lambda total, x: (total + x, total * x), 1, [1, 2, 3])
    (7, [1, 4, 12])
    """
    del unroll
    if xs is None:
        if length is None:
            raise ValueError("a scan needs xs, or the length of it")
        items: Any = [None] * length
    else:
        items = xs
        if length is not None and len(items) != length:
            raise ValueError(f"a scan over {len(items)} items has no length of {length}")
    carry = init
    ys: list[Any] = []
    for x in items:
        carry, y = loop_func(carry, x)
        ys.append(y)
    return carry, ys


for _function in (while_loop, fori_loop, scan):  # a loop may stand in another one's function
    _function.__dict__["__jitcore_inlined__"] = True


class _Constructible(type):
    """The class of classes whose objects compiled code can make."""

    __jitcore_library__ = True


class WhileLoop(metaclass=_Constructible):
    """`WhileLoop()(cond_func, loop_func, init_val)` is `while_loop(cond_func, loop_func, init_val)`."""

    def __call__(self, cond_func: Callable[[Any], Any], loop_func: Callable[[Any], Any], init_val: Any) -> Any:
        return while_loop(cond_func, loop_func, init_val)


class ForiLoop(metaclass=_Constructible):
    """`ForiLoop()(lower, upper, loop_func, init_val)` is `fori_loop(lower, upper, loop_func, init_val)`."""

    def __call__(
        self, lower: Any, upper: Any, loop_func: Callable[[Any, Any], Any], init_val: Any, unroll: bool = True
    ) -> Any:
        return fori_loop(lower, upper, loop_func, init_val)


class Scan(metaclass=_Constructible):
    """`Scan()(loop_func, init, xs, length)` is `scan(loop_func, init, xs, length)`."""

    def __call__(
        self,
        loop_func: Callable[[Any, Any], Any],
        init: Any,
        xs: Any,
        length: int | None = None,
        unroll: bool = True,
    ) -> tuple[Any, list[Any]]:
        return scan(loop_func, init, xs, length)
