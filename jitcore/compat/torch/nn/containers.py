"""Modules that hold other Modules, or Parameters."""

# pyright: reportPrivateUsage=false
# (what Modules are made of is shared by this package)

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Self, cast

from jitcore.common.parameter import Parameter
from jitcore.compat.torch.nn.module import Module
from jitcore.nn.cell import Cell
from jitcore.runtime.tensor import Tensor


class _Sequence(Module):
    """What the containers of Modules by position have."""

    _sum: ClassVar[Any]
    """The class of two of them together."""

    def __jitcore_items__(self) -> tuple[Any, ...]:
        """What compiled code iterates over."""
        return tuple(self._modules.values())

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __bool__(self) -> bool:
        return True

    def _name(self, index: int) -> str:
        count, place = len(self), operator.index(index)
        if not -count <= place < count:
            raise IndexError(f"index {place} is out of range")
        return list(self._modules)[place]

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return self._sliced(index)
        return self._modules[self._name(index)]

    def _sliced(self, index: slice) -> Any:
        raise NotImplementedError

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self._name(index), module)

    def __delitem__(self, index: int | slice) -> None:
        names = list(self._modules)[index] if isinstance(index, slice) else [self._name(index)]
        for name in names:
            delattr(self, name)
        self._renumber(list(self._modules.values()))

    def _renumber(self, modules: list[Any]) -> None:
        for name in list(self._modules):
            delattr(self, name)
        for k, module in enumerate(modules):
            self.add_module(str(k), module)

    def append(self, module: Module) -> Self:
        """Add a Module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> Self:
        """Add Modules at the end."""
        if not isinstance(modules, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(
                f"{type(self).__name__}.extend should be called with an iterable, but got {type(modules).__name__}"
            )
        for module in list(modules):
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> Any:
        """Put a Module before the one at an index."""
        items = list(self._modules.values())
        items.insert(index, module)
        self._renumber(items)
        return self

    def pop(self, index: int | slice = -1) -> Any:
        """Take a Module out."""
        found = self[index]
        del self[index]
        return found

    def __iadd__(self, modules: Iterable[Module]) -> Self:
        return self.extend(modules)


class Sequential(_Sequence):
    """Modules called one after the other, each with what the one before gave."""

    def __init__(self, *args: Module | OrderedDict[str, Module]) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for k, module in enumerate(args):
                self.add_module(str(k), module)  # pyright: ignore[reportArgumentType]  a Module, or the TypeError

    def forward(self, input: Tensor) -> Any:
        for module in self:
            input = module(input)
        return input

    def _sliced(self, index: slice) -> Any:
        return type(self)(OrderedDict(list(self._modules.items())[index]))

    def __add__(self, other: Sequential) -> Sequential:
        if not isinstance(other, Sequential):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")
        return self._sum(*self, *other)


Sequential._sum = Sequential


class ModuleList(_Sequence):
    """Modules by position."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def insert(self, index: int, module: Module) -> None:
        """Put a Module before the one at an index."""
        super().insert(index, module)

    def _sliced(self, index: slice) -> Any:
        return type(self)(list(self._modules.values())[index])

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return self._sum([*self, *other])

    def __repr__(self) -> str:
        texts = [repr(module) for module in self]
        if not texts:
            return f"{type(self).__name__}()"
        blocks: list[list[Any]] = []
        for k, text in enumerate(texts):
            if blocks and blocks[-1][2] == text:
                blocks[-1][1] = k
            else:
                blocks.append([k, k, text])
        lines = [
            f"({first}): {text}" if first == last else f"({first}-{last}): {last - first + 1} x {text}"
            for first, last, text in blocks
        ]
        return f"{type(self).__name__}(\n  " + "\n  ".join(line.replace("\n", "\n  ") for line in lines) + "\n)"


ModuleList._sum = ModuleList


