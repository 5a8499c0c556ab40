"""Optimizers with a step size for each element: Adam and its kin, Adagrad, RMSProp, Ftrl …"""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.common.parameter import Parameter
from jitcore.library.core.marking import library
from jitcore.library.optimizers import update_rules
from jitcore.nn.optimizer import Optimizer, change
from jitcore.runtime.tensor import Tensor
from jitcore.types import f32

_adam = library("tensor")(update_rules.adam)
_adam_weight_decay = library("tensor")(update_rules.adam_weight_decay)
_adamax = library("tensor")(update_rules.adamax)
_adadelta = library("tensor")(update_rules.adadelta)
_adagrad = library("tensor")(update_rules.adagrad)
_ftrl = library("tensor")(update_rules.ftrl)
_rms_prop = library("tensor")(update_rules.rms_prop)
_means = library("tensor")(update_rules.means)


def _check_betas(name: str, beta1: Any, beta2: Any, eps: Any) -> None:
    for what, beta in (("beta1", beta1), ("beta2", beta2)):
        if isinstance(beta, bool) or not isinstance(beta, float):
            raise TypeError(f"{what} of {name} is a float, not {type(beta).__name__}")
        if not 0 < beta < 1:
            raise ValueError(f"{what} of {name} is between 0 and 1, not {beta}")
    if isinstance(eps, bool) or not isinstance(eps, int | float):
        raise TypeError(f"eps of {name} is a float, not {type(eps).__name__}")
    if eps <= 0:
        raise ValueError(f"eps of {name} must be positive, but is {eps}")


def _not_negative(name: str, **values: float) -> None:
    for what, value in values.items():
        if value < 0:
            raise ValueError(f"{what} of {name} must not be negative, but is {value}")


class _Moments(Optimizer):
    """Running means of the gradients and of their squares."""

    def __init__(
        self,
        params: Any,
        learning_rate: Any,
        beta1: float,
        beta2: float,
        eps: float,
        weight_decay: Any,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        _check_betas(type(self).__name__, beta1, beta2, eps)
        self.beta1 = float(beta1)
        self.beta2 = float(beta2)
        self.eps = float(eps)
        self.moment1 = self.state_like("moment1")
        self.moment2 = self.state_like("moment2")

    @property
    def moments1(self) -> Any:
        """Another of MindSpore's names of `moment1`."""
        return self.moment1

    @property
    def moments2(self) -> Any:
        """Another of MindSpore's names of `moment2`."""
        return self.moment2

    def powers(self) -> None:
        """Parameters that hold beta1 and beta2 to the power of the step."""
        self.beta1_power = Parameter(Tensor(1.0, f32), name="beta1_power", requires_grad=False)
        self.beta2_power = Parameter(Tensor(1.0, f32), name="beta2_power", requires_grad=False)

    def count_powers(self) -> None:
        """One step more."""
        ops.assign(self.beta1_power, self.beta1_power * self.beta1)
        ops.assign(self.beta2_power, self.beta2_power * self.beta2)

    def shares(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """What the running means keep, and take of what is new."""
        return (self.beta1, 1.0 - self.beta1), (self.beta2, 1.0 - self.beta2)

    def corrected(self, m: Any, v: Any) -> tuple[Any, Any]:
        """The mean, and the root of the mean square, as if they had not begun at 0; the root is not 0.

        `adam` corrects both at once, in the learning rate: then epsilon is beside the root as it is.
        """
        return m / (1.0 - self.beta1_power), ops.sqrt(v / (1.0 - self.beta2_power)) + self.eps


class Adam(_Moments):
    """Adam (Kingma and Ba 2015): steps by the running mean of gradients over the root of the running mean of their
    squares.

    `use_amsgrad`: the largest such mean so far (Reddi et al. 2018).
    """

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
        use_amsgrad: bool = False,
        **options: Any,
    ) -> None:
        if unknown := options.keys() - {"use_lazy", "use_offload"}:
            raise ValueError(f"Adam has no option {sorted(unknown)[0]!r}")
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay, loss_scale)
        self.use_locking = use_locking  # without a meaning here: there is nothing to lock, and one memory
        self.use_lazy, self.use_offload = options.get("use_lazy", False), options.get("use_offload", False)
        if use_nesterov and use_amsgrad:
            raise ValueError("Adam has use_nesterov or use_amsgrad, not both")
        self.use_nesterov = use_nesterov
        self.use_amsgrad = use_amsgrad
        self.powers()
        if use_amsgrad:
            self.largest = self.state_like("vhat")

    def construct(self, gradients: Any) -> bool:
        """Change the Parameters by their gradients."""
        gradients = self.prepared(gradients)
        rate = self.get_lr()
        self.count_powers()
        self._apply_adam(
            self.parameters, self.beta1_power, self.beta2_power, self.moment1, self.moment2, rate, gradients
        )
        self.count_step()
        return True

    def _apply_adam(
        self,
        params: Any,
        beta1_power: Any,
        beta2_power: Any,
        moment1: Any,
        moment2: Any,
        lr: Any,
        gradients: Any,
    ) -> bool:
        """The step itself, which derived optimizers may call."""
        rates = lr if self.is_group_lr else (lr,) * len(params)
        tops = self.largest if self.use_amsgrad else (None,) * len(params)
        correction = ops.sqrt(1.0 - beta2_power) / (1.0 - beta1_power)
        first, second = self.shares()
        for p, g, m, v, top, rate in zip(params, gradients, moment1, moment2, tops, rates, strict=True):
            step, *kept = _adam(m, v, g, rate * correction, first, second, self.eps, self.use_nesterov, top)
            change((p, m, v) if top is None else (p, m, v, top), (p - step, *kept))
        return True


