"""`Executor`: runs Programs."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from jitcore.compat.paddle.static import modes
from jitcore.compat.paddle.static.gradients import record_named
from jitcore.compat.paddle.static.inference import InferenceProgram
from jitcore.compat.paddle.static.programs import Program, default_main_program
from jitcore.compat.paddle.static.scopes import ROOT, Scope, as_tensor, global_scope
from jitcore.compat.paddle.static.statements import Initial
from jitcore.compat.paddle.static.variables import Variable
from jitcore.compat.paddle.static.writing import Written, written
from jitcore.compat.paddle.tensor import Tensor
from jitcore.runtime import nodes
from jitcore.runtime.dispatch import CompiledFunction
from jitcore.runtime.tensor import made_of

_NO_OPERATORS = (
    "There are no operators in the program to be executed. If you pass Program manually, please use "
    "fluid.program_guard to ensure the current Program is being used."
)


Feed: TypeAlias = "Mapping[str, Any] | Sequence[Mapping[str, Any]] | None"
"""What a Program is fed with, by name."""

Fetch: TypeAlias = "Sequence[Variable | str] | Variable | str | None"
"""What is asked for, by Variables or names."""


class CompiledProgram:
    """A Program; all are compiled when they run."""

    def __init__(self, program_or_graph: Program, build_strategy: object = None) -> None:
        del build_strategy
        self.program = program_or_graph

    def with_data_parallel(self, *args: object, **keywords: object) -> CompiledProgram:
        """The Program, for the one process that there is."""
        del args, keywords
        return self


class BuildStrategy:
    """Options of how a Program is compiled, which are jitcore's own matter."""

    class ReduceStrategy:
        """How gradients are reduced."""

        AllReduce = 0
        Reduce = 1

    class GradientScaleStrategy:
        """How gradients are scaled."""

        CoeffNumDevice = 0
        One = 1
        Customized = 2

    def __init__(self) -> None:
        self.memory_optimize = True
        self.enable_inplace = True


class ExecutionStrategy:
    """Options of how a Program is run, which are jitcore's own matter."""

    def __init__(self) -> None:
        self.num_threads = 1
        self.num_iteration_per_drop_scope = 10
        self.num_iteration_per_run = 1


class Executor:
    """Runs Programs: each is compiled once for what is asked for and the dtypes and ranks that it is fed with.

    >>> import numpy as np
    >>> from jitcore.compat.paddle import static
    >>> main = static.Program()
    >>> with static.program_guard(main):
    ...     x = static.data("x", [None, 2])
    ...     y = x + 10.0
    >>> static.Executor().run(main, feed={"x": np.ones([1, 2], np.float32)}, fetch_list=[y])
    [array([[11., 11.]], dtype=float32)]
    """

    def __init__(self, place: object = None) -> None:
        self.place = place

    def run(
        self,
        program: Program | CompiledProgram | None = None,
        feed: Feed = None,
        fetch_list: Fetch = None,
        feed_var_name: str = "feed",
        fetch_var_name: str = "fetch",
        scope: Scope | None = None,
        return_numpy: bool = True,
        use_program_cache: bool = False,
        return_merged: bool = True,
        use_prune: bool = False,
    ) -> list[Any]:
        """Run a Program on what it is fed with; the values of the Variables in `fetch_list`, as ndarrays or Tensors.
        Persistable Variables have their new values in the scope.

        Raises ValueError for names that the Program has not, for Variables that are needed and neither fed nor
        initialised, and for what is fed with another dtype or shape than declared.
        """
        del feed_var_name, fetch_var_name, use_program_cache, return_merged, use_prune
        chosen = program.program if isinstance(program, CompiledProgram) else program
        chosen = default_main_program() if chosen is None else chosen
        if not isinstance(chosen, Program):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"Executor.run takes a Program, not {type(chosen).__name__}")
        given = feed[0] if isinstance(feed, Sequence) else feed or {}
        names = [_name(fetched) for fetched in _listed(fetch_list)]
        within = global_scope() if scope is None else scope
        with modes.dynamic(), nodes.recording(False):
            return [value.numpy() if return_numpy else value for value in _run(chosen, given, names, within)]

    def close(self) -> None:
        """Nothing is left open."""

    def infer_from_dataset(self, *args: object, **keywords: object) -> None:
        """Not provided: feed batches with `run`."""
        raise NotImplementedError("Datasets of Paddle's own files are not provided: feed batches with Executor.run")

    train_from_dataset = infer_from_dataset


