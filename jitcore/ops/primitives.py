"""MindSpore's primitive classes: `ops.Mul()(x, y)` is `ops.mul(x, y)`; `ops.MatMul(transpose_b=True)(x, y)` is set up
first.

Each is made from a function: its positional parameters are the operands, its keyword-only parameters the constructor's.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar, Final

from jitcore.library import operators
from jitcore.library.core.marking import is_library, library
from jitcore.library.core.values import category, is_number
from jitcore.ops import checking
from jitcore.primitives.core import constructing, evaluation
from jitcore.runtime.interrupts import is_from_handler


class Primitive:
    """An operator that is set up when it is made and called with its operands."""

    __jitcore_library__ = True
    _function: ClassVar[Callable[..., Any]]
    _plain: ClassVar[Callable[..., Any]]
    _named: str

    def __init__(self, *args: Any, **keywords: Any) -> None:
        if type(self) is Primitive:
            (self._named,) = args
            self.params = {}
            return
        bound = _set_up(type(self)._plain).bind(*args, **keywords)
        bound.apply_defaults()
        self.params: dict[str, Any] = dict(bound.arguments)
        vouched = constructing.vouched(type(self), args, keywords)
        checking.check(type(self).__name__, {k: v for k, v in self.params.items() if k not in vouched})

    def __call__(self, *operands: Any) -> Any:
        if type(self) is Primitive:
            raise NotImplementedError(f"the operator {self._named} has no function here")
        if operands and type(self).__name__ in _OF_TENSORS and is_number(operands[0]):
            raise TypeError(
                f"For primitive[{self.name}], the input argument[{_operand(type(self)._plain)}] must be a "
                f"Tensor, but got {category(operands[0])}."
            )
        if not evaluation.is_tracing():
            constructing.vet(self, operands, {})
        checking.check_operands(self.name, operands)
        try:
            return type(self)._function(*operands, **self.params)
        except (TypeError, ValueError) as error:
            if is_from_handler(error):
                raise
            named = checking.named(error, self.name)
            raise named if evaluation.is_tracing() else constructing.reworded(self, operands, {}, named) from None

    @classmethod
    def constructor(cls) -> inspect.Signature:
        """What the class is made with."""
        return _set_up(cls._plain)

    @property
    def name(self) -> str:
        """The name of the class; of a Primitive itself, the one it was made with."""
        return self._named if type(self) is Primitive else type(self).__name__

    def __getattr__(self, name: str) -> Any:
        params = self.__dict__.get("params", {})
        if name in params:
            return params[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def add_prim_attr(self, name: str, value: Any) -> Primitive:
        """The operator itself: MindSpore's attributes for its compiler mean nothing here."""
        del name, value
        return self

    set_device = set_stage = set_prim_instance_name = init_prim_io_names = shard = recompute = lambda self, *_, **__: (
        self
    )
    """What places operators on devices in MindSpore."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.params.items())})"


_OF_TENSORS: Final = frozenset(
    [
        "Abs", "Acos", "AdaptiveAvgPool2D", "AdaptiveAvgPool3D", "ArgMaxWithValue", "ArgMinWithValue", "Argmax",
        "Argmin", "Asin", "Atan", "AvgPool", "AvgPool3D", "BatchMatMul", "BatchNorm", "BiasAdd", "BroadcastTo", "Ceil",
        "Conv2D", "Conv2DBackpropInput", "Conv2DTranspose", "Conv3D", "Conv3DTranspose", "Cos", "CumProd", "CumSum",
        "DType", "DepthToSpace", "Elu", "EqualCount", "Erf", "Erfc", "Exp", "ExpandDims", "FastGeLU", "Flatten",
        "Floor", "GatherD", "GatherNd", "GeLU", "HSigmoid", "HSwish", "L2Loss", "L2Normalize", "LayerNorm", "Log",
        "LogSoftmax", "MatMul", "MaxPool", "MaxPool3D", "MaxPoolWithArgmax", "Mish", "OneHot", "OnesLike", "PReLU",
        "Pad", "ReLU", "ReLU6", "ReLUV2", "Reciprocal", "ReduceAll", "ReduceAny", "ReduceMax", "ReduceMean",
        "ReduceMin", "ReduceProd", "ReduceSum", "Reshape", "ResizeBilinear", "ResizeNearestNeighbor", "ReverseSequence",
        "ReverseV2", "Rsqrt", "SeLU", "Sigmoid", "Sign", "Sin", "Slice", "Softmax", "SoftmaxCrossEntropyWithLogits",
        "Softplus", "Softsign", "Sort", "SpaceToDepth", "Split", "Sqrt", "Square", "Squeeze", "StridedSlice", "Tan",
        "Tanh", "Tile", "TopK", "Transpose", "Unique", "Unstack", "ZerosLike",
    ]
)  # fmt: skip
"""The classes whose first operand is no number, though its function takes numbers."""


def _operand(function: Callable[..., Any]) -> str:
    """The name of a function's first parameter."""
    return next(iter(inspect.signature(function).parameters))


@cache
def _set_up(function: Callable[..., Any]) -> inspect.Signature:
    """How the class that calls `function` is set up: by its keyword-only parameters."""
    return inspect.Signature(
        [
            p.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)
            for p in inspect.signature(function).parameters.values()
            if p.kind is inspect.Parameter.KEYWORD_ONLY
        ]
    )


def _primitive(name: str, function: Callable[..., Any]) -> type[Primitive]:
    """The class that calls `function`."""
    marked = function if is_library(function) else library("tensor")(function)
    body = {
        "_function": staticmethod(marked),
        "_plain": staticmethod(function),
        "__doc__": function.__doc__,
        "__module__": __name__,
    }
    return type(name, (Primitive,), body)


make_primitive = _primitive


def __getattr__(name: str) -> Any:
    """A class is made when it is first asked for: a program uses a few of hundreds."""
    function = operators.CLASSES.get(name)
    if function is None:
        raise AttributeError(f"jitcore.ops.primitives has no operator {name!r}")
    made = globals()[name] = _primitive(name, function)
    return made


def __dir__() -> list[str]:
    return [*globals(), *operators.CLASSES]
