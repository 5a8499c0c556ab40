"""`paddle.optimizer.Optimizer`: Parameters, alone or in groups with options, what is kept beside each, and steps.

A kind of optimizer says what is kept beside a Parameter (`_kept` in its shape, `_powers` as numbers), which numbers a
step computes with (`_numbers`) and by which rule (`_rule`): Parameters whose numbers are the same are updated together,
by one call of compiled code.
"""

# pyright: reportPrivateUsage=false
# (how steps take complex numbers is shared with PyTorch's)

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias, cast

import numpy as np

from jitcore.compat.paddle import naming
from jitcore.compat.paddle.nn.clip import ClipGradBase
from jitcore.compat.paddle.nn.parameter import Parameter
from jitcore.compat.paddle.optimizer.scheduling import LRScheduler
from jitcore.compat.paddle.regularizer import L2Decay, WeightDecayRegularizer
from jitcore.compat.paddle.tensor import Tensor
from jitcore.compat.torch.optim import stepping
from jitcore.library.core import marking
from jitcore.library.math import elementwise
from jitcore.runtime import autograd, nodes
from jitcore.runtime.tensor import Tensor as AnyTensor
from jitcore.runtime.tensor import made_of

Group: TypeAlias = dict[str, Any]
Numbers: TypeAlias = tuple[float, ...]
State: TypeAlias = dict[str, Any]
Decay: TypeAlias = "float | WeightDecayRegularizer | None"
Rate: TypeAlias = "float | LRScheduler"


def require(condition: bool, words: str) -> None:
    """Raise ValueError for an option that cannot be."""
    if not condition:
        raise ValueError(words)


@functools.cache
def penalised(rule: stepping.Rule, kind: str) -> stepping.Rule:
    """A rule whose gradients have those of a penalty added, of which the first number is the coefficient."""

    def changed(p: Tensor, g: Tensor, kept: Sequence[Any], numbers: Numbers, *flags: bool) -> tuple[Any, ...]:
        slope = elementwise.sign(p) if kind == "l1" else p
        g = elementwise.add(g, elementwise.multiply(slope, numbers[0]))
        return rule(p, g, kept, numbers[1:], *flags)

    return changed


