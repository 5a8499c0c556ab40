"""Operators that change Parameters as optimisers do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator
from jitcore.library.math import elementwise
from jitcore.library.math.elementwise import multiply, sqrt, subtract, true_divide
from jitcore.library.optimizers import update_rules as rules
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import transcendental as t


def like(var: Any, *values: Any) -> Any:
    """Values as arrays of a Parameter's dtype."""
    return tuple(as_array(as_array(v), dtype_of_value(var)) for v in values)


def changed(places: Sequence[Any], values: Sequence[Any]) -> Any:
    """Parameters, changed in place to what was computed from them before."""
    return tuple(elementwise.assign(place, value) for place, value in zip(places, values, strict=True))


def share(beta: Any) -> tuple[Any, Any]:
    """What is kept of the old, and what is taken of the new, in beta's dtype."""
    return beta, subtract(1.0, beta)


def corrected(lr: Any, power1: Any, power2: Any) -> Any:
    """Adam's learning rate, corrected for the means' first steps."""
    return true_divide(multiply(lr, sqrt(subtract(1.0, power2))), subtract(1.0, power1))


def on(condition: Any) -> bool:
    """Whether an option is set."""
    return bool(evaluator().static(condition, "an option"))


# --- running means ------------------------------------------------------------------------------------


def adadelta(var: Any, accum: Any, update: Any, lr: Any, rho: Any, epsilon: Any, grad: Any) -> tuple[Any, Any, Any]:
    """What Adadelta makes of a Parameter and its two running means."""
    lr, rho, epsilon, g = like(var, lr, rho, epsilon, grad)
    return rules.adadelta(var, accum, update, g, lr, share(rho), epsilon)


@operator("ApplyAdadelta", "raw")
def apply_adadelta(var: Any, accum: Any, accum_update: Any, lr: Any, rho: Any, epsilon: Any, grad: Any) -> Any:
    """Adadelta (Zeiler 2012)."""
    return changed((var, accum, accum_update), adadelta(var, accum, accum_update, lr, rho, epsilon, grad))


@operator("ApplyAdaMax", "raw")
def apply_ada_max(
    var: Any, m: Any, v: Any, beta1_power: Any, lr: Any, beta1: Any, beta2: Any, epsilon: Any, grad: Any
) -> Any:
    """AdaMax (Kingma and Ba 2015)."""
    power, lr, beta1, beta2, epsilon, g = like(var, beta1_power, lr, beta1, beta2, epsilon, grad)
    return changed((var, m, v), rules.adamax(var, m, v, g, lr, power, share(beta1), beta2, epsilon))


def _amsgrad(
    var: Any, m: Any, v: Any, vhat: Any, power1: Any, power2: Any, lr: Any, beta1: Any, beta2: Any, eps: Any, grad: Any
) -> Any:
    power1, power2, lr, beta1, beta2, eps, g = like(var, power1, power2, lr, beta1, beta2, eps, grad)
    rate = corrected(lr, power1, power2)
    step, *kept = rules.adam(m, v, g, rate, share(beta1), share(beta2), eps, largest=vhat)
    return changed((var, m, v, vhat), (e.sub(var, step), *kept))


@operator("ApplyAdamWithAmsgrad", "raw")
def apply_adam_with_amsgrad(
    var: Any,
    m: Any,
    v: Any,
    vhat: Any,
    beta1_power: Any,
    beta2_power: Any,
    lr: Any,
    grad: Any,
    *,
    beta1: Any = 0.9,
    beta2: Any = 0.999,
    epsilon: Any = 1e-08,
    use_locking: Any = False,
) -> Any:
    """AMSGrad (Reddi et al. 2018)."""
    del use_locking
    return _amsgrad(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad)


@operator("ApplyAdamWithAmsgradV2", "raw")
def apply_adam_with_amsgrad_v2(
    var: Any,
    m: Any,
    v: Any,
    vhat: Any,
    beta1_power: Any,
    beta2_power: Any,
    lr: Any,
    beta1: Any,
    beta2: Any,
    epsilon: Any,
    grad: Any,
    *,
    use_locking: Any = False,
) -> Any:
    """AMSGrad (Reddi et al. 2018)."""
    del use_locking
    return _amsgrad(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad)


