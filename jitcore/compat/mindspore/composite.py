"""Functions over structures and by type: MindSpore's `ops.composite`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

from jitcore.primitives.library import category, dtype_of_value, library
from jitcore.runtime.tensor import Tensor
from jitcore.types import DType

_CATEGORIES: Final[dict[str, tuple[str, ...]]] = {
    "tensor": ("tensor", "ndarray", "npscalar"),
    "ref": ("tensor",),
    "number": ("bool", "int", "float", "complex"),
    "bool": ("bool",),
    "int": ("int",),
    "int64": ("int",),
    "float": ("float",),
    "float64": ("float",),
    "scalar": ("bool", "int", "float"),
}
_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "tuple": (tuple,),
    "list": (list,),
    "dict": (dict,),
    "dictionary": (dict,),
    "string": (str,),
    "slice": (slice,),
    "ellipsis": (type(...),),
    "none": (type(None),),
}


def _kind(given: Any) -> str:
    """A type as `register` takes it, by name."""
    if isinstance(given, str):
        return given.lower()
    if isinstance(given, DType):
        return str(given).lower()
    return str(getattr(given, "__name__", given)).lower().replace("nonetype", "none").replace("str", "string")


def _fits(kind: str, value: Any) -> bool:
    if kind in ("", "any", "anything", "object", "typeany"):
        return True
    found = category(value)
    if kind in _CATEGORIES:
        return found in _CATEGORIES[kind]
    if kind in _TYPES:
        return isinstance(value, _TYPES[kind])
    if kind in ("function", "func"):
        return found is None and callable(value)
    return type(value).__name__.lower() == kind


@library("raw")
def _chosen(name: str, entries: Sequence[tuple[tuple[str, ...], Any]], default: Any, args: tuple[Any, ...]) -> Any:
    for kinds, function in entries:
        if len(kinds) == len(args) and all(_fits(k, a) for k, a in zip(kinds, args, strict=True)):
            return function
    if default is not None:
        return default
    if any(isinstance(a, dict) for a in args):
        raise NotImplementedError("The python type <class 'dict'> cannot be converted to MindSpore type.")
    known = ", ".join(f"({_shown(kinds)}, {function!r})" for kinds, function in entries)
    raise ValueError(
        f"For 'MultitypeFuncGraph', cannot find fn match given args. Got (sigs, fn): [{known}], and (dtype, args): "
        f"{_shown(tuple(map(_type_name, args)))}."
    )


def _shown(kinds: Sequence[str]) -> str:
    return "(" + ", ".join(f"mindspore.{k}" for k in kinds) + ("," if len(kinds) == 1 else "") + ")"


_NAMES: Final[tuple[tuple[type, str], ...]] = (
    (str, "string_"), (tuple, "tuple_"), (list, "list_"), (type(None), "type_none"), (slice, "slice"),
)  # fmt: skip


def _type_name(value: Any) -> str:
    """The type of an argument as MindSpore names it: `tensor[float32]`, `int64`."""
    found = category(value)
    if found in ("tensor", "ndarray", "npscalar"):
        return f"tensor[{str(dtype_of_value(value)).lower().rstrip('_')}]"
    if found is not None:
        return {"bool": "bool", "int": "int64", "float": "float64"}.get(found, found)
    return next((name for cls, name in _NAMES if isinstance(value, cls)), "Func" if callable(value) else "external")


class MultitypeFuncGraph:
    """A function chosen by the types of its arguments.

    >>> from jitcore import Tensor
    >>> add = MultitypeFuncGraph("add")
    >>> @add.register("Number", "Number")
    ... def _add_numbers(x, y):
    ...     return x + y
    >>> @add.register("Tensor", "Tensor")
    ... def _add_tensors(x, y):
    ...     return x + y * 2
    >>> add(1, 2), float(add(Tensor(1.0), Tensor(2.0)))
    (3, 5.0)
    """

    def __init__(self, name: str, read_value: bool = False, doc_url: str = "") -> None:
        del read_value, doc_url
        self.name = name
        self.entries: tuple[tuple[tuple[str, ...], Callable[..., Any]], ...] = ()
        self.default: Callable[..., Any] | None = None

    def register(self, *type_names: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorate the function for arguments of these types: "Number", "Int", "Float", "Bool", "Tensor", "Tuple", "List",
        "Dictionary", "String", "None", "Function" … or the types themselves."""
        kinds = tuple(map(_kind, type_names))

        def add(function: Callable[..., Any]) -> Callable[..., Any]:
            others = tuple(entry for entry in self.entries if entry[0] != kinds)
            self.entries = (*others, (kinds, function))
            return function

        return add

    def register_default(self) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorate what is called where no types fit."""

        def add(function: Callable[..., Any]) -> Callable[..., Any]:
            self.default = function
            return function

        return add

    def __call__(self, *args: Any) -> Any:
        return _chosen(self.name, self.entries, self.default, args)(*args)

    def __repr__(self) -> str:
        return f"MultitypeFuncGraph({self.name!r}, {[kinds for kinds, _ in self.entries]})"


@library("raw")
def type_of(value: Any) -> str:
    """The type of a value as MindSpore's compiler writes it: `Int64`, `Tensor[Float32]`."""
    name = "Float32" if category(value) == "float" else _type_name(value).capitalize()
    return name.replace("[f", "[F").replace("[i", "[I").replace("[b", "[B")


