"""OneFlow's Tensor: jitcore's, with OneFlow's methods, promotion and text, and gradients by `backward()`."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from jitcore.compat.oneflow import dtypes, placing
from jitcore.compat.oneflow.placing import placement as Placement
from jitcore.compat.oneflow.sizes import Size, device
from jitcore.compat.oneflow.text import text_of
from jitcore.compat.torch.arguments import Data, Device, DTypeLike
from jitcore.compat.torch.declaring import refusal, require_device
from jitcore.compat.torch.promotion import promoted
from jitcore.compat.torch.tensor import TensorBase, constructed, dtype_property, shape_property
from jitcore.library.core.dtypes import as_dtype
from jitcore.nn.outlines import outline_of
from jitcore.runtime.dialects import dialect

CATEGORY: Final = "tensor:oneflow"
_TYPE_NAMES: Final = {
    dtypes.float32: "Float", dtypes.float64: "Double", dtypes.float16: "Half", dtypes.int32: "Int",
    dtypes.int64: "Long", dtypes.int8: "Char", dtypes.uint8: "Byte", dtypes.bool_: "Bool",
}  # fmt: skip


@dialect("oneflow", promotion=promoted, construct=constructed, refused=refusal)
class Tensor(TensorBase):
    """`oneflow.Tensor`: see OneFlow's documentation of it.

    >>> from jitcore.compat.oneflow.tables.functions import tensor
    >>> x = tensor([1.0, 2.0], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([2., 4.], dtype=oneflow.float32)
    """

    __slots__ = ()

    def __init__(self, *data: Data, dtype: DTypeLike = None, device: Device = None) -> None:
        require_device(device)
        super().__init__(*data)
        if dtype is not None:
            self._array = self._array.astype(as_dtype(dtype).numpy)

    dtype = dtype_property(dtypes.OF)
    shape = shape_property(Size)

    @property
    def device(self) -> Any:
        """Where its memory is."""
        return device("cpu")

    def cuda(self, device: object = None) -> Any:
        """RuntimeError: there is no such device."""
        require_device("cuda" if device is None else device)
        return self

    def numpy(self, dtype: DTypeLike = None) -> Any:
        """An ndarray of the same memory, or in another dtype."""
        return self._array if dtype is None else self._array.astype(as_dtype(dtype).numpy)

    def type(self, dtype: DTypeLike | str = None) -> Any:
        """The name of its kind (`oneflow.FloatTensor`); or the Tensor in a dtype, by its object or such a name."""
        if dtype is None:
            return f"oneflow.{_TYPE_NAMES.get(self.dtype, self.dtype)}Tensor"
        if isinstance(dtype, str):
            word = dtype.removeprefix("oneflow.").removesuffix("Tensor")
            return self.to(next(known for known, name in _TYPE_NAMES.items() if name == word))
        return self.to(dtype)

    # --- one process of one: what is global is local --------------------------------------------------------

    @property
    def is_global(self) -> bool:
        """Whether several processes may have it: no."""
        return False

    is_consistent = is_global

    @property
    def is_local(self) -> bool:
        """Whether this process has all of it."""
        return True

    @property
    def is_lazy(self) -> bool:
        """Whether it is yet to be computed: no."""
        return False

    @property
    def placement(self) -> Any:
        """RuntimeError: it is local."""
        raise placing.local_only("placement")

    @property
    def sbp(self) -> Any:
        """RuntimeError: it is local."""
        raise placing.local_only("sbp")

    def to_global(
        self,
        placement: Placement | None = None,
        sbp: placing.sbp | Sequence[placing.sbp] | None = None,
        *,
        grad_sbp: object = None,
        check_meta: bool = True,
    ) -> Any:
        """The Tensor, all of which is in the one process that there is."""
        del placement, sbp, grad_sbp, check_meta
        return self

    to_consistent = local_to_global = global_to_global = to_global

    def to_local(self) -> Any:
        """The Tensor."""
        return self

    # --- text -----------------------------------------------------------------------------------------

    def _meta_repr(self) -> str:
        return outline_of(self)

    def __repr__(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        return text_of(self)

    __str__ = __repr__
