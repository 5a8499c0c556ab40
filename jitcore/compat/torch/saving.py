"""`torch.save` and `torch.load`: PyTorch's own files, which each reads of the other.

A file is a zip of `data.pkl`, a pickle in which Tensors name their memory, and `data/0`, `data/1` … with the memory.
What is loaded with `weights_only` (the default) can be Tensors, Parameters, containers and numbers, and nothing else:
no code is run for it.
"""

from __future__ import annotations

import io
import pickle
import zipfile
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Final, TypeAlias, cast

import numpy as np

from jitcore.compat.torch import dtypes
from jitcore.compat.torch import tensor as tensors
from jitcore.compat.torch.nn.parameter import Parameter
from jitcore.compat.torch.sizes import Size, device
from jitcore.runtime import autograd, nodes
from jitcore.runtime.tensor import Tensor, made_of
from jitcore.structs import dataclass
from jitcore.train import atomic_files

Source: TypeAlias = str | PathLike[str] | BinaryIO
Location: TypeAlias = str | device | Mapping[str, str] | Callable[..., object] | None
Array: TypeAlias = "np.ndarray[Any, Any]"

_ALIGNMENT: Final = 64
"""Of memory in files, as PyTorch writes them."""
_STORAGES: Final = {
    "FloatStorage": dtypes.float32,
    "DoubleStorage": dtypes.float64,
    "HalfStorage": dtypes.float16,
    "ByteStorage": dtypes.uint8,
    "CharStorage": dtypes.int8,
    "ShortStorage": dtypes.int16,
    "IntStorage": dtypes.int32,
    "LongStorage": dtypes.int64,
    "BoolStorage": dtypes.bool_,
    "ComplexFloatStorage": dtypes.complex64,
    "ComplexDoubleStorage": dtypes.complex128,
}
_STORAGE_OF: Final = {kind: name for name, kind in _STORAGES.items()}


# --- writing ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Named:
    """What a pickle names: something of PyTorch's modules."""

    module: str
    name: str

    def __call__(self) -> None:
        """Pickles hold what can be called."""
        raise TypeError(f"{self.module}.{self.name} is only a name here")


@cache
def _named(module: str, name: str) -> _Named:
    return _Named(module, name)


@dataclass(frozen=True, slots=True, eq=False)
class _Storage:
    """Memory that Tensors share: its key in the file, and its elements."""

    key: str
    elements: Array
    kind: dtypes.dtype


class _Writer(pickle._Pickler):  # pyright: ignore[reportPrivateUsage]  # C's writes names of importable things only
    """Pickles Tensors as PyTorch does, and collects their memory."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__(file, protocol=2)
        self.storages: dict[tuple[int, str], _Storage] = {}

    def save(self, obj: object, save_persistent_id: bool = True) -> None:
        """Write an object; a dtype by its name."""
        if isinstance(obj, dtypes.dtype):
            obj = _named("torch", repr(obj).removeprefix("torch."))
        if isinstance(obj, _Named):
            self._save_name(obj)
        else:
            cast("Any", super()).save(obj, save_persistent_id)

    def _save_name(self, named: _Named) -> None:
        writer = cast("Any", self)
        known = writer.memo.get(id(named))
        if known is not None:
            writer.write(writer.get(known[0]))
            return
        writer.write(pickle.GLOBAL + f"{named.module}\n{named.name}\n".encode())
        writer.memoize(named)

    def persistent_id(self, obj: object) -> Any:
        """Memory is not in the pickle, but named."""
        if not isinstance(obj, _Storage):
            return None
        kind = _STORAGE_OF.get(obj.kind)
        if kind is None:
            raise RuntimeError(f"Tensors of {obj.kind!r} cannot be saved")
        return "storage", _named("torch", kind), obj.key, "cpu", obj.elements.size

    def reducer_override(self, obj: object) -> Any:
        """How Tensors, sizes and devices are made again."""
        if isinstance(obj, Tensor):
            return self._reduced(obj)
        if isinstance(obj, Size):
            return _named("torch", "Size"), (tuple(obj),)
        if isinstance(obj, device):
            return _named("torch", "device"), (str(obj),)
        return NotImplemented

    def _reduced(self, tensor: Tensor) -> Any:
        if not autograd.is_leaf(tensor) and not isinstance(tensor, Parameter):
            tensor = nodes.detached(tensor)
        requires_grad = autograd.needs_gradient(tensor)
        if isinstance(tensor, Parameter):
            plain = nodes.detached(tensor)
            return _named("torch._utils", "_rebuild_parameter"), (plain, requires_grad, _no_hooks())
        storage, offset, strides = self._placed(np.asarray(nodes.detached(tensor).asnumpy()), tensor)
        shape = tuple(tensor.shape)
        rest = (offset, shape, strides, requires_grad, _no_hooks())
        return _named("torch._utils", "_rebuild_tensor_v2"), (storage, *rest)

    def _placed(self, array: Array, tensor: Tensor) -> tuple[_Storage, int, tuple[int, ...]]:
        """Where a Tensor's elements are in which memory; Tensors that share memory do so in the file."""
        root = array
        while isinstance(root.base, np.ndarray):
            root = root.base
        if root.dtype != array.dtype or not root.flags.c_contiguous or any(n < 0 for n in array.strides):
            root = array = np.ascontiguousarray(array).reshape(array.shape)
        place = (root.__array_interface__["data"][0], root.dtype.str)
        storage = self.storages.get(place)
        if storage is None:
            kind = dtypes.OF[tensor._dtype]  # pyright: ignore[reportPrivateUsage]
            storage = self.storages[place] = _Storage(str(len(self.storages)), root.reshape(-1), kind)
        offset = array.__array_interface__["data"][0] - place[0] if array.size else 0
        size = array.itemsize
        return storage, offset // size, tuple(n // size for n in array.strides)


