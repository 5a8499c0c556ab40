"""What MindSpore's layers say to arguments that no table of checks has."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType, MethodType
from typing import Any, Final

from jitcore.common.parameter import Parameter
from jitcore.compat.mindspore import adopting
from jitcore.compat.mindspore.checking import Rel, Validator
from jitcore.compat.mindspore.refusals import tensors
from jitcore.compat.mindspore.refusals.naming import native_class
from jitcore.nn import Cell, activation
from jitcore.nn.activation import ACTIVATIONS
from jitcore.runtime.tensor import Tensor

Arguments = Mapping[str, Any]


def _batch_norm(name: str, given: Arguments) -> None:
    features, momentum = given.get("num_features"), given.get("momentum", 0.9)
    if isinstance(features, int) and features < 1:
        raise ValueError(f"For '{name}', the 'num_features' must be at least 1, but got {features}.")
    if isinstance(momentum, int | float) and not 0 <= momentum <= 1:
        raise ValueError(f"For '{name}', the 'momentum' must be a number in range [0, 1], but got {momentum}.")


def _statistics(name: str, given: Arguments) -> None:
    _batch_norm(name, given)
    flag = given.get("use_batch_statistics")
    if flag is not None and not isinstance(flag, bool):
        raise ValueError(f"For '{name}', the 'use_batch_statistics' must be a boolean value or None, but got {flag}.")


def _group_norm(name: str, given: Arguments) -> None:
    groups, channels = given.get("num_groups", 1), given.get("num_channels", 1)
    if isinstance(groups, int) and isinstance(channels, int) and groups > 0 and channels % groups:
        raise ValueError(
            f"For '{name}', the 'num_channels' must be divided by 'num_groups', but got 'num_channels': "
            f"{channels}, 'num_groups': {groups}."
        )


def _recurrent(name: str, given: Arguments) -> None:
    dropout = given.get("dropout", 0.0)
    if isinstance(dropout, int | float) and not 0 <= dropout < 1:
        raise ValueError(
            f"For '{name}', the 'dropout' must be a number in range [0, 1) representing the probability of an element "
            f"being zeroed, but got {dropout}."
        )


def _recurrent_cell(name: str, given: Arguments) -> None:
    for argument in ("input_size", "hidden_size"):
        if not isinstance(given.get(argument, 1), int):
            raise TypeError(f"For '{name}', the '{argument}' must be int, but got '{type(given[argument]).__name__}'")


def _pad(name: str, given: Arguments) -> None:
    if not isinstance(given.get("paddings", ()), tuple):
        raise TypeError(
            f"For '{name}', the type of 'paddings' must be tuple, but got {type(given['paddings']).__name__}."
        )
    Validator.check_string(given.get("mode", "CONSTANT"), ["CONSTANT", "REFLECT", "SYMMETRIC"], "mode", name)


def _layer_norm(name: str, given: Arguments) -> None:
    shape = given.get("normalized_shape", ())
    if not isinstance(shape, tuple | list):
        raise TypeError(
            f"For '{name}', the type of 'normalized_shape' must be tuple[int] or list[int], "
            f"but got {shape} and the type is {type(shape)}."
        )


def _dropout(name: str, given: Arguments) -> None:
    keep = given.get("keep_prob")
    if isinstance(keep, int | float) and name == "Dropout" and not 0 < keep <= 1:
        raise ValueError(f"For '{name}', the 'keep_prob' must be a number in range (0, 1], but got {keep}.")
    if given.get("p") is None:
        return
    Validator.check_value_type("p", given["p"], [float, int], name)
    if not 0 <= given["p"] < 1:
        raise ValueError(f"For '{name}', the 'p' must be a number in range [0, 1), but got {given['p']}.")


def _pool(name: str, given: Arguments) -> None:
    for argument in ("kernel_size", "stride"):
        value = given.get(argument, 1)
        if value is None:
            continue
        Validator.check_value_type(argument, value, [int, tuple], name)
        if isinstance(value, int) and value <= 0:
            raise ValueError(
                f"For '{name}', the '{argument}' must be an positive int number or a tuple, but got {value}"
            )
    mode = str(given.get("pad_mode", "valid")).upper()
    Validator.check_string(mode, ["VALID", "SAME", "PAD"], "pad_mode", name)
    changed = given.get("padding", 0) != 0 or given.get("dilation", 1) != 1
    if name.startswith("Max") and mode != "PAD" and (changed or _sets(given, "return_indices", "ceil_mode")):
        raise ValueError(
            f"For {name}, the parameter 'padding', 'dilation', 'return_indices', 'ceil_mode' can not be set to "
            f"non-default value when pad_mode is not 'pad', but got pad_mode:{mode.lower()}."
        )


def _sets(given: Arguments, *flags: str) -> bool:
    return any(not isinstance(given.get(flag), Tensor) and bool(given.get(flag)) for flag in flags)


def _max_pool3d(name: str, given: Arguments) -> None:
    mode = str(given.get("pad_mode", "valid")).lower()
    if mode == "pad":
        return
    if given.get("dilation", 1) != 1 or _sets(given, "return_indices"):
        raise ValueError(
            f"For {name}, the pad_mode must be 'pad' when dilation is not 1 or return_indices is True, "
            f"but got pad_mode:{mode}."
        )
    if _sets(given, "ceil_mode"):
        raise ValueError("When the 'pad_mode' is 'same' or 'valid', the 'ceil_mode' only supports 'None'.")


def _convolution(name: str, given: Arguments) -> None:
    for argument in ("kernel_size", "stride", "dilation"):
        value = given.get(argument, 1)
        if not isinstance(value, int | tuple):
            raise TypeError(
                "When expanding an int number to tuple, input type must be integer or tuple[int], "
                f"but got {type(value)}"
            )
        if isinstance(value, tuple) and len(value) != 2:
            raise TypeError(f"When expanding an int number to tuple, input tuple dimension must be 2, but got {value}")
        for item in value if isinstance(value, tuple) else (value,):
            Validator.check_positive_int(item, f"{argument} item", name)
    if not isinstance(given.get("has_bias", False), bool):
        raise TypeError(f"For '{name}', the 'has_bias' must be a bool, but got {type(given['has_bias']).__name__}.")
    if isinstance(given.get("padding"), int):
        Validator.check_non_negative_int(given["padding"], "padding", name)
    channels, out, group = given.get("in_channels", 1), given.get("out_channels", 1), given.get("group", 1)
    if channels % group or out % group:
        raise ValueError(
            "The argument 'group' should be divisible by 'in_channels' and 'out_channels', but got "
            f"group:{group}, in_channels:{channels}, out_channels:{out}."
        )
    operator = name.replace("d", "D")
    mode, padding = given.get("pad_mode", "same"), given.get("padding", 0)
    Validator.check_string(mode, ["valid", "same", "pad"], "pad_mode", operator)
    if mode != "pad" and padding not in (0, (0, 0, 0, 0)):
        raise ValueError(
            f"For '{operator}', the 'pad' must be zero when 'pad_mode' is not 'pad', but got 'pad': {padding} and "
            f"'pad_mode': {mode}."
        )


def _loss(name: str, given: Arguments) -> None:
    reduction = given.get("reduction", "mean")
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"For '{name}', the 'reduction' must be in ['mean', 'sum', 'none'], but got {reduction}.")


_ACTIVATIONS: Final = [
    "softmin", "softmax", "softmax2d", "logsoftmax", "logsoftmaxExt", "relu", "relu6", "rrelu", "silu", "tanh",
    "tanhshrink", "hardtanh", "gelu", "fast_gelu", "elu", "sigmoid", "softsign", "prelu", "preluExt", "leakyrelu",
    "hswish", "hsigmoid", "logsigmoid", "softshrink", "hshrink", "threshold", "mish",
]  # fmt: skip


def get_activation(name: Any, prim_name: str | None = None) -> Any:
    """As `jitcore.nn.get_activation`. Raises KeyError, in MindSpore's words, for a name that is none."""
    if isinstance(name, str) and name and name.lower() not in ACTIVATIONS:
        raise _no_activation(name, prim_name)
    made = activation.get_activation(name, prim_name)
    adopting.adopt(made)
    return made


