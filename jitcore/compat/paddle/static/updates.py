"""Updates by optimizers as statements of a Program.

An optimizer's rule is recorded for each parameter. The numbers that it computes with (the rate, powers of betas, …) are
worked out before each run, as they are before each step in dynamic mode, and given to the Program; what is kept beside
parameters is the optimizer's own.
"""

# pyright: reportPrivateUsage=false
# (how optimizers make a step is shared by this package)

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from jitcore.compat.paddle import naming
from jitcore.compat.paddle.nn.clip import ClipGradBase
from jitcore.compat.paddle.optimizer.optimizer import Optimizer, penalised
from jitcore.compat.paddle.static import modes
from jitcore.compat.paddle.static.gradients import append_backward
from jitcore.compat.paddle.static.programs import Program
from jitcore.compat.paddle.static.recording import captured, record
from jitcore.compat.paddle.static.statements import UPDATE, Call
from jitcore.compat.paddle.static.variables import Numbers, Parameter, Variable
from jitcore.compat.paddle.tensor import Tensor
from jitcore.compat.torch.optim.stepping import Rule
from jitcore.library.core import marking

Pairs = Sequence[tuple[Parameter, Variable]]
_PROBES: Final = (1.0, 0.375)
"""Rates for which parameters are compared."""


def minimize(
    optimizer: Optimizer, loss: Variable, parameters: Sequence[Any] | None, no_grad_set: Iterable[Any] | None
) -> tuple[list[Any], Pairs]:
    """Record the gradients of a loss, and the updates by them; (the updates, parameters with their gradients)."""
    pairs = gradients_for(optimizer, loss, parameters, no_grad_set)
    return apply_gradients(optimizer, pairs), pairs


def gradients_for(
    optimizer: Optimizer, loss: Variable, parameters: Sequence[Any] | None, no_grad_set: Iterable[Any] | None
) -> Pairs:
    """Record the gradients of a loss by the parameters that an optimizer updates."""
    chosen = optimizer._parameter_list if parameters is None else parameters
    given = append_backward(loss, chosen or None, no_grad_set)
    return [(p, g) for p, g in given if isinstance(p, Parameter)]


def apply_gradients(optimizer: Optimizer, pairs: Pairs) -> list[Any]:
    """Record updates by gradients."""
    if not pairs:
        raise ValueError("there are no parameters that the loss depends on")
    program = pairs[0][0].block.program
    group = optimizer._param_groups[0]
    with program.in_role(UPDATE):
        clip = group["grad_clip"]
        if clip is not None:
            pairs = _clipped(clip, pairs)
        first = len(program.global_block().ops)
        alike: dict[Any, list[tuple[Parameter, Variable]]] = {}
        for p, g in pairs:
            alike.setdefault(_key(optimizer, group, p), []).append((p, g))
        for found in alike.values():
            _record(optimizer, group, found, program)
    return list(program.global_block().ops[first:])


def _clipped(clip: ClipGradBase, pairs: Pairs) -> Pairs:
    chosen = [k for k, (p, _) in enumerate(pairs) if p.need_clip]
    made = dict(zip(chosen, record(clip.clipped, ([pairs[k][1] for k in chosen],), {}), strict=True)) if chosen else {}
    return [(p, made.get(k, g)) for k, (p, g) in enumerate(pairs)]


def _penalty(optimizer: Optimizer, p: Parameter) -> Any:
    found = p.regularizer if p.regularizer is not None else optimizer.regularization
    return found if found is not None and found.coefficient else None


def _multiplier(p: Parameter) -> float:
    return p.optimize_attr.get("learning_rate", 1.0)


def _key(optimizer: Optimizer, group: dict[str, Any], p: Parameter) -> Any:
    """What parameters have in common whose updates compute with the same numbers."""
    penalty = _penalty(optimizer, p)
    tried = [_tried(optimizer, group, p, rate * _multiplier(p)) for rate in _PROBES]
    return (penalty.kind, penalty.coefficient) if penalty is not None else None, _multiplier(p), tuple(tried)


def _tried(optimizer: Optimizer, group: dict[str, Any], p: Parameter, rate: float) -> tuple[float, ...]:
    """The numbers of a step, of which nothing is left."""
    with modes.dynamic():
        copies = {name: kept.clone() for name, kept in optimizer._state_of(p.tensor, group).items()}
        return optimizer._numbers(group, p.tensor, rate, copies)


def _record(optimizer: Optimizer, group: dict[str, Any], pairs: Pairs, program: Program) -> None:
    """Record the updates of parameters that compute with the same numbers."""
    penalty, multiplier = _penalty(optimizer, pairs[0][0]), _multiplier(pairs[0][0])
    params = [p.tensor for p, _ in pairs]

    def numbers() -> tuple[float, ...]:
        rate = optimizer.get_lr() * multiplier
        found = {optimizer._numbers(group, p, rate, optimizer._state_of(p, group)) for p in params}
        if len(found) > 1:
            raise RuntimeError(
                "parameters whose updates were alike when they were recorded are so no longer: the states that were "
                "loaded have made different numbers of steps; record the Program anew after loading"
            )
        (made,) = found
        return made if penalty is None else (penalty.coefficient, *made)

    block = program.global_block()
    name = naming.generate("update_numbers")
    block.add(Numbers(block, name))
    program.providers[name] = numbers
    rule, flags = optimizer._rule(group, _tried(optimizer, group, pairs[0][0], _PROBES[0]))
    update = _update(rule if penalty is None else penalised(rule, penalty.kind), flags)
    for p, g in pairs:
        state = optimizer._state_of(p.tensor, group)
        kept = [captured(state[key], block) for key in optimizer._kept_of(group)]
        for key in optimizer._powers:
            captured(state[key], block)
        outputs = (p, *kept)
        block.append(Call(update, (p, g, kept, block.vars[name]), {}, outputs, role=UPDATE, is_kept=False))


@functools.cache
def _update(rule: Rule, flags: tuple[bool, ...]) -> Callable[..., Any]:
    """A rule as a call of a Program."""

    @marking.library("tensor")
    def update(p: Tensor, g: Tensor, kept: Sequence[Any], numbers: Sequence[float]) -> Any:
        return rule(p, g, kept, numbers, *flags)

    update.__name__ = rule.__name__.strip("_")
    return update


def _minimized(
    loss: Variable, optimizer: Optimizer, parameters: Sequence[Any] | None, no_grad_set: Iterable[Any] | None
) -> Any:
    """What `optimizer.minimize(loss)` means of a Variable."""
    return minimize(optimizer, loss, parameters, no_grad_set)


Variable.minimized_by = _minimized  # pyright: ignore[reportAttributeAccessIssue]