class AdamWeightDecay(_Moments):
    """Adam without the correction for the first steps, the weight decay outside of the gradient (BERT's Adam)."""

    adds_decay = False

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-6,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay)

    def construct(self, gradients: Any) -> bool:
        """Change the Parameters by their gradients."""
        gradients = self.prepared(gradients)
        rates = self.rates_now()
        decays = self.decays_now()
        first, second = self.shares()
        for p, g, m, v, lr, decay in zip(
            self.parameters, gradients, self.moment1, self.moment2, rates, decays, strict=True
        ):
            change((p, m, v), _adam_weight_decay(p, m, v, g, lr, first, second, self.eps, decay))
        self.count_step()
        return True


class AdamW(_Moments):
    """Adam with the weight decay outside of the gradient (Loshchilov and Hutter 2019)."""

    adds_decay = False

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        weight_decay: Any = 1e-2,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay, loss_scale)
        self.powers()

    def construct(self, gradients: Any) -> bool:
        """Change the Parameters by their gradients."""
        gradients = self.prepared(gradients)
        rates = self.rates_now()
        decays = self.decays_now()
        self.count_powers()
        first, second = self.shares()
        for p, g, m, v, lr, decay in zip(
            self.parameters, gradients, self.moment1, self.moment2, rates, decays, strict=True
        ):
            change((m, v), _means(m, v, g, first, second))
            mean, root = self.corrected(m, v)
            ops.assign(p, p * (1.0 - lr * decay) - lr * mean / root)
        self.count_step()
        return True


class AdaMax(_Moments):
    """Adam with the largest recent gradient instead of the root of the mean square (Kingma and Ba 2015)."""

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        weight_decay: Any = 0.0,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay, loss_scale)
        self.powers()

    def construct(self, gradients: Any) -> bool:
        """Change the Parameters by their gradients."""
        gradients = self.prepared(gradients)
        rates = self.rates_now()
        self.count_powers()
        first, _ = self.shares()
        for p, g, m, v, lr in zip(self.parameters, gradients, self.moment1, self.moment2, rates, strict=True):
            change((p, m, v), _adamax(p, m, v, g, lr, self.beta1_power, first, self.beta2, self.eps))
        self.count_step()
        return True


def _norm(x: Any) -> Any:
    return ops.sqrt((x * x).sum())


