"""Shapes that do not go together, in MindSpore's words: of elementwise operators, products of matrices, concatenations,
reshapes, axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from jitcore.compat.mindspore.refusals.naming import items_of, shape_text
from jitcore.passes.infer.engine.operands import Operand

Shape = tuple[int, ...]


def known(x: Operand) -> Shape | None:
    """A Tensor's shape, if all of it is known."""
    if x.kind not in ("tensor", "npscalar") or None in x.shape:
        return None
    return tuple(n for n in x.shape if n is not None)


def unlike(name: str, x: Operand, y: Operand, names: tuple[str, str] = ("input1", "input2")) -> ValueError | None:
    """Two shapes that do not broadcast."""
    first, second = known(x), known(y)
    if first is None or second is None:
        return None
    shorter = min(len(first), len(second))
    for k in range(shorter):
        n, m = first[len(first) - shorter + k], second[len(second) - shorter + k]
        if n != m and 1 not in (n, m):
            one, other = (
                f"{word}.shape" for word in (("input", "other") if name in ("NotEqual", "FloorDiv") else names)
            )
            return ValueError(
                f"For '{name}', {one} and {other} need to broadcast. The value of {one}[{len(first) + k}] or "
                f"{other}[{len(second) + k}] must be 1 or -1 when they are not the same, "
                f"but got {one} = {list(first)} and {other} = {list(second)}"
            )
    return None


def product(name: str, x: Operand, y: Operand) -> BaseException | None:
    """Factors of `MatMulExt` that do not go together."""
    first, second = known(x), known(y)
    if first is None or second is None:
        return None
    if not first or not second:
        return ValueError(f"For '{name}' op, inputs must be all tensors and rank >= 1")
    if len(second) == 1:
        if first[-1] != second[0]:
            return ValueError(
                "For 'MatMul' the input dimensions must be equal, but got 'x1_col': "
                f"{first[-1]} and 'x2_row': {second[0]}."
            )
    elif first[-1] != second[-2]:
        return RuntimeError(
            f"For '{name}' op, shape1[-1] must be equal to shape2[-2], but got {first[-1]} and {second[-2]}."
        )
    batches = zip(reversed(first[:-2]), reversed(second[:-2]), strict=False)
    if any(n != m and 1 not in (n, m) for n, m in batches):
        return RuntimeError(
            f"For '{name}' op,  shape1 and shape2 must be broadcastable, "
            f"but got {shape_text(first)} and {shape_text(second)}"
        )
    return None


# --- by operator ------------------------------------------------------------------------------------

Options = Mapping[str, Operand]
Check = Callable[[str, Sequence[Operand], Options], "BaseException | None"]