def _no_hooks() -> OrderedDict[str, object]:
    return OrderedDict()


def save(
    obj: object,
    f: Source,
    pickle_module: object = None,
    pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True,
) -> None:
    """Write an object to a file, which is replaced as a whole."""
    del pickle_module, pickle_protocol, _use_new_zipfile_serialization
    named = isinstance(f, str | PathLike)
    data = _packed(obj, Path(f).stem if named else "archive")
    if not named:
        f.write(data)
        return
    path = Path(f)
    if not path.parent.is_dir():
        raise RuntimeError(f"Parent directory {path.parent} does not exist.")
    atomic_files.write(path, data)


def _packed(obj: object, name: str) -> bytes:
    pickled = io.BytesIO()
    writer = _Writer(pickled)
    writer.dump(obj)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:

        def add(entry: str, data: bytes) -> None:
            info = zipfile.ZipInfo(f"{name}/{entry}", (1980, 1, 1, 0, 0, 0))
            info.extra = _padding(made.tell() + 30 + len(info.filename.encode()))
            archive.writestr(info, data)

        add("data.pkl", pickled.getvalue())
        add(".format_version", b"1")
        add(".storage_alignment", str(_ALIGNMENT).encode())
        add("byteorder", b"little")
        for storage in writer.storages.values():
            elements = storage.elements
            add(f"data/{storage.key}", elements.astype(elements.dtype.newbyteorder("<"), copy=False).tobytes())
        add("version", b"3\n")
    return made.getvalue()


def _padding(start: int) -> bytes:
    """The extra field after which memory begins at a multiple of the alignment; 30 bytes are a zip's local header."""
    length = -(start + 4) % _ALIGNMENT
    return b"FB" + length.to_bytes(2, "little") + b"Z" * length


# --- reading ------------------------------------------------------------------------------------------


