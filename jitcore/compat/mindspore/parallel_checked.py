"""The values that MindSpore's settings for several devices take, and what it says of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from jitcore.compat.mindspore.checking import Validator

TYPES: Final[dict[str, type]] = {
    **dict.fromkeys(
        ("device_num", "global_rank", "pipeline_stages", "pipeline_segments", "optimizer_weight_shard_size"), int
    ),
    **dict.fromkeys(
        (
            "gradients_mean", "gradient_fp32_sync", "parameter_broadcast", "full_batch", "enable_parallel_optimizer",
            "enable_alltoall", "pipeline_result_broadcast", "force_fp32_communication", "loss_repeated_mean",
        ),
        bool,
    ),
    **dict.fromkeys(
        (
            "parallel_mode", "auto_parallel_search_mode", "search_mode",
            "strategy_ckpt_load_file", "strategy_ckpt_save_file",
        ),
        str,
    ),
    **dict.fromkeys(("parallel_optimizer_config", "pipeline_config", "comm_fusion", "strategy_ckpt_config"), dict),
    "all_reduce_fusion_config": list,
}  # fmt: skip
"""Those whose types are looked at first."""

_SUBJECT: Final = "For 'set_auto_parallel_context', the"
_ARGUMENT: Final = f"{_SUBJECT} argument"


def _method(name: str) -> str:
    return f"For 'set_auto_parallel_context().set_{name}', the argument"


def _at_least(value: Any, least: int, fault: str) -> None:
    if value < least:
        raise ValueError(fault)


def _one_of(value: Any, known: tuple[str, ...], fault: str) -> None:
    if value not in known:
        raise ValueError(f"{fault} {value}.")


_SEARCHES: Final = ("recursive_programming", "dynamic_programming", "sharding_propagation")


def _search(shown: str, value: Any) -> None:
    _one_of(
        value,
        _SEARCHES,
        f"The context configuration parameter '{shown}' only support 'recursive_programming', 'dynamic_programming' "
        "and 'sharding_propagation', but got the value:",
    )


def _dataset_strategy(value: Any) -> None:
    if isinstance(value, str):
        known = ("full_batch", "data_parallel")
        _one_of(
            value,
            known,
            f"{_ARGUMENT} 'dataset_strategy' must be 'full_batch' or 'data_parallel', but got the value :",
        )
        return
    if not isinstance(value, tuple):
        raise TypeError(f"{_ARGUMENT} 'dataset_strategy' must be str or tuple type, but got the type : {type(value)}.")
    element = f"{_SUBJECT} element of argument 'dataset_strategy' must be"
    for item in value:
        if not isinstance(item, tuple):
            raise TypeError(f"{element} tuple, but got the type : {type(item)} .")
        for extent in item:
            if not isinstance(extent, int):
                raise TypeError(f"{element} int type, but got the type : {type(extent)} .")


def _indices(value: Any) -> None:
    subject = _method("all_reduce_fusion_split_indices")
    if not value:
        raise ValueError(f"{subject} 'indices' can not be empty")
    for index in value:
        if not isinstance(index, int) or isinstance(index, bool):
            raise TypeError(f"{subject} 'index' must be int, but got the type : {type(index)} .")
    if len(set(value)) != len(value):
        raise ValueError("The indices has duplicate elements")
    if sorted(value) != value:
        raise ValueError(
            f"{subject.removesuffix('argument')}elements in argument 'indices' must be sorted in ascending order"
        )


def _fusion(value: Mapping[str, Any]) -> None:
    for key, config in value.items():
        if key == "openstate":
            if not isinstance(config, bool):
                raise TypeError(f"For 'comm_fusion', the 'openstate' must be bool, but got the type : {type(config)}.")
        elif key in ("allreduce", "allgather", "reducescatter"):
            _fusion_of(key, config)
        else:
            raise KeyError(f"comm fusion type must be openstate,allreduce, allgather or reducescatter, but got {key}")


def _fusion_of(kind: str, config: Any) -> None:
    of_all = kind == "allreduce"
    if not isinstance(config, dict):
        shown = f"the '{kind}'" if of_all else kind
        raise TypeError(f"For 'comm_fusion', {shown} config must be dict, but got the type : {type(config)}.")
    for key in ("mode", "config"):
        if key not in config:
            raise KeyError(f"For 'comm_fusion', the key '{key}' should be contained.")
    mode = config["mode"]
    if mode not in ("auto", "size", *(("index",) if of_all else ())):
        known = "auto, index or size" if of_all else "auto or size"
        raise KeyError(f"fusion method mode must be {known}, but got {mode}")
    if mode == "size":
        _at_least(config["config"], 0, f"fusion threshold must be larger than 0, but got {config['config']}")
    if mode == "index":
        _indices(config["config"])


def _require_keys(config: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in config:
        if key not in known:
            raise ValueError(f"Unknown config: {[key]}")


def _checkpoint(config: Mapping[str, Any]) -> None:
    types = {"load_file": str, "save_file": str, "only_trainable_params": bool}
    _require_keys(config, tuple(types))
    for key, wanted in types.items():
        if key in config and not isinstance(config[key], wanted):
            raise TypeError(
                f"{_method('strategy_ckpt_config')} '{key}' must be {wanted.__name__},"
                f"{' ' if wanted is bool else ''} but got the type : {type(config[key])} ."
            )


def _optimizer(config: Mapping[str, Any]) -> None:
    shard, threshold = "gradient_accumulation_shard", "parallel_optimizer_threshold"
    size, level = "optimizer_weight_shard_size", "optimizer_level"
    _require_keys(config, (shard, threshold, size, level))
    if shard in config:
        Validator.check_bool(config[shard], shard, shard)
    if threshold in config:
        Validator.check_non_negative_int(config[threshold], prim_name=threshold)
    if config.get(size, -1) != -1:
        Validator.check_positive_int(config[size], prim_name=size)
    if level in config and config[level] not in ("level1", "level2", "level3"):
        raise ValueError(f"Optimizer level should in ['level1', 'level2', 'level3'], but got {config[level]}")


def _accumulation(value: Any) -> None:
    if value > 1:
        raise ValueError(
            "The interface is deprecated. To use gradient accumulation, please use GradAccumulationCell in "
            "mindspore.nn.wrap.cell_wrapper."
        )
    Validator.check_positive_int(value, prim_name="grad_accumulation_step")


def _communication(value: Any) -> None:
    subject = f"{_method('communi_parallel_mode')} 'communi_parallel_mode'"
    if not isinstance(value, str):
        raise TypeError(f"{subject} must be str, but got the type : {type(value)}.")
    _one_of(
        value,
        ("all_group_parallel", "same_server_group_parallel", "no_group_parallel"),
        f"{subject} only support 'ALL_GROUP_PARALLEL', 'SAME_SEVER_GROUP_PARALLEL' and "
        "'NO_GROUP_PARALLEL', but got the value :",
    )


def _plain_int(name: str) -> Callable[[Any], None]:
    def check(value: Any) -> None:
        if isinstance(value, bool):
            raise TypeError(f"{_ARGUMENT} '{name}' must be int, but got the type : {type(value)}.")
        what = name.removeprefix("pipeline_")
        _at_least(
            value, 1, f"{_ARGUMENT} '{name}' should be greater or equal 1, but got the value of {what} : {value}."
        )

    return check


def _shard_size(value: Any) -> None:
    if isinstance(value, bool):
        raise TypeError(f"The type of optimizer_weight_shard_size must be int,                 but got {type(value)}.")


def _flag(fault: str) -> Callable[[Any], None]:
    def check(value: Any) -> None:
        if not isinstance(value, bool):
            raise TypeError(fault.format(type(value)))

    return check


_MODES: Final = ("stand_alone", "data_parallel", "hybrid_parallel", "semi_auto_parallel", "auto_parallel")
_CONFIGURED: Final = "The context configuration parameter"
_CHECKS: Final[dict[str, Callable[[Any], None]]] = {
    "device_num": lambda value: _at_least(
        value, 1, f"{_CONFIGURED} 'device_num' must be a positive integer, but got the value of device_num : {value}."
    ),
    "global_rank": lambda value: _at_least(
        -1 if value > 4095 else value,
        0,
        f"{_CONFIGURED} 'global_rank' must be in [0, 4095], but got the value of global_rank : {value}.",
    ),
    "pipeline_stages": _plain_int("pipeline_stages"),
    "pipeline_segments": _plain_int("pipeline_segments"),
    "parallel_mode": lambda value: _one_of(
        value,
        _MODES,
        f"{_CONFIGURED} 'parallel_mode' only support 'stand_alone', 'data_parallel', 'hybrid_parallel', "
        "'semi_auto_parallel' and 'auto_parallel', but got the value :",
    ),
    "search_mode": lambda value: _search("auto_parallel_search_mode", value),
    "auto_parallel_search_mode": lambda value: _search("search_mode", value),
    "dataset_strategy": _dataset_strategy,
    "all_reduce_fusion_config": _indices,
    "comm_fusion": _fusion,
    "strategy_ckpt_config": _checkpoint,
    "parallel_optimizer_config": _optimizer,
    "grad_accumulation_step": _accumulation,
    "communi_parallel_mode": _communication,
    "optimizer_weight_shard_size": _shard_size,
    "sharding_propagation": _flag(
        f"{_method('sharding_propagation')} 'sharding_propagation' must be bool, but got the type : {{}}."
    ),
    "optimizer_weight_shard_aggregated_save": _flag("optimizer_weight_shard_aggregated_save is invalid type"),
}  # fmt: skip


def require_fit(name: str, value: Any) -> None:
    """Raise TypeError, ValueError or KeyError for a value that a setting does not take."""
    if name in _CHECKS:
        _CHECKS[name](value)
