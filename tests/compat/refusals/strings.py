"""Tensors of strings, and arrays that no Tensor is made of."""
# pyright: basic, reportMissingImports=false

import copy
import operator
import pickle

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, jit, nn, ops

_WORDS = np.array(["one", "two"])


def _words():
    try:
        ms.runtime.synchronize()
    except TypeError:
        pass  # what has no kernel is told once more when it is waited for
    return Tensor(np.array(["one", "two"]))


def _objects(*items):
    made = np.empty(len(items), dtype=object)
    made[:] = items
    return made


# --- made --------------------------------------------------------------------------------------------


def of_a_constant_array():
    return Tensor(np.array(["x", "yz"]))


def of_a_global_array():
    return Tensor(_WORDS)


def of_a_matrix():
    return Tensor(np.array([["a"], ["b"]]))


def of_one_string_array():
    return Tensor(np.array("alone"))


def of_strings_and_a_dtype():
    return Tensor(np.array(["1", "2"]), ms.float32)


def of_numbers_among_strings():
    return Tensor(np.array([1, "a"]))


def of_strings_told():
    t = Tensor(np.array(["a", "b"]))
    return t.dtype, t.shape, t.ndim, t.size


def of_strings_as_array():
    return Tensor(np.array(["a", "b"])).asnumpy()


def of_a_string():
    return Tensor("abc")


def of_a_list_of_strings():
    return Tensor(["a", "b"])


def beside_a_number():
    return Tensor(np.array(["a", "b"])), 1


def eager_of_bytes():
    return Tensor(b"abc"), Tensor(np.array([b"a", b"bc"])), Tensor(b"abc", ms.int32)


def eager_of_no_strings():
    return Tensor(np.array([], dtype="<U3"))


def eager_of_other_letters():
    return Tensor(np.array(["é", "日本"]))


def eager_shared():
    return Tensor.from_numpy(np.array(["a"])), ms.from_numpy(np.array([b"a"])), ms.tensor(np.array(["b"]))


def eager_again():
    return Tensor(_words()), copy.copy(_words()), copy.deepcopy(_words()), pickle.loads(pickle.dumps(_words()))


def eager_of_numbers_with_their_dtype():
    return Tensor([1, 2], ms.string), Tensor(np.array(["a"]), ms.string)


def eager_numpys():
    return ms.numpy.array(["a", "b"]), ms.numpy.asarray((("a",), ("b",))), ms.numpy.array(["a", 1])


def eager_numpys_of_a_string():
    return ms.numpy.array("ab")


def eager_numpys_as_numbers():
    return ms.numpy.array(["1", "2"], ms.numpy.float32)


def eager_parameter():
    return (
        Parameter(np.array(["a", "b"]), name="p"),
        Parameter(_words(), name="p").dtype,
        repr(Parameter(_words(), name="p")),
    )


def eager_told():
    t = _words()
    return (
        t.shape,
        t.size,
        t.ndim,
        t.dtype,
        t.itemsize,
        t.nbytes,
        t.strides,
        len(t),
        t.is_contiguous(),
        isinstance(t, Tensor),
    )


def eager_class():
    return type(_words()).__name__, ops.is_tensor(_words()), _words().dtype == ms.string, str(_words().dtype)


def eager_printed():
    matrix = Tensor(np.array([["a", "b"], ["c", "d"]]))
    return (
        repr(_words()),
        str(_words()),
        f"{_words()}",
        repr(matrix),
        str(matrix),
        repr(Tensor(np.array("abc"))),
        str(Tensor(b"ab")),
    )


def eager_arrays():
    return (
        _words().asnumpy(),
        _words().numpy(),
        np.array(_words()),
        np.char.upper(_words().asnumpy()),
        _words().asnumpy()[0],
    )


def eager_themselves():
    return +_words(), _words()[...], _words().T, _words().contiguous(), _words().to("CPU")


def eager_assigned():
    return _words().assign_value(Tensor(np.array(["c", "d"])))


# --- what they refuse ---------------------------------------------------------------------------------


def eager_bool():
    return bool(_words())


def eager_int():
    return int(Tensor(np.array("1")))


def eager_chosen_by():
    return 1 if _words() else 2


def eager_item():
    return Tensor(np.array(["a"])).item()


def eager_tolist():
    return _words().tolist()


def eager_first():
    return _words()[0]


def eager_part():
    return _words()[0:1]


def eager_outside():
    return _words()[2]


def eager_at_a_name():
    return _words()["one"]


def eager_put():
    t = _words()
    t[0] = 1
    return t


def eager_put_a_string():
    t = _words()
    t[0] = "three"
    return t


def eager_iterated():
    return [w for w in _words()]


def eager_in():
    return "one" in _words(), None in _words()


def eager_number_in():
    return 1 in _words()


def eager_equal():
    return _words() == _words()


def eager_equal_to_others():
    return _words() == "one", _words() != "one", _words() == None, _words() == (1, 2), _words() != [1]  # noqa: E711


def eager_equal_to_a_number():
    return _words() == 1


def eager_unequal_to_a_number():
    return _words() != 1


def eager_less():
    return _words() < _words()


def eager_less_than_a_string():
    return _words() < "one"


def eager_greater_than_a_number():
    return _words() > 1.5


def eager_added():
    return _words() + _words()


def eager_number_added():
    return _words() + 1


def eager_added_to_a_bool():
    return True + _words()