class Lamb(_Moments):
    """Adam's steps made as long as the layer's weights (You et al. 2020)."""

    adds_decay = False

    def __init__(
        self,
        params: Any,
        learning_rate: Any,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-6,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(params, learning_rate, beta1, beta2, eps, weight_decay)
        self.powers()

    def construct(self, gradients: Any) -> bool:
        """Change the Parameters by their gradients."""
        gradients = self.prepared(gradients)
        rates = self.rates_now()
        decays = self.decays_now()
        self.count_powers()
        first, second = self.shares()
        for p, g, m, v, lr, decay in zip(
            self.parameters, gradients, self.moment1, self.moment2, rates, decays, strict=True
        ):
            change((m, v), _means(m, v, g, first, second))
            mean, root = self.corrected(m, v)
            update = mean / root + p * decay
            length, step = _norm(p), _norm(update)
            ratio = ops.where(ops.minimum(length, step) > 0, length / ops.maximum(step, 1e-30), 1.0)
            ops.assign(p, p - lr * ratio * update)
        self.count_step()
        return True


class Adagrad(Optimizer):
    """Steps over the root of the sum of all squared gradients (Duchi et al. 2011)."""

    def __init__(
        self,
        params: Any,
        accum: float = 0.1,
        learning_rate: Any = 0.001,
        update_slots: bool = True,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        _not_negative("Adagrad", accum=accum)
        self.update_slots = update_slots
        self.accum = self.state_like("accum", accum)

    def construct(self, gradients: Any) -> bool:
        """Change the Parameters by their gradients."""
        gradients = self.prepared(gradients)
        rates = self.rates_now()
        for p, g, total, lr in zip(self.parameters, gradients, self.accum, rates, strict=True):
            change((p, total), _adagrad(p, total, g, lr, self.update_slots))
        self.count_step()
        return True


class Adadelta(Optimizer):
    """Steps as long as recent ones, over the root of the running mean of squared gradients (Zeiler 2012)."""

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1.0,
        rho: float = 0.9,
        epsilon: float = 1e-6,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if not 0 <= rho <= 1 or epsilon < 0:
            raise ValueError("rho of Adadelta is in [0, 1], epsilon is not negative")
        self.rho = float(rho)
        self.epsilon = float(epsilon)
        self.accum = self.state_like("accum")
        self.accum_update = self.state_like("accum_update")

    def construct(self, gradients: Any) -> bool:
        """Change the Parameters by their gradients."""
        gradients = self.prepared(gradients)
        rates = self.rates_now()
        for p, g, squares, steps, lr in zip(
            self.parameters, gradients, self.accum, self.accum_update, rates, strict=True
        ):
            made = _adadelta(p, squares, steps, g, lr, (self.rho, 1.0 - self.rho), self.epsilon, True)
            change((p, squares, steps), made)
        self.count_step()
        return True


class RMSProp(Optimizer):
    """Steps over the root of the running mean of squared gradients (Hinton 2012), less the squared mean if
    `centered`."""

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        decay: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        del use_locking  # there is nothing to lock
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        _not_negative("RMSProp", decay=decay, momentum=momentum)
        if epsilon <= 0:
            raise ValueError(f"epsilon of RMSProp must be positive, but is {epsilon}")
        self.decay = float(decay)
        self.momentum = float(momentum)
        self.epsilon = float(epsilon)
        self.centered = centered
        self.mean_square = self.state_like("mean_square")
        self.moment = self.state_like("moment")
        self.mean_gradient = self.state_like("mean_grad") if centered else (None,) * len(self.parameters)

    def construct(self, gradients: Any) -> bool:
        """Change the Parameters by their gradients."""
        gradients = self.prepared(gradients)
        rates = self.rates_now()
        share = self.decay, 1.0 - self.decay
        for p, g, squares, moment, mean, lr in zip(
            self.parameters, gradients, self.mean_square, self.moment, self.mean_gradient, rates, strict=True
        ):
            made = _rms_prop(p, squares, moment, g, lr, share, self.momentum, self.epsilon, mean)
            change((p, squares, moment, mean) if self.centered else (p, squares, moment), made)
        self.count_step()
        return True


class FTRL(Optimizer):
    """Follow the regularised leader, for sparse models (McMahan et al. 2013)."""

    def __init__(
        self,
        params: Any,
        initial_accum: float = 0.1,
        learning_rate: Any = 0.001,
        lr_power: float = -0.5,
        l1: float = 0.0,
        l2: float = 0.0,
        use_locking: bool = False,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        del use_locking  # there is nothing to lock
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        _not_negative("FTRL", initial_accum=initial_accum, l1=l1, l2=l2)
        if lr_power > 0:
            raise ValueError(f"lr_power of FTRL must not be positive, but is {lr_power}")
        self.l1 = float(l1)
        self.l2 = float(l2)
        self.lr_power = float(lr_power)
        self.moments = self.state_like("moments", initial_accum)
        self.linear = self.state_like("linear")

    def construct(self, gradients: Any) -> bool:
        """Change the Parameters by their gradients."""
        gradients = self.prepared(gradients)
        rates = self.rates_now()
        for p, g, total, linear, lr in zip(self.parameters, gradients, self.moments, self.linear, rates, strict=True):
            made = _ftrl(p, total, linear, g, lr, -self.lr_power, self.l1, 2.0 * self.l2)
            change((p, total, linear), made)
        self.count_step()
        return True
