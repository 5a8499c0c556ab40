"""Programs that come from a file, made safe: what their code takes for granted is proven, or checked when they run.

Code that is compiled from a program reads and writes memory by what the program says: two extents are equal, an index
is in range, what is popped from a stack is what was pushed. Inference puts a check before each such place, and passes
remove those that always hold. A file may lack them, since it was changed, or written by hand. So `guarded` goes
through a program that the verifier has passed, in the order of evaluation, and adds a check wherever what it has met
before does not say that it holds:

    view_index(x, i, spec=(('i', 0),))   ->   check(0 <= i and i < n), unless i comes from check_index(…, extent=n)

Raises UnsafeError for what cannot be checked, or is for programs that never leave their process.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

import numpy as np

from jitcore.exports.agreement import Count
from jitcore.exports.extents import Extents, with_meanings
from jitcore.ir.analysis import all_bindings, extents_in, is_bare, symbols_in
from jitcore.ir.control import CALL, COND, FOR, FUSED, SWITCH, TRY, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Module, Op, Var, type_of
from jitcore.ir.rewrite import with_body
from jitcore.primitives.core.registry import PRIMITIVES, Elementwise, Primitive
from jitcore.primitives.core.rules import noting_extents
from jitcore.primitives.ops import (
    boxes,
    complex_functions,
    conversions,
    float_lists,
    generators,
    growing,
    numpy_ufuncs,
    state,
    unions,
    views,
    widening,
)
from jitcore.primitives.ops import random as drawing
from jitcore.structs import dataclass, field
from jitcore.types import (
    BOOL,
    INT,
    STACK,
    Dim,
    DimExpr,
    TensorType,
    Type,
    broadcast_shapes,
    dim_max,
    fresh_symbol,
    is_natural,
    map_dims,
    symbol,
)

_DAMAGED: Final = "the model is damaged"
_EXTENT: Final = f"{_DAMAGED}: an extent of {{0}} where {{1}} is needed"
_INDEX: Final = f"{_DAMAGED}: an index of {{0}} for an axis with size {{1}}"
_ROWS_MESSAGE: Final = f"{_DAMAGED}: {{0}} rows of a column of {{1}}"
_SLICE: Final = f"{_DAMAGED}: a slice from {{0}} on to {{1}} of an axis with size {{2}}"
_MEMBER: Final = f"{_DAMAGED}: member {{1}} of a union is read that holds {{0}}"
_POPPED: Final = f"{_DAMAGED}: what is popped from a stack is not what was pushed"
_NEVER: Final[frozenset[Op]] = frozenset([FUSED, generators.host_method, state.note_attribute, *boxes.OPS])
"""What no exported program has: it works on Python's objects or on memory by address, or comes from later passes."""
_VIEWS: Final = frozenset([views.view_index, state.ref_view, views.embed])
_ROWS: Final = frozenset([growing.pick_row, growing.put_row, growing.add_row])


class UnsafeError(ValueError):
    """A program does what cannot be shown to be safe."""


def guarded(module: Module, counts: Sequence[Count] = ()) -> Module:
    """A verified module with the checks that it lacks. `counts`: the lists that it gives."""
    records = _Records()
    graphs = {
        name: _Guard(module, records, counts, graph).made(is_entry=name == module.entry)
        for name, graph in module.graphs.items()
    }
    return Module(module.entry, graphs)


def _kind(type_: Type) -> Type:
    """A type without the extents that the run says."""
    return map_dims(type_, lambda dim: dim if isinstance(dim, int) else -1)


def _widened(graph: Graph) -> frozenset[str]:
    """The symbols of a graph that mean something else wherever the type of what is defined is of them."""
    return frozenset(
        str(dim)
        for binding in all_bindings(graph)
        if binding.op is widening.widen
        for was, dim in zip(extents_in(type_of(binding.args[0])), binding.params["shape"], strict=True)
        if is_bare(dim) and dim is not was
    )


