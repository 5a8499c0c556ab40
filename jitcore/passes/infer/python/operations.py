"""What each operator of untyped ANF does to abstract values."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeGuard

from jitcore.ir.nodes import Binding, Graph
from jitcore.passes.infer.domain import abstract, array_operations, boxed, mixed, sequences, string_forms, texts
from jitcore.passes.infer.domain.forms import Form, NumberForm, Same, same_value
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    ITERATORS,
    UNDEFINED,
    Array,
    Bound,
    Boxed,
    Builtin,
    Cell,
    Char,
    Function,
    Handle,
    Instance,
    Iterator,
    Maybe,
    Number,
    PythonError,
    Raised,
    Reference,
    Sequence,
    Slice,
    Static,
    Stream,
    Text,
    Tuple,
    Undefined,
    Union,
    Value,
)
from jitcore.passes.infer.engine import (
    branching,
    classes,
    dialect,
    known_values,
    numbers,
    paths_taken,
    rows,
)
from jitcore.passes.infer.engine.branching import StructuresDifferError
from jitcore.passes.infer.engine.core import Infer
from jitcore.passes.infer.engine.handlers import Env, env_function, handles, is_in_library
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.passes.infer.python import (
    attributes,
    comparisons,
    container_operators,
    containers,
    items,
    methods,
    objects,
    pools,
    string_comparison,
    strings,
)
from jitcore.primitives.core.dialects import meanings_of
from jitcore.primitives.ops import conversions, python_ints
from jitcore.types import BOOL, COMPLEX, FLOAT, INT, f64

if TYPE_CHECKING:
    pass

_IN_PLACE: dict[type, tuple[str, ...]] = {list: ("*",), set: ("|", "&", "-", "^")}
"""The augmented assignments that change a container, besides `+=` of a list and `|=` of a dict."""

# --- names ------------------------------------------------------------------------------------------


def global_of(infer: Infer, function: FunctionType, name: str) -> Value:
    """A global or builtin of a function."""
    path = ("global", function, name)
    if name in function.__globals__:
        return infer.inputs.captured(function.__globals__[name], path)
    names: dict[str, Any] = function.__builtins__
    if name not in names:
        infer.inputs.guard_absent(path)
        raise PythonError(NameError(f"name '{name}' is not defined"))
    held = names[name]
    if getattr(builtins, name, path) is not held:  # not Python's own: it was added, or is the function's alone
        return infer.inputs.captured(held, path)
    infer.inputs.guard_builtin(function, path, held)
    return Static(held)


@handles("py_global")
def _global(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    return global_of(infer, env_function(env), b.params["name"])


@handles("py_free")
def _free(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    function, name = env_function(env), b.params["name"]
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    try:
        held = cells[name].cell_contents
    except ValueError:
        infer.inputs.guard_absent(("free", function, name))
        message = f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
        raise PythonError(NameError(message)) from None
    return infer.inputs.captured(held, ("free", function, name))


@handles("py_cell", unions=True)
def _cell(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    return infer.heap.new_cell(values[0] if values else UNDEFINED)


@handles("py_cell_get")
def _cell_get(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    (cell,) = values
    assert isinstance(cell, Cell)
    if b.params.get("raw"):
        return infer.heap.contents(cell.key)
    return _defined_value(
        infer, infer.heap.contents(cell.key), b.params["name"], free=bool(b.params.get("free", False))
    )


@handles("py_cell_set", unions=True)
def _cell_set(infer: Infer, b: Binding, values: list[Value], env: Env) -> list[Value]:
    cell, value = values
    assert isinstance(cell, Cell)
    infer.heap.store(cell.key, value)
    return []


@handles("py_defined", unions=True)
def _defined(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    if b.params.get("certain") and isinstance(values[0], Maybe):
        return values[0].value
    return _defined_value(infer, values[0], b.params["name"], free=bool(b.params.get("free", False)))


def _defined_value(infer: Infer, value: Value, name: str, free: bool) -> Value:
    if not isinstance(value, Undefined | Maybe):
        return value
    if free:
        cls: type[NameError] = NameError
        message = f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
    else:
        cls = UnboundLocalError
        message = f"cannot access local variable '{name}' where it is not associated with a value"
    if isinstance(value, Undefined):
        raise PythonError(cls(message))
    infer.emit_all(conversions.check, value.defined, exception=cls.__name__, message=message)
    return value.value


# --- attributes and items ---------------------------------------------------------------------------


@handles("py_getattr")
def _getattr(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    return abstract.attribute(infer, values[0], b.params["name"])


@handles("py_setattr", unions=True)
def _setattr(infer: Infer, b: Binding, values: list[Value], env: Env) -> list[Value]:
    abstract.set_attribute(infer, values[0], b.params["name"], values[1])
    return []


@handles("py_delattr")
def _delattr(infer: Infer, b: Binding, values: list[Value], env: Env) -> list[Value]:
    attributes.delete(infer, values[0], b.params["name"])
    return []


@handles("py_getitem")
def _getitem(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    return abstract.item(infer, values[0], values[1])


@handles("py_setitem", unions=True)
def _setitem(infer: Infer, b: Binding, values: list[Value], env: Env) -> list[Value]:
    kept = mixed.is_stored_whole(infer, values[0], values[2])

    def store(apart: list[Value]) -> list[Value]:
        abstract.set_item(infer, apart[0], apart[1], values[2] if kept else apart[2])
        return []

    return infer.distribute(values[:2] if kept else values, store)


@handles("py_delitem")
def _delitem(infer: Infer, b: Binding, values: list[Value], env: Env) -> list[Value]:
    items.delete(infer, values[0], values[1])
    return []


@handles("py_slice")
def _slice(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    return Slice(*values)


# --- arithmetic -------------------------------------------------------------------------------------


@abstract.binary.model
def binary(infer: Infer, op: str, x: Value, y: Value) -> Value:
    """`x op y`."""
    if isinstance(x, Union | Maybe) or isinstance(y, Union | Maybe):
        return infer.distribute([x, y], lambda vs: [abstract.binary(infer, op, *vs)])[0]
    if not (isinstance(x, Static) and isinstance(y, Static)):
        x, y = objects.as_numbers(op, x, y)
    if numbers.type_of_number(x) is not None and numbers.type_of_number(y) is not None:
        return numbers.binary(infer, op, x, y)
    users = classes.is_users(x) or (classes.is_users(y) and not isinstance(x, Array))
    if users and (made := objects.binary(infer, op, x, y)) is not None:  # before what sequences do
        return made
    if numbers.type_of_number(x) is COMPLEX and _is_float(y):
        return numbers.binary(infer, op, x, Number(infer.emit(conversions.to_scalar, infer.read(y)), FLOAT))
    if op == "*":
        x, y = (_times(infer, count, sequence) for count, sequence in ((x, y), (y, x)))
    if isinstance(x, Array) or isinstance(y, Array):
        if classes.is_users(y) and not sequences.static_sequence(y):
            return _of_array_and_object(infer, op, x, y)
        return array_operations.binary(infer, op, x, y)
    made = container_operators.binary(infer, op, x, y)
    made = objects.binary(infer, op, x, y) if made is None else made
    if made is not None:
        return made
    if isinstance(x, Static) and isinstance(y, Static):
        return objects.fold(infer, f"'{op}'", numbers.BINARY[op], x, y)
    raise refusal(infer, f"'{op}'", numbers.BINARY[op], x, y)


def _is_float(value: Value) -> TypeGuard[Array]:
    """Whether a value is a NumPy scalar that is a Python float, too: a complex number left of it computes with it as
    with one."""
    return isinstance(value, Array) and value.category == "npscalar" and value.type.dtype is f64


def _times(infer: Infer, count: Value, sequence: Value) -> Value:
    """A factor of a product: NumPy's scalars repeat sequences, as ints do."""
    if not isinstance(count, Array) or count.category != "npscalar" or not _is_repeated(sequence):
        return count
    if not count.type.dtype.is_integer:
        kind = type_name(count)
        raise PythonError(TypeError(f"can't multiply sequence by non-int of type '{kind}'"))
    return abstract.index(infer, count)


