"""What MindSpore says to the arguments of `WhileLoop()`, `ForiLoop()` and `Scan()` in compiled code:
`WhileLoop op expects 3 inputs, but got 2`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from jitcore.compat.mindspore.looping import ForiLoop, Loop
from jitcore.compat.mindspore.refusals.naming import abstract, type_text
from jitcore.passes.infer.engine.operands import UNKNOWN, Instead, Operand

_COUNTS: Final = {
    "WhileLoop": ("WhileLoop op expects 3 inputs", (3,)),
    "ForiLoop": ("For `ForiLoop` op, expects [4, 5] inputs", (4, 5)),
    "Scan": ("Scan op expects [3, 5] inputs", (3, 4, 5)),
}
_FUNCTIONS: Final = {"WhileLoop": ("while_loop", (0, 1)), "ForiLoop": ("fori_loop", (2,)), "Scan": ("scan", (0,))}
_CALLED: Final = ("function", "object", "instance", "union", "type")


def answer(loop: Loop, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | Instead | None:
    """The answer to a call of a loop."""
    name = type(loop).__name__
    text, counts = _COUNTS[name]
    given = len(args) + len(keywords)
    if given not in counts:
        return RuntimeError(f"{text}, but got {given}")
    if keywords:
        return None
    refused = _OPTIONS.get(name, lambda _: None)(args)
    function, places = _FUNCTIONS[name]
    wrong = next((k for k in places if args[k].kind not in _CALLED), None)
    if refused is None and wrong is not None:
        return TypeError(f"For '{function}', input[{wrong}] should be Function, but got {type_text(args[wrong])}.")
    if refused is None and isinstance(loop, ForiLoop) and not all(map(_is_count, args[:2])):
        return Instead(_counted)
    return refused


def _is_count(x: Operand) -> bool:
    return x.kind == "int" or (x.kind == "tensor" and x.shape == () and x.dtype is not None and x.dtype.kind in "iu")


def _counted(lower: Any, upper: Any, loop_func: Any, init_val: Any, unroll: bool = True) -> Any:
    """A loop between bounds that are compared as they are, as MindSpore's compiler does it."""
    val = init_val
    while lower < upper:
        val = loop_func(lower, val)
        lower = lower + 1
    return val


def _unroll(args: Sequence[Operand]) -> BaseException | None:
    if len(args) < 5 or args[4].kind in ("bool", "object", "union"):
        return None
    return TypeError(f"ForiLoop op supposed to have bool argument [unroll], but got {abstract(args[4])}")


def _scan(args: Sequence[Operand]) -> BaseException | None:
    xs, length = args[2], args[3] if len(args) > 3 else Operand("none")
    if xs.kind not in ("tuple", "list", "range", "none", "object", "union"):
        return TypeError(
            "For `Scan` op, expect abstract of argument [xs] to be AbstractTuple, AbstractList or AbstractNone, "
            f"but got: {abstract(xs)}"
        )
    if length.kind not in ("int", "none", "object", "union"):
        return RuntimeError(f"For `Scan` op, supposed to have int argument [length], but got: {abstract(length)}")
    if length.kind == "int" and xs.kind in ("tuple", "list") and length.value not in (UNKNOWN, len(xs.items)):
        return ValueError(
            "For `Scan` op, supposed to have the same value of [length] argument as the length of [xs], "
            f"but got: {length.value} and: {len(xs.items)}"
        )
    if len(args) > 4 and args[4].kind not in ("bool", "object", "union"):
        return TypeError(f"For `Scan` op, expect argument [unroll] to be bool, but got {abstract(args[4])}")
    return None


_OPTIONS: Final[dict[str, Callable[[Sequence[Operand]], BaseException | None]]] = {"Scan": _scan, "ForiLoop": _unroll}
