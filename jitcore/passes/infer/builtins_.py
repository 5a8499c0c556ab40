"""Python's builtins, `math`, and classes called as functions, on abstract values."""

from __future__ import annotations

import builtins
import functools
import itertools
import operator
from collections.abc import Callable
from collections.abc import Sequence as Sequence_
from typing import TYPE_CHECKING, Any

import numpy as np

from jitcore.ir.nodes import Literal
from jitcore.passes.infer import (
    abstract,
    arrays,
    attributes,
    buffers,
    characters,
    choosing,
    containers,
    dataclass_calls,
    float_lists,
    instances,
    iteration,
    iterators,
    managers,
    marking,
    mathematics,
    methods,
    numbers,
    numpy_calls,
    numpy_programs,
    objects,
    operations,
    protocols,
    sorting,
    standard_programs,
    stream_iterators,
    streams,
    strings,
)
from jitcore.passes.infer.forms import SCALARS
from jitcore.passes.infer.loops import Loop, run_loop
from jitcore.passes.infer.refusal import refusal
from jitcore.passes.infer.streams import Source
from jitcore.passes.infer.values import (
    UNDEFINED,
    Array,
    Bound,
    Builtin,
    Caught,
    Char,
    Deferred,
    Function,
    Handle,
    Instance,
    Iterator,
    Manager,
    Number,
    PythonError,
    Raised,
    Range,
    Reference,
    Sequence,
    Slice,
    Static,
    Stream,
    String,
    Super,
    Text,
    Tuple,
    Value,
)
from jitcore.primitives import conversions, python_floats
from jitcore.primitives.registry import PRIMITIVES
from jitcore.types import BOOL, COMPLEX, FLOAT, INT, f64, u64

if TYPE_CHECKING:
    from jitcore.passes.infer.core import Infer

Handler = Callable[..., Value]
NONE = Static(None)


_OF_ITERABLES: dict[Any, slice] = {
    **dict.fromkeys([all, any, dict, enumerate, frozenset, list, set, sorted, sum, tuple], slice(1)),
    **dict.fromkeys([filter, functools.reduce], slice(1, 2)),
    map: slice(1, None),
    zip: slice(None),
    itertools.chain.from_iterable: slice(1),
}
"""Which of their arguments builtins go through."""


def with_iterables(infer: Infer, obj: Any, args: Sequence_[Value]) -> Sequence_[Value]:
    """The arguments of a builtin, those objects made in compiled code that it goes through as what they are gone
    through by."""
    if not any(isinstance(a, Instance) for a in args):
        return args
    which = slice(1) if obj in (max, min) and len(args) == 1 else _OF_ITERABLES.get(obj, slice(0))
    made = list(args)
    made[which] = [iterable(infer, a) if isinstance(a, Instance) else a for a in args[which]]
    return made


def handler_of(obj: Any) -> Handler | None:
    """What calling a builtin does to abstract values; None if `obj` is none of those."""
    try:
        return _HANDLERS.get(obj) or float_lists.of_statistics(obj)
    except TypeError:  # unhashable
        return None


def library_function_of(obj: Any) -> Callable[..., Any] | None:
    """The library function that a NumPy function stands for."""
    from jitcore.primitives.functions import module_generators
    from jitcore.primitives.functions.tables import NUMPY_FUNCTIONS

    try:
        return NUMPY_FUNCTIONS.get(obj) or module_generators.function_of(obj)
    except TypeError:
        return None


def _static(function: Callable[..., Any]) -> Handler:
    """A builtin that works on constants only."""

    def call(infer: Infer, *args: Value, **keywords: Value) -> Value:
        objects.require_constant(infer, f"{function.__name__}()", *args)
        known = [infer.need_static(a, f"the argument of {function.__name__}()") for a in args]
        given = {k: infer.need_static(v, f"the argument {k}") for k, v in keywords.items()}
        try:
            return Static(function(*known, **given))
        except Exception as error:
            raise PythonError(error) from None

    return call


# --- numbers ----------------------------------------------------------------------------------------


@abstract.int_.model
def to_int(infer: Infer, value: Value = Static(0), base: Value | None = None) -> Value:
    """`int(value)`."""
    if base is not None or (isinstance(value, Static) and not isinstance(value.value, float)):
        return _static(int)(infer, value) if base is None else _static(int)(infer, value, base)
    if isinstance(value, Array):
        return to_int(infer, _item(infer, value))
    made = objects.special(infer, value, "__int__") or objects.special(infer, value, "__index__")
    if made is not None:
        return made
    type_ = numbers.type_of_number(value)
    if type_ is None or type_ not in (BOOL, INT, FLOAT):
        raise refusal(infer, "int()", int, value)
    if isinstance(value, Static):
        return numbers.fold(int, value.value)
    if type_ is FLOAT:
        return infer.number(infer.emit(python_floats.float_to_int, infer.number_atom(value, FLOAT)), value)
    return value if type_ is INT else infer.number(numbers.convert(infer, value, INT), value)


@abstract.float_.model
def to_float(infer: Infer, value: Value = Static(0.0)) -> Value:
    """`float(value)`."""
    made = objects.special(infer, value, "__float__")
    if made is not None:
        return made
    if isinstance(value, Static):
        return objects.fold(infer, "float()", float, value)
    if isinstance(value, Array):
        return to_float(infer, arrays.item(infer, value, f64 if value.type.dtype is u64 else None))
    type_ = numbers.type_of_number(value)
    if type_ not in (BOOL, INT, FLOAT):
        raise refusal(infer, "float()", float, value)
    return value if type_ is FLOAT else infer.number(numbers.convert(infer, value, FLOAT), value)


