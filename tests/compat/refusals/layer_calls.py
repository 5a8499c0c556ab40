"""Layers called in graphs on what they do not take."""
# pyright: basic, reportMissingImports=false

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

_dense = nn.Dense(4, 2, weight_init="ones")
_c1 = nn.Conv1d(3, 2, 3, weight_init="ones")
_c2 = nn.Conv2d(3, 2, 3, weight_init="ones")
_c3 = nn.Conv3d(3, 2, 3, weight_init="ones")
_bn1 = nn.BatchNorm1d(4)
_bn2 = nn.BatchNorm2d(4)
_bn3 = nn.BatchNorm3d(4)
_ln = nn.LayerNorm((4,))
_lstm = nn.LSTM(3, 4)
_rnn = nn.RNN(3, 4)
_gcell = nn.GRUCell(3, 4)
_mp1 = nn.MaxPool1d(2, 2)
_mp2 = nn.MaxPool2d(2, 2)
_mp3 = nn.MaxPool3d(2, 2)
_ap1 = nn.AvgPool1d(2, 2)
_ap2 = nn.AvgPool2d(2, 2)
_ap3 = nn.AvgPool3d(2, 2)
_aap1 = nn.AdaptiveAvgPool1d(2)
_aap2 = nn.AdaptiveAvgPool2d(2)
_amp2 = nn.AdaptiveMaxPool2d(2)
_lrelu = nn.LeakyReLU()
_gelu = nn.GELU()
_mse = nn.MSELoss()
_ce = nn.CrossEntropyLoss()
_bcel = nn.BCEWithLogitsLoss()
_kl = nn.KLDivLoss()
_hub = nn.HuberLoss()
_pix = nn.PixelShuffle(2)
_ups = nn.Upsample(scale_factor=2.0)


def _ones(*shape):
    return Tensor(np.ones(shape, np.float32))


def g_dense_i(i):
    return _dense(i)


def g_dense_h(h):
    return _dense(h)


def g_c1_x(x):
    return _c1(x)


def g_c1_im(im):
    return _c1(im)


def g_c2_1():
    return _c2(1)


def g_c3_im(im):
    return _c3(im)


def g_bn1_im(im):
    return _bn1(im)


def g_bn1__ones_4():
    return _bn1(_ones(4))


def g_bn2_x(x):
    return _bn2(x)


def g_bn2__ones_1_4_8():
    return _bn2(_ones(1, 4, 8))


def g_bn3_im(im):
    return _bn3(im)


def g_ln_k(k):
    return _ln(k)


def g_lstm_x(x):
    return _lstm(x)


def g_rnn_x(x):
    return _rnn(x)


def g_gcell_x_1(x):
    return _gcell(x, 1)


def g_mp1_im(im):
    return _mp1(im)


def g_mp2_x(x):
    return _mp2(x)


def g_mp2_y(y):
    return _mp2(y)


def g_mp3_x(x):
    return _mp3(x)


def g_ap1_im(im):
    return _ap1(im)


def g_ap2_x(x):
    return _ap2(x)


def g_ap3_x(x):
    return _ap3(x)


def g_aap1_x(x):
    return _aap1(x)


def g_aap1_im(im):
    return _aap1(im)


def g_aap2_x(x):
    return _aap2(x)


def g_amp2_x(x):
    return _amp2(x)


def g_lrelu_1():
    return _lrelu(1)


def g_gelu_i(i):
    return _gelu(i)


def g_mse_x_1(x):
    return _mse(x, 1)


def g_mse_a_x(x):
    return _mse("a", x)


def g_ce_x_y(x, y):
    return _ce(x, y)


def g_bcel_x_z(x, z):
    return _bcel(x, z)


def g_kl_x_z(x, z):
    return _kl(x, z)


def g_kl_x_i(x, i):
    return _kl(x, i)


def g_hub_x_z(x, z):
    return _hub(x, z)


def g_pix_x(x):
    return _pix(x)


def g_ups_1():
    return _ups(1)


def g_ce_of_class_numbers(x):
    return _ce(x, Tensor([0, 1], ms.int32)).shape


def eager_ce_of_class_numbers():
    return _ce(_ones(2, 3), Tensor([0, 1], ms.int32)).shape


def eager_ce_of_probabilities():
    return _ce(_ones(2, 3), _ones(2, 3)).shape
