"""NumPy's functions called on Tensors: by the library function of the same meaning, else by NumPy on the Tensors'
memory."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jitcore.library.math.elementwise import update
from jitcore.library.tables import NUMPY_FUNCTIONS
from jitcore.primitives.transforms import ELEMENTWISE
from jitcore.runtime import autograd, element_calls, operand_rules, tape, tensor_models
from jitcore.runtime.interrupts import is_from_handler
from jitcore.runtime.tensor import Tensor
from jitcore.runtime.trees import distinct_leaves, map_leaves

_REDUCTIONS = {np.add: np.sum, np.multiply: np.prod, np.maximum: np.max, np.minimum: np.min}


@tensor_models.call_ufunc.model
def call_ufunc(ufunc: Any, method: str, inputs: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """`ufunc.method(*inputs, **keywords)` with a Tensor among them."""
    ruled = operand_rules.called(getattr(ufunc, method), inputs, keywords)
    if ruled is not operand_rules.OWN:
        return ruled
    out = keywords.get("out")
    rest = {k: v for k, v in keywords.items() if k != "out"}
    if method == "reduce" and ufunc in _REDUCTIONS and not rest.keys() - {"axis", "keepdims", "dtype"}:
        rest = {k: v for k, v in rest.items() if k != "dtype" or v is not None}
        made = NUMPY_FUNCTIONS[_REDUCTIONS[ufunc]](*inputs, **{"axis": 0, **rest})
    elif method == "__call__" and ufunc in NUMPY_FUNCTIONS and not rest:
        made = NUMPY_FUNCTIONS[ufunc](*inputs)
    elif method == "__call__" and ufunc in ELEMENTWISE and not rest:
        made = element_calls.call(ufunc, inputs)
    else:
        made = _by_numpy(getattr(ufunc, method), inputs, rest)
    return made if out is None else _store(made, out)


def _store(made: Any, out: Any) -> Any:
    """Write a result into `out=`, with NumPy's rule for casts."""
    (target,) = out if isinstance(out, tuple) else (out,)
    if isinstance(target, Tensor):
        return update(target, made)
    refuse_cut([made], "an ndarray")
    np.copyto(target, np.asarray(made), casting="same_kind")
    return target


@tensor_models.call_function.model
def call_function(function: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """`function(*args, **keywords)` of NumPy with a Tensor among the arguments."""
    ours = NUMPY_FUNCTIONS.get(function)
    if ours is None:
        return _by_numpy(function, args, keywords)
    try:
        return ours(*args, **keywords)
    except TypeError as error:  # arguments that only NumPy takes, or nobody: it says so
        if is_from_handler(error):
            raise
        return _by_numpy(function, args, keywords)


def _by_numpy(function: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    refuse_cut(list(distinct_leaves([*args, *keywords.values()])), f"numpy.{getattr(function, '__name__', function)}")
    return function(*map_leaves(_array, list(args)), **{k: map_leaves(_array, v) for k, v in keywords.items()})


def _array(value: Any) -> Any:
    return value._array if isinstance(value, Tensor) else value


@tensor_models.refuse_cut.model
def refuse_cut(values: Sequence[Any], what: str) -> None:
    """Raise if a gradient that is being taken would end here."""
    if any(tape.tracked(v) for v in values):
        raise RuntimeError(
            f"a gradient is being taken, and {what} has no derivative here: use a function of jitcore.ops, or "
            "x.asnumpy() or ops.stop_gradient(x) if no gradient is to go through it"
        )
    if any(isinstance(v, Tensor) and autograd.needs_gradient(v) for v in values):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")


def export(
    self: Tensor,
    *,
    stream: object = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """A DLPack capsule of a Tensor's memory (of a copy, if `copy` is true), by which other libraries share it.

    Raises BufferError if they cannot: on another device than the CPU, or in a stream; where a gradient would be cut;
    and memory that must not be written to, unless `max_version` says that they know of such.
    """
    if stream is not None or dl_device not in (None, self.__dlpack_device__()):
        raise BufferError("a Tensor is exported to the CPU, which has no streams")
    if tape.tracked(self) or autograd.needs_gradient(self):
        raise BufferError("a Tensor that a gradient goes through cannot be exported: export x.detach(), or x.asnumpy()")
    options: dict[str, Any] = {"max_version": max_version, "dl_device": dl_device, "copy": copy}
    return self._array.__dlpack__(**{name: value for name, value in options.items() if value is not None})


Tensor.__dlpack__ = export  # type: ignore[attr-defined]
