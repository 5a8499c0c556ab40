"""`paddle.nn.Layer`: a Cell whose `forward` is run line by line when it is called, and compiled in compiled code."""

# pyright: reportPrivateUsage=false
# (the registries of Cell are shared by this package)

from __future__ import annotations

import re
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import jitcore
from jitcore.compat.paddle import naming
from jitcore.compat.paddle.declaring import as_paddle
from jitcore.compat.paddle.nn.attributes import AttrLike, Fill, ParamAttr, attributes
from jitcore.compat.paddle.nn.initializer import default_initializer
from jitcore.compat.paddle.nn.parameter import Parameter
from jitcore.compat.paddle.tensor import Tensor
from jitcore.compat.torch.autograd import RemovableHandle
from jitcore.compat.torch.functions.creation import empty
from jitcore.compat.torch.nn import module
from jitcore.library.core import marking
from jitcore.library.core.defaults import default_float
from jitcore.library.core.dtypes import as_dtype
from jitcore.nn.cell import Cell
from jitcore.runtime import nodes
from jitcore.runtime.tensor import Tensor as AnyTensor

Hook = Callable[..., Any]


def _scope(name: str) -> str:
    """The name of a class as names of Parameters begin with it: Conv2D is conv2d, LSTMCell lstm_cell."""
    text = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", text).lower()


