"""Paddle's optimizers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from jitcore.compat.paddle.nn.clip import ClipGradBase
from jitcore.compat.paddle.nn.parameter import Parameter
from jitcore.compat.paddle.optimizer.optimizer import (
    Decay,
    Group,
    Numbers,
    Optimizer,
    Rate,
    State,
    power,
    require,
)
from jitcore.compat.torch.optim.stepping import Rule
from jitcore.library.math import comparisons, elementwise
from jitcore.library.optimizers import update_rules
from jitcore.library.statistics import reductions
from jitcore.runtime.tensor import Tensor

Parameters = Iterable[Any]


def _sgd(p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers) -> tuple[Any, ...]:
    del kept
    return (update_rules.descended(p, g, numbers[0]),)


class SGD(Optimizer):
    """Stochastic gradient descent."""

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        parameters: Parameters | None = None,
        weight_decay: Decay = None,
        grad_clip: ClipGradBase | None = None,
        multi_precision: bool = False,
        name: str | None = None,
    ) -> None:
        del multi_precision
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    def _numbers(self, group: Group, p: Parameter, rate: float, state: State) -> Numbers:
        return (rate,)

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _sgd, ()


def _momentum(p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers, ahead: bool) -> tuple[Any, ...]:
    lr, keep = numbers
    return update_rules.momentum(p, kept[0], g, lr, (keep, 1.0), ahead)


class Momentum(Optimizer):
    """Stochastic gradient descent with momentum. `rescale_grad` changes nothing, as in Paddle's updates on the CPU."""

    _kept = ("velocity",)

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        momentum: float = 0.9,
        parameters: Parameters | None = None,
        use_nesterov: bool = False,
        weight_decay: Decay = None,
        grad_clip: ClipGradBase | None = None,
        multi_precision: bool = False,
        rescale_grad: float = 1.0,
        use_multi_tensor: bool = False,
        name: str | None = None,
    ) -> None:
        del multi_precision, use_multi_tensor, rescale_grad
        options = {"momentum": momentum, "use_nesterov": use_nesterov}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, options)

    def _numbers(self, group: Group, p: Parameter, rate: float, state: State) -> Numbers:
        return rate, float(group["momentum"])

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _momentum, (bool(group["use_nesterov"]),)


# --- Adam -----------------------------------------------------------------------------------------------


def _require_betas(beta1: float, beta2: float, epsilon: float) -> None:
    require(0 <= beta1 < 1, "Invalid value of beta1, expect beta1 in [0,1).")
    require(0 <= beta2 < 1, "Invalid value of beta2, expect beta2 in [0,1).")
    require(epsilon >= 0, "Invalid value of epsilon, expect epsilon >= 0.")


def _adam(p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers) -> tuple[Any, ...]:
    lr, epsilon, keep1, take1, keep2, take2, shrink = numbers
    largest = kept[2] if len(kept) > 2 else None
    step, *means = update_rules.adam(kept[0], kept[1], g, lr, (keep1, take1), (keep2, take2), epsilon, largest=largest)
    return elementwise.subtract(elementwise.multiply(p, shrink), step), *means


class Adam(Optimizer):
    """Adam (Kingma and Ba 2015), and AMSGrad (Reddi et al. 2018)."""

    _kept: ClassVar[tuple[str, ...]] = ("moment1", "moment2")
    _powers = ("beta1_pow_acc", "beta2_pow_acc")

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        parameters: Parameters | None = None,
        weight_decay: Decay = None,
        grad_clip: ClipGradBase | None = None,
        lazy_mode: bool = False,
        multi_precision: bool = False,
        use_multi_tensor: bool = False,
        amsgrad: bool = False,
        name: str | None = None,
    ) -> None:
        del lazy_mode, multi_precision, use_multi_tensor
        _require_betas(float(beta1), float(beta2), float(epsilon))
        options = {"beta1": float(beta1), "beta2": float(beta2), "epsilon": float(epsilon)}
        self._amsgrad = amsgrad
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, options)

    def _kept_of(self, group: Group) -> tuple[str, ...]:
        return (*self._kept, "moment2_max") if self._amsgrad else self._kept

    def _first(self, name: str, group: Group, p: Parameter) -> float:
        return {"beta1_pow_acc": group["beta1"], "beta2_pow_acc": group["beta2"]}.get(name, 0.0)

    def _shrunk(self, group: Group, p: Parameter, rate: float) -> float:
        """What the Parameter is multiplied by before the step."""
        del group, p, rate
        return 1.0

    def _numbers(self, group: Group, p: Parameter, rate: float, state: State) -> Numbers:
        beta1, beta2 = group["beta1"], group["beta2"]
        first = power(state, "beta1_pow_acc", beta1)
        root = math.sqrt(1 - power(state, "beta2_pow_acc", beta2))
        shares = (beta1, 1 - beta1, beta2, 1 - beta2)
        return rate * root / (1 - first), group["epsilon"] * root, *shares, self._shrunk(group, p, rate)

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _adam, ()


