"""Values that are assigned to Parameters in graphs, and exceptions that programs raise with Tensors among their arguments."""
# pyright: basic, reportMissingImports=false, reportMissingParameterType=false

import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore import dtype as mstype


class _Held(nn.Cell):
    def __init__(self, start):
        super().__init__()
        self.p = Parameter(start, name="p")

    def construct(self, v):
        self.p = v
        return self.p


def _set(dtype, value):
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return _Held(Tensor([1], dtype))(value)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


# --- Parameters -----------------------------------------------------------------------------------
def eager_float32_set_to_float64():
    return _set(mstype.float32, Tensor([2], mstype.float64))


def eager_float32_set_to_ints():
    return _set(mstype.float32, Tensor([2], mstype.int64))


def eager_float32_set_to_float16():
    return _set(mstype.float32, Tensor([2], mstype.float16))


def eager_int32_set_to_float32():
    return _set(mstype.int32, Tensor([2], mstype.float32))


def eager_int64_set_to_int32():
    return _set(mstype.int64, Tensor([2], mstype.int32))


def eager_bools_set_to_ints():
    return _set(mstype.bool_, Tensor([2], mstype.int32))


def eager_int8_set_to_uint8():
    return _set(mstype.int8, Tensor([2], mstype.uint8))


def eager_float32_set_to_complex():
    return _set(mstype.float32, Tensor([2], mstype.complex64))


def eager_set_to_an_int():
    return _set(mstype.float32, 2)


def eager_ints_set_to_a_float():
    return _set(mstype.int32, 2.5)


def eager_set_to_none():
    return _set(mstype.float32, None)


def eager_set_to_a_string():
    return _set(mstype.float32, "a")


def eager_set_to_a_tuple():
    return _set(mstype.float32, (1, 2))


def eager_set_to_a_list():
    return _set(mstype.float32, [1, 2])


def eager_set_to_a_longer_one():
    return _set(mstype.float32, Tensor([1.0, 2.0]))


def eager_set_to_two_axes():
    return _set(mstype.float32, Tensor([[1.0]]))


def eager_set_to_its_like():
    return _set(mstype.float32, Tensor([2.0]))


# --- raise ----------------------------------------------------------------------------------------
def raise_a_string_and_a_scalar(k):
    raise ValueError("k is", k)


def raise_a_string_and_a_tensor(i):
    raise ValueError("i is", i)


def raise_a_string_and_a_matrix(x):
    raise ValueError("x is", x)


def raise_a_constant_tensor():
    raise ValueError("c is", Tensor([1, 2]))


def raise_tensor_and_number(k, n):
    raise RuntimeError("k", k, n)


def raise_two_tensors(k, i):
    raise RuntimeError(k, i)


def raise_a_list_of_a_tensor(k):
    raise RuntimeError([k, 1])


def raise_a_tuple_of_a_tensor(k):
    raise RuntimeError((k, "a"))


def raise_braces_and_a_tensor(k):
    raise ValueError("{0}", k)


def raise_a_tensor(k):
    raise ValueError(k)
