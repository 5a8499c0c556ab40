"""Objects of users' classes made and changed in compiled code: plain classes, dataclasses, inheritance, operators, identity."""

# pyright: basic

from __future__ import annotations

import abc
import dataclasses
import functools
import operator
import typing

import numpy as np

from programs.corpus import case


class Vector:
    made = 0

    def __init__(self, x, y=0.0):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        if isinstance(k, Vector):
            return self.x * k.x + self.y * k.y
        return Vector(self.x * k, self.y * k)

    def __rmul__(self, k):
        return self * k

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __iadd__(self, other):
        self.x += other.x
        self.y += other.y
        return self

    def __eq__(self, other):
        if not isinstance(other, Vector):
            return NotImplemented
        return self.x == other.x and self.y == other.y

    def __lt__(self, other):
        return self.length < other.length

    def __getitem__(self, k):
        return (self.x, self.y)[k]

    def __setitem__(self, k, value):
        if k == 0:
            self.x = value
        else:
            self.y = value

    def __len__(self):
        return 2

    def __contains__(self, v):
        return v == self.x or v == self.y

    def __bool__(self):
        return self.x != 0 or self.y != 0

    def __abs__(self):
        return self.length

    def __call__(self, t):
        return self.x * t + self.y

    def __iter__(self):
        return iter((self.x, self.y))

    def __repr__(self):
        return f"Vector({self.x}, {self.y})"

    def __float__(self):
        return float(self.x)

    __hash__ = None

    @property
    def length(self):
        return (self.x**2 + self.y**2) ** 0.5

    @length.setter
    def length(self, value):
        k = value / self.length
        self.x *= k
        self.y *= k

    @classmethod
    def diagonal(cls, v):
        return cls(v, v)

    @staticmethod
    def zero():
        return Vector(0.0, 0.0)


class Shape(abc.ABC):
    sides = 0

    def __init__(self, scale=1.0):
        self.scale = scale

    @abc.abstractmethod
    def area(self): ...

    def scaled(self):
        return self.scale * self.area()

    def describe(self):
        return f"{type(self).__name__} with {self.sides} sides"


class Box(Shape):
    sides = 4

    def __init__(self, a, b, **options):
        super().__init__(**options)
        self.a, self.b = a, b

    def area(self):
        return self.a * self.b


class Cube(Box):
    sides = 12

    def __init__(self, a):
        super().__init__(a, a, scale=6.0)

    def area(self):
        return super().area() + 0.5

    def describe(self):
        return "cubic " + super().describe()


class Disc(Shape):
    def __init__(self, r):
        super().__init__()
        self.r = r

    def area(self):
        return 3.0 * self.r * self.r


@dataclasses.dataclass
class State:
    position: float
    velocity: float = 0.0
    steps: int = 0
    trace: list = dataclasses.field(default_factory=list, repr=False)
    energy: float = dataclasses.field(init=False, default=0.0)
    limit: typing.ClassVar[int] = 3

    def __post_init__(self):
        self.energy = 0.5 * self.velocity**2

    def step(self, dt):
        self.position += self.velocity * dt
        self.steps += 1
        if self.steps <= self.limit:
            self.velocity -= dt
        return self


@dataclasses.dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int = 0
    tag: str = dataclasses.field(default="", compare=False)

    def bumped(self):
        return dataclasses.replace(self, minor=self.minor + 1)

    @property
    def number(self):
        return self.major + self.minor / 10


@dataclasses.dataclass(kw_only=True)
class Options:
    rate: float
    kind: str = "plain"
    scale: dataclasses.InitVar[float] = 1.0

    def __post_init__(self, scale):
        self.rate *= scale


@dataclasses.dataclass
class Tagged(State):
    name: str = "?"


@dataclasses.dataclass(slots=True)
class Slotted:
    a: float
    b: float = 1.0


class Slots:
    __slots__ = ("left", "right")

    def __init__(self, left):
        self.left = left


