"""What library functions get, and what they ask about it.

**Values.** A library function gets
- arrays: whatever the current evaluator calls an array (eager: Tensor, ndarray, NumPy scalar), opaque here: all that is
  known of one is asked with `category`, `dtype_of_value`, `shape_of`, and primitives are called on it directly;
- Python numbers: plain `bool int float complex` where known, else the evaluator's own run-time number;
- everything else as plain Python: None, strings, dtypes, slices, tuples and lists of any of these.
A primitive called on arrays gives an array of the strongest category among its operands (tensor > ndarray >
npscalar); one called on none (`full`, `iota`, `from_scalar`) gives the weakest, npscalar. The decorator's
policy (`marking.library`) then settles what the caller gets.

**Categories**: `tensor`, `ndarray`, `npscalar`; `bool`, `int`, `float`, `complex` for
Python numbers; None for anything else.

**Shapes** are tuples of dimensions (`types.Dim`): compute with them freely, but compare only with `require_equal`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, Protocol, TypeAlias, cast

import numpy as np

from jitcore.lookup import has_attribute
from jitcore.primitives.core import dialects, evaluation, promotion
from jitcore.primitives.ops import conversions, elementwise, python_ints
from jitcore.types import Dim, DimExpr, DType, RefType, ScalarType, Shape, TensorType, Type, dim_min, i64, shape_text

Category: TypeAlias = 'Literal["tensor", "ndarray", "npscalar", "bool", "int", "float", "complex"]'
NUMBERS: Final = ("bool", "int", "float", "complex")
"""The categories of Python numbers, which are weak in promotion."""

Policy: TypeAlias = 'Literal["tensor", "scalar", "array", "same", "ndarray", "raw"]'
"""What a library function's array results become (Tensors of the class of the first Tensor among the arguments):
- tensor: Tensors, whatever the operands were (`ops.*`);
- scalar: Tensors if an operand was one; else ndarrays, those of rank 0 NumPy scalars (operators, ufuncs, reductions);
- array: Tensors if an operand was one, else ndarrays, of rank 0 too (`np.zeros`, `np.reshape`): an operand itself that
  comes out is a new array that shares its memory (a view);