class AdamW(Adam):
    """Adam with weight decay outside of the gradient (Loshchilov and Hutter 2019)."""

    _decays_apart = True

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        parameters: Parameters | None = None,
        weight_decay: float = 0.01,
        lr_ratio: Callable[[Any], float] | None = None,
        apply_decay_param_fun: Callable[[str], bool] | None = None,
        grad_clip: ClipGradBase | None = None,
        lazy_mode: bool = False,
        multi_precision: bool = False,
        amsgrad: bool = False,
        name: str | None = None,
    ) -> None:
        if lr_ratio is not None:
            raise NotImplementedError("'lr_ratio' is unimplemented in CPU.")
        self._apply_decay_param_fun = apply_decay_param_fun
        super().__init__(
            learning_rate,
            beta1,
            beta2,
            epsilon,
            parameters,
            float(weight_decay),
            grad_clip,
            lazy_mode,
            multi_precision,
            False,
            amsgrad,
            name,
        )

    def _shrunk(self, group: Group, p: Parameter, rate: float) -> float:
        chosen = self._apply_decay_param_fun is None or self._apply_decay_param_fun(p.name)
        return 1.0 - rate * float(group["weight_decay"]) if chosen else 1.0


def _adamax(p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers) -> tuple[Any, ...]:
    lr, reached, keep1, take1, beta2, epsilon = numbers
    mean = update_rules.running(kept[0], g, (keep1, take1))
    faded = elementwise.add(elementwise.multiply(kept[1], beta2), epsilon)
    size = elementwise.maximum(elementwise.absolute(g), faded)
    return update_rules.descended(p, elementwise.true_divide(mean, size), lr / (1 - reached)), mean, size


class Adamax(Optimizer):
    """Adam with the largest recent gradient instead of the root of the mean square."""

    _kept = ("moment", "inf_norm")
    _powers = ("beta1_pow_acc",)

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        parameters: Parameters | None = None,
        weight_decay: Decay = None,
        grad_clip: ClipGradBase | None = None,
        name: str | None = None,
    ) -> None:
        _require_betas(beta1, beta2, epsilon)
        options = {"beta1": beta1, "beta2": beta2, "epsilon": epsilon}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, options)

    def _first(self, name: str, group: Group, p: Parameter) -> float:
        return group["beta1"] if name in self._powers else 0.0

    def _numbers(self, group: Group, p: Parameter, rate: float, state: State) -> Numbers:
        beta1 = group["beta1"]
        reached = power(state, "beta1_pow_acc", beta1)
        return rate, reached, beta1, 1 - beta1, group["beta2"], group["epsilon"]

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _adamax, ()


# --- sums and means of squares --------------------------------------------------------------------------


def _adagrad(p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers) -> tuple[Any, ...]:
    return update_rules.adagrad(p, kept[0], g, numbers[0], epsilon=numbers[1])


class Adagrad(Optimizer):
    """Adagrad (Duchi et al. 2011)."""

    _kept = ("moment",)

    def __init__(
        self,
        learning_rate: Rate,
        epsilon: float = 1.0e-6,
        parameters: Parameters | None = None,
        weight_decay: Decay = None,
        grad_clip: ClipGradBase | None = None,
        name: str | None = None,
        initial_accumulator_value: float = 0.0,
    ) -> None:
        options = {"epsilon": epsilon, "initial_accumulator_value": initial_accumulator_value}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, options)

    def _first(self, name: str, group: Group, p: Parameter) -> float:
        return group["initial_accumulator_value"]

    def _numbers(self, group: Group, p: Parameter, rate: float, state: State) -> Numbers:
        return rate, group["epsilon"]

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _adagrad, ()


def _adadelta(p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers) -> tuple[Any, ...]:
    lr, keep, take, epsilon = numbers
    return update_rules.adadelta(p, kept[0], kept[1], g, lr, (keep, take), epsilon)


