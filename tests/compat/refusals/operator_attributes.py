"""Counts, kinds and ranges of what functions and operators are given, each beside calls that are taken."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.ops import functional as F
from mindspore.ops import operations as P

_ROWS = np.arange(6, dtype=np.float32).reshape(2, 3)
_PAIR = Tensor([[1.0, 2.0]])


def f_depend(x):
    return F.depend(x)


def smooth_neg(x):
    return ops.smooth_l1_loss(x, x, beta=-1.0)


def eager_smooth_neg():
    return smooth_neg(Tensor(_ROWS))


def smooth_str(x):
    return ops.smooth_l1_loss(x, x, beta="a")


def eager_smooth_str():
    return smooth_str(Tensor(_ROWS))


def addn_unlike(x, y):
    return ops.addn([x, y])


def eager_addn_unlike():
    return addn_unlike(Tensor(_ROWS), Tensor(_ROWS[0]))


def addn_dtype(x, i):
    return ops.addn((i, Tensor([1.0, 2.0, 3.0])))


def eager_addn_dtype():
    return addn_dtype(Tensor(_ROWS), Tensor([1, 2, 3], ms.int32))


def huber_delta(x):
    return ops.huber_loss(x, x, delta=-1.0)


def eager_huber_delta():
    return huber_delta(Tensor(_ROWS))


def huber_zero(x):
    return ops.huber_loss(x, x, delta=0.0)


def eager_huber_zero():
    return huber_zero(Tensor(_ROWS))


def ce_neg_smooth(x):
    return ops.cross_entropy(x, Tensor([0, 1]), label_smoothing=-0.5)


def eager_ce_neg_smooth():
    return ce_neg_smooth(Tensor(_ROWS))


def cosine_margin(x):
    return ops.cosine_embedding_loss(x, x, Tensor([1, -1]), margin=2.0)


def eager_cosine_margin():
    return cosine_margin(Tensor(_ROWS))


def dropout_int(x):
    return ops.dropout(x, p=1)


def eager_dropout_int():
    return dropout_int(Tensor(_ROWS))


def dropout2d_p(im):
    return ops.dropout2d(im, p=2.0)


def eager_dropout2d_p():
    return dropout2d_p(Tensor(np.ones((1, 3, 8, 8)), ms.float32))


def elu_alpha(x):
    return ops.elu(x, alpha=2.0)


def eager_elu_alpha():
    return elu_alpha(Tensor(_ROWS))


def elu_type(x):
    return ops.elu(x, alpha="a")


def eager_elu_type():
    return elu_type(Tensor(_ROWS))


def celu_zero(x):
    return ops.celu(x, alpha=0.0)


def eager_celu_zero():
    return celu_zero(Tensor(_ROWS))


def celu_int(x):
    return ops.celu(x, alpha=1)


def eager_celu_int():
    return celu_int(Tensor(_ROWS))


def hardshrink(x):
    return ops.hardshrink(x, lambd="a")


def eager_hardshrink():
    return hardshrink(Tensor(_ROWS))


def softshrink(x):
    return ops.softshrink(x, lambd=-1.0)


def eager_softshrink():
    return softshrink(Tensor(_ROWS))


def gumbel_hard(x):
    return ops.gumbel_softmax(x, hard=1)


def eager_gumbel_hard():
    return gumbel_hard(Tensor(_ROWS))


def batch_norm_mom(x, y):
    return ops.batch_norm(x, y, y, y, y, momentum=2.0)


def eager_batch_norm_mom():
    return batch_norm_mom(Tensor(_ROWS), Tensor(_ROWS[0]))


def batch_norm_eps(x, y):
    return ops.batch_norm(x, y, y, y, y, eps=-1.0)


def eager_batch_norm_eps():
    return batch_norm_eps(Tensor(_ROWS), Tensor(_ROWS[0]))


def pdist(y):
    return ops.pdist(y)


def eager_pdist():
    return pdist(Tensor(_ROWS[0]))


def pairwise(x):
    return ops.pairwise_distance(x, x, p="a") if hasattr(ops, "pairwise_distance") else ops.pdist(x, p="a")


def eager_pairwise():
    return pairwise(Tensor(_ROWS))


def approx(x):
    return ops.approximate_equal(x, x, tolerance="a")


def eager_approx():
    return approx(Tensor(_ROWS))


def bernoulli(x):
    return ops.bernoulli(x, p=2.0)


def eager_bernoulli():
    return bernoulli(Tensor(_ROWS))


def rand_like(n):
    return ops.rand_like(n)


def eager_rand_like():
    return rand_like(3)


def p_cast1(x):
    return P.Cast()(x)


def eager_p_cast1():
    return p_cast1(Tensor(_ROWS))


def eager_relu0():
    return P.ReLU()()


def eager_relu2():
    return P.ReLU()(_PAIR, _PAIR)


def eager_matmul1():
    return P.MatMul()(_PAIR)


def eager_reshape3():
    return P.Reshape()(_PAIR, 2, 3)


def eager_cast1():
    return P.Cast()(_PAIR)


def eager_add0():
    return P.Add()()


def eager_gather2():
    return P.Gather()(_PAIR, Tensor([0]))


def eager_reduce3():
    return P.ReduceSum()(_PAIR, 0, 1)


def eager_concat2():
    return P.Concat()(_PAIR, _PAIR)


def eager_transpose1():
    return P.Transpose()(_PAIR)


def eager_onehot():
    return P.OneHot()(_PAIR)


def eager_exp2():
    return P.Exp()(_PAIR, _PAIR)


def eager_eye():
    return P.Eye()(2)


def eager_range():
    return P.Range()(1)


def eager_argmax():
    return P.Argmax()()


def addn_one(x):
    return ops.addn([x, x])


def depk(x, y):
    return ops.depend(x, expr=y)


def dep2(x, y):
    return ops.depend(x, y)


def pdep1(x):
    return P.Depend()(x)


def msbool(x):
    return x.astype(ms.bool)


def huber_int(x):
    return ops.huber_loss(x, x, delta=1)


def elu_one(x):
    return ops.elu(x, 1.0)


def eager_ce_int():
    return nn.CrossEntropyLoss()(Tensor(_ROWS), Tensor(np.array([0, 2], np.int32))).shape


def eager_ce_float():
    return nn.CrossEntropyLoss()(Tensor(_ROWS), Tensor(_ROWS)).shape


def eager_ce_long():
    return nn.CrossEntropyLoss()(Tensor(_ROWS), Tensor(np.array([0, 2], np.int64)))


def eager_ce_int2():
    return nn.CrossEntropyLoss()(Tensor(_ROWS), Tensor(_ROWS, ms.int32))


def eager_ce_n():
    return nn.CrossEntropyLoss()(Tensor(_ROWS), Tensor(np.array([0, 2, 1], np.int32)))


def eager_ce_w():
    return nn.CrossEntropyLoss(weight=Tensor(_ROWS[1]), reduction="sum")(
        Tensor(_ROWS), Tensor(np.array([0, 2], np.int32))
    ).shape


_loss = nn.CrossEntropyLoss()


def _entropy(x, y):
    return _loss(x, y)


def eager_g_int():
    return ms.jit(_entropy)(Tensor(_ROWS), Tensor(np.array([0, 2], np.int32))).shape


def eager_dropout_t2():
    return ops.dropout(Tensor(_ROWS), p=1, training=False)


def eager_dropout_t3():
    return ops.dropout(Tensor(_ROWS), 1.0, False)


def eager_drop_tup():
    return ops.clip_by_value((Tensor(_ROWS), Tensor(_ROWS)), 1.0, 2.0)


def eager_clip_norm_tup():
    return ops.clip_by_norm((Tensor(_ROWS), Tensor(_ROWS)), 1.0)


def eager_bn2():
    return ops.batch_norm(
        Tensor(_ROWS), Tensor(_ROWS[0]), Tensor(_ROWS[1]), Tensor(_ROWS[1]), Tensor(_ROWS[0]), momentum=1.0
    )


def eager_celu():
    return ops.celu(Tensor(_ROWS), 2.0)


def eager_soft0():
    return ops.softshrink(Tensor(_ROWS), 0.0)


def eager_soft1():
    return ops.softshrink(Tensor(_ROWS), 1)


def eager_hs():
    return ops.hardshrink(Tensor(_ROWS), 1)


def eager_smooth():
    return ops.smooth_l1_loss(Tensor(_ROWS), Tensor(_ROWS), 2)


def eager_hub():
    return ops.huber_loss(Tensor(_ROWS), Tensor(_ROWS + 1), delta=2)


def eager_cos():
    return ops.cosine_embedding_loss(Tensor(_ROWS), Tensor(_ROWS), Tensor([1, -1]), margin=-1.0)


def eager_nrm1():
    return ops.normal((2, 3), 0, 1).shape


def eager_rr2():
    return ops.rrelu(Tensor(_ROWS), -1.0, -0.5)
