"""Between Python numbers, arrays and dimensions, and the checks that raise.

In a check's message `{0}`, `{1}` … stand for its values.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from jitcore.ir.nodes import Effects
from jitcore.primitives.core import batching
from jitcore.primitives.core.evaluation import typeof
from jitcore.primitives.core.registry import (
    PRIMITIVES,
    Builtin,
    Linear,
    Nondifferentiable,
    Sample,
    ScalarCode,
    ScalarWriter,
    declare,
)
from jitcore.primitives.core.rules import array, require_number, require_truth, tensor_type
from jitcore.primitives.core.sampling import mixed
from jitcore.structs import dataclass
from jitcore.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    Dim,
    DType,
    ScalarType,
    TensorType,
    Type,
    bool_,
    c64,
    c128,
    f16,
    f32,
    f64,
    i8,
    i32,
    i64,
    u8,
    u16,
    u64,
)

_ZERO = Nondifferentiable("it gives no array or number that has a derivative")

# --- numbers and rank-0 arrays ----------------------------------------------------------------------


def integer_range(dtype: DType) -> tuple[int, int]:
    """The smallest and largest value of an integer dtype."""
    bits = 8 * dtype.itemsize
    return (0, 2**bits - 1) if dtype.kind == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _from_scalar_rule(s: Type, *, dtype: DType) -> Type:
    if not isinstance(s, ScalarType):
        raise TypeError(f"from_scalar takes a Python number, not {s!r}")
    order = (BOOL, INT, FLOAT, COMPLEX).index(s)
    target = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}[dtype.kind]
    if target < order:
        raise TypeError(f"a Python {s!r} does not become an array of {dtype}: convert it to another number first")
    return TensorType(dtype, ())


def _out_of_bounds(dtype: DType) -> str:
    return f"Python integer {{0}} out of bounds for {dtype.numpy}"


def _from_scalar_reference(s: Any, *, dtype: DType) -> Any:
    if dtype.is_integer and not integer_range(dtype)[0] <= s <= integer_range(dtype)[1]:
        raise OverflowError(_out_of_bounds(dtype).format(int(s)))
    with np.errstate(all="ignore"):
        return np.array(s).astype(dtype.numpy)


def _from_scalar_code(p: ScalarWriter, s: Any, *, dtype: DType) -> Any:
    if dtype.is_integer and dtype is not i64:
        low, high = integer_range(dtype)
        wide = p("cast", i64, s)
        fits = p("ge", bool_, wide, p.const(i64, low))
        if high < 2**63:
            fits = p("and", bool_, fits, p("le", bool_, wide, p.const(i64, high)))
        p.check(fits, "OverflowError", _out_of_bounds(dtype), wide)
    return p("cast", dtype, s)


def _from_scalar_samples() -> Iterable[Sample]:
    for value, dtype in ((1.1, f32), (1.1, f64), (1e300, f32), (float("nan"), f16), (2.5, c64), (1 + 2j, c128)):
        yield Sample((value,), {"dtype": dtype}, differentiable=dtype is f64)
    for value, dtype in ((7, i64), (-128, i8), (255, u8), (2**53 + 1, f64), (3, c128), (2**62, u64)):
        yield Sample((value,), {"dtype": dtype})
    for dtype in (bool_, i32, f32, u16):
        yield Sample((True,), {"dtype": dtype})


def _from_scalar_transpose(cotangents: Sequence[Any], s: Any, *, dtype: DType) -> Sequence[Any]:
    if not dtype.is_differentiable:
        return (None,)
    cotangent = to_scalar(cotangents[0])
    is_widened = dtype.kind == "c" and typeof(s) is FLOAT
    return (PRIMITIVES["complex_real"](cotangent) if is_widened else cotangent,)


from_scalar = declare(
    "from_scalar",
    "s",
    rule=_from_scalar_rule,
    reference=_from_scalar_reference,
    lowering=ScalarCode(_from_scalar_code),
    derivative=Linear((0,), _from_scalar_transpose),
    batch=batching.to_dtype,
    samples=_from_scalar_samples,
    effects=Effects(raises=("OverflowError",)),
    doc="A Python number as a rank-0 array of a dtype of its kind or a higher one; an int that does not fit raises.",
)

_SCALAR_OF_KIND = {"b": BOOL, "i": INT, "u": INT, "f": FLOAT, "c": COMPLEX}


def _to_scalar_rule(x: Type) -> Type:
    type_ = array(x)
    if type_.rank:
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    if type_.dtype is u64:
        raise TypeError("a uint64 may be past 64 bits as a Python int: check it and cast it to int64 first")
    return _SCALAR_OF_KIND[type_.dtype.kind]


def _to_scalar_samples() -> Iterable[Sample]:
    for k, dtype in enumerate((f64, f32, f16, i64, u8, bool_)):
        yield Sample((mixed((), k, dtype),))
    yield Sample((mixed((), 7, c64),), differentiable=False)
    yield Sample((np.array(np.nan),), differentiable=False)


to_scalar = declare(
    "to_scalar",
    "x",
    rule=_to_scalar_rule,
    reference=lambda x: np.asarray(x).item(),
    lowering=Builtin(of_values=True),
    derivative=Linear((0,), lambda cts, x: (from_scalar(cts[0], dtype=tensor_type(x).dtype),)),
    batch=batching.to_number,
    samples=_to_scalar_samples,
    doc="The element of a rank-0 array as a Python number: bool, int, float or complex.",
)

# --- dimensions -------------------------------------------------------------------------------------

extent = declare(
    "extent",
    "",
    rule=lambda *, dim: INT,
    reference=lambda *, dim: int(dim),
    lowering=Builtin(),
    derivative=_ZERO,
    samples=lambda: (Sample((), {"dim": 5}),),
    doc="A dimension as a Python int.",
)


def _as_dim_rule(k: Type, *, symbol: str) -> tuple[Type, ...]:
    require_number(k, INT, "extent")
    return ()


def _as_dim_reference(k: int, *, symbol: str) -> None:
    if k < 0:
        raise ValueError("negative dimensions are not allowed")


as_dim = declare(
    "as_dim",
    "k",
    rule=_as_dim_rule,
    reference=_as_dim_reference,
    lowering=Builtin(),
    derivative=_ZERO,
    samples=lambda: (Sample((3,), {"symbol": "n"}),),
    effects=Effects(raises=("ValueError",)),
    doc="From here on, the dimension `symbol` is k. ValueError if it is negative.",
)


def _check_extents_reference(*, a: int, b: int, message: str, exception: object = "ValueError") -> None:
    if a != b:
        raise exception_of(exception, message, (a, b))


check_extents = declare(
    "check_extents",
    "",
    rule=lambda *, a, b, message, exception="ValueError": (),
    reference=_check_extents_reference,
    lowering=Builtin(),
    derivative=_ZERO,
    samples=lambda: (Sample((), {"a": 3, "b": 3, "message": "{0} is not {1}"}),),
    effects=Effects(raises=("ValueError",)),
    doc="ValueError, or the `exception` given, unless two dimensions are equal; they are the message's values.",
)

# --- checks -----------------------------------------------------------------------------------------


MOST_VALUES: Final = 3
"""That the message of a check may have."""


def exception_class(name: str) -> type[BaseException]:
    """A built-in exception by its name."""
    found = getattr(builtins, name, None)
    if not (isinstance(found, type) and issubclass(found, BaseException)):
        raise TypeError(f"{name} is not a built-in exception")
    return found


@dataclass(frozen=True, slots=True)
class Filled:
    """An argument of an exception: the check's value at a position, or a template with the values in it."""

    value: int | str

    def of(self, values: Sequence[Any]) -> Any:
        """The argument for these values."""
        return values[self.value] if isinstance(self.value, int) else self.value.format(*values)


