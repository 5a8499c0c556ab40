"""Random Tensors: leaves of both sides, of random extents, elements and memory layouts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from jitcore.testing.autotest.draws import Draws
from jitcore.testing.autotest.duals import Dual, Name, active_run, is_running
from jitcore.testing.autotest.generators import Generator, Nothing, drawn
from jitcore.testing.autotest.layouts import LAYOUTS, PLAIN

_DTYPES: Final = {float: "float32", int: "int64", bool: "bool", complex: "complex64"}


class TensorGenerator(Generator):
    """A Tensor of each case; see `random_tensor`."""

    def __init__(
        self, extents: Sequence[object] | None, low: object, high: object, dtype: object, requires_grad: object
    ) -> None:
        self._extents, self._low, self._high = extents, low, high
        self._dtype, self._requires_grad = dtype, requires_grad

    def draw(self, draws: Draws) -> Dual:
        """See `Generator.draw`."""
        run = active_run()
        given = self._extents
        if given is None:
            given = [None] * draws.integer(0 if run.options.check_empty else 1, 5)
        extents = [self._extent(extent, draws) for extent in given]
        dtype = dtype_name(drawn(self._dtype))
        array = draws.array(tuple(extents), dtype, *self._bounds(dtype))
        layout = draws.layout(LAYOUTS) if run.options.check_layouts else PLAIN
        needs = bool(drawn(self._requires_grad)) and dtype[0] in "fc"
        return run.tensor(array, needs, layout)

    def _bounds(self, dtype: str) -> tuple[float, float]:
        low, high = drawn(self._low), drawn(self._high)
        usual = (0, 10) if dtype[0] in "iu" else (-1.0, 1.0)
        low = usual[0] if low is None else low
        return low, max(usual[1], low + 1) if high is None else high

    def _extent(self, given: object, draws: Draws) -> int:
        value = drawn(given)
        if value is not None and not isinstance(value, Nothing):
            return int(value)
        if active_run().options.check_empty and draws.index([6.0, 1.0]) == 1:
            return 0
        return draws.extent()


def dtype_name(dtype: object) -> str:
    """NumPy's name of a dtype given as a class, a name, NumPy's dtype or a dual `torch.float64`."""
    if isinstance(dtype, Name):
        return dtype.text_.rpartition(".")[2]
    if isinstance(dtype, type) and dtype in _DTYPES:
        return _DTYPES[dtype]
    return str(getattr(dtype, "name", dtype))


def random_tensor(
    ndim: int | Generator | None = None,
    dim0: int | Generator | None = None,
    dim1: int | Generator | None = None,
    dim2: int | Generator | None = None,
    dim3: int | Generator | None = None,
    dim4: int | Generator | None = None,
    low: float | Generator | None = None,
    high: float | Generator | None = None,
    dtype: object = float,
    requires_grad: bool | Generator = True,
) -> Any:
    """A dual Tensor of random elements between `low` and `high` (-1 and 1; of ints 0 and 10). Without `ndim` it has one
    to four axes, without `dim0`, `dim1`, … extents of 1 to 5. `dtype` is float (float32), int (int64), bool, a name or
    `torch.float64`. At times it is transposed in memory, or lies between other elements. As an argument of `compare`, a
    generator of such Tensors. Raises ValueError for more extents than axes.

    >>> from jitcore.testing.autotest import autotest
    >>> from jitcore.compat.torch import package
    >>> @autotest(n=2, seed=1, reference=package())
    ... def test():
    ...     return random_tensor(2, dim1=3).sum(1)
    >>> test()
    """
    given = [dim0, dim1, dim2, dim3, dim4]
    asked = drawn(ndim) if is_running() else ndim
    if asked is None and any(extent is not None for extent in given):
        asked = max(k + 1 for k, extent in enumerate(given) if extent is not None)
    if isinstance(asked, int) and any(extent is not None for extent in given[asked:]):
        raise ValueError(f"a Tensor of {asked} axes has no extent for axis {asked}")
    extents = None if asked is None else given[:asked] if isinstance(asked, int) else given
    made = TensorGenerator(extents, low, high, dtype, requires_grad)
    return made.value() if is_running() else made


def tensor_of(
    shape: Sequence[int | Generator],
    low: float | Generator | None = None,
    high: float | Generator | None = None,
    dtype: object = float,
    requires_grad: bool | Generator = True,
) -> Any:
    """`random_tensor` of a shape."""
    made = TensorGenerator(list(shape), low, high, dtype, requires_grad)
    return made.value() if is_running() else made
