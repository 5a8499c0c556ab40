"""Checks that a module or graph keeps the IR's rules; the error shows the text with the fault marked in place.

- Scoping: every variable is bound once, before it is used, in a graph that surrounds the use; a module's graphs use
  nothing from outside. So is every symbolic dimension: a variable whose type has it bare as an extent introduces it.
- Types: those of the outputs are what the operator's rule gives; a call agrees with the graph called, with the symbols
  of the callee standing for dimensions of the caller. Untyped graphs are checked for scoping only.
- Linear stacks: every stack is used exactly once on every path, and not by a loop that it comes from outside of.
- Literals are values of their types.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from jitcore.ir.analysis import all_graphs, extents_in, is_bare, symbols_in
from jitcore.ir.control import CALL, COND, SWITCH, TRY, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Module, Var, type_of
from jitcore.ir.printer import to_text
from jitcore.source import InternalError
from jitcore.structs import dataclass
from jitcore.types import (
    STACK,
    Dim,
    ScalarType,
    TensorType,
    Type,
    map_dims,
    substitute_dims,
)

_CONTEXT = 4  # lines of text shown before and after the fault


class VerifyError(InternalError):
    """A graph breaks a rule of the IR; `fault` says which, the message shows where."""

    def __init__(self, fault: str, excerpt: str, after: str) -> None:
        super().__init__(f"invalid IR{f' after {after}' if after else ''}: {fault}\n{excerpt}")
        self.fault = fault


def verify(root: Module | Graph, *, after: str = "") -> None:
    """Check `root`. `after` names the pass it comes from. Raises VerifyError."""
    module = root if isinstance(root, Module) else None
    try:
        if module is not None and module.entry not in module.graphs:
            raise _Fault(f"the entry {module.entry!r} is not a graph of the module", None)
        bound: set[Var] = set()
        for graph in [root] if isinstance(root, Graph) else root.graphs.values():
            typed = not any(a.type is None for g in all_graphs(graph) for a in _atoms(g))
            _Verifier(module, bound, typed).graph(graph)
    except _Fault as fault:
        raise VerifyError(fault.message, _excerpt(root, fault), after) from None


def match_symbols(
    ours: Sequence[Type], theirs: Sequence[Type], known: Mapping[str, Dim] | None = None
) -> dict[str, Dim] | None:
    """What each symbol of the types `ours` (of a callee) stands for where they meet `theirs` (in its caller), beside
    what is `known`; None if the types do not fit."""
    values = dict(known or {})
    if len(ours) != len(theirs):
        return None
    for our, their in zip(ours, theirs, strict=True):
        for our_dim, their_dim in zip(extents_in(our), extents_in(their), strict=False):
            if is_bare(our_dim):
                values.setdefault(str(our_dim), their_dim)
    for our, their in zip(ours, theirs, strict=True):
        if map_dims(our, lambda dim: substitute_dims(dim, values)) is not their:
            return None
    return values


class _Fault(Exception):
    def __init__(self, message: str, where: Binding | Graph | None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where


@dataclass(slots=True)
class _Scope:
    """What one graph brings into scope."""

    variables: set[Var]
    symbols: set[str]


class _Verifier:
    """Checks one graph and those nested in it. `bound` are the variables met so far, in scope or not."""

    def __init__(self, module: Module | None, bound: set[Var], typed: bool) -> None:
        self.module = module
        self.bound = bound
        self.typed = typed
        self.variables: set[Var] = set()  # those in scope
        self.symbols: set[str] = set()
        self.stacks: set[Var] = set()  # those in scope and not used yet

    def graph(self, graph: Graph, *, test: bool = False, ends: bool = True) -> None:
        """Check a graph. The test of a loop need not use the stacks that are carries: the body has them next. What
        never comes to its end need not use any."""
        inside = _Scope(set(), set())
        for param in graph.params:
            self.bind(param, graph, inside)
        for binding in graph.body:
            self.binding(binding, inside)
        for result in graph.results:
            self.use(result, graph)
        unused = inside.variables & self.stacks
        self.stacks -= unused
        for var in unused - set(graph.params if test else ()) if ends else ():
            raise _Fault(f"the stack {var.name} is never used", graph)
        self.variables -= inside.variables
        self.symbols -= inside.symbols

    def binding(self, binding: Binding, inside: _Scope) -> None:
        for arg in binding.args:
            self.use(arg, binding)
        if binding.op.name == "widen":  # gives extents new names
            for dim in binding.params["shape"]:
                if is_bare(dim):
                    self.introduce(str(dim), inside)
        for value in binding.params.values():
            self.need_symbols(symbols_in(value), binding)
        self.nested(binding)
        if self.typed:
            self.check_types(binding)
        name = binding.params.get("symbol")
        if isinstance(name, str):
            self.introduce(name, inside)
        for out in binding.outs:
            self.bind(out, binding, inside)

    def nested(self, binding: Binding) -> None:
        """Check nested graphs, and that all of them use the same stacks of the outside (or none, if not branches)."""
        before = frozenset(self.stacks)
        left: list[set[Var]] = []
        branches = binding.op in (COND, SWITCH, TRY)
        for k, inner in enumerate(binding.graphs):
            self.stacks = set(before)
            ends = binding.op is not TRY or bool(inner.results) or not binding.outs
            self.graph(inner, test=binding.op is WHILE and k == 0, ends=ends)
            if ends:
                left.append(self.stacks)
        if not left:
            return
        for after in left:
            wanted = left[0] if branches else before
            for stack in after ^ wanted:
                how = "by some branches only" if branches else f"inside {binding.op.name}"
                raise _Fault(f"the stack {stack.name} is used {how}", binding)
        self.stacks = left[0]

    # --- variables and symbols ---

    def bind(self, var: Var, where: Binding | Graph, inside: _Scope) -> None:
        if var in self.bound:
            raise _Fault(f"{var.name} is bound twice", where)
        self.bound.add(var)
        self.variables.add(var)
        inside.variables.add(var)
        if var.type is STACK:
            self.stacks.add(var)
        if var.type is not None:
            for dim in extents_in(var.type):
                if is_bare(dim):
                    self.introduce(str(dim), inside)
            self.need_symbols(symbols_in(var.type), where)

    def introduce(self, symbol: str, inside: _Scope) -> None:
        if symbol not in self.symbols:
            self.symbols.add(symbol)
            inside.symbols.add(symbol)

    def need_symbols(self, symbols: frozenset[str], where: Binding | Graph) -> None:
        for symbol in symbols - self.symbols:
            raise _Fault(f"the dimension {symbol} is not known here", where)

    def use(self, atom: Atom, where: Binding | Graph) -> None:
        if isinstance(atom, Literal):
            fault = self.typed and _literal_fault(atom)
            if fault:
                raise _Fault(fault, where)
        elif atom not in self.variables:
            raise _Fault(f"{atom.name} is {'out of scope' if atom in self.bound else 'not bound'} here", where)
        elif atom.type is STACK:
            if atom not in self.stacks:
                raise _Fault(f"the stack {atom.name} is used twice", where)
            self.stacks.remove(atom)

    # --- types ---

    def check_types(self, binding: Binding) -> None:
        given = tuple(out.type for out in binding.outs)
        try:
            found = binding.op.result_types(binding)
        except Exception as error:
            raise _Fault(f"{binding.op.name}: {type(error).__name__}: {error}", binding) from error
        if found != given:
            raise _Fault(f"{binding.op.name} gives {_types_text(found)}, not {_types_text(given)}", binding)
        if binding.op is CALL and self.module is not None:
            self.check_call(binding, self.module)

    def check_call(self, binding: Binding, module: Module) -> None:
        name = binding.params["callee"]
        callee = module.graphs.get(name)
        if callee is None:
            raise _Fault(f"the module has no graph {name!r}", binding)
        params = [type_of(p) for p in callee.params]
        args = [type_of(a) for a in binding.args]
        values = match_symbols(params, args)
        if values is None:
            raise _Fault(f"{name} takes {_types_text(params)}, not {_types_text(args)}", binding)
        outs = [type_of(out) for out in binding.outs]
        if match_symbols(callee.result_types, outs, values) is None:
            raise _Fault(f"{name} gives {_types_text(callee.result_types)}, not {_types_text(outs)}", binding)


def _literal_fault(literal: Literal) -> str:
    value, type_ = literal.value, literal.type
    if isinstance(type_, ScalarType) or (isinstance(type_, TensorType) and not type_.shape):
        dtype = type_.dtype
        python = {"b": bool, "i": int, "u": int, "f": float, "c": complex}[dtype.kind]
        try:
            fits = type(value) is python and (value != value or dtype.numpy.type(value).item() == value)
        except OverflowError:
            fits = False
        return "" if fits else f"{value!r} ({type(value).__name__}) is not a {type_!r}"
    if isinstance(type_, TensorType) and isinstance(value, np.ndarray):
        fits = value.shape == type_.shape and value.dtype == type_.dtype.numpy
        return "" if fits else f"an array {value.dtype}{value.shape} is not a {type_!r}"
    return ""


def _atoms(graph: Graph) -> Iterator[Atom]:
    yield from graph.params
    for binding in graph.body:
        yield from binding.outs
        yield from binding.args
    yield from graph.results


def _types_text(types: Sequence[Type | None]) -> str:
    return f"({', '.join(map(repr, types))})"


def _excerpt(root: Module | Graph, fault: _Fault) -> str:
    """The lines of text around the fault, which is underlined."""
    if fault.where is None:
        return ""
    text = to_text(root, spans=False)
    lines = text.text.splitlines()
    at = text.lines[fault.where]
    indent = len(lines[at]) - len(lines[at].lstrip())
    mark = f"    {' ' * indent}{'^' * (len(lines[at]) - indent)} {fault.message}"
    before = [f"    {line}" for line in lines[max(at - _CONTEXT, 0) : at]]
    after = [f"    {line}" for line in lines[at + 1 : at + 1 + _CONTEXT]]
    return "\n".join([*before, f"  > {lines[at]}", mark, *after])
