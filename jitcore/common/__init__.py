"""MindSpore's `common`: Parameters, initializers, dtype names."""

from jitcore.common import dtype, initializer
from jitcore.common.initializer import get_seed, set_seed
from jitcore.common.parameter import Parameter, ParameterTuple
from jitcore.runtime.tensor import Tensor

__all__ = ["Parameter", "ParameterTuple", "Tensor", "dtype", "get_seed", "initializer", "set_seed"]
