"""Writing an ONNX graph: nodes, constants, extents that are known when the model runs, and the table of conversions.

An extent is a tensor of one int64, as `Concat` joins them to shapes; a Python number is a tensor of rank 0.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from jitcore.exports.onnx import protobuf
from jitcore.exports.onnx.protobuf import Attribute, Node, ValueInfo
from jitcore.ir.nodes import Atom, Binding, type_of
from jitcore.types import Dim, DimExpr, DType, RefType, ScalarType, Shape, TensorType, Type, i64

INT64_MIN: Final = -(2**63)
_SHARED_BYTES: Final = 1024
"""Up to which equal constants are one."""
_DIM_OPS: Final = {"%": "Mod", "max": "Max", "min": "Min"}


class RefusedError(Exception):
    """An operation has no counterpart in ONNX: says what it is, and what to write instead."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Names:
    """The names of a model's values, each given once."""

    def __init__(self) -> None:
        self._counts: dict[str, Iterator[int]] = {}
        self._taken: set[str] = set()

    def fresh(self, hint: str) -> str:
        """A name that nothing else has: the hint itself, or the hint and a number."""
        base = re.sub(r"[^\w.]", "_", hint) or "value"
        name = base
        while name in self._taken:
            name = f"{base}_{next(self._counts.setdefault(base, itertools.count(1)))}"
        self._taken.add(name)
        return name


class Writer:
    """A graph being written: the model's own, or one nested in `parent`, which sees the parent's values."""

    def __init__(self, parent: Writer | None = None) -> None:
        self.parent = parent
        self.root: Writer = self if parent is None else parent.root
        self.names: Names = Names() if parent is None else parent.names
        self.nodes: list[Node] = []
        self.made: set[str] = set()
        self.initializers: dict[str, np.ndarray[Any, Any]] = {}
        self.fixed: set[str] = set()
        self.place = "" if parent is None else parent.place
        self._constants: dict[tuple[str, tuple[int, ...], bytes], str] = {}
        self._extents: dict[Dim, str] = {}
        self._sources: dict[str, tuple[str, int]] = {}

    # --- nodes and constants ------------------------------------------------------------------------------

    def emit(self, op: str, *inputs: str, **attributes: Attribute) -> str:
        """The result of an operation."""
        return self.emit_many(op, inputs, (op.lower(),), attributes)[0]

    def emit_many(
        self, op: str, inputs: Sequence[str], hints: Sequence[str], attributes: Mapping[str, Attribute]
    ) -> tuple[str, ...]:
        """The results of an operation, with names that are like `hints`."""
        outputs = tuple(map(self.names.fresh, hints))
        self.nodes.append(protobuf.node(op, inputs, outputs, self.place, attributes))
        self.made.update(outputs)
        return outputs

    def own(self, name: str, hint: str = "") -> str:
        """A value as one that this graph makes, as its results must be."""
        return self.emit_many("Identity", (name,), (hint or "identity",), {})[0]

    def constant(self, value: object, dtype: DType | None = None) -> str:
        """A constant of the model."""
        array = np.asarray(value, None if dtype is None else dtype.numpy)
        root = self.root
        key = (array.dtype.str, array.shape, array.tobytes()) if array.nbytes <= _SHARED_BYTES else None
        if key is not None and key in root._constants:
            return root._constants[key]
        name = self.names.fresh("constant")
        root.initializers[name] = array
        if key is not None:
            root._constants[key] = name
        return name

    def ints(self, *values: int) -> str:
        """A constant list of int64."""
        return self.constant(np.array(values, np.int64))

    def cast(self, name: str, have: DType, want: DType) -> str:
        """A value as one of another dtype."""
        return name if have is want else self.emit("Cast", name, to=protobuf.element_type(want))

    # --- extents ------------------------------------------------------------------------------------------

    def note_extents(self, name: str, type_: Type | None, *, renewed: bool = False) -> None:
        """Note which symbols can be read off a value's shape: those that nothing has said, or (`renewed`: where control
        flow joins, a symbol has another value each time) all but the model's inputs'."""
        target = type_.target if isinstance(type_, RefType) else type_
        for axis, dim in enumerate(target.shape if isinstance(target, TensorType) else ()):
            if isinstance(dim, DimExpr) and len(dim.symbols) == 1:
                (symbol,) = dim.symbols
                is_new = self._scope_of(symbol) is None or (renewed and symbol not in self.root.fixed)
                if repr(dim) == symbol and is_new:
                    self._set_source(symbol, (name, axis))

    def _set_source(self, symbol: str, source: tuple[str, int]) -> None:
        self._sources[symbol] = source
        stale = [dim for dim in self._extents if isinstance(dim, DimExpr) and symbol in dim.symbols]
        for dim in stale:
            del self._extents[dim]

    def bind_symbol(self, symbol: str, number: str) -> None:
        """A symbol that is a computed number."""
        self._set_source(symbol, (self.emit("Reshape", number, self.ints(1)), -1))

    def extent(self, dim: Dim) -> str:
        """An extent, as a list of one int64."""
        if not isinstance(dim, DimExpr):
            return self.ints(dim)
        scope = self._scope_for(dim)
        found = scope._extents.get(dim)
        if found is None:
            found = scope._extents[dim] = scope._computed(dim)
        return found

    def number(self, dim: Dim) -> str:
        """An extent as a number."""
        if not isinstance(dim, DimExpr):
            return self.constant(dim, i64)
        return self.emit("Reshape", self.extent(dim), self.ints())

    def shape(self, dims: Shape) -> str:
        """A list of extents."""
        if all(isinstance(d, int) for d in dims):
            return self.ints(*(d for d in dims if isinstance(d, int)))
        return self.joined([self.extent(d) for d in dims])

    def joined(self, lists: Sequence[str]) -> str:
        """Lists of numbers as one."""
        return lists[0] if len(lists) == 1 else self.emit("Concat", *lists, axis=0)

    def _computed(self, dim: DimExpr) -> str:
        total: str | None = None
        for monomial, coefficient in dim.terms:
            factors = [self._factor(atom) for atom in monomial]
            if coefficient != 1 or not factors:
                factors.append(self.ints(coefficient))
            product = factors[0]
            for factor in factors[1:]:
                product = self.emit("Mul", product, factor)
            total = product if total is None else self.emit("Add", total, product)
        assert total is not None
        return total

    def _factor(self, atom: str | tuple[str, Dim, Dim]) -> str:
        if not isinstance(atom, str):
            op, a, b = atom
            if op == "//":
                return floored_quotient(self, self.extent(a), self.extent(b))
            return self.emit(_DIM_OPS[op], self.extent(a), self.extent(b))
        scope = self._scope_of(atom)
        assert scope is not None, atom
        name, axis = scope._sources[atom]
        return name if axis < 0 else scope.emit("Shape", name, start=axis, end=axis + 1)

    def _scope_of(self, symbol: str) -> Writer | None:
        scope: Writer | None = self
        while scope is not None and symbol not in scope._sources:
            scope = scope.parent
        return scope

    def _scope_for(self, dim: DimExpr) -> Writer:
        """The outermost graph in which an extent can be computed."""
        needed: set[int] = set()
        for symbol in dim.symbols:
            scope = self._scope_of(symbol)
            if scope is None:
                raise RefusedError("an extent is computed in a way that ONNX has not")
            needed.add(id(scope))
        found: Writer = self
        while id(found) not in needed and found.parent is not None:
            found = found.parent
        return found


