"""Runs the text form of typed modules as the Python it is, with NumPy references for the primitives.

    run_text(to_text(module), [np.ones(3), 2])

A ref is the NumPy array it views, a stack a list, a union a pair of tag and parts. Dimensions get their values as the
variables that introduce them are bound.
"""

from __future__ import annotations
import __future__

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jitcore.ir.expressions import read_type
from jitcore.ir.printer import MARKERS, Text
from jitcore.primitives.core.registry import PRIMITIVES, Primitive
from jitcore.primitives.ops.state import attempting, handling
from jitcore.types import (
    DTYPES,
    NONE,
    STACK,
    UNDEFINED,
    DimExpr,
    DType,
    FunctionType,
    ObjectType,
    RefType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    bool_,
    dim_max,
    dim_min,
    evaluate_dim,
    symbol,
)


def run_text(text: Text | str, args: Sequence[Any], table: Mapping[str, Any] | None = None) -> Any:
    """Execute the text and call its entry: the result, a tuple of several, or `()` for none."""
    source = str(text)
    constants = dict(text.table if isinstance(text, Text) else table or {})
    entry = re.search(r"^# entry (\w+)$", source, re.MULTILINE) or re.search(r"^def (\w+)", source, re.MULTILINE)
    if entry is None:
        raise ValueError("the text has no function")
    run = _Run()
    tree = _NoteDimensions(source.splitlines()).visit(ast.parse(source))
    names: dict[str, Any] = {**_words(), **run.words(), **constants}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in names:
            names[node.id] = symbol(node.id)  # if it is a variable, Python finds that first
    code = compile(ast.fix_missing_locations(tree), "<ir>", "exec", dont_inherit=True, flags=_annotations_as_text())
    exec(code, names)
    run.functions = names
    return names[entry[1]](*args)


def _annotations_as_text() -> int:
    return __future__.annotations.compiler_flag


class _NoteDimensions(ast.NodeTransformer):
    """Calls `_bound('type', variable)` after each variable is bound, so that dimensions get their values."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        notes = [_note(arg.arg, ast.unparse(arg.annotation)) for arg in node.args.args if arg.annotation]
        node.body[:0] = notes
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        if node.value is None:
            return [node]
        return [node, _note(ast.unparse(node.target), ast.unparse(node.annotation))]

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        comment = re.search(r"#: -> \((.*?)\)(?:;|$)", self.lines[node.lineno - 1])
        (targets,) = node.targets
        if comment is None or not isinstance(targets, ast.Tuple):
            return [node]
        types = ast.parse(f"({comment[1]},)", mode="eval").body
        assert isinstance(types, ast.Tuple)
        pairs = zip(targets.elts, types.elts, strict=True)
        return [node, *(_note(ast.unparse(target), ast.unparse(type_)) for target, type_ in pairs)]


def _note(name: str, type_: str) -> ast.stmt:
    return ast.parse(f"_bound({type_!r}, {name})").body[0]


class _Run:
    """One execution: the values of dimensions, and what the operators' names mean."""

    def __init__(self) -> None:
        self.dims: dict[str, int] = {}
        self.types: dict[str, Type] = {}
        self.functions: Mapping[str, Any] = {}

    def words(self) -> dict[str, Any]:
        control: dict[str, Callable[..., Any]] = {
            "cond": lambda then, other, pred: then() if pred else other(),
            "switch": lambda *args: args[args[-1]](),
            "while_": self.while_,
            "for_": self.for_,
            "call": self.call,
            "fused": lambda body, *args: body(*args),
            "try_": _try,
        }
        operators = {name: self.operator(primitive) for name, primitive in PRIMITIVES.items()}
        return {**operators, **control, "_bound": self.bound}

    def operator(self, primitive: Primitive) -> Callable[..., Any]:
        def run(*args: Any, **params: Any) -> Any:
            static = {key: self.static(value) for key, value in params.items()}
            with np.errstate(all="ignore"):
                made = primitive.reference(*args, **static)
            if primitive.name == "as_dim":
                self.dims[params["symbol"]] = args[0]
            return made[0] if isinstance(made, tuple) and len(made) == 1 else made

        return run

    def static(self, value: Any) -> Any:
        """A static parameter with its dimensions as numbers."""
        if isinstance(value, _DTypeWord):
            return value.dtype
        if isinstance(value, DimExpr):
            return evaluate_dim(value, self.dims)
        if isinstance(value, tuple):
            return tuple(map(self.static, value))
        return value

    def bound(self, type_text: str, value: Any) -> None:
        type_ = self.types.get(type_text)
        if type_ is None:
            type_ = self.types[type_text] = read_type(ast.parse(type_text, mode="eval").body)
        array = type_.target if isinstance(type_, RefType) else type_
        if isinstance(array, TensorType):
            for dim, extent in zip(array.shape, np.shape(value), strict=True):
                if isinstance(dim, DimExpr) and str(dim) in dim.symbols:
                    self.dims[str(dim)] = extent

    def while_(self, test: Callable[..., Any], body: Callable[..., Any], *carries: Any) -> Any:
        while test(*carries):
            carries = _several(body(*carries), len(carries))
        return carries[0] if len(carries) == 1 else carries

    def for_(self, body: Callable[..., Any], count: int, *carries: Any) -> Any:
        for i in range(count):
            carries = _several(body(i, *carries), len(carries))
        return carries[0] if len(carries) == 1 else carries

    def call(self, *args: Any, callee: str) -> Any:
        ours = dict(self.dims)  # the callee has dimensions of the same names
        made = self.functions[callee](*args)
        self.dims = ours
        return made


