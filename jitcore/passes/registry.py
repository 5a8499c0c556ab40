"""What a pass from typed modules to typed modules is, and running several in a row.

A pass is a frozen dataclass whose fields are its options; its docstring says in its first line what it does, then
shows a before and an after. One pass a file of this package; `passes.pipeline` finds those that clean up.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import ClassVar

from jitcore import stopping
from jitcore.config import settings
from jitcore.ir.nodes import Module
from jitcore.ir.round_trip import check_round_trip
from jitcore.ir.verify import verify


class Pass(ABC):
    """Base of all passes."""

    name: ClassVar[str]
    cleans_up: ClassVar[tuple[int, ...]] = ()
    """When it runs among the passes that make a module smaller (`pipeline.CLEANUP`): once for each number, in their
    order."""

    @abstractmethod
    def run(self, module: Module) -> Module:
        """The module after this pass; the same module if there was nothing to do."""

    @property
    def doc(self) -> str:
        """What it does, in one line."""
        return (self.__doc__ or "").strip().splitlines()[0]


def run_passes(
    module: Module, passes: Iterable[Pass], observe: Callable[[Pass, Module], object] | None = None
) -> Module:
    """Run passes one after the other; one that did nothing to a module is not run on it again. `observe` is called with
    each and its result; with the setting `verify`, every module is checked, and of the last, which dumps show, that its
    text reads back. Raises VerifyError."""
    first = module
    settled: dict[Pass, Module] = {}
    for pass_ in passes:
        stopping.check()
        after = module if settled.get(pass_) is module else pass_.run(module)
        if after is module:
            settled[pass_] = module
        elif settings.verify:
            verify(after, after=pass_.name)
        if observe is not None:
            observe(pass_, after)
        module = after
    if settings.verify and module is not first:
        check_round_trip(module)
    return module
