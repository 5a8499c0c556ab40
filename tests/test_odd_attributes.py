"""Objects whose `__getattr__` or `__getattribute__` raises anything: they are asked for what the program asks for, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jitcore import Tensor, context, jit, nn

pytestmark = pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")


class Options:
    """As programs read their settings: a name that is not there is a KeyError."""

    def __init__(self) -> None:
        self.__dict__["held"] = {"rate": 0.5, "steps": 3}

    def __getattr__(self, name: str) -> Any:
        return self.held[name]

    def __call__(self, x: Any) -> Any:
        return x * 2.0

    def scaled(self, x: Any) -> Any:
        return x * self.rate

    @property
    def number(self) -> int:
        return 7


class Anything(Options):
    """Has every attribute."""

    def __getattr__(self, name: str) -> Any:
        return 0.25


class Failing(Options):
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


class Own(Options):
    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__") and name != "__dict__" and name != "__class__":
            raise ValueError(name)
        return object.__getattribute__(self, name)


MAKERS = [Options, Anything, Failing, Own]
USES: list[Callable[[Any], Callable[[Any], Any]]] = [
    lambda o: lambda x: x + o.rate,
    lambda o: lambda x: x + o.number,
    lambda o: lambda x: x + o.missing,
    lambda o: lambda x: o(x),
    lambda o: lambda x: o.scaled(x),
    lambda o: lambda x: [x, o][0],
    lambda o: o,
    lambda o: o.scaled,
]


def outcome(function: Callable[..., Any], *args: Any, **named: Any) -> Any:
    try:
        return repr(function(*args, **named))
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("use", range(len(USES)))
@pytest.mark.parametrize("make", MAKERS)
def test_objects_that_functions_use(mode: int, make: type, use: int) -> None:
    for x in (1.5, 2):
        function = USES[use](make())
        assert outcome(jit(function), x) == outcome(function, x)


@pytest.mark.parametrize("make", MAKERS)
def test_objects_as_arguments(mode: int, make: type) -> None:
    def f(o: Any, x: Any) -> Any:
        return x + o.number

    compiled = jit(f)
    for o in (make(), make()):
        assert outcome(compiled, o, 1.5) == outcome(f, o, 1.5)
        assert outcome(compiled, o=o, x=2) == outcome(f, o, 2)


class Scaled(nn.Cell):
    def __init__(self, options: Any) -> None:
        super().__init__()
        self.options = options

    def construct(self, x):
        return x * self.options.number


@pytest.mark.parametrize("make", MAKERS)
def test_attributes_of_cells(mode: int, make: type) -> None:
    context.set_context(mode=mode)
    assert Scaled(make())(Tensor([1.0, 2.0])).asnumpy().tolist() == [7.0, 14.0]