class _Records:
    """The kinds of entries on stacks: each has a number, which is pushed above it."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[Type, ...], int] = {}

    def number(self, types: Sequence[Type]) -> int:
        """Entries whose types are the same but for extents that the run says have one number."""
        kind = tuple(map(_kind, types))
        return self._numbers.setdefault(kind, len(self._numbers))


@dataclass(slots=True)
class _Place:
    """A graph that is being gone through: what is known there, and its new body. `inside` are the ints that checks have
    found to be indices of an axis of an extent."""

    extents: Extents
    inside: set[tuple[Var, Dim]]
    body: list[Binding] = field(default_factory=list[Binding], init=False)

    def nested(self) -> _Place:
        return _Place(self.extents.copy(), set(self.inside))


class _Guard:
    """Goes through one graph of a module."""

    def __init__(self, module: Module, records: _Records, counts: Sequence[Count], graph: Graph) -> None:
        self._module = module
        self._widened = _widened(graph)
        self._records = records
        self._counts = counts
        self._graph = graph
        self._types: dict[Var, Type] = {}
        """The types of variables, in extents that mean the same everywhere."""
        self._inside: dict[Var, Dim] = {}
        """Ints that are indices of an axis of this extent, whatever comes before."""
        self._numbers: dict[Var, Dim] = {}
        """Ints that are extents."""
        self._at = _Place(Extents({}, {}, ()), set())
        self._span = graph.span

    def made(self, *, is_entry: bool) -> Graph:
        graph = self._graph
        self._open(graph.params)
        before = self._at.extents.copy()
        made = self._gone_through(graph)
        for dim, have in self._extents_of(graph.results):
            if _is_promised(dim, before, self._widened):
                self._need_equal(before.meant(dim), have)
        if is_entry:
            self._need_rows([c for c in self._counts if c.union is None], graph.results)
        return with_body(made, self._at.body, graph.results)

    def _nested(self, graph: Graph, params: Sequence[Var], outside: Extents, results: Sequence[Type]) -> Graph:
        """A graph of a binding, whose results are of types that mean what they do `outside`. The parameters are those
        that have extents of their own."""
        before, self._at = self._at, self._at.nested()
        try:
            self._open(params)
            made = self._gone_through(graph)
            if graph.results:
                self._need_types(outside, results, [self._type(r) for r in graph.results])
            return with_body(made, self._at.body, made.results)
        finally:
            self._at = before

    def _gone_through(self, graph: Graph) -> Graph:
        for binding in graph.body:
            self._span = binding.span
            self._binding(binding)
        self._span = graph.span
        return with_body(graph, self._at.body, graph.results)

    # --- what variables are ---

    def _type(self, atom: Atom) -> Type:
        return self._at.extents.settled(self._types[atom] if isinstance(atom, Var) else type_of(atom))

    def _extents_of(self, atoms: Sequence[Atom]) -> Iterator[tuple[Dim, Dim]]:
        """The extents in the types of some atoms: as these say them, and in those that mean the same everywhere."""
        for atom in atoms:
            yield from zip(extents_in(type_of(atom)), extents_in(self._type(atom)), strict=True)

    def _is_new(self, dim: Dim, extents: Extents) -> bool:
        """Whether an extent of a type gives a symbol its meaning."""
        return is_bare(dim) and (str(dim) in self._widened or str(dim) not in extents)

    def _open(self, params: Sequence[Var]) -> None:
        """Define variables whose extents are what their types say, and any where these give symbols a meaning."""
        extents = self._at.extents
        made: dict[str, Dim] = {}
        for var in params:
            dims: list[Dim] = []
            for dim in extents_in(type_of(var)):
                if str(dim) not in made and self._is_new(dim, extents):
                    made[str(dim)] = extents.introduce(str(dim))
                dims.append(extents.meant(dim))
            self._types[var] = with_meanings(type_of(var), dims)

    def _need_types(self, extents: Extents, types: Sequence[Type], found: Sequence[Type]) -> dict[str, Dim]:
        """Values of the types `found` pass to where they are of `types`, which mean what they do in `extents`. What the
        symbols mean that get a meaning."""
        made: dict[str, Dim] = {}
        for type_, have in zip(types, found, strict=True):
            for dim, extent in zip(extents_in(type_), extents_in(have), strict=True):
                if str(dim) not in made and self._is_new(dim, extents):
                    made[str(dim)] = extent
                else:
                    self._need_equal(extents.meant(dim, made), extent)
        return made

    def _define(self, var: Var, found: Type) -> None:
        """Define a variable of a known type, whose extents are those that its own type says."""
        extents = self._at.extents
        dims: list[Dim] = []
        for dim, have in zip(extents_in(type_of(var)), extents_in(found), strict=True):
            if self._is_new(dim, extents):
                dims.append(extents.introduce(str(dim)))
                extents.note(dims[-1], have)
            else:
                dims.append(extents.meant(dim))
                self._need_equal(dims[-1], have)
        self._types[var] = with_meanings(type_of(var), dims)

    def _append(self, binding: Binding, found: Sequence[Type] | None = None) -> None:
        """Write a binding. Where its outputs, which are of types `found`, give symbols another meaning, what they meant
        until then gets another name."""
        extents = self._at.extents
        for k, out in enumerate(binding.outs):
            for axis, dim in enumerate(extents_in(type_of(out))):
                if is_bare(dim) and str(dim) in self._widened and str(dim) in extents:
                    meant = extents.meant(dim)
                    if found is None or not extents.are_equal(meant, extents_in(found[k])[axis]):
                        self._keep(dim)
        self._at.body.append(binding)

    def _keep(self, dim: Dim) -> None:
        meant, name = self._at.extents.meant(dim), str(fresh_symbol("d"))
        length = self._emit_one(conversions.extent, (), INT, dim=dim)
        self._emit(conversions.as_dim, (length,), {"symbol": name})
        self._at.extents.name(name, meant)

    # --- bindings ---

    def _binding(self, binding: Binding) -> None:
        op = binding.op
        if op in _NEVER or not _NAMED.get(op, _anything)(binding.params):
            raise UnsafeError(f"no exported program has such an operation {op.name}")
        if op is CALL:
            self._call(binding)
        elif op in (COND, SWITCH, TRY):
            self._branches(binding)
        elif op in (WHILE, FOR):
            self._loop(binding)
        else:
            _HANDLERS.get(op, _Guard._primitive)(self, binding)

    def _primitive(self, binding: Binding) -> None:
        op = binding.op
        assert isinstance(op, Primitive)
        params = self._params(binding)
        types = [self._type(a) for a in binding.args]
        with noting_extents() as pairs:
            found = op.types(types, params)
        if isinstance(op.lowering, Elementwise):
            pairs += broadcast_shapes(*(t.shape for t in types if isinstance(t, TensorType)))[1]
        for a, b in pairs:
            self._need_equal(a, b)
        for dim in (dim for type_ in found for dim in extents_in(type_)):
            self._need_natural(dim)
        if op in _VIEWS:
            shape = params["shape"] if op is views.embed else extents_in(types[0])
            self._need_view(binding.args[1:], shape, params["spec"])
        elif op in _ROWS:
            self._need_index(binding.args[1], extents_in(types[0])[0])
        self._append(binding, found)
        for out, type_ in zip(binding.outs, found, strict=True):
            self._define(out, type_)

    def _params(self, binding: Binding) -> dict[str, Any]:
        values = self._at.extents.meant(tuple(binding.params.values()))
        return dict(zip(binding.params, values, strict=True))

    def _branches(self, binding: Binding) -> None:
        outside, results = self._at.extents, [type_of(out) for out in binding.outs]
        graphs = tuple(self._nested(graph, (), outside, results) for graph in binding.graphs)
        self._append(_with_graphs(binding, graphs))
        self._open(binding.outs)

    def _loop(self, binding: Binding) -> None:
        outside, results = self._at.extents, [type_of(out) for out in binding.outs]
        carried = binding.args[1:] if binding.op is FOR else binding.args
        self._need_types(outside, results, [self._type(a) for a in carried])
        for dim in dict.fromkeys(d for type_ in results for d in extents_in(type_)):
            if is_bare(dim) and str(dim) in self._widened and str(dim) in outside:
                self._keep(dim)  # the body gives it another meaning
        outside = outside.copy()
        graphs = [self._nested(graph, graph.params, outside, results) for graph in binding.graphs[-1:]]
        if binding.op is WHILE:
            test = binding.graphs[0]
            graphs.insert(0, self._nested(test, test.params, outside, [BOOL]))
        self._append(_with_graphs(binding, tuple(graphs)))
        self._open(binding.outs)

    def _call(self, binding: Binding) -> None:
        callee = self._module.graphs[binding.params["callee"]]
        types = [type_of(param) for param in callee.params]
        own = self._need_types(Extents({}, {}, ()), types, [self._type(a) for a in binding.args])
        self._append(binding)
        known, widened = Extents(own, {}, ()), _widened(callee)

        def in_caller(dim: Dim) -> Dim:
            return known.meant(dim) if _is_promised(dim, known, widened) else fresh_symbol("e")

        for out, type_ in zip(binding.outs, callee.result_types, strict=True):
            self._define(out, map_dims(type_, in_caller))

    # --- what is needed ---

    def _need_equal(self, a: Dim, b: Dim) -> None:
        extents = self._at.extents
        if extents.are_equal(a, b):
            return
        self._emit(conversions.check_extents, (), {"a": self._said(a), "b": self._said(b), "message": _EXTENT})
        extents.note(a, b)

    def _need_natural(self, dim: Dim) -> None:
        if not is_natural(dim):
            self._need_equal(dim, dim_max(dim, 0))

    def _need_index(self, index: Atom, extent: Dim) -> None:
        """An int is an index of an axis, counted from 0."""
        extents = self._at.extents
        if isinstance(index, Literal):
            if isinstance(extent, int) and 0 <= index.value < extent:
                return
        elif (index in self._inside and extents.are_equal(self._inside[index], extent)) or any(
            var is index and extents.are_equal(known, extent) for var, known in self._at.inside
        ):
            return
        size = self._number(extent)
        self._need(
            self._both(self._less(0, index, "int_le"), self._less(index, size)), (index, size), "IndexError", _INDEX
        )
        if isinstance(index, Var):
            self._at.inside.add((index, extent))

    def _need_rows(self, counts: Sequence[Count], parts: Sequence[Atom]) -> None:
        """Columns have as many rows as the lengths of their lists say."""
        for count in counts:
            self._need_at_most(parts[count.length], extents_in(self._type(parts[count.column]))[0])

    def _need_at_most(self, number: Atom, extent: Dim) -> None:
        """An int is one from 0 to an extent."""
        known = number.value if isinstance(number, Literal) else self._numbers.get(number)
        if known is None or not (self._at.extents.are_equal(known, extent) and is_natural(known)):
            size = self._number(extent)
            within = self._both(self._less(0, number, "int_le"), self._less(number, size, "int_le"))
            self._need(within, (number, size), "IndexError", _ROWS_MESSAGE)

    def _need_view(self, values: Sequence[Atom], shape: Sequence[Dim], spec: views.Spec) -> None:
        axes = iter(shape)
        for entry in spec:
            match entry:
                case ("n",):
                    pass
                case ("i", int(k)):
                    self._need_index(values[k], next(axes))
                case ("s", ("v", int(k)), int() | DimExpr() as step, int() | DimExpr() as length):
                    self._need_slice(values[k], step, length, next(axes))
                case ("s", int() | DimExpr() as start, int() | DimExpr() as step, int() | DimExpr() as length):
                    self._need_slice(start, step, length, next(axes))
                case _:
                    raise UnsafeError(f"{entry!r} is no part of a view")

    def _need_slice(self, start: Atom | Dim, step: Dim, length: Dim, extent: Dim) -> None:
        """A slice lies in an axis, or has no elements."""
        if isinstance(start, Literal):
            start = cast("int", start.value)
        elif isinstance(start, Var) and start in self._numbers:
            start = self._numbers[start]
        if start == 0 and step == 1 and self._at.extents.are_equal(length, extent):
            return
        if _lies_in(start, step, length, extent):
            return
        first = start if isinstance(start, Var) else self._number(start)
        more, size = self._number(step * (length - 1)), self._number(extent)
        last = self._emit_one(PRIMITIVES["int_add"], (first, more), INT)
        within = [self._both(self._less(0, n, "int_le"), self._less(n, size)) for n in (first, last)]
        is_empty = self._less(self._number(length), 0, "int_le")
        fits = self._emit_one(PRIMITIVES["bool_or"], (is_empty, self._both(*within)), BOOL)
        self._need(fits, (first, last, size), "IndexError", _SLICE)

    def _said(self, dim: Dim) -> Dim:
        said = self._at.extents.said(dim)
        if said is None:
            raise UnsafeError("it takes extents to be equal of which nothing says so")
        return said

    # --- writing ---

    def _emit(self, op: Op, args: Sequence[Atom], params: Mapping[str, Any], *outs: Var) -> None:
        self._at.body.append(Binding(outs, op, tuple(args), self._span, params))

    def _emit_one(self, op: Op, args: Sequence[Atom], type_: Type, **params: object) -> Var:
        out = Var(op.name, type_, self._span)
        self._emit(op, args, params, out)
        return out

    def _number(self, dim: Dim) -> Atom:
        """An extent as an int."""
        said = self._said(dim)
        return Literal(said, INT) if isinstance(said, int) else self._emit_one(conversions.extent, (), INT, dim=said)

    def _less(self, a: Atom | int, b: Atom | int, name: str = "int_lt") -> Var:
        args = tuple(Literal(n, INT) if isinstance(n, int) else n for n in (a, b))
        return self._emit_one(PRIMITIVES[name], args, BOOL)

    def _both(self, a: Var, b: Var) -> Var:
        return self._emit_one(PRIMITIVES["bool_and"], (a, b), BOOL)

    def _need(self, ok: Var, values: Sequence[Atom], exception: str, message: str) -> None:
        self._emit(conversions.check, (ok, *values), {"exception": exception, "message": message})

    # --- operations that say what extents and ints are, and those that no type describes ---

    def as_dim(self, binding: Binding) -> None:
        (length,) = binding.args
        if binding.params["symbol"] in self._at.extents:
            self._keep(symbol(binding.params["symbol"]))
        self._at.body.append(binding)
        made = self._at.extents.introduce(binding.params["symbol"])
        if isinstance(length, Literal) or length in self._numbers:
            self._at.extents.note(made, length.value if isinstance(length, Literal) else self._numbers[length])
        else:
            self._numbers[length] = made

    def check_extents(self, binding: Binding) -> None:
        params = self._params(binding)
        self._at.body.append(binding)
        self._at.extents.note(params["a"], params["b"])

    def check_index(self, binding: Binding) -> None:
        self._inside[binding.outs[0]] = self._params(binding)["extent"]
        self._plain(binding)

    def check_position(self, binding: Binding) -> None:
        length = binding.args[1]
        if isinstance(length, Literal) or length in self._numbers:
            self._inside[binding.outs[0]] = length.value if isinstance(length, Literal) else self._numbers[length]
        self._plain(binding)

    def extent(self, binding: Binding) -> None:
        self._numbers[binding.outs[0]] = self._params(binding)["dim"]
        self._plain(binding)

    def _plain(self, binding: Binding) -> None:
        """A binding that gives a number."""
        self._at.body.append(binding)
        self._types.update((out, type_of(out)) for out in binding.outs)

    def widen(self, binding: Binding) -> None:
        found = self._type(binding.args[0])
        self._append(binding, [found])
        self._define(binding.outs[0], found)

    def room(self, binding: Binding) -> None:
        column, row = binding.args
        type_ = self._type(column)
        assert isinstance(type_, TensorType)
        self._need_at_most(row, type_.shape[0])
        self._append(binding)
        self._define(binding.outs[0], TensorType(type_.dtype, (fresh_symbol("e"), *type_.shape[1:])))

    def stack_push(self, binding: Binding) -> None:
        """What is pushed has its extents with it, and its number above."""
        stack, *values = binding.args
        extents = [self._number(have) for dim, have in self._extents_of(values) if isinstance(dim, DimExpr)]
        pushed = self._emit_one(state.stack_push, (stack, *values, *extents), STACK)
        number = self._records.number([type_of(value) for value in values])
        self._emit(state.stack_push, (pushed, Literal(number, INT)), {}, *binding.outs)
        self._types.update((out, STACK) for out in (pushed, *binding.outs))

    def stack_pop(self, binding: Binding) -> None:
        stack, outs = Var("stack", STACK, self._span), binding.outs[1:]
        number = Var("number", INT, self._span)
        self._emit(state.stack_pop, binding.args, {"types": (INT,)}, stack, number)
        wanted = Literal(self._records.number([type_of(out) for out in outs]), INT)
        self._need(self._emit_one(PRIMITIVES["int_eq"], (number, wanted), BOOL), (), "ValueError", _POPPED)
        symbolic = [(out, dim) for out in outs for dim in extents_in(type_of(out)) if isinstance(dim, DimExpr)]
        extents = [Var("extent", INT, self._span) for _ in symbolic]
        types = (*binding.params["types"], *(INT for _ in extents))
        popped = Binding((*binding.outs, *extents), state.stack_pop, (stack,), self._span, {"types": types})
        self._append(popped)
        known = self._at.extents.copy()
        self._types[binding.outs[0]] = STACK
        self._open(outs)
        made: dict[str, Atom] = {}
        for (_, dim), extent in zip(symbolic, extents, strict=True):
            if str(dim) not in made and self._is_new(dim, known):
                made[str(dim)] = extent
            else:
                size = self._number(self._at.extents.meant(dim))
                self._need(self._emit_one(PRIMITIVES["int_eq"], (extent, size), BOOL), (), "ValueError", _POPPED)

    def union_make(self, binding: Binding) -> None:
        type_, tag = binding.params["type"], binding.params["tag"]
        self._need_types(
            self._at.extents, unions.member_types(type_.members[tag]), [self._type(a) for a in binding.args]
        )
        lists = [c for c in self._counts if c.union is not None and c.tag == tag and _kind(c.union) == _kind(type_)]
        self._need_rows(lists, binding.args)
        self._append(binding)
        self._open(binding.outs)

    def union_get(self, binding: Binding) -> None:
        (union,) = binding.args
        index: int = binding.params["index"]
        tag = self._emit_one(unions.union_tag, (union,), INT)
        held = self._emit_one(PRIMITIVES["int_eq"], (tag, Literal(index, INT)), BOOL)
        self._need(held, (tag, Literal(index, INT)), "ValueError", _MEMBER)
        self._append(binding)
        type_ = self._type(union)
        for out, part in zip(binding.outs, unions.union_get.types([type_], {"index": index}), strict=True):
            self._define(out, part)


_HANDLERS: Final[Mapping[Op, Callable[[_Guard, Binding], None]]] = {
    conversions.as_dim: _Guard.as_dim,
    conversions.check_extents: _Guard.check_extents,
    conversions.check_index: _Guard.check_index,
    conversions.check_position: _Guard.check_position,
    conversions.extent: _Guard.extent,
    widening.widen: _Guard.widen,
    growing.room: _Guard.room,
    state.stack_push: _Guard.stack_push,
    state.stack_pop: _Guard.stack_pop,
    unions.union_make: _Guard.union_make,
    unions.union_get: _Guard.union_get,
}


def _lies_in(start: Dim | Var, step: Dim, length: Dim, extent: Dim) -> bool:
    """Whether a slice is known to lie in an axis."""
    if not (isinstance(start, int) and isinstance(step, int) and isinstance(length, int) and isinstance(extent, int)):
        return False
    return length <= 0 or (0 <= start < extent and 0 <= start + step * (length - 1) < extent)


def _is_promised(dim: Dim, params: Extents, widened: frozenset[str]) -> bool:
    """Whether an extent of a called graph's result is what the extents of its parameters say."""
    return all(name in params and name not in widened for name in symbols_in(dim))


