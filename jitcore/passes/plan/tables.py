"""What all functions of a program share: its kernels, error sites, constants and host calls, each listed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from jitcore.kernel.nodes import AnyKernel
from jitcore.program.nodes import DirectCall, ErrorSite, HostCall
from jitcore.source import Span


class Tables:
    """Collects a program's tables; equal entries are entered once."""

    def __init__(self) -> None:
        self.kernels: dict[str, AnyKernel] = {}
        self.sites: list[ErrorSite] = []
        self.constants: list[Any] = []
        self.host_calls: list[HostCall] = []
        self._kernel_names: dict[AnyKernel, str] = {}
        self._site_indices: dict[ErrorSite, int] = {}
        self._constant_indices: dict[Any, int] = {}
        self._kept_alive: list[Any] = []

    def copy(self) -> Tables:
        """Tables with the same entries."""
        made = Tables()
        made.kernels, made.sites, made.constants = dict(self.kernels), list(self.sites), list(self.constants)
        made.host_calls, made._kernel_names = list(self.host_calls), dict(self._kernel_names)
        made._site_indices, made._constant_indices = dict(self._site_indices), dict(self._constant_indices)
        made._kept_alive = list(self._kept_alive)
        return made

    def kernel(self, kernel: AnyKernel) -> str:
        """The name of a kernel in the program, which begins with the name it came with."""
        anonymous = replace(kernel, name="")
        name = self._kernel_names.get(anonymous)
        if name is None:
            name = f"{kernel.name}_{len(self.kernels)}"
            self._kernel_names[anonymous] = name
            self.kernels[name] = replace(kernel, name=name)
        return name

    def site(self, exception: str, message: str, span: Span) -> int:
        """The index of an error site."""
        site = ErrorSite(exception, message, span)
        index = self._site_indices.get(site)
        if index is None:
            index = self._site_indices[site] = len(self.sites)
            self.sites.append(site)
        return index

    def constant(self, array: Any) -> int:
        """The index of a constant array."""
        key = id(array)
        if isinstance(array, np.generic) or np.ndim(array) == 0:
            array = np.asarray(array)
            key = (array.dtype.str, array.tobytes())
        index = self._constant_indices.get(key)
        if index is None:
            index = self._constant_indices[key] = len(self.constants)
            self.constants.append(np.ascontiguousarray(array).reshape(np.shape(array)))
            self._kept_alive.append(array)  # its id is a key
        return index

    def host_call(
        self,
        function: Any,
        arg_types: Sequence[Any],
        result_types: Sequence[Any],
        bare: bool = False,
        described: str = "",
        objects: int = 0,
        direct: DirectCall | None = None,
        operation: str = "",
        params: Mapping[str, Any] | None = None,
    ) -> int:
        """The index of a new host call."""
        types = tuple(arg_types), tuple(result_types)
        self.host_calls.append(HostCall(function, *types, bare, described, objects, direct, operation, params or {}))
        return len(self.host_calls) - 1
