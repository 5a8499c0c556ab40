"""`fluid.io`: saving and loading, and readers of data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jitcore.compat.paddle import saving
from jitcore.compat.paddle.dataset.readers import (
    batch,
    buffered,
    cache,
    chain,
    compose,
    firstn,
    map_readers,
    shuffle,
    xmap_readers,
)
from jitcore.compat.paddle.fluid.dygraph.base import enabled, to_variable
from jitcore.compat.paddle.fluid.dygraph.tracing import MODEL
from jitcore.compat.paddle.static import inference
from jitcore.compat.paddle.static.executor import CompiledProgram
from jitcore.compat.paddle.static.programs import Program, default_main_program
from jitcore.compat.paddle.static.saving import (
    load,
    load_program_state,
    parts_of,
    save,
    set_program_state,
)
from jitcore.compat.paddle.static.scopes import global_scope
from jitcore.compat.paddle.static.variables import Parameter, Variable

__all__ = [
    "DataLoader",
    "batch",
    "buffered",
    "cache",
    "chain",
    "compose",
    "firstn",
    "load",
    "load_inference_model",
    "load_params",
    "load_persistables",
    "load_program_state",
    "load_vars",
    "map_readers",
    "save",
    "save_inference_model",
    "save_params",
    "save_persistables",
    "save_vars",
    "set_program_state",
    "shuffle",
    "xmap_readers",
]

Reader = Callable[[], Iterable[Any]]
Choice = Callable[[Variable], bool]


def _program(given: Program | CompiledProgram | None) -> Program:
    return given.program if isinstance(given, CompiledProgram) else given or default_main_program()


def save_vars(
    executor: object,
    dirname: str,
    main_program: Program | None = None,
    vars: Sequence[Variable] | None = None,
    predicate: Choice | None = None,
    filename: str | None = None,
) -> None:
    """Write the values of Variables to a folder: each to a file of its name, or all to one."""
    del executor
    chosen = _program(main_program)
    held = chosen.state_dict()
    wanted = [v.name for v in vars or chosen.list_vars() if predicate is None or predicate(v)]
    arrays = {name: held[name].numpy() for name in wanted if name in held}
    for name, part in {filename: arrays}.items() if filename else ((n, {n: a}) for n, a in arrays.items()):
        saving.save(part, Path(dirname) / str(name))


def load_vars(
    executor: object,
    dirname: str,
    main_program: Program | None = None,
    vars: Sequence[Variable] | None = None,
    predicate: Choice | None = None,
    filename: str | None = None,
) -> None:
    """Give Variables the values that `save_vars` wrote. Raises ValueError where there is no file of one."""
    del executor
    chosen = _program(main_program)
    kept = {v.name for v in chosen.list_vars() if v.persistable and v.name in chosen.captured}
    wanted = [v.name for v in vars or chosen.list_vars() if v.name in kept and (predicate is None or predicate(v))]
    held: dict[str, Any] = {}
    for name in [filename] if filename else wanted:
        held.update(saving.load(Path(dirname) / name, return_numpy=True))
    set_program_state(chosen, {name: np.asarray(held[name]) for name in wanted})


def _is_parameter(variable: Variable) -> bool:
    return isinstance(variable, Parameter)


def save_params(
    executor: object, dirname: str, main_program: Program | None = None, filename: str | None = None
) -> None:
    """Write the parameters to a folder."""
    save_vars(executor, dirname, main_program, None, _is_parameter, filename)


def load_params(
    executor: object, dirname: str, main_program: Program | None = None, filename: str | None = None
) -> None:
    """Give the parameters the values that `save_params` wrote."""
    load_vars(executor, dirname, main_program, None, _is_parameter, filename)


def save_persistables(
    executor: object, dirname: str, main_program: Program | None = None, filename: str | None = None
) -> None:
    """Write all that the Program keeps to a folder."""
    save_vars(executor, dirname, main_program, None, None, filename)


def load_persistables(
    executor: object, dirname: str, main_program: Program | None = None, filename: str | None = None
) -> None:
    """Give all that the Program keeps the values that `save_persistables` wrote."""
    load_vars(executor, dirname, main_program, None, None, filename)


def save_inference_model(
    dirname: str,
    feeded_var_names: Sequence[str],
    target_vars: Sequence[Variable] | Variable,
    executor: object,
    main_program: Program | None = None,
    model_filename: str | None = None,
    params_filename: str | None = None,
    export_for_deployment: bool = True,
    program_only: bool = False,
) -> list[str]:
    """Write what a Program gives of what it is fed with, as it is when nothing is trained, to a folder; the names of
    what it gives."""
    del executor, model_filename, params_filename, export_for_deployment, program_only
    chosen = _program(main_program)
    fetches = [target_vars] if isinstance(target_vars, Variable) else list(target_vars)
    feeds = [chosen.global_block().var(name) for name in feeded_var_names]
    inference.save(Path(dirname) / MODEL, feeds, fetches, chosen.clone(for_test=True), global_scope())
    return [v.name for v in fetches]


def load_inference_model(
    dirname: str,
    executor: object,
    model_filename: str | None = None,
    params_filename: str | None = None,
    pserver_endpoints: object = None,
) -> list[Any]:
    """The model in a folder: [its Program, the names of its feeds, the Variables to be fetched]. Raises
    FileNotFoundError where there is none."""
    del executor, model_filename, params_filename, pserver_endpoints
    return parts_of(inference.load(Path(dirname) / MODEL))


# --- readers --------------------------------------------------------------------------------------------


class _Generated:
    """What `DataLoader.from_generator` makes: batches of a generator's, as feeds or lists of Variables."""

    def __init__(self, feed_list: Sequence[Variable] | None, return_list: bool) -> None:
        self._names = [v.name for v in feed_list or ()]
        self._return_list = return_list
        self._reader: Reader | None = None

    def set_sample_generator(
        self, reader: Reader, batch_size: int, drop_last: bool = True, places: object = None
    ) -> _Generated:
        """Take single samples, put together in batches."""
        return self.set_sample_list_generator(batch(reader, batch_size, drop_last), places)

    def set_sample_list_generator(self, reader: Reader, places: object = None) -> _Generated:
        """Take batches as lists of samples."""
        del places

        def stacked() -> Iterator[Any]:
            for samples in reader():
                yield [np.array(column) for column in zip(*samples, strict=True)]

        self._reader = stacked
        return self

    def set_batch_generator(self, reader: Reader, places: object = None) -> _Generated:
        """Take batches as arrays."""
        del places
        self._reader = reader
        return self

    def __iter__(self) -> Iterator[Any]:
        if self._reader is None:
            raise ValueError("the DataLoader has no generator: call set_batch_generator or the like before")
        return self._batches(self._reader, to_variable if enabled() else None)

    def _batches(self, reader: Reader, variable: Callable[[Any], Any] | None) -> Iterator[Any]:
        for arrays in reader():
            given = arrays if isinstance(arrays, list | tuple) else [arrays]
            if variable is not None:
                yield [variable(np.asarray(a)) for a in given]
            elif self._return_list:
                yield list(given)
            else:
                yield [dict(zip(self._names, given, strict=True))]

    def __call__(self) -> Iterator[Any]:
        return iter(self)


class DataLoader:
    """Batches of data."""

    @staticmethod
    def from_generator(
        feed_list: Sequence[Variable] | None = None,
        capacity: int | None = None,
        use_double_buffer: bool = True,
        iterable: bool = True,
        return_list: bool = False,
        use_multiprocess: bool = False,
    ) -> _Generated:
        """Batches that a generator makes: in static mode feeds, in dynamic mode lists of Variables. Raises
        NotImplementedError for loaders that are started and reset in place of being iterated."""
        del capacity, use_double_buffer, use_multiprocess
        if not iterable:
            raise NotImplementedError("DataLoader.from_generator(iterable=False): iterate over the loader instead")
        return _Generated(feed_list, return_list)
