"""MindSpore's decorators of functions and classes, with all their options."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final, TypeVar

from jitcore.compat.mindspore import capturing
from jitcore.compat.mindspore.context import notice
from jitcore.compat.mindspore.refusals import jitting, mutables, syntax
from jitcore.compat.mindspore.tensor import MINDSPORE
from jitcore.compat.missing import MissingError
from jitcore.library.core.marking import finish
from jitcore.library.core.mutable import mutable as marked
from jitcore.library.core.values import evaluator
from jitcore.nn import Cell
from jitcore.primitives.core import evaluation
from jitcore.runtime import decorators
from jitcore.runtime.tensor import Tensor

_F = TypeVar("_F", bound=Callable[..., Any])
_LEVELS: Final = ("", "O0", "O1", "O2")


class JitConfig:
    """Options of a compilation, as `jit(jit_config=…)` and `Cell.set_jit_config` take them."""

    def __init__(
        self,
        jit_level: str = "",
        exc_mode: str = "auto",
        jit_syntax_level: str = "",
        debug_level: str = "RELEASE",
        infer_boost: str = "off",
        **options: Any,
    ) -> None:
        if jit_level not in _LEVELS:
            raise ValueError("For 'jit_level' must be one of ['O0', 'O1', 'O2'].")
        if exc_mode not in ("auto", "sink", "no_sink"):
            raise ValueError("For 'exc_mode' must be one of '['auto', 'sink', 'no_sink']'.")
        if jit_syntax_level not in ("", "STRICT", "COMPATIBLE", "LAX"):
            raise ValueError("For 'jit_syntax_level' must be one of '['STRICT', 'LAX']'.")
        if debug_level not in ("RELEASE", "DEBUG"):
            raise ValueError("For 'debug_level' must be one of '['RELEASE', 'DEBUG']'.")
        if infer_boost not in ("", "on", "off"):
            raise ValueError("For 'infer_boost' must be one of '['on', 'off']'.")
        self.jit_config_dict: dict[str, Any] = {
            **options,
            "jit_level": jit_level,
            "exc_mode": exc_mode,
            "jit_syntax_level": jit_syntax_level,
            "debug_level": debug_level,
            "infer_boost": infer_boost,
        }
        if "backend" not in options and jit_level:
            self.jit_config_dict["backend"] = "GE" if jit_level == "O2" else "ms_backend"


def jit(
    function: Any = None,
    *,
    fn: Any = None,
    capture_mode: str = "ast",
    jit_level: str = "O0",
    dynamic: int = 0,
    fullgraph: bool = False,
    backend: str = "",
    **options: Any,
) -> Any:
    """Compile a function, a method, a Cell or the `construct` of a class of Cells; what else there is comes back as it
    is.

    The options that steer MindSpore's compiler have nothing to steer here: programs are compiled for the types they are
    called with, for varying shapes where shapes vary. Those of earlier versions (`mode`, `input_signature`,
    `hash_args`, `jit_config`, `compile_once`) are ignored, as there. Raises ValueError or TypeError for values that
    MindSpore does not take.
    """
    jitting.check(capture_mode, jit_level, dynamic, fullgraph, options)
    if backend == "GE":
        notice("backend", "backend='GE' is not available: jitcore compiles for the CPU")
    if backend not in ("", "ms_backend", "GE"):
        return _refused_backend(backend)
    function = fn if function is None else function
    return _compiled if function is None else _compiled(function)


def _refused_backend(name: str) -> Callable[..., Any]:
    def call(*args: Any, **keywords: Any) -> Any:
        raise RuntimeError(f"Invalid backend name: {name}, you should register custom backend first")

    return call


def ms_function(
    fn: Any = None, input_signature: Any = None, hash_args: Any = None, jit_config: JitConfig | None = None
) -> Any:
    """`jit`, by its name before MindSpore 2.0."""
    return jit(fn, input_signature=input_signature, hash_args=hash_args, jit_config=jit_config)


for _function in (jit, ms_function):
    _function.__dict__["__jitcore_compiles__"] = True


def _require_signature(signature: Any) -> None:
    if isinstance(signature, tuple | list):
        for item in signature:  # pyright: ignore[reportUnknownVariableType]
            _require_signature(item)
    elif signature is not None and not isinstance(signature, Tensor | int | float | bool | str | dict):
        raise TypeError(f"input_signature holds Tensors, not {type(signature).__name__}")


def _compiled(function: Any) -> Any:
    if isinstance(function, Cell):
        cell = function

        def call(*args: Any, **keywords: Any) -> Any:
            return cell(*args, **keywords)

        functools.update_wrapper(call, type(cell).construct, updated=())
        return decorators.compiled(call, MINDSPORE)
    if isinstance(function, type):
        if issubclass(function, Cell):
            function.construct = decorators.compiled(function.construct, MINDSPORE)  # type: ignore[method-assign]
        return function
    if not callable(function):
        return function
    if isinstance(function, FunctionType) and function.__name__ == "<lambda>":
        unparsed = syntax.of_lambda(function)
        if unparsed is not None:
            return _raising(unparsed)
    return capturing.note(function, decorators.compiled(function, MINDSPORE))


def _raising(error: BaseException) -> Callable[..., Any]:
    def call(*args: Any, **keywords: Any) -> Any:
        raise type(error)(*error.args)

    return call


def mutable(input_data: object, dynamic_len: bool = False) -> Any:
    """As `jitcore.mutable`, which refuses in MindSpore's words."""
    mutables.check(input_data, dynamic_len)
    return marked(input_data, dynamic_len)


