"""Layers that hold other Layers, or Parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from jitcore.compat.paddle.nn.layer import Layer
from jitcore.compat.torch.nn import containers
from jitcore.nn.cell import Cell


class Sequential(containers.Sequential, Layer):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Layers called one after the other, each with what the one before gave; given one by one, or with names."""

    def __init__(self, *layers: object) -> None:
        super().__init__()
        given: Iterable[Any] = layers
        if len(layers) == 1 and isinstance(layers[0], list | Mapping):
            given = layers[0].items() if isinstance(layers[0], Mapping) else layers[0]
        for k, item in enumerate(given):
            pair: Any = item if isinstance(item, tuple | list) else (str(k), item)
            self.add_sublayer(pair[0], pair[1])

    def __getitem__(self, index: int | slice | str) -> Any:
        return self._cells[index] if isinstance(index, str) else super().__getitem__(index)

    def __setitem__(self, index: int | str, module: Cell) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        self.add_sublayer(index if isinstance(index, str) else self._name(index), module)


Sequential._sum = Sequential  # pyright: ignore[reportPrivateUsage]


class LayerList(containers.ModuleList, Layer):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Layers by position."""

    def __init__(self, sublayers: Iterable[Any] | None = None) -> None:
        super().__init__(sublayers)

    def __repr__(self) -> str:
        return Layer.__repr__(self)


LayerList._sum = LayerList  # pyright: ignore[reportPrivateUsage]


class LayerDict(containers.ModuleDict, Layer):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Layers by name."""

    def __init__(self, sublayers: Mapping[str, Any] | Iterable[Any] | None = None) -> None:
        super().__init__(cast("Any", sublayers))


class ParameterList(containers.ParameterList, Layer):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Parameters by position."""

    def __init__(self, parameters: Iterable[Any] | None = None) -> None:
        super().__init__(parameters)

    def extra_repr(self) -> str:
        return ""


class ParameterDict(containers.ParameterDict, Layer):  # pyright: ignore[reportIncompatibleMethodOverride]
    """Parameters by name."""

    def __init__(self, parameters: Mapping[str, Any] | Iterable[Any] | None = None) -> None:
        super().__init__(parameters)

    def extra_repr(self) -> str:
        return ""
