"""Control flow: branches, loops and calls, and how values pass through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jitcore.ir.control import CALL, COND, FOR, SWITCH, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Var, type_of
from jitcore.passes.plan import forms, growing
from jitcore.passes.plan.forms import Form
from jitcore.passes.plan.values import ArrayValue, Holding, Roots, ScalarValue
from jitcore.program.nodes import Block, Call, If, Imm, Operand, Poll, Reg, While
from jitcore.types import bool_, i64

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner

_SHORT_LOOP = 1000
"""Loops of at most this many rounds, with no loop or call in them, do not poll."""
_INTERRUPT = "KeyboardInterrupt"


# --- branches ---------------------------------------------------------------------------------------


def lower_cond(p: Planner, binding: Binding) -> None:
    """`cond`: an If."""
    then, orelse = binding.graphs
    condition = p.operand(binding.args[0])
    made = _out_forms(p, binding)
    columns = growing.adopted(p, binding)
    blocks = [_branch(p, graph, made, columns) for graph in (then, orelse)]
    outs = tuple(reg for form in made for reg in forms.registers(p, form, "joined"))
    p.code.emit(If(condition, blocks[0], blocks[1], outs))
    define_outs(p, binding, made, outs)


def lower_switch(p: Planner, binding: Binding) -> None:
    """`switch`: a chain of Ifs, after a check of the index."""
    index = p.operand(binding.args[0])
    made = _out_forms(p, binding)
    count = len(binding.graphs)
    compute = p.code.compute
    fits = compute(
        "and",
        bool_,
        compute("ge", bool_, index, Imm(0, i64)),
        compute("lt", bool_, index, Imm(count, i64)),
    )
    p.check(fits, "IndexError", "branch {0} of {1}", (index, Imm(count, i64)))
    blocks = [_branch(p, graph, made, {}) for graph in binding.graphs]
    chain = blocks[-1]
    for k in range(count - 2, -1, -1):
        with p.code.block() as scope:
            is_it = compute("eq", bool_, index, Imm(k, i64))
            outs = tuple(reg for form in made for reg in forms.registers(p, form, "joined"))
            p.code.emit(If(is_it, blocks[k], chain, outs))
            chain = p.code.finish(scope, *outs)
    for statement in chain.statements:
        p.code.emit(statement)
    define_outs(p, binding, made, chain.results)


def _out_forms(p: Planner, binding: Binding) -> list[Form]:
    return forms.make_forms([type_of(out) for out in binding.outs], p.travels)


def define_outs(p: Planner, binding: Binding, made: Sequence[Form], operands: Sequence[Operand]) -> None:
    """Define a binding's outputs from the registers they come in."""
    types = [type_of(out) for out in binding.outs]
    roots: list[Roots] = [p.aliasing.roots(out) for out in binding.outs]
    values = forms.rebuild(p, made, types, operands, p.hold, roots)
    for out, value in zip(binding.outs, values, strict=True):
        p.define(out, value)


def _branch(p: Planner, graph: Graph, made: Sequence[Form], columns: dict[Var, ArrayValue]) -> Block:
    with p.entering(graph, columns) as scope:
        growing.adopt(p, columns)
        p.lower_body()
        results = leave(p, graph.results, made)
        return p.code.finish(scope, *results)


def leave(p: Planner, results: Sequence[Atom], made: Sequence[Form]) -> list[Operand]:
    """The operands of a graph's results, each with a count of its own; all else the graph owns is released."""
    operands: list[Operand] = []
    for form, atom in zip(made, results, strict=True):
        operands += forms.flatten(p, form, p.value(atom), p.giving(atom))
    p.bury(len(p.frame.uses.graph.body))
    return operands


# --- loops ------------------------------------------------------------------------------------------


def lower_while(p: Planner, binding: Binding) -> None:
    """`while_`: a While over the carries' registers."""
    test, body = binding.graphs
    made, inits = _start(p, binding.args, body.params)
    carries = tuple(reg for form in made for reg in forms.registers(p, form, "carry"))
    with p.entering(test) as scope:
        _define_params(p, test.params, made, carries, lent=True)
        p.lower_body()
        condition = p.operand(test.results[0])
        p.bury(len(test.body))
        test_block = p.code.finish(scope, condition)
    with p.entering(body) as scope:
        p.code.emit(Poll(p.site(_INTERRUPT, span=binding.span)))
        _define_params(p, body.params, made, carries, lent=False)
        p.lower_body()
        body_block = p.code.finish(scope, *leave(p, body.results, made))
    _finish_loop(p, binding, made, carries, inits, test_block, body_block)


