"""Refused and odd arguments of layers, losses, optimizers and learning rates."""
# pyright: basic, reportMissingImports=false

import mindspore as ms
import numpy as np
from mindspore import Model, Parameter, Tensor, nn, ops

_F3 = Tensor(np.ones(3, np.float32))
_F23 = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
_IM = Tensor(np.ones((1, 3, 8, 8), np.float32))
_I3 = Tensor(np.array([1, 2, 3], np.int32))


def _p(name="p"):
    return Parameter(Tensor(np.ones(3, np.float32)), name=name)


def _net():
    return nn.Dense(3, 4)


def eager_nn_conv2d_3_2_a():
    return nn.Conv2d(3, 2, "a")


def eager_nn_conv2d_3_2_0():
    return nn.Conv2d(3, 2, 0)


def eager_nn_conv2d_3_2_3_pad_mode_x():
    return nn.Conv2d(3, 2, 3, pad_mode="x")


def eager_nn_conv2d_3_2_3_padding_1():
    return nn.Conv2d(3, 2, 3, padding=1)


def eager_nn_conv2d_3_2_3_group_a():
    return nn.Conv2d(3, 2, 3, group="a")


def eager_nn_conv2d_3_2_3_has_bias_a():
    return nn.Conv2d(3, 2, 3, has_bias="a")


def eager_nn_conv2d_3_2_3_f23():
    return nn.Conv2d(3, 2, 3)(_F23)


def eager_nn_conv1d_3_2_0():
    return nn.Conv1d(3, 2, 0)


def eager_nn_conv1d_3_2_3_im():
    return nn.Conv1d(3, 2, 3)(_IM)


def eager_nn_conv3d_3_2_3_data_format_x():
    return nn.Conv3d(3, 2, 3, data_format="x")


def eager_nn_conv1dtranspose_a_2_3():
    return nn.Conv1dTranspose("a", 2, 3)


def eager_nn_conv1dtranspose_3_2_3_stride_1_1():
    return nn.Conv1dTranspose(3, 2, 3, stride=(1, 1))


def eager_nn_maxpool2d_2_pad_mode_x():
    return nn.MaxPool2d(2, pad_mode="x")


def eager_nn_maxpool2d_2_data_format_x():
    return nn.MaxPool2d(2, data_format="x")


def eager_nn_avgpool2d_0():
    return nn.AvgPool2d(0)


def eager_nn_avgpool2d_2_pad_mode_x():
    return nn.AvgPool2d(2, pad_mode="x")


def eager_nn_avgpool1d_2_x():
    return nn.AvgPool1d(2)(_F3)


def eager_nn_adaptiveavgpool1d_a():
    return nn.AdaptiveAvgPool1d("a")


def eager_nn_batchnorm2d_0():
    return nn.BatchNorm2d(0)


def eager_nn_batchnorm2d_3_momentum_2():
    return nn.BatchNorm2d(3, momentum=2)


def eager_nn_batchnorm2d_3_f23():
    return nn.BatchNorm2d(3)(_F23)


def eager_nn_batchnorm1d_a():
    return nn.BatchNorm1d("a")


def eager_nn_layernorm_a():
    return nn.LayerNorm("a")


def eager_nn_layernorm_3():
    return nn.LayerNorm(3)


def eager_nn_groupnorm_2_a():
    return nn.GroupNorm(2, "a")


def eager_nn_groupnorm_2_4_eps_a():
    return nn.GroupNorm(2, 4, eps="a")


def eager_nn_dropout_p_1_5():
    return nn.Dropout(p=1.5)


def eager_nn_dropout_p_minus_1():
    return nn.Dropout(p=-1)


def eager_nn_embedding_0_3():
    return nn.Embedding(0, 3)


def eager_nn_embedding_5_a():
    return nn.Embedding(5, "a")


def eager_nn_embedding_5_3_embedding_table_x():
    return nn.Embedding(5, 3, embedding_table="x")


def eager_nn_embedding_5_3_x():
    return nn.Embedding(5, 3)(_F3)


def eager_nn_embeddinglookup_3_3_target_x():
    return nn.EmbeddingLookup(3, 3, target="x")


def eager_nn_embeddinglookup_3_3_sparse_1():
    return nn.EmbeddingLookup(3, 3, sparse=1)


def eager_nn_lstmcell_3_4_has_bias_a():
    return nn.LSTMCell(3, 4, has_bias="a")


def eager_nn_grucell_3_a():
    return nn.GRUCell(3, "a")


def eager_nn_l1loss_1():
    return nn.L1Loss(1)


def eager_nn_l1loss_x_1():
    return nn.L1Loss()(_F3, 1)


def eager_nn_mseloss_a_x():
    return nn.MSELoss()("a", _F3)


def eager_nn_crossentropyloss_reduction_x():
    return nn.CrossEntropyLoss(reduction="x")


def eager_nn_crossentropyloss_x_a():
    return nn.CrossEntropyLoss()(_F3, "a")


def eager_nn_nllloss_reduction_x():
    return nn.NLLLoss(reduction="x")


def eager_nn_bceloss_x_tensor_1_0():
    return nn.BCELoss()(_F3, Tensor([1.0]))


