"""`oneflow.save` and `oneflow.load`: a folder with one file, of Tensors by name and a description of what they are in;
of a Graph the model that `jitcore.export` writes.

The file is a checkpoint as jitcore writes it (safetensors, with a digest); there is no code in it, and reading it runs
none.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import numpy as np

from jitcore.compat.oneflow.nn.module import Parameter
from jitcore.compat.oneflow.tensor import Tensor
from jitcore.compat.torch.declaring import require_device
from jitcore.exports import export, folders
from jitcore.exports import load as load_model
from jitcore.nn.graph.graph import Graph
from jitcore.runtime import autograd, nodes
from jitcore.runtime.tensor import Tensor as AnyTensor
from jitcore.runtime.tensor import made_of
from jitcore.train import atomic_files, checkpoint_format

Where: TypeAlias = "str | Path"
Arrays: TypeAlias = "dict[str, np.ndarray[Any, Any]]"

_FILE: Final = "checkpoint.safetensors"
_WHOLE: Final = "object"
"""The name of the description; those of Tensors begin with a dot."""
_PLAIN: Final = (str, bool, int, type(None))


def save(
    obj: object, path_or_buffer: Where, global_dst_rank: int | None = None, save_as_external_data: bool = True
) -> None:
    """Save Tensors, numbers, strings, and tuples, lists and dicts of them, such as a `state_dict`, to a folder, which
    is made if there is none; or a Graph that has been called, with its Tensors, for arguments of the same shapes: what
    `load` gives is called as it was, without its source.

    Raises TypeError for what is none of these; for a Graph RuntimeError if it has not been called or trains,
    FileNotFoundError if the folder's own is missing, and CompileError for what cannot leave Python.

    >>> import tempfile
    >>> from jitcore.compat.oneflow.tables.functions import ones
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save({"x": ones(2)}, folder)
    ...     print(load(folder))
    {'x': tensor([1., 1.], dtype=oneflow.float32)}
    """
    del global_dst_rank, save_as_external_data
    if isinstance(obj, Graph):
        _save_graph(obj, Path(path_or_buffer))
        return
    arrays: Arrays = {}
    described = _described(obj, arrays, "")
    folder = Path(path_or_buffer)
    if folder.exists() and not folder.is_dir():
        raise FileExistsError(f"{folder} is a file: flow.save writes a folder, which is to be named instead")
    folder.mkdir(exist_ok=True)
    atomic_files.write(folder / _FILE, checkpoint_format.encode({**arrays, _WHOLE: described}))


def load(path_or_buffer: Where, map_location: object = None, global_src_rank: int | None = None) -> Any:
    """What `save` saved; of a Graph a function of the arguments that it takes. Raises FileNotFoundError where there is
    no such folder, ValueError for one that `save` did not write."""
    del global_src_rank
    if map_location is not None:
        require_device(map_location)
    if (Path(path_or_buffer) / folders.MANIFEST).exists():
        return load_model(path_or_buffer)
    file = Path(path_or_buffer) / _FILE
    held = checkpoint_format.decode(file.read_bytes())
    if _WHOLE not in held:
        raise ValueError(f"{file} was not written by flow.save of jitcore: it has no description of what is in it")
    return _object(held[_WHOLE], held)


def _save_graph(graph: Graph, folder: Path) -> None:
    example = graph.example
    if graph.training:
        raise RuntimeError(
            f"flow.save: {graph.name} trains: save a Graph of the same modules that has no optimizer, or state_dict()"
        )
    if not folder.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {folder.parent}, in which flow.save is to write a Graph")
    export(graph, example, folder)


# --- what is written ----------------------------------------------------------------------------------


def _described(value: object, arrays: Arrays, path: str) -> Any:
    """A value as JSON; the elements of its Tensors go to `arrays`, by their paths."""
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, float):
        return {"float": value.hex()}
    if isinstance(value, AnyTensor):
        kind = "parameter" if isinstance(value, Parameter) else "tensor"
        gradient = autograd.is_leaf(value) and autograd.needs_gradient(value)
        return {kind: _kept(nodes.detached(value).asnumpy(), arrays, path), "requires_grad": gradient}
    if isinstance(value, np.ndarray | np.generic):
        return {"array": _kept(np.asarray(value), arrays, path)}
    if isinstance(value, Mapping):
        kind = "ordered" if isinstance(value, OrderedDict) else "dict"
        items = enumerate(cast("Mapping[Any, Any]", value).items())
        inner = (
            (k, key, item, f"{path}.{key}" if isinstance(key, str) else f"{path}.#{k}") for k, (key, item) in items
        )
        return {kind: [[_described(key, arrays, f"{at}.key"), _described(v, arrays, at)] for _, key, v, at in inner]}
    if isinstance(value, list | tuple):
        kind = "list" if isinstance(value, list) else "tuple"
        given = cast("Sequence[Any]", value)
        return {kind: [_described(item, arrays, f"{path}.{k}") for k, item in enumerate(given)]}
    raise TypeError(
        f"flow.save: a {type(value).__name__} at {path.lstrip('.') or 'the top'} cannot be saved: save Tensors, "
        "numbers, strings, and tuples, lists and dicts of them (of a Module its state_dict())"
    )


def _kept(array: np.ndarray[Any, Any], arrays: Arrays, path: str) -> str:
    """The name under which the elements of an array are kept."""
    name = path or "."
    while name in arrays:
        name += "'"
    arrays[name] = array
    return name


# --- what is read -------------------------------------------------------------------------------------


def _tensor(described: Mapping[str, Any], arrays: Arrays) -> Any:
    made = made_of(Tensor, arrays[described["tensor"]])
    if described["requires_grad"]:
        autograd.set_requires_grad(made, True)
    return made


def _parameter(described: Mapping[str, Any], arrays: Arrays) -> Any:
    return Parameter(made_of(Tensor, arrays[described["parameter"]]), described["requires_grad"])


def _dict(described: Sequence[Any], arrays: Arrays) -> Any:
    return {_object(key, arrays): _object(item, arrays) for key, item in described}


_READ: Final[dict[str, Callable[[Any, Arrays], Any]]] = {
    "float": lambda described, _: float.fromhex(described["float"]),
    "tensor": _tensor,
    "parameter": _parameter,
    "array": lambda described, arrays: arrays[described["array"]],
    "dict": lambda described, arrays: _dict(described["dict"], arrays),
    "ordered": lambda described, arrays: OrderedDict(_dict(described["ordered"], arrays)),
    "list": lambda described, arrays: [_object(item, arrays) for item in described["list"]],
    "tuple": lambda described, arrays: tuple(_object(item, arrays) for item in described["tuple"]),
}


def _object(described: object, arrays: Arrays) -> Any:
    if isinstance(described, _PLAIN):
        return described
    kind = next(iter(cast("dict[str, Any]", described)))
    return _READ[kind](described, arrays)
