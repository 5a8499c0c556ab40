"""Functions that draw, fill, transform and take norms, called wrongly."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalCall=false
# ruff: noqa: E501

import mindspore as ms
from mindspore import ops


def generating_a1():
    return ops.rand("a")


def generating_a2():
    return ops.rand(2.5)


def generating_a3():
    return ops.rand(2, seed=-1)


def generating_a4():
    return ops.rand(2, dtype=ms.int32)


def generating_a5():
    return ops.randn("a")


def generating_a6():
    return ops.randn(2, dtype=ms.int32)


def generating_a7(n):
    return ops.rand_like(n)


def generating_a8(x):
    return ops.randn_like(x, dtype=ms.int32)


def generating_d5(x):
    return ops.pixel_unshuffle(x.reshape(1, 2, 3), 2)


def generating_d6(n):
    return ops.pixel_unshuffle(n, 2)


def generating_e2(x):
    return ops.rrelu(x, lower="a")


def generating_e3(x):
    return ops.rrelu(x, lower=0.5, upper=0.2)


def generating_e5(x):
    return ops.matrix_norm(x, "abc")


def generating_e7(x):
    return ops.matrix_norm(x, 3)


def generating_e8(x):
    return ops.matrix_norm(x, axis=(0, 0))


def generating_f5(n):
    return ops.fft(n)


def generating_f6(x):
    return ops.fft(x, n=0)


def generating_f7(x):
    return ops.fft(x, norm="abc")


def generating_f8(x):
    return ops.fft(x, dim=5)


def generating_h4(n):
    return ops.fills(n, 1)


def generating_h5(x):
    return ops.fills(x, "a")


def generating_h6(x, y):
    return ops.fills(x, y)


def generating_where_of_floats(x):
    return ops.where(x > 1, 1.5, 0.5)


def generating_where_of_a_float_and_an_int(x):
    return ops.where(x > 1, 1.5, 2)


def generating_select_of_floats(x):
    return ops.select(x > 1, 1.0, 0.5)


def generating_where_of_bools(x):
    return ops.where(x > 1, True, False)
