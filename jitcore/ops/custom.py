"""Operators whose gradient the user gives, and those that call the user's NumPy code."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

import numpy as np

from jitcore.primitives.ops.custom import CustomGradient
from jitcore.runtime import custom
from jitcore.runtime.tensor import Tensor


def _same(*args: Any) -> Any:
    return args[0] if len(args) == 1 else args


class InsertGradientOf:
    """x itself; on the way back its gradient is `f(gradient)`.

    >>> from jitcore import Tensor, grad
    >>> clip = InsertGradientOf(lambda gradient: gradient * 0.5)
    >>> print(grad(lambda x: clip(x) * 4)(Tensor([1.0])))
    [2.]
    """

    def __init__(self, f: Callable[..., Any]) -> None:
        if not callable(f):
            raise TypeError(f"InsertGradientOf takes a function, not {type(f).__name__}")
        self.f = f

    @property
    def __jitcore_custom_gradient__(self) -> CustomGradient:
        return CustomGradient(_same, self._backward)

    def _backward(self, x: Any, out: Any, gradient: Any) -> Any:
        return self.f(gradient)

    def __call__(self, x: Any) -> Any:
        return custom.call(_same, self._backward, (x,), {})


class HookBackward:
    """The inputs themselves; on the way back `hook_fn(gradients)` is called with a tuple of theirs, and what it
    returns, unless None, are the gradients (of one input: also a Tensor). Raises TypeError or ValueError for anything
    else."""

    def __init__(self, hook_fn: Callable[..., Any], cell_id: str = "") -> None:
        if not callable(hook_fn):
            raise TypeError(f"HookBackward takes a function, not {type(hook_fn).__name__}")
        self.hook_fn = hook_fn
        self.cell_id = cell_id

    @property
    def __jitcore_custom_gradient__(self) -> CustomGradient:
        return CustomGradient(_same, self._backward)

    def _backward(self, *values: Any) -> Any:
        count, gradients = len(values) - 2, values[-1]
        given = gradients if count > 1 else (gradients,)
        found = self.hook_fn(given)
        if found is None:
            return given
        found = found if isinstance(found, tuple) else (found,)
        if len(found) != count:
            raise ValueError(f"a hook of {count} inputs gave {len(found)} gradients")
        if not all(isinstance(g, Tensor) for g in found):
            raise TypeError("a hook of HookBackward gives Tensors, or None")
        return found

    def __call__(self, *inputs: Any) -> Any:
        return custom.call(_same, self._backward, inputs, {})


class PyFunc:
    """A function of ndarrays as an operator on Tensors, which gives a tuple of them.

    >>> import numpy as np
    >>> from jitcore import Tensor, float32
    >>> total = PyFunc(lambda a, b: a + b, (float32, float32), ((2,), (2,)), (float32,), ((2,),))
    >>> print(total(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))[0])
    [4. 6.]
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        in_types: Any,
        in_shapes: Any,
        out_types: Any,
        out_shapes: Any,
        stateful: bool = True,
    ) -> None:
        if len(in_types) != len(in_shapes) or len(out_types) != len(out_shapes):
            raise ValueError("PyFunc takes a type and a shape for each operand, and for each result.")
        self.fn, self.out_types, self.stateful = fn, tuple(out_types), stateful
        self.count = len(in_types)

    def __call__(self, *operands: Any) -> tuple[Tensor, ...]:
        if len(operands) != self.count:
            raise ValueError(f"PyFunc was made for {self.count} operands, not {len(operands)}.")
        made = self.fn(*[v.asnumpy() if isinstance(v, Tensor) else v for v in operands])
        listed = made if isinstance(made, tuple | list) else (made,)
        return tuple(Tensor(np.asarray(v), dtype) for v, dtype in zip(listed, self.out_types, strict=True))


# --- operators that the user writes ---------------------------------------------------------------------


def _allocate(shape: Any, dtype: Any, scope: str = "local") -> Any:
    del scope
    return np.zeros(tuple(shape), dtype)


def _grid(extents: Any) -> Any:
    return np.ndindex(*extents)


