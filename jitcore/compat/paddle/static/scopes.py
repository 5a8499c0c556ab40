"""Scopes: where the values of persistable Variables are."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

import numpy as np

from jitcore.compat.paddle.static.variables import Variable
from jitcore.compat.paddle.tensor import Tensor
from jitcore.runtime.tensor import made_of


class Holder:
    """A name of a scope's, and what it stands for."""

    def __init__(self, scope: Scope, name: str) -> None:
        self._scope = scope
        self.name = name

    def get_tensor(self) -> Holder:
        """What gives, and takes, the elements."""
        return self

    def set(self, value: object, place: object = None) -> None:
        """Give it other elements."""
        del place
        self._scope.put(self.name, np.asarray(value))

    def shape(self) -> list[int]:
        """The extents."""
        return [int(n) for n in self._scope.value(self.name).shape]

    def _is_initialized(self) -> bool:
        return self._scope.has(self.name)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array(self._scope.value(self.name).numpy(), cast("Any", dtype))

    def __str__(self) -> str:
        return str(np.asarray(self))


class Scope:
    """Values by name."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self._named: set[str] = set()

    def has(self, name: str) -> bool:
        """Whether a name has a value."""
        return name in self.values

    def value(self, name: str) -> Any:
        """The Tensor of a name. Raises KeyError if it has none."""
        return self.values[name]

    def put(self, name: str, value: object) -> None:
        """Give a name other elements, in the memory that it has if they are of its shape."""
        known = self.values.get(name)
        array = np.asarray(value.numpy() if isinstance(value, Tensor) else value)
        if known is not None and list(known.shape) == list(array.shape):
            known.set_value(array.astype(known.numpy().dtype))
        else:
            self.values[name] = as_tensor(array)

    def set(self, variable: Variable, value: np.ndarray[Any, Any] | Tensor) -> None:
        """Give a Variable a value. Raises ValueError for one of another shape."""
        shape = [int(n) for n in value.shape]
        wanted = list(variable.shape)
        if len(shape) != len(wanted) or any(w not in (-1, n) for w, n in zip(wanted, shape, strict=True)):
            raise ValueError(f"{variable.name} has the shape {wanted}, and is given a value of shape {shape}")
        self.put(variable.name, value)

    def bind(self, name: str, tensor: Tensor) -> Any:
        """The Tensor of a name: `tensor` if there was none."""
        return self.values.setdefault(name, tensor)

    def var(self, name: str) -> Holder:
        """What holds the value of a name, which is made."""
        self._named.add(name)
        return Holder(self, name)

    def find_var(self, name: str) -> Holder | None:
        """What holds the value of a name; None if there is none."""
        return Holder(self, name) if name in self._named or name in self.values else None

    def local_var_names(self) -> list[str]:
        """The names."""
        return sorted(self._named | set(self.values))

    def erase(self, names: Sequence[str]) -> None:
        """Forget names."""
        for name in names:
            self._named.discard(name)
            self.values.pop(name, None)


def as_tensor(value: object, dtype: object = None) -> Any:
    """A value in memory of its own, as a Tensor."""
    array = value.numpy() if isinstance(value, Tensor) else value
    return made_of(Tensor, np.array(array, cast("Any", dtype)))


ROOT: Final = Scope()
"""The scope that there is from the beginning: what a Program's Variables stand for are its values."""


class _Current:
    def __init__(self) -> None:
        self.scope = ROOT


_current: Final = _Current()


def global_scope() -> Scope:
    """The scope that Executors use where none is given."""
    return _current.scope


@contextmanager
def scope_guard(scope: Scope) -> Generator[None]:
    """Use another scope within. Raises TypeError for what is none."""
    if not isinstance(scope, Scope):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"scope_guard takes a Scope, not {type(scope).__name__}")
    before, _current.scope = _current.scope, scope
    try:
        yield
    finally:
        _current.scope = before
