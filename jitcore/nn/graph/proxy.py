"""What stands for a module in a Graph: it is called and looked into as the module is, but is none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from jitcore.nn.cell import Cell
from jitcore.nn.graph.text import module_lines


class Proxy:
    """A module of a Graph's. What it has not itself is the module's; compiled code sees through it."""

    _module: Cell
    _within: tuple[str, str]
    """The name of the Graph's class, and that of the module in the Graph."""

    def __init__(self, module: Cell, graph: str, name: str) -> None:
        self.__dict__.update(_module=module, _within=(graph, name))

    def __call__(self, *args: object, **keywords: object) -> Any:
        return self._module(*args, **keywords)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._module, name, value)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._module)  # type: ignore[call-overload]

    def __getitem__(self, key: object) -> Any:
        return self._module[key]  # type: ignore[index]

    def __len__(self) -> int:
        return len(self._module)  # type: ignore[arg-type]

    def __contains__(self, item: object) -> bool:
        return item in self._module  # type: ignore[operator]

    def to(self, *args: object, **keywords: object) -> Any:
        """The module, if its class is asked for; this, if `GraphModule` is; else what the module's `to` gives."""
        if len(args) == 1 and isinstance(args[0], type) and not keywords:
            return self if issubclass(args[0], Proxy) else self._module
        return self._module.to(*args, **keywords)  # type: ignore[attr-defined]

    def state_dict(self, *_: object, **__: object) -> NoReturn:
        """AttributeError: the state of a Graph is asked of the Graph."""
        graph, name = self._within
        raise AttributeError(
            f"'{name}' of a {graph} is no Module any more, and has no state_dict(): the graph's state is "
            f"graph.state_dict() (of this module: graph.state_dict()['{name}']), the module's own that of the module "
            "the graph was given"
        )

    def __repr__(self) -> str:
        return "\n".join(module_lines(self._within[1], self._module, None))


GraphModule = Proxy
