"""Control flow: branches, loops and calls, and how values pass through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jitcore.ir.analysis import all_bindings
from jitcore.ir.control import COND, FUSED, PARALLEL, PROVEN, SWITCH
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Var, type_of
from jitcore.passes.plan import forms, growing
from jitcore.passes.plan.forms import Form
from jitcore.passes.plan.values import ArrayValue, Holding, Owned, Roots, ScalarValue, Value
from jitcore.primitives.core.registry import HostCode, Primitive, View, Window
from jitcore.program.nodes import Block, Call, If, Imm, Operand, Parallel, Poll, Reg, While
from jitcore.types import RefType, ScalarType, StackType, TensorType, Type, bool_, i64

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner

_BLOCK = 4096
"""Rounds between two polls, where each is over in a moment."""
_INTERRUPT = "KeyboardInterrupt"


# --- branches ---------------------------------------------------------------------------------------


def lower_cond(p: Planner, binding: Binding) -> None:
    """`cond`: an If."""
    then, orelse = binding.graphs
    condition = p.operand(binding.args[0])
    made = _out_forms(p, binding)
    columns = growing.adopted(p, binding)
    blocks, owned = zip(*(_branch(p, graph, made, columns) for graph in (then, orelse)), strict=True)
    outs = tuple(reg for form in made for reg in forms.registers(p, form, "joined"))
    p.code.emit(If(condition, blocks[0], blocks[1], outs))
    define_outs(p, binding, made, outs, owned[0] & owned[1])


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
    blocks, owned = zip(*(_branch(p, graph, made, {}) for graph in binding.graphs), strict=True)
    chain = blocks[-1]
    for k in range(count - 2, -1, -1):
        with p.code.block() as scope:
            is_it = compute("eq", bool_, index, Imm(k, i64))
            outs = tuple(reg for form in made for reg in forms.registers(p, form, "joined"))
            p.code.emit(If(is_it, blocks[k], chain, outs))
            chain = p.code.finish(scope, *outs)
    for statement in chain.statements:
        p.code.emit(statement)
    define_outs(p, binding, made, chain.results, frozenset.intersection(*owned))


def _out_forms(p: Planner, binding: Binding) -> list[Form]:
    return forms.make_forms([type_of(out) for out in binding.outs], p.travels)


def define_outs(
    p: Planner, binding: Binding, made: Sequence[Form], operands: Sequence[Operand], owned: Owned = frozenset()
) -> None:
    """Define a binding's outputs from the registers they come in."""
    types = [type_of(out) for out in binding.outs]
    roots: list[Roots] = [p.aliasing.roots(out) for out in binding.outs]
    values = forms.rebuild(p, made, types, operands, p.hold, roots)
    for k, (out, value) in enumerate(zip(binding.outs, values, strict=True)):
        _note_owned(value, k in owned)
        p.define(out, value)


def _note_owned(value: Value, owned: bool) -> None:
    if owned and isinstance(value, ArrayValue):
        value.holding.unique = True


def _branch(p: Planner, graph: Graph, made: Sequence[Form], columns: dict[Var, ArrayValue]) -> tuple[Block, Owned]:
    with p.entering(graph, columns) as scope:
        growing.adopt(p, columns)
        p.lower_body()
        results, owned = leave(p, graph.results, made)
        return p.code.finish(scope, *results), owned


def leave(p: Planner, results: Sequence[Atom], made: Sequence[Form]) -> tuple[list[Operand], Owned]:
    """The operands of a graph's results, each with a count of its own, and which of them are all that refers to their
    memory; whatever else the graph owns is released."""
    operands: list[Operand] = []
    values = [p.value(atom) for atom in results]
    for form, atom, value in zip(made, results, values, strict=True):
        operands += forms.flatten(p, form, value, p.giving(atom))
    owned = [k for k, v in enumerate(values) if isinstance(v, ArrayValue) and v.holding.unique and v.holding.done]
    p.release_dead(len(p.frame.uses.graph.body))
    return operands, frozenset(owned)


# --- loops ------------------------------------------------------------------------------------------