- same: as array, but what comes out is the operand itself (`np.asarray`);
- ndarray: ndarrays, sharing the memory (`Tensor.asnumpy`);
- raw: left as they are (a function used by other library functions only)."""


class LibraryEvaluator(evaluation.Evaluator, Protocol):
    """What library functions ask of the current evaluator, besides evaluating primitives."""

    def category(self, value: Any) -> Category | None:
        """The category of a value, None if it is neither array nor number."""
        ...

    def finish(self, value: Any, policy: Policy) -> Any:
        """An array result as the policy says. (Not called for tuples and other values: see `finish`.)"""
        ...

    def dialect(self, value: object) -> dialects.Dialect | None:
        """The dialect that a Tensor is of; None of jitcore's own, and of all else."""
        ...

    def in_dialect(self, value: object, dialect: dialects.Dialect | None) -> Any:
        """A Tensor that was just made as one of a dialect (None: jitcore's own)."""
        ...

    def detached(self, value: object) -> Any:
        """A Tensor of the same memory that no gradient goes through."""
        ...

    def taken(self, value: Any) -> Any:
        """An array of an object that has elements but no category (an array of
        another library); None if it has none."""
        ...

    def constant(self, value: Any, dtype: DType | None) -> Any:
        """An array (category ndarray) of a NumPy array, or of nested sequences of numbers, run-time ones and rank-0
        arrays too; without a dtype, NumPy's for them."""
        ...

    def dim(self, value: Any) -> Dim:
        """A number used as an extent. ValueError if it is negative; a run-time number becomes a symbolic dimension."""
        ...

    def number(self, dim: Dim) -> Any:
        """An extent as a Python int of the program."""
        ...

    def is_one(self, dim: Dim) -> bool:
        """Whether an extent is 1, asked where the rank of a result depends on it."""
        ...

    def may_be_one(self, dim: Dim) -> bool:
        """Whether an extent is 1, or cannot be told before the program runs."""
        ...

    def note_source(self, dim: Dim, number: Any) -> None:
        """Note that an extent that `dim` made was computed from a number (and from other extents)."""
        ...

    def extent_or_rest(self, value: Any) -> Any:
        """An extent of a new shape, which may be a negative number (what is left): then it is the plain int."""
        ...

    def settled(self, value: Any) -> Any:
        """The plain int that an argument of the program is, for which the program is
        then made; any other value as it is."""
        ...

    def static(self, value: Any, what: str) -> Any:
        """The plain Python object a value is; `what` names it ("the axis") in the error if it cannot be known."""
        ...

    def call(self, function: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Call what the user gave: a function of the program, or any other callable."""
        ...

    def contents(self, array: Any) -> Any:
        """What an array holds now, as a value that a write does not change: views of it are no views of the array."""
        ...

    def write(self, target: Any, value: Any) -> None:
        """Write an array's elements into `target`, in place: same dtype, `value` of its shape. `target` is an array of
        the program or a view of one (by `view_index`, `transpose`, …), whose memory then changes."""
        ...


def evaluator() -> LibraryEvaluator:
    """The current evaluator."""
    return cast(LibraryEvaluator, evaluation.current())


# --- asking -----------------------------------------------------------------------------------------


_CATEGORY_OF_TYPE: Final[dict[type, Category]] = {bool: "bool", int: "int", float: "float", complex: "complex"}
KNOWN_CATEGORIES: Final[dict[type, Category]] = dict(_CATEGORY_OF_TYPE)
"""Categories of classes whatever the evaluator: Python's numbers, and what the runtime adds."""


def category(value: Any) -> Category | None:
    """The category of a value, None if it is neither array nor number."""
    return KNOWN_CATEGORIES.get(type(value)) or evaluator().category(value)


def is_array(value: Any) -> bool:
    """Whether a value is an array of the current evaluator."""
    return category(value) in ("tensor", "ndarray", "npscalar")


def is_number(value: Any) -> bool:
    """Whether a value is a Python number, known or not."""
    return category(value) in NUMBERS


def tensor_type(value: Any) -> TensorType:
    """The type of an array; of a number, that of the rank-0 array it would be."""
    type_: Type = evaluation.typeof(value)
    if isinstance(type_, RefType):
        return type_.target
    if isinstance(type_, ScalarType):
        return TensorType(type_.dtype, ())
    if not isinstance(type_, TensorType):
        raise TypeError(f"an array or a number is needed here, not {type_!r}")
    return type_


def dtype_of_value(value: Any) -> DType:
    """The dtype of an array; of a Python number bool_, i64, f64 or c128."""
    return tensor_type(value).dtype


def shape_of(value: Any) -> Shape:
    """The shape of an array; () of a number."""
    return tensor_type(value).shape


def rank_of(value: Any) -> int:
    """The number of dimensions."""
    return len(shape_of(value))


# --- operands ---------------------------------------------------------------------------------------


def as_operand(value: Any) -> Any:
    """A value as something promotion understands: arrays and numbers as they are, sequences and NumPy arrays as arrays.

    Raises TypeError for anything else.
    """
    if category(value) is not None:
        return value
    if isinstance(value, list | tuple):
        return evaluator().constant(value, None)
    made = evaluator().taken(value)
    if made is None:
        raise TypeError(f"an array or a number is needed here, not {type(value).__name__}")
    return made


def as_array(value: Any, dtype: DType | None = None) -> Any:
    """A value as an array of the given dtype (default: its own; see
    `dtype_of_value`). An int must fit: OverflowError."""
    value = as_operand(value)
    own = dtype_of_value(value)
    dtype = dtype or own
    if not is_number(value):
        return value if own is dtype else elementwise.cast(value, dtype=dtype)
    if _RANKS[own.kind] > _RANKS[dtype.kind]:
        return elementwise.cast(conversions.from_scalar(value, dtype=own), dtype=dtype)
    return conversions.from_scalar(value, dtype=dtype)


_RANKS: Final = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}


