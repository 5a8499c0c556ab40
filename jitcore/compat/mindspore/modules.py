"""Which modules of jitcore each module of MindSpore draws on, what is called otherwise, and which names MindSpore has."""

from __future__ import annotations

from typing import Final

from jitcore.compat.mindspore import names
from jitcore.structs import dataclass


@dataclass(frozen=True, slots=True)
class Contents:
    """A module of MindSpore: names that mean `module:attribute` of jitcore, then the modules where other names are looked up, then the
    names that MindSpore has besides; of an opaque one (internal to MindSpore), any."""

    own: dict[str, str]
    homes: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()
    opaque: bool = False

    def has(self, name: str) -> bool:
        """Whether MindSpore's module has a name."""
        return self.opaque or name in self.known or name.startswith("_")


_HERE: Final = "jitcore.compat.mindspore"
INTERNAL: Final = Contents({}, opaque=True)
"""A module below an internal one."""


def _from(home: str, *attributes: str, **renamed: str) -> dict[str, str]:
    return {**{a: f"{home}:{a}" for a in attributes}, **{new: f"{home}:{old}" for new, old in renamed.items()}}


_DECORATORS: Final = _from(
    f"{_HERE}.decorators",
    *("jit", "ms_function", "jit_class", "ms_class", "JitConfig", "mutable", "ms_memory_recycle", "lazy_inline"),
    *("no_inline", "constexpr"),
    _primexpr="primexpr",
    _core="primexpr",
    _no_recursive="primexpr",
)
_COMPOSITE: Final = {
    **_from(f"{_HERE}.composite", "HyperMap", "Map", "MultitypeFuncGraph"),
    **_from(f"{_HERE}.api", "GradOperation"),
}
_GRADIENTS: Final = _from(f"{_HERE}.api", "grad", "value_and_grad", "get_grad")
_API: Final = _from(
    f"{_HERE}.api",
    *("tensor", "from_numpy", "set_seed", "get_seed", "run_check", "is_tensor", "__version__", "get_level"),
    "get_log_config",
)
_DTYPES: Final = {
    **_from(
        f"{_HERE}.api",
        *("number", "int_", "uint", "float_", "tensor_type", "tuple_", "list_", "string", "type_none", "issubclass_"),
        "function",
    ),
    **_from(
        "jitcore.common.dtype",
        byte="int8", short="int16", intc="int32", intp="int64", ubyte="uint8", ushort="uint16", uintc="uint32",
        uintp="uint64", Float16="float16", Float32="float32", Float64="float64",
    ),
    **_from("jitcore.types", Type="DType"),
}  # fmt: skip
_LOG: Final = _from(
    f"{_HERE}.api", "logger", "debug", "info", "warning", "error", "critical", "get_level", "get_log_config"
)
_TENSOR: Final = {
    **_from("jitcore.runtime.tensor", "Tensor"),
    **_from(f"{_HERE}.api", "tensor", "from_numpy", "is_tensor"),
}
_OPERATORS: Final = _from(
    "operator",
    scalar_add="add", scalar_sub="sub", scalar_mul="mul", scalar_div="truediv", scalar_floordiv="floordiv",
    scalar_mod="mod", scalar_pow="pow", scalar_uadd="pos", scalar_usub="neg", scalar_eq="eq", scalar_ne="ne",
    scalar_lt="lt", scalar_le="le", scalar_gt="gt", scalar_ge="ge", bool_not="not_", bool_eq="eq", string_eq="eq",
    string_concat="add", tuple_getitem="getitem", list_getitem="getitem", dict_getitem="getitem", getitem="getitem",
    is_="is_", is_not="is_not", tuple_equal="eq", list_equal="eq",
)  # fmt: skip
_OPS: Final = {
    **_OPERATORS,
    **_COMPOSITE,
    **_GRADIENTS,
    **_from(f"{_HERE}.decorators", "constexpr", "prim_attr_register", _primexpr="primexpr"),
    **_from("jitcore.ops.primitives", "Primitive"),
    **_from("jitcore.ops.composite", "Print"),
    **_from("jitcore.ops", Gelu="GeLU", FastGelu="FastGeLU", Pack="Stack", Unpack="Unstack", TensorAdd="Add"),
    **_from("builtins", tuple_len="len", list_len="len", dict_len="len", array_len="len"),
    **_from("functools", "partial"),
    **_TENSOR,
}
_NUMPY: Final = {
    **_from("jitcore.numpy", mod="remainder", true_divide="divide", product="prod", sometrue="any"),
    **_from("jitcore.types", int_="i32", uint="u32", float_="f32", bool_="bool_"),
    **_from("numpy", "isscalar"),
}
_OPS_HOMES: Final = ("jitcore.ops", "jitcore.transforms")
_CONTEXT_HOME: Final = f"{_HERE}.context"

