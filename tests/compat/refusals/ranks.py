"""Ranks, axes and extents that functions, methods and layers do not take, in graphs and line by line; and neighbours that they do."""
# pyright: basic, reportMissingImports=false

import numpy as np
from mindspore import Tensor, nn, ops

_x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
_y = Tensor(np.arange(3, dtype=np.float32))
_z = Tensor(np.ones((4, 5), np.float32))
_i = Tensor(np.array([1, 2, 3], np.int32))
_im = Tensor(np.ones((1, 3, 8, 8), np.float32))


def matmul_of_unlike(x, z):
    return ops.matmul(x, z)


def eager_matmul_of_unlike():
    return ops.matmul(_x, _z)


def matmul_of_unlike_dtypes(x, i):
    return ops.matmul(x, i)


def eager_matmul_of_unlike_dtypes():
    return ops.matmul(_x, _i)


def bmm_of_unlike_batches(im):
    return ops.bmm(im, ops.ones((1, 2, 8, 8)))


def eager_bmm_of_unlike_batches():
    return ops.bmm(_im, ops.ones((1, 2, 8, 8)))


def avg_pool2d_of_one_axis(y):
    return ops.avg_pool2d(y, 2)


def eager_avg_pool2d_of_one_axis():
    return ops.avg_pool2d(_y, 2)


def avg_pool3d_of_four_axes(im):
    return ops.avg_pool3d(im, 2)


def eager_avg_pool3d_of_four_axes():
    return ops.avg_pool3d(_im, 2)


def avg_pool2d_of_no_kernel(im):
    return ops.avg_pool2d(im, 0)


def eager_avg_pool2d_of_no_kernel():
    return ops.avg_pool2d(_im, 0)


def adaptive_avg_pool1d_of_one_axis(y):
    return ops.adaptive_avg_pool1d(y, 2)


def eager_adaptive_avg_pool1d_of_one_axis():
    return ops.adaptive_avg_pool1d(_y, 2)


def adaptive_max_pool2d_of_two_axes(x):
    return ops.adaptive_max_pool2d(x, 2)


def eager_adaptive_max_pool2d_of_two_axes():
    return ops.adaptive_max_pool2d(_x, 2)


def batch_norm_of_one_axis(y):
    return ops.batch_norm(y, y, y, y, y)


def eager_batch_norm_of_one_axis():
    return ops.batch_norm(_y, _y, _y, _y, _y)


def batch_norm_of_a_wide_bias(x, y, z):
    return ops.batch_norm(x, y, y, y, z)


def eager_batch_norm_of_a_wide_bias():
    return ops.batch_norm(_x, _y, _y, _y, _z)


def dropout2d_of_one_axis(y):
    return ops.dropout2d(y, 0.5)


def eager_dropout2d_of_one_axis():
    return ops.dropout2d(_y, 0.5)


def dropout1d_of_one_axis(y):
    return ops.dropout1d(y, 0.5)


def eager_dropout1d_of_one_axis():
    return ops.dropout1d(_y, 0.5)


def softmin_past_the_axes(x):
    return ops.softmin(x, axis=3)


def eager_softmin_past_the_axes():
    return ops.softmin(_x, axis=3)


def softmax_of_an_axis(x):
    return ops.softmax(x, axis=-2)


def eager_softmax_of_an_axis():
    return ops.softmax(_x, axis=-2)


def cross_entropy_of_another_reduction(x):
    return ops.cross_entropy(x, x, reduction="avg")


def eager_cross_entropy_of_another_reduction():
    return ops.cross_entropy(_x, _x, reduction="avg")


def kl_div_of_another_reduction(x):
    return ops.kl_div(x, x, reduction="avg")


def eager_kl_div_of_another_reduction():
    return ops.kl_div(_x, _x, reduction="avg")


def mse_loss_of_unlike(x, z):
    return ops.mse_loss(x, z)


def eager_mse_loss_of_unlike():
    return ops.mse_loss(_x, _z)


def stack_of_unlike(x, y):
    return ops.stack((x, y))


def eager_stack_of_unlike():
    return ops.stack((_x, _y))


