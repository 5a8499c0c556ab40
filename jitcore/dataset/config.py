"""The settings of MindSpore's data pipelines: the seed is used, the others (threads, queues, caches) are kept and
change nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from jitcore.runtime import random

_OPTIONS: Final[dict[str, Any]] = {
    "num_parallel_workers": 8,
    "prefetch_size": 16,
    "monitor_sampling_interval": 1000,
    "callback_timeout": 60,
    "auto_num_workers": False,
    "numa_enable": False,
    "enable_shared_mem": True,
    "sending_batches": 0,
    "auto_offload": False,
    "enable_autotune": False,
    "autotune_interval": 0,
    "enable_watchdog": True,
    "multiprocessing_timeout_interval": 300,
    "dynamic_shape": False,
    "fast_recovery": True,
    "debug_mode": False,
    "error_samples_mode": None,
    "iterator_mode": None,
    "multiprocessing_start_method": "fork",
    "video_backend": None,
}


def set_seed(seed: int) -> None:
    """Make the order of rows, and all else that is drawn, the same in every run."""
    random.seed(seed)


def get_seed() -> int:
    """The seed set last; MindSpore's own before that."""
    present = random.present_seed()
    return 5489 if present is None else present


def _setter(name: str) -> Callable[..., None]:
    def keep(value: Any = True, *_: Any, **__: Any) -> None:
        _OPTIONS[name] = value

    keep.__doc__ = f"Keep {name}."
    return keep


def _getter(name: str) -> Callable[[], Any]:
    def show() -> Any:
        return _OPTIONS[name]

    show.__doc__ = f"What {name} was set to."
    return show


def load(file: str) -> None:
    """Take the settings in a JSON file. Raises ValueError for one that there is not."""
    for name, value in json.loads(Path(file).read_text()).items():
        if name == "seed":
            set_seed(value)
        elif name in _OPTIONS or name in {f"{k}s" for k in _OPTIONS}:
            _OPTIONS[name] = value
        else:
            raise ValueError(f"datasets have no setting {name!r}")


for _name in _OPTIONS:
    globals()[f"set_{_name}"] = _setter(_name)
    globals()[f"get_{_name}"] = _getter(_name)
