"""Variables that Programs begin with: what they are fed with, parameters, and others that they keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jitcore.compat.paddle import naming
from jitcore.compat.paddle.nn.attributes import AttrLike, Fill, attributes
from jitcore.compat.paddle.nn.layer import made_parameter
from jitcore.compat.paddle.static import modes
from jitcore.compat.paddle.static.programs import default_main_program
from jitcore.compat.paddle.static.recording import captured
from jitcore.compat.paddle.static.variables import Parameter, Variable, type_of
from jitcore.compat.paddle.tensor import Tensor
from jitcore.library.core.defaults import default_float
from jitcore.library.core.dtypes import as_dtype
from jitcore.runtime.tensor import made_of

Shape = Sequence[int | None]


def data(
    name: str,
    shape: Shape,
    dtype: object = None,
    lod_level: int = 0,
    cls: type[Variable] = Variable,
    checked: bool = True,
) -> Variable:
    """What the Program is fed with under a name: None and -1 in the shape are extents that may be anything. What is fed
    must have the dtype and shape, unless not `checked`.

    >>> from jitcore.compat.paddle import static
    >>> with static.program_guard(static.Program()):
    ...     static.data("x", [None, 784], "float32").shape
    [-1, 784]
    """
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"the name of data is a str, not {type(name).__name__}")
    block = default_main_program().global_block()
    made = cls(block, name, type_of(shape, default_float() if dtype is None else dtype))
    made.is_data, made.need_check_feed, made.lod_level = True, checked, lod_level
    return block.add(made)


def create_parameter(
    shape: Sequence[int],
    dtype: object = "float32",
    name: str | None = None,
    attr: AttrLike = None,
    is_bias: bool = False,
    default_initializer: Fill | None = None,
    owner: str = "create_parameter",
) -> Any:
    """A parameter of the Program, to which the startup Program gives its first value; None where `attr` is False.
    In dynamic mode the Parameter."""
    told = attributes(attr)
    if told is None:
        return None
    block = default_main_program().current_block()
    named = told.name or name
    known = default_main_program().global_block().vars.get(named or "")
    if modes.is_static() and isinstance(known, Parameter):
        return known
    made = made_parameter(owner, list(shape), told, dtype, is_bias, default_initializer)
    if named:
        made.name = named
    return captured(made, block) if modes.is_static() else made


def create_global_var(
    shape: Sequence[int],
    value: float,
    dtype: object,
    persistable: bool = False,
    force_cpu: bool = False,
    name: str | None = None,
) -> Any:
    """A Variable that is kept between runs, of one number."""
    del force_cpu, persistable  # what has a first value is kept anyway
    tensor: Any = made_of(Tensor, np.full([int(n) for n in shape], value, as_dtype(dtype).numpy))
    tensor.name = name or naming.generate("global_var")
    tensor.persistable = True
    return captured(tensor, default_main_program().current_block()) if modes.is_static() else tensor
