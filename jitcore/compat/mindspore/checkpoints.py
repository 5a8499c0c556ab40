"""MindSpore's functions of checkpoints: jitcore's, behind MindSpore's checks of what they are given."""

from __future__ import annotations

import os
from typing import Any, Final

from jitcore.common.parameter import Parameter
from jitcore.compat.mindspore.checking import Validator
from jitcore.compat.mindspore.refusals.naming import native_class
from jitcore.compat.mindspore.tensor import of_framework
from jitcore.nn import Cell
from jitcore.runtime.tensor import Tensor
from jitcore.train import serialization

_FORMATS: Final = ("safetensors", "ckpt")


def save_checkpoint(
    save_obj: Any,
    ckpt_file_name: Any,
    integrated_save: Any = True,
    async_save: Any = False,
    append_dict: Any = None,
    enc_key: Any = None,
    enc_mode: Any = "AES-GCM",
    choice_func: Any = None,
    crc_check: Any = False,
    format: Any = "ckpt",
    **options: Any,
) -> None:
    """Save the Parameters of a Cell, a dict or a list. Raises TypeError or ValueError for what MindSpore does not
    take."""
    if format not in _FORMATS:
        raise ValueError(f"For 'save_checkpoint', the format must be 'safetensors' or 'ckpt', but got {format}.")
    _require_saved(save_obj, ckpt_file_name)
    Validator.check_bool(integrated_save)
    if not isinstance(async_save, bool | str):
        raise TypeError(
            f"For 'save_checkpoint', the parameter 'async_save' must be bool or str, but got {type(async_save)}."
        )
    _require_appended(append_dict)
    if enc_key is not None and not isinstance(enc_key, bytes):
        raise ValueError(
            f"The parameter 'enc_key' must be isinstance of (<class 'NoneType'>, <class 'bytes'>), but got {enc_key}."
        )
    serialization.save_checkpoint(save_obj, ckpt_file_name, True, False, append_dict, choice_func)


def _require_saved(save_obj: Any, name: Any) -> None:
    if isinstance(save_obj, list):
        for item in save_obj:  # pyright: ignore[reportUnknownVariableType]
            _require_item(item)
    if isinstance(save_obj, Cell | list | dict) and not isinstance(name, str):
        raise TypeError(
            f"For 'save_checkpoint', the parameter {name} for checkpoint file name is invalid,'ckpt_file_name' must be "
            f"string, but got {type(name)}."
        )


def _require_item(item: Any) -> None:
    if isinstance(item, dict):
        if "name" not in item or "data" not in item:
            raise TypeError(
                "For save_checkpoint, save_obj should be a list of dict items, and the dict should have key values "
                f"'name' and 'value', but got {type(item)} and {item}."  # pyright: ignore[reportUnknownArgumentType]
            )
    elif not isinstance(item, Parameter):
        raise TypeError(
            "For save_checkpoint, when save_obj is made up by list of Parameter,the param should be parameter, but got "
            f"{native_class(item)}"
        )


def _require_appended(append_dict: Any) -> None:
    if append_dict is None:
        return
    if not isinstance(append_dict, dict):
        raise TypeError(f"For 'save_checkpoint', the argument 'append_dict' must be dict, but got {type(append_dict)}.")
    for key, value in append_dict.items():  # pyright: ignore[reportUnknownVariableType]
        is_value = isinstance(value, int | float | bool | str | Tensor) or hasattr(value, "set_state")
        if not isinstance(key, str) or not is_value:
            raise TypeError(
                "For 'save_checkpoint', the type of dict 'append_info' must be key: string, value: int, float, bool or "
                f"Generator, but got key: {native_class(key)}, value: {native_class(value)}"
            )


