"""Library functions in compiled code: they are called as they are, with abstract values, and what they compute is
recorded.

Implements `library.core.values.LibraryEvaluator` for abstract values.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.ir.nodes import Atom, Literal, Var, type_of
from jitcore.library.core.index_modes import require_elements_for
from jitcore.library.core.marking import finish
from jitcore.library.core.mutable import plain_class
from jitcore.library.core.values import Category, Policy, as_array, numbered_text, promote
from jitcore.library.math.elementwise import element_of, scalar_for
from jitcore.passes.infer.domain import abstract, representations
from jitcore.passes.infer.domain.forms import SCALARS
from jitcore.passes.infer.domain.signature import ArrayArg
from jitcore.passes.infer.domain.values import (
    NO_ORIGINS,
    Array,
    Instance,
    Number,
    Origin,
    Path,
    PythonError,
    Range,
    Reference,
    Restart,
    Slice,
    Static,
    Tuple,
    Unreachable,
    Value,
)
from jitcore.passes.infer.engine import numbers, overwriting
from jitcore.primitives.core import dialects
from jitcore.primitives.core.dialects import Dialect, kind_of
from jitcore.primitives.core.evaluation import evaluating_by
from jitcore.primitives.core.registry import Elementwise, HostCode, Primitive, View
from jitcore.primitives.core.rules import noting_extents
from jitcore.primitives.ops import conversions, elementwise, indexing, joining, shape, state
from jitcore.primitives.ops.custom import custom_vjp
from jitcore.primitives.ops.shape import broadcast_to
from jitcore.primitives.tracing import array_literal
from jitcore.source import CompileError
from jitcore.structs import replace
from jitcore.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    Dim,
    DimExpr,
    DType,
    RefType,
    ScalarType,
    TensorType,
    Type,
    broadcast_shapes,
    dtype_of,
)

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_RAISED: Final = (
    TypeError, ValueError, IndexError, OverflowError, ZeroDivisionError, AttributeError, KeyError, RuntimeError,
)  # fmt: skip
"""What a library function raises of its arguments."""
_PARTS = (elementwise.real, elementwise.imag)
"""Views in NumPy of arrays of complex numbers; here the parts are copied, so they can be no places."""
_NUMBER_NAMES: dict[ScalarType, Category] = {BOOL: "bool", INT: "int", FLOAT: "float", COMPLEX: "complex"}


def call_library(
    infer: Infer, function: Callable[..., Any], args: Sequence[Value], keywords: Mapping[str, Value]
) -> Value:
    """Call a library function with abstract values. What it raises, the program raises here."""
    evaluator = SymbolicEvaluator(infer, _dialect_of_call(function, args))
    try:
        with evaluating_by(evaluator):
            made = function(*(evaluator.plain(a) for a in args), **{k: evaluator.plain(v) for k, v in keywords.items()})
            return evaluator.value_of(made)
    except PythonError as error:
        raise PythonError(evaluator.reworded(error.error), error.span) from error
    except (Unreachable, CompileError, RecursionError):
        raise
    except _RAISED as error:
        if isinstance(error, TypeError) and "'Array' object" in str(error):  # it takes no list of run-time length
            raise infer.unsupported("a list of run-time length given to this function", "an array") from error
        raise PythonError(evaluator.reworded(error)) from error


def _dialect_of_call(function: Callable[..., Any], args: Sequence[Value]) -> str:
    """The category of the Tensors that a call is given, if their dialect says what it raises; else empty."""
    name = dialects.first_of([a.category for a in args if isinstance(a, Array)]) or ""
    dialect = dialects.known.get(name)
    said = dialect is not None and dialect.refused is not None
    return name if said and not getattr(function, "__jitcore_own_words__", False) else ""


def _strongest(categories: Sequence[str]) -> str:
    """The category of what a primitive makes of arrays of these."""
    return dialects.first_of(categories) or ("ndarray" if "ndarray" in categories else "npscalar")


class SymbolicEvaluator:
    """Arrays are `values.Array`, run-time numbers `values.Number`. What is refused is raised as the Tensors' dialect
    does whose category is `by_dialect`."""

    def __init__(self, infer: Infer, by_dialect: str = "") -> None:
        self.infer = infer
        self._by_dialect = by_dialect

    def reworded(self, error: BaseException) -> BaseException:
        """What is raised in place of an exception."""
        return dialects.refused_by(self._by_dialect, error)

    def _raising(self, primitive: Primitive, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """The parameters of a primitive that raises what the dialect does."""
        if not self._by_dialect:
            return params
        if isinstance(primitive.lowering, HostCode) and primitive.lowering.by_dialect:
            return {**params, "dialect": self._by_dialect}
        if primitive is conversions.check_extents or primitive is conversions.check:
            return {**params, **self._refusing(params.get("exception", "ValueError"))}
        return params

    def _refusing(self, exception: object = "ValueError") -> Mapping[str, Any]:
        """The parameter by which a check raises what the dialect does in place of an exception; none if it is that."""
        cls = conversions.exception_class(exception) if isinstance(exception, str) else exception
        if not isinstance(cls, type):  # it is more than a class
            return {}
        raised = type(self.reworded(cls("")))
        return {} if raised is cls else {"exception": raised}

    # --- between abstract values and what library functions see -----------------------------------------

    def plain(self, value: Value) -> Any:
        """What a library function gets for a value."""
        match value:
            case Static() if value.path is not None and self._is_tuple_of_arrays(value.value):  # a ParameterTuple
                captured = self.infer.inputs.captured_item
                return tuple(self.plain(captured(value, k, item)) for k, item in enumerate(value.value))
            case Static():
                if value.path is not None:
                    self.infer.paths[id(value.value)] = value.path
                return value.value
            case Tuple():
                items = [self.plain(v) for v in value.items]
                return tuple(items) if plain_class(value.cls) is tuple else value.cls(*items)
            case Reference() if value.kind is dict:
                return {k: self.plain(v) for k, v in self.infer.heap.entries(value).items()}
            case Reference() if (buffer := self.infer.heap.buffer(value)) is not None:
                return representations.operand_of_list(self.infer, buffer)
            case Reference():
                return value.kind(self.plain(v) for v in self.infer.heap.items(value))
            case Slice():
                return slice(self.plain(value.start), self.plain(value.stop), self.plain(value.step))
            case Range() if all(isinstance(v, Static) for v in (value.start, value.stop, value.step)):
                return self.infer.need_static(value, "a range")
            case Number() if isinstance(value.dim, int):
                return value.dim
            case Instance():
                raise self.infer.unsupported(
                    f"a {value.cls.__name__} made in compiled code, given to a library function"
                )
            case _:
                return value

    def _is_tuple_of_arrays(self, obj: Any) -> bool:
        return isinstance(obj, tuple) and all(isinstance(self.infer.environment.describe(x), ArrayArg) for x in obj)

    def value_of(self, made: Any) -> Value:
        """The abstract value of what a library function gives."""
        if isinstance(made, Value):
            return made
        if type(made) is tuple or hasattr(type(made), "_fields"):
            return Tuple(tuple(self.value_of(m) for m in made), type(made))
        if type(made) is list:
            return self.infer.heap.new(list, tuple(self.value_of(m) for m in made))
        if type(made) is dict:
            return self.infer.heap.new(dict, {k: self.value_of(m) for k, m in made.items()})
        return Static(made)

    # --- Evaluator --------------------------------------------------------------------------------------

    def bind(self, primitive: Primitive, args: tuple[Any, ...], params: Mapping[str, Any]) -> Any:
        """Record a primitive; its array results are of the strongest category among the operands."""
        infer = self.infer
        arrays = [a for a in args if isinstance(a, Array)]
        self._check_extents(primitive, arrays)
        if primitive in (indexing.gather, indexing.gather_along) and len(arrays) == 2:
            _require_elements(primitive, arrays[0].type, arrays[1].type, params["axis"])
        is_view = isinstance(primitive.lowering, View) and bool(arrays)
        layout = self._layout_of_view(primitive, args, params) if is_view else None
        is_copy = is_view and layout is None and arrays[0].atom in infer.layouts
        if primitive is broadcast_to and arrays[0].is_tensor:  # whose elements are one place each
            is_copy = True
        if is_view and arrays[0].is_ref and not is_copy:
            place = self._ref_view(primitive, args, params)
            if place is not None:
                self._note_layout(place.atom, layout)
                return place
        atoms = self._atoms(args)
        if primitive is conversions.check_extents:
            infer.builder.equal.add((params["a"], params["b"]))
        with noting_extents() as pairs:
            outs = infer.emit_all(primitive, *atoms, **self._raising(primitive, params))
        self._check_before(primitive, pairs)
        category = _strongest([a.category for a in arrays])
        shares = arrays[0].origins if (is_view and not is_copy) or primitive in _PARTS else None
        if is_view and not is_copy:
            self._note_layout(outs[0], layout)
        made = tuple(self._wrap(out, category, shares, args) for out in outs)
        return made[0] if len(made) == 1 else (made or None)

    def _layout_of_view(self, primitive: Primitive, args: tuple[Any, ...], params: Mapping[str, Any]) -> Any:
        """How a view lies in memory; None where that is not known, or where no strides can say it: it is a copy
        then."""
        viewed = self.infer.layouts.get(args[0].atom)
        if viewed is None:
            return None
        assert isinstance(primitive.lowering, View)
        return primitive.lowering.describe(viewed, *(0 for _ in args[1:]), **params)

    def _note_layout(self, atom: Atom, layout: Any) -> None:
        if layout is not None:
            self.infer.layouts[atom] = layout

    def _wrap(self, out: Var, category: str, shares: frozenset[Origin] | None, args: tuple[Any, ...]) -> Any:
        type_ = out.type
        if isinstance(type_, ScalarType):
            return self.infer.number(out, *(a if isinstance(a, Value) else Static(a) for a in args))
        if isinstance(type_, TensorType) and shares is None:
            return self._fresh(out, category)
        if isinstance(type_, TensorType | RefType):
            return Array(out, category, shares if shares is not None else NO_ORIGINS)
        return out

    def _fresh(self, atom: Atom, category: str) -> Array:
        """An array made in a library function; a place if an earlier attempt found that the function writes to such."""
        infer = self.infer
        if not infer.assumptions.refs or (origin := self._origin_inside()) not in infer.assumptions.refs:
            return Array(atom, category)
        place = infer.emit(state.ref_new, atom)
        infer.lies_in_order(place)
        return Array(place, category, frozenset([origin]))

    def _origin_inside(self) -> Origin:
        """Of the arrays that this call of a library function makes on its way."""
        return ("inside", *self.infer.place())

    def _ref_view(self, primitive: Primitive, args: tuple[Any, ...], params: Mapping[str, Any]) -> Array | None:
        """A view of a place is a place; None for views that cannot be written to in NumPy either."""
        viewed: Array = args[0]
        infer = self.infer
        if primitive in state.WINDOWS:
            made = infer.emit(state.WINDOWS[primitive], viewed.atom, *self._atoms(args[1:]), **params)
        elif primitive is shape.expand_dims or primitive is shape.squeeze:
            (type_,) = primitive.types([viewed.type], params)
            assert isinstance(type_, TensorType)
            made = infer.emit(state.ref_reshape, viewed.atom, shape=type_.shape)
        else:
            return None
        return Array(made, viewed.category, viewed.origins)

    def _check_extents(self, primitive: Primitive, arrays: list[Array]) -> None:
        """Symbolic extents that broadcasting takes to be equal are checked at run time."""
        if not isinstance(primitive.lowering, Elementwise) or len(arrays) < 2:
            return
        shapes = [a.type.shape for a in arrays]
        if all(s is shapes[0] or s == shapes[0] for s in shapes):
            return
        _, pairs = broadcast_shapes(*shapes)
        self.infer.extents.equal.update(dict.fromkeys(pairs))
        for a, b in pairs:
            text = " ".join(numbered_text(shape, a, b) for shape in shapes)
            message = f"operands could not be broadcast together with shapes {text} "
            self.infer.emit_all(conversions.check_extents, a=a, b=b, message=message, **self._refusing())

    def _check_before(self, primitive: Primitive, pairs: Sequence[tuple[Dim, Dim]]) -> None:
        """Check, before the primitive that was recorded last, what its rule takes to be equal: no element outside of an
        array is read."""
        builder = self.infer.builder
        unknown = [(a, b) for a, b in dict.fromkeys(pairs) if not {(a, b), (b, a)} & builder.equal]
        if not unknown:
            return
        recorded = builder.body.pop()
        for a, b in unknown:
            builder.equal.add((a, b))
            message = f"{primitive.name}: an extent of {{0}} where {{1}} is needed"
            self.infer.emit_all(conversions.check_extents, a=a, b=b, message=message, **self._refusing())
        builder.body.append(recorded)

    def _atoms(self, args: Sequence[Any]) -> list[Atom]:
        dtype: DType | None = None
        for arg in args:
            if isinstance(arg, Array) and (dtype is None or dtype.kind == "b"):
                dtype = arg.type.dtype
        return [self._atom(a, dtype) for a in args]

    def _atom(self, arg: Any, dtype: DType | None) -> Atom:
        infer = self.infer
        if isinstance(arg, Array):
            return infer.read(arg)
        if isinstance(arg, Number):
            return arg.atom
        if isinstance(arg, Var | Literal):
            return arg
        if dtype is not None:
            return array_literal(arg, dtype)
        return infer.number_atom(Static(arg), SCALARS[type(arg)])

    def type_of(self, value: Any) -> Type:
        """The type of an array or number."""
        if isinstance(value, Array):
            return value.type
        if isinstance(value, Number):
            return value.type
        if isinstance(value, Var | Literal):
            return type_of(value)
        found = SCALARS.get(type(value))
        if found is None:
            raise TypeError(f"an array or a number is needed here, not {type(value).__name__}")
        return found

    # --- LibraryEvaluator -------------------------------------------------------------------------------

    def category(self, value: Any) -> Category | None:
        """The category of a value."""
        if isinstance(value, Array):
            return kind_of(value.category)  # type: ignore[return-value]
        if isinstance(value, Number):
            return _NUMBER_NAMES[value.type]
        return None

    def finish(self, value: Any, policy: Policy) -> Any:
        """The result's category by the function's policy, and an origin of its own if it shares no memory."""
        if not isinstance(value, Array):
            return value
        category = value.category
        if policy == "ndarray" or (policy == "tensor" and not value.is_tensor):
            category = policy
        elif not value.is_tensor:
            category = "npscalar" if policy == "scalar" and not value.type.shape else "ndarray"
        if category == "ndarray" and not value.is_ref and value.origins & self.infer.assumptions.refs:
            raise self.infer.unsupported(
                "this view of an array that the program writes to", "a copy of the array, with .copy()"
            )
        if category == "npscalar" and value.is_ref:  # a number: what is written to the place later does not change it
            return Array(self.infer.read(value), category)
        if not value.origins and category != "npscalar":
            return self.infer.fresh_array(value.atom, category)
        origins = NO_ORIGINS if category == "npscalar" else value.origins  # a number shares no memory
        if value.path is not None and policy in ("array", "scalar"):
            return Array(value.atom, category, origins, viewed=True)
        if category == value.category:
            return value
        return Array(value.atom, category, origins, value.path, value.source)

    def dialect(self, value: object) -> Dialect | None:
        """The dialect that a Tensor is of."""
        return dialects.known.get(value.category) if isinstance(value, Array) else None

    def in_dialect(self, value: object, dialect: Dialect | None) -> Any:
        """The array as a Tensor of another class."""
        assert isinstance(value, Array)
        return replace(value, category=dialects.OWN if dialect is None else dialect.category)

    def detached(self, value: object) -> Any:
        """The elements, as no gradient goes through them. What is written to either is not seen by the other, so that
        neither may be written to from here on."""
        assert isinstance(value, Array)
        self.infer.overwrites.detached |= value.origins
        made = self.infer.emit(elementwise.stop_gradient, self.infer.read(value))
        return Array(made, value.category, value.origins)

    def taken(self, value: Any) -> Any:
        """Nothing: what has elements without being an array is for Python to read."""

    def constant(self, value: Any, dtype: DType | None) -> Any:
        """An array of a NumPy array or nested sequences, with run-time members."""
        if isinstance(value, list | tuple) and _has_runtime(value):
            return self._stacked(value, dtype)
        made = np.asarray(value, dtype=dtype.numpy if dtype is not None else None)
        type_ = TensorType(dtype_of(made.dtype), made.shape)
        if not made.shape:
            return self._fresh(Literal(made.item(), type_), "ndarray")
        return self._fresh(Literal(np.ascontiguousarray(made), type_), "ndarray")

    def _stacked(self, value: Any, dtype: DType | None) -> Array:
        members = [self.constant(v, dtype) if isinstance(v, list | tuple) else v for v in value]
        if dtype is None and not any(isinstance(m, Array) and m.is_tensor for m in members):
            members = [m if isinstance(m, Array) else as_array(m) for m in members]  # numbers are not weak here
        arrays = (
            [self._element(m, dtype) for m in members]
            if dtype is not None
            else list(promote("add", *members, *members[:1]))
        )
        arrays = arrays[: len(members)]
        lifted = [shape.expand_dims(a, axis=(0,)) for a in arrays]
        made = joining.concatenate(*lifted, axis=0)
        return Array(made.atom, "ndarray")

    @staticmethod
    def _element(member: Any, dtype: DType) -> Any:
        if not isinstance(member, Array):
            return element_of(member, dtype)
        if member.category == "npscalar" and dtype.kind == "i":
            return scalar_for(member, dtype)
        return as_array(member, dtype)

    def dim(self, value: Any) -> Dim:
        """A number as an extent."""
        if isinstance(value, Number):
            if value.dim is not None:
                return value.dim
            return self.infer.extents.as_dim(value)
        if isinstance(value, Array):
            if value.type.rank or value.type.dtype.kind not in "iu":
                raise TypeError("an array cannot be used as an extent; make it a Python int with int(x)")
            known = self.infer.constant_of(value.atom)
            if known is not None:
                return self.dim(known)
            return self.infer.extents.as_dim(
                Number(self.infer.emit(conversions.to_scalar, self.infer.read(value)), INT)
            )
        if isinstance(value, DimExpr):
            return value
        extent = operator.index(value)
        if extent < 0:
            raise ValueError("negative dimensions are not allowed")
        return extent

    def number(self, dim: Dim) -> Any:
        """An extent as a Python int."""
        return self.plain(self.infer.extent(dim))

    def calculate(self, op: str, x: object, y: object) -> Any:
        """`x op y` of numbers: see `values.Number`."""
        calculated = numbers.compare if op in numbers.COMPARE else numbers.binary
        return self.plain(calculated(self.infer, op, self.value_of(x), self.value_of(y)))

    def is_one(self, dim: Dim) -> bool:
        """Whether an extent is 1. Calls for which a computed one is are compiled anew; the arguments' own are not 1."""
        known = self._known_to_be_one(dim)
        if known is None:
            raise self.infer.unsupported(
                "squeezing an array whose extents are computed while running", "the axes to leave out"
            )
        return known

    def may_be_one(self, dim: Dim) -> bool:
        """As `is_one`, but what is computed while running may be 1."""
        return self._known_to_be_one(dim) is not False

    def _known_to_be_one(self, dim: Dim) -> bool | None:
        """Whether an extent is 1; None: it is computed while running, and no argument says what it is."""
        if isinstance(dim, int):
            return dim == 1
        infer = self.infer
        computed = dim.symbols - infer.inputs.symbols()
        if not computed:
            infer.extents.equal[dim, 0] = None
            return False
        known = [infer.extents.paths.get(name) for name in sorted(computed)]
        paths = frozenset[Path]().union(*(k for k in known if k))
        if all(known) and not paths <= infer.assumptions.statics:
            infer.assumptions.add_statics(paths)
            raise Restart
        return None

    def note_source(self, dim: Dim, number: Any) -> None:
        """An extent was computed from extents and a number."""
        if isinstance(number, Number) and isinstance(dim, DimExpr):
            self.infer.extents.paths.update(dict.fromkeys(dim.symbols, number.paths))

    def extent_or_rest(self, value: Any) -> Any:
        """A number for an extent of a new shape: known where it is negative, which means what is left. Of a number from
        outside it is settled whether it is, for each specialisation."""
        if not isinstance(value, Number) or not isinstance(value.atom, Var):
            return value
        inputs = self.infer.inputs
        now = inputs.given.get(value.atom, inputs.numbers.get(value.atom))
        if now is None or not value.paths:
            return value
        if now < 0:
            return self.settled(value)
        self.infer.guards.update({(*path, ("negative", None)): False for path in value.paths})
        return value

    def settled(self, value: Any) -> Any:
        """The plain int an argument is."""
        if isinstance(value, Number) and value.dim is None and value.paths:
            return self.static(value, "the extent")
        return value

    def static(self, value: Any, what: str) -> Any:
        """The Python object a value is, or a list or tuple of values."""
        if type(value) in (list, tuple):
            return type(value)(self.static(item, what) for item in value)
        return self.infer.need_static(value, what) if isinstance(value, Value) else value

    def call(self, function: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Call a function of the program: its source is compiled here."""
        given = {k: self.value_of(finish(v, "scalar")) for k, v in keywords.items()}
        values = [self.value_of(finish(a, "scalar")) for a in args]
        return self.plain(abstract.call(self.infer, self.value_of(function), values, given))

    def contents(self, array: Any) -> Any:
        """What a place holds now."""
        return Array(self.infer.read(array), array.category) if isinstance(array, Array) and array.is_ref else array

    def write(self, target: Any, value: Any) -> None:
        """Write into an array's memory."""
        assert isinstance(target, Array)
        if target.origins & self.infer.overwrites.detached:
            what = "writing to an array whose memory another one has without its gradient (`detach`)"
            raise self.infer.unsupported(what, "a copy, `.detach().clone()`")
        if not target.is_ref:
            if overwriting.overwrite(self.infer, target, value):
                return
            self.infer.mark_refs(target.origins or frozenset([self._origin_inside()]))
            return
        self.infer.written |= target.origins
        atom = self.infer.read(value) if isinstance(value, Array) else self._atom(value, target.type.dtype)
        unseen = not dialects.meanings_of(target.category).gradients_see_writes
        if unseen and self.infer.differentiating and target.keeps_memory:
            atom = self._unseen(target, atom)
        self.infer.emit_all(state.ref_write, target.atom, atom)

    def _unseen(self, target: Array, atom: Atom) -> Atom:
        """What is written to a Parameter as gradients take it: they ignore it, and what is read from then on counts for
        what the Parameter held before."""
        have = self.infer.emit(state.ref_read, target.atom)
        params = {"inputs": 1, "results": 1, "backward": _through}
        return self.infer.builder.emit(custom_vjp, (have, atom), params)[0]


def _through(
    cotangents: Sequence[Any], results: Sequence[Any], inputs: Sequence[Any], others: Sequence[Any]
) -> Sequence[Any]:
    return cotangents


def _has_runtime(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_runtime, value))
    return isinstance(value, Value)


def _require_elements(primitive: Primitive, held: TensorType, indices: TensorType, axis: int) -> None:
    """Check that an axis which indices go through has elements, if something is taken: else, clipped ones would be
    outside of it."""
    extent = held.shape[axis]
    if isinstance(extent, DimExpr) and extent not in indices.shape:
        others = () if primitive is indexing.gather_along else (*held.shape[:axis], *held.shape[axis + 1 :])
        require_elements_for((*others, *indices.shape), (extent,), "cannot do a non-empty take from an empty axes.")