def _no_activation(name: str, prim_name: str | None) -> KeyError:
    prefix = f"For '{prim_name}', the" if prim_name else "The"
    return KeyError(f"{prefix} 'name' must be in {_ACTIVATIONS}, but got {name}.")


def _dense(name: str, given: Arguments) -> None:
    named, weight, bias = given.get("activation"), given.get("weight_init"), given.get("bias_init")
    wide, out = given.get("in_channels"), given.get("out_channels")
    if isinstance(weight, Tensor) and tuple(weight.shape) != (out, wide):
        raise ValueError(
            f"For '{name}', weight init shape error. The ndim of 'weight_init' must be equal to 2, and the first dim "
            "must be equal to 'out_channels', and the second dim must be equal to 'in_channels'. But got "
            f"'weight_init': {weight}, 'out_channels': {out}, 'in_channels': {wide}."
        )
    if isinstance(bias, Tensor) and tuple(bias.shape) != (out,) and given.get("has_bias", True):
        raise ValueError(
            f"For '{name}', bias init shape error. The ndim of 'bias_init' must be equal to 1, and the first dim must "
            f"be equal to 'out_channels'. But got 'bias_init': {bias}, 'out_channels': {out}."
        )
    if isinstance(named, str) and named and named.lower() not in ACTIVATIONS:
        raise _no_activation(named, None)
    activation = named
    if activation is not None and not isinstance(activation, str | Cell) and not callable(activation):
        raise TypeError(
            f"For '{name}', the 'activation' must be str or Cell or Primitive, but got {type(activation).__name__}."
        )


