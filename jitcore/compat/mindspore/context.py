"""MindSpore's settings: those that jitcore has are passed on; what concerns other hardware or tunes MindSpore itself is
kept, with a notice; what would change results and is not here is refused."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any, Final

from jitcore import context
from jitcore.compat.mindspore import parallel_checked, settings_checked
from jitcore.config import GRAPH_MODE, LAX, PYNATIVE_MODE, STRICT, settings

COMPATIBLE: Final = 1
DEBUG, RELEASE = 1, 0

_OWN: Final = frozenset({"mode", "save_graphs", "save_graphs_path", "jit_syntax_level"})
_KEPT: Final[dict[str, Any]] = {
    "aoe_config": {}, "aoe_tune_mode": "", "ascend_config": {}, "check_bprop": False, "compile_cache_path": "",
    "debug_level": 0, "deterministic": "OFF", "device_id": 0, "disable_format_transform": False,
    "enable_compile_cache": None, "enable_graph_kernel": False, "enable_profiling": False,
    "enable_reduce_precision": True, "env_config_path": "", "exec_order": "bfs", "gpu_config": {},
    "graph_kernel_flags": "", "inter_op_parallel_num": 0, "jit_config": {}, "infer_boost": "off", "jit_level": "",
    "max_call_depth": 1000, "max_device_memory": 1024.0, "memory_optimize_level": 0, "mempool_block_size": 1.0,
    "op_timeout": 900, "print_file_path": "", "profiling_options": "training_trace", "pynative_synchronize": False,
    "reserve_class_name_in_scope": True, "runtime_num_threads": os.cpu_count() or 1, "support_binary": False,
    "variable_memory_max_size": "0", **settings_checked.DEFAULTS,
}  # fmt: skip
"""What set_context takes besides, with MindSpore's defaults."""
_OLDER: Final[dict[str, Any]] = {
    "backend_policy": "", "enable_dump": False, "enable_gpu_summary": True, "enable_loop_sink": False,
    "enable_mem_reuse": True, "enable_task_sink": True, "graph_memory_max_size": "0", "jit_enable_inplace_ops": True,
    "load_compile_cache": False, "precompile_only": False, "save_compile_cache": False,
    "save_dump_path": ".", "tune_mode": "",
}  # fmt: skip
"""What it took before MindSpore 2.10: get_context knows them no more, unless they were set."""
_PASSED_OVER: Final = ("auto_tune_mode", "enable_auto_mixed_precision", "enable_sparse")
_REFUSED: Final = frozenset({"precompile_only", "enable_dump", "enable_profiling"})
"""Those that ask for something to happen (or not to) which jitcore cannot."""
_INERT: Final = frozenset(
    {
        "debug_level",
        "jit_config",
        "jit_level",
        "pynative_synchronize",
        "max_call_depth",
        "reserve_class_name_in_scope",
    }
)
"""Those that say how MindSpore goes about what jitcore does anyway."""


class CompatibilityNotice(UserWarning):
    """Something that MindSpore does is done differently, or has no meaning here."""


_noticed: set[str] = set()
_kept: dict[str, Any] = {}
_level: list[int] = []
_mode: list[int] = []
_limit: list[int] = [1000]


def notice(key: str, message: str) -> None:
    """Say something once in the life of the process, of the line of the script that led to it."""
    if key not in _noticed:
        _noticed.add(key)
        depth, frame = 1, sys._getframe()  # pyright: ignore[reportPrivateUsage]
        while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("jitcore."):
            depth, frame = depth + 1, frame.f_back
        warnings.warn(message, CompatibilityNotice, stacklevel=depth)


_DETAILS: Final = " For detailed usage of '{0}', please refer to the Mindspore official website."


