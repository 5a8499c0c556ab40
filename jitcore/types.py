"""The types of every IR: dtypes, symbolic dimensions, scalar, array, reference, stack and union types.

All types are interned, so that `is` and dictionary lookups decide equality. The text form of a type is
the annotation the IR printer writes (`f32[n, 8]`, `i64`, `ref[f32[4]]`, `union[i64, none]`).
"""

from __future__ import annotations

import operator
import re
import threading
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Final, TypeAlias, TypeVar, cast

import numpy as np

from jitcore import symbol_numbers
from jitcore.interning import Interned
from jitcore.structs import dataclass

# --- dtypes -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class DType:
    """An element type. `kind` is NumPy's letter: b bool, i signed, u unsigned, f float, c complex."""

    name: str
    kind: str
    itemsize: int

    @property
    def numpy(self) -> np.dtype[np.generic]:
        """The NumPy dtype of the same meaning."""
        return _NUMPY_OF[self]

    @property
    def is_float(self) -> bool:
        return self.kind == "f"

    @property
    def is_integer(self) -> bool:
        return self.kind in "iu"

    @property
    def is_differentiable(self) -> bool:
        return self.kind in "fc"

    def __repr__(self) -> str:
        return self.name

    def __str__(self) -> str:
        """The name as MindSpore shows it: `Float32`."""
        return _DISPLAY_KINDS[self.kind] + (str(self.itemsize * 8) if self.kind != "b" else "")

    def __reduce__(self) -> str:
        """A global of this module: there is one object of each, also after copying and pickling."""
        return self.name


_DISPLAY_KINDS: Final = {"b": "Bool", "i": "Int", "u": "UInt", "f": "Float", "c": "Complex"}
bool_: Final = DType("bool_", "b", 1)
i8: Final = DType("i8", "i", 1)
i16: Final = DType("i16", "i", 2)
i32: Final = DType("i32", "i", 4)
i64: Final = DType("i64", "i", 8)
u8: Final = DType("u8", "u", 1)
u16: Final = DType("u16", "u", 2)
u32: Final = DType("u32", "u", 4)
u64: Final = DType("u64", "u", 8)
f16: Final = DType("f16", "f", 2)
f32: Final = DType("f32", "f", 4)
f64: Final = DType("f64", "f", 8)
c64: Final = DType("c64", "c", 8)
c128: Final = DType("c128", "c", 16)

_ALL_DTYPES = (bool_, i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64, c64, c128)
DTYPES: Final[Mapping[str, DType]] = {d.name: d for d in _ALL_DTYPES}
_NUMPY_NAMES = {
    "bool_": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8",
    "u16": "uint16", "u32": "uint32", "u64": "uint64", "f16": "float16", "f32": "float32",
    "f64": "float64", "c64": "complex64", "c128": "complex128",
}  # fmt: skip
_NUMPY_OF: dict[DType, np.dtype[np.generic]] = {d: np.dtype(_NUMPY_NAMES[d.name]) for d in _ALL_DTYPES}
_OF_NUMPY: dict[np.dtype[np.generic], DType] = {n: d for d, n in _NUMPY_OF.items()}


def dtype_of(dtype: np.dtype[np.generic] | type | str) -> DType:
    """The DType of a NumPy dtype (or anything `numpy.dtype` accepts).

    Raises TypeError for a dtype arrays cannot have here (objects, strings, structured, big-endian).
    """
    found = _OF_NUMPY.get(np.dtype(dtype))
    if found is None:
        raise TypeError(
            f"arrays of dtype {np.dtype(dtype)!s} are not supported; use one of {', '.join(_NUMPY_NAMES.values())}"
        )
    return found


# --- derivatives ------------------------------------------------------------------------------------


class _Differentiated(threading.local):
    """Whether, in this thread, arrays of integers are being differentiated as if they were floats."""

    integers = False


_differentiated: Final = _Differentiated()


