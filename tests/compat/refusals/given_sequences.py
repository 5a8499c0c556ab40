"""Refused and odd uses of the operators over sequences, and of sequences of variable length that compiled code is called with."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportIndexIssue=false, reportCallIssue=false, reportArgumentType=false

import mindspore as ms
import numpy as np
from mindspore import Tensor, context, jit, mutable
from mindspore.ops import functional as F
from mindspore.ops.operations import _sequence_ops as S


def _ones(*shape):
    return Tensor(np.ones(shape, np.float32))


def _graph(run):
    mode = context.get_context("mode")
    context.set_context(mode=context.GRAPH_MODE)
    try:
        return run()
    finally:
        context.set_context(mode=mode)


def _run(f, *args):
    return _graph(lambda: jit(f)(*args))


def _dynamic():
    return mutable((1, 2, 3), True)


def _dynamic_list():
    return mutable([1, 2, 3], True)


# --- operators over sequences ---


def list_append_wrong():
    return S.ListAppend()(mutable([1, 2], True), 0.5)


def shape_mul_dynamic():
    return S.shape_mul()(mutable((2, 3), True))


def seq_slice_dynamic():
    return S.SequenceSlice()(mutable((1, 2, 3), True), 0, 2, 1)


def in_sequence_dyn():
    return S.InSequence()(2, mutable((1, 2), True))


def in_sequence_dyn_float():
    return S.InSequence()(2.0, mutable((1, 2), True))


def slice_set_dyn():
    return S.SequenceSliceSetItem()(mutable([1, 2, 3], True), [7], 0, 1, 1)


def seq_add_dyn_float():
    return S.SequenceAdd()(mutable((1, 2), True), (3.0,))


def add_offset(t):
    return S.SequenceAddOffset()(t, t)


def add_offset_one(t):
    return S.SequenceAddOffset()(t)


def add_offset_dyn():
    return S.SequenceAddOffset()(mutable((1, 2), True), mutable((1, 2), True))


def tensor_to_tuple_2d(x):
    return S.TensorToTuple()(x)


def count_dyn_float():
    return S.SequenceCount()(mutable((1, 2, 2), True), 2.0)


def count_dyn_string():
    return S.SequenceCount()(mutable((1, 2, 2), True), "a")


def index_dyn():
    return S.SequenceIndex()(mutable((1, 2, 2), True), 2, 0, 3)


def index_dyn_missing():
    return S.SequenceIndex()(mutable((1, 2, 2), True), 9, 0, 3)


def index_dyn_list_missing():
    return S.SequenceIndex()(mutable([1, 2, 2], True), 9, 0, 3)


def zeros_like_dyn():
    return S.SequenceZerosLike()(mutable((1, 2), True))


def make_range_op(n):
    return S.make_range()(0, n, 1)


def make_range_one(n):
    return S.make_range()(n)


def stack(x):
    return S.SequenceStack(0)((x, x))


def stack_unlike(x, y):
    return S.SequenceStack(0)((x, y))


def stack_unlike_same_rank(y, i):
    return S.SequenceStack(0)((y, Tensor([1.0])))


def stack_empty():
    return S.SequenceStack(0)(())


def unstack_axis9(x):
    return S.SequenceUnstack(9)(x)


def unstack_num(x):
    return S.SequenceUnstack(0, 3)(x)


# --- operators over sequences that are given ---


def _idx9(v):
    return S.SequenceIndex()(v, 9, 0, 3)


def eager_idx_mutable_floats():
    return _run(_idx9, mutable((1.0, 2.0)))


def _idx9_one(v):
    return v.index(9)


def eager_idxm_dyn():
    return _run(_idx9_one, _dynamic())


def _idxf(v):
    return S.SequenceIndex()(v, 2.5, 0, 3)


def eager_idxf_static():
    return _run(_idxf, (1, 2, 3))


def _cntn(v):
    return S.SequenceCount()(v, None)


def eager_cntn_static():
    return _run(_cntn, (1, 2))


def _inss(v):
    return S.InSequence()("a", v)


def eager_inss_dyn():
    return _run(_inss, _dynamic())


def eager_inss_strs():
    return _run(_inss, ("a", "b"))


def _ss(v):
    return S.SequenceSliceSetItem()(v, (7, 8), 0, 2, 1)


def eager_ss_dyn():
    return _run(_ss, _dynamic())


def _ssf(v):
    return S.SequenceSliceSetItem()(v, (7.0, 8.0), 0, 2, 1)


def eager_ssf():
    return _run(_ssf, _dynamic())


def eager_ss_mut():
    return _run(_ss, mutable((1, 2, 3)))


def _slv(v, n):
    return S.SequenceSlice()(v, 0, 2, n)


def eager_slv0():
    return _run(_slv, _dynamic(), mutable(0))


def _ao(u, v):
    return S.SequenceAddOffset()(u, v)


def eager_ao_mixed():
    return _run(_ao, _dynamic(), (1, 2))


def eager_ao_ints():
    return _run(_ao, 1, 2)


def _add(u, v):
    return S.SequenceAdd()(u, v)


def eager_add_floats2():
    return _run(_add, (1.0,), _dynamic())


def eager_add_mixed_types():
    return _run(_add, _dynamic(), (1, 1.0))


def eager_add_mut():
    return _run(_add, mutable((1, 2)), (1.0,))


def eager_add_empty():
    return _run(_add, _dynamic(), ())


def _stk(u, v):
    return S.SequenceStack(0)((u, v))


def eager_stk_unlike2():
    return _run(_stk, _ones(2, 3), _ones(2, 4))


def _z(v):
    return S.SequenceZerosLike()(v)


def eager_z_bools():
    return _run(_z, (True, False))


def eager_z_nested():
    return _run(_z, ((1, 2), 3))


# --- sequences of variable length that are given ---


def _at5(v):
    return v[5]


def eager_dt_at5():
    return _run(_at5, _dynamic())


def eager_dl_at5():
    return _run(_at5, _dynamic_list())


def _atm5(v):
    return v[-5]


def eager_dt_atm5():
    return _run(_atm5, _dynamic())


def _at1(v):
    return v[1]


def eager_dt_at1():
    return _run(_at1, _dynamic())


def _at(v, n):
    return v[n]


def eager_dt_at_var():
    return _run(_at, _dynamic(), mutable(7))


def eager_dt_at_arg():
    return _run(_at, _dynamic(), 7)


def _len(v):
    return len(v)


def eager_dt_len():
    return _run(_len, _dynamic())


def _sum(v):
    s = 0
    for i in v:
        s += i
    return s


def eager_dt_sum():
    return _run(_sum, _dynamic())


def eager_mixed_dyn():
    return _run(_at1, mutable((1, 2.0), True))


def eager_mixed_dyn_list():
    return _run(_at1, mutable([1, 2.0], True))


def eager_mixed_dyn_tensor():
    return _run(_at1, mutable((1, Tensor(2.0)), True))


def eager_mixed_dyn_shapes():
    return _run(_len, mutable((_ones(2), _ones(3)), True))


def eager_mixed_dyn_ranks():
    return _run(_len, mutable((_ones(2), _ones(2, 3)), True))


def eager_mixed_dyn_nested():
    return _run(_len, mutable(((1, 2), (3,)), True))


def eager_mixed_dyn_nested2():
    return _run(_len, mutable(((1, 2), (3, 4.0)), True))


def eager_mixed_dyn_bool():
    return _run(_len, mutable((True, 2), True))


def eager_mixed_dyn_third():
    return _run(_len, mutable((1, 2, 3.0), True))


def mixed_dyn_tensors_in_body(x, y):
    return len(mutable((x, y), True))
