"""Which modules of jitcore each module of PyTorch draws on, and which names PyTorch has."""

from __future__ import annotations

from typing import Final

from jitcore.compat.finder import Contents, Framework
from jitcore.compat.torch import names

_HERE: Final = "jitcore.compat.torch"


def _from(home: str, *attributes: str, **renamed: str) -> dict[str, str]:
    return {**{a: f"{home}:{a}" for a in attributes}, **{new: f"{home}:{old}" for new, old in renamed.items()}}


_DTYPES: Final = _from(
    f"{_HERE}.dtypes",
    *("dtype", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16", "float32"),
    *("float64", "complex64", "complex128", "short", "long", "half", "double", "cfloat", "cdouble"),
    bool="bool_",
    int="int_",
    float="float_",
)
_MODES: Final = _from(
    f"{_HERE}.autograd",
    *("no_grad", "enable_grad", "inference_mode", "set_grad_enabled", "is_grad_enabled", "is_inference_mode_enabled"),
)

TORCH: Final = Framework(
    "torch",
    "PyTorch",
    {
        "torch": Contents(
            {
                **_DTYPES,
                **_MODES,
                **_from(f"{_HERE}.tensor", "Tensor"),
                **_from(f"{_HERE}.func", "vmap", "compile"),
                **_from(f"{_HERE}.sizes", "Size", "device"),
                **_from(f"{_HERE}.text", "set_printoptions"),
                **_from(f"{_HERE}.saving", "save", "load"),
                **_from(f"{_HERE}.amp", "autocast", "is_autocast_enabled"),
                **_from(
                    f"{_HERE}.functions.random",
                    *("manual_seed", "seed", "initial_seed", "get_rng_state", "set_rng_state", "Generator"),
                    "default_generator",
                ),
                **_from(f"{_HERE}.functions.conversions", "finfo", "iinfo", "get_default_dtype", "set_default_dtype"),
                **_from(
                    f"{_HERE}.functions.machine",
                    *("get_num_threads", "set_num_threads", "use_deterministic_algorithms", "set_flush_denormal"),
                    *("are_deterministic_algorithms_enabled", "set_float32_matmul_precision", "set_default_device"),
                    *("get_float32_matmul_precision", "get_default_device"),
                ),
                **_from(
                    f"{_HERE}.constants",
                    *("__version__", "memory_format", "layout", "contiguous_format", "preserve_format", "strided"),
                    *("channels_last", "channels_last_3d", "newaxis"),
                ),
                **_from("math", "pi", "inf", "nan", "e"),
            },
            (f"{_HERE}.tables.functions",),
            names.TORCH,
        ),
        "torch.nn": Contents({}, (f"{_HERE}.nn",), names.NN),
        "torch.nn.init": Contents({}, (f"{_HERE}.nn.init",), names.INIT),
        "torch.nn.parameter": Contents({}, (f"{_HERE}.nn.parameter",), frozenset(["UninitializedParameter"])),
        "torch.nn.modules": Contents({}, (f"{_HERE}.nn",), names.NN),
        **{
            f"torch.nn.modules.{name}": Contents({}, (f"{_HERE}.nn",), names.NN)
            for name in (
                *("activation", "batchnorm", "container", "conv", "dropout", "linear", "loss", "module"),
                *("normalization", "pooling", "rnn", "sparse", "transformer", "padding", "upsampling"),
            )
        },
        "torch.nn.functional": Contents({}, (f"{_HERE}.tables.networks",), names.FUNCTIONAL),
        "torch.fft": Contents({}, (f"{_HERE}.fft",), names.FFT),
        "torch.special": Contents({}, (f"{_HERE}.special",), names.SPECIAL),
        "torch.linalg": Contents(_from(f"{_HERE}.declaring", "LinAlgError"), (f"{_HERE}.linalg",), names.LINALG),
        "torch.optim": Contents({}, (f"{_HERE}.optim",), names.OPTIM),
        "torch.optim.lr_scheduler": Contents({}, (f"{_HERE}.optim.lr_scheduler",), names.SCHEDULERS),
        "torch.optim.swa_utils": Contents({}, (f"{_HERE}.optim.averaging",)),
        "torch.autograd.gradcheck": Contents({}, (f"{_HERE}.gradient_checks",)),
        "torch.optim.optimizer": Contents({}, (f"{_HERE}.optim.optimizer",), names.OPTIM),
        "torch.utils": Contents({}),
        "torch.utils.data": Contents({}, (f"{_HERE}.data",), names.DATA),
        "torch.utils.data.dataset": Contents({}, (f"{_HERE}.data",), names.DATA),
        "torch.utils.data.dataloader": Contents({}, (f"{_HERE}.data",), names.DATA),
        "torch.utils.data.sampler": Contents({}, (f"{_HERE}.data",), names.DATA),
        "torch.nn.utils": Contents({}, (f"{_HERE}.nn.utils",), names.NN_UTILS),
        "torch.nn.utils.rnn": Contents(_from(f"{_HERE}.nn.utils", "pad_sequence"), (), names.RNN),
        "torch.amp": Contents({}, (f"{_HERE}.amp",), names.AMP),
        "torch.cuda": Contents({}, (f"{_HERE}.cuda",), names.CUDA),
        "torch.cuda.amp": Contents({}, (f"{_HERE}.amp",), names.AMP),
        "torch.backends": Contents({}),
        **{
            f"torch.backends.{name}": Contents({}, (f"{_HERE}.backends",))
            for name in ("cudnn", "cuda", "mps", "mkl", "mkldnn", "openmp")
        },
        "torch.random": Contents(
            _from(
                f"{_HERE}.functions.random",
                *("manual_seed", "seed", "initial_seed", "get_rng_state", "set_rng_state", "default_generator"),
            ),
            (),
            names.RANDOM,
        ),
        "torch.autograd": Contents(
            {
                **_MODES,
                **_from(f"{_HERE}.custom", "Function"),
                **_from(f"{_HERE}.gradient_checks", "gradcheck", "gradgradcheck"),
            },
            (f"{_HERE}.autograd",),
            names.AUTOGRAD,
        ),
        "torch.func": Contents({}, (f"{_HERE}.func",), names.FUNC),
        "torch.utils.checkpoint": Contents(_from(f"{_HERE}.func", "checkpoint", "checkpoint_sequential"), ()),
        "torch.autograd.function": Contents(
            {}, (f"{_HERE}.custom",), frozenset(["FunctionCtx", "InplaceFunction", "once_differentiable"])
        ),
    },
)