def has_derivatives(dtype: DType) -> bool:
    """Whether derivatives flow through arrays of a dtype: floats and complex numbers, and integers within
    `integers_differentiated`."""
    return dtype.is_differentiable or (_differentiated.integers and dtype.is_integer)


@contextmanager
def integers_differentiated(wanted: bool) -> Generator[None]:
    """Differentiate arrays of integers too, or don't: MindSpore's derivatives of integers are integers."""
    before, _differentiated.integers = _differentiated.integers, wanted
    try:
        yield
    finally:
        _differentiated.integers = before


# --- symbolic dimensions ----------------------------------------------------------------------------

# An atom of a polynomial: a symbol's name, or an opaque operation on dimensions.
_DimAtom: TypeAlias = "str | tuple[str, Dim, Dim]"
_Monomial: TypeAlias = "tuple[_DimAtom, ...]"

_DIM_OPS: dict[str, Callable[[int, int], int]] = {
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "max": max,
    "min": min,
}


class DimExpr:
    """A dimension known only at run time: an integer polynomial over symbols, in canonical form.

    Two DimExpr are the same extent for every value of their symbols if they are the same object.
    Made by `symbol()` and arithmetic (`+ - * // %`, `dim_max`); arithmetic that comes out constant
    gives an int.
    """

    __slots__ = ("__weakref__", "_symbols", "terms")
    terms: tuple[tuple[_Monomial, int], ...]
    _symbols: frozenset[str]
    _interned: ClassVar[Interned[tuple[tuple[_Monomial, int], ...], DimExpr]] = Interned()

    def __new__(cls, terms: tuple[tuple[_Monomial, int], ...]) -> DimExpr:
        found = cls._interned.get(terms)
        if found is None:
            made = super().__new__(cls)
            made.terms = terms
            found = cls._interned.keep(terms, made)
        return found

    def __reduce__(self) -> tuple[type[DimExpr], tuple[tuple[tuple[_Monomial, int], ...]]]:
        return (DimExpr, (self.terms,))

    def __add__(self, other: Dim) -> Dim:
        return _from_terms((*self.terms, *_terms(other)))

    __radd__ = __add__

    def __mul__(self, other: Dim) -> Dim:
        return _from_terms((tuple(sorted(a + b, key=repr)), x * y) for a, x in self.terms for b, y in _terms(other))

    __rmul__ = __mul__

    def __neg__(self) -> Dim:
        return self * -1

    def __sub__(self, other: Dim) -> Dim:
        return self + other * -1

    def __rsub__(self, other: Dim) -> Dim:
        return self * -1 + other

    def __floordiv__(self, other: Dim) -> Dim:
        if other == 1:
            return self
        if isinstance(other, int) and other > 0:
            whole = [(m, c) for m, c in self.terms if c % other == 0]
            rest = [(m, c) for m, c in self.terms if c % other != 0]
            quotient = _from_terms((m, c // other) for m, c in whole)
            if not rest:
                return quotient
            if whole:
                return quotient + _from_terms(rest) // other
        return _opaque("//", self, other)

    def __rfloordiv__(self, other: int) -> Dim:
        return _opaque("//", other, self)

    def __mod__(self, other: Dim) -> Dim:
        if isinstance(other, int) and other > 0 and all(c % other == 0 for _, c in self.terms):
            return 0
        return _opaque("%", self, other)

    def __rmod__(self, other: int) -> Dim:
        return _opaque("%", other, self)

    def __repr__(self) -> str:
        parts: list[str] = []
        for monomial, coefficient in self.terms:
            factors = [_atom_text(a) for a in monomial]
            if coefficient not in (1, -1) or not factors:
                factors.insert(0, str(abs(coefficient)))
            parts += [" - " if coefficient < 0 else " + ", "*".join(factors)]
        text = "".join(parts[1:])
        return f"-{text}" if parts[0] == " - " else text

    @property
    def symbols(self) -> frozenset[str]:
        """The names of the symbols it depends on."""
        try:
            return self._symbols
        except AttributeError:
            self._symbols = self._find_symbols()
            return self._symbols

    def _find_symbols(self) -> frozenset[str]:
        names: set[str] = set()
        for monomial, _ in self.terms:
            for atom in monomial:
                if isinstance(atom, str):
                    names.add(atom)
                else:
                    names.update(*(d.symbols for d in atom[1:] if isinstance(d, DimExpr)))
        return frozenset(names)


Dim: TypeAlias = "int | DimExpr"
Shape: TypeAlias = "tuple[Dim, ...]"


def _terms(dim: Dim) -> tuple[tuple[_Monomial, int], ...]:
    return dim.terms if isinstance(dim, DimExpr) else (((), int(dim)),)


def _from_terms(terms: Iterable[tuple[_Monomial, int]]) -> Dim:
    total: dict[_Monomial, int] = {}
    for monomial, coefficient in terms:
        total[monomial] = total.get(monomial, 0) + coefficient
    kept = {m: c for m, c in total.items() if c}
    if not kept:
        return 0
    if kept.keys() == {()}:
        return kept[()]
    return DimExpr(tuple(sorted(kept.items(), key=lambda item: (not item[0], repr(item[0])))))


def _opaque(op: str, a: Dim, b: Dim) -> Dim:
    if isinstance(a, int) and isinstance(b, int):
        return _DIM_OPS[op](a, b)
    return DimExpr(((((op, a, b),), 1),))


def _atom_text(atom: _DimAtom) -> str:
    if isinstance(atom, str):
        return atom
    op, a, b = atom
    return f"{op}({a}, {b})" if op in ("max", "min") else f"(({a}) {op} ({b}))"


def symbol(name: str) -> DimExpr:
    """The dimension named `name`."""
    return DimExpr((((name,), 1),))


def fresh_symbol(hint: str = "d") -> DimExpr:
    """A dimension with a name never used before in this process."""
    return symbol(f"{hint}{symbol_numbers.following()}")


def dim_max(a: Dim, b: Dim) -> Dim:
    """The larger of two extents."""
    return a if a is b else _opaque("max", a, b)


def dim_min(a: Dim, b: Dim) -> Dim:
    """The smaller of two extents."""
    return a if a is b else _opaque("min", a, b)


def is_natural(dim: Dim) -> bool:
    """Whether the form of a number made of extents tells that it is not negative."""
    if isinstance(dim, int):
        return dim >= 0
    return all(factor >= 0 and all(map(_is_natural_atom, monomial)) for monomial, factor in dim.terms)


def _is_natural_atom(atom: _DimAtom) -> bool:
    if isinstance(atom, str):
        return True
    op, a, b = atom
    if op == "max":
        return is_natural(a) or is_natural(b)
    return is_natural(b) and (op == "%" or is_natural(a))


_DIM_ARITHMETIC: dict[str, Callable[[Any, Any], Dim]] = {
    "//": operator.floordiv,
    "%": operator.mod,
    "max": dim_max,
    "min": dim_min,
}


def evaluate_dim(dim: Dim, values: Mapping[str, int]) -> int:
    """The number a dimension stands for, given its symbols' values. Raises KeyError if one is missing."""
    if not isinstance(dim, DimExpr):
        return dim
    total = 0
    for monomial, coefficient in dim.terms:
        for atom in monomial:
            if isinstance(atom, str):
                coefficient *= values[atom]
            else:
                coefficient *= _DIM_OPS[atom[0]](evaluate_dim(atom[1], values), evaluate_dim(atom[2], values))
        total += coefficient
    return total


def substitute_dims(dim: Dim, values: Mapping[str, Dim]) -> Dim:
    """`dim` with symbols replaced by other dimensions."""
    if not isinstance(dim, DimExpr):
        return dim
    total: Dim = 0
    for monomial, coefficient in dim.terms:
        product: Dim = coefficient
        for atom in monomial:
            if isinstance(atom, str):
                product = product * values.get(atom, symbol(atom))
            else:
                product = product * _DIM_ARITHMETIC[atom[0]](*(substitute_dims(d, values) for d in atom[1:]))
        total = total + product
    return total


def broadcast_shapes(*shapes: Shape) -> tuple[Shape, tuple[tuple[Dim, Dim], ...]]:
    """NumPy's broadcast of shapes, and the pairs of extents that must be found equal at run time.

    An int meets a symbol as NumPy would have it if they are equal: a symbol is never taken for 1.
    Raises ValueError where no run can succeed.
    """
    rank = max((len(s) for s in shapes), default=0)
    out: list[Dim] = []
    checks: list[tuple[Dim, Dim]] = []
    for axis in range(-rank, 0):
        extent: Dim = 1
        for shape in shapes:
            d = shape[axis] if -axis <= len(shape) else 1
            if d is extent or d == 1:
                continue
            if extent == 1:
                extent = d
            elif isinstance(d, int) and isinstance(extent, int):
                if d != extent:
                    raise ValueError(
                        f"operands could not be broadcast together with shapes {' '.join(map(shape_text, shapes))} "
                    )
            else:
                checks.append((extent, d))
                extent = d if isinstance(d, int) else extent
        out.append(extent)
    return tuple(out), tuple(checks)


_EXTENT_MARKS: Final = "\ue000\ue001"
_EXTENT: Final = re.compile("\ue000(.*?)\ue001")
_named_extents: dict[str, DimExpr] = {}


def dim_text(dim: Dim) -> str:
    """A dimension in a message; one known only at run time is marked, for `values_of_text` to find."""
    if not isinstance(dim, DimExpr):
        return str(dim)
    _named_extents[str(dim)] = dim
    return f"{_EXTENT_MARKS[0]}{dim}{_EXTENT_MARKS[1]}"


def shape_text(shape: Sequence[Dim]) -> str:
    """A shape as NumPy writes it in its messages: `(3,4)`, `(5,)`; extents as `dim_text` has them."""
    return "(" + ",".join(map(dim_text, shape)) + ("," if len(shape) == 1 else "") + ")"


def has_extents(text: str) -> bool:
    """Whether a message has marked extents in it."""
    return _EXTENT_MARKS[0] in text


def values_of_text(text: str, first: int) -> tuple[str, tuple[DimExpr, ...]]:
    """A message with its marked extents as `{first}`, `{first + 1}` …, and these extents."""
    found = dict.fromkeys(_EXTENT.findall(text))
    places = {name: f"{{{k}}}" for k, name in enumerate(found, first)}
    return _EXTENT.sub(lambda m: places[m.group(1)], text), tuple(_named_extents[name] for name in found)


def without_marks(text: str) -> str:
    """A message with the names of its marked extents, for where they have no values."""
    return _EXTENT.sub(r"\1", text)


# --- types ------------------------------------------------------------------------------------------


_T = TypeVar("_T")


class _Interning(type):
    """A metaclass: constructing twice from equal arguments gives the same object."""

    _made: ClassVar[Interned[tuple[object, ...], object]] = Interned()

    def __call__(cls: type[_T], *args: Any) -> _T:
        key = (cls, *args)
        made = _Interning._made.get(key)
        if made is None:
            made = _Interning._made.keep(key, type.__call__(cls, *args))
        return cast(_T, made)


_NO_SYMBOLS: Final = frozenset[str]()


class Type(metaclass=_Interning):
    """Base of all types. Interned: compare with `is`."""

    __slots__ = ("__weakref__", "_symbols")
    _symbols: frozenset[str]

    @property
    def symbols(self) -> frozenset[str]:
        """The names of the symbols that its extents depend on."""
        try:
            return self._symbols
        except AttributeError:
            object.__setattr__(self, "_symbols", self._find_symbols())
            return self._symbols

    def _find_symbols(self) -> frozenset[str]:
        return _NO_SYMBOLS


@dataclass(frozen=True, slots=True, eq=False)
class ScalarType(Type):
    """A Python number: bool_, i64 (checked), f64 or c128. NumPy scalars are rank-0 TensorTypes."""

    dtype: DType

    def __repr__(self) -> str:
        return "bool" if self.dtype is bool_ else self.dtype.name


@dataclass(frozen=True, slots=True, eq=False)
class TensorType(Type):
    """An array value of known dtype and rank; a value, not a place: see RefType for what can be written."""

    dtype: DType
    shape: Shape

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> Dim:
        """The number of elements."""
        total: Dim = 1
        for extent in self.shape:
            total = total * extent
        return total

    def __repr__(self) -> str:
        return f"{self.dtype.name}[{', '.join(map(str, self.shape)) or '()'}]"

    def _find_symbols(self) -> frozenset[str]:
        return _NO_SYMBOLS.union(*(dim.symbols for dim in self.shape if isinstance(dim, DimExpr)))


@dataclass(frozen=True, slots=True, eq=False)
class RefType(Type):
    """A place: a strided view of memory that can be read and written, as a NumPy array is."""

    target: TensorType

    def __repr__(self) -> str:
        return f"ref[{self.target!r}]"

    def _find_symbols(self) -> frozenset[str]:
        return self.target.symbols


@dataclass(frozen=True, slots=True, eq=False)
class StackType(Type):
    """A linear stack of values of differing types (the residuals of loops): each use consumes it."""

    def __repr__(self) -> str:
        return "stack"


@dataclass(frozen=True, slots=True, eq=False)
class NoneType(Type):
    """The type of None."""

    def __repr__(self) -> str:
        return "none"


@dataclass(frozen=True, slots=True, eq=False)
class UndefinedType(Type):
    """The type of a variable that was never assigned on this path."""

    def __repr__(self) -> str:
        return "undefined"


@dataclass(frozen=True, slots=True, eq=False)
class ObjectType(Type):
    """A Python object carried through compiled code unopened; `tag` names its kind for messages."""

    tag: str

    def __repr__(self) -> str:
        return f"object[{self.tag!r}]"


@dataclass(frozen=True, slots=True, eq=False)
class TupleType(Type):
    """Several values as one."""

    items: tuple[Type, ...]

    def __repr__(self) -> str:
        return f"tuple[{', '.join(map(repr, self.items)) or '()'}]"

    def _find_symbols(self) -> frozenset[str]:
        return _NO_SYMBOLS.union(*(item.symbols for item in self.items))


@dataclass(frozen=True, slots=True, eq=False)
class UnionType(Type):
    """A tagged value of one of several types; the tag is the member's position."""

    members: tuple[Type, ...]

    def __repr__(self) -> str:
        return f"union[{', '.join(map(repr, self.members))}]"

    def _find_symbols(self) -> frozenset[str]:
        return _NO_SYMBOLS.union(*(member.symbols for member in self.members))


@dataclass(frozen=True, slots=True, eq=False)
class FunctionType(Type):
    """A graph as a value: parameter and result types."""

    params: tuple[Type, ...]
    results: tuple[Type, ...]

    def __repr__(self) -> str:
        return f"function[{TupleType(self.params)!r}, {TupleType(self.results)!r}]"


NONE: Final = NoneType()
UNDEFINED: Final = UndefinedType()
STACK: Final = StackType()
BOOL: Final = ScalarType(bool_)
INT: Final = ScalarType(i64)
FLOAT: Final = ScalarType(f64)
COMPLEX: Final = ScalarType(c128)


def map_dims(type_: Type, change: Callable[[Dim], Dim]) -> Type:
    """`type_` with `change` applied to every extent in it."""
    match type_:
        case TensorType(dtype, shape):
            return TensorType(dtype, tuple(change(d) for d in shape))
        case RefType(target):
            mapped = map_dims(target, change)
            assert isinstance(mapped, TensorType)
            return RefType(mapped)
        case TupleType(items):
            return TupleType(tuple(map_dims(t, change) for t in items))
        case UnionType(members):
            return UnionType(tuple(map_dims(t, change) for t in members))
        case _:
            return type_