class _Reader(pickle._Unpickler):  # pyright: ignore[reportPrivateUsage]  # C's lets pickles set attributes of anything
    """Makes what a pickle says, of what is allowed."""

    dispatch: ClassVar[Any] = dict(cast("Any", pickle)._Unpickler.dispatch)

    def __init__(self, archive: _Archive, encoding: str) -> None:
        super().__init__(io.BytesIO(archive.read("data.pkl")), encoding=encoding)
        self._archive = archive

    def persistent_load(self, pid: object) -> Any:
        """Memory that the pickle names."""
        parts = cast("tuple[Any, ...]", pid) if isinstance(pid, tuple) else ()
        if len(parts) != 5 or parts[0] != "storage":
            raise pickle.UnpicklingError(f"persistent id {pid!r} is no storage")
        _, kind, key, place, size = parts
        if not isinstance(kind, _Kind):
            raise pickle.UnpicklingError(f"a storage of {kind!r}")
        self._archive.require_place(str(place))
        return self._archive.storage(str(key), kind.dtype, size)

    def find_class(self, module: str, name: str) -> Any:
        """What a name stands for. Raises UnpicklingError for what is not allowed."""
        found = _ALLOWED.get((module, name))
        if found is None and module == "torch":
            found = _of_torch(name)
        if found is None:
            raise pickle.UnpicklingError(
                "Weights only load failed. In PyTorch 2.6, we changed the default value of the `weights_only` argument "
                "in `torch.load` from `False` to `True`. Re-running `torch.load` with `weights_only` set to `False` "
                "will likely succeed, but it can result in arbitrary code execution. Do it only if you got the file "
                f"from a trusted source. WeightsUnpickler error: Unsupported global: GLOBAL {module}.{name} "
                "was not an allowed global by default."
            )
        return found

    def _build(self) -> None:
        """Attributes are set of containers only."""
        stack: list[Any] = cast("Any", self).stack
        state = stack.pop()
        if type(stack[-1]) not in (OrderedDict, Counter) or not isinstance(state, dict):
            raise pickle.UnpicklingError(f"Can only build OrderedDict objects, but got {type(stack[-1])}")
        stack[-1].__dict__.update(cast("dict[str, Any]", state))

    dispatch[pickle.BUILD[0]] = _build


class _TrustingReader(_Reader):
    """Makes anything that a pickle says."""

    dispatch: ClassVar[Any] = {
        **_Reader.dispatch,
        pickle.BUILD[0]: cast("Any", pickle)._Unpickler.dispatch[pickle.BUILD[0]],
    }

    def find_class(self, module: str, name: str) -> Any:
        found = _ALLOWED.get((module, name))
        found = _of_torch(name) if found is None and module == "torch" else found
        return cast("Any", pickle)._Unpickler.find_class(self, module, name) if found is None else found


@dataclass(frozen=True, slots=True)
class _Kind:
    """A class of PyTorch's storages."""

    dtype: dtypes.dtype


def _of_torch(name: str) -> Any:
    """A storage class, or a dtype, of the module `torch`."""
    if name in _STORAGES:
        return _Kind(_STORAGES[name])
    if name == "BFloat16Storage":
        raise RuntimeError("there is no bfloat16 in jitcore: convert what is saved by .float() first")
    found = getattr(dtypes, {"bool": "bool_"}.get(name, name), None)
    return found if isinstance(found, dtypes.dtype) else None


class _Archive:
    """A file that is read. Damage is a RuntimeError."""

    def __init__(self, data: bytes, location: Location) -> None:
        if not data.startswith(b"PK"):
            raise RuntimeError(_why_not(data))
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            names = self._zip.namelist()
        except (zipfile.BadZipFile, OSError, ValueError) as error:
            raise RuntimeError(f"PytorchStreamReader failed reading zip archive: {error}") from None
        found = [name for name in names if name.partition("/")[2] == "data.pkl"]
        if not found:
            raise RuntimeError("PytorchStreamReader failed locating file data.pkl: file not found")
        self._root = found[0].partition("/")[0]
        self._location = location
        self._storages: dict[str, tuple[Array, dtypes.dtype]] = {}
        self._order = self.read("byteorder") if f"{self._root}/byteorder" in names else b"little"

    def read(self, name: str) -> bytes:
        try:
            return self._zip.read(f"{self._root}/{name}")
        except KeyError:
            raise RuntimeError(f"PytorchStreamReader failed locating file {name}: file not found") from None
        except Exception as error:  # whatever zipfile finds of damage: BadZipFile, zlib.error, EOFError, …
            raise RuntimeError(f"PytorchStreamReader failed reading file {name}: {error}") from None

    def storage(self, key: str, kind: dtypes.dtype, size: int) -> Array:
        """The elements that a pickle names."""
        known = self._storages.get(key)
        if known is None:
            data = self.read(f"data/{key}")
            wanted = np.dtype(kind).newbyteorder(">" if self._order == b"big" else "<")
            if len(data) < size * wanted.itemsize:
                raise RuntimeError(f"data/{key} has {len(data)} bytes, not the {size * wanted.itemsize} of its storage")
            elements = np.frombuffer(data, wanted, size).astype(np.dtype(kind))
            known = self._storages[key] = elements, kind
        return known[0]

    def require_place(self, saved: str) -> None:
        """Raise RuntimeError for memory that goes to a device that there is not."""
        wanted = self._location
        if isinstance(wanted, Mapping):
            wanted = wanted.get(saved, saved)
        name = saved if wanted is None else "cpu" if callable(wanted) else str(wanted)
        if name.partition(":")[0] not in ("cpu", "meta"):
            raise RuntimeError(
                f"Attempting to deserialize object on a {name.partition(':')[0].upper()} device but there is none. If "
                "you are running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to "
                "map your storages to the CPU."
            )