def set_context(*given: Any, **values: Any) -> None:
    """Change settings by MindSpore's names. Raises ValueError or TypeError for an unknown name or value, in MindSpore's
    words, NotImplementedError for what would have to change what programs do and cannot."""
    if given:
        raise TypeError("too many positional arguments")
    settings_checked.require_types(values)
    for name, value in values.items():
        if name in _PASSED_OVER:
            continue
        if name not in {*_OWN, *_KEPT, *_OLDER, *settings_checked.REMOVED, "device_target"}:
            raise ValueError(
                f"For 'context.set_context', the keyword argument {name} is not recognized!"
                + _DETAILS.format("set_context")
            )
        settings_checked.require_fit(name, value)
        if name in _REFUSED and value not in (_default_of(name), None, ""):
            raise NotImplementedError(f"set_context({name}={value!r}) of MindSpore is not in jitcore")
    context.set_context(**{name: _translated(name, value) for name, value in values.items() if name in _OWN})
    if "mode" in values:
        _mode[:] = [values["mode"]]
    if "jit_syntax_level" in values:
        _level[:] = [values["jit_syntax_level"]]
    if "save_graphs" in values:
        flag = values["save_graphs"]
        _kept["save_graphs"] = 2 * flag if isinstance(flag, bool) else flag
    if "save_graphs_path" in values:
        _kept["save_graphs_path"] = os.path.realpath(values["save_graphs_path"])
    for name, value in values.items():
        if name == "device_target":
            set_device(value)
        elif name in _KEPT or name in _OLDER:
            _keep(name, value)
            if name not in _INERT and name != "device_id" and value != _default_of(name):
                notice(name, f"{name} has no effect on jitcore")


def _default_of(name: str) -> Any:
    return _KEPT.get(name, _OLDER.get(name))


def _keep(name: str, value: Any) -> None:
    """What `get_context` then says of a setting."""
    if name in settings_checked.OF_DEVICES:
        return
    if name == "memory_optimize_level":
        value = int(value == "O1")
    elif name == "jit_config":
        _kept.update(value)
    elif type(_default_of(name)) is int:
        value = int(value)
    _kept[name] = value


def is_graph_mode() -> bool:
    """Whether the program chose GRAPH_MODE: without a choice MindSpore runs line by line."""
    return bool(_mode) and settings.mode != PYNATIVE_MODE


def _translated(name: str, value: Any) -> Any:
    if name == "save_graphs":
        return bool(value)
    if name == "mode":
        return int(value)
    if name == "jit_syntax_level":
        return STRICT if value == STRICT else LAX
    return value


def get_context(attr_key: str) -> Any:
    """The value of a setting. Raises ValueError for an unknown name."""
    if not isinstance(attr_key, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"attribute name must be string, not '{type(attr_key).__name__}'")
    if attr_key == "jit_syntax_level" and _level:
        found = context.get_context(attr_key)
        return _level[0] if (_level[0] == STRICT) == (found == STRICT) else found
    if attr_key in ("save_graphs", "save_graphs_path"):
        return _kept.get(attr_key, {"save_graphs": 0, "save_graphs_path": "."}[attr_key])
    if attr_key == "mode" and not _mode:
        return PYNATIVE_MODE
    if attr_key in _OWN or attr_key == "device_target":
        return context.get_context(attr_key)
    if attr_key not in _KEPT and attr_key not in _kept:
        raise ValueError(
            f"For 'context.get_context', the argument {attr_key} is not recognized!" + _DETAILS.format("get_context")
        )
    return _kept.get(attr_key, _KEPT.get(attr_key))


def get_jit_config() -> dict[str, Any]:
    """What `set_context(jit_config=...)` was given last."""
    return dict(get_context("jit_config") or {})


def set_device(device_target: str, device_id: int | None = None) -> None:
    """Choose a device. Those that are not here are accepted, with one notice: the CPU computes."""
    settings_checked.require_types({"device_target": device_target, "device_id": device_id})
    if device_target not in ("CPU", "GPU", "Ascend"):
        raise ValueError(
            f"The argument 'device_target' must be one of ['CPU', 'GPU', 'Ascend'], but got {device_target}."
        )
    if device_id is not None and device_id < 0:
        raise ValueError("The device id must bigger than or equal to 0.")
    if device_target == "CPU":
        return
    try:
        context.set_context(device_target=device_target)
    except (RuntimeError, ValueError):
        notice("device_target", f"device_target={device_target!r} is not available: jitcore computes on the CPU")


def set_deterministic(deterministic: bool) -> None:
    """Results are the same in every run, whatever is asked."""
    if not isinstance(deterministic, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"The parameter 'deterministic' must be <class 'bool'>, but got {type(deterministic)}")


