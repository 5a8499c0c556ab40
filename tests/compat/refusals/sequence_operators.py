"""Refused and odd uses of the operators over sequences and of those over scalars."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, mutable, nn, ops
from mindspore.ops import functional as F
from mindspore.ops import operations as P
from mindspore.ops.operations import _scalar_ops as O
from mindspore.ops.operations import _sequence_ops as S


def tuple_to_tensor_of_floats():
    return S.TupleToTensor()((0.5, 1.5), ms.float32)


def tuple_to_tensor_to_int(t):
    return S.TupleToTensor()(t, ms.int64)


def tuple_to_tensor_without_a_dtype(t):
    return S.TupleToTensor()(t)


def tuple_to_tensor_of_none_dtype(t):
    return S.TupleToTensor()(t, None)


def tuple_to_tensor_of_a_list(l):
    return S.TupleToTensor()(l, ms.int32)


def tuple_to_tensor_of_an_int(n):
    return S.TupleToTensor()(n, ms.int32)


def tuple_to_tensor_of_a_tensor(x):
    return S.TupleToTensor()(x, ms.int32)


def tuple_to_tensor_of_strings():
    return S.TupleToTensor()(("a", "b"), ms.int32)


def tuple_to_tensor_of_mixed():
    return S.TupleToTensor()((1, 0.5), ms.float32)


def tuple_to_tensor_of_nested():
    return S.TupleToTensor()(((1, 2), (3, 4)), ms.float32)


def tuple_to_tensor_of_an_empty_tuple():
    return S.TupleToTensor()((), ms.float32)


def tuple_to_tensor_of_tensors(x):
    return S.TupleToTensor()((x, x), ms.float32)


def tuple_to_tensor_of_a_mutable():
    return S.TupleToTensor()(mutable((1, 2)), ms.float32)


def tuple_to_tensor_of_a_string_dtype(t):
    return S.TupleToTensor()(t, "float32")


def list_to_tensor_of_a_tuple(t):
    return S.ListToTensor()(t, ms.float32)


def list_to_tensor_of_none():
    return S.ListToTensor()(None, ms.float32)


def list_to_tensor_of_a_mutable():
    return S.ListToTensor()(mutable([1, 2]), ms.float32)


def tensor_to_tuple_of_floats(y):
    return S.TensorToTuple()(y)


def tensor_to_tuple_of_a_scalar(k):
    return S.TensorToTuple()(k)


def tensor_to_tuple_of_an_int(n):
    return S.TensorToTuple()(n)


def tensor_to_tuple_of_a_tuple(t):
    return S.TensorToTuple()(t)


def tensor_to_list_of_two_axes(x):
    return S.TensorToList()(x)


def tensor_to_list_of_an_int(n):
    return S.TensorToList()(n)


def tensor_to_list_of_floats(y):
    return S.TensorToList()(y)


def tensor_to_scalar_of_one():
    return S.TensorToScalar()(Tensor([5]))


def tensor_to_scalar_of_an_int(n):
    return S.TensorToScalar()(n)


def tensor_to_scalar_of_two_axes(x):
    return S.TensorToScalar()(x)


def sequence_len_of_a_list(l):
    return S.sequence_len()(l)


def sequence_len_of_a_tensor(x):
    return S.sequence_len()(x)


def sequence_len_of_a_string(s):
    return S.sequence_len()(s)


def sequence_len_of_dynamic():
    return S.sequence_len()(mutable((1, 2), True))


def sequence_len_of_none():
    return S.sequence_len()(None)


def sequence_len_of_two(t):
    return S.sequence_len()(t, t)


def list_append_of_a_constant():
    return S.ListAppend()([1, 2], 3)


def list_append_of_a_tuple(t):
    return S.ListAppend()(t, 3)


def list_append_of_a_string():
    return S.ListAppend()(mutable([1, 2]), "a")


def list_append_of_dynamic():
    return S.ListAppend()(mutable([1, 2], True), 3)


def list_append_of_a_float_to_dynamic():
    return S.ListAppend()(mutable([1, 2], True), 0.5)


def list_append_of_a_tensor(x):
    return S.ListAppend()(mutable([1, 2], True), x)


def list_append_of_one():
    return S.ListAppend()(mutable([1, 2]))


def list_append_to_an_int(n):
    return S.ListAppend()(n, 3)


def list_insert_of_dynamic():
    return S.ListInsert()(mutable([1, 2], True), 0, 3)


def list_insert_by_a_string():
    return S.ListInsert()(mutable([1, 2]), "a", 3)


def list_insert_by_a_float():
    return S.ListInsert()(mutable([1, 2]), 0.5, 3)


def list_insert_of_a_tuple(t):
    return S.ListInsert()(t, 0, 3)


def list_insert_past_the_end():
    return S.ListInsert()(mutable([1, 2]), 9, 3)


def list_insert_before_the_start():
    return S.ListInsert()(mutable([1, 2]), -9, 3)


def list_insert_of_a_string_item():
    return S.ListInsert()(mutable([1, 2], True), 0, "a")


def sequence_count_of_a_list(l):
    return S.SequenceCount()(l, 2)


def sequence_count_of_a_string(t):
    return S.SequenceCount()(t, "a")


def sequence_count_of_a_tensor(t, x):
    return S.SequenceCount()(t, x)


def sequence_count_in_a_tensor(x):
    return S.SequenceCount()(x, 1)


def sequence_count_in_an_int(n):
    return S.SequenceCount()(n, 1)


def sequence_count_of_dynamic():
    return S.SequenceCount()(mutable((1, 2), True), 1)


def sequence_count_of_a_float_in_dynamic():
    return S.SequenceCount()(mutable((1, 2), True), 0.5)


def sequence_count_of_one(t):
    return S.SequenceCount()(t)


def sequence_index_without_bounds(t):
    return S.SequenceIndex()(t, 2)


def sequence_index_of_a_string(t):
    return S.SequenceIndex()(t, "a", 0, 3)


def sequence_index_in_an_int(n):
    return S.SequenceIndex()(n, 2, 0, 3)


def sequence_index_in_a_tensor(x):
    return S.SequenceIndex()(x, 2, 0, 3)


def sequence_index_by_float_bounds(t):
    return S.SequenceIndex()(t, 2, 0.5, 3)


def sequence_index_of_dynamic():
    return S.SequenceIndex()(mutable((1, 2), True), 2, 0, 2)


def sequence_index_of_a_negative_start(t):
    return S.SequenceIndex()(t, 2, -2, 3)


def sequence_index_in_an_empty_part(t):
    return S.SequenceIndex()(t, 2, 2, 1)


def sequence_max_of_a_list(l):
    return S.SequenceMax()(l)


def sequence_max_of_floats():
    return S.SequenceMax()((0.5, 1.5))


def sequence_max_of_strings():
    return S.SequenceMax()(("a", "b"))


def sequence_max_of_tensors(x):
    return S.SequenceMax()((x, x))


def sequence_max_of_dynamic():
    return S.SequenceMax()(mutable((1, 2), True))


def sequence_max_of_a_mutable():
    return S.SequenceMax()(mutable((1, 2)))


def sequence_min_of_a_list(l):
    return S.SequenceMin()(l)


def sequence_min_of_two(t):
    return S.SequenceMin()(t, t)


def sequence_mul_by_a_float(t):
    return S.SequenceMul()(t, 0.5)


def sequence_mul_by_a_string(t):
    return S.SequenceMul()(t, "a")


def sequence_mul_by_a_negative(t):
    return S.SequenceMul()(t, -1)


def sequence_mul_of_an_int(n):
    return S.SequenceMul()(n, 2)


def sequence_mul_of_dynamic():
    return S.SequenceMul()(mutable((1, 2), True), 2)


def sequence_mul_of_a_tensor(x):
    return S.SequenceMul()(x, 2)


def sequence_mul_of_a_list(l):
    return S.SequenceMul()(l, 2)


def sequence_add_of_lists(l):
    return S.SequenceAdd()(l, l)


def sequence_add_of_a_list_and_a_tuple(t, l):
    return S.SequenceAdd()(l, t)


def sequence_add_of_an_int(t):
    return S.SequenceAdd()(t, 1)


def sequence_add_to_an_int(t):
    return S.SequenceAdd()(1, t)


def sequence_add_of_a_string(t, s):
    return S.SequenceAdd()(t, s)


def sequence_add_of_a_tensor(t, x):
    return S.SequenceAdd()(t, x)


def sequence_add_of_none(t):
    return S.SequenceAdd()(t, None)


def sequence_add_of_one(t):
    return S.SequenceAdd()(t)


def sequence_add_of_dynamic():
    return S.SequenceAdd()(mutable((1, 2), True), (3,))


def sequence_add_of_dynamic_and_floats():
    return S.SequenceAdd()(mutable((1, 2), True), (0.5,))


def sequence_add_of_empty():
    return S.SequenceAdd()((), ())


def sequence_add_offset(t):
    return S.SequenceAddOffset()(t, t)


def sequence_add_offset_of_an_int(t):
    return S.SequenceAddOffset()(t, 1)


def sequence_slice_of_a_list(l):
    return S.SequenceSlice()(l, 0, 2, 1)


def sequence_slice_by_zero(t):
    return S.SequenceSlice()(t, 0, 2, 0)


def sequence_slice_by_a_string(t):
    return S.SequenceSlice()(t, "a", 2, 1)


def sequence_slice_by_a_float(t):
    return S.SequenceSlice()(t, 0.5, 2, 1)


def sequence_slice_by_none(t):
    return S.SequenceSlice()(t, None, 2, 1)


def sequence_slice_backwards(t):
    return S.SequenceSlice()(t, 2, 0, -1)


def sequence_slice_of_an_int(n):
    return S.SequenceSlice()(n, 0, 2, 1)


def sequence_slice_of_a_tensor(x):
    return S.SequenceSlice()(x, 0, 2, 1)


def sequence_slice_of_dynamic():
    return S.SequenceSlice()(mutable((1, 2), True), 0, 2, 1)


def sequence_slice_of_two(t):
    return S.SequenceSlice()(t, 0)


def sequence_slice_past_the_end(t):
    return S.SequenceSlice()(t, 0, 10, 1)


def sequence_slice_set_item(l):
    return S.SequenceSliceSetItem()(l, [9, 9], 0, 2, 1)


def sequence_slice_set_item_of_a_tuple(t):
    return S.SequenceSliceSetItem()(t, (9, 9), 0, 2, 1)


def sequence_slice_set_item_of_unlike_length(l):
    return S.SequenceSliceSetItem()(l, [9, 9, 9], 0, 2, 2)


def sequence_slice_set_item_of_an_int(l):
    return S.SequenceSliceSetItem()(l, 9, 0, 2, 1)


def sequence_zeros_like_of_a_list(l):
    return S.SequenceZerosLike()(l)


def sequence_zeros_like_of_an_int(n):
    return S.SequenceZerosLike()(n)


def sequence_zeros_like_of_tensors(y):
    return S.SequenceZerosLike()((y, y))


def sequence_zeros_like_of_strings():
    return S.SequenceZerosLike()(("a", "b"))


def sequence_zeros_like_of_dynamic():
    return S.SequenceZerosLike()(mutable((1, 2), True))


def in_sequence_of_a_list(l):
    return S.InSequence()(2, l)


def in_sequence_of_a_string(t):
    return S.InSequence()("a", t)


def in_sequence_of_an_int(n):
    return S.InSequence()(2, n)


def in_sequence_of_a_tensor_in_ints(t, x):
    return S.InSequence()(x, t)


def in_sequence_of_a_tensor(x):
    return S.InSequence()(x, (x, x))


def in_sequence_of_an_int_in_tensors(x):
    return S.InSequence()(1, (x, x))


def in_sequence_of_a_float(t):
    return S.InSequence()(2.0, t)


def in_sequence_of_dynamic():
    return S.InSequence()(2, mutable((1, 2), True))


def in_sequence_of_none(t):
    return S.InSequence()(2, None)


def in_sequence_in_a_tensor(x):
    return S.InSequence()(2, x)


def sequence_add_n_of_a_list(x):
    return S.SequenceAddN()([x, x])


def sequence_add_n_of_ints(t):
    return S.SequenceAddN()(t)


def sequence_add_n_of_unlike(x, z):
    return S.SequenceAddN()((x, z))


def sequence_add_n_of_an_int(n):
    return S.SequenceAddN()(n)


def sequence_add_n_of_nothing():
    return S.SequenceAddN()(())


def sequence_stack(y):
    return S.SequenceStack()((y, y))


def sequence_stack_by_a_bad_axis(y):
    return S.SequenceStack(5)((y, y))


def sequence_stack_of_ints(t):
    return S.SequenceStack()(t)


def sequence_stack_of_a_string_axis(y):
    return S.SequenceStack("a")((y, y))


def sequence_unstack(x):
    return S.SequenceUnstack()(x)


def sequence_unstack_of_an_int(n):
    return S.SequenceUnstack()(n)


def tuple_equal_of_unlike(t):
    return S.tuple_equal()(t, (1, 2))


def tuple_equal_of_a_list(t, l):
    return S.tuple_equal()(t, l)


def tuple_equal_of_an_int(t):
    return S.tuple_equal()(t, 1)


def list_equal_of_tuples(t):
    return S.list_equal()(t, t)


def list_equal_of_unlike(l):
    return S.list_equal()(l, [1])


def tuple_less_than_an_int(t):
    return S.tuple_lt()(t, 1)


def tuple_less_than_none(t):
    return S.tuple_lt()(t, None)


def tuple_less_than_strings(t):
    return S.tuple_lt()(t, ("a", "b"))


def tuple_at_most(t):
    return S.tuple_le()(t, (1, 2, 4))


def tuple_at_most_a_list(t, l):
    return S.tuple_le()(t, l)


def tuple_greater_than(t):
    return S.tuple_greater_than()(t, (1, 2))


def tuple_greater_than_a_list(t, l):
    return S.tuple_greater_than()(t, l)


def tuple_greater_than_tensors(t, x):
    return S.tuple_greater_than()(t, (x, x))


def tuple_greater_equal(t):
    return S.tuple_greater_equal()(t, (1, 2, 4))


def tuple_greater_equal_of_dynamic(t):
    return S.tuple_greater_equal()(t, mutable((1, 2), True))


def list_less_than(l):
    return S.list_lt()(l, [1, 2, 4])


def list_less_than_a_tuple(l, t):
    return S.list_lt()(l, t)


def list_at_most(l):
    return S.list_le()(l, [1, 2, 4])


def list_greater_than(l):
    return S.list_greater_than()(l, [1, 2, 4])


def list_greater_than_nested(l):
    return S.list_greater_than()(l, [[1], 2])


def list_greater_equal(l):
    return S.list_greater_equal()(l, [1, 2, 4])


def tuple_less_than_of_one(t):
    return S.tuple_lt()(t)


def make_range_op():
    return S.make_range()(0, 3, 1)


def make_range_op_of_one():
    return S.make_range()(3)


def make_range_op_of_a_float():
    return S.make_range()(0.5, 3, 1)


def make_range_op_of_zero():
    return S.make_range()(0, 3, 0)


def make_range_op_of_mutable():
    return S.make_range()(0, mutable(3), 1)


def shape_mul(t):
    return S.shape_mul()(t)


def shape_mul_of_an_int(n):
    return S.shape_mul()(n)


def shape_mul_of_a_list(l):
    return S.shape_mul()(l)


def shape_mul_of_floats():
    return S.shape_mul()((0.5, 2.0))


def bool_not_of_a_bool():
    return O.bool_not()(True)


def bool_not_of_a_float(r):
    return O.bool_not()(r)


def bit_and_of_ints(n):
    return O.bit_and()(n, 1)


def bit_and_of_floats(r):
    return O.bit_and()(r, 1)


def bit_or_of_a_string(n):
    return O.bit_or()(n, "a")


def bit_or_of_bools():
    return O.bit_or()(True, False)


def missing_class():
    return S.Nonesuch()


def missing_scalar_class():
    return O.scalar_add()(1, 2)


def eager_sequence_add():
    return S.SequenceAdd()((1, 2), (3, 4))


def eager_sequence_add_of_an_int():
    return S.SequenceAdd()((1, 2), 3)


def eager_tuple_to_tensor():
    return S.TupleToTensor()((1, 2), ms.float32)


def eager_list_to_tensor_of_a_tuple():
    return S.ListToTensor()((1, 2), ms.float32)


def eager_tensor_to_tuple():
    return S.TensorToTuple()(Tensor([1, 2]))


def eager_tensor_to_list():
    return S.TensorToList()(Tensor([1, 2]))


def eager_tensor_to_scalar():
    return S.TensorToScalar()(Tensor(1))


def eager_tensor_to_scalar_of_many():
    return S.TensorToScalar()(Tensor([1, 2]))


def eager_sequence_count():
    return S.SequenceCount()((1, 2, 2), 2)


def eager_sequence_index():
    return S.SequenceIndex()((1, 2, 2), 2)


def eager_sequence_index_missing():
    return S.SequenceIndex()((1, 2, 2), 5)


def eager_sequence_mul():
    return S.SequenceMul()((1, 2), 2)


def eager_sequence_slice():
    return S.SequenceSlice()((1, 2, 3), 0, 2, 1)


def eager_in_sequence():
    return S.InSequence()(1, (1, 2))


def eager_sequence_len():
    return S.sequence_len()((1, 2))


def eager_sequence_len_of_an_int():
    return S.sequence_len()(1)


def eager_make_range():
    return S.make_range()(0, 3, 1)


def eager_tuple_lt():
    return S.tuple_lt()((1, 2), (1, 3))


def eager_list_append():
    return S.ListAppend()([1, 2], 3)


def eager_sequence_max():
    return S.SequenceMax()((1, 2))


def eager_shape_mul():
    return S.shape_mul()((1, 2))


def eager_shape_mul_of_a_list():
    return S.shape_mul()([1, 2])


def slice_to_a_float_of_constants():
    return S.SequenceSlice()((1, 2, 3), 0, 2.5, 1)


def slice_from_a_string_of_constants():
    return S.SequenceSlice()((1, 2, 3), "a", 2, 1)


def slice_by_none_of_constants():
    return S.SequenceSlice()((1, 2, 3), 0, 2, None)


def slice_to_a_float_of_variable_length():
    return S.SequenceSlice()(mutable((1, 2, 3), True), 0, 2.5, 1)


def slice_from_a_float_of_variable_length():
    return S.SequenceSlice()(mutable([1, 2, 3], True), 0.5, 2, 1)


def operator_called_when_made(t):
    return S.SequenceCount(t, 1)


def comparison_called_when_made(t, l):
    return S.tuple_equal(t, l)


def length_called_when_made(t):
    return S.sequence_len(t)


def range_called_when_made():
    return S.make_range(1, 3)
