"""What Cells say of their inputs, Models and metrics of what they are given, and functions of checkpoints of files and networks."""
# pyright: basic, reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false, reportMissingImports=false

import os
import tempfile

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn


def _ones(*shape):
    return Tensor(np.ones(shape, np.float32))


def _graph(make, *args):
    """A Cell's result in graph mode."""
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return make(*args)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


class _Add(nn.Cell):
    def construct(self, u, v):
        return u + v


def eager_set_inputs_shape():
    net = _Add()
    net.set_inputs(Tensor(shape=(None, 3), dtype=ms.float32), Tensor(shape=(None, 3), dtype=ms.float32))
    return _graph(lambda: net(_ones(2, 4), _ones(2, 4)))


def eager_set_inputs_dtype():
    net = _Add()
    net.set_inputs(Tensor(shape=(None,), dtype=ms.int32), Tensor(shape=(None,), dtype=ms.float32))
    return _graph(lambda: net(_ones(2), _ones(2)))


def eager_set_inputs_count():
    net = _Add()
    net.set_inputs(Tensor(shape=(None,), dtype=ms.float32))
    return _graph(lambda: net(_ones(2), _ones(2)))


def eager_set_inputs_rank():
    net = _Add()
    net.set_inputs(Tensor(shape=(None,), dtype=ms.float32), Tensor(shape=(None,), dtype=ms.float32))
    return _graph(lambda: net(_ones(2, 2), _ones(2, 2)))


def eager_set_inputs_right():
    net = _Add()
    net.set_inputs(Tensor(shape=(None,), dtype=ms.float32), Tensor(shape=(None,), dtype=ms.float32))
    return _graph(lambda: net(_ones(2), _ones(2)))


def eager_set_inputs_keyword_unknown():
    net = _Add()
    net.set_inputs(w=Tensor(shape=(None,), dtype=ms.float32))


def eager_set_inputs_keyword():
    net = _Add()
    net.set_inputs(v=Tensor(shape=(None,), dtype=ms.float32))
    return _graph(lambda: net(_ones(2), _ones(2)))


def eager_set_inputs_int():
    net = _Add()
    net.set_inputs(Tensor(shape=(None,), dtype=ms.float32), 3)
    return _graph(lambda: net(_ones(2), 3))


def eager_set_inputs_int_other():
    net = _Add()
    net.set_inputs(Tensor(shape=(None,), dtype=ms.float32), 3)
    return _graph(lambda: net(_ones(2), 4))


def eager_set_inputs_tensor_for_int():
    net = _Add()
    net.set_inputs(Tensor(shape=(None,), dtype=ms.float32), Tensor(shape=(None,), dtype=ms.float32))
    return _graph(lambda: net(_ones(2), 4))


def eager_set_inputs_eager_mode():
    net = _Add()
    net.set_inputs(Tensor(shape=(None, 3), dtype=ms.float32), Tensor(shape=(None, 3), dtype=ms.float32))
    return net(_ones(2, 4), _ones(2, 4))


class _Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(3, 2, weight_init="ones")

    def construct(self, v):
        return self.fc(v)


