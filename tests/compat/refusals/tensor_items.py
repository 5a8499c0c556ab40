"""Items of Tensors, read and written line by line by indices and values that do not fit."""
# pyright: basic, reportMissingImports=false

import numpy as np
from mindspore import Tensor


def _x():
    return Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


def _put(key, value):
    x = _x()
    x[key] = value
    return x


def eager_item_by_float():
    return _x()[0.5]


def eager_item_by_string():
    return _x()["a"]


def eager_item_by_dict():
    return _x()[{}]


def eager_item_by_int_past_the_end():
    return _x()[5]


def eager_item_by_negative_past_the_end():
    return _x()[-5]


def eager_item_by_too_many():
    return _x()[0, 0, 0]


def eager_item_by_second_past_the_end():
    return _x()[0, 5]


def eager_item_by_a_string_among():
    return _x()[0, "a"]


def eager_item_by_a_float_among():
    return _x()[0, 0.5]


def eager_item_by_two_ellipses():
    return _x()[..., ...]


def eager_item_by_a_list_past_the_end():
    return _x()[[0, 5]]


def eager_item_by_a_list_of_floats():
    return _x()[[0.5]]


def eager_item_by_an_empty_list():
    return _x()[[]]


def eager_item_by_false():
    return _x()[False]


def eager_item_by_true():
    return _x()[True]


def eager_item_by_too_many_bools():
    return _x()[[True, False, True]]


def eager_item_by_step_0():
    return _x()[::0]


def eager_item_by_a_slice_of_strings():
    return _x()["a":]


def eager_item_by_a_slice_of_floats():
    return _x()[0.5:]


def eager_item_by_floats():
    return _x()[Tensor([0.5])]


def eager_item_by_a_tensor_past_the_end():
    return _x()[Tensor([5])]


def eager_item_by_an_unlike_mask():
    return _x()[Tensor([True, False, True])]


def eager_item_by_an_unlike_wide_mask():
    return _x()[Tensor([[True, False]])]


def eager_item_by_a_mask_of_too_many_axes():
    return _x()[0][Tensor([[True, False]])]


def eager_item_by_an_ndarray():
    return _x()[np.array([0])]


def eager_item_by_a_numpy_int():
    return _x()[np.int64(1)]


def eager_item_by_a_complex():
    return _x()[1j]


def eager_item_by_a_range():
    return _x()[range(2)]


def eager_item_by_a_scalar():
    return Tensor(2)[0]


def eager_item_by_a_scalar_by_a_list():
    return Tensor(2)[[0]]


def eager_item_by_a_scalar_by_an_ellipsis():
    return Tensor(2)[...]


def eager_item_by_unlike_arrays():
    return _x()[Tensor([0, 1]), Tensor([0, 1, 0])]


def eager_item_by_floats_among():
    return _x()[Tensor([0.5]), 0]


def eager_item_by_a_negative_slice():
    return _x()[::-1, 5:]


def eager_put_none():
    return _put(0, None)


def eager_put_a_string():
    return _put(0, "a")


def eager_put_a_dict():
    return _put(0, {})


def eager_put_an_ndarray():
    return _put(0, np.ones(3))


def eager_put_an_ellipsis():
    return _put(0, ...)


def eager_put_too_few():
    return _put(0, [1, 2])


def eager_put_strings():
    return _put(0, ["a", "b", "c"])


def eager_put_a_string_among():
    return _put(0, [1, "a"])


def eager_put_ragged():
    return _put(slice(None), [1, [2, 3]])


def eager_put_too_many_axes():
    return _put(0, Tensor(np.ones((4, 5), np.float32)))


def eager_put_unlike_rows():
    return _put(slice(None), Tensor([1.0, 2]))


def eager_put_an_element_of_two():
    return _put((0, 0), Tensor([1.0, 2]))


def eager_put_an_element_of_a_list():
    return _put((0, 0), [1, 2])


def eager_put_numbers():
    return _put(0, [1, 2, 3])


def eager_put_a_number_of_a_tuple():
    return _put((0, 1), 7)


def eager_put_past_the_end():
    return _put(5, 1)


def eager_put_past_the_end_of_a_row():
    return _put((0, 5), 1)


def eager_put_by_a_float():
    return _put(0.5, 1)


def eager_put_by_a_string():
    return _put("a", 1)


def eager_put_by_too_many():
    return _put((0, 0, 0), 1)


def eager_put_by_floats():
    return _put(Tensor([0.5]), 1)


def eager_put_by_an_unlike_mask():
    return _put(Tensor([True, False, True]), 1)


def eager_put_by_a_list_past_the_end():
    return _put([0, 5], 1)


def eager_put_by_a_mask():
    return _put(Tensor([True, False]), 1)


def eager_put_by_none():
    return _put(None, 1)


def item_by_a_list_past_the_end(x):
    return x[[0, 5]]


def item_by_a_list_of_floats(x):
    return x[[0.5]]


def item_by_floats(x, y):
    return x[y]


def item_by_an_unlike_mask(y, b):
    return y[b]


def item_by_a_mask(x, b):
    return x[b]


def item_by_two_ellipses(x):
    return x[..., ...]


def item_by_a_string_among(x):
    return x[0, "a"]


def item_by_a_list_in_a_tuple(x):
    return x[0, [0, 1]]


def shift_of_a_float(r):
    return r << 1
