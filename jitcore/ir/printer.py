"""Prints modules and graphs as text: restricted Python that `ir.parser` reads back and `testing.run_text` runs.

    # file demo.py = '/home/me/demo.py'
    c: f32[8]
    def f(x: f32[n, 8], k: i64) -> f32[n, 8]:  #: demo.py:3:0-9:15 in f; x 3:6-7; k 3:9-10
        h: f32[n, 8] = maximum(x, f32(0.0))  #: 4:9-23
        def more(i: i64, acc: f32[n, 8]) -> bool:  #: 6:4-8:20
            less: bool = int_lt(i, k)  #: 6:10-15
            return less
        def step(i: i64, acc: f32[n, 8]) -> (i64, f32[n, 8]):  #: 6:4-8:20
            acc_1: f32[n, 8] = add(acc, c)  #: lib.py:7:9-30 in g < demo.py:7:8-12
            i_1: i64 = int_add(i, 1)  #: 8:9-13
            return i_1, acc_1
        i_2, out = while_(more, step, 0, h)  #: -> (i64, f32[n, 8]); 6:4-8:20
        return out

- Nested graphs are nested functions, given first among the arguments; static parameters are keywords.
- A Python scalar is bare, a rank-0 array has its dtype's name around it. In untyped graphs nothing is annotated and any
  constant is a literal or a name.
- What has no literal (arrays, objects) is a name; `Text.table` has its value, and a line before the functions its type.
- After `#:` stand, separated by `; `: `->` and the types of the outputs if there is not exactly one; the span, with
  ` in ` and the function it stands in where that is not the one of the graph's own span, then ` < ` and the caller's
  span, and so on; spans of parameters and outputs that have their own. Where file, function and callers are those of
  the graph's span (of the binding's), they are left out; so is the line of an end on the line of the start. Without
  `#:` all of them are NOWHERE.
"""

from __future__ import annotations

import keyword
import math
import re
import struct
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from pathlib import PurePath
from typing import Any, Final, cast

import numpy as np

from jitcore.ir.analysis import all_graphs, free_variables, symbols
from jitcore.ir.control import CALL, CONTROL_OPS
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Module, Var
from jitcore.ir.python import PYTHON_OPS, FunctionSource, Marker
from jitcore.lookup import attribute_of
from jitcore.source import NOWHERE, Span
from jitcore.structs import dataclass
from jitcore.types import DTYPES, DimExpr, DType, NoneType, ScalarType, TensorType, Type, UndefinedType, f64

OUTSIDE: Final = Span("", 0, 0, 0, 0)
"""What stands around the functions of a text."""
MARKERS: Final[Mapping[str, Marker]] = {f"py_{marker.name.lower()}": marker for marker in Marker}
_WORDS_OF_TYPES = "bool none undefined stack ref union tuple function object scalar"
_WORDS_OF_VALUES = "inf nan complex max min"
RESERVED: Final = frozenset(
    {*keyword.kwlist, *DTYPES, *_WORDS_OF_TYPES.split(), *_WORDS_OF_VALUES.split(), *CONTROL_OPS, *PYTHON_OPS, *MARKERS}
)


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """Printed IR: the text, the values of the names in it that stand for constants, and the line (from 0) of
    every binding and of every graph's head."""

    text: str
    table: Mapping[str, Any]
    lines: Mapping[Binding | Graph, int]

    def __str__(self) -> str:
        return self.text


def to_text(root: Module | Graph, *, spans: bool = True, reserved: Collection[str] = ()) -> Text:
    """Print a module or a graph. `reserved` are further names that variables must not have."""
    module = root if isinstance(root, Module) else Module(root.name, {root.name: root})
    return _Printer(module, spans, reserved).print()


