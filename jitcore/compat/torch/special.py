"""`torch.special`."""

from __future__ import annotations

import math
from typing import Any, Final

from jitcore import ops
from jitcore.compat.torch import surface
from jitcore.compat.torch.arguments import Operand
from jitcore.compat.torch.declaring import FUNCTIONS, declared
from jitcore.runtime.tensor import Tensor

surface.complete()

_SAME: Final = (
    "digamma erf erfc erfinv exp2 expm1 i0 log1p log_softmax logit logsumexp polygamma round sinc softmax xlogy"
)
_OTHERWISE: Final = {
    "expit": "sigmoid", "gammaln": "lgamma", "psi": "digamma", "multigammaln": "mvlgamma", "gammainc": "igamma",
    "gammaincc": "igammac",
}  # fmt: skip
globals().update({name: FUNCTIONS[name] for name in _SAME.split()})
globals().update({name: FUNCTIONS[own] for name, own in _OTHERWISE.items()})


@declared
def i0e(input: Tensor) -> Any:
    """`exp(-|x|) i0(x)`."""
    return ops.bessel_i0e(input)


@declared
def i1(input: Tensor) -> Any:
    """The modified Bessel function of the first kind, of order 1."""
    return ops.bessel_i1(input)


@declared
def i1e(input: Tensor) -> Any:
    """`exp(-|x|) i1(x)`."""
    return ops.bessel_i1e(input)


@declared
def bessel_j0(input: Tensor) -> Any:
    """The Bessel function of the first kind, of order 0."""
    return ops.bessel_j0(input)


@declared
def bessel_j1(input: Tensor) -> Any:
    """The Bessel function of the first kind, of order 1."""
    return ops.bessel_j1(input)


@declared
def xlog1py(input: Operand, other: Operand) -> Any:
    """`x log(1 + y)`, and 0 where x is."""
    product = ops.mul(input, ops.log1p(other))
    return ops.where(ops.logical_and(ops.eq(input, 0), ops.logical_not(ops.isnan(other))), 0.0, product)


@declared
def ndtr(input: Tensor) -> Any:
    """The distribution function of the normal distribution."""
    return ops.mul(ops.erfc(ops.mul(input, -math.sqrt(0.5))), 0.5)


@declared
def entr(input: Tensor) -> Any:
    """`-x log(x)`; 0 for 0, and minus infinity below."""
    inside = ops.neg(ops.xlogy(input, input))
    return ops.where(ops.lt(input, 0), float("-inf"), inside)


@declared
def zeta(input: Operand, other: Operand) -> Any:
    """Hurwitz's zeta function."""
    return ops.zeta(input, other)
