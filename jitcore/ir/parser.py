"""Reads the text form of modules that `ir.printer` writes (its docstring describes it).

Every binding, head of a function and `return` is one line. Indentation is only compared, so graphs may be nested
deeper than Python itself would read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any, Final

from jitcore.ir.control import CONTROL_OPS
from jitcore.ir.expressions import ExpressionError, read_literal, read_type, read_value
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Module, Op, Var
from jitcore.ir.python import PYTHON_OPS, FunctionSource
from jitcore.source import NOWHERE, Span
from jitcore.structs import dataclass, field, replace
from jitcore.types import Type


class TextError(ValueError):
    """The text is not IR; `line` counts from 1."""

    def __init__(self, line: int, text: str, message: str) -> None:
        super().__init__(f"line {line}: {message}\n    {text.strip()}")
        self.line = line


def parse(text: str, ops: Mapping[str, Op], table: Mapping[str, Any] | None = None) -> Module:
    """The module that `text` describes. `ops` are the primitives by name (control flow and Python's own operators are
    known), `table` the constants without a literal (`Text.table`). Raises TextError."""
    return _Parser(text, {**ops, **CONTROL_OPS, **PYTHON_OPS}, table or {}).module()


@dataclass(slots=True)
class _Line:
    number: int
    indent: int
    text: str
    node: ast.stmt | None = None
    comment: str = ""


@dataclass(slots=True)
class _Open:
    """A graph being read."""

    name: str
    line: _Line
    span: Span
    params: tuple[Var, ...]
    typed: bool
    body: list[Binding] = field(default_factory=list[Binding])
    graphs: dict[str, Graph] = field(default_factory=dict[str, Graph])
    shadowed: dict[str, Var | None] = field(default_factory=dict[str, "Var | None"])


class _Parser:
    def __init__(self, text: str, ops: Mapping[str, Op], table: Mapping[str, Any]) -> None:
        self.ops = ops
        self.table = table
        self.files: dict[str, str] = {}
        self.entry = ""
        self.constants: dict[str, Type] = {}
        self.variables: dict[str, Var] = {}
        self.open: list[_Open] = []
        self.graphs: dict[str, Graph] = {}
        self.lines = self.read_lines(text)
        self.line = _Line(0, 0, "")

    def module(self) -> Module:
        for line in self.lines:
            self.line = line
            try:
                self.statement(line)
            except (ExpressionError, SyntaxError) as error:
                raise self.error(str(error)) from None
        if self.open:
            raise self.error(f"the function {self.open[-1].name} has no return")
        if not self.graphs:
            raise self.error("there is no function")
        entry = self.entry or next(iter(self.graphs))
        if entry not in self.graphs:
            raise self.error(f"there is no entry {entry}")
        return Module(entry, self.graphs)

    def error(self, message: str) -> TextError:
        return TextError(self.line.number, self.line.text, message)

    # --- lines ---

    def read_lines(self, text: str) -> list[_Line]:
        """The lines with their statements, parsed all at once as if none were indented."""
        lines: list[_Line] = []
        flat: list[str] = []
        at: dict[int, _Line] = {}
        for number, raw in enumerate(text.splitlines(), 1):
            stripped = raw.strip()
            if stripped.startswith("#"):
                self.header(stripped)
            elif stripped:
                line = _Line(number, len(raw) - len(raw.lstrip(" ")), stripped)
                lines.append(line)
                flat.append(stripped)
                at[len(flat)] = line
                if stripped.startswith("def "):
                    flat.append(" pass")
        try:
            tree = ast.parse("\n".join(flat))
        except SyntaxError as error:
            line = at.get(error.lineno or 0) or at.get((error.lineno or 0) - 1) or _Line(0, 0, text)
            raise TextError(line.number, line.text, error.msg) from None
        for node in tree.body:
            line = at.get(node.lineno)
            if line is None or line.node is not None:
                line = lines[0] if line is None else line
                raise TextError(line.number, line.text, "there is more than one statement")
            line.node = node
            line.comment = _comment(line.text, node)
        for line in lines:
            if line.node is None:
                raise TextError(line.number, line.text, "this is not a statement of its own")
        return lines

    def header(self, comment: str) -> None:
        if match := re.fullmatch(r"# file (\S+) = (.*)", comment):
            self.files[match[1]] = ast.literal_eval(match[2])
        elif match := re.fullmatch(r"# entry (\w+)", comment):
            self.entry = match[1]

    def statement(self, line: _Line) -> None:
        if self.open and line.indent <= self.open[-1].line.indent:
            raise self.error(f"the function {self.open[-1].name} has no return")
        match line.node:
            case ast.FunctionDef() as node:
                self.head(node, line)
            case ast.AnnAssign(ast.Name(name), annotation, None) if not self.open:
                self.constants[name] = read_type(annotation)
            case ast.Return(value) if self.open:
                self.close(value)
            case ast.AnnAssign(ast.Name(name), annotation, ast.Call() as call) if self.open:
                self.binding([name], [read_type(annotation)], call, line)
            case ast.Assign([ast.Name(name)], ast.Call() as call) if self.open:
                self.binding([name], None, call, line)
            case ast.Assign([ast.Tuple(targets)], ast.Call() as call) if self.open:
                self.binding([ast.unparse(t) for t in targets], None, call, line)
            case ast.Expr(ast.Call() as call) if self.open:
                self.binding([], None, call, line)
            case _:
                raise self.error("this is neither a binding, nor a function, nor a return")

    # --- graphs ---

    def head(self, node: ast.FunctionDef, line: _Line) -> None:
        arguments = node.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs or arguments.defaults:
            raise self.error("a graph has plain parameters only")
        scope = self.open[-1].graphs if self.open else self.graphs
        if node.name in scope:
            raise self.error(f"the function {node.name} is defined twice")
        outer = self.open[-1].span.function if self.open else "<module>"
        span, _, own = self.spans(line.comment, outer)
        new = _Open(node.name, line, span, (), node.returns is not None)
        self.open.append(new)
        new.params = tuple(
            self.bind(arg.arg, None if arg.annotation is None else read_type(arg.annotation), own.get(arg.arg, span))
            for arg in arguments.args
        )

    def bind(self, name: str, type_: Type | None, span: Span) -> Var:
        graph = self.open[-1]
        if name in graph.shadowed:
            raise self.error(f"{name} is bound twice")
        graph.shadowed[name] = self.variables.get(name)
        var = self.variables[name] = Var(name, type_, span)
        return var

    def close(self, value: ast.expr | None) -> None:
        graph = self.open[-1]
        nodes = value.elts if isinstance(value, ast.Tuple) else [] if value is None else [value]
        results = tuple(map(self.atom, nodes))
        if graph.graphs:
            raise self.error(f"the function {next(iter(graph.graphs))} is not used")
        self.open.pop()
        for name, outer in graph.shadowed.items():
            if outer is None:
                del self.variables[name]
            else:
                self.variables[name] = outer
        scope = self.open[-1].graphs if self.open else self.graphs
        scope[graph.name] = Graph(graph.name, graph.params, tuple(graph.body), results, graph.span)

    # --- bindings ---

    def binding(self, names: list[str], types: list[Type] | None, call: ast.Call, line: _Line) -> None:
        graph = self.open[-1]
        op = self.ops.get(ast.unparse(call.func))
        if op is None:
            raise self.error(f"there is no operator {ast.unparse(call.func)}")
        graphs: list[Graph] = []
        args: list[Atom] = []
        for node in call.args:
            if isinstance(node, ast.Name) and node.id in graph.graphs:
                graphs.append(graph.graphs.pop(node.id))
            else:
                args.append(self.atom(node))
        params = {str(k.arg): read_value(k.value, self.table) for k in call.keywords}
        if isinstance(source := params.get("source"), FunctionSource) and len(graphs) == 1:
            params["source"] = replace(source, graph=graphs[0])
        span, noted, own = self.spans(line.comment, graph.span.function)
        out_types: list[Type | None] = [*(types or noted or [None] * len(names))]
        if len(out_types) != len(names):
            raise self.error(f"{len(out_types)} types for {len(names)} outputs")
        outs = tuple(self.bind(n, t, own.get(n, span)) for n, t in zip(names, out_types, strict=True))
        graph.body.append(Binding(outs, op, tuple(args), span, params, tuple(graphs)))

    def atom(self, node: ast.expr) -> Atom:
        if isinstance(node, ast.Name):
            if node.id in self.variables:
                return self.variables[node.id]
            if node.id in self.constants:
                if node.id not in self.table:
                    raise self.error(f"the table has no {node.id}")
                return Literal(self.table[node.id], self.constants[node.id])
        return read_literal(node, self.table, self.open[-1].typed)

    # --- comments ---

    def spans(self, comment: str, function: str) -> tuple[Span, list[Type | None] | None, dict[str, Span]]:
        """What `#:` says: the span, the types of the outputs, the spans of variables that have their own."""
        types: list[Type | None] | None = None
        span: Span | None = None
        own: dict[str, Span] = {}
        for part in filter(None, map(str.strip, _FIELDS.findall(comment))):
            if part.startswith("->"):
                tree = ast.parse(part[2:].strip(), mode="eval").body
                items = tree.elts if isinstance(tree, ast.Tuple) else [tree]
                types = [None if isinstance(i, ast.Name) and i.id == "_" else read_type(i) for i in items]
            elif span is None:
                span = self.chain(part, function)
            else:
                name, _, place = part.partition(" ")
                own[name] = self.beside(place, span, function)
        return span or NOWHERE, types, own

    def chain(self, text: str, function: str) -> Span:
        span: Span | None = None
        for frame in reversed(text.split(" < ")):
            match = _SPAN.fullmatch(frame)
            if match is None:
                raise self.error(f"{frame!r} is not a span")
            line, column, end_line, end_column = (int(match[i]) for i in range(2, 6))
            file = self.files.get(match[1], match[1])
            span = Span(file, line, column, end_line, end_column, match[6] or function, span)
        assert span is not None
        return span

    def beside(self, text: str, base: Span, function: str) -> Span:
        match = _EXTENT.fullmatch(text)
        if match is None:
            return self.chain(text, function)
        line, column, end_line, end_column = (int(match[i]) for i in range(1, 5))
        return Span(base.file, line, column, end_line, end_column, base.function, base.caller)


_FIELDS: Final = re.compile(r"""(?:'[^']*'|"[^"]*"|[^;'"])+""")
_SPAN: Final = re.compile(r"(.+?):(\d+):(\d+)-(\d+):(\d+)(?: in (.+))?")
_EXTENT: Final = re.compile(r"(\d+):(\d+)-(\d+):(\d+)")


def _comment(text: str, node: ast.stmt) -> str:
    """What follows `#:` after a statement."""
    if not isinstance(node, ast.FunctionDef):
        rest = text.encode()[node.end_col_offset :].decode()
    else:
        last = node.returns or (node.args.args[-1] if node.args.args else None)
        rest = text.encode()[last.end_col_offset :].decode() if last else text[text.index("(") + 1 :]
        rest = re.sub(r"^[,)\s]*:", "", rest)
    return rest.strip().removeprefix("#:")