def _is_repeated(value: Value) -> bool:
    if isinstance(value, Static):
        return isinstance(value.value, str | bytes | tuple | list)
    return (isinstance(value, Tuple) and issubclass(value.cls, tuple)) or (
        isinstance(value, Reference) and value.kind is list
    )


def _of_array_and_object(infer: Infer, op: str, x: Value, y: Value) -> Value:
    """`x op y` for an array and an object of a user's class: a Tensor leaves it to the object."""
    made = objects.binary(infer, op, x, y) if type_name(x) == "Tensor" else None
    if made is None:  # NumPy makes an array of objects of it
        kind = type_name(y)
        raise infer.unsupported(f"'{op}' of an array and a {kind}", "a method of the object, called")
    return made


@handles("py_binary")
def _binary(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    made = abstract.binary(infer, b.params["op"], *values)
    return boxed.settled(infer, made) if infer.uses_boxes and isinstance(made, Text) else made


@handles("py_inplace")
def _inplace(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    target, operand = values
    op = b.params["op"]
    if isinstance(target, Boxed):
        return boxed.inplace(infer, op, target, operand)
    if isinstance(target, Array) and target.category != "npscalar":
        if not meanings_of(target.category).augments_in_place and not target.keeps_memory:
            return array_operations.binary(infer, op, target, operand)
        return array_operations.inplace(infer, op, target, operand)
    if isinstance(target, Reference) and target.kind is list and op == "+" and not isinstance(operand, Array):
        methods.extend(infer, target, operand)
        return target
    if isinstance(target, Reference) and target.kind is dict and op == "|":
        methods.update(infer, target, operand)
        return target
    scalars = [isinstance(v, Array) and v.category == "npscalar" for v in values]
    if op == "@" and all(scalars):
        raise refusal(infer, "'@='", operator.imatmul, target, operand)
    made = objects.inplace(infer, op, target, operand)
    made = _updated(infer, op, target, operand) if made is None else made
    if isinstance(target, Reference) and op in _IN_PLACE.get(target.kind, ()) and isinstance(made, Reference):
        methods.change(infer, target, infer.heap.contents(made.key))  # the same object, whoever else holds it
        return target
    return made


def _updated(infer: Infer, op: str, target: Value, operand: Value) -> Value:
    """`target op operand` where that is written `target op= operand`, as Python's message has it."""
    try:
        return abstract.binary(infer, op, target, operand)
    except PythonError as error:
        words = str(error.error)
        begin = f"unsupported operand type(s) for {'** or pow()' if op == '**' else op}: "
        others = any(isinstance(v, Array) or classes.is_users(v) for v in (target, operand))
        if others or not words.startswith(begin):
            raise
        raise PythonError(TypeError(f"unsupported operand type(s) for {op}=: {words.removeprefix(begin)}")) from None


@handles("py_unary")
def _unary(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    return unary(infer, b.params["op"], values[0])


def unary(infer: Infer, op: str, value: Value) -> Value:
    """`op value`."""
    if numbers.type_of_number(value) is not None:
        return numbers.unary(infer, op, value)
    if isinstance(value, Array):
        return array_operations.unary(infer, op, value)
    made = boxed.unary(infer, op, value) if isinstance(value, Boxed) else objects.unary(infer, op, value)
    if made is not None:
        return made
    if isinstance(value, Static):
        return objects.fold(infer, f"'{op}'", numbers.UNARY[op], value)
    raise refusal(infer, f"unary '{op}'", numbers.UNARY[op], value)


# --- truth and comparison ---------------------------------------------------------------------------


@abstract.truth.model
def truth(infer: Infer, value: Value) -> Value:
    """`bool(value)` as `if` does it."""
    match value:
        case Union() | Maybe():
            return infer.distribute([value], lambda vs: [abstract.truth(infer, vs[0])])[0]
        case Number():
            return numbers.truth(infer, value)
        case Array():
            return array_operations.truth(infer, value)
        case Static():
            made = objects.truth(infer, value)
            if made is not None:
                return truth(infer, made)
            if not hasattr(type(value.value), "__len__") and not hasattr(type(value.value), "__bool__"):
                return Static(True)
            return objects.fold(infer, "the truth value", bool, value)
        case Instance():
            made = objects.truth(infer, value)
            return Static(True) if made is None else truth(infer, made)
        case Tuple():
            return Static(bool(value.items) or value.cls in ITERATORS)
        case Reference() if infer.heap.buffer(value) is None:
            return Static(bool(infer.heap.contents(value.key)))
        case Text():
            if any(part for part in value.template.split("{") if part.split("}")[-1]):
                return Static(True)
            raise infer.unsupported("whether this string is empty depends on values of the run")
        case Char():
            return Static(True)
        case Function() | Bound() | Builtin() | Raised() | Slice() | Iterator() | Stream() | Handle():
            return Static(True)
        case _:
            length = containers.length(infer, value)
            return compare(infer, "!=", length, Static(0))


@handles("py_truth")
def _truth(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    return abstract.truth(infer, values[0])


@handles("py_not")
def _not(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    return not_(infer, abstract.truth(infer, values[0]))


@abstract.not_.model
def not_(infer: Infer, value: Value) -> Value:
    """The negation of a truth value."""
    known = infer.truth(value)
    if isinstance(known, bool):
        return Static(not known)
    return infer.number(infer.emit(python_ints.bool_not, known), value)


@abstract.compare.model
def compare(infer: Infer, op: str, x: Value, y: Value) -> Value:
    """`x op y` for any comparison."""
    if isinstance(x, Union | Maybe) or isinstance(y, Union | Maybe):
        return infer.distribute([x, y], lambda vs: [abstract.compare(infer, op, *vs)])[0]
    if op in ("is", "isnot"):
        same = _is(infer, x, y)
        return same if op == "is" else not_(infer, same)
    if op in ("in", "notin"):
        found = container_operators.contains(infer, y, x)
        return found if op == "in" else not_(infer, truth(infer, found))
    if not (isinstance(x, Static) and isinstance(y, Static)):
        x, y = objects.as_numbers(op, x, y)
    if numbers.type_of_number(x) is not None and numbers.type_of_number(y) is not None:
        return numbers.compare(infer, op, x, y)
    if (isinstance(x, Array) or isinstance(y, Array)) and not isinstance(x, Instance):
        return array_operations.compare(infer, op, x, y)
    made = objects.compare(infer, op, x, y)
    if made is not None:
        return made
    if texts.are_strings(x, y):
        return string_comparison.compare(infer, op, x, y)
    if isinstance(x, Handle) and isinstance(y, Handle | Static) and op in ("==", "!="):
        if isinstance(y, Static) and y.value is not None:
            raise infer.unsupported(f"'{op}' between a {x.cls.__name__} and this object", "is")
        same = _is(infer, x, y)
        return same if op == "==" else not_(infer, same)
    if isinstance(x, Instance) or isinstance(y, Instance):
        if op not in ("==", "!="):
            raise refusal(infer, f"'{op}'", numbers.COMPARE[op], x, y)
        same = _is(infer, x, y)
        return same if op == "==" else not_(infer, same)
    if isinstance(x, Static) and isinstance(y, Static) and not sequences.is_mutable(x, y):
        if op in ("==", "!=") and _compares_by_identity(x.value) and _compares_by_identity(y.value):
            return Static((x.value is y.value) is (op == "=="))
        return objects.fold(infer, f"'{op}'", numbers.COMPARE[op], x, y)
    if isinstance(x, Sequence) or isinstance(y, Sequence):
        raise infer.unsupported(f"'{op}' of what is gone through at run time, as a view of a dict", "a list of it")
    return comparisons.compare(infer, op, x, y)


def _compares_by_identity(obj: Any) -> bool:
    return type(obj).__eq__ is object.__eq__


def _are_numpys_numbers(x: Value, y: Value) -> bool:
    return type_name(x) == type_name(y) and any(isinstance(v, Array) and v.category == "npscalar" for v in (x, y))


def _is(infer: Infer, x: Value, y: Value) -> Value:
    in_box = any(isinstance(v, Boxed) and boxed.class_of(v) is str for v in (x, y))
    if (texts.of_run(x) and texts.of_run(y)) or (in_box and type_name(x) == type_name(y)):
        raise infer.unsupported("'is' between strings", "==")
    if texts.are_strings(x, y):
        x, y = known_values.all_known(infer, (x, y), "a string that 'is' asks for")
    if isinstance(x, Static) and isinstance(y, Static):
        same = type(x.value) is type(y.value) and isinstance(x.value, int | str) and x.value == y.value
        return Static(x.value is y.value or same)
    type_ = numbers.type_of_number(x)
    if type_ in (BOOL, INT) and type_ is numbers.type_of_number(y):  # True, False and small ints exist once
        return numbers.compare(infer, "==", x, y)
    if infer.uses_boxes and _are_numpys_numbers(x, y) and not same_value(x, y):
        raise infer.unsupported("'is' between numbers of NumPy's", "==")
    if isinstance(x, Boxed) and isinstance(y, Boxed) and boxed.class_of(x) is boxed.class_of(y) is not str:
        return numbers.compare(infer, "==", Number(x.atom, INT), Number(y.atom, INT))
    if isinstance(x, Handle) and isinstance(y, Handle) and x.cls is y.cls:
        return numbers.compare(infer, "==", Number(x.atom, INT), Number(y.atom, INT))
    for value, other in ((x, y), (y, x)):
        if isinstance(value, Handle) and isinstance(other, Static) and type(other.value) is value.cls:
            raise infer.unsupported("'is' between generators of which one is known when compiling")
    if isinstance(x, Array) and isinstance(y, Array) and _may_be_one_object(x, y):
        raise infer.unsupported("'is' between two arrays from outside", "np.shares_memory(x, y), called outside")
    one, other = infer.heap.pooled(x), infer.heap.pooled(y)
    if one is not None and other is not None:
        return pools.same(infer, one, other)
    if isinstance(x, Reference) and isinstance(y, Reference) and (infer.heap.is_frozen(x) or infer.heap.is_frozen(y)):
        raise infer.unsupported("'is' between lists, dicts or sets of which one is another on some paths only")
    for value, other in ((x, y), (y, x)):
        is_argument = isinstance(value, Instance) and value.key in infer.heap.arguments
        if is_argument and isinstance(other, Static) and type(other.value) is classes.class_of(value):
            raise infer.unsupported("'is' between an argument and an object from outside")
    if isinstance(x, Instance) and isinstance(y, Instance) and x.cls is y.cls and x.key != y.key:
        row, other = infer.heap.row(x), infer.heap.row(y)
        if row is not None and other is not None:
            one = rows.same(infer, row, other)
            return Static(False) if one is None else one
        for value in (x, y):
            infer.heap.fields(value)  # it must not have been moved
        if infer.heap.is_frozen(x) and infer.heap.is_frozen(y):
            raise infer.unsupported("'is' between objects of which one is another on some paths only")
    return Static(same_value(x, y))


def _may_be_one_object(x: Array, y: Array) -> bool:
    """Whether two inputs may be the same object in some call."""
    if x.path is None or y.path is None or x.atom is y.atom or x.viewed or y.viewed:
        return False
    return x.category == y.category and x.type.dtype is y.type.dtype and x.type.rank == y.type.rank


@handles("py_compare")
def _compare(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    return abstract.compare(infer, b.params["op"], *values)


# --- unpacking and formatting ----------------------------------------------------------------------


@handles("py_unpack")
def _unpack(infer: Infer, b: Binding, values: list[Value], env: Env) -> list[Value]:
    return abstract.unpack(infer, values[0], b.params["before"], b.params["star"], b.params["after"])


@handles("py_format")
def _format(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    template = b.params["template"]
    if infer.notes_paths and not is_in_library(env):
        template, values = dialect.plainly_formatted(infer, template, values)
    made = strings.format_string(infer, template, values)
    return boxed.settled(infer, made) if infer.uses_boxes else made


# --- functions --------------------------------------------------------------------------------------


@handles("py_function", unions=True)
def _function(infer: Infer, b: Binding, values: list[Value], env: Env) -> Value:
    count, names = b.params["defaults"], b.params["keyword_defaults"]
    keyword_defaults = dict(zip(names, values[count:], strict=True))
    infer.heap.next_key += 1
    return Function(b.params["source"], env, tuple(values[:count]), keyword_defaults, key=infer.heap.next_key)


# --- branches ---------------------------------------------------------------------------------------


@handles("cond", unions=True)
def _cond(infer: Infer, b: Binding, values: list[Value], env: Env) -> list[Value]:
    then, orelse = b.graphs
    pred = infer.truth(values[0])
    if isinstance(pred, bool):
        return infer.run(then if pred else orelse, env)

    by_arrays = infer.notes_paths and infer.paths_taken.is_decided_by_arrays(values[0])
    ways = paths_taken.Ways(infer) if by_arrays and not is_in_library(env) else None

    def path(graph: Graph) -> Callable[[], list[Value]]:
        return lambda: infer.run(graph, env) if ways is None else ways.keep(infer.run(graph, env))

    try:
        with paths_taken.decided(infer, by_arrays=by_arrays):
            left = branching.branch(infer, pred, path(then), path(orelse))
    except StructuresDifferError:
        if not _is_knowable(infer, values[0]):
            raise
        infer.need_static(values[0], "the condition")  # which restarts inference with the loops unrolled
        raise
    if any(map(_is_of_unlike_kinds, left)) and _is_knowable(infer, values[0], strings_alone=True):
        infer.need_static(values[0], "the condition")
    if ways is not None:
        infer.paths_taken.from_arrays.update(v.atom for v in left if isinstance(v, Number))
        ways.require_alike()
    return left


def _is_of_unlike_kinds(value: Value) -> bool:
    """Whether a value is one of several of which one is more than a number, a string or None."""
    return isinstance(value, Union) and not all(map(_is_plain, value.members))


def _is_plain(form: Form) -> bool:
    if isinstance(form, Same):
        return isinstance(form.value, Static) and isinstance(
            form.value.value, int | float | complex | str | bytes | None
        )
    return isinstance(form, NumberForm) or string_forms.class_of(form) is not None


def _is_knowable(infer: Infer, condition: Value, *, strings_alone: bool = False) -> bool:
    """Whether a condition is determined by strings that say what is to be done, or by the positions in loops of known
    length."""
    if not isinstance(condition, Number) or not condition.paths:
        return False
    strings = infer.inputs.string_paths if infer.assumptions.knows_strings else {}
    return all(p in strings or (p[0] == "loop" and not strings_alone) for p in condition.paths)
