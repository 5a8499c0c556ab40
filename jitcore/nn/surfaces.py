"""Metrics of segmentations: how far the surface of what was predicted is from that of what is wanted."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jitcore.nn.cell import Cell
from jitcore.nn.measures import rearrange_inputs
from jitcore.nn.metrics import METRICS, Measure, as_ndarray
from jitcore.runtime.tensor import Tensor

_DISTANCES: Final = ("euclidean", "chessboard", "taxicab")
_ROWS: Final = 4096
"""So many distances from a point to all others are held at once."""


def surface(mask: NDArray[Any]) -> NDArray[Any]:
    """The elements of a mask that have a neighbour along an axis outside of it, or are at the border of the image."""
    inner = mask.copy()
    for axis in range(mask.ndim):
        padded = np.pad(mask, [(1, 1) if k == axis else (0, 0) for k in range(mask.ndim)])
        length = mask.shape[axis]
        inner &= np.take(padded, range(length), axis) & np.take(padded, range(2, length + 2), axis)
    return mask & ~inner


def distances(surface_from: NDArray[Any], surface_to: NDArray[Any], metric: str) -> NDArray[Any]:
    """How far each point of one surface is from the nearest of another; inf where there is none."""
    points, others = np.argwhere(surface_from), np.argwhere(surface_to)
    if not len(points):
        return np.zeros(0)
    if not len(others):
        return np.full(len(points), np.inf)
    parts: list[NDArray[Any]] = []
    step = max(1, _ROWS // len(others))
    for start in range(0, len(points), step):
        gaps = np.abs(points[start : start + step, None] - others[None])
        if metric == "euclidean":
            parts.append(np.sqrt((gaps.astype(np.float64) ** 2).sum(-1).min(1)))
        else:
            parts.append((gaps.max(-1) if metric == "chessboard" else gaps.sum(-1)).min(1))
    return np.concatenate(parts)


class _Surfaces(Measure):
    """What the metrics here share: the surfaces of the last two segmentations."""

    def __init__(self, distance_metric: str) -> None:
        if not isinstance(distance_metric, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"distance_metric is a str, not {type(distance_metric).__name__}")
        if distance_metric not in _DISTANCES:
            raise ValueError(f"distance_metric is one of {', '.join(_DISTANCES)}, not {distance_metric!r}")
        self.distance_metric = distance_metric
        super().__init__()

    def clear(self) -> None:
        """Begin anew."""
        self._surfaces: tuple[NDArray[Any], NDArray[Any]] | None = None

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take what was predicted, what is wanted, and the label that is looked at."""
        name = type(self).__name__
        if len(inputs) != 3:
            raise ValueError(f"{name} takes predictions, labels and the label looked at, not {len(inputs)} values")
        predicted, wanted = (self._convert_data(v) for v in inputs[:2])
        label = inputs[2]
        if not isinstance(label, int | float):
            raise self._wrong_label(f"the label {name} looks at is an int or a float, not {type(label).__name__}")
        if label not in predicted and label not in wanted:
            raise ValueError(f"{name}: neither predictions nor labels have the label {label}")
        if not predicted.size or predicted.shape != wanted.shape:
            raise ValueError(f"{name}: predictions of shape {predicted.shape}, labels of {wanted.shape}")
        masks = [v if v.dtype == np.bool_ else v == label for v in (predicted, wanted)]
        self._surfaces = self._found(masks[0], masks[1])

    def _wrong_label(self, text: str) -> Exception:
        return ValueError(text)

    def _found(self, predicted: NDArray[Any], wanted: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        return surface(predicted), surface(wanted)

    def _both(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The distances there and back. Raises RuntimeError if there is nothing yet."""
        if self._surfaces is None:
            raise RuntimeError(f"{type(self).__name__} has seen nothing yet")
        predicted, wanted = self._surfaces
        return distances(predicted, wanted, self.distance_metric), distances(wanted, predicted, self.distance_metric)


class HausdorffDistance(_Surfaces):
    """The largest distance of a point of one surface from the other one, or a percentile of the distances.

    >>> metric = HausdorffDistance()
    >>> metric.update([[3, 0, 1], [1, 3, 0], [1, 0, 2]], [[0, 2, 1], [1, 2, 1], [0, 0, 1]], 0)
    >>> print(metric.eval())
    1.4142135623730951
    """

    def __init__(
        self,
        distance_metric: str = "euclidean",
        percentile: float | None = None,
        directed: bool = False,
        crop: bool = True,
    ) -> None:
        if percentile is not None and not isinstance(percentile, float):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"percentile is a float, not {type(percentile).__name__}")
        for what, given in (("directed", directed), ("crop", crop)):
            if (
                given is not None  # pyright: ignore[reportUnnecessaryComparison]
                and not isinstance(given, bool)  # pyright: ignore[reportUnnecessaryIsInstance]
            ):
                raise TypeError(f"{what} is a bool, not {type(given).__name__}")
        self.percentile, self.directed, self.crop = percentile, directed, crop
        super().__init__(distance_metric)

    def _found(self, predicted: NDArray[Any], wanted: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        places = np.nonzero(predicted | wanted)
        if self.crop and len(places[0]):
            box = tuple(slice(at.min(), at.max() + 1) for at in places)
            predicted, wanted = predicted[box].squeeze(), wanted[box].squeeze()
        return surface(predicted), surface(wanted)

    def _one(self, found: NDArray[Any]) -> Any:
        if not found.size:
            return np.inf
        if not self.percentile:
            return found.max()
        if not 0 <= self.percentile <= 100:
            raise ValueError(f"percentile is between 0 and 100, not {self.percentile}")
        return np.percentile(found, self.percentile)

    def eval(self) -> Any:
        """The distance."""
        there, back = self._both()
        return self._one(there) if self.directed else max(self._one(there), self._one(back))


class _Symmetric(_Surfaces):
    """What may be taken from the prediction to what is wanted, or both ways."""

    def __init__(self, symmetric: bool = False, distance_metric: str = "euclidean") -> None:
        if not isinstance(symmetric, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"symmetric is a bool, not {type(symmetric).__name__}")
        self.symmetric = symmetric
        super().__init__(distance_metric)


class MeanSurfaceDistance(_Symmetric):
    """The mean distance of a point of the predicted surface from the wanted one; with `symmetric` the mean of that and
    of the way back.

    >>> metric = MeanSurfaceDistance()
    >>> metric.update([[3, 0, 1], [1, 3, 0], [1, 0, 2]], [[0, 2, 1], [1, 2, 1], [0, 0, 1]], 0)
    >>> print(round(metric.eval(), 12))
    0.804737854124
    """

    def eval(self) -> Any:
        """The mean distance."""
        there, back = self._both()
        if not there.size or (self.symmetric and not back.size):
            return np.inf
        return np.mean((there.mean(), back.mean())) if self.symmetric else there.mean()


class RootMeanSquareDistance(_Symmetric):
    """The mean square distance of a point of the predicted surface from the wanted one; with `symmetric` the root of
    the mean of that and of the way back.

    >>> metric = RootMeanSquareDistance()
    >>> metric.update([[3, 0, 1], [1, 3, 0], [1, 0, 2]], [[0, 2, 1], [1, 2, 1], [0, 0, 1]], 0)
    >>> print(round(metric.eval(), 12))
    1.0
    """

    def _wrong_label(self, text: str) -> Exception:
        return TypeError(text)

    def eval(self) -> Any:
        """The distance."""
        there, back = self._both()
        if not there.size or (self.symmetric and not back.size):
            return np.inf
        squares = (there**2).mean()
        return np.sqrt(np.mean((squares, (back**2).mean()))) if self.symmetric else squares


# --- occlusion ------------------------------------------------------------------------------------------


class OcclusionSensitivity(Measure):
    """By how much the score of a label falls where a part of an image is covered, for each place of the part."""

    def __init__(
        self, pad_val: float = 0.0, margin: int | list[int] = 2, n_batch: int = 128, b_box: list[int] | None = None
    ) -> None:
        kinds: tuple[tuple[str, Any, Any], ...] = (
            ("pad_val", pad_val, float),
            ("margin", margin, (int, list)),
            ("n_batch", n_batch, int),
            ("b_box", b_box, (list, type(None))),
        )
        for what, given, kind in kinds:
            if isinstance(given, bool) or not isinstance(given, kind):
                raise TypeError(f"{what} of OcclusionSensitivity must not be a {type(given).__name__}")
        self.pad_val, self.margin, self.n_batch, self.b_box = pad_val, margin, n_batch, b_box
        super().__init__()

    def clear(self) -> None:
        """Begin anew."""
        self._falls: NDArray[Any] | None = None

    def _box(self, shape: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The first and last places that are looked at."""
        if self.b_box is None:
            return np.zeros(len(shape), np.int64), shape - 1
        if len(self.b_box) != 2 * len(shape):
            raise ValueError(f"b_box has two numbers for each of {len(shape)} axes, not {len(self.b_box)}")
        low, high = np.maximum(self.b_box[::2], 0), np.array(self.b_box[1::2])
        high = np.where(high < 0, shape - 1, high)
        if (high >= shape).any() or (low > high).any():
            raise ValueError(f"b_box {self.b_box} is not within an image of shape {tuple(shape)}")
        return low, high

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take a network, an image in a batch of its own, and the label looked at."""
        if len(inputs) != 3:
            raise ValueError(f"OcclusionSensitivity takes a network, an image and a label, not {len(inputs)} values")
        network, image, label = inputs[0], self._convert_data(inputs[1]), as_ndarray(inputs[2])
        if not isinstance(network, Cell):
            raise TypeError(f"OcclusionSensitivity takes a Cell, not {type(network).__name__}")
        if image.shape[0] != 1 or label.size != 1:
            raise RuntimeError(f"one image and one label are needed, not {image.shape[0]} and {label.size}")
        extents = np.array(image.shape[1:])
        low, high = self._box(extents)
        chosen, covered = int(label.reshape(())), list[NDArray[Any]]()
        margins = np.broadcast_to(self.margin, extents.shape)
        for at in np.ndindex(*(high - low + 1)):
            one = image.copy()
            place = low + at
            ends = zip(np.maximum(place - margins, 0), np.minimum(place + margins, extents), strict=True)
            one[(0, *(slice(a, b) for a, b in ends))] = self.pad_val
            covered.append(one)
        scores = [
            network(Tensor(np.concatenate(covered[k : k + self.n_batch]))).asnumpy()[:, chosen]
            for k in range(0, len(covered), self.n_batch)
        ]
        whole = network(Tensor(image)).asnumpy()[0, chosen].item()
        self._falls = whole - np.concatenate(scores).astype(np.float32).reshape(high - low + 1).squeeze()

    def eval(self) -> NDArray[Any]:
        """How much the score falls. Raises RuntimeError if there is nothing yet."""
        if self._falls is None:
            raise RuntimeError("OcclusionSensitivity has seen nothing yet")
        return self._falls


METRICS.update(
    hausdorff_distance=HausdorffDistance,
    mean_surface_distance=MeanSurfaceDistance,
    root_mean_square_distance=RootMeanSquareDistance,
    occlusion_sensitivity=OcclusionSensitivity,
)
