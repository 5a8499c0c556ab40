"""Calls that make exceptions: their arguments, and what CPython says of wrong ones."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any

from jitcore.ir.python import Parameter
from jitcore.passes.infer.domain.values import (
    PythonError,
    Static,
    Value,
)
from jitcore.passes.infer.engine.argument_binding import Keywords, bind_arguments

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def exception_arguments(
    infer: Infer, cls: type[BaseException], args: Sequence[Value], keywords: Keywords
) -> Sequence[Value]:
    """The positional arguments that an exception is made of when it is raised. TypeError if its class does not take
    those given."""
    init: Any = cls.__init__
    if isinstance(init, FunctionType):
        parameters = inspect.signature(init).parameters.values()
        defaults = {p.name: infer.inputs.constant(p.default) for p in parameters if p.default is not p.empty}
        taken = [Parameter(p.name, p.kind.name, p.name in defaults) for p in parameters]  # type: ignore[arg-type]
        bound = bind_arguments(infer, init.__qualname__, taken, [Static(None), *args], keywords, defaults)
        if not keywords:
            return args
        sets_args = "super" in init.__code__.co_names  # which are otherwise the positional arguments
        if sets_args and all(p.kind == "POSITIONAL_OR_KEYWORD" for p in taken):
            return bound[1:]
    elif keywords:
        objection = _objection_to(cls, args, keywords)
        if objection is not None:
            raise PythonError(objection)
    if keywords:
        raise infer.unsupported(f"making a {cls.__name__} of keyword arguments", "positional ones")
    return args


def _objection_to(cls: type[BaseException], args: Sequence[Value], keywords: Keywords) -> TypeError | None:
    """What a class of exceptions says to so many arguments with these keywords."""
    try:
        cls(*(None for _ in args), **dict.fromkeys(keywords))
    except TypeError as error:
        return error
    return None
