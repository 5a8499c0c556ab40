# type: ignore
"""Attributes that objects do not have, or do not take: of Cells, classes, functions, dtypes and values, in compiled code and line by line."""

from functools import partial

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, jit_class, nn, ops


class _Plain:
    kept = 4

    def __init__(self):
        self.v = 1


@jit_class
class _Marked:
    kept = 4

    def __init__(self):
        self.v = 1


class _Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()
        self.weight = Parameter(Tensor([1.0]), name="weight")
        self.number = 1

    def construct(self, x):
        return x


class _Asked(nn.Cell):
    def __getattr__(self, name):
        return 5 if name == "five" else super().__getattr__(name)


class _CellFirst(nn.Cell):
    def __init__(self):
        self.relu = nn.ReLU()
        super().__init__()


class _ParameterFirst(nn.Cell):
    def __init__(self):
        self.weight = Parameter(Tensor([1.0]), name="weight")
        super().__init__()


_plain, _marked, _net = _Plain(), _Marked(), _Net()


# --- in compiled code -----------------------------------------------------------------------------
def of_an_object(x):
    return _plain.nonesuch


def of_an_object_of_a_marked_class(x):
    return _marked.nonesuch


def of_an_object_by_getattr(x):
    return getattr(_marked, "nonesuch")


def of_an_object_with_a_default(x):
    return getattr(_marked, "nonesuch", 3)


def of_a_class(x):
    return _Marked.nonesuch


def of_a_class_by_getattr(x):
    return getattr(int, "nonesuch")


def of_a_class_that_has_it(x):
    return _Marked.kept, hasattr(_Marked, "nonesuch"), hasattr(_plain, "v")


def of_a_cell(x):
    return _net.nonesuch


def of_a_cell_called(x):
    return _net.nonesuch(x)


def of_a_cell_by_getattr(x):
    return getattr(_net, "nonesuch")


def of_a_cell_with_a_default(x):
    return getattr(_net, "nonesuch", 1), hasattr(_net, "nonesuch")


def of_a_function(x):
    return ops.add.nonesuch


def of_a_primitive(x):
    return ops.Add().nonesuch


def of_a_lambda(x):
    return (lambda a: a).nonesuch


def of_a_builtin_by_getattr(x):
    return getattr(len, "nonesuch")


def of_a_partial(x):
    return partial(len, x).args


def of_a_dtype(x):
    return x.dtype.nonesuch


def of_a_dtype_by_getattr(x):
    return getattr(ms.float32, "nonesuch")


def of_a_module_by_getattr(x):
    return getattr(np, "nonesuch")


def of_a_string_by_getattr(s):
    return getattr(s, "nonesuch")


def of_a_list_by_getattr(l):
    return getattr(l, "nonesuch")


def of_a_bool_by_getattr(x):
    return getattr(True, "nonesuch")


def item_of_an_object(x):
    return _plain[0]


def item_of_a_cell(x):
    return _net[0]


def len_of_an_object(x):
    return len(_plain)


def len_of_a_cell(x):
    return len(_net)


def len_of_a_function(x):
    return len(len)


def loop_over_a_cell(x):
    for _ in _net:
        pass
    return x


def loop_over_an_object_of_a_marked_class(x):
    for _ in _marked:
        pass
    return x


def loop_over_a_function(x):
    for _ in len:
        pass
    return x


# --- line by line ---------------------------------------------------------------------------------
def eager_of_a_cell():
    return _net.nonesuch


def eager_of_a_cell_with_a_default():
    return getattr(_net, "nonesuch", 1), hasattr(_net, "nonesuch")


def eager_of_a_cell_that_is_asked():
    return _Asked().five


def eager_of_a_cell_that_has_no_answer():
    return _Asked().nonesuch


def eager_of_a_deleted_parameter():
    net = _Net()
    del net.weight
    return net.weight


def eager_cell_before_it_is_initialised():
    return _CellFirst()


def eager_parameter_before_it_is_initialised():
    return _ParameterFirst()


def eager_cell_set_to_an_int():
    _Net().relu = 3


def eager_cell_set_to_a_tensor():
    _Net().relu = Tensor([1.0])


def eager_cell_set_to_a_parameter():
    _Net().relu = Parameter(Tensor([1.0]), name="other")


def eager_cell_set_to_none():
    net = _Net()
    net.relu = None
    return net.relu


def eager_parameter_set_to_a_string():
    _Net().weight = "a"


def eager_parameter_set_to_a_cell():
    _Net().weight = nn.ReLU()


def eager_number_set_to_a_string():
    net = _Net()
    net.number = "a"
    return net.number


class _Listed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.ReLU(), nn.ReLU()])

    def construct(self, x):
        return self.layers[2](x)


_listed = _Listed()


def item_of_a_cell_list_past_the_end(x):
    return _listed(x)


class _LineByLine(nn.Cell):
    def __init__(self):
        super().__init__()
        self.table = {"k": 1}
        self.number = 2

    def twice(self, x):
        return x * 2

    def construct(self, x, way):
        if way == 0:
            return self.twice(x, x)
        return self.table["z"] if way == 1 else self.number(x)


def eager_method_of_a_cell_of_too_many():
    return _LineByLine()(Tensor([1.0]), 0)


def eager_dict_of_a_cell_without_a_key():
    return _LineByLine()(Tensor([1.0]), 1)


def eager_number_of_a_cell_called():
    return _LineByLine()(Tensor([1.0]), 2)


def numpy_has_pythons_float():
    return np.float(1.5), np.int(2.5), np.str


def numpy_has_pythons_functions(t):
    return np.len(t), np.range(2), np.tuple([1])


def array_of_numpys_old_float():
    return np.zeros((2,), dtype=np.float)


def tensor_as_numpys_old_int(x):
    return x.astype(np.int)


def numpy_has_no_long():
    return np.unicode


def numpy_has_no_such_name():
    return np.tensor(1)