def promote(kind: str, *operands: Any) -> tuple[Any, ...]:
    """Operands as arrays of the dtype that `kind` (an elementwise primitive's name) computes in, by `promotion`."""
    values = [as_operand(o) for o in operands]
    dtype = _computed_in(kind, values)
    return tuple(as_array(v, dtype) for v in values)


def promote_elementwise(kind: str, *operands: Any) -> tuple[Any, ...]:
    """As `promote`, but Python numbers known now that stand beside an array are left to the primitive."""
    values = [as_operand(o) for o in operands]
    dtype = _computed_in(kind, values)
    if all(map(is_number, values)):
        return tuple(as_array(v, dtype) for v in values)
    return tuple(v if type(v) in _CATEGORY_OF_TYPE else as_array(v, dtype) for v in values)


def wrapped(value: Any, dtype: DType) -> Any:
    """As `as_array`, where NumPy converts ints without a look: of those that the dtype
    does not hold the low bits are taken."""
    value = as_operand(value)
    if category(value) != "int" or not dtype.is_integer or _holds(dtype, value):
        return as_array(value, dtype)
    return as_array(as_array(value, i64), dtype)


def _holds(dtype: DType, value: Any) -> bool:
    """Whether an int is known to be in a dtype's range."""
    if dtype is i64:
        return True
    bounds = np.iinfo(cast("Any", dtype.numpy))
    return type(value) is int and int(bounds.min) <= value <= int(bounds.max)


def promote_wrapped(kind: str, *operands: Any) -> tuple[Any, ...]:
    """As `promote_elementwise`, but ints that stand beside arrays and do not fit
    are `wrapped`, as `np.where` has it."""
    values = [as_operand(o) for o in operands]
    dtype = _computed_in(kind, values)
    if all(map(is_number, values)) or not dtype.is_integer:
        return promote_elementwise(kind, *values)
    return tuple(v if type(v) is bool or (type(v) is int and _holds(dtype, v)) else wrapped(v, dtype) for v in values)


def meanings(*operands: object) -> dialects.Meanings:
    """What library functions mean of operands: by the rules of the first that is a Tensor of a dialect."""
    if dialects.known:
        e = evaluator()
        for operand in operands:
            dialect = e.dialect(operand)
            if dialect is not None:
                return dialect.meanings
    return dialects.PLAIN


def _computed_in(kind: str, values: Sequence[Any]) -> DType:
    """The dtype that an elementwise primitive computes in, by the rules of its operands' dialects."""
    if dialects.known:
        e = evaluator()
        rule = dialects.promotion_of([e.dialect(v) for v in values])
        if rule is not None:
            return rule(kind, [(dtype_of_value(v), cast(str, category(v)), rank_of(v)) for v in values])
    return _result_dtype(kind, tuple((dtype_of_value(v), category(v)) for v in values))


@functools.lru_cache(maxsize=4096)
def _result_dtype(kind: str, operands: tuple[tuple[DType, Any], ...]) -> DType:
    return promotion.result_dtype(kind, operands)


def require_equal(a: Dim, b: Dim, message: str, exception: Any = "ValueError") -> None:
    """Raise an exception if two extents differ: now if both are known, else where the program gets here. `{0}` and
    `{1}` in the message stand for them."""
    if a is b:
        return
    if isinstance(a, int) and isinstance(b, int):
        if a != b:
            raise conversions.exception_of(exception, message, (a, b))
        return
    if exception == "ValueError":
        conversions.check_extents(a=a, b=b, message=message)
        return
    values = [evaluator().number(d) for d in (a, b)]
    told = values if "{0}" in message or "{1}" in message else []
    conversions.check(python_ints.int_eq(*values), *told, exception=exception, message=message)


def is_empty(*arrays: Any) -> Any:
    """Whether one of several arrays has no elements: a bool, or a truth value of the run."""
    extents = [n for a in arrays for n in shape_of(a)]
    unknown = [n for n in extents if isinstance(n, DimExpr)]
    if 0 in extents or not unknown:
        return 0 in extents
    return python_ints.int_eq(evaluator().number(functools.reduce(dim_min, unknown)), 0)


