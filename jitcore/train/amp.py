"""Mixed precision: networks that compute in half precision, but for layers that need more, and scales of their
losses."""

from __future__ import annotations

from typing import Any, Final, cast

from jitcore import nn, ops
from jitcore.common.parameter import Parameter
from jitcore.nn.extension import compute_in_alone
from jitcore.runtime.tensor import Tensor
from jitcore.types import DType, f16, f32, i32

LEVELS: Final = ("O0", "O1", "O2", "O3", "auto")
_WHITE: Final[tuple[type[nn.Cell], ...]] = (
    *(nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.Conv1dTranspose, nn.Conv2dTranspose, nn.Conv3dTranspose),
    *(nn.Dense, nn.BiDense, nn.LSTMCell, nn.RNNCell, nn.GRUCell, nn.PReLU, nn.MatMul),
)
_BLACK: Final[tuple[type[nn.Cell], ...]] = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.LayerNorm)


def get_white_list() -> list[Any]:
    """A copy of the layers that compute in half precision at level O1."""
    return list(_WHITE)


def get_black_list() -> list[Any]:
    """A copy of the layers that compute in single precision at level O2."""
    return list(_BLACK)


class _InSingle(nn.Cell):
    """A network whose results are single precision."""

    def __init__(self, network: nn.Cell) -> None:
        super().__init__(auto_prefix=False)
        self.network = network

    def construct(self, *inputs: Any) -> Any:
        """The network's results as float32."""
        return _single(self.network(*inputs))


