"""Lists whose length is known only at run time (`python.buffers`) compared with each other, and as arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from jitcore.ir.nodes import Atom
from jitcore.passes.infer.domain import abstract, forms, mixed, representations
from jitcore.passes.infer.domain.columns import extent_of, shape_of, zeros
from jitcore.passes.infer.domain.values import (
    Array,
    Buffer,
    Number,
    Reference,
    Static,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import branching, numbers
from jitcore.passes.infer.engine.loops import Loop, run_loop
from jitcore.passes.infer.python import buffers, list_programs, pools
from jitcore.primitives.core import dialects
from jitcore.primitives.ops import copying, elementwise, python_ints
from jitcore.types import BOOL, FLOAT, INT, DType, TensorType, bool_, c128, f32, f64, i64

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


_WIDER: Final = (c128, f64, i64, bool_)
"""Dtypes of which each has what those behind it have."""


def equal(infer: Infer, a: Value, b: Value) -> Value:
    """`a == b` where either is a list whose length is known only at run time."""
    if not all(isinstance(v, Reference) and v.kind is list for v in (a, b)):
        return Static(False)
    if forms.same_value(a, b):
        return Static(True)
    x, y = (_buffer_of(infer, v) for v in (a, b))

    same_length = numbers.compare(infer, "==", x.length, y.length)
    if x.element is None or y.element is None:
        return same_length

    def test(values: list[Value]) -> Value:
        return numbers.both(infer, numbers.compare(infer, "<", values[0], x.length), values[1])

    def body(values: list[Value]) -> list[Value]:
        same = abstract.compare(
            infer,
            "==",
            representations.item_of_list(infer, x, values[0]),
            representations.item_of_list(infer, y, values[0]),
        )
        return [numbers.binary(infer, "+", values[0], Static(1)), abstract.truth(infer, same)]

    return run_loop(infer, Loop("equal", body, test), [Static(0), same_length])[1]


@representations.array_of_list.model
def as_array(infer: Infer, buffer: Buffer) -> Value:
    """The array NumPy makes of a list of numbers or of arrays of one shape."""
    if isinstance(buffer.element, forms.PooledForm):
        return pools.as_array(infer, buffer)
    found = [c.atom for c in representations.items_of_list(infer, buffer)]
    values = found[0] if len(found) == 1 else mixed.of_one_dtype(buffer.element, found)
    if isinstance(buffer.element, forms.MixedForm) and values is None:
        return _of_mixed(infer, buffer, buffer.element)
    if values is None or isinstance(buffer.element, forms.CompositeForm | forms.Same):
        raise infer.unsupported("an array made of this list, whose length is known only at run time")
    element = buffer.element
    category = element.category if isinstance(element, forms.ArrayForm) and element.is_tensor else "ndarray"
    return Array(infer.emit(copying.copy, values), category)


def _of_mixed(infer: Infer, buffer: Buffer, element: forms.MixedForm) -> Value:
    """The array of numbers of several dtypes: of the widest of those that there are among them."""
    dtypes, categories = mixed.dtypes_of(element), [c for _, _, c in mixed.kinds_in(element).values()]
    if any(dtype not in _WIDER for dtype in dtypes.values()) or any(map(dialects.is_tensor, categories)):
        raise infer.unsupported("an array made of this list of several types, whose length is known only at run time")
    items = infer.heap.new(list, buffer)
    which = infer.heap.new(list, Buffer(buffer.length, forms.NumberForm(INT), buffer.columns[:1]))

    def made(dtype: DType) -> Value:
        array = abstract.call(infer, Static(list_programs.as_dtype), [items, Static(dtype.numpy.type)], {})
        assert isinstance(array, Array)
        return Array(infer.emit(copying.copy, infer.read(array)), "ndarray")

    def of(rest: Sequence[DType]) -> Value:
        if len(rest) == 1:
            return made(rest[0])
        wanted = tuple(Static(kind) for kind, dtype in dtypes.items() if dtype is rest[0])
        some = infer.truth(abstract.call(infer, Static(list_programs.has_any), [which, Tuple(wanted)], {}))
        if isinstance(some, bool):
            return made(rest[0]) if some else of(rest[1:])
        return branching.branch(infer, some, lambda: [made(rest[0])], lambda: [of(rest[1:])])[0]

    return of([dtype for dtype in _WIDER if dtype in dtypes.values()])


@representations.column_of_list.model
def column(infer: Infer, buffer: Buffer) -> Atom:
    """The items of a list of numbers or of NumPy's scalars, for host code that shows them."""
    if buffer.element is None:
        return zeros(infer, TensorType(f64, (0,)))
    if not isinstance(buffer.element, forms.NumberForm | forms.ArrayForm) or any(
        len(shape_of(c)) > 1 for c in buffer.columns
    ):
        raise infer.unsupported(
            "the text of this list, whose length is known only at run time", "its items, one by one"
        )
    made = as_array(infer, buffer)
    assert isinstance(made, Array)
    return made.atom


