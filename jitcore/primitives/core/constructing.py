"""Who is asked before a layer, operator or Parameter is made, or an operator called, and about what is raised of a
Tensor's data: the rules of another framework, which have words of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jitcore.config import settings
from jitcore.primitives.core.dialects import Dialect, dialect_of

Watcher = Callable[[type, Sequence[Any], Mapping[str, Any]], frozenset[str]]
"""Given a class and the arguments it is called with: raises what is wrong with them; the arguments that need no check
of jitcore's own."""

Wording = Callable[[type, Mapping[str, Any], BaseException], BaseException]
"""Given a class, arguments that it does not take and what is raised of them: what is raised in its place."""

Rewording = Callable[[Callable[..., Any] | str, Sequence[Any], Mapping[str, Any]], BaseException | None]
"""Given a function, or the name of what Python does with a Tensor (`bool`, `len` …), and the arguments of a call that
raised: what is raised in its place, if anything."""

Vetting = Callable[[Callable[..., Any], Sequence[Any], Mapping[str, Any]], None]
"""Given a function or operator and the arguments of a call: raises what is wrong with them."""

Adopting = Callable[[Any, Any, Any], Any]
"""Given a Tensor, what it is made of but is no array of numbers, and a dtype: the array that it holds instead, as an
object of another class; None if there is none."""

_adoptings: list[Adopting] = []
_rewordings: list[Rewording] = []
_vettings: list[Vetting] = []
_watchers: list[Watcher] = []
_wordings: list[Wording] = []


def follow(
    watcher: Watcher | None,
    wording: Wording | None = None,
    rewording: Rewording | None = None,
    vetting: Vetting | None = None,
    adopting: Adopting | None = None,
) -> None:
    """Ask these from now on; None: nobody."""
    _adoptings[:] = [] if adopting is None else [adopting]
    _vettings[:] = [] if vetting is None else [vetting]
    _rewordings[:] = [] if rewording is None else [rewording]
    _watchers[:] = [] if watcher is None else [watcher]
    _wordings[:] = [] if wording is None else [wording]


def _own_rules(args: Sequence[Any]) -> Dialect | None:
    """The dialect of the first Tensor among the arguments that is of one."""
    return next((found for a in args if (found := dialect_of(a)) is not None), None)


def worded(cls: type, error: BaseException, **arguments: Any) -> BaseException:
    """What is raised of arguments that a class does not take."""
    return _wordings[0](cls, arguments, error) if _wordings and settings.mindspore_rules else error


def adopted(tensor: Any, data: Any, dtype: Any) -> Any:
    """What a Tensor holds of data that is no array of numbers; None if nothing."""
    return _adoptings[0](tensor, data, dtype) if _adoptings and settings.mindspore_rules else None


def vouched(cls: type, args: Sequence[Any], keywords: Mapping[str, Any]) -> frozenset[str]:
    """Ask whoever is to be asked about the arguments of a class; those that need no check of jitcore's own."""
    return _watchers[0](cls, args, keywords) if _watchers and settings.mindspore_rules else frozenset()


def reworded(
    function: Callable[..., Any] | str, args: Sequence[Any], keywords: Mapping[str, Any], error: BaseException
) -> BaseException:
    """What is raised of a call of a library function that raised `error`, or of what Python does with a Tensor."""
    dialect = _own_rules(args)
    if dialect is not None and dialect.refused is not None:
        return error if getattr(function, "__jitcore_own_words__", False) else dialect.refused(error)
    if not _rewordings or not settings.mindspore_rules or dialect is not None:
        return error
    return _rewordings[0](function, args, keywords) or error


def vet(function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]) -> None:
    """Ask whoever is to be asked about a call of a library function or operator, before it is computed."""
    if _vettings and settings.mindspore_rules and _own_rules(args) is None:
        _vettings[0](function, args, keywords)
