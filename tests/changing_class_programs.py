"""Classes change between calls, of objects that compiled code makes or that have protocols: programs for `changing.follow`."""

from __future__ import annotations

import abc
import builtins
import dataclasses
import enum
import functools
import math
import operator
import sys
import types
from typing import NamedTuple

import numpy as np
from changing import module

import jitcore.ops as ops
from jitcore import Tensor, jit


def made_inside_method_sub():

    class B:
        def m(s, x):
            return x + 1

    class C(B):
        pass

    yield (lambda x: C().m(x), 3)
    C.m = lambda s, x: x + 9
    yield


def made_inside_init_added():

    class C:
        k = 3

    yield (lambda x: C().k + x, 3)

    def init(s):
        s.k = 8

    C.__init__ = init
    yield


def made_inside_new_added():

    class C:
        k = 3

    class D:
        k = 100

    yield (lambda x: C().k + x, 3)
    C.__new__ = lambda cls: D()
    yield


def made_inside_setattr_added():

    class C:
        def __init__(s):
            s.k = 1

    yield (lambda x: C().k + x, 3)

    def sa(s, n, v):
        object.__setattr__(s, n, v * 2)

    C.__setattr__ = sa
    yield


def made_inside_property_added():

    class C:
        def __init__(s):
            s.k = 1

    yield (lambda x: getattr(C(), "z", 5) + x, 3)
    C.z = property(lambda s: 1)
    yield


def made_inside_getattr_default():

    class C:
        pass

    yield (lambda x: getattr(C(), "z", 5) + x, 3)
    C.z = 1
    yield


def made_inside_hasattr():

    class C:
        pass

    yield (lambda x: x if hasattr(C(), "z") else -x, 3)
    C.z = 1
    yield


def made_inside_bool():

    class C:
        pass

    yield (lambda x: x if C() else -x, 3)
    C.__bool__ = lambda s: False
    yield


def made_inside_eq():

    class C:
        pass

    yield (lambda x: x if C() == C() else -x, 3)
    C.__eq__ = lambda s, o: True
    yield


def made_inside_call_added():

    class C:
        pass

    def f(x):
        return x if callable(C()) else -x

    yield (f, 3)
    C.__call__ = lambda s, x: x
    yield


def made_inside_super():

    class A:
        def m(s, x):
            return x + 1

    class B(A):
        pass

    class C(B):
        def m(s, x):
            return super().m(x) * 2

    yield (lambda x: C().m(x), 3)
    B.m = lambda s, x: x + 50
    yield


def enum_value():

    class E(enum.Enum):
        A = 1
        B = 2

    yield (lambda x: x + E.A.value, 3)
    E.A._value_ = 9
    yield


def enum_attr_member():

    class E(enum.Enum):
        A = 1

        def f(self, x):
            return x + 1

    yield (lambda x: E.A.f(x), 3)
    E.f = lambda s, x: x + 100
    yield


def dataclass_default():

    @dataclasses.dataclass
    class P:
        a: int
        b: int = 2

    yield (lambda x: P(x).b + x, 3)
    P.__init__.__defaults__ = (50,)
    yield


def dataclass_init_replaced():

    @dataclasses.dataclass
    class P:
        a: int
        b: int = 2

    yield (lambda x: P(x).b + x, 3)

    def init(s, a):
        s.a = a
        s.b = 77

    P.__init__ = init
    yield


def dataclass_eq_replaced():

    @dataclasses.dataclass
    class P:
        a: int

    yield (lambda x: 1 if P(x) == P(x) else 2, 3)
    P.__eq__ = lambda s, o: False
    yield


def dataclass_post_init_changed():

    @dataclasses.dataclass
    class P:
        a: int

        def __post_init__(s):
            s.a = s.a + 1

    yield (lambda x: P(x).a, 3)

    def pi(s):
        s.a = 9

    P.__post_init__ = pi
    yield


def namedtuple_method():

    class N(NamedTuple):
        a: int

        def m(self):
            return self.a + 1

    yield (lambda x: N(x).m(), 3)
    N.m = lambda s: s.a + 100
    yield


def namedtuple_arg_method():

    class N(NamedTuple):
        a: int

        def m(self):
            return self.a + 1

    yield (lambda n: n.m(), N(3))
    N.m = lambda s: s.a + 100
    yield


def namedtuple_field_default():

    class N(NamedTuple):
        a: int
        b: int = 2

    yield (lambda x: N(x).b, 3)
    N.__new__.__defaults__ = (50,)
    yield


def namedtuple_field_prop():

    class N(NamedTuple):
        a: int

    yield (lambda n: n.a, N(3))
    N.a = property(lambda s: 100)
    yield


def namedtuple_add():

    class N(NamedTuple):
        a: int

    yield (lambda n: n + (1,), N(3))
    N.__add__ = lambda s, o: 55
    yield


def contextmgr_exit():

    class C:
        def __enter__(s):
            return 1

        def __exit__(s, *a):
            return None

    o = C()

    def f(x):
        with o as k:
            return x + k

    yield (f, 3)
    C.__enter__ = lambda s: 50
    yield


def iter_proto():

    class C:
        def __iter__(s):
            return iter((1, 2))

    o = C()

    def f(x):
        for i in o:
            x += i
        return x

    yield (f, 3)
    C.__iter__ = lambda s: iter((5, 6))
    yield


def getitem_proto():

    class C:
        def __getitem__(s, k):
            return k + 1

    o = C()
    yield (lambda x: o[x], 3)
    C.__getitem__ = lambda s, k: 50
    yield


def len_proto():

    class C:
        def __len__(s):
            return 4

    o = C()
    yield (lambda x: len(o) + x, 3)
    C.__len__ = lambda s: 9
    yield


def descriptor_get():

    class Dsc:
        def __get__(s, o, c):
            return 3

    class C:
        d = Dsc()

    o = C()
    yield (lambda x: o.d + x, 3)
    Dsc.__get__ = lambda s, o, c: 33
    yield


def metaclass_attr():

    class M(type):
        k = 1

    class C(metaclass=M):
        pass

    yield (lambda x: C.k + x, 3)
    M.k = 5
    yield


def metaclass_getattr():

    class M(type):
        def __getattr__(cls, n):
            return 1

    class C(metaclass=M):
        pass

    yield (lambda x: C.k + x, 3)
    C.k = 5
    yield


def metaclass_call_added():

    class M(type):
        pass

    class C(metaclass=M):
        def __init__(s, k):
            s.k = k

    class D:
        k = 9

    yield (lambda x: C(x).k, 3)
    M.__call__ = lambda cls, k: D
    yield


def exc_class_init():

    class E(Exception):
        def __init__(s, k):
            s.k = k

    def f(x):
        try:
            raise E(x)
        except E as e:
            return e.k

    yield (f, 3)

    def init(s, k):
        s.k = k * 10

    E.__init__ = init
    yield


def exc_bases():

    class A(Exception):
        pass

    class B(Exception):
        pass

    class E(A):
        pass

    def f(x):
        try:
            raise E
        except A:
            return x
        except E:
            return -x

    yield (f, 3)
    E.__bases__ = (B,)
    yield


def match_args():

    class P:
        __match_args__ = ("a", "b")

        def __init__(s, a, b):
            s.a = a
            s.b = b

    def f(x):
        match P(x, 7):
            case P(q, r):
                return q

    yield (f, 3)
    P.__match_args__ = ("b", "a")
    yield