class Timer:
    def __init__(self):
        self.entered = self.depth = 0

    def __enter__(self):
        self.depth += 1
        self.entered += 1
        return self

    def __exit__(self, kind, error, trace):
        self.depth -= 1
        return kind is ValueError


class Node:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

    def total(self):
        total = self.value
        if self.left is not None:
            total += self.left.total()
        if self.right is not None:
            total += self.right.total()
        return total


class Lazy:
    def __init__(self, n):
        self.n = n
        self.computed = 0

    @functools.cached_property
    def square(self):
        self.computed += 1
        return self.n * self.n

    def __getattr__(self, name):
        if name.startswith("times_"):
            return self.n * int(name[6:])
        raise AttributeError(f"no {name}")


class Clamped:
    """A descriptor."""

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, cls):
        return getattr(obj, self.name)

    def __set__(self, obj, value):
        setattr(obj, self.name, min(max(value, 0), 10))


class Gauge:
    level = Clamped()

    def __init__(self, level):
        self.level = level


T = typing.TypeVar("T")


class Stack(typing.Generic[T]):
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)
        return self

    def pop(self):
        return self.items.pop()

    def __len__(self):
        return len(self.items)


class Account:
    interest = 0.5

    def __init__(self, balance):
        self.balance = balance

    def pay(self, amount):
        if amount > self.balance:
            raise ValueError(f"{amount} is more than {self.balance}")
        self.balance -= amount

    def transfer(self, other, amount):
        self.pay(amount)
        other.balance += amount


# --- made and read ----------------------------------------------------------------------------------


@case((1.0, 2.0), (3, -4))
def made_and_returned(x, y):
    v = Vector(x, y)
    return v, v.x, v.length, abs(v), len(v), v[1], x in v, bool(v), v(2), float(v), Vector(y), isinstance(v, Vector)


@case((1.0, 2.0), (0.0, 0.0))
def operators_of_made(x, y):
    a, b = Vector(x, y), Vector(y, 1.0)
    return a + b, a - b, a * b, a * 2, 3 * a, -a, a == b, a != b, a == Vector(x, y), a < b, a > b, 1 if a else 2


@case((1.0,), (-2.5,))
def class_and_static_methods(x):
    d = Vector.diagonal(x)
    return d, Vector.zero(), d.zero(), d.diagonal(2.0), type(d) is Vector, d.__class__.__name__, Vector.made, d.made


@case((2.0, 3.0))
def properties_with_setters(x, y):
    v = Vector(x, y)
    v.length = 10.0
    before = v.length
    v.length *= 0.5
    return before, v


@case((2.0, 3.0), (0.0, 1.0))
def inheritance(a, b):
    shapes = [Box(a, b), Cube(a), Disc(b), Box(b, a, scale=3.0)]
    return [s.scaled() for s in shapes], [s.describe() for s in shapes], [isinstance(s, Box) for s in shapes], shapes


@case((1.0,))
def abstract_class(x):
    return Shape(x)


@case((2,), (0,))
def too_few_arguments(n):
    return Vector() if n else Box(n)


@case((2,))
def unexpected_keyword(n):
    return Vector(n, z=3)


@case((2,))
def missing_attribute(n):
    v = Vector(n)
    return v.z


@case((2.0,))
def by_name(x):
    v = Vector(x)
    setattr(v, "z", x * 2)
    return getattr(v, "z"), getattr(v, "w", None), hasattr(v, "w"), hasattr(v, "x"), v


@case((True,), (False,))
def attribute_on_one_path(c):
    v = Vector(1)
    if c:
        v.z = 5
    return hasattr(v, "z"), getattr(v, "z", 0), v.x


@case((True,), (False,))
def attribute_missing_on_one_path(c):
    v = Vector(1)
    if c:
        v.z = 5
    return v.z


