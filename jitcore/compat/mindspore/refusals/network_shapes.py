"""Shapes that operators of networks and of placing elements do not take, in MindSpore's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from jitcore.compat.mindspore.refusals.naming import dtype_name, items_of, shape_text, type_text
from jitcore.compat.mindspore.refusals.shapes import Check, Options, Shape, ints, known, misplaced, repeated, unlike
from jitcore.passes.infer.engine.operands import UNKNOWN, Operand


def _conv2d(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    x, weight = known(operands[0]), known(operands[1]) if len(operands) > 1 else None
    if x is None or weight is None:
        return None
    if len(x) != 4:
        return ValueError(f"For primitive[Conv2D], the x shape size must be equal to 4, but got {len(x)}.")
    group = _int(options, "group", 1)
    if x[1] != weight[1] * group:
        return RuntimeError(
            "For 'Conv2D', 'C_in' of input 'x' shape divide by parameter 'group' must be equal to 'C_in' of input "
            f"'weight' shape: {weight[1]}, but got 'C_in' of input 'x' shape: {x[1]}, and 'group': {group}."
        )
    kernel = options.get("kernel_size")
    sizes = None if kernel is None else ints(kernel)
    for k, n in enumerate((sizes * 2)[:2] if sizes else ()):
        if weight[2 + k] != n:
            return RuntimeError(
                f"For 'Conv2D', 'w_shape[{2 + k}]' must be equal to 'kernel_size[{k}]', but got 'w_shape[{2 + k}]': "
                f"{weight[2 + k]}, 'kernel_size[{k}]': {n}."
            )
    return None


def _int(options: Mapping[str, Operand], name: str, default: int) -> Any:
    value = options[name].value if name in options else default
    return value if isinstance(value, int) else default


def _pooled(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    x = known(operands[0])
    if x is None or len(x) == 4:
        return None
    return ValueError(f"For primitive[{name}], the length of input must be equal to 4 , but got {len(x)}.")


def _batched(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    x, y = known(operands[0]), known(operands[1])
    if x is None or y is None or len(x) < 2 or len(y) < 2:
        return None
    first, second = (options[n].value is True if n in options else False for n in ("transpose_a", "transpose_b"))
    if x[-2 if first else -1] != y[-1 if second else -2]:
        return ValueError(
            "For BatchMatMul, the row of the input 'y' should be same as the col of the input 'x', with x shape "
            f"{shape_text(x)}(transpose_a={int(first)}), y shape {shape_text(y)}(transpose_b={int(second)})"
        )
    if any(n != m and 1 not in (n, m) for n, m in zip(reversed(x[:-2]), reversed(y[:-2]), strict=False)):
        return ValueError(
            "For BatchMatMul, inputs shape cannot be broadcast on CPU/GPU, "
            f"with x shape {shape_text(x)}, y shape {shape_text(y)}"
        )
    return None


def _bias_add(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    x, bias = known(operands[0]), known(operands[1])
    if x is None or bias is None:
        return None
    if len(bias) != 1:
        return ValueError(f"For primitive[BiasAdd], the rank of bias must be equal to 1, but got {len(bias)}.")
    if len(x) > 1 and bias[0] != x[1]:
        return ValueError(
            "For 'BiasAdd', bias[0] shape should be equal to input_x[1] shape when data_format is 0, but got bias "
            f"shape: .{shape_text(bias)}, input_shape: {shape_text(x)}."
        )
    return None


def _broadcast_to(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    x, target = known(operands[0]), ints(options["shape"]) if "shape" in options else None
    if x is None or target is None:
        return None
    if len(x) > len(target):
        return ValueError(
            "For primitive [BroadcastTo]: input's rank should be less equal to the number of proposed_shape, but got "
            f"{len(x)} and {len(target)}"
        )
    if (refused := misplaced(x, target)) is not None:
        return refused
    for n, m in zip(reversed(x), reversed(target), strict=False):
        if n != m and n != 1 and m != -1:
            return ValueError(
                "For 'BroadcastTo', in order to broadcast, each dimension pair must be equal or input dimension is 1 "
                f"or target dimension is -1. But got x_shape: {shape_text(x)}, target shape: {shape_text(target)}."
            )
    return None


def _made(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    shape = ints(operands[0])
    for k, n in enumerate(shape or ()):
        if n < 0:
            return ValueError(
                f"For primitive[{name}], the the {k}th dimension of input shape must be greater than or equal to 0, "
                f"but got {n}."
            )
    return None


def _eye(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    for letter, x in zip("nm", operands, strict=False):
        if isinstance(x.value, int) and x.value < 0:
            return ValueError(f"Eye error: {letter} value can not be negative.")
    return None


def _tile(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    times = ints(operands[1]) if len(operands) > 1 else None
    for k, n in enumerate(times or ()):
        if n < 0:
            return ValueError(f"For 'Tile', 'dims' cannot contain negative integer numbers, but got {n} in {k}th.")
    return None


def _split(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    x, axis, parts = known(operands[0]), _int(options, "axis", 0), _int(options, "output_num", 1)
    if x is None:
        return None
    if not -len(x) <= axis < len(x):
        return ValueError(f"For 'Split', axis must in [-{len(x)} , {len(x)}), but got {axis}.")
    if parts > 0 and x[axis] % parts:
        return ValueError(
            f"For 'Split', x_shape[{axis % len(x)}] must be divisible by output_num = {parts}, but got {x[axis]}"
        )
    return None


def _stack(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    shapes = [known(i) for i in items_of(operands[0])]
    given: list[Shape] = [s for s in shapes if s is not None]
    if len(given) < len(shapes) or not given:
        return None
    first, rank, axis = given[0], len(given[0]) + 1, _int(options, "axis", 0)
    if not -rank <= axis < rank:
        return ValueError(
            f"For 'Stack', the 'axis' must be in range of [-{rank}, {rank - 1}], but got {axis} with type 'int'."
        )
    dtypes = [i.dtype for i in items_of(operands[0])]
    if len(set(dtypes)) > 1:
        return TypeError(
            "For Stack, all types should be same, but got "
            f"({', '.join(f'mindspore.tensor[{dtype_name(d).lower()}]' for d in dtypes)})"
        )
    for k, shape in enumerate(given):
        if len(shape) != len(first):
            return ValueError(
                f"For 'Stack', the len of x_shape[{k}] should be = len of x_shape[0]: {len(first)}, "
                f"but got {len(shape)}."
            )
        if shape != first:
            return ValueError(f"For Stack element {k} shapein input can not pack with first element")
    return None


def _one_hot(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    indices, depth = operands[0], operands[1] if len(operands) > 1 else None
    if indices.kind == "tensor" and indices.dtype is not None and indices.dtype.kind == "f":
        return TypeError(
            "For primitive[OneHot], the input argument[indices] must be a type of {Tensor[Int32], Tensor[Int64]}, but "
            f"got {type_text(indices)}."
        )
    if depth is not None and isinstance(depth.value, int) and depth.value < 0:
        return ValueError(
            f"For primitive[OneHot], the depth value must be greater than or equal to 0, but got {depth.value}."
        )
    return None


def _add_n(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    items = items_of(operands[0])
    if not items and operands[0].kind in ("tuple", "list"):
        return ValueError("For primitive[AddN], the concat element num must be greater than or equal to 1, but got 0.")
    shapes = [known(i) for i in items]
    if len({i.dtype for i in items if i.kind == "tensor"}) > 1:
        return TypeError("For primitive[AddN], the input type must be same.")
    for k, shape in enumerate(shapes):
        if None not in (shape, shapes[0]) and shape != shapes[0]:
            shown = [f"({', '.join(map(str, s or ()))})" for s in (shape, shapes[0])]
            return ValueError(
                f"For 'AddN', input shape must be same, but got shape of input[{k}]: {shown[0]}, "
                f"shape of input[0]: {shown[1]}."
            )
    return None


def _steps(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    count = operands[2].value if len(operands) > 2 else UNKNOWN
    if isinstance(count, int) and count <= 0:
        return ValueError(f"For primitive[LinSpace], the num must be greater than 0, but got {count}.")
    return None


def _same_shapes(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    x, y = known(operands[0]), known(operands[1])
    if None in (x, y) or x == y:
        return None
    return ValueError(
        f"For '{name}', evaluator arg 'label' shape must be consistent with 'logits' shape, "
        f"but got 'label' shape: {y}, 'logits' shape: {x}."
    )


def _top(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    if len(operands) < 2:
        return None
    x, k = known(operands[0]), operands[1]
    if k.kind not in ("int", "tensor", "object", "union", "npscalar"):
        return TypeError(
            f"For primitive[TopK], the input argument[k] must be a type of {{Int32, Int64}}, but got {type_text(k)}."
        )
    if x and isinstance(k.value, int) and not 0 < k.value <= x[-1]:
        return ValueError(f"For primitive[TopK], the k must be in (0,{x[-1]}], but got {k.value}.")
    return None


def _reversed(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    x, axes = known(operands[0]), ints(options["axis"]) if "axis" in options else None
    for k, axis in enumerate(axes or ()):
        if x is not None and not -len(x) <= axis < len(x):
            return ValueError(
                f"For 'ReverseV2', the 'axis[{k}]' must be in range of [-{len(x)}, {len(x)}), "
                f"but got {axis} with type 'int'."
            )
    twice = repeated(axes, len(x)) if x and axes else None
    return (
        None
        if twice is None
        else ValueError(f"For ReverseV2, 'axis' cannot contain duplicate dimensions, but got {twice}")
    )


def _select(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    if len(operands) < 3:
        return None
    condition, x, y = operands[:3]
    return unlike(name, x, y, ("input", "other")) or unlike(name, condition, x, ("condition", "input"))


def _pair(first: str, second: str) -> Check:
    """The check that the first two operands broadcast, by the names that they have."""

    def check(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
        return unlike(name, operands[0], operands[1], (first, second)) if len(operands) > 1 else None

    return check


_CHECKS: Final[dict[str, Check]] = {
    "Conv2D": _conv2d, "MaxPool": _pooled, "AvgPool": _pooled, "BatchMatMul": _batched, "BiasAdd": _bias_add,
    "BroadcastTo": _broadcast_to, "Zeros": _made, "Ones": _made, "Eye": _eye, "Tile": _tile, "Split": _split,
    "Stack": _stack, "OneHot": _one_hot, "AddN": _add_n, "LinSpace": _steps,
    "SoftmaxCrossEntropyWithLogits": _same_shapes, "TopK": _top, "ReverseV2": _reversed, "Select": _select,
    "Lerp": _pair("start", "end"), "Cross": _pair("input", "other"),
}  # fmt: skip


def refused(name: str, operands: Sequence[Operand], options: Options) -> BaseException | None:
    """What MindSpore says to the shapes of an operator's operands, if it refuses them."""
    check = _CHECKS.get(name)
    return None if check is None or not operands else check(name, operands, options)
