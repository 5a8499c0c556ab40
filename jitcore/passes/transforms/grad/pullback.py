"""A graph and its way back, as two modules that are compiled apart: a call runs the first, and the second if gradients
are asked for later.

Before:

    def f(x: f64, y: f64) -> f64:
        a: f64 = float_mul(x, y)
        b: f64 = float_mul(a, a)
        return b

After, by x:

    def f(x: f64, y: f64) -> (f64, f64):
        a: f64 = float_mul(x, y)
        b: f64 = float_mul(a, a)
        return b, a

    def f_back(y: f64, a: f64, ct: f64) -> f64:
        c: f64 = float_mul(ct, a)
        d: f64 = float_add(c, c)
        e: f64 = float_mul(d, y)
        return e

What the way back needs of the way there are its *residuals*: parameters and results of the graph, and variables that
become further results of the first module; what loops and branches keep stays on the stack that they have it on. Views,
and what is made of numbers alone, are made again on the way back, so that residuals are the arrays that memory was
written for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from jitcore.ir.analysis import EffectAnalysis, all_bindings, extents_in, free_variables, is_bare, symbols_in, uses
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import TRY
from jitcore.ir.nodes import Atom, Binding, Graph, Module, Var, type_of
from jitcore.ir.rewrite import clone
from jitcore.passes.transforms.grad.reverse import Reverse
from jitcore.primitives.core.evaluation import evaluating_by
from jitcore.primitives.core.registry import Primitive, View
from jitcore.primitives.ops import conversions
from jitcore.primitives.tracing import GraphEvaluator
from jitcore.source import CompileError, Problem, Span
from jitcore.structs import dataclass
from jitcore.types import INT, RefType, ScalarType, StackType, TensorType, symbol


@dataclass(frozen=True, slots=True)
class Residual:
    """Where what the way back needs comes from: a parameter of the graph, a result of it, or a further result."""

    source: str
    """`input`, `result`, `kept` or `stack`."""
    index: int
    shared: int | None = None
    """Of what is kept: a result of the graph's that shares its memory."""


class Pullback:
    """A module whose entry is differentiated by the parameters `active`; `categories` are those of its results that are
    arrays of their own (`domain.signature.ResultArray`). Raises CompileError where that cannot be.

    `backward` is the way back, to be optimised; then `forward` gives the way there. Its parameters are the residuals,
    then the cotangents of the results `outputs`; its results are the cotangents of those active parameters that any
    come to, by their numbers among the active: `reached`.
    """

    def __init__(self, module: Module, active: Sequence[int], categories: Mapping[int, str]) -> None:
        self._module = module
        self._written = written = _Written(module, active, categories)
        if written.stack is not None and any(b.op is TRY for b in all_bindings(module)):
            raise _refusal(module.main.span, "the way back, later on, through loops or branches and `try`")
        body, self._crossing = written.again()
        self.outputs = tuple(sorted(written.cotangents))
        self.reached = written.reached
        name = f"{module.main.name}_back"
        params = (*self._crossing, *(written.cotangents[k] for k in self.outputs))
        back = clone(Graph(name, params, body, written.sums, module.main.span))
        self.backward = Module(name, {**written.others, name: back})

    def forward(self, backward: Module) -> tuple[Module, Module, tuple[Residual, ...]]:
        """The way there, the way back with the parameters that it uses, and the residuals that these are."""
        module, written, main = self._module, self._written, backward.main
        used = uses(main)
        needed = [k for k in range(len(self._crossing)) if used[main.params[k]]]
        residuals, kept = written.sources([self._crossing[k] for k in needed])
        results = (*written.results, *kept)
        entry = Graph(module.main.name, written.params, tuple(written.forward), results, module.main.span)
        params = (*(main.params[k] for k in needed), *main.params[len(self._crossing) :])
        left = Graph(main.name, params, main.body, main.results, main.span)
        return (
            Module(module.entry, {**written.others, module.entry: clone(entry)}),
            Module(backward.entry, {**backward.graphs, backward.entry: left}),
            tuple(residuals),
        )