@case((3.0,))
def texts(x):
    v, s = Vector(x, 1), State(x, 2.0)
    print(v, s, [v], {"v": v})
    return f"{v}", repr(v), str(s), f"{Version(1, int(x))!r:}", f"{v!r} at {x:.2f}"


@case((3.0,), (0.5,))
def unpacked_and_iterated(x):
    a, b = Vector(x, 2.0)
    total = 0.0
    for v in Vector(a, b):
        total += v
    return total, list(Vector(x)), sum(Vector(x, x)), [*Vector(b, a)], max(Vector(a, b)), tuple(Vector(1, 2))


# --- changed ----------------------------------------------------------------------------------------


@case((3, 1.5), (0, 1.0))
def two_names_of_one(n, x):
    a = Vector(x)
    b = a
    b.x += n
    b += Vector(1.0, 1.0)
    a[1] = 7
    return a.x, b.y, a is b, a == b, a is Vector(x), [a, b][0] is b


@case((5,), (0,))
def changed_in_a_loop(n):
    v = Vector(0, 1)
    for k in range(n):
        v.x += k
        v.y *= 2
    return v


@case((5,), (1,), (0,))
def replaced_in_a_loop(n):
    v = Vector(0.0, 1.0)
    for k in range(n):
        v = v + Vector(k, 0.5)
    return v, v.length


@case((5,), (0,))
def replaced_and_changed_in_a_loop(n):
    v = Vector(0.0, 1.0)
    while v.x < n:
        v.y += 1
        v = Vector(v.x + 1, v.y)
        v.y *= 1.5
    v.x = -1.0
    return v


@case((5,), (2,), (0,))
def swapped_in_a_loop(n):
    a, b = Vector(1, 0), Vector(0, 1)
    for _ in range(n):
        a, b = b, a + b
    return a, b, a is b


@case((7,), (2,), (0,))
def exchanged_in_a_loop(n):
    a, b = Vector(1, 0), Vector(0, 1)
    for k in range(n):
        a, b = b, a
        a.x += k
    return a, b


@case((5,), (0,))
def old_name_kept(n):
    first = Vector(0, 1)
    v = first
    for k in range(n):
        first.y += k
        v = Vector(v.x + 1, v.y)
    return first, v, v is first


@case((4,), (0,))
def best_of_those_made(n):
    best = None
    for k in range(n):
        v = Vector(k * (5 - k), k)
        if best is None or v.x > best.x:
            best = v
    return best, best is None, 0 if best is None else best.y


@case((True, 2.0), (False, 2.0))
def one_of_two(c, x):
    a, b = Vector(x), Vector(1.0)
    v = a if c else b
    v.y = 9.0
    return v, a.y, b.y, v is a


@case((True, 2.0), (False, 2.0))
def replaced_on_one_path(c, x):
    v = Vector(x)
    if c:
        v = Vector(1.0, v.x)
    v.x += 10
    return v


@case((4, 0.5), (0, 0.5))
def list_of_objects(n, dt):
    bodies = [State(float(k), 1.0) for k in range(3)]
    for _ in range(n):
        for b in bodies:
            b.step(dt)
    return bodies, sum(b.position for b in bodies), bodies[n % 3].position


@case((5,), (0,))
def grown_list_of_objects(n):
    out = []
    for k in range(n):
        out.append(Vector(k, k * 0.5))
    return out, sum(v.x for v in out), len(out), [v.length for v in out]


@case((4,), (0,))
def objects_in_a_dict(n):
    table = {"a": Vector(1), "b": Vector(2)}
    for k in range(n):
        table["a"].x += k
        table["b"] = table["b"] + table["a"]
    return table


@case((4, 2.0), (1, 0.5))
def object_holding_objects(n, x):
    box = Box(Vector(x), Vector(1.0))
    for k in range(n):
        box.a.x += k
        box.b = box.b + box.a
    return box, box.a * box.b


