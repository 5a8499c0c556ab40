"""The evaluator that records: primitives called while it is current become bindings of a graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import COND
from jitcore.ir.nodes import Atom, Graph, Literal, Var, type_of
from jitcore.primitives.core import evaluation
from jitcore.primitives.ops.conversions import from_scalar
from jitcore.types import BOOL, COMPLEX, FLOAT, INT, DType, RefType, ScalarType, TensorType, Type, bool_

if TYPE_CHECKING:
    from jitcore.primitives.core.registry import Primitive


class GraphEvaluator:
    """Values are atoms of the graph that `builder` builds. Assign `builder` to go on in another graph."""

    def __init__(self, builder: GraphBuilder) -> None:
        self.builder = builder

    def bind(self, primitive: Primitive, args: tuple[Any, ...], params: Mapping[str, Any]) -> Any:
        """Append a binding; see `evaluation.Evaluator`."""
        outs = self.builder.emit(primitive, operands(args), params)
        return outs[0] if len(outs) == 1 else (outs or None)

    def type_of(self, value: Any) -> Type:
        """The type of an atom or Python number."""
        return (  # type: ignore[return-value]
            type_of(value) if isinstance(value, Var | Literal) else scalar_literal(value).type
        )


def operands(args: tuple[Any, ...]) -> list[Atom]:
    """Atoms for a primitive's arguments: Python numbers among arrays become rank-0 literals of the arrays' dtype
    (of the first that is not bool), among scalars Python scalars."""
    dtype: DType | None = None
    for arg in args:
        if isinstance(arg, Var | Literal):
            type_ = arg.type
            if isinstance(type_, RefType):
                type_ = type_.target
            if isinstance(type_, TensorType) and (dtype is None or dtype is bool_):
                dtype = type_.dtype
    atoms: list[Atom] = []
    for arg in args:
        if isinstance(arg, Var | Literal):
            atoms.append(arg)
        elif dtype is None:
            atoms.append(scalar_literal(arg))
        else:
            atoms.append(array_literal(arg, dtype))
    return atoms


def array_literal(value: bool | int | float | complex, dtype: DType) -> Literal:
    """A rank-0 array constant."""
    return Literal(dtype.numpy.type(value).item(), TensorType(dtype, ()))


_SCALAR_TYPES: dict[type, ScalarType] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}


def scalar_literal(value: bool | int | float | complex) -> Literal:
    """A Python number as a literal of the IR. Raises TypeError for anything else."""
    type_ = _SCALAR_TYPES.get(type(value))
    if type_ is None:
        raise TypeError(f"a primitive got {value!r}, which is neither a value of the graph nor a number")
    return Literal(value, type_)


def choose(condition: Any, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """`then()` if the condition (a Python bool of the program) holds, else `orelse()`: a branch of the graph being
    written, or taken at once. Both give one value, of one type."""
    evaluator = evaluation.current()
    if not isinstance(evaluator, GraphEvaluator):
        return then() if condition else orelse()
    outer = evaluator.builder
    graphs: list[Graph] = []
    for name, branch in (("then", then), ("orelse", orelse)):
        evaluator.builder = GraphBuilder(name, outer.span)
        try:
            graphs.append(evaluator.builder.finish(operands((branch(),))))
        finally:
            evaluator.builder = outer
    (out,) = outer.emit(COND, operands((condition,)), {}, tuple(graphs))
    return out


def constant(value: bool | int | float, dtype: DType) -> Any:
    """A rank-0 array of a number that is in the dtype's range."""
    if isinstance(evaluation.current(), GraphEvaluator):
        return array_literal(value, dtype)
    return from_scalar(bool(value) if dtype is bool_ else value, dtype=dtype)
