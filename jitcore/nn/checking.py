"""What layers, losses, optimizers and learning rates can be made with: TypeError for other kinds of arguments,
ValueError for others."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, Final, NamedTuple, cast

from jitcore.runtime.interrupts import is_from_handler
from jitcore.runtime.tensor import Tensor

_RULES: Final = {
    "Dropout1d Dropout2d Dropout3d": "p:float",
    "Flatten": "start_dim:int end_dim:int",
    "Conv1d Conv2d Conv3d Conv1dTranspose Conv2dTranspose Conv3dTranspose": "has_bias:bool",
    "Dense BiDense": "has_bias:bool",
    "BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm": "eps:float>0 use_batch_statistics:bool?",
    "LayerNorm": "begin_norm_axis:int begin_params_axis:int epsilon:float",
    "GroupNorm": "eps:float affine:bool",
    "InstanceNorm1d InstanceNorm2d InstanceNorm3d": "eps:float momentum:float<=1 affine:bool",
    "AdaptiveAvgPool1d AdaptiveMaxPool1d": "output_size:int>0",
    "LeakyReLU ELU": "alpha:number",
    "CELU": "alpha:number!=0",
    "Softmax": "axis:ints",
    "LogSoftmax Softmin GLU": "axis:int",
    "PReLU": "w:numbers",
    "GELU": "approximate:bool",
    "HShrink": "lambd:number",
    "SoftShrink": "lambd:number>=0",
    "Hardtanh": "min_val:number max_val:number",
    "Threshold": "threshold:number value:number",
    "Embedding": "use_one_hot:bool",
    "OneHot": "axis:int",
    "Pad": "paddings:tuple",
    "Norm": "axis:ints keep_dims:bool",
    "ClipByNorm": "axis:ints?",
    "Moments": "axis:ints? keep_dims:bool?",
    "ReduceLogSumExp": "axis:ints keep_dims:bool",
    "MatMul": "transpose_x1:bool transpose_x2:bool",
    "ResizeBilinear": "half_pixel_centers:bool",
    "SoftmaxCrossEntropyWithLogits": "sparse:bool",
    "CrossEntropyLoss": "weight:tensor? ignore_index:int label_smoothing:number>=0 label_smoothing:number<=1",
    "NLLLoss": "weight:tensor? ignore_index:int",
    "TripletMarginLoss": "reduction:str",
    "MarginRankingLoss HingeEmbeddingLoss": "margin:number",
    "RNN LSTM GRU": "has_bias:bool batch_first:bool bidirectional:bool",
    "RNNCell LSTMCell GRUCell": "has_bias:bool",
    "SGD": "nesterov:bool",
    "Momentum": "use_nesterov:bool",
    "Adam LazyAdam AdamOffload": "use_locking:bool use_nesterov:bool use_amsgrad:bool",
    "Adagrad": "update_slots:bool",
    "RMSProp": "use_locking:bool centered:bool",
    "FTRL ProximalAdagrad": "use_locking:bool",
    "ASGD": "lambd:number alpha:number t0:number",
    "Rprop": "etas:tuple step_sizes:tuple",
    "AdaFactor": "scale_parameter:bool relative_step:bool warmup_init:bool compression:bool",
    "ExponentialDecayLR NaturalExpDecayLR InverseDecayLR": "learning_rate:float decay_rate:float is_stair:bool",
    "exponential_decay_lr natural_exp_decay_lr inverse_decay_lr": "learning_rate:float decay_rate:float is_stair:bool",
    "CosineDecayLR cosine_decay_lr": "min_lr:float max_lr:float",
    "PolynomialDecayLR": "learning_rate:float end_learning_rate:float power:float update_decay_steps:bool",
    "polynomial_decay_lr": "learning_rate:float end_learning_rate:float power:float update_decay_epoch:bool",
    "WarmUpLR warmup_lr": "learning_rate:float",
    "WithEvalCell": "add_cast_fp32:bool",
    "Perplexity": "ignore_label:int?",
}
"""By classes and functions: `parameter:kind`, with a bound perhaps; a kind with a question mark allows None."""

_KINDS: Final[dict[str, tuple[type, ...]]] = {
    "bool": (bool,),
    "int": (int,),
    "float": (float,),
    "number": (int, float),
    "str": (str,),
    "tuple": (tuple,),
    "tensor": (Tensor,),
}
_BOUNDS: Final[dict[str, Callable[[Any, float], bool]]] = {
    ">": lambda value, bound: value > bound,
    ">=": lambda value, bound: value >= bound,
    "<=": lambda value, bound: value <= bound,
    "!=": lambda value, bound: value != bound,
}
_FORM: Final = re.compile(r"(\w+):(\w+)(\??)(?:(>=|<=|!=|>)(\d+))?")


class _Rule(NamedTuple):
    parameter: str
    kind: str
    optional: bool
    relation: str | None
    bound: float

    def require(self, value: Any, name: str) -> None:
        """Raise TypeError or ValueError unless an argument is as it should be."""
        if self.optional and value is None:
            return
        if not _is_of(value, self.kind):
            shown = {"ints": "an int or ints", "numbers": "a number or numbers"}.get(self.kind, f"of kind {self.kind}")
            raise TypeError(
                f"For '{name}', the argument '{self.parameter}' must be {shown}, but got {type(value).__name__}."
            )
        if self.relation and not _BOUNDS[self.relation](value, self.bound):
            raise ValueError(
                f"For '{name}', the argument '{self.parameter}' must be {self.relation} "
                f"{self.bound:g}, but got {value!r}."
            )


def _is_of(value: Any, kind: str) -> bool:
    if kind == "numbers":
        return not isinstance(value, str | bool)
    if kind == "ints":
        items: tuple[Any, ...] = tuple(cast("Any", value)) if isinstance(value, tuple | list) else (value,)
        return all(_is_of(item, "int") for item in items)
    if kind == "int" and not isinstance(value, bool | float | str):
        return hasattr(value, "__index__")
    if kind != "bool" and isinstance(value, bool):
        return False
    return isinstance(value, _KINDS[kind])


@functools.cache
def _parsed(text: str) -> tuple[_Rule, ...]:
    found: list[_Rule] = []
    for part in text.split():
        match = _FORM.fullmatch(part)
        assert match is not None, part
        parameter, kind, optional, relation, bound = match.groups()
        found.append(_Rule(parameter, kind, bool(optional), relation, float(bound or 0)))
    return tuple(found)


_signature = functools.cache(inspect.signature)


def _checked(function: Callable[..., Any], name: str, text: str) -> Callable[..., Any]:
    """A function that checks what it is given first."""

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        try:
            given: Mapping[str, Any] = _signature(function).bind(*args, **keywords).arguments
        except TypeError as error:
            if is_from_handler(error):
                raise
            given = {}  # which the function itself says better
        for rule in _parsed(text):
            if rule.parameter in given:
                rule.require(given[rule.parameter], name)
        return function(*args, **keywords)

    return call


def install(names: MutableMapping[str, Any]) -> None:
    """Have the classes and functions of a namespace check what they are given."""
    for listed, text in _RULES.items():
        for name in listed.split():
            target = names[name]
            if not isinstance(target, type):
                names[name] = _checked(target, name, text)
            else:
                own = cast("Any", target)
                own.__init__ = _checked(own.__init__, name, text)