def lower_while(p: Planner, binding: Binding) -> None:
    """`while_`: a While over the carries' registers."""
    test, body = binding.graphs
    owned = growing.assumed(p, binding, body.params)
    made, inits = _start(p, binding.args, body.params, owned)
    carries = tuple(reg for form in made for reg in forms.registers(p, form, "carry"))
    with p.entering(test) as scope:
        _define_params(p, test.params, made, carries, lent=True)
        p.lower_body()
        condition = p.operand(test.results[0])
        p.release_dead(len(test.body))
        test_block = p.code.finish(scope, condition)
    with p.entering(body) as scope:
        p.code.emit(Poll(p.site(_INTERRUPT, span=binding.span)))
        _define_params(p, body.params, made, carries, lent=False, owned=owned)
        p.lower_body()
        results, left = leave(p, body.results, made)
        growing.hold_to(p, binding, owned - left)
        body_block = p.code.finish(scope, *results)
    define_outs(p, binding, made, _loop(p, carries, inits, test_block, body_block), owned)


def lower_for(p: Planner, binding: Binding) -> None:
    """`for_`: a While with a counter. Rounds that take a moment each come in blocks, so that there is a poll for a
    block and not for every round."""
    if binding.params.get(PARALLEL) == PROVEN:
        _lower_parallel(p, binding)
        return
    (body,) = binding.graphs
    count = p.operand(binding.args[0])
    owned = growing.assumed(p, binding, body.params[1:])
    made, inits = _start(p, binding.args[1:], body.params[1:], owned)
    is_brief = _is_brief(body)
    if not is_brief or _is_short(binding.args[0]):
        outs = _rounds(p, binding, made, count, [Imm(0, i64), *inits], owned, polls=not is_brief)
    else:
        carries = _loop_registers(p, made)
        with p.code.block() as scope:
            test = p.code.finish(scope, p.code.compute("lt", bool_, carries[0], count))
        with p.code.block() as scope:
            p.code.emit(Poll(p.site(_INTERRUPT, span=binding.span)))
            end = p.code.compute("min", i64, count, p.code.compute("add", i64, carries[0], Imm(_BLOCK, i64)))
            block = p.code.finish(scope, *_rounds(p, binding, made, end, carries, owned, polls=False))
        outs = _loop(p, carries, (Imm(0, i64), *inits), test, block)
    define_outs(p, binding, made, outs[1:], owned)


def _lower_parallel(p: Planner, binding: Binding) -> None:
    """A `for_` that carries nothing, whose rounds may run at the same time."""
    (body,) = binding.graphs
    count, index = p.operand(binding.args[0]), p.code.register("i", i64)
    site = p.site(_INTERRUPT, span=binding.span)
    with p.entering(body) as scope:
        p.define(body.params[0], ScalarValue(index))
        p.lower_body()
        p.release_dead(len(body.body))
        block = p.code.finish(scope)
    p.code.emit(Parallel(index, count, block, site))


def _loop_registers(p: Planner, made: Sequence[Form]) -> tuple[Reg, ...]:
    """The counter of a `for_`, and its carries."""
    return (p.code.register("i", i64), *(reg for form in made for reg in forms.registers(p, form, "carry")))


def _rounds(
    p: Planner,
    binding: Binding,
    made: Sequence[Form],
    end: Operand,
    inits: Sequence[Operand],
    owned: Owned,
    *,
    polls: bool,
) -> tuple[Reg, ...]:
    """Rounds of a `for_` up to one, from what its registers are at first; what they are at last."""
    (body,) = binding.graphs
    carries = _loop_registers(p, made)
    with p.code.block() as scope:
        test = p.code.finish(scope, p.code.compute("lt", bool_, carries[0], end))
    with p.entering(body) as scope:
        if polls:
            p.code.emit(Poll(p.site(_INTERRUPT, span=binding.span)))
        p.define(body.params[0], ScalarValue(carries[0]))
        _define_params(p, body.params[1:], made, carries[1:], lent=False, owned=owned)
        p.lower_body()
        results, left = leave(p, body.results, made)
        growing.hold_to(p, binding, owned - left)
        following = p.code.compute("add", i64, carries[0], Imm(1, i64))
        body_block = p.code.finish(scope, following, *results)
    return _loop(p, carries, inits, test, body_block)


def _is_short(count: Atom) -> bool:
    return isinstance(count, Literal) and count.value <= _BLOCK