@operator("AdamWeightDecay", "raw")
def adam_weight_decay(
    var: Any,
    m: Any,
    v: Any,
    lr: Any,
    beta1: Any,
    beta2: Any,
    epsilon: Any,
    decay: Any,
    gradient: Any,
    *,
    use_locking: Any = False,
) -> Any:
    """Adam with the weight decay outside of the gradient (Loshchilov and Hutter 2019)."""
    del use_locking
    lr, beta1, beta2, epsilon, decay, g = like(var, lr, beta1, beta2, epsilon, decay, gradient)
    made = rules.adam_weight_decay(var, m, v, g, lr, share(beta1), share(beta2), epsilon, decay)
    return changed((var, m, v), made)


@operator("Adam", "raw")
def adam(
    var: Any,
    m: Any,
    v: Any,
    beta1_power: Any,
    beta2_power: Any,
    lr: Any,
    beta1: Any,
    beta2: Any,
    epsilon: Any,
    gradient: Any,
    *,
    use_locking: Any = False,
    use_nesterov: Any = False,
) -> Any:
    """Adam (Kingma and Ba 2015)."""
    del use_locking
    rate = corrected(lr, beta1_power, beta2_power)
    step, *kept = rules.adam(m, v, gradient, rate, share(beta1), share(beta2), epsilon, use_nesterov, rounded=False)
    return changed((var, m, v), (subtract(var, step), *kept))


@operator("AdamNoUpdateParam", "raw")
def adam_no_update_param(
    m: Any,
    v: Any,
    beta1_power: Any,
    beta2_power: Any,
    lr: Any,
    beta1: Any,
    beta2: Any,
    epsilon: Any,
    gradient: Any,
    *,
    use_locking: Any = False,
    use_nesterov: Any = False,
) -> Any:
    """What Adam adds to a Parameter; its means are changed."""
    del use_locking
    power1, power2, lr, beta1, beta2, epsilon, g = like(
        m, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient
    )
    rate = corrected(lr, power1, power2)
    step, *kept = rules.adam(m, v, g, rate, share(beta1), share(beta2), epsilon, on(use_nesterov))
    step = e.neg(step)
    changed((m, v), kept)
    return step


# --- sums of squares ----------------------------------------------------------------------------------


def adagrad(var: Any, accum: Any, lr: Any, grad: Any, epsilon: Any, update: bool) -> tuple[Any, Any]:
    """What Adagrad makes of a Parameter and its sum of squares."""
    lr, g = like(var, lr, grad)
    return rules.adagrad(var, accum, g, lr, update, epsilon if epsilon is None else float(epsilon))


@operator("ApplyAdagrad", "raw")
def apply_adagrad(var: Any, accum: Any, lr: Any, grad: Any, *, update_slots: Any = True) -> Any:
    """Adagrad (Duchi et al. 2011)."""
    return changed((var, accum), adagrad(var, accum, lr, grad, None, on(update_slots)))


@operator("ApplyAdagradV2", "raw")
def apply_adagrad_v2(var: Any, accum: Any, lr: Any, grad: Any, *, epsilon: Any, update_slots: Any = True) -> Any:
    """Adagrad (Duchi et al. 2011), with an epsilon beside the root."""
    return changed((var, accum), adagrad(var, accum, lr, grad, epsilon, on(update_slots)))


@operator("ApplyAdagradDA", "raw")
def apply_adagrad_da(
    var: Any,
    gradient_accumulator: Any,
    gradient_squared_accumulator: Any,
    grad: Any,
    lr: Any,
    l1: Any,
    l2: Any,
    global_step: Any,
    *,
    use_locking: Any = False,
) -> Any:
    """Adagrad with dual averaging (Duchi et al. 2011)."""
    del use_locking
    g, lr, l1, l2, step = like(var, grad, lr, l1, l2, global_step)
    total, squares = e.add(gradient_accumulator, g), e.add(gradient_squared_accumulator, e.mul(g, g))
    kept = e.select(e.greater(l1, 0), rules.shrunk(total, e.mul(l1, step)), total)
    moved = e.neg(e.div(e.mul(lr, kept), e.add(e.mul(e.mul(l2, step), lr), t.sqrt(squares))))
    places = var, gradient_accumulator, gradient_squared_accumulator
    return changed(places, (moved, total, squares))


