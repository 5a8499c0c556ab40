"""`fluid.dygraph.parallel`: training by several processes, of which there is one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, cast

from jitcore.compat.paddle.fluid.dygraph.layers import Layer
from jitcore.compat.paddle.nn.layer import Layer as AnyLayer
from jitcore.compat.paddle.static.variables import Value

__all__ = ["DataParallel", "Env", "ParallelEnv", "ParallelStrategy", "prepare_context"]


class ParallelEnv:
    """Which process this is, by the variables that Paddle's launcher sets."""

    @property
    def nranks(self) -> int:
        """How many processes there are."""
        return int(os.environ.get("PADDLE_TRAINERS_NUM", "1"))

    @property
    def local_rank(self) -> int:
        """The number of this one."""
        return int(os.environ.get("PADDLE_TRAINER_ID", "0"))

    @property
    def dev_id(self) -> int:
        """The number of its device."""
        return int(os.environ.get("FLAGS_selected_gpus", "0"))  # noqa: SIM112  Paddle's own

    @property
    def current_endpoint(self) -> str:
        """Its address."""
        return os.environ.get("PADDLE_CURRENT_ENDPOINT", "")

    @property
    def trainer_endpoints(self) -> list[str]:
        """The addresses of all."""
        return os.environ.get("PADDLE_TRAINER_ENDPOINTS", "").split(",")

    world_size = nranks
    rank = local_rank
    device_id = dev_id


Env = ParallelEnv


class ParallelStrategy:
    """How many processes there are, and which this is."""

    def __init__(self) -> None:
        env = ParallelEnv()
        self.nranks = env.nranks
        self.local_rank = env.local_rank
        self.trainer_endpoints = env.trainer_endpoints
        self.current_endpoint = env.current_endpoint


def prepare_context(strategy: ParallelStrategy | None = None) -> ParallelStrategy:
    """Begin training by several processes. Raises NotImplementedError for more than one."""
    made = ParallelStrategy() if strategy is None else strategy
    if made.nranks > 1:
        raise NotImplementedError(
            f"training by {made.nranks} processes is not provided: gradients are not exchanged between processes"
        )
    return made


class DataParallel(Layer):
    """A Layer that several processes train, each with a part of the batch; with one process the Layer itself."""

    def __init__(self, layers: AnyLayer, strategy: ParallelStrategy | None = None) -> None:
        super().__init__(f"{layers.full_name()}_data_parallel")
        self._layers = layers
        self._strategy = prepare_context(strategy)

    def forward(self, *inputs: object, **keywords: object) -> Any:
        return self._layers(*inputs, **keywords)

    def scale_loss(self, loss: Value) -> Any:
        """The loss over the number of processes."""
        return loss if self._strategy.nranks < 2 else loss / self._strategy.nranks

    def apply_collective_grads(self) -> None:
        """Add up the gradients of all processes."""

    def state_dict(self, *args: object, **keywords: object) -> Any:
        """That of the Layer."""
        return cast("Any", self._layers).state_dict(*args, **keywords)

    def set_dict(  # pyright: ignore[reportIncompatibleVariableOverride]
        self, state_dict: Mapping[str, object], *args: object, **keywords: object
    ) -> Any:
        """Give the Layer a state."""
        return cast("Any", self._layers).set_dict(state_dict, *args, **keywords)

    set_state_dict = load_dict = set_dict  # pyright: ignore[reportAssignmentType]
