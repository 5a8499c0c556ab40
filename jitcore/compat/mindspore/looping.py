"""MindSpore's loops over functions as objects, `WhileLoop()`, `ForiLoop()`, `Scan()`: line by line they look at their
arguments, and what goes wrong in a round is a ValueError; compiled code has `computed`, and rules of its own
(`refusals.looping`)."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, ClassVar, Final

from jitcore.compat.mindspore import sequences
from jitcore.ops import loops
from jitcore.runtime.tensor import Tensor

_FUNCTION: Final = (FunctionType, MethodType)


class Loop(metaclass=sequences.Constructible):
    """A loop over functions."""

    __jitcore_call__: ClassVar[str] = "computed"

    def __init__(self, *args: Any) -> None:
        if args:
            raise TypeError("too many positional arguments")

    def _require(self, name: str, value: Any, classes: tuple[type, ...]) -> None:
        """Raise TypeError for an argument of another class."""
        if isinstance(value, classes) and not (isinstance(value, bool) and bool not in classes):
            return
        raise TypeError(
            f"For '{type(self).__name__}', the type of '{name}' should be one of '{[c.__name__ for c in classes]}', "
            f"but got type '{type(value).__name__}'."
        )


def _run(loop: Callable[..., Any], *args: Any) -> Any:
    try:
        return loop(*args)
    except Exception as error:
        raise ValueError(
            f"Invalid loop_func, please check input arguments and return value, error info: {error}"
        ) from error


def _delegating(function: Any) -> Any:
    """Mark a `__call__` that compiled code replaces by `computed`."""
    function.__dict__["__jitcore_delegates__"] = True
    return function


class WhileLoop(Loop):
    """`WhileLoop()(cond_func, loop_func, init_val)` is `loops.while_loop(cond_func, loop_func, init_val)`."""

    def computed(self, cond_func: Callable[[Any], Any], loop_func: Callable[[Any], Any], init_val: Any) -> Any:
        """The loop."""
        return loops.while_loop(cond_func, loop_func, init_val)

    @_delegating
    def __call__(self, cond_func: Any, loop_func: Any, init_val: Any) -> Any:
        self._require("cond_func", cond_func, _FUNCTION)
        self._require("loop_func", loop_func, _FUNCTION)
        return _run(loops.while_loop, cond_func, loop_func, init_val)


class ForiLoop(Loop):
    """`ForiLoop()(lower, upper, loop_func, init_val)` is `loops.fori_loop(lower, upper, loop_func, init_val)`."""

    def computed(
        self, lower: Any, upper: Any, loop_func: Callable[[Any, Any], Any], init_val: Any, unroll: bool = True
    ) -> Any:
        """The loop."""
        return loops.fori_loop(lower, upper, loop_func, init_val)

    @_delegating
    def __call__(self, lower: Any, upper: Any, loop_func: Any, init_val: Any, unroll: bool = True) -> Any:
        self._require("lower", lower, (int, Tensor))
        self._require("upper", upper, (int, Tensor))
        self._require("loop_func", loop_func, _FUNCTION)
        return _run(loops.fori_loop, lower, upper, loop_func, init_val)


class Scan(Loop):
    """`Scan()(loop_func, init, xs, length)` is `loops.scan(loop_func, init, xs, length)`; line by line `length` is that
    of `xs`."""

    def computed(
        self,
        loop_func: Callable[[Any, Any], Any],
        init: Any,
        xs: Any,
        length: int | None = None,
        unroll: bool = True,
    ) -> tuple[Any, list[Any]]:
        """The loop."""
        return loops.scan(loop_func, init, xs, length)

    @_delegating
    def __call__(
        self, loop_func: Any, init: Any, xs: Any, length: int | None = None, unroll: bool = True
    ) -> tuple[Any, list[Any]]:
        self._require("loop_func", loop_func, _FUNCTION)
        if not isinstance(xs, list | tuple):  # MindSpore's check of it fails, None or not
            raise TypeError("isinstance() arg 2 must be a type, a tuple of types, or a union")
        return _run(loops.scan, loop_func, init, xs)
