"""What MindSpore says to methods of lists, tuples and dicts, and what their calls give there that Python's do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from jitcore.compat.mindspore.refusals.items import unkeyed
from jitcore.compat.mindspore.refusals.naming import abstract, immediate, type_text
from jitcore.passes.infer.dialect import UNKNOWN, Instead, Operand

Answer = Callable[[Operand, Sequence[Operand]], "BaseException | Instead | None"]


def counted(expected: int, given: int) -> TypeError:
    """The answer to a number of arguments that a function does not have."""
    return TypeError(
        f"The parameters number of the function is {expected}, but the number of provided arguments is {given}."
    )


def _plainly(count: int, then: Answer) -> Answer:
    """A method with so many parameters, itself included."""

    def check(x: Operand, args: Sequence[Operand]) -> BaseException | Instead | None:
        return counted(count, len(args) + 1) if len(args) + 1 != count else then(x, args)

    return check


def _insert(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    index = args[0]
    if index.kind == "tensor":
        return TypeError(f"For 'ListInsert', input[1] should be Scalar, but got {type_text(index)}.")
    if index.kind in ("str", "float", "none", "list", "tuple", "dict"):
        return TypeError(f"The second input to ListInplaceInsert must be int scalar but got {immediate(index)}")
    return None


def _extend(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    (other,) = args
    if other.kind not in ("none", "int", "float", "bool", "str", "dict"):
        return None
    return TypeError(
        f"For ListInplaceExtend, the second input should be tuple or list but got: {abstract(other)}".rstrip()
    )


def _pop(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    if len(args) > 1:
        return RuntimeError(f"Function:list_pop_2 takes 2 positional arguments, but {len(args) + 1} were given.")
    index = args[0] if args else Operand("int", value=-1)
    if index.kind in ("str", "float", "none"):
        return TypeError(f"Integer argument expected, but got {immediate(index)} type value: {_shown(index)}")
    count = len(x.items)
    if index.kind == "int" and index.value is not UNKNOWN and not -count <= index.value < count:
        return IndexError("The pop index out of range.")
    return None


def _shown(x: Operand) -> str:
    return f"{x.value:g}" if x.kind == "float" else str(x.value)


def _index(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    if not args:
        return RuntimeError("Miss argument input for parameter:target")
    if args[0].kind in ("none", "tensor"):
        return TypeError("")
    wrong = next((a for a in args[1:] if a.kind in ("str", "float")), None)
    if wrong is not None:
        return RuntimeError(f"Cast failed, original value: {_shown(wrong)}, type: {immediate(wrong)}")
    return None


def _count(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    if len(args) == 1:
        return None
    return ValueError(f"For primitive[SequenceCount], the input number must be equal to 2, but got {len(args) + 1}.")


def _alone(name: str, given: str) -> Answer:
    """A method that CPython words, with so many arguments of its own."""

    def check(x: Operand, args: Sequence[Operand]) -> BaseException | None:
        expected = 0 if given == "no arguments" else 1
        return None if len(args) == expected else TypeError(f"list.{name}() takes {given} ({len(args)} given)")

    return check


def _get(x: Operand, args: Sequence[Operand]) -> BaseException | Instead | None:
    if not args:
        return RuntimeError("Miss argument input for parameter:key_index")
    if len(args) > 2:
        return RuntimeError(f"Function:dict_get_2 takes 3 positional arguments, but {len(args) + 1} were given.")
    if args[0].kind == "list":
        return Instead(_default)
    return unkeyed("dict_getitem", args[0])


def _default(x: Any, key: Any, default: Any = None) -> Any:
    return default


def _view(operator: str, function: Callable[..., Any]) -> Answer:
    def check(x: Operand, args: Sequence[Operand]) -> BaseException | Instead | None:
        if not args:
            return Instead(function)
        return RuntimeError(f"For '{operator}', the number of input should be 1, but got {len(args) + 1}")

    return check


def _keys(x: Any) -> Any:
    return tuple(x)


def _values(x: Any) -> Any:
    return tuple(x.values())


def _items(x: Any) -> Any:
    return list(x.items())


def _update(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    return None if args[0].kind in ("dict", "object", "union") else RuntimeError("The pointer[dict] is null.")


def _from_keys(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    return None if args else RuntimeError("Miss argument input for parameter:seq")


def _gives_itself(name: str) -> Answer:
    """A method that gives the list it has changed."""
    made = _CHANGING[name]
    return lambda x, args: Instead(made)


def _append(x: Any, item: Any) -> Any:
    x.append(item)
    return x


def _clear(x: Any) -> Any:
    x.clear()
    return x


def _reverse(x: Any) -> Any:
    x.reverse()
    return x


_CHANGING: Final[dict[str, Callable[..., Any]]] = {"append": _append, "clear": _clear, "reverse": _reverse}


def _anything(x: Operand, args: Sequence[Operand]) -> None:
    return None


_LIST: Final[dict[str, Answer]] = {
    "append": _plainly(2, _gives_itself("append")), "insert": _plainly(3, _insert), "extend": _plainly(2, _extend), "pop": _pop, "index": _index, "count": _count,
    "clear": _plainly(1, _gives_itself("clear")), "reverse": _plainly(1, _gives_itself("reverse")), "remove": _alone("remove", "exactly one argument"),
    "copy": _alone("copy", "no arguments"),
}  # fmt: skip
_DICT: Final[dict[str, Answer]] = {
    "get": _get, "keys": _view("dict_getkeys", _keys), "values": _view("dict_getvalues", _values), "items": _view("dict_items", _items),
    "update": _plainly(2, _update), "clear": _plainly(1, _anything), "fromkeys": _from_keys,
}  # fmt: skip
_TABLES: Final = {"list": _LIST, "tuple": {k: _LIST[k] for k in ("index", "count")}, "dict": _DICT}
_KEYWORDS: Final = {"pop": ("index",), "insert": ("index", "obj"), "get": ("key_index", "default_value")}


def answer(
    name: str, x: Operand, args: Sequence[Operand], keywords: Mapping[str, Operand]
) -> BaseException | Instead | None:
    """The answer to a call of a container's method."""
    check = _TABLES.get(x.kind, {}).get(name)
    if check is None:
        return None
    unknown = next((k for k in keywords if k not in _KEYWORDS.get(name, ())), None)
    if unknown is not None and name != "fromkeys":
        return RuntimeError(f"Got an unexpected keyword argument '{unknown}'")
    return None if keywords else check(x, args)


def is_container(x: Operand) -> bool:
    """Whether the answers are about an operand."""
    return x.kind in _TABLES