def eager_nn_bcewithlogitsloss_x_1():
    return nn.BCEWithLogitsLoss()(_F3, 1)


def eager_nn_cosineembeddingloss_reduction_x():
    return nn.CosineEmbeddingLoss(reduction="x")


def eager_nn_diceloss_a():
    return nn.DiceLoss("a")


def eager_nn_rmseloss_x_1():
    return nn.RMSELoss()(_F3, 1)


def eager_nn_sgd():
    return nn.SGD([])


def eager_nn_sgd_p_learning_rate_a():
    return nn.SGD([_p()], learning_rate="a")


def eager_nn_sgd_p_learning_rate_minus_1_0():
    return nn.SGD([_p()], learning_rate=-1.0)


def eager_nn_sgd_p_dampening_minus_1_0():
    return nn.SGD([_p()], dampening=-1.0)


def eager_nn_sgd_p_nesterov_true():
    return nn.SGD([_p()], nesterov=True)


def eager_nn_sgd_p_loss_scale_0_0():
    return nn.SGD([_p()], loss_scale=0.0)


def eager_nn_sgd_lr_0_1():
    return nn.SGD([{"lr": 0.1}])


def eager_nn_sgd_params_p_nonesuch_1():
    return nn.SGD([{"params": [_p()], "nonesuch": 1}])


def eager_nn_sgd_params_p_lr_minus_1_0():
    return nn.SGD([{"params": [_p()], "lr": -1.0}])


def eager_nn_sgd_params_p_weight_decay_minus_1_0():
    return nn.SGD([{"params": [_p()], "weight_decay": -1.0}])


def eager_nn_momentum_p_0_1_a():
    return nn.Momentum([_p()], 0.1, "a")


def eager_nn_momentum_p_0_1_minus_1_0():
    return nn.Momentum([_p()], 0.1, -1.0)


def eager_nn_momentum_p_0_1_0_9_weight_decay_minus_0_1():
    return nn.Momentum([_p()], 0.1, 0.9, weight_decay=-0.1)


def eager_nn_momentum_0_1_0_9():
    return nn.Momentum([], 0.1, 0.9)


def eager_nn_adam_p_eps_0_0():
    return nn.Adam([_p()], eps=0.0)


def eager_nn_adam_p_eps_minus_1_0():
    return nn.Adam([_p()], eps=-1.0)


def eager_nn_adam_p_weight_decay_minus_1_0():
    return nn.Adam([_p()], weight_decay=-1.0)


def eager_nn_adam_p_loss_scale_0_0():
    return nn.Adam([_p()], loss_scale=0.0)


def eager_nn_lamb_p_0_1_beta1_2_0():
    return nn.Lamb([_p()], 0.1, beta1=2.0)


def eager_nn_rmsprop_p_decay_minus_1_0():
    return nn.RMSProp([_p()], decay=-1.0)


def eager_nn_adadelta_p_rho_2_0():
    return nn.Adadelta([_p()], rho=2.0)


def eager_nn_adadelta_p_epsilon_minus_1_0():
    return nn.Adadelta([_p()], epsilon=-1.0)


def eager_nn_exponential_decay_lr_a_0_9_6_2_1():
    return nn.exponential_decay_lr("a", 0.9, 6, 2, 1)


def eager_nn_exponential_decay_lr_0_1_0_9_6_2_1_is_stair_1():
    return nn.exponential_decay_lr(0.1, 0.9, 6, 2, 1, is_stair=1)


def eager_nn_exponential_decay_lr_minus_0_1_0_9_6_2_1():
    return nn.exponential_decay_lr(-0.1, 0.9, 6, 2, 1)


def eager_nn_cosine_decay_lr_a_0_1_6_2_2():
    return nn.cosine_decay_lr("a", 0.1, 6, 2, 2)


def eager_nn_cosine_decay_lr_0_2_0_1_6_2_2():
    return nn.cosine_decay_lr(0.2, 0.1, 6, 2, 2)


def eager_nn_polynomial_decay_lr_0_1_0_01_6_2_2_0_5_1():
    return nn.polynomial_decay_lr(0.1, 0.01, 6, 2, 2, 0.5, 1)


def eager_nn_warmup_lr_a_6_2_2():
    return nn.warmup_lr("a", 6, 2, 2)


def eager_nn_exponentialdecaylr_0_1_0_9_0():
    return nn.ExponentialDecayLR(0.1, 0.9, 0)


def eager_nn_cosinedecaylr_0_01_0_1_0():
    return nn.CosineDecayLR(0.01, 0.1, 0)


def eager_nn_polynomialdecaylr_0_1_0_01_4_a():
    return nn.PolynomialDecayLR(0.1, 0.01, 4, "a")


def eager_nn_warmuplr_a_2():
    return nn.WarmUpLR("a", 2)


def eager_nn_warmuplr_0_1_0():
    return nn.WarmUpLR(0.1, 0)


def eager_nn_trainonestepcell_net():
    return nn.TrainOneStepCell(_net())


def eager_nn_withlosscell_1_2():
    return nn.WithLossCell(1, 2)


def eager_ms_fixedlossscalemanager_a():
    return ms.FixedLossScaleManager("a")