def _broadcast(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    return unlike(name, operands[0], operands[1]) if len(operands) > 1 else None


def _product(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    return product(name, operands[0], operands[1]) if len(operands) > 1 else None


def _flag(options: Options, name: str) -> bool:
    return name in options and options[name].value is True


def _matmul(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    first, second = known(operands[0]), known(operands[1])
    if first is None or second is None:
        return None
    if len(first) != 2 or len(second) != 2:
        return ValueError("MatMul inputs should have the same dimension size and equal to 2.")
    columns = first[0] if _flag(options, "transpose_a") else first[1]
    rows = second[1] if _flag(options, "transpose_b") else second[0]
    if columns != rows:
        return ValueError(
            f"For 'MatMul' the input dimensions must be equal, but got 'x1_col': {columns} and 'x2_row': {rows}."
        )
    return None


def _dense(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    first, second = known(operands[0]), known(operands[1])
    if first is None or second is None or not first or len(second) != 2 or first[-1] == second[-1]:
        return None
    return ValueError(
        f"For 'MatMul' the input dimensions must be equal, but got 'x1_col': {first[-1]} and 'x2_row': {second[-1]}."
    )


def _concat(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    items = items_of(operands[0])
    shapes = [known(i) for i in items]
    if not items:
        return ValueError("For primitive[Concat], the elements size must be greater than 0, but got 0.")
    if any(s is None for s in shapes):
        return None
    given = [s for s in shapes if s is not None]
    listed = "[const vector]{" + ", ".join(map(shape_text, given)) + "}"
    if len({len(s) for s in given}) > 1:
        return ValueError(f"For primitive[Concat], element rank must be same(shapes are {listed})!")
    rank, axis = len(given[0]), options["axis"].value if "axis" in options else 0
    if not isinstance(axis, int):
        return None
    if not -rank <= axis < rank:
        return ValueError(f"For primitive[Concat], the axis value must be in [-{rank},{rank}), but got {axis}.")
    if len({tuple(n for k, n in enumerate(s) if k != axis % rank) for s in given}) > 1:
        return ValueError(
            f"For primitive[Concat] only support one axis different, bug got more than one(shapes is {listed})!"
        )
    return None


def misplaced(shape: Shape, target: Shape) -> ValueError | None:
    """The answer to a shape to broadcast to that has a -1 before the axes that there are."""
    more = len(target) - len(shape)
    place = next((k for k, n in enumerate(target[:more]) if n == -1), None)
    if place is None:
        return None
    return ValueError(
        "For 'BroadcastTo', -1 in init shape is in an incompatible location with given input tensor, -1 index in init "
        f"shape: {place} but -1 can only be in index{more}onwards for this input."
    )


def _reshape(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    shape, target = known(operands[0]), ints(operands[1])
    if shape is None or target is None:
        return None
    if target.count(-1) > 1:
        return ValueError(
            f"For primitive[Reshape], at most one component of shape can be -1, but got {shape_text(target)}"
        )
    if min(target, default=0) < -1:
        return ValueError(
            f"For primitive[Reshape], the component of shape can't be less than -1, but got {shape_text(target)}"
        )
    rest = math.prod(n for n in target if n != -1)
    size = math.prod(shape)
    if -1 in target and rest and size:
        target = tuple(size // rest if n == -1 else n for n in target)
    if math.prod(target) == size:
        return None
    return ValueError(
        "For primitive[Reshape], the accumulate of x_shape must be equal to out_shape, but got x_shape: "
        f"{shape_text(shape)}, and out_shape: {shape_text(target)}"
    )


def ints(x: Operand) -> Shape | None:
    """The ints that a sequence, or one int, is."""
    values = [x.value] if x.kind == "int" else [i.value for i in items_of(x)]
    if x.kind not in ("int", "tuple", "list", "range") or not all(isinstance(v, int) for v in values):
        return None
    return tuple(values)


def _transpose(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    shape, perm = known(operands[0]), ints(operands[1])
    if shape is None or perm is None:
        return None
    rank = len(shape)
    if len(perm) != rank:
        return ValueError(f"For 'Transpose', size of perm should equal to rank of x, but got {len(perm)} and {rank}!")
    for axis in perm:
        if not -rank <= axis < rank:
            return ValueError(f"For primitive[Transpose], the perm value must be in [-{rank},{rank}), but got {axis}.")
    places = [axis % rank for axis in perm]
    repeated = next((axis for k, axis in enumerate(places) if axis in places[:k]), None)
    return (
        None
        if repeated is None
        else ValueError(f"For 'Transpose', perms should all be unique dim, but{repeated} is not unique!")
    )


def _axis(text: str, *, place: int = 1, option: str = "axis", more: int = 0) -> Check:
    """The check of an axis, an operand or an option: `text` with the rank and the axis filled in."""

    def check(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
        shape = known(operands[0]) if operands else None
        if shape is None and operands and items_of(operands[0]):
            shape = known(items_of(operands[0])[0])
        given = options.get(option) if option in options else operands[place] if len(operands) > place else None
        axes = None if given is None else ints(given)
        if shape is None or axes is None:
            return None
        rank = max(len(shape) + more, 1)
        for axis in axes:
            if not -rank <= axis < rank:
                return ValueError(
                    text.format(
                        name=name,
                        rank=rank,
                        last=rank - 1,
                        axis=axis,
                        dims=len(shape),
                        counted=axis + rank if axis < 0 else axis,
                    )
                )
        return None

    return check


_VALUE: Final = _axis("For primitive[{name}], the axis value must be in [-{rank},{rank}), but got {axis}.")
_PLAIN: Final = _axis("For primitive[{name}], the axis must be in [-{rank},{rank}), but got {axis}.")


def _reduced(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    """The answer to axes that are reduced: outside, or given twice."""
    refused = _VALUE(name, operands, options)
    if refused is not None:
        return refused
    shape, axes = known(operands[0]), ints(operands[1]) if len(operands) > 1 else None
    twice = None if not shape or axes is None else repeated(axes, len(shape))
    return None if twice is None else RuntimeError(f"dim={twice} appears multiple times in the list of dims")


def repeated(axes: Sequence[int], rank: int) -> int | None:
    """The first axis of an array that is given for the second time, counted from the front."""
    places = [axis % rank for axis in axes]
    return next((axis for k, axis in enumerate(places) if axis in places[:k]), None)


def _exchanged(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    """The answer to two axes that are exchanged."""
    for place in (1, 2):
        check = _axis(
            f"For primitive[{{name}}], the dim{place - 1} must be in [-{{rank}},{{rank}}), but got {{axis}}.",
            place=place,
        )
        if (refused := check(name, operands, options)) is not None:
            return refused
    return None


_CHECKS: Final[dict[str, Check]] = {
    **dict.fromkeys(
        (
            "Add", "Sub", "Mul", "Div", "RealDiv", "Mod", "FloorDiv", "FloorMod", "Pow", "Maximum", "Minimum", "Equal",
            "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual", "LogicalAnd", "LogicalOr", "LogicalXor",
            "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Atan2", "DivNoNan", "MulNoNan", "TruncateDiv", "TruncateMod",
            "Xdivy", "Xlogy", "SquaredDifference", "AddExt", "SubExt", "DivMod", "Hypot",
            "NextAfter", "ApproximateEqual",
        ),
        _broadcast,
    ),
    "MatMulExt": _product,
    "MatMul": _matmul,
    "Dense": _dense,
    "Concat": _concat,
    "Reshape": _reshape,
    "Transpose": _transpose,
    **dict.fromkeys(
        (
            "SumExt", "MeanExt", "ProdExt", "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd",
            "ReduceAll", "ReduceAny",
        ),
        _reduced,
    ),
    **dict.fromkeys(("Unstack", "ArgMaxExt", "ArgMinExt"), _VALUE),
    "TransposeExtView": _exchanged,
    **dict.fromkeys(
        ("Softmax", "LogSoftmax", "ArgMaxWithValue", "ArgMinWithValue", "Argmax", "Argmin", "CumSum"), _PLAIN
    ),
    "Gather": _axis("For primitive[Gather], the axis must be in [-{rank},{rank}], but got {axis}.", place=2),
    "ExpandDims": _axis("ExpandDimserror: axis value invalid. axis: {counted}, input dims: {dims}", more=1),
    "Squeeze": _axis("dim value error. dim:{axis}, dim value should be in [-{rank}, {rank})."),
    "Sort": _axis("For primitive[Sort], the axis must be in [-{rank},{last}], but got {axis}."),
}  # fmt: skip


def refused(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    """What MindSpore says to the shapes of an operator's operands, if it refuses them."""
    check = _CHECKS.get(name)
    if check is None or not operands:
        return None
    try:
        return check(name, _Given(operands), options)
    except _MissingError:  # the number of operands is another rule's
        return None


class _MissingError(Exception):
    """An operand is looked at that is not given."""


class _Given(tuple[Operand, ...]):
    """The operands of a call. Raises _MissingError for others."""

    __slots__ = ()

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, int) and k >= len(self):
            raise _MissingError
        return super().__getitem__(k)