class Adadelta(Optimizer):
    """Adadelta (Zeiler 2012)."""

    _kept = ("_avg_squared_grad", "_avg_squared_update")

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        epsilon: float = 1.0e-6,
        rho: float = 0.95,
        parameters: Parameters | None = None,
        weight_decay: Decay = None,
        grad_clip: ClipGradBase | None = None,
        name: str | None = None,
    ) -> None:
        options = {"epsilon": epsilon, "rho": rho}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, options)

    def _numbers(self, group: Group, p: Parameter, rate: float, state: State) -> Numbers:
        return rate, group["rho"], 1 - group["rho"], group["epsilon"]

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _adadelta, ()


def _rms_prop(p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers, centred: bool) -> tuple[Any, ...]:
    lr, keep, take, momentum, epsilon = numbers
    sums, squares, means = kept
    made = update_rules.rms_prop(p, squares, sums, g, lr, (keep, take), momentum, epsilon, means if centred else None)
    return made[0], made[2], made[1], made[3] if centred else means


class RMSProp(Optimizer):
    """RMSProp (Hinton 2012), plain or centred (Graves 2013)."""

    _kept = ("momentum", "mean_square", "mean_grad")

    def __init__(
        self,
        learning_rate: Rate,
        rho: float = 0.95,
        epsilon: float = 1.0e-6,
        momentum: float = 0.0,
        centered: bool = False,
        parameters: Parameters | None = None,
        weight_decay: Decay = None,
        grad_clip: ClipGradBase | None = None,
        name: str | None = None,
    ) -> None:
        for option, value in (("epsilon", epsilon), ("momentum", momentum), ("rho", rho)):
            require(value >= 0.0, f"Invalid value of {option}, expect {option} >= 0.")
        options = {"rho": rho, "epsilon": epsilon, "momentum": momentum, "centered": centered}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, options)

    def _numbers(self, group: Group, p: Parameter, rate: float, state: State) -> Numbers:
        return rate, group["rho"], 1 - group["rho"], float(group["momentum"]), group["epsilon"]

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _rms_prop, (bool(group["centered"]),)


# --- lengths --------------------------------------------------------------------------------------------


def _length(x: Tensor) -> Any:
    return elementwise.sqrt(reductions.sum(elementwise.multiply(x, x)))


def _lamb(p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers, adapts: bool) -> tuple[Any, ...]:
    lr, epsilon, keep1, take1, keep2, take2, first, second, decay = numbers
    mean, square = update_rules.means(kept[0], kept[1], g, (keep1, take1), (keep2, take2))
    root = elementwise.sqrt(elementwise.true_divide(square, second))
    step = elementwise.true_divide(elementwise.true_divide(mean, first), elementwise.add(root, epsilon))
    step = elementwise.add(step, elementwise.multiply(p, decay))
    if adapts:
        long, wide = _length(p), _length(step)
        both = comparisons.greater(elementwise.minimum(long, wide), 0.0)
        trust = elementwise.where(both, elementwise.true_divide(long, wide), 1.0)
        step = elementwise.multiply(step, trust)
    return update_rules.descended(p, step, lr), mean, square


class Lamb(Optimizer):
    """LAMB (You et al. 2020): Adam's step with weight decay, scaled to the length of the Parameter."""

    _kept = ("moment1", "moment2")
    _powers = ("beta1_pow_acc", "beta2_pow_acc")

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        lamb_weight_decay: float = 0.01,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        parameters: Parameters | None = None,
        grad_clip: ClipGradBase | None = None,
        exclude_from_weight_decay_fn: Callable[[Any], bool] | None = None,
        multi_precision: bool = False,
        always_adapt: bool = False,
        name: str | None = None,
    ) -> None:
        del multi_precision
        self._excluded = exclude_from_weight_decay_fn
        self.always_adapt = always_adapt
        options = {"beta1": beta1, "beta2": beta2, "epsilon": epsilon, "lamb_weight_decay": lamb_weight_decay}
        super().__init__(learning_rate, parameters, None, grad_clip, name, options)

    def _first(self, name: str, group: Group, p: Parameter) -> float:
        return {"beta1_pow_acc": group["beta1"], "beta2_pow_acc": group["beta2"]}.get(name, 0.0)

    def _numbers(self, group: Group, p: Parameter, rate: float, state: State) -> Numbers:
        beta1, beta2 = group["beta1"], group["beta2"]
        reached = 1 - power(state, "beta1_pow_acc", beta1), 1 - power(state, "beta2_pow_acc", beta2)
        decay = 0.0 if self._excluded is not None and self._excluded(p) else group["lamb_weight_decay"]
        return rate, group["epsilon"], beta1, 1 - beta1, beta2, 1 - beta2, *reached, decay

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _lamb, (self.always_adapt or numbers[-1] > 0,)
