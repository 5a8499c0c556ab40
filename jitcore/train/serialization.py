"""Checkpoints: files of Parameters and other values by name, in the format of `checkpoint_format`, whatever they are
called."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from jitcore.common.parameter import Parameter
from jitcore.nn.cell import Cell
from jitcore.runtime.tensor import Tensor
from jitcore.train import atomic_files, checkpoint_format, npz_checkpoints
from jitcore.types import dtype_of

Name = str | os.PathLike[str]


def _named(save_obj: Any) -> dict[str, Any]:
    """What is saved, by name."""
    if isinstance(save_obj, Cell):
        return dict(save_obj.parameters_dict())
    if isinstance(save_obj, Mapping):
        return dict(cast("Mapping[str, Any]", save_obj))
    if isinstance(save_obj, list) and all(isinstance(i, Mapping) for i in cast("list[Any]", save_obj)):
        return {str(i["name"]): i["data"] for i in cast("list[Mapping[str, Any]]", save_obj)}
    raise TypeError(
        f"For 'save_checkpoint', the parameter 'save_obj' must be nn.Cell, list or dict, but got {type(save_obj)}."
    )


def _with_suffix(name: Name) -> Path:
    path = Path(name)
    return path if path.suffix else path.with_name(path.name + ".ckpt")


def save_checkpoint(
    save_obj: Any,
    ckpt_file_name: Name,
    integrated_save: bool = True,
    async_save: bool = False,
    append_dict: Mapping[str, Any] | None = None,
    choice_func: Callable[[str], bool] | None = None,
    **_: Any,
) -> None:
    """Save the Parameters of a Cell, a dict of them, or a list of {'name', 'data'} to a file (`.ckpt` unless it has a
    suffix); it is replaced as a whole or not at all. `append_dict`: more values, arrays or what JSON has;
    `choice_func(name)`: which Parameters.

    The file is one of safetensors, with a digest. Raises TypeError for names that are no strings and for values of
    other kinds.
    """
    parameters = {n: v for n, v in _named(save_obj).items() if choice_func is None or choice_func(n)}
    parameters |= append_dict or {}
    for name in parameters:
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"what is saved has a string for its name, not {name!r}")
    content = {name: _saved(value) for name, value in parameters.items()}
    atomic_files.write(_with_suffix(ckpt_file_name), checkpoint_format.encode(content))


def _saved(value: Any) -> Any:
    """An array, where a value is one or a list of numbers; else the value itself."""
    if value is None or isinstance(value, str | bool | int | float | Mapping):
        return value
    made = value.asnumpy() if isinstance(value, Tensor) else np.asarray(value) if not _is_mixed(value) else value
    is_array = isinstance(made, np.ndarray) and (made.dtype.kind in "biufc" or isinstance(value, np.ndarray))
    return made if is_array else value


def _is_mixed(value: Any) -> bool:
    """Whether a list or tuple is no array of numbers."""
    if not isinstance(value, list | tuple):
        return False
    try:
        return np.asarray(value).dtype.kind not in "biufc"
    except ValueError:  # its rows differ in length
        return True


def _loaded(name: str, value: Any) -> Any:
    """A Parameter, of an array or number; another value as it is."""
    if isinstance(value, bool | float) or (isinstance(value, int) and -(1 << 63) <= value < 1 << 63):
        value = np.asarray(value)
    return Parameter(value, name=name) if isinstance(value, np.ndarray) else value


def _prefixes(given: str | Iterable[str] | None) -> tuple[str, ...] | None:
    return None if given is None else (given,) if isinstance(given, str) else tuple(given)


class CheckpointNotFoundError(FileNotFoundError, ValueError):
    """There is no such file. (A ValueError, too, as MindSpore has it.)"""


def load_checkpoint(
    ckpt_file_name: Name,
    net: Cell | None = None,
    strict_load: bool = False,
    filter_prefix: str | Iterable[str] | None = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: str | Iterable[str] | None = None,
    choice_func: Callable[[str], bool] | None = None,
    **_: Any,
) -> dict[str, Parameter]:
    """The Parameters in a file, by name; with `net` they are loaded into it too. Numbers become Parameters, strings and
    other values stay what they are.

    Those that begin with `filter_prefix` are left out, as are those that do not begin with `specify_prefix`. Files of
    safetensors from elsewhere are read as well. Raises TypeError for what names no file, ValueError for another kind of
    file, or one that is encrypted or damaged.
    """
    del dec_mode
    if dec_key is not None:
        raise ValueError("checkpoints are not encrypted: dec_key must be None")
    if not isinstance(ckpt_file_name, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(
            f"For 'load_checkpoint', the argument 'ckpt_file_name' must be string, but got {type(ckpt_file_name)}."
        )
    left, only = _prefixes(filter_prefix), _prefixes(specify_prefix)
    path = Path(ckpt_file_name)
    if not path.exists():
        path = _with_suffix(path)
    if not path.exists():
        raise CheckpointNotFoundError(f"the checkpoint {ckpt_file_name} does not exist")
    found = {
        n: _loaded(n, v)
        for n, v in _read(path).items()
        if not (left and n.startswith(left))
        and (only is None or n.startswith(only))
        and (choice_func is None or choice_func(n))
    }
    if net is not None:
        load_param_into_net(net, {n: v for n, v in found.items() if isinstance(v, Parameter)}, strict_load)
    return found


def _read(path: Path) -> dict[str, Any]:
    """What is in a checkpoint, by name. Raises ValueError, which names the file."""
    data = path.read_bytes()
    is_old = data[: len(npz_checkpoints.MAGIC)] == npz_checkpoints.MAGIC
    if not is_old and data[_BRACE_AT : _BRACE_AT + 1] != b"{":
        raise ValueError(f"{path} is no checkpoint of jitcore, or damaged")
    try:
        found = npz_checkpoints.decode(data) if is_old else checkpoint_format.decode(data)
        for name, value in found.items():
            if isinstance(value, np.ndarray):
                _require_dtype(name, value)
    except ValueError as error:
        raise ValueError(f"{path} cannot be loaded: {error}") from error
    return found


_BRACE_AT: Final = 8
"""Where the header of a file of safetensors begins, which is JSON's."""


