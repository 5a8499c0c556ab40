"""The values that MindSpore's settings take, and what it says of others."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

_TYPES: Final[dict[str, type | tuple[type, ...]]] = {
    **dict.fromkeys(
        (
            "debug_level", "device_id", "inter_op_parallel_num", "jit_syntax_level", "max_call_depth", "mode",
            "op_timeout", "runtime_num_threads",
        ),
        int,
    ),
    **dict.fromkeys(
        (
            "aoe_tune_mode", "backend_policy", "deterministic", "device_target", "env_config_path",
            "graph_kernel_flags", "graph_memory_max_size", "max_device_memory", "mempool_block_size", "print_file_path",
            "save_dump_path", "save_graphs_path", "variable_memory_max_size",
        ),
        str,
    ),
    **dict.fromkeys(
        (
            "check_bprop", "disable_format_transform", "enable_auto_mixed_precision", "enable_compile_cache",
            "enable_dump", "enable_graph_kernel", "enable_reduce_precision", "enable_task_sink", "grad_for_scalar",
            "jit_enable_inplace_ops", "load_compile_cache", "pynative_synchronize",
            "reserve_class_name_in_scope", "save_compile_cache",
        ),
        bool,
    ),
    **dict.fromkeys(("ascend_config", "gpu_config", "aoe_config", "jit_config"), dict),
    "save_graphs": (bool, int),
}  # fmt: skip
"""Those whose types are looked at first."""
_NATIVE: Final[dict[str, tuple[int, type]]] = {
    "check_bprop": (0, bool), "compile_cache_path": (66, str), "enable_profiling": (13, bool),
    "graph_kernel_flags": (73, str), "infer_boost": (88, str), "jit_level": (87, str),
}  # fmt: skip
"""Those that MindSpore's native part looks at, which knows them by number."""
TUNING: Final[dict[str, tuple[int, Any]]] = {
    "aoe_job_type": (72, "2"), "bias_add_comm_swap": (28, False), "compute_communicate_fusion_level": (48, 0),
    "conv_allow_tf32": (29, True), "conv_dgrad_algo": (84, "normal"), "conv_fprop_algo": (83, "normal"),
    "conv_wgrad_algo": (85, "normal"), "cur_step_num": (45, 0), "dataset_broadcast_opt_level": (49, 0),
    "enable_allreduce_slice_to_reducescatter": (35, False), "enable_begin_end_inline_opt": (32, False),
    "enable_concat_eliminate_opt": (33, False), "enable_flash_attention_load_balance": (34, False),
    "enable_fused_cast_add_opt": (38, False), "enable_grad_comm_opt": (24, False),
    "enable_interleave_parallel_branch": (37, False), "enable_interleave_split_concat_branch": (36, False),
    "enable_offloading_packed_experts": (40, True), "enable_opt_shard_comm_opt": (25, False),
    "enable_parallel_split": (15, False), "enable_task_opt": (23, False), "hccl_watchdog": (31, True),
    "interleaved_layernorm_comm": (27, False), "interleaved_matmul_comm": (26, False), "last_triggered_step": (47, 0),
    "matmul_allow_tf32": (30, False), "matmul_grad_comm_overlap": (95, ""), "need_ckpt": (39, False),
    "pp_1f1b_overlap": (93, ""), "recompute_allgather_overlap_fagrad": (22, False), "recompute_comm_overlap": (94, ""),
    "save_checkpoint_steps": (46, 0), "topo_order": (90, ""),
}  # fmt: skip
"""Others by number, with their defaults: they tune what is not here."""
ASCEND: Final = (
    "precision_mode", "jit_compile", "atomic_clean_policy", "matmul_allow_hf32", "conv_allow_hf32", "op_precision_mode",
    "host_scheduling_max_threshold", "ge_options", "op_debug_option",
)  # fmt: skip
"""Those that are set as parts of another."""
OF_DEVICES: Final = (
    "enable_reduce_precision", "print_file_path", "variable_memory_max_size", "max_device_memory", "mempool_block_size",
    "disable_format_transform", "ascend_config", "gpu_config",
)  # fmt: skip
"""Those that are passed over on the CPU."""
DEFAULTS: Final[dict[str, Any]] = {name: value for name, (_, value) in TUNING.items()} | dict.fromkeys(ASCEND, "")
"""Of those that `get_context` knows besides."""
_WITHOUT_NONE: Final = {
    "aoe_config": "'NoneType' object is not iterable", "jit_config": "'NoneType' object is not iterable",
    "enable_compile_cache": "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'",
    "max_call_depth": "'<=' not supported between instances of 'NoneType' and 'int'",
    "save_graphs": "'>' not supported between instances of 'NoneType' and 'int'",
    **dict.fromkeys(
        ("device_id", "inter_op_parallel_num", "op_timeout", "runtime_num_threads"),
        "'<' not supported between instances of 'NoneType' and 'int'",
    ),
}  # fmt: skip
"""What Python says where one is None."""
_WORDS: Final[dict[str, list[str]]] = {
    "device_target": ["CPU", "GPU", "Ascend", "Davinci"],
    "deterministic": ["ON", "OFF"],
    "memory_offload": ["ON", "OFF"],
    "memory_optimize_level": ["O0", "O1"],
    "exec_order": ["bfs", "dfs"],
}
_AT_LEAST_ZERO: Final = {
    "runtime_num_threads": "num of thread",
    "op_timeout": "num of op exe timeout",
    "inter_op_parallel_num": "num of parallel thread",
}
_KEYS: Final[dict[str, dict[str, list[str]]]] = {
    "jit_config": {"jit_level": ["O0", "O1", "O2"], "infer_boost": ["on", "off"]},
    "aoe_config": {"job_type": ["1", "2"]},
}
REMOVED: Final = {"precompile_only": "env MS_DEV_PRECOMPILE_ONLY", "grad_for_scalar": "tensor derivative"}
_PREFIX: Final = "For 'context.set_context', the argument"


