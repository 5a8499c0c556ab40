"""What operators that give views say to axes and shapes line by line, where MindSpore computes them without its shape
rules: `Dimension out of range`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from jitcore.compat.mindspore.refusals import methods, operators, signatures
from jitcore.compat.mindspore.refusals.naming import items_of, shape_text
from jitcore.compat.mindspore.refusals.shapes import Shape, ints, known, misplaced, repeated
from jitcore.passes.infer.engine.operands import Operand

Options = Mapping[str, Operand]


def _outside(axes: Sequence[int], rank: int) -> ValueError | None:
    """The answer to the first axis that an array of a rank does not have."""
    rank = max(rank, 1)
    for axis in axes:
        if not -rank <= axis < rank:
            return ValueError(f"Dimension out of range (expected to be in range of [-{rank}, {rank}), but got {axis})")
    return None


def _axis(place: int, option: str = "axis", more: int = 0) -> Callable[[Sequence[Operand], Options], ValueError | None]:
    """The check of an axis, an operand or an option, of an array with some axes more."""

    def check(operands: Sequence[Operand], options: Options) -> ValueError | None:
        shape = known(operands[0])
        given = options.get(option) or (operands[place] if len(operands) > place else None)
        axes = None if given is None else ints(given)
        return None if shape is None or axes is None else _outside(axes, len(shape) + more)

    return check


def _transpose(operands: Sequence[Operand], options: Options) -> ValueError | None:
    shape, perm = known(operands[0]), ints(operands[1]) if len(operands) > 1 else None
    if shape is None or perm is None or len(perm) != len(shape):
        return None
    outside = _outside(perm, len(shape))
    if outside is not None:
        return outside
    twice = repeated(perm, len(shape))
    return (
        None
        if twice is None
        else ValueError(f"For 'Transpose' perms should all be unique dim, but{twice} is not unique!")
    )


def transposed(x: Operand, axes: Sequence[Operand]) -> BaseException | None:
    """The answer to the axes of `x.transpose`, line by line."""
    rank = len(x.shape)
    numbers = [a.value for a in axes]
    if len(axes) == 1 and axes[0].kind in ("tuple", "list"):
        operands = [x, axes[0]]
        untaken = signatures.refused_whole("Transpose", operands, {}) or _transpose(operands, {})
        return untaken or operators.unlike("Transpose", operands, {})
    if not all(a.kind == "int" for a in axes):
        return signatures.refused_whole("Transpose", [x, Operand("tuple", items=tuple(axes))], {})
    if len(axes) == 2:
        return _outside(numbers, rank)
    if len(axes) != rank:
        return ValueError(methods.uncounted_axes(len(axes)))
    return _transpose([x, Operand("tuple", items=tuple(axes))], {})


def _reshape(operands: Sequence[Operand], options: Options) -> ValueError | None:
    shape, target = known(operands[0]), ints(operands[1]) if len(operands) > 1 else None
    return None if shape is None or target is None else reshaped(shape, target)


def reshaped(shape: Shape, target: Shape) -> ValueError | None:
    """The answer to a new shape."""
    if any(n < -1 for n in target):
        return ValueError("invalid proposed_shape dimension")
    if target.count(-1) > 1:
        return ValueError("only one dimension can be inferred")
    size, rest = math.prod(shape), math.prod(n for n in target if n != -1)
    if size == rest if -1 not in target else rest and size % rest == 0:
        return None
    return ValueError(f"proposed_shape '{shape_text(target)}' is invalid for input of size {size}")


def _broadcast_to(operands: Sequence[Operand], options: Options) -> ValueError | None:
    given = options.get("shape") or (operands[1] if len(operands) > 1 else None)
    shape, target = known(operands[0]), None if given is None else ints(given)
    if shape is None or target is None or len(shape) > len(target):
        return None
    if (refused := misplaced(shape, target)) is not None:
        return refused
    for n, m in zip(reversed(shape), reversed(target), strict=False):
        if n != m and n != 1 and m != -1:
            return ValueError(
                "For 'BroadcastTo', in order to broadcast, each dimension pair must be equal or input dimension is 1 "
                f"or target dimension is -1. But got x_shape: {_listed(shape)}, target shape: {_listed(target)}."
            )
    return None


def _listed(shape: Shape) -> str:
    return f"({', '.join(map(str, shape))})"


def _stack(operands: Sequence[Operand], options: Options) -> ValueError | None:
    items = items_of(operands[0])
    if not items:
        return ValueError("For primitive[Stack], the stack element num must be greater than or equal to 1, but got 0.")
    shapes = [known(i) for i in items]
    if any(s is None for s in shapes):
        return None
    if len({len(s or ()) for s in shapes}) > 1:
        return ValueError("All input shape size must be the same!")
    other = next((s for s in shapes if s != shapes[0]), None)
    if other is not None:
        return ValueError(f"All input shape must be the same! {shape_text(other)} And {shape_text(shapes[0] or ())}")
    rank = len(shapes[0] or ()) + 1
    axis = options["axis"].value if "axis" in options else 0
    if isinstance(axis, int) and not -rank <= axis < rank:
        return ValueError(f"For primitive[Stack], the Stack axis must be in [-{rank},{rank - 1}], but got {axis}.")
    return None


_CHECKS: Final[dict[str, Callable[[Sequence[Operand], Options], ValueError | None]]] = {
    "ExpandDims": _axis(1, more=1), "Squeeze": _axis(1), "Unstack": _axis(1), "Split": _axis(1),
    "Transpose": _transpose, "Reshape": _reshape, "BroadcastTo": _broadcast_to, "Stack": _stack,
    "TransposeExtView": lambda operands, options: _axis(1)(operands, options) or _axis(2)(operands, options),
}  # fmt: skip


def refused(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    """What MindSpore says, line by line, to the axes or shape that an operator is given."""
    check = _CHECKS.get(name)
    return None if check is None or not operands else check(operands, options)