def to_complex(infer: Infer, real: Value = Static(0.0), imag: Value | None = None) -> Value:
    """`complex(real, imag)`."""
    made = objects.special(infer, real, "__complex__") if imag is None else None
    if made is not None:
        return made
    if isinstance(real, Static) and (imag is None or isinstance(imag, Static)):
        return numbers.fold(complex, real.value, *([] if imag is None else [imag.value]))
    if isinstance(real, Array):
        real = arrays.item(infer, real, real=False)
    if imag is None:
        if numbers.type_of_number(real) is None:
            raise refusal(infer, "complex()", complex, real)
        return infer.number(numbers.convert(infer, real, COMPLEX), real)
    if COMPLEX in (numbers.type_of_number(real), numbers.type_of_number(imag)):
        return numbers.binary(infer, "+", real, numbers.binary(infer, "*", imag, Static(1j)))
    parts = [infer.number_atom(to_float(infer, part), FLOAT) for part in (real, imag)]
    return infer.number(infer.emit(PRIMITIVES["complex_new"], *parts), real, imag)


def to_bool(infer: Infer, value: Value = Static(False)) -> Value:
    """`bool(value)`."""
    return operations.truth(infer, value)


def _item(infer: Infer, value: Array) -> Value:
    return arrays.item(infer, value)


def _abs(infer: Infer, value: Value) -> Value:
    made = objects.special(infer, value, "__abs__")
    if made is not None:
        return made
    if isinstance(value, Static):
        return objects.fold(infer, "abs()", abs, value)
    if isinstance(value, Array):
        return arrays.call_table(infer, "abs", value)
    type_ = numbers.type_of_number(value)
    if type_ is None:
        raise PythonError(TypeError(f"bad operand type for abs(): '{containers.type_name(value)}'"))
    name = {BOOL: "int", INT: "int", FLOAT: "float"}.get(type_, "complex")
    atom = numbers.convert(infer, value, INT) if type_ is BOOL else infer.number_atom(value, type_)
    return infer.number(infer.emit(PRIMITIVES[f"{name}_abs"], atom), value)


def _pow(infer: Infer, base: Value, exp: Value, mod: Value = NONE) -> Value:
    if mod is NONE:
        return operations.binary(infer, "**", base, exp)
    made = objects.special(infer, base, "__pow__", exp, mod)
    if made is not None:
        return made
    given = (base, exp, mod)
    if all(isinstance(v, Static) for v in given) or not all(numbers.type_of_number(v) in (INT, BOOL) for v in given):
        return _static(pow)(infer, *given)
    atoms = (numbers.convert(infer, v, INT) for v in given)
    return infer.number(infer.emit(PRIMITIVES["int_pow_modulo"], *atoms), *given)


def _divmod(infer: Infer, a: Value, b: Value) -> Value:
    for value, name, other in ((a, "__divmod__", b), (b, "__rdivmod__", a)):
        made = objects.special(infer, value, name, other)
        if made is not None:
            return made
    function = library_function_of(np.divmod)
    if function and any(isinstance(v, Array) for v in (a, b)) and not _has_tensor(a, b):
        return numpy_calls.call_or_refuse(infer, "divmod()", divmod, function, [a, b], {})
    if FLOAT in (numbers.type_of_number(a), numbers.type_of_number(b)) and numbers.type_of_number(b) is not None:
        _require_divisor(infer, b, divmod)
    return Tuple((operations.binary(infer, "//", a, b), operations.binary(infer, "%", a, b)))


def _has_tensor(*values: Value) -> bool:
    return any(isinstance(v, Array) and v.category == "tensor" for v in values)


def _require_divisor(infer: Infer, divisor: Value, function: Callable[[float, float], Any]) -> None:
    """Raise what `function` says of a division of floats by zero."""
    from jitcore.primitives import conversions

    try:
        function(1.0, 0.0)
    except ZeroDivisionError as error:
        message = str(error)
        known = infer.truth(operations.truth(infer, divisor))
        if known is False:
            raise PythonError(error) from None
        if known is not True:
            infer.emit_all(conversions.check, known, exception="ZeroDivisionError", message=message)


def _round(infer: Infer, number: Value, ndigits: Value = NONE) -> Value:
    made = objects.special(infer, number, "__round__", *([] if ndigits is NONE else [ndigits]))
    if made is not None:
        return made
    if isinstance(number, Static):
        return _static(round)(infer, number, *([] if ndigits is NONE else [ndigits]))
    if isinstance(number, Number) and number.type is FLOAT and isinstance(ndigits, Static) and ndigits.value is None:
        return infer.number(infer.emit(python_floats.float_round, number.atom), number)
    if isinstance(number, Number) and number.type in (INT, BOOL) and isinstance(ndigits, Static):
        return _round_int(infer, number, ndigits.value)
    if isinstance(number, Array):
        if number.category == "npscalar" and ndigits is NONE and number.type.dtype.is_float:
            return _round(infer, to_float(infer, number))
        if number.category == "npscalar" and ndigits is NONE and number.type.dtype.is_integer:
            return to_int(infer, number)
        if number.category == "ndarray" or (number.category == "npscalar" and number.type.dtype.kind in "bc"):
            raise refusal(infer, "round()", round, number)
        return arrays.call_table(infer, "round", number, *([] if ndigits is NONE else [ndigits]))
    if numbers.type_of_number(number) is FLOAT and numbers.type_of_number(ndigits) is INT:
        atoms = infer.number_atom(number, FLOAT), infer.number_atom(ndigits, INT)
        return infer.number(infer.emit(PRIMITIVES["float_round_digits"], *atoms), number, ndigits)
    if numbers.type_of_number(number) is INT and numbers.type_of_number(ndigits) is INT:
        raise infer.unsupported(
            "round() of an int to digits known only at run time", "a number of digits that is known"
        )
    raise refusal(infer, "round()", round, number, ndigits)


