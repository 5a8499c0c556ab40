"""Gradients of what a Program computes, as statements of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from jitcore.compat.paddle.static.programs import Block, Program
from jitcore.compat.paddle.static.statements import BACKWARD, Backward, Statement
from jitcore.compat.paddle.static.variables import Variable


def append_backward(
    loss: Variable,
    parameter_list: Sequence[Variable | str] | None = None,
    no_grad_set: Iterable[Variable | str] | None = None,
    callbacks: object = None,
    checkpoints: object = None,
) -> list[tuple[Variable, Variable]]:
    """Record the gradients of a loss by the parameters that it comes of; pairs of a parameter and its gradient.

    Raises TypeError for a loss that is no Variable, ValueError for one of several elements.
    """
    del callbacks, checkpoints
    if not isinstance(loss, Variable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"the loss is a static Variable, not a {type(loss).__name__}")
    if any(extent != 1 for extent in loss.shape):
        raise ValueError(f"the loss should have one element, but {loss.name} has the shape {loss.shape}")
    program = loss.block.program
    apart = _names(no_grad_set)
    chosen: list[Variable] = []
    if parameter_list is None:
        chosen += [program.global_block().vars[name] for name in program.captured]
    else:
        chosen += [v for given in parameter_list if (v := _variable(given, program)) is not None]
    chosen = [v for v in chosen if not v.stop_gradient and v.name not in apart]
    found = _recorded(program, [loss], [None], chosen, apart)
    return [(v, g) for v, g in zip(chosen, found, strict=True) if g is not None]


def gradients(
    targets: Variable | Sequence[Variable],
    inputs: Variable | Sequence[Variable],
    target_gradients: Variable | Sequence[Variable | None] | None = None,
    no_grad_set: Iterable[Variable | str] | None = None,
) -> list[Variable | None]:
    """Record the gradients of the targets' sum, each times its target gradient (ones where there is none), by the
    inputs; None for one that they do not depend on, or at which gradients end.
    Raises ValueError where numbers of targets and gradients differ."""
    of = [targets] if isinstance(targets, Variable) else list(targets)
    by = [inputs] if isinstance(inputs, Variable) else list(inputs)
    if target_gradients is None:
        cotangents: list[Variable | None] = [None] * len(of)
    else:
        cotangents = [target_gradients] if isinstance(target_gradients, Variable) else list(target_gradients)
    if len(cotangents) != len(of):
        raise ValueError(f"{len(of)} targets have {len(cotangents)} target_gradients")
    return _recorded(of[0].block.program, of, cotangents, by, _names(no_grad_set))


def _recorded(
    program: Program,
    targets: Sequence[Variable],
    cotangents: Sequence[Variable | None],
    by: Sequence[Variable],
    apart: frozenset[str],
) -> list[Variable | None]:
    block = program.global_block()
    if program.current_block() is not block:
        raise NotImplementedError("gradients are recorded for a whole Program, not within a branch or loop of it")
    reached = _reached(block.ops, block, targets)
    wanted = [v for v in by if v.name in reached and not v.stop_gradient and v.kind.is_differentiable]
    made = [_gradient_of(v, block) for v in wanted]
    if wanted:
        with program.in_role(BACKWARD):
            block.append(Backward(tuple(targets), tuple(cotangents), tuple(wanted), tuple(made), apart))
    found = {v.name: g for v, g in zip(wanted, made, strict=True)}
    return [found.get(v.name) for v in by]


_GRADIENT: Final = "@GRAD"
"""What the names of gradients end with."""


def record_named(program: Program, name: str) -> None:
    """Record the gradient that is asked for by its name, `h@GRAD`, if gradients of a loss that comes of `h` are."""
    block = program.global_block()
    variable = block.find(name.removesuffix(_GRADIENT)) if name.endswith(_GRADIENT) else None
    if variable is None or variable.stop_gradient:
        return
    for k, statement in enumerate(block.ops):
        if isinstance(statement, Backward) and variable.name in _reached(block.ops[:k], block, statement.targets):
            statement.by = (*statement.by, variable)
            statement.gradients = (*statement.gradients, _gradient_of(variable, block))
            return


def _reached(statements: Sequence[Statement], block: Block, targets: Sequence[Variable]) -> set[str]:
    """The names of what gradients go to, from the targets back."""
    found = {t.name for t in targets}
    for statement in reversed(statements):
        ends = found & statement.writes()
        if any(not variable.stop_gradient for name in ends if (variable := block.find(name)) is not None):
            found |= statement.reads()
    return found


def _gradient_of(variable: Variable, block: Block) -> Variable:
    """A new Variable for a gradient: `w@GRAD`."""
    name = variable.name + _GRADIENT
    while block.has_var(name):
        name += _GRADIENT
    return block.add(type(variable).result_class(block, name, variable.type_, stop_gradient=False))


def _names(given: Iterable[Variable | str] | None) -> frozenset[str]:
    return frozenset(item if isinstance(item, str) else item.name for item in given or ())


def _variable(given: object, program: Program) -> Variable | None:
    """What a Variable, its name, or a Tensor stands for in a Program; None for a Tensor that it has nothing of."""
    if isinstance(given, str):
        return program.global_block().var(given)
    if isinstance(given, Variable):
        return given
    name = next((name for name, tensor in program.captured.items() if tensor is given), None)
    return None if name is None else program.global_block().vars[name]
