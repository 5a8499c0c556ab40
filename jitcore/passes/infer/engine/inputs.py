"""The inputs of a program: its arguments, and what else it reads (globals, closures, attributes), as hidden arguments.

Numbers, strings, arrays and containers are read anew at every call; functions, classes, modules, strings that objects
hold and whatever else is fixed at compile time are guarded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Final

from jitcore.config import settings
from jitcore.identity import Identity
from jitcore.ir.analysis import all_graphs
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.nodes import Atom, Graph, Var
from jitcore.library.core.mutable import plain_class
from jitcore.lookup import attribute_of, has_attribute
from jitcore.passes.infer.domain import abstract, boxed, representations
from jitcore.passes.infer.domain.forms import SCALARS, CompositeForm, NumberForm
from jitcore.passes.infer.domain.signature import (
    ABSENT,
    Arg,
    ArrayArg,
    BoundArg,
    ColumnArg,
    DictArg,
    FunctionArg,
    HandleArg,
    Input,
    ListArg,
    NestedArg,
    NumberArg,
    ObjectArg,
    RangeArg,
    StaticArg,
    StringArg,
    StringsArg,
    TupleArg,
)
from jitcore.passes.infer.domain.values import (
    FUNCTION_KEY,
    Array,
    Bound,
    Boxed,
    Buffer,
    Fields,
    Function,
    Handle,
    Number,
    Origin,
    Path,
    Range,
    Reference,
    Slice,
    Static,
    String,
    Tuple,
    Value,
    structure,
)
from jitcore.passes.infer.engine import classes, string_inputs
from jitcore.passes.infer.engine.names import name_of, param_for
from jitcore.primitives.core.code_points import column_type
from jitcore.primitives.core.definitions import Definition, Kinship, may_change
from jitcore.primitives.ops.generators import is_generator, method_name
from jitcore.structs import dataclass, replace
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
)

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_SCALAR_OF: dict[DType, ScalarType] = {t.dtype: t for t in (BOOL, INT, FLOAT, COMPLEX)}


@dataclass(slots=True)
class _Record:
    var: Var
    path: Path
    category: str
    contiguous: bool
    source: Any
    contents: tuple[int, ...] = ()


def is_librarys(definition: FunctionType | type) -> bool:
    """Whether a function or class is the library's own."""
    return (definition.__module__ or "").startswith("jitcore.")


