"""Einstein's summation: `np.einsum` and `ops.einsum`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from jitcore.library.array import shapes
from jitcore.library.core.values import as_array, evaluator, product_of, promote, rank_of, require_equal, shape_of
from jitcore.library.linalg import products
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops import views


def _terms(equation: str, ranks: Sequence[int]) -> tuple[list[list[str]], list[str]]:
    """The labels of each operand's axes and of the result's; axes of an ellipsis are labelled by numbers, from the
    end."""
    text = equation.replace(" ", "")
    inputs, arrow, output = text.partition("->")
    parts = inputs.split(",")
    if len(parts) != len(ranks):
        raise ValueError(f"einsum: {len(parts)} terms for {len(ranks)} operands")
    covered = [rank - len(part.replace("...", "")) for part, rank in zip(parts, ranks, strict=True)]
    operands: list[list[str]] = []
    for part, count, rank in zip(parts, covered, ranks, strict=True):
        if count < 0 or (count > 0 and "..." not in part):
            raise ValueError(f"einsum: the term {part!r} does not fit an operand of {rank} dimensions")
        operands.append(_labels(part, count))
    widest = max(covered) if "..." in text else 0
    if arrow:
        result = _labels(output, widest)
    else:
        letters = "".join(parts).replace("...", "")
        once = sorted(c for c in set(letters) if letters.count(c) == 1)
        result = [*(str(k) for k in range(widest, 0, -1)), *once]
    known = {label for labels in operands for label in labels}
    if len(set(result)) != len(result) or not set(result) <= known:
        raise ValueError(f"einsum: the result {output!r} does not follow from {inputs!r}")
    return operands, result


def _labels(part: str, count: int) -> list[str]:
    before, dots, after = part.partition("...")
    middle = [str(k) for k in range(count, 0, -1)] if dots else []
    return [*before, *middle, *after]


def _diagonals(x: Any, labels: list[str]) -> tuple[Any, list[str]]:
    """x with axes of one label made one."""
    while len(set(labels)) != len(labels):
        twice = next(c for c in labels if labels.count(c) > 1)
        i = labels.index(twice)
        j = labels.index(twice, i + 1)
        require_equal(shape_of(x)[i], shape_of(x)[j], f"einsum: extents {{0}} and {{1}} have one label {twice!r}")
        rest = [k for k in range(len(labels)) if k not in (i, j)]
        x = views.diagonal(shapes.transpose(x, (i, j, *rest)))
        labels = [*(labels[k] for k in rest), twice]
    return x, labels


def _summed(x: Any, labels: list[str], kept: set[str]) -> tuple[Any, list[str]]:
    """x summed over the axes whose labels are needed no more."""
    gone = tuple(k for k, c in enumerate(labels) if c not in kept)
    if not gone:
        return x, labels
    return r.reduce_sum(x, axis=gone, keepdims=False), [c for c in labels if c in kept]


def _contracted(
    x: Any, mine: list[str], y: Any, theirs: list[str], kept: set[str]
) -> tuple[Any, list[str]]:  # fmt: skip
    """The product of two operands, summed over what both have and nothing later needs."""
    for label in mine:
        if label in theirs:
            a, b = shape_of(x)[mine.index(label)], shape_of(y)[theirs.index(label)]
            if a != 1 and b != 1:
                require_equal(a, b, f"einsum: extents {{0}} and {{1}} have one label {label!r}")
    x, mine = _summed(x, mine, kept | set(theirs))
    y, theirs = _summed(y, theirs, kept | set(mine))
    shared = [c for c in mine if c in theirs]
    # of extents that are not known, other than by that check, the same operations are to be made: the order of sums is
    # theirs
    stretched = any((shape_of(x)[mine.index(c)] == 1) is not (shape_of(y)[theirs.index(c)] == 1) for c in shared)
    if stretched or not (set(shared) - kept):
        return _multiplied(x, mine, y, theirs, kept)
    batch = [c for c in shared if c in kept]
    inner = [c for c in shared if c not in kept]
    left, right = [c for c in mine if c not in shared], [c for c in theirs if c not in shared]

    def grouped(value: Any, labels: list[str], *groups: list[str]) -> Any:
        turned = shapes.transpose(value, tuple(labels.index(c) for group in groups for c in group))
        extents = [shape_of(value)[labels.index(c)] for c in groups[0]]
        extents += [product_of([shape_of(value)[labels.index(c)] for c in group]) for group in groups[1:]]
        return s.reshape(turned, shape=tuple(extents))

    extents = {c: shape_of(x)[mine.index(c)] for c in mine} | {c: shape_of(y)[theirs.index(c)] for c in theirs}
    made = products.matmul(grouped(x, mine, batch, left, inner), grouped(y, theirs, batch, inner, right))
    labels = [*batch, *left, *right]
    return s.reshape(made, shape=tuple(extents[c] for c in labels)), labels


def _multiplied(x: Any, mine: list[str], y: Any, theirs: list[str], kept: set[str]) -> tuple[Any, list[str]]:
    labels = [*mine, *(c for c in theirs if c not in mine)]
    return _summed(e.mul(_aligned(x, mine, labels), _aligned(y, theirs, labels)), labels, kept)


def _aligned(x: Any, labels: list[str], wanted: list[str]) -> Any:
    """x with its axes in the order of labels, and axes of 1 for those it lacks."""
    turned = shapes.transpose(x, tuple(labels.index(c) for c in wanted if c in labels)) if labels else x
    absent = tuple(k for k, c in enumerate(wanted) if c not in labels)
    return s.expand_dims(turned, axis=absent) if absent else turned


def einsum(subscripts: Any, *operands: Any, optimize: Any = False) -> Any:
    """The sum of products that an equation describes ('ij,jk->ik')."""
    given: list[Any] = list(operands)
    if len(given) == 1 and isinstance(given[0], list | tuple):
        given = list(cast("Sequence[Any]", given[0]))
    if not given:
        raise ValueError("For 'einsum', at least one operand is needed.")
    values = list(promote("mul", *given)) if len(given) > 1 else [as_array(given[0])]
    text = evaluator().static(subscripts, "the equation")
    if not isinstance(text, str):
        raise TypeError(f"For 'einsum', the equation is a str, not {type(text).__name__}.")
    labels, result = _terms(text, [rank_of(v) for v in values])
    made, have = _diagonals(values[0], labels[0])
    for k, value in enumerate(values[1:], 1):
        later = {c for more in labels[k + 1 :] for c in more} | set(result)
        other, theirs = _diagonals(value, labels[k])
        made, have = _contracted(made, have, other, theirs, later)
    made, have = _summed(made, have, set(result))
    return shapes.transpose(made, tuple(have.index(c) for c in result)) if result else made
