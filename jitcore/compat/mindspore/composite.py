"""Functions over structures and by type: MindSpore's `ops.composite`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from jitcore.compat.mindspore.sequences import Constructible
from jitcore.library.core.marking import library
from jitcore.library.core.values import category, dtype_of_value, with_known_numbers
from jitcore.ops.composite import GradOperation
from jitcore.ops.primitives import Primitive
from jitcore.primitives.core import evaluation
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
    "tuple": (tuple, range),
    "list": (list,),
    "dict": (dict,),
    "dictionary": (dict,),
    "string": (str,),
    "slice": (slice,),
    "ellipsis": (type(...),),
    "none": (type(None),),
}


_NUMERIC: Final = ["Int", "UInt", "Float", "Bool", "Complex", "BFloat"]
_NAMED: Final = (
    "Tensor", "Number", "None", "Tuple", "List", "Dictionary", "String", "Slice", "Ellipsis", "Function", "EnvType",
    "RowTensor", "COOTensor", "CSRTensor", "MapTensor", "Keyword", "TypeType", "Undetermined", "Problem",
)  # fmt: skip
"""The names of types that functions are registered for; those of numbers are also written small, and with a number of
bits."""


def _is_type_name(name: str) -> bool:
    bare = name.rstrip("0123456789")
    return not name or "[" in name or name in _NAMED or bare in _NUMERIC or bare in map(str.lower, _NUMERIC)


def _kind(given: Any) -> str:
    """A type as `register` takes it, by name."""
    if isinstance(given, str):
        if not _is_type_name(given):
            raise RuntimeError(f"Unsupported type name: {given}!")
        return given.lower()
    if isinstance(given, DType):
        return str(given).lower()
    if (
        given is None
        or isinstance(given, int | float | tuple | list)
        or given in (bool, int, float, complex, str, tuple, list, dict, Tensor)
    ):
        raise TypeError(
            "For 'MultitypeFuncGraph', register only support str or <class 'mindspore._c_expression.typing.Type'>, "
            f"but got 'type_input': {given}."
        )
    return str(getattr(given, "__name__", given)).lower().replace("nonetype", "none").replace("str", "string")


def _fits(kind: str, value: Any) -> bool:
    if kind in ("", "any", "anything", "object", "typeany"):
        return True
    found = category(value)
    if kind.startswith("tensor["):
        return found == "tensor" and kind == _type_name(value)
    if kind in _CATEGORIES:
        return found in _CATEGORIES[kind]
    if kind in _TYPES:
        return isinstance(value, _TYPES[kind])
    if kind in ("function", "func"):
        return found is None and callable(value)
    return type(value).__name__.lower() == kind


@library("raw")
def _chosen(name: str, entries: Sequence[tuple[tuple[str, ...], Any]], default: Any, args: tuple[Any, ...]) -> Any:
    if any(category(a) == "ndarray" for a in args):
        raise TypeError("For 'MultitypeFuncGraph', the input can not be numpy.ndarray")
    if len(entries) > 1 and default is None and not evaluation.is_tracing():
        _require_types(args)
    for kinds, function in entries:
        if len(kinds) == len(args) and all(_fits(k, a) for k, a in zip(kinds, args, strict=True)):
            return function
    if default is not None:
        return default
    if len(entries) == 1:  # which is called with anything
        return entries[0][1]
    _require_types(args)
    known = ", ".join(f"({_shown(kinds)}, {function!r})" for kinds, function in entries)
    raise ValueError(
        f"For 'MultitypeFuncGraph', cannot find fn match given args. Got (sigs, fn): [{known}], and (dtype, args): "
        f"{_shown(tuple(map(_type_name, args)))}."
    )


def _require_types(args: Sequence[Any]) -> None:
    """Raise NotImplementedError for what MindSpore knows no type of."""
    for a in args:
        if isinstance(a, dict | slice):
            raise NotImplementedError(
                f"The python type {type(cast('object', a))} cannot be converted to MindSpore type."
            )


def _shown(kinds: Sequence[str]) -> str:
    return "(" + ", ".join(f"mindspore.{_REGISTERED.get(k, k)}" for k in kinds) + ("," if len(kinds) == 1 else "") + ")"


_REGISTERED: Final = {k: f"{k}_" for k in ("tuple", "list", "string")} | {"none": "type_none"}
"""How kinds that functions are registered for are shown, where otherwise than by their names."""


_NAMES: Final[tuple[tuple[type, str], ...]] = (
    (str, "string_"), (tuple, "tuple_"), (list, "list_"), (type(None), "type_none"), (slice, "slice"),
    (DType, "type_type"), (type, "type_type"),
)  # fmt: skip


def _type_name(value: Any) -> str:
    """The type of an argument as MindSpore names it: `tensor[float32]`, `int64`."""
    found = category(value)
    if found in ("tensor", "ndarray", "npscalar"):
        return f"tensor[{str(dtype_of_value(value)).lower().rstrip('_')}]"
    if found is not None:
        return {"bool": "bool", "int": "int64", "float": "float64"}.get(found, found)
    return next((name for cls, name in _NAMES if isinstance(value, cls)), "function" if callable(value) else "external")


UNCONSTRUCTED: Final = "__init__(): incompatible constructor arguments. The following argument types are supported:\n"
UNCAST: Final = (
    "Unable to cast Python instance of type {} to C++ type 'std::shared_ptr<mindspore::prim::MultitypeFuncGraph>'"
)


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
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(UNCONSTRUCTED + f"MultitypeFuncGraph takes a name, not {type(name).__name__}")
        self.name = name
        self.entries: tuple[tuple[tuple[str, ...], Callable[..., Any]], ...] = ()
        self.default: Callable[..., Any] | None = None

    def register(self, *type_names: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorate the function for arguments of these types: "Number", "Int", "Float", "Bool", "Tensor", "Tuple",
        "List", "Dictionary", "String", "None", "Function" … or the types themselves."""
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

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        given = args if not keywords else (*args, *keywords.values())
        return _chosen(self.name, self.entries, self.default, given)(*args, **keywords)

    def __repr__(self) -> str:
        return f"MultitypeFuncGraph({self.name!r}, {[kinds for kinds, _ in self.entries]})"