def _saved(load):
    """What is made of a checkpoint's file that is there."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "a.ckpt")
        ms.save_checkpoint(_Net(), name)
        return load(name)


def eager_model_no_network():
    return ms.Model()


def eager_model_network_int():
    return ms.Model(3)


def eager_model_bad_metrics():
    return ms.Model(_Net(), loss_fn=nn.MSELoss(), metrics=3)


def eager_model_unknown_metric():
    return ms.Model(_Net(), loss_fn=nn.MSELoss(), metrics={"nope"})


def eager_model_bad_amp():
    return ms.Model(_Net(), amp_level="O9")


def eager_model_bad_keyword():
    return ms.Model(_Net(), nope=1)


def eager_model_eval_without_metrics():
    return ms.Model(_Net(), loss_fn=nn.MSELoss()).eval(None)


def eager_model_metrics_without_loss():
    return ms.Model(_Net(), metrics={"mse"})


def eager_model_predict():
    return ms.Model(_Net()).predict(_ones(2, 3)).shape


def eager_model_train_epoch_zero():
    return ms.Model(_Net(), nn.MSELoss(), nn.SGD(_Net().trainable_params())).train(0, None)


def eager_model_eval_indexes():
    return ms.Model(_Net(), nn.MSELoss(), metrics={"mse"}, eval_network=_Net(), eval_indexes=[0, 1])


def eager_metric_accuracy_shape():
    m = nn.Accuracy("classification")
    m.update(_ones(2), Tensor([1, 0]))
    return m.eval()


def eager_metric_accuracy_count():
    m = nn.Accuracy()
    m.update(_ones(2, 2))
    return m.eval()


def eager_metric_accuracy_empty():
    return nn.Accuracy().eval()


def eager_metric_accuracy():
    m = nn.Accuracy()
    m.update(Tensor([[0.2, 0.8], [0.6, 0.4]]), Tensor([1, 1]))
    return m.eval()


def eager_metric_accuracy_batch_unlike():
    m = nn.Accuracy()
    m.update(_ones(2, 2), Tensor([1, 1, 0]))
    return m.eval()


def eager_metric_mse():
    m = nn.MSE()
    m.update(_ones(2, 2), _ones(2, 2) * 2)
    return m.eval()


def eager_metric_loss_shape():
    m = nn.Loss()
    m.update(_ones(2, 2))
    return m.eval()


def eager_metric_loss_count():
    m = nn.Loss()
    m.update(_ones(1), _ones(1))


def eager_metric_topk_k():
    return nn.TopKCategoricalAccuracy(0)


def eager_metric_topk_str():
    return nn.TopKCategoricalAccuracy("a")


def eager_metric_topk_empty():
    return nn.Top1CategoricalAccuracy().eval()


def eager_metric_f1_average():
    m = nn.F1()
    m.update(Tensor([[0.2, 0.8], [0.6, 0.4]]), Tensor([1, 1]))
    return m.eval(average=3)


def eager_metric_precision_empty():
    return nn.Precision().eval()


def eager_metric_get():
    return type(nn.get_metric_fn("accuracy")).__name__


def eager_metric_set_indexes():
    return nn.Accuracy().set_indexes(3)


def eager_metric_set_indexes_range():
    m = nn.Accuracy().set_indexes([0, 5])
    m.update(_ones(2, 2), Tensor([1, 1]))


def eager_metric_perplexity():
    return nn.Perplexity(ignore_label="a")


def eager_rearrange():
    @nn.rearrange_inputs
    def f(a):
        return a

    return f(3)


def eager_loss_scale_fixed():
    return ms.FixedLossScaleManager(0.5)


def eager_loss_scale_dynamic():
    return ms.DynamicLossScaleManager(init_loss_scale=0)


def eager_loss_scale_factor():
    return ms.DynamicLossScaleManager(scale_factor=-1)


def eager_loss_scale_window():
    return ms.DynamicLossScaleManager(scale_window="a")


def eager_save_name_int():
    return ms.save_checkpoint(_Net(), 3)


def eager_save_empty_list():
    return ms.save_checkpoint([], "unwritten.ckpt")


def eager_save_list_of_ints():
    return ms.save_checkpoint([1], "unwritten.ckpt")


def eager_save_dict_of_numpy():
    return ms.save_checkpoint({"a": np.ones(2)}, "unwritten.ckpt")


def eager_save_list_no_data():
    return ms.save_checkpoint([{"name": "a"}], "unwritten.ckpt")


def eager_save_format():
    return ms.save_checkpoint(_Net(), "unwritten.ckpt", format="nope")


def eager_save_integrated():
    return ms.save_checkpoint(_Net(), "unwritten.ckpt", integrated_save=3)


def eager_save_async():
    return ms.save_checkpoint(_Net(), "unwritten.ckpt", async_save=3)


def eager_save_append():
    return ms.save_checkpoint(_Net(), "unwritten.ckpt", append_dict=3)


def eager_save_append_value():
    return ms.save_checkpoint(_Net(), "unwritten.ckpt", append_dict={"a": [1]})


def eager_save_choice():
    return ms.save_checkpoint(_Net(), "unwritten.ckpt", choice_func=3)


def eager_save_enc():
    return ms.save_checkpoint(_Net(), "unwritten.ckpt", enc_key="a")


def eager_load_missing():
    return ms.load_checkpoint("/nope/absent.ckpt")


def eager_load_suffix():
    return ms.load_checkpoint("/nope/absent.bin")


def eager_load_int():
    return ms.load_checkpoint(3)


def eager_load_folder():
    return ms.load_checkpoint("/")


def eager_load_net_int():
    return _saved(lambda name: ms.load_checkpoint(name, net=3))


def eager_load_filter():
    return _saved(lambda name: ms.load_checkpoint(name, filter_prefix=3))


def eager_load_filter_all():
    return _saved(lambda name: ms.load_checkpoint(name, filter_prefix="fc"))


def eager_load_format():
    return _saved(lambda name: ms.load_checkpoint(name, format="nope"))


def eager_load_into_int():
    return ms.load_param_into_net(3, {})


def eager_load_into_list():
    return ms.load_param_into_net(_Net(), [])


def eager_load_into_numpy():
    return ms.load_param_into_net(_Net(), {"fc.weight": np.ones((2, 3))})


def eager_load_into_tensor():
    return ms.load_param_into_net(_Net(), {"fc.weight": _ones(2, 3)})


def eager_load_into_shape():
    return ms.load_param_into_net(_Net(), {"fc.weight": Parameter(_ones(3, 3), name="fc.weight")})


def eager_load_into_dtype():
    return ms.load_param_into_net(_Net(), {"fc.weight": Parameter(Tensor(np.ones((2, 3)), ms.int32), name="fc.weight")})


def eager_load_into_half_loose():
    return ms.load_param_into_net(
        _Net(), {"fc.weight": Parameter(Tensor(np.ones((2, 3)), ms.float16), name="fc.weight")}
    )


def eager_load_into_strict():
    return ms.load_param_into_net(_Net(), {}, strict_load=3)


def eager_load_into_none():
    return ms.load_param_into_net(_Net(), {"zz": Parameter(_ones(2), name="zz")})


def eager_load_into_int_key():
    return ms.load_param_into_net(_Net(), {1: Parameter(_ones(1, 2), name="fc.bias")})


def eager_model_checkpoint_prefix():
    return ms.ModelCheckpoint(prefix=3)


def eager_early_stopping():
    return ms.EarlyStopping(mode="nope")
