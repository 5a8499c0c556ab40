"""What MindSpore's optimizers say of themselves, and lend to optimizers that users derive: flags by Parameter, maps,
counters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitcore import ops
from jitcore.common.parameter import Parameter, ParameterTuple
from jitcore.nn.cell import Cell
from jitcore.runtime.tensor import Tensor
from jitcore.types import f32, i32


class OptimizerNames(Cell):
    """The part of `Optimizer` that none of the optimizers here needs."""

    is_group_params_ordered = False
    grad_centralization = False
    use_parallel = False
    enable_tuple_broaden = True
    _use_flattened_params = False

    parameters: ParameterTuple
    decays: tuple[Any, ...]
    has_decay: bool
    is_group: bool

    @property
    def _parameters(self) -> ParameterTuple:
        """MindSpore's name of `parameters`."""
        return self.parameters

    @property
    def params(self) -> ParameterTuple:
        """The Parameters."""
        return self.parameters

    @params.setter
    def params(self, value: ParameterTuple) -> None:
        self.parameters = value

    def describe(self, loss_scale: float) -> None:
        """Set the attributes of MindSpore's names, which derived optimizers may set anew."""
        count = len(self.parameters)
        self.param_length = count
        self.group_params = list(self.parameters)
        self.group_weight_decay = list(self.decays)
        self.dynamic_weight_decay = any(callable(decay) for decay in self.decays)
        self.exec_weight_decay = self.has_decay
        self.decay_flags = (
            tuple(callable(decay) or decay > 0 for decay in self.decays)
            if self.is_group
            else tuple(not exempt(p) for p in self.parameters)
        )
        self.optim_filter = (True,) * count  # what this device changes
        self.ps_parameters = self.cache_enable = (False,) * count
        self.need_scale = loss_scale != 1.0
        self.reciprocal_scale = Tensor(1.0 / loss_scale, f32)
        self.global_step_increase_tensor = Tensor(1, i32)

    @property
    def target(self) -> str:
        """Where it computes: on the CPU."""
        return "CPU"

    @target.setter
    def target(self, value: str) -> None:
        self._set_base_target(value)

    def _set_base_target(self, value: str) -> None:
        if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"target is a str, not {type(value).__name__}")
        if value not in ("CPU", "Ascend", "GPU"):
            raise ValueError(f"target is 'CPU', 'Ascend' or 'GPU', not {value!r}")

    @property
    def unique(self) -> bool:
        """Whether indices of gradients by rows are made unique: there are none."""
        return True

    @unique.setter
    def unique(self, value: bool) -> None:
        if not isinstance(value, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"unique is a bool, not {type(value).__name__}")

    def assignadd(self, parameter: Any, value: Any) -> Any:
        """Add to a Parameter, such as `global_step`."""
        return ops.assign_add(parameter, value)

    def map_(self, function: Callable[..., Any], *sequences: Any) -> tuple[Any, ...]:
        """A function of the items of sequences side by side."""
        # MindSpore's stops at the shortest, too
        return tuple([function(*items) for items in zip(*sequences)])  # noqa: B905

    def hyper_map(self, function: Callable[..., Any], *sequences: Any) -> tuple[Any, ...]:
        """As `map_`."""
        return self.map_(function, *sequences)

    def map_reverse(self, function: Callable[..., Any], *sequences: Any) -> tuple[Any, ...]:
        """As `map_`, the last items first."""
        return self.map_(function, *[tuple(s)[::-1] for s in sequences])[::-1]

    def hyper_map_reverse(self, function: Callable[..., Any], *sequences: Any) -> tuple[Any, ...]:
        """As `map_reverse`."""
        return self.map_reverse(function, *sequences)

    def flatten_gradients(self, gradients: Any) -> Any:
        """The gradients as they are."""
        return gradients

    def _grad_sparse_indices_deduplicate(self, gradients: Any) -> Any:
        return gradients

    def broadcast_params(self, optim_result: Any) -> Any:
        """What was computed, which no other device needs."""
        return optim_result


def exempt(parameter: Parameter) -> bool:
    """Whether weight decay leaves a Parameter alone unless told otherwise."""
    return "beta" in parameter.name or "gamma" in parameter.name


class ListedRate(Cell):
    """A learning rate a step, the last one from then on."""

    def __init__(self, learning_rate: Parameter) -> None:
        super().__init__()
        self.learning_rate = learning_rate
        self.last = learning_rate.shape[0] - 1

    def construct(self, global_step: Any) -> Any:
        """The learning rate at a step."""
        return self.learning_rate[ops.minimum(global_step, self.last)]


class SteadyRate(Cell):
    """A learning rate that does not change, called as those that do."""

    def __init__(self, learning_rate: Parameter) -> None:
        super().__init__()
        self.learning_rate = learning_rate

    def construct(self, global_step: Any) -> Any:
        """The learning rate at a step."""
        return self.learning_rate + ops.zeros(global_step.shape, f32)
