"""Gradients by arguments that are constants, numbers, marked as variable, left out or given by name; and by containers."""
# pyright: basic, reportMissingImports=false, reportMissingParameterType=false

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, context, jit, mutable, nn, ops
from mindspore.ops import GradOperation

_F3 = Tensor(np.arange(1, 4).astype(np.float32))


def _product(u, v):
    return u * v


def _square(u):
    return u * u


def _scaled(u, v=2.0):
    return u * v


def _twice(u, v):
    return u * 2


def _of_items(u, pair):
    return u * pair[0] * pair[1]


def _of_key(u, table):
    return u * table["k"]


def _any(*values):
    return values[0] * 2


def _with_more(u, v):
    return u * v, u + v


class _Scaling(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.ones(3, np.float32)), name="w")
        self.c = Tensor(np.full(3, 2, np.float32))

    def construct(self, u, v=2.0):
        return u * v * self.w


class _OfItems(nn.Cell):
    def construct(self, u, pair):
        return u * pair[0] * pair[1]


_scaling = _Scaling()


def _graph(run):
    context.set_context(mode=context.GRAPH_MODE)
    try:
        return run()
    finally:
        context.set_context(mode=context.PYNATIVE_MODE)


def by_a_number_in_the_text(x):
    return ops.grad(_product, (1, 0))(x, 7)


def by_a_number_alone(x):
    return ops.grad(_product, 1)(x, 2.5)


def by_a_given_number(x, r):
    return ops.grad(_product, (0, 1))(x, r)


def by_two_of_three(x):
    return ops.grad(_product_of_three, (0, 1, 2))(x, x, 4)


def _product_of_three(y, i, k):
    return y * i * k


def by_what_is_computed_of_numbers(x, n):
    return ops.grad(_product, (0, 1))(x, n * 2 + x.shape[1])


def by_a_number_of_a_tensor(x):
    return ops.grad(_product, (0, 1))(x, float(x.sum()))


def by_a_string(x):
    return ops.grad(_twice, (0, 1))(x, "s")


def by_none_alone(x):
    return ops.grad(_twice, 1)(x, None)


def by_a_variable_number(x):
    return ops.grad(_product, (0, 1))(x, mutable(3))


def by_a_variable_float_alone():
    return GradOperation(get_all=True)(_square)(mutable(1.5))


def by_a_tensor_that_is_made(x):
    return ops.grad(_product, (0, 1))(x, Tensor(5.0))


def by_a_tensor_outside(x):
    return GradOperation(get_all=True)(_product)(x, _F3)


def by_a_tensor_outside_alone():
    return ops.value_and_grad(_square)(_F3)


def by_a_cells_tensor():
    return ops.grad(_square)(_scaling.c)


def by_a_cells_parameter(x):
    return GradOperation(get_all=True)(_product)(x, _scaling.w)


def by_ones(x):
    return ops.grad(_product, (0, 1))(x, ops.ones((3,), ms.float32))


def by_a_shaped_constant(x):
    return ops.grad(_square)(_F3.reshape(3, 1).astype(ms.float16))


def by_an_item_of_a_constant():
    return ops.grad(_square)(_F3[1:])


def by_a_tuple_of_numbers(x):
    return ops.grad(_of_items, (0, 1))(x, (4, 5))


def by_a_tuple_of_both(x):
    return ops.grad(_of_items, (0, 1))(x, (x, 5))


def by_a_list_of_constants(x):
    return GradOperation(get_all=True)(_of_items)(x, [_F3, 5])


def by_a_dict_of_numbers(x):
    return ops.grad(_of_key, 1)(x, {"k": 3})


def by_a_variable_list_of_floats(x):
    return ops.grad(_of_items, (0, 1))(x, mutable([2.0, 3.0]))


def value_beside_a_number(x):
    return ops.value_and_grad(_product, (0, 1))(x, 3)


def value_and_nothing(x):
    return ops.value_and_grad(_product, 1)(x, 3)


def more_beside_a_number(x):
    return ops.grad(_with_more, (0, 1), None, True)(x, 3)


def numbered_beside_a_number(x):
    return ops.grad(_product, (0, 1), return_ids=True)(x, 3)


def by_a_keyword_that_is_a_number(x):
    return ops.grad(_scaled, (0, 1))(x, v=4.0)


def by_keywords(x):
    return ops.grad(_product, (0, 1))(v=x, u=x + 1)


def without_what_has_a_default(x):
    return ops.grad(_scaled)(x)


def without_what_has_a_default_of_a_cell(x):
    return ops.value_and_grad(_scaling, 0)(x)


def all_without_what_has_a_default(x):
    return GradOperation(get_all=True)(_scaled)(x)


def of_any_number_of_arguments(x):
    return ops.grad(_any, (0, 1))(x, x)


def by_a_position_that_is_a_bool(x):
    return ops.grad(_product, (0, True))(x, x)


def eager_by_a_tuple_of_numbers():
    return ops.grad(_of_items, (0, 1))(_F3, (2, 3))


def eager_by_a_tuple_with_the_same_tensor():
    return ops.grad(_of_items, (0, 1))(_F3, (_F3, 3))


def eager_by_a_list_alone():
    return ops.value_and_grad(_of_items, 1)(_F3, [_F3, 3])


def eager_all_with_a_variable_tuple():
    return GradOperation(get_all=True)(_of_items)(_F3, mutable((_F3, 3)))


def eager_by_a_dict_with_the_same_tensor():
    return ops.grad(_of_key, (0, 1))(_F3, {"k": _F3})


def eager_in_a_graph_by_a_given_tuple():
    return _graph(lambda: ops.grad(_OfItems(), (0, 1))(_F3, (_F3, 3)))


def eager_in_a_graph_by_a_variable_tuple():
    return _graph(lambda: ops.grad(_OfItems(), (0, 1))(_F3, mutable((_F3, 3))))


def eager_compiled_by_a_given_tuple():
    @jit
    def run(u, pair):
        return ops.grad(_of_items, (0, 1))(u, pair)

    return run(_F3, (_F3, 3.0))