def stack_past_the_axes(x):
    return ops.stack((x, x), 4)


def eager_stack_past_the_axes():
    return ops.stack((_x, _x), 4)


def unbind_past_the_axes(x):
    return ops.unbind(x, 2)


def eager_unbind_past_the_axes():
    return ops.unbind(_x, 2)


def unbind_of_an_axis(x):
    return ops.unbind(x, 1)


def eager_unbind_of_an_axis():
    return ops.unbind(_x, 1)


def reshape_to_another_size(x):
    return ops.reshape(x, (4, 2))


def eager_reshape_to_another_size():
    return ops.reshape(_x, (4, 2))


def reshape_to_two_unknown(x):
    return ops.reshape(x, (-1, -1))


def eager_reshape_to_two_unknown():
    return ops.reshape(_x, (-1, -1))


def reshape_to_minus_two(x):
    return ops.reshape(x, (-2, 3))


def eager_reshape_to_minus_two():
    return ops.reshape(_x, (-2, 3))


def reshape_method_to_another_size(x):
    return x.reshape(4, 2)


def eager_reshape_method_to_another_size():
    return _x.reshape(4, 2)


def reshape_method_by_name(x):
    return x.reshape(shape=(6,))


def eager_reshape_method_by_name():
    return _x.reshape(shape=(6,))


def view_of_several(x):
    return x.view(3, 2)


def eager_view_of_several():
    return _x.view(3, 2)


def view_of_another_size(x):
    return x.view(-1, 4)


def eager_view_of_another_size():
    return _x.view(-1, 4)


def permute_of_several(x):
    return x.permute(1, 0)


def eager_permute_of_several():
    return _x.permute(1, 0)


def permute_of_repeated(x):
    return x.permute(0, 0)


def eager_permute_of_repeated():
    return _x.permute(0, 0)


def permute_past_the_axes(x):
    return x.permute(2, 0)


def eager_permute_past_the_axes():
    return _x.permute(2, 0)


def transpose_past_the_axes(x):
    return ops.transpose(x, (0, 2))


def eager_transpose_past_the_axes():
    return ops.transpose(_x, (0, 2))


def squeeze_of_wide_axes(x):
    return x.squeeze(0)


def eager_squeeze_of_wide_axes():
    return _x.squeeze(0)


def squeeze_past_the_axes(x):
    return x.squeeze(3)


def eager_squeeze_past_the_axes():
    return _x.squeeze(3)


def squeeze_class_of_wide_axes(x):
    return ops.Squeeze((0, 1))(x)


def eager_squeeze_class_of_wide_axes():
    return ops.Squeeze((0, 1))(_x)


def expand_dims_past_the_axes(x):
    return ops.expand_dims(x, 4)


def eager_expand_dims_past_the_axes():
    return ops.expand_dims(_x, 4)


def unsqueeze_past_the_axes(x):
    return ops.unsqueeze(x, -5)


def eager_unsqueeze_past_the_axes():
    return ops.unsqueeze(_x, -5)


def tile_of_several(x):
    return x.tile(2, 2)


def eager_tile_of_several():
    return _x.tile(2, 2)


def broadcast_to_of_several(x):
    return x.broadcast_to(2, 3)


def eager_broadcast_to_of_several():
    return _x.broadcast_to(2, 3)


def broadcast_to_another_extent(x):
    return ops.broadcast_to(x, (4, 3))


def eager_broadcast_to_another_extent():
    return ops.broadcast_to(_x, (4, 3))


def matmul_class_of_one_axis(x, y):
    return ops.MatMul()(x, y)


def eager_matmul_class_of_one_axis():
    return ops.MatMul()(_x, _y)


def batch_matmul_class_of_unlike(x):
    return ops.BatchMatMul()(x, x)


def eager_batch_matmul_class_of_unlike():
    return ops.BatchMatMul()(_x, _x)


def eager_dense_layer_of_another_width():
    return nn.Dense(4, 2)(_x)


def eager_max_pool_layer_of_two_axes():
    return nn.MaxPool2d(2)(_x)