@case((3,), (0,))
def passed_and_returned(n):
    def push(v, k):
        v.x += k
        return v

    v = Vector(1)
    w = v
    for k in range(n):
        w = push(v, k)
    return v, w is v


def descend(v, n):
    return v if n == 0 else descend(Vector(v.x + n, v.y * 2), n - 1)


@case((4,), (0,))
def through_a_recursive_function(n):
    v = Vector(0, 1)
    return descend(v, n)


def count_down(v, n):
    if n > 0:
        v.x += n
        count_down(v, n - 1)


@case((4,), (0,))
def changed_by_a_recursive_function(n):
    v = Vector(0, 1)
    count_down(v, n)
    return v


@case((3.0,))
def tree(x):
    root = Node(1, Node(x), Node(3, Node(4.5)))
    root.left.value += 1
    return root.total(), root


@case((3.0, 2), (1.0, 9))
def exceptions_of_methods(x, n):
    a, b = Account(x), Account(0.0)
    a.transfer(b, n)
    return a, b


@case((3.0, 2), (1.0, 9))
def exceptions_handled(x, n):
    a, b = Account(x), Account(0.0)
    try:
        b.balance += 1
        a.transfer(b, n)
    except ValueError:
        a.balance += 0.25
    return a, b


@case((0,), (1,))
def managers(n):
    timer, inside = Timer(), 0
    with timer as t, timer:
        inside = t.depth
        if n:
            raise ValueError("suppressed")
        inside += 10
    return timer, inside


# --- dataclasses ------------------------------------------------------------------------------------


@case((1.0, 3), (2.0, 0))
def dataclass_states(x, n):
    s = State(x, velocity=2.0)
    for _ in range(n):
        s.step(0.5)
    return s, s == State(x, 2.0), s != s, s.trace, State.limit


@case((1.0,))
def dataclass_too_many(x):
    return State(x, 1.0, 2, [], 5.0)


@case((1,), (2,))
def frozen_dataclasses(n):
    a = Version(n, 2)
    b = a.bumped()
    return a < b, a >= b, a == Version(n, 2, "x"), b, max(a, b, Version(2)), b.number


@case((1,))
def frozen_assignment(n):
    v = Version(n)
    v.minor = 3
    return v


@case((1.5,))
def keyword_only_and_init_only(x):
    o = Options(rate=x, scale=4.0)
    return o, Options(rate=x), o == Options(rate=x * 4)


@case((1.5,))
def keyword_only_by_position(x):
    return Options(x)


@case((1.5,))
def derived_dataclass(x):
    t = Tagged(x, 1.0, name="t")
    t.step(0.5)
    return t, isinstance(t, State), t == State(x, 1.0), dataclasses.is_dataclass(t)


@case((1.5, 2))
def dataclass_functions(x, n):
    s = State(x, n)
    s.trace.append(x)
    d = dataclasses.asdict(s)
    d["trace"].append(2)
    names = [f.name for f in dataclasses.fields(s)]
    return d, dataclasses.astuple(s), names, dataclasses.replace(Version(n), tag="new"), s


@case((1.5, 2))
def replaced_argument_field(x, n):
    return dataclasses.replace(State(x), energy=x)


@case((Version(1, 2), 3), (Version(4), 0))
def replaced_fields_of_an_argument(v, n):
    for _ in range(n):
        v = v.bumped()
    return v, v.number


@case((State(1.0, 2.0), 2), (State(0.0), 0))
def argument_or_made(s, n):
    if n > 1:
        s = State(s.position + n, s.velocity)
    return s, s.position + s.steps


@case((1.5,))
def slots(x):
    s, t = Slotted(x), Slots(x)
    s.b += 1
    t.right = s.a
    return s, s == Slotted(x, 2.0), t.left, t.right, hasattr(t, "middle")


@case((1.5,))
def slots_have_no_others(x):
    s = Slots(x)
    s.middle = 2
    return s


