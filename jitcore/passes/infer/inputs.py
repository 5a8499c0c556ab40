"""The inputs of a program: its arguments, and what it reads besides (globals, closures, attributes) as hidden arguments.

Numbers, arrays and containers are read anew at every call; functions, classes, modules, strings and whatever else
is fixed at compile time are guarded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jitcore.ir.builder import GraphBuilder
from jitcore.ir.nodes import Var
from jitcore.passes.infer.forms import SCALARS, NumberForm
from jitcore.passes.infer.signature import (
    Arg,
    ArrayArg,
    ColumnArg,
    DictArg,
    Input,
    ListArg,
    NestedArg,
    NumberArg,
    ObjectArg,
    StaticArg,
    TupleArg,
)
from jitcore.passes.infer.values import (
    Array,
    Buffer,
    Fields,
    Number,
    Path,
    Reference,
    Slice,
    Static,
    Tuple,
    Value,
    structure,
)
from jitcore.primitives.mutable import plain_class
from jitcore.structs import dataclass
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
    fresh_symbol,
    i64,
)

if TYPE_CHECKING:
    from jitcore.passes.infer.core import Infer

_SCALAR_OF: dict[DType, ScalarType] = {t.dtype: t for t in (BOOL, INT, FLOAT, COMPLEX)}


@dataclass(slots=True)
class _Record:
    var: Var
    path: Path
    category: str
    contiguous: bool
    source: Any


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """An object as the root of a path: ('object', Held(obj)) then steps. Equal for the same object."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


