"""What a Graph's user may ask for: what changes what it computes, and what is accepted since it is done anyway, or
would change speed and memory alone."""

from __future__ import annotations


class GraphConfig:
    """The options of a Graph, as `graph.config`."""

    def __init__(self) -> None:
        self._training = False
        self._accumulated = 1
        self._amp = False

    @property
    def training(self) -> bool:
        """Whether the Graph has an optimizer."""
        return self._training

    def _train(self, mode: bool = True) -> None:
        self._training = mode

    @property
    def gradient_accumulation_steps(self) -> int:
        """Into how many parts a batch is divided."""
        return self._accumulated

    def set_gradient_accumulation_steps(self, value: int) -> None:
        """Divide the inputs of a call into so many parts along their first axis: `build` is called for each, losses are
        divided by the number, gradients are added up, and there is one update. Results are joined along the first axis;
        of a number there is one for each part. Raises ValueError if there would be none."""
        if not isinstance(value, int) or value < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"a batch is divided into 1 or more parts, not {value!r}")
        self._accumulated = value

    # --- accepted: compiled programs do so, or have no need to ---------------------------------------------

    def enable_amp(self, mode: bool = True, *, dtype: object = None) -> None:
        """Accepted: programs compute in the dtypes that there are, which on CPUs is no slower."""
        del dtype
        _require_flag(mode)
        self._amp = mode

    def enable_zero(
        self, mode: bool = True, *, stage: int = 2, shard_min_size: int = 1024, shard_restore_level: int = 1
    ) -> None:
        """Accepted: there is one process, which keeps all of an optimizer's state."""
        del stage, shard_min_size, shard_restore_level
        _require_flag(mode)

    def set_zero_redundancy_optimizer_mode(self, mode: str = "distributed_split") -> None:
        """Accepted: see `enable_zero`."""
        if mode not in ("distributed_split", "non_distributed"):
            raise AssertionError(f"the mode is distributed_split or non_distributed, not {mode!r}")

    def set_zero_redundancy_optimizer_min_size_after_split(self, value: int) -> None:
        """Accepted: see `enable_zero`."""
        if not isinstance(value, int) or value < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise AssertionError(f"a size is 1 or more, not {value!r}")

    def allow_fuse_model_update_ops(self, mode: bool = True) -> None:
        """Accepted: an update of many Parameters is one program."""
        _require_flag(mode)

    def allow_fuse_add_to_output(self, mode: bool = True) -> None:
        """Accepted: elementwise operations are fused."""
        _require_flag(mode)

    def allow_fuse_cast_scale(self, mode: bool = True) -> None:
        """Accepted: elementwise operations are fused."""
        _require_flag(mode)

    def enable_fused_model_update_cast(self, mode: bool = True) -> None:
        """Accepted: elementwise operations are fused."""
        _require_flag(mode)

    def enable_multi_tensor_update(self, mode: bool = True) -> None:
        """Accepted: an update of many Parameters is one program."""
        _require_flag(mode)

    def enable_cudnn_conv_heuristic_search_algo(self, mode: bool = True) -> None:
        """Accepted: convolutions are jitcore's own."""
        _require_flag(mode)

    def enable_cudnn_fused_normalization_add_relu(self, mode: bool = True) -> None:
        """Accepted: elementwise operations are fused."""
        _require_flag(mode)

    def enable_straighten_algorithm(self, mode: str = "MemoryFirst") -> None:
        """Accepted: programs run in the order they are written in, each kernel on all threads."""
        del mode

    def disable_straighten_algorithm(self) -> None:
        """Accepted: see `enable_straighten_algorithm`."""

    def enable_compress_memory(self, mode: bool = True) -> None:
        """Accepted: memory is given back when nothing refers to it."""
        _require_flag(mode)

    def enable_choose_best_memory_allocation(self, mode: bool = True) -> None:
        """Accepted: memory is given back when nothing refers to it."""
        _require_flag(mode)

    def set_outputs_buffer_size(self, value: int = 2) -> None:
        """Accepted: each call gives memory of its own."""
        del value

    def __repr__(self) -> str:
        return f"(CONFIG:config:GraphConfig(training={self.training}, ))"


def _require_flag(mode: object) -> None:
    if type(mode) is not bool:
        raise AssertionError(f"an option is on or off, True or False, not {mode!r}")
