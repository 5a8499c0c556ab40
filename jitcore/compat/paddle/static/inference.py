"""Programs for inference as models that `jitcore.export` writes, and loaded ones as Programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, Final

from jitcore.compat.paddle.static.expressions import Names, function_of
from jitcore.compat.paddle.static.programs import Block, Program
from jitcore.compat.paddle.static.scopes import Scope
from jitcore.compat.paddle.static.variables import Variable, type_of
from jitcore.compat.paddle.static.writing import written
from jitcore.compat.paddle.tensor import Tensor
from jitcore.exports import InputSpec, LoadedFunction, ModelFileError, export
from jitcore.exports import load as load_model
from jitcore.train import atomic_files
from jitcore.types import DTYPES, Dim, DimExpr

NAMES: Final = "variables.json"
"""The file beside the model's own that says what its Variables are called."""
_MOST: Final = 4
"""Extents that may be anything, of which a model has programs for each choice of those that are 1."""


class InferenceProgram(Program):
    """A loaded model as a Program: it is fed with its inputs, and gives its outputs."""

    def __init__(self, function: LoadedFunction, feeds: Sequence[Mapping[str, Any]], fetches: Sequence[Any]) -> None:
        super().__init__()
        self.function = function
        block = self.global_block()
        self.feeds = [block.add(_described(told, block)) for told in feeds]
        self.fetches = [block.add(_described(told, block)) for told in fetches]

    def values(self, feed: Mapping[str, Any], fetches: Sequence[str], fed: Callable[..., Any]) -> list[Any]:
        """The outputs of these names. Raises ValueError for what is not fed and for other names."""
        missing = [v.name for v in self.feeds if v.name not in feed]
        if missing:
            raise ValueError(f"the model needs {', '.join(missing)}: give it in feed")
        made = self.function(*(fed(v, v.name, feed[v.name]) for v in self.feeds))
        results = made if isinstance(made, tuple) else (made,)
        known = dict(zip([v.name for v in self.fetches], results, strict=True))
        for name in fetches:
            if name not in known:
                raise ValueError(f"the model has no output {name!r}; it has {', '.join(known)}")
        return [known[name] for name in fetches]


def _described(told: Mapping[str, Any], block: Block) -> Variable:
    made = Variable(block, told["name"], type_of(told["shape"], DTYPES[told["dtype"]]))
    made.is_data = True
    return made


def save(folder: Path, feeds: Sequence[Variable], fetches: Sequence[Variable], program: Program, scope: Scope) -> None:
    """Write what a Program gives of what it is fed with as a model's folder. Raises ValueError where it needs more than
    these feeds, or has parameters without values."""
    write(folder, inference_function(feeds, fetches, program, scope), feeds, fetches)


def write(folder: Path, function: Callable[..., Any], feeds: Sequence[Variable], fetches: Sequence[Variable]) -> None:
    """Write a function of the feeds that gives the fetches, one or a tuple, as a model's folder."""
    export(function, tuple(_specs(feeds)), folder)
    told = {"feeds": list(map(_told, feeds)), "fetches": list(map(_told, fetches))}
    atomic_files.write(folder / NAMES, json.dumps(told, indent=1).encode())


def inference_function(
    feeds: Sequence[Variable], fetches: Sequence[Variable], program: Program, scope: Scope
) -> FunctionType:
    """A function of the feeds that gives the fetches, one or a tuple, with the parameters as they are."""
    made = written(program, [v.name for v in fetches])
    names = Names()
    params = {v.name: names.fresh(v.name) for v in feeds}
    values: dict[str, Any] = {}
    given: list[str] = []
    for name in made.inputs:
        if name in params:
            given.append(params[name])
            continue
        value = scope.value(name) if scope.has(name) else program.captured.get(name)
        if value is None:
            raise ValueError(
                f"the outputs need {name}, which is neither among the feeds nor has a value: name it as a feed, or run "
                "the startup Program before"
            )
        given.append(names.fresh(name))
        values[given[-1]] = value
    chosen = "results[0]" if len(fetches) == 1 else "results"
    body = f"    results, _ = {names.constant(made.function)}({', '.join(given)})\n    return {chosen}\n"
    text = f"def inference({', '.join(params.values())}):\n{body}"
    return function_of(text, "inference", {**names.values, **values})


def _specs(feeds: Sequence[Variable]) -> list[InputSpec]:
    unknown = {id(n): n for v in feeds for n in v.type_.shape if isinstance(n, DimExpr)}
    shared = len(unknown) > _MOST

    def extent(n: Dim, axis: int) -> int | str:
        if isinstance(n, int):
            return n
        return "batch" if shared and axis == 0 else f"n{list(unknown).index(id(n))}"

    return [InputSpec([extent(n, k) for k, n in enumerate(v.type_.shape)], v.kind, v.name, Tensor) for v in feeds]


def _told(variable: Variable) -> dict[str, Any]:
    return {"name": variable.name, "shape": list(variable.shape), "dtype": variable.kind.name}


def load(folder: Path) -> InferenceProgram:
    """The model in a folder as a Program. Raises FileNotFoundError where there is none, ModelFileError (a ValueError)
    for what `save` did not write."""
    if not folder.is_dir():
        raise FileNotFoundError(f"there is no model at {folder}")
    function = load_model(folder)
    if not (folder / NAMES).is_file():
        raise ModelFileError(
            f"{folder} has no {NAMES}, which says what its inputs are called: paddle.jit.load reads it"
        )
    try:
        told = json.loads((folder / NAMES).read_bytes())
        return InferenceProgram(function, told["feeds"], told["fetches"])
    except (ValueError, KeyError, TypeError) as error:
        raise ModelFileError(f"{folder} is damaged: {NAMES}: {error!r}") from error
