"""`torch.nn.Module`: a Cell whose `forward` is run line by line when it is called, and compiled in compiled code."""

# pyright: reportPrivateUsage=false
# (the registries of Cell are shared by this package)

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self, cast

import jitcore
from jitcore.compat.torch.arguments import Device, DTypeLike
from jitcore.compat.torch.autograd import RemovableHandle
from jitcore.compat.torch.declaring import in_category, require_device
from jitcore.compat.torch.nn import hooks
from jitcore.compat.torch.nn.parameter import Parameter, ParameterBase
from jitcore.compat.torch.tensor import Tensor, TensorBase
from jitcore.library.core import marking
from jitcore.nn import state
from jitcore.nn.cell import Cell
from jitcore.runtime import autograd, nodes
from jitcore.runtime.tensor import Tensor as AnyTensor
from jitcore.runtime.tensor import wrap_like

Hook = Callable[..., Any]
_numbers = itertools.count()


class IncompatibleKeys(NamedTuple):
    """What `load_state_dict` found nothing for, and no place for."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"

    __str__ = __repr__


def _missing_forward(self: object, *input: object) -> Any:
    raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')


class Module(Cell):
    """The base of networks, as PyTorch documents it: subclasses define `forward`.

    >>> from jitcore.compat.torch.functions.creation import tensor
    >>> class Double(Module):
    ...     def forward(self, x):
    ...         return x * 2
    >>> Double()(tensor([1.0, 2.0]))
    tensor([2., 4.])
    """

    _framework: ClassVar[str] = "torch"
    _tensor_type: ClassVar[type[TensorBase]] = Tensor
    """Of its buffers."""
    _parameter_type: ClassVar[type[ParameterBase]] = Parameter
    """Of the Parameters that it makes."""
    dump_patches: bool = False
    training: bool

    def __init__(self) -> None:
        super().__init__()
        self.__dict__.pop("requires_grad", None)
        self.__dict__.update(
            {
                "training": True,
                "_before": (),
                "_after": (),
                "_back": (),
                "_back_before": (),
                "_persistence_of_buffers": {},
            }
        )

    forward: Callable[..., Any] = _missing_forward
    """What the Module computes; subclasses define it."""

    def construct(self, *args: object, **keywords: object) -> Any:
        """`forward`, with the hooks before and after it."""
        if len(self._before) == 0 and len(self._after) == 0:
            return self.forward(*args, **keywords)
        for _, hook, with_keywords in self._before:
            if with_keywords:
                changed = hook(self, args, keywords)
                if changed is not None:
                    args, keywords = changed
            else:
                changed = hook(self, args)
                if changed is not None:
                    args = changed if isinstance(changed, tuple) else (changed,)
        output = self.forward(*args, **keywords)
        for _, hook, with_keywords in self._after:
            changed = hook(self, args, keywords, output) if with_keywords else hook(self, args, output)
            if changed is not None:
                output = changed
        return output

    def __call__(self, *args: object, **keywords: object) -> Any:
        self._require_init()
        if self._back or self._back_before:
            return hooks.watched(self, args, keywords)
        return self.construct(*args, **keywords)

    __call__.__dict__["__jitcore_delegates__"] = True  # to `construct`, in compiled code

    # --- attributes -----------------------------------------------------------------------------------

    _before: tuple[tuple[int, Hook, bool], ...]
    _after: tuple[tuple[int, Hook, bool], ...]
    _back: tuple[tuple[int, Hook, bool], ...]
    _back_before: tuple[tuple[int, Hook, bool], ...]

    def _require_init(self, value: object = None) -> None:
        if "_cells" not in self.__dict__:
            what = "parameters" if isinstance(value, jitcore.Parameter) else "module"
            raise AttributeError(f"cannot assign {what} before Module.__init__() call")

    def __setattr__(self, name: str, value: object) -> None:
        if isinstance(value, jitcore.Parameter | Cell):
            self._require_init(value)
        params = cast("dict[str, Any] | None", self.__dict__.get("_params"))
        if params is not None:
            if name in params and not isinstance(value, jitcore.Parameter | None):
                raise TypeError(
                    f"cannot assign '{_shown(value)}' as parameter '{name}' "
                    f"({self._framework}.nn.Parameter or None expected)"
                )
            if name in self._cells and not isinstance(value, Cell | None):
                raise TypeError(
                    f"cannot assign '{_shown(value)}' as child module '{name}' "
                    f"({self._framework}.nn.Module or None expected)"
                )
            if name in self._persistence and not isinstance(value, AnyTensor | None):
                raise TypeError(
                    f"cannot assign '{_shown(value)}' as buffer '{name}' "
                    f"({self._framework}.nn.Buffer, {self._framework}.Tensor or None expected)"
                )
            self.__dict__["_kinds"].pop(name, None)
        super().__setattr__(name, value)

    def _as_parameter(self, data: AnyTensor) -> Any:
        """A Parameter of the framework that the Module is of, of a Tensor just made."""
        return self._parameter_type(data)

    def _as_own(self, data: AnyTensor) -> Any:
        """A Tensor just made, as one of the framework that the Module is of."""
        dialect = self._tensor_type._dialect
        assert dialect is not None
        return in_category(data, dialect.category)

    def _owned(self, name: str) -> dict[str, Any]:
        return self.__dict__[name]

    @property
    def _parameters(self) -> dict[str, Any]:
        return self._owned("_params")

    @property
    def _modules(self) -> dict[str, Any]:
        return self._owned("_cells")

    def register_parameter(self, name: str, param: ParameterBase | None) -> None:
        """Have an attribute hold a Parameter, or None for now."""
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"parameter name should be a string. Got {type(name).__name__}")
        if "." in name:
            raise KeyError('parameter name can\'t contain "."')
        if not name:
            raise KeyError('parameter name can\'t be empty string ""')
        if hasattr(self, name) and name not in self._parameters:
            raise KeyError(f"attribute '{name}' already exists")
        if not isinstance(param, jitcore.Parameter | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(
                f"cannot assign '{_shown(param)}' object to parameter '{name}' "
                f"({self._framework}.nn.Parameter or None required)"
            )
        setattr(self, name, param)

    def add_module(self, name: str, module: Cell | None) -> None:
        """Have an attribute hold a Module."""
        if not isinstance(module, Cell | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{_shown(module)} is not a Module subclass")
        if hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'module name can\'t contain ".", got: {name}')
        if not name:
            raise KeyError('module name can\'t be empty string ""')
        setattr(self, name, module)

    register_module = add_module

    # --- parts ----------------------------------------------------------------------------------------

    def children(self) -> Iterator[Any]:
        """The Modules it is directly made of, each once."""
        return iter(self.name_cells().values())

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """These with their names."""
        return iter(self.name_cells().items())

    def modules(self) -> Iterator[Any]:
        """It, and all Modules in it, each once."""
        return (module for _, module in self.cells_and_names())

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """These with their paths."""
        seen = set[Any]() if memo is None else memo
        if remove_duplicate and self in seen:
            return
        seen.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            inner = f"{prefix}.{name}" if prefix else name
            if isinstance(module, Module):
                yield from module.named_modules(seen, inner, remove_duplicate)
            elif module is not None:
                yield from module.cells_and_names(inner)

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """The Parameters with their paths, each once."""
        seen: set[int] = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, parameter in module._params.items():
                if not remove_duplicate or id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield (f"{path}.{name}" if path else name), parameter

    def parameters(self, recurse: bool = True) -> Iterator[Any]:
        """The Parameters, each once."""
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def get_submodule(self, target: str) -> Any:
        """The Module at a path."""
        module: Any = self
        for name in target.split(".") if target else ():
            if name not in module._cells:
                raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
            module = module._cells[name]
        return module

    # --- modes ----------------------------------------------------------------------------------------

    def train(self, mode: bool = True) -> Self:
        """Set `training` of it and all in it."""
        if not isinstance(mode, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError("training mode is expected to be boolean")
        for _, module in self.cells_and_names():
            module.training = mode
        return self

    def eval(self) -> Self:
        """`train(False)`."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Have its Parameters need gradients, or not."""
        for parameter in self.parameters():
            parameter.requires_grad = requires_grad
        return self

    @marking.between
    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of its Parameters, or make them 0."""
        for parameter in self.parameters():
            grad = autograd.grad_of(parameter)
            if grad is None:
                continue
            if set_to_none:
                autograd.set_grad(parameter, None)
            else:
                autograd.set_grad(parameter, wrap_like(grad, grad.asnumpy() * 0))

    # --- conversions ----------------------------------------------------------------------------------

    def _apply(self, change: Callable[[Any], Any]) -> Self:
        """Replace the memory of its Parameters and buffers by what a function makes of them."""
        with nodes.recording(False):
            for _, module in self.cells_and_names():
                for parameter in module._params.values():
                    parameter.data = change(parameter.data)
                    grad = autograd.grad_of(parameter)
                    if grad is not None:
                        autograd.set_grad(parameter, None)
                        autograd.set_grad(parameter, change(grad))
                for name, buffer in module._buffers.items():
                    if buffer is not None:
                        module.__dict__[name] = change(buffer)
        return self

    def to(self, *args: object, **keywords: object) -> Self:
        """Convert its floats to a dtype, or go to a device, of which there is one."""
        probe: Any = self._tensor_type(0.0)
        probe = probe.to(*args, **keywords)
        floating = [k for k in (*args, *keywords.values()) if type(k).__name__ in ("dtype", "DType", "Tensor")]
        if not floating:
            return self
        return self._apply(lambda t: t.to(probe.dtype) if t.is_floating_point() else t)

    def float(self) -> Self:
        """Its floats as float32."""
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self) -> Self:
        """Its floats as float64."""
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self) -> Self:
        """Its floats as float16."""
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def cpu(self) -> Self:
        """The Module: its memory is there."""
        return self

    def type(self, dst_type: DTypeLike) -> Self:
        """All of it converted to a dtype."""
        return self._apply(lambda t: t.to(dst_type))

    def cuda(self, device: Device = None) -> Self:
        """RuntimeError: there is no such device."""
        require_device("cuda" if device is None else device)
        return self

    def to_empty(self, *, device: Device = None, recurse: bool = True) -> Self:
        """The Module, on a device, of which there is one."""
        del recurse
        require_device(device)
        return self

    def _get_name(self) -> str:
        return self.__class__.__name__

    def share_memory(self) -> Self:
        """The Module."""
        return self

    # --- hooks ----------------------------------------------------------------------------------------

    def _add_hook(self, kind: str, hook: Hook, prepend: bool, with_keywords: bool) -> RemovableHandle:
        number = next(_numbers)
        entry = (number, hook, with_keywords)
        known = self.__dict__[kind]
        setattr(self, kind, (entry, *known) if prepend else (*known, entry))

        def remove() -> None:
            setattr(self, kind, tuple(h for h in self.__dict__[kind] if h[0] != number))

        return RemovableHandle(remove)

    def register_forward_pre_hook(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Have `hook(module, args)` called before `forward`; what it returns, unless None, replaces the arguments."""
        return self._add_hook("_before", hook, prepend, with_kwargs)

    def register_forward_hook(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> RemovableHandle:
        """Have `hook(module, args, output)` called after `forward`; what it returns, unless None, replaces the
        output."""
        del always_call
        return self._add_hook("_after", hook, prepend, with_kwargs)

    def register_full_backward_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Have `hook(module, grad_input, grad_output)` called when gradients have come back through it line by line;
        what it returns, unless None, replaces those of the arguments."""
        return self._add_hook("_back", hook, prepend, False)

    def register_backward_hook(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, hook: Hook
    ) -> RemovableHandle:
        """As `register_full_backward_hook`."""
        return self.register_full_backward_hook(hook)

    def register_full_backward_pre_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Have `hook(module, grad_output)` called before gradients go back through it line by line; what it returns,
        unless None, replaces them."""
        return self._add_hook("_back_before", hook, prepend, False)

    def hooks_back(self) -> tuple[Sequence[Hook], Sequence[Hook]]:
        """Those called before gradients go back through it, and after."""
        return [hook for _, hook, _ in self._back_before], [hook for _, hook, _ in self._back]

    # --- state ----------------------------------------------------------------------------------------

    def state_dict(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, *, destination: dict[str, Any] | None = None, prefix: str = "", keep_vars: bool = False
    ) -> dict[str, Any]:
        """Its Parameters and persistent buffers by their paths; they share memory with it."""
        found: dict[str, Any] = OrderedDict() if destination is None else destination
        self._call(state.SAVING, prefix, keep_vars)
        for name, parameter in self._params.items():
            found[prefix + name] = parameter if keep_vars else parameter.detach()
        for name, buffer in self._buffers.items():
            if buffer is not None and self._persistence[name]:
                found[prefix + name] = buffer if keep_vars else nodes.detached(buffer)
        for name, module in self._modules.items():
            if isinstance(module, Module):
                module.state_dict(destination=found, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
            elif module is not None:
                found.update({f"{prefix}{name}.{key}": value for key, value in module.state_dict().items()})
        for changed in self._call(state.SAVED, found, prefix, {}):
            found = found if changed is None else changed
        return found

    def load_state_dict(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> IncompatibleKeys:
        """Write what `state_dict` gave into its Parameters and buffers. Raises RuntimeError that says what does not
        fit; nothing is written then."""
        if not isinstance(state_dict, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        state_dict = OrderedDict(state_dict)
        errors: list[str] = []
        for path, module in self.cells_and_names():
            prefix = f"{path}." if path else ""
            module._call(state.LOADING, state_dict, prefix, {}, strict, list[str](), list[str](), errors)
        own = self._held()
        missing = [key for key in own if key not in state_dict]
        unexpected = [key for key in state_dict if key not in own]
        if strict and unexpected:
            errors.append(f"Unexpected key(s) in state_dict: {', '.join(map(_quoted, unexpected))}. ")
        if strict and missing:
            errors.append(f"Missing key(s) in state_dict: {', '.join(map(_quoted, missing))}. ")
        for key, held in own.items():
            if key in state_dict and tuple(state_dict[key].shape) != tuple(held.shape):
                errors.append(
                    f"size mismatch for {key}: copying a param with shape {self._extents(state_dict[key])} from "
                    f"checkpoint, the shape in current model is {self._extents(held)}."
                )
        if errors:
            lines = "\n\t".join(errors)
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{lines}")
        with nodes.recording(False):
            for key, held in own.items():
                if key not in state_dict:
                    continue
                given = state_dict[key]
                if assign and isinstance(held, jitcore.Parameter):
                    held.data = given
                else:
                    held.copy_(given if isinstance(given, AnyTensor) else jitcore.Tensor(given))
        found = IncompatibleKeys(missing, unexpected)
        for _, module in self.cells_and_names():
            module._call(state.LOADED, found)
        return found

    def _extents(self, tensor: AnyTensor) -> str:
        return f"{self._framework}.Size([{', '.join(map(str, tensor.shape))}])"

    def _held(self) -> dict[str, Any]:
        """Its Parameters and persistent buffers themselves, by their paths."""
        found: dict[str, Any] = {}
        for path, module in self.named_modules(remove_duplicate=False):
            prefix = f"{path}." if path else ""
            found.update({prefix + name: value for name, value in module._own_state().items() if value is not None})
        return found

    # --- text -----------------------------------------------------------------------------------------

    def extra_repr(self) -> str:
        """What stands in the parentheses of the repr; subclasses may define it."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = [f"({name}): " + repr(m).replace("\n", "\n  ") for name, m in self._modules.items()]
        name = self._get_name()
        if not children and len(lines) <= 1:
            return f"{name}({extra})"
        body = "".join(f"\n  {line}" for line in (*lines, *children))
        return f"{name}({body}\n)"


def _quoted(key: str) -> str:
    return f'"{key}"'


def _shown(value: object) -> str:
    """The type of a value, as PyTorch's messages name it."""
    return "torch.FloatTensor" if isinstance(value, AnyTensor) else type(value).__name__
