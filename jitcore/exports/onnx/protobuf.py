"""What is used of the package `onnx`, with types: nodes, tensors, graphs, and models that were checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import numpy as np

from jitcore import __version__
from jitcore.types import DType

try:
    import onnx
    from onnx import checker, helper, numpy_helper
except ImportError as error:
    raise ImportError("exporting to ONNX needs the package onnx: pip install 'jitcore[onnx]'") from error

OPSET: Final = 18
"""Of the operators: the first in which all reductions take their axes as an input, and integers have bits."""
_IR_VERSION: Final = 8
"""Of the file's format: the one that came with that opset, which older runtimes read."""

Node: TypeAlias = "onnx.NodeProto"
Graph: TypeAlias = "onnx.GraphProto"
ValueInfo: TypeAlias = "onnx.ValueInfoProto"
Attribute: TypeAlias = "int | float | str | Sequence[int] | Graph"


def element_type(dtype: DType) -> int:
    """ONNX's number of a dtype."""
    return int(helper.np_dtype_to_tensor_dtype(dtype.numpy))


def node(
    op: str, inputs: Sequence[str], outputs: Sequence[str], place: str, attributes: Mapping[str, Attribute]
) -> Node:
    """An operation; `place` says where the user wrote it."""
    made = helper.make_node(op, list(inputs), list(outputs), doc_string=place or None, **cast("Any", attributes))
    return made


def value_info(name: str, dtype: DType, shape: Sequence[int | str | None] | None) -> ValueInfo:
    """A value's name and type; without a shape, of any."""
    return helper.make_tensor_value_info(name, element_type(dtype), None if shape is None else list(shape))


def graph(
    name: str,
    nodes: Sequence[Node],
    inputs: Sequence[ValueInfo],
    outputs: Sequence[ValueInfo],
    initializers: Mapping[str, np.ndarray[Any, Any]] | None = None,
) -> Graph:
    """A graph; its initializers are its constants by name."""
    held = [
        numpy_helper.from_array(np.ascontiguousarray(a).reshape(a.shape), n) for n, a in (initializers or {}).items()
    ]
    return helper.make_graph(list(nodes), name, list(inputs), list(outputs), held)


def live(nodes: Sequence[Node], results: Iterable[str]) -> list[Node]:
    """The nodes that results depend on."""
    wanted = set(results)
    kept: list[Node] = []
    for made in reversed(nodes):
        if wanted.intersection(made.output):
            kept.append(made)
            wanted |= used_by([made])
    return kept[::-1]


def used_by(nodes: Iterable[Node]) -> set[str]:
    """The names of the values that nodes use, in nested graphs, too."""
    used: set[str] = set()
    for made in nodes:
        used.update(made.input)
        for attribute in made.attribute:
            if attribute.HasField("g"):
                used |= used_by(attribute.g.node) | {result.name for result in attribute.g.output}
    return used


def encoded_model(made: Graph, doc: str) -> bytes:
    """A model's file. Raises onnx.checker.ValidationError for what is no model, which is a fault of jitcore's."""
    model = helper.make_model(
        made,
        producer_name="jitcore",
        producer_version=__version__,
        doc_string=doc,
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=_IR_VERSION,
    )
    checker.check_model(model, full_check=True)
    return model.SerializeToString()
