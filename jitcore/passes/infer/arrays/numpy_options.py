"""What NumPy's functions take beside their operands, whatever they compute: `out`, and `where`, `dtype`, `casting` of
universal functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.library import tables
from jitcore.library.core.marking import finish, library
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, is_number
from jitcore.library.math import elementwise
from jitcore.passes.infer.domain.values import Array, Static, Tuple, Value
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.passes.infer.engine.tracing import call_library
from jitcore.structs import dataclass
from jitcore.types import DType, dtype_of

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_NAMES: Final = """
    all amax amin any argmax argmin around choose clip compress concatenate cumprod cumsum cumulative_prod
    cumulative_sum dot einsum fix isneginf isposinf max mean median min nanargmax nanargmin nancumprod nancumsum nanmax
    nanmean nanmedian nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar outer percentile prod ptp quantile
    round stack std sum take trace var
    """
WITH_OUT: Final = frozenset(_NAMES.split())
"""Functions and methods, besides universal functions, whose result goes to `out` as if it were assigned."""


@dataclass(frozen=True, slots=True)
class Options:
    """Where a result goes: the array to write to (None: a new one), the mask of the elements that are written, and
    whether any kind of dtype may be written to any other."""

    out: Value
    where: Value
    unsafe: bool
    dtype: DType | None


def split(
    infer: Infer, obj: Any, args: Sequence[Value], keywords: Mapping[str, Value]
) -> tuple[Sequence[Value], dict[str, Value], Options]:
    """The operands, converted to the `dtype` asked for; the other keywords; and the options."""
    rest = dict(keywords)
    nothing = Static(None)
    if not isinstance(obj, np.ufunc):
        out = rest.pop("out", nothing) if obj.__name__ in WITH_OUT else nothing
        return args, rest, Options(out, Static(True), False, None)
    out = rest.pop("out", nothing)
    if len(args) == obj.nargs:
        args, out = args[:-1], args[-1]
    if isinstance(out, Tuple) and len(out.items) == 1:
        (out,) = out.items
    where = rest.pop("where", Static(True))
    how = infer.need_static(rest.pop("casting", Static("same_kind")), "casting")
    for name in ("order", "subok"):
        if name in rest and infer.need_static(rest[name], name) in ("K", "C", "A", True, False):
            del rest[name]
    wanted = infer.need_static(rest.pop("dtype", nothing), "the dtype")
    if wanted is None:
        return args, rest, Options(out, where, how == "unsafe", None)
    dtype = dtype_of(wanted.numpy if isinstance(wanted, DType) else np.dtype(wanted))
    converted = call_library(infer, _converted, [Static(dtype), Static(how), *args], {})
    assert isinstance(converted, Tuple)
    return converted.items, rest, Options(out, where, how == "unsafe", dtype)


@library("raw")
def _converted(dtype: DType, how: Any, *operands: Any) -> tuple[Any, ...]:
    """Operands in the dtype that is computed in."""
    for operand in operands:
        if not is_number(operand) and not np.can_cast(dtype_of_value(as_array(operand)).numpy, dtype.numpy, how):
            raise TypeError(f"operands of {dtype_of_value(as_array(operand))} computed with in {dtype}")
    return tuple(finish(as_array(as_array(o), dtype), "array") for o in operands)


def deliver(infer: Infer, obj: Any, made: Value, options: Options, args: Sequence[Value]) -> Value:
    """A result written to where it belongs."""
    if options.dtype is not None and isinstance(made, Array) and made.type.dtype is not options.dtype:
        raise infer.unsupported(f"{obj.__name__} with a result of another dtype than {options.dtype}")
    everywhere = isinstance(options.where, Static) and options.where.value is True
    if isinstance(options.out, Static) and options.out.value is None:
        if not everywhere:
            raise infer.unsupported(f"{obj.__name__} of some elements, the others undefined", "an array as out")
        return made
    if not isinstance(options.out, Array):
        message = f"{obj.__name__} into this"
        raise refusal(infer, message, lambda o, *a: obj(*a, out=o), options.out, *args)
    if not everywhere:
        made = call_library(infer, _chosen, [options.out, made, options.where, Static(options.unsafe)], {})
    update: Callable[..., Any] = _ASSIGN if options.unsafe else tables.UPDATE
    call_library(infer, update, [options.out, made], {})
    return options.out


@library("raw")
def _chosen(out: Any, made: Any, where: Any, unsafe: bool) -> Any:
    """What `out` holds when the elements chosen are written to it."""
    have, want = dtype_of_value(made).numpy, dtype_of_value(out).numpy
    if not unsafe and not np.can_cast(have, want, "same_kind"):
        raise TypeError(f"Cannot cast ufunc output from {have!r} to {want!r} with casting rule 'same_kind'")
    own = as_array(evaluator().contents(out))
    return elementwise.where(where, as_array(made, dtype_of_value(own)), own)


_ASSIGN: Final = library("raw")(elementwise.assign)