def _why_not(data: bytes) -> str:
    if not data:
        return "the file is empty: nothing was saved to it"
    if data.startswith(b"\x80"):
        return "Invalid magic number; corrupt file? (pickles, and files older than PyTorch 1.6, are not read)"
    return "PytorchStreamReader failed reading zip archive: this is no file of torch.save"


def load(
    f: Source,
    map_location: Location = None,
    pickle_module: object = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    encoding: str = "utf-8",
) -> Any:
    """What `save` has written to a file. Raises UnpicklingError for what is more than weights, unless `weights_only` is
    false, and RuntimeError for a file that is damaged."""
    del pickle_module, mmap
    data = Path(f).read_bytes() if isinstance(f, str | PathLike) else f.read()
    reader = _TrustingReader if weights_only is False else _Reader
    made = reader(_Archive(data, map_location), encoding)
    try:
        return made.load()
    except (pickle.UnpicklingError, RuntimeError):
        raise
    except (EOFError, IndexError, KeyError, ValueError, TypeError, AttributeError) as error:
        if weights_only is False:
            raise
        raise pickle.UnpicklingError(f"Weights only load failed: {type(error).__name__}: {error}") from None


# --- what is made -------------------------------------------------------------------------------------


def _tensor(
    storage: Array,
    storage_offset: int,
    size: Sequence[int],
    stride: Sequence[int],
    requires_grad: bool = False,
    backward_hooks: object = None,
    metadata: object = None,
) -> Any:
    """A Tensor in memory."""
    del backward_hooks, metadata
    if not isinstance(storage, np.ndarray) or len(size) != len(stride):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise pickle.UnpicklingError("a Tensor without memory")
    last = storage_offset + sum((n - 1) * step for n, step in zip(size, stride, strict=True))
    if min(storage_offset, *size, *stride, 0) < 0 or (0 not in size and last >= storage.size):
        raise RuntimeError(f"a Tensor of shape {tuple(size)} goes beyond its storage of {storage.size} elements")
    strides = [n * storage.itemsize for n in stride]
    start = storage_offset * storage.itemsize if 0 not in size else 0
    made = made_of(tensors.Tensor, np.ndarray(tuple(size), storage.dtype, storage, start, tuple(strides)))
    if requires_grad:
        autograd.set_requires_grad(made, True)
    return made


def _plain_tensor(storage: Array, storage_offset: int, size: Sequence[int], stride: Sequence[int]) -> Any:
    return _tensor(storage, storage_offset, size, stride)


def _parameter(data: Tensor, requires_grad: bool, backward_hooks: object, state: object = None) -> Parameter:
    del backward_hooks, state
    if not isinstance(data, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise pickle.UnpicklingError("a Parameter of no Tensor")
    return Parameter(data, bool(requires_grad))


def _encoded(text: str, encoding: str) -> bytes:
    """Bytes, as pickles of protocol 2 have them."""
    if not isinstance(text, str) or encoding != "latin1":  # pyright: ignore[reportUnnecessaryIsInstance]
        raise pickle.UnpicklingError("bytes are written as latin1")
    return text.encode(encoding)


_ALLOWED: Final[dict[tuple[str, str], Any]] = {
    ("collections", "OrderedDict"): OrderedDict,
    ("collections", "Counter"): Counter,
    ("torch._utils", "_rebuild_tensor"): _plain_tensor,
    ("torch._utils", "_rebuild_tensor_v2"): _tensor,
    ("torch._utils", "_rebuild_parameter"): _parameter,
    ("torch._utils", "_rebuild_parameter_with_state"): _parameter,
    ("torch", "Size"): Size,
    ("torch", "device"): device,
    ("_codecs", "encode"): _encoded,
    **{
        (module, kind.__name__): kind
        for module in ("builtins", "__builtin__")
        for kind in (set, frozenset, complex, bytearray)
    },
}
