"""Layers of dynamic mode as Programs and as compiled functions: `TracedLayer`, `declarative`, `ProgramTranslator`."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from types import MethodType
from typing import Any, Final

from jitcore.compat.paddle.fluid.tensor import StaticVariable
from jitcore.compat.paddle.static import inference, modes
from jitcore.compat.paddle.static.executor import Executor
from jitcore.compat.paddle.static.expressions import Names, function_of
from jitcore.compat.paddle.static.programs import Block, Program, program_guard
from jitcore.compat.paddle.static.scopes import Scope
from jitcore.compat.paddle.static.statements import variables_in
from jitcore.compat.paddle.tensor import Tensor
from jitcore.library.core.values import dtype_of_value
from jitcore.runtime.dispatch import CompiledFunction
from jitcore.types import TensorType, fresh_symbol

__all__ = ["ProgramTranslator", "TracedLayer", "declarative", "dygraph_to_static_func"]

MODEL: Final = "__model__"
"""The folder within a directory that holds the model."""


def _listed(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _picked(found: Sequence[Any], chosen: Sequence[int] | None) -> list[Any]:
    return list(found) if chosen is None else [found[k] for k in chosen]


# --- tracing --------------------------------------------------------------------------------------------


class TracedLayer:
    """A Layer as a Program: what it did when it was called once. Made by `TracedLayer.trace`."""

    def __init__(self, program: Program, feeds: list[Any], fetches: list[Any]) -> None:
        self._program, self._feeds, self._fetches = program, feeds, fetches
        self._executor, self._scope = Executor(), Scope()

    @property
    def program(self) -> Program:
        """The Program."""
        return self._program

    @staticmethod
    def trace(layer: Callable[..., Any], inputs: object) -> tuple[Any, TracedLayer]:
        """Call a Layer on Variables: (what it gives, the TracedLayer). What it decides by their shapes is decided for
        good. Raises TypeError for what is no Layer, and where it decides by elements."""
        if not isinstance(getattr(layer, "forward", None), MethodType):
            raise TypeError(f"TracedLayer.trace takes a Layer, not {type(layer).__name__}")
        given = _listed(inputs)
        outputs = layer(*given)
        program, feeds, made = recorded(layer, given)
        return outputs, TracedLayer(program, feeds, list(variables_in(made)))

    def set_strategy(self, build_strategy: object = None, exec_strategy: object = None) -> None:
        """Options of how it is compiled and run, which are jitcore's own matter."""
        del build_strategy, exec_strategy

    def __call__(self, inputs: object) -> list[Any]:
        """What it gives, as ndarrays."""
        feed = {v.name: one.numpy() for v, one in zip(self._feeds, _listed(inputs), strict=True)}
        return self._executor.run(self._program, feed, self._fetches, scope=self._scope)

    def save_inference_model(
        self, dirname: str, feed: Sequence[int] | None = None, fetch: Sequence[int] | None = None
    ) -> None:
        """Write it as a model: with those inputs and results that are named by their positions."""
        feeds, fetches = _picked(self._feeds, feed), _picked(self._fetches, fetch)
        inference.save(Path(dirname) / MODEL, feeds, fetches, self._program.clone(for_test=True), self._scope)


def recorded(layer: Callable[..., Any], inputs: Sequence[Any]) -> tuple[Program, list[Any], Any]:
    """A call as a Program: with the Variables that it is fed with, and those that it gives. Any number of rows may be
    fed."""
    program = Program()
    block = program.global_block()
    feeds: list[Any] = []
    given: list[Any] = []
    for one in inputs:
        if isinstance(one, Tensor):
            type_ = TensorType(dtype_of_value(one), tuple(one.shape))
            made = StaticVariable(block, f"feed_{len(feeds)}", type_, one.stop_gradient)
            made.is_data = True
            feeds.append(block.add(made))
            given.append(made)
        else:
            given.append(one)
    with program_guard(program, Program()):
        outputs = layer(*given)
    rows = fresh_symbol("n")
    for variable in feeds:
        dims = variable.type_.shape
        if dims:
            variable.type_ = TensorType(variable.kind, (rows, *dims[1:]))
    return program, feeds, outputs


# --- compiling ------------------------------------------------------------------------------------------


class _Last:
    """The call that `ProgramTranslator` saves."""

    function: Any = None
    args: tuple[Any, ...] = ()


_last: Final = _Last()


class Declarative:
    """A function that is compiled, Python's control flow included; or, as the attribute of a class, such a method."""

    def __init__(self, function: Callable[..., Any], owner: object = None) -> None:
        self._function = function
        self._owner = owner
        self._compiled: CompiledFunction | None = None
        self.__name__ = getattr(function, "__name__", type(function).__name__)
        self.__doc__ = function.__doc__
        self.__wrapped__ = function

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        del owner
        if instance is None:
            return self
        name = f"_declarative_{self.__name__}"
        made = instance.__dict__.get(name)
        if made is None:
            made = instance.__dict__[name] = Declarative(self._function, instance)
        return made

    @property
    def dygraph_function(self) -> Any:
        """The function as it was written."""
        return self._function if self._owner is None else MethodType(self._function, self._owner)

    def __call__(self, *args: object, **keywords: object) -> Any:
        plain = self.dygraph_function
        if modes.is_static() or not ProgramTranslator().enable_to_static:
            return plain(*args, **keywords)
        if self._compiled is None:
            self._compiled = CompiledFunction(plain)
        bound = inspect.signature(plain).bind(*args, **keywords)
        _last.function, _last.args = plain, bound.args
        return self._compiled(*bound.args, **bound.kwargs)


