"""Shapes that operators which pick, place and normalise elements do not take, in MindSpore's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jitcore.compat.mindspore.refusals.naming import items_of, shape_text
from jitcore.compat.mindspore.refusals.shapes import Check, Options, Shape, ints, known
from jitcore.passes.infer.engine.operands import Operand


def _gather_nd(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    x, indices = known(operands[0]), known(operands[1])
    if x is None or not indices or indices[-1] <= len(x):
        return None
    return ValueError(
        "For primitive[GatherNd], the In GatherNd, the input of indices data must be greater than or equal to "
        f"{indices[-1]}, but got {len(x)}."
    )


def _gather_d(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    x, dim, index = known(operands[0]), operands[1].value, known(operands[2])
    if x is None or index is None or not isinstance(dim, int):
        return None
    if len(x) != len(index):
        return ValueError(f"For primitive[GatherD], the x_rank must be equal to {len(index)}, but got {len(x)}.")
    if not -len(x) <= dim < max(len(x), 1):
        return ValueError(f"For primitive[GatherD], the dim value must be in [-{len(x)},{len(x)}], but got {dim}.")
    place = next((k for k in range(len(x)) if k != dim % len(x) and x[k] < index[k]), None)
    if place is None:
        return None
    return ValueError(
        f"For primitive[GatherD], the x shape must be greater than or equal to {index[place]}, but got {x[place]}."
    )


def _scatter_nd(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    indices, updates, shape = known(operands[0]), known(operands[1]), ints(operands[2])
    if indices is None or updates is None or shape is None:
        return None
    if len(indices) < 2:
        return ValueError(
            f"For primitive[ScatterNd], the rank(indices) must be greater than or equal to 2, but got {len(indices)}."
        )
    if any(n <= 0 for n in shape):
        items = ", ".join(map(str, shape))
        return ValueError(
            f"For 'ScatterNd', the input [shape] should be a tuple with all positive item. But got: {{ {items} }}"
        )
    return _placed(indices, updates, shape)


def _placed(indices: Shape, updates: Shape, shape: Shape) -> BaseException | None:
    q, r, p, n = len(indices), len(updates), len(shape), indices[-1]
    output = "the rank of output tensor is 'P' (length of the 'shape'), and the last dimension of 'indices' is 'N'"
    if n > p:
        return ValueError(
            f"For 'ScatterNd', if {output}, the 'N' should be less than or equal to 'P', but got P = {p}, N = {n}"
        )
    if r != q - 1 + p - n:
        return ValueError(
            f"For 'ScatterNd', if the rank of 'indices' is 'Q', the rank of 'updates' is 'R', {output}, then 'R' "
            f"should be equal to 'Q - 1 + P - N'. but got 'R' = {r}, 'Q' = {q}, 'P' = {p}, 'N' = {n}"
        )
    if updates == (*indices[:-1], *shape[n:]):
        return None
    listed = ", ".join(map(str, shape)) + (", " if len(shape) == 1 else "")
    return ValueError(
        "For 'ScatterNd', if the last dimension of 'indices' is 'N', the shape of 'updates' should be the "
        "concatenation of 'indices.shape[:-1]' and 'shape[N:]'. but got 'indices.shape' is "
        f"(({', '.join(map(str, indices))}), 'updates.shape' is "
        f"(({', '.join(map(str, updates))}), 'shape' is ({listed})."
    )


def _strided_slice(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    x, bounds = known(operands[0]), [ints(o) for o in operands[1:4]]
    if x is None or len(bounds) != 3 or None in bounds:
        return None
    begin, end, strides = (len(b or ()) for b in bounds)
    if not begin == end == strides:
        return ValueError(
            "For 'StridedSlice', 'begin', 'end' and 'strides' must have the same length, but got length of 'begin': "
            f"{begin}, 'end': {end}, 'strides': {strides}."
        )
    if begin > len(x):
        return RuntimeError(
            "For 'StridedSlice', the length of 'begin', 'stride' and 'end' should be equal and less than or equal to "
            f"the dimension of 'input_x', but got the length of 'begin': {begin}, the length of 'stride': {strides}, "
            f"the length of 'end': {end}, the dimension of 'input_x': {len(x)}"
        )
    return ValueError("For 'StridedSlice', input 'strides' can not contain 0.") if 0 in (bounds[2] or ()) else None


def _slice(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    x, begin, size = known(operands[0]), ints(operands[1]), ints(operands[2])
    if x is None or begin is None or size is None:
        return None
    if not len(x) == len(begin) == len(size):
        return ValueError("For Slice, the shape of input|begin|size must be equal.")
    if any(b < 0 for b in begin):
        listed = "".join(f"{b}, " for b in begin)
        return ValueError(
            "For primitive[Slice], the attribute[input_begin] should be a vector with all positive item. "
            f"but got [{listed}]."
        )
    small = next((n for n in size if n < -1), None)
    if small is not None:
        return RuntimeError(f"For Slice, the value in size should not be less than -1, but got {small}")
    past = next((k for k, n in enumerate(x) if begin[k] + max(size[k], 0) > n), None)
    return (
        None
        if past is None
        else ValueError(
            f"For Slice, the sum of begin_shape[{past}] and size_shape[{past}] must be "
            f"no greater than input_x_shape[{past}]."
        )
    )


def _pad(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    x, paddings = known(operands[0]), options.get("paddings")
    pairs = None if paddings is None else [ints(p) for p in items_of(paddings)]
    if (
        x is None
        or paddings is None
        or pairs is None
        or None in pairs
        or any(p.kind == "int" for p in items_of(paddings))
    ):
        return None
    if len(pairs) != len(x):
        return ValueError(
            "For 'Pad', the length of 'paddings' must be equal to the rank of 'input_x', "
            f"but got {len(pairs)} vs {len(x)}"
        )
    for k, pair in enumerate(pairs):
        if pair is not None and len(pair) == 2 and min(pair) < 0:
            return ValueError(
                "For 'Pad', all elements of 'paddings' must be >= 0, "
                f"but got paddings[{k}][0] = {pair[0]}, paddings[{k}][1] = {pair[1]}"
            )
    return None


def _layer_norm(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    x, gamma, beta = (known(o) for o in operands[:3])
    axes = [_axis(options, n) for n in ("begin_norm_axis", "begin_params_axis")]
    if x is None or gamma is None or beta is None or None in axes:
        return None
    rank = len(x)
    if not -rank <= (axes[0] or 0) < rank:
        return RuntimeError(
            f"For primitive[LayerNorm], input_x's rank is {rank}, while the 'begin_norm_axis' value should be in the "
            f"range [-{rank}, {rank}), but got {axes[0]}."
        )
    start = (axes[1] or 0) % rank
    if gamma == x[start:] == beta:
        return None
    return ValueError(
        f"For 'LayerNorm', gamma or beta shape must match input shape, but got input shape: {shape_text(x)}, gamma "
        f"shape: {shape_text(gamma)}, beta shape: {shape_text(beta)}."
    )


def _axis(options: Options, name: str) -> int | None:
    value = options[name].value if name in options else 1
    return value if isinstance(value, int) else None


def _masked(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    x, mask = known(operands[0]), known(operands[1])
    if x is None or mask is None:
        return None
    shorter = min(len(x), len(mask))
    for k in range(shorter):
        n, m = x[len(x) - shorter + k], mask[len(mask) - shorter + k]
        if n != m and 1 not in (n, m):
            return ValueError(
                f"For '{name}', input.shape and mask.shape need to broadcast. The value of input.shape[{len(x) + k}] "
                f"or mask.shape[{len(mask) + k}] must be 1 or -1 when they are not the same, but got input.shape = "
                f"{list(x)} and mask.shape = {list(mask)}"
            )
    value = known(operands[2]) if len(operands) > 2 and operands[2].kind == "tensor" else None
    if name == "MaskedFill" and value:
        return ValueError(
            "For 'MaskedFill', 'value' only supports a 0-dimensional value tensor or a float number, but got tensor "
            f"with {len(value)} dimension(s)."
        )
    return None


def _segments(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    x, ids, count = known(operands[0]), known(operands[1]), operands[2].value if len(operands) > 2 else 1
    for k, n in enumerate(ids or ()):
        if x is not None and k < len(x) and x[k] != n:
            return ValueError(
                "For 'UnsortedSegmentSum', the whose shape of 'segment_ids' must equal to the shape of 'input_x', "
                f"ids[{k}] should be = input[{k}]: {x[k]}, but got {n}"
            )
    if isinstance(count, int) and count <= 0:
        return ValueError(
            f"For primitive[UnsortedSegmentSum], the num_segments's value must be greater than 0, but got {count}."
        )
    return None


def _both(text: str) -> Check:
    """The check of two operands of one shape."""

    def check(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
        x, y = (known(o) for o in operands[:2])
        if x is None or y is None or x == y:
            return None
        shown = (f"[{''.join(f'{n},' for n in s)}]" for s in (x, y))
        return ValueError(text.format(*shown))

    return check


def _sparse_labels(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    x, labels = known(operands[0]), known(operands[1])
    if x is None or labels is None:
        return None
    if len(x) < 2:
        return ValueError("Features shape length must be greater than 1")
    if labels != x[:-1]:
        return ValueError("Labels shape value must be equal to the Features except the last dimension of Features")
    return None


def _triangle(text: str) -> Check:
    def check(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
        x = known(operands[0])
        return None if x is None or len(x) >= 2 else ValueError(text.format(len(x)))

    return check


_CHECKS: Final[dict[str, Check]] = {
    "GatherNd": _gather_nd, "GatherD": _gather_d, "ScatterNd": _scatter_nd, "StridedSlice": _strided_slice,
    "Slice": _slice, "Pad": _pad, "LayerNorm": _layer_norm, "MaskedFill": _masked, "MaskedSelect": _masked,
    "MaskedFillScalar": _masked, "UnsortedSegmentSum": _segments,
    "SmoothL1Loss": _both("For primitive[SmoothL1Loss], the prediction_shape: {} must be equal to {}"),
    "KLDivLoss": _both("For primitive[KLDivLoss], the x shape: {} must be equal to {}"),
    "BinaryCrossEntropy": _both("For primitive[BinaryCrossEntropy], the input_shape: {} must be equal to {}"),
    "SparseSoftmaxCrossEntropyWithLogits": _sparse_labels,
    "Triu": _triangle("For primitive[Triu], the rank of input must be greater than or equal to 2, but got {}."),
    "Tril": _triangle("For primitive[Tril], the x's rank must be greater than or equal to 2, but got {}."),
}  # fmt: skip

_LEAST: Final = {"Pad": 1, "Triu": 1, "Tril": 1, "GatherD": 3, "ScatterNd": 3, "Slice": 3, "LayerNorm": 3}
"""How many operands a check looks at, if not two."""


def refused(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    """What MindSpore says to the shapes of an operator's operands, if it refuses them."""
    check = _CHECKS.get(name)
    return None if check is None or len(operands) < _LEAST.get(name, 2) else check(name, operands, options)