def _single(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple([_single(v) for v in cast("tuple[Any, ...]", value)])
    if ops.is_tensor(value) and value.dtype.is_float:
        return ops.cast(value, f32)
    return value


def _require_network(network: Any, level: Any, dtype: Any) -> None:
    if not isinstance(network, nn.Cell):
        raise TypeError(f"mixed precision is of a Cell, not of a {type(network).__name__}")
    if not isinstance(level, str) or level not in LEVELS:
        raise ValueError(f"amp_level is one of {', '.join(LEVELS)}, not {level!r}")
    if dtype is not f16:
        raise ValueError(f"the dtype of mixed precision is float16, not {dtype!r}")


def _white(network: nn.Cell, classes: tuple[type[nn.Cell], ...], dtype: DType) -> None:
    """Have layers of some classes compute in a dtype and give single precision."""
    for _, cell in network.cells_and_names():
        if isinstance(cell, classes):
            compute_in_alone(cell, dtype, f32)


def _black(network: nn.Cell, classes: tuple[type[nn.Cell], ...], dtype: DType) -> None:
    """Have all layers but those of some classes compute in a dtype."""
    for _, cell in network.cells_and_names():
        compute_in_alone(cell, f32 if isinstance(cell, classes) else dtype)


def auto_mixed_precision(network: nn.Cell, amp_level: str = "O0", dtype: Any = f16) -> nn.Cell:
    """The network in mixed precision.

    O0: as it is. O1: layers that are mostly products of matrices in half precision. O2: all but normalisation. O3:
    everything. 'auto' is O0, on CPUs. The Parameters keep their dtype.
    """
    _require_network(network, amp_level, dtype)
    if amp_level == "O1":
        _white(network, _WHITE, dtype)
    elif amp_level == "O2":
        _black(network, _BLACK, dtype)
        return _InSingle(network)
    elif amp_level == "O3":
        return network.to_float(dtype)
    return network


def custom_mixed_precision(
    network: nn.Cell, *, white_list: list[Any] | None = None, black_list: list[Any] | None = None, dtype: Any = f16
) -> nn.Cell:
    """The network with layers of the classes of `white_list` in half precision, or all but those of `black_list`."""
    _require_network(network, "O0", dtype)
    if (white_list is None) == (black_list is None):
        raise ValueError("custom_mixed_precision takes either a white_list or a black_list")
    for item in (white_list if white_list is not None else black_list) or ():
        if not isinstance(item, type):
            raise TypeError(f"a list of layers holds classes, not a {type(item).__name__}")
    if white_list is not None:
        _white(network, tuple(c for c in white_list if issubclass(c, nn.Cell)), dtype)
        return network
    _black(network, tuple(c for c in black_list or () if issubclass(c, nn.Cell)), dtype)
    return _InSingle(network)


def training_step(network: nn.Cell, optimizer: Any, manager: Any = None) -> nn.Cell:
    """A step of training, with the loss scaled as a LossScaleManager says."""
    if manager is None:
        return nn.TrainOneStepCell(network, optimizer)
    cell = manager.get_update_cell()
    if cell is None:
        return nn.TrainOneStepCell(network, optimizer, manager.get_loss_scale())
    return nn.TrainOneStepWithLossScaleCell(network, optimizer, cell)


def build_train_network(
    network: nn.Cell,
    optimizer: Any,
    loss_fn: Any = None,
    level: str = "O0",
    boost_level: str = "O0",
    *,
    loss_scale_manager: Any = None,
    **options: Any,
) -> nn.Cell:
    """A step of training of a network in mixed precision (see `auto_mixed_precision`), its loss scaled by a
    LossScaleManager."""
    if boost_level not in ("O0", "O1", "O2"):
        raise ValueError(f"boost_level is 'O0', 'O1' or 'O2', not {boost_level!r}")
    if unknown := options.keys() - {"cast_model_type", "keep_batchnorm_fp32"}:
        raise ValueError(f"build_train_network has no option {sorted(unknown)[0]!r}")
    network = auto_mixed_precision(network, level)
    with_loss = network if loss_fn is None else nn.WithLossCell(network, loss_fn)
    return training_step(with_loss, optimizer, loss_scale_manager)


# --- scaling the loss by hand -------------------------------------------------------------------------


def all_finite(inputs: Any, status: Any = None) -> Any:
    """Whether all elements of Tensors are finite numbers."""
    del status
    return ops.stack(
        [
            ops.isfinite(x).all()
            for x in (  # pyright: ignore[reportUnknownVariableType]
                inputs if isinstance(inputs, tuple | list) else (inputs,)
            )
        ]
    ).all()


def init_status() -> Tensor:
    """The state that overflows would be noted in on other devices."""
    return Tensor([0] * 8, i32)


def _times(value: Any, factor: Any) -> Any:
    if isinstance(value, tuple):
        return tuple([_times(v, factor) for v in cast("tuple[Any, ...]", value)])
    if isinstance(value, list):
        return [_times(v, factor) for v in cast("list[Any]", value)]
    return value * ops.cast(factor, value.dtype)


class LossScaler(nn.Cell):
    """The base of scales of losses: `scale` the loss, `unscale` the gradients, `adjust` the scale after a step."""

    def scale(self, inputs: Any) -> Any:
        """The inputs times the scale."""
        raise NotImplementedError

    def unscale(self, inputs: Any) -> Any:
        """The inputs over the scale."""
        raise NotImplementedError

    def adjust(self, grads_finite: Any) -> Any:
        """Change the scale by whether the gradients were finite; gives whether it may change."""
        raise NotImplementedError


class StaticLossScaler(LossScaler):
    """A scale that stays as it is."""

    def __init__(self, scale_value: float) -> None:
        super().__init__()
        if scale_value < 1.0:
            raise ValueError(f"scale_value is at least 1, not {scale_value}")
        self.scale_value = Parameter(Tensor(float(scale_value), f32), name="scale_value", requires_grad=False)

    def scale(self, inputs: Any) -> Any:
        """The inputs times the scale."""
        return _times(inputs, self.scale_value)

    def unscale(self, inputs: Any) -> Any:
        """The inputs over the scale."""
        return _times(inputs, 1.0 / self.scale_value)

    def adjust(self, grads_finite: Any) -> Any:
        """Nothing changes."""
        del grads_finite
        return False


class DynamicLossScaler(StaticLossScaler):
    """A scale divided by `scale_factor` after an overflow, and multiplied after `scale_window` steps without one."""

    def __init__(self, scale_value: float, scale_factor: int, scale_window: int) -> None:
        super().__init__(scale_value)
        if isinstance(scale_factor, bool) or not isinstance(  # pyright: ignore[reportUnnecessaryIsInstance]
            scale_factor, int
        ):
            raise TypeError(f"scale_factor is an int, not {type(scale_factor).__name__}")
        if scale_factor <= 0 or scale_window <= 0:
            raise ValueError("scale_factor and scale_window must be positive")
        self.scale_factor = float(scale_factor)
        self.scale_window = scale_window
        self.counter = Parameter(Tensor(0, i32), name="counter", requires_grad=False)

    def adjust(self, grads_finite: Any) -> Any:
        """Change the scale by whether the gradients were finite."""
        larger = self.scale_value * self.scale_factor
        grown = ops.where(ops.isfinite(larger), larger, self.scale_value)
        kept = ops.where(self.counter == self.scale_window - 1, grown, self.scale_value)
        smaller = ops.maximum(self.scale_value / self.scale_factor, 1.0)
        next_count = (self.counter + 1) % self.scale_window * ops.cast(grads_finite, i32)
        ops.assign(self.scale_value, ops.where(grads_finite, kept, smaller))
        ops.assign(self.counter, next_count)
        return True
