"""`GradOperation`, and the `Print` primitive."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from jitcore.library.core.values import with_known_numbers
from jitcore.primitives.transforms import Gradient
from jitcore.transforms import GradientFunction


class GradOperation:
    """Makes gradient functions, as MindSpore's.

    `GradOperation(get_all, get_by_list, sens_param)(function, weights)(*args)` gives the gradient of `function(*args)`
    by
    - its first argument;
    - with `get_all`, all its arguments, as a tuple;
    - with `get_by_list`, the Parameters in `weights`, as a tuple; with `get_all` too, a pair of both.
    With `sens_param` the call takes one more argument, the cotangent of the result; without, it is all ones.

    >>> from jitcore import Tensor
    >>> print(GradOperation()(lambda x: x * x)(Tensor([3.0])))
    [6.]
    """

    __jitcore_library__: ClassVar[bool] = True

    def __init__(self, get_all: bool = False, get_by_list: bool = False, sens_param: bool = False) -> None:
        get_all, get_by_list, sens_param = with_known_numbers(
            (get_all, get_by_list, sens_param), "an option of GradOperation"
        )
        for name, value in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            if not isinstance(value, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"{name} of GradOperation is a bool, not {type(value).__name__}")
        self.get_all = get_all
        self.get_by_list = get_by_list
        self.sens_param = sens_param

    def __call__(self, fn: Callable[..., Any], weights: Any = None) -> GradientFunction:
        if self.get_by_list and weights is None:
            raise ValueError("GradOperation(get_by_list=True) needs the weights: grad(network, weights)")
        by_weight = tuple(weights) if self.get_by_list else None
        if self.get_all:
            positions, single = None, False
        else:
            positions, single = (() if self.get_by_list else (0,)), True
        return GradientFunction(Gradient(fn, positions, single, by_weight, sens=self.sens_param))


class Print:
    """Prints its operands."""

    def __call__(self, *operands: Any) -> None:
        print(*operands)
