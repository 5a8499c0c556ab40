"""MindSpore's checks of what is done to Cells, containers of Cells and Parameters line by line: run before jitcore's
own methods.

    net.insert_child_to_cell("a.b", nn.ReLU())
    # KeyError: For 'insert_child_to_cell', the parameter 'child_name' can not be None and can not contain '.'

Compiled code calls none of these methods.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Any, Final, cast

import jitcore
from jitcore.common.parameter import ParameterTuple
from jitcore.compat.mindspore import adopting
from jitcore.compat.mindspore.checking import Validator
from jitcore.compat.mindspore.refusals import cells, eager_methods, evaluating, inputs, method_forms, tensors
from jitcore.compat.mindspore.refusals.naming import native_class
from jitcore.compat.mindspore.tensor import Parameter, Tensor
from jitcore.nn import Cell, CellDict, CellList, SequentialCell
from jitcore.nn.options import Options
from jitcore.train import Model
from jitcore.types import f16, f32

Check = Callable[..., None]


def _insert_child(cell: Cell, child_name: Any, child_cell: Any) -> None:
    where = "For 'insert_child_to_cell', the"
    if not isinstance(child_name, str):
        raise TypeError(f"{where} type of parameter 'child_name' must be str, but got {type(child_name)}.")
    if not child_name or "." in child_name:
        raise KeyError(f"{where} parameter 'child_name' can not be None and can not contain '.' ")
    if hasattr(cell, child_name) and child_name not in _cells(cell):
        raise KeyError(_present("child_to_cell", child_name, "child cell"))
    if child_cell is not None and not isinstance(child_cell, Cell):
        raise TypeError(
            f"{where} argument 'child_cell' must be 'Cell' if not None, but got type {native_class(child_cell)}."
        )


def _insert_param(cell: Cell, param_name: Any, param: Any, check_name_contain_dot: bool = True) -> None:
    where = "For 'insert_param_to_cell', the argument"
    if param_name and check_name_contain_dot and "." in param_name:
        raise KeyError(f"{where} 'param_name' should not contain'.' ")
    if param_name and hasattr(cell, param_name) and param_name not in _params(cell):
        raise KeyError(_present("param_to_cell", param_name, "parameter"))
    if param is not None and not isinstance(param, jitcore.Parameter):
        raise TypeError(f"{where} 'param' must be 'Parameter' if not None, but got {native_class(param)}.")


def _present(method: str, name: str, what: str) -> str:
    return (
        f"For 'insert_{method}', the {name} {what} already exists in the network."
        f"Cannot insert another {what} with the same name."
    )


def _cells(cell: Cell) -> Mapping[str, Any]:
    return cell.__dict__.get("_cells", {})


def _params(cell: Cell) -> Mapping[str, Any]:
    return cell.__dict__.get("_params", {})


def _require_names(cell: Cell, name: str, value: Any) -> None:
    """A user's Cell is given no Parameters and Cells by the names of its classes' attributes; Parameters of a sequence
    have names of their own."""
    if isinstance(value, jitcore.Parameter | Cell):
        cells.require_new(cell, name, value)
    if not isinstance(value, tuple | list) or not value or not all(isinstance(p, jitcore.Parameter) for p in value):
        return
    if type(cell).__module__.startswith("jitcore."):
        return
    names: dict[str, Any] = {}
    for p in value:
        if p.name != "Parameter" and names.setdefault(p.name, p) is not p:
            raise ValueError(
                f"The value {value} , its name '{p.name}' already exists. Please set a unique name for the parameter."
            )


def _to_float(cell: Cell, dst_type: Any) -> None:
    if dst_type not in (f16, f32):
        raise ValueError(
            "For 'to_float', the argument 'dst_type' must be mstype.float32, mstype.float16 or mstype.bfloat16, but "
            f"got type: {native_class(dst_type)} and value: {dst_type}."
        )


def _hook(cell: Cell, hook_fn: Any, *rest: Any, **keywords: Any) -> None:
    if not callable(hook_fn):
        raise TypeError(f"Expected a callable hook function, but got {type(hook_fn).__name__}.")


def _buffer(cell: Cell, name: Any, tensor: Any, persistent: bool = True) -> None:
    if not isinstance(name, str):
        raise TypeError(f"buffer name should be a string.But got this type: {type(name)}")
    if "." in name:
        raise KeyError('buffer name can\'t contain "."')
    if not name:
        raise KeyError('buffer name can\'t be empty string ""')
    if hasattr(cell, name) and name not in cell._buffers:  # pyright: ignore[reportPrivateUsage]
        raise KeyError(f"attribute '{name}' already exists")
    if tensor is not None and not isinstance(tensor, jitcore.Tensor):
        raise TypeError(
            f"cannot assign '{native_class(tensor)}' object to buffer '{name}' (mindspore Tensor or None required)"
        )


def _state_dict(cell: Cell, state_dict: Any, strict: bool = True) -> None:
    if not isinstance(state_dict, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")


def _sub_cell(cell: Cell, target: Any) -> None:
    found: Any = cell
    for name in target.split(".") if target != "" else ():
        if not hasattr(found, name):
            raise AttributeError(f"{type(found).__name__} has no attribute `{name}`")
        found = getattr(found, name)
        if not isinstance(found, Cell):
            raise AttributeError(f"`{name}` is not an nn.Cell")


def _comm_fusion(cell: Cell, fusion_type: Any, recurse: bool = True) -> None:
    Validator.check_non_negative_int(fusion_type)


_RECOMPUTED: Final = ("mp_comm_recompute", "parallel_optimizer_comm_recompute", "recompute_slice_activation")


def _recompute(cell: Cell, *args: Any, **keywords: Any) -> None:
    if args:
        raise TypeError("too many positional arguments")
    for name, value in keywords.items():
        if name in _RECOMPUTED and not isinstance(value, bool):
            raise TypeError(f"The parameter '{name}' must be {bool}, but got {type(value)}")
    for name in keywords:
        if name not in _RECOMPUTED:
            raise ValueError(
                f"For 'recompute', keyword '{name}' is not recognized! the key kwargs must be {str(_RECOMPUTED)[1:-1]}"
            )


def _boost(cell: Cell, boost_type: Any) -> None:
    if boost_type not in ("less_bn", "grad_freeze", "adasum"):
        raise ValueError(f"For 'set_boost', the argument 'boost_type' must be 'less_bn', but got {boost_type}.")


def _jit_config(cell: Cell, jit_config: Any) -> None:
    if not hasattr(jit_config, "jit_config_dict"):
        raise AttributeError(f"'{type(jit_config).__name__}' object has no attribute 'jit_config_dict'")


def _bool_property(name: str) -> Check:
    def check(cell: Cell, value: Any) -> None:
        if not isinstance(value, bool):
            raise TypeError(f"For 'Cell', the property '{name}' must be bool type, but got type {type(value)}.")

    return check


# --- containers -------------------------------------------------------------------------------------


def _is_cell(container: Cell, cell: Any) -> None:
    if not isinstance(cell, Cell):
        name = type(container).__name__
        raise TypeError(f"For '{name}', each cell must be subclass of Cell, but got {type(cell).__name__}.")


def _set_item(container: Any, index: Any, cell: Any) -> None:
    subject = f"For '{type(container).__name__}', the type of 'index' must be"
    if isinstance(container, CellList):
        if not isinstance(index, int):
            _is_cell(container, cell)
            raise TypeError(f"{subject} int, but got {type(index).__name__}.")
        container[index]
        if not isinstance(cell, Cell):
            raise AttributeError(f"'{type(cell).__name__}' object has no attribute 'update_parameters_name'")
    elif isinstance(index, int):
        _is_cell(container, cell)


def _delete_item(container: Any, index: Any) -> None:
    if not isinstance(index, int | slice):
        raise TypeError(
            f"For 'SequentialCell', the type of index must be int type or slice type, but got {type(index).__name__}"
        )


def _insert(container: Any, index: Any, cell: Any) -> None:
    name = type(container).__name__
    if not isinstance(index, int):
        raise TypeError(f"For '{name}', the type of 'index' must be int, but got {type(index).__name__}.")
    if -len(container) <= index <= len(container):
        _is_cell(container, cell)


def _extend(container: Any, cells: Any) -> None:
    if not isinstance(cells, list):
        raise TypeError(
            f"For '{type(container).__name__}', the new cells wanted to append should be instance of list, but got "
            f"{type(cells).__name__}."
        )


def _put(container: CellDict, key: Any, cell: Any) -> None:
    if not isinstance(key, str):
        raise TypeError(f"For 'CellDict', the type of key should be string but got {type(key).__name__}.")
    if hasattr(container, key) and key not in _cells(container):
        raise KeyError(f"For 'CellDict', the key can not be same with the attributes of Cell, but got key {key}.")
    if "." in key:
        raise KeyError(f"For 'CellDict', key can not contain \".\", but got key {key}")
    if not key:
        raise KeyError(f"For 'CellDict', key can not be empty string \"\", but got key {key}")
    if cell is None:
        raise TypeError("For 'CellDict', cell can not be None.")
    if not isinstance(cell, Cell):
        raise TypeError(f"For 'CellDict', the type of cell should be Cell, but got {type(cell).__name__}.")
    if isinstance(cell, CellDict | CellList | SequentialCell):
        raise TypeError(
            "For 'CellDict', the type of cell can not be CellDict, CellList or SequentialCell, but got "
            f"{type(cell).__name__}."
        )


def _update(container: CellDict, cells: Any) -> None:
    if not isinstance(cells, Iterable):
        name = type(cells).__name__
        raise TypeError(f"CellDict.update() should be called with an iterable of key-value pairs, but got {name}")
    if isinstance(cells, Mapping | CellDict):
        return
    for k, pair in enumerate(cells):  # pyright: ignore[reportUnknownVariableType]
        subject = f"CellDict update sequence element #{k}"
        if not isinstance(pair, Iterable):
            raise TypeError(f"{subject} should be Iterable; but got {type(pair).__name__}")
        if len(pair) != 2:  # type: ignore[arg-type]
            raise ValueError(f"{subject}, length should be 2; but has length {len(pair)}")  # type: ignore[arg-type]


def _not_called(container: Cell, *inputs: Any) -> None:
    raise NotImplementedError


# --- Parameters -------------------------------------------------------------------------------------

_FLAGS: Final = {
    "requires_grad": "`requires_grad` must be bool type",
    "layerwise_parallel": "`layerwise_parallel` must be bool type.",
    "parallel_optimizer": "`parallel_optimizer` must be bool type.",
    "cache_enable": "`cache_enable` must be bool type.",
}


def _parameter_attribute(parameter: Parameter, name: str, value: Any) -> None:
    if name == "name" and value is not None:
        tensors.require_name(value)
    elif name in _FLAGS and not isinstance(value, bool):
        raise TypeError(f"The argument {_FLAGS[name]}")
    elif name == "comm_fusion":
        Validator.check_non_negative_int(value)
    elif name == "key" and not isinstance(value, int):
        raise TypeError("The argument `key` must be int type.")


def _prefix(parameters: ParameterTuple, prefix: Any, init: Any = "same") -> None:
    if not isinstance(prefix, str):
        raise TypeError(f"expected string or bytes-like object, got '{type(prefix).__name__}'")
    Validator.check_str_by_regular(prefix)


_CHECKS: Final[dict[tuple[type, str], Check]] = {
    (Cell, "insert_child_to_cell"): _insert_child,
    (Cell, "insert_param_to_cell"): _insert_param,
    (Cell, "_require_kind"): _require_names,
    (Cell, "set_inputs"): inputs.check,
    (Cell, "to_float"): _to_float,
    **{
        (Cell, f"register_{kind}_hook"): _hook
        for kind in ("forward", "forward_pre", "backward", "backward_pre")
    },
    (Cell, "register_buffer"): _buffer,
    (Cell, "load_state_dict"): _state_dict,
    (Cell, "get_sub_cell"): _sub_cell,
    (Cell, "set_comm_fusion"): _comm_fusion,
    (Cell, "recompute"): _recompute,
    (Cell, "set_boost"): _boost,
    (Cell, "set_jit_config"): _jit_config,
    (CellList, "__setitem__"): _set_item,
    (CellList, "insert"): _insert,
    (CellList, "extend"): _extend,
    (CellList, "construct"): _not_called,
    (SequentialCell, "__setitem__"): _set_item,
    (SequentialCell, "__delitem__"): _delete_item,
    (CellDict, "__setitem__"): _put,
    (CellDict, "update"): _update,
    (CellDict, "construct"): _not_called,
    (jitcore.Parameter, "__setattr__"): _parameter_attribute,
    (ParameterTuple, "clone"): _prefix,
}  # fmt: skip


def _checked(method: Callable[..., Any], check: Check) -> Callable[..., Any]:
    """A method that is checked first, where the arguments fit the check."""
    signature = inspect.signature(check)

    @functools.wraps(method)
    def call(*args: Any, **keywords: Any) -> Any:
        try:
            signature.bind(*args, **keywords)
        except TypeError:
            return method(*args, **keywords)
        check(*args, **keywords)
        return method(*args, **keywords)

    return call


def _always_checked(method: Callable[..., Any], check: Check) -> Callable[..., Any]:
    """As `_checked`, for what is called often and always with the same number of arguments."""

    @functools.wraps(method)
    def call(*args: Any) -> Any:
        check(*args)
        return method(*args)

    return call


def _loading(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(cell: Cell, *args: Any, **keywords: Any) -> Any:
        try:
            return method(cell, *args, **keywords)
        except RuntimeError as error:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(cell).__name__}:\n\t{error}") from None

    return call


def _adopting(init: Callable[..., None]) -> Callable[..., None]:
    """How a Model is made, what it makes around a network being MindSpore's."""

    @functools.wraps(init)
    def __init__(self: Model, *args: object, **keywords: object) -> None:
        init(self, *args, **keywords)
        adopting.adopt(list(vars(self).values()))

    return __init__


