"""Functions that stack, multiply, turn and compare, called wrongly."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalCall=false
# ruff: noqa: E501

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops


def combining_a1(x):
    return ops.hstack(x)


def combining_a2(x):
    return ops.hstack((x, 1))


def combining_a3(x):
    return ops.hstack(())


def combining_a4(x):
    return ops.vstack(x)


def combining_a5(x):
    return ops.vstack([])


def combining_a6(x):
    return ops.vstack((x, 2.0))


def combining_a7(x):
    return ops.dstack(x)


def combining_a8(x):
    return ops.dstack(())


def combining_a9(x):
    return ops.column_stack((1, x))


def combining_b1(n):
    return ops.deg2rad(n)


def combining_b2(i):
    return ops.deg2rad(i)


def combining_b3(n, y):
    return ops.mv(n, y)


def combining_b4(x):
    return ops.mv(x, 2)


def combining_b5(y):
    return ops.outer(y, 2)


def combining_b6(y):
    return ops.outer("a", y)


def combining_b7(y):
    return ops.kron(2, y)


def combining_b8(im):
    return ops.cov(im)


def combining_b9(b):
    return ops.cov(b)


def combining_c1(x, y):
    return ops.addmv(y, x, 2)


def combining_c2(x, y, i):
    return ops.addmv(y, x, i)


def combining_c3(x, y):
    return ops.addr(x, y, 1)


def combining_c4(n):
    return ops.copysign(n, 1)


def combining_c5(x):
    return ops.copysign(x, "a")


def combining_c6(x):
    return ops.dist(x, 1)


def combining_c7(x):
    return ops.dist("a", x)


def combining_c8(x):
    return ops.rot90(x, 1.0, [0, 1])


def combining_c9(x):
    return ops.rot90(x, 1, 0)


def combining_d1(x):
    return ops.rot90(x, 1, [0])


def combining_d2(x):
    return ops.rot90(x, 1, [0, 0])


def combining_d3(x):
    return ops.rot90(x, 1, [0, 5])


def combining_d5(n):
    return ops.trapz(n)


def combining_d6(y):
    return ops.trapz(y, dx=1)


def combining_d7(y):
    return ops.trapz(y, dim=1.0)


def combining_d8(n):
    return ops.vander(n)


def combining_d9(x):
    return ops.vander(x)


def combining_e1(y):
    return ops.vander(y, 1.5)


def combining_e2(y):
    return ops.vander(y, 0)


def combining_e3(n):
    return ops.full_like(n, 1)


def combining_e4(y):
    return ops.is_nonzero(y)


def combining_e5(n):
    return ops.is_nonzero(n)


def combining_e8(n):
    return ops.combinations(n)


def combining_e9(x):
    return ops.combinations(x)


def combining_f1(y):
    return ops.combinations(y, 1.0)


def combining_f2(n, y):
    return ops.logaddexp(y, n)


def combining_f3(i):
    return ops.logaddexp(i, i)


def combining_f4(n):
    return ops.float_power(n, 2)


def combining_f5(n):
    return ops.fmod(n, 2)


def combining_f6(y):
    return ops.threshold(y, "a", 1)


def combining_f7(n):
    return ops.threshold(n, 1, 1)


def combining_f8(y):
    return ops.hardtanh(y, "a")


def combining_f9(n):
    return ops.hardtanh(n)


def combining_g1(y):
    return ops.leaky_relu(y, "a")


def combining_g2(n):
    return ops.leaky_relu(n)


def combining_g3(y):
    return ops.huber_loss(y, y, delta="a")


def combining_g4(y):
    return ops.huber_loss(y, y, delta=0)


def combining_g5(y, n):
    return ops.huber_loss(y, n)


def combining_g6(y):
    return ops.huber_loss(y, y, "abc")


def eager_combining_a1():
    return ops.hstack(Tensor([1.0]))


def eager_combining_a3():
    return ops.vstack(())


def eager_combining_b1():
    return ops.deg2rad(1)


def eager_combining_b2():
    return ops.deg2rad(Tensor([1]))


def eager_combining_b3():
    return ops.mv(1, Tensor([1.0]))


def eager_combining_b5():
    return ops.outer(Tensor([1.0]), 2)


def eager_combining_b8():
    return ops.cov(Tensor(np.ones((2, 2, 2), np.float32)))


def eager_combining_c4():
    return ops.copysign(1, 1)


def eager_combining_d2():
    return ops.rot90(Tensor([[1.0]]), 1, [0, 0])


def eager_combining_e4():
    return ops.is_nonzero(Tensor([1.0, 2.0]))


def eager_combining_f3():
    return ops.logaddexp(Tensor([1]), Tensor([2]))


def eager_combining_f4():
    return ops.float_power(1, 2)


def eager_combining_f6():
    return ops.threshold(Tensor([1.0]), "a", 1)


def eager_combining_f8():
    return ops.hardtanh(Tensor([1.0]), "a")


def eager_combining_g3():
    return ops.huber_loss(Tensor([1.0]), Tensor([1.0]), delta="a")


def further_a1(x):
    return ops.addmm(x, x, x.T, alpha="a")


def further_a2(x, z):
    return ops.addbmm(x, z, z, beta=None)


def further_a3(x):
    return ops.baddbmm(x, 1, x)


def further_a4(x):
    return ops.atleast_1d([x, 1])


def further_a5(x):
    return ops.atleast_2d((x, "a"))


def further_a6(x):
    return ops.atleast_3d([1, x])


def further_a7(n):
    return ops.diag_embed(n)


def further_a8(x):
    return ops.diag_embed(x, 0, 5, 1)


def further_a9(x):
    return ops.diag_embed(x, 0, 1, 1)


def further_b1(x):
    return ops.diag_embed(x, 0, 1, -2)


def further_b2(n):
    return ops.diagflat(n)


def further_b3(x):
    return ops.diagflat(x, 1.0)


def further_b4(x):
    return ops.gaussian_nll_loss(x, 1, x)


def further_b5(x):
    return ops.gaussian_nll_loss(x, x, x, full=1)


def further_b6(x):
    return ops.gaussian_nll_loss(x, x, x, eps=0)


def further_b7(x):
    return ops.gaussian_nll_loss(x, x, x, eps=-1.0)


def further_b8(x):
    return ops.gaussian_nll_loss(x, x, x, reduction="abc")


def further_b9(x):
    return ops.histc(x, 3, "a", 2)


def further_c1(n):
    return ops.is_complex(n)


def further_c2(n):
    return ops.sgn(n)


def further_c3(n):
    return ops.tanhshrink(n)


def further_c4(x, n):
    return ops.vecdot(x, n)


def further_c5(x):
    return ops.vecdot(x, x, axis=1.0)


def further_c6(x):
    return ops.vecdot(x, x, axis=5)


def further_c7(n):
    return ops.bitwise_left_shift(n, 1)


def further_c8(i):
    return ops.bitwise_left_shift(i, 1.0)


def further_c9(i):
    return ops.bitwise_right_shift(1.0, i)


def further_d1(i):
    return ops.bitwise_right_shift(i, 1)


def further_d2(x):
    return ops.diag_embed(x, 1.0)


def further_d3(y):
    return ops.diag_embed(y, 1)


def eager_further_a1():
    return ops.addmm(Tensor([[1.0]]), Tensor([[1.0]]), Tensor([[1.0]]), alpha="a")


def eager_further_a4():
    return ops.atleast_1d([Tensor([1.0]), 1])


def eager_further_a7():
    return ops.diag_embed(1)


def eager_further_a9():
    return ops.diag_embed(Tensor([[1.0]]), 0, 1, 1)


def eager_further_b2():
    return ops.diagflat(1)


def eager_further_b4():
    return ops.gaussian_nll_loss(Tensor([1.0]), 1, Tensor([1.0]))


def eager_further_b8():
    return ops.gaussian_nll_loss(Tensor([1.0]), Tensor([1.0]), Tensor([1.0]), reduction="abc")


def eager_further_b9():
    return ops.histc(Tensor([1.0]), 3, "a", 2)


def eager_further_c3():
    return ops.tanhshrink(1)


def eager_further_c4():
    return ops.vecdot(Tensor([1.0]), 1)


def eager_further_c6():
    return ops.vecdot(Tensor([1.0]), Tensor([1.0]), axis=5)


def eager_further_c7():
    return ops.bitwise_left_shift(1, 1)
