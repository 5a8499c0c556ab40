"""Saving and loading what Programs keep, and Programs for inference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jitcore.compat.paddle import saving
from jitcore.compat.paddle.static import inference
from jitcore.compat.paddle.static.executor import CompiledProgram, Executor
from jitcore.compat.paddle.static.inference import InferenceProgram
from jitcore.compat.paddle.static.programs import Program
from jitcore.compat.paddle.static.scopes import global_scope
from jitcore.compat.paddle.static.variables import Variable

Where = str | Path


def _arrays(program: Program, mode: str) -> dict[str, Any]:
    return {name: value.numpy() for name, value in program.state_dict(mode).items()}


def save(program: Program, model_path: str, protocol: int = 4, **configs: object) -> None:
    """Write the parameters of a Program to `model_path.pdparams`, and what else it keeps, such as optimizers' moments,
    to `model_path.pdopt`. Raises ValueError for a path that ends in a slash."""
    del configs
    if not Path(model_path).name or model_path.endswith("/"):
        raise ValueError("static.save takes the path of a file without its extension: folder/name")
    saving.save(_arrays(program, "param"), f"{model_path}.pdparams", protocol)
    saving.save(_arrays(program, "opt"), f"{model_path}.pdopt", protocol)


def load_program_state(model_path: str, var_list: Sequence[Variable] | None = None) -> dict[str, Any]:
    """What `save` wrote, as ndarrays by name. Raises ValueError where it has not."""
    state: dict[str, Any] = {}
    for suffix in (".pdparams", ".pdopt"):
        file = Path(model_path + suffix)
        if suffix == ".pdparams" or file.exists():
            state.update(saving.load(file, return_numpy=True))
    if var_list is None:
        return state
    wanted = {v.name for v in var_list}
    return {name: value for name, value in state.items() if name in wanted}


def set_program_state(program: Program, state_dict: Mapping[str, Any]) -> None:
    """Give what a Program keeps values by name."""
    scope = global_scope()
    for name, tensor in program.captured.items():
        scope.bind(name, tensor)
    program.set_state_dict(state_dict)


def load(
    program: Program, model_path: str, executor: Executor | None = None, var_list: Sequence[Variable] | None = None
) -> None:
    """Give what a Program keeps the values that `save` wrote. Raises ValueError where it has not."""
    del executor
    set_program_state(program, load_program_state(model_path, var_list))


# --- for inference --------------------------------------------------------------------------------------


def _listed(variables: Variable | Sequence[Variable], what: str) -> list[Variable]:
    given = [variables] if isinstance(variables, Variable) else list(variables)
    if not all(isinstance(v, Variable) for v in given):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{what} are static Variables")
    return given


def save_inference_model(
    path_prefix: Where,
    feed_vars: Variable | Sequence[Variable],
    fetch_vars: Variable | Sequence[Variable],
    executor: Executor | None = None,
    program: Program | CompiledProgram | None = None,
    **keywords: object,
) -> None:
    """Write what a Program gives of what it is fed with, as it is when nothing is trained, as a folder at
    `path_prefix`, which other processes load without the Program's source, also by `paddle.jit.load`.

    Raises TypeError for what are no Variables, ValueError where more than the feeds is needed, and CompileError, which
    names the places, for what cannot leave Python.
    """
    del executor, keywords
    feeds, fetches = _listed(feed_vars, "feed_vars"), _listed(fetch_vars, "fetch_vars")
    chosen = program.program if isinstance(program, CompiledProgram) else program or fetches[0].block.program
    inference.save(Path(path_prefix), feeds, fetches, chosen.clone(for_test=True), global_scope())


def load_inference_model(path_prefix: Where, executor: Executor | None = None, **keywords: object) -> list[Any]:
    """The model that was written: [its Program, the names of its feeds, the Variables to be fetched]. Raises
    FileNotFoundError where there is none, ModelFileError (a ValueError) for one that is damaged or foreign."""
    del executor, keywords
    made = inference.load(Path(path_prefix))
    return parts_of(made)


def parts_of(program: InferenceProgram) -> list[Any]:
    """[The Program, the names of its feeds, the Variables to be fetched]."""
    return [program, [v.name for v in program.feeds], program.fetches]


def normalize_program(
    program: Program, feed_vars: Sequence[Variable], fetch_vars: Sequence[Variable], **keywords: object
) -> Program:
    """The Program as it is when nothing is trained."""
    del feed_vars, fetch_vars, keywords
    return program.clone(for_test=True)