def _mapped(function: Any, args: tuple[Any, ...], deep: bool, reverse: bool) -> Any:
    """The function applied to the items of sequences, side by side; with `deep`, of sequences in sequences. What does
    not fit together is refused before (`refusals.mapping`) in compiled code; else zip has the last word, as in
    MindSpore."""
    first = args[0]
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
        found = found and isinstance(value, (tuple, list, range, dict))
    return found


def _item(function: Any, place: tuple[Any, ...], deep: bool, reverse: bool) -> Any:
    if not callable(function):
        raise ValueError("The object is not callable. Please check code.")
    if deep and place and isinstance(place[0], (tuple, list, range, dict)) and _all_containers(place):
        return _mapped(function, place, deep, reverse)
    return function(*place)


_item.__dict__["__jitcore_asks__"] = True  # for the user, whose function it calls

for _function in (_mapped, _item, _all_containers):  # they call each other as deep as what they are given
    _function.__dict__["__jitcore_inlined__"] = True


@library("raw")
def _mapped_function(mapping: Any) -> Any:
    """What a HyperMap or Map applies, which a program may have made itself."""
    return mapping.ops


@library("raw")
def _is_compiled() -> bool:
    return evaluation.is_tracing()


@library("raw")
def _is_lost(ops: object) -> bool:
    return evaluation.is_tracing() and isinstance(ops, MultitypeFuncGraph | Primitive | GradOperation)


def _require_found(mapping: HyperMap | Map) -> None:
    """MindSpore's compiler does not find the arguments of a mapping that it has made of a function itself."""
    if mapping.lost:
        raise NameError("name '__input_0__' is not defined")


_require_found.__dict__["__jitcore_inlined__"] = True


