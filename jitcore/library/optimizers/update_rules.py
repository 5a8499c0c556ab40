"""The update rules of optimizers: what a Parameter and what is kept beside it become by a gradient.

Each is written once, for the classes of `nn`, the groups of `nn.grouped`, the operators (`ops.ApplyAdagrad`) and those
of some rows (`ops.SparseApplyAdagrad`), and writes nothing: callers do, and choose rows before. What is kept is rounded
to the dtype that it is kept in before it is used; but `ops.Adam` and `ops.ApplyMomentum`, whose numbers may be of wider
dtypes than the Parameter, use it as it is computed (not `rounded`).

A running mean is told what it keeps of the old and what it takes of the new (`Share`), not one of the two alone: the
operators compute 1 - beta in the Parameter's dtype, as MindSpore's do, the classes in Python's floats, which for 0.999
in float32 is 5e-5 of it apart.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from jitcore.library.core.values import as_array, dtype_of_value
from jitcore.library.math.comparisons import greater
from jitcore.library.math.elementwise import (
    absolute,
    add,
    maximum,
    minimum,
    multiply,
    power,
    sign,
    sqrt,
    subtract,
    true_divide,
    where,
)

Value: TypeAlias = object
"""An array or a number."""

Share: TypeAlias = tuple[Value, Value]
"""What is kept of the old, and what is taken of the new."""


def descended(p: Value, step: Value, lr: Value) -> Any:
    """A Parameter after a step downwards."""
    return subtract(p, multiply(lr, step))


def momentum(
    p: Value,
    v: Value,
    g: Value,
    lr: Value,
    share: Share,
    nesterov: bool,
    begins: Value = None,
    used: Value = True,
    rounded: bool = True,
) -> tuple[Any, Any]:
    """A Parameter and the moving sum of its gradients, which is the gradient where it begins, and is left alone where
    it is not used.

    With `nesterov` the step looks ahead by another share of the sum (Sutskever et al. 2013).
    """
    keep, rest = share
    total = add(multiply(v, keep), multiply(g, rest))
    total = total if begins is None else where(begins, g, total)
    total = _kept(total, v) if rounded else total
    step = add(g, multiply(total, keep)) if nesterov else total
    if used is not True:
        step, total = where(used, step, g), where(used, total, v)
    return descended(p, step, lr), total


def lars(
    p: Value,
    g: Value,
    lengths: tuple[Value, Value],
    lr: Value,
    decay: Value,
    epsilon: Value,
    coefficient: Value,
    clip: bool,
    guarded: bool = False,
) -> Any:
    """A gradient with weight decay, scaled by the Parameter's length over its own (You et al. 2017); `guarded`: by 1
    where either is 0."""
    length, slope = lengths
    trust = true_divide(multiply(length, coefficient), add(add(slope, multiply(decay, length)), epsilon))
    trust = where(greater(minimum(length, slope), 0), trust, 1.0) if guarded else trust
    trust = minimum(true_divide(trust, lr), 1.0) if clip else trust
    return multiply(add(g, multiply(p, decay)), trust)


# --- running means of gradients, and of their squares ---------------------------------------------------


def means(m: Value, v: Value, g: Value, first: Share, second: Share, rounded: bool = True) -> tuple[Any, Any]:
    """The running means of the gradients and of their squares."""
    mean, square = _mixed(m, g, first), _mixed(v, multiply(g, g), second)
    return (_kept(mean, m), _kept(square, v)) if rounded else (mean, square)


def adam(
    m: Value,
    v: Value,
    g: Value,
    rate: Value,
    first: Share,
    second: Share,
    epsilon: Value,
    nesterov: bool = False,
    largest: Value = None,
    rounded: bool = True,
) -> tuple[Any, ...]:
    """What a Parameter is less by a step of Adam (Kingma and Ba 2015), the running means, and with `largest` the
    largest mean square (Reddi et al. 2018). `rate` has the correction for the first steps in it."""
    mean, square = means(m, v, g, first, second, rounded)
    kept = (mean, square) if largest is None else (mean, square, _kept(maximum(largest, square), largest))
    ahead = _mixed(mean, g, first) if nesterov else mean
    return true_divide(multiply(rate, ahead), add(sqrt(kept[-1]), epsilon)), *kept


def adam_weight_decay(
    p: Value, m: Value, v: Value, g: Value, lr: Value, first: Share, second: Share, epsilon: Value, decay: Value
) -> tuple[Any, Any, Any]:
    """Adam without the correction for the first steps, with the weight decay outside of the gradient (BERT's Adam)."""
    mean, square = means(m, v, g, first, second)
    step = add(true_divide(mean, add(sqrt(square), epsilon)), multiply(p, decay))
    return descended(p, step, lr), mean, square


def nadam(
    m: Value, v: Value, g: Value, rates: tuple[Value, Value], first: Share, second: Share, epsilon: Value
) -> tuple[Any, Any, Any]:
    """What a Parameter is less by a step of Adam with Nesterov's momentum (Dozat 2016), and the running means. The
    rates of the gradient and of its mean have the corrections for the first steps in them."""
    mean, square = means(m, v, g, first, second)
    step = add(multiply(g, rates[0]), multiply(mean, rates[1]))
    return true_divide(step, add(sqrt(square), epsilon)), mean, square


def adamax(
    p: Value,
    m: Value,
    v: Value,
    g: Value,
    lr: Value,
    power: Value,
    first: Share,
    beta2: Value,
    epsilon: Value,
    early: bool = False,
) -> tuple[Any, Any, Any]:
    """Adam with the largest recent gradient instead of the root of the mean square (Kingma and Ba 2015); `power` is
    beta1 to the power of the step. `early`: epsilon is added to each gradient, not to the largest."""
    new = add(absolute(g), epsilon) if early else absolute(g)
    mean, size = running(m, g, first), _kept(maximum(multiply(v, beta2), new), v)
    rate = true_divide(lr, subtract(1.0, power))
    return subtract(p, true_divide(multiply(rate, mean), size if early else add(size, epsilon))), mean, size


def adadelta(
    p: Value, square: Value, change: Value, g: Value, lr: Value, share: Share, epsilon: Value, early: bool = False
) -> tuple[Any, Any, Any]:
    """A Parameter and the running means of the squares of gradients and of steps (Zeiler 2012).

    The gradient is multiplied `early` by the class, late by the operator, which are a bit apart by that.
    """
    square = running(square, multiply(g, g), share)
    above, below = sqrt(add(change, epsilon)), sqrt(add(square, epsilon))
    step = true_divide(multiply(g, above), below) if early else multiply(true_divide(above, below), g)
    return descended(p, step, lr), square, running(change, multiply(step, step), share)


def rms_prop(
    p: Value,
    square: Value,
    moment: Value,
    g: Value,
    lr: Value,
    share: Share,
    momentum: Value,
    epsilon: Value,
    mean: Value = None,
) -> tuple[Any, ...]:
    """A Parameter, the running mean of its gradients' squares and the moving sum of its steps (Hinton 2012); with the
    running mean of the gradients, the squares are centred (Graves 2013)."""
    square = spread = running(square, multiply(g, g), share)
    if mean is not None:
        mean = running(mean, g, share)
        spread = subtract(square, multiply(mean, mean))
    step = true_divide(multiply(lr, g), sqrt(add(spread, epsilon)))
    moment = _kept(add(multiply(moment, momentum), step), moment)
    return subtract(p, moment), square, moment, *(() if mean is None else (mean,))


def rms_scaled(square: Value, g: Value, share: Share, epsilon: Value, mean: Value = None) -> tuple[Any, ...]:
    """A gradient over the root of the running mean of its squares, and that mean; with the running mean of the
    gradients, the squares are centred. Epsilon is added to the root, and not as `rms_prop` does."""
    square = spread = running(square, multiply(g, g), share)
    if mean is not None:
        mean = running(mean, g, share)
        spread = subtract(square, multiply(mean, mean))
    return true_divide(g, add(sqrt(spread), epsilon)), square, *(() if mean is None else (mean,))


def running(old: Value, new: Value, share: Share) -> Any:
    """A running mean with a new value taken in."""
    return _kept(_mixed(old, new, share), old)


def _mixed(old: Value, new: Value, share: Share) -> Any:
    keep, rest = share
    return add(multiply(old, keep), multiply(new, rest))


# --- signs ----------------------------------------------------------------------------------------------


def rprop(
    p: Value, before: Value, size: Value, g: Value, factors: tuple[Value, Value], limits: tuple[Value, Value]
) -> tuple[Any, Any, Any]:
    """A Parameter, its last gradient and the sizes of its steps, which shrink where the gradient's sign changes, and
    grow where it does not (Riedmiller and Braun 1993). Where it changed, no step is taken."""
    same = multiply(g, before)
    factor = where(greater(same, 0), factors[1], where(greater(0, same), factors[0], 1.0))
    size = _kept(minimum(maximum(multiply(size, factor), limits[0]), limits[1]), size)
    g = where(greater(0, same), 0.0, g)
    return subtract(p, multiply(sign(g), size)), _kept(g, before), size


# --- sums of squares ------------------------------------------------------------------------------------


def adagrad(p: Value, total: Value, g: Value, lr: Value, update: bool = True, epsilon: Value = None) -> tuple[Any, Any]:
    """A Parameter and the sum of its gradients' squares (Duchi et al. 2011)."""
    total = _summed(total, g) if update else total
    root = sqrt(total) if epsilon is None else add(sqrt(total), epsilon)
    return subtract(p, true_divide(multiply(lr, g), root)), total


def proximal_adagrad(p: Value, total: Value, g: Value, lr: Value, l1: Value, l2: Value) -> tuple[Any, Any]:
    """Adagrad whose steps end where penalties allow, by each element's rate (Duchi and Singer 2009)."""
    total = _summed(total, g)
    rate = true_divide(lr, sqrt(total))
    return proximal(descended(p, g, rate), rate, l1, l2), total


def proximal(moved: Value, rate: Value, l1: Value, l2: Value) -> Any:
    """A Parameter that has moved, where an l1 and an l2 penalty allow it to be."""
    return true_divide(shrunk(moved, multiply(rate, l1)), add(1.0, multiply(rate, l2)))


def shrunk(x: Value, limit: Value) -> Any:
    """x moved towards 0 by a limit."""
    return multiply(sign(x), maximum(subtract(absolute(x), limit), 0))


def ftrl(
    p: Value,
    total: Value,
    linear: Value,
    g: Value,
    lr: Value,
    exponent: Value,
    l1: Value,
    twice_l2: Value,
    shrinkage: float = 0.0,
) -> tuple[Any, Any, Any]:
    """A Parameter, the sum of its gradients' squares and its linear term (McMahan et al. 2013); `exponent` is of the
    sum."""
    larger = add(total, multiply(g, g))
    before, after = power(total, exponent), power(larger, exponent)
    moved = add(linear, add(g, multiply(p, 2 * shrinkage)) if shrinkage else g)
    linear = _kept(subtract(moved, multiply(true_divide(subtract(after, before), lr), p)), linear)
    made = true_divide(subtract(multiply(sign(linear), l1), linear), add(true_divide(after, lr), twice_l2))
    return where(greater(absolute(linear), l1), made, 0.0), _kept(larger, total), linear


def _summed(total: Value, g: Value) -> Any:
    return _kept(add(total, multiply(g, g)), total)


def _kept(new: Value, old: Value) -> Any:
    return as_array(new, dtype_of_value(old))
