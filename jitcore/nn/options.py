"""What MindSpore's Cells can be told about devices and compilation: kept, checked, and of no effect on one machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from jitcore.common.parameter import Parameter


class Options:
    """The part of a Cell that keeps options."""

    if TYPE_CHECKING:

        def get_parameters(self, expand: bool = True) -> Iterator[Parameter]: ...
        def parameters_dict(self, recurse: bool = True) -> dict[str, Parameter]: ...

    def _note(self, name: str, value: Any) -> None:
        self.__dict__[name] = value

    phase: str = "train"
    """'train' or 'predict', as `set_train` said last."""

    # --- compilation ----------------------------------------------------------------------------------

    def set_inputs(self, *inputs: Any, **keywords: Any) -> None:
        """Note what inputs will be like: shapes may vary without it."""
        self._note("_inputs", (inputs, keywords))

    def get_inputs(self) -> Any:
        """What `set_inputs` was given."""
        return self.__dict__.get("_inputs", (None, None))[0]

    def set_jit_config(self, jit_config: Any) -> None:
        """Note how the user wants it compiled; there is one way."""
        self._note("_jit_config", jit_config)

    @property
    def jit_config_dict(self) -> dict[str, Any]:
        """What `set_jit_config` was given."""
        return dict(getattr(self.__dict__.get("_jit_config"), "jit_config_dict", {}))

    def set_boost(self, boost_type: str) -> Self:
        """Note the wish for a faster network. Raises ValueError for what is no mode of it."""
        if boost_type not in ("less_bn", "grad_freeze", "adasum"):
            raise ValueError(f"boost_type is 'less_bn', 'grad_freeze' or 'adasum', not {boost_type!r}")
        self._note("_boost_type", boost_type)
        return self

    def flatten_weights(self, fusion_size: int = 0) -> None:
        """Leave the Parameters where they are: each is contiguous. Raises ValueError for a negative size."""
        if fusion_size < 0:
            raise ValueError(f"fusion_size is not negative, but {fusion_size}")

    @property
    def bprop_debug(self) -> bool:
        """Whether `bprop` is checked: it always is."""
        return bool(self.__dict__.get("_bprop_debug", False))

    @bprop_debug.setter
    def bprop_debug(self, value: bool) -> None:
        if not isinstance(value, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"bprop_debug is a bool, not {type(value).__name__}")
        self._note("_bprop_debug", value)

    @property
    def has_bprop(self) -> bool:
        """Whether the Cell defines its gradient."""
        return callable(getattr(self, "bprop", None))

    @property
    def cell_type(self) -> str | None:
        """What `update_cell_type` was given."""
        return self.__dict__.get("_cell_type")

    def update_cell_type(self, cell_type: str) -> None:
        """Note of what kind the Cell is."""
        self._note("_cell_type", cell_type)

    def generate_scope(self) -> None:
        """Name nothing: the names are there."""

    def get_scope(self) -> str | None:
        """The scope that was named."""
        return None

    # --- devices --------------------------------------------------------------------------------------

    @property
    def pipeline_stage(self) -> int | None:
        """The stage of a pipeline it is in."""
        return self.__dict__.get("_pipeline_stage")

    @pipeline_stage.setter
    def pipeline_stage(self, value: int) -> None:
        if isinstance(value, bool) or not isinstance(value, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"pipeline_stage is an int, not {type(value).__name__}")
        if value < 0:
            raise ValueError(f"pipeline_stage is not negative, but {value}")
        self._note("_pipeline_stage", value)

    def set_comm_fusion(self, fusion_type: int, recurse: bool = True) -> Self:
        """Note how the gradients of the Parameters would be gathered from devices."""
        for parameter in self.get_parameters(recurse):
            parameter.comm_fusion = fusion_type
        return self

    def set_param_ps(self, recurse: bool = True, init_in_server: bool = False) -> None:
        """Leave the Parameters here: there is no other server."""

    def set_param_fl(
        self, push_to_server: bool = False, pull_from_server: bool = False, requires_aggr: bool = True
    ) -> None:
        """Leave the Parameters here: there is no other server."""

    def parameters_broadcast_dict(self, recurse: bool = True) -> dict[str, Parameter] | None:
        """The Parameters to be the same on all devices, of which there is one."""
        return self.parameters_dict(recurse) or None
