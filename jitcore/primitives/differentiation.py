"""Derivatives of one primitive: from the cotangents of its outputs to those of its arguments, and from the tangents of
its arguments to those of its outputs.

The rules are the ones declared with the primitive; they are evaluated by the current evaluator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jitcore.primitives.core import broadcasting, evaluation
from jitcore.primitives.core.registry import (
    PRIMITIVES,
    Linear,
    Multilinear,
    NoDerivativeError,
    Nondifferentiable,
    Partials,
    Primitive,
    Structural,
    Vjp,
)
from jitcore.primitives.core.rules import tensor_type
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape
from jitcore.source import InternalError
from jitcore.types import FLOAT, ScalarType, Shape, Type


def vjp(
    primitive: Primitive,
    cotangents: Sequence[Any],
    outs: Sequence[Any],
    args: Sequence[Any],
    params: Mapping[str, Any],
    wanted: Sequence[bool],
) -> list[Any]:
    """A cotangent, or None for zero, for every argument that is `wanted` (None for the others).

    `cotangents` has one for every output, None for zero. Raises TypeError if the primitive has no derivative and is not
    locally constant.
    """
    rule = primitive.derivative
    found: Sequence[Any]
    match rule:
        case Partials():
            found = _by_partials(rule, cotangents[0], outs[0], args, params, wanted)
        case Linear():
            found = rule.transpose(cotangents, *args, **params)
        case Multilinear():
            found = [
                rule.transposes[k](cotangents[0], *args, **params) if want and k in rule.transposes else None
                for k, want in enumerate(wanted)
            ]
        case Vjp():
            found = rule.vjp(cotangents, outs, *args, **params)
        case Nondifferentiable():
            if not rule.zero:
                raise TypeError(f"{primitive.name} has no derivative: {rule.reason}")
            return [None] * len(args)
        case Structural():
            raise InternalError(f"{primitive.name} has no rule of its own")
    return [g if want else None for g, want in zip(found, wanted, strict=True)]


def _by_partials(
    rule: Partials, cotangent: Any, out: Any, args: Sequence[Any], params: Mapping[str, Any], wanted: Sequence[bool]
) -> list[Any]:
    found: list[Any] = []
    for arg, partial, want in zip(args, rule.rule(out, *args, **params), wanted, strict=True):
        if not want or partial is None:
            found.append(None)
        else:
            found.append(broadcasting.sum_to_shape(e.mul(cotangent, partial()), tensor_type(arg).shape))
    return found


# --- forward mode -----------------------------------------------------------------------------------


def jvp(
    primitive: Primitive,
    tangents: Sequence[Any],
    outs: Sequence[Any],
    args: Sequence[Any],
    params: Mapping[str, Any],
) -> Sequence[Any]:
    """A tangent, or None for zero, for every output, from those of the arguments (None: zero, but not all are).

    An array's tangent may have a shape that broadcasts to the output's (see `to_shape`), or be a number. Raises
    NoDerivativeError.
    """
    rule = primitive.derivative
    match rule:
        case Partials():
            partials = rule.rule(outs[0], *args, **params)
            terms = [_times(t, p()) for t, p in zip(tangents, partials, strict=True) if t is not None and p is not None]
            return [_total(terms)]
        case Linear():
            if all(tangents[k] is None for k in rule.args):
                return [None] * len(outs)
            return _of_linear(primitive, rule, tangents, args, params)
        case Multilinear():
            terms = [
                primitive(*args[:k], tangents[k], *args[k + 1 :], **params)
                for k in rule.transposes
                if tangents[k] is not None
            ]
            return [_total(terms)]
        case Vjp():
            if rule.jvp is None:
                raise NoDerivativeError("it has no rule for forward mode")
            given = [t if t is not None or not _floating(a) else _zero(a) for t, a in zip(tangents, args, strict=True)]
            return rule.jvp(given, outs, *args, **params)
        case Nondifferentiable():
            if not rule.zero:
                raise NoDerivativeError(rule.reason)
            return [None] * len(outs)
        case Structural():
            raise InternalError(f"{primitive.name} has no rule of its own")


_ADDITIONS = ("add", "float_add", "complex_add")
_DIFFERENCES = {"sub": "neg", "float_sub": "float_neg", "complex_sub": "complex_neg"}


def _of_linear(
    primitive: Primitive, rule: Linear, tangents: Sequence[Any], args: Sequence[Any], params: Mapping[str, Any]
) -> Sequence[Any]:
    """A linear function is its own tangent; zeros are not computed with where they can be left out."""
    if None in tangents and primitive.name in (*_ADDITIONS, *_DIFFERENCES):
        x, y = tangents
        if y is None:
            return [x]
        return [y] if primitive.name in _ADDITIONS else [PRIMITIVES[_DIFFERENCES[primitive.name]](y)]
    given = [
        a if k not in rule.args else t if t is not None else _zero(a)
        for k, (t, a) in enumerate(zip(tangents, args, strict=True))
    ]
    made = primitive(*given, **params)
    return made if isinstance(made, tuple) else [made]


def _floating(value: Any) -> bool:
    type_: Type = evaluation.typeof(value)
    return isinstance(type_, ScalarType) or tensor_type(value).dtype.is_differentiable


def _zero(value: Any) -> Any:
    """The zero tangent of an argument."""
    type_: Type = evaluation.typeof(value)
    if isinstance(type_, ScalarType):
        return type_.dtype.numpy.type(0).item()
    return broadcasting.zeros(tensor_type(value))


def _times(tangent: Any, factor: Any) -> Any:
    type_: Type = evaluation.typeof(tangent)
    if isinstance(type_, ScalarType):
        return PRIMITIVES["float_mul" if type_ is FLOAT else "complex_mul"](tangent, factor)
    return e.mul(tangent, factor)


def _total(terms: Sequence[Any]) -> Any:
    if not terms:
        return None
    total = terms[0]
    for term in terms[1:]:
        type_: Type = evaluation.typeof(total)
        if isinstance(type_, ScalarType):
            total = PRIMITIVES["float_add" if type_ is FLOAT else "complex_add"](total, term)
        else:
            total = e.add(total, term)
    return total


def to_shape(x: Any, target: Shape) -> Any:
    """An array broadcast to a shape, its extents written as there."""
    source = tensor_type(x).shape
    if source == target:
        return x
    if len(source) == len(target) and not any(s == 1 and t != 1 for s, t in zip(source, target, strict=True)):
        return shape.reshape(x, shape=target)
    return shape.broadcast_to(x, shape=target)
