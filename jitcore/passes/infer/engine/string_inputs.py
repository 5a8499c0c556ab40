"""Lists of strings among the inputs of a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitcore.ir.nodes import Var
from jitcore.passes.infer.domain import string_forms
from jitcore.passes.infer.domain.signature import StringsArg
from jitcore.passes.infer.domain.values import Buffer, Path, Reference
from jitcore.primitives.core.code_points import column_type
from jitcore.types import TensorType, fresh_symbol, i64

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.inputs import Inputs


def strings(inputs: Inputs, arg: StringsArg, path: Path) -> Reference:
    """A list of strings, passed as arrays (`jitcore.runtime.list_arguments`)."""
    kind, extent = arg.kind, arg.extent
    of_items = TensorType(i64, (extent,))
    types = (of_items,) if kind.single else (column_type(kind.cls, fresh_symbol()), of_items, of_items)
    found: list[Var] = []
    for k, type_ in enumerate(types):
        found.append(inputs.param((*path, ("strings", kind), ("item", k)), type_, "ndarray", True, None))
        inputs.infer.lies_in_order(found[k])
    element = string_forms.CHARACTER if kind.single else string_forms.of_parts(kind.cls, found[0])
    held = Buffer(inputs.infer.extent(extent), element, tuple(found if kind.single else found[1:]))
    return inputs.infer.heap.new_captured(list, held, path)