# --- how they are shown -----------------------------------------------------------------------------


def _shown(cell: Cell) -> str:
    """As MindSpore shows a Cell: `Dense(input_channels=3, …)`, Cells in it on lines of their own."""
    extra, name = cell.extend_repr(), type(cell).__name__
    if not _cells(cell):
        return f"{name}({extra})" if "\n" not in extra else f"{name}(\n  {extra.replace(chr(10), chr(10) + '  ')}\n)"
    lines = extra.split("\n") if extra else []
    lines += [f"({key}): {part!r}".replace("\n", "\n  ") for key, part in _cells(cell).items()]
    return f"{name}(\n  " + "\n  ".join(lines) + "\n)"


def provide() -> None:
    """Give MindSpore's classes the methods that check."""
    for (cls, name), check in (_CHECKS | evaluating.CHECKS).items():
        wrap = _always_checked if name in ("_require_kind", "__setattr__") else _checked
        adopting.checked.setdefault(cls, {})[name] = wrap(getattr(cls, name), check)
    of_cells = adopting.checked[Cell]
    debug = cast(property, Options.__dict__["bprop_debug"])
    of_cells["bprop_debug"] = debug.setter(_checked(cast(Any, debug.fset), _bool_property("bprop_debug")))
    of_cells["load_state_dict"] = _loading(of_cells["load_state_dict"])
    of_cells["__repr__"] = _shown
    of_cells["__getattr__"] = cells.attribute
    of_models = adopting.checked[Model]
    of_models["__init__"] = _adopting(of_models["__init__"])
    for name, method in adopting.checked.pop(jitcore.Parameter).items():
        setattr(Parameter, name, method)
    Parameter.__str__ = Parameter.__repr__
    for name in method_forms.table():
        method = jitcore.Tensor.__dict__.get(name)
        if isinstance(method, FunctionType):
            setattr(Tensor, name, eager_methods.checked(name, method))