def joint(module: Module, active: Sequence[int], categories: Mapping[int, str]) -> Module:
    """The way there and back in one: a module of the parameters and of the cotangents of the results, as of `pullback`,
    that gives those of the parameters differentiated by that any come to. Raises CompileError, also where what it does
    beside is seen."""
    written = _Written(module, active, categories)
    body = (*written.forward, *written.backward)
    params = (*written.params, *(written.cotangents[k] for k in sorted(written.cotangents)))
    made = clone(Graph(module.entry, params, body, written.sums, module.main.span))
    whole = Module(module.entry, {**written.others, module.entry: made})
    effects = EffectAnalysis(whole)
    seen = [b.span for b in made.body if effects.of_binding(b).io]
    seen += [p.span for p in made.params if isinstance(p.type, RefType)]
    if seen:
        raise _refusal(seen[0], "a derivative of the gradient of what draws random numbers, prints or writes to others")
    return whole


class _Written:
    """The forward graph of an entry, and its backward graph, as bindings that still share variables."""

    def __init__(self, module: Module, active: Sequence[int], categories: Mapping[int, str]) -> None:
        main = module.main
        self._categories = categories
        chosen = set(active)
        for k in active:
            if isinstance(main.params[k].type, RefType):
                raise _refusal(main.span, f"the derivative by {main.params[k].name}, which is written to")
        builder = GraphBuilder(main.name, main.span)
        for k, p in enumerate(main.params):
            builder.params.append(Var(p.name, p.type, p.span) if k in chosen else p)
        graph = Graph(main.name, tuple(main.params[k] for k in active), main.body, main.results, main.span)
        others = {name: g for name, g in module.graphs.items() if name != module.entry}
        reverse = Reverse(builder, others, through_numbers=False)  # as line by line
        with evaluating_by(GraphEvaluator(builder)):
            residuals = reverse.run_forward(graph, [builder.params[k] for k in active])
            self.stack = residuals.stack
            written = [p for p in main.params if isinstance(p.type, RefType) and reverse.activity.is_active(p)]
            if written:
                raise _refusal(main.span, f"the derivative of what is written to {written[0].name}")
            end = len(builder.body)
            self.cotangents: dict[int, Var] = {}
            for k, result in enumerate(residuals.results):
                if isinstance(result, Var) and reverse.activity.is_active(result):
                    self._add_cotangent(main, k, result)
            given = [self.cotangents.get(k) for k in range(len(residuals.results))]
            sums = reverse.run_backward(residuals, given)
        self.reached = tuple(k for k, s in enumerate(sums) if s is not None)
        self.sums: tuple[Atom, ...] = tuple(s for s in sums if s is not None)
        self.others = others
        self.params = tuple(builder.params)
        self.results = tuple(residuals.value(k) for k in range(len(residuals.results)))
        self.forward: list[Binding] = list(builder.body[:end])
        self.backward = tuple(builder.body[end:])
        self.span = main.span

    def _add_cotangent(self, main: Graph, k: int, result: Var) -> None:
        """A cotangent for a result that is a Tensor. None come to numbers and ndarrays."""
        type_ = result.type.target if isinstance(result.type, RefType) else result.type
        category = self._categories.get(k)
        if isinstance(type_, TensorType) and category is not None:
            if category not in ("ndarray", "npscalar"):
                self.cotangents[k] = Var("ct", type_, main.span)
        elif not isinstance(type_, ScalarType):
            raise _refusal(main.span, f"the derivative of a result that is {type_!r}")

    # --- what crosses ---------------------------------------------------------------------------------

    def again(self) -> tuple[tuple[Binding, ...], list[Var]]:
        """The backward graph with what of the forward graph is made again in it, and the variables of the forward graph
        that it uses."""
        made = {out: (k, b) for k, b in enumerate(self.forward) for out in b.outs}
        cotangents = set(self.cotangents.values())
        waiting = dict.fromkeys(free_variables(Graph("probe", (), self.backward, self.sums, self.span)))
        crossing: list[Var] = []
        copied: dict[int, Binding] = {}
        looked_at = list(waiting)
        for var in looked_at:  # it grows
            if var in cotangents:
                continue
            place, binding = made.get(var, (0, None))
            if binding is None or not _is_made_again(binding):
                crossing.append(var)
            elif place not in copied:
                copied[place] = binding
                more = [a for a in binding.args if isinstance(a, Var) and a not in waiting]
                waiting.update(dict.fromkeys(more))
                looked_at += dict.fromkeys(more)
        head = [copied[k] for k in sorted(copied)]
        named = self._extents(head, crossing)
        for var in crossing:
            if not isinstance(var.type, TensorType | ScalarType | StackType):
                raise _refusal(var.span, f"the way back, later on, from {var.name}, which is {var.type!r},")
        return (*named, *head, *self.backward), crossing

    def _extents(self, head: Sequence[Binding], crossing: list[Var]) -> list[Binding]:
        """What gives the backward graph the extents that it needs and its parameters do not have; they are further
        variables that cross."""
        given = {name for v in (*crossing, *self.cotangents.values()) for name in _introduced(v)}
        named: list[Binding] = []
        for name in sorted(_missing((*head, *self.backward), given)):
            extent = Var("extent", INT, self.span)
            self.forward.append(Binding((extent,), conversions.extent, (), self.span, {"dim": symbol(name)}))
            named.append(Binding((), conversions.as_dim, (extent,), self.span, {"symbol": name}))
            crossing.append(extent)
        return named

    def sources(self, crossing: Sequence[Var]) -> tuple[list[Residual], list[Var]]:
        """Where variables come from, and which of them become further results."""
        of_input = {p: k for k, p in enumerate(self.params)}
        of_result: dict[Atom, int] = {}
        for k in self._categories:
            of_result.setdefault(self.results[k], k)
        shared = self._shared()
        residuals: list[Residual] = []
        kept: list[Var] = []
        for var in crossing:
            if var in of_input:
                residuals.append(Residual("input", of_input[var]))
            elif var in of_result:
                residuals.append(Residual("result", of_result[var]))
            else:
                source = "stack" if isinstance(var.type, StackType) else "kept"
                residuals.append(Residual(source, len(kept), shared.get(var)))
                kept.append(var)
        return residuals, kept

    def _shared(self) -> dict[Atom, int]:
        """The variables that results are views of."""
        made = {out: b for b in self.forward for out in b.outs}
        found: dict[Atom, int] = {}
        for k in self._categories:
            viewed = self.results[k]
            while isinstance(viewed, Var) and (b := made.get(viewed)) is not None and _is_view(b):
                viewed = b.args[0]
                found.setdefault(viewed, k)
        return found