class Namer:
    """Gives out names that are unique among the reserved ones and those given out in the scopes still open."""

    def __init__(self, reserved: Iterable[str]) -> None:
        self.taken = set(reserved)
        self._last: dict[str, int] = {}
        self._given: list[tuple[str, str, int]] = []
        self._marks: list[int] = []

    def fresh(self, hint: str) -> str:
        """`hint`, made an identifier; where that is taken, `hint_1`, `hint_2` …"""
        name = hint if hint.isidentifier() else identifier(hint)
        base, last = "", 0
        if name in self.taken:
            base = re.sub(r"_\d*$", "", name) or name
            number = last = self._last.get(base, 0)
            while name in self.taken:
                number += 1
                name = f"{base}_{number}"
            self._last[base] = number
        self.taken.add(name)
        self._given.append((name, base, last))
        return name

    def open(self) -> None:
        """Begin a scope."""
        self._marks.append(len(self._given))

    def close(self) -> None:
        """End the innermost scope: its names are free again."""
        mark = self._marks.pop()
        for name, base, last in reversed(self._given[mark:]):
            self.taken.remove(name)
            if base:
                self._last[base] = last
        del self._given[mark:]


def identifier(text: str) -> str:
    """`text` with what an identifier cannot have replaced: `a.b` is `a_b`."""
    name = re.sub(r"\W+", "_", text).strip("_") or "v"
    return name if name.isidentifier() else f"v_{name}"


@lru_cache(maxsize=256)
def _short_name(file: str) -> str:
    return re.sub(r"[^\w.<>\-]", "_", PurePath(file).name) or "_"


