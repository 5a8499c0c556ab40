"""`oneflow.framework.args_tree`: arguments as trees of tuples, lists and dicts, walked and mapped."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias, cast

from jitcore.compat.oneflow.tensor import Tensor

Leaf: TypeAlias = Callable[[Any], Any]


def _children(value: object) -> list[tuple[Any, Any]] | None:
    """The keys and values of a node; None of a leaf."""
    kind = type(value)
    if kind in (tuple, list) or (kind is not tuple and isinstance(value, tuple) and hasattr(value, "_fields")):
        return list(enumerate(cast("Sequence[Any]", value)))
    return list(cast("dict[Any, Any]", value).items()) if kind in (dict, OrderedDict) else None


def _with_children(value: object, children: Sequence[tuple[Any, Any]]) -> Any:
    """A node of the same kind, of other children."""
    kind = cast("Any", type(value))
    if isinstance(value, dict):
        return kind(children)
    items = [child for _, child in children]
    return kind(*items) if hasattr(value, "_fields") else kind(items)


class NamedArg:
    """A node of arguments, with the path to it (`prefix`), its name, and its number in order of the walk."""

    def __init__(self, prefix: str = "", name: str | None = None, global_index: int = 0) -> None:
        self._prefix = prefix
        self._name = str(global_index) if name is None else name
        self._index = global_index
        self._value: Any = None
        self._is_set = False

    def prefix(self) -> str:
        """The path to it: the places of what it is in."""
        return self._prefix

    def name(self) -> str:
        """Its key, or else its number."""
        return self._name

    def global_index(self) -> int:
        """Its number."""
        return self._index

    def value(self) -> Any:
        """The argument; of a node, one of the same kind that holds such objects."""
        assert self._is_set, "the value is not set yet"
        return self._value

    def set_value(self, value: object) -> None:
        """Set the argument."""
        assert not isinstance(value, NamedArg), "a NamedArg cannot hold another"
        self._value = value
        self._is_set = True

    def is_leaf(self) -> bool:
        """Whether nothing is in it."""
        return _children(self.value()) is None

    def __repr__(self) -> str:
        value = self._value
        text = f"(name: {self._name}, idx: {self._index}, type: {_kind(value)}"
        if isinstance(value, Tensor):
            return f"{text}, value: {value._meta_repr()})"  # pyright: ignore[reportPrivateUsage]
        return f"{text})" if _children(value) is not None else f"{text}, value: {value!r})"


def _kind(value: object) -> str:
    if value is None or isinstance(value, Tensor):
        return "NONE" if value is None else "TENSOR"
    if _children(value) is None:
        return "OPAQUE"
    return "DICT" if isinstance(value, dict) else "LIST" if isinstance(value, list) else "TUPLE"


class ArgsTree:
    """Arguments, walked and mapped.

    >>> tree = ArgsTree((1, {"x": 2}))
    >>> tree.map_leaf(lambda leaf: leaf + 1)
    (2, {'x': 3})
    >>> [node.name() for _, node in ArgsTree((1, {"x": 2}), True, "", "args").iter_named_nodes()]
    ['args', '1', '2', 'x']
    """

    def __init__(
        self, io_args: object, gen_name: bool = False, root_prefix: str = "", root_name: str | None = None
    ) -> None:
        self._args = io_args
        self._gen_name = gen_name
        self._count = 0
        self._named = self._name(io_args, root_prefix, root_name) if gen_name else None

    def gen_name(self) -> bool:
        """Whether nodes are NamedArgs."""
        return self._gen_name

    def _name(self, value: object, prefix: str, name: str | None) -> NamedArg:
        made = NamedArg(prefix, name, self._count)
        self._count += 1
        children = _children(value)
        if children is None:
            made.set_value(value)
            return made
        inner = f"{prefix}." if prefix else ""
        named = [
            (key, self._name(child, f"{inner}{place}", key if isinstance(value, dict) else None))
            for place, (key, child) in enumerate(children)
        ]
        made.set_value(_with_children(value, named))
        return made

    def iter_nodes(self) -> Iterator[Any]:
        """The nodes and leaves, each before what is in it."""
        return self._walked(self._named if self._gen_name else self._args)

    def _walked(self, node: object) -> Iterator[Any]:
        yield node
        for _, child in _children(node.value() if isinstance(node, NamedArg) else node) or ():
            yield from self._walked(child)

    def iter_named_nodes(self) -> Iterator[tuple[str, NamedArg]]:
        """The NamedArgs with their full names."""
        assert self._gen_name, "only of a tree with gen_name=True"
        return ((f"{node.prefix()}_{node.name()}", node) for node in self.iter_nodes())

    def iter_tuple_nodes(self) -> Iterator[Any]:
        """The leaves of nested tuples and lists."""
        assert not self._gen_name, "only of a tree with gen_name=False"
        return self._leaves(self._args)

    def _leaves(self, value: object) -> Iterator[Any]:
        if isinstance(value, tuple | list):
            for item in cast("Sequence[Any]", value):
                yield from self._leaves(item)
        else:
            yield value

    def map_leaf(self, map_function: Leaf) -> Any:
        """The same tree with what a function makes of each leaf."""
        return self._mapped(self._named if self._gen_name else self._args, map_function)

    def map_tuple_leaf(self, map_function: Leaf) -> Any:
        """The same tuple or list with what a function makes of each item."""
        assert isinstance(self._args, tuple | list), "only of a tuple or a list"
        return type(self._args)(map(map_function, cast("Sequence[Any]", self._args)))

    def _mapped(self, node: object, function: Leaf) -> Any:
        value = node.value() if isinstance(node, NamedArg) else node
        children = _children(value)
        if children is None:
            return function(node)
        return _with_children(value, [(key, self._mapped(child, function)) for key, child in children])
