"""What MindSpore says to the operands and the constructor's arguments of an operator, by all its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jitcore.compat.mindspore.refusals import (
    constructors,
    dtypes,
    network_shapes,
    placing_shapes,
    shapes,
    signatures,
    untyped,
)
from jitcore.compat.mindspore.refusals.naming import abstract
from jitcore.passes.infer.engine.operands import UNKNOWN, Operand


def refused(operator: str, operands: Sequence[Operand], options: Mapping[str, Operand]) -> BaseException | None:
    """The answer to an operator that is called: the types of its operands, their dtypes and shapes."""
    found = untyped.refused(operator, operands)
    if found is None and signatures.is_operator(operator):
        found = signatures.refused_operands(operator, list(operands), dict(options))
    return found or unlike(operator, operands, options)


def made_and_called(operator: str, operands: Sequence[Operand], options: Mapping[str, Operand]) -> BaseException | None:
    """The answer to an operator that a function makes, with these arguments of its constructor, and calls."""
    return _unmade(operator, options) or refused(operator, operands, options)


def _unmade(operator: str, options: Mapping[str, Operand]) -> BaseException | None:
    if not constructors.has(operator):
        return None
    variable = next(((k, x) for k, x in enumerate(options.values()) if x.kind == "tensor"), None)
    if variable is not None:
        k, x = variable
        return TypeError(
            f"When creating an instance of '{operator}', all arguments are required to be constants, but input {k} is "
            f"a variable, which is {abstract(x)}."
        )
    return unfit(operator, options)


def unfit(operator: str, options: Mapping[str, Operand]) -> BaseException | None:
    """The answer to arguments that an operator cannot be made with."""
    if not constructors.has(operator):
        return None
    given = {n: _plain(x) for n, x in options.items()}
    try:
        constructors.check_operator(operator, {n: v for n, v in given.items() if v is not UNKNOWN})
    except (TypeError, ValueError) as error:
        return error
    return None


def _plain(x: Operand) -> object:
    """The value of an operand, if it is known."""
    if x.kind not in ("tuple", "list"):
        return x.value
    items = [_plain(i) for i in x.items]
    if any(i is UNKNOWN for i in items):
        return UNKNOWN
    return tuple(items) if x.kind == "tuple" else items


def unlike(operator: str, operands: Sequence[Operand], options: Mapping[str, Operand]) -> BaseException | None:
    """The answer to dtypes and shapes."""
    return (
        dtypes.refused(operator, operands)
        or dtypes.unlike(operator, operands)
        or shapes.refused(operator, operands, options)
        or network_shapes.refused(operator, operands, options)
        or placing_shapes.refused(operator, operands, options)
        or dtypes.unlike(operator, operands, late=True)
    )


def miscounted(operator: str, count: int, keywords: Sequence[str]) -> BaseException | None:
    """The answer to a number of operands; those that are given by name count, too."""
    if untyped.has(operator):
        return untyped.miscounted(operator, count + len(keywords))
    return signatures.miscounted(operator, count, keywords) if signatures.is_operator(operator) else None
