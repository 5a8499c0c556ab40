"""What MindSpore says to calls, line by line, of `vmap`, `jvp`, `vjp`, `jacfwd` and `jacrev`: before they are made, and
of what jitcore raises."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, Final

from jitcore.compat.mindspore.refusals.naming import abstract, dtype_name, type_text
from jitcore.compat.mindspore.refusals.transforms import operand
from jitcore.library.core.values import category
from jitcore.nn import CellList
from jitcore.passes.infer.engine.operands import Operand
from jitcore.primitives.core import evaluation
from jitcore.primitives.transforms import AuxError
from jitcore.runtime.tensor import Tensor


def miscounted(fn: Any, count: int) -> TypeError | None:
    """The answer to a call of a Python function with another number of arguments than it has parameters."""
    if not isinstance(fn, FunctionType):
        return None
    params = inspect.signature(fn).parameters.values()
    if any(p.kind is not p.POSITIONAL_OR_KEYWORD for p in params):
        return None
    least = sum(p.default is p.empty for p in params)
    if least <= count <= len(params):
        return None
    return TypeError(
        f"The parameters number of the function is {len(params)}, but the number of provided arguments is {count}."
    )


def directions(fn: Any, inputs: Operand, v: Operand) -> BaseException | None:
    """The answer to what `jvp` is not taken of, or along."""
    if any(given.kind not in _DIRECTIONS for given in (inputs, v)):
        return TypeError("The inputs type must be a Tensor, tuple or list of Tensors.")
    primals, along = ([given] if given.kind == "tensor" else given.items for given in (inputs, v))
    if len(primals) != len(along):
        return ValueError(f"v has invalid length: should be {len(primals)}, but got {len(along)}")
    if v.kind != "tensor" and len(along) == 1:
        return TypeError("Type Join Failed: Abstract type AbstractTuple cannot join with AbstractTensor.")
    if (error := miscounted(fn, len(primals))) is not None:
        return error
    return next((e for pair in zip(primals, along, strict=True) if (e := _direction(*pair)) is not None), None)


_DIRECTIONS: Final = ("tensor", "tuple", "list")


def _direction(primal: Operand, tangent: Operand) -> TypeError | None:
    """The answer to a tangent of another type than what it belongs to."""
    if primal.kind != "tensor":
        return TypeError("Type Join Failed: Abstract type AbstractTuple cannot join with AbstractTuple.")
    if tangent.kind == "none":
        return TypeError("Type Join Failed: Abstract type AbstractNone cannot join with AbstractTensor.")
    if tangent.kind in ("bool", "int", "float", "str"):
        return TypeError(f"Type Join Failed: dtype1 = {_JOINED.get(tangent.kind, type_text(tangent))}, dtype2 = Any.")
    if tangent.kind == "tensor" and tangent.dtype is not primal.dtype:
        ours, theirs = dtype_name(tangent.dtype), dtype_name(primal.dtype)
        return TypeError(f"Type Join Failed: dtype1 = {ours}, dtype2 = {theirs}.")
    return None


_JOINED: Final = {"float": "Float32", "int": "Int64"}


def cotangents(values: Sequence[Any]) -> TypeError | None:
    """The answer to arguments of `vjp`, or of what it gives, that are no Tensors."""
    if all(isinstance(value, tuple | list) or category(value) == "tensor" for value in values):
        return None
    quote = "'" if evaluation.is_tracing() else ""
    return TypeError(f"{quote}The inputs type must be Tensor.{quote}")


SEVERAL: Final = "'When 'has_aux' is True, origin 'fn' requires more than one outputs.'"


def of_aux(error: BaseException) -> BaseException:
    """For a result that has no others beside it."""
    return ValueError(SEVERAL) if isinstance(error, AuxError) else error


def jacobian(name: str, positions: Any, args: Sequence[Any]) -> BaseException | None:
    """The answer to arguments that a Jacobian is not by."""
    if positions == ():
        return RuntimeError("grad_position should not be empty when grad by position.")
    listed: Sequence[int] = positions if isinstance(positions, tuple) else (positions,)
    if any(k >= len(args) for k in listed):
        return ValueError("The element in grad_position must belong to [0, args_num).")
    if len(set(listed)) < len(listed):
        return ValueError("There are duplicate positions in `grad_position`, please check it")
    if name == "jacrev":
        return None
    for value in (args[k] for k in listed):
        if isinstance(value, int | float):
            kind = "Float32" if isinstance(value, float) else "Int64"
            return TypeError(f"For 'Size', input must be a Tensor, but got: {kind}.")
        if isinstance(value, Tensor) and value.dtype.kind in "iu":
            return TypeError(f"Type Join Failed: dtype1 = Float32, dtype2 = {value.dtype}.")
    return None


def rows(fn: Any, in_axes: Any, out_axes: Any, args: Sequence[Any]) -> BaseException | None:
    """The answer to arguments without rows, and to axes of no rows."""
    if isinstance(fn, CellList):
        if len(fn) > 1:
            return None
        return RuntimeError(
            "In the model ensembling parallel training scenario ('VmapOperation' arg0 is a 'CellList'), the size of "
            f"'CellList' must be greater than 1, but got {len(fn)}."
        )
    for name, axes in (("in_axes", in_axes), ("out_axes", out_axes)):
        if axes is None:
            return RuntimeError(f"The '{name}' of 'vmap' cannot be a single None while 'fn' is not a 'CellList'.")
    if (error := miscounted(fn, len(args))) is not None:
        return error
    axes = in_axes if isinstance(in_axes, tuple | list) else (in_axes,) * len(args)
    for value, axis in zip(args, axes, strict=False):
        if isinstance(axis, int) and isinstance(value, int | float | str | None):
            shown = abstract(operand(value))
            return RuntimeError(
                f"The orig_abs should be AbstractTensor when corresponding axis is {axis}, but got a {shown}. Tip: "
                "Please check the correspondence between vmap's 'in_axes' and inputs. You may want to explicitly "
                f"specify the 'in_axes' corresponding to {shown} as 'None' to solve this problem."
            )
    return None


_RESULTS: Final[tuple[tuple[str, Callable[[list[int]], str]], ...]] = (
    (
        r"there is no axis (-?\d+) for the rows of results with (\d+) dimensions",
        lambda n: f"The axis: {n[0]} in 'out_axes' is out of bounds for array of dimension [{-n[1] - 1},{n[1] + 1}).",
    ),
    (
        r"out_axes has (\d+) items for (\d+) results",
        lambda n: (
            "The size of vmap's 'out_axes' should be equal to the number of results of 'fn': "
            f"{n[1]}, but got size: {n[0]}."
        ),
    ),
    (
        r"out_axes is None for a result that differs from row to row",
        lambda n: "It is invalid that source is not None and dst is None.",
    ),
)
"""What jitcore says of the axes of results, and what MindSpore does of its numbers."""


def of_results(error: ValueError) -> BaseException:
    """For axes that the rows of results cannot have."""
    for pattern, text in _RESULTS:
        if found := re.fullmatch(pattern, str(error)):
            return RuntimeError(text([int(n) for n in found.groups()]))
    return error