_TABLE: Final[dict[str, Contents]] = {
    "": Contents(
        {**_DTYPES, **_DECORATORS, **_GRADIENTS, **_API, **_TENSOR, "Parameter": "jitcore.common.parameter:Parameter"},
        (
            _CONTEXT_HOME, "jitcore.common.dtype", "jitcore.common.parameter", "jitcore.transforms", "jitcore.train",
            "jitcore",
        ),
        names.MINDSPORE,
    ),
    "common": Contents(
        {**_DTYPES, **_DECORATORS, **_API, **_TENSOR, "bool_": "jitcore.types:bool_"},
        ("jitcore.common.dtype", "jitcore.common.parameter", "jitcore.common"),
        names.MINDSPORE,
    ),
    "common.api": Contents({**_DECORATORS, **_from(f"{_HERE}.decorators", _pynative_executor="executor")}, (), names.MINDSPORE, True),
    "common.tensor": Contents(_TENSOR, (), names.MINDSPORE),
    "common.parameter": Contents(_TENSOR, ("jitcore.common.parameter",), opaque=True),
    "common.initializer": Contents({}, ("jitcore.common.initializer",), names.INITIALIZERS),
    "common.dtype": Contents(_DTYPES, ("jitcore.common.dtype",), names.DTYPES),
    "common.mutable": Contents(_DECORATORS),
    "common.seed": Contents(_API, opaque=True),
    "common.jit_config": Contents(_DECORATORS),
    "common.sparse_tensor": Contents({}, (), names.MINDSPORE),
    "common.dump": Contents({}, (), names.MINDSPORE),
    "common.hook_handle": INTERNAL,
    "common.recompute": Contents({}, ("jitcore.transforms",), names.MINDSPORE),
    "common.generator": Contents({}, (), names.MINDSPORE),
    "common.no_inline": Contents(_DECORATORS),
    "common.lazy_inline": Contents(_DECORATORS),
    "dtype": Contents(_DTYPES, ("jitcore.common.dtype",), names.DTYPES),
    "context": Contents({}, (_CONTEXT_HOME,), names.CONTEXT),
    "ops": Contents(_OPS, _OPS_HOMES, names.OPS | names.PRIMITIVES),
    "_extends": Contents(_from(f"{_HERE}.decorators", "cell_attr_register"), opaque=True),
    "runtime": Contents(_from(f"{_HERE}.decorators", "synchronize"), opaque=True),
    "hal": Contents(_from(f"{_HERE}.decorators", "synchronize"), opaque=True),
    "ops.operations": Contents(_OPS, ("jitcore.ops",), names.PRIMITIVES, True),
    "ops.composite": Contents(_OPS, _OPS_HOMES, names.OPS, True),
    "ops.functional": Contents(_OPS, ("jitcore.ops.functional", *_OPS_HOMES), names.OPS | names.PRIMITIVES),
    "ops.function": Contents(_OPS, ("jitcore.ops.functional", *_OPS_HOMES), names.OPS, True),
    "ops.auto_generate": Contents(_OPS, _OPS_HOMES, names.OPS | names.PRIMITIVES, True),
    "ops.primitive": Contents(
        {**_OPS, **_DECORATORS}, (), names.PRIMITIVE_CLASSES, True
    ),
    "ops.op_info_register": INTERNAL,
    "ops.signature": INTERNAL,
    "ops.vm_impl_registry": INTERNAL,
    "nn": Contents(_TENSOR, ("jitcore.nn",), names.NN),
    "nn.cell": Contents({}, ("jitcore.nn",), names.NN),
    "nn.layer": Contents({}, ("jitcore.nn",), names.NN, True),
    "nn.loss": Contents({}, ("jitcore.nn",), names.NN, True),
    "nn.optim": Contents({}, ("jitcore.nn",), names.NN, True),
    "nn.wrap": Contents({}, ("jitcore.nn",), names.NN, True),
    "nn.metrics": Contents({}, ("jitcore.nn",), names.NN, True),
    "nn.learning_rate_schedule": Contents({}, ("jitcore.nn",), names.NN),
    "nn.dynamic_lr": Contents({}, ("jitcore.nn",), names.NN),
    "nn.grad": INTERNAL,
    "nn.probability": INTERNAL,
    "nn.sparse": INTERNAL,
    "nn.transformer": INTERNAL,
    "numpy": Contents({**_TENSOR, **_NUMPY}, ("jitcore.numpy",), names.NUMPY),
    "train": Contents({}, ("jitcore.train",), names.TRAIN),
    "train.callback": Contents({}, ("jitcore.train",), names.TRAIN, True),
    "train.serialization": Contents({}, ("jitcore.train",), names.TRAIN, True),
    "train.model": Contents({}, ("jitcore.train",), names.TRAIN),
    "train.amp": Contents({}, ("jitcore.train",), names.TRAIN),
    "train.loss_scale_manager": Contents({}, ("jitcore.train",), names.TRAIN),
    "train.metrics": Contents({}, ("jitcore.nn", "jitcore.train"), names.NN, True),
    "train.dataset_helper": INTERNAL,
    "train.summary": INTERNAL,
    "amp": Contents({}, ("jitcore.train",), names.TRAIN),
    "log": Contents(_LOG, (), frozenset(), True),
    "mint": Contents(_TENSOR, ("jitcore.ops.functional", *_OPS_HOMES), names.OPS),
    "mint.nn": Contents({}, ("jitcore.nn",), names.NN),
    "mint.nn.functional": Contents({}, ("jitcore.ops.functional", *_OPS_HOMES), names.OPS),
    "mint.optim": Contents({}, ("jitcore.nn",), names.NN),
    "scipy": INTERNAL,
    "dataset": Contents({}, ("jitcore.dataset",), opaque=True),
    "version": Contents(_API),
    **dict.fromkeys(
        [
            "boost", "communication", "experimental", "graph", "include", "mindrecord", "ops_generate", "parallel",
            "profiler", "rewrite", "run_check", "device_context", "device_manager", "safeguard", "schema",
            "lib", "utils", "multiprocessing", "distributed", "default_config",
        ],
        INTERNAL,
    ),
}  # fmt: skip
MODULES: Final[dict[str, Contents]] = {("mindspore." + k if k else "mindspore"): v for k, v in _TABLE.items()}
"""By full name."""