def _round_int(infer: Infer, value: Value, digits: Any) -> Value:
    """To tens, hundreds …: halves to even."""
    whole = infer.number(numbers.convert(infer, value, INT), value)
    if digits is None or digits >= 0:
        return whole
    unit = Static(10**-digits)
    quotient, rest = numbers.binary(infer, "//", whole, unit), numbers.binary(infer, "%", whole, unit)
    beyond = numbers.compare(infer, ">", rest, Static(unit.value // 2))
    odd = numbers.compare(infer, "!=", numbers.binary(infer, "%", quotient, Static(2)), Static(0))
    half = numbers.compare(infer, "==", rest, Static(unit.value // 2))
    up = containers.either(infer, beyond, containers.both(infer, half, odd))
    return numbers.binary(infer, "*", numbers.binary(infer, "+", quotient, up), unit)


def _extreme(op: str) -> Handler:
    builtin: Any = builtins.min if op == "<" else builtins.max

    def call(infer: Infer, *args: Value, key: Value = NONE, default: Value | None = None) -> Value:
        members = args
        if len(args) == 1:
            found = containers.iterate_static(infer, args[0])
            if found is None:
                return _extreme_at_run_time(infer, op, builtin, args[0], key, default)
            members = found
        if not members:
            if default is not None:
                return default
            return numbers.fold(builtin, ())
        best, most = members[0], keyed(infer, key, members[0])
        for member in members[1:]:
            mine = keyed(infer, key, member)
            better = operations.truth(infer, operations.compare(infer, op, mine, most))
            if _is_none(key):
                best = most = choose(infer, better, member, best)
                continue
            known = infer.truth(better)
            ways: tuple[list[Value], list[Value]] = [member, mine], [best, most]
            if isinstance(known, bool):
                best, most = ways[0] if known else ways[1]
            else:
                best, most = infer.branch(known, lambda w=ways: w[0], lambda w=ways: w[1])
        return best

    return call


def _is_none(value: Value) -> bool:
    return isinstance(value, Static) and value.value is None


def _extreme_at_run_time(infer: Infer, op: str, builtin: Any, value: Value, key: Value, default: Value | None) -> Value:
    if isinstance(value, Array) and value.type.rank == 1 and key is NONE:
        return arrays.call_table(infer, builtin.__name__, value)
    sequence = containers.as_sequence(infer, value)
    if sequence is None:
        raise infer.unsupported(f"{builtin.__name__}() of something whose length is known only at run time")
    of = None if _is_none(key) else lambda v: keyed(infer, key, v)
    return iterators.extreme(infer, op, builtin, sequence, of, default)


def keyed(infer: Infer, key: Value, member: Value) -> Value:
    """The sort key of an item: what `key`, unless it is None, makes of it."""
    return member if _is_none(key) else abstract.call(infer, key, [member], {})


@abstract.choose.model
def choose(infer: Infer, pred: Value, a: Value, b: Value) -> Value:
    """`a if pred else b` for values already computed."""
    known = infer.truth(pred)
    if isinstance(known, bool):
        return a if known else b
    return infer.branch(known, lambda: [a], lambda: [b])[0]


def _sum(infer: Infer, values: Value, /, start: Value = Static(0)) -> Value:
    if strings.is_text(start):
        raise PythonError(TypeError("sum() can't sum strings [use ''.join(seq) instead]"))
    return accumulate(infer, "+", values, start)


def accumulate(infer: Infer, op: str, values: Value, start: Value) -> Value:
    """`start op value op value …` over an iterable."""
    values = iterable(infer, values)
    if isinstance(values, Stream):
        return streams.fold(infer, values, start, lambda total, item: operations.binary(infer, op, total, item))
    found = containers.iterate_static(infer, values) if not isinstance(values, Sequence | Range | Array) else None
    if found is not None:
        total = start
        for member in found:
            total = operations.binary(infer, op, total, member)
        return total
    sequence = containers.as_sequence(infer, values)
    if sequence is None and isinstance(values, Array):
        raise refusal(infer, "the items", iter, values)
    if sequence is None:
        raise PythonError(TypeError(f"'{containers.type_name(values)}' object is not iterable"))
    return _fold_sequence(infer, "sum", sequence, start, lambda t, v: operations.binary(infer, op, t, v))


def _fold_sequence(
    infer: Infer, name: str, sequence: Sequence, start: Value, step: Callable[[Value, Value], Value]
) -> Value:
    def body(values: list[Value]) -> list[Value]:
        return [step(values[1], sequence.item(values[0]))]

    length = infer.number_atom(sequence.length, INT)
    return run_loop(infer, Loop(name, body, None, length), [start])[0]


def _all_any(absorbing: bool) -> Handler:
    def call(infer: Infer, values: Value) -> Value:
        combine = containers.either if absorbing else containers.both
        values = iterable(infer, values)
        if isinstance(values, Stream):
            return streams.decides(infer, values, lambda item: operations.truth(infer, item), absorbing)
        if isinstance(values, Iterator):
            return _first_taken_that_decides(infer, values, absorbing)
        if isinstance(values, Array) and values.type.rank != 1:  # of rows, whose truth may be ambiguous
            if not values.type.rank:
                raise refusal(infer, "the items", iter, values)
            values = containers.as_sequence(infer, values) or values
        found = None if isinstance(values, Array | Sequence | Range) else containers.iterate_static(infer, values)
        if found is not None:
            total: Value = Static(not absorbing)
            for member in found:
                total = combine(infer, total, member)
            return total
        if isinstance(values, Array):
            return operations.truth(infer, arrays.call_table(infer, "any" if absorbing else "all", values))
        sequence = containers.as_sequence(infer, values)
        if sequence is None:
            raise PythonError(TypeError(f"'{containers.type_name(values)}' object is not iterable"))
        return _first_that_decides(infer, sequence, absorbing)

    return call


def _first_taken_that_decides(infer: Infer, source: Iterator, absorbing: bool) -> Value:
    """`any` (or `all`) of what an iterator gives; those after the first that decides are not taken."""
    from jitcore.passes.infer import iteration

    while isinstance(source.source, Tuple) and isinstance(iteration.position(infer, source), Static):
        item = iteration.following(infer, source, UNDEFINED)
        if item is UNDEFINED:
            return Static(not absorbing)
        holds = infer.truth(operations.truth(infer, item))
        if isinstance(holds, bool):
            if holds is absorbing:
                return Static(absorbing)
            continue
        paths: list[Callable[[], list[Value]]] = [
            lambda: [Static(absorbing)],
            lambda: [_first_taken_that_decides(infer, source, absorbing)],
        ]
        return infer.branch(holds, *(paths if absorbing else reversed(paths)))[0]
    return _first_that_decides(infer, iteration.moving(infer, source), absorbing)


def _first_that_decides(infer: Infer, sequence: Sequence, absorbing: bool) -> Value:
    """`any` (or `all`) of items that are computed one by one: those after the first that decides are not."""

    def test(values: list[Value]) -> Value:
        undecided = operations.not_(infer, values[1]) if absorbing else values[1]
        return containers.both(infer, undecided, numbers.compare(infer, "<", values[0], sequence.length))

    def body(values: list[Value]) -> list[Value]:
        holds = operations.truth(infer, sequence.item(values[0]))
        return [numbers.binary(infer, "+", values[0], Static(1)), holds]

    return run_loop(infer, Loop("fold", body, test), [Static(0), Static(not absorbing)])[1]


# --- iteration --------------------------------------------------------------------------------------


def _len(infer: Infer, value: Value) -> Value:
    if isinstance(value, Instance):
        made = objects.special(infer, value, "__len__")
        if made is not None:
            return _checked_length(infer, to_index(infer, made))
    if isinstance(value, Static):
        method = getattr(type(value.value), "__len__", None)
        if type(method).__name__ == "function":
            return _checked_length(infer, to_index(infer, abstract.call(infer, Static(method), [value], {})))
    return containers.length(infer, value)


def _checked_length(infer: Infer, length: Value) -> Value:
    """What a `__len__` of the user's gave, which must not be negative."""
    message = "__len__() should return >= 0"
    is_length = infer.truth(numbers.compare(infer, ">=", length, Static(0)))
    if is_length is False:
        raise PythonError(ValueError(message))
    if not isinstance(is_length, bool):
        infer.emit_all(conversions.check, is_length, exception="ValueError", message=message)
    return length


def _range(infer: Infer, *ends: Value) -> Value:
    if not 1 <= len(ends) <= 3:
        raise PythonError(TypeError(f"range expected at least 1 argument, got {len(ends)}"))
    made = [to_index(infer, e) for e in ends]
    start, stop = (Static(0), made[0]) if len(made) == 1 else (made[0], made[1])
    step = made[2] if len(made) == 3 else Static(1)
    _require_step(infer, step)
    return Range(start, stop, step)


def _require_step(infer: Infer, step: Value) -> None:
    """A range's step is not zero."""
    message = "range() arg 3 must not be zero"
    if isinstance(step, Static):
        if step.value == 0:
            raise PythonError(ValueError(message))
        return
    is_step = infer.truth(numbers.compare(infer, "!=", step, Static(0)))
    assert not isinstance(is_step, bool)
    infer.emit_all(conversions.check, is_step, exception="ValueError", message=message)


@abstract.index.model
def to_index(infer: Infer, value: Value) -> Value:
    """A value as Python's `__index__` gives it."""
    if isinstance(value, Array) and has_index(value):
        return _index_of_array(infer, value)
    value = objects.special(infer, value, "__index__") or numbers.plain(value, "__index__")
    type_ = numbers.type_of_number(value)
    if type_ not in (INT, BOOL):
        raise PythonError(TypeError(f"'{containers.type_name(value)}' object cannot be interpreted as an integer"))
    if isinstance(value, Static):
        return Static(int(value.value))
    return value if type_ is INT else infer.number(numbers.convert(infer, value, INT), value)


def has_index(value: Array) -> bool:
    """Whether the class of an array has the method `__index__`: the NumPy scalars that are no integers have not."""
    return value.category != "npscalar" or value.type.dtype.is_integer


def _index_of_array(infer: Infer, value: Array) -> Value:
    """What NumPy's arrays without axes, and Tensors of one element, are as an index."""
    type_ = value.type
    if value.category == "tensor":
        fits, kinds = (
            type_.size == 1 and type_.dtype.kind in "biu",
            "integer tensors of a single element can be converted to an index",
        )
    else:
        fits, kinds = (
            not type_.shape and type_.dtype.is_integer,
            "integer scalar arrays can be converted to a scalar index",
        )
    if not fits:
        raise PythonError(TypeError(f"only {kinds}"))
    if isinstance(value.atom, Literal):
        return Static(int(np.asarray(value.atom.value).item()))
    return to_int(infer, value)


def sequence_or_items(infer: Infer, value: Value, *, deferred: bool = False) -> Sequence | tuple[Value, ...]:
    """An iterable as items known now or, failing that, as a run-time sequence. Items that are computed when they are
    taken are taken now, unless `deferred` lets them be."""
    if isinstance(value, Iterator):
        from jitcore.passes.infer import iteration

        value = iteration.take_over(infer, value)
        if not deferred and isinstance(value, Tuple):
            return tuple(iteration.taken(infer, item) for item in value.items)
    if isinstance(value, Range | Array | Sequence | Reference | String | Char):
        sequence = containers.as_sequence(infer, value)
        if sequence is not None:
            return sequence
    value = iterable(infer, value)
    found = containers.iterate_static(infer, value)
    if found is None and isinstance(value, Stream):
        return streams.sequence_of(infer, value)
    assert found is not None
    return found


@abstract.iterable.model
def iterable(infer: Infer, value: Value) -> Value:
    """What a `for` goes over: for objects of user classes, what their `__iter__` gives."""
    if isinstance(value, Instance):
        return protocols.iterated(infer, value)
    if isinstance(value, Static) and not isinstance(value.value, type):
        method = getattr(type(value.value), "__iter__", None)
        if type(method).__name__ == "function":
            own = getattr(type(value.value), "__jitcore_items__", None)
            if own is not None and value.path is not None:
                return Tuple(tuple(infer.inputs.captured_item(value, k, v) for k, v in enumerate(own(value.value))))
            if hasattr(type(value.value), "__jitcore_call__"):  # a Cell: one that the program made is in the heap
                return iterable(infer, abstract.call(infer, Static(method), [value], {}))
            made = objects.special(infer, value, "__iter__")
            if isinstance(made, Stream):
                return made
    return value


def _zip(infer: Infer, *values: Value, strict: Value = Static(False)) -> Value | Source:
    if stream_iterators.has_stream(values):
        if infer.need_static(strict, "zip's strict"):
            raise infer.unsupported("zip(strict=True) of a generator", "zip")
        return stream_iterators.zipped(infer, values)
    parts = [sequence_or_items(infer, v, deferred=True) for v in values]
    if infer.need_static(strict, "zip's strict"):
        _require_equal_lengths(infer, parts)
    if any(isinstance(p, Sequence) for p in parts):
        texts = (characters.as_sequence(infer, v) for v in values)
        parts = [p if text is None else text for p, text in zip(parts, texts, strict=True)]
    if all(isinstance(p, tuple) for p in parts):
        _require_none_beyond_end(infer, parts)
        rows = tuple(Tuple(row) for row in zip(*parts, strict=False))  # type: ignore[arg-type]
        return Tuple(rows, zip, lists_among(infer, values))
    lengths = [Static(len(p)) if isinstance(p, tuple) else p.length for p in parts]
    if all(isinstance(n, Static) for n in lengths):
        shortest = min(n.value for n in lengths if isinstance(n, Static))
        rows = (Tuple(tuple(_part_item(p, k) for p in parts)) for k in range(shortest))
        if any(isinstance(p, tuple) for p in parts):
            return Tuple(tuple(rows), zip)
    if any(isinstance(p, tuple) for p in parts):
        raise infer.unsupported("zip() of a container with something whose length is known only at run time")
    sequences = [p for p in parts if isinstance(p, Sequence)]
    length = sequences[0].length
    for other in sequences[1:]:
        smaller = operations.compare(infer, "<", other.length, length)
        length = choose(infer, operations.truth(infer, smaller), other.length, length)
    return Sequence(length, lambda i: Tuple(tuple(s.item(i) for s in sequences)), _all_reach(infer, sequences))


def _all_reach(infer: Infer, sequences: list[Sequence]) -> Callable[[Value], Value] | None:
    """Whether each of several sequences, some of which may change, has an i-th item."""
    if all(s.reaches is None for s in sequences):
        return None

    def reaches(index: Value) -> Value:
        total: Value = Static(True)
        for s in sequences:
            one = s.reaches(index) if s.reaches is not None else numbers.compare(infer, "<", index, s.length)
            total = containers.both(infer, total, one)
        return total

    return reaches


def lists_among(infer: Infer, values: tuple[Value, ...]) -> tuple[tuple[int, Any], ...]:
    """The lists, dicts and sets among values, as `Tuple.lists` has them."""
    found: list[tuple[int, Any]] = []
    for value in values:
        if isinstance(value, Reference):
            contents = infer.heap.contents(value.key)
            found.append((value.key, contents if value.kind is list else containers.keys_of(contents)))
        elif isinstance(value, Tuple) and containers.is_view(value):
            found += value.lists
    return tuple(found)


def _require_equal_lengths(infer: Infer, parts: list[Sequence | tuple[Value, ...]]) -> None:
    """Raise what `zip(strict=True)` does at its end; only lengths known now can be compared before."""
    lengths = [Static(len(p)) if isinstance(p, tuple) else p.length for p in parts]
    if not all(isinstance(n, Static) for n in lengths):
        raise infer.unsupported("zip(strict=True) of something whose length is known only at run time", "zip")
    known = [n.value for n in lengths if isinstance(n, Static)]
    if len(set(known)) > 1:
        raise infer.unsupported("zip(strict=True) of iterables of unlike lengths", "zip")


def _require_none_beyond_end(infer: Infer, parts: list[Sequence | tuple[Value, ...]]) -> None:
    """Refuse a zip() that finds its end after it has computed an item of what comes before the one that has ended."""
    from jitcore.passes.infer import iteration

    items = [p for p in parts if isinstance(p, tuple)]
    end = min(map(len, items), default=0)
    for part in items:
        if len(part) == end:
            return
        if iteration.is_deferred(part[end]):
            raise infer.unsupported("zip() of an iterator that computes more items than there are of the others")


def _part_item(part: Sequence | tuple[Value, ...], k: int) -> Value:
    return part[k] if isinstance(part, tuple) else part.item(Static(k))


def _enumerate(infer: Infer, values: Value, start: Value = Static(0)) -> Value | Source:
    start = to_index(infer, start)
    if isinstance(values, Stream):
        return stream_iterators.enumerated(infer, values, start)
    part = sequence_or_items(infer, values, deferred=True)
    if isinstance(part, tuple):
        pairs = (Tuple((numbers.binary(infer, "+", start, Static(k)), v)) for k, v in enumerate(part))
        return Tuple(tuple(pairs), enumerate, lists_among(infer, (values,)))
    return Sequence(part.length, lambda i: Tuple((numbers.binary(infer, "+", start, i), part.item(i))), part.reaches)


def _reversed(infer: Infer, values: Value) -> Value:
    if protocols.has(values, "__reversed__") or (isinstance(values, Instance) and protocols.has(values, "__getitem__")):
        raise infer.unsupported(f"reversed() of a {containers.type_name(values)}", "a list of its items, reversed")
    if isinstance(values, Stream | Instance | Number) or (isinstance(values, Reference) and values.kind is set):
        raise refusal(infer, "reversed()", reversed, values)
    part = sequence_or_items(infer, values)
    if isinstance(part, tuple):
        return Tuple(part[::-1], reversed)
    last = numbers.binary(infer, "-", part.length, Static(1))
    return Sequence(part.length, lambda i: part.item(numbers.binary(infer, "-", last, i)))


def _map(infer: Infer, function: Value, *values: Value) -> Value | Source:
    if stream_iterators.has_stream(values):
        return stream_iterators.mapped(infer, lambda row: abstract.call(infer, function, row, {}), values)
    rows = _zip(infer, *values)
    if isinstance(rows, Tuple):
        return Tuple(tuple(Deferred(function, _row(r)) for r in rows.items), map, rows.lists)
    assert isinstance(rows, Sequence)
    return Sequence(rows.length, lambda i: abstract.call(infer, function, list(_row(rows.item(i))), {}))


def _row(value: Value) -> tuple[Value, ...]:
    assert isinstance(value, Tuple)
    return value.items


def _filter(infer: Infer, function: Value, values: Value) -> Value | Source:
    def wanted(member: Value) -> Value:
        is_none = isinstance(function, Static) and function.value is None
        return operations.truth(infer, member if is_none else abstract.call(infer, function, [member], {}))

    if isinstance(values, Stream):
        return stream_iterators.Filtered(wanted, values)
    found = None if isinstance(values, Array) else containers.iterate_static(infer, values)
    if found is None:
        sequence = containers.as_sequence(infer, values)
        assert sequence is not None
        return iterators.filtered(infer, sequence, wanted)
    return _kept_of(infer, found, wanted)


def _kept_of(infer: Infer, found: tuple[Value, ...], wanted: Callable[[Value], Value]) -> Value:
    """Those of known items that are wanted: of values of the run that arguments alone do not determine, a list made at
    run time."""
    kept = infer.heap.new(list, ())
    append = methods.of_reference(infer, kept, "append")
    assert isinstance(append, Builtin)
    for member in found:
        test = wanted(member)
        if isinstance(test, Static) or (isinstance(test, Number) and test.paths):
            if infer.need_static(test, "which items filter() keeps"):
                append.call(infer, member)
            continue

        def keep(member: Value = member) -> list[Value]:
            append.call(infer, member)
            return []

        infer.branch(infer.number_atom(test, BOOL), keep, list)
    if infer.heap.buffer(kept) is None:
        return Tuple(infer.heap.items(kept), filter)
    sequence = containers.as_sequence(infer, kept)
    assert sequence is not None
    return sequence


def _filterfalse(infer: Infer, function: Value, values: Value) -> Value | Source:
    """`itertools.filterfalse`: the items that `filter` leaves out."""

    def left_out(infer: Infer, member: Value) -> Value:
        is_none = isinstance(function, Static) and function.value is None
        kept = member if is_none else abstract.call(infer, function, [member], {})
        return operations.not_(infer, operations.truth(infer, kept))

    return _filter(infer, Builtin("filterfalse", left_out), values)


def _make(kind: type) -> Handler:
    def call(infer: Infer, values: Value = Tuple(()), **more: Value) -> Value:
        if kind is dict:
            return _make_dict(infer, values, more)
        source = iterable(infer, values)
        found = containers.iterate_static(infer, source)
        if found is None and kind is list:
            return _list_at_run_time(infer, source)
        if found is None:
            raise infer.unsupported(f"{kind.__name__}() of something whose length is known only at run time")
        if kind is tuple:
            return Tuple(found)
        return containers.new_set(infer, found) if kind is set else infer.heap.new(list, found)

    return call


@abstract.as_list.model
def as_list(infer: Infer, values: Value) -> Value:
    """`list(values)`."""
    return _make(list)(infer, values)


def _make_frozenset(infer: Infer, values: Value = Tuple(())) -> Value:
    made = _make(set)(infer, values)
    return numbers.fold(frozenset, containers.set_of(infer, made))


def _fromkeys(infer: Infer, keys: Value, value: Value = NONE) -> Value:
    """`dict.fromkeys`."""
    found = containers.iterate_static(infer, keys)
    if found is None:
        raise infer.unsupported("dict.fromkeys() of something whose length is known only at run time")
    return infer.heap.new(dict, {containers.static_key(infer, key): value for key in found})


def _list_at_run_time(infer: Infer, source: Value) -> Value:
    buffer = infer.heap.buffer(source)
    if buffer is not None:
        return infer.heap.new(list, buffer)
    sequence = containers.as_sequence(infer, source)
    if sequence is None:
        raise infer.unsupported("list() of something whose length is known only at run time")
    return buffers.collect(infer, sequence)


def _make_dict(infer: Infer, values: Value, more: dict[str, Value]) -> Value:
    if isinstance(values, Reference) and values.kind is dict:
        return infer.heap.new(dict, {**infer.heap.entries(values), **more})
    pairs = containers.iterate_static(infer, values)
    if pairs is None:
        raise infer.unsupported("dict() of something whose length is known only at run time")
    entries: dict[Any, Value] = {}
    for pair in pairs:
        key, value = containers.unpack(infer, pair, 2, False, 0)
        entries[containers.static_key(infer, key)] = value
    return infer.heap.new(dict, {**entries, **more})


def _sorted(infer: Infer, values: Value, /, *, key: Value = NONE, reverse: Value = Static(False)) -> Value:
    source = iterable(infer, values)
    found = containers.iterate_static(infer, source)
    if found is None:
        made = _list_at_run_time(infer, source)
        assert isinstance(made, Reference)
    else:
        made = infer.heap.new(list, found)
    sort(infer, made, key, reverse)
    return made


def sort(infer: Infer, target: Reference, key: Value, reverse: Value) -> None:
    """`list.sort`."""
    if infer.heap.buffer(target) is None:
        found = infer.heap.items(target)
        if len(found) <= sorting.MOST and any(map(sorting.holds_objects, found)):
            descending = infer.need_static(reverse, "sort's reverse")
            keys = [keyed(infer, key, v) for v in found]
            infer.heap.store(target.key, sorting.by_keys(infer, found, keys, descending=bool(descending)))
            return
        tried = found if _is_none(key) else infer.trial("keys", lambda: [keyed(infer, key, v) for v in found]).values
        if tried is not None and all(isinstance(k, Static) for k in tried):
            infer.heap.store(target.key, ordered(infer, found, key, reverse))
            return
    iterators.sort(infer, target, lambda v: keyed(infer, key, v), reverse)


def ordered(infer: Infer, found: tuple[Value, ...], key: Value, reverse: Value) -> tuple[Value, ...]:
    """Items sorted by keys that are constants."""
    ranks = [infer.need_static(keyed(infer, key, v), "a sort key") for v in found]
    order = numbers.fold(lambda r: sorted(range(len(r)), key=r.__getitem__, reverse=bool(_known(reverse))), ranks)
    return tuple(found[k] for k in order.value)


def _known(value: Value) -> Any:
    return value.value if isinstance(value, Static) else None


def _slice(infer: Infer, *ends: Value, **keywords: Value) -> Value:
    if keywords:
        raise PythonError(TypeError("slice() takes no keyword arguments"))
    if not 1 <= len(ends) <= 3:
        limit = "at least 1 argument" if not ends else "at most 3 arguments"
        raise PythonError(TypeError(f"slice expected {limit}, got {len(ends)}"))
    if len(ends) == 1:
        return Slice(NONE, ends[0], NONE)
    return Slice(ends[0], ends[1], ends[2] if len(ends) > 2 else NONE)


# --- objects ----------------------------------------------------------------------------------------


@abstract.class_of.model
def class_of(infer: Infer, value: Value) -> type:
    """The Python class of a value."""
    match value:
        case Static():
            return type(value.value)
        case Number():
            return next(t for t, s in SCALARS.items() if s is value.type)
        case Tuple():
            return value.cls
        case Reference():
            return value.kind
        case Array():
            return arrays.class_of(value)
        case Text() | Char():
            return str
        case String():
            return value.cls
        case Range():
            return range
        case Slice():
            return slice
        case Iterator() | Stream():
            return value.cls
        case Function():
            return type(class_of)
        case Instance() | Handle():
            return value.cls
        case Raised() | Manager():
            return value.cls
        case Caught() if value.cls is not None:
            return value.cls
        case _:
            raise infer.unsupported(f"the type of this {type(value).__name__.lower()}")


def _type(infer: Infer, value: Value) -> Value:
    return Static(class_of(infer, value))


def _isinstance(infer: Infer, value: Value, classes: Value) -> Value:
    wanted = infer.need_static(classes, "the classes isinstance() looks for")
    cls = class_of(infer, value)
    infer.inputs.guard_kinship(cls, wanted)
    try:
        if isinstance(value, Static):
            return Static(isinstance(value.value, wanted))
        return Static(issubclass(cls, wanted))
    except TypeError:
        raise PythonError(TypeError("isinstance() arg 2 must be a type, a tuple of types, or a union")) from None


def _getattr(infer: Infer, value: Value, name: Value, *default: Value) -> Value:
    key = infer.need_static(name, "the name of an attribute")
    if default and isinstance(value, Instance):
        there = infer.truth(instances.has(infer, value, key))
        if not isinstance(there, bool):
            return infer.branch(there, lambda: [attributes.get(infer, value, key)], lambda: [default[0]])[0]
    if default and not attributes.has(infer, value, key):
        return default[0]
    return attributes.get(infer, value, key)


def _hasattr(infer: Infer, value: Value, name: Value) -> Value:
    key = infer.need_static(name, "the name of an attribute")
    return (
        instances.has(infer, value, key) if isinstance(value, Instance) else Static(attributes.has(infer, value, key))
    )


def _setattr(infer: Infer, value: Value, name: Value, new: Value) -> Value:
    attributes.set_(infer, value, infer.need_static(name, "the name of an attribute"), new)
    return NONE


def _callable(infer: Infer, value: Value) -> Value:
    if isinstance(value, Static):
        return Static(callable(value.value))
    if isinstance(value, Instance):
        return Static(instances.is_callable(value))
    return Static(isinstance(value, Function | Bound))


def _super(infer: Infer, *args: Value) -> Value:
    if len(args) == 2 and isinstance(args[1], Instance):
        cls = infer.need_static(args[0], "super()'s argument")
        if not issubclass(args[1].cls, cls):
            raise PythonError(TypeError("super(type, obj): obj must be an instance or subtype of type"))
        return Super(cls, args[1])
    if len(args) == 2:
        cls, obj = (infer.need_static(a, "super()'s argument") for a in args)
        if isinstance(args[1], Static) and args[1].path is not None:
            infer.paths[id(obj)] = args[1].path
        return Static(super(cls, obj))
    raise PythonError(RuntimeError("super(): no arguments"))


def _id(infer: Infer, value: Value) -> Value:
    raise infer.unsupported("id() has no compiled meaning")


# --- strings and output -----------------------------------------------------------------------------


def _str(infer: Infer, object: Value = Static("")) -> Value:
    return strings.format_string(infer, ((None, ""),), [object])


def _repr(infer: Infer, value: Value) -> Value:
    return strings.format_string(infer, (("r", ""),), [value])


def _print(
    infer: Infer,
    *values: Value,
    sep: Value = Static(" "),
    end: Value = Static("\n"),
    file: Value = NONE,
    flush: Value = Static(False),
) -> Value:
    del flush  # what is printed is written at once
    if not (isinstance(file, Static) and file.value is None):
        raise infer.unsupported("print(file=…) in compiled code", "print without file")
    separator = infer.need_static(sep, "print's sep")
    ending = infer.need_static(end, "print's end")
    parts: list[Text] = []
    for k, value in enumerate(values):
        if k:
            parts.append(strings.as_text(Static(" " if separator is None else separator)))
        parts.append(strings.format_value(infer, value, "s" if not isinstance(value, Static | Text) else None, ""))
    parts.append(strings.as_text(Static("\n" if ending is None else ending)))
    text = strings.join_texts(parts)
    infer.emit_print(text)
    return NONE


def _format(infer: Infer, value: Value, spec: Value = Static("")) -> Value:
    text = strings.format_value(infer, value, None, infer.need_static(spec, "a format specification"))
    return (
        strings.format_string(infer, ((None, ""),), [text])
        if text.values
        else Static(format(_known(value), _known(spec)))
    )


def _chain(infer: Infer, iterables: Value) -> Value | Source:
    iterables = iterable(infer, iterables)
    found = None if isinstance(iterables, Stream) else containers.iterate_static(infer, iterables)
    if found is None:
        return stream_iterators.Chained(iterables)
    values = tuple(iterable(infer, value) for value in found)
    if any(isinstance(v, Stream) or containers.as_sequence(infer, v) is not None for v in values):
        return stream_iterators.Chained(Tuple(values))
    parts = [containers.iterate_static(infer, value) for value in values]
    return Tuple(tuple(v for p in parts for v in p or ()))


# --- operator and functools ---------------------------------------------------------------------------


def _operator(op: str) -> Handler:
    return lambda infer, a, b: operations.binary(infer, op, a, b)


def _unary_operator(op: str) -> Handler:
    return lambda infer, a: operations.unary(infer, op, a)


def _index(infer: Infer, value: Value) -> Value:
    """`operator.index`."""
    if numbers.type_of_number(value) not in (BOOL, INT) and not (
        isinstance(value, Array) and value.type.dtype.is_integer
    ):
        raise refusal(infer, "operator.index of this", operator.index, value)
    return to_int(infer, value)


def _getitem(infer: Infer, obj: Value, key: Value) -> Value:
    return abstract.item(infer, obj, key)


def _setitem(infer: Infer, obj: Value, key: Value, value: Value) -> Value:
    abstract.set_item(infer, obj, key, value)
    return NONE


def _comparison(op: str) -> Handler:
    return lambda infer, a, b: operations.compare(infer, op, a, b)


def _reduce(infer: Infer, function: Value, values: Value, *initial: Value) -> Value:
    found = containers.iterate_static(infer, values)
    if found is None:
        return _reduce_at_run_time(infer, function, values, initial)
    rest = list(initial) + list(found)
    if not rest:
        raise PythonError(TypeError("reduce() of empty iterable with no initial value"))
    total = rest[0]
    for member in rest[1:]:
        total = abstract.call(infer, function, [total, member], {})
    return total


def _reduce_at_run_time(infer: Infer, function: Value, values: Value, initial: tuple[Value, ...]) -> Value:
    sequence = containers.as_sequence(infer, values)
    assert sequence is not None
    first = 0 if initial else 1
    if not initial:
        some = infer.truth(numbers.compare(infer, ">", sequence.length, Static(0)))
        message = "reduce() of empty iterable with no initial value"
        if some is False:
            raise PythonError(TypeError(message))
        if some is not True:
            infer.emit_all(conversions.check, some, exception="TypeError", message=message)
    start = initial[0] if initial else sequence.item(Static(0))
    return iterators.fold(
        infer, "reduce", sequence, start, lambda t, v: abstract.call(infer, function, [t, v], {}), first
    )


def _partial(infer: Infer, function: Value, *args: Value, **keywords: Value) -> Value:
    return Bound(function, args, tuple(keywords.items()))


def _iterator(cls: type, make: Callable[..., Value | Source]) -> Handler:
    def call(infer: Infer, *args: Value, **keywords: Value) -> Value:
        made = make(infer, *args, **keywords)
        return streams.new(infer, made, cls) if isinstance(made, Source) else iteration.new(infer, made, cls)

    return call


_HANDLERS: dict[Any, Handler] = {
    complex: to_complex, abs: _abs, all: _all_any(False), any: _all_any(True), bool: to_bool, callable: _callable, dict: _make(dict),
    divmod: _divmod, enumerate: _iterator(enumerate, _enumerate), filter: _iterator(filter, _filter), float: to_float, frozenset: _make_frozenset, getattr: _getattr,
    hasattr: _hasattr, id: _id, int: to_int, isinstance: _isinstance, len: _len, list: _make(list), map: _iterator(map, _map),
    max: _extreme(">"), min: _extreme("<"), pow: _pow, print: _print, range: _range, repr: _repr,
    reversed: _iterator(reversed, _reversed), round: _round, set: _make(set), setattr: _setattr, slice: _slice, sorted: _sorted,
    str: _str, sum: _sum, super: _super, tuple: _make(tuple), type: _type, zip: _iterator(zip, _zip),
    format: _format, itertools.chain.from_iterable: _iterator(itertools.chain, _chain), functools.reduce: _reduce, functools.partial: _partial,
    operator.not_: lambda infer, a: operations.not_(infer, operations.truth(infer, a)),
    operator.truth: to_bool, operator.neg: _unary_operator("-"), operator.pos: _unary_operator("+"),
    operator.invert: _unary_operator("~"), operator.getitem: _getitem, operator.setitem: _setitem,
    operator.contains: containers.contains, dict.fromkeys: _fromkeys, **mathematics.HANDLERS,
}  # fmt: skip


_HANDLERS.update({ord: characters.ordinal, chr: characters.character})
_HANDLERS.update(iteration.handlers())
_HANDLERS.update(choosing.handlers())
_HANDLERS.update(managers.HANDLERS)
_HANDLERS.update(marking.HANDLERS)
_HANDLERS.update(dataclass_calls.HANDLERS)
_HANDLERS.update(numpy_programs.HANDLERS)
_HANDLERS.update(standard_programs.handlers())
_HANDLERS.update(float_lists.HANDLERS)
_HANDLERS[itertools.filterfalse] = _iterator(itertools.filterfalse, _filterfalse)
_HANDLERS.update(
    {operator.abs: _abs, operator.inv: _unary_operator("~"), operator.index: _index, operator.concat: _operator("+")}
)
_HANDLERS[object.__setattr__] = instances.put
_HANDLERS.update({getattr(operator, f.__name__): _operator(op) for op, f in numbers.BINARY.items()})
_HANDLERS.update({getattr(operator, f.__name__): _comparison(op) for op, f in numbers.COMPARE.items()})
