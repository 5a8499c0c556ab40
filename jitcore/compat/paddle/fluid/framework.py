"""What the module `paddle.fluid` itself has: Programs, places, what they are fed with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from jitcore.compat.paddle.fluid.tensor import StaticVariable
from jitcore.compat.paddle.fluid.types import dtype_named
from jitcore.compat.paddle.static import creation
from jitcore.compat.paddle.static.executor import (
    BuildStrategy,
    CompiledProgram,
    ExecutionStrategy,
    Executor,
    Feed,
    Fetch,
)
from jitcore.compat.paddle.static.gradients import append_backward, gradients
from jitcore.compat.paddle.static.programs import (
    Program,
    default_main_program,
    default_startup_program,
    program_guard,
)
from jitcore.compat.paddle.static.scopes import Scope, global_scope, scope_guard
from jitcore.compat.paddle.static.surroundings import cpu_places, cuda_places, device_guard, name_scope

__all__ = [
    "BuildStrategy",
    "CompiledProgram",
    "DataFeeder",
    "ExecutionStrategy",
    "Executor",
    "ParallelExecutor",
    "Program",
    "Scope",
    "append_backward",
    "cpu_places",
    "cuda_places",
    "data",
    "default_main_program",
    "default_startup_program",
    "device_guard",
    "global_scope",
    "gradients",
    "is_compiled_with_cuda",
    "name_scope",
    "program_guard",
    "require_version",
    "scope_guard",
]


def data(name: str, shape: Sequence[int | None], dtype: object = "float32", lod_level: int = 0) -> Any:
    """What the Program is fed with under a name: None and -1 in the shape are extents that may be anything. What is fed
    must have the dtype and shape."""
    return creation.data(name, shape, dtype_named(dtype), lod_level, StaticVariable)


def is_compiled_with_cuda() -> bool:
    """Whether there may be GPUs: no."""
    return False


def require_version(min_version: str, max_version: str | None = None) -> None:
    """Nothing: what is here of fluid is its version 1.8's."""
    del min_version, max_version


class DataFeeder:
    """Samples as feeds: a batch of each column."""

    def __init__(self, feed_list: Sequence[Any], place: object = None, program: Program | None = None) -> None:
        del place
        block = (program or default_main_program()).global_block()
        self._variables = [block.var(v) if isinstance(v, str) else v for v in feed_list]

    def feed(self, iterable: Iterable[Sequence[object]]) -> dict[str, Any]:
        """The feeds of a batch. Raises ValueError where samples have another number of parts."""
        columns = list(zip(*iterable, strict=True))
        if len(columns) != len(self._variables):
            raise ValueError(f"samples have {len(columns)} parts for {len(self._variables)} Variables")
        made: dict[str, Any] = {}
        for variable, column in zip(self._variables, columns, strict=True):
            shape = [int(n) for n in variable.shape]
            array = np.array(column, variable.kind.numpy)
            made[variable.name] = array.reshape([-1, *shape[1:]]) if shape[1:] and -1 not in shape[1:] else array
        return made


class ParallelExecutor(Executor):
    """An Executor for the default Program."""

    def __init__(
        self, use_cuda: bool = False, loss_name: str | None = None, main_program: Program | None = None
    ) -> None:
        del use_cuda, loss_name
        super().__init__()
        self._program = main_program or default_main_program()

    def run(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, fetch_list: Fetch, feed: Feed = None, return_numpy: bool = True
    ) -> list[Any]:
        """Run the Program."""
        return super().run(self._program, feed, fetch_list, return_numpy=return_numpy)