class Layer(module.Module):
    """The base of networks, as Paddle documents it: subclasses define `forward`.

    >>> class Double(Layer):
    ...     def forward(self, x):
    ...         return x * 2
    >>> Double().full_name()
    'double_0'
    """

    _framework: ClassVar[str] = "paddle"
    _tensor_type: ClassVar[Any] = Tensor
    _parameter_type: ClassVar[Any] = Parameter
    _full_name: str
    _dtype: Any

    def __init__(self, name_scope: str | None = None, dtype: object = "float32") -> None:
        super().__init__()
        self.__dict__.update(
            {
                "_auto_prefix": False,
                "_full_name": naming.generate(_scope(type(self).__name__) if name_scope is None else name_scope),
                "_dtype": dtype,
            }
        )

    def full_name(self) -> str:
        """Its name among all Layers, which those of its Parameters begin with."""
        return self._full_name

    # --- attributes -----------------------------------------------------------------------------------

    def __setattr__(self, name: str, value: object) -> None:
        if isinstance(value, Cell | jitcore.Parameter) and "_cells" not in self.__dict__:
            raise ValueError("super().__init__() should be called first")
        if isinstance(value, AnyTensor) and not isinstance(value, jitcore.Parameter):
            self._hold_tensor(name)
        super().__setattr__(name, value)

    def _hold_tensor(self, name: str) -> None:
        """A Tensor assigned to an attribute is a buffer, which is not saved unless it was registered before."""
        if "_cells" not in self.__dict__:
            raise ValueError("super().__init__() should be called first")
        if name not in self._params and name not in self._persistence:
            self._persistence[name] = False

    @property
    def _sub_layers(self) -> dict[str, Any]:
        return self._cells

    # --- what it is made of -----------------------------------------------------------------------------

    def create_parameter(
        self,
        shape: int | Sequence[int],
        attr: AttrLike = None,
        dtype: object = None,
        is_bias: bool = False,
        default_initializer: Fill | None = None,
    ) -> Any:
        """A Parameter with a name of the Layer's; None for `attr=False`. It is no part of the Layer until it is
        assigned to an attribute."""
        return made_parameter(self._full_name, shape, attr, dtype, is_bias, default_initializer)

    def create_tensor(self, name: str | None = None, persistable: bool | None = None, dtype: object = None) -> Any:
        """A Tensor without elements."""
        del name, persistable
        return as_paddle(empty(0, dtype=_element_type(dtype)))

    create_variable = create_tensor

    def add_parameter(self, name: str, parameter: Parameter | None) -> Any:
        """Have an attribute hold a Parameter, or None for now; the Parameter."""
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"The name of parameter should be a string, but received {type(name).__name__}.")
        if "." in name or not name:
            raise KeyError(
                "The name of parameter can not contain `.`, because when you access the newly added parameter in the "
                "form of `self.**.**`, it will cause AttributeError."
                if name
                else "The name of parameter can not be empty."
            )
        if hasattr(self, name) and name not in self._params:
            raise KeyError(f"The parameter '{name}' already exists.")
        if not isinstance(parameter, jitcore.Parameter | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(
                f"The parameter to be added should be a Parameter, but received {type(parameter).__name__}."
            )
        setattr(self, name, parameter)
        return parameter

    def add_sublayer(self, name: str, sublayer: Cell | None) -> Any:
        """Have an attribute hold a Layer; the Layer."""
        if not isinstance(sublayer, Cell | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise AssertionError(f"add_sublayer takes a Layer, not {type(sublayer).__name__}")
        setattr(self, name, sublayer)
        return sublayer

    def add_module(self, name: str, module: Cell | None) -> None:
        """As `add_sublayer`."""
        self.add_sublayer(name, module)

    def register_buffer(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, name: str, tensor: AnyTensor | None, persistable: bool = True
    ) -> None:
        """Have an attribute hold a Tensor, which `state_dict` has if it is persistable."""
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"The name of buffer should be a string, but received {type(name).__name__}.")
        if "." in name or not name:
            raise KeyError(f"The name of buffer can not {'contain `.`' if name else 'be empty'}.")
        if hasattr(self, name) and name not in self._persistence:
            raise KeyError(f"attribute '{name}' already exists.")
        if not isinstance(tensor, AnyTensor | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"The registered buffer should be a Paddle.Tensor, but received {type(tensor).__name__}.")
        self._persistence[name] = persistable
        setattr(self, name, tensor)

    # --- parts ----------------------------------------------------------------------------------------

    def parameters(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, include_sublayers: bool = True
    ) -> list[Any]:
        """The Parameters, each once."""
        return [parameter for _, parameter in self.named_parameters(include_sublayers=include_sublayers)]

    def named_parameters(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, prefix: str = "", include_sublayers: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """The Parameters with their paths, each once."""
        return super().named_parameters(prefix, include_sublayers, remove_duplicate)

    def sublayers(self, include_self: bool = False) -> list[Any]:
        """All Layers in it, each once."""
        return [layer for _, layer in self.named_sublayers(include_self=include_self)]

    def named_sublayers(
        self,
        prefix: str = "",
        include_self: bool = False,
        layers_set: set[Any] | None = None,
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Any]]:
        """These with their paths."""
        for path, layer in self.named_modules(layers_set, prefix, remove_duplicate):
            if layer is not self or include_self:
                yield path, layer

    def get_sublayer(self, target: str) -> Any:
        """The Layer at a path."""
        return self.get_submodule(target)

    def buffers(self, include_sublayers: bool = True) -> list[Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The Tensors that it holds beside Parameters."""
        return [buffer for _, buffer in self.named_buffers(include_sublayers=include_sublayers)]

    def named_buffers(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, prefix: str = "", include_sublayers: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """These with their paths."""
        return super().named_buffers(prefix, include_sublayers, remove_duplicate)

    # --- gradients ------------------------------------------------------------------------------------

    @marking.between
    def clear_gradients(self, set_to_zero: bool = True) -> None:
        """Make the gradients of its Parameters 0, or forget them."""
        for parameter in self.parameters():
            if not parameter.stop_gradient:
                parameter.clear_gradient(set_to_zero)

    # --- hooks ----------------------------------------------------------------------------------------

    def register_forward_post_hook(
        self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> RemovableHandle:
        """Have `hook(layer, inputs, outputs)` called after `forward`; what it returns, unless None, replaces the
        outputs."""
        return self.register_forward_hook(hook, prepend=prepend, with_kwargs=with_kwargs, always_call=always_call)

    # --- conversions ----------------------------------------------------------------------------------

    def to(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, device: object = None, dtype: object = None, blocking: bool | None = None
    ) -> Self:
        """Convert what it holds to a dtype; there is one device."""
        del device, blocking
        return self if dtype is None else self.astype(dtype)

    def astype(self, dtype: object) -> Self:
        """Convert all that it holds to a dtype."""
        return self._converted(dtype, True)

    def _converted(self, dtype: object, whole: bool) -> Self:
        """It, with all Tensors of a dtype, or those of floats."""
        wanted = _element_type(dtype)
        for layer in self.sublayers(include_self=True):
            layer.__dict__["_dtype"] = dtype
        return self._apply(lambda t: t.astype(wanted) if whole or t.is_floating_point() else t)

    def float(self, excluded_layers: object = None) -> Self:
        """Its floats as float32."""
        del excluded_layers
        return self._converted("float32", False)

    def float16(self, excluded_layers: object = None) -> Self:
        """Its floats as float16."""
        del excluded_layers
        return self._converted("float16", False)

    # --- state ----------------------------------------------------------------------------------------

    def state_dict(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        destination: dict[str, Any] | None = None,
        include_sublayers: bool = True,
        structured_name_prefix: str = "",
        use_hook: bool = True,
        keep_vars: bool = True,
    ) -> dict[str, Any]:
        """Its Parameters and persistable buffers by their paths: themselves, unless they are to be detached."""
        del use_hook
        found: dict[str, Any] = OrderedDict() if destination is None else destination
        for name, parameter in self._params.items():
            found[structured_name_prefix + name] = parameter if keep_vars else parameter.detach()
        for name, buffer in self._buffers.items():
            if buffer is not None and self._persistence[name]:
                found[structured_name_prefix + name] = buffer if keep_vars else nodes.detached(buffer)
        if include_sublayers:
            for name, layer in self._cells.items():
                if isinstance(layer, Layer):
                    inner = f"{structured_name_prefix}{name}."
                    layer.state_dict(found, True, inner, keep_vars=keep_vars)
        return found

    to_static_state_dict = state_dict

    def set_state_dict(
        self, state_dict: Mapping[str, Any], use_structured_name: bool = True
    ) -> tuple[list[str], list[str]]:
        """Write what `state_dict` gave into its Parameters and buffers: (what was not found, what there is no place
        for). What does not fit is left alone, with a warning. By the Parameters' names, unless by their paths."""
        missing, taken = list[str](), set[str]()
        pairs: list[tuple[Any, Any]] = []
        for path, held in self.state_dict().items():
            key = path if use_structured_name else held.name
            fault = _fault(key, held, state_dict.get(key))
            if fault:
                missing.append(key)
                warnings.warn(f"Skip loading for {path}. {fault}", stacklevel=2)
            else:
                taken.add(key)
                pairs.append((held, state_dict[key]))
        for held, value in pairs:
            held.set_value(value)
        return missing, [key for key in state_dict if key not in taken]

    set_dict = set_state_dict
    load_dict = set_state_dict

    # --- text -----------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        extra = self.extra_repr().split("\n")
        text = extra[0] if len(extra) == 1 else "\n  " + "\n  ".join(extra) + "\n"
        lines = [f"({name}): {layer!r}".replace("\n", "\n  ") for name, layer in self._cells.items()]
        return f"{type(self).__name__}({text}" + ("\n  " + "\n  ".join(lines) + "\n" if lines else "") + ")"


def _fault(key: str, held: AnyTensor, given: AnyTensor | None) -> str:
    """What keeps a value from being loaded."""
    if given is None:
        return f"{key} is not found in the provided dict."
    if list(given.shape) != list(held.shape):
        return f"{key} receives a shape {list(given.shape)}, but the expected shape is {list(held.shape)}."
    return ""


def _element_type(dtype: object) -> Any:
    return default_float() if dtype is None else as_dtype(dtype)


def made_parameter(
    owner: str,
    shape: int | Sequence[int],
    attr: AttrLike = None,
    dtype: object = None,
    is_bias: bool = False,
    initializer: Fill | None = None,
) -> Any:
    """A Parameter whose name begins with its owner's; None for `attr=False`."""
    told = attributes(attr)
    if told is None:
        return None
    extents = tuple(int(n) for n in ([shape] if isinstance(shape, int) else shape))
    made = Parameter(empty(extents, dtype=_element_type(dtype)), told.trainable)
    made.name = told.name or naming.generate(f"{owner}.{'b' if is_bias else 'w'}")
    made.optimize_attr = {"learning_rate": told.learning_rate}
    made.regularizer = told.regularizer
    made.need_clip = told.need_clip
    made.do_model_average = told.do_model_average
    made.is_bias = is_bias
    (told.initializer or default_initializer(initializer, is_bias))(made)
    return made


def create_parameter(
    shape: int | Sequence[int],
    dtype: object = None,
    name: str | None = None,
    attr: AttrLike = None,
    is_bias: bool = False,
    default_initializer: Fill | None = None,
) -> Any:
    """`paddle.create_parameter`: a Parameter that is no Layer's."""
    if name is not None and attr is None:
        attr = ParamAttr(name=name)
    return made_parameter("create_parameter", shape, attr, dtype, is_bias, default_initializer)


class LazyGuard:
    """`with LazyGuard():` Layers that are made within get their memory at once, as elsewhere."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        pass