def _require_dtype(name: str, array: np.ndarray[Any, Any]) -> None:
    try:
        dtype_of(array.dtype)
    except TypeError as error:
        raise ValueError(f"{name!r} is an array of {array.dtype}") from error


def load_param_into_net(
    net: Cell, parameter_dict: Mapping[str, Any], strict_load: bool = False, remove_redundancy: bool = False
) -> tuple[list[str], list[str]]:
    """Write Parameters into those of a Cell that have the same names.

    Gives the names that the Cell has and the dict has not, and the other way round. Without `strict_load`, if names of
    the Cell are missing, and the longest of them is in the dict behind a prefix, all are looked for behind that prefix.
    Raises RuntimeError where shapes differ, or kinds of dtype, or with `strict_load` dtypes.
    """
    del remove_redundancy
    if not isinstance(net, Cell):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"For 'load_param_into_net', the argument 'net' should be a Cell, but got {type(net)}.")
    if not isinstance(parameter_dict, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(
            "For 'load_param_into_net', the argument 'parameter_dict' should be a "
            f"dict, but got {type(parameter_dict)}."
        )
    own = net.parameters_dict()
    for name, given in parameter_dict.items():
        if not isinstance(given, Parameter):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"what is loaded is a dict of Parameters; {name!r} is a {type(given).__name__}")
    places = {name: name for name in own if name in parameter_dict}
    missing = [name for name in own if name not in places]
    if missing and not strict_load:
        longest = max(missing, key=len)
        prefix = next((n.removesuffix(longest) for n in parameter_dict if n.endswith(longest)), "")
        places.update({name: prefix + name for name in missing if prefix and prefix + name in parameter_dict})
    for name, place in places.items():
        _load(own[name], parameter_dict[place], strict_load)
    used = set(places.values())
    return [n for n in own if n not in places], [n for n in parameter_dict if n not in used]


def _load(parameter: Any, given: Tensor, strict: bool) -> None:
    have, found = parameter.dtype, given.dtype
    if tuple(given.shape) != tuple(parameter.shape):
        raise RuntimeError(
            f"Parameter {parameter.name!r} has shape {parameter.shape}; {given.shape} of what is loaded is another"
        )
    if have is not found and (strict or have.kind != found.kind):
        raise RuntimeError(f"Parameter {parameter.name!r} is of {have}, what is loaded of {found}")
    parameter.set_data(given if have is found else given.astype(have))
