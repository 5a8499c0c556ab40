"""Which modules of jitcore each module of Paddle draws on, and which names Paddle has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from jitcore.compat.finder import Contents, Framework
from jitcore.compat.paddle import names
from jitcore.compat.paddle.fluid.modules import FLUID

_HERE: Final = "jitcore.compat.paddle"
_TORCH: Final = "jitcore.compat.torch"


def _from(home: str, attributes: Iterable[str], **renamed: str) -> dict[str, str]:
    return {**{a: f"{home}:{a}" for a in attributes}, **{new: f"{home}:{old}" for new, old in renamed.items()}}


_DTYPES: Final = _from(
    f"{_HERE}.dtypes",
    (
        *("dtype", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64"),
        *("complex128", "uint16", "uint32", "uint64", "short", "long", "half", "double", "cfloat", "cdouble"),
    ),
    bool="bool_",
    int="int_",
    float="float_",
)
_PLACES: Final = ("CPUPlace", "CUDAPlace", "CUDAPinnedPlace", "XPUPlace")
_DEVICE: Final = (
    *("set_device", "get_device", "is_compiled_with_cuda", "is_compiled_with_rocm", "is_compiled_with_xpu"),
    *("is_compiled_with_ipu", "is_compiled_with_cinn", "is_compiled_with_distribute", "get_cudnn_version"),
    "is_compiled_with_custom_device",
)
_MODES: Final = ("no_grad", "enable_grad", "set_grad_enabled", "is_grad_enabled", "grad")
_UNIQUE: Final = Contents({}, (f"{_HERE}.naming",), names.UNIQUE_NAME)

PADDLE: Final = Framework(
    "paddle",
    "Paddle",
    {
        "paddle": Contents(
            {
                **_DTYPES,
                **_from(f"{_HERE}.places", (*_PLACES, *_DEVICE)),
                **_from(f"{_HERE}.autograd", _MODES),
                **_from(f"{_HERE}.tensor", ("Tensor",)),
                **_from(f"{_HERE}.sizes", ("Size",)),
                **_from(f"{_HERE}.text", ("set_printoptions",)),
                **_from(f"{_HERE}.functions.creation", ("get_default_dtype", "set_default_dtype")),
                **_from(
                    f"{_HERE}.functions.random", ("seed", "manual_seed", "get_rng_state", "set_rng_state", "Generator")
                ),
                **_from(f"{_HERE}.functions.conversions", ("finfo", "iinfo")),
                **_from(
                    f"{_HERE}.constants", ("__version__", "newaxis", "set_flags", "get_flags", "disable_signal_handler")
                ),
                **_from(f"{_HERE}.saving", ("save", "load")),
                **_from(f"{_HERE}.nn", ("ParamAttr", "create_parameter", "LazyGuard")),
                **_from(f"{_HERE}.hapi", ("Model", "summary")),
                **_from(f"{_HERE}.dataset.readers", ("batch",)),
                **_from(
                    f"{_HERE}.static",
                    ("enable_static", "disable_static", "in_dynamic_mode"),
                ),
                **_from("math", ("pi", "inf", "nan", "e")),
            },
            (f"{_HERE}.tables.functions",),
            names.PADDLE,
        ),
        "paddle.tensor": Contents({}, (f"{_HERE}.tables.functions",), names.PADDLE),
        "paddle.framework": Contents(
            {
                **_from(f"{_HERE}.places", _PLACES),
                **_from(f"{_HERE}.saving", ("save", "load")),
                **_from(f"{_HERE}.functions.creation", ("get_default_dtype", "set_default_dtype")),
                **_from(f"{_HERE}.nn", ("ParamAttr",)),
            },
            (),
            names.PADDLE,
        ),
        "paddle.linalg": Contents({}, (f"{_HERE}.tables.linalg",), names.LINALG),
        "paddle.fft": Contents({}, (f"{_HERE}.fft",), names.FFT),
        "paddle.signal": Contents({}, (), names.SIGNAL),
        "paddle.autograd": Contents(
            {
                **_from(f"{_HERE}.autograd", _MODES),
                **_from(f"{_HERE}.custom", ("PyLayer", "PyLayerContext"), Function="PyLayer"),
            },
            (f"{_HERE}.autograd",),
            names.AUTOGRAD,
        ),
        "paddle.autograd.py_layer": Contents(_from(f"{_HERE}.custom", ("PyLayer", "PyLayerContext"))),
        "paddle.jit": Contents({}, (f"{_HERE}.jit",), names.JIT),
        "paddle.nn": Contents({}, (f"{_HERE}.nn",), names.NN),
        "paddle.nn.functional": Contents({}, (f"{_HERE}.tables.networks",), names.FUNCTIONAL),
        "paddle.nn.initializer": Contents({}, (f"{_HERE}.nn.initializer",), names.INITIALIZER),
        "paddle.nn.utils": Contents({}, (f"{_HERE}.nn.utils",), names.NN_UTILS),
        "paddle.nn.clip": Contents({}, (f"{_HERE}.nn.clip",), names.CLIP),
        "paddle.nn.layer": Contents({}, (f"{_HERE}.nn",), names.NN),
        "paddle.optimizer": Contents({}, (f"{_HERE}.optimizer",), names.OPTIMIZER),
        "paddle.optimizer.lr": Contents({}, (f"{_HERE}.optimizer.lr",), names.LR),
        "paddle.io": Contents({}, (f"{_HERE}.io",), names.IO),
        "paddle.metric": Contents({}, (f"{_HERE}.metric",), names.METRIC),
        "paddle.regularizer": Contents({}, (f"{_HERE}.regularizer",), names.REGULARIZER),
        "paddle.callbacks": Contents({}, (f"{_HERE}.hapi.callbacks",), names.CALLBACKS),
        "paddle.hapi": Contents({}, (f"{_HERE}.hapi",)),
        "paddle.hapi.callbacks": Contents({}, (f"{_HERE}.hapi.callbacks",), names.CALLBACKS),
        "paddle.vision": Contents({}, (f"{_HERE}.vision",), names.VISION),
        "paddle.vision.transforms": Contents({}, (f"{_HERE}.vision.transforms",), names.TRANSFORMS),
        "paddle.vision.models": Contents({}, (f"{_HERE}.vision.models",), names.MODELS),
        "paddle.vision.datasets": Contents({}, (f"{_HERE}.vision.datasets",), names.DATASETS),
        "paddle.vision.ops": Contents({}, (), names.VISION_OPS),
        "paddle.text": Contents({}, (), names.TEXT),
        "paddle.amp": Contents({}, (f"{_HERE}.amp",), names.AMP),
        "paddle.device": Contents(_from(f"{_HERE}.places", _DEVICE), (f"{_HERE}.device",), names.DEVICE),
        "paddle.device.cuda": Contents({}, (f"{_HERE}.device",), names.CUDA),
        "paddle.distributed": Contents({}, (f"{_HERE}.distributed",), names.DISTRIBUTED),
        "paddle.distribution": Contents({}, (f"{_HERE}.distribution",), names.DISTRIBUTION),
        "paddle.static": Contents(_from(f"{_HERE}.specs", ("InputSpec",)), (f"{_HERE}.static",), names.STATIC),
        "paddle.static.nn": Contents({}, (f"{_HERE}.static.nn",), names.STATIC_NN),
        "paddle.utils": Contents(
            _from(f"{_HERE}.versions", ("run_check", "try_import", "require_version")), (), names.UTILS
        ),
        "paddle.utils.unique_name": _UNIQUE,
        "paddle.base": Contents(
            {**_from(f"{_HERE}.places", _PLACES), **_from(f"{_HERE}.nn", ("ParamAttr",))}, opaque=True
        ),
        "paddle.base.unique_name": _UNIQUE,
        "paddle.incubate": Contents({}, (), names.INCUBATE),
        "paddle.sparse": Contents({}, (), names.SPARSE),
        "paddle.onnx": Contents({}, (), names.ONNX),
        "paddle.profiler": Contents({}, (), names.PROFILER),
        "paddle.quantization": Contents({}, (), names.QUANTIZATION),
        "paddle.audio": Contents({}, (), names.AUDIO),
        "paddle.geometric": Contents({}, (), names.GEOMETRIC),
        "paddle.hub": Contents({}, (), names.HUB),
        "paddle.sysconfig": Contents({}, (), names.SYSCONFIG),
        "paddle.version": Contents({}, (f"{_HERE}.versions",), names.VERSION),
        "paddle.inference": Contents({}, (), names.INFERENCE),
        "paddle.cost_model": Contents({}, (), names.COST_MODEL),
        **FLUID,
    },
)
