"""MindSpore's `common`: Parameters, initializers, dtype names."""

from jitcore.common import dtype, initializer
from jitcore.common.initializer import set_seed
from jitcore.common.parameter import Parameter, ParameterTuple
from jitcore.runtime.tensor import Tensor

__all__ = ["Parameter", "ParameterTuple", "Tensor", "dtype", "initializer", "set_seed"]
