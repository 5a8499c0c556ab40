"""What MindSpore says to methods of lists, tuples and dicts, and what their calls give there that Python's do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from jitcore.compat.mindspore.refusals import dynamic_length, sequence_operators
from jitcore.compat.mindspore.refusals.items import plain, unkeyed
from jitcore.compat.mindspore.refusals.naming import abstract, immediate, shape_text, type_text
from jitcore.compat.mindspore.refusals.sequence_programs import index_of_the_run
from jitcore.passes.infer.engine.operands import UNKNOWN, Instead, Operand

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


def _insert(x: Operand, args: Sequence[Operand]) -> BaseException | Instead:
    index = args[0]
    if index.kind == "tensor":
        return TypeError(f"For 'ListInsert', input[1] should be Scalar, but got {type_text(index)}.")
    if index.kind == "float" and index.marked:
        return TypeError("")
    if index.kind in ("str", "float", "none", "list", "tuple", "dict"):
        return TypeError(f"The second input to ListInplaceInsert must be int scalar but got {immediate(index)}")
    return Instead(_inserted)


def _extend(x: Operand, args: Sequence[Operand]) -> BaseException | Instead:
    (other,) = args
    if other.dynamic:
        return RuntimeError("ListInplaceExtend do not support dynamic length sequence input.")
    if other.kind not in ("none", "int", "float", "bool", "str", "dict"):
        return Instead(_extended)
    return TypeError(
        f"For ListInplaceExtend, the second input should be tuple or list but got: {abstract(other)}".rstrip()
    )


def _pop(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    if len(args) > 1:
        return RuntimeError(f"Function:list_pop_2 takes 2 positional arguments, but {len(args) + 1} were given.")
    index = args[0] if args else Operand("int", value=-1)
    if index.kind in _NO_POSITIONS or (index.marked and index.kind == "int"):
        kind = "ValueAny" if index.marked or index.kind == "tensor" else _VALUES.get(index.kind) or immediate(index)
        return TypeError(f"Integer argument expected, but got {kind} type value: {_shown(index)}")
    count = len(x.items)
    if index.kind == "int" and index.value is not UNKNOWN and not -count <= index.value < count:
        return IndexError("The pop index out of range.")
    return None


_NO_POSITIONS: Final = ("str", "float", "none", "tuple", "list", "dict", "tensor")
_VALUES: Final = {"tuple": "ValueTuple", "list": "ValueList", "dict": "ValueDictionary"}


def _shown(x: Operand) -> str:
    if x.kind in ("tuple", "list", "dict"):
        return plain(x) or "ValueAny"
    if x.value is UNKNOWN or x.marked:
        return "ValueAny"
    return f"{x.value:g}" if x.kind == "float" else str(x.value)


def _index(x: Operand, args: Sequence[Operand]) -> BaseException | Instead | None:
    if not args:
        return RuntimeError("Miss argument input for parameter:target")
    if args[0].kind == "tensor" or any(i.kind == "tensor" for i in x.items[:1]):
        return _among_tensors(x, args[0])
    if args[0].kind == "none" or sequence_operators.is_of_another_type(x, args[0]):
        return TypeError("")
    wrong = next((a for a in args[1:] if a.kind in ("str", "float")), None)
    if wrong is not None:
        return RuntimeError(f"Cast failed, original value: {_shown(wrong)}, type: {immediate(wrong)}")
    return Instead(index_of_the_run) if x.marked or args[0].marked else None


def _among_tensors(x: Operand, target: Operand) -> BaseException | None:
    """The answer to a Tensor that is looked for, or to a value that is looked for among Tensors: only those of one
    element are compared."""
    tensors = [i for i in (target, *x.items) if i.kind == "tensor"]
    refused = sequence_operators.ambiguous(tensors[0])
    if refused is None:
        return None
    if target.kind == "tensor" and len(tensors) == 1:
        return TypeError("")
    if len(tensors) == len(x.items) + 1:
        return ValueError(
            "For Primitive[TensorToScalar], the input tensor's shape must be empty or {1}, but got "
            f"{shape_text(target.shape)}."
        )
    return refused


def _index_in_range(x: Any, target: Any) -> Any:
    return tuple(x).index(target)


def _count(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    if len(args) == 1:
        if args[0].kind == "tensor" or any(i.kind == "tensor" for i in x.items):
            return _among_tensors(x, args[0])
        absent = args[0].kind == "none" and x.kind != "range"
        return TypeError("") if absent or sequence_operators.is_of_another_type(x, args[0]) else None
    if x.dynamic and not args:
        return TypeError("")
    return ValueError(f"For primitive[SequenceCount], the input number must be equal to 2, but got {len(args) + 1}.")


def _alone(name: str, given: str, made: Callable[..., Any] | None = None) -> Answer:
    """A method that CPython words, with so many arguments of its own."""

    def check(x: Operand, args: Sequence[Operand]) -> BaseException | Instead | None:
        if len(args) != (0 if given == "no arguments" else 1):
            return TypeError(f"list.{name}() takes {given} ({len(args)} given)")
        wide = next((i for i in (*args, *x.items) if i.kind == "tensor"), None) if args else None
        if wide is not None and (refused := sequence_operators.ambiguous(wide)) is not None:
            return refused
        return None if made is None else Instead(made)

    return check


def _removed(x: Any, item: Any) -> None:
    """Python's `remove`, of a copy: the list is not changed."""
    list(x).remove(item)


def _sorted(x: Any) -> None:
    """Python's `sort`, of a copy: the list is not changed."""
    sorted(x)


