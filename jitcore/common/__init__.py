"""MindSpore's `common`: Parameters, initializers, dtype names."""

from jitcore.common import dtype, initializer
from jitcore.common.initializer import get_seed, set_seed
from jitcore.common.parameter import Parameter, ParameterTuple
from jitcore.common.sparse_tensor import COOTensor, CSRTensor, RowTensor, SparseTensor
from jitcore.runtime.tensor import Tensor

__all__ = [
    "COOTensor",
    "CSRTensor",
    "Parameter",
    "ParameterTuple",
    "RowTensor",
    "SparseTensor",
    "Tensor",
    "dtype",
    "get_seed",
    "initializer",
    "set_seed",
]