class ModuleDict(Module):
    """Modules by name."""

    def __init__(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]
        self.__dict__.pop(key, None)

    def __len__(self) -> int:
        return len(self._modules)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def add_module(self, name: str, module: Cell | None) -> None:
        """Hold a Module under a name, which may be that of a method."""
        if not isinstance(module, Cell | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{type(module).__name__} is not a Module subclass")
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"module name should be a string. Got {type(name).__name__}")
        if hasattr(type(self), name) or name in vars(self).keys() - self._modules.keys():
            raise KeyError(f"attribute '{name}' already exists")
        super().add_module(name, module)

    def clear(self) -> None:
        """Hold nothing."""
        for key in list(self._modules):
            del self[key]

    def pop(self, key: str) -> Any:
        """Take a Module out."""
        module = self[key]
        del self[key]
        return module

    def keys(self) -> Iterable[str]:
        """The names."""
        return self._modules.keys()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Names and Modules."""
        return self._modules.items()

    def values(self) -> Iterable[Any]:
        """The Modules."""
        return self._modules.values()

    def update(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]]) -> None:
        """Hold more Modules."""
        if not isinstance(modules, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(
                "ModuleDict.update should be called with an iterable of key/value pairs, but got "
                f"{type(modules).__name__}"
            )
        for key, module in dict(modules).items():
            self[key] = module


class ParameterList(Module):
    """Parameters by position."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def _name(self, index: int) -> str:
        place = operator.index(index)
        if not -self._size <= place < self._size:
            raise IndexError(f"index {place} is out of range")
        return str(place % self._size)

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return type(self)([getattr(self, str(k)) for k in range(self._size)[index]])
        return getattr(self, self._name(index))

    def __setitem__(self, index: int, parameter: object) -> None:
        setattr(self, self._name(index), _held(self, parameter))

    def __jitcore_items__(self) -> tuple[Any, ...]:
        """What compiled code iterates over."""
        return tuple(getattr(self, str(k)) for k in range(self._size))

    def __len__(self) -> int:
        return self._size

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        return iter([getattr(self, str(k)) for k in range(self._size)])

    def append(self, value: object) -> Self:
        """Add a Parameter at the end; a Tensor becomes one."""
        name = str(self._size)
        self._size += 1
        setattr(self, name, _held(self, value))
        return self

    def extend(self, values: Iterable[Any]) -> Self:
        """Add Parameters at the end."""
        known = isinstance(values, Iterable)  # pyright: ignore[reportUnnecessaryIsInstance]
        if isinstance(values, Tensor) or not known:
            raise TypeError(f"ParameterList.extend should be called with an iterable, but got {type(values).__name__}")
        for value in values:
            self.append(value)
        return self

    def __iadd__(self, values: Iterable[Any]) -> Self:
        return self.extend(values)

    def extra_repr(self) -> str:
        return "\n".join(_line(str(k), value) for k, value in enumerate(self))


class ParameterDict(Module):
    """Parameters by name."""

    def __init__(self, parameters: Mapping[str, Any] | Iterable[Any] | None = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key: str) -> Any:
        if key not in self._keys:
            raise KeyError(key)
        return getattr(self, key)

    def __setitem__(self, key: str, value: object) -> None:
        if not isinstance(key, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"Index given to ParameterDict cannot be used as a key as it is not a string ({key!r}).")
        self._keys[key] = None
        setattr(self, key, _held(self, value))

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._keys)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def keys(self) -> Iterable[str]:
        """The names."""
        return self._keys.keys()

    def values(self) -> Iterable[Any]:
        """The Parameters."""
        return [getattr(self, key) for key in self._keys]

    def items(self) -> Iterable[tuple[str, Any]]:
        """Names and Parameters."""
        return [(key, getattr(self, key)) for key in self._keys]

    def get(self, key: str, default: object = None) -> Any:
        """A Parameter, or what there is without."""
        return self[key] if key in self._keys else default

    def pop(self, key: str) -> Any:
        """Take a Parameter out."""
        value = self[key]
        del self[key]
        return value

    def clear(self) -> None:
        """Hold nothing."""
        for key in list(self._keys):
            del self[key]

    def update(self, parameters: Mapping[str, Any] | Iterable[Any]) -> None:
        """Hold more Parameters."""
        for key, value in dict(parameters).items():
            self[key] = value

    def extra_repr(self) -> str:
        return "\n".join(_line(key, value, by_type=True) for key, value in self.items())


def _held(module: Module, value: object) -> Any:
    """What a container holds of a value: a Parameter, if it is a Tensor."""
    return module._as_parameter(value) if isinstance(value, Tensor) and not _is_parameter(value) else value


def _is_parameter(value: object) -> bool:
    return isinstance(value, Parameter)


def _line(name: str, value: object, by_type: bool = False) -> str:
    """What the repr of a container says of one of its Parameters; `by_type`, as PyTorch's types are called."""
    if not isinstance(value, Tensor):
        return f"  ({name}): Object of type: {type(value).__name__}"
    kind = "Parameter" if _is_parameter(value) else "Tensor"
    size = "x".join(map(str, value.shape))
    of = cast("Any", value).type() if by_type else value.dtype
    return f"  ({name}): {kind} containing: [{of} of size {size}]"
