"""What sums, means, quotients and powers of ints are."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalCall=false
# ruff: noqa: E501

import mindspore as ms
from mindspore import Tensor, mint, ops


def ints_s1(i):
    return ops.sum(i)


def ints_s2(i):
    return i.sum()


def ints_s3(i):
    return ops.prod(i)


def ints_s4(i):
    return ops.cumsum(i, 0)


def ints_s5(i):
    return ops.cumprod(i, 0)


def ints_s6(b):
    return ops.sum(b)


def ints_s7(b):
    return b.sum()


def ints_s8(i):
    return ops.sum(i.astype(ms.int8))


def ints_s9(i):
    return i.astype(ms.uint8).sum()


def ints_s10(i):
    return ops.ReduceSum()(i.astype(ms.int8))


def ints_s11(i):
    return mint.sum(i)


def ints_s12(i):
    return ops.prod(i.astype(ms.int8))


def ints_s13(i):
    return i.prod()


def ints_s14(i):
    return i.cumsum(0)


def ints_s15(i):
    return i.astype(ms.int8).cumsum(0)


def eager_ints_s8():
    return ops.sum(Tensor([1, 2], ms.int8))


def eager_ints_s9():
    return Tensor([1, 2], ms.uint8).sum()


def eager_ints_s12():
    return ops.prod(Tensor([1, 2], ms.int8))


def eager_ints_s1():
    return ops.sum(Tensor([1, 2], ms.int32))


def eager_ints_s15():
    return Tensor([1, 2], ms.int8).cumsum(0)


def eager_ints_cp():
    return ops.cumprod(Tensor([1, 2], ms.int32), 0)


def ints_p0(i):
    return ops.pow(i * 0, -1)


def ints_p1(i):
    return ops.pow(i - 2, -1)


def ints_p2(i):
    return (i - 2) ** (i - 3)


def ints_p3(i):
    return i**-2


def ints_p4(i):
    return ops.Pow()(i, -1)


def ints_p5(i):
    return i.pow(-1)


def ints_p6(i):
    return 2 ** (i - 2)


def eager_ints_p0():
    return Tensor([0, 2], ms.int32) ** -1


def eager_ints_p6():
    return 2 ** Tensor([-1, 2], ms.int32)


def ints_d1(i):
    return ops.RealDiv()(i - 4, 2)


def ints_d2(i):
    return ops.Div()(i - 4, 2)


def ints_d3(i):
    return ops.div(i, 2)


def ints_d4(i, b):
    return ops.Div()(i, b)


def ints_d5(b):
    return ops.Div()(b, b)


def ints_d6(i):
    return ops.RealDiv()(i, 2.0)


def ints_d7(i):
    return ops.RealDiv()(3, i)


def ints_d8(i):
    return ops.Div()(3, i)


def ints_d9(i, x):
    return ops.RealDiv()(i, Tensor([1.0, 2.0, 3.0]))


def ints_m1(i):
    return ops.mean(i - 4)


def ints_m2(i):
    return mint.mean(i)


def ints_m3(i):
    return i.astype(ms.uint8).mean()


def ints_m4(i):
    return ops.ReduceMean(True)(i)


def ints_m5(i):
    return ops.mean(i.astype(ms.int64), 0, True)


def ints_m6(b):
    return b.mean()


def ints_m7(i):
    return i.var()


def ints_m8(i):
    return i.std()


def ints_m9(i):
    return ops.var(i)