def _is_brief(body: Graph) -> bool:
    """Whether a round is over in a moment: there is no loop in it, no call, and nothing done to arrays but views."""
    return all(map(_takes_a_moment, all_bindings(body))) and all(_is_single(param.type) for param in body.params)


def _takes_a_moment(binding: Binding) -> bool:
    if binding.op in (COND, SWITCH, FUSED):
        return all(_is_single(out.type) for out in binding.outs)
    if not isinstance(binding.op, Primitive) or isinstance(binding.op.lowering, HostCode):
        return False
    atoms = binding.outs if isinstance(binding.op.lowering, View | Window) else (*binding.outs, *binding.args)
    return all(_is_single(atom.type) for atom in atoms)


def _is_single(type_: Type | None) -> bool:
    if isinstance(type_, RefType):
        type_ = type_.target
    return isinstance(type_, ScalarType | StackType) or (isinstance(type_, TensorType) and not type_.rank)


def _start(p: Planner, args: Sequence[Atom], params: Sequence[Var], owned: Owned) -> tuple[list[Form], list[Operand]]:
    """The forms of a loop's carries, and their first operands; nothing else refers to the memory of those that are
    `owned` from then on."""
    made = forms.make_forms([type_of(q) for q in params], p.travels)
    inits: list[Operand] = []
    for k, (form, atom) in enumerate(zip(made, args, strict=True)):
        value = growing.own(p, atom, p.array(atom)) if k in owned else p.value(atom)
        inits += forms.flatten(p, form, value, p.giving(atom))
    return made, inits


def _define_params(
    p: Planner,
    params: Sequence[Var],
    made: Sequence[Form],
    operands: Sequence[Operand],
    *,
    lent: bool,
    owned: Owned = frozenset(),
) -> None:
    types = [type_of(q) for q in params]
    roots: list[Roots] = [p.aliasing.roots(q) for q in params]
    hold = (lambda owner: Holding(owner, None)) if lent else p.hold
    values = forms.rebuild(p, made, types, operands, hold, roots)
    for k, (param, value) in enumerate(zip(params, values, strict=True)):
        _note_owned(value, k in owned)
        p.define(param, value)


def _loop(p: Planner, carries: tuple[Reg, ...], inits: Sequence[Operand], test: Block, body: Block) -> tuple[Reg, ...]:
    """Write a While; what its carries are at last."""
    outs = tuple(p.code.register("last", c.type) for c in carries)
    p.code.emit(While(carries, tuple(inits), test, body, outs))
    return outs


# --- calls ------------------------------------------------------------------------------------------


def parameter_forms(graph: Graph) -> list[Form]:
    """How a module graph takes its arguments."""
    return forms.make_forms([type_of(q) for q in graph.params], forms.is_runtime)


def result_forms(graph: Graph) -> list[Form]:
    """How a module graph gives its results."""
    return forms.make_forms(list(graph.result_types), forms.is_runtime)


def lower_call(p: Planner, binding: Binding) -> None:
    """`call`: arguments are lent, but for columns that grow in the callee; results are owned."""
    name: str = binding.params["callee"]
    callee = p.module.graphs[name]
    operands: list[Operand] = []
    for form, atom, give in zip(parameter_forms(callee), binding.args, growing.given(p, binding), strict=True):
        operands += forms.flatten(p, form, p.value(atom), give)
    made = result_forms(callee)
    outs = tuple(reg for form in made for reg in forms.registers(p, form, "result"))
    site = p.site("RecursionError", "maximum recursion depth exceeded")
    p.code.emit(Call(name, tuple(operands), outs, site))
    define_outs(p, binding, made, outs)


def lower_function(p: Planner, name: str) -> tuple[tuple[Reg, ...], Block]:
    """The parameters and the body of a module graph that is called: it recurses, and polls at every call."""
    graph = p.graph
    p.code.emit(Poll(p.site(_INTERRUPT, span=graph.span)))
    made = parameter_forms(graph)
    params = tuple(reg for form in made for reg in forms.registers(p, form, "arg"))
    _define_params(p, graph.params, made, params, lent=True)
    growing.take_over(p, name)
    p.lower_body()
    results, _ = leave(p, graph.results, result_forms(graph))
    return params, p.code.finish(p.code.scope, *results)