mutable.__dict__["__jitcore_meant__"] = marked


def enable_dynamic(**arguments: Any) -> Callable[[_F], _F]:
    """Say which extents of a compiled function's arguments vary, which the compiler here finds out by itself. Raises
    TypeError for what are no Tensors, or tuples and lists of Tensors."""
    for name, value in arguments.items():
        if not isinstance(value, Tensor | tuple | list):
            raise TypeError(f"the argument {name} is described by Tensors, not by {type(value).__name__}")
        _require_signature(value)
    return _same


def jit_class(cls: type) -> type:
    """Mark a class whose objects compiled code may use: every class may."""
    if not isinstance(cls, type):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"Decorator jit_class can only be used for class type, but got {cls}.")
    if issubclass(cls, Cell):
        raise TypeError(f"Decorator jit_class is used for user-defined classes and cannot be used for nn.Cell: {cls}.")
    cls.__ms_class__ = True  # type: ignore[attr-defined]
    return cls


ms_class = jit_class


class ConstantFunction:
    """A function computed when a program is compiled, of constants (`constexpr`)."""

    def __init__(self, function: Callable[..., Any], check: bool) -> None:
        functools.update_wrapper(self, function, updated=())
        self._function = function
        self._check = check

    __jitcore_library__ = True

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        known = [_static(a, f"argument {k} of {self.__name__}", self._check) for k, a in enumerate(args)]
        named = {k: _static(v, f"argument {k} of {self.__name__}", self._check) for k, v in keywords.items()}
        made = self._function(*known, **named)
        return _as_constant(made) if evaluation.is_tracing() else made

    __name__: str = "constexpr"


def _as_constant(made: Any) -> Any:
    """A result as a constant of the program."""
    if isinstance(made, Tensor):
        return finish(evaluator().constant(made.asnumpy(), None), "tensor")
    if type(made) in (tuple, list):
        return type(made)(map(_as_constant, made))
    return made


def _static(value: Any, what: str, check: bool) -> Any:
    if isinstance(value, tuple | list):
        return type(value)(_static(v, what, check) for v in value)  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {k: _static(v, what, check) for k, v in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return evaluator().static(value, what)


def constexpr(
    fn: Any = None, get_instance: bool = True, name: str | None = None, reuse_result: bool = True, check: bool = True
) -> Any:
    """Have a function computed when the program that calls it is compiled: its arguments must be known then."""
    del get_instance, name, reuse_result

    def decorate(function: Callable[..., Any]) -> ConstantFunction:
        return ConstantFunction(function, check)

    return decorate if fn is None else decorate(fn)


def primexpr(fn: Any = None, get_instance: bool = True, name: str | None = None, reuse_result: bool = True) -> Any:
    """As `constexpr`, but the arguments need not be known: the function is compiled like any other."""
    del get_instance, name, reuse_result
    return _same if fn is None else fn


def _same(function: _F) -> _F:
    return function


def ms_memory_recycle() -> None:
    """Memory is recycled when the last that uses it goes; nothing is left to do."""


def lazy_inline(fn: Any = None, attrs: Any = None, policy: Any = None) -> Any:
    """A hint for MindSpore's compiler, which this one does not need."""
    del attrs, policy
    return _same if fn is None else fn


no_inline = lazy_inline


def add_flags(fn: Any = None, **flags: Any) -> Any:
    """Hints for MindSpore's compiler about a function, which this one does not need."""
    del flags
    return _same if fn is None else fn


def prim_attr_register(fn: _F) -> _F:
    """The constructor of a Primitive, whose arguments MindSpore records; here the operators themselves know them."""
    return fn


def cell_attr_register(fn: Any = None, attrs: Any = None) -> Any:
    """The constructor of a Cell, whose arguments MindSpore records to tell Cells apart; here they are apart."""
    del attrs
    return _same if fn is None else fn


class Executor:
    """MindSpore's executor of what runs at some other time; here everything runs at once."""

    def sync(self) -> None:
        """Wait for what was called: it is done."""

    def set_grad_flag(self, flag: bool) -> None:
        """Gradients are recorded where they are asked for, whatever this says."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise MissingError(f"_pynative_executor.{name} of MindSpore is not in jitcore")


executor: Final = Executor()


class GraphExecutor:
    """MindSpore's executor of compiled Cells."""

    def compile(self, obj: Any, *args: Any, **keywords: Any) -> tuple[str, bool]:
        """Compile a Cell or function for such arguments; gives a name for it, and that it is new."""
        keywords = {
            k: v
            for k, v in keywords.items()
            if k not in ("phase", "do_convert", "auto_parallel_mode", "jit_config_dict")
        }
        if isinstance(obj, Cell):
            obj.check_names()
            obj.compile(*args, **keywords)
        else:
            obj(*args, **keywords)
        return type(obj).__name__, True

    def __call__(self, obj: Any, *args: Any, phase: str = "predict") -> Any:
        """The result of a Cell."""
        del phase
        return obj(*args)


graph_executor: Final = GraphExecutor()


def synchronize() -> None:
    """Wait for what was called: it is done."""


class PIJitCaptureContext:
    """`jit(capture_mode="bytecode")` as an object that decorates functions. Its options have nothing to steer here."""

    def __init__(self, fullgraph: Any = False, jit_config: Any = None, input_signature: Any = None) -> None:
        del fullgraph, jit_config, input_signature

    def __call__(self, fn: Callable[..., Any]) -> Any:
        """The function, compiled."""
        return jit(fn)
