"""Containers marked as variable (`library.core.mutable`) in compiled code: a tuple by its class, a list or dict by
its key in the heap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitcore.ir.nodes import Literal
from jitcore.library.core import mutable as marks
from jitcore.library.core.values import KNOWN_CATEGORIES
from jitcore.passes.infer.domain import composition, forms
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import Array, Number, PythonError, Reference, Static, Tuple, Value
from jitcore.passes.infer.engine.models import register_models

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def is_marked(infer: Infer, value: Value) -> bool:
    """Whether a value is a container that is marked as variable."""
    if isinstance(value, Tuple):
        return issubclass(value.cls, marks.MutableTuple)
    return isinstance(value, Reference) and value.key in infer.heap.marked


def is_dynamic(infer: Infer, value: Value) -> bool:
    """Whether a value is a tuple or list whose length is marked as variable."""
    if isinstance(value, Tuple):
        return issubclass(value.cls, marks.DynamicTuple)
    return isinstance(value, Reference) and value.key in infer.heap.dynamic


def is_container(value: Value) -> bool:
    """Whether a value is a tuple, list or dict."""
    return isinstance(value, Tuple) or (isinstance(value, Reference) and value.kind in (list, dict))


def is_given(infer: Infer, value: Value) -> bool:
    """Whether a container was made outside of the program: its arrays are items of containers there."""
    for item in composition.decompose(infer, value)[2]:
        if isinstance(item, Array):
            if item.path is not None and any(isinstance(step, tuple) and step[0] == "item" for step in item.path):
                return True
        elif is_container(item) and is_given(infer, item):
            return True
    return False


def _mutable(infer: Infer, input_data: Value, dynamic_len: Value = Static(False)) -> Value:
    _require_numbers(infer, input_data)
    sized = isinstance(input_data, Tuple) or (isinstance(input_data, Reference) and input_data.kind is list)
    dynamic = bool(infer.need_static(dynamic_len, "dynamic_len"))
    if dynamic and not sized:
        raise PythonError(marks.length_refusal(type_name(input_data)))
    if isinstance(input_data, Tuple):
        items = tuple(map(_variable, input_data.items))
        return Tuple(items, marks.DynamicTuple if dynamic else marks.MutableTuple)
    if isinstance(input_data, Reference):
        made = infer.heap.new(input_data.kind, infer.heap.get(input_data.key))
        infer.heap.marked.add(made.key)
        if dynamic:
            infer.heap.dynamic.add(made.key)
        return made
    return _variable(input_data)


def _variable(value: Value) -> Value:
    """A number that is known as one that rules of other frameworks take to be of the run."""
    if not isinstance(value, Static) or type(value.value) not in (bool, int, float):
        return value
    scalar = forms.SCALARS[type(value.value)]
    dim = value.value if type(value.value) is int else None
    return Number(Literal(value.value, scalar), scalar, dim, variable=True)


def without_mark(value: Value) -> Value:
    """A number that is marked as variable as the constant it is; any other value as it is."""
    if isinstance(value, Number) and value.variable and isinstance(value.atom, Literal):
        return Static(value.atom.value)
    return value


def _require_numbers(infer: Infer, value: Value) -> None:
    if is_container(value):
        for item in composition.decompose(infer, value)[2]:
            _require_numbers(infer, item)
    elif not isinstance(value, Array | Number) and not (
        isinstance(value, Static) and type(value.value) in KNOWN_CATEGORIES
    ):
        raise PythonError(marks.refusal(type_name(value)))


register_models({marks.mutable: _mutable})
