"""Which modules of jitcore each module of MindSpore draws on, what is called otherwise, and which names MindSpore
has."""

from __future__ import annotations

import importlib
from typing import Any, Final

from jitcore.compat.finder import Contents, Framework
from jitcore.compat.mindspore import names

_HERE: Final = "jitcore.compat.mindspore"
INTERNAL: Final = Contents({}, opaque=True)
"""A module below an internal one."""


def _from(home: str, *attributes: str, **renamed: str) -> dict[str, str]:
    return {**{a: f"{home}:{a}" for a in attributes}, **{new: f"{home}:{old}" for new, old in renamed.items()}}


_DECORATORS: Final = {
    **_from(
        f"{_HERE}.decorators",
        *("jit", "ms_function", "jit_class", "ms_class", "JitConfig", "ms_memory_recycle", "lazy_inline"),
        *("no_inline", "constexpr", "enable_dynamic", "mutable"),
        Variable="mutable",
        _primexpr="primexpr",
        _core="primexpr",
        _no_recursive="primexpr",
    ),
}
_DEVICES: Final = _from(
    f"{_HERE}.devices",
    *("set_algo_parameters", "get_algo_parameters", "reset_algo_parameters", "set_ps_context", "get_ps_context"),
    *("reset_ps_context", "set_offload_context", "get_offload_context", "set_dump"),
)
_FEEDING: Final = {
    **_from("jitcore.train.feeding", "DatasetHelper", "async_ckpt_thread_status", "load_checkpoint_async"),
    **_from(f"{_HERE}.checkpoints", "save_checkpoint", "load_checkpoint", "load_param_into_net"),
    **_from(f"{_HERE}.models", "export", "load"),
}
_CAPTURING: Final = {
    **_from(f"{_HERE}.decorators", "PIJitCaptureContext"),
    **_from(
        f"{_HERE}.capturing",
        "get_code_extra",
        jit_mode_pi_enable="capturing_is_on",
        jit_mode_pi_disable="capturing_is_on",
        update_pijit_default_config="capturing_is_on",
    ),
}
_COMPOSITE: Final = {
    **_from(f"{_HERE}.composite", "HyperMap", "Map", "MultitypeFuncGraph"),
    **_from(f"{_HERE}.api", "GradOperation"),
    **_from("builtins", zip_operation="zip"),
}
_GRADIENTS: Final = {
    **_from(f"{_HERE}.api", "grad", "value_and_grad", "get_grad"),
    **_from(
        f"{_HERE}.gradients",
        "vjp",
        "custom_vjp",
        "recompute",
        "Morph",
        "stop_gradient",
        "vmap",
        "jvp",
        "jacfwd",
        "jacrev",
    ),
    **_from(f"{_HERE}.functions", _Function="Function"),
    **_from("jitcore.series", "linearize", "jet", "derivative"),
    **_from("jitcore.recording", "no_grad", _no_grad="no_grad"),
}
_PRODUCTS: Final = _from(f"{_HERE}.products", "Jvp", "Vjp")
_API: Final = _from(
    f"{_HERE}.api",
    *("tensor", "from_numpy", "set_seed", "get_seed", "run_check", "is_tensor", "__version__", "get_level"),
    *("get_log_config", "manual_seed", "seed", "initial_seed", "get_py_obj_dtype"),
)
_GENERATORS: Final = {
    **_from("jitcore.common.generator", "Generator", "default_generator", "set_rng_state"),
    **_from(f"{_HERE}.api", "get_rng_state"),
}
_DTYPES: Final = {
    **_from(
        f"{_HERE}.api",
        *(
            "number", "int_", "uint", "float_", "tensor_type", "tuple_", "list_", "string",
            "type_none", "type_type", "issubclass_",
        ),
        "function",
    ),
    **_from(
        "jitcore.common.dtype",
        byte="int8", short="int16", intc="int32", intp="int64", ubyte="uint8", ushort="uint16", uintc="uint32",
        uintp="uint64", Float16="float16", Float32="float32", Float64="float64",
    ),
    **_from(
        "jitcore.common.dtype",
        _dtype_to_nptype="dtype_to_nptype", _pytype_to_dtype="pytype_to_dtype", _dtype_to_pytype="dtype_to_pytype",
    ),
    **_from("jitcore.types", Type="DType"),
}  # fmt: skip
_LOG: Final = _from(
    f"{_HERE}.api", "logger", "debug", "info", "warning", "error", "critical", "get_level", "get_log_config"
)
_TENSOR: Final = {
    **_from(f"{_HERE}.tensor", "Tensor"),
    **_from(f"{_HERE}.api", "tensor", "from_numpy", "is_tensor"),
    **_from("jitcore.common.symbol", "Symbol"),
}
_OPERATORS: Final = {
    **_from(f"{_HERE}.sequences", "switch", "switch_layer", "isconstant", make_range="range_of"),
}
_SEQUENCES: Final = _from(
    f"{_HERE}.sequences",
    *("InSequence", "ListAppend", "ListInsert", "ListToTensor", "SequenceAdd", "SequenceAddN", "SequenceAddOffset"),
    *("SequenceCount", "SequenceIndex", "SequenceMax", "SequenceMin", "SequenceMul", "SequenceSlice"),
    *(
        "SequenceSliceSetItem",
        "SequenceStack",
        "SequenceUnstack",
        "SequenceZerosLike",
        "TensorToList",
        "TensorToScalar",
    ),
    *("TensorToTuple", "TupleToTensor", "list_equal", "list_greater_equal", "list_greater_than", "list_le", "list_lt"),
    *(
        "make_range",
        "sequence_len",
        "shape_mul",
        "tuple_equal",
        "tuple_greater_equal",
        "tuple_greater_than",
        "tuple_le",
    ),
    "tuple_lt",
)
_SCALARS: Final = _from(f"{_HERE}.sequences", "bit_and", "bit_or", "bool_not")
_OPS: Final = {
    **_OPERATORS,
    **_COMPOSITE,
    **_GRADIENTS,
    **_from(
        f"{_HERE}.decorators", "constexpr", "prim_attr_register", "add_flags", _primexpr="primexpr", core="add_flags"
    ),
    **_from(f"{_HERE}.operators", "Primitive", "PrimitiveWithInfer", "PrimitiveWithCheck"),
    **_from(f"{_HERE}.looping", "WhileLoop", "ForiLoop", "Scan"),
    **_from("jitcore.ops.loops", "while_loop", "fori_loop", "scan"),
    **_from(f"{_HERE}.composite", "Partial", "Print", "print_"),
    **_from(f"{_HERE}.communication", "ReduceOp"),
    **_from(f"{_HERE}.api", "issubclass_", "typeof"),
    **_from("jitcore.ops.recurrent", "LSTM"),
    **_from("jitcore.ops", Gelu="GeLU", FastGelu="FastGeLU", Pack="Stack", Unpack="Unstack", TensorAdd="Add"),
    **_from(
        "jitcore.ops",
        broadcast_to_="broadcast_to",
        cast_="cast",
        div_="div",
        equal_="equal",
        inverse_="inverse",
        logical_not_="logical_not",
        reshape_="reshape",
        shape_="shape",
        stack_="stack",
        trunc_="trunc",
        zeros_like_="zeros_like",
        soft_shrink="softshrink",
    ),
    **_from(f"{_HERE}.composite", "partial"),
    **_TENSOR,
}
_MINT: Final = _from(
    "jitcore.ops",
    **{
        name: f"{name}_ext"
        for name in (
            "add", "allclose", "argsort", "bernoulli", "bincount", "count_nonzero", "cumsum", "diag", "equal",
            "flatten", "gather", "index_add", "linspace", "max", "mean", "median", "meshgrid", "min", "norm", "normal",
            "ones", "prod", "randint", "scatter_add", "select", "softmax", "sort", "std", "std_mean", "sub", "sum",
            "topk", "transpose", "unique", "var", "var_mean", "zeros",
        )
    },
)  # fmt: skip
_MINT_NETWORKS: Final = _from(
    "jitcore.ops",
    **{
        name: f"{name}_ext"
        for name in (
            "avg_pool1d", "avg_pool2d", "avg_pool3d", "batch_norm", "conv1d", "conv2d", "conv3d", "kl_div",
            "leaky_relu", "log_softmax", "one_hot", "smooth_l1_loss", "softmax",
        )
    },
)  # fmt: skip
_MINT_ALGEBRA: Final = {
    **_from("jitcore.ops", "norm", "vector_norm", "qr", matrix_norm="matrix_norm_ext", inv="inverse"),
}
_MINT_SPECIAL: Final = _from(
    "jitcore.ops", "erfc", "exp2", "expm1", "log1p", "round", "sinc", log_softmax="log_softmax_ext"
)
_NUMPY: Final = {
    **_from("jitcore.types", int_="i32", uint="u32", float_="f32", bool_="bool_"),
    **_from("numpy", "isscalar"),
}
_INITIALIZING: Final = {
    **_from(
        f"{_HERE}.initializers",
        "initializer",
        _assignment="assignment", _calculate_correct_fan="correct_fan", _calculate_gain="calculate_gain",
        _init_random_normal="init_random_normal", _init_random_uniform="init_random_uniform", _register="register",
    ),
    **_from("jitcore.common.initializer", _calculate_fan_in_and_fan_out="fans", _INITIALIZER_ALIAS="INITIALIZERS"),
}  # fmt: skip
_RATES: Final = _from(
    f"{_HERE}.rates",
    *("exponential_decay_lr", "natural_exp_decay_lr", "inverse_decay_lr", "cosine_decay_lr", "polynomial_decay_lr"),
    *("warmup_lr", "piecewise_constant_lr"),
)
_WRAPPING: Final = {
    **_from(f"{_HERE}.communication", "DistributedGradReducer"),
    **_from(
        f"{_HERE}.training",
        "TrainOneStepWithLossScaleCell",
        _grad_scale="grad_scale",
        _grad_overflow="grad_overflow",
    ),
}
_PRECISION: Final = _from(f"{_HERE}.training", "build_train_network", "get_white_list", "get_black_list")
_METRICS: Final = _from(
    "jitcore.nn",
    *("Accuracy", "BleuScore", "ConfusionMatrix", "ConfusionMatrixMetric", "CosineSimilarity", "Dice", "F1", "Fbeta"),
    *("HausdorffDistance", "Loss", "MAE", "MSE", "MeanSurfaceDistance", "Metric", "OcclusionSensitivity", "Perplexity"),
    *("Precision", "ROC", "Recall", "RootMeanSquareDistance", "Top1CategoricalAccuracy", "Top5CategoricalAccuracy"),
    *("TopKCategoricalAccuracy", "auc", "get_metric_fn", "names", "rearrange_inputs"),
)
_OPS_HOMES: Final = ("jitcore.ops", "jitcore.transforms")
_CONTEXT_HOME: Final = f"{_HERE}.context"

