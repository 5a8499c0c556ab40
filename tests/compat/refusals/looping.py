# type: ignore
"""Loops over functions (`WhileLoop`, `ForiLoop`, `Scan`), layers that Tensors choose (`switch_layer`), and conditions of several elements."""

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.ops import functional as F


def _inc(v):
    return v + 1


def _lt(v):
    return v < 5


def _cum(a, b):
    return a + b, a * b


def _body(i, v):
    return v + i


_for, _while, _scan = ops.ForiLoop(), ops.WhileLoop(), ops.Scan()


def while_ok(k):
    return _while(_lt, _inc, k)


def while_int(n):
    return _while(_lt, _inc, n)


def while_cond_not_fn(k):
    return _while(1, _inc, k)


def while_body_not_fn(k):
    return _while(_lt, 1, k)


def while_few(k):
    return _while(_lt, _inc)


def while_many(k):
    return _while(_lt, _inc, k, k)


def while_nothing(k):
    return _while()


def while_cond_int(k):
    return _while(lambda v: 0, _inc, k)


def while_cond_many(x):
    return _while(_lt, _inc, x)


def while_tuple(k):
    return _while(lambda v: v[0] < 5, lambda v: (v[0] + 1, v[1]), (k, k))


def while_list(k):
    return _while(lambda v: v[0] < 5, lambda v: [v[0] + 1, v[1]], [k, k])


def while_none_init(k):
    return _while(_lt, _inc, None)


def while_cond_two_args(k):
    return _while(lambda a, b: a < 5, _inc, k)


def for_ok(k):
    return _for(0, 3, _body, k)


def for_float_bound(k):
    return _for(0, 3.5, _body, k)


def for_float_lower(k):
    return _for(0.0, 3, _body, k)


def for_str_bound(k):
    return _for(0, "a", _body, k)


def for_none_bound(k):
    return _for(0, None, _body, k)


def for_tensor_bound(k):
    return _for(0, k, _body, k)


def for_tensor_many_bound(k, i):
    return _for(0, i, _body, k)


def for_bool_bound(k):
    return _for(0, True, _body, k)


def for_not_fn(k):
    return _for(0, 3, 1, k)


def for_few(k):
    return _for(0, 3, _body)


def for_many(k):
    return _for(0, 3, _body, k, 1, 2)


def for_unroll(k):
    return _for(0, 3, _body, k, False)


def for_unroll_int(k):
    return _for(0, 3, _body, k, 1)


def for_unroll_str(k):
    return _for(0, 3, _body, k, "a")


def for_body_one(k):
    return _for(0, 3, _inc, k)


def for_other_type(k):
    return _for(0, 3, lambda i, v: v + 0.5, k)


def for_init_none(k):
    return _for(0, 3, _body, None)


def for_init_int(k):
    return _for(0, 3, _body, 1)


def for_init_str(k):
    return _for(0, 3, lambda i, v: v + "a", "b")


def scan_ok(k):
    return _scan(_cum, k, [1, 2, 3], 3)


def scan_tuple(k):
    return _scan(_cum, k, (1, 2, 3), 3)


def scan_tensor(k, i):
    return _scan(_cum, k, i, 3)


def scan_len_bad(k):
    return _scan(_cum, k, [1, 2, 3], 4)


def scan_len_short(k):
    return _scan(_cum, k, [1, 2, 3], 2)


def scan_len_float(k):
    return _scan(_cum, k, [1, 2, 3], 3.0)


def scan_len_none(k):
    return _scan(_cum, k, [1, 2, 3], None)


def scan_none(k):
    return _scan(lambda a, b: (a + 1, a), k, None, 3)


def scan_no_len(k):
    return _scan(_cum, k, [1, 2, 3])


def scan_not_fn(k):
    return _scan(1, k, [1, 2, 3], 3)


def scan_int_xs(k):
    return _scan(_cum, k, 3, 3)


def scan_unroll(k):
    return _scan(_cum, k, [1, 2, 3], 3, False)


def scan_unroll_str(k):
    return _scan(_cum, k, [1, 2, 3], 3, "a")


def scan_few(k):
    return _scan(_cum, k)


def scan_empty(k):
    return _scan(_cum, k, [], 0)


def eager_while_ok():
    return _while(_lt, _inc, Tensor(1))


def eager_while_int():
    return _while(_lt, _inc, 1)


def eager_while_cond_not_fn():
    return _while(1, _inc, 1)