def proximal_adagrad(var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any) -> tuple[Any, Any]:
    """What proximal Adagrad makes of a Parameter and its sum of squares."""
    lr, l1, l2, g = like(var, lr, l1, l2, grad)
    return rules.proximal_adagrad(var, accum, g, lr, l1, l2)


@operator("ApplyProximalAdagrad", "raw")
def apply_proximal_adagrad(
    var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any, *, use_locking: Any = False
) -> Any:
    """Proximal Adagrad (Duchi and Singer 2009)."""
    del use_locking
    return changed((var, accum), proximal_adagrad(var, accum, lr, l1, l2, grad))


@operator("ApplyProximalGradientDescent", "raw")
def apply_proximal_gradient_descent(var: Any, alpha: Any, l1: Any, l2: Any, delta: Any) -> Any:
    """A proximal step (Duchi and Singer 2009)."""
    rate, l1, l2, g = like(var, alpha, l1, l2, delta)
    return elementwise.assign(var, rules.proximal(rules.descended(var, g, rate), rate, l1, l2))


def ftrl(
    var: Any, accum: Any, linear: Any, grad: Any, lr: Any, l1: Any, l2: Any, lr_power: Any, shrinkage: Any = 0.0
) -> tuple[Any, Any, Any]:
    """What FTRL makes of a Parameter, its sum of squares and its linear term."""
    g, lr, l1, l2, power = like(var, grad, lr, l1, l2, lr_power)
    return rules.ftrl(var, accum, linear, g, lr, e.neg(power), l1, e.mul(2, l2), float(shrinkage))


@operator("ApplyFtrl", "raw")
def apply_ftrl(
    var: Any, accum: Any, linear: Any, grad: Any, lr: Any, l1: Any, l2: Any, lr_power: Any, *, use_locking: Any = False
) -> Any:
    """Follow the regularised leader (McMahan et al. 2013)."""
    del use_locking
    return changed((var, accum, linear), ftrl(var, accum, linear, grad, lr, l1, l2, lr_power))[0]


# --- signs, momentum ----------------------------------------------------------------------------------


@operator("ApplyAddSign", "raw")
def apply_add_sign(var: Any, m: Any, lr: Any, alpha: Any, sign_decay: Any, beta: Any, grad: Any) -> Any:
    """AddSign (Bello et al. 2017)."""
    lr, alpha, decay, beta, g = like(var, lr, alpha, sign_decay, beta, grad)
    mean = rules.running(m, g, share(beta))
    factor = e.add(alpha, e.mul(decay, e.mul(e.sign(g), e.sign(mean))))
    return changed((var, m), (e.sub(var, e.mul(e.mul(lr, factor), g)), mean))


@operator("ApplyPowerSign", "raw")
def apply_power_sign(var: Any, m: Any, lr: Any, logbase: Any, sign_decay: Any, beta: Any, grad: Any) -> Any:
    """PowerSign (Bello et al. 2017)."""
    lr, base, decay, beta, g = like(var, lr, logbase, sign_decay, beta, grad)
    mean = rules.running(m, g, share(beta))
    factor = t.exp(e.mul(e.mul(base, decay), e.mul(e.sign(g), e.sign(mean))))
    return changed((var, m), (e.sub(var, e.mul(e.mul(lr, factor), g)), mean))


@operator("ApplyGradientDescent", "raw")
def apply_gradient_descent(var: Any, alpha: Any, delta: Any) -> Any:
    """Gradient descent."""
    return elementwise.assign(var, rules.descended(var, delta, alpha))


@operator("ApplyMomentum", "raw")
def apply_momentum(
    variable: Any,
    accumulation: Any,
    learning_rate: Any,
    gradient: Any,
    momentum: Any,
    *,
    use_nesterov: Any = False,
    use_locking: Any = False,
    gradient_scale: Any = 1.0,
) -> Any:
    """Gradient descent with momentum."""
    del use_locking
    g = gradient if gradient_scale == 1.0 else elementwise.multiply(gradient, gradient_scale)
    share = (momentum, 1.0)
    made = rules.momentum(variable, accumulation, g, learning_rate, share, use_nesterov, rounded=False)
    return changed((variable, accumulation), made)[0]


