"""Settings of MindSpore for devices and servers that jitcore does not have: they are kept, with one notice, and change
nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jitcore.compat.mindspore.context import notice
from jitcore.compat.mindspore.settings_checked import require_types
from jitcore.nn import Cell
from jitcore.ops.primitives import Primitive


class _Settings:
    """Settings by name, with defaults."""

    def __init__(self, kind: str, about: str, defaults: Mapping[str, Any], shown: str = "context") -> None:
        self.kind, self.about, self.defaults, self.shown = kind, about, defaults, shown
        self.values: dict[str, Any] = {}

    def set(self, **values: Any) -> None:
        """Keep settings. Raises ValueError for a name that there is not, TypeError for a flag that is none."""
        require_types(values, {name: bool for name, value in self.defaults.items() if isinstance(value, bool)})
        for name in values:
            self._require("Set", name)
        if any(value != self.defaults[name] for name, value in values.items()):
            notice(self.kind, f"{self.about}: jitcore computes on one CPU")
        self.values.update(values)

    def get(self, attr_key: str) -> Any:
        """A setting."""
        self._require("Get", attr_key)
        return self.values.get(attr_key, self.defaults[attr_key])

    def reset(self) -> None:
        """Return to the defaults."""
        self.values.clear()

    def _require(self, what: str, name: str) -> None:
        if name not in self.defaults:
            raise ValueError(f"{what} {self.shown} keyword {name} is not recognized!")


_algorithm = _Settings(
    "searching for strategies",
    "networks are not spread over devices",
    {
        "fully_use_devices": False,
        "elementwise_op_strategy_follow": False,
        "enable_algo_approxi": False,
        "algo_approxi_epsilon": 0.1,
        "tensor_slice_align_enable": False,
        "tensor_slice_align_size": 16,
    },
)
_servers = _Settings(
    "parameter servers",
    "there are no parameter servers",
    {
        "enable_ps": False,
        "config_file_path": "",
        "scheduler_manage_port": 11202,
        "enable_ssl": False,
        "client_password": "",
        "server_password": "",
        "scheduler_ip": "",
        "scheduler_port": 0,
        "worker_num": 0,
        "server_num": 0,
    },
    "PS context",
)
_offload = _Settings("offloading", "nothing is moved between memories", {"offload_config": {}})

set_algo_parameters, get_algo_parameters, reset_algo_parameters = _algorithm.set, _algorithm.get, _algorithm.reset
set_ps_context, get_ps_context, reset_ps_context = _servers.set, _servers.get, _servers.reset


def set_offload_context(offload_config: dict[str, Any]) -> None:
    """Keep how memory would be spilled."""
    _offload.set(offload_config=offload_config)


def get_offload_context() -> dict[str, Any]:
    """How memory would be spilled."""
    return _offload.get("offload_config")


def set_dump(target: Any, enabled: bool = True) -> None:
    """Nothing: data is not dumped. Raises ValueError for what is neither a Cell nor an operator."""
    if not isinstance(target, Cell | Primitive):
        raise ValueError(
            f'The "target" parameter must be an instance of Cell or Primitive, but got an instance of {type(target)}.'
        )
    if not isinstance(enabled, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError('The "enabled" parameter must be bool.')
    notice("dump", "data is not dumped: `jitcore dump` shows graphs")