def _with_graphs(binding: Binding, graphs: tuple[Graph, ...]) -> Binding:
    return Binding(binding.outs, binding.op, binding.args, binding.span, binding.params, graphs)


# --- functions that are called by name -----------------------------------------------------------------


def _anything(params: Mapping[str, Any]) -> bool:
    return True


def _public(cls: type) -> frozenset[str]:
    return frozenset(name for name in dir(cls) if not name.startswith("_"))


_DRAWS: Final = {"random": _public(random.Random), "numpy": _public(np.random.RandomState)}

_NAMED: Final[Mapping[Op, Callable[[Mapping[str, Any]], bool]]] = {
    numpy_ufuncs.numpy_ufunc: lambda params: params["name"] in numpy_ufuncs.NAMES,
    PRIMITIVES["complex_function"]: lambda params: params["name"] in complex_functions.DERIVATIVES,
    float_lists.of_floats: lambda params: params["name"] in float_lists.NAMES,
    generators.host_order: lambda params: params["module"] == generators.PYTHON,
    generators.host_draw: lambda params: params["module"] == generators.MODULE and params["name"] in _DRAWS["numpy"],
    drawing.host_random: lambda params: params["name"] in _DRAWS.get(params["module"], ()),
}
"""Operations that call Python's functions by their names, and whether these are the ones that they are for."""
