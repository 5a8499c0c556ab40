"""Checkpoints are NumPy `.npz` files: an array for each Parameter, by its name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from jitcore.common.parameter import Parameter
from jitcore.nn.cell import Cell


def save_checkpoint(save_obj: Any, ckpt_file_name: str | os.PathLike[str]) -> None:
    """Save the Parameters of a Cell, or a dict of them, to a file; it is replaced as a whole or not at all."""
    parameters: Mapping[str, Any] = save_obj.parameters_dict() if isinstance(save_obj, Cell) else save_obj
    if not isinstance(parameters, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"what is saved is a Cell or a dict of Parameters, not {type(save_obj).__name__}")
    target = Path(ckpt_file_name)
    partial = target.with_name(target.name + ".partial")
    with partial.open("wb") as file:
        np.savez(file, **{name: np.asarray(value) for name, value in parameters.items()})  # pyright: ignore[reportArgumentType]
    partial.replace(target)


def load_checkpoint(ckpt_file_name: str | os.PathLike[str], net: Cell | None = None) -> dict[str, Parameter]:
    """The Parameters in a file, by name; with `net` they are loaded into it too. Raises ValueError for another kind of file."""
    with Path(ckpt_file_name).open("rb") as file:
        loaded = np.load(file, allow_pickle=False)
        if not isinstance(loaded, np.lib.npyio.NpzFile):
            raise ValueError(f"{ckpt_file_name} is no checkpoint")
        found = {name: Parameter(loaded[name], name=name) for name in loaded.files}
    if net is not None:
        load_param_into_net(net, found)
    return found


def load_param_into_net(net: Cell, parameter_dict: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Write Parameters into those of a Cell that have the same names.

    Gives the names that the Cell has and the dict has not, and the other way round. Raises ValueError where shapes differ.
    """
    own = net.parameters_dict()
    for name, parameter in own.items():
        if name in parameter_dict:
            parameter.set_data(parameter_dict[name])
    return [n for n in own if n not in parameter_dict], [n for n in parameter_dict if n not in own]
