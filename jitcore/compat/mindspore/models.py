"""MindSpore's `export`, `load` and `nn.GraphCell`: models as `jitcore.export` writes them, as folders `NAME.mindir` or
files `NAME.onnx`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from jitcore import exports
from jitcore.common.parameter import Parameter
from jitcore.nn import Cell
from jitcore.runtime.tensor import Tensor

_SUFFIXES: Final = {"MINDIR": ".mindir", "ONNX": ".onnx"}
_FORMATS: Final = ("AIR", "ONNX", "MINDIR")


def export(net: object, *inputs: object, file_name: object, file_format: object, **options: object) -> None:
    """Write a Cell or function for inputs like these as a folder `file_name` (with `.mindir`, if it has not), or with
    the format ONNX as a file `file_name` (with `.onnx`).

    Raises ValueError for another format, NotImplementedError for AIR and for options, such as `enc_key`; what
    `jitcore.export` raises.
    """
    if not isinstance(file_name, str):
        raise TypeError(f"For 'export', the argument 'file_name' must be string, but got {type(file_name)}.")
    if not isinstance(file_format, str) or file_format not in _FORMATS:
        raise ValueError(f"For 'export', 'file_format' must be one of {list(_FORMATS)}, but got {file_format}.")
    if file_format not in _SUFFIXES:
        raise NotImplementedError(f"jitcore exports {' and '.join(_SUFFIXES)}, not {file_format}")
    if options:
        raise NotImplementedError(f"jitcore's export takes no {', '.join(options)}")
    if not callable(net):
        raise TypeError(f"For 'export', the argument 'net' must be a Cell or a function, but got {type(net)}.")
    suffix = _SUFFIXES[file_format]
    name = file_name if file_name.endswith(suffix) else file_name + suffix
    exports.export(net, inputs, name)


def load(file_name: object, **options: object) -> exports.LoadedFunction:
    """What `export` has written, for `nn.GraphCell`. Raises ValueError where there is no such model, or it is damaged;
    NotImplementedError for options, such as `dec_key`."""
    if options:
        raise NotImplementedError(f"jitcore's load takes no {', '.join(options)}")
    if not isinstance(file_name, str):
        raise ValueError(f"For 'load', the argument 'file_name' must be string, but got {type(file_name)}.")
    if not Path(file_name).exists():
        raise ValueError(f"For 'load', the file {file_name} does not exist.")
    return exports.load(file_name)


class GraphCell(Cell):
    """A model that `load` gives, as a Cell. `params_init`: Tensors that its parameters of these names are set to.

    Raises TypeError for what is no such model or no dict of Tensors, ValueError for names and shapes that it has not.
    """

    def __init__(
        self,
        graph: object,
        params_init: Mapping[str, object] | None = None,
        obf_random_seed: int | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(graph, exports.LoadedFunction):
            raise TypeError(
                "For 'GraphCell', the argument 'graph' must be a FuncGraph loaded from MindIR, but got type "
                f"{type(graph)}."
            )
        if obf_random_seed is not None:
            raise NotImplementedError("jitcore's models are not obfuscated: obf_random_seed must be None")
        for name, value in (params_init or {}).items():
            _set(graph, name, value)
        self.graph = graph

    def __call__(self, *inputs: object, **keywords: object) -> Any:
        """Call the model."""
        return self.graph(*inputs, **keywords)

    def construct(self, *inputs: object) -> Any:
        """Call the model."""
        return self.graph(*inputs)


def _set(graph: exports.LoadedFunction, name: str, value: object) -> None:
    """Set a parameter of a model."""
    if not isinstance(value, Tensor | Parameter):
        raise TypeError(
            f"For 'GraphCell', each item of 'params_init' must be a Tensor or Parameter, but got {name}: {type(value)}."
        )
    held = graph.parameters.get(name)
    if not isinstance(held, Tensor):
        raise ValueError(f"the model has no parameter {name!r}; it has {', '.join(graph.parameters) or 'none'}")
    if held.shape != value.shape or held.dtype != value.dtype:
        raise ValueError(
            f"the model's parameter {name!r} is {held.dtype} of {held.shape}, and is given {value.dtype} of "
            f"{value.shape}"
        )
    held[...] = value