def require_types(settings: Mapping[str, Any], types: Mapping[str, type | tuple[type, ...]] = _TYPES) -> None:
    """Raise TypeError for values of other types than settings have."""
    for name, value in settings.items():
        if name in types and value is not None and not isinstance(value, types[name]):
            raise TypeError(f"The parameter '{name}' must be {types[name]}, but got {type(value)}")


def require_fit(name: str, value: Any) -> None:
    """Raise TypeError or ValueError for a value that a setting does not take."""
    if name in REMOVED:
        raise ValueError(
            f"For 'context.set_context', the parameter '{name}' has been removed since MindSpore 2.10 version. Please "
            f"use the {REMOVED[name]} instead."
        )
    if name in ASCEND:
        raise ValueError(f"Please set '{name}' through parameter ascend_config")
    if name in TUNING:
        _require_native(value, TUNING[name][0], type(TUNING[name][1]))
    if name in _NATIVE:
        _require_native(value, *_NATIVE[name])
    if value is None and name in _WITHOUT_NONE:
        raise TypeError(_WITHOUT_NONE[name])
    if name == "save_graphs_path" and not (value or "").strip():
        raise ValueError(
            "For 'context.set_context', the 'save_graphs_path' or the 'print_file_path' is invalid type, it should be "
            f"Non-empty string, but got '{value}'."
        )
    if name in _WORDS and value not in _WORDS[name]:
        raise ValueError(f"{_PREFIX} '{name}' must be one of {_WORDS[name]}, but got {value}.")
    if name == "aoe_tune_mode" and value not in ("online", "offline"):
        raise ValueError(f"{_PREFIX} 'aoe_tune_mode' must be in ['online', 'offline'], but got {value}.")
    if name == "mode" and value not in (0, 1):
        raise ValueError(
            f"{_PREFIX} 'mode' should be context.GRAPH_MODE (0) or context.PYNATIVE_MODE (1), but got {value}."
        )
    if name == "support_binary" and not isinstance(value, bool):
        raise TypeError(f"The attribute 'support_binary' should be a bool, but got {type(value)}.")
    if name == "profiling_options" and not isinstance(value, str):
        raise TypeError(f"{_PREFIX} 'profiling_option' must be string, but got {type(value)}.")
    _require_number(name, value)
    if name == "env_config_path" and not os.path.exists(path := os.path.realpath(str(value))):
        raise ValueError(
            f"For 'context.set_context', the 'env_config_path' file {path!r} is not exists, please check "
            "whether 'env_config_path' is correct."
        )
    if name in _KEYS and isinstance(value, dict):
        _require_options(name, value, _KEYS[name])


def _require_native(value: Any, number: int, cls: type) -> None:
    if not isinstance(value, cls):
        raise RuntimeError(f"Got illegal param {number} and value with type {type(value)}")


def _require_number(name: str, value: Any) -> None:
    if name == "device_id" and not 0 <= value <= 4095:
        raise ValueError(f"{_PREFIX} 'device_id' must be in range [0, 4095], but got {value}.")
    if name == "save_graphs" and value > 3:
        raise ValueError(f"value for save_graphs should be 0-3 but got '{value}'")
    if name == "max_call_depth" and value <= 0:
        raise ValueError(f"{_PREFIX} 'max_call_depth' must be greater than 0, but got {value}.")
    if name == "jit_syntax_level" and value not in (0, 1, 2):
        raise ValueError(f"For 'jit_syntax_level', the value should be context.STRICT or context.LAX, but got {value}.")
    if name == "debug_level" and value not in (0, 1):
        raise ValueError(f"For 'debug_level', the value should be context.DEBUG or context.RELEASE, but got {value}.")
    if name in _AT_LEAST_ZERO and value < 0:
        raise ValueError(f"The {_AT_LEAST_ZERO[name]} must bigger than or equal to 0.")


def _require_options(name: str, options: dict[str, Any], known: dict[str, list[str]]) -> None:
    for key, value in options.items():
        if key not in known:
            raise ValueError(
                f"For 'context.set_context', the key of argument '{name}' must be one of {known}, but got {key}."
            )
        if value not in known[key]:
            raise ValueError(f"For '{name}', the value of argument {key} must be one of {known[key]}, but got {value}.")
    if name == "jit_config" and options.get("infer_boost") == "on" and options.get("jit_level") in ("O1", "O2"):
        raise ValueError("Only jit_level set O0 can set infer_boost to on.")