def load_checkpoint(
    ckpt_file_name: Any,
    net: Any = None,
    strict_load: Any = False,
    filter_prefix: Any = None,
    dec_key: Any = None,
    dec_mode: Any = "AES-GCM",
    specify_prefix: Any = None,
    choice_func: Any = None,
    crc_check: Any = False,
    remove_redundancy: Any = False,
    format: Any = "ckpt",
) -> dict[str, Any]:
    """The Parameters in a file, by name. Raises TypeError or ValueError for what MindSpore does not take."""
    if isinstance(ckpt_file_name, str):
        _require_file(ckpt_file_name, format)
    for prefix in (specify_prefix, filter_prefix):
        _require_prefix(prefix)
    found = serialization.load_checkpoint(
        ckpt_file_name, net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func
    )
    if not found and (filter_prefix or specify_prefix):
        raise ValueError(
            "The loaded parameter dict is empty after filter or specify, please check whether 'filter_prefix' or "
            "'specify_prefix' are set correctly."
        )
    return {name: of_framework(parameter) for name, parameter in found.items()}


def _require_file(name: str, format: Any) -> None:
    if format not in _FORMATS:
        raise ValueError(
            "For 'load_checkpoint', the checkpoint file should end with '.ckpt' or '.safetensors', "
            "please input the correct 'format'."
        )
    if not name.endswith(format):
        raise ValueError(
            "For 'load_checkpoint', the checkpoint file format must same with 'format', but got "
            f"file_name:'{name}', format:'{format}'"
        )
    if not os.path.exists(name):
        raise ValueError(
            f"For 'load_checkpoint', the checkpoint file: {name} does not exist, "
            "please check whether the 'ckpt_file_name' is correct."
        )


def _require_prefix(prefix: Any) -> None:
    items = [prefix] if isinstance(prefix, str) or prefix is None else prefix
    wrong = items if not isinstance(items, list | tuple) else None
    for item in items if wrong is None else ():  # pyright: ignore[reportUnknownVariableType]
        if item is not None and not isinstance(item, str):
            wrong = prefix
    if wrong is not None:
        raise TypeError(
            "For 'load_checkpoint', the type of 'specify_prefix' or 'filter_prefix' must be string, list[string] or "
            f"tuple[string], but got {type(wrong)}."
        )


def load_param_into_net(
    net: Any, parameter_dict: Any, strict_load: Any = False, remove_redundancy: Any = False
) -> tuple[list[str], list[str]]:
    """Write Parameters into those of a Cell. Raises TypeError or RuntimeError for what MindSpore does not take."""
    if isinstance(net, Cell) and isinstance(parameter_dict, dict):
        _require_parameters(parameter_dict)  # pyright: ignore[reportUnknownArgumentType]
        Validator.check_bool(strict_load)
        for name, own in net.parameters_dict().items():
            given = parameter_dict.get(name)  # pyright: ignore[reportUnknownVariableType]
            if isinstance(given, Parameter):
                _require_alike(name, own, given, strict_load)
    return serialization.load_param_into_net(net, parameter_dict, strict_load)


def _require_parameters(parameter_dict: dict[Any, Any]) -> None:
    for key, value in parameter_dict.items():
        if not isinstance(key, str) or not isinstance(value, Parameter | str | list):
            shown = "<class 'abc.Parameter'>" if isinstance(value, Parameter) else native_class(value)
            raise TypeError(
                "For 'parameter_dict', the element in the argument 'parameter_dict' should be a 'str' and 'Parameter' "
                f", but got {type(key)} and {shown}."
            )


def _require_alike(name: str, own: Any, given: Any, strict: bool) -> None:
    subject = (
        f"For 'load_param_into_net', {name} in the argument 'net' should have the same {{}} as "
        f"{name} in the argument 'parameter_dict'."
    )
    if tuple(own.shape) != tuple(given.shape):
        raise RuntimeError(
            f"{subject.format('shape')} But got its shape {tuple(own.shape)} in the argument 'net' and shape "
            f"{tuple(given.shape)} in the argument 'parameter_dict'.May you need to check whether the checkpoint you "
            "loaded is correct or the batch size and so on in the 'net' and 'parameter_dict' are same."
        )
    if own.dtype is not given.dtype and (strict or own.dtype.kind != given.dtype.kind):
        raise RuntimeError(
            f"{subject.format('type')} but got its type {own.dtype} in the argument 'net' and type {given.dtype} in "
            "the argument 'parameter_dict'.May you need to check whether the checkpoint you loaded is correct."
        )