def _embedding(name: str, given: Arguments) -> None:
    shape = given.get("vocab_size"), given.get("embedding_size")
    if all(isinstance(n, int) for n in shape) and any(n <= 0 for n in shape if isinstance(n, int)):
        raise ValueError(
            "For 'initializer', the argument 'shape' is invalid, "
            f"the value of 'shape' must be positive integer, but got {shape}"
        )


def _padded_embedding(name: str, given: Arguments) -> None:
    _embedding(name, given)
    position, size = given.get("padding_idx"), given.get("vocab_size")
    if position is None or not isinstance(size, int):
        return
    if isinstance(position, bool) or not isinstance(position, int):
        raise TypeError(f"For '{name}', the 'padding_idx' must be 'int',  but got '{type(position).__name__}'.")
    Validator.check_int_range(position, 0, size, Rel.INC_LEFT, "padding_idx", name)


def _softmax(name: str, given: Arguments) -> None:
    axis = given.get("axis", -1)
    if not isinstance(axis, int | tuple):
        raise TypeError(
            f"For '{name}', the type of 'axis' should be one of '[int, tuple of int]', but got {type(axis)}."
        )


def _cell_list(name: str, given: Arguments) -> None:
    args = given.get("args", ())
    if len(args) == 1 and not isinstance(args[0], list):
        raise TypeError(
            "For 'CellList', the new cells wanted to append should be instance of list, "
            f"but got {type(args[0]).__name__}."
        )
    for cell in args[0] if len(args) == 1 else ():
        if not isinstance(cell, Cell):
            raise TypeError(f"For 'CellList', each cell must be subclass of Cell, but got {type(cell).__name__}.")


def _sequential(name: str, given: Arguments) -> None:
    args = given.get("args", ())
    parts: Any = args
    if len(args) == 1:
        parts = args[0]
        if not isinstance(parts, Cell | list | OrderedDict):
            raise TypeError(
                f"For 'SequentialCell', the 'args[0]' must be Cell, list or orderedDict, but got {type(parts).__name__}"
            )
    if isinstance(parts, Cell):
        return
    for key, cell in parts.items() if isinstance(parts, OrderedDict) else enumerate(parts):
        if isinstance(parts, OrderedDict) and not isinstance(key, str):
            raise TypeError(
                f"For 'insert_child_to_cell', the type of parameter 'child_name' must be str, but got {type(key)}."
            )
        if not isinstance(cell, Cell):
            raise TypeError(
                "For 'insert_child_to_cell', the argument 'child_cell' must be 'Cell' if not None, but got type "
                f"{type(cell)}."
            )


