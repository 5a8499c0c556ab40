"""What type checkers are to know of programs: `tests/test_typing.py` has pyright check this file, line by line. It is not
run."""

# pyright: strict

from __future__ import annotations

from typing import Any, TypeVar, assert_type

import numpy as np
from numpy.typing import NDArray

import jitcore
from jitcore import (
    Parameter,
    Tensor,
    checkpoint,
    grad,
    hessian,
    jacfwd,
    jacrev,
    jit,
    jvp,
    ms_function,
    nn,
    recompute,
    value_and_grad,
    vjp,
    vmap,
)
from jitcore.runtime.explain.report import Explanation

T = TypeVar("T")
x = Tensor([1.0])


# --- compiled functions -------------------------------------------------------------------------------------


@jit
def scaled(x: Tensor, n: int = 2) -> Tensor:
    return x * n


@jit()
def named(x: Tensor, *, n: int) -> float:
    return float(x) * n


@ms_function
def several(a: int, /, *args: float, **keywords: str) -> tuple[int, str]:
    return a, str(args) + str(keywords)


@jitcore.jit
def same(x: T) -> T:
    return x


def plain(x: Tensor) -> Tensor:
    return x


assert_type(scaled(x), Tensor)
assert_type(scaled(x, 3), Tensor)
assert_type(scaled(x, n=3), Tensor)
assert_type(named(x, n=1), float)
assert_type(several(1, 2.0, 3.0, key="a"), tuple[int, str])
assert_type(same(3), int)
assert_type(same("a"), str)
assert_type(jit(plain)(x), Tensor)
assert_type(jit(scaled)(x, n=3), Tensor)
assert_type(scaled.explain(), Explanation)
assert_type(scaled.__wrapped__(x, n=3), Tensor)

scaled("a")  # error: reportArgumentType
scaled(x, m=3)  # error: reportCallIssue
scaled(x, 1, 2)  # error: reportCallIssue
scaled()  # error: reportCallIssue
named(x)  # error: reportCallIssue
scaled.no_such  # error: reportAttributeAccessIssue reportUnknownMemberType
jit(3)  # error: reportArgumentType reportCallIssue


# --- methods ------------------------------------------------------------------------------------------------


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.weight = Parameter(Tensor([1.0]), name="weight")

    @jit
    def construct(self, x: Tensor) -> Tensor:
        return x * self.weight

    @jit
    def step(self, x: Tensor, rate: float = 0.1) -> int:
        return int(self.construct(x) * rate)

    @staticmethod
    @jit
    def doubled(n: int) -> int:
        return 2 * n

    @classmethod
    @jit
    def made(cls, n: int) -> Net:
        return cls()


net = Net()
assert_type(net.step(x), int)
assert_type(net.step(x, rate=0.2), int)
assert_type(Net.step(net, x), int)
assert_type(net.construct(x), Tensor)
assert_type(net.doubled(1), int)
assert_type(Net.doubled(1), int)
assert_type(Net.made(1), Net)

net.step(1)  # error: reportArgumentType
net.step(x, speed=1.0)  # error: reportCallIssue
Net.step(x)  # error: reportCallIssue
Net.made("a")  # error: reportArgumentType


# --- transforms ---------------------------------------------------------------------------------------------


def loss(x: Tensor, rate: float = 1.0) -> Tensor:
    return (x * x).sum() * rate


def pair(x: Tensor) -> tuple[Tensor, int]:
    return x, 1


def of_array(x: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    return x * n


assert_type(grad(loss)(x, rate=2.0), Any)
assert_type(grad(scaled, (0,))(x, n=2), Any)
assert_type(value_and_grad(loss)(x)[0], Tensor)
assert_type(value_and_grad(pair, has_aux=True)(x)[0], tuple[Tensor, int])
assert_type(vmap(loss)(x), Tensor)
assert_type(vmap(of_array, (0, None))(np.ones(3), n=2), NDArray[np.float64])
assert_type(vmap(pair)(x), Any)
assert_type(jvp(loss, (x,), (x,)), tuple[Tensor, Tensor])
assert_type(vjp(loss, x)[0], Tensor)
assert_type(vjp(loss, x)[1](x), Any)
assert_type(recompute(loss)(x, rate=2.0), Tensor)
assert_type(checkpoint(loss, 3)(x), Tensor)
assert_type(jit(grad(loss))(x), Any)
assert_type(grad(net)(x, 1, y=2), Any)

grad(loss)("a")  # error: reportArgumentType
grad(loss)(x, rat=2.0)  # error: reportCallIssue
value_and_grad(loss)()  # error: reportCallIssue
vmap(loss)(x, 1.0, 2.0)  # error: reportCallIssue
recompute(loss)(1)  # error: reportArgumentType
hessian(loss)(1)  # error: reportArgumentType
jacfwd(loss)(1)  # error: reportArgumentType
jacrev(loss)(1)  # error: reportArgumentType
jit(grad(loss))(1)  # error: reportArgumentType
grad(3)  # error: reportArgumentType


# --- Tensors ------------------------------------------------------------------------------------------------

assert_type(x + 1, Tensor)
assert_type(2.5 - x, Tensor)
assert_type(x @ np.ones((1, 1)), Tensor)
assert_type(-x * [1.0], Tensor)
assert_type(x < 2, Tensor)
assert_type(x == 2, Tensor)
assert_type(net.weight * 2, Tensor)
assert_type(abs(x) ** 2 // 3, Tensor)
assert_type(x[0], Tensor)
assert_type(x.shape, tuple[int, ...])
x += 1
assert_type(x, Tensor)

x + "a"  # error: reportOperatorIssue reportUnusedExpression
{} - x  # error: reportOperatorIssue reportUnusedExpression
