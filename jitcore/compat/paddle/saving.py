"""`paddle.save` and `paddle.load`: Paddle's own files (`.pdparams`, `.pdopt`), which each reads of the other.

A file is a pickle of containers, numbers and NumPy's arrays. A `state_dict` has arrays for its Tensors, and their names
under a key of its own; elsewhere a Tensor is the tuple of its name and its array. What is loaded can be nothing else:
no code is run for it.
"""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

import io
import pickle
from collections import OrderedDict
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Final, TypeAlias, cast

import numpy as np

from jitcore.compat.paddle.tensor import Tensor
from jitcore.nn.cell import Cell
from jitcore.runtime.tensor import Tensor as AnyTensor
from jitcore.runtime.tensor import made_of
from jitcore.train import atomic_files

Source: TypeAlias = str | PathLike[str] | BinaryIO
Array: TypeAlias = "np.ndarray[Any, Any]"

_NAMES: Final = "StructuredToParameterName@@"
"""The key of a `state_dict` under which the names of its Tensors are."""
_PROTOCOLS: Final = range(2, 5)
_PLAIN: Final = (str, bytes, bool, int, float, complex, type(None), np.ndarray, np.generic)


# --- writing ------------------------------------------------------------------------------------------


def save(obj: object, path: Source, protocol: int = 4, **configs: object) -> None:
    """Write Tensors, numbers, strings, arrays, and containers of them, such as a `state_dict`, to a file, which is
    replaced as a whole; its folder is made if there is none.

    Raises ValueError for a Layer, a path without a file's name, and a protocol that Paddle does not write; TypeError
    for what is none of these.
    """
    del configs
    if isinstance(obj, Cell):
        raise ValueError("paddle do not support saving `paddle.nn.Layer` object: save its state_dict()")
    if protocol not in _PROTOCOLS:
        raise ValueError(f"Expected 1<'protocol'<5, but received protocol={protocol}")
    data = pickle.dumps(_shown(obj), protocol=protocol)
    if not isinstance(path, str | PathLike):
        path.write(data)
        return
    file = Path(path)
    if str(path).endswith("/") or not file.name:
        raise ValueError(
            "The input path MUST be format of dirname/filename [dirname\\filename in Windows system], but received "
            "filename is empty string."
        )
    file.parent.mkdir(parents=True, exist_ok=True)
    atomic_files.write(file, data)


def _shown(obj: object) -> Any:
    """An object as it is in a file."""
    if isinstance(obj, Mapping):
        items = cast("Mapping[Any, Any]", obj)
        if any(isinstance(value, AnyTensor) for value in items.values()):
            return _state(items)
    return _plain(obj, "the object")


def _state(items: Mapping[Any, Any]) -> Any:
    named = {key: value for key, value in items.items() if isinstance(value, AnyTensor)}
    shown = {key: value._array if key in named else _plain(value, repr(key)) for key, value in items.items()}
    shown[_NAMES] = {key: value.name for key, value in named.items()}
    return OrderedDict(shown) if isinstance(items, OrderedDict) else shown


def _plain(value: object, where: str) -> Any:
    """A value with the names and arrays of its Tensors."""
    if isinstance(value, AnyTensor):
        return (cast("Any", value).name, value._array)
    if isinstance(value, Mapping):
        kind = OrderedDict if isinstance(value, OrderedDict) else dict
        items = cast("Mapping[Any, Any]", value).items()
        return kind((key, _plain(item, f"{where}[{key!r}]")) for key, item in items)
    if isinstance(value, list | tuple | set):
        made = [_plain(item, f"{where}[{k}]") for k, item in enumerate(cast("list[Any]", value))]
        return made if isinstance(value, list) else tuple(made) if isinstance(value, tuple) else set(made)
    if isinstance(value, _PLAIN):
        return value
    raise TypeError(
        f"paddle.save: {where} is of {type(value).__name__}, which cannot be saved: save Tensors, arrays, numbers, "
        "strings, and containers of them"
    )


# --- reading ------------------------------------------------------------------------------------------


class _Kind:
    """A dtype as pickles make them: first its code, then its byte order."""

    def __init__(self, code: str, align: object = False, copy: object = True) -> None:
        del align, copy
        made = np.dtype(str(code))
        if made.kind not in "biufcSU" or made.names is not None:
            raise pickle.UnpicklingError(f"arrays of {code!r} are not read")
        self.dtype = made

    def build(self, state: tuple[Any, ...]) -> None:
        """Take the byte order."""
        if state[1] in ("<", ">"):
            self.dtype = self.dtype.newbyteorder(state[1])


class _Elements:
    """An array as pickles make them: first nothing, then its elements."""

    def __init__(self, cls: object, shape: object, code: object) -> None:
        del shape, code
        if cls is not _Elements:
            raise pickle.UnpicklingError("an array of another class than ndarray")
        self.array: Array | None = None

    def build(self, state: tuple[Any, ...]) -> None:
        """Take the elements."""
        _, shape, kind, by_columns, data = state
        if not isinstance(kind, _Kind) or not isinstance(data, bytes):
            raise pickle.UnpicklingError("an array without elements")
        held = np.frombuffer(data, kind.dtype).astype(kind.dtype.newbyteorder("="))
        self.array = held.reshape(tuple(shape), order="F" if by_columns else "C")


