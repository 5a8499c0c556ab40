"""What MindSpore says to `Cell.set_inputs`, and to calls of a compiled Cell with inputs that are not as they were said
to be."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from jitcore.compat.mindspore.refusals.naming import abstract, type_text
from jitcore.nn import Cell
from jitcore.passes.infer.engine.operands import Operand, of_object
from jitcore.runtime.tensor import Tensor


def check(cell: Cell, *inputs: Any, **keywords: Any) -> None:
    """Raise ValueError for inputs by position and by name, or by a name that `construct` does not have."""
    if inputs and keywords:
        raise ValueError(
            f"For Cell, set_inputs should only set inputs or kwargs(inputs: {inputs}, kwargs: {keywords})!"
        )
    if keywords:
        names = list(inspect.signature(cell.construct).parameters)
        for name in keywords:
            if name not in names:
                raise ValueError(f"For dict mode, valid key is {names}, but got {name}!")


def refused(cell: Cell, args: Sequence[Any]) -> BaseException | None:
    """The answer to the inputs of a call; those that were set by name are not looked at."""
    expected = cell.get_inputs()
    if not expected:
        return None
    if len(expected) != len(args):
        return ValueError(
            "For set_inputs, the length of input must be equal to expected one, but got expected: "
            f"{len(expected)} and input: {len(args)}!"
        )
    return next(filter(None, (_unlike(k + 1, *pair) for k, pair in enumerate(zip(expected, args, strict=True)))), None)


def _unlike(place: int, expected: Any, given: Any) -> BaseException | None:
    where = "For set_inputs or tuple(list) in set_inputs, the"
    if not isinstance(expected, Tensor):
        known = (bool, int, float, str)
        if type(expected) is type(given) and type(given) in known and expected != given:
            wanted, found = abstract(of_object(expected)), abstract(of_object(given))
            return ValueError(f"{where} {place}th should be{wanted}, but got {found}!")
        return None
    if isinstance(given, bool | int | float):
        return TypeError(f"{where} {place}th should be mutable one, but got static!")
    if not isinstance(given, Tensor):
        return None
    if expected.dtype is not given.dtype:
        wanted, found = (type_text(Operand("tensor", t.dtype)) for t in (expected, given))
        return TypeError(f"{where} {place}th type should be {wanted}, but got {found}!")
    subject = (
        f"For set_inputs and tuple(list) in set_inputs, the {{}} of {place}th input "
        "must be the same as expected, but got expected:"
    )
    shape, own = tuple(expected.shape), tuple(given.shape)
    if not shape:  # of any rank
        return None
    if len(shape) != len(own):
        return ValueError(f"{subject.format('dims')} {len(shape)}, and input: {len(own)}!")
    for wanted, found in zip(shape, own, strict=True):
        if wanted not in (0, found):  # an extent that varies is 0 here
            return ValueError(f"{subject.format('shape')} {wanted}, and input: {found}!")
    return None
