"""Functions that are declared below all that needs them and modelled above, by what knows more."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class modelled(Generic[P, R]):
    """Declare a function whose body is in a module above, there decorated with `model`:

    @modelled
    def truth(infer: Infer, value: Value) -> Value:
        \"\"\"`bool(value)`.\"\"\"
        raise NotImplementedError

    @abstract.truth.model
    def truth(infer: Infer, value: Value) -> Value: ...
    """

    def __init__(self, declared: Callable[P, R]) -> None:
        functools.update_wrapper(self, declared)
        self._model: Callable[P, R] = declared

    def __call__(self, *args: P.args, **keywords: P.kwargs) -> R:
        return self._model(*args, **keywords)

    def model(self, function: Callable[P, R]) -> Callable[P, R]:
        """Decorate the function that models the declared one."""
        self._model = function
        return function
