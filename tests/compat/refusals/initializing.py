"""Initializers of arrays that they do not fill, and optimizers of groups that are none."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalCall=false
# ruff: noqa: E501

import numpy as np
from mindspore import Parameter, Tensor, nn
from mindspore.common.initializer import (
    Constant,
    Dirac,
    HeNormal,
    HeUniform,
    Identity,
    Orthogonal,
    Sparse,
    TruncatedNormal,
    Uniform,
    VarianceScaling,
    XavierNormal,
    XavierUniform,
    initializer,
)


def _v(f):
    f()
    return "made"


def eager_initializer_a1():
    return initializer(HeNormal(mode="abc"), (2, 2)).init_data().shape


def eager_initializer_a2():
    return initializer(HeUniform(mode="abc"), (2, 2)).init_data().shape


def eager_initializer_a3():
    return initializer(HeUniform(nonlinearity="abc"), (2, 2)).init_data().shape


def eager_initializer_a4():
    return initializer(HeNormal(), (2,)).init_data().shape


def eager_initializer_a5():
    return initializer(VarianceScaling(), (2,)).init_data().shape


def eager_initializer_a6():
    return initializer(XavierNormal(), (2,)).init_data().shape


def eager_initializer_a9():
    return _v(lambda: Dirac(1.5))


def eager_initializer_b2():
    return _v(lambda: VarianceScaling(scale=0))


def eager_initializer_b3():
    return _v(lambda: VarianceScaling(mode=3))


def eager_initializer_b4():
    return _v(lambda: VarianceScaling(distribution="truncated_normal"))


def eager_initializer_b5():
    return initializer(Orthogonal(), (3,)).init_data().shape


def eager_initializer_b6():
    return initializer(Identity(), (3, 2)).asnumpy().tolist()


def eager_initializer_b7():
    return initializer(Sparse(0.5), (2, 2, 2)).init_data().shape


def eager_initializer_b9():
    return initializer(Uniform("a"), (2, 2)).init_data().shape


def eager_initializer_c1():
    return initializer(Constant("a"), (2, 2)).init_data().shape


def eager_initializer_c3():
    return initializer("identity", (2, 2, 2)).init_data().shape


def eager_initializer_c4():
    return initializer("xavier_uniform", (3,)).init_data().shape


def eager_initializer_c5():
    return initializer("he_normal", (3,)).init_data().shape


def eager_initializer_c6():
    return initializer(Tensor([1.0, 2.0]), [3])


def eager_initializer_c8():
    return initializer("ones", (2, 0))


def eager_initializer_d3():
    return Parameter(initializer("identity", (2, 2, 2)), name="w").shape


def eager_initializer_d4():
    return nn.Dense(3, 4, weight_init=Identity())(Tensor(np.ones((2, 3), np.float32))).shape


def eager_initializer_d5():
    return nn.Dense(3, 4, bias_init=XavierUniform())


def eager_initializer_d6():
    return nn.Dense(3, 4, weight_init="abc")


def eager_initializer_d7():
    return nn.Conv2d(3, 4, 3, weight_init=Identity())


def eager_initializer_d8():
    return nn.BatchNorm2d(3, gamma_init=Identity())


def eager_initializer_d9():
    return nn.Embedding(3, 4, embedding_table=XavierUniform()).embedding_table.shape


def _params():
    return [Parameter(Tensor([1.0]), name="a"), Parameter(Tensor([1.0]), name="b")]


def eager_opt_key():
    return nn.SGD([{"weights": _params()}])


def eager_opt_empty_group():
    return nn.SGD([{"params": []}])


def eager_opt_twice():
    p = _params()
    return nn.SGD([{"params": p}, {"params": p}])


def eager_opt_order():
    p = _params()
    return nn.SGD([{"params": p[:1]}, {"order_params": p[:1]}, {"params": p[1:]}])


def eager_opt_extra():
    return nn.SGD([{"params": _params(), "lr2": 0.1}])


def eager_opt_lr_str():
    return nn.SGD([{"params": _params(), "lr": "a"}])


def eager_opt_wd_neg():
    return nn.SGD([{"params": _params(), "weight_decay": -1.0}])


def eager_opt_gc():
    return nn.SGD([{"params": _params(), "grad_centralization": 1}])


def eager_opt_not_list():
    return nn.SGD(3)


def eager_opt_strings():
    return nn.SGD(["a"])


def eager_opt_tensor():
    return nn.SGD([Tensor([1.0])])


def eager_opt_empty():
    return nn.SGD([])


def eager_opt_dict():
    return nn.SGD({"params": _params()})


def eager_opt_mixed():
    return nn.SGD([{"params": _params()}, Parameter(Tensor([1.0]), name="c")])
