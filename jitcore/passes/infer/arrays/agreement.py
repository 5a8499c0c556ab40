"""NumPy's word on a call: what it does with samples of the operands' types and shapes, compiled code does too.

A library function is inferred as always. Then NumPy itself is asked, with arrays of ones, of zeros and of several
numbers in the operands' places. What it raises for all of them does not depend on the values, and the program raises
that, class and words. Where it gives another dtype, shape or class than the library function, or gives something where
that refuses, the call is one that compiled code does not have. So a difference is never silent.

    np.sum(x, 3)                                       # AxisError, as NumPy says it of an array of x's rank
    np.interp(x, xp, fp[1:])                           # ValueError('fp and xp are not of the same length.')

Extents that the run says, and those of arrays of many elements, have several small numbers in their place
(`arrays.sample_extents`): then the exceptions and dtypes are NumPy's, the extents of results the library function's.

Not asked: calls with Tensors, with functions or other objects, or with large numbers among what is known;
nor calls with slices and ranges whose ends the run says, since what fits each other then depends on all of them.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.ir.nodes import Literal
from jitcore.passes.infer.arrays import sample_extents
from jitcore.passes.infer.arrays.sample_extents import Extents
from jitcore.passes.infer.domain.forms import SCALARS
from jitcore.passes.infer.domain.values import (
    Array,
    Number,
    PythonError,
    Range,
    Reference,
    Slice,
    Static,
    Text,
    Tuple,
    Value,
)
from jitcore.structs import dataclass
from jitcore.types import INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

MOST_ELEMENTS: Final = 1024
"""Of all operands together: NumPy's call takes part of the time to compile."""
_MOST_REPLACED: Final = 1 << 14
"""As above, where small numbers are in the place of extents."""
LARGEST_PRODUCT: Final = 1 << 17
"""Of all known numbers: they may be the extents of what NumPy would make."""
_KINDS: Final = 3
_PLAIN: Final = (
    type(None), bool, complex, str, bytes, np.dtype, np.bool_, type(Ellipsis),
    type(np._NoValue),  # pyright: ignore[reportPrivateUsage,reportUnknownMemberType,reportAttributeAccessIssue]
)  # fmt: skip


_OF_VALUES: Final = ("Singular", "converge", "positive definite")
"""Words of the LinAlgErrors that are about the values of matrices."""


class _UnknownError(Exception):
    """There is no sample of a value."""


class NumPyError(PythonError):
    """What NumPy itself raised."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What NumPy gave for a sample, or raised; and whether the sample has the extents of the program's arrays."""

    value: Any
    error: Exception | None
    is_exact: bool


@dataclass(frozen=True, slots=True)
class _Samples:
    """One kind of sample of a call's operands."""

    infer: Infer
    kind: int
    extents: Extents
    room: list[int]
    """How many elements there may still be, and how large the product of numbers (0: any)."""


def answers(infer: Infer, call: Callable[..., Any], values: Sequence[Value], sized: bool) -> Iterator[Answer]:
    """What NumPy does with each kind of sample: none if it is not to be asked."""
    shapes = [a.type.shape for a in _arrays(infer, values)]
    for extents, kind in itertools.product(sample_extents.choices(shapes, MOST_ELEMENTS), range(_KINDS)):
        most = MOST_ELEMENTS if extents.are_known else _MOST_REPLACED
        try:
            how = _Samples(infer, kind, extents, [most, LARGEST_PRODUCT if sized else 0])
            samples = [_sample(how, value) for value in values]
        except _UnknownError:
            return
        except ZeroDivisionError:  # in an extent: these numbers stand for no arrays
            continue
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                made = call(*samples)
        except Exception as error:  # whatever NumPy raises is the answer
            yield Answer(None, error.with_traceback(None), extents.are_known)
        else:
            yield Answer(made, None, extents.are_known)


def _arrays(infer: Infer, values: Sequence[Value]) -> Iterator[Array]:
    """The arrays among values, and in lists and tuples of them."""
    for value in values:
        if isinstance(value, Array):
            yield value
        elif isinstance(value, Tuple):
            yield from _arrays(infer, value.items)
        elif isinstance(value, Reference) and value.kind is list and infer.heap.buffer(value) is None:
            yield from _arrays(infer, infer.heap.items(value))


def _sample(how: _Samples, value: Value) -> Any:
    match value:
        case Static():
            return _plain(value.value, how.room)
        case Number():
            return next(cls for cls, scalar in SCALARS.items() if scalar is value.type)(
                (1, 0, -70000 if value.type is INT else 2)[how.kind]
            )
        case Array():
            return _array(value, how)
        case Tuple() if value.cls is tuple:
            return tuple(_sample(how, v) for v in value.items)
        case Slice() | Range() if all(isinstance(v, Static) for v in (value.start, value.stop, value.step)):
            ends = (_sample(how, v) for v in (value.start, value.stop, value.step))
            return slice(*ends) if isinstance(value, Slice) else range(*ends)
        case Reference() if value.kind is list and how.infer.heap.buffer(value) is None:
            return [_sample(how, v) for v in how.infer.heap.items(value)]
        case _:
            raise _UnknownError