def _mapped(function: Any, args: tuple[Any, ...], deep: bool, reverse: bool) -> Any:
    """The function applied to the items of sequences, side by side; with `deep`, of sequences in sequences."""
    first = args[0]
    if not isinstance(first, (tuple, list, dict)):
        raise RuntimeError("Map can only be applied to list, tuple, but got " + type_of(first) + ".")
    for other in args:
        if isinstance(other, tuple) is not isinstance(first, tuple) or isinstance(other, list) is not isinstance(
            first, list
        ):
            raise RuntimeError(
                "In a nonleaf situation, the types of arguments in HyperMap must be consistent, but the types of arguments are "
                "inconsistent."
            )
        if len(other) != len(first):
            kind = "lists" if isinstance(first, list) else "tuples"
            if deep:
                raise RuntimeError("The " + kind + " in HyperMap should have the same length.")
            raise RuntimeError("For 'Map', the length of " + kind + " must be the same.")
    if isinstance(first, dict):
        return {key: _item(function, tuple([a[key] for a in args]), deep, reverse) for key in first}
    places = list(zip(*args))  # noqa: B905
    if reverse:
        places = places[::-1]
    made = [_item(function, place, deep, reverse) for place in places]
    if reverse:
        made = made[::-1]
    return made if isinstance(first, list) else tuple(made)


def _all_containers(place: tuple[Any, ...]) -> bool:
    found = True
    for value in place:
        found = found and isinstance(value, (tuple, list, dict))
    return found


def _item(function: Any, place: tuple[Any, ...], deep: bool, reverse: bool) -> Any:
    if not callable(function):
        raise ValueError("The object is not callable. Please check code.")
    if deep and isinstance(place[0], (tuple, list, dict)) and _all_containers(place):
        return _mapped(function, place, deep, reverse)
    return function(*place)


for _function in (_mapped, _item, _all_containers):  # they call each other as deep as what they are given
    _function.__dict__["__jitcore_inlined__"] = True


class _Constructible(type):
    """The class of classes whose objects compiled code can make (but whose objects are not library functions themselves)."""

    __jitcore_library__ = True


@library("raw")
def _mapped_function(mapping: Any) -> Any:
    """What a HyperMap or Map applies, which a program may have made itself."""
    return mapping.ops


class HyperMap(metaclass=_Constructible):
    """`HyperMap(f)(xs, ys)` is f applied to the items of sequences side by side, of sequences in them too; `HyperMap()(f, xs, ys)`
    likewise. The result has the structure of the first.

    >>> HyperMap()(lambda x, y: x + y, ((1, 2), 3), ((10, 20), 30))
    ((11, 22), 33)
    """

    def __init__(self, ops: Any = None, reverse: bool = False) -> None:
        self.ops = ops
        self.reverse = reverse

    def __call__(self, *args: Any) -> Any:
        if _mapped_function(self) is None:
            return _item(args[0], args[1:], True, self.reverse)
        return _item(_mapped_function(self), args, True, self.reverse)


class Map(metaclass=_Constructible):
    """As `HyperMap`, for the items of the sequences themselves."""

    def __init__(self, ops: Any = None, reverse: bool = False) -> None:
        self.ops = ops
        self.reverse = reverse

    def __call__(self, *args: Any) -> Any:
        if _mapped_function(self) is None:
            return _mapped(args[0], args[1:], False, self.reverse)
        return _mapped(_mapped_function(self), args, False, self.reverse)


class Partial(metaclass=_Constructible):
    """`Partial()(f, *args, **keywords)` is `functools.partial(f, *args, **keywords)`."""

    def __call__(self, function: Callable[..., Any], *args: Any, **keywords: Any) -> Any:
        return functools.partial(function, *args, **keywords)


class Print(metaclass=_Constructible):
    """Prints its operands as MindSpore does, each on lines of its own, Tensors with their shape and dtype."""

    def __call__(self, *operands: Any) -> None:
        for operand in operands:
            if isinstance(operand, Tensor):
                _print_tensor(operand)
            else:
                print(operand)


def _print_tensor(x: Any) -> None:
    start = "" if len(x.shape) < 2 else "\n"
    print(f"Tensor(shape={list(x.shape)}, dtype={x.dtype}, value={start}{x})")


def print_(*operands: Any) -> None:
    """As `Print()(*operands)`."""
    Print()(*operands)