def floored_quotient(w: Writer, x: str, y: str) -> str:
    """x // y of integers, y not being 0: ONNX's quotient is rounded towards 0, one too many where what it leaves is not
    ONNX's remainder, which has y's sign."""
    quotient = w.emit("Div", x, y)
    left = w.emit("Sub", x, w.emit("Mul", quotient, y))
    exact = w.emit("Equal", left, w.emit("Mod", x, y))
    one = w.emit("CastLike", w.emit("Not", exact), quotient)
    return w.emit("Sub", quotient, one)


# --- types --------------------------------------------------------------------------------------------


def tensor_of(type_: Type | None) -> TensorType:
    """A type as that of the tensor which ONNX has for it. Raises RefusedError for what ONNX has no type of."""
    if isinstance(type_, RefType):
        return type_.target
    if isinstance(type_, ScalarType):
        return TensorType(type_.dtype, ())
    if not isinstance(type_, TensorType):
        raise RefusedError(f"ONNX has no values such as {type_!r}")
    return type_


def tensor(atom: Atom) -> TensorType:
    """The type of an atom, as a tensor's."""
    return tensor_of(type_of(atom))


def operand(b: Binding, k: int = 0) -> TensorType:
    """The type of an argument."""
    return tensor(b.args[k])


def result(b: Binding) -> TensorType:
    """The type of the result."""
    return tensor_of(b.outs[0].type)


def info(name: str, type_: TensorType) -> ValueInfo:
    """A nested graph's value: its dtype and what is known of its shape."""
    return protobuf.value_info(name, type_.dtype, [d if isinstance(d, int) else None for d in type_.shape])


# --- the tables ---------------------------------------------------------------------------------------

Converter: TypeAlias = "Callable[..., str]"
"""`convert(writer, binding, *arguments)`: the name of the binding's result."""


class Converters(dict[str, Converter]):
    """A family's conversions, by the primitives' names."""

    def of(self, *names: str) -> Callable[[Converter], Converter]:
        """Enter a conversion for the primitives `names`."""

        def enter(convert: Converter) -> Converter:
            self.update(dict.fromkeys(names, convert))
            return convert

        return enter
