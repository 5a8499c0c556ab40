"""`paddle.jit`: functions and Layers that are compiled, and models that are files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeAlias, cast

import jitcore
from jitcore import exports
from jitcore.compat.paddle.specs import InputSpec
from jitcore.config import settings
from jitcore.nn.cell import Cell
from jitcore.runtime.dispatch import CompiledFunction
from jitcore.runtime.tensor import Tensor

__all__ = [
    "TranslatedLayer",
    "enable_to_static",
    "ignore_module",
    "load",
    "not_to_static",
    "save",
    "set_code_level",
    "set_verbosity",
    "to_static",
]

Function: TypeAlias = Callable[..., Any]

_SPECS: Final = "__paddle_input_spec__"
"""The attribute of a compiled function that has the specs of its arguments."""


def to_static(
    function: Function | None = None,
    input_spec: Sequence[Any] | None = None,
    build_strategy: object = None,
    backend: str | None = "CINN",
    full_graph: bool = True,
    **kwargs: object,
) -> Any:
    """Compile a function, or the `forward` of a Layer, for each kind of arguments that it is called with:
    `to_static(f)`, `@to_static`, `@to_static(input_spec=…)`. `input_spec` is what `save` takes for the arguments; the
    other options are of Paddle's compilers and change nothing here. Raises TypeError for what is no function or Layer,
    ValueError for a backend that Paddle has not."""
    if function is None:
        return lambda given: to_static(given, input_spec)
    del build_strategy, full_graph, kwargs
    if backend not in ("CINN", None):
        raise ValueError(f"The backend of to_static should be 'CINN' or None, but received {backend!r}.")
    if input_spec is not None and not isinstance(input_spec, list | tuple):
        raise TypeError(f"The type(input_spec) should be one of (tuple, list), but received {type(input_spec)}.")
    if isinstance(function, Cell):
        layer: Any = function
        layer.__dict__["forward"] = _compiled(layer.forward, input_spec)
        return layer
    return _compiled(function, input_spec)


def _compiled(function: Function, input_spec: Sequence[Any] | None) -> Any:
    made = jitcore.jit(function)
    if input_spec is not None:
        made.__dict__[_SPECS] = tuple(input_spec)
    return made


def not_to_static(func: Function | None = None) -> Any:
    """A function, which compiled code calls as it is."""
    return func if func is not None else not_to_static


def ignore_module(modules: Iterable[ModuleType]) -> None:
    """Nothing: what cannot be compiled is run by the interpreter, whichever module it is of."""
    del modules


def enable_to_static(enable_to_static_bool: bool) -> None:
    """Whether what `to_static` has compiled is called so, or line by line. Raises TypeError for what is no bool."""
    if not isinstance(enable_to_static_bool, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("The type of 'enable_to_static_bool' in enable_to_static must be bool")
    settings.jit = enable_to_static_bool


def set_code_level(level: int = 100, also_to_stdout: bool = False) -> None:
    """Nothing: `explain()` of a compiled function says what was compiled."""
    del level, also_to_stdout


def set_verbosity(level: int = 0, also_to_stdout: bool = False) -> None:
    """Nothing: `explain()` of a compiled function says what was compiled."""
    del level, also_to_stdout


# --- models that are files ----------------------------------------------------------------------------


def save(layer: Function, path: str, input_spec: Sequence[Any] | None = None, **configs: object) -> None:
    """Write a function, or a Layer's `forward`, as a folder at `path`, for arguments of `input_spec`, of what
    `to_static` was given, or like Tensors that are given in its place. What it reads besides is written as it is now.

    Raises TypeError for what is no function or Layer, ValueError if nothing is known of its arguments, CompileError for
    what cannot leave Python.
    """
    del configs
    function: Any = getattr(layer, "forward", None) if isinstance(layer, Cell) else layer
    if not callable(function):
        raise TypeError(
            f"The input of paddle.jit.save should be 'Layer' or 'Function', but received input type is {type(layer)}."
        )
    target = getattr(function, "__func__", function)  # what is compiled in a class is bound to its object
    known: Sequence[Any] | None = getattr(target, _SPECS, None) if input_spec is None else input_spec
    if known is None:
        raise ValueError(
            "paddle.jit.save: nothing is known of the arguments: give input_spec=[paddle.static.InputSpec(…)], or "
            "Tensors such as they will be"
        )
    given = tuple(_given(spec) for spec in known)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    exports.export(function.__wrapped__ if isinstance(function, CompiledFunction) else layer, given, path)


def _given(spec: object) -> Any:
    """What an exported model is told of an argument."""
    if isinstance(spec, InputSpec):
        return spec.of_export()
    if isinstance(spec, list | tuple):
        items = [_given(item) for item in cast("Sequence[object]", spec)]
        return items if isinstance(spec, list) else tuple(items)
    if isinstance(spec, Mapping):
        return {key: _given(item) for key, item in cast("Mapping[str, object]", spec).items()}
    return InputSpec.from_tensor(spec).of_export() if isinstance(spec, Tensor) else spec


class TranslatedLayer:
    """A loaded model: called as what was saved, without its source."""

    def __init__(self, function: exports.LoadedFunction) -> None:
        self._function = function
        self.training = False

    def __call__(self, *args: object, **kwargs: object) -> Any:
        return self._function(*args, **kwargs)

    def forward(self, *args: object, **kwargs: object) -> Any:
        """The same."""
        return self._function(*args, **kwargs)

    def eval(self) -> None:
        """What it does is as it was saved."""
        self.training = False

    def train(self) -> None:
        """What it does is as it was saved."""
        self.training = True

    def state_dict(self) -> dict[str, Any]:
        """Its parameters by name."""
        return dict(self._function.parameters)

    def parameters(self) -> list[Any]:
        """Its parameters."""
        return list(self._function.parameters.values())


def load(path: str, **configs: object) -> TranslatedLayer:
    """What `save` has written at a path. Raises ModelFileError, a ValueError, for what it has not."""
    del configs
    return TranslatedLayer(exports.load(path))
