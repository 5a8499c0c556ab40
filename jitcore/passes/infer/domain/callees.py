"""What the rules of a dialect see of a function of the user's that is called: its parameters, and the arguments that
come with it.

functools.partial(f, 1)     f's parameters, and 1
net.method                  the method's parameters but for `self`
net                         those of its `construct`
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterable, Mapping, Sequence
from types import FunctionType, MethodType
from typing import Any

from jitcore.ir.python import FunctionSource
from jitcore.library.core.marking import is_library
from jitcore.lookup import attribute_of
from jitcore.passes.infer.domain.values import Bound, Function, Instance, Static, Value
from jitcore.structs import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a function of the user's: their names, those that may be given by position, those with
    defaults, and whether it takes any others; and what it is called, if that is known. What a method is bound to is
    none of them."""

    names: tuple[str, ...]
    positional: tuple[str, ...]
    optional: tuple[str, ...]
    open_arguments: bool
    open_keywords: bool
    name: str = ""

    def without_first(self) -> Parameters:
        """Those that are left where the first is what a method is bound to."""
        if not self.positional:
            return self
        return replace(self, names=self.names[1:], positional=self.positional[1:])


@dataclass(frozen=True, slots=True)
class Callee:
    """A function's parameters, and the arguments that it is called with before all others."""

    parameters: Parameters
    arguments: tuple[Value, ...] = ()
    keywords: Mapping[str, Value] = field(default_factory=dict[str, Value])

    def bound_to(self, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Callee:
        """With arguments of a partial."""
        return Callee(self.parameters, (*self.arguments, *arguments), {**self.keywords, **keywords})


def callee_of(callee: Value) -> Callee | None:
    """What is called; None of what is no function of the user's, nor a Cell."""
    match callee:
        case Function():
            return Callee(_of_source(callee.source))
        case Bound(name=""):
            function = _plain_function(callee.function.value) if isinstance(callee.function, Static) else None
            if function is not None and _is_class(callee.arguments[:1]):
                return _of_function(function, None)  # MindSpore does not hand a class to its methods
            if function is not None and callee.arguments and _is_method(function, callee.arguments[0]):
                found = _of_function(function, callee.arguments[0])
                return None if found is None else found.bound_to(callee.arguments[1:], dict(callee.keywords))
            found = callee_of(callee.function)
            return None if found is None else found.bound_to(callee.arguments, dict(callee.keywords))
        case Static():
            return _of_object(callee.value)
        case _:
            return None


def _of_object(known: Any) -> Callee | None:
    if (function := _plain_function(known)) is not None:
        return _of_function(function, None)
    if isinstance(known, MethodType) and (function := _plain_function(known.__func__)) is not None:
        return _of_function(function, Static(known.__self__))
    if isinstance(known, functools.partial):
        found = _of_object(known.func)
        held = {k: Static(v) for k, v in known.keywords.items()}
        return None if found is None else found.bound_to([Static(v) for v in known.args], held)
    if isinstance(known, type) or attribute_of(type(known), "__jitcore_keeps__", None) is None:
        return None  # it is no Cell
    method = _plain_function(attribute_of(type(known), attribute_of(type(known), "__jitcore_call__", ""), None))
    if method is None or _is_of_base(method, type(known)):
        return None
    return Callee(_of_signature(method, _name_of(method, Static(known))).without_first())


def _is_of_base(method: FunctionType, cls: type) -> bool:
    """Whether a Cell's `construct` is that of Cell itself, which no class has overridden."""
    owner = next((base for base in cls.__mro__ if base.__dict__.get(method.__name__) is method), None)
    return owner is not None and "__jitcore_keeps__" in owner.__dict__


def _plain_function(known: Any) -> FunctionType | None:
    """A function, or the one that an object compiles."""
    compiled = known if isinstance(known, FunctionType) else attribute_of(known, "__jitcore_function__", None)
    return compiled if isinstance(compiled, FunctionType) else None


def _of_function(function: FunctionType, receiver: Value | None) -> Callee | None:
    if not is_users(function):
        return None
    parameters = _of_signature(function, _name_of(function, receiver))
    return Callee(parameters if receiver is None else parameters.without_first())


def callee_of_source(source: FunctionSource, args: Sequence[Value]) -> Callee | None:
    """A function of the user's that is called with `args`, of which the first may be what it is bound to."""
    function: Any = source.function
    if not is_users(function):
        return None
    parameters = _of_source(source)
    if args and source.qualname == function.__qualname__ and _is_method(function, args[0]):
        return Callee(replace(parameters, name=_name_of(function, args[0])).without_first(), tuple(args[1:]))
    return Callee(parameters, tuple(args))


def _is_class(arguments: tuple[Value, ...]) -> bool:
    return bool(arguments) and isinstance(arguments[0], Static) and isinstance(arguments[0].value, type)


def _is_method(function: FunctionType, receiver: Value) -> bool:
    """Whether a function was found in the class of what it is called with first."""
    cls = (
        receiver.cls
        if isinstance(receiver, Instance)
        else type(receiver.value)
        if isinstance(receiver, Static)
        else None
    )
    if cls is None:
        return False
    found = (base.__dict__.get(function.__name__) for base in cls.__mro__)
    return any(_plain_function(method) is function for method in found)


def _name_of(function: FunctionType, receiver: Value | None) -> str:
    """What MindSpore's compiler calls a function: a Cell's `construct` after its class, too."""
    name = function.__name__
    if isinstance(receiver, Static) and name == attribute_of(type(receiver.value), "__jitcore_call__", ""):
        return f"{function.__module__.replace('.', '_')}_{type(receiver.value).__name__}_{name}"
    return _plain(function.__qualname__)


def _plain(qualname: str) -> str:
    *outer, name = [part for part in qualname.split(".") if part != "<locals>"]
    return f"{outer[-1] if outer else ''}__lambda_" if name == "<lambda>" else name


def is_users(function: FunctionType) -> bool:
    """Whether a function is not the library's."""
    return not is_library(function) and (function.__module__ or "").partition(".")[0] not in ("", "jitcore", "numpy")


def _of_source(source: FunctionSource) -> Parameters:
    return _parameters(((p.name, p.kind, p.has_default) for p in source.parameters), _plain(source.qualname))


def _of_signature(function: FunctionType, name: str) -> Parameters:
    params = inspect.signature(function, follow_wrapped=False).parameters.values()
    return _parameters(((p.name, p.kind.name, p.default is not p.empty) for p in params), name)


def _parameters(described: Iterable[tuple[str, str, bool]], name: str) -> Parameters:
    given = tuple(described)
    named = tuple((n, kind, default) for n, kind, default in given if not kind.startswith("VAR_"))
    kinds = {kind for _, kind, _ in given}
    return Parameters(
        tuple(n for n, _, _ in named),
        tuple(n for n, kind, _ in named if kind.startswith("POSITIONAL")),
        tuple(n for n, _, default in named if default),
        "VAR_POSITIONAL" in kinds,
        "VAR_KEYWORD" in kinds,
        name,
    )