class Inputs:
    """Makes the entry graph's parameters as they are asked for."""

    def __init__(self, infer: Infer, builder: GraphBuilder) -> None:
        self.infer = infer
        self.builder = builder
        self.records: list[_Record] = []
        self._captured: dict[Any, Value] = {}
        """By the identity of the object (kept in `_alive`) or, for numbers, by path."""
        self.numbers: dict[Var, Any] = {}
        """What captured numbers are at the time of compilation."""
        self.given: dict[Var, Any] = {}
        """What numbers among the arguments are in the call that is compiled for."""
        self._overriding: dict[int, list[Value]] = {}
        self._overriding_keys: dict[Any, int] = {}
        self._overriding_key: int | None = None
        self._alive: list[Any] = []
        self._containers: dict[int, Any] = {}
        """The lists and dicts read, by their keys in the heap."""

    def argument(self, arg: Arg, path: Path) -> Value:
        """The abstract value of an argument."""
        match arg:
            case ArrayArg():
                return self._array(arg, path, None)
            case NumberArg():
                if path in self.infer.marks.statics:
                    return Static(arg.value, path)
                var = self._param(path, _SCALAR_OF[arg.dtype], "number", True, None)
                self.given[var] = arg.value
                return Number(var, _SCALAR_OF[arg.dtype], None, frozenset([path]))
            case StaticArg() if isinstance(arg.value, slice):
                return Slice(Static(arg.value.start), Static(arg.value.stop), Static(arg.value.step))
            case StaticArg():
                return Static(arg.value, path)
            case TupleArg():
                self._require_items_alone(arg.cls)
                return Tuple(tuple(self.argument(a, (*path, ("item", k))) for k, a in enumerate(arg.items)), arg.cls)
            case ListArg():
                items = tuple(self.argument(a, (*path, ("item", k))) for k, a in enumerate(arg.items))
                return self.infer.heap.new_captured(arg.cls, items, path)
            case ColumnArg():
                return self.infer.heap.new_captured(list, self._column(arg.dtype, arg.extent, path), path)
            case NestedArg():
                from jitcore.passes.infer import pools

                steps = [(*path, ("nested", arg.nesting), ("item", k)) for k in range(len(arg.extents))]
                dtypes = [*(i64 for _ in arg.extents[1:]), arg.nesting.dtype]
                columns = [self._column(t, n, p, "ndarray") for t, n, p in zip(dtypes, arg.extents, steps, strict=True)]
                return pools.of_argument(self.infer, columns, path)
            case DictArg():
                pairs = zip(arg.keys, arg.items, strict=True)
                entries = {k: self.argument(a, (*path, ("item", k))) for k, a in pairs}
                return self.infer.heap.new_captured(arg.cls, entries, path)
            case ObjectArg():
                pairs = zip(arg.names, arg.items, strict=True)
                fields = Fields({k: self.argument(a, (*path, ("attr", k))) for k, a in pairs})
                return self.infer.heap.new_argument(arg.cls, fields, path)

    def _column(self, dtype: DType, extent: Dim, path: Path, category: str = "list") -> Buffer:
        """What a list of numbers holds that is passed as an array."""
        var = self._param(path, TensorType(dtype, (extent,)), category, True, None)
        self.infer.lies_in_order(var)
        return Buffer(self.infer.extent(extent), NumberForm(_SCALAR_OF[dtype]), (var,))

    def captured(self, obj: Any, path: Path, *, numbers_static: bool = False) -> Value:
        """The abstract value of an object the program reads at `path`. With `numbers_static`, ints and bools are guarded
        constants (the configuration of objects), else run-time values."""
        cls = type(obj)
        if cls in SCALARS and not (numbers_static and cls is not float) and path not in self.infer.marks.statics:
            return self._captured_number(obj, path)
        if isinstance(obj, str | bytes | type(None)) or cls in SCALARS or isinstance(obj, type):
            return self._guarded(obj, path)
        described = self.infer.environment.describe(obj)
        if isinstance(described, ArrayArg):
            known = self._captured.get(id(obj))
            if known is None:
                self._alive.append(obj)
                known = self._captured[id(obj)] = self._array(described, path, obj)
            return known
        if cls is tuple or (isinstance(obj, tuple) and hasattr(cls, "_fields")):
            self._guard_structure(obj, path)
            self._require_items_alone(cls)
            items = (self.captured(v, (*path, ("item", k)), numbers_static=numbers_static) for k, v in enumerate(obj))
            return Tuple(tuple(items), cls)
        if plain_class(cls) in (list, set, dict):
            return self._captured_container(obj, path, numbers_static)
        return self._guarded(obj, path)

    def _require_items_alone(self, cls: type) -> None:
        if cls is not tuple:
            from jitcore.passes.infer import objects

            objects.require_items_alone(self.infer, cls)

    def captured_item(self, container: Static, key: Any, item: Any) -> Value:
        """An item of a container object known at compile time."""
        if container.path is None or isinstance(
            container.value, set | frozenset | type
        ):  # whose items are part of the key
            return self.constant(item)
        return self.captured(item, (*container.path, ("item", key)), numbers_static=True)

    def constant(self, obj: Any, *, new: bool = False) -> Value:
        """The abstract value of an object that belongs to the program itself: a function's default, or (`new`) the result
        of a call made now, which nothing else refers to."""
        described = None if type(obj) in SCALARS else self.infer.environment.describe(obj)
        if isinstance(described, ArrayArg):
            return self.captured(obj, ("constant", id(obj)))
        if type(obj) is tuple:
            return Tuple(tuple(self.constant(v, new=new) for v in obj))
        if type(obj) in (list, dict, set) and not new:
            return self._captured_container(obj, ("object", Held(obj)), True)
        if type(obj) is list:
            return self.infer.heap.new(list, tuple(self.constant(v, new=True) for v in obj))
        if type(obj) is dict:
            return self.infer.heap.new(dict, {k: self.constant(v, new=True) for k, v in obj.items()})
        return Static(obj)

    def guard_definition(self, function: Any, held: Any, path: Path) -> None:
        """Hold a specialisation to what a user's class or function has at `path`; the library's own stay as they are."""
        if not (getattr(function, "__module__", None) or "").startswith("jitcore."):
            self.infer.guards[path] = held

    def guard_method(self, value: Static, name: str) -> None:
        """Hold a specialisation to an object having no attribute of its own in place of a method of its class."""
        obj = value.value
        if not hasattr(obj, "__dict__"):
            return
        path = value.path if value.path is not None else ("object", Held(obj))
        told = getattr(type(obj), "__jitcore_overrides__", None)
        if told is not None:
            self.infer.guards[(*path, ("attr", told))] = getattr(obj, told)
        elif not (type(obj).__module__ or "").startswith("jitcore."):
            self.infer.guards[(*path, ("own", name))] = False

    def _guard_structure(self, obj: Any, path: Path) -> None:
        self.infer.guards[(*path, ("structure", None))] = structure(obj)

    def _guarded(self, obj: Any, path: Path) -> Static:
        self.infer.guards[path] = obj
        if hasattr(type(obj), "__jitcore_call__"):  # adding a hook changes the class of a Cell
            self.infer.guards[(*path, ("attr", "__class__"))] = type(obj)
        return Static(obj, path)

    def _captured_number(self, obj: Any, path: Path) -> Number:
        known = self._captured.get(path)
        if known is None:
            type_ = SCALARS[type(obj)]
            var = self._param(path, type_, "number", True, None)
            self.numbers[var] = obj
            known = self._captured[path] = Number(var, type_, None, frozenset([path]))
        assert isinstance(known, Number)
        return known

    def _captured_container(self, obj: Any, path: Path, numbers_static: bool) -> Value:
        known = self._captured.get(id(obj))
        if known is None and path in self.infer.marks.columns:
            known = self._captured_column(obj, path)
        elif known is None:
            self._alive.append(obj)
            self._guard_structure(obj, path)
            if isinstance(obj, dict):
                contents: Any = {
                    k: self.captured(v, (*path, ("item", k)), numbers_static=numbers_static) for k, v in obj.items()
                }
            else:
                contents = tuple(
                    self.captured(v, (*path, ("item", k)), numbers_static=numbers_static) for k, v in enumerate(obj)
                )
            known = self._captured[id(obj)] = self.infer.heap.new_captured(type(obj), contents, path)
            self._containers[known.key] = obj
        elif isinstance(known, Reference) and known.path is not None and known.path != path:
            self.infer.guards[path] = self.infer.guards[known.path] = obj  # one object, reached in two ways
        return known

    def _captured_column(self, obj: Any, path: Path) -> Reference:
        """A long list of numbers of one type, of whatever length it is at each call."""
        self._alive.append(obj)
        self.infer.guards[(*path, ("attr", "__class__"))] = list
        contents = self._column(SCALARS[type(obj[0])].dtype, fresh_symbol(), path)
        made = self._captured[id(obj)] = self.infer.heap.new_captured(list, contents, path)
        self._containers[made.key] = obj
        return made

    def is_argument(self, key: int) -> bool:
        """Whether a list or dict of the code outside is an argument, or in one: then its structure is part of a call's class."""
        return key not in self._containers

    def container_at(self, key: int) -> Any:
        """The list or dict that the program reads, by its key in the heap."""
        return self._containers[key]

    def changed_container(self, obj: Any, path: Path, *, is_log: bool) -> None:
        """Begin with a list or dict that the program changes; `is_log`: it is only added to."""
        if not is_log:
            self._captured_container(obj, path, False)
        elif id(obj) not in self._captured:
            self._alive.append(obj)
            self._captured[id(obj)] = made = self.infer.heap.new_log(path)
            self._containers[made.key] = obj
            self.infer.guards[(*path, ("attr", "__class__"))] = list

    def _array(self, arg: ArrayArg, path: Path, source: Any) -> Array:
        type_ = TensorType(arg.dtype, arg.shape)
        origin = ("input", id(source)) if source is not None else ("input", path)
        written = origin in self.infer.marks.refs
        var = self._param(path, RefType(type_) if written else type_, arg.category, arg.contiguous, source)
        if arg.contiguous:
            self.infer.lies_in_order(var)
        return Array(var, arg.category, frozenset([origin]), path, source)

    def _param(self, path: Path, type_: Any, category: str, contiguous: bool, source: Any) -> Var:
        hint = _name_of(path)
        var = self.builder.param(hint, type_, self.builder.graph_span)
        self.records.append(_Record(var, path, category, contiguous, source))
        return var

    def flags(self) -> frozenset[Path]:
        """The arguments that are bools, of which what is compiled may serve both values."""
        return frozenset(r.path for r in self.records if r.path[0] == "arg" and r.var.type is BOOL)

    def override(self, source: Any, value: Value) -> Value | None:
        """Make a captured array mean `value` from here on; gives what it meant."""
        before = self._captured.get(id(source))
        self._captured[id(source)] = value
        self._overriding.setdefault(id(source), []).append(value)
        self._overriding_key = None
        return before

    def restore(self, source: Any, value: Value | None) -> None:
        """Undo `override`."""
        self._overriding[id(source)].pop()
        self._overriding_key = None
        if value is None:
            del self._captured[id(source)]
        else:
            self._captured[id(source)] = value

    def overriding(self) -> int:
        """A key of what captured arrays mean now instead of themselves."""
        if self._overriding_key is None:
            now = tuple(
                (k, v.atom) for k, meant in self._overriding.items() for v in meant[-1:] if isinstance(v, Array)
            )
            self._overriding_key = self._overriding_keys.setdefault(now, len(self._overriding_keys))
        return self._overriding_key

    def symbols(self) -> frozenset[str]:
        """The names of the extents of arrays from outside."""
        types = [r.var.type.target if isinstance(r.var.type, RefType) else r.var.type for r in self.records]
        shapes = [t.shape for t in types if isinstance(t, TensorType)]
        return frozenset[str]().union(*(n.symbols for shape in shapes for n in shape if isinstance(n, DimExpr)))

    def finish(self) -> tuple[Input, ...]:
        """The inputs in the order of the entry graph's parameters."""
        return tuple(
            Input(
                r.path,
                r.var.type,  # type: ignore[arg-type]
                r.category,
                r.contiguous,
                isinstance(r.var.type, RefType),
                r.source,
            )
            for r in self.records
        )


def _name_of(path: Path) -> str:
    last = path[-1]
    if isinstance(last, tuple) and len(last) == 2:
        kind, key = last
        return str(key) if kind == "attr" else f"{_name_of(path[:-1])}_{key}"
    name = str(path[-1]) if path[0] != "arg" else str(path[1])
    return name if name.isidentifier() else f"x{name}"