def _run(program: Program, feed: Mapping[str, Any], fetches: Sequence[str], scope: Scope) -> list[Any]:
    if isinstance(program, InferenceProgram):
        return program.values(feed, fetches, fed)
    block = program.global_block()
    if not block.ops:
        warnings.warn(_NO_OPERATORS, stacklevel=3)
    for statement in block.ops:
        if isinstance(statement, Initial):
            name = statement.variable.name
            if scope is ROOT:
                scope.values[name] = statement.tensor
            scope.put(name, statement.value)
    for name in fetches:
        if block.find(name) is None:
            record_named(program, name)
        if block.find(name) is None:
            raise ValueError(f"the Program has no Variable {name!r} to be fetched; it has {', '.join(block.vars)}")
    made = _compiled(program, tuple(fetches))
    results, updates = made.function(*(_input(program, name, feed, scope) for name in made.written.inputs))
    for name, value in zip(made.written.updated, updates, strict=True):
        scope.values[name] = value
    if program.after and any(name in program.providers for name in made.written.inputs):
        for finish in program.after:
            finish()
    return list(results)


class _Compiled:
    def __init__(self, made: Written) -> None:
        self.written = made
        self.function = CompiledFunction(made.function)


def _compiled(program: Program, fetches: tuple[str, ...]) -> _Compiled:
    """The function of a Program for what is asked of it, made once as long as the Program stays as it is."""
    key = program.version, fetches
    kept = program.compiled
    if key not in kept:
        for old in [old for old in kept if old[0] != program.version]:
            del kept[old]
        kept[key] = _Compiled(written(program, fetches))
    return kept[key]


def _input(program: Program, name: str, feed: Mapping[str, Any], scope: Scope) -> Any:
    """The value that a Program begins with for one of its Variables."""
    variable = program.global_block().vars.get(name)
    if name in feed:
        return fed(variable, name, feed[name])
    if name in program.providers:
        return program.providers[name]()
    if scope.has(name):
        return scope.value(name)
    if name in program.captured:
        return scope.bind(name, program.captured[name])
    if variable is not None and variable.persistable:
        raise ValueError(f"{name} has no value yet: run the startup Program (exe.run(default_startup_program()))")
    raise ValueError(f"{name} is needed and not fed: give it in feed={{{name!r}: …}}")


def fed(variable: Variable | None, name: str, value: object) -> Any:
    """What a Variable is fed with, as a Tensor. Raises ValueError for another dtype or shape than it was declared
    with."""
    if variable is None:
        return as_tensor(value)
    given: Any = value.numpy() if isinstance(value, Tensor) else value
    array = np.asarray(given, None if variable.need_check_feed else variable.kind.numpy, order="C")
    if not variable.need_check_feed:
        return made_of(Tensor, array)
    wanted = list(variable.shape)
    if len(wanted) != array.ndim or any(w not in (-1, n) for w, n in zip(wanted, array.shape, strict=True)):
        raise ValueError(
            f"The fed Variable {name!r} should have dimensions = {len(wanted)}, shape = {tuple(wanted)}, but received "
            f"fed shape {list(array.shape)} on each device"
        )
    if array.dtype != variable.kind.numpy:
        raise ValueError(
            f"The data type of fed Variable {name!r} must be {variable.kind.numpy.name!r}, but received "
            f"{array.dtype.name!r}"
        )
    return made_of(Tensor, array)


def _name(fetched: Variable | str) -> str:
    if isinstance(fetched, str):
        return fetched
    name = getattr(fetched, "name", None)
    if not isinstance(name, str):
        raise TypeError(f"fetch_list holds Variables and their names, not {type(fetched).__name__}")
    return name


def _listed(fetch_list: Fetch) -> Iterable[Any]:
    if fetch_list is None:
        return ()
    return fetch_list if isinstance(fetch_list, list | tuple) else (fetch_list,)
