"""`save_dygraph` and `load_dygraph`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from jitcore.compat.paddle import saving
from jitcore.compat.paddle.fluid.tensor import Parameter
from jitcore.compat.paddle.nn.parameter import Parameter as LayerParameter
from jitcore.compat.paddle.tensor import Tensor

__all__ = ["load_dygraph", "save_dygraph"]


def save_dygraph(state_dict: Mapping[str, Any], model_path: str) -> None:
    """Write the state of a Layer to `model_path.pdparams`, that of an optimizer to `model_path.pdopt`. Raises
    ValueError for a path without a file's name."""
    if not Path(model_path).name or model_path.endswith("/"):
        raise ValueError(
            f"save_dygraph takes the path of a file without its extension: folder/name, not {model_path!r}"
        )
    is_layer = any(isinstance(v, Parameter | LayerParameter) for v in state_dict.values())
    arrays = {name: np.array(v.numpy()) if isinstance(v, Tensor) else v for name, v in state_dict.items()}
    saving.save(arrays, f"{model_path}{'.pdparams' if is_layer or not arrays else '.pdopt'}")


def load_dygraph(model_path: str, keep_name_table: bool = False) -> tuple[Any, Any]:
    """What was written: (the state of a Layer or None, that of an optimizer or None), ndarrays by name. Raises
    RuntimeError where there is neither."""
    del keep_name_table
    prefix = model_path
    for suffix in (".pdparams", ".pdopt"):
        prefix = prefix.removesuffix(suffix)
    found = [_loaded(Path(prefix + suffix)) for suffix in (".pdparams", ".pdopt")]
    if found == [None, None]:
        raise RuntimeError(f"there is neither {prefix}.pdparams nor {prefix}.pdopt")
    return found[0], found[1]


def _loaded(file: Path) -> dict[str, Any] | None:
    return saving.load(file, return_numpy=True) if file.exists() else None
