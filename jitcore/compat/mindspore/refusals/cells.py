"""MindSpore's words for calls of Cells with another number of arguments, for attributes of Cells, and for what
containers of Cells do not hold."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, Final

from jitcore.common.parameter import Parameter
from jitcore.compat.mindspore import context
from jitcore.compat.mindspore.refusals import jitting, user_calls
from jitcore.nn import Cell
from jitcore.runtime.tensor import Tensor


def worded(cls: type, given: Mapping[str, Any], error: BaseException) -> BaseException:
    """MindSpore's exception for what a Cell or a container of Cells was given."""
    if "called" in given:
        called = given["called"], given["args"], given["keywords"]
        return _called(*called, error) if context.is_graph_mode() else error
    if "part" in given:
        return _uninitialised(cls, given["part"])
    if "attribute" in given:
        return _of_another_kind(**given)
    return TypeError(
        f"For '{cls.__name__}', each cell must be subclass of Cell, but got {type(given['cell']).__name__}."
    )


def _called(cell: Cell, args: tuple[Any, ...], keywords: Mapping[str, Any], error: BaseException) -> BaseException:
    """For the arguments of `construct`: the positional ones are counted, where there are others they are bound; and for
    a Cell that has none."""
    if isinstance(error, AttributeError):
        return user_calls.of_no_construct(error)
    if not isinstance(error, TypeError) or "construct()" not in str(error):
        return error
    if keywords:
        try:
            inspect.signature(cell.construct).bind(*args, **keywords)
        except TypeError as unbound:
            return unbound
    told = jitting.miscounted(
        "For 'Cell', the function construct requires", inspect.signature(cell.construct), len(args)
    )
    if told is None:
        return error
    if "total" in str(told):
        return told
    return TypeError(
        f"{told} When using set_inputs, please make sure that all networks and loss functions "
        "are configured with set_inputs."
    )


def _uninitialised(cls: type, part: Any) -> AttributeError:
    """For a Cell whose `__init__` has not run, by what becomes a part of it (None: it is called)."""
    if isinstance(part, Parameter):
        return AttributeError("For 'insert_param_to_cell', please call Cell.__init__() firstly.")
    if part is None and context.is_graph_mode():
        return AttributeError(
            f"The '{cls.__name__}' object does not inherit attribute from 'cell'. Please use 'super().__init__()'."
        )
    return _missing(cls, "_init_flag" if part is None else "_auto_prefix")


def _missing(cls: type, name: str) -> AttributeError:
    return AttributeError(f"The '{cls.__name__}' object has no attribute '{name}'.", name=name)


def _of_another_kind(attribute: str, kind: type, value: Any) -> BaseException:
    """For an attribute that holds a Parameter or a Cell, and is given what is none."""
    if isinstance(value, Parameter):
        return _taken("insert_param_to_cell", attribute, "parameter")
    if isinstance(value, Cell):
        return _taken("insert_child_to_cell", attribute, "child cell")
    held, word = ("Parameter", "parameter") if kind is Parameter else ("Sub cell", "cell")
    shown = "<class 'mindspore.common.tensor.Tensor'>" if isinstance(value, Tensor) else str(type(value))
    return TypeError(
        f"{held} '{attribute}' already exists in network, can not assign this type: '{shown}' as a {word}."
    )


def _taken(function: str, name: str, kind: str) -> KeyError:
    return KeyError(
        f"For '{function}', the {name} {kind} already exists in the network."
        f"Cannot insert another {kind} with the same name."
    )


_NAMES: Final = """
    IGNORE_LIST T_destination add_flags add_flags_recursive apply bprop_debug buffers cast_inputs cell_init_args cells
    cells_and_names check_names check_names_and_refresh_name cls_name compile compile_and_run compile_cache
    compile_phase compiled construct create_time exist_names exist_objs extend_repr generate_scope get_buffer
    get_extra_state get_flags get_func_graph_proto get_inputs get_mixed_precision_type get_parameters get_scope
    get_sub_cell global_cells init_parameters_data insert_child_to_cell insert_param_to_cell jit_config_dict
    load_state_dict name_cells named_buffers offload parallel_parameter_merge_net_dict parallel_parameter_name_list
    param_prefix parameter_layout_dict parameters_and_names parameters_broadcast_dict parameters_dict phase phase_cache
    pipeline_segment pipeline_stage recompute register_backward_hook register_backward_pre_hook register_buffer
    register_forward_hook register_forward_pre_hook register_load_state_dict_post_hook register_load_state_dict_pre_hook
    register_parameter_forward_hook register_saved_tensors_hooks register_state_dict_post_hook
    register_state_dict_pre_hook remove_redundant_parameters run_construct set_boost set_broadcast_flag set_comm_fusion
    set_data_parallel set_extra_state set_grad set_inputs set_jit_config set_mixed_precision_type set_train shard
    state_dict to to_empty to_float total_instance_count trainable_params untrainable_params update_cell_prefix
    update_cell_type update_parameters_name
    """
_METHODS: Final = frozenset(_NAMES.split())
"""The attributes of MindSpore's class Cell."""


def require_new(cell: Cell, name: str, value: Parameter | Cell) -> None:
    """Raise KeyError for a Parameter or Cell that a user's Cell is given by the name of one of the attributes of its
    classes."""
    held = vars(cell).get("_params" if isinstance(value, Parameter) else "_cells", ())
    users = [cls for cls in type(cell).__mro__ if not cls.__module__.startswith("jitcore.") and cls is not object]
    if not users or name in held or not (name in _METHODS or any(name in vars(cls) for cls in users)):
        return
    if isinstance(value, Parameter):
        raise _taken("insert_param_to_cell", name, "parameter")
    raise _taken("insert_child_to_cell", name, "child cell")


def attribute(self: Cell, name: str) -> Any:
    """What a Cell says of an attribute that it does not have, a subclass's `__getattr__` too. Raises AttributeError."""
    raise _missing(type(self), name)