@dataclass(frozen=True, slots=True, eq=False)
class Raising:
    """How a check that fails makes its exception, where that is not just a message.

    `kind` is the class, called with `args` (constants and `Filled`), or an exception object that is raised itself. Of a
    cause, it is None for `from None`, and Handled for what is being handled.
    """

    kind: Any
    args: tuple[Any, ...] = ()
    cause: Raising | None = None

    def make(self, values: Sequence[Any]) -> BaseException:
        """The exception for a check's values."""
        made = self.kind
        if isinstance(made, type):
            made = made(*(_filled(a, values) for a in self.args))
        if self.cause is not None:
            made.__cause__ = self.cause.make(values)
        return made


class Handled(BaseException):
    """Stands for what is being handled, as the cause of an exception that is not linked to it yet."""


def link(error: BaseException, handled: BaseException | None, outer: BaseException | None = None) -> None:
    """Say of an exception that it was raised while another was handled; `outer` was being handled before both."""
    if isinstance(error.__cause__, Handled):
        error.__cause__ = handled
    known = {id(error)}
    last = error
    while (following := last.__context__) is not None and following is not outer and id(following) not in known:
        last = following
        known.add(id(last))
    if handled is not None and id(handled) not in known:
        last.__context__ = handled


def _filled(argument: Any, values: Sequence[Any]) -> Any:
    if type(argument) is tuple:
        return tuple(_filled(a, values) for a in argument)
    return argument.of(values) if isinstance(argument, Filled) else argument


