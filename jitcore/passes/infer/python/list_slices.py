"""Slices of lists of run-time length that are assigned or deleted (`python.buffers`): `list[i:j] = values`,
`del list[i:j:k]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.values import Array, PythonError, Reference, Slice, Static, Tuple, Value
from jitcore.passes.infer.engine import numbers
from jitcore.passes.infer.python import buffers, slice_programs
from jitcore.primitives.ops import growing

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def is_known(key: Slice) -> bool:
    """Whether the ends of a slice are known when compiling, or could be: nothing that the run computes."""
    return not any(map(numbers.is_of_the_run, (key.start, key.stop, key.step)))


def values_of(infer: Infer, key: Slice, value: Value) -> Value:
    """What is assigned to a slice: as a Tuple, if it is known how many values that are. Raises TypeError as Python does
    if it is no iterable."""
    try:
        found = abstract.iterate_static(infer, value)
    except PythonError as error:
        if not isinstance(error.error, TypeError):
            raise
        is_whole = isinstance(key.step, Static) and key.step.value in (None, 1)
        raise PythonError(TypeError(_NO_ITERABLE if is_whole else _NO_ITERABLE_BY_STEPS)) from None
    return value if found is None else Tuple(found)


_NO_ITERABLE: Final = "can only assign an iterable"
_NO_ITERABLE_BY_STEPS: Final = "must assign iterable to extended slice"


def assign(infer: Infer, target: Reference, key: Slice, values: Value) -> None:
    """`list[start:stop:step] = values`, which are as `values_of` gives them; the list is one of run-time length from
    here on."""
    ends = _ends(infer, key)
    values = _apart(infer, target, values)
    never_any = buffers.at_run_time(infer, target).element is None
    _run(infer, slice_programs.assign_to_empty if never_any else slice_programs.assign, target, values, *ends)


def delete(infer: Infer, target: Reference, key: Slice) -> None:
    """`del list[start:stop:step]`; the list is one of run-time length from here on."""
    ends = _ends(infer, key)
    if buffers.at_run_time(infer, target).element is None:
        _run(infer, slice_programs.ends, Static(0), *ends)
    else:
        _run(infer, slice_programs.delete, target, *ends)


def _run(infer: Infer, program: Any, *args: Value) -> Value:
    return abstract.call(infer, Static(program), list(args), {})


def _ends(infer: Infer, key: Slice) -> tuple[Value, ...]:
    return tuple(_end(infer, end) for end in (key.start, key.stop, key.step))


def _end(infer: Infer, end: Value) -> Value:
    if isinstance(end, Static) and end.value is None:
        return end
    try:
        return abstract.index(infer, end)
    except PythonError as error:
        if not isinstance(error.error, TypeError) or isinstance(end, Array):
            raise
        message = "slice indices must be integers or None or have an __index__ method"
        raise PythonError(TypeError(message)) from None


def _apart(infer: Infer, target: Reference, values: Value) -> Value:
    """Values that stay as they are while the target changes, in a form that is gone through in few steps."""
    if isinstance(values, Tuple):
        if len(values.items) < growing.LONG:
            return values
        made = infer.heap.new(list, values.items)
        buffers.at_run_time(infer, made)
        return made
    if not isinstance(values, Reference) or values.key == target.key or infer.heap.pooled(values) is not None:
        values = _run(infer, list, values)
    buffer = infer.heap.buffer(values) if isinstance(values, Reference) else None
    return Tuple(()) if buffer is not None and buffer.element is None else values
