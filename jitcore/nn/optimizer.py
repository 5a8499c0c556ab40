"""Optimizers: Cells that change Parameters by their gradients, in place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np

from jitcore import ops
from jitcore.common.parameter import Parameter, ParameterTuple
from jitcore.library.core.marking import library
from jitcore.library.optimizers import parameter_updates
from jitcore.nn.optimizer_names import ListedRate, OptimizerNames, SteadyRate, exempt
from jitcore.runtime.tensor import Tensor
from jitcore.structs import dataclass
from jitcore.types import f32, i32

change = library("raw")(parameter_updates.changed)


class Optimizer(OptimizerNames):
    """The base of optimizers: what Parameters, how fast, and what happens to gradients first.

    `parameters` are Parameters, or dicts with 'params' and, for those, 'lr', 'weight_decay' and 'grad_centralization'
    (and one with 'order_params': the order they are given to the optimizer in). `learning_rate` is a number, a Tensor,
    a sequence of numbers (one a step, the last one from then on), or a Cell or function of the step; `weight_decay` a
    number or a Cell or function of the step. Gradients are divided by `loss_scale`, then `weight_decay` times the
    Parameter is added (but to biases and normalisation's 'beta' and 'gamma', unless a group says so).
    """

    _owns_tuples = False  # the Parameters are the network's
    adds_decay = True
    """Whether weight decay is part of the gradient."""

    def __init__(self, learning_rate: Any, parameters: Any, weight_decay: Any = 0.0, loss_scale: float = 1.0) -> None:
        super().__init__(auto_prefix=False)
        if not callable(weight_decay):
            _require_decay(weight_decay, type(self).__name__)
        if isinstance(loss_scale, bool) or not isinstance(  # pyright: ignore[reportUnnecessaryIsInstance]
            loss_scale, int | float
        ):
            raise TypeError(f"loss_scale of {type(self).__name__} is a float, not {type(loss_scale).__name__}")
        if loss_scale <= 0:
            raise ValueError(f"loss_scale of {type(self).__name__} must be positive, but is {loss_scale}")
        groups = groups_of(parameters, learning_rate, weight_decay)
        if not groups:
            raise ValueError(f"Optimizer got an empty parameter list: {type(self).__name__} has nothing to change")
        self.parameters = ParameterTuple(g.parameter for g in groups)
        self.loss_scale = float(loss_scale)
        self.decays: tuple[Any, ...] = tuple(g.decay for g in groups)
        self.has_decay = any(callable(d) or d for d in self.decays)
        self.centralised = tuple(g.centralised for g in groups)
        self.has_centralised = any(self.centralised)
        self.global_step = Parameter(Tensor([0], i32), name="global_step", requires_grad=False)
        rates: list[Any] = []
        self.rates: tuple[Any, ...] = tuple(_shared_rate(g.rate, rates) for g in groups)
        given = list(parameters) if isinstance(parameters, list | tuple) else []
        self.is_group = bool(given) and isinstance(given[0], dict)
        self.is_group_lr = self.is_group and any("lr" in group for group in given)
        self.dynamic_lr = any(not isinstance(rate, Parameter) for rate in self.rates)
        each = tuple(_called(rate) if self.dynamic_lr else rate for rate in self.rates) if self.is_group_lr else ()
        self.learning_rate = each or rates[0]
        decays = tuple(d if callable(d) else Tensor(d, f32) for d in (*self.decays, weight_decay))
        self.weight_decay: Any = decays[:-1] if self.is_group else decays[-1]
        self.describe(self.loss_scale)

    def _written(self) -> list[Parameter]:
        """What is optimised and the optimizer's state, but not the learning rates."""
        return [p for p in self._own_parameters() if all(p is not rate for rate in self.rates)]

    @property
    def loss_scale(self) -> float:
        """What the gradients are divided by."""
        return self._loss_scale

    @loss_scale.setter
    def loss_scale(self, scale: float) -> None:
        self._loss_scale = float(scale)
        self._scaled = (
            self._loss_scale != 1.0
        )  # a bool is known to the compiler: without a scale there is no code for it

    # MindSpore's names

    def get_lr(self) -> Any:
        """The learning rate at the present step: of each Parameter, if groups of them have their own."""
        if self.is_group_lr:
            return tuple([_now(rate, self.global_step) for rate in self.rates])
        return _now(self.learning_rate, self.global_step)

    def rates_now(self) -> tuple[Any, ...]:
        """The learning rate of each Parameter at the present step."""
        rate = self.get_lr()
        return rate if self.is_group_lr else (rate,) * len(self.parameters)

    def get_lr_parameter(self, param: Any) -> Any:
        """The learning rates of some of the Parameters. Raises ValueError for one that is not optimised."""
        if isinstance(param, Parameter):
            return self.get_lr_parameter([param])[0]
        held = [rate.learning_rate if isinstance(rate, ListedRate) else rate for rate in self.rates]
        by_id = {id(p): rate for p, rate in zip(self.parameters, held, strict=True)}
        for p in param:
            if id(p) not in by_id:
                raise ValueError(f"{p.name} is not optimised by this {type(self).__name__}")
        return [by_id[id(p)] for p in param]

    def get_weight_decay(self) -> Any:
        """The weight decay at the present step: of each Parameter, if there are groups of them."""
        if self.is_group:
            return tuple([_now(decay, self.global_step) for decay in self.weight_decay])
        return _now(self.weight_decay, self.global_step)

    def decays_now(self) -> tuple[Any, ...]:
        """The weight decay of each Parameter at the present step."""
        return tuple([_now(decay, self.global_step) if callable(decay) else decay for decay in self.decays])

    def prepared(self, gradients: Any) -> tuple[Any, ...]:
        """The gradients unscaled and centralised, with the weight decay added."""
        if self._scaled:
            gradients = tuple([g / self.loss_scale for g in gradients])
        if self.has_centralised:
            gradients = tuple(
                [_centralise(g) if central else g for g, central in zip(gradients, self.centralised, strict=True)]
            )
        if self.has_decay and self.adds_decay:
            gradients = self.decayed(gradients)
        return gradients

    def decayed(self, gradients: Any) -> Any:
        """The gradients with the weight decay added."""
        made = []
        for g, p, decay in zip(gradients, self.parameters, self.decays, strict=True):
            if callable(decay):
                made.append(g + p * _now(decay, self.global_step))
            elif decay:
                made.append(g + p * decay)
            else:
                made.append(g)
        return tuple(made)

    def decay_weight(self, gradients: Any) -> Any:
        """The gradients with the weight decay added."""
        return self.decayed(gradients) if self.has_decay else gradients

    def scale_grad(self, gradients: Any) -> Any:
        """The gradients divided by `loss_scale`."""
        return tuple([g / self.loss_scale for g in gradients]) if self._scaled else gradients

    def gradients_centralization(self, gradients: Any) -> Any:
        """The gradients less their means, where a group wants it."""
        if not self.has_centralised:
            return gradients
        return tuple([_centralise(g) if central else g for g, central in zip(gradients, self.centralised, strict=True)])

    def state_like(self, prefix: str, init: Any = "zeros") -> ParameterTuple:
        """A Parameter beside each one optimised, named with a prefix."""
        return ParameterTuple(_no_grad(p) for p in self.parameters.clone(prefix, init))

    def step_now(self) -> Any:
        """The number of the present step, as a scalar."""
        return ops.reshape(self.global_step, ())

    def count_step(self) -> None:
        """One step more."""
        ops.assign_add(self.global_step, 1)


def _require_decay(decay: Any, name: str) -> None:
    if isinstance(decay, bool) or not isinstance(decay, int | float):
        raise TypeError(f"weight_decay of {name} is a number or a Cell, not {type(decay).__name__}")
    if decay < 0:
        raise ValueError(f"weight_decay of {name} must not be negative, but is {decay}")


def _centralise(gradient: Any) -> Any:
    """A gradient of more than one axis less its mean over all but the first (Yong et al. 2020)."""
    if gradient.ndim <= 1:
        return gradient
    return gradient - gradient.mean(tuple(range(1, gradient.ndim)), True)


def _no_grad(parameter: Parameter) -> Parameter:
    parameter.requires_grad = False
    return parameter


def _now(rate: Any, step: Any) -> Any:
    """A learning rate or weight decay at a step: a scalar."""
    found = rate(step) if callable(rate) else rate
    return ops.reshape(found, ()) if isinstance(found, Tensor) and found.ndim else found


def _called(rate: Any) -> Any:
    """A learning rate as a function of the step."""
    return SteadyRate(rate) if isinstance(rate, Parameter) else rate


def _shared_rate(rate: Any, made: list[Any]) -> Any:
    """A rate as the optimizer holds it: numbers as Parameters, so that changing them needs no compilation."""
    for given, held in made[1:]:
        if given is rate or (isinstance(rate, float | int) and isinstance(given, float | int) and given == rate):
            return held
    held = rate
    if not callable(rate):
        held = Parameter(_rate_tensor(rate), name="learning_rate", requires_grad=False)
        if held.ndim:
            held = ListedRate(held)
    if not made:
        made.append(held)
    made.append((rate, held))
    return held


def _rate_tensor(rate: Any) -> Tensor:
    if isinstance(rate, bool | str) or not isinstance(rate, int | float | Tensor | Iterable | np.ndarray | np.generic):
        raise TypeError(f"a learning rate is a number, a Tensor, a sequence or a Cell, not {type(rate).__name__}")
    array = np.asarray(rate.asnumpy() if isinstance(rate, Tensor) else _listed(rate), np.float32)
    if array.ndim > 1 or not array.size:
        raise ValueError("a learning rate is a number or a sequence of numbers")
    if not np.all(array >= 0):
        raise ValueError(f"a learning rate must not be negative, but is {rate}")
    return Tensor(array)


def _listed(rate: Any) -> Any:
    return (
        list(cast("Iterable[float]", rate)) if isinstance(rate, Iterable) and not isinstance(rate, np.ndarray) else rate
    )


@dataclass(frozen=True, slots=True)
class Grouped:
    """A Parameter with what its group says of it."""

    parameter: Parameter
    rate: Any
    decay: Any
    centralised: bool = False


_GROUP_KEYS = {"params", "lr", "weight_decay", "grad_centralization"}


def groups_of(parameters: Any, rate: Any, decay: Any) -> list[Grouped]:
    """What each Parameter is optimised with. Raises TypeError or ValueError for what is no Parameter or comes twice."""
    if parameters is None:
        raise ValueError("an optimizer takes a list of Parameters, not None")
    if isinstance(parameters, str | Parameter) or not isinstance(parameters, Iterable):
        raise TypeError(f"an optimizer takes a list of Parameters or groups of them, not {type(parameters).__name__}")
    found: list[Grouped] = []
    order: list[Parameter] | None = None
    listed = list(cast("Iterable[Any]", parameters))
    for item in listed:
        if not isinstance(item, dict):
            found.append(_ungrouped(item, rate, decay))
            continue
        group = cast("dict[str, Any]", item)
        if "order_params" in group:
            order = list(group["order_params"])
            continue
        if group.keys() - _GROUP_KEYS or "params" not in group:
            raise ValueError(f"a group of Parameters has {', '.join(sorted(_GROUP_KEYS))}, not {sorted(group)}")
        found += _in_group(group, rate, decay)
    ids = {id(g.parameter) for g in found}
    if len(ids) != len(found):
        grouped = any(isinstance(item, dict) for item in listed)
        raise (RuntimeError if grouped else ValueError)("a Parameter was given to the optimizer twice")
    if order is None:
        return found
    by_id = {id(g.parameter): g for g in found}
    if {id(p) for p in order} != ids:
        raise ValueError("order_params must have the Parameters of the groups, each once")
    return [by_id[id(p)] for p in order]


def _ungrouped(item: Any, rate: Any, decay: Any) -> Grouped:
    if not isinstance(item, Parameter):
        raise TypeError(f"an optimizer takes Parameters, not {type(item).__name__}")
    return Grouped(item, rate, 0.0 if exempt(item) else decay if callable(decay) else float(decay))


def _in_group(group: dict[str, Any], rate: Any, decay: Any) -> list[Grouped]:
    made: list[Grouped] = []
    own = group.get("weight_decay")
    if own is not None and not callable(own):
        _require_decay(own, "a group")
        own = float(own)
    central = bool(group.get("grad_centralization", False))
    for item in cast("Sequence[Any]", group["params"]):
        plain = _ungrouped(item, group.get("lr", rate), decay)
        made.append(Grouped(plain.parameter, plain.rate, plain.decay if own is None else own, central))
    if not made:
        raise ValueError("a group of Parameters is empty")
    return made