def exception_of(kind: Any, message: str, values: Sequence[Any]) -> BaseException:
    """The exception of a check that fails: `kind` is a built-in exception's name, an exception class or a Raising."""
    if isinstance(kind, Raising):
        return kind.make(values)
    cls = exception_class(kind) if isinstance(kind, str) else kind
    text = message.format(*values)
    if cls is OverflowError and text == str(_OUT_OF_RANGE):
        return cls(*_OUT_OF_RANGE)
    return cls(text) if text else cls()


_OUT_OF_RANGE = (34, "Numerical result out of range")
"""What Python's own float power gives its OverflowError: an errno and its text."""


def _check_rule(ok: Type, *values: Type, exception: Any, message: str) -> tuple[Type, ...]:
    require_truth(ok, "condition of a check")
    for value in values:
        if value not in (BOOL, INT, FLOAT):
            raise TypeError(f"a check's message takes bools, ints and floats, not {value!r}")
    return ()


def _check_reference(ok: bool, *values: Any, exception: Any, message: str) -> None:
    if not ok:
        raise exception_of(exception, message, values)


check = declare(
    "check",
    "ok *values",
    rule=_check_rule,
    reference=_check_reference,
    lowering=Builtin(of_values=True),
    derivative=_ZERO,
    samples=lambda: (Sample((True, 1, 2.5), {"exception": "ValueError", "message": "{0} and {1}"}),),
    effects=Effects(raises=("Exception",)),
    doc="Raises an exception unless ok: a built-in one by its name, one of a class, or what a Raising makes.",
)


def _check_index_rule(i: Type, *, extent: Dim, axis: int) -> Type:
    require_number(i, INT, "index")
    return INT


def index_message(axis: int) -> str:
    """What NumPy says of an index `{0}` out of range, the extent being `{1}`."""
    return f"index {{0}} is out of bounds for axis {axis} with size {{1}}"


def array_index_message(axis: int, written: bool = False) -> str:
    """The same of an index in an array: other templates for that text, by which those who have words of their own tell
    what was read and written from the rest."""
    return f"index {{0{'!s' if written else ''}:}} is out of bounds for axis {axis} with size {{1}}"


def _from_0(i: int, extent: int, message: str) -> int:
    if not -extent <= i < extent:
        raise IndexError(message)
    return i + extent if i < 0 else i


def _check_index_reference(i: int, *, extent: int, axis: int) -> int:
    return _from_0(i, extent, index_message(axis).format(i, extent))


check_index = declare(
    "check_index",
    "i",
    rule=_check_index_rule,
    reference=_check_index_reference,
    lowering=Builtin(of_values=True),
    derivative=_ZERO,
    samples=lambda: (Sample((i,), {"extent": 4, "axis": 1}) for i in (0, 3, -4, -1)),
    effects=Effects(raises=("IndexError",)),
    doc="An index counted from 0, that may have been given counted from the end; IndexError if it is out of range.",
)


def _check_position_rule(i: Type, length: Type, *, message: str) -> Type:
    require_number(i, INT, "index")
    require_number(length, INT, "length")
    return INT


def _check_position_reference(i: int, length: int, *, message: str) -> int:
    return _from_0(i, length, message)


check_position = declare(
    "check_position",
    "i length",
    rule=_check_position_rule,
    reference=_check_position_reference,
    lowering=Builtin(of_values=True),
    derivative=_ZERO,
    samples=lambda: (Sample((i, 4), {"message": "list index out of range"}) for i in (0, 3, -4, -1)),
    effects=Effects(raises=("IndexError",)),
    doc="`check_index` for a sequence whose length is an int, and with a message of its own.",
)
