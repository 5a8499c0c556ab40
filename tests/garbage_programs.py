"""Programs whose garbage the collector finds at once and ends in any order, run by test_garbage.py in processes of their own:
`python garbage_programs.py NAME…`. A fault ends the process."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from jitcore import Tensor, grad, jit, nn
from jitcore.backends.native.engine import engine
from jitcore.source import InternalError

said: list[float] = []


class Late:
    """Calls something when it ends, which it does in garbage."""

    def __init__(self) -> None:
        self.call: Callable[[], Any] = float
        self.itself = self

    def __del__(self) -> None:
        said.append(float(self.call()))


class Doubled(nn.Cell):
    @jit
    def construct(self, x: Any) -> Any:
        return x * 2


def function() -> Callable[[], Any]:
    f = jit(lambda x: x * 2.0)
    f(3.0)
    return lambda: f(3.0)


def gradient() -> Callable[[], Any]:
    f = jit(grad(lambda x: x * x))
    f(3.0)
    return lambda: f(3.0)


def array() -> Callable[[], Any]:
    f = jit(lambda x: x + x)
    f(np.array([3.0]))
    return lambda: f(np.array([3.0]))[0]


def host_call() -> Callable[[], Any]:
    f = jit(lambda x: np.sort(x)[0] * 2.0)
    f(np.array([4.0, 3.0]))
    return lambda: f(np.array([4.0, 3.0]))


def cell() -> Callable[[], Any]:
    f = Doubled()
    f(Tensor([3.0]))
    return lambda: f(Tensor([3.0])).asnumpy()[0]


def called_by(make: Callable[[], Callable[[], Any]]) -> None:
    """What is called is in the garbage, older than what calls it, then younger."""
    call = make()
    late = Late()
    late.call = call
    del late, call
    gc.collect()
    late = Late()
    late.call = make()
    del late
    gc.collect()
    assert said == [6.0, 6.0], said
    said.clear()


TEXT = """define i64 @f(i64 %n) {
entry:
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %head ]
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %head, label %end
end:
  ret i64 %next
}
"""


def compiled(level: int) -> None:
    """All frames of a compilation, with what is in their variables, are garbage: a handler's exception keeps those of what it interrupted."""
    for ask in (engine.compile_object, engine.assembly):
        for text in (TEXT, TEXT + "wrong"):
            _keep_frames(lambda ask=ask, text=text: ask(text, level))
            assert gc.collect() > 0


def _keep_frames(work: Callable[[], Any]) -> None:
    kept: list[Any] = []
    kept.append(kept)

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            kept.append(frame)

    sys.setprofile(note)
    try:
        work()
    except InternalError:
        pass
    finally:
        sys.setprofile(None)


PROGRAMS: dict[str, Callable[[], None]] = {
    **{made.__name__: lambda made=made: called_by(made) for made in (function, gradient, array, host_call, cell)},
    **{
        name: lambda name=name: compiled(getattr(engine, name))
        for name in ("BRIEF", "NO_PASSES", "LOCALS", "LOOPS", "VECTORS", "EVERYTHING")
    },
}

if __name__ == "__main__":
    gc.disable()
    for program in sys.argv[1:]:
        PROGRAMS[program]()