_MOST_TUPLES = 1 << 14
_DEEPEST: Final = 64
"""Containers from outside in each other: what is in them is known by paths, as long as they are deep."""


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
        self.strings: dict[Atom, str | bytes] = {}
        """What strings from outside are in the call that is compiled for."""
        self.string_paths: dict[Path, str | bytes] = {}
        self._overriding: dict[int, list[Value]] = {}
        self._overriding_keys: dict[Any, int] = {}
        self._overriding_key: int | None = None
        self._alive: list[Any] = []
        self._origins: set[Origin] = set()
        self._number_paths: dict[Var, Path] = {}
        """Where the numbers are that the program reads outside."""
        self._fixed: set[Var] = set()
        self._containers: dict[int, Any] = {}
        """The lists and dicts read, by their keys in the heap."""
        self._being_read: set[int] = set()
        """The lists and dicts whose items are being read, by identity."""
        self._tuples_read = 0

    def argument(self, arg: Arg, path: Path) -> Value:
        """The abstract value of an argument."""
        if self.infer.uses_boxes and (made := boxed.argument(self.infer, arg, path)) is not None:
            return made
        match arg:
            case ArrayArg():
                return self._array(arg, path, None)
            case NumberArg():
                if path in self.infer.assumptions.statics:
                    return Static(arg.value, path)
                var = self.param(path, _SCALAR_OF[arg.dtype], "number", True, None)
                self.given[var] = arg.value
                return Number(var, _SCALAR_OF[arg.dtype], None, frozenset([path]))
            case StringArg():
                known = path in self.infer.assumptions.statics
                return Static(arg.value, path) if known else self.string(arg.value, path)
            case HandleArg():
                if arg.method is None:
                    return self._handle(arg.cls, path)
                return self._method(self._handle(arg.cls, (*path, ("attr", "__self__"))), arg.method)
            case StaticArg() if isinstance(arg.value, slice):
                return Slice(Static(arg.value.start), Static(arg.value.stop), Static(arg.value.step))
            case StaticArg():
                self.guard_type(arg.value, path)
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
                steps = [(*path, ("nested", arg.nesting), ("item", k)) for k in range(len(arg.extents))]
                parts = zip(arg.nesting.arrays, arg.extents, steps, strict=True)
                columns = [self._column(dtype, extent, step, "ndarray") for dtype, extent, step in parts]
                if arg.nesting.of_tuples:
                    rest = len(arg.nesting.dtypes)
                    columns[-rest:] = [_of_tuples(columns[-rest:])]
                return representations.list_of_argument(self.infer, columns, path)
            case StringsArg():
                return string_inputs.strings(self, arg, path)
            case DictArg():
                pairs = zip(arg.keys, arg.items, strict=True)
                entries = {k: self.argument(a, (*path, ("item", k))) for k, a in pairs}
                return self.infer.heap.new_captured(arg.cls, entries, path)
            case ObjectArg():
                self.guard_class(arg.cls)
                pairs = zip(arg.names, arg.items, strict=True)
                fields = Fields({k: self.argument(a, (*path, ("attr", k))) for k, a in pairs})
                return self.infer.heap.new_argument(arg.cls, fields, path)
            case FunctionArg():
                items = self._parts(arg, path)
                count, named = len(arg.variables), len(arg.variables) + arg.defaults
                around = {FUNCTION_KEY: Static(arg.source.function), **dict(zip(arg.variables, items, strict=False))}
                by_name = dict(zip(arg.keyword_defaults, items[named:], strict=True))
                self.infer.heap.next_key += 1
                return Function(arg.source, around, items[count:named], by_name, key=self.infer.heap.next_key)
            case RangeArg():
                made = Range if arg.cls is range else Slice
                names = ("start", "stop", "step")
                return made(*(self.argument(a, (*path, ("attr", k))) for k, a in zip(names, arg.items, strict=True)))
            case BoundArg():
                function, *items = self._parts(arg, path)
                count = len(items) - len(arg.names)
                return Bound(function, tuple(items[:count]), tuple(zip(arg.names, items[count:], strict=True)))

    def _parts(self, arg: FunctionArg | BoundArg, path: Path) -> tuple[Value, ...]:
        """What a function that is an argument holds."""
        return tuple(self.argument(a, (*path, *steps)) for a, steps in zip(arg.items, arg.steps, strict=True))

    def box(self, path: Path, contents: tuple[int, ...]) -> Var:
        """The address of a list, dict or set whose contents are described by words."""
        var = self.param(path, INT, "box", True, None)
        self.records[-1] = _Record(var, path, "box", True, None, contents)
        return var

    def _handle(self, cls: type, path: Path) -> Handle:
        """An object of which the class alone is known."""
        self.guard_class(cls)
        return Handle(self.param(path, INT, "handle", True, None), cls)

    def _method(self, handle: Handle, name: str) -> Value:
        """A method of a generator."""
        return abstract.attribute(self.infer, handle, name)

    def _captured_method(self, obj: Any, path: Path) -> Value:
        """A method of a generator: which object it is of may change."""
        guards = self.infer.guards
        guards[(*path, ("type", None))] = type(obj)
        guards[(*path, ("attr", "__name__"))] = obj.__name__
        if isinstance(obj, MethodType):
            guards[(*path, ("attr", "__func__"))] = obj.__func__
        handle = self._captured_handle(obj.__self__, (*path, ("attr", "__self__")))
        assert isinstance(handle, Handle)
        return self._method(handle, obj.__name__)

    def _captured_handle(self, obj: Any, path: Path) -> Value:
        known = self._captured.get(path)
        if known is None:
            self.infer.guards[(*path, ("type", None))] = type(obj)
            known = self._captured[path] = self._handle(type(obj), path)
        return known

    def string(self, value: str | bytes, path: Path) -> String:
        """A str or bytes, of whatever length it is at each call."""
        cls = type(value)
        var = self.param(path, column_type(cls, fresh_symbol()), cls.__name__, True, None)
        self.infer.lies_in_order(var)
        self.strings[var] = value
        self.string_paths[path] = value
        return String(var, cls, frozenset([path]))

    def _column(self, dtype: DType, extent: Dim, path: Path, category: str = "list") -> Buffer:
        """What a list of numbers holds that is passed as an array."""
        var = self.param(path, TensorType(dtype, (extent,)), category, True, None)
        self.infer.lies_in_order(var)
        return Buffer(self.infer.extent(extent), NumberForm(_SCALAR_OF[dtype]), (var,))

    def captured(self, obj: Any, path: Path, *, numbers_static: bool = False) -> Value:
        """The abstract value of an object the program reads at `path`. With `numbers_static`, ints and bools are
        guarded constants (the configuration of objects), else run-time values."""
        cls = type(obj)
        if cls in SCALARS and not (numbers_static and cls is not float) and path not in self.infer.assumptions.statics:
            return self._captured_number(obj, path)
        if cls in (str, bytes) and self._is_of_run(path, numbers_static):
            return self._captured_string(obj, path)
        if isinstance(obj, str | bytes | type(None)) or cls in SCALARS or isinstance(obj, type):
            return self._guarded(obj, path)
        if is_generator(obj):
            return self._captured_handle(obj, path)
        if method_name(obj) is not None:
            return self._captured_method(obj, path)
        described = self.infer.environment.describe(obj)
        if isinstance(described, ArrayArg):
            known = self._captured.get(id(obj))
            if known is None:
                self._alive.append(obj)
                known = self._captured[id(obj)] = self._array(described, path, obj)
            return known
        is_tuple = cls is tuple or (isinstance(obj, tuple) and hasattr(cls, "_fields"))
        if is_tuple or plain_class(cls) in (list, set, dict):
            return self._captured_container(obj, path, numbers_static)
        return self._captured_box(obj, path) or self._guarded(obj, path)

    def _require_items_alone(self, cls: type) -> None:
        if cls is not tuple:
            self.guard_class(cls)
            classes.require_items_alone(self.infer, cls)

    def captured_item(self, container: Static, key: Any, item: Any) -> Value:
        """An item of a container object known at compile time."""
        if container.path is None or isinstance(
            container.value, set | frozenset | type
        ):  # whose items are part of the key
            return self.constant(item)
        return self.captured(item, (*container.path, ("item", key)), numbers_static=True)

    def constant(self, obj: Any, *, new: bool = False) -> Value:
        """The abstract value of an object that belongs to the program itself: a function's default, or (`new`) the
        result of a call made now, which nothing else refers to."""
        described = None if type(obj) in SCALARS else self.infer.environment.describe(obj)
        if isinstance(described, ArrayArg):
            return self.captured(obj, ("constant", id(obj)))
        if is_generator(obj):
            return self._captured_handle(obj, ("object", Identity(obj)))
        if type(obj) is tuple:
            self._count_tuple()
            return Tuple(tuple(self.constant(v, new=new) for v in obj))
        if type(obj) in (list, dict, set) and not new:
            return self._captured_container(obj, ("object", Identity(obj)), True)
        if type(obj) is list:
            return self.infer.heap.new(list, tuple(self.constant(v, new=True) for v in obj))
        if type(obj) is dict:
            return self.infer.heap.new(dict, {k: self.constant(v, new=True) for k, v in obj.items()})
        self.guard_type(obj, ("object", Identity(obj)))
        return Static(obj)

    def guard_function(self, function: FunctionType) -> None:
        """Hold a specialisation to a function's code and its parameters' defaults; the library's own do not change."""
        if is_librarys(function):
            return
        path = ("object", Identity(function))
        for name in ("__code__", "__defaults__", "__kwdefaults__"):
            self.infer.guards[(*path, ("attr", name))] = getattr(function, name)
        for name, default in (function.__kwdefaults__ or {}).items():
            self.infer.guards["object", Identity(function.__kwdefaults__), ("entry", name)] = default

    def guard_setting(self, name: str) -> None:
        """Hold a specialisation to the value that a setting has."""
        self.infer.guards["object", Identity(settings), ("attr", name)] = getattr(settings, name)

    def guard_builtin(self, function: FunctionType, path: Path, held: Any) -> None:
        """Hold a specialisation to what a function finds among Python's builtins, and not among its globals."""
        if not is_librarys(function):
            self.infer.guards[path] = held

    def guard_absent(self, path: Path) -> None:
        """Hold a specialisation to a variable of a function having no value."""
        self.infer.guards[path] = ABSENT

    def guard_class(self, cls: type) -> None:
        """Hold a specialisation to what a class defines, and does not define; the library's own stay as they are."""
        path = ("object", Identity(cls), ("definition", None))
        if path in self.infer.guards or not may_change(cls):
            return
        if not is_librarys(cls) or hasattr(cls, "__jitcore_call__"):
            self.infer.guards[path] = Definition.of(cls)

    def guard_type(self, obj: Any, path: Path) -> None:
        """Hold a specialisation to an object's class and what that defines; to what a class itself defines, too."""
        cls = type(obj)
        if may_change(cls) and not (is_librarys(cls) and not hasattr(cls, "__jitcore_call__")):
            self.infer.guards[(*path, ("type", None))] = cls
            self.guard_class(cls)
        if isinstance(obj, type):
            self.guard_class(obj)

    def guard_kinship(self, cls: type, wanted: Any) -> None:
        """Hold a specialisation to what `issubclass` says of a user's class and abstract ones, or several of them."""
        for one in wanted if isinstance(wanted, tuple) else attribute_of(wanted, "__args__", (wanted,)):
            if isinstance(one, tuple):
                self.guard_kinship(cls, one)
            elif (
                isinstance(one, type) and may_change(cls) and type(one).__subclasscheck__ is not type.__subclasscheck__
            ):
                kinship = Kinship(cls, one)
                self.infer.guards["object", Identity(kinship), ("attr", "holds")] = kinship.holds

    def guard_method(self, value: Static, name: str) -> None:
        """Hold a specialisation to an object having no attribute of its own in place of a method of its class."""
        obj = value.value
        if has_attribute(obj, "__dict__"):
            path = value.path if value.path is not None else ("object", Identity(obj))
            self.infer.guards[(*path, ("own", name))] = False

    def guard_attribute(self, value: Static, name: str, there: bool) -> None:
        """Hold a specialisation to an object having an attribute, or not having it."""
        path = value.path if value.path is not None else ("object", Identity(value.value))
        self.guard_type(value.value, path)
        self.infer.guards[(*path, ("has", name))] = there

    def _guard_structure(self, obj: Any, path: Path) -> None:
        self.infer.guards[(*path, ("structure", None))] = structure(obj)

    def _guarded(self, obj: Any, path: Path) -> Static:
        self.infer.guards[path] = obj
        self.guard_type(obj, path)
        return Static(obj, path)

    def _captured_number(self, obj: Any, path: Path) -> Number:
        known = self._captured.get(path)
        if known is None:
            type_ = SCALARS[type(obj)]
            var = self.param(path, type_, "number", True, None)
            self.numbers[var] = obj
            self._number_paths[var] = path
            known = self._captured[path] = Number(var, type_, None, frozenset([path]))
        assert isinstance(known, Number)
        return known

    def fix(self, number: Var) -> bool:
        """A number is compiled for what it is; whether it is read outside, guarded, and not an argument."""
        path = self._number_paths.get(number)
        if path is None:
            return False
        self._guarded(self.numbers[number], path)
        self._fixed.add(number)
        return True

    def fixed(self, number: Atom, otherwise: Any) -> Any:
        """What a number is that was fixed."""
        return self.numbers[number] if isinstance(number, Var) and number in self._fixed else otherwise

    def without_fixed(self, entry: Graph, modules: Mapping[str, Graph]) -> Graph:
        """The entry's graph without the numbers compiled for what they are and not used as values of the run."""
        if not self._fixed:
            return entry
        graphs = [inner for graph in (entry, *modules.values()) for inner in all_graphs(graph)]
        used = {atom for graph in graphs for atom in (*graph.results, *(a for b in graph.body for a in b.args))}
        unused = self._fixed - used
        self.records = [r for r in self.records if r.var not in unused]
        return replace(entry, params=tuple(p for p in entry.params if p not in unused))

    def _is_of_run(self, path: Path, numbers_static: bool) -> bool:
        """Whether a string that the program reads is a value of the run: a variable's, or one that has changed."""
        is_variable = not numbers_static and len(path) == 3 and path[0] in ("global", "free")
        return is_variable or path in self.infer.assumptions.changing

    def _captured_string(self, obj: str | bytes, path: Path) -> Value:
        if path in self.infer.assumptions.statics:
            return self._guarded(obj, path)
        known = self._captured.get(path)
        if known is None:
            known = self._captured[path] = self.string(obj, path)
        return known

    def _count_tuple(self) -> None:
        """A tuple of the code outside is decomposed wherever it is reached."""
        self._tuples_read += 1
        if self._tuples_read > _MOST_TUPLES:
            what = f"reading tuples in tuples, {_MOST_TUPLES} when each is counted wherever it is met"
            raise self.infer.unsupported(what, "an array, or a list in the place of what is there many times")

    def _captured_container(self, obj: Any, path: Path, numbers_static: bool) -> Value:
        if (made := self._captured_box(obj, path)) is not None:
            return made
        if id(obj) in self._being_read:
            what = f"a {type(obj).__name__} that holds itself, read from outside, is not supported in compiled code"
            raise self.infer.unsupported(what, "containers without cycles")
        if len(self._being_read) == _DEEPEST:
            what = f"reading containers from outside that are nested more than {_DEEPEST} deep"
            raise self.infer.unsupported(what, "arrays, or objects")
        self._being_read.add(id(obj))
        try:
            return self._read_container(obj, path, numbers_static)
        finally:
            self._being_read.remove(id(obj))

    def _captured_box(self, obj: object, path: Path) -> Boxed | None:
        """A container of the code outside in a box."""
        known = self._captured.get(id(obj))
        if known is None and (made := boxed.captured(self.infer, obj, path)) is not None:
            self._alive.append(obj)
            self.infer.guards[(*path, ("type", None))] = type(obj)
            known = self._captured[id(obj)] = made
        return known if isinstance(known, Boxed) else None

    def _read_container(self, obj: Any, path: Path, numbers_static: bool) -> Value:
        if isinstance(obj, tuple):
            self._guard_structure(obj, path)
            self._require_items_alone(type(obj))
            self._count_tuple()
            items = (self.captured(v, (*path, ("item", k)), numbers_static=numbers_static) for k, v in enumerate(obj))
            return Tuple(tuple(items), type(obj))
        known = self._captured.get(id(obj))
        if known is None and path in self.infer.assumptions.columns:
            known = self._captured_column(obj, path)
        elif known is None:
            self._alive.append(obj)
            self._guard_structure(obj, path)
            if isinstance(obj, dict):
                contents: Any = {
                    k: self.captured(v, (*path, ("item", k)), numbers_static=numbers_static) for k, v in obj.items()
                }
            elif isinstance(obj, set):  # whose items are its structure
                contents = tuple(map(self.constant, obj))
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

    def origins(self) -> set[Origin]:
        """Those of the arrays that are inputs."""
        return set(self._origins)

    def is_argument(self, key: int) -> bool:
        """Whether a list or dict of the code outside is an argument or in one: a call's class has its structure."""
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
        self._origins.add(origin)
        written = origin in self.infer.assumptions.refs
        var = self.param(path, RefType(type_) if written else type_, arg.category, arg.contiguous, source)
        if arg.contiguous:
            self.infer.lies_in_order(var)
        return Array(var, arg.category, frozenset([origin]), path, source)

    def param(self, path: Path, type_: Any, category: str, contiguous: bool, source: Any) -> Var:
        """A new parameter of the entry graph."""
        var = param_for(self.infer, self.builder, source, name_of(path), type_, self.builder.graph_span)
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
                r.contents,
            )
            for r in self.records
        )


def _of_tuples(columns: Sequence[Buffer]) -> Buffer:
    """A list of tuples of numbers, from lists of their items."""
    element = CompositeForm(Tuple, tuple, tuple(column.element for column in columns if column.element is not None))
    return Buffer(columns[0].length, element, tuple(atom for column in columns for atom in column.columns))