def _scalar(kind: _Kind, data: bytes) -> Any:
    return np.frombuffer(data, kind.dtype, 1).astype(kind.dtype.newbyteorder("="))[0]


def _encoded(text: str, encoding: str) -> bytes:
    """Bytes, as pickles of protocol 2 have them."""
    if encoding != "latin1":
        raise pickle.UnpicklingError("bytes are written as latin1")
    return text.encode(encoding)


_ALLOWED: Final[dict[tuple[str, str], Callable[..., Any]]] = {
    ("collections", "OrderedDict"): OrderedDict,
    ("numpy", "ndarray"): _Elements,
    ("numpy", "dtype"): _Kind,
    ("_codecs", "encode"): _encoded,
    **{(f"numpy.{core}.multiarray", "_reconstruct"): _Elements for core in ("core", "_core")},
    **{(f"numpy.{core}.multiarray", "scalar"): _scalar for core in ("core", "_core")},
    **{
        (module, kind.__name__): kind
        for module in ("builtins", "__builtin__")
        for kind in (tuple, set, frozenset, complex)
    },
}


class _Reader(pickle._Unpickler):  # C's lets pickles set attributes of anything
    """Makes what a pickle says, of what is allowed."""

    dispatch: ClassVar[Any] = dict(cast("Any", pickle)._Unpickler.dispatch)

    def find_class(self, module: str, name: str) -> Any:
        """What a name stands for. Raises UnpicklingError for what is not allowed."""
        found = _ALLOWED.get((module, name))
        if found is None:
            raise pickle.UnpicklingError(
                f"the file names {module}.{name}, which is not read: a file of parameters holds arrays, numbers and "
                "containers"
            )
        return found

    def _build(self) -> None:
        stack: list[Any] = cast("Any", self).stack
        state = stack.pop()
        if not isinstance(stack[-1], _Kind | _Elements) or not isinstance(state, tuple):
            raise pickle.UnpicklingError(f"a {type(stack[-1]).__name__} has no state that is read")
        stack[-1].build(cast("tuple[Any, ...]", state))

    dispatch[pickle.BUILD[0]] = _build


def load(path: Source, *, return_numpy: bool = False, keep_name_table: bool = False, **configs: object) -> Any:
    """What `save` has written to a file, with arrays in place of Tensors if `return_numpy`. Raises ValueError for a
    file that is not there or cannot be read, UnpicklingError for one that holds more than arrays, numbers and
    containers."""
    del configs
    if isinstance(path, str | PathLike):
        file = Path(path)
        if not file.exists():
            raise ValueError(
                f"The ``path`` ({file}) to load model not exists. If you want to load the results saved by "
                "`paddle.jit.save`, use paddle.jit.load."
            )
        if file.is_dir():
            raise ValueError(f"The ``path`` ({file}) is a folder: paddle.load reads a file")
        data = file.read_bytes()
    else:
        data = path.read()
    try:
        made: Any = cast("Any", _Reader(io.BytesIO(data), encoding="latin1")).load()
    except pickle.UnpicklingError as error:
        raise type(error)(f"{_named(path)}: {error}") from None
    except Exception as error:  # whatever damage makes a reader raise
        raise ValueError(f"`paddle.load` can not parse the file:{_named(path)}: {error}.") from None
    return _state_of(made, return_numpy, keep_name_table)


def _named(path: Source) -> str:
    return str(path) if isinstance(path, str | PathLike) else "the buffer"


def _state_of(made: object, return_numpy: bool, keep_name_table: bool) -> Any:
    names: dict[Any, str] = cast("dict[Any, Any]", made).get(_NAMES, {}) if isinstance(made, dict) else {}
    if not names:
        return _read(made, return_numpy)
    found = cast("dict[Any, Any]", _read(made, return_numpy))
    if not keep_name_table:
        del found[_NAMES]
    for key, name in names.items():
        if isinstance(found.get(key), np.ndarray) and not return_numpy:
            found[key] = _tensor(found[key], name)
    return found


def _tensor(array: Array, name: str) -> Any:
    made: Any = made_of(Tensor, array)
    made.name = name
    return made


def _read(value: object, return_numpy: bool) -> Any:
    """A value with its arrays, and Tensors of names with arrays."""
    if isinstance(value, _Elements):
        if value.array is None:
            raise ValueError("the file has an array without elements")
        return value.array
    if isinstance(value, dict):
        items = cast("dict[Any, Any]", value).items()
        return type(cast("dict[Any, Any]", value))((key, _read(item, return_numpy)) for key, item in items)
    if isinstance(value, list):
        return [_read(item, return_numpy) for item in cast("list[object]", value)]
    if isinstance(value, tuple):
        parts = cast("tuple[Any, ...]", value)
        if len(parts) == 2 and isinstance(parts[0], str) and isinstance(parts[1], _Elements):
            array = _read(parts[1], return_numpy)
            return array if return_numpy else _tensor(array, parts[0])
        return tuple(_read(item, return_numpy) for item in parts)
    return value
