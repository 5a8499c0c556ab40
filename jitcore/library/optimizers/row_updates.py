"""Operators that change Parameters as optimisers do, by gradients of some of their rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitcore.library.array.scatter import scattered_rows
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, promote, rank_of, shape_of
from jitcore.library.optimizers import update_rules as rules
from jitcore.library.optimizers.parameter_updates import (
    adadelta,
    adagrad,
    changed,
    corrected,
    ftrl,
    like,
    on,
    proximal_adagrad,
    rms,
    share,
)
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import joining
from jitcore.primitives.ops import shape as s
from jitcore.types import i64


def _sums(var: Any, grad: Any, indices: Any) -> tuple[Any, Any]:
    """Gradients of rows, those of the same row added up, as one whole, and which rows there are any of."""
    a = as_array(var)
    zeros = joining.full(as_array(0, dtype_of_value(a)), shape=shape_of(a))
    whole = scattered_rows(zeros, indices, as_array(as_array(grad), dtype_of_value(a)), "add")
    places = s.reshape(as_array(indices), shape=(shape_of(as_array(indices))[0],))
    places = index_modes.checked(places, shape_of(a)[0], 0)
    none = joining.full(as_array(0, i64), shape=(shape_of(a)[0],))
    touched = e.greater(ix.scatter_add(none, places, e.add(e.mul(places, 0), 1), axis=0), 0)
    return whole, s.expand_dims(touched, axis=tuple(range(1, rank_of(a)))) if rank_of(a) > 1 else touched


def _by_rows(update: Callable[..., Any], state: tuple[Any, ...], grad: Any, indices: Any) -> tuple[Any, ...]:
    """Parameters and their states with an update of the rows that have gradients."""
    whole, touched = _sums(state[0], grad, indices)
    made = update(*state, whole)
    return tuple(e.select(touched, *promote("add", new, old)) for new, old in zip(made, state, strict=True))


def _fused_adam(lazy: bool) -> Callable[..., Any]:
    def set_up(
        var: Any,
        m: Any,
        v: Any,
        beta1_power: Any,
        beta2_power: Any,
        lr: Any,
        beta1: Any,
        beta2: Any,
        epsilon: Any,
        gradient: Any,
        indices: Any,
        *,
        use_locking: Any = False,
        use_nesterov: Any = False,
    ) -> Any:
        del use_locking
        scalars = like(var, beta1_power, beta2_power, lr, beta1, beta2, epsilon)
        nesterov = on(use_nesterov)

        def update(var: Any, m: Any, v: Any, g: Any) -> tuple[Any, Any, Any]:
            power1, power2, rate, first, second, eps = scalars
            scale = corrected(rate, power1, power2)
            step, *kept = rules.adam(m, v, g, scale, share(first), share(second), eps, nesterov)
            return e.sub(var, step), *kept

        state = (var, m, v)
        if lazy:
            return changed(state, _by_rows(update, state, gradient, indices))
        return changed(state, update(*state, _sums(var, gradient, indices)[0]))

    set_up.__doc__ = "Adam with gradients of some rows" + (", which alone change." if lazy else ".")
    return set_up


operator("FusedSparseAdam", "raw")(_fused_adam(lazy=False))
operator("FusedSparseLazyAdam", "raw")(_fused_adam(lazy=True))


@operator("SparseApplyAdagrad", "raw")
def sparse_apply_adagrad(
    var: Any, accum: Any, grad: Any, indices: Any, *, lr: Any, update_slots: Any = True, use_locking: Any = False
) -> Any:
    """Adagrad with gradients of some rows."""
    del use_locking
    state, slots = (var, accum), on(update_slots)
    return changed(state, _by_rows(lambda v, a, g: adagrad(v, a, lr, g, None, slots), state, grad, indices))


@operator("SparseApplyAdagradV2", "raw")
def sparse_apply_adagrad_v2(
    var: Any,
    accum: Any,
    grad: Any,
    indices: Any,
    *,
    lr: Any,
    epsilon: Any,
    use_locking: Any = False,
    update_slots: Any = True,
) -> Any:
    """Adagrad with gradients of some rows, and an epsilon beside the root."""
    del use_locking
    state, slots = (var, accum), on(update_slots)
    return changed(state, _by_rows(lambda v, a, g: adagrad(v, a, lr, g, epsilon, slots), state, grad, indices))


@operator("SparseApplyAdadelta", "raw")
def sparse_apply_adadelta(
    var: Any,
    accum: Any,
    accum_update: Any,
    lr: Any,
    rho: Any,
    grad: Any,
    indices: Any,
    *,
    epsilon: Any,
    use_locking: Any = False,
) -> Any:
    """Adadelta with gradients of some rows."""
    del use_locking
    state = (var, accum, accum_update)
    return changed(state, _by_rows(lambda v, a, u, g: adadelta(v, a, u, lr, rho, epsilon, g), state, grad, indices))


@operator("SparseApplyProximalAdagrad FusedSparseProximalAdagrad", "raw")
def sparse_apply_proximal_adagrad(
    var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any, indices: Any, *, use_locking: Any = False
) -> Any:
    """Proximal Adagrad with gradients of some rows."""
    del use_locking
    state = (var, accum)
    return changed(state, _by_rows(lambda v, a, g: proximal_adagrad(v, a, lr, l1, l2, g), state, grad, indices))


@operator("SparseApplyFtrl FusedSparseFtrl", "raw")
def sparse_apply_ftrl(
    var: Any,
    accum: Any,
    linear: Any,
    grad: Any,
    indices: Any,
    *,
    lr: Any,
    l1: Any,
    l2: Any,
    lr_power: Any,
    use_locking: Any = False,
) -> Any:
    """Follow the regularised leader, with gradients of some rows."""
    del use_locking
    state = (var, accum, linear)
    return changed(state, _by_rows(lambda v, a, w, g: ftrl(v, a, w, g, lr, l1, l2, lr_power), state, grad, indices))


@operator("SparseApplyFtrlV2", "raw")
def sparse_apply_ftrl_v2(
    var: Any,
    accum: Any,
    linear: Any,
    grad: Any,
    indices: Any,
    *,
    lr: Any,
    l1: Any,
    l2: Any,
    l2_shrinkage: Any,
    lr_power: Any,
    use_locking: Any = False,
) -> Any:
    """Follow the regularised leader, with gradients of some rows and shrinkage."""
    del use_locking
    state = (var, accum, linear)

    def update(v: Any, a: Any, w: Any, g: Any) -> Any:
        return ftrl(v, a, w, g, lr, l1, l2, lr_power, l2_shrinkage)

    return changed(state, _by_rows(update, state, grad, indices))


@operator("SparseApplyRMSProp", "raw")
def sparse_apply_rms_prop(
    var: Any,
    ms: Any,
    mom: Any,
    lr: Any,
    grad: Any,
    indices: Any,
    *,
    rho: Any,
    momentum: Any,
    epsilon: Any,
    use_locking: Any = False,
) -> Any:
    """RMSProp with gradients of some rows."""
    del use_locking
    state = (var, ms, mom)

    def update(v: Any, square: Any, step: Any, g: Any) -> Any:
        return rms(v, square, step, lr, g, rho, momentum, epsilon, None)

    return changed(state, _by_rows(update, state, grad, indices))
