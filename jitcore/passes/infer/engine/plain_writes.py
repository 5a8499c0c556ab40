"""What a function plainly writes to of its arguments and of what it makes, read off its untyped graph before anything
is inferred.

    plain_writes(source, args, keywords)    # of `for p, g in zip(params, grads): p[...] = g` the items of `params`

A guess, so that most functions that write to arrays are inferred once: what it says too much or too little of arguments
is found out as before (`expected_writes`). Followed are items, views, loops over containers, and branches on what is
known to be None or not; calls of other functions are not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import FunctionType
from typing import Any, Final, TypeAlias, cast

from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Var
from jitcore.ir.python import FunctionSource, Parameter
from jitcore.passes.infer.domain.signature import Arg, ArrayArg, DictArg, ListArg, ObjectArg, StaticArg, TupleArg
from jitcore.passes.infer.domain.values import Origin, Path
from jitcore.structs import dataclass

_ROWS: Final = ("enumerate", "list", "reversed", "tuple", "zip")
"""Builtins whose iteration gives what their arguments hold."""
_WRITING: Final = ("fill", "itemset", "partition", "put", "sort")
"""Methods of ndarrays that change them."""


@dataclass(frozen=True, slots=True)
class _Array:
    """An array of the call, or a view of one with so many axes; `changes`: `x += y` writes to it."""

    origin: Origin
    rank: int
    changes: bool
    is_made: bool = False
    """Whether the function makes it; then it may be a number, and counts as an array with one axis."""


@dataclass(frozen=True, slots=True)
class _Items:
    """A container: what each item may be, by its key; a key of None stands for any number of items."""

    items: Mapping[Any, _Value]


@dataclass(frozen=True, slots=True)
class _Known:
    """An object: None, a builtin function, a method of an array with its name."""

    object: object
    of: _Value = ()


_Value: TypeAlias = "tuple[_Array | _Items | _Known, ...]"
"""What a variable may be, as far as that matters."""


def plain_writes(source: FunctionSource, args: Sequence[Arg], keywords: Mapping[str, Arg]) -> frozenset[Origin]:
    """The arrays of a call that its function plainly writes to."""
    function = cast("FunctionType", source.function)
    found = _Writes(function)
    by_name = {k: _given(arg, ("arg", k)) for k, arg in keywords.items()}
    defaults = {k: (_Known(None),) for k in _absent(function, source.parameters)}
    position = 0
    for p, var in zip(source.parameters, source.graph.params, strict=True):
        if p.kind == "VAR_POSITIONAL":
            rest = range(position, len(args))
            found.values[var] = (_Items({k - position: _given(args[k], ("arg", k)) for k in rest}),)
        elif p.kind == "VAR_KEYWORD":
            found.values[var] = (_Items(by_name),)
        elif p.kind != "KEYWORD_ONLY" and position < len(args):
            found.values[var] = _given(args[position], ("arg", position))
            position += 1
        else:
            found.values[var] = by_name.get(p.name, defaults.get(p.name, ()))
    found.walk(source.graph)
    return frozenset(found.written)


def _absent(function: FunctionType, parameters: Sequence[Parameter]) -> Iterable[str]:
    """The parameters that are None where they are not given."""
    positional = [p.name for p in parameters if p.kind.startswith("POSITIONAL")]
    pairs = (*zip(reversed(positional), reversed(function.__defaults__ or ()), strict=False),
             *(function.__kwdefaults__ or {}).items())  # fmt: skip
    return (name for name, value in pairs if value is None)


def _given(arg: Arg, path: Path) -> _Value:
    match arg:
        case ArrayArg():
            is_ndarray = arg.category == "ndarray"
            return (_Array(("input", path), len(arg.shape) if is_ndarray else 1 << 10, is_ndarray),)
        case ListArg() | TupleArg():
            return (_Items({k: _given(a, (*path, ("item", k))) for k, a in enumerate(arg.items)}),)
        case DictArg():
            pairs = zip(arg.keys, arg.items, strict=True)
            return (_Items({k: _given(a, (*path, ("item", k))) for k, a in pairs}),)
        case ObjectArg():
            pairs = zip(arg.names, arg.items, strict=True)
            return (_Items({k: _given(a, (*path, ("attr", k))) for k, a in pairs}),)
        case StaticArg(None):
            return (_Known(None),)
        case _:
            return ()


class _Writes:
    """Walks an untyped graph."""

    def __init__(self, function: FunctionType) -> None:
        self._function = function
        self.values: dict[Var, _Value] = {}
        self.written: set[Origin] = set()
        self._truths: dict[Var, bool] = {}
        self._lost: dict[Var, int | None] = {}
        """How many axes an index takes away; None if it gives a copy."""

    def walk(self, graph: Graph) -> None:
        """Note what the bindings of a graph write to."""
        for b in graph.body:
            rule = _RULES.get(b.op.name)
            if rule is not None:
                made = rule(self, b)
                if len(b.outs) == 1 and made:
                    self.values[b.outs[0]] = made
            else:
                for inner in b.graphs if b.op.name != "py_function" else ():
                    self.walk(inner)

    def of(self, atom: Atom) -> _Value:
        """What an atom may be."""
        if isinstance(atom, Var):
            return self.values.get(atom, ())
        return (_Known(None),) if atom.value is None else ()

    def _items(self, value: _Value) -> _Value:
        """What iteration over a value gives."""
        found: list[_Array | _Items | _Known] = []
        for v in value:
            if isinstance(v, _Items):
                found += (item for items in v.items.values() for item in items)
            elif isinstance(v, _Array) and v.rank > 1:
                found.append(_Array(v.origin, v.rank - 1, v.changes))
        return _distinct(found)

    def item(self, b: Binding) -> _Value:
        """`x[k]`"""
        found: list[_Array | _Items | _Known] = []
        key = b.args[1]
        lost = self._lost_to(key)
        for v in self.of(b.args[0]):
            if isinstance(v, _Items):
                known = v.items.get(key.value) if isinstance(key, Literal) and _is_key(key.value) else None
                found += self._items((v,)) if known is None else known
            elif isinstance(v, _Array) and v.changes and lost is not None and v.rank > lost:
                found.append(_Array(v.origin, v.rank - lost, True, v.is_made))
        return _distinct(found)

    def _lost_to(self, key: Atom) -> int | None:
        if isinstance(key, Var):
            return None if any(isinstance(v, _Array) for v in self.of(key)) else self._lost.get(key, 1)
        return int(key.value is not None and key.value is not ...)

    def attribute(self, b: Binding) -> _Value:
        """`x.name`"""
        name = b.params["name"]
        found: list[_Array | _Items | _Known] = []
        for v in self.of(b.args[0]):
            if isinstance(v, _Items):
                found += v.items.get(name, ())
            elif isinstance(v, _Array):
                if name in _WRITING if v.changes else (name.endswith("_") and not name.startswith("_")):
                    found.append(_Known(name, (v,)))
                elif name == "T":
                    found.append(v)
        return _distinct(found)

    def write(self, b: Binding) -> _Value:
        """`x[k] = v`"""
        key = b.args[1]
        is_all = isinstance(key, Literal) and key.value is ...  # needs no place where the array is made here
        self._change(v for v in self.of(b.args[0]) if not (is_all and isinstance(v, _Array) and v.is_made))
        return ()

    def made(self, b: Binding) -> _Value:
        """`x + y`"""
        return (_Array(("made", None, b), 1, True, is_made=True),)

    def inplace(self, b: Binding) -> _Value:
        """`x += y`"""
        value = self.of(b.args[0])
        self._change(v for v in value if isinstance(v, _Array) and v.changes and not v.is_made)
        return value

    def _change(self, value: Iterable[_Array | _Items | _Known]) -> None:
        self.written.update(v.origin for v in value if isinstance(v, _Array))

    def slice_(self, b: Binding) -> _Value:
        """`a:b:c`"""
        self._lost[b.outs[0]] = 0
        return ()

    def display(self, b: Binding) -> _Value:
        """`(x, y)`, also a key"""
        lost = [self._lost_to(a) for a in b.args]
        self._lost[b.outs[0]] = None if None in lost else sum(filter(None, lost))
        return (_Items({k: self.of(a) for k, a in enumerate(b.args)}),) if not b.params.get("stars") else ()

    def global_(self, b: Binding) -> _Value:
        """`name`"""
        name = b.params["name"]
        return (_Known(name),) if name in _ROWS and name not in self._function.__globals__ else ()

    def call(self, b: Binding) -> _Value:
        """`f(x, out=y)`"""
        keywords = b.params.get("keywords") or ()
        for name, arg in zip(reversed(keywords), reversed(b.args), strict=False):
            if name == "out":
                self._change(self.of(arg))
        for called in self.of(b.args[0]):
            if isinstance(called, _Known) and called.of:
                self._change(called.of)
                return called.of
            if isinstance(called, _Known) and isinstance(called.object, str) and not b.params.get("stars"):
                given = [self._items(self.of(a)) for a in b.args[1 : len(b.args) - len(keywords)]]
                if called.object == "zip":
                    return (_Items({None: (_Items(dict(enumerate(given))),)}),)
                if called.object == "enumerate" and given:
                    return (_Items({None: (_Items({0: (), 1: given[0]}),)}),)
                return (_Items({None: given[0]}),) if given else ()
        return self.made(b)

    def unpack(self, b: Binding) -> _Value:
        """`a, b = x`"""
        value = self.of(b.args[0])
        for k, out in enumerate(b.outs):
            self.values[out] = _distinct(
                item
                for v in value
                for item in (v.items[k] if isinstance(v, _Items) and k in v.items else self._items((v,)))
            )
        return self.values[b.outs[0]] if len(b.outs) == 1 else ()

    def loop(self, b: Binding) -> _Value:
        """`for` and `while`"""
        carried = b.args
        if b.op.name == "py_for":
            body = b.graphs[0]
            self.values[body.params[0]] = self._items(self.of(b.args[0]))
            carried = b.args[1:]
        for graph in b.graphs:
            for p, given in zip(graph.params[len(graph.params) - len(carried) :], carried, strict=True):
                self.values[p] = self.of(given)
            self.walk(graph)
        results = b.graphs[-1].results
        results = results[len(results) - len(carried) :]
        for out, given, result in zip(b.outs, carried, results, strict=False):
            self.values[out] = _distinct((*self.of(given), *self.of(result)))
        return self.values.get(b.outs[0], ()) if len(b.outs) == 1 else ()

    def branch(self, b: Binding) -> _Value:
        """`if`"""
        test = b.args[0]
        known = self._truths.get(test) if isinstance(test, Var) else None
        graphs = [g for g, taken in zip(b.graphs, (True, False), strict=True) if known is not (not taken)]
        for graph in graphs:
            self.walk(graph)
        for k, out in enumerate(b.outs):
            self.values[out] = _distinct(v for g in graphs for v in self.of(g.results[k]))
        return self.values.get(b.outs[0], ()) if len(b.outs) == 1 else ()

    def compare(self, b: Binding) -> _Value:
        """`x is None`"""
        if b.params["op"] in ("is", "isnot"):
            sides = [self.of(a) for a in b.args]
            nones = [_is_none(s) for s in sides]
            if None not in nones and any(nones):
                self._truths[b.outs[0]] = all(nones) is (b.params["op"] == "is")
        return ()

    def truth(self, b: Binding) -> _Value:
        """`bool(x)`, `not x`"""
        known = self._truths.get(b.args[0]) if isinstance(b.args[0], Var) else None
        if known is not None:
            self._truths[b.outs[0]] = known if b.op.name == "py_truth" else not known
        return ()


_RULES: Final = {
    "py_getitem": _Writes.item, "py_getattr": _Writes.attribute, "py_setitem": _Writes.write,
    "py_inplace": _Writes.inplace, "py_slice": _Writes.slice_, "py_tuple": _Writes.display, "py_list": _Writes.display,
    "py_global": _Writes.global_, "py_call": _Writes.call, "py_unpack": _Writes.unpack, "py_for": _Writes.loop,
    "py_while": _Writes.loop, "cond": _Writes.branch, "py_compare": _Writes.compare, "py_truth": _Writes.truth,
    "py_not": _Writes.truth, "py_binary": _Writes.made,
}  # fmt: skip


def _is_none(value: _Value) -> bool | None:
    """Whether a value is None, if that is known."""
    if not value:
        return None
    nones = [isinstance(v, _Known) and v.object is None for v in value]
    return nones[0] if all(n == nones[0] for n in nones) else None


def _is_key(value: object) -> bool:
    return isinstance(value, int | str)


def _distinct(values: Iterable[_Array | _Items | _Known]) -> _Value:
    return tuple({v if isinstance(v, _Array) else id(v): v for v in values}.values())
