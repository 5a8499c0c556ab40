"""Programs as compilers' tests have them: names, branches, containers, slices, items set, builtins, maps, gradients of containers."""
# pyright: basic, reportArgumentType=false, reportAssignmentType=false, reportAttributeAccessIssue=false, reportCallIssue=false, reportGeneralTypeIssues=false, reportOperatorIssue=false, reportUndefinedVariable=false, reportUnusedExpression=false, reportMissingImports=false

import math
from collections import deque

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, jit, mutable, nn, ops
from mindspore import dtype as mstype
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P


def _graph(make, *args):
    """A Cell's result in graph mode."""
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return make()(*args)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def raise_where_tensor_decides(k, n):
    if k == 1:
        return k + 1
    elif k == 2:
        raise ValueError("Illegal case")
    else:
        return k + n


def undefined_name_as_a_statement(x):
    undefined_b
    return x + x


def undefined_name_added(x):
    undefined_c + x
    return x + x


def undefined_name_in_an_if(k):
    if k > 0:
        undefined_i
    return k + k


def undefined_name_in_while_in_if(k):
    while k > 0:
        if k > 1:
            undefined_j
        k = k - 1
    return k


def undefined_name_in_a_for(x):
    for q in [11, 22]:
        x = x + undefined_d + q
    return x


def undefined_attribute_called():
    class Net(nn.Cell):
        def construct(self, v):
            return self.func(v)

    return Net()(Tensor([1.0]))


def divmod_in_a_while(k, n):
    ret = 0
    number = 2
    while number > 0:
        ret = divmod(k, n)
        number -= 1
    return ret


def divmod_of_tensor_in_if_in_for(k):
    for q in [11, 22]:
        if k > 1:
            k = divmod(k, q)
    return k + k


class _Numbered:
    def __init__(self):
        self.number = 1


def eager_object_of_a_class_in_for():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.value = [1, 2, 3]
            self.test = _Numbered()

        def construct(self, v):
            for i in self.value:
                v = i + self.test.number
            return v + v

    return _graph(Net, Tensor([1.0]))


def lambda_of_array(a):
    f = lambda q: 2 * q + a
    return Tensor(f(1))


def list_sliced_by_tensors():
    v = [Tensor([11]), Tensor([22]), Tensor([33])]
    return v[Tensor([0]) : Tensor([2])]


def list_indexed_by_an_array():
    v = [Tensor([11]), Tensor([22]), Tensor([33])]
    return v[np.array(0)]


def list_indexed_by_a_tensor_of_one():
    v = [Tensor([11]), Tensor([22]), Tensor([33])]
    return v[Tensor([0])] + v[Tensor([1])]


def condition_of_an_array():
    return Tensor([0]) if np.array([1]) else Tensor([1])


def tensor_and_array_all(a):
    if Tensor(2) and a.all():
        return Tensor(a + 1)
    return Tensor(a)


def returns_list_with_array(k):
    return [1, k, np.array([1, 2])]


def raise_if_tensors_equal(k):
    if k == Tensor(5):
        raise ValueError("equal")
    return k - 1


def raise_if_tensors_equal_taken(k):
    if k == Tensor(2):
        raise ValueError("equal")
    return k - 1


def format_of_tensors(k, i):
    return "{}, {}".format(k, i)


def asarray_of_mutable():
    return np.asarray([mutable(1), mutable(2)])


def none_in_a_list():
    v = [1, 2, None]
    return None in v


def list_in_a_list():
    v = [1, 2, [3, 4]]
    return [3, 4] in v


def all_of_generator_of_asnumpy(y):
    v = y.asnumpy()
    return all(e < 10 for e in v)


def slice_made_by_call(y):
    v = slice(0, 3, 1)
    return y[v]


def ceil_of_mutable():
    return math.ceil(mutable(10.75))


def deque_filled(l):
    ret = deque()
    for q in l:
        ret.appendleft(q)
    return ret