def numbered_text(shape: Shape, a: Dim, b: Dim) -> str:
    """A shape in a message whose values `{0}` and `{1}` are the dimensions `a` and `b`."""
    named: list[Any] = [d if isinstance(d, int) else "{0}" if d is a else "{1}" if d is b else d for d in shape]
    return shape_text(tuple(named))


def dims(shape: Any) -> Shape:
    """A shape argument: one number or a sequence of them."""
    e = evaluator()
    if isinstance(shape, list | tuple):
        return tuple(e.dim(n) for n in cast("Sequence[Any]", shape))
    return (e.dim(shape),)


def static_int(value: Any, what: str) -> int:
    """An int that must be known when the program is compiled."""
    found = evaluator().static(value, what)
    if isinstance(found, bool) or not has_attribute(found, "__index__"):
        raise TypeError(f"{what} must be an int, not {type(found).__name__}")
    return found.__index__()


def with_known_numbers(value: Any, what: str) -> Any:
    """An option whose numbers, also those in tuples, lists and dicts, must be known when the program is compiled."""
    if isinstance(value, tuple | list):
        items = [with_known_numbers(item, what) for item in cast("Sequence[Any]", value)]
        return tuple(items) if isinstance(value, tuple) else items
    if isinstance(value, dict):
        return {k: with_known_numbers(v, what) for k, v in cast("dict[Any, Any]", value).items()}
    return evaluator().static(value, what) if is_number(value) else value


def normal_axis(axis: Any, rank: int, prefix: str | None = None) -> int:
    """An axis counted from 0. Raises ValueError (NumPy's AxisError, whose message has the
    prefix) if there is no such axis."""
    k = static_int(axis, "the axis")
    if not -rank <= k < rank:
        raise np.exceptions.AxisError(k, rank, prefix)
    return k % rank if rank else 0


def normal_axes(axis: Any, rank: int, prefix: str | None = None) -> tuple[int, ...]:
    """Axes counted from 0: all for None or (), else those of an int or a sequence. ValueError if one comes twice."""
    if axis is None or (isinstance(axis, tuple) and not axis):
        return tuple(range(rank))
    given = cast("Sequence[Any]", axis) if isinstance(axis, list | tuple) else (axis,)
    axes = tuple(normal_axis(a, rank, prefix) for a in given)
    if len(set(axes)) != len(axes):
        raise ValueError("duplicate value in 'axis'")
    return axes


def static_ints(value: Any, what: str) -> list[int]:
    """Ints known when the program is compiled: one, several, or the elements of a Tensor."""
    found = evaluator().static(value, what)
    if isinstance(found, list | tuple):
        return [static_int(v, what) for v in cast("Sequence[Any]", found)]
    if hasattr(found, "tolist"):
        listed = found.tolist()
        return (
            [int(v) for v in listed]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
            if isinstance(listed, list)
            else [int(listed)]
        )
    return [static_int(found, what)]


def product_of(extents: Iterable[Any]) -> Any:
    """The number of elements that extents make, 1 of none."""
    total: Any = 1
    for extent in extents:
        total = total * extent
    return total


def static_flag(value: Any, what: str) -> bool:
    """An option, known when the program is compiled."""
    return bool(evaluator().static(value, what))


def static_extent(x: Any, axis: int) -> int:
    """An extent that is known when compiling."""
    return static_int(evaluator().number(shape_of(x)[axis]), "an extent")


def like(number: Any, a: Any) -> Any:
    """A Python number, perhaps one of the run, as an array of the dtype of another."""
    return as_array(number, dtype_of_value(a))


def have_one_shape(x: object, y: object) -> bool:
    """Whether two arrays have the same shape, which is known when compiling: extents that have two names are asked
    for."""
    a, b = shape_of(x), shape_of(y)
    if len(a) != len(b):
        return False
    number = evaluator().number
    return all(
        p is q or p == q or static_int(number(p), "an extent") == static_int(number(q), "an extent")
        for p, q in zip(a, b, strict=True)
    )


def static_extents(a: Any) -> tuple[int, ...]:
    """The extents, which are known when compiling."""
    return tuple(static_int(evaluator().number(d), "an extent") for d in shape_of(as_array(a)))
