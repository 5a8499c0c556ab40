"""Ranges, slices and objects with slots as arguments: one compilation serves all of a class."""

import dataclasses

import numpy as np
import pytest

from jitcore import jit


@dataclasses.dataclass(slots=True)
class Step:
    size: float
    count: int = 2
    done: float = 0.0

    def take(self, x):
        self.done += self.size
        return x - self.size * self.count


class Base:
    __slots__ = ("first",)


class Derived(Base):
    __slots__ = ("__hidden", "late")

    def __init__(self, first, hidden):
        self.first = first
        self.__hidden = hidden

    def both(self):
        return self.first + self.__hidden


class Mixed(Base):
    def __init__(self, first, other):
        self.first = first
        self.other = other


def test_objects_with_slots_are_compiled_once_for_all() -> None:
    compiled = jit(lambda s, x: s.take(x) + s.take(x) * 0.5)
    for k in range(8):
        one, other = Step(float(k), k), Step(float(k), k)
        assert compiled(one, 10.0) == other.take(10.0) + other.take(10.0) * 0.5
        assert one == other
    assert len(compiled.specialisations) <= 2


def test_slots_of_bases_private_ones_and_a_dict_beside_them() -> None:
    compiled = jit(lambda s: s.both())
    for k in range(4):
        assert compiled(Derived(k, 2 * k)) == 3 * k
    assert len(compiled.specialisations) <= 2
    compiled = jit(lambda s: s.first * s.other)
    for k in range(4):
        assert compiled(Mixed(k, 5)) == 5 * k
    assert len(compiled.specialisations) <= 2


@pytest.mark.filterwarnings("ignore::jitcore.FallbackWarning")
def test_slots_that_are_empty_and_that_are_filled() -> None:
    def late(s, there):
        if there:
            s.late = s.first + 1
        return hasattr(s, "late")

    compiled = jit(late)
    for k in range(4):
        s = Derived(k, 1)
        assert compiled(s, False) is False
        assert compiled(s, True) is True
        assert s.late == k + 1
        assert compiled(s, False) is True

    def unset(s):
        del s.first
        return 1

    forgets = jit(unset)
    for k in range(3):
        s = Derived(k, 1)
        assert forgets(s) == 1
        with pytest.raises(AttributeError):
            _ = s.first


def test_ranges_are_compiled_once_for_all() -> None:
    def total(r, x):
        for i in r:
            x += i * 0.5
        return x, len(r), 4 in r, r.start, r.stop, r.step

    compiled = jit(total)
    for r in (range(5), range(2, 9), range(9, 2, -2), range(0), range(3, 30, 3), range(10, 0, -1), range(1, 1)):
        assert compiled(r, 1.0) == total(r, 1.0)
    assert len(compiled.specialisations) <= 3


def test_slices_are_compiled_once_for_their_kind() -> None:
    a = np.arange(10.0)
    compiled = jit(lambda s, a: a[s].sum())
    for k in range(12):
        for s in (slice(k), slice(-k, None), slice(1, k), slice(k, 2, -1)):
            assert compiled(s, a) == a[s].sum()
    assert len(compiled.specialisations) <= 12
    compiled = jit(lambda s, xs: xs[s])
    for k in range(6):
        assert compiled(slice(k, None), [1, 2, 3, 4]) == [1, 2, 3, 4][k:]


def test_slices_that_shapes_depend_on_and_that_are_written_to() -> None:
    def store(a, s):
        a[s] = 7.0
        return a * 2

    compiled = jit(store)
    for k in range(6):
        one, other = np.zeros(8), np.zeros(8)
        np.testing.assert_array_equal(compiled(one, slice(k, None)), store(other, slice(k, None)))
        np.testing.assert_array_equal(one, other)
    reshaped = jit(lambda a, s: a[s].reshape(2, -1))
    for k in range(0, 6, 2):
        np.testing.assert_array_equal(reshaped(np.arange(8.0), slice(k, None)), np.arange(8.0)[k:].reshape(2, -1))


def test_bounds_past_64_bits() -> None:
    a = np.arange(4.0)
    compiled = jit(lambda s, a: a[s].sum())
    for k in (1, 2, 3):
        assert compiled(slice(k, None), a) == a[k:].sum()
    assert compiled(slice(1 << 70), a) == 6.0
    assert jit(lambda r: len(r))(range(1 << 62)) == 1 << 62


def test_slices_with_bounds_that_are_no_ints() -> None:
    a = np.arange(4.0)
    compiled = jit(lambda s, a: a[s])
    for s in (slice(1.5), slice(None, "a")):
        with pytest.raises(TypeError, match="slice indices must be integers"):
            compiled(s, a)
    for k in (np.int64(2), np.int64(3)):
        np.testing.assert_array_equal(compiled(slice(k), a), a[:k])
