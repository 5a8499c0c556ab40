"""How library functions (`ops.*`, `numpy.*`, Tensor methods and operators) are written once for eager mode and for
graphs.

A library function is a plain function over primitives whose control flow depends on static values only. It is marked
with `@library(...)`; inference calls it as it is, with symbolic values for the arrays and run-time numbers, while its
evaluator is the current one ("traced"), instead of parsing it. Any callable whose attribute `__jitcore_library__` is
true is called that way: functions, and objects of classes that set it (`ops.Mul()`). `values` says what it gets.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, Protocol, TypeVar, cast

from jitcore.library.core.values import Policy, category, evaluator, is_array
from jitcore.lookup import attribute_of
from jitcore.primitives.core import constructing, dialects, evaluation
from jitcore.primitives.core.dialects import Dialect


class EagerCalls(Protocol):
    """What the evaluator that computes at once does besides."""

    def serving(self, calls: Calls) -> Callable[..., Any]:
        """What is to serve a library function's calls, which may put another callable in
        its place in `calls.serve` later."""
        ...


class Calls:
    """A library function where nothing is traced: `function` is what inference takes for it, `plain` computes
    a call by primitives, `serve` is called. `operands`: the Python numbers among its arguments are numbers to
    compute with, as others are; where they are not, what it does may depend on their values (an axis, an
    extent of -1, a limit that is checked)."""

    __slots__ = ("function", "operands", "plain", "serve")
    function: Callable[..., Any]
    serve: Callable[..., Any] | None

    def __init__(self, plain: Callable[..., Any], operands: bool) -> None:
        self.plain = plain
        self.operands = operands
        self.serve = None


class RerunError(Exception):
    """What served a call of a library function has done nothing: the call is to be computed by primitives."""


# --- marking ----------------------------------------------------------------------------------------


_F = TypeVar("_F", bound=Callable[..., Any])


def between(called: _F) -> _F:
    """Mark a function or class as one that the interpreter calls between compiled parts of a program: what it does is
    about what they leave (`loss.backward()`, `optimizer.step()`), and there is nothing in it to be compiled."""
    called.__jitcore_between__ = True  # type: ignore[attr-defined]
    return called


def library(policy: Policy = "tensor", *, operands: bool = False) -> Callable[[_F], _F]:
    """Mark a function as a library function with the given policy for its array results; see `Calls` for `operands`."""

    def mark(function: _F) -> _F:
        if policy == "raw":
            function.__dict__["__jitcore_library__"] = function.__code__
            return function

        def plain(*args: Any, **keywords: Any) -> Any:
            made = function(*args, **keywords)
            # what is only made in the likeness of a Tensor is one too
            of_tensors = policy not in ("tensor", "ndarray") and any(category(a) == "tensor" for a in args)
            made = finish(made, "tensor" if of_tensors else policy)
            return _of_first_tensor(made, (*args, *keywords.values())) if dialects.known else made

        calls = Calls(plain, operands)

        @functools.wraps(function)
        def call(*args: Any, **keywords: Any) -> Any:
            if evaluation.is_tracing():
                return plain(*args, **keywords)
            serve = calls.serve
            if serve is None:
                serve = calls.serve = cast(EagerCalls, evaluation.eager()).serving(calls)
            try:
                return serve(*args, **keywords)
            except RerunError:
                pass  # and outside of this handler, so that an exception has none for its context
            except (TypeError, ValueError, IndexError) as error:
                told = constructing.reworded(call, args, keywords, error)
                if told is error:
                    raise
                raise told from None
            return plain(*args, **keywords)

        calls.function = call
        call.__dict__["__jitcore_library__"] = cast(FunctionType, call).__code__
        return cast(_F, call)

    return mark


def is_library(function: Any) -> bool:
    """Whether inference calls this rather than parsing it."""
    mark = attribute_of(function, "__jitcore_library__", False)
    return mark is True or (mark is not False and mark is attribute_of(function, "__code__", None))


def finish(value: Any, policy: Policy) -> Any:
    """A library function's result, arrays in tuples and lists included, as the policy says."""
    return changed(value, lambda item: evaluator().finish(item, policy) if is_array(item) else item)


def in_dialect(made: object, dialect: Dialect | None) -> Any:
    """Tensors just made, in tuples and lists too, as a dialect's where they are of none; None: as they are."""
    if dialect is None:
        return made
    e = evaluator()
    return changed(made, lambda v: e.in_dialect(v, dialect) if category(v) == "tensor" and e.dialect(v) is None else v)


@library("raw")
def made_by(owner: object, made: object) -> Any:
    """Tensors that a layer has just made of none, as the framework's that it is of."""
    return in_dialect(made, dialects.dialect_of(owner))


def changed(value: object, change: Callable[[Any], Any]) -> Any:
    """A library function's result with what is in it, in tuples and lists too, changed."""
    if type(value) is tuple or type(value) is list:
        return type(value)([changed(item, change) for item in cast("Sequence[Any]", value)])
    if isinstance(value, tuple) and hasattr(value, "_fields"):  # a named tuple
        return type(value)(*(changed(item, change) for item in cast("Sequence[Any]", value)))
    return change(value)


def _of_first_tensor(made: object, given: Sequence[Any]) -> Any:
    """Results of a call as Tensors of the class of the first Tensor among its arguments (as they are, if there is
    none); an argument that comes out stays what it is."""
    tensors = [
        t for arg in given for t in (arg if isinstance(arg, list | tuple) else (arg,)) if category(t) == "tensor"
    ]
    if not tensors:
        return made
    e = evaluator()
    wanted = e.dialect(tensors[0])

    def converted(value: object) -> Any:
        is_made = category(value) == "tensor" and not any(value is t for t in tensors)
        return e.in_dialect(value, wanted) if is_made and e.dialect(value) is not wanted else value

    return changed(made, converted)