@case((3,))
def cached_and_computed_attributes(n):
    z = Lazy(n)
    return z.square, z.square, z.computed, z.times_3


@case((3,), (30,))
def descriptors(n):
    g = Gauge(n)
    g.level += 2
    return g.level, g


@case((3.0,))
def generic_class(x):
    s = Stack()
    s.push(x).push(2)
    return s.pop(), len(s), s


@case((np.array([1.0, 2.0, 3.0]),))
def arrays_in_objects(x):
    v = Vector(x, x * 2)
    w = v + Vector(1.0, x)
    w.x[0] = 100.0
    return w, v.x, (v * w).sum()


@case((np.array([1.0, 2.0, 3.0]),))
def objects_over_an_array(x):
    s = State(0.0, 1.0)
    out = np.zeros(len(x))
    for k in range(len(x)):
        s.velocity = x[k]
        out[k] = s.step(0.5).position
    return out, s.steps


@case((3, 2.0), (0, 2.0))
def closures_over_objects(n, x):
    v = Vector(x)

    def bump():
        v.x += 1
        return v.x

    return [bump() for _ in range(3)], v, bump() * n


@case((2, 3.0), (0, 1.0))
def matched(n, x):
    s = State(x) if n else Version(1)
    match s:
        case State(position=p):
            return p
        case Version(m):
            return m
    return None


@case((4,), (0,))
def sorted_objects(n):
    vs = [Vector(n), Vector(1), Vector(3)]
    best = min(vs, key=lambda v: -v.x)
    return best, sorted(vs)[0].x, [v.x for v in sorted(vs, key=lambda v: -v.x)]


# --- items of lists that grow -------------------------------------------------------------------------


@case((5, 30), (1, 3), (0, 2))
def items_changed_in_a_loop(n, rounds):
    bodies = [State(float(k), 1.0) for k in range(min(n, 3))]
    points = [Vector(float(k), 1.0) for k in range(n)]
    for _ in range(rounds):
        for p in points:
            p.x += p.y * 0.1
            if p.x > 2.0:
                p.y = -p.y
    return points, sum(p.x * p.y for p in points), len(bodies)


@case((4,), (1,))
def several_names_of_an_item(n):
    points = [Vector(float(k)) for k in range(n)]
    a, b, last = points[0], points[0], points[-1]
    a.x = 9.0
    last += Vector(0.5, 0.5)
    return b.x, a is b, a is last, last is points[n - 1], points


@case((4,), (0,))
def changed_after_it_was_appended(n):
    points = []
    for k in range(n):
        p = Vector(float(k))
        points.append(p)
        p.y = 3.0
        points[0].x -= 1.0
    return points


@case((6,), (1,))
def best_item_changed(n):
    points = [Vector(float((k * 7) % 5)) for k in range(n)]
    best = points[0]
    for p in points:
        if p.x > best.x:
            best = p
    best.y = 100.0
    return points, best.x


@case((6,), (0,))
def best_item_if_there_is_one(n):
    points = [Vector(float((k * 7) % 5)) for k in range(n)]
    best = None
    for p in points:
        if best is None or p.x > best.x:
            best = p
    if best is not None:
        best.y = 100.0
    return [p.y for p in points]


@case((4,), (2,))
def pairs_of_items(n):
    points = [Vector(float(k)) for k in range(n)]
    for i in range(n):
        for j in range(n):
            if i != j:
                points[i].y += 0.01 * (points[j].x - points[i].x)
    for p, q in zip(points, points):
        p.x += q.y
    return points


@case((3,))
def appended_by_name(n):
    points = [Vector(float(k)) for k in range(n)]
    q = Vector(50.0)
    points.append(q)
    q.x = 1.0
    points.append(Vector(2.0))
    points[-2].y = 7.0
    return q.y, points[n].x, points[n] is q, points


@case((4,))
def first_item_with_its_list(n):
    points = [Vector(float(k)) for k in range(n)]
    return points[1], points