_INTRINSICS: Final[dict[str, Any]] = {
    "output_tensor": _allocate, "allocate": _allocate, "grid": _grid, "serial": range, "parallel": range,
    "vectorize": range, "reduce": range, "block_idx": range, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x),
    "exp": np.exp, "log": np.log, "abs": np.abs, "power": np.power, "tanh": np.tanh, "sin": np.sin, "cos": np.cos,
    "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "erf": lambda x: _erf(x), "floor": np.floor,
    "ceil": np.ceil, "trunc": np.trunc, "round": np.rint, "int8": np.int8, "int16": np.int16, "int32": np.int32,
    "int64": np.int64, "float16": np.float16, "float32": np.float32, "float64": np.float64,
}  # fmt: skip
"""What functions under `kernel` call without importing it."""


def _erf(x: Any) -> Any:
    return x.dtype.type(math.erf(x))


def kernel(fn: Callable[..., Any] | None = None, reg_info: Any = None, compile_attrs: Any = None) -> Callable[..., Any]:
    """A function of ndarrays in MindSpore Hybrid DSL, for `Custom`: Python with `output_tensor`, `allocate`, `grid` and
    other names of its own, computed by Python here.

    >>> import numpy as np
    >>> from jitcore import Tensor
    >>> @kernel
    ... def twice(a):
    ...     out = output_tensor(a.shape, a.dtype)
    ...     for i in range(a.shape[0]):
    ...         out[i] = a[i] * 2
    ...     return out
    >>> print(Custom(twice)(Tensor([1.0, 2.0])))
    [2. 4.]
    """
    del reg_info, compile_attrs
    if fn is None:
        return kernel
    body = FunctionType(fn.__code__, {**_INTRINSICS, **fn.__globals__}, fn.__name__, fn.__defaults__, fn.__closure__)

    def run(*operands: Any) -> Any:
        return body(*operands)

    run.__name__, run.__doc__ = fn.__name__, fn.__doc__
    return run


ms_kernel = kernel


class Custom:
    """An operator that a function of ndarrays computes; its gradient is what `bprop(*operands, out, gradient)` gives.

    `out_shape` and `out_dtype` are those of the results, or functions of the operands' shapes and dtypes; what the
    function gives has them already.

    >>> import numpy as np
    >>> from jitcore import Tensor
    >>> outer = Custom(lambda a, b: np.outer(a, b), lambda a, b: (a[0], b[0]), lambda a, b: a, func_type="pyfunc")
    >>> print(outer(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
    [[3. 4.]
     [6. 8.]]
    """

    def __init__(
        self,
        func: Callable[..., Any],
        out_shape: Any = None,
        out_dtype: Any = None,
        func_type: str = "hybrid",
        bprop: Callable[..., Any] | None = None,
        reg_info: Any = None,
    ) -> None:
        del out_shape, reg_info
        if func_type not in ("hybrid", "pyfunc", "akg", "tbe", "aicpu", "aot", "julia"):
            raise ValueError(f"func_type of Custom is 'pyfunc' or 'hybrid', not {func_type!r}")
        if func_type not in ("hybrid", "pyfunc") or not callable(func):
            raise NotImplementedError(
                f"Custom operators of the kind {func_type!r} are not in jitcore: write a 'pyfunc'"
            )
        self.func, self.out_dtype, self.bprop = func, out_dtype, bprop

    def add_prim_attr(self, name: str, value: Any) -> Custom:
        """The operator itself: MindSpore's attributes for its compiler mean nothing here."""
        del name, value
        return self

    @property
    def __jitcore_custom_gradient__(self) -> CustomGradient | None:
        return None if self.bprop is None else CustomGradient(self._forward, self._backward)

    def _forward(self, *operands: Any) -> Any:
        made = self.func(*[v.asnumpy() if isinstance(v, Tensor) else v for v in operands])
        dtype = self.out_dtype
        if callable(dtype) and not isinstance(dtype, type):
            dtype = dtype(*[v.dtype if isinstance(v, Tensor) else type(v) for v in operands])
        if isinstance(made, tuple | list):
            dtypes = dtype if isinstance(dtype, tuple | list) else [dtype] * len(made)
            return tuple([Tensor(np.asarray(v), d) for v, d in zip(made, dtypes, strict=True)])
        return Tensor(np.asarray(made), dtype)

    def _backward(self, *values: Any) -> Any:
        assert self.bprop is not None
        return self.bprop(*values)

    def __call__(self, *operands: Any) -> Any:
        if self.bprop is None:
            return self._forward(*operands)
        return custom.call(self._forward, self._backward, operands, {})
