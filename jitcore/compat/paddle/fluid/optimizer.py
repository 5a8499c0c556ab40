"""`fluid.optimizer`: Paddle's optimizers with fluid's names of their options."""

# pyright: reportPrivateUsage=false, reportIncompatibleMethodOverride=false
# (what optimizers keep is shared by this package; the options have other names than in Paddle)

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from jitcore.compat.paddle import optimizer as ours
from jitcore.compat.paddle.fluid.dygraph.rates import Decay
from jitcore.compat.paddle.fluid.visiting import forget
from jitcore.compat.paddle.nn.clip import ClipGradBase
from jitcore.compat.paddle.optimizer.optimizer import Optimizer as Base
from jitcore.compat.paddle.regularizer import WeightDecayRegularizer
from jitcore.compat.paddle.static import updates
from jitcore.compat.paddle.static.variables import Value, Variable

Rate = float | Decay
Parameters = Sequence[Any] | None
Penalty = WeightDecayRegularizer | None
Clip = ClipGradBase | None


class Optimizer(Base):
    """What fluid's optimizers have in common: `minimize` updates by the gradients that `backward` made; in static mode
    it records gradients and updates."""

    def minimize(
        self,
        loss: Value,
        startup_program: object = None,
        parameter_list: Parameters = None,
        no_grad_set: Iterable[Variable | str] | None = None,
    ) -> tuple[list[Any], Any]:
        """Update the parameters. Raises AttributeError in dynamic mode where no `parameter_list` was given."""
        if isinstance(loss, Variable):
            if isinstance(self._learning_rate, Decay):
                loss.block.program.after.append(self._learning_rate.taken)
            return updates.minimize(self, loss, parameter_list, no_grad_set)
        if not self._parameter_list:
            raise AttributeError(
                "parameter_list argument given to the Optimizer should not be None in dygraph mode: "
                f"{type(self).__name__}(…, parameter_list=net.parameters())"
            )
        made = super().minimize(loss, startup_program, parameter_list, no_grad_set)
        if isinstance(self._learning_rate, Decay):
            self._learning_rate.taken()
        return made

    def backward(
        self,
        loss: Value,
        startup_program: object = None,
        parameter_list: Parameters = None,
        no_grad_set: Iterable[Variable | str] | None = None,
    ) -> Any:
        """The parameters with their gradients."""
        del startup_program
        if isinstance(loss, Variable):
            return updates.gradients_for(self, loss, parameter_list, no_grad_set)
        return [(p, p.grad) for p in self._parameter_list or () if p.grad is not None]

    def apply_gradients(self, params_grads: Sequence[tuple[Any, Any]]) -> list[Any]:
        """Update parameters by gradients."""
        if params_grads and isinstance(params_grads[0][1], Variable):
            return updates.apply_gradients(self, params_grads)
        return super().apply_gradients(params_grads)

    def current_step_lr(self) -> float:
        """The rate of the next step."""
        return self.get_lr()

    def clear_gradients(self) -> None:
        """Forget the gradients of the parameters."""
        for p in self._parameter_list or ():
            p.clear_gradient()
            forget(p)

    def state_dict(self) -> dict[str, Any]:
        """What is kept beside parameters, and the step of a decay; empty before the first step."""
        made = super().state_dict()
        rates = made.pop("LR_Scheduler", None)
        return made if rates is None else {**made, **rates}

    def set_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over what `state_dict` gave."""
        rest = dict(state_dict)
        step = rest.pop("global_step", None)
        if isinstance(self._learning_rate, Decay):
            if step is None:
                raise AssertionError(
                    "Global step not in state dict, Dygraph use LearningRateDecay, global_step must in state_dict"
                )
            rest["LR_Scheduler"] = {"global_step": int(step)}
        super().set_state_dict(rest)

    set_state_dict = set_dict


class SGDOptimizer(Optimizer, ours.SGD):
    """Stochastic gradient descent."""

    def __init__(
        self,
        learning_rate: Rate,
        parameter_list: Parameters = None,
        regularization: Penalty = None,
        grad_clip: Clip = None,
        name: str | None = None,
    ) -> None:
        ours.SGD.__init__(self, learning_rate, parameter_list, regularization, grad_clip, name=name)


class MomentumOptimizer(Optimizer, ours.Momentum):
    """Stochastic gradient descent with momentum."""

    def __init__(
        self,
        learning_rate: Rate,
        momentum: float,
        parameter_list: Parameters = None,
        use_nesterov: bool = False,
        regularization: Penalty = None,
        grad_clip: Clip = None,
        name: str | None = None,
    ) -> None:
        ours.Momentum.__init__(
            self, learning_rate, momentum, parameter_list, use_nesterov, regularization, grad_clip, name=name
        )


class AdamOptimizer(Optimizer, ours.Adam):
    """Adam (Kingma and Ba 2015)."""

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        parameter_list: Parameters = None,
        regularization: Penalty = None,
        grad_clip: Clip = None,
        name: str | None = None,
        lazy_mode: bool = False,
    ) -> None:
        ours.Adam.__init__(
            self, learning_rate, beta1, beta2, epsilon, parameter_list, regularization, grad_clip, lazy_mode, name=name
        )


class AdamaxOptimizer(Optimizer, ours.Adamax):
    """Adam with the largest recent gradient."""

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        parameter_list: Parameters = None,
        regularization: Penalty = None,
        grad_clip: Clip = None,
        name: str | None = None,
    ) -> None:
        ours.Adamax.__init__(
            self, learning_rate, beta1, beta2, epsilon, parameter_list, regularization, grad_clip, name
        )


class AdagradOptimizer(Optimizer, ours.Adagrad):
    """Adagrad (Duchi et al. 2011)."""

    def __init__(
        self,
        learning_rate: Rate,
        epsilon: float = 1.0e-6,
        parameter_list: Parameters = None,
        regularization: Penalty = None,
        grad_clip: Clip = None,
        name: str | None = None,
        initial_accumulator_value: float = 0.0,
    ) -> None:
        ours.Adagrad.__init__(
            self, learning_rate, epsilon, parameter_list, regularization, grad_clip, name, initial_accumulator_value
        )


class AdadeltaOptimizer(Optimizer, ours.Adadelta):
    """Adadelta (Zeiler 2012)."""

    def __init__(
        self,
        learning_rate: Rate,
        epsilon: float = 1.0e-6,
        rho: float = 0.95,
        parameter_list: Parameters = None,
        regularization: Penalty = None,
        grad_clip: Clip = None,
        name: str | None = None,
    ) -> None:
        ours.Adadelta.__init__(self, learning_rate, epsilon, rho, parameter_list, regularization, grad_clip, name)


class RMSPropOptimizer(Optimizer, ours.RMSProp):
    """RMSProp (Hinton 2012), plain or centred."""

    def __init__(
        self,
        learning_rate: Rate,
        rho: float = 0.95,
        epsilon: float = 1.0e-6,
        momentum: float = 0.0,
        centered: bool = False,
        parameter_list: Parameters = None,
        regularization: Penalty = None,
        grad_clip: Clip = None,
        name: str | None = None,
    ) -> None:
        ours.RMSProp.__init__(
            self, learning_rate, rho, epsilon, momentum, centered, parameter_list, regularization, grad_clip, name
        )


class LambOptimizer(Optimizer, ours.Lamb):
    """LAMB (You et al. 2020)."""

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        lamb_weight_decay: float = 0.01,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        parameter_list: Parameters = None,
        regularization: Penalty = None,
        grad_clip: Clip = None,
        exclude_from_weight_decay_fn: Callable[[Any], bool] | None = None,
        name: str | None = None,
    ) -> None:
        ours.Lamb.__init__(
            self,
            learning_rate,
            lamb_weight_decay,
            beta1,
            beta2,
            epsilon,
            parameter_list,
            grad_clip,
            exclude_from_weight_decay_fn,
            name=name,
        )
        self.regularization = regularization


SGD = SGDOptimizer
Momentum = MomentumOptimizer
Adam = AdamOptimizer
Adamax = AdamaxOptimizer
Adagrad = AdagradOptimizer
Adadelta = AdadeltaOptimizer
RMSProp = RMSPropOptimizer
Lamb = LambOptimizer
