"""LBFGS (Liu and Nocedal 1989), with the line search of Nocedal and Wright, Numerical Optimization, 3.5."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from jitcore.compat.torch import tensor as tensors
from jitcore.compat.torch.optim.optimizer import (
    Closure,
    Number,
    Optimizer,
    Params,
    State,
    called_with_gradients,
    number,
    require,
    require_rate,
)
from jitcore.runtime import autograd, nodes
from jitcore.runtime.tensor import Tensor, made_of, wrap_like
from jitcore.structs import dataclass

Vector: TypeAlias = "np.ndarray[Any, Any]"

_CURVED: Final = 1e-10
"""How much the gradient must have changed along a step for the step to tell of the curvature."""
_DECREASE: Final = 1e-4
_SLOPE: Final = 0.9
"""Wolfe's two constants, as the book gives them for quasi-Newton methods."""


@dataclass(slots=True)
class _Point:
    """A place on a line: how far along, the loss, the gradient, and its part along the line."""

    t: float
    loss: float
    gradient: Vector
    slope: float


Evaluate: TypeAlias = Callable[[float], _Point]


def _cubic(a: _Point, b: _Point, limits: tuple[float, float]) -> float:
    """Where the cubic through two points with their slopes is least, within limits."""
    low, high = limits
    left, right = (a, b) if a.t <= b.t else (b, a)
    d1 = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.t - b.t) if a.t != b.t else math.nan
    square = d1 * d1 - a.slope * b.slope
    if not square >= 0:
        return (low + high) / 2
    d2 = math.sqrt(square)
    bend = right.slope - left.slope + 2 * d2
    if bend == 0:
        return (low + high) / 2
    found = right.t - (right.t - left.t) * ((right.slope + d2 - d1) / bend)
    return min(max(found, low), high)


def _bracket(evaluate: Evaluate, start: _Point, t: float, most: int) -> tuple[list[_Point], bool, int]:
    """Two points with one between them that fulfils Wolfe's conditions, or one that does; whether it does, and how
    often the loss was computed besides the first time."""
    before, here = start, evaluate(t)
    for k in range(most):
        if here.loss > start.loss + _DECREASE * here.t * start.slope or (k > 1 and here.loss >= before.loss):
            return [before, here], False, k
        if abs(here.slope) <= -_SLOPE * start.slope:
            return [here], True, k
        if here.slope >= 0:
            return [before, here], False, k
        limits = here.t + 0.01 * (here.t - before.t), here.t * 10
        before, here = here, evaluate(_cubic(before, here, limits))
    return [start, here], False, most


def _between(ends: Sequence[_Point], stuck: bool) -> tuple[float, bool]:
    """Where to look next, and whether it is near an end of the bracket."""
    low, high = sorted((ends[0].t, ends[1].t))
    t = _cubic(ends[0], ends[1], (low, high))
    margin = 0.1 * (high - low)
    if min(high - t, t - low) >= margin:
        return t, False
    if not stuck and low < t < high:
        return t, True
    return (high - margin if abs(t - high) < abs(t - low) else low + margin), False


def line_search(
    evaluate: Evaluate, start: _Point, t: float, size: float, tolerance: float, most: int
) -> tuple[_Point, int]:
    """A point that fulfils the strong Wolfe conditions, or the best one found; and how often the loss was computed."""
    ends, done, count = _bracket(evaluate, start, t, most)
    stuck = False
    ends.sort(key=lambda point: point.loss)  # the better one first; the earlier one where they are as good
    while not done and count < most and abs(ends[1].t - ends[0].t) * size >= tolerance:
        t, stuck = _between(ends, stuck)
        here = evaluate(t)
        count += 1
        if here.loss > start.loss + _DECREASE * here.t * start.slope or here.loss >= ends[0].loss:
            ends[1] = here
            ends.sort(key=lambda point: point.loss)
            continue
        done = abs(here.slope) <= -_SLOPE * start.slope
        if not done and here.slope * (ends[1].t - ends[0].t) >= 0:
            ends[1] = ends[0]
        ends[0] = here
    return ends[0], count + 1


# --- the memory of steps ------------------------------------------------------------------------------


def _remember(state: State, change: Vector, step: Vector, size: int) -> None:
    """Take a step in, and how the gradient changed along it, unless that tells nothing; at most `size` are kept."""
    along = float(change @ step)
    if along <= _CURVED:
        return
    if len(state["ro"]) == size:
        del state["old_dirs"][0], state["old_stps"][0], state["ro"][0]
    state["old_dirs"].append(_tensor(change))
    state["old_stps"].append(_tensor(step))
    state["ro"].append(1 / along)
    state["H_diag"] = along / float(change @ change)