def declarative(dygraph_func: Callable[..., Any]) -> Any:
    """Have a function, or a method of a Layer, compiled.

    >>> import numpy as np
    >>> from jitcore.compat.paddle.fluid.dygraph.base import guard, to_variable
    >>> @declarative
    ... def double(x):
    ...     return x * 2.0
    >>> with guard():
    ...     print(double(to_variable(np.ones(2, np.float32))).numpy())
    [2. 2.]
    """
    return Declarative(dygraph_func)


dygraph_to_static_func = declarative


class ProgramTranslator:
    """What is done with functions under `declarative`. There is one."""

    _only: ProgramTranslator | None = None
    enable_to_static: bool

    def __new__(cls) -> ProgramTranslator:
        if cls._only is None:
            cls._only = super().__new__(cls)
            cls._only.enable_to_static = True
        return cls._only

    @classmethod
    def get_instance(cls) -> ProgramTranslator:
        """The one there is."""
        return cls()

    @classmethod
    def reset(cls) -> None:
        """Compile again, and forget the last call."""
        cls().enable_to_static = True
        _last.function, _last.args = None, ()

    def enable(self, enable_declarative: bool) -> None:
        """Whether functions under `declarative` are compiled; else they are run line by line."""
        self.enable_to_static = enable_declarative

    def get_func(self, dygraph_func: Callable[..., Any]) -> Any:
        """A function, compiled."""
        return CompiledFunction(_plain(dygraph_func))

    def get_output(self, dygraph_func: Callable[..., Any], *args: object, **keywords: object) -> Any:
        """What a function gives, compiled."""
        return Declarative(_plain(dygraph_func))(*args, **keywords)

    def get_code(self, dygraph_func: Callable[..., Any]) -> str:
        """The source of what is compiled, without decorators."""
        tree = ast.parse(textwrap.dedent(inspect.getsource(_plain(dygraph_func))))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                node.decorator_list = []
        return ast.unparse(tree)

    def get_program(
        self, dygraph_func: Callable[..., Any], *args: object, **keywords: object
    ) -> tuple[Program, Program, list[Any], Any]:
        """A call as a Program: (it, a startup Program without statements, the Variables fed, those given)."""
        del keywords
        program, feeds, made = recorded(_plain(dygraph_func), args)
        return program, Program(), feeds, made

    def save_inference_model(
        self, dirname: str, feed: Sequence[int] | None = None, fetch: Sequence[int] | None = None
    ) -> None:
        """Write what the last call under `declarative` computed as a model, control flow included: with those results
        that are named by their positions. Raises RuntimeError where there was no call."""
        if _last.function is None:
            raise RuntimeError("no function under @declarative was called: call it once before it is saved")
        function, args = _last.function, _last.args
        given = [k for k, one in enumerate(args) if isinstance(one, Tensor)]
        if feed is not None and sorted(feed) != list(range(len(given))):
            raise ValueError(f"the call needs all of its {len(given)} inputs: feed cannot leave out any")
        _save(function, args, given, fetch, Path(dirname) / MODEL)


def _plain(function: Callable[..., Any]) -> Any:
    return function.dygraph_function if isinstance(function, Declarative) else function


def _save(
    function: Callable[..., Any], args: Sequence[Any], given: Sequence[int], fetch: Sequence[int] | None, folder: Path
) -> None:
    block = Program().global_block()
    named = list(inspect.signature(function).parameters)
    made = function(*args)
    is_one = not isinstance(made, list | tuple)
    chosen = range(len(_listed(made))) if fetch is None else fetch
    names = Names()
    params = [names.fresh(named[k] if k < len(named) else "feed") for k in given]
    rest = iter(params)
    passed = [next(rest) if k in given else names.text(one, str) for k, one in enumerate(args)]
    results = "".join("made, " if is_one else f"made[{k}], " for k in chosen)
    text = (
        f"def inference({', '.join(params)}):\n    made = {names.constant(function)}({', '.join(passed)})\n"
        f"    return ({results})\n"
    )
    feeds = [_variable(name, args[k], block) for name, k in zip(params, given, strict=True)]
    fetches = [_variable(f"result_{k}", _listed(made)[k], block) for k in chosen]
    inference.write(folder, function_of(text, "inference", names.values), feeds, fetches)


def _variable(name: str, tensor: Tensor, block: Block) -> StaticVariable:
    """What stands for a Tensor, of any number of rows."""
    rest = tuple(tensor.shape[1:])
    type_ = TensorType(dtype_of_value(tensor), (fresh_symbol("n"), *rest) if len(tensor.shape) else ())
    return StaticVariable(block, name, type_)
