"""What MindSpore's compiler says to values that do not fit the Parameter that they are assigned to: `self.weight = x`,
its operator `Assign`.

self.p = x      # a Parameter of float32, a Tensor of float64:
                # TypeError: Data type conversion is not supported for a 'Parameter', …
"""

from __future__ import annotations

from typing import Final

import numpy as np

from jitcore.common.parameter import Parameter
from jitcore.compat.mindspore.refusals.naming import dtype_name, type_text
from jitcore.config import settings
from jitcore.library.core.values import dtype_of_value
from jitcore.nn import Cell
from jitcore.passes.infer.engine.operands import Operand

_KINDS: Final = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
_NUMBERS: Final = {"bool": ("b", "Bool"), "int": ("i", "Int64"), "float": ("f", "Float32")}
_UNASSIGNED: Final = ("none", "str", "tuple", "list", "dict", "range")


def refused(x: Operand, name: str, value: Operand) -> BaseException | None:
    """The answer to `x.name = value`, where the attribute is a Parameter of a Cell's; a mode that nobody chose runs it
    line by line there."""
    held = x.value.__dict__.get(name, getattr(x.value, name, None)) if isinstance(x.value, Cell) else None
    if not isinstance(held, Parameter) or not settings.was_chosen("mode"):
        return None
    if value.kind in _UNASSIGNED:
        return TypeError(f'Failed calling Assign with "value={type_text(value)}".')
    if value.kind in _NUMBERS:
        return _number(held, value)
    return _tensor(held, value) if value.kind == "tensor" and value.dtype is not None else None


def _number(held: Parameter, value: Operand) -> BaseException | None:
    kind, name = _NUMBERS[value.kind]
    own = dtype_of_value(held)
    if _KINDS[own.kind] < _KINDS[kind]:
        return _unconverted(dtype_name(own), name)
    return _unlike(tuple(held.shape), ())


def _tensor(held: Parameter, value: Operand) -> BaseException | None:
    own, given = dtype_of_value(held), value.dtype
    assert given is not None
    first, second = _KINDS[own.kind], _KINDS[given.kind]
    if first < second or (first == second and _common(own.numpy, given.numpy) != own.numpy):
        wanted = dtype_name(given)
        if first == second:
            common = str(_common(own.numpy, given.numpy))
            wanted = "UInt" + common[4:] if common.startswith("uint") else common.capitalize()
        return _unconverted(dtype_name(own), wanted)
    return _unlike(tuple(held.shape), value.shape)


def _unlike(own: tuple[int, ...], given: tuple[int | None, ...]) -> BaseException | None:
    """The answer to another shape. One element of one axis fits what has none: not the other way about."""
    if own == given or (own, given) == ((), (1,)):
        return None
    if (own, given) == ((1,), ()):
        return RuntimeError(
            "For 'Assign', the 'x' and 'y' must have the same dimension, "
            "but got the dimension of 'x': 1 and the dimension of 'y': 0"
        )
    if len(own) != len(given):
        ranks = f"But got 'value' rank: {len(given)}, 'variable' rank: {len(own)}."
        return ValueError(f"For 'Assign','value' must have the same rank as 'variable'. {ranks}")
    if None in given:
        return None
    shapes = ", ".join(map(str, given)), ", ".join(map(str, own))
    return ValueError(
        "For 'Assign','value' must have the same shape as 'variable'. "
        f"But got 'value' shape: ({shapes[0]}), 'variable' shape: ({shapes[1]})."
    )


def _common(x: np.dtype, y: np.dtype) -> np.dtype:
    return np.result_type(x, y)


def _unconverted(own: str, wanted: str) -> TypeError:
    return TypeError(
        "Data type conversion is not supported for a 'Parameter', nor for the input tensor of an in-place operator, "
        f"so data type {own}, which cannot be converted to data type {wanted} automatically."
    )
