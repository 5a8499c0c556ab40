"""Which modules of jitcore each module of OneFlow draws on, and which names OneFlow has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from jitcore.compat.finder import Contents, Framework
from jitcore.compat.oneflow import names

_HERE: Final = "jitcore.compat.oneflow"
_TORCH: Final = "jitcore.compat.torch"


def _from(home: str, attributes: Iterable[str], **renamed: str) -> dict[str, str]:
    return {**{a: f"{home}:{a}" for a in attributes}, **{new: f"{home}:{old}" for new, old in renamed.items()}}


_DTYPES: Final = _from(
    f"{_HERE}.dtypes",
    (
        *("dtype", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16", "float32"),
        *("float64", "complex64", "complex128", "long", "half", "double", "cfloat", "cdouble"),
    ),
    bool="bool_",
    int="int_",
    float="float_",
)
_RANDOM: Final = {
    **_from(f"{_TORCH}.functions.random", ("manual_seed", "seed", "initial_seed", "set_rng_state")),
    **_from(f"{_HERE}.functions", ("get_rng_state", "default_generator", "Generator")),
}
_LAYERS: Final = Contents({"Graph": "jitcore.nn.graph:Graph"}, (f"{_HERE}.nn",), names.NN)
_DATA: Final = Contents({}, (f"{_HERE}.data",), names.DATA)

_ONEFLOW: Final = Contents(
    {
        **_DTYPES,
        **_RANDOM,
        **_from(
            f"{_HERE}.autograd", ("no_grad", "enable_grad", "inference_mode", "set_grad_enabled", "is_grad_enabled")
        ),
        **_from(f"{_HERE}.tensor", ("Tensor",)),
        **_from(f"{_HERE}.tensors", ("is_nonzero", "zero_")),
        **_from(f"{_HERE}.sizes", ("Size", "device")),
        **_from(f"{_HERE}.placing", ("placement",)),
        **_from(f"{_HERE}.saving", ("save", "load")),
        **_from(f"{_HERE}.functions", ("convert_oneflow_dtype_to_numpy_dtype", "get_default_dtype")),
        **_from(f"{_HERE}.constants", ("__version__",)),
        **_from(f"{_TORCH}.text", ("set_printoptions",)),
        **_from(f"{_TORCH}.functions.conversions", ("finfo", "iinfo", "set_default_dtype")),
        **_from(f"{_TORCH}.functions.machine", ("set_num_threads", "use_deterministic_algorithms")),
        **_from(f"{_HERE}.constants", ("memory_format", "layout", "contiguous_format", "preserve_format", "strided")),
    },
    (f"{_HERE}.tables.functions",),
    names.ONEFLOW,
)

ONEFLOW: Final = Framework(
    "oneflow",
    "OneFlow",
    {
        "oneflow": _ONEFLOW,
        "oneflow._C": Contents({}, (f"{_HERE}.tables.functions", f"{_HERE}.tables.networks"), opaque=True),
        "oneflow.nn": _LAYERS,
        "oneflow.nn.init": Contents(_from(f"{_TORCH}.nn.init", names.INIT - {"CalcGain"}), (), names.INIT),
        "oneflow.nn.parameter": Contents(_from(f"{_HERE}.nn", ("Parameter",))),
        "oneflow.nn.module": Contents(_from(f"{_HERE}.nn", ("Module",))),
        "oneflow.nn.modules": _LAYERS,
        **{
            f"oneflow.nn.modules.{name}": _LAYERS
            for name in (
                *("activation", "batchnorm", "container", "conv", "dropout", "linear", "loss", "module", "pooling"),
                *("normalization", "padding", "rnn", "sparse", "upsampling", "adaptive_pool", "instancenorm"),
            )
        },
        "oneflow.nn.functional": Contents({}, (f"{_HERE}.tables.networks",), names.FUNCTIONAL),
        "oneflow.nn.graph": Contents(
            _from("jitcore.nn.graph", ("Graph", "GraphConfig", "GraphModule", "Proxy")), (), names.GRAPH
        ),
        "oneflow.nn.utils": Contents(
            _from(f"{_TORCH}.nn.utils", names.NN_UTILS - {"weight_norm", "remove_weight_norm"}), (), names.NN_UTILS
        ),
        "oneflow.nn.utils.rnn": Contents(_from(f"{_TORCH}.nn.utils", ("pad_sequence",)), (), names.RNN),
        "oneflow.optim": Contents({}, (f"{_HERE}.optim",), names.OPTIM),
        "oneflow.optim.optimizer": Contents({}, (f"{_HERE}.optim.optimizer",)),
        "oneflow.optim.lr_scheduler": Contents({}, (f"{_HERE}.optim.lr_scheduler",), names.SCHEDULERS),
        "oneflow.utils": Contents({}),
        "oneflow.utils.data": _DATA,
        **{f"oneflow.utils.data.{name}": _DATA for name in ("dataset", "dataloader", "sampler")},
        "oneflow.autograd": Contents({}, (f"{_HERE}.autograd",), names.AUTOGRAD),
        "oneflow.linalg": Contents(_from(f"{_TORCH}.linalg", names.LINALG), (), names.LINALG),
        "oneflow.cuda": Contents({}, (f"{_HERE}.cuda",), names.CUDA),
        "oneflow.backends": Contents({}),
        **{f"oneflow.backends.{name}": Contents({}, (f"{_TORCH}.backends",)) for name in ("cudnn", "cuda", "mps")},
        "oneflow.amp": Contents(
            {**_from(f"{_HERE}.amp", ("GradScaler", "StaticGradScaler")), **_from(f"{_TORCH}.amp", ("autocast",))},
            (),
            names.AMP,
        ),
        "oneflow.env": Contents({}, (f"{_HERE}.env",), names.ENV),
        "oneflow.sbp": Contents(_from(f"{_HERE}.placing", names.SBP), (), names.SBP),
        "oneflow.comm": Contents({}, (), names.COMM),
        "oneflow.unittest": Contents({}, (f"{_HERE}.testing",), names.UNITTEST),
        "oneflow.framework": Contents({}),
        "oneflow.framework.args_tree": Contents({}, (f"{_HERE}.args_tree",)),
        "oneflow.framework.tensor": Contents({}, (f"{_HERE}.tensors",)),
        "oneflow.framework.dtype": Contents(_DTYPES),
        "oneflow._oneflow_internal": Contents(
            {**_from(f"{_HERE}.tensor", ("Tensor",)), **_from(f"{_HERE}.sizes", ("Size", "device"))}, opaque=True
        ),
        "oneflow.test_utils": Contents({}),
        "oneflow.test_utils.automated_test_util": Contents({}, ("jitcore.testing.autotest",)),
    },
)
