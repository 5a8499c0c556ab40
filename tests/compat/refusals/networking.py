"""Functions that convolve, pool, make windows and compare numbers, called wrongly."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportOptionalCall=false
# ruff: noqa: E501

import mindspore as ms
from mindspore import Tensor, ops


def networking_a1(n):
    return ops.isneginf(n)


def networking_a2(i):
    return ops.isneginf(i)


def networking_a3(n):
    return ops.isposinf(n)


def networking_a4(c):
    return ops.isposinf(c)


def networking_a5(n):
    return ops.isreal(n)


def networking_a6(s):
    return ops.isreal(s)


def networking_a7(n):
    return ops.signbit(n)


def networking_a8(s):
    return ops.signbit(s)


def networking_a9(n):
    return ops.positive(n)


def networking_b1(b):
    return ops.positive(b)


def networking_b4(x, n):
    return ops.dot(x, n)


def networking_b5(x, y):
    return ops.dot(x, x)


def networking_b6(y):
    return ops.dot(y, y)


def networking_b7(x, i):
    return ops.dot(x, i)


def networking_b8(x, y):
    return ops.batch_dot(x, y)


def networking_b9(x, n):
    return ops.batch_dot(x, n)


def networking_c1(x):
    return ops.batch_dot(x, x, axes=(1,))


def networking_c2(x):
    return ops.batch_dot(x, x, axes=(0, 1))


def networking_c3(x):
    return ops.batch_dot(x, x, axes=1.0)


def networking_c4(x):
    return ops.quantile(x, 2.0)


def networking_c5(x):
    return ops.quantile(x, "a")


def networking_c6(i):
    return ops.quantile(i, 0.5)


def networking_c7(n):
    return ops.quantile(n, 0.5)


def networking_c8(x):
    return ops.quantile(x, 0.5, axis=5)


def networking_c9(x):
    return ops.quantile(x, 0.5, axis=1.0)


def networking_d1(x):
    return ops.nanquantile(x, 1.5)


def networking_d2(x):
    return ops.avg_pool1d(x, 2)


def networking_d3(x):
    return ops.avg_pool1d(x.reshape(1, 2, 3), 0)


def networking_d4(x):
    return ops.avg_pool1d(x.reshape(1, 2, 3), 2, stride=0)


def networking_d5(x):
    return ops.avg_pool1d(x.reshape(1, 2, 3), "a")


def networking_d6(x):
    return ops.avg_pool1d(x.reshape(1, 2, 3), 2, padding=-1)


def networking_d7(n):
    return ops.avg_pool1d(n, 2)


def networking_d8(x):
    return ops.avg_pool1d(x.reshape(1, 2, 3), 2, ceil_mode=1)


def networking_d9(x):
    return ops.avg_pool1d(x.reshape(1, 2, 3), (2, 2))


def networking_e1(im):
    return ops.avg_pool2d(im, 0)


def networking_e2(im):
    return ops.avg_pool2d(im, "a")


def networking_e3(x):
    return ops.avg_pool2d(x, 2)


def networking_e5(n):
    return ops.avg_pool2d(n)


def networking_e6(x):
    return ops.conv1d(x, x)


def networking_e7(x):
    return ops.conv1d(x.reshape(1, 2, 3), x.reshape(1, 2, 3), stride=0)


def networking_e8(x):
    return ops.conv1d(x.reshape(1, 2, 3), x.reshape(1, 2, 3), pad_mode="abc")


def networking_e9(x):
    return ops.conv1d(x.reshape(1, 2, 3), x.reshape(1, 2, 3), padding=-1)


def networking_f1(x):
    return ops.conv1d(x.reshape(1, 2, 3), x.reshape(1, 2, 3), dilation=0)


def networking_f2(n, x):
    return ops.conv1d(n, x)


def networking_f3(x):
    return ops.conv1d(x.reshape(1, 2, 3), x.reshape(1, 2, 3), groups="a")


def networking_f4(im):
    return ops.conv2d(im, im, stride=0)


def networking_f5(im):
    return ops.conv2d(im, im, pad_mode="abc")


def networking_f6(im):
    return ops.conv2d(im, im, padding=1)


def networking_f7(im, x):
    return ops.conv2d(im, x)


def networking_f8(im):
    return ops.conv2d(im, im, dilation=0)


def networking_f9(im):
    return ops.conv2d(im, im, groups=0)


def networking_g1(im):
    return ops.conv2d(im, im, bias=1)


def networking_g2(n, im):
    return ops.conv2d(n, im)


def networking_g3(x):
    return ops.pixel_shuffle(x, 2)


def networking_g4(im):
    return ops.pixel_shuffle(im, 0)


def networking_g5(im):
    return ops.pixel_shuffle(im, 2.0)


def networking_g6(im):
    return ops.pixel_shuffle(im, 5)


def networking_g7(x):
    return ops.pixel_unshuffle(x, 2)


def networking_g8(im):
    return ops.pixel_unshuffle(im, 0)


def networking_g9(im):
    return ops.pixel_unshuffle(im, 2.0)


def networking_h1():
    return ops.hann_window(2.0)


def networking_h2():
    return ops.hann_window(-1)


def networking_h3():
    return ops.hann_window(3, periodic=1)


def networking_h4():
    return ops.hann_window(3, dtype=ms.int32)


def networking_h5():
    return ops.hamming_window("a")


def networking_h6():
    return ops.hamming_window(-2)


def networking_h7():
    return ops.hamming_window(3, alpha="a")


def networking_h8():
    return ops.hamming_window(3, periodic="a")


def networking_h9():
    return ops.kaiser_window(-1)


def networking_i1():
    return ops.kaiser_window(2.5)


def networking_i3(x):
    return ops.cosine_embedding_loss(x, x, x)


def networking_i5(x, n):
    return ops.cosine_embedding_loss(x, n, n)


def networking_i6(x):
    return ops.cosine_embedding_loss(x, x, Tensor([1, -1]), margin="a")


def networking_i7(x):
    return ops.cosine_embedding_loss(x, x, Tensor([1, -1]), reduction="avg")


def networking_i8(y):
    return ops.margin_ranking_loss(y, y, y, margin="a")


def networking_i9(y):
    return ops.margin_ranking_loss(y, 1, y)


def networking_j1(y):
    return ops.margin_ranking_loss(y, y, y, reduction="avg")


def networking_j2(x, y):
    return ops.margin_ranking_loss(x, y, y)


def networking_j3(y, i):
    return ops.margin_ranking_loss(y, i, y)


def networking_j4(x):
    return ops.adaptive_avg_pool1d(x, 2)


def networking_j5(x):
    return ops.adaptive_avg_pool1d(x, 0)


def networking_j6(x):
    return ops.adaptive_avg_pool1d(x, 2.0)


def networking_j7(y):
    return ops.adaptive_avg_pool1d(y, 2)


def networking_j8(i):
    return ops.adaptive_avg_pool1d(i, 1)


def networking_j9(x):
    return ops.adaptive_max_pool1d(x, 0)


def networking_k1(x):
    return ops.adaptive_max_pool1d(x, (2,))


def networking_k2(n):
    return ops.adaptive_max_pool1d(n, 2)


def networking_k3(im):
    return ops.dropout2d(im, 2.0)


def networking_k4(x):
    return ops.dropout2d(x, 0.5)


def networking_k5(x):
    return ops.dropout1d(x, 1.5)


def networking_k6(n):
    return ops.dropout1d(n)


def networking_k7(im):
    return ops.dropout2d(im, p="a")


def networking_k8(i):
    return ops.sequence_mask(i, 0)


def networking_k9(i):
    return ops.sequence_mask(i, "a")


def networking_l1(y):
    return ops.sequence_mask(y)


def networking_l3(x, n):
    return ops.logaddexp2(x, n)


def networking_l4(i):
    return ops.logaddexp2(i, i)


def networking_l5(x, y):
    return ops.logaddexp2(x, Tensor([1.0, 2.0]))


def networking_m1(x):
    return ops.view_as_real(x)


def networking_m2(n):
    return ops.bernoulli(n)


def networking_m3(x):
    return ops.bernoulli(x, p=2.0)


def networking_m4(n):
    return ops.qr(n)


def networking_m5(x):
    return ops.qr(x, mode="abc")


def networking_m8(x):
    return ops.clip_by_global_norm([x], "a")


def networking_m9(x):
    return ops.clip_by_global_norm([x], -1.0)


def networking_n1(x, y):
    return ops.hinge_embedding_loss(x, y)


def networking_n2(x):
    return ops.hinge_embedding_loss(x, x, reduction="avg")


def networking_n3(x):
    return ops.hinge_embedding_loss(x, 1)


def networking_n4(x):
    return ops.hinge_embedding_loss(x, x, margin="a")


def networking_n5(x, i):
    return ops.multi_margin_loss(x, i, p=3)


def networking_n6(x):
    return ops.multi_margin_loss(x, Tensor([0, 1]), reduction="avg")


def networking_n9(n):
    return ops.bucketize(n, [1.0])


def networking_o1(x):
    return ops.bucketize(x, [1.0, 2.0], right=1)


def networking_o3(x, y):
    return ops.select_scatter(x, y, 0, 0)


def networking_o4(x):
    return ops.select_scatter(x, 1, 0, 0)


def networking_o6(x):
    return ops.diagonal_scatter(x, 1)


def networking_o8(x):
    return ops.lp_pool1d(x, 2, 0)


def networking_o9(x):
    return ops.lp_pool1d(x, "a", 2)


def networking_p1(x):
    return ops.lp_pool2d(x, 2, 2)


def networking_l6():
    return ops.block_diag()


def networking_l7(x, n):
    return ops.block_diag(x, n)


def networking_l8(x):
    return ops.block_diag(x.reshape(1, 2, 3))


def networking_m6(y):
    return ops.qr(y)


def networking_o5(x, y):
    return ops.diagonal_scatter(x, y)
