"""Reverse mode, one primitive at a time: from the cotangents of its outputs to those of its arguments.

The rules are the ones declared with the primitive; they are evaluated by the current evaluator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jitcore.primitives import broadcasting
from jitcore.primitives import elementwise as e
from jitcore.primitives.registry import (
    Linear,
    Multilinear,
    Nondifferentiable,
    Partials,
    Primitive,
    Structural,
    Vjp,
)
from jitcore.primitives.rules import tensor_type
from jitcore.source import InternalError


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