class Optimizer:
    """The base of optimizers, as Paddle documents it.

    >>> from jitcore.compat.paddle.nn.parameter import Parameter
    >>> from jitcore.compat.paddle.functions.creation import to_tensor
    >>> from jitcore.compat.paddle.optimizer import SGD
    >>> w = Parameter(to_tensor([1.0, 2.0]))
    >>> sgd = SGD(0.5, [w])
    >>> (w * w).sum().backward()
    >>> sgd.step()
    >>> w.tolist()
    [0.0, 0.0]
    """

    _kept: ClassVar[tuple[str, ...]] = ()
    """The names of what has the shape of the Parameter and is changed with it, in the rule's order."""
    _powers: ClassVar[tuple[str, ...]] = ()
    """The names of the numbers that are kept beside it."""
    _decays_apart: ClassVar[bool] = False
    """Whether `weight_decay` is the rule's, not a penalty in the gradient."""
    _learning_rate: Rate

    def __init__(
        self,
        learning_rate: Rate,
        parameters: Iterable[Any] | None = None,
        weight_decay: Decay = None,
        grad_clip: ClipGradBase | None = None,
        name: str | None = None,
        options: Group | None = None,
    ) -> None:
        if isinstance(parameters, AnyTensor | Mapping):
            raise TypeError(
                "`parameters` argument given to the optimizer should be an iterable of paddle Tensors, but got "
                f"argument type is `{type(parameters)}`."
            )
        if not isinstance(learning_rate, float | int | LRScheduler):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"learning rate should be float or LRScheduler, got {type(learning_rate)} here")
        if not isinstance(grad_clip, ClipGradBase | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError("'grad_clip' should be an instance of GradientClipBase's derived class")
        self._learning_rate = float(learning_rate) if isinstance(learning_rate, int) else learning_rate
        self._grad_clip = grad_clip
        self._name = name
        self.regularization = self._penalty(weight_decay)
        self._defaults: Group = {**(options or {}), "weight_decay": weight_decay, "grad_clip": grad_clip}
        self._states: dict[int, tuple[Any, State]] = {}
        self._waiting: dict[str, Any] = {}
        given: list[Any] = [] if parameters is None else list(parameters)
        self._parameter_list: list[Any] | None = None if parameters is None else given
        self._param_groups: list[Group] = []
        grouped = bool(given) and isinstance(given[0], dict)
        for group in given if grouped else [{"params": given}]:
            self._add_param_group(dict(group), grouped)

    def _penalty(self, decay: Decay) -> WeightDecayRegularizer | None:
        """The penalty that a weight decay means; none, where it is the rule's."""
        if self._decays_apart or decay is None:
            return None
        if isinstance(decay, float | int):
            return L2Decay(float(decay))
        if not isinstance(decay, WeightDecayRegularizer):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"weight_decay should be a float, L1Decay or L2Decay, not {type(decay).__name__}")
        return decay

    def _add_param_group(self, group: Group, grouped: bool = True) -> None:
        """Take a group of Parameters on, with options of its own or else the defaults."""
        if "params" not in group:
            raise AssertionError(
                "params should be set in parameters if parameter groups are optimized in different options"
            )
        given = group["params"]
        if isinstance(given, set):
            raise TypeError(
                "optimizer parameters should be in ordered collections,but received set, please use list instead."
            )
        group["params"] = [given] if isinstance(given, AnyTensor) else list(given)
        known = {id(p) for other in self._param_groups for p in other["params"]}
        if any(id(p) in known for p in group["params"]):
            raise ValueError("some parameters appear in more than one parameter group")
        if grouped:
            params: list[Any] = group["params"]
            for p in params:
                p.optimize_attr["learning_rate"] = group.get("learning_rate", 1.0)
                if "weight_decay" in group and not self._decays_apart:
                    p.regularizer = self._penalty(group["weight_decay"])
        for key, value in self._defaults.items():
            group.setdefault(key, value)
        self._param_groups.append(group)

    # --- rates ----------------------------------------------------------------------------------------

    def get_lr(self) -> float:
        """The rate that the next step is taken with."""
        return self._learning_rate() if isinstance(self._learning_rate, LRScheduler) else self._learning_rate

    def set_lr(self, value: float) -> None:
        """Take steps with another rate. Raises RuntimeError where a schedule says it."""
        if not isinstance(value, int | float):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"The type of 'value' in optimizer.set_lr must be float, but received {type(value)}.")
        if isinstance(self._learning_rate, LRScheduler):
            raise RuntimeError(
                "optimizer's learning rate can't be LRScheduler when invoke this API, because this will lead to "
                "conflict."
            )
        self._learning_rate = float(value)

    def set_lr_scheduler(self, scheduler: LRScheduler) -> None:
        """Take steps with the rates of a schedule."""
        if not isinstance(scheduler, LRScheduler):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(
                "The type of 'scheduler' in optimizer.set_lr_scheduler must be LRScheduler, but received "
                f"{type(scheduler)}."
            )
        self._learning_rate = scheduler

    # --- gradients ------------------------------------------------------------------------------------

    @marking.between
    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Make the gradients of all Parameters 0, or forget them."""
        for group in self._param_groups:
            for p in group["params"]:
                if not p.stop_gradient:
                    p.clear_gradient(set_to_zero)

    clear_gradients = clear_grad

    @marking.between
    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all Parameters, or make them 0."""
        self.clear_grad(not set_to_none)

    # --- steps ----------------------------------------------------------------------------------------

    @marking.between
    def step(self) -> None:
        """Update the Parameters by their gradients."""
        with nodes.recording(False):
            for group in self._param_groups:
                pairs = [(p, autograd.grad_of(p)) for p in group["params"] if not p.stop_gradient]
                self._apply([(p, g) for p, g in pairs if g is not None], group)

    @marking.between
    def minimize(
        self,
        loss: AnyTensor,
        startup_program: object = None,
        parameters: Sequence[Any] | None = None,
        no_grad_set: object = None,
    ) -> tuple[list[Any], list[tuple[Any, Any]]]:
        """Update the Parameters by the gradients that `loss.backward()` made: ([], Parameters with their
        gradients)."""
        if hasattr(loss, "minimized_by"):  # a Variable of static mode
            return cast("Any", loss).minimized_by(self, parameters, no_grad_set)
        del loss, startup_program, no_grad_set
        chosen = None if parameters is None else {id(p) for p in parameters}
        pairs: list[tuple[Any, Any]] = []
        with nodes.recording(False):
            for group in self._param_groups:
                found = [(p, autograd.grad_of(p)) for p in group["params"] if chosen is None or id(p) in chosen]
                own = [(p, g) for p, g in found if g is not None and not p.stop_gradient]
                pairs += own
                self._apply(own, group)
        return [], pairs

    def apply_gradients(self, params_grads: Sequence[tuple[Any, Any]]) -> list[Any]:
        """Update Parameters by gradients that are given."""
        with nodes.recording(False):
            for group in self._param_groups:
                own = {id(p) for p in group["params"]}
                self._apply([(p, g) for p, g in params_grads if id(p) in own and g is not None], group)
        return []

    def _apply(self, pairs: list[tuple[Any, Any]], group: Group) -> None:
        """Update the Parameters of a group."""
        clip = group["grad_clip"]
        if clip is not None:
            pairs = clip(pairs)
        alike: dict[tuple[Any, ...], list[tuple[Any, Any]]] = {}
        for p, g in pairs:
            penalty = p.regularizer if getattr(p, "regularizer", None) is not None else self.regularization
            state = self._state_of(p, group)
            rate = self.get_lr() * getattr(p, "optimize_attr", {}).get("learning_rate", 1.0)
            numbers = self._numbers(group, p, rate, state)
            key = (penalty.kind, penalty.coefficient) if penalty is not None and penalty.coefficient else None
            alike.setdefault((key, numbers), []).append((p, g))
        for (key, numbers), found in alike.items():
            rule, flags = self._rule(group, numbers)
            if key is not None:
                rule, numbers = penalised(rule, key[0]), (key[1], *numbers)
            kept = [[stepping._reals(self._states[id(p)][1][name]) for name in self._kept_of(group)] for p, _ in found]
            params, grads = ([stepping._reals(t) for t in each] for each in zip(*found, strict=True))
            stepping.compiled(rule, flags, False)(params, grads, kept, numbers)

    def _kept_of(self, group: Group) -> tuple[str, ...]:
        """The names of what is kept in a group."""
        del group
        return self._kept

    def _numbers(self, group: Group, p: Parameter, rate: float, state: State) -> Numbers:
        """The numbers that a Parameter's next step computes with; kept numbers become those of the step after."""
        raise NotImplementedError(
            'Class "Optimizer" cannot be used directly as an optimizer, please use its subclasses such as "Adam"'
        )

    def _rule(self, group: Group, numbers: Numbers) -> tuple[stepping.Rule, tuple[bool, ...]]:
        """The rule of a group, and what else it is told, for good."""
        raise NotImplementedError

    # --- state ----------------------------------------------------------------------------------------

    def _state_of(self, p: Parameter, group: Group) -> State:
        """What is kept beside a Parameter; begun, or taken from what was loaded, at its first step."""
        found = self._states.get(id(p))
        if found is not None:
            return found[1]
        dtype = p._array.dtype if p._array.dtype.itemsize > 2 else np.dtype(np.float32)
        state: State = {}
        for name in (*self._kept_of(group), *self._powers):
            first = self._first(name, group, p)
            array = np.array([first], dtype) if name in self._powers else np.full(tuple(p.shape), first, p._array.dtype)
            kept: Any = made_of(Tensor, array)
            kept.name = naming.generate(f"{p.name}_{name if self._name is None else f'{self._name}_{name}'}")
            kept.persistable = True
            if self._waiting:
                if kept.name not in self._waiting:
                    raise AssertionError(f"Optimizer set error, {kept.name} should in state dict")
                kept.set_value(self._waiting.pop(kept.name))
            state[name] = kept
        self._states[id(p)] = p, state
        return state

    def _first(self, name: str, group: Group, p: Parameter) -> float:
        """What something that is kept begins with."""
        del name, group, p
        return 0.0

    def _held(self) -> Iterable[tuple[str, Any]]:
        """All that is kept, by name; kind by kind."""
        names = dict.fromkeys(name for _, state in self._states.values() for name in state)
        for name in names:
            for _, state in self._states.values():
                if name in state:
                    yield state[name].name, state[name]

    def state_dict(self) -> dict[str, Any]:
        """What is kept, by names that begin with the Parameters', and the state of the schedule."""
        found = dict(self._held()) if self._states else dict(self._waiting)
        if isinstance(self._learning_rate, LRScheduler):
            found["LR_Scheduler"] = self._learning_rate.state_dict()
        return found

    def set_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over what `state_dict` gave. Raises AssertionError where something is not in it."""
        rest = dict(state_dict)
        rates = rest.pop("LR_Scheduler", None)
        if isinstance(self._learning_rate, LRScheduler):
            if not rates:
                raise AssertionError("LR_Scheduler state must be included in the state dict except LambdaDecay")
            self._learning_rate.set_state_dict(rates)
        rest.pop("master_weights", None)
        for name, kept in self._held():
            if name not in rest:
                raise AssertionError(f"optimizer Tensor {name} not found")
            kept.set_value(rest[name])
        self._waiting = {} if self._states else rest

    set_dict = set_state_dict
    load_state_dict = set_state_dict

    def get_opti_var_name_list(self) -> list[str]:
        """The names of what is kept."""
        return [name for name, _ in self._held()]


def power(state: State, name: str, factor: float) -> float:
    """A kept power of a factor, which is the next one from then on."""
    array: Any = state[name]._array
    now = float(array[0])
    array[0] = now * factor
    return now
