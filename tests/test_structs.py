"""`structs.dataclass` makes what the standard library's does."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from jitcore import structs


def made(dataclass: Any) -> dict[str, type]:
    """The same classes by one or the other."""

    @dataclass(frozen=True, slots=True)
    class Frozen:
        a: int
        b: tuple[int, ...] = ()
        c: list[int] = dataclasses.field(default_factory=list, compare=False)
        d: str = dataclasses.field(default="d", repr=False)

    @dataclass(frozen=True, slots=True)
    class Derived(Frozen):
        e: float = 0.5

    @dataclass(slots=True)
    class Plain:
        a: int
        b: int = dataclasses.field(default=2, init=False)
        c: list[int] = dataclasses.field(default_factory=list, init=False)

        def __post_init__(self) -> None:
            self.c.append(self.a)

    @dataclass(frozen=True)
    class Open:
        a: int

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "open"

    @dataclass(frozen=True, slots=True, eq=False)
    class Identity:
        a: Any

    @dataclass
    class Empty:
        pass

    return {c.__name__: c for c in (Frozen, Derived, Plain, Open, Identity, Empty)}


OURS, THEIRS = made(structs.dataclass), made(dataclasses.dataclass)
CASES = [
    ("Frozen", (1,)),
    ("Frozen", (1, (2,), [3], "x")),
    ("Derived", (1, (2,), [], "y", 1.5)),
    ("Plain", (4,)),
    ("Open", (1,)),
    ("Empty", ()),
]


@pytest.mark.parametrize(("name", "args"), CASES)
def test_instances_are_alike(name: str, args: tuple[Any, ...]) -> None:
    a, b = OURS[name](*args), THEIRS[name](*args)
    assert repr(a).rpartition(".")[2] == repr(b).rpartition(".")[2]
    assert dataclasses.asdict(a) == dataclasses.asdict(b)
    assert [f.name for f in dataclasses.fields(a)] == [f.name for f in dataclasses.fields(b)]
    assert a == OURS[name](*args)
    assert a != b or name == "Open"
    assert type(a).__match_args__ == type(b).__match_args__
    assert hasattr(a, "__dict__") == hasattr(b, "__dict__")
    assert (type(a).__hash__ is None) == (type(b).__hash__ is None)
    assert repr(copy.deepcopy(a)) == repr(a)
    if type(b).__hash__ is not None:
        assert hash(a) == hash(b)


@pytest.mark.parametrize("name", ["Frozen", "Derived", "Open", "Identity"])
def test_frozen_instances_do_not_change(name: str) -> None:
    for classes in (OURS, THEIRS):
        instance = classes[name](1)
        with pytest.raises(dataclasses.FrozenInstanceError):
            instance.a = 2
        with pytest.raises(dataclasses.FrozenInstanceError):
            del instance.a
        assert dataclasses.replace(instance, a=5).a == 5


def test_comparison_leaves_out_fields() -> None:
    assert OURS["Frozen"](1, c=[1]) == OURS["Frozen"](1, c=[2])
    assert OURS["Frozen"](1) != OURS["Frozen"](2)
    assert OURS["Frozen"](1) != OURS["Derived"](1)


def test_identity_equality() -> None:
    cls = OURS["Identity"]
    assert cls(1) != cls(1)
    assert len({cls(1), cls(1)}) == 2


def test_default_factory_is_called_each_time() -> None:
    assert OURS["Frozen"](1).c is not OURS["Frozen"](1).c


def test_recursive_repr() -> None:
    held: list[Any] = []
    instance = OURS["Identity"](held)
    held.append(instance)
    assert "..." in repr(instance)


@structs.dataclass(frozen=True, slots=True)
class Pickled:
    """Found by name."""

    a: int
    b: str = "b"


def test_pickle() -> None:
    assert pickle.loads(pickle.dumps(Pickled(3))) == Pickled(3)


def test_standard_dataclasses_may_derive() -> None:
    @dataclasses.dataclass(frozen=True, slots=True)
    class More(Pickled):
        c: int = 0

    assert More(1, "x", 2) == More(1, "x", 2)
    with pytest.raises(TypeError, match="non-frozen"):

        @dataclasses.dataclass
        class Loose(Pickled):  # pyright: ignore[reportGeneralTypeIssues]
            c: int = 0


def test_what_it_is_not_for() -> None:
    with pytest.raises(TypeError, match="kw_only"):

        @structs.dataclass(frozen=True)
        class Keywords:
            a: int = dataclasses.field(kw_only=True)