@operator("ApplyKerasMomentum", "raw")
def apply_keras_momentum(
    var: Any, accum: Any, lr: Any, grad: Any, momentum: Any, *, use_locking: Any = False, use_nesterov: Any = False
) -> Any:
    """Momentum whose moving sum has the learning rate in it."""
    del use_locking
    lr, g, share = like(var, lr, grad, momentum)
    total = e.sub(e.mul(accum, share), e.mul(lr, g))
    step = e.sub(e.mul(total, share), e.mul(lr, g)) if on(use_nesterov) else total
    return changed((var, accum), (e.add(var, step), total))


def rms(
    var: Any, mean_square: Any, moment: Any, lr: Any, grad: Any, decay: Any, momentum: Any, epsilon: Any, mean: Any
) -> tuple[Any, ...]:
    """RMSProp; centred if there is a running mean of gradients."""
    lr, g, decay, momentum, epsilon = like(var, lr, grad, decay, momentum, epsilon)
    return rules.rms_prop(var, mean_square, moment, g, lr, share(decay), momentum, epsilon, mean)


@operator("ApplyRMSProp", "raw")
def apply_rms_prop(
    var: Any,
    mean_square: Any,
    moment: Any,
    learning_rate: Any,
    grad: Any,
    decay: Any,
    momentum: Any,
    epsilon: Any,
    *,
    use_locking: Any = False,
) -> Any:
    """RMSProp (Tieleman and Hinton 2012)."""
    del use_locking
    made = rms(var, mean_square, moment, learning_rate, grad, decay, momentum, epsilon, None)
    return changed((var, mean_square, moment), made)[0]


@operator("ApplyCenteredRMSProp", "raw")
def apply_centered_rms_prop(
    var: Any,
    mean_gradient: Any,
    mean_square: Any,
    moment: Any,
    grad: Any,
    learning_rate: Any,
    decay: Any,
    momentum: Any,
    epsilon: Any,
    *,
    use_locking: Any = False,
) -> Any:
    """Centred RMSProp (Graves 2013)."""
    del use_locking
    made = rms(var, mean_square, moment, learning_rate, grad, decay, momentum, epsilon, mean_gradient)
    return changed((var, mean_square, moment, mean_gradient), made)[0]


@operator("SGD", "raw")
def sgd(
    parameters: Any,
    gradient: Any,
    learning_rate: Any,
    accum: Any,
    momentum: Any,
    stat: Any,
    *,
    dampening: Any = 0.0,
    weight_decay: Any = 0.0,
    nesterov: Any = False,
) -> Any:
    """Gradient descent with momentum; where `stat` is not 0, the moving sum begins with the gradient."""
    g, lr, keep, first = like(parameters, gradient, learning_rate, momentum, stat)
    if weight_decay:
        g = e.add(g, e.mul(parameters, float(weight_decay)))
    begins, used, share = e.greater(first, 0), e.greater(keep, 0), (keep, 1 - float(dampening))
    moved, total = rules.momentum(parameters, accum, g, lr, share, on(nesterov), begins, used)
    begun = e.select(used, e.mul(first, 0), first)
    return changed((parameters, accum, stat), (moved, total, begun))[0]


@operator("LARSUpdate")
def lars_update(
    weight: Any,
    gradient: Any,
    norm_weight: Any,
    norm_gradient: Any,
    weight_decay: Any,
    learning_rate: Any,
    *,
    epsilon: Any = 1e-05,
    hyperpara: Any = 0.001,
    use_clip: Any = False,
) -> Any:
    """The gradient, with weight decay, scaled by layer (You et al. 2017); the norms are given squared."""
    g, w, by_g, decay, lr = like(weight, gradient, norm_weight, norm_gradient, weight_decay, learning_rate)
    lengths = t.sqrt(w), t.sqrt(by_g)
    return rules.lars(weight, g, lengths, lr, decay, float(epsilon), float(hyperpara), on(use_clip))
