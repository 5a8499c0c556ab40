"""Library functions behind losses, besides those of `neural`."""

from __future__ import annotations

from typing import Any

from jitcore.library.core.values import as_array, dtype_of_value, evaluator, promote, rank_of, shape_of
from jitcore.library.math.elementwise import multiply
from jitcore.library.nn import neural
from jitcore.library.nn.network import like
from jitcore.library.nn.neural import reduced
from jitcore.library.statistics import reductions as reduce
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import transcendental as t


def huber_loss(x: Any, target: Any, delta: float, reduction: str) -> Any:
    """Half the squared differences below `delta`, straight lines above."""
    d = e.abs(e.sub(*promote("sub", x, target)))
    edge = like(delta, d)
    beyond = e.mul(e.sub(d, e.mul(edge, 0.5)), edge)
    return reduced(e.select(e.less(d, edge), e.mul(e.mul(d, d), 0.5), beyond), reduction)


def bce_with_logits(x: Any, target: Any, weight: Any, pos_weight: Any, reduction: str) -> Any:
    """The cross entropy of sigmoid(x) against targets in [0, 1], without overflow."""
    a, goal = promote("sub", x, target)
    no = neural.softplus(a)  # -log(1 - sigmoid(x))
    yes = neural.softplus(e.neg(a))
    if pos_weight is not None:
        yes = multiply(yes, pos_weight)
    losses = e.add(e.mul(goal, yes), e.mul(e.sub(1, goal), no))
    return reduced(losses if weight is None else multiply(losses, weight), reduction)


def kl_div(x: Any, target: Any, reduction: str) -> Any:
    """target * (log target - x), 0 where the target is 0; 'batchmean' is the sum over the number of rows."""
    a, goal = promote("sub", x, target)
    positive = e.greater(goal, 0)
    logs = t.log(e.select(positive, goal, 1))
    losses = e.select(positive, e.mul(goal, e.sub(logs, a)), 0)
    if evaluator().static(reduction, "reduction") != "batchmean":
        return reduced(losses, reduction)
    return e.div(reduce.sum(losses), as_array(evaluator().number(shape_of(a)[0]), dtype_of_value(a)))


def cosine_embedding_loss(x1: Any, x2: Any, target: Any, margin: float, reduction: str) -> Any:
    """1 - cos(x1, x2) where the target is 1, max(0, cos - margin) where it is -1."""
    a, b = promote("mul", x1, x2)
    axis = (rank_of(a) - 1,)

    def dot(u: Any, v: Any) -> Any:
        return r.reduce_sum(e.mul(u, v), axis=axis, keepdims=False)

    cosine = e.div(dot(a, b), t.sqrt(e.mul(e.add(dot(a, a), 1e-12), e.add(dot(b, b), 1e-12))))
    goal = as_array(target)
    apart = e.maximum(e.sub(cosine, like(margin, cosine)), 0)
    return reduced(e.select(e.greater(goal, 0), e.sub(1, cosine), e.select(e.less(goal, 0), apart, 0)), reduction)


def margin_ranking_loss(x1: Any, x2: Any, target: Any, margin: float, reduction: str) -> Any:
    """max(0, -target * (x1 - x2) + margin)."""
    a, b = promote("sub", x1, x2)
    d, goal = promote("mul", e.sub(a, b), target)
    return reduced(e.maximum(e.add(e.mul(e.neg(goal), d), like(margin, d)), 0), reduction)


def hinge_embedding_loss(x: Any, target: Any, margin: float, reduction: str) -> Any:
    """x where the target is 1, max(0, margin - x) where it is -1, 0 where it is 0."""
    a, goal = reduce.as_float(x), as_array(target)
    missed = e.select(e.less(goal, 0), e.maximum(e.sub(like(margin, a), a), 0), 0)
    return reduced(e.select(e.greater(goal, 0), a, missed), reduction)


def soft_margin_loss(x: Any, target: Any, reduction: str) -> Any:
    """log(1 + exp(-target * x))."""
    a, goal = promote("mul", x, target)
    return reduced(neural.softplus(e.neg(e.mul(a, goal))), reduction)
