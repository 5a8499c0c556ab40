"""Who is asked before a layer, operator or Parameter is made, or an operator called, and about what is raised of a
Tensor's data: the framework that the class or the Tensors are of, which has words of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jitcore.primitives.core import dialects
from jitcore.primitives.core.dialects import CallRules, Dialect, dialect_of


def _rules(dialect: Dialect | None) -> CallRules | None:
    return None if dialect is None else dialect.calls


def worded(cls: type, error: BaseException, **arguments: object) -> BaseException:
    """What is raised of arguments that a class does not take."""
    return worded_by(dialects.dialect_of_class(cls), cls, error, **arguments)


def worded_by(dialect: Dialect | None, cls: type, error: BaseException, **arguments: object) -> BaseException:
    """As `worded`, by a framework whatever the class is; None: as it is."""
    rules = _rules(dialect)
    return error if rules is None else rules.wording(cls, arguments, error)


def adopted(tensor: Any, data: Any, dtype: Any) -> Any:
    """What a Tensor holds of data that is no array of numbers; None if nothing."""
    rules = _rules(dialect_of(tensor))
    return None if rules is None else rules.adopting(tensor, data, dtype)


def vouched(cls: type, args: Sequence[Any], keywords: Mapping[str, Any]) -> frozenset[str]:
    """Ask the framework that a class is of about arguments of it; those that need no check of jitcore's own."""
    rules = _rules(dialects.dialect_of_class(cls))
    return frozenset() if rules is None else rules.watcher(cls, args, keywords)


def reworded(
    function: Callable[..., Any] | str, args: Sequence[Any], keywords: Mapping[str, Any], error: BaseException
) -> BaseException:
    """What is raised of a call of a library function that raised `error`, or of what Python does with a Tensor."""
    dialect = dialect_of(function) or dialects.among(args, keywords)
    if dialect is None:
        return error
    if dialect.refused is not None:
        return error if getattr(function, "__jitcore_own_words__", False) else dialect.refused(error)
    return reworded_by(dialect, function, args, keywords, error)


def reworded_by(
    dialect: Dialect,
    function: Callable[..., Any] | str,
    args: Sequence[Any],
    keywords: Mapping[str, Any],
    error: BaseException,
) -> BaseException:
    """As `reworded`, by a framework whatever the arguments are."""
    rules = _rules(dialect)
    return error if rules is None else rules.rewording(function, args, keywords) or error


def vet(function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]) -> None:
    """Ask the framework that Tensors among the arguments, or a callable object, are of about a call of a library
    function or operator, before it is computed."""
    vet_by(dialect_of(function) or dialects.among(args, keywords), function, args, keywords)


def vet_by(
    dialect: Dialect | None, function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]
) -> None:
    """As `vet`, by a framework whatever the arguments are; None: nobody is asked."""
    rules = _rules(dialect)
    if rules is not None:
        rules.vetting(function, args, keywords)
