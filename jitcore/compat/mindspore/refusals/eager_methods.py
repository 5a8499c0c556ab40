"""Calls of Tensors' methods line by line: which counts, names and types of arguments MindSpore's methods take, and its
words for others.

    x.max(1, [1])       # TypeError: Failed calling max with "max(int, List<int>)".
    x.gt("a")           # TypeError: greater(): argument 'other' (position 1) must be Tensor, not str.
    x.float(1)          # TypeError: Tensor.float() takes 1 positional argument but 2 were given
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, Final, cast

import numpy as np

from jitcore.compat.mindspore.refusals import conversions, eager, eager_operators
from jitcore.compat.mindspore.refusals.method_forms import Argument, Form, Method, miscounted, table
from jitcore.compat.mindspore.refusals.naming import word
from jitcore.primitives.core import evaluation
from jitcore.runtime.tensor import Tensor
from jitcore.types import DType

# --- which types an argument takes ------------------------------------------------------------------


def _is_int(x: Any) -> bool:
    if isinstance(x, Tensor):
        return x.size == 1 and x.dtype.kind in "iu"
    return type(x) is int or isinstance(x, np.integer)


def _is_number(x: Any) -> bool:
    if isinstance(x, Tensor):
        return x.size == 1
    return type(x) in (int, float, bool) or (isinstance(x, np.generic) and x.dtype.kind in "biuf")


def _is_float(x: Any) -> bool:
    return not (isinstance(x, Tensor) and x.ndim) and _is_number(x)


def _are_ints(x: Any, kinds: tuple[type, ...]) -> bool:
    """Whether a sequence's first item is an int: the others are looked at later."""
    if isinstance(x, Tensor):
        return x.dtype.kind in "iu"
    return isinstance(x, kinds) and (len(x) == 0 or _is_int(x[0]))


_TAKES: Final[dict[str, Callable[[Any], bool]]] = {
    "int": _is_int, "float": _is_float, "number": _is_number,
    "bool": lambda x: type(x) is bool, "tensor": lambda x: isinstance(x, Tensor), "none": lambda x: x is None,
    "str": lambda x: isinstance(x, str), "string": lambda x: isinstance(x, str),
    "mstype": lambda x: isinstance(x, DType), "tuple of int": lambda x: _are_ints(x, (tuple,)),
    "list of int": lambda x: _are_ints(x, (list,)), "any": lambda x: True,
    "tuple of tensor": lambda x: isinstance(x, tuple | list), "list of tensor": lambda x: isinstance(x, tuple | list),
}  # fmt: skip


def _takes(argument: Argument, x: Any) -> bool:
    return any(_TAKES[t](x) if t in _TAKES else True for t in argument.types)


