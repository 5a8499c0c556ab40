"""Objects, one feature at a time."""

# pyright: basic

from __future__ import annotations

from programs.corpus import case


class Account:
    rate = 0.5

    def __init__(self, balance: float) -> None:
        self.balance = balance

    def interest(self, years: int) -> float:
        total = 0.0
        for _ in range(years):
            total += self.balance * self.rate
        return total

    @staticmethod
    def fee(amount: float) -> float:
        return amount * 0.01

    @classmethod
    def doubled_rate(cls) -> float:
        return cls.rate * 2

    @property
    def worth(self) -> float:
        return self.balance * 10

    def __call__(self, x: float) -> float:
        return x + self.balance


ACCOUNT = Account(100.0)


@case((3,), (0,))
def methods_of_objects(n):
    return ACCOUNT.interest(n), ACCOUNT.fee(5.0), ACCOUNT.doubled_rate(), ACCOUNT.worth, ACCOUNT(n), Account.rate


@case((Account(3.0), 2), (Account(4.0), 0))
def object_argument(account, n):
    return account.interest(n) + account.balance


@case((Account(3.0), 2.0), (Account(3.0), -2.0))
def attribute_written_on_one_path(account, x):
    if x > 0:
        account.balance = x
    return account.balance


@case((Account(3.0), 4), (Account(3.0), 0))
def attribute_written_in_loop(account, n):
    for i in range(n):
        account.balance += i
    return account.balance * 2


@case(
    (Account(3.0), 2.0),
)
def attribute_written(account, x):
    account.balance += x
    account.balance = account.balance * 2
    return account.balance


class Vector:
    def __init__(self, x: float, y: float) -> None:
        self.x = x
        self.y = y

    def __add__(self, other):
        return self.x + other.x + self.y + other.y

    def __mul__(self, k):
        return self.x * k

    def __rmul__(self, k):
        return self.y * k

    def __iadd__(self, k):
        self.x += k
        return self

    def __eq__(self, other):
        return self.x == other.x

    __hash__ = None

    def __lt__(self, other):
        return self.x < other.x

    def __len__(self):
        return 3

    def __getitem__(self, k):
        return self.x * k

    def __setitem__(self, k, value):
        self.y = value + k

    def __contains__(self, value):
        return value == self.x

    def __bool__(self):
        return self.x > 0

    def __neg__(self):
        return -self.x

    def __float__(self):
        return self.x * 10

    def __abs__(self):
        return self.x + 1

    def __str__(self):
        return f"({self.x}, {self.y})"


@case((Vector(1.0, 2.0), Vector(3.0, 4.0), 2.0), (Vector(-1.0, 0.0), Vector(-1.0, 4.0), 3.0))
def operators_of_objects(v, w, k):
    return v + w, v * k, k * v, v == w, v != w, v < w, v > w, -v, len(v), v[k], k in v, float(v), abs(v)


@case((Vector(1.0, 2.0), 2.0), (Vector(-3.0, 2.0), 1.0))
def changed_objects(v, k):
    v += k
    v[2] = k
    print(v, f"{v}", str(v))
    return (1 if v else 2), v.x, not v


@case(
    (3,),
)
def imports_inside(n):
    import math as m
    from math import sqrt

    return m.floor(sqrt(n)), m.pi


@case(
    (3,),
)
def items_of_views_and_iterators(n):
    d = {"a": n, "b": 2}
    pairs = zip((1, 2), (n, 0))
    print(list(d.keys()), [*d.values()], dict(d.items()), len(d.keys()), "a" in d.keys(), bool(d.values()))  # noqa: SIM118
    return list(pairs), bool(zip()), tuple(reversed([1, n])), [k for k in enumerate((n,))], list(map(abs, (-n, 1)))


@case(
    (3,),
)
def index_of_a_view(n):
    return {"a": n}.values()[0]


@case(
    (3,),
)
def length_of_an_iterator(n):
    return len(zip((n,), (1,)))