def set_recursion_limit(recursion_limit: int = 1000) -> None:
    """MindSpore's limit for its compiler; jitcore has none but for what recursion without end is told by. It is none of
    the settings."""
    whole = isinstance(recursion_limit, int)  # pyright: ignore[reportUnnecessaryIsInstance]
    if isinstance(recursion_limit, bool) or not whole:
        raise TypeError(f"The input value must be int, but got '{type(recursion_limit).__name__}'")
    if recursion_limit <= 0:
        raise ValueError(f"The input value must be int and must > 0, but got '{recursion_limit}' with type 'int'.")
    _limit[:] = [recursion_limit]


def recursion_limit() -> int:
    """How deep calls may be."""
    return _limit[0]


class ParallelMode:
    """How MindSpore would spread a network over devices."""

    STAND_ALONE = "stand_alone"
    DATA_PARALLEL = "data_parallel"
    HYBRID_PARALLEL = "hybrid_parallel"
    SEMI_AUTO_PARALLEL = "semi_auto_parallel"
    AUTO_PARALLEL = "auto_parallel"
    MODE_LIST = (STAND_ALONE, DATA_PARALLEL, HYBRID_PARALLEL, SEMI_AUTO_PARALLEL, AUTO_PARALLEL)


_PARALLEL: Final[dict[str, Any]] = {
    "device_num": 1, "global_rank": 0, "gradients_mean": False, "gradient_fp32_sync": True, "loss_repeated_mean": True,
    "parallel_mode": ParallelMode.STAND_ALONE, "search_mode": "recursive_programming", "full_batch": False,
    "parameter_broadcast": False, "auto_parallel_search_mode": "recursive_programming",
    "dataset_strategy": "data_parallel", "enable_parallel_optimizer": False, "enable_alltoall": False,
    "pipeline_stages": 1, "strategy_ckpt_load_file": "", "strategy_ckpt_save_file": "",
    "all_reduce_fusion_config": None, "grad_accumulation_step": 1, "comm_fusion": None,
    "communi_parallel_mode": "all_group_parallel", "optimizer_weight_shard_size": -1, "group_ckpt_save_file": "",
    "parallel_optimizer_config": None, "strategy_ckpt_config": None, "optimizer_weight_shard_aggregated_save": False,
    "sharding_propagation": False, "parallel_optimizer_threshold": 64, "pipeline_config": None,
    "pipeline_result_broadcast": False, "pipeline_segments": 1, "force_fp32_communication": False,
    "auto_pipeline": False, "dump_local_norm": False,
}  # fmt: skip
_parallel: dict[str, Any] = {}


def set_auto_parallel_context(*given: Any, **values: Any) -> None:
    """Settings for several devices: kept, with one notice, since there is one. Raises what MindSpore does for unknown
    names and values."""
    if given:
        raise TypeError("too many positional arguments")
    settings_checked.require_types(values, parallel_checked.TYPES)
    for name, value in values.items():
        if name not in _PARALLEL:
            raise ValueError(f"Set context keyword {name} is not recognized!")
        parallel_checked.require_fit(name, value)
    if any(value != _PARALLEL[name] for name, value in values.items()):
        notice("parallel", "networks are not spread over devices: jitcore computes on one CPU")
    _parallel.update(values)


def get_auto_parallel_context(attr_key: str) -> Any:
    """A setting for several devices."""
    if attr_key not in _PARALLEL:
        raise ValueError(f"Get context keyword {attr_key} is not recognized!")
    return _parallel.get(attr_key, _PARALLEL[attr_key])


def reset_auto_parallel_context() -> None:
    """Return the settings for several devices to their defaults."""
    _parallel.clear()


class CompileConfig:
    """The switches of MindSpore's compiler, all off (""). They can be set; the one that means something here is
    GRAD_FOR_SCALAR: gradients are by Python's numbers, too."""

    GRAD_FOR_SCALAR: Any = ""

    def __getattr__(self, name: str) -> str:
        if not name.isupper():
            raise AttributeError(f"compile_config has no switch {name!r}")
        return ""


compile_config: Final = CompileConfig()


__all__ = [
    "COMPATIBLE", "DEBUG", "GRAPH_MODE", "LAX", "PYNATIVE_MODE", "RELEASE", "STRICT", "ParallelMode",
    "get_auto_parallel_context", "get_context", "reset_auto_parallel_context", "set_auto_parallel_context",
    "set_context", "set_deterministic", "set_device", "set_recursion_limit",
]  # fmt: skip