def arange_of_mutable():
    return Tensor(np.arange(mutable(2)))


def prod_of_asnumpy(i):
    return np.prod(i.asnumpy(), axis=mutable(0))


def zip_of_reversed(l, t):
    total = 0
    for p, q in zip(reversed(l), reversed(t)):
        total = total + p + q
    return total


def import_within():
    import numpy as inner_np

    return inner_np.array(10, inner_np.float64)


def from_import_within(x):
    from mindspore.ops import relu as r

    return r(x)


def delete_a_name(n):
    y = n + 1
    z = y * 2
    del y
    return n, z


def annotated_assignment(n):
    (y): int = n
    return y


def try_in_graph(n):
    out = 1
    try:
        out = n / 0
    except ZeroDivisionError:
        out = 5
    return out


def set_literal():
    return {1, 2, 3}


def set_comprehension():
    return {q * q for q in {1, 2, 3}}


def dict_comprehension():
    return {q: q * q for q in (1, 2, 3)}


def number_in_asnumpy():
    return 2 in Tensor([1, 2], mstype.int32).asnumpy()


def dict_of_get_result():
    v = {"a": "a", "b": "b"}
    w = v.get("a")
    return dict(y=w)


def returns_none_and_dict():
    return None, {"a": 1}


def grad_of_dict_result(k):
    def net(v):
        w = {"a": v, "b": 2}
        return v, (w, (1, 2))

    return ops.grad(net)(k)


def returns_nested_dict():
    return {"a": None, "b": [1, 2, {"a": 1}]}


def sum_of_a_dict():
    return sum({1: 10, 2: 20}, 10)


def max_of_tuples():
    return max((1, 2), (1, 3), (3, 4))


def max_of_list_of_tuples():
    return max([(1, 2), (1, 3), (3, 4)])


def max_of_a_dict():
    return max({1: "a", 2: "b"})


def max_of_two_lists():
    return max([1, 2, 3], [4, 5])


def max_of_an_array_made():
    return Tensor(max(np.array([1, 2, 3])))


_multi = C.MultitypeFuncGraph("multi")


@_multi.register("Tensor", "Tuple")
def _multi_tensor_tuple(p, q):
    return P.Tile()(p, q)


@_multi.register("Tensor", "List")
def _multi_tensor_list(p, q):
    return p + q[0]


@_multi.register("Number", "Number")
def _multi_numbers(p, q):
    return p + q


_hyper = C.HyperMap()


def hyper_map_of_tensor_and_tuple(y):
    return _hyper(_multi, (y, y), ((1, 2), (2, 1)))


def hyper_map_of_mixed(y):
    return _hyper(_multi, (y, y), ((1, 2), [2, 1]))


def hyper_map_of_tensor_and_number(y):
    return _hyper(_multi, (y, y), (1, 2))


def hyper_map_of_tuple_and_tensor(y):
    return _hyper(_multi, (1, 2), (y, y))


def hyper_map_with_partial_of_a_cell(i):
    return _hyper(F.partial(P.Mul(), i), (i, i))


def hyper_map_of_a_list_with_partial(i):
    return _hyper(F.partial(P.Mul(), i), [i, i])


def eager_grad_of_tuple_given_to_jit():
    @jit
    def inner(m):
        return 2 * m[0][0] + m[1]

    def func(p, q):
        p = p * 3
        return inner(((p,), q))

    return C.GradOperation()(func)(Tensor([1.0, 2.0]), Tensor([1.0, 1.0]))


def eager_jit_bprop_of_too_many():
    class Net(nn.Cell):
        @jit
        def construct(self, p, q):
            return p * q * q

        def bprop(self, p, q, out, dout):
            return p + q, p * q, out, dout

    return ops.GradOperation(get_all=True)(Net())(Tensor(1.0), Tensor(2.0))


def list_slice_of_step_zero(l):
    return l[0:3:0]