_TABLE: Final[dict[str, Contents]] = {
    "": Contents(
        {
            **_DTYPES, **_DECORATORS, **_GRADIENTS, **_API, **_DEVICES, **_FEEDING, **_GENERATORS, **_TENSOR,
            "Parameter": f"{_HERE}.tensor:Parameter", "bool": "jitcore.types:bool_",
        },
        (
            _CONTEXT_HOME, "jitcore.common.dtype", "jitcore.common.parameter", "jitcore.transforms", "jitcore.train",
            "jitcore",
        ),
        names.MINDSPORE,
    ),
    "common": Contents(
        {**_DTYPES, **_DECORATORS, **_API, **_GENERATORS, **_TENSOR, "bool_": "jitcore.types:bool_"},
        ("jitcore.common.dtype", "jitcore.common.parameter", "jitcore.common"),
        names.MINDSPORE,
    ),
    "common.api": Contents(
        {
            **_DECORATORS,
            **_from(
                f"{_HERE}.decorators",
                _pynative_executor="executor", _executor="graph_executor", _cell_graph_executor="graph_executor",
            ),
        },
        (),
        names.MINDSPORE,
        True,
    ),
    "common.tensor": Contents(_TENSOR, (), names.MINDSPORE),
    "common.parameter": Contents(
        {**_TENSOR, **_from("jitcore.nn.state", _Buffer="Buffer")}, ("jitcore.common.parameter",), opaque=True
    ),
    "common.initializer": Contents(_INITIALIZING, ("jitcore.common.initializer",), names.INITIALIZERS),
    "common.dtype": Contents(_DTYPES, ("jitcore.common.dtype",), names.DTYPES),
    "common.mutable": Contents(_DECORATORS),
    "common.symbol": Contents(_TENSOR),
    "common._pijit_context": Contents(_CAPTURING, (), frozenset(), True),
    "_c_expression": Contents(
        {**_DTYPES, **_DECORATORS, **_API, **_TENSOR, **_CAPTURING},
        ("jitcore.common.dtype", "jitcore"),
        names.MINDSPORE,
        True,
    ),
    "common.seed": Contents(_API, opaque=True),
    "common.jit_config": Contents(_DECORATORS),
    "common.sparse_tensor": Contents({}, ("jitcore.common.sparse_tensor",), names.MINDSPORE),
    "common.dump": Contents(_DEVICES, (), names.MINDSPORE),
    "common.hook_handle": Contents({**_from("jitcore.nn.extension", "HookHandle")}, (), frozenset(), True),
    "common.recompute": Contents(_GRADIENTS, (), names.MINDSPORE),
    "common._grad_function": Contents(_GRADIENTS),
    "common.generator": Contents({**_API, **_GENERATORS}, (), names.MINDSPORE),
    "common.no_inline": Contents(_DECORATORS),
    "common.lazy_inline": Contents(_DECORATORS),
    "dtype": Contents(_DTYPES, ("jitcore.common.dtype",), names.DTYPES),
    "context": Contents(_DEVICES, (_CONTEXT_HOME,), names.CONTEXT),
    "ops": Contents(_OPS, _OPS_HOMES, names.OPS | names.PRIMITIVES),
    "_extends": Contents(_from(f"{_HERE}.decorators", "cell_attr_register"), opaque=True),
    "_extends.parse": Contents(_from(_CONTEXT_HOME, "compile_config"), opaque=True),
    "_extends.parse.standard_method": Contents(_from("builtins", ms_len="len"), opaque=True),
    "runtime": Contents(_from(f"{_HERE}.decorators", "synchronize"), opaque=True),
    "hal": Contents(_from(f"{_HERE}.decorators", "synchronize"), opaque=True),
    "ops.operations": Contents(_OPS, ("jitcore.ops",), names.PRIMITIVES, True),
    "ops.composite": Contents(_OPS, _OPS_HOMES, names.OPS, True),
    "ops.functional": Contents(_OPS, ("jitcore.ops.functional", *_OPS_HOMES), names.OPS | names.PRIMITIVES),
    "ops.function": Contents(_OPS, ("jitcore.ops.functional", *_OPS_HOMES), names.OPS, True),
    **dict.fromkeys(
        ["ops.auto_generate", "ops.auto_generate.gen_ops_def", "ops.auto_generate.gen_ops_prim"],
        Contents(_OPS, _OPS_HOMES, names.OPS | names.PRIMITIVES, True),
    ),
    **dict.fromkeys(
        [
            f"ops.operations.{name}"
            for name in (
                "array_ops", "nn_ops", "math_ops", "other_ops", "sparse_ops", "linalg_ops", "image_ops", "random_ops",
                "control_ops", "debug_ops", "comm_ops", "custom_ops", "inner_ops", "manually_defined", "spectral_ops",
                "_inner_ops", "_quant_ops", "_thor_ops", "_rl_inner_ops", "_opaque_predicate_registry",
            )
        ],
        Contents(_OPS, ("jitcore.ops",), names.PRIMITIVES, True),
    ),
    **dict.fromkeys(
        [
            f"ops.function.{name}"
            for name in (
                "array_func", "math_func", "nn_func", "random_func", "clip_func", "linalg_func", "parameter_func",
                "sparse_func", "spectral_func", "image_func", "debug_func", "other_func", "fft_func", "grad",
                "vmap_func", "sparse_unary_func",
            )
        ],
        Contents(_OPS, ("jitcore.ops.functional", *_OPS_HOMES), names.OPS, True),
    ),
    "ops.operations._sequence_ops": Contents(_SEQUENCES, (), names.SEQUENCE_OPS),
    "ops.operations._scalar_ops": Contents(_SCALARS, (), names.SCALAR_OPS),
    "ops.operations._grad_ops": Contents(_OPS, ("jitcore.ops.cotangents", "jitcore.ops"), names.PRIMITIVES, True),
    "ops.composite.base": Contents(_OPS, _OPS_HOMES, names.OPS, True),
    "ops.composite.multitype_ops": Contents(_OPS, _OPS_HOMES, names.OPS, True),
    "ops.primitive": Contents(
        {**_OPS, **_DECORATORS}, (), names.PRIMITIVE_CLASSES, True
    ),
    "ops.op_info_register": INTERNAL,
    "ops.signature": INTERNAL,
    "ops.vm_impl_registry": Contents(
        _from(f"{_HERE}.operators", vm_impl_registry="vm_impls", vm_impl_getters="vm_impls"), opaque=True
    ),
    "ops._grad": Contents(_from(f"{_HERE}.operators", "bprop_getters"), opaque=True),
    "ops._grad_experimental": Contents(_from(f"{_HERE}.operators", "bprop_getters"), opaque=True),
    "communication": Contents({}, (f"{_HERE}.communication",), opaque=True),
    "communication.management": Contents({}, (f"{_HERE}.communication",), opaque=True),
    "nn": Contents(
        {
            **_TENSOR,
            **_GENERATORS,
            **_WRAPPING,
            **_RATES,
            **_from(f"{_HERE}.refusals.layers", "get_activation"),
            **_from(f"{_HERE}.models", "GraphCell"),
        },
        ("jitcore.nn",),
        names.NN,
    ),
    "nn.cell": Contents({}, ("jitcore.nn",), names.NN),
    "nn.layer": Contents(_from("jitcore.nn.normalization", "_BatchNorm"), ("jitcore.nn",), names.NN, True),
    "nn.loss": Contents(_from("jitcore.nn", _Loss="LossBase"), ("jitcore.nn",), names.NN, True),
    "nn.optim": Contents(
        {
            **_from(f"{_HERE}.training", "opt_init_args_register"),
            **_from("jitcore.nn.optimizer_names", _ConvertToCell="SteadyRate", _IteratorLearningRate="ListedRate"),
        },
        ("jitcore.nn",),
        names.NN,
        True,
    ),
    "nn.wrap": Contents(_WRAPPING, ("jitcore.nn",), names.NN, True),
    "nn.wrap.grad_reducer": Contents(_WRAPPING, (), opaque=True),
    "parallel._utils": Contents(
        _from(
            f"{_HERE}.training",
            _get_device_num="device_num",
            _get_gradients_mean="gradients_mean",
            _get_parallel_mode="parallel_mode",
        ),
        opaque=True,
    ),
    "_checkparam": Contents({"validator": f"{_HERE}.checking:Validator"}, (f"{_HERE}.checking",), opaque=True),
    "train.parallel_utils": Contents({}, (_CONTEXT_HOME,)),
    "nn.metrics": Contents({}, ("jitcore.nn",), names.NN, True),
    "nn.learning_rate_schedule": Contents({}, ("jitcore.nn",), names.NN),
    "nn.dynamic_lr": Contents({}, ("jitcore.nn",), names.NN),
    "nn.grad": Contents(_PRODUCTS, ("jitcore.nn",), names.NN, True),
    "nn.probability": Contents({}, ("jitcore.nn.probability",), opaque=True),
    "nn.probability.distribution": Contents({}, ("jitcore.nn.probability.distribution",), opaque=True),
    **{
        f"nn.probability.{part}": Contents({}, (f"jitcore.nn.probability.{part}",), opaque=True)
        for part in ("bnn_layers", "dpn", "infer")
    },
    "nn.probability.bijector": Contents({}, ("jitcore.nn.probability.bijector",), opaque=True),
    "nn.sparse": Contents({}, ("jitcore.nn.sparse",), opaque=True),
    "nn.transformer": INTERNAL,
    "numpy": Contents({**_TENSOR, **_NUMPY}, (f"{_HERE}.arrays", "jitcore.numpy"), names.NUMPY),
    "train": Contents({**_METRICS, **_FEEDING, **_PRECISION}, ("jitcore.train",), names.TRAIN | names.NN),
    "train.callback": Contents(
        _from("jitcore.train.callback", _InternalCallbackParam="Parameters"), ("jitcore.train",), names.TRAIN, True
    ),
    "train.serialization": Contents(_FEEDING, ("jitcore.train",), names.TRAIN, True),
    "train.model": Contents(_from(_CONTEXT_HOME, "ParallelMode"), ("jitcore.train",), names.TRAIN),
    "train.amp": Contents(_PRECISION, ("jitcore.train",), names.TRAIN),
    "train.loss_scale_manager": Contents({}, ("jitcore.train",), names.TRAIN),
    "train.metrics": Contents({}, ("jitcore.nn", "jitcore.train"), names.NN, True),
    "train.dataset_helper": Contents(_FEEDING, opaque=True),
    "train.summary": INTERNAL,
    "amp": Contents(_PRECISION, ("jitcore.train",), names.TRAIN),
    "log": Contents(_LOG, (), frozenset(), True),
    "ops.extend": Contents({**_MINT_NETWORKS, **_MINT}, _OPS_HOMES, names.OPS),
    "mint": Contents({**_TENSOR, **_MINT_NETWORKS, **_MINT}, ("jitcore.ops.functional", *_OPS_HOMES), names.OPS),
    "mint.nn": Contents({}, ("jitcore.nn.mint", "jitcore.nn"), names.NN),
    "mint.linalg": Contents(_MINT_ALGEBRA, (), names.OPS),
    "mint.special": Contents(_MINT_SPECIAL, (), names.OPS),
    "mint.nn.functional": Contents(_MINT_NETWORKS, ("jitcore.ops.functional", *_OPS_HOMES), names.OPS),
    "mint.optim": Contents({}, ("jitcore.nn.grouped",), names.NN),
    "experimental.optim": Contents({}, ("jitcore.nn.grouped",), opaque=True),
    "experimental.optim.lr_scheduler": Contents({}, ("jitcore.nn.grouped.lr_scheduler",), opaque=True),
    "scipy": Contents({}, ("jitcore.scipy",), opaque=True),
    "scipy.fft": Contents({}, ("jitcore.scipy.fft",), opaque=True),
    "scipy.ops": Contents(_from("jitcore.scipy.operators", "SolveTriangular"), ("jitcore.ops",), opaque=True),
    "scipy.ops_wrapper": Contents(
        _from("jitcore.scipy.linalg", "solve_triangular"), ("jitcore.scipy.operators",), opaque=True
    ),
    "scipy.linalg": Contents({}, ("jitcore.scipy.linalg",), opaque=True),
    "scipy.optimize": Contents({}, ("jitcore.scipy.optimize",), opaque=True),
    "scipy.sparse": Contents({}, ("jitcore.scipy.sparse",), opaque=True),
    "scipy.sparse.linalg": Contents({}, ("jitcore.scipy.sparse.linalg",), opaque=True),
    "dataset": Contents({}, ("jitcore.dataset",), opaque=True),
    "dataset.config": Contents({}, ("jitcore.dataset.config",), opaque=True),
    "dataset.core.config": Contents({}, ("jitcore.dataset.config",), opaque=True),
    "dataset.samplers": Contents({}, ("jitcore.dataset.samplers",), opaque=True),
    **{
        f"dataset.{kind}{part}": Contents({}, homes, opaque=True)
        for kind, homes in (
            ("transforms", ("jitcore.dataset.transforms",)),
            ("vision", ("jitcore.dataset.vision", "jitcore.dataset.augmentation")),
        )
        for part in ("", ".c_transforms", ".py_transforms", ".transforms", ".utils")
    },
    "version": Contents(_API),
    "boost": Contents(
        _from(f"{_HERE}.training", "GradientAccumulation", "gradient_accumulation_op", "gradient_clear_op"), opaque=True
    ),
    **dict.fromkeys(
        [
            "experimental", "graph", "include", "mindrecord", "ops_generate", "parallel",
            "profiler", "rewrite", "run_check", "device_context", "device_manager", "safeguard", "schema",
            "lib", "utils", "multiprocessing", "distributed", "default_config",
        ],
        INTERNAL,
    ),
}  # fmt: skip


def _operator(module: str, name: str) -> str:
    """What stands for a Primitive made for an operator: the operator."""
    return name.removesuffix("_op") if module.startswith("mindspore.ops.auto_generate") else name


def _adopted(value: object) -> Any:
    return importlib.import_module(f"{_HERE}.adopting").adopted(value)


MINDSPORE: Final = Framework(
    "mindspore",
    "MindSpore",
    {("mindspore." + k if k else "mindspore"): v for k, v in _TABLE.items()},
    _operator,
    _adopted,
)
