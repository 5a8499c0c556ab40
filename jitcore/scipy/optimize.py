"""Minimisation: the quasi-Newton method of Broyden, Fletcher, Goldfarb and Shanno, and its line search."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from jitcore import ops
from jitcore.transforms import value_and_grad
from jitcore.types import i64


class LineSearchResults(NamedTuple):
    """Where a line search ended: the step `a_k`, the value `f_k` and the gradient `g_k` there, and how much was
    computed."""

    failed: Any
    nit: Any
    nfev: Any
    ngev: Any
    k: Any
    a_k: Any
    f_k: Any
    g_k: Any
    status: Any


class OptimizeResults(NamedTuple):
    """The minimum `x`, the value `fun` and the gradient `jac` there, the inverse Hessian's approximation, and how much
    was computed."""

    x: Any
    success: Any
    status: Any
    fun: Any
    jac: Any
    hess_inv: Any
    nfev: Any
    njev: Any
    nit: Any


def _cubic(a: Any, fa: Any, da: Any, b: Any, fb: Any, c: Any, fc: Any) -> Any:
    """Where the cubic through three points, with a slope at the first, is least; NaN if there is no such place."""
    db, dc = b - a, c - a
    first, second = fb - fa - da * db, fc - fa - da * dc
    scale = ops.square(db * dc) * (db - dc)
    high = (ops.square(dc) * first - ops.square(db) * second) / scale
    middle = (db * db * db * second - dc * dc * dc * first) / scale
    return a + (ops.sqrt(middle * middle - 3.0 * high * da) - middle) / (3.0 * high)


def _quadratic(a: Any, fa: Any, da: Any, b: Any, fb: Any) -> Any:
    """Where the parabola through two points, with a slope at the first, is least."""
    gap = b - a
    return a - da / (2.0 * (fb - fa - da * gap) / ops.square(gap))


def _between(value: Any, a: Any, b: Any, margin: Any) -> Any:
    """Whether a value is between two ends and not too near to either; no NaN is."""
    low, high = ops.minimum(a, b), ops.maximum(a, b)
    return ops.logical_and(value >= low + margin, value <= high - margin)


def _zoom(
    at: Callable[[Any], Any], low: Any, high: Any, f_low: Any, f_high: Any,
    d_low: Any, f0: Any, d0: Any, c1: Any, c2: Any
) -> Any:  # fmt: skip
    """(whether none was found, a step between two that fulfils Wolfe's conditions): Nocedal and Wright 2006, algorithm
    3.6."""
    old, f_old = low * 0, f0
    found, step, rounds = low < low, low, 0
    while rounds <= 10 and not found:
        gap = high - low
        step = low + 0.5 * gap
        guess = _quadratic(low, f_low, d_low, high, f_high)
        if _between(guess, low, high, 0.1 * ops.abs(gap)):
            step = guess
        if rounds > 0:
            guess = _cubic(low, f_low, d_low, high, f_high, old, f_old)
            if _between(guess, low, high, 0.2 * ops.abs(gap)):
                step = guess
        f_step, d_step = at(step)
        if ops.logical_or(f_step > f0 + c1 * step * d0, f_step >= f_low):
            old, f_old = high, f_high
            high, f_high = step, f_step
        else:
            found = ops.abs(d_step) <= -c2 * d0
            if d_step * (high - low) >= 0:
                old, f_old = high, f_high
                high, f_high = low, f_low
            else:
                old, f_old = low, f_low
            low, f_low, d_low = step, f_step, d_step
        rounds = rounds + 1
    return ops.logical_not(found), step, rounds


def line_search(
    f: Callable[[Any], Any],
    xk: Any,
    pk: Any,
    jac: Any = None,
    gfk: Any = None,
    old_fval: Any = None,
    old_old_fval: Any = None,
    c1: Any = 1e-4,
    c2: Any = 0.9,
    maxiter: Any = 20,
) -> LineSearchResults:
    """A step from `xk` along `pk` that fulfils Wolfe's conditions: Nocedal and Wright 2006, algorithm 3.5."""
    if jac is not None:
        raise NotImplementedError("For 'line_search', the gradient is taken of f: jac must be None.")
    both = value_and_grad(f)
    f0, g0 = both(xk)
    f0 = f0 if old_fval is None else old_fval
    d0 = ((g0 if gfk is None else gfk) * pk).sum()

    def at(step: Any) -> Any:
        value, slope = both(xk + step * pk)
        return value, (slope * pk).sum()

    one = ops.ones_like(d0)
    step = one
    if old_old_fval is not None:
        guess = 2.02 * (f0 - old_old_fval) / d0
        step = ops.select(guess > 0, ops.minimum(guess, one), one)
    before, f_before, d_before = one * 0, f0, d0
    f_step, d_step = at(step)
    failed, done, rounds, inner = one > 0, one < 0, 0, 0
    while rounds < maxiter and not done:
        too_high = ops.logical_or(f_step > f0 + c1 * step * d0, ops.logical_and(f_step >= f_before, rounds > 0))
        if too_high:
            failed, step, inner = _zoom(at, before, step, f_before, f_step, d_before, f0, d0, c1, c2)
            done = one > 0
        elif ops.abs(d_step) <= -c2 * d0:
            failed, done = one < 0, one > 0
        elif d_step >= 0:
            failed, step, inner = _zoom(at, step, before, f_step, f_before, d_step, f0, d0, c1, c2)
            done = one > 0
        else:
            before, f_before, d_before = step, f_step, d_step
            step = 2.0 * step
            f_step, d_step = at(step)
        rounds = rounds + 1
    value, slope = both(xk + step * pk)
    calls = rounds + inner + 2
    return LineSearchResults(failed, rounds, calls, calls, rounds, step, value, slope, ops.cast(failed, i64))


def _bfgs(f: Callable[[Any], Any], x0: Any, maxiter: Any, gtol: Any, line_search_maxiter: Any) -> OptimizeResults:
    """Nocedal and Wright 2006, algorithm 6.1."""
    n = x0.shape[0]
    one = ops.eye(n, n, x0.dtype)
    x, inverse = x0, one
    value, slope = value_and_grad(f)(x)
    older = value + 0.5 * ops.sqrt(ops.square(slope).sum())
    failed, rounds, calls = value * 0 > 1, 0, 1
    while rounds < maxiter and not failed and ops.reduce_max(ops.abs(slope)) > gtol:
        direction = -ops.matmul(inverse, slope)
        found = line_search(f, x, direction, None, slope, value, older, 1e-4, 0.9, line_search_maxiter)
        calls = calls + found.nfev
        failed = found.failed
        if ops.logical_or(ops.logical_not(failed), found.f_k < value):
            moved, turned = found.a_k * direction, found.g_k - slope
            older, value, slope = value, found.f_k, found.g_k
            x = x + moved
            product = (moved * turned).sum()
            if product > 0:
                rho = 1.0 / product
                left = one - rho * ops.expand_dims(moved, 1) * ops.expand_dims(turned, 0)
                inverse = ops.matmul(ops.matmul(left, inverse), left.T)
                inverse = inverse + rho * ops.expand_dims(moved, 1) * ops.expand_dims(moved, 0)
        rounds = rounds + 1
    success = ops.reduce_max(ops.abs(slope)) <= gtol
    return OptimizeResults(
        x, success, ops.cast(ops.logical_not(success), i64), value, slope, inverse, calls, calls, rounds
    )


def minimize(
    func: Callable[..., Any],
    x0: Any,
    args: tuple[Any, ...] = (),
    method: Any = None,
    jac: Any = None,
    hess: Any = None,
    hessp: Any = None,
    bounds: Any = None,
    constraints: Any = (),
    tol: Any = None,
    callback: Any = None,
    options: Any = None,
) -> OptimizeResults:
    """The minimum of a function of a vector near `x0`, by BFGS."""
    if method is None:
        raise ValueError("For 'minimize', method must be given: 'BFGS'.")
    if method.lower() != "bfgs":
        raise NotImplementedError(f"For 'minimize', the method {method!r} is not in jitcore; 'BFGS' is.")
    if (
        jac is not None
        or hess is not None
        or hessp is not None
        or bounds is not None
        or constraints
        or callback is not None
    ):
        raise NotImplementedError(
            "For 'minimize', jac, hess, hessp, bounds, constraints and callback are not in jitcore."
        )
    if x0.ndim != 1:
        raise ValueError(f"For 'minimize', x0 must be a vector, not of the shape {x0.shape}.")
    given = {} if options is None else options
    maxiter = given.get("maxiter")
    gtol = given.get("gtol", 1e-5 if tol is None else tol)
    limit = 200 * x0.shape[0] if maxiter is None or math.isinf(maxiter) else maxiter

    def f(x: Any) -> Any:
        return func(x, *args)

    return _bfgs(f, x0, limit, gtol, given.get("line_search_maxiter", 10))