def eager_while_few():
    return _while(_lt, _inc)


def eager_for_ok():
    return _for(0, 3, _body, Tensor(1))


def eager_for_float():
    return _for(0, 3.5, _body, Tensor(1))


def eager_for_str():
    return _for(0, "a", _body, Tensor(1))


def eager_for_tensor():
    return _for(0, Tensor(3), _body, Tensor(1))


def eager_for_not_fn():
    return _for(0, 3, 1, Tensor(1))


def eager_for_few():
    return _for(0, 3, _body)


def eager_for_unroll_str():
    return _for(0, 3, _body, Tensor(1), "a")


def eager_for_reversed():
    return _for(3, 0, _body, Tensor(1))


def eager_scan_ok():
    return _scan(_cum, Tensor(1), [1, 2, 3], 3)


def eager_scan_len():
    return _scan(_cum, Tensor(1), [1, 2, 3], 4)


def eager_scan_len_short():
    return _scan(_cum, Tensor(1), [1, 2, 3], 2)


def eager_scan_none():
    return _scan(lambda a, b: (a + 1, a), Tensor(1), None, 3)


def eager_scan_one():
    return _scan(_body, Tensor(1), [1, 2, 3], 3)


def eager_scan_int():
    return _scan(_cum, Tensor(1), 3, 3)


def eager_scan_len_float():
    return _scan(_cum, Tensor(1), [1, 2, 3], 3.0)


def eager_scan_tensor():
    return _scan(_cum, Tensor(1), Tensor([1, 2, 3]), 3)


def eager_scan_none_none():
    return _scan(_cum, Tensor(1), None, None)


def eager_for_class_arg():
    return ops.ForiLoop(1)


def eager_while_kw():
    return ops.WhileLoop()(cond_fun=_lt, loop_fun=_inc, init_val=1)


class _Chosen(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = (nn.ReLU(), nn.ReLU6())

    def construct(self, i, x):
        return self.layers[i](x)


class _Switched(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.ReLU(), nn.ReLU6()
        self.layers = (self.a, self.b)

    def construct(self, i, x):
        return F.switch_layer(i, self.layers)(x)


_chosen, _switched = _Chosen(), _Switched()


def switch_layer_of_ok(x):
    return _chosen(0, x)


def switch_layer_of_tensor(x):
    return _chosen(Tensor(0), x)


def switch_layer_of_past(x):
    return _chosen(5, x)


def switch_layer_of_float(x):
    return _chosen(0.5, x)


def switch_layer_by_tensor(x, k):
    return _switched(k - 2, x)


def switch_layer_by_past(x, k):
    return _switched(k, x)


def switch_layer_by_int(x):
    return _switched(0, x)


def switch_layer_by_float(x):
    return _switched(Tensor(0.5), x)


def switch_layer_by_float_py(x):
    return _switched(0.5, x)


def switch_layer_by_i64(x):
    return _switched(Tensor(1, ms.int64), x)


def switch_layer_by_i32(x):
    return _switched(Tensor(1, ms.int32), x)


def switch_layer_by_neg(x):
    return _switched(Tensor(-1, ms.int32), x)


def switch_layer_by_many(x, i):
    return _switched(i, x)


def switch_layer_by_bool(x):
    return _switched(True, x)


def switch_layer_by_none(x):
    return _switched(None, x)


def switch_layer_of_empty(x):
    return F.switch_layer(Tensor(0, ms.int32), ())(x)


def switch_layer_of_not_tuple(x):
    return F.switch_layer(Tensor(0, ms.int32), 3)(x)


def switch_layer_of_not_fns(x):
    return F.switch_layer(Tensor(0, ms.int32), (1, 2))(x)


def switch_layer_of_few(x):
    return F.switch_layer(Tensor(0, ms.int32))(x)


def switch_layer_of_functions_ok(x):
    return F.switch_layer(Tensor(1, ms.int32), (_inc, lambda v: v * 2))(x)


def switch_layer_of_unlike(x):
    return F.switch_layer(Tensor(0, ms.int32), (_inc, lambda v: v.sum()))(x)


def condition_of_a_loop_of_several(x):
    while x < 3:
        x = x + 1
    return x


def condition_of_a_branch_of_several(x):
    if x < 3:
        x = x + 1
    return x


def condition_of_a_loop_of_one(k):
    while k < 4:
        k = k + 1
    return k