def _several(values: Any, count: int) -> tuple[Any, ...]:
    return (values,) if count == 1 else values


def _try(body: Callable[[], Any], *handlers: Callable[[], Any], names: tuple[tuple[str, ...], ...]) -> Any:
    with attempting() as committed:
        try:
            return body()
        except BaseException as raised:
            if committed:
                raise
            error = raised
    kinds: set[Any] = {*type(error).__mro__, *(kind.__name__ for kind in type(error).__mro__)}
    for handler, caught in zip(handlers, names, strict=True):
        if kinds & set(caught):
            with handling(error):
                return handler()
    raise error


class _DTypeWord:
    """A dtype's name: the dtype among static parameters, `f32(0.5)` a rank-0 array, `f32[n]` a type."""

    def __init__(self, dtype: DType) -> None:
        self.dtype = dtype

    def __call__(self, value: Any) -> Any:
        return np.asarray(value, self.dtype.numpy)

    def __getitem__(self, shape: Any) -> Type:
        return TensorType(self.dtype, shape if isinstance(shape, tuple) else (shape,))


class _TypeWord:
    """A type written with brackets."""

    def __init__(self, make: Callable[[tuple[Any, ...]], Type]) -> None:
        self.make = make

    def __getitem__(self, items: Any) -> Type:
        return self.make(items if isinstance(items, tuple) else (items,))


def _scalar(items: tuple[Any, ...]) -> Type:
    return ScalarType(bool_ if items[0] is bool else items[0].dtype)


def _words() -> dict[str, Any]:
    """What the names of the text form mean as Python objects."""
    return {
        **{name: _DTypeWord(dtype) for name, dtype in DTYPES.items()},
        **MARKERS,
        "inf": np.inf,
        "nan": np.nan,
        "complex": complex,
        "max": dim_max,
        "min": dim_min,
        "none": NONE,
        "undefined": UNDEFINED,
        "stack": STACK,
        "bool": bool,
        "scalar": _TypeWord(_scalar),
        "ref": _TypeWord(lambda items: RefType(items[0])),
        "union": _TypeWord(lambda items: UnionType(tuple(map(_member, items)))),
        "tuple": _TypeWord(lambda items: TupleType(tuple(map(_member, items)))),
        "function": _TypeWord(lambda items: FunctionType(items[0].items, items[1].items)),
        "object": _TypeWord(lambda items: ObjectType(items[0])),
    }


def _member(item: Any) -> Type:
    """A type inside another: a bare dtype is a Python number's there."""
    if item is bool:
        return ScalarType(bool_)
    return ScalarType(item.dtype) if isinstance(item, _DTypeWord) else item