def eager_string_added():
    return _words() + "s"


def eager_none_added():
    return _words() + None


def eager_floats_added():
    return _words() + Tensor([1.0, 2.0])


def eager_added_to_floats():
    return Tensor([1.0, 2.0]) + _words()


def eager_subtracted_from():
    return 1 - _words()


def eager_repeated():
    return _words() * 2


def eager_times_floats():
    return _words() * Tensor([1.0, 2.0])


def eager_divided():
    return _words() / 2


def eager_divisor():
    return 1 / _words()


def eager_power():
    return _words() ** _words()


def eager_anded():
    return _words() & _words()


def eager_and_with_an_int():
    return 1 & _words()


def eager_shifted():
    return _words() << 1


def eager_factor():
    return _words() @ Tensor([1.0, 2.0])


def eager_negative():
    return -_words()


def eager_inverted():
    return ~_words()


def eager_absolute():
    return abs(_words())


def eager_increased():
    t = _words()
    t += 1
    return t


def eager_index():
    return operator.index(_words())


def eager_reshaped():
    return _words().reshape((2, 1))


def eager_squeezed():
    return ops.squeeze(_words())


def eager_transposed():
    return Tensor(np.array([["a", "b"]])).T


def eager_cast():
    return _words().astype(ms.float32)


def eager_cast_when_made():
    return Tensor(_words(), ms.float32)


def eager_sine():
    return ops.sin(_words())


def eager_exponential():
    return ops.exp(_words())


def eager_joined():
    return ops.cat((_words(), _words()))


def eager_dense():
    return nn.Dense(2, 2)(_words())


def eager_formatted():
    return f"{_words():>10}"


def eager_listed():
    return Tensor([_words()])


# --- in graphs ----------------------------------------------------------------------------------------


def _jitted(function):
    return jit(function)(_words())


def eager_given_back():
    def f(t):
        return t

    return _jitted(f)


def eager_bytes_given_back():
    def f(t):
        return t

    return jit(f)(Tensor(np.array([b"a", b"cd"])))


def eager_cell_gives_back():
    class Net(nn.Cell):
        def construct(self, t):
            return t

    return Net()(_words())


def eager_shape_in_graph():
    def f(t):
        return t.shape, t.ndim, t.size, len(t), t.dtype

    return _jitted(f)


def eager_no_none_in_graph():
    def f(t):
        return t is None, isinstance(t, Tensor)

    return _jitted(f)


def eager_added_in_graph():
    def f(t):
        return t + t

    return _jitted(f)


def eager_number_added_in_graph():
    def f(t):
        return t + 1

    return _jitted(f)


def eager_string_added_in_graph():
    def f(t):
        return t + "s"

    return _jitted(f)


def eager_repeated_in_graph():
    def f(t):
        return t * 2

    return _jitted(f)


def eager_equal_in_graph():
    def f(t):
        return t == t  # noqa: PLR0124

    return _jitted(f)


def eager_first_in_graph():
    def f(t):
        return t[0]

    return _jitted(f)


def eager_absolute_in_graph():
    def f(t):
        return ops.abs(t)

    return _jitted(f)


def constants_equal():
    return Tensor(np.array(["a", "b"])) == Tensor(np.array(["a", "b"]))


def constant_equal_to_a_string():
    return Tensor(np.array(["a", "b"])) == "a"


def constant_and_number():
    return Tensor(np.array(["a", "b"])) + 1


def array_of_strings_indexed():
    return np.array(["a", "b"])[1]


# --- arrays that are none of a Tensor's ---------------------------------------------------------------


def array_with_none():
    return Tensor(np.array([1, None]))


def array_of_ints_as_objects():
    return Tensor(np.array([1, 2], dtype=object))


def array_of_dates():
    return Tensor(np.array([1], dtype="M8[D]"))


def eager_string_after_numbers():
    return Tensor(_objects(1, 2.5, "a", None))


def eager_none_before_a_string():
    return Tensor(_objects(1, None, "a"))


def eager_lists_as_objects():
    return Tensor(_objects([1], [1, 2]))


def eager_dict():
    return Tensor(_objects(1, {}))


def eager_classes():
    return Tensor(_objects(int, float))


def eager_no_objects():
    return Tensor(np.array([], dtype=object))


def eager_matrix_of_objects():
    return Tensor(np.array([[1, "a"], [None, 2]], dtype=object))


def eager_objects_with_a_dtype():
    return Tensor(_objects(1, 2), ms.float32)


def eager_strings_as_objects_with_a_dtype():
    return Tensor(_objects("a"), ms.string)


def eager_durations():
    return Tensor(np.array([1], dtype="m8[s]"), ms.int64)


def eager_records():
    return Tensor(np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f4")]))


def eager_long_floats():
    return Tensor(np.array([1], dtype=np.longdouble), ms.float32)


def eager_big_endian():
    return Tensor(np.array([1], dtype=">i4"))


def eager_objects_shared():
    return Tensor.from_numpy(_objects(1, 2))


def eager_dates_shared():
    return ms.from_numpy(np.array([1], dtype="M8[D]"))


def eager_parameter_of_objects():
    return Parameter(_objects(1, 2))


def eager_list_of_an_array_of_strings():
    return Tensor([np.array(["a"])])


def eager_list_of_numpys_strings():
    return Tensor([np.str_("a"), np.datetime64("2020")])