def _direction(state: State, gradient: Vector) -> Vector:
    """Minus the approximate inverse Hessian times the gradient, by two loops over the steps."""
    changes, steps = ([t.numpy() for t in state[name]] for name in ("old_dirs", "old_stps"))
    known = list(zip(steps, changes, state["ro"], strict=True))
    q = -gradient
    shares: list[float] = []
    for s, y, weight in reversed(known):
        shares.append(float(s @ q) * float(weight))
        q = q - shares[-1] * y
    q = q * float(state["H_diag"])
    for (s, y, weight), share in zip(known, reversed(shares), strict=True):
        q = q + s * (share - float(y @ q) * float(weight))
    return q


def _tensor(vector: Vector) -> Any:
    return made_of(tensors.Tensor, vector)


class LBFGS(Optimizer):
    """The quasi-Newton method, with a history of steps; `step` needs a closure that computes the loss anew."""

    def __init__(
        self,
        params: Params,
        lr: Number = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        require_rate(lr)
        defaults = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, defaults)
        one = len(self.param_groups) == 1
        require(one, "LBFGS doesn't support per-parameter options (parameter groups)")

    @property
    def _params(self) -> list[Tensor]:
        return self.param_groups[0]["params"]

    def _gradient(self) -> Vector:
        """The gradients of all Parameters, one after the other."""
        parts: list[Vector] = []
        for p in self._params:
            grad = autograd.grad_of(p)
            parts.append(
                np.zeros(p.numel(), nodes.detached(p).asnumpy().dtype)
                if grad is None
                else nodes.detached(grad).numpy().reshape(-1)
            )
        return np.concatenate(parts)

    def _place(self) -> Vector:
        return np.concatenate([nodes.detached(p).numpy().reshape(-1) for p in self._params])

    def _move(self, place: Vector) -> None:
        """Write the elements of all Parameters."""
        offset = 0
        for p in self._params:
            n = p.numel()
            nodes.detached(p)[...] = wrap_like(p, place[offset : offset + n].reshape(p.shape))
            offset += n

    def step(self, closure: Closure | None = None) -> Any:
        """Go on from where the last step ended, for at most `max_iter` directions; the closure's first result."""
        if closure is None:
            raise TypeError("LBFGS.step() missing 1 required positional argument: 'closure'")
        group, state = self.param_groups[0], self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first = called_with_gradients(closure)
        state["func_evals"] += 1
        gradient = self._gradient()
        if np.abs(gradient).max() > group["tolerance_grad"]:
            self._descend(closure, state, float(first), gradient)
        return first

    def _descend(self, closure: Closure, state: State, loss: float, gradient: Vector) -> None:
        group = self.param_groups[0]
        tolerance, count = group["tolerance_change"], 1
        for k in range(group["max_iter"]):
            self._turn(state, gradient)
            direction = state["d"].numpy()
            slope = float(gradient @ direction)
            t = number(group["lr"])
            if state["n_iter"] == 1:
                t *= min(1.0, 1.0 / float(np.abs(gradient).sum()))
            state.update(t=t, prev_flat_grad=_tensor(gradient), prev_loss=loss)
            if slope > -tolerance:
                return
            start = _Point(0.0, loss, gradient, slope)
            last = k + 1 == group["max_iter"]
            here, used = self._advance(closure, start, t, direction, last, group["max_eval"] - count)
            loss, gradient, state["t"] = here.loss, here.gradient, here.t
            count += used
            state["func_evals"] += used
            if last or count >= group["max_eval"] or np.abs(gradient).max() <= group["tolerance_grad"]:
                return
            if np.abs(direction * here.t).max() <= tolerance or abs(loss - start.loss) < tolerance:
                return

    def _turn(self, state: State, gradient: Vector) -> None:
        """Take the last step into the memory, and choose the direction of the next."""
        state["n_iter"] += 1
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1.0)
        else:
            change = gradient - state["prev_flat_grad"].numpy()
            step = state["d"].numpy() * float(state["t"])
            _remember(state, change, step, self.param_groups[0]["history_size"])
        state["d"] = _tensor(_direction(state, gradient))

    def _advance(
        self, closure: Closure, start: _Point, t: float, direction: Vector, last: bool, most: int
    ) -> tuple[_Point, int]:
        """Move along a direction; where that led, and how often the loss was computed."""
        origin = self._place()

        def evaluate(t: float) -> _Point:
            self._move(origin + (t * direction).astype(origin.dtype))
            loss = float(called_with_gradients(closure))
            gradient = self._gradient()
            return _Point(t, loss, gradient, float(gradient @ direction))

        search = self.param_groups[0]["line_search_fn"]
        if search is None:
            if not last:
                return evaluate(t), 1
            self._move(origin + (t * direction).astype(origin.dtype))
            return _Point(t, start.loss, start.gradient, start.slope), 0
        if search != "strong_wolfe":
            raise RuntimeError("only 'strong_wolfe' is supported")
        size = float(np.abs(direction).max())
        here, used = line_search(evaluate, start, t, size, self.param_groups[0]["tolerance_change"], most)
        self._move(origin + (here.t * direction).astype(origin.dtype))
        return here, used
