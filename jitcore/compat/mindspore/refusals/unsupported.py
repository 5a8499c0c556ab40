"""Methods and attributes of Tensors, Parameters and Cells that MindSpore's compiler does not take:
`Failed to compile in GRAPH_MODE because …`."""

from __future__ import annotations

from typing import Any, Final

_PARAMETER: Final = frozenset(
    [
        "add_pipeline_stage", "asnumpy", "assign_value_cpp", "cache_enable", "cache_shape", "comm_fusion", "const_arg",
        "convert_bytes_to_tensor", "data_sync", "device", "from_dlpack", "from_numpy", "get_bytes",
        "getitem_index_info", "hooks", "index_of_parent_", "init", "init_data", "init_finished", "init_flag",
        "inited_param", "is_contiguous", "is_init", "is_meta", "is_pinned", "is_shared", "key", "layerwise_parallel",
        "name", "offload", "offload_file_path", "parallel_optimizer", "parallel_optimizer_comm_recompute", "param_info",
        "parent_tensor_", "pin_memory", "remove_hook", "requires_grad", "requires_grad_", "set_", "set_cast_dtype",
        "set_data", "set_device_address", "set_dtype", "set_init_flag", "set_param_info", "setitem_index_info",
        "sliced", "storage", "storage_offset", "stride", "symbolic_shape", "to_dlpack", "untyped_storage",
        "virtual_flag", "wait_pipeline",
    ]
)  # fmt: skip
_CELL: Final = frozenset(
    [
        "buffers", "get_buffer", "get_parameters", "get_sub_cell", "load_state_dict", "named_buffers",
        "register_backward_hook", "register_backward_pre_hook", "register_buffer", "register_forward_hook",
        "register_forward_pre_hook", "register_load_state_dict_post_hook", "register_load_state_dict_pre_hook",
        "register_saved_tensors_hooks", "register_state_dict_post_hook", "register_state_dict_pre_hook", "state_dict",
        "to", "to_empty", "trainable_params", "untrainable_params",
    ]
)  # fmt: skip


def of_a_parameter(name: str) -> RuntimeError | None:
    """The answer to `parameter.name`."""
    if name not in _PARAMETER:
        return None
    return _refusal(f"the 'Parameter' object's method '{name}'", f"the 'Parameter.{name}'")


def of_a_tensor(name: str) -> RuntimeError | None:
    """The answer to `tensor.name`."""
    if name not in ("assign_value", "set_const_arg"):
        return None
    return _refusal(f"the 'Tensor' object's method '{name}'", f"the 'Tensor.{name}'")


def of_a_cell(cell: Any, name: str) -> RuntimeError | None:
    """The answer to `cell.name`, if that is Cell's own method."""
    owner = next((base for base in type(cell).__mro__ if name in base.__dict__), None)
    if name not in _CELL or owner is None or owner.__name__ != "Cell":
        return None
    what = f"the method or function 'mindspore.nn.cell.Cell.{name}'"
    return _refusal(what, what)


def _refusal(what: str, meant: str) -> RuntimeError:
    function = "function with @jit decorator"
    return RuntimeError(
        f"Failed to compile in GRAPH_MODE because {what} is not supported in 'construct' or {function}. "
        f"Try to use {meant} externally such as initialized in the method '__init__' before assigning."
    )
