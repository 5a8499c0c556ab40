"""The values that MindSpore's settings take, and what it says of others."""

from __future__ import annotations

from typing import Any, Final

_TYPES: Final[dict[str, tuple[type, ...]]] = {
    **dict.fromkeys(
        (
            "debug_level", "device_id", "inter_op_parallel_num", "jit_syntax_level", "max_call_depth", "mode", "op_timeout",
            "runtime_num_threads",
        ),
        (int,),
    ),
    **dict.fromkeys(
        (
            "aoe_tune_mode", "auto_tune_mode", "backend_policy", "compile_cache_path", "deterministic", "device_target", "env_config_path",
            "exec_order", "graph_kernel_flags", "graph_memory_max_size", "infer_boost", "jit_level", "max_device_memory", "memory_offload",
            "memory_optimize_level", "mempool_block_size", "print_file_path", "profiling_options", "save_dump_path", "save_graphs_path",
            "variable_memory_max_size",
        ),
        (str,),
    ),
    **dict.fromkeys(
        (
            "check_bprop", "disable_format_transform", "enable_auto_mixed_precision", "enable_dump", "enable_graph_kernel",
            "enable_profiling", "enable_reduce_precision", "enable_sparse", "enable_task_sink", "grad_for_scalar", "load_compile_cache",
            "precompile_only", "pynative_synchronize", "reserve_class_name_in_scope", "save_compile_cache", "support_binary",
        ),
        (bool,),
    ),
    "save_graphs": (bool, int), "jit_config": (dict,), "ascend_config": (dict,), "gpu_config": (dict,), "aoe_config": (dict,),
}  # fmt: skip
_WORDS: Final[dict[str, list[str]]] = {
    "device_target": ["CPU", "GPU", "Ascend", "Davinci"],
    "deterministic": ["ON", "OFF"],
    "memory_offload": ["ON", "OFF"],
    "memory_optimize_level": ["O0", "O1"],
    "exec_order": ["bfs", "dfs"],
    "aoe_tune_mode": ["online", "offline"],
}
_JIT_CONFIG: Final = {"jit_level": ["O0", "O1", "O2"], "infer_boost": ["on", "off"]}
_PREFIX: Final = "For 'context.set_context', the argument"


def require_fit(name: str, value: Any) -> None:
    """Raise TypeError for a value of another type than a setting's, ValueError for one that it does not take."""
    types = _TYPES.get(name)
    if types is not None and value is not None and (not isinstance(value, types) or _is_unwanted_bool(value, types)):
        shown = types[0] if len(types) == 1 else types
        raise TypeError(f"The parameter '{name}' must be {shown}, but got {type(value)}")
    if name in _WORDS and value not in _WORDS[name] and value != "":
        raise ValueError(f"{_PREFIX} '{name}' must be one of {_WORDS[name]}, but got {value}.")
    if name == "mode" and value not in (0, 1):
        raise ValueError(
            f"{_PREFIX} 'mode' should be context.GRAPH_MODE (0) or context.PYNATIVE_MODE (1), but got {value}."
        )
    if value is not None:
        _require_number(name, value)
    if name == "jit_config" and isinstance(value, dict):
        _require_options(value)


def _is_unwanted_bool(value: Any, types: tuple[type, ...]) -> bool:
    return isinstance(value, bool) and bool not in types


def _require_number(name: str, value: Any) -> None:
    if name == "device_id" and not 0 <= value <= 4095:
        raise ValueError(f"{_PREFIX} 'device_id' must be in range [0, 4095], but got {value}.")
    if name == "save_graphs" and not 0 <= value <= 3:
        raise ValueError(f"value for save_graphs should be 0-3 but got '{value}'")
    if name == "max_call_depth" and value <= 0:
        raise ValueError(f"{_PREFIX} 'max_call_depth' must be greater than 0, but got {value}.")
    if name == "jit_syntax_level" and value not in (0, 1, 2):
        raise ValueError(f"For 'jit_syntax_level', the value should be context.STRICT or context.LAX, but got {value}.")
    if name == "debug_level" and value not in (0, 1):
        raise ValueError(f"For 'debug_level', the value should be context.DEBUG or context.RELEASE, but got {value}.")
    if name == "runtime_num_threads" and value < 0:
        raise ValueError("The num of thread must bigger than or equal to 0.")
    if name == "inter_op_parallel_num" and value < 0:
        raise ValueError("The num of parallel thread must bigger than or equal to 0.")


def _require_options(options: dict[str, Any]) -> None:
    for key, value in options.items():
        if key not in _JIT_CONFIG:
            raise ValueError(
                f"For 'context.set_context', the key of argument 'jit_config' must be one of {_JIT_CONFIG}, but got {key}."
            )
        if value not in _JIT_CONFIG[key]:
            raise ValueError(
                f"For 'jit_config', the value of argument {key} must be one of {_JIT_CONFIG[key]}, but got {value}."
            )