def _get(x: Operand, args: Sequence[Operand]) -> BaseException | Instead | None:
    if not args:
        return RuntimeError("Miss argument input for parameter:key_index")
    if len(args) > 2:
        return RuntimeError(f"Function:dict_get_2 takes 3 positional arguments, but {len(args) + 1} were given.")
    if args[0].kind in ("list", "dict"):
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


def _update(x: Operand, args: Sequence[Operand]) -> BaseException | Instead:
    return (
        Instead(_updated) if args[0].kind in ("dict", "object", "union") else RuntimeError("The pointer[dict] is null.")
    )


def _updated(x: Any, other: Any) -> Any:
    x.update(other)
    return x


def _from_keys(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    return None if args else RuntimeError("Miss argument input for parameter:seq")


def _at_least_one(name: str) -> Answer:
    """A method of dicts that CPython words."""

    def check(x: Operand, args: Sequence[Operand]) -> BaseException | None:
        return None if args else TypeError(f"{name} expected at least 1 argument, got 0")

    return check


def _uncounted(name: str) -> Answer:
    def check(x: Operand, args: Sequence[Operand]) -> BaseException | None:
        return TypeError(f"dict.{name}() takes no arguments ({len(args)} given)") if args else None

    return check


def _of_text(name: str) -> Answer:
    """A method of strings that takes nothing."""

    def check(x: Operand, args: Sequence[Operand]) -> BaseException | None:
        return RuntimeError(f"{name} takes 1 argument, but got {len(args) + 1}") if args else None

    return check


def _join(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    unjoined = len(args) == 1 and args[0].kind in ("int", "float", "bool", "none", "function")
    return TypeError("can only join an iterable") if unjoined else None


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


def _extended(x: Any, other: Any) -> Any:
    x.extend(other)
    return x


def _inserted(x: Any, index: Any, item: Any) -> Any:
    x.insert(index, item)
    return x


_CHANGING: Final[dict[str, Callable[..., Any]]] = {
    "append": _append, "clear": _clear, "reverse": _reverse, "extend": _extended, "insert": _inserted,
}  # fmt: skip


def _cleared(x: Operand, args: Sequence[Operand]) -> Instead:
    return Instead(_clear)


def _sort(x: Operand, args: Sequence[Operand]) -> BaseException | Instead:
    return TypeError("sort() takes no positional arguments") if args else Instead(_sorted)


_LIST: Final[dict[str, Answer]] = {
    "append": _plainly(2, _gives_itself("append")), "insert": _plainly(3, _insert), "extend": _plainly(2, _extend),
    "pop": _pop, "index": _index, "count": _count, "clear": _plainly(1, _gives_itself("clear")),
    "reverse": _plainly(1, _gives_itself("reverse")), "remove": _alone("remove", "exactly one argument", _removed),
    "sort": _sort, "copy": _alone("copy", "no arguments"),
}  # fmt: skip
_DICT: Final[dict[str, Answer]] = {
    "get": _get,
    "keys": _view("dict_getkeys", _keys),
    "values": _view("dict_getvalues", _values),
    "items": _view("dict_items", _items),
    "update": _plainly(2, _update),
    "clear": _plainly(1, _cleared),
    "fromkeys": _from_keys,
    "pop": _at_least_one("pop"),
    "setdefault": _at_least_one("setdefault"),
    "copy": _uncounted("copy"),
}
_TEXT: Final[dict[str, Answer]] = {"upper": _of_text("StringUpper"), "lower": _of_text("StringLower"), "join": _join}
_TABLES: Final = {
    "list": _LIST,
    "tuple": {k: _LIST[k] for k in ("index", "count")},
    "range": {"index": _plainly(2, lambda x, args: Instead(_index_in_range))},
    "dict": _DICT,
    "str": _TEXT,
}
_DYNAMIC: Final = {"append": 1, "insert": 2, "extend": 1, "reverse": 0}
_KEYWORDS: Final = {
    "pop": ("index",),
    "insert": ("index", "obj"),
    "get": ("key_index", "default_value"),
    "sort": ("key", "reverse"),
}


_WITHOUT_KEYWORDS: Final = {
    "list": ("copy", "remove"),
    "dict": ("copy", "pop", "setdefault"),
    "str": ("join",),
}
"""Methods that are Python's own there."""
_COUNTING: Final = frozenset(["keys", "values", "items", "upper", "lower"])
"""Methods that only count what they are given."""


def answer(
    name: str, x: Operand, args: Sequence[Operand], keywords: Mapping[str, Operand]
) -> BaseException | Instead | None:
    """The answer to a call of a container's method."""
    if x.dynamic and not keywords and len(args) == _DYNAMIC.get(name, len(args)):
        refused = dynamic_length.method(name, x, args)
        if refused is not None:
            return refused
    check = _TABLES.get(x.kind, {}).get(name)
    if check is None:
        return None
    if keywords and name in _WITHOUT_KEYWORDS.get(x.kind, ()):
        return TypeError(f"{x.kind}.{name}() takes no keyword arguments")
    if keywords and name in _COUNTING:
        return check(x, [*args, *keywords.values()])
    unknown = next((k for k in keywords if k not in _KEYWORDS.get(name, ())), None)
    if unknown is not None:
        return RuntimeError(f"Got an unexpected keyword argument '{unknown}'")
    return None if keywords and name != "sort" else check(x, args)


def is_container(x: Operand) -> bool:
    """Whether the answers are about an operand."""
    return x.kind in _TABLES
