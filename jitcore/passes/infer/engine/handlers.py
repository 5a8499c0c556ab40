"""What inference does with each operator of untyped graphs: the modules that know an operator register its handler."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias

from jitcore.ir.nodes import Binding, Var
from jitcore.passes.infer.domain.values import FUNCTION_KEY, Static, Value
from jitcore.source import InternalError
from jitcore.structs import dataclass

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

Env: TypeAlias = dict[Var, Value]
"""What the variables of an untyped graph are."""

Handler: TypeAlias = "Callable[[Infer, Binding, list[Value], Env], Any]"


@dataclass(frozen=True, slots=True)
class Handled:
    """A handler; `unions`: it takes a union as it is, where others are asked once for each of its members."""

    handler: Handler
    unions: bool


_HANDLED: dict[str, Handled] = {}


def handles(name: str, *, unions: bool = False) -> Callable[[Handler], Handler]:
    """Register the handler of an operator (see `Handled`)."""

    def register(handler: Handler) -> Handler:
        _HANDLED[name] = Handled(handler, unions)
        return handler

    return register


def handled(op: str) -> Handled:
    """What handles an operator of untyped graphs."""
    found = _HANDLED.get(op)
    if found is None:
        raise InternalError(f"inference has no handler for {op}")
    return found


def env_function(env: Env) -> FunctionType:
    """The Python function an environment belongs to."""
    held = env[FUNCTION_KEY]
    assert isinstance(held, Static)
    return held.value


def is_in_library(env: Env) -> bool:
    """Whether an environment is that of a layer of jitcore's, and not of the user's code."""
    return FUNCTION_KEY not in env or (env_function(env).__module__ or "").partition(".")[0] == "jitcore"
