"""Which modules of jitcore each module of `paddle.fluid` draws on. What fluid had besides can be imported, not used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from jitcore.compat.finder import Contents

_HERE: Final = "jitcore.compat.paddle.fluid"
_PADDLE: Final = "jitcore.compat.paddle"


def _from(home: str, *attributes: str, **renamed: str) -> dict[str, str]:
    return {**{a: f"{home}:{a}" for a in attributes}, **{new: f"{home}:{old}" for new, old in renamed.items()}}


def _of(homes: Iterable[str], own: dict[str, str] | None = None) -> Contents:
    return Contents(own or {}, tuple(homes), opaque=True)


_PLACES: Final = _from(f"{_PADDLE}.places", "CPUPlace", "CUDAPlace", "CUDAPinnedPlace")
_LAYERS: Final = tuple(
    f"{_HERE}.layers.{name}" for name in ("arithmetic", "shaping", "losses", "networks", "control", "rates")
)
_CHECKPOINTS: Final = f"{_HERE}.dygraph.checkpoints"
_DYGRAPH: Final = (
    *(f"{_HERE}.dygraph.{name}" for name in ("base", "layers", "nn", "rates", "tracing", "parallel")),
    _CHECKPOINTS,
)
_UNIQUE: Final = _of((f"{_PADDLE}.naming",))
_VAR_TYPE: Final = _from(f"{_HERE}.types", "VarDesc")
_READERS: Final = (f"{_PADDLE}.dataset.readers",)

FLUID: Final = {
    "paddle.fluid": _of(
        (f"{_HERE}.framework", f"{_HERE}.dygraph.base", _CHECKPOINTS),
        {
            **_PLACES,
            **_from(f"{_PADDLE}.nn.attributes", "ParamAttr"),
            **_from(f"{_HERE}.tensor", "Variable"),
            **_from(f"{_HERE}.dygraph.nn", "Linear", "Embedding"),
            **_from(f"{_HERE}.io", "save", "load"),
            **_from(f"{_HERE}.layers.shaping", "one_hot"),
            **_from(f"{_HERE}.layers.networks", "embedding"),
        },
    ),
    "paddle.fluid.layers": _of(_LAYERS),
    "paddle.fluid.layers.nn": _of(_LAYERS),
    "paddle.fluid.layers.tensor": _of(_LAYERS),
    "paddle.fluid.layers.control_flow": _of(_LAYERS),
    "paddle.fluid.layers.learning_rate_scheduler": _of((f"{_HERE}.layers.rates",)),
    "paddle.fluid.dygraph": _of(_DYGRAPH),
    "paddle.fluid.dygraph.base": _of((f"{_HERE}.dygraph.base",)),
    "paddle.fluid.dygraph.layers": _of((f"{_HERE}.dygraph.layers",)),
    "paddle.fluid.dygraph.container": _of((f"{_HERE}.dygraph.layers",)),
    "paddle.fluid.dygraph.nn": _of((f"{_HERE}.dygraph.nn",)),
    "paddle.fluid.dygraph.jit": _of((f"{_HERE}.dygraph.tracing",)),
    "paddle.fluid.dygraph.checkpoint": _of((_CHECKPOINTS,)),
    "paddle.fluid.dygraph.parallel": _of((f"{_HERE}.dygraph.parallel",)),
    "paddle.fluid.dygraph.learning_rate_scheduler": _of((f"{_HERE}.dygraph.rates",)),
    "paddle.fluid.dygraph.dygraph_to_static": _of((f"{_HERE}.dygraph.tracing",)),
    "paddle.fluid.dygraph.dygraph_to_static.program_translator": _of((f"{_HERE}.dygraph.tracing",)),
    "paddle.fluid.optimizer": _of((f"{_HERE}.optimizer",)),
    "paddle.fluid.initializer": _of((f"{_HERE}.initializer",)),
    "paddle.fluid.regularizer": _of((f"{_HERE}.penalties",)),
    "paddle.fluid.clip": _of((f"{_HERE}.penalties",)),
    "paddle.fluid.io": _of((f"{_HERE}.io",)),
    "paddle.fluid.executor": _of((f"{_HERE}.framework",)),
    "paddle.fluid.compiler": _of((f"{_HERE}.framework",)),
    "paddle.fluid.backward": _of((f"{_HERE}.framework",)),
    "paddle.fluid.data_feeder": _of((f"{_HERE}.framework",)),
    "paddle.fluid.framework": _of((f"{_HERE}.framework", f"{_HERE}.dygraph.base"), _PLACES),
    "paddle.fluid.param_attr": _of((), _from(f"{_PADDLE}.nn.attributes", "ParamAttr")),
    "paddle.fluid.core": _of((), {**_PLACES, **_VAR_TYPE}),
    "paddle.fluid.unique_name": _UNIQUE,
    "paddle.fluid.contrib": _of(()),
    "paddle.fluid.contrib.reader": _of((f"{_HERE}.contrib",)),
    "paddle.dataset": _of(()),
    "paddle.dataset.mnist": _of((f"{_PADDLE}.dataset.mnist",)),
    "paddle.reader": _of(_READERS),
    "paddle.reader.decorator": _of(_READERS),
}
"""The modules of fluid, and those that went with it: data sets and readers."""