def lower_for(p: Planner, binding: Binding) -> None:
    """`for_`: a While with a counter."""
    (body,) = binding.graphs
    count = p.operand(binding.args[0])
    made, inits = _start(p, binding.args[1:], body.params[1:])
    counter = p.code.register("i", i64)
    carries = tuple(reg for form in made for reg in forms.registers(p, form, "carry"))
    with p.code.block() as scope:
        test_block = p.code.finish(scope, p.code.compute("lt", bool_, counter, count))
    with p.entering(body) as scope:
        if not _is_short(binding.args[0], body):
            p.code.emit(Poll(p.site(_INTERRUPT, span=binding.span)))
        p.define(body.params[0], ScalarValue(counter))
        _define_params(p, body.params[1:], made, carries, lent=False)
        p.lower_body()
        results = leave(p, body.results, made)
        following = p.code.compute("add", i64, counter, Imm(1, i64))
        body_block = p.code.finish(scope, following, *results)
    _finish_loop(p, binding, made, (counter, *carries), [Imm(0, i64), *inits], test_block, body_block)


def _is_short(count: Atom, body: Graph) -> bool:
    nested = any(b.op in (WHILE, FOR, CALL, COND, SWITCH) for b in body.body)
    return isinstance(count, Literal) and count.value <= _SHORT_LOOP and not nested


def _start(p: Planner, args: Sequence[Atom], params: Sequence[Var]) -> tuple[list[Form], list[Operand]]:
    """The forms of a loop's carries, and their first operands."""
    made = forms.make_forms([type_of(q) for q in params], p.travels)
    inits: list[Operand] = []
    for form, atom in zip(made, args, strict=True):
        inits += forms.flatten(p, form, p.value(atom), p.giving(atom))
    return made, inits


def _define_params(
    p: Planner, params: Sequence[Var], made: Sequence[Form], operands: Sequence[Operand], *, lent: bool
) -> None:
    types = [type_of(q) for q in params]
    roots: list[Roots] = [p.aliasing.roots(q) for q in params]
    hold = (lambda owner: Holding(owner, None)) if lent else p.hold
    values = forms.rebuild(p, made, types, operands, hold, roots)
    for param, value in zip(params, values, strict=True):
        p.define(param, value)


def _finish_loop(
    p: Planner,
    binding: Binding,
    made: Sequence[Form],
    carries: tuple[Reg, ...],
    inits: Sequence[Operand],
    test: Block,
    body: Block,
) -> None:
    outs = tuple(p.code.register("last", c.type) for c in carries)
    p.code.emit(While(carries, tuple(inits), test, body, outs))
    define_outs(p, binding, made, outs[len(outs) - sum(1 for f in made for _ in forms.slots(f)) :])


# --- calls ------------------------------------------------------------------------------------------


def parameter_forms(graph: Graph) -> list[Form]:
    """How a module graph takes its arguments."""
    return forms.make_forms([type_of(q) for q in graph.params], forms.is_runtime)


def result_forms(graph: Graph) -> list[Form]:
    """How a module graph gives its results."""
    return forms.make_forms(list(graph.result_types), forms.is_runtime)


def lower_call(p: Planner, binding: Binding) -> None:
    """`call`: arguments are lent, results are owned."""
    name: str = binding.params["callee"]
    callee = p.module.graphs[name]
    operands: list[Operand] = []
    for form, atom in zip(parameter_forms(callee), binding.args, strict=True):
        operands += forms.flatten(p, form, p.value(atom), p.lending)
    made = result_forms(callee)
    outs = tuple(reg for form in made for reg in forms.registers(p, form, "result"))
    site = p.site("RecursionError", "maximum recursion depth exceeded")
    p.code.emit(Call(name, tuple(operands), outs, site))
    define_outs(p, binding, made, outs)


def lower_function(p: Planner) -> tuple[tuple[Reg, ...], Block]:
    """The parameters and the body of a module graph that is called."""
    graph = p.graph
    made = parameter_forms(graph)
    params = tuple(reg for form in made for reg in forms.registers(p, form, "arg"))
    _define_params(p, graph.params, made, params, lent=True)
    p.lower_body()
    results = leave(p, graph.results, result_forms(graph))
    return params, p.code.finish(p.code.scope, *results)