def _optimizer(name: str, given: Arguments) -> None:
    rate = given.get("learning_rate")
    params = given.get("params")
    if rate is None and "learning_rate" in given:
        raise TypeError(
            "For 'Optimizer', the argument 'learning_rate' must be int, float, Tensor, Iterable or "
            f"LearningRateSchedule, but got {type(rate)}."
        )
    _require_rate(name, rate)
    if params is None and "params" in given:
        raise ValueError("For 'Optimizer', the argument parameters can not be None.")
    if params is not None and not isinstance(params, Iterable):
        raise TypeError(f"For 'Optimizer', the argument parameters must be Iterable type, but got {type(params)}.")
    if isinstance(params, list | tuple):
        _require_params(name, params)
    elif isinstance(params, str | dict | Tensor):
        raise TypeError(_NO_PARAMETERS)
    decay = given.get("weight_decay", 0.0)
    if not isinstance(decay, int | float | Cell):
        raise TypeError(
            f"For 'Optimizer', the argument 'Weight_decay' must be int, float or Cell.but got {type(decay)}"
        )
    if isinstance(decay, int | float):
        Validator.check_non_negative_float(float(decay), "weight_decay", name)
    if name in ("Adam", "AdamWeightDecay", "Lamb", "AdaMax"):
        _adam(name, given)
    scale = given.get("loss_scale", 1.0)
    if not isinstance(scale, int):
        Validator.check_value_type("loss_scale", scale, [float], name)
        Validator.check_positive_float(scale, "loss_scale", name)
    momentum, dampening = given.get("momentum", 0.0), given.get("dampening", 0.0)
    if name == "Momentum" and isinstance(momentum, float) and momentum < 0.0:
        raise ValueError(f"For '{name}', the argument 'momentum' must be at least 0.0, but got {momentum}")
    if name == "SGD":
        _require_momentum(momentum, dampening, given.get("nesterov", False))
    if name == "SGD" and isinstance(dampening, int | float) and dampening < 0.0:
        raise ValueError(
            f"For '{name}', the argument 'dampening' must be at least 0.0, but got 'dampening' {dampening}"
        )


def _require_momentum(momentum: Any, dampening: Any, nesterov: Any) -> None:
    subject = "For 'SGD', the argument 'momentum' must be"
    if not isinstance(momentum, int | float):
        raise TypeError(f"{subject} float type, but got {type(momentum)}.")
    if momentum < 0.0:
        raise ValueError(f"{subject} at least 0.0, but got {momentum}.")
    if nesterov is True and (momentum <= 0.0 or dampening != 0.0):
        raise ValueError(
            "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must equal to 0.0, but got "
            f"'momentum' {float(momentum)}, 'dampening' {float(dampening)}."
        )


def _adam(name: str, given: Arguments) -> None:
    for argument in ("beta1", "beta2", "eps"):
        if argument not in given:
            continue
        Validator.check_value_type(argument, given[argument], [float], name)
        if argument == "eps":
            Validator.check_positive_float(given[argument], argument, name)
        else:
            Validator.check_float_range(given[argument], 0.0, 1.0, Rel.INC_NEITHER, argument, name)
    if isinstance(given.get("loss_scale"), int | float):
        Validator.check_positive_float(float(given["loss_scale"]), "loss_scale", name)


def _require_params(name: str, params: Any) -> None:
    if not params:
        raise ValueError("For 'Optimizer', the argument parameters must not be empty.")
    if not all(isinstance(p, Parameter | dict) for p in params) or len({isinstance(p, dict) for p in params}) > 1:
        raise TypeError(_NO_PARAMETERS)
    if isinstance(params[0], Parameter):
        tensors.require_names(params)
        return
    for group in params:
        _require_group(name, group)
    _require_each_once(params)


_NO_PARAMETERS: Final = (
    "For 'Optimizer', all elements of the argument 'parameters' must be 'Parameter' or 'dict', "
    "please check the 'parameters'."
)
_GROUP: Final = ["params", "lr", "weight_decay", "order_params", "grad_centralization"]


def _require_group(name: str, group: Mapping[str, Any]) -> None:
    unknown = [key for key in group if key not in _GROUP]
    if unknown:
        raise KeyError(f"For 'Optimizer', the key in group params must be one of in {_GROUP}, but got {unknown}.")
    if "order_params" in group:
        return
    if not group["params"]:
        raise ValueError("For 'Optimizer', the argument group `params` must not be empty.")
    for k, item in enumerate(group["params"]):
        if not isinstance(item, Parameter):
            raise TypeError(
                "For 'Optimizer', the element in group parameters must be Parameter type, but got "
                f"{native_class(item)} at index {k}."
            )
    _require_rate(name, group.get("lr"))
    if isinstance(group.get("weight_decay"), int | float):
        Validator.check_non_negative_float(float(group["weight_decay"]), "weight_decay", name)
    centralised = group.get("grad_centralization", False)
    if not isinstance(centralised, bool):
        raise TypeError(
            f"For 'Optimizer', the 'gradients_centralization' must be bool type, but got {type(centralised)}."
        )