def _fits(form: Form, args: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
    rest = {a.name: a for a in (*form.positional[len(args) :], *form.named)}
    if form.packed and args and _is_int(args[0]) and not isinstance(args[0], Tensor):
        return not keywords
    return (
        len(args) <= len(form.positional)
        and all(_takes(a, x) for a, x in zip(form.positional, args, strict=False))
        and all(k in rest and _takes(rest[k], x) for k, x in keywords.items())
    )


# --- what is said -----------------------------------------------------------------------------------


def refused(name: str, x: Tensor, args: Sequence[Any], keywords: Mapping[str, Any]) -> BaseException | None:
    """What MindSpore says to the number, names and types of a method's arguments, if it refuses them."""
    method = table()[name]
    if method.stub is not None:
        return miscounted(name, [x, *args], keywords) or _unvalued(name, x, args, keywords)
    if name == "to" and args and isinstance(args[0], str) and args[0].lower() not in ("cpu", "ascend"):
        return ValueError(f"Failed to convert the value \"{args[0]}\" of input 'device' of 'to' to enum.")
    if not method.texts:
        return _of_one(method.shown, method.forms[0], args, keywords)
    if len(args) + len(keywords) >= method.least and any(_fits(form, args, keywords) for form in method.forms):
        return None
    return _of_several(method, args, keywords)


def _unvalued(name: str, x: Tensor, args: Sequence[Any], keywords: Mapping[str, Any]) -> BaseException | None:
    """The answer to values that such a method does not take."""
    if name == "astype" and len(args) + len(keywords) == 1:
        return conversions.of_dtype(*args, **keywords)
    return conversions.of_items(x.shape, len(args)) if name == "itemset" else None


def _of_several(method: Method, args: Sequence[Any], keywords: Mapping[str, Any]) -> TypeError:
    shown = [_word(x) for x in args] + [f"{k}={_word(x)}" for k, x in keywords.items()]
    lines = [
        f'Failed calling {method.shown} with "{method.shown}({", ".join(shown)})".',
        "The valid calling should be:",
    ]
    return TypeError("\n".join([*lines, *(f'"{text}"' for text in method.texts)]))


def _word(x: Any) -> str:
    return word(eager_operators.operand(x), capital=True)


def _of_one(shown: str, form: Form, args: Sequence[Any], keywords: Mapping[str, Any]) -> TypeError | None:
    """The answer of a method that has one form."""
    if form.packed:
        return _of_packed(shown, form.positional[0], args, keywords)
    most = len(form.positional)
    if len(args) > most:
        were = "was" if len(args) == 1 else "were"
        return TypeError(f"{shown}() takes {most} positional arguments but {len(args)} {were} given.")
    for k, argument in enumerate(form.positional):
        if k < len(args):
            x = args[k]
        elif argument.name in keywords:
            x = keywords[argument.name]
            if not _is_any(argument, x) and x is not None:
                expected = argument.types[0]
                return TypeError(
                    f"{shown}(): argument '{argument.name}' must be {expected} but got {type(x).__name__}."
                )
            continue
        elif argument.required:
            missing = [a.name for a in form.positional[k:] if a.required and a.name not in keywords]
            plural = "s" if len(missing) > 1 else ""
            return TypeError(
                f"{shown}() missing {len(missing)} required positional argument{plural}: {', '.join(missing)}."
            )
        else:
            continue
        if not _is_any(argument, x):
            return _unfit(shown, argument, k + 1, x)
    unknown = next((k for k in keywords if all(a.name != k for a in form.positional)), None)
    return None if unknown is None else TypeError(f"{shown}() got an unexpected keyword argument '{unknown}'.")


_ALONE: Final[dict[str, Callable[[Any], bool]]] = {
    "Tensor": _TAKES["tensor"], "int": lambda x: isinstance(x, Tensor) or _is_int(x), "bool": _TAKES["bool"],
    "Number": _is_number, "float": lambda x: isinstance(x, Tensor) or _is_float(x),
    "tuple of int": lambda x: _is_int(x) or _are_ints(x, (tuple, list)),
    "mstype": lambda x: x is None or isinstance(x, DType),
}  # fmt: skip
"""What a method of one form takes for a type; it has other words for Tensors that are no such numbers."""


def _is_any(argument: Argument, x: Any) -> bool:
    return any(_ALONE[t](x) for t in argument.types)


def _unfit(shown: str, argument: Argument, place: int, x: Any) -> TypeError:
    if x is None:
        return TypeError(f"{shown}(): missing 1 required positional argument: {argument.name}.")
    expected = argument.types[0]
    where = f"{shown}(): argument '{argument.name}' (position {place}) must be {expected}"
    if expected == "tuple of int" and isinstance(x, tuple | list):
        return TypeError(f"{where} but found type of tuple at pos 0.")
    return TypeError(f"{where}, not {type(x).__name__}.")


def _of_packed(shown: str, argument: Argument, args: Sequence[Any], keywords: Mapping[str, Any]) -> TypeError | None:
    """The answer of a method that takes ints one by one."""
    if keywords:
        return None
    if not args:
        return (
            TypeError(f"{shown}() missing 1 required positional argument: {argument.name}.")
            if argument.required
            else None
        )
    first = args[0]
    if shown == "transpose" and (refused := _untransposed(args)) is not None:
        return refused
    if first is None and len(args) == 1:
        none = TypeError(f"{shown}(): missing 1 required positional argument: {argument.name}.")
        return none if argument.required else None
    if isinstance(first, Tensor) or _is_int(first):
        items: Sequence[Any] = args
    elif isinstance(first, tuple | list):
        items = first if len(args) == 1 else ()
    else:
        return _not_ints(shown, argument, type(first).__name__)
    if items and not _is_int(items[0]) and not isinstance(items[0], Tensor):
        return _not_ints(shown, argument, "tuple")
    wrong = next((k for k, i in enumerate(items) if not isinstance(i, Tensor) and not _is_int(i)), None)
    if wrong is None or shown in ("transpose", "repeat"):
        return None
    return TypeError(
        f"{shown}(): argument '{argument.name}'(position 0) should be tuple of int, "
        f"but unpack failed at pos {wrong} (got {_word(items[wrong])})."
    )


def _untransposed(args: Sequence[Any]) -> TypeError | None:
    """The answer to axes of `x.transpose` that are none."""
    first = args[0]
    if isinstance(first, Tensor) and first.size != 1:
        return _not_ints("transpose", Argument("axes", ()), "Tensor")
    if len(args) == 2 and not isinstance(first, Tensor | tuple | list) and not _is_int(first):
        return TypeError(f"transpose(): argument 'dim0' (position 1) must be int, not {type(first).__name__}.")
    return None


def _not_ints(shown: str, argument: Argument, found: str) -> TypeError:
    return TypeError(
        f"{shown}(): argument '{argument.name}' (position 1) must be tuple of int but found type of {found} at pos 0."
    )


# --- where it is asked ------------------------------------------------------------------------------


def checked(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of Tensors that is asked about where it is called by users' code line by line."""
    taken: set[Any] = set()
    line_by_line = _LINE_BY_LINE.get(name)

    @functools.wraps(method)
    def call(self: Tensor, *args: Any, **keywords: Any) -> Any:
        if evaluation.is_tracing():
            return method(self, *args, **keywords)
        if line_by_line is not None and not keywords and not _is_called_by_library():
            told = line_by_line(self, args)
            if told is not None:
                return told
        key = (*map(_kind, args), *keywords, *map(_kind, keywords.values()))
        if key not in taken:
            if _is_called_by_library():
                return method(self, *args, **keywords)
            answer = refused(name, self, args, keywords)
            if answer is not None:
                return _of_other_versions(method, self, args, keywords, answer)
            taken.add(key)
        try:
            return method(self, *args, **keywords)
        except (TypeError, ValueError, IndexError, RuntimeError):
            told = None if _is_called_by_library() else eager.of_method(name, self, args, keywords)
            if told is None:
                raise
            raise told from None

    call.__dict__["__jitcore_library__"] = cast(FunctionType, call).__code__
    call.__dict__["__jitcore_method__"] = method
    return call


def _transposed(x: Tensor, axes: Sequence[Any]) -> Tensor | None:
    """`x.transpose`, which exchanges two axes that it is given one by one."""
    if len(axes) != 2 or not all(map(_is_int, axes)):
        return None
    try:
        return x.swapaxes(*map(int, axes)) if x.ndim else x
    except (ValueError, IndexError) as error:
        raise (eager.of_method("transpose", x, axes, {}) or error) from None


def _with_places(name: str, operator: str) -> Callable[[Tensor, Sequence[Any]], Any]:
    """`x.max` and `x.min`, which give places, too, along an axis that is given by position."""

    def called(x: Tensor, args: Sequence[Any]) -> Any:
        if not 1 <= len(args) <= 2 or not _is_int(args[0]) or not all(isinstance(a, bool) for a in args[1:]):
            return None
        axis, rank = int(args[0]), max(x.ndim, 1)
        if not -rank <= axis < rank:
            raise ValueError(f"For primitive[{operator}], the axis must be in [-{rank},{rank}), but got {axis}.")
        return getattr(x, name)(dim=axis, keepdim=len(args) > 1 and args[1])

    return called


_LINE_BY_LINE: Final[dict[str, Callable[[Tensor, Sequence[Any]], Any]]] = {
    "transpose": _transposed,
    "max": _with_places("max", "MaxDim"),
    "min": _with_places("min", "MinDim"),
}
"""Methods that do something else line by line than in graphs: what they give, None for the same."""


def _of_other_versions(
    method: Callable[..., Any], x: Tensor, args: Sequence[Any], keywords: Mapping[str, Any], answer: BaseException
) -> Any:
    """What a method gives that MindSpore refuses for a keyword that only other versions of it have; otherwise, what
    MindSpore says is raised."""
    if "unexpected keyword argument" not in str(answer):
        raise answer
    try:
        return method(x, *args, **keywords)
    except TypeError:
        raise answer from None


def _kind(x: Any) -> Any:
    """What the types of arguments are told from each other by."""
    if isinstance(x, Tensor):
        return x.dtype, x.ndim, x.size == 1
    if isinstance(x, tuple | list):
        return type(x), *map(_kind, x)
    return x if isinstance(x, str) else type(x)


def _is_called_by_library() -> bool:
    """Whether jitcore's own code calls the method that asks."""
    frame = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]
    return str(frame.f_globals.get("__name__", "")).startswith("jitcore.")
