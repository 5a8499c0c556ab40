"""The state of planning one function: what every variable is, where in the graph we are, and who owns which memory.

Ownership: an array variable's memory is kept alive by a `Holding` of the scope that made it. Views and nested scopes
borrow it; when the last variable that uses it dies the count is released, unless it was handed on to a result, a
carry or a stack, or to an output computed in place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from jitcore.ir.analysis import symbols_in
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Module, Var
from jitcore.ir.rewrite import rename_dims
from jitcore.kernel.build import ArrayLayout
from jitcore.passes.plan import growing
from jitcore.passes.plan.aliasing import Aliasing
from jitcore.passes.plan.code import NULL, Code, Scope, bare_symbol
from jitcore.passes.plan.copies import copy_into
from jitcore.passes.plan.liveness import Liveness, Uses
from jitcore.passes.plan.lowering import lower_binding
from jitcore.passes.plan.tables import Tables
from jitcore.passes.plan.values import (
    BORROWED_FOR_GOOD,
    NO_ROOTS,
    NOTHING,
    ArrayValue,
    Holding,
    ScalarValue,
    Value,
    holdings,
)
from jitcore.program.nodes import (
    BLOCK_HEADER_BYTES,
    HOST,
    Alloc,
    BlockData,
    Check,
    Constant,
    Imm,
    LoadElement,
    Offset,
    Operand,
    Reg,
    Release,
    Retain,
    StoreElement,
)
from jitcore.source import InternalError, Span
from jitcore.structs import dataclass, field
from jitcore.types import (
    Dim,
    DimExpr,
    DType,
    RefType,
    ScalarType,
    Shape,
    TensorType,
    Type,
    bool_,
    dtype_of,
    f64,
    i64,
)

_LARGEST_BLOCK = 1 << 47
"""No block is larger (the address space of today's machines): a request past it is a MemoryError."""


@dataclass(slots=True)
class Frame:
    """Where planning is in one graph: the scope its block is written in, and the binding being lowered."""

    uses: Uses
    home: Scope
    position: int = 0
    temporaries: list[Holding] = field(default_factory=list[Holding])
    """Holdings made by the current binding that no variable uses yet."""
    done: set[int] = field(default_factory=set[int])
    """Positions of bindings that were lowered ahead of their turn."""


class Planner:
    """Plans one module graph as a function of the program."""

    def __init__(
        self,
        tables: Tables,
        module: Module,
        graph: Graph,
        aliasing: Aliasing,
        widened: frozenset[str],
        handing: growing.Handing,
        refuted: set[tuple[Binding, int]],
        memory: str,
    ) -> None:
        """`handing`: what functions do with the memory of columns. `refuted`: what may not be
        assumed of the carries of loops (`growing.assumed`), to which planning adds what it finds. `memory`: where its
        arrays are."""
        self.tables = tables
        self.module = module
        self.graph = graph
        self.aliasing = aliasing
        self.code = Code()
        self.liveness = Liveness()
        self.values: dict[Var, Value] = {}
        self.frame = Frame(self.liveness.of(graph), self.code.scope)
        self.code.span = graph.span
        self.handing = handing
        self.refuted = refuted
        self.memory = memory
        self._widened = widened
        self._writing: dict[Graph, list[int]] = {}
        self._grown: dict[Graph, set[Atom]] = {}

    @property
    def span(self) -> Span:
        """Where the current binding stands."""
        return self.code.span

    # --- graphs -------------------------------------------------------------------------------------

    @contextmanager
    def entering(self, graph: Graph, adopted: Collection[Var] = ()) -> Generator[Scope]:
        """Write the body of a nested graph, which takes over `adopted` variables, into a block of its own."""
        outer, span = self.frame, self.code.span
        with self.code.block() as scope:
            self.frame = Frame(self.liveness.of(graph, adopted), scope)
            try:
                yield scope
            finally:
                self.frame, self.code.span = outer, span

    def lower_body(self) -> None:
        """Write the body of the graph that has been entered; what its results are is left to be asked."""
        frame = self.frame
        for k, binding in enumerate(frame.uses.graph.body):
            frame.position = k
            if k not in frame.done:
                lower_binding(self, binding)
            self.release_dead(k)
        frame.position = len(frame.uses.graph.body)

    def define(self, var: Var, value: Value) -> None:
        """From here on `var` is `value`. Symbols that nothing has introduced yet are what they are in its shape."""
        if isinstance(value, ArrayValue) and isinstance(var.type, TensorType | RefType):
            target = var.type.target if isinstance(var.type, RefType) else var.type
            for dim, extent in zip(target.shape, value.layout.shape, strict=True):
                name = bare_symbol(dim)
                if name is not None and self.code.meaning(name) is None:
                    self.code.bind(name, extent)
        self.values[var] = value
        for holding in holdings(value):
            if holding.home is self.frame.home:
                holding.users += 1

    def release_dead(self, position: int) -> None:
        """Release what is not used after a position."""
        frame = self.frame
        for var in frame.uses.dying[position]:
            value = self.values.pop(var, None)
            if value is None:
                continue
            for holding in holdings(value):
                if holding.home is frame.home:
                    holding.users -= 1
                    if holding.users == 0:
                        self._release(holding)
        for holding in frame.temporaries:
            if holding.users == 0:
                self._release(holding)
        frame.temporaries.clear()

    def _release(self, holding: Holding) -> None:
        if not holding.done:
            holding.done = True
            self.code.emit(Release(holding.owner))

    def writing_positions(self) -> list[int]:
        """The positions of the current graph's bindings that may write to places."""
        graph = self.frame.uses.graph
        found = self._writing.get(graph)
        if found is None:
            written = self.aliasing.written
            found = self._writing[graph] = [k for k, b in enumerate(graph.body) if written(b) != NO_ROOTS]
        return found

    def grown(self, graph: Graph) -> set[Atom]:
        """The columns that a graph makes longer or writes rows of (`growing.grown`)."""
        found = self._grown.get(graph)
        if found is None:
            found = self._grown[graph] = growing.grown(graph, self.handing)
        return found

    # --- holdings -----------------------------------------------------------------------------------

    def hold(self, owner: Operand, *, unique: bool = False) -> Holding:
        """The holding of a count that the current block has just come to own."""
        holding = Holding(owner, self.frame.home, unique)
        self.frame.temporaries.append(holding)
        return holding

    def giving(self, atom: Atom | None) -> Callable[[Holding], None]:
        """What hands on the counts of an atom's value: a new count, or the very one this block has if the atom dies
        here."""
        frame = self.frame
        dies = isinstance(atom, Var) and self.dies_here(atom)

        def give(holding: Holding) -> None:
            is_last = holding.users == 0 or (dies and holding.users == 1)
            if holding.home is frame.home and is_last and not holding.done:
                holding.done = True
            elif holding.owner != NULL:
                holding.unique = False
                self.code.emit(Retain(holding.owner))

        return give

    def dies_here(self, var: Var) -> bool:
        """Whether the current binding is the last to use a variable of the current graph, and no nested graph does."""
        uses, position = self.frame.uses, self.frame.position
        if var not in uses.bound or uses.last(var) != position:
            return False
        return position == len(uses.captured) or var not in uses.captured[position]

    @staticmethod
    def lending(holding: Holding) -> None:
        """What is given where memory is only lent: nothing; but who borrows it may come to hold a count too."""
        holding.unique = False

    def is_sole_user(self, atom: Atom, value: ArrayValue) -> bool:
        """Whether an array dies here and this block holds the only variable that uses its memory."""
        holding = value.holding
        return (
            isinstance(atom, Var)
            and self.dies_here(atom)
            and holding.home is self.frame.home
            and holding.users == 1
            and not holding.done
        )

    # --- values -------------------------------------------------------------------------------------

    def value(self, atom: Atom) -> Value:
        """What an atom is."""
        if isinstance(atom, Var):
            found = self.values.get(atom)
            if found is None:
                raise InternalError(f"plan: {atom.name} is used before it is defined")
            return found
        return self._literal(atom)

    def _literal(self, literal: Literal) -> Value:
        match literal.type:
            case ScalarType(dtype):
                return ScalarValue(Imm(literal.value, dtype))
            case TensorType(dtype, ()):
                return self.element_value(dtype, Imm(dtype.numpy.type(literal.value).item(), dtype))
            case TensorType() as type_:
                return self.constant(np.asarray(literal.value, type_.dtype.numpy), literal.value)
            case _:
                return NOTHING

    def constant(self, array: Any, key: Any = None) -> ArrayValue:
        """A constant array."""
        index = self.tables.constant(array if key is None or not isinstance(key, np.ndarray) else key)
        address = self.code.known(("constant", index))
        if address is None:
            out = self.code.register("constant", None)
            self.code.emit(Constant(out, index))
            address = self.code.remember(("constant", index), out)
        made = self.tables.constants[index]
        layout = ArrayLayout.contiguous(dtype_of(made.dtype), tuple(made.shape))
        return ArrayValue(layout, address, BORROWED_FOR_GOOD)

    def array(self, atom: Atom) -> ArrayValue:
        """An atom that is an array or a place."""
        value = self.value(atom)
        assert isinstance(value, ArrayValue), f"{atom!r} is no array"
        return value

    def operand(self, atom: Atom) -> Operand:
        """The register or constant of a Python number or of a rank-0 array."""
        value = self.value(atom)
        match value:
            case ScalarValue():
                return value.operand
            case ArrayValue():
                return self.element(value)
            case _:
                raise InternalError(f"plan: {atom!r} is no number")

    # --- arrays -------------------------------------------------------------------------------------

    @staticmethod
    def element_value(dtype: DType, element: Operand) -> ArrayValue:
        """A rank-0 array in a register."""
        return ArrayValue(ArrayLayout(dtype, (), ()), None, BORROWED_FOR_GOOD, NO_ROOTS, element)

    def element(self, value: ArrayValue) -> Operand:
        """The element of a rank-0 array, as it is now if it is a place."""
        if value.element is not None:
            return value.element
        assert value.data is not None
        out = self.code.register("element", value.dtype)
        self.code.emit(LoadElement(out, value.data))
        return out

    def in_memory(self, value: ArrayValue) -> ArrayValue:
        """The array with its elements in memory: a rank-0 array in a register is stored."""
        if value.data is not None:
            return value
        assert value.element is not None
        if isinstance(value.element, Imm):
            return self.constant(np.asarray(value.element.value, value.dtype.numpy))
        made = self.allocate(value.dtype, ())
        assert made.data is not None
        self.code.emit(StoreElement(made.data, value.element))
        return made

    def settled(self, value: ArrayValue) -> ArrayValue:
        """The array in memory of its own that nobody writes to, contiguous: a copy unless it is already."""
        value = self.in_memory(value)
        if value.layout.is_contiguous and value.roots == NO_ROOTS:
            return value
        return self.copied(value)

    def copied(self, value: ArrayValue) -> ArrayValue:
        """A contiguous copy."""
        made = self.allocate(value.dtype, value.layout.shape)
        copy_into(self, made, value)
        return made

    def allocate(self, dtype: DType, shape: Shape, *, zeroed: bool = False) -> ArrayValue:
        """A new contiguous array, owned by the current block."""
        layout = ArrayLayout.contiguous(dtype, shape)
        owner = self.block("owner", self.bytes_of(dtype, shape), zeroed=zeroed)
        return ArrayValue(layout, self.data_of(owner), self.hold(owner, unique=True))

    def block(self, hint: str, size: Operand, *, zeroed: bool = False) -> Reg:
        """The owner of a new block of so many bytes."""
        owner = self.code.register(hint, None)
        self.code.emit(Alloc(owner, size, zeroed, self.memory))
        return owner

    def data_of(self, owner: Reg) -> Operand:
        """The address of a block's data."""
        data = self.code.register("data", None)
        if self.memory == HOST:
            self.code.emit(Offset(data, owner, Imm(BLOCK_HEADER_BYTES, i64)))
        else:
            self.code.emit(BlockData(data, owner))
        return data

    def bytes_of(self, dtype: DType, shape: Shape) -> Operand:
        """The size of an array, checked against what a machine can have."""
        size: Dim = dtype.itemsize
        for extent in shape:
            size = size * extent
        if isinstance(size, int):
            if size > _LARGEST_BLOCK:
                self.check(Imm(False, bool_), "MemoryError", _TOO_LARGE)
                return Imm(0, i64)
            return Imm(size, i64)
        if self.code.known(("fits", size)) is None:
            total: Operand = Imm(float(dtype.itemsize), f64)
            for extent in shape:
                if isinstance(extent, DimExpr):
                    factor = self.code.compute("cast", f64, self.code.number(extent))
                else:
                    factor = Imm(float(extent), f64)
                if factor != Imm(1.0, f64):
                    total = self.code.compute("mul", f64, total, factor)
            fits = self.code.compute("le", bool_, total, Imm(float(_LARGEST_BLOCK), f64))
            self.check(fits, "MemoryError", _TOO_LARGE)
            self.code.remember(("fits", size), fits)
        return self.code.number(size)

    def at(self, value: ArrayValue, layout: ArrayLayout) -> ArrayValue:
        """The same memory seen through another layout, whose offset counts from the first element of `value`."""
        assert value.data is not None
        data = self.code.offset(value.data, layout.offset, layout.dtype.itemsize)
        layout = ArrayLayout(layout.dtype, layout.shape, layout.strides)
        return ArrayValue(layout, data, value.holding, value.roots)

    # --- types and parameters -----------------------------------------------------------------------

    def introduces(self, symbol: str) -> bool:
        """Whether a bare appearance of a symbol in the type of what is being defined gives it a (new) meaning."""
        return symbol in self._widened or self.code.meaning(symbol) is None

    def travels(self, dim: Dim) -> bool:
        """Whether an extent must travel with a value that leaves a nested block: it has no fixed meaning here."""
        return isinstance(dim, DimExpr) and any(map(self.introduces, dim.symbols))

    def shape(self, type_: Type | None) -> Shape:
        """The internal shape of an array type."""
        target = type_.target if isinstance(type_, RefType) else type_
        assert isinstance(target, TensorType)
        return self.code.resolve_shape(target.shape)

    def params(self, binding: Binding) -> dict[str, Any]:
        """The static parameters of a binding with their dimensions resolved."""
        symbols = symbols_in(tuple(binding.params.values()))
        if not symbols:
            return dict(binding.params)
        environment = self.code.environment(symbols)
        return {key: rename_dims(value, environment) for key, value in binding.params.items()}

    # --- checks -------------------------------------------------------------------------------------

    def check(self, ok: Operand, exception: str, message: str, values: Sequence[Operand] = ()) -> None:
        """Unless `ok`, raise here."""
        if ok == Imm(True, bool_):
            return
        self.code.emit(Check(ok, self.tables.site(exception, message, self.span), tuple(values)))

    def site(self, exception: str, message: str = "", span: Span | None = None) -> int:
        """An error site at the current binding."""
        return self.tables.site(exception, message, span or self.span)


_TOO_LARGE = "Unable to allocate an array of this size"