@representations.operand_of_list.model
def as_operand(infer: Infer, buffer: Buffer) -> Value:
    """A list of arrays as a library function gets it: an array of which they are the rows."""
    if not isinstance(buffer.element, forms.ArrayForm):
        raise infer.unsupported("this use of a list whose length is known only at run time", "an array made of it")
    return as_array(infer, buffer)


@representations.for_numpy.model
def for_numpy(infer: Infer, value: Value) -> Value:
    """A list as the array NumPy makes of it: without items, that is one of floats whatever its items would be."""
    buffer = infer.heap.buffer(value)
    return value if buffer is None else _array_or_nothing(infer, buffer, f64, as_array)


@representations.for_tensor.model
def for_tensor(infer: Infer, value: Value) -> Value:
    """A list of numbers as the array that a Tensor of it is made of: floats, and no items at all, become float32."""

    def made(infer: Infer, held: Buffer) -> Value:
        array = as_array(infer, held)
        assert isinstance(array, Array)
        is_float = array.type.dtype is f64
        return Array(infer.emit(elementwise.cast, array.atom, dtype=f32), "ndarray") if is_float else array

    buffer = infer.heap.buffer(value)
    if buffer is None or not isinstance(buffer.element, forms.NumberForm):
        return value
    return _array_or_nothing(infer, buffer, f32, made)


def _array_or_nothing(infer: Infer, buffer: Buffer, dtype: DType, make: Callable[[Infer, Buffer], Value]) -> Value:
    """The array made of a list's items; if there are none, an empty one of a dtype."""
    if isinstance(buffer.element, forms.NumberForm) and buffer.element.type is FLOAT:
        return make(infer, buffer)
    some = infer.truth(numbers.compare(infer, ">", buffer.length, Static(0)))
    nothing = Array(zeros(infer, TensorType(dtype, (0,))), "ndarray")
    if isinstance(some, bool):
        return make(infer, buffer) if some else nothing
    length = Number(infer.number_atom(buffer.length, INT), INT, extent_of(infer, buffer.length))
    held = Buffer(length, buffer.element, buffer.columns)
    return branching.branch(infer, some, lambda: [make(infer, held)], lambda: [nothing])[0]


def ordered(infer: Infer, op: str, a: Value, b: Value) -> Value:
    """`a < b` and the like: the first items that differ decide; failing those the lengths."""
    x, y = _buffer_of(infer, a), _buffer_of(infer, b)
    by_length = numbers.compare(infer, op, x.length, y.length)
    if x.element is None or y.element is None:
        return by_length
    shorter = numbers.choose(infer, numbers.compare(infer, "<", x.length, y.length), x.length, y.length)

    def differ(index: Value) -> Value:
        same = abstract.compare(
            infer, "==", representations.item_of_list(infer, x, index), representations.item_of_list(infer, y, index)
        )
        return abstract.not_(infer, abstract.truth(infer, same))

    def test(values: list[Value]) -> Value:
        return numbers.both(infer, numbers.compare(infer, "<", values[0], shorter), values[1])

    def body(values: list[Value]) -> list[Value]:
        known = infer.truth(differ(values[0]))
        following = numbers.binary(infer, "+", values[0], Static(1))
        if isinstance(known, bool):
            return [values[0] if known else following, Static(not known)]
        kept = infer.emit(
            python_ints.int_select, known, infer.number_atom(values[0], INT), infer.number_atom(following, INT)
        )
        return [Number(kept, INT), abstract.not_(infer, Number(known, BOOL))]

    at = run_loop(infer, Loop("compare", body, test), [Static(0), Static(True)])[0]
    inside = infer.truth(numbers.compare(infer, "<", at, shorter))

    def by_items() -> list[Value]:
        found = abstract.compare(
            infer, op, representations.item_of_list(infer, x, at), representations.item_of_list(infer, y, at)
        )
        return [abstract.truth(infer, found)]

    if isinstance(inside, bool):
        return by_items()[0] if inside else by_length
    return branching.branch(infer, inside, by_items, lambda: [by_length])[0]


def _buffer_of(infer: Infer, value: Value) -> Buffer:
    """A list's items as a buffer; the list stays as it is."""
    assert isinstance(value, Reference)
    buffer = infer.heap.buffer(value)
    return buffers.of_form(infer, value, buffers.join_all(infer, infer.heap.items(value))) if buffer is None else buffer
