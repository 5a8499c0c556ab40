"""What a Cell holds besides Parameters, and all that it holds as a dict: buffers, `state_dict` and
`load_state_dict`."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jitcore.runtime.tensor import Tensor, wrap

if TYPE_CHECKING:
    from jitcore.common.parameter import Parameter

Hook = Callable[..., Any]
_numbers = itertools.count()
SAVING: Final = "_hooks_before_saving"
SAVED: Final = "_hooks_after_saving"
LOADING: Final = "_hooks_before_loading"
LOADED: Final = "_hooks_after_loading"


class Buffer(Tensor):
    """A Tensor that becomes a buffer of the Cell to whose attribute it is assigned."""

    __slots__ = ("persistent",)

    def __init__(self, data: Any = None, *, persistent: bool = True) -> None:
        super().__init__(data)
        self.persistent = persistent

    def plain(self) -> Tensor:
        """The Tensor that the attribute holds then."""
        return wrap(self._array)


class IncompatibleKeys(NamedTuple):
    """What `load_state_dict` found no place for, and nothing for."""

    missing_keys: list[str]
    unexpected_keys: list[str]


class StateHookHandle:
    """What registering a hook gives: `remove()` takes it away again."""

    def __init__(self, hooks: dict[int, Hook], number: int) -> None:
        self._hooks = hooks
        self._number = number

    def remove(self) -> None:
        """Take the hook away; nothing happens if it is gone already."""
        self._hooks.pop(self._number, None)


class State:
    """The part of a Cell that knows its buffers, and gives and takes all that it holds."""

    if TYPE_CHECKING:
        _cells: dict[str, Any]
        _params: dict[str, Parameter]

    # --- buffers --------------------------------------------------------------------------------------

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Have the attribute `name` hold a Tensor (or None for now) that is no Parameter; if `persistent`, it is in
        `state_dict`.

        Raises TypeError or KeyError for what is no name, KeyError if the attribute is something else already.
        """
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"a buffer name should be a string, not {type(name).__name__}")
        if not name or "." in name:
            raise KeyError(f'a buffer name is not empty and does not contain ".": {name!r}')
        if name not in self._persistence and hasattr(self, name):
            raise KeyError(f"{type(self).__name__}.{name} exists already")
        if tensor is not None and not isinstance(tensor, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"a buffer is a Tensor or None, not {type(tensor).__name__}")
        self._persistence[name] = persistent
        setattr(self, name, tensor)

    @property
    def _persistence(self) -> dict[str, bool]:
        """The names of the buffers, and whether each is persistent."""
        return self.__dict__.setdefault("_persistence_of_buffers", {})

    @property
    def _buffers(self) -> dict[str, Tensor | None]:
        return {name: self.__dict__.get(name) for name in self._persistence if name in self.__dict__}

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True, *, name_prefix: str = ""
    ) -> Iterator[tuple[str, Tensor]]:
        """The buffers of the Cell and (with `recurse`) the Cells in it, with their paths; one that has several names
        once, unless `remove_duplicate` is false."""
        seen: set[int] = set()
        for path, cell in self._parts(prefix or name_prefix, recurse):
            for name, value in cell._buffers.items():
                if value is not None and (not remove_duplicate or id(value) not in seen):
                    seen.add(id(value))
                    yield path + name, value

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers of the Cell and (with `recurse`) the Cells in it."""
        for _, value in self.named_buffers(recurse=recurse):
            yield value

    def get_buffer(self, target: str) -> Tensor | None:
        """The buffer at a path. Raises AttributeError if there is none."""
        *path, name = target.split(".")
        holder = self._at(path)
        if name not in holder._buffers:
            raise AttributeError(f"{type(holder).__name__} has no attribute {name!r} that is a buffer")
        return holder._buffers[name]

    def get_parameter(self, target: str) -> Parameter:
        """The Parameter at a path. Raises AttributeError if there is none."""
        *path, name = target.split(".")
        holder = self._at(path)
        if name not in holder._params:
            raise AttributeError(f"{type(holder).__name__} has no attribute {name!r} that is a Parameter")
        return holder._params[name]

    def _at(self, path: list[str]) -> State:
        holder: State = self
        for name in path:
            if name not in holder._cells:
                raise AttributeError(f"{type(holder).__name__} has no attribute {name!r} that is a Cell")
            holder = holder._cells[name]
        return holder

    def _parts(self, prefix: str, recurse: bool) -> Iterator[tuple[str, State]]:
        """The Cell and those in it, each once, with what their paths begin with."""
        seen: set[int] = set()
        waiting: list[tuple[str, State]] = [(f"{prefix}." if prefix else "", self)]
        while waiting:
            path, cell = waiting.pop()
            if id(cell) in seen:
                continue
            seen.add(id(cell))
            yield path, cell
            if recurse:
                inner = [(f"{path}{name}.", part) for name, part in cell._cells.items() if part is not None]
                waiting.extend(reversed(inner))

    # --- all of it as a dict --------------------------------------------------------------------------

    def state_dict(
        self, destination: OrderedDict[str, Any] | None = None, prefix: str = "", keep_vars: bool = False
    ) -> OrderedDict[str, Any]:
        """The Parameters and persistent buffers of the Cell and those in it, by their paths: themselves, whatever
        `keep_vars` says."""
        made: OrderedDict[str, Any] = OrderedDict() if destination is None else destination
        self._call(SAVING, prefix, keep_vars)
        for name, value in self._own_state().items():
            if value is not None:
                made[prefix + name] = value
        for name, part in self._cells.items():
            if part is not None:
                part.state_dict(destination=made, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for changed in self._call(SAVED, made, prefix, {}):
            made = made if changed is None else changed
        return made

    def _own_state(self) -> dict[str, Any]:
        persistent = {name: value for name, value in self._buffers.items() if self._persistence[name]}
        return {**self._params, **persistent}

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True) -> IncompatibleKeys:
        """Write what `state_dict` gave into Parameters and buffers; gives the names for which nothing was there, and
        which are nowhere.

        Raises RuntimeError where shapes differ, and with `strict` if any names are left.
        """
        if not isinstance(state_dict, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"a state_dict is a dict, not {type(state_dict).__name__}")
        given = OrderedDict(state_dict)
        missing: list[str] = []
        wrong: list[str] = []
        known: set[str] = set()
        for prefix, cell in self._parts("", True):
            cell._call(LOADING, given, prefix, {}, strict, missing, [], wrong)
            for name, own in cell._own_state().items():
                known.add(prefix + name)
                if own is None:
                    continue
                if prefix + name not in given:
                    missing.append(prefix + name)
                else:
                    _write(own, given[prefix + name], prefix + name, wrong)
        found = IncompatibleKeys(missing, [name for name in given if name not in known])
        for _, cell in self._parts("", True):
            cell._call(LOADED, found)
        if strict and found.unexpected_keys:
            wrong.append(f"unexpected keys: {', '.join(found.unexpected_keys)}")
        if strict and found.missing_keys:
            wrong.append(f"missing keys: {', '.join(found.missing_keys)}")
        if wrong:
            raise RuntimeError(f"a state_dict does not fit {type(self).__name__}: {'; '.join(wrong)}")
        return found

    # --- hooks of that --------------------------------------------------------------------------------

    def register_state_dict_pre_hook(self, hook: Hook) -> StateHookHandle:
        """Have `hook(cell, prefix, keep_vars)` called before `state_dict` is made."""
        return self._add(SAVING, hook)

    def register_state_dict_post_hook(self, hook: Hook) -> StateHookHandle:
        """Have `hook(cell, state_dict, prefix, local_metadata)` called after `state_dict` was made; what it returns,
        unless None, replaces it."""
        return self._add(SAVED, hook)

    def register_load_state_dict_pre_hook(self, hook: Hook) -> StateHookHandle:
        """Have `hook(cell, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)`
        called before `load_state_dict` looks at the Cell."""
        return self._add(LOADING, hook)

    def register_load_state_dict_post_hook(self, hook: Hook) -> StateHookHandle:
        """Have `hook(cell, incompatible_keys)` called after `load_state_dict`."""
        return self._add(LOADED, hook)

    def _add(self, kind: str, hook: Hook) -> StateHookHandle:
        if not callable(hook):
            raise TypeError(f"a hook is a function, not {type(hook).__name__}")
        hooks: dict[int, Hook] = self.__dict__.setdefault(kind, {})
        number = next(_numbers)
        hooks[number] = hook
        return StateHookHandle(hooks, number)

    def _call(self, kind: str, *args: Any) -> list[Any]:
        return [hook(self, *args) for hook in tuple(self.__dict__.get(kind, {}).values())]


def _write(own: Tensor, given: Any, name: str, wrong: list[str]) -> None:
    """Write elements into a Parameter or buffer, converted to its dtype; what is wrong with them is noted."""
    value = given if isinstance(given, Tensor) else Tensor(given)
    if value.shape != own.shape:
        wrong.append(f"{name} has shape {own.shape}, not {value.shape}")
        return
    own.set_data(Tensor(value, own.dtype))
