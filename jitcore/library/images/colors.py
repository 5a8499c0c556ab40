"""Colours of images."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, rank_of
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e


def _channels(images: Any) -> tuple[Any, Any, Any]:
    a = as_float(images)
    red, green, blue = (shapes.take_index(a, rank_of(a) - 1, k) for k in range(3))
    return red, green, blue


@operator("RGBToHSV")
def rgb_to_hsv(images: Any) -> Any:
    """Red, green and blue as hue, saturation and value, all between 0 and 1."""
    red, green, blue = _channels(images)
    top = e.maximum(e.maximum(red, green), blue)
    span = e.sub(top, e.minimum(e.minimum(red, green), blue))
    grey = e.equal(span, 0)
    safe = e.select(grey, 1, span)
    sixth = e.select(
        e.equal(top, red),
        e.div(e.sub(green, blue), safe),
        e.select(
            e.equal(top, green), e.add(e.div(e.sub(blue, red), safe), 2), e.add(e.div(e.sub(red, green), safe), 4)
        ),
    )
    hue = e.div(sixth, 6)
    hue = e.select(grey, 0, e.select(e.less(hue, 0), e.add(hue, 1), hue))
    black = e.equal(top, 0)
    saturation = e.select(black, 0, e.div(span, e.select(black, 1, top)))
    return shapes.stack((hue, saturation, top), rank_of(top))


@operator("HSVToRGB")
def hsv_to_rgb(x: Any) -> Any:
    """Hue, saturation and value as red, green and blue, all between 0 and 1."""
    hue, saturation, value = _channels(x)
    parts: list[Any] = []
    for start in (5.0, 3.0, 1.0):
        k = e.mod(e.add(e.mul(hue, 6), start), 6)
        share = e.maximum(e.minimum(e.minimum(k, e.sub(4, k)), 1), 0)
        parts.append(e.sub(value, e.mul(e.mul(value, saturation), share)))
    return shapes.stack(parts, rank_of(value))


@operator("AdjustHue")
def adjust_hue(image: Any, delta: Any) -> Any:
    """Images whose hues are turned by a share of a circle."""
    hue, saturation, value = _channels(rgb_to_hsv(image))
    turned = e.add(hue, as_array(as_array(delta), dtype_of_value(hue)))
    return hsv_to_rgb(shapes.stack((e.sub(turned, e.floor(turned)), saturation, value), rank_of(value)))


@operator("AdjustSaturation")
def adjust_saturation(image: Any, scale: Any) -> Any:
    """Images whose saturations are scaled."""
    hue, saturation, value = _channels(rgb_to_hsv(image))
    scaled = e.mul(saturation, as_array(as_array(scale), dtype_of_value(hue)))
    return hsv_to_rgb(shapes.stack((hue, e.maximum(e.minimum(scaled, 1), 0), value), rank_of(value)))
