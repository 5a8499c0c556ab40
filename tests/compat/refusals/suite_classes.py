"""Programs as compilers' tests have them: joins, raise, assert, stars, classes, attributes, comprehensions, Cells, operators."""
# pyright: basic, reportArgumentType=false, reportAssignmentType=false, reportAttributeAccessIssue=false, reportCallIssue=false, reportGeneralTypeIssues=false, reportOperatorIssue=false, reportUndefinedVariable=false, reportUnusedExpression=false, reportMissingImports=false

import itertools
from collections import OrderedDict, namedtuple

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, jit, jit_class, mutable, nn, ops
from mindspore import dtype as mstype
from mindspore.nn.grad import Jvp, Vjp
from mindspore.ops import functional as F
from mindspore.ops import operations as P


def _graph(make, *args):
    """A Cell's result in graph mode."""
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return make()(*args)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def branches_return_tensor_and_int(k):
    if k < 5:
        return Tensor([1, 2, 3])
    else:
        return 0


def one_branch_returns_an_int(k):
    if k < 5:
        a = Tensor([1, 2, 3])
    else:
        print(k)
        return 0
    return a


class _Two(nn.Cell):
    def construct(self, v):
        return v, Tensor(10)


class _Square(nn.Cell):
    def construct(self, v):
        return v**2


_layers = (nn.ReLU(), nn.Softmax(), _Two(), _Square())


def cells_of_unlike_results(x, k):
    return _layers[k](x)


def cells_by_a_tensor(x, k):
    return (_layers[0], _layers[1], _layers[3])[k](x)


def raise_without_words(n):
    if n == 3:
        raise ValueError()
    return n


def raise_of_several(n):
    raise ValueError(f"The input can not be ", n, ".")


def raise_of_percent(n):
    raise ValueError("The input can not be %s." % n)


def raise_of_an_unknown_class(n):
    if n == 3:
        raise NotSupportError("no")
    return n


def raise_of_a_warning(n):
    if n == 3:
        raise RuntimeWarning("no")
    return n


def raise_of_a_nested_list():
    x = [1, 2]
    raise ValueError(x, [x, x])


def raise_of_a_class(n):
    if n == 3:
        raise ValueError
    return n


def raise_of_a_string(n):
    raise "abc"


def raise_where_tensor_decides_in_function(k):
    def check(v):
        if v > 1:
            raise ValueError("too big")
        return v

    return check(k)


def eager_grad_of_a_raise():
    @jit
    def foo(p, q):
        if p > q:
            raise ValueError("p is bigger than q")
        return p + q

    return ops.grad(foo)(Tensor([2.0]), Tensor([1.0]))


def unknown_tensor_method(x):
    x.abcd()
    return x


def insert_at_a_float():
    x = [1, 2, 3]
    x.insert(1.0, 9)
    return x


def pop_at_a_float():
    x = [1, 2, 3]
    x.pop(1.0)
    return x


def pop_past_the_end():
    x = [1, 2, 3, 4]
    y = x.pop(4)
    return x, y


def pop_of_empty():
    x = []
    return x.pop()


def fromkeys_of_a_tensor(k):
    return {}.fromkeys(("1", "2"), k)


def ms_next_of_a_dict(k):
    m = {"a": k, "b": 2}
    _, a = m.__ms_next__
    return a


_Pair = namedtuple("User", ["one", "two"])


_pair = _Pair(1, Tensor([2]))


def named_tuple_attributes():
    return _pair.one, _pair.two


def named_tuple_item():
    return _pair[1]


def getattr_by_joined_string(x):
    return getattr(x, "a" + "bs")()


def getattr_of_class_default():
    return getattr(_Pair, "y", 10)


def getattr_of_no_attribute(x):
    return getattr(x, "abcdef")


def assert_of_a_constant():
    x = 1
    assert x in [2, 3, 4], f"{x} not in [2, 3, 4]"
    return x


def assert_without_words():
    x = 1
    assert x == 2
    return x


def star_of_a_dict():
    x = {"a": 1, "b": 2}
    out = (*x,)
    return out


def star_of_a_string():
    (*b,) = "abcde"
    return b


def star_of_a_tensor(i):
    *b, c = i
    return b, c


def star_in_for():
    ret = []
    for _, *b in [(1, 2, 3), (4, 5, 6, 7)]:
        ret.append(b)
    return ret


def star_of_too_few():
    a, b, *c = (1,)
    return a


def star_star_twice_of_a_key():
    return {"x": 1, **{"x": 2}}


@jit_class
class _Entered:
    def __init__(self):
        self.num = Tensor([2])

    def __enter__(self):
        return self.num * 2

    def __exit__(self, exc_type, exc_value, traceback):
        return self.num * 4


def with_a_jit_class():
    res = 1
    obj = _Entered()
    with obj as sample:
        res += sample
    return res, obj.num


def with_two_of_a_jit_class():
    res = 2
    a, b = _Entered(), _Entered()
    with a as s, b as t:
        res += s * t
    return res


def with_an_int(n):
    with n as v:
        return v


@jit_class
class _Acting:
    number = 2

    def __init__(self, val):
        self.val = val

    def act(self, p, q):
        return self.val * (p + q)

    def __call__(self, p):
        return p + self.val


def jit_class_made_and_called(n, x):
    return _Acting(n)(x)


def jit_class_of_too_few(x):
    return _Acting().act(x, x)


def jit_class_method_of_too_few(x):
    return _Acting(2).act(x)


def sum_of_a_list_and_a_tensor(x):
    return sum([1, x], x)


def sum_of_a_tensor_from_a_list():
    return sum(Tensor([[1, 2], [3, 4]]), [5, 6])


def sum_of_lists():
    return sum([[1, 2], [3, 4]])


def sum_of_string_keys():
    return sum({"a": 1})


def comprehension_of_a_tensor(i):
    return [q + 1 for q in i]


def comprehension_of_a_product():
    return [q for q in itertools.product((1, 2), (4, 5))]


def comprehension_of_two_loops():
    return [q + 2 for r in [[1, 2], [3, 4]] for q in r]


def no_return_at_all(x):
    v = x * 2
    v += 1


def try_finally(x):
    try:
        val = x + 1
    finally:
        val = x
    return val


def tensor_and_imaginary(x):
    return x + 3.14j


def attribute_of_a_list_added(l):
    l.id_ += 2
    return l


def attribute_of_a_list_set(l):
    l.id_ = 2
    return l


def list_target():
    [m, n] = [[3, 1], 2]
    return m, n


_slice = slice(1, 4.5)


def eager_cell_attribute_set_to_an_argument():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.t = Tensor(np.zeros((2, 2)))

        def construct(self, p, q):
            self.t = p
            return p > q

    return _graph(Net, Tensor(np.ones((2, 2))), Tensor(np.zeros((2, 2))))


def map_of_no_sequence():
    return map(lambda p=2, q=4: p * q) == 8


def map_of_ints():
    return map(lambda p, q: p * q, 3, 4) == 8


class _Cube(nn.Cell):
    def construct(self, v):
        return v**3


class _Sum(nn.Cell):
    def construct(self, p, q):
        return 2 * p + 3 * q


_bool_parameter = Parameter(Tensor([False]), name="assign_bool")