def _introduced(var: Var) -> Iterator[str]:
    """The symbols that a variable's type introduces."""
    return (str(dim) for dim in extents_in(type_of(var)) if is_bare(dim))


def _missing(body: Iterable[Binding], given: set[str]) -> set[str]:
    """The symbols that bindings use and do not introduce, beside those that are given; graphs nested in them
    included."""
    known, missing = set(given), set[str]()
    for b in body:
        if b.op.name == "widen":  # gives extents new names
            known.update(str(dim) for dim in b.params["shape"] if is_bare(dim))
        missing |= symbols_in(tuple(b.params.values())) - known
        for graph in b.graphs:
            missing |= _missing(graph.body, known | {name for p in graph.params for name in _introduced(p)})
        if isinstance(b.params.get("symbol"), str):
            known.add(b.params["symbol"])
        for out in b.outs:
            known.update(_introduced(out))
            missing |= symbols_in(type_of(out)) - known
    return missing


def _is_view(binding: Binding) -> bool:
    return isinstance(binding.op, Primitive) and isinstance(binding.op.lowering, View)


def _is_made_again(binding: Binding) -> bool:
    """Whether a binding is a view, or makes what it makes of numbers alone."""
    op = binding.op
    if not isinstance(op, Primitive) or binding.graphs or op.effects.reads or op.effects.writes or op.effects.io:
        return False
    return _is_view(binding) or all(isinstance(type_of(a), ScalarType) for a in binding.args if isinstance(a, Var))


def _refusal(span: Span, what: str) -> CompileError:
    return CompileError([Problem(span, f"{what} is not supported")], "cannot be differentiated")