class _Printer:
    def __init__(self, module: Module, spans: bool, reserved: Collection[str]) -> None:
        self.module = module
        self.spans = spans
        self.out: list[str] = []
        self.names: dict[Var, str] = {}
        self.lines: dict[Binding | Graph, int] = {}
        self.type_texts: dict[Type, str] = {}
        self.constants: dict[tuple[int, Type | None], str] = {}
        self.table: dict[str, Any] = {}
        self.declarations: list[str] = []
        self.files: dict[str, str] = {}
        graphs = list(all_graphs(module))
        operators = {binding.op.name for graph in graphs for binding in graph.body}
        self.namer = Namer(RESERVED | operators | symbols(module) | set(reserved))
        self.graph_names = {name: self.namer.fresh(name) for name in module.graphs}
        self.typed = not any(_is_untyped(graph) for graph in graphs)
        for graph in graphs:
            self._note_constants(graph)
        if spans:
            self._note_files(graphs)

    def print(self) -> Text:
        names = {short: file for file, short in self.files.items() if short != file}
        self.out += [f"# file {short} = {file!r}" for short, file in names.items()]
        if self.graph_names and self.module.entry != next(iter(self.module.graphs)):
            self.out.append(f"# entry {self.graph_names[self.module.entry]}")
        self.out += self.declarations
        for name, graph in self.module.graphs.items():
            self.names = {}
            self.namer.open()
            for var in free_variables(graph):
                self._define(var)
            self._graph(graph, self.graph_names[name], "", OUTSIDE)
            self.namer.close()
        return Text("\n".join(self.out) + "\n", self.table, self.lines)

    # --- what must be known before printing ---

    def _note_constants(self, graph: Graph) -> None:
        for binding in graph.body:
            for arg in binding.args:
                if isinstance(arg, Literal):
                    self._note_literal(arg)
            for value in binding.params.values():
                self._note_value(value)
        for result in graph.results:
            if isinstance(result, Literal):
                self._note_literal(result)

    def _note_literal(self, literal: Literal) -> None:
        if literal.type is None:
            self._note_value(literal.value)
        elif typed_literal(literal.value, literal.type) is None:
            self._name_constant(literal.value, literal.type)

    def _note_value(self, value: Any) -> None:
        if type(value) is tuple:
            for item in cast("tuple[Any, ...]", value):
                self._note_value(item)
        elif plain_value(value) is None:
            self._name_constant(value, None)

    def _name_constant(self, value: Any, type_: Type | None) -> None:
        if (id(value), type_) not in self.constants:
            name = self.namer.fresh(_constant_hint(value))
            self.constants[id(value), type_] = name
            self.table[name] = value
            if type_ is not None:
                self.declarations.append(f"{name}: {self._type(type_)}")

    def _note_files(self, graphs: list[Graph]) -> None:
        seen: set[Span] = set()
        short_names = Namer(())
        for graph in graphs:
            own = [graph.span, *(p.span for p in graph.params)]
            last = None
            for span in (*own, *(s for b in graph.body for s in (b.span, *(out.span for out in b.outs)))):
                if span is last or span in seen:
                    continue
                last = span
                seen.add(span)
                for frame in span.frames():
                    if frame.file not in self.files:
                        self.files[frame.file] = _fresh_file(_short_name(frame.file), short_names.taken)

    # --- printing ---

    def _graph(self, graph: Graph, name: str, indent: str, around: Span) -> None:
        self.namer.open()
        params = ", ".join(
            self._define(p) if p.type is None else f"{self._define(p)}: {self._type(p.type)}" for p in graph.params
        )
        arrow = f" -> {self._types(r.type for r in graph.results)}" if self.typed else ""
        self.lines[graph] = len(self.out)
        self.out.append(f"{indent}def {name}({params}){arrow}:{self._comment(graph.span, graph.params, around)}")
        indent += "    "
        for binding in graph.body:
            names: list[str] = []
            for inner in binding.graphs:  # one Python frame a level of nesting
                names.append(self.namer.fresh(inner.name))
                self._graph(inner, names[-1], indent, graph.span)
            self.lines[binding] = len(self.out)
            self.out.append(indent + self._binding(binding, names, graph.span))
        self.out.append(f"{indent}return {', '.join(map(self._atom, graph.results)) or '()'}")
        self.namer.close()

    def _binding(self, binding: Binding, graphs: list[str], around: Span) -> str:
        args = [*graphs, *map(self._atom, binding.args)]
        for key, value in binding.params.items():
            if binding.op is CALL and key == "callee":
                value = self.graph_names.get(value, value)
            args.append(f"{key}={self._value(value)}")
        call = f"{binding.op.name}({', '.join(args)})"
        outs = binding.outs
        left = ", ".join(map(self._define, outs))
        if len(outs) == 1 and outs[0].type is not None:
            left += f": {self._type(outs[0].type)}"
        types = f"-> {self._types(out.type for out in outs)}" if len(outs) > 1 and self.typed else ""
        statement = f"{left} = {call}" if outs else call
        return statement + self._comment(binding.span, outs, around, types)

    def _define(self, var: Var) -> str:
        name = self.names.get(var)
        if name is None:
            name = self.names[var] = self.namer.fresh(var.name)
        return name

    def _atom(self, atom: Atom) -> str:
        if isinstance(atom, Var):
            return self.names.get(atom) or self._define(atom)
        if atom.type is None:
            return self._value(atom.value)
        name = self.constants.get((id(atom.value), atom.type))
        if name is not None:
            return name
        text = typed_literal(atom.value, atom.type)
        assert text is not None
        return f"scalar[{text}]" if isinstance(atom.type, ScalarType) and not self.typed else text

    def _value(self, value: Any) -> str:
        if type(value) is tuple:
            items = list(map(self._value, cast("tuple[Any, ...]", value)))
            return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        return plain_value(value) or self.constants[id(value), None]

    def _type(self, type_: Type) -> str:
        text = self.type_texts.get(type_)
        if text is None:
            text = self.type_texts[type_] = repr(type_)
        return text

    def _types(self, types: Iterable[Type | None]) -> str:
        texts = ["_" if t is None else self._type(t) for t in types]
        return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"

    def _comment(self, span: Span, variables: tuple[Var, ...], around: Span, types: str = "") -> str:
        fields = [types] if types else []
        if self.spans:
            own = [var for var in variables if var.span is not span and var.span != span]
            if own or (span is not NOWHERE and span != NOWHERE):
                fields.append(self._span_beside(span, around, around.function))
            if own:
                fields += [f"{self.names[var]} {self._span_beside(var.span, span, around.function)}" for var in own]
        return f"  #: {'; '.join(fields)}" if fields else ""

    def _span(self, span: Span, function: str) -> str:
        return " < ".join(
            f"{self.files[s.file]}:{_extent(s)}" + ("" if s.function == function else f" in {s.function}")
            for s in span.frames()
        )

    def _span_beside(self, span: Span, base: Span, function: str) -> str:
        same = span.file == base.file and span.function == base.function
        same = same and (span.caller is base.caller or span.caller == base.caller)
        return _extent(span) if same else self._span(span, function)


