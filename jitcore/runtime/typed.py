"""What type checkers are told of `jit`: a compiled function takes what the function takes, gives what it gives, and
binds as a method does. None of it is there when a program runs: `jit` gives a `CompiledFunction`.

    @jit
    def f(x: Tensor, n: int = 2) -> Tensor: ...

    f(x, n=3)           # a Tensor
    f(x, m=3)           # an error of the checker's
    f.__wrapped__, f.explain()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Concatenate, Generic, ParamSpec, Protocol, Self, TypeVar, overload

    from jitcore.runtime.dispatch import CompiledFunction

    _P = ParamSpec("_P")
    _Q = ParamSpec("_Q")
    _R_co = TypeVar("_R_co", covariant=True)
    _R = TypeVar("_R")
    _S = TypeVar("_S")
    _C = TypeVar("_C", bound=type)

    class Compiled(CompiledFunction, Generic[_P, _R_co]):
        """A compiled function of parameters `_P` that gives an `_R_co`."""

        __wrapped__: Callable[_P, _R_co]

        def __call__(self, *args: _P.args, **keywords: _P.kwargs) -> _R_co: ...
        # of a class method, a class, an instance, and a static method that takes something else
        @overload
        def __get__(self: Compiled[Concatenate[_C, _Q], _R], instance: object, owner: _C) -> Callable[_Q, _R]: ...
        @overload
        def __get__(self, instance: None, owner: type) -> Self: ...
        @overload
        def __get__(
            self: Compiled[Concatenate[_S, _Q], _R], instance: _S, owner: type | None = None
        ) -> Callable[_Q, _R]: ...
        @overload
        def __get__(self, instance: object, owner: type | None = None) -> Self: ...
        def __get__(self, instance: object, owner: type | None = None) -> object: ...

    class Compiler(Protocol):
        """`@jit(…)`: what takes a function afterwards."""

        def __call__(self, fn: Callable[_P, _R], /) -> Compiled[_P, _R]: ...

    @overload
    def jit(fn: Callable[_P, _R], **options: object) -> Compiled[_P, _R]: ...
    @overload
    def jit(fn: None = None, **options: object) -> Compiler: ...
    def jit(fn: object = None, **options: object) -> object: ...

    ms_function = jit
