"""Functions that are declared below all that needs them and modelled above, by what knows more."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])


class modelled(Generic[P, R]):
    """Declare a function whose body is in a module above, there decorated with `model`:

    @modelled
    def truth(infer: State, value: Value) -> Value:
        \"\"\"`bool(value)`.\"\"\"
        raise NotImplementedError

    @abstract.truth.model
    def truth(infer: Infer, value: Value) -> Value: ...
    """

    def __init__(self, declared: Callable[P, R]) -> None:
        self.__wrapped__ = declared
        functools.update_wrapper(self, declared)
        self._model: Callable[..., R] = declared
        self._models: dict[type, Callable[..., R]] = {}

    def __call__(self, *args: P.args, **keywords: P.kwargs) -> R:
        if self._models:
            for arg in args[1:4]:
                if type(arg) in self._models:
                    return self._models[type(arg)](*args, **keywords)
        return self._model(*args, **keywords)

    @property
    def is_modelled(self) -> bool:
        """Whether there is a model."""
        return self._model is not self.__wrapped__

    @property
    def plain(self) -> Callable[..., R]:
        """The model where no argument has one of its own (`model_of`)."""
        return self._model

    def model(self, function: F) -> F:
        """Decorate the function that models the declared one, of what may be a class of its own above."""
        self._model = function
        return function

    def model_of(self, *classes: type) -> Callable[[F], F]:
        """Decorate the function that models the declared one where one of its first arguments (after the state) is a
        value of one of these classes."""

        def register(function: F) -> F:
            self._models.update(dict.fromkeys(classes, function))
            return function

        return register


class dispatched(Generic[P, R]):
    """Declare a function of an abstract value, the second argument, that has a model for each class of values:
    `@abstract.sequence.model_of(Iterator)`."""

    def __init__(self, declared: Callable[P, R]) -> None:
        functools.update_wrapper(self, declared)
        self._models: dict[type, Callable[..., R]] = {}

    def __call__(self, *args: P.args, **keywords: P.kwargs) -> R:
        return self._models[type(args[1])](*args, **keywords)

    @property
    def is_modelled(self) -> bool:
        """Whether there are models."""
        return bool(self._models)

    def model_of(self, *classes: type) -> Callable[[Callable[..., R]], Callable[..., R]]:
        """Decorate the function that models the declared one for values of some classes."""

        def register(function: Callable[..., R]) -> Callable[..., R]:
            self._models.update(dict.fromkeys(classes, function))
            return function

        return register