def _extent(span: Span) -> str:
    end = span.end_column if span.end_line == span.line else f"{span.end_line}:{span.end_column}"
    return f"{span.line}:{span.column}-{end}"


def _fresh_file(short: str, taken: set[str]) -> str:
    stem, dot, suffix = short.rpartition(".")
    name, number = short, 1
    while name in taken:
        number += 1
        name = f"{stem}~{number}{dot}{suffix}"
    taken.add(name)
    return name


def _is_untyped(graph: Graph) -> bool:
    for binding in graph.body:
        for atom in (*binding.outs, *binding.args):
            if atom.type is None:
                return True
    return any(atom.type is None for atom in (*graph.params, *graph.results))


def _constant_hint(value: Any) -> str:
    if isinstance(value, np.ndarray | np.generic):
        return "c"
    if isinstance(value, FunctionSource):
        return f"{identifier(value.name)}_source"
    name = attribute_of(value, "__name__", None)
    return identifier(name if isinstance(name, str) else type(value).__name__.lower())


# --- values as text; None where there is no literal --------------------------------------------------


def plain_value(value: Any) -> str | None:
    """A value that is not a tuple as an expression; None if only a name can stand for it."""
    kind = cast("type[Any]", type(value))  # exact types: a subclass is not what its literal gives
    if kind is float:
        return _float(value)
    if kind is complex:
        return _complex(value)
    if value is None or kind in (bool, int, str, bytes):
        return repr(value)
    if isinstance(value, ScalarType):
        return f"scalar[{value!r}]"
    if isinstance(value, DType | DimExpr | Type):
        return repr(value)
    if isinstance(value, Marker):
        return f"py_{value.name.lower()}"
    return "..." if value is ... else None


def typed_literal(value: Any, type_: Type) -> str | None:
    """A constant of a known type as an expression; None if only a name can stand for it."""
    if isinstance(type_, NoneType):
        return "None" if value is None else None
    if isinstance(type_, UndefinedType):
        return plain_value(value) if value is Marker.UNDEFINED_VALUE else None
    if isinstance(type_, ScalarType):
        return _number(value, type_.dtype)
    if isinstance(type_, TensorType) and not type_.shape:
        text = _number(value, type_.dtype)
        return text and f"{type_.dtype.name}({text})"
    return None


def _number(value: Any, dtype: DType) -> str | None:
    number: Any = cast("np.generic", value).item() if isinstance(value, np.generic) else value
    allowed = {"b": (bool,), "i": (int,), "u": (int,), "f": (int, float), "c": (int, float, complex)}[dtype.kind]
    if type(number) not in allowed:
        return None
    if dtype.kind == "c":
        return _complex(complex(number))
    if dtype.kind != "f":
        return repr(number)
    return _float(float(number), dtype)


def _float(value: float, dtype: DType = f64) -> str | None:
    if math.isnan(value):
        if struct.pack("<d", abs(value)) != struct.pack("<d", math.nan):
            return None  # a payload: no literal has it
        return "-nan" if math.copysign(1.0, value) < 0 else "nan"
    if math.isinf(value):
        return "-inf" if value < 0 else "inf"
    if dtype is not f64:
        with np.errstate(over="ignore"):
            rounded = dtype.numpy.type(value)
        if float(rounded) == value:
            return str(rounded)  # the shortest text that gives this number in this dtype
    return repr(value)


def _complex(value: complex) -> str | None:
    real, imag = _float(value.real), _float(value.imag)
    return f"complex({real}, {imag})" if real and imag else None