@case((4,), (0,))
def lists_of_items_made_anew(n):
    total = 0.0
    for t in range(3):
        points = []
        for k in range(n):
            p = Vector(float(k))
            points.append(p)
            p.x += t
        for p in points:
            p.x *= 2
            total += p.x
    return total


# --- protocols ----------------------------------------------------------------------------------------


class Fibonacci:
    def __init__(self, n):
        self.left, self.a, self.b = n, 0, 1

    def __iter__(self):
        return self

    def __next__(self):
        if self.left <= 0:
            raise StopIteration
        self.left -= 1
        value = self.a
        self.a, self.b = self.b, self.a + self.b
        return value


class Squares:
    def __init__(self, n):
        self.n = n

    def __getitem__(self, k):
        if k >= self.n:
            raise IndexError(k)
        return k * k


@case((6,), (0,))
def iterators_of_users(n):
    total = 0
    for v in Fibonacci(n):
        total += v
    it = iter(Fibonacci(n + 2))
    return total, [v for v in Fibonacci(n)], sum(Fibonacci(n)), next(it), next(it), next(Fibonacci(0), -1)


@case((4,), (0,))
def iterated_by_position(n):
    return [v for v in Squares(n)], sum(Squares(n)), 4 in Squares(n + 3)


@case((4,), (2,))
def ordered_by_their_methods(n):
    vs = [Version(n, 1), Version(1, 5), Version(3), Version(1, 2)]
    low = sorted(vs)
    vs.sort(key=lambda v: -v.minor)
    return low, vs, max(vs), min(vs, key=operator.attrgetter("minor")), low[0] is vs[2]


@case((3.0,))
def getters(x):
    vs = [Vector(x, 1.0), Vector(1.0, x)]
    first, both = operator.attrgetter("x"), operator.attrgetter("x", "y")
    return [first(v) for v in vs], both(vs[0]), operator.itemgetter(1)(vs[0]), operator.methodcaller("__len__")(vs[1])


@case((5,))
def linked_list(n):
    head = None
    for k in range(4):
        head = Node(k * n, head)
    total, node = 0, head
    while node is not None:
        total = total * 10 + node.value
        node = node.left
    return total, head


# --- several names, several rounds --------------------------------------------------------------------


@case((6,), (0,))
def best_changed_in_every_round(n):
    best, log = Vector(-1.0), []
    for k in range(n):
        v = Vector(float((k * 5) % 7))
        if v.x > best.x:
            best = v
            log.append(v.x)
        best.y += 1
    return best, log


@case((4,), (1,), (0,))
def names_rotated(n):
    a = Vector(1.0)
    b, c = a, Vector(3.0)
    for _ in range(n):
        a, b, c = b, c, a
    a.x = 10.0
    return a, b, c, a is b, b is c, a is c


@case((3,), (0,))
def pair_in_a_list_exchanged(n):
    p, q = Vector(1.0), Vector(2.0)
    both = [p, q]
    for _ in range(n):
        a, b = both
        a.x += b.x
        both = [b, a]
    return p, q, both


@case((3,), (0,))
def replaced_in_a_dict_and_changed(n):
    table = {1: Vector(1.0)}
    for _ in range(n):
        p = table[1]
        table[1] = Vector(p.x + p.y)
        p.y = 7.0
    return table


@case((4, 2), (4, 0))
def items_by_a_function(n, k):
    def pick(points, i):
        return points[i]

    points = [Vector(float(i)) for i in range(n)]
    p, q = pick(points, k), pick(points, 0)
    p.x = q.x + 5
    q.x = p.x + 1
    return p.x, q.x, p is q, points


def add_up(points, k):
    if k < len(points):
        points[k].x += k
        add_up(points, k + 1)


@case((4,), (0,))
def items_changed_by_recursion(n):
    points = [Vector(float(i)) for i in range(n)]
    add_up(points, 0)
    return points
