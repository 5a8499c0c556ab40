"""Launches finished kernel builders: from buffer names to addresses, from dimensions to registers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from jitcore.kernel.build import ContractionBuilder, KernelBuilder
from jitcore.kernel.nodes import launch_signature
from jitcore.program.nodes import Launch, Operand
from jitcore.source import Span

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner


def launch(
    p: Planner,
    builder: KernelBuilder | ContractionBuilder,
    buffers: Mapping[str, Operand],
    scalars: Mapping[str, Operand],
    spans: tuple[Span, ...] = (),
) -> None:
    """Enter the built kernel into the program and run it on the addresses of `buffers`; `scalars` are its other
    params. `spans`: where what it computes stands, if that is more than the current binding."""
    kernel, dims = builder.finish()
    name = p.tables.kernel(kernel)
    wanted, params = launch_signature(kernel)
    args = [buffers[b.name] for b in wanted]
    args += [p.code.number(dims[q.name]) if q.name in dims else scalars[q.name] for q in params]
    p.code.emit(Launch(name, tuple(args), p.site("KeyboardInterrupt"), spans or (p.span,)))