def _require_each_once(groups: Sequence[Mapping[str, Any]]) -> None:
    listed = [p for group in groups if "order_params" not in group for p in group["params"]]
    if len({id(p) for p in listed}) != len(listed):
        raise RuntimeError(
            "For 'Optimizer', the a parameter already exists, it does not support repeated setting. Please check "
            "whether the optimizer parameter has been set multiple times."
        )
    for group in groups:
        if "order_params" in group and len(group["order_params"]) != len(listed):
            raise ValueError(
                "For 'Optimizer',the length of order parameters must be the same as the length of group parameters, "
                f"but got order parameters' length {len(group['order_params'])}, "
                f"group parameters' length {len(listed)}."
            )


def _require_rate(name: str, rate: Any) -> None:
    if isinstance(rate, str):
        for character in rate:  # which is a list of rates to MindSpore
            float(character)
    if isinstance(rate, int | float) and not isinstance(rate, bool):
        Validator.check_float(float(rate), 0, Rel.GE, "learning rate", name)


def _attention(name: str, given: Arguments) -> None:
    wide, heads = (
        (given.get("embed_dim"), given.get("num_heads"))
        if "embed_dim" in given
        else (given.get("d_model"), given.get("nhead"))
    )
    if isinstance(wide, int) and isinstance(heads, int) and heads and wide % heads:
        raise ValueError("The init argument 'embed_dim' must be divisible by 'num_heads'.")


def _forward_value_and_grad(name: str, given: Arguments) -> None:
    network = given.get("network")
    if not isinstance(network, Cell | FunctionType | MethodType):
        raise TypeError(
            f"For '{name}', the argument 'network' must be cell, function type or method type, "
            f"but got '{type(network)}'"
        )
    for flag in ("get_all", "get_by_list"):
        if not isinstance(given.get(flag, False), bool):
            raise TypeError(f"For '{name}', the type of '{flag}' must be bool, but got '{type(given[flag])}'")
    sens = given.get("sens_param", False)
    if not isinstance(sens, bool):
        raise TypeError(f"For 'GradOperation', the 'sens_param' should be bool, but got {type(sens).__name__}")


_CHECKS: Final[dict[str, Callable[[str, Arguments], None]]] = {
    **dict.fromkeys(("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm"), _statistics),
    "GroupNorm": _group_norm,
    **dict.fromkeys(("LSTM", "GRU", "RNN"), _recurrent),
    **dict.fromkeys(("LSTMCell", "GRUCell", "RNNCell"), _recurrent_cell),
    "Pad": _pad,
    "LayerNorm": _layer_norm,
    **dict.fromkeys(("Dropout", "Dropout1d", "Dropout2d", "Dropout3d"), _dropout),
    **dict.fromkeys(("MaxPool2d", "MaxPool1d", "AvgPool2d", "AvgPool1d"), _pool),
    "MaxPool3d": _max_pool3d,
    "Conv2d": _convolution,
    "Dense": _dense,
    "Embedding": _padded_embedding,
    "Softmax": _softmax,
    "CellList": _cell_list,
    **dict.fromkeys(
        ("MultiheadAttention", "TransformerEncoderLayer", "TransformerDecoderLayer", "Transformer"), _attention
    ),
    "ForwardValueAndGrad": _forward_value_and_grad,
    "SequentialCell": _sequential,
    **dict.fromkeys(
        (
            "L1Loss", "MSELoss", "CrossEntropyLoss", "NLLLoss", "SmoothL1Loss", "RMSELoss", "MAELoss", "BCELoss",
            "SoftmaxCrossEntropyWithLogits", "HuberLoss", "SoftMarginLoss", "CosineEmbeddingLoss", "PoissonNLLLoss",
        ),
        _loss,
    ),
    **dict.fromkeys(
        (
            "Momentum", "SGD", "Adam", "AdamWeightDecay", "RMSProp", "Adagrad", "Lamb", "FTRL", "AdaMax", "Adadelta",
            "ProximalAdagrad", "ASGD", "Rprop", "LazyAdam", "AdamOffload",
        ),
        _optimizer,
    ),
}  # fmt: skip


def check(name: str, given: Arguments) -> None:
    """Raise what MindSpore does for these arguments of a layer, loss or optimiser."""
    if name in _CHECKS and given:
        _CHECKS[name](name, given)