def _plain(value: Any, room: list[int]) -> Any:
    """A known object that NumPy may be given as it is."""
    if type(value) in (tuple, list):
        room[0] -= len(value)
        if room[0] < 0:
            raise _UnknownError
        return type(value)(_plain(v, room) for v in value)  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, slice):
        return slice(*(_plain(v, room) for v in (value.start, value.stop, value.step)))
    if isinstance(value, int | float | np.number):
        if room[1] and value == value and abs(value) != float("inf"):
            room[1] //= max(1, int(abs(value)))
            if not room[1]:
                raise _UnknownError
        return value
    if isinstance(value, _PLAIN) or (isinstance(value, type) and value.__module__ in ("numpy", "builtins")):
        return value
    raise _UnknownError


def _array(value: Array, how: _Samples) -> Any:
    if value.is_tensor:
        raise _UnknownError
    extents, kind = how.extents.shape(value.type.shape), how.kind
    how.room[0] -= math.prod(extents)
    if how.room[0] < 0:
        raise _UnknownError
    dtype = value.type.dtype.numpy
    if isinstance(value.atom, Literal) and extents == value.type.shape:
        made = np.array(value.atom.value, dtype).reshape(extents)
    elif kind < 2:
        made = np.full(extents, 1 - kind, dtype)
    else:
        several = np.random.default_rng(7).integers(0, 5, extents) + (0.5 if dtype.kind in "fc" else 0)
        made = np.asarray(several, dtype)
    return made[()] if value.category == "npscalar" else made


def agreed(
    infer: Infer,
    what: str,
    plain: Callable[..., Any],
    compute: Callable[[], Value],
    values: Sequence[Value],
    sized: bool = True,
) -> Value:
    """What `compute` gives or raises if NumPy's `plain(*values)` does the same; else what NumPy raises, or an error
    that says `what` is missing. Without `sized` no number among the values is an extent or a count."""
    asking = answers(infer, plain, values, sized)
    first = next(asking, None)
    asked = [] if first is None else [first]
    if first is not None and first.error is not None:
        asked += asking
        raised = _raised_always(asked)
        if raised is not None:
            raise NumPyError(raised)
    try:
        made = compute()
    except PythonError as error:
        asked += asking
        raised = _raised_always(asked)
        if raised is not None:
            raise NumPyError(raised) from error
        if first is None or (not first.is_exact and all(type(a.error) is type(error.error) for a in asked)):
            raise
        raise infer.unsupported(f"{what} with such arguments ({error})") from error
    for answer in itertools.chain(asked, asking):
        if answer.error is None:
            if _is_alike(infer, made, answer.value, answer.is_exact):
                return made
            first = answer
    if first is None or first.error is not None:
        return made
    raise infer.unsupported(f"{what} with such arguments, whose result has another type or shape")


def _raised_always(asked: Sequence[Answer]) -> Exception | None:
    """What NumPy raised, if it did for all samples, in the same words."""
    errors = [a.error for a in asked]
    first = errors[0] if errors else None
    if first is None or any(type(e) is not type(first) or str(e) != str(first) for e in errors):
        return None
    if isinstance(first, np.linalg.LinAlgError) and any(word in str(first) for word in _OF_VALUES):
        return None
    first.__context__ = first.__cause__ = None
    first.__suppress_context__ = False  # which giving it no cause has set
    return first


def _is_alike(infer: Infer, made: Value, wanted: Any, is_exact: bool) -> bool:
    """Whether a value has the class, dtype and shape of NumPy's result, as far as they are known; of its extents and
    lengths only what `is_exact` samples tell."""
    match made:
        case Array():
            is_scalar = made.category == "npscalar"
            either = infer.of_elements and is_scalar and np.ndim(wanted) == 0  # `np.where` gives arrays of rank 0
            if not either and not isinstance(wanted, np.generic if is_scalar else np.ndarray):
                return False
            return wanted.dtype == made.type.dtype.numpy and _has_extents(made, wanted.shape, is_exact)
        case Tuple() if issubclass(made.cls, tuple):
            return isinstance(wanted, tuple) and _are_alike(
                infer,
                made.items,
                tuple(wanted),  # pyright: ignore[reportUnknownArgumentType]
                is_exact,
            )
        case Reference() if made.kind is list and infer.heap.buffer(made) is None and isinstance(wanted, list):
            return _are_alike(
                infer,
                infer.heap.items(made),
                wanted,  # pyright: ignore[reportUnknownArgumentType]
                is_exact,
            )
        case Number():
            return next(cls for cls, scalar in SCALARS.items() if scalar is made.type) is type(wanted)
        case Static():
            return type(made.value) is type(wanted)
        case Text():
            return isinstance(wanted, str)
        case _:
            return True


def _are_alike(infer: Infer, made: Sequence[Value], wanted: Sequence[Any], is_exact: bool) -> bool:
    if is_exact and len(made) != len(wanted):
        return False
    return all(_is_alike(infer, m, w, is_exact) for m, w in zip(made, wanted, strict=False))


def _has_extents(made: Array, shape: tuple[int, ...], is_exact: bool) -> bool:
    own = made.type.shape
    if len(own) != len(shape):
        return False
    return not is_exact or all(not isinstance(n, int) or n == m for n, m in zip(own, shape, strict=True))