def _function_of(mapping: Any, args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """What is applied, and to what: the function may be the first argument."""
    if _mapped_function(mapping) is None:
        return args[0], args[1:]
    return _mapped_function(mapping), args


def _line_by_line(function: Any, args: tuple[Any, ...]) -> Any:
    """A function applied where nothing is compiled: the first argument says how deep, and everything is a tuple."""
    if not isinstance(args[0], (tuple, list)):
        return function(*args)
    return tuple(_line_by_line(function, place) for place in zip(*args))  # noqa: B905


@library("raw")
def _require_graph(name: str, ops: Any, reverse: Any) -> None:
    """Raise what pybind11 does for what maps nothing."""
    if not isinstance(with_known_numbers(reverse, "reverse"), bool | int | None):
        raise TypeError(f"{UNCONSTRUCTED}{name} takes a bool as `reverse`, not {reverse!r}")
    if evaluation.is_tracing():
        unlike = bool(ops) and isinstance(ops, (bool, int, float, str, tuple, list, dict))
    else:
        own = str(getattr(ops, "__module__", "")).startswith("jitcore.compat.mindspore")
        unlike = bool(ops) and not own and not isinstance(ops, MultitypeFuncGraph)
    if unlike and name == "Map":
        raise TypeError(f"{UNCONSTRUCTED}Map takes a MultitypeFuncGraph, not {type(ops)}")
    if unlike:
        raise RuntimeError(UNCAST.format(type(ops)))


class HyperMap(metaclass=Constructible):
    """`HyperMap(f)(xs, ys)` is f applied to the items of sequences side by side, of sequences in them too;
    `HyperMap()(f, xs, ys)` likewise. The result has the structure of the first.

    >>> HyperMap()(lambda x, y: x + y, ((1, 2), 3), ((10, 20), 30))
    ((11, 22), 33)
    """

    def __init__(self, ops: Any = None, reverse: bool = False) -> None:
        _require_graph("HyperMap", ops, reverse)
        self.ops = ops
        self.reverse = reverse
        self.lost = _is_lost(ops)

    def __call__(self, *args: Any) -> Any:
        function, given = _function_of(self, args)
        if _is_compiled():
            _require_found(self)
            return _item(function, given, True, self.reverse)
        return _line_by_line(function, given)


class Map(metaclass=Constructible):
    """As `HyperMap`, for the items of the sequences themselves."""

    def __init__(self, ops: Any = None, reverse: bool = False) -> None:
        _require_graph("Map", ops, reverse)
        self.ops = ops
        self.reverse = reverse
        self.lost = _is_lost(ops)

    def __call__(self, *args: Any) -> Any:
        function, given = _function_of(self, args)
        if _is_compiled():
            _require_found(self)
            return _mapped(function, given, False, self.reverse)
        return tuple(map(function, *given))


def partial(function: Any, *args: Any, **keywords: Any) -> Any:
    """`functools.partial(function, *args, **keywords)`."""
    if not callable(function):
        raise AttributeError(f"'{type(function).__name__}' object has no attribute '__call__'")
    return functools.partial(function, *args, **keywords)


class Partial(metaclass=Constructible):
    """`Partial()(f, *args, **keywords)` is `functools.partial(f, *args, **keywords)`."""

    def __call__(self, function: Any, *args: Any, **keywords: Any) -> Any:
        return partial(function, *args, **keywords)


class Print(metaclass=Constructible):
    """Prints its operands as MindSpore does, each on lines of its own, Tensors with their shape and dtype."""

    def __call__(self, *operands: Any) -> None:
        for operand in operands:
            if isinstance(operand, Tensor):
                _print_tensor(operand)
            else:
                print(operand)


def _print_tensor(x: Any) -> None:
    start = "" if len(x.shape) < 2 else "\n"
    print(f"Tensor(shape={list(x.shape)}, dtype={x.dtype}, value={start}{x.asnumpy()})")


def print_(*operands: Any) -> None:
    """As `Print()(*operands)`."""
    Print()(*operands)
