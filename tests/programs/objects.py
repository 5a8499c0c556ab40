"""Objects: attributes read and written, methods, properties, operators, inheritance, callables; isinstance, getattr, super."""

# pyright: basic

from __future__ import annotations

import dataclasses
import enum

import numpy as np

from programs.corpus import case


class Shape:
    sides = 0

    def __init__(self, name, scale):
        self.name = name
        self.scale = scale

    def area(self):
        return 0.0

    def describe(self):
        return f"{self.name} with {self.sides} sides"

    def scaled_area(self):
        return self.scale * self.area()


class Rectangle(Shape):
    sides = 4

    def __init__(self, a, b, scale=1.0):
        super().__init__("rectangle", scale)
        self.a, self.b = a, b

    def area(self):
        return self.a * self.b

    @property
    def diagonal(self):
        return (self.a**2 + self.b**2) ** 0.5

    @staticmethod
    def unit():
        return 1.0

    @classmethod
    def number_of_sides(cls):
        return cls.sides


class Square(Rectangle):
    def __init__(self, a):
        super().__init__(a, a, 2.0)

    def area(self):
        return super().area() + 0.5

    def describe(self):
        return "square: " + super().describe()


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return self.x + other.x, self.y + other.y

    def __mul__(self, k):
        return self.x * k, self.y * k

    def __rmul__(self, k):
        return k * self.x, k * self.y

    def __neg__(self):
        return -self.x, -self.y

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    def __lt__(self, other):
        return abs(self) < abs(other)

    def __abs__(self):
        return (self.x**2 + self.y**2) ** 0.5

    def __len__(self):
        return 2

    def __getitem__(self, k):
        return self.x if k == 0 else self.y

    def __call__(self, t):
        return self.x * t + self.y

    def __bool__(self):
        return self.x != 0

    def __contains__(self, v):
        return v == self.x or v == self.y

    __hash__ = None


@dataclasses.dataclass
class Filter:
    gain: float
    state: float = 0.0
    count: int = 0

    def step(self, x):
        self.state = self.gain * x + (1 - self.gain) * self.state
        self.count += 1
        return self.state


@dataclasses.dataclass(frozen=True)
class Settings:
    rate: float
    steps: int
    kind: str = "euler"


class Mode(enum.Enum):
    FAST = 1
    EXACT = 2


class Counter:
    def __init__(self, weights):
        self.weights = weights
        self.total = 0.0
        self.history = None


@case((Rectangle(2.0, 3.0),), (Square(2.0),), (Shape("none", 3.0),))
def dynamic_dispatch(shape):
    return shape.area(), shape.scaled_area(), shape.describe(), shape.sides, isinstance(shape, Rectangle)


@case((Rectangle(3.0, 4.0, 0.5),), (Square(1.0),))
def properties_and_class_methods(r):
    return (
        r.diagonal,
        r.unit(),
        r.number_of_sides(),
        Rectangle.unit(),
        type(r) is Square,
        type(r).sides,
        r.__class__ is Square,
    )


@case((Vector(1.0, 2.0), Vector(3.0, -1.0), 2.0), (Vector(0, 1), Vector(0, 1), 3))
def operators(a, b, k):
    return a + b, a * k, k * a, -a, a == b, a < b, abs(b), len(a), a[0] + b[1], a(k), bool(a), k in a, 1 if a else 2


@case((Filter(0.5), 4), (Filter(0.1, 2.0), 0))
def attributes_written_in_methods(f, n):
    for k in range(n):
        f.step(k)
    return f.state, f.count


@case((Filter(0.25), np.array([1.0, 2.0, 3.0])))
def attributes_and_arrays(f, x):
    out = np.zeros(len(x))
    for k in range(len(x)):
        out[k] = f.step(x[k])
    return out


@case((Settings(0.1, 5), 1.0), (Settings(0.5, 2, "half"), 3.0))
def settings(s, y):
    for _ in range(s.steps):
        y = y - s.rate * y if s.kind == "euler" else y * (1 - s.rate / 2)
    return y, s.kind


@case((Mode.FAST, 3), (Mode.EXACT, 3))
def enumerations(mode, n):
    if mode is Mode.FAST:
        return n
    return n * 1.5 if mode == Mode.EXACT else None


@case((Counter(np.array([1.0, 2.0])), 3), (Counter(np.array([0.5])), 1))
def mutable_state(c, n):
    for k in range(n):
        c.total += float(c.weights.sum()) * k
        c.weights[0] += 1
    c.history = n
    return c.total


@case((Filter(0.5), "gain"), (Filter(0.5), "missing"))
def attributes_by_name(f, name):
    value = getattr(f, name, -1.0)
    if hasattr(f, name):
        setattr(f, name, value * 2)
    return value, f.gain


@case((Vector(1.0, 2.0), 3))
def bound_methods(v, n):
    f, g = v.__call__, Vector.__mul__
    return f(n), g(v, n), list(map(v, (1, n))), [m(2) for m in (v, v.__mul__)]


@case(((Rectangle(1.0, 2.0), Square(3.0)),))
def several_objects(shapes):
    total = 0.0
    for s in shapes:
        total += s.area()
    return total, [s.describe() for s in shapes], max(s.area() for s in shapes)


@case(({"a": Filter(0.5), "b": Filter(1.0)}, 2.0))
def objects_in_containers(filters, x):
    for f in filters.values():
        x = f.step(x)
    return x, filters["a"].count


@case((3, 2.5, None, "s", [1], (2,)))
def isinstance_of_everything(a, b, c, d, e, f):
    def kind(v):
        if v is None:
            return "none"
        if isinstance(v, bool):
            return "bool"
        if isinstance(v, (int, float)):
            return "number"
        if isinstance(v, str):
            return "text"
        return "tuple" if isinstance(v, tuple) else "list"

    return [kind(v) for v in (a, b, c, d, e, f, True)]
