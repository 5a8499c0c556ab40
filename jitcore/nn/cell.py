"""Cell: a network or a part of one, with its Parameters and the Cells it is made of."""

from __future__ import annotations

import importlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, Self

from jitcore.common.parameter import Parameter, ParameterTuple
from jitcore.config import PYNATIVE_MODE, settings
from jitcore.library.math import elementwise
from jitcore.nn import cell_models
from jitcore.nn.options import Options
from jitcore.nn.state import Buffer, State
from jitcore.primitives.core import constructing, dialects
from jitcore.runtime import dispatch, errors, requests
from jitcore.runtime.tensor import Tensor
from jitcore.types import f16, f32, f64


def _undefined(self: object, *args: object, **keywords: object) -> Any:
    raise AttributeError("For 'Cell', the method 'construct' is not defined.")


class Cell(Options, State):
    """The base of networks: subclasses define `construct`, ordinary Python over Tensors.

    Calling a Cell in GRAPH_MODE compiles `construct` and everything it calls; in PYNATIVE_MODE it is run line by line.
    Parameters and Cells assigned to attributes become parts of the Cell: a Parameter's name is its path from the
    outermost Cell (`conv1.weight`), but for Cells made with `auto_prefix=False`, which leave the names of what they
    hold alone.

    >>> class Double(Cell):
    ...     def construct(self, x):
    ...         return x * 2
    >>> from jitcore import Tensor
    >>> print(Double()(Tensor([1.0, 2.0])))
    [2. 4.]
    """

    __jitcore_call__: ClassVar[str] = "construct"
    """The method that calling an instance stands for in compiled code."""
    __jitcore_keeps__: ClassVar[type] = Parameter
    """Tensors assigned to attributes that hold one are written into its memory."""

    _owns_tuples: ClassVar[bool] = True
    """Whether the Parameters of a ParameterTuple become parts of the Cell, unless they are that already."""

    def __new__(cls, *args: Any, **keywords: Any) -> Self:
        constructing.vouched(cls, args, keywords)
        return super().__new__(cls)

    def __init__(self, auto_prefix: bool = True, flags: dict[str, Any] | None = None) -> None:
        registries: dict[str, Any] = {"_params": {}, "_cells": {}, "_kinds": {}, "_compiled": None}
        self.__dict__.update(registries)
        self._auto_prefix = auto_prefix
        self.training = False
        self.requires_grad = False
        self.param_prefix = ""
        self.cls_name = type(self).__name__
        if flags:
            self.add_flags(**flags)
        if settings.mode != PYNATIVE_MODE:
            dispatch.begin()

    construct: Any = _undefined
    """What the Cell computes; subclasses define it, as a method of any parameters, compiled by itself or not."""

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        self._require_init()
        constructing.vet(self, args, keywords)
        try:
            return requests.call_cell(self, args, keywords)
        except BaseException as error:
            errors.strip(error)
            told = constructing.worded(type(self), error, called=self, args=args, keywords=keywords)
            if told is error:
                raise
            raise told from None

    __call__.__dict__["__jitcore_delegates__"] = True  # to `construct`, in compiled code

    # --- attributes -----------------------------------------------------------------------------------

    def _require_init(self, value: Any = None) -> None:
        """Raise AttributeError if `__init__` has not run when the Cell is called, or `value` becomes a part of it."""
        if "_cells" not in self.__dict__:
            error = AttributeError(f"call super().__init__() first in {type(self).__name__}.__init__")
            raise constructing.worded(type(self), error, part=value)

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Parameter | Cell):
            self._require_init(value)
        params: dict[str, Parameter] | None = self.__dict__.get("_params")
        cells: dict[str, Cell] | None = self.__dict__.get("_cells")
        if params is not None and name in params and isinstance(value, Tensor) and not isinstance(value, Parameter):
            _give(params[name], value)
            return
        if isinstance(value, Buffer):
            self._require_init()
            self._persistence[name] = value.persistent
            value = value.plain()
        if params is not None and cells is not None:
            self._require_kind(name, value)
            self._register(name, value, params, cells)
        object.__setattr__(self, name, value)

    def _require_kind(self, name: str, value: Any) -> None:
        """An attribute that held a Parameter or Cell goes on holding such, or None. Raises TypeError else."""
        kind = self._kinds.get(name)
        if kind is not None and value is not None and not isinstance(value, kind):
            error = TypeError(
                f"{type(self).__name__}.{name} is a {kind.__name__}; a {type(value).__name__} cannot be assigned to it"
            )
            raise constructing.worded(type(self), error, attribute=name, kind=kind, value=value)

    def _register(self, name: str, value: Any, params: dict[str, Parameter], cells: dict[str, Cell]) -> None:
        if isinstance(value, Parameter):
            self._kinds[name] = Parameter
            cells.pop(name, None)
            if value.name == "Parameter":
                value.name = name
            params[name] = value
        elif isinstance(value, Cell):
            self._kinds[name] = Cell
            params.pop(name, None)
            if self._auto_prefix and cells.get(name) is not value:
                value.update_parameters_name(name + ".")
            cells[name] = value
        else:
            params.pop(name, None)
            cells.pop(name, None)
            if isinstance(value, ParameterTuple) and self._owns_tuples:
                self._register_all(value, params)

    def _register_all(self, values: ParameterTuple, params: dict[str, Parameter]) -> None:
        """Make the Parameters of a tuple parts of the Cell, under their names. Raises ValueError if two have one
        name."""
        for k, value in enumerate(values):
            if value.name == "Parameter":
                value.name = f"Parameter${k}"
            if any(other is not value and other.name == value.name for other in values[:k]):
                raise ValueError(f"two Parameters of a ParameterTuple are named {value.name!r}")
            if all(known is not value for known in self.get_parameters()):
                params[value.name] = value

    def __delattr__(self, name: str) -> None:
        self._params.pop(name, None)
        self._cells.pop(name, None)
        self._kinds.pop(name, None)
        object.__delattr__(self, name)

    _params: dict[str, Parameter]
    _cells: dict[str, Cell]
    _kinds: dict[str, type]
    """Of what class an attribute that held a Parameter or Cell remains."""

    def insert_child_to_cell(self, child_name: str, child_cell: Cell | None) -> None:
        """Add a Cell (or None, for one that is still to come) under a name. Raises KeyError if there is something of
        that name, TypeError for something else."""
        if not child_name or "." in child_name:
            raise KeyError(f"a part of a Cell cannot be named {child_name!r}")
        if child_name in self.__dict__ and child_name not in self._cells:
            raise KeyError(f"{type(self).__name__} has an attribute {child_name!r} already")
        if not isinstance(child_cell, Cell | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(
                "For 'insert_child_to_cell', the argument 'child_cell' must be 'Cell' if not None, but got type "
                f"{type(child_cell)}."
            )
        setattr(self, child_name, child_cell)

    def insert_param_to_cell(
        self, param_name: str, param: Parameter | None, check_name_contain_dot: bool = True
    ) -> None:
        """Add a Parameter (or None, for one that is still to come) under a name. Raises KeyError if there is something
        of that name, TypeError for something else."""
        if not param_name or (check_name_contain_dot and "." in param_name):
            fault = "contain'.' " if param_name else "be None."
            raise KeyError(f"For 'insert_param_to_cell', the argument 'param_name' should not {fault}")
        if param_name in self.__dict__ and param_name not in self._params:
            raise KeyError(f"{type(self).__name__} has an attribute {param_name!r} already")
        if not isinstance(param, Parameter | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(
                "For 'insert_param_to_cell', the argument 'param' must be 'Parameter' "
                f"if not None, but got {type(param)}."
            )
        setattr(self, param_name, param)

    # --- parts ----------------------------------------------------------------------------------------

    def __jitcore_writes__(self) -> Iterator[Tensor]:
        """The Parameters and buffers that a call is expected to write to."""
        for _, cell in self.cells_and_names():
            yield from cell._written()

    def _written(self) -> Iterable[Tensor]:
        """Those that the Cell itself writes to, not the Cells in it."""
        return ()

    def _own_parameters(self) -> Iterator[Parameter]:
        """The Parameters that its attributes are, or that the ParameterTuples are made of that they are."""
        for value in vars(self).values():
            if isinstance(value, Parameter):
                yield value
            elif isinstance(value, ParameterTuple):
                yield from value

    def cells(self) -> list[Cell]:
        """The Cells it is directly made of."""
        return list(self.name_cells().values())

    def name_cells(self) -> OrderedDict[str, Cell]:
        """The Cells it is directly made of, by attribute; each once."""
        seen: set[int] = set()
        found: OrderedDict[str, Cell] = OrderedDict()
        for name, cell in self._cells.items():
            if id(cell) not in seen:
                seen.add(id(cell))
                found[name] = cell
        return found

    def cells_and_names(self, name_prefix: str = "") -> Iterator[tuple[str, Cell]]:
        """(path, Cell) of the Cell itself and all Cells in it, each once."""
        return self._walk(name_prefix, set())

    def _walk(self, prefix: str, seen: set[int]) -> Iterator[tuple[str, Cell]]:
        if id(self) in seen:
            return
        seen.add(id(self))
        yield prefix, self
        for name, cell in self._cells.items():
            yield from cell._walk(f"{prefix}.{name}" if prefix else name, seen)

    def parameters_and_names(self, name_prefix: str = "", expand: bool = True) -> Iterator[tuple[str, Parameter]]:
        """(path, Parameter) of all Parameters, each once; without `expand` only its own."""
        seen: set[int] = set()
        for path, cell in self.cells_and_names(name_prefix) if expand else [(name_prefix, self)]:
            for name, parameter in cell._params.items():
                if id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield (f"{path}.{name}" if path else name), parameter

    def get_parameters(self, expand: bool = True) -> Iterator[Parameter]:
        """All Parameters, each once; without `expand` only its own."""
        return (parameter for _, parameter in self.parameters_and_names(expand=expand))

    def trainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The Parameters that gradients are taken by (`requires_grad`)."""
        return [p for p in self.get_parameters(recurse) if p.requires_grad]

    def untrainable_params(self, recurse: bool = True) -> list[Parameter]:
        """The Parameters that no gradients are taken by."""
        return [p for p in self.get_parameters(recurse) if not p.requires_grad]

    def parameters_dict(self, recurse: bool = True) -> dict[str, Parameter]:
        """All Parameters by name; of two with the same name, the last one (see `check_names`)."""
        return {parameter.name: parameter for parameter in self.get_parameters(recurse)}

    def update_parameters_name(self, prefix: str = "", recurse: bool = True) -> None:
        """Name its Parameters by where they are, behind a prefix."""
        for path, parameter in list(self.parameters_and_names(expand=recurse)):
            parameter.name = prefix + path

    def update_cell_prefix(self) -> None:
        """Set `param_prefix` of every Cell in it to its path."""
        for path, cell in self.cells_and_names():
            cell.param_prefix = path

    def init_parameters_data(self, auto_parallel_mode: bool = False) -> dict[Parameter, Parameter]:
        """Each Parameter by itself: they are initialised when they are made."""
        del auto_parallel_mode
        return {parameter: parameter for parameter in self.get_parameters()}

    # --- modes ----------------------------------------------------------------------------------------

    def set_train(self, mode: bool = True) -> Self:
        """Set `training` of it and all Cells in it: dropout and normalisation differ between training and use."""
        for _, cell in self.cells_and_names():
            cell.training = mode
        self._note("phase", "train" if mode else "predict")
        return self

    def recompute(self, **kwargs: Any) -> Self:
        """Have compiled gradients compute its intermediate results again in the backward pass instead of keeping them,
        from when they are next compiled. (MindSpore's options, which are of its communication between devices, change
        nothing.)"""
        del kwargs
        self.__jitcore_recompute__ = True
        return self

    def set_grad(self, requires_grad: bool = True) -> Self:
        """Set `requires_grad` of it and all Cells in it."""
        for _, cell in self.cells_and_names():
            cell.requires_grad = requires_grad
        return self

    def apply(self, fn: Callable[[Cell], Any]) -> Self:
        """Call a function with every Cell in it, innermost first, then with itself."""
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self

    # --- what can be added ------------------------------------------------------------------------------

    def register_forward_pre_hook(self, hook_fn: Callable[..., Any], with_kwargs: bool = False) -> Any:
        """Have `hook_fn(cell, inputs)` called before `construct`; what it returns (unless None) replaces the inputs.
        With `with_kwargs`, `hook_fn(cell, inputs, keywords)` is called, and what it returns replaces both.

        Gives a handle with `remove()`. Hooks are compiled as everything else is.
        """
        return cell_models.add_hook(self, "forward_pre_hooks", hook_fn, with_kwargs)

    def register_forward_hook(self, hook_fn: Callable[..., Any], with_kwargs: bool = False) -> Any:
        """Have `hook_fn(cell, inputs, output)` (with `with_kwargs`: `hook_fn(cell, inputs, keywords, output)`) called
        after `construct`; what it returns (unless None) replaces the output."""
        return cell_models.add_hook(self, "forward_hooks", hook_fn, with_kwargs)

    def register_backward_hook(self, hook_fn: Callable[..., Any]) -> Any:
        """Have `hook_fn(cell, grad_inputs, grad_outputs)` called when gradients go back through the Cell; what it
        returns (unless None) replaces the gradients of the inputs. Such Cells are differentiated line by line."""
        return cell_models.add_hook(self, "backward_hooks", hook_fn)

    def register_backward_pre_hook(self, hook_fn: Callable[..., Any]) -> Any:
        """Have `hook_fn(cell, grad_outputs)` called before gradients go back through the Cell; what it returns (unless
        None) replaces the gradients of the outputs."""
        return cell_models.add_hook(self, "backward_pre_hooks", hook_fn)

    def to_float(self, dst_type: Any) -> Self:
        """Have it and all Cells in it take and give floats of a dtype (float16, float32 or float64)."""
        if dst_type not in (f16, f32, f64):
            raise ValueError(f"to_float takes float16, float32 or float64, not {dst_type!r}")
        cell_models.compute_in(self, dst_type)
        return self

    def add_flags(self, **flags: Any) -> Self:
        """Set attributes."""
        for name, value in flags.items():
            setattr(self, name, value)
        self.__dict__.setdefault("_flags", {}).update(flags)
        return self

    def add_flags_recursive(self, **flags: Any) -> Self:
        """Set attributes of it and all Cells in it."""
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self) -> dict[str, Any]:
        """The attributes that `add_flags` set."""
        return dict(self.__dict__.get("_flags", {}))

    def compile(self, *args: Any, **keywords: Any) -> None:
        """Compile it for such arguments, by calling it: what it computes is thrown away."""
        self(*args, **keywords)

    def compile_and_run(self, *args: Any, **keywords: Any) -> Any:
        """The Cell called."""
        return self(*args, **keywords)

    def check_names(self) -> None:
        """Raises ValueError if two Parameters have the same name."""
        names: set[str] = set()
        for parameter in self.get_parameters():
            if parameter.name in names:
                raise ValueError(f"two Parameters of {type(self).__name__} are named {parameter.name!r}")
            names.add(parameter.name)

    def get_sub_cell(self, target: str) -> Cell:
        """The Cell at a path. Raises AttributeError if there is none."""
        for path, cell in self.cells_and_names():
            if path == target:
                return cell
        raise AttributeError(f"{type(self).__name__} has no Cell {target!r}")

    def extend_repr(self) -> str:
        """What stands in the parentheses of the repr; subclasses may define it."""
        return ""

    def __repr__(self) -> str:
        extra = self.extend_repr()
        if not self._cells:
            return f"{type(self).__name__}<{extra}>"
        lines = [extra] if extra else []
        lines += [f"({name}): {cell!r}".replace("\n", "\n  ") for name, cell in self._cells.items()]
        body = "".join(f"\n  {line}" for line in lines)
        return f"{type(self).__name__}<{body}\n  >"

    def _repr_html_(self) -> str:
        return importlib.import_module("jitcore.nn.cell_html").shown(self)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_compiled": None}

    def __reduce__(self) -> tuple[Any, ...]:
        return _unmade, (type(self),), self.__getstate__()


def _unmade(cls: type[Cell]) -> Cell:
    """A Cell without anything, to become a copy of another: there are no arguments to be vouched for."""
    return object.__new__(cls)


def _give(held: Parameter, value: Tensor) -> None:
    """Write a Tensor into a Parameter; by some frameworks' rules, of any dtype."""
    cast = dialects.meanings_of_tensor(held).parameters_take_all_dtypes and value.dtype is not held.dtype
    elementwise.replace(held, value.astype(held.dtype) if cast else value)
