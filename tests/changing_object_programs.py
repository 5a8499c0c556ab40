"""Objects from outside and their classes change between calls: programs for `changing.follow`."""

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


def obj_class():

    class C:
        def m(self, x):
            return x + 1

    class D:
        def m(self, x):
            return x + 2

    o = C()
    yield (lambda x: o.m(x), 3)
    o.__class__ = D
    yield


def arg_class():

    class C:
        def m(self, x):
            return x + 1

    class D:
        def m(self, x):
            return x + 2

    o = C()
    yield (lambda o, x: o.m(x), o, 3)
    o.__class__ = D
    yield


def obj_class_property():

    class C:
        @property
        def k(self):
            return 1

    class D:
        @property
        def k(self):
            return 2

    o = C()
    yield (lambda x: o.k + x, 3)
    o.__class__ = D
    yield


def obj_class_truth():

    class C:
        pass

    class D:
        def __bool__(self):
            return False

    o = C()
    yield (lambda x: x if o else -x, 3)
    o.__class__ = D
    yield


def obj_isinstance():

    class C:
        pass

    class D:
        pass

    o = C()
    yield (lambda x: x if isinstance(o, C) else -x, 3)
    o.__class__ = D
    yield


def obj_type():

    class C:
        pass

    class D:
        pass

    o = C()
    yield (lambda x: x if type(o) is C else -x, 3)
    o.__class__ = D
    yield


def len_added_to_class():

    class C:
        pass

    o = C()
    yield (lambda x: x if o else -x, 3)
    C.__len__ = lambda s: 0
    yield


def radd_added():

    class C:
        def __radd__(self, x):
            return x + 1

    class D(C):
        pass

    c = D()
    yield (lambda x: x + c, 3)
    D.__radd__ = lambda s, x: x + 5
    yield


def eq_added():

    class C:
        pass

    a = C()
    b = C()
    yield (lambda x: x if a == b else -x, 3)
    C.__eq__ = lambda s, o: True
    yield


def getattr_added_then_attr():

    class C:
        def __getattr__(self, n):
            return 7

    o = C()
    yield (lambda x: x + o.zz, 3)
    o.zz = 1
    yield


def hasattr_present():

    class C:
        pass

    o = C()
    o.q = 1
    yield (lambda x: x if hasattr(o, "q") else -x, 3)
    del o.q
    yield


def getattr_default():

    class C:
        pass

    o = C()
    yield (lambda x: x + getattr(o, "q", 5), 3)
    o.q = 1
    yield


def class_attr_str():

    class C:
        mode = "a"

    o = C()
    yield (lambda x: x if o.mode == "a" else -x, 3)
    C.mode = "b"
    yield


def class_attr_via_class():

    class C:
        k = 1

    yield (lambda x: x + C.k, 3)
    C.k = 5
    yield


def class_attr_deleted_base():

    class B:
        k = 1

    class C(B):
        k = 2

    yield (lambda x: x + C.k, 3)
    del C.k
    yield


def class_static_via_class():

    class C:
        @staticmethod
        def f(x):
            return x + 1

    yield (lambda x: C.f(x), 3)
    C.f = staticmethod(lambda x: x + 2)
    yield


def class_classmethod_via_class():

    class C:
        @classmethod
        def f(cls, x):
            return x + 1

    yield (lambda x: C.f(x), 3)
    C.f = classmethod(lambda cls, x: x + 2)
    yield


def method_deleted_base():

    class B:
        def m(s, x):
            return x + 1

    class C(B):
        def m(s, x):
            return x + 2

    o = C()
    yield (lambda x: o.m(x), 3)
    del C.m
    yield


def bases_changed():

    class A:
        def m(s, x):
            return x + 1

    class B:
        def m(s, x):
            return x + 2

    class C(A):
        pass

    o = C()
    yield (lambda x: o.m(x), 3)
    C.__bases__ = (B,)
    yield


def bases_changed_made_inside():

    class A:
        def m(s, x):
            return x + 1

    class B:
        def m(s, x):
            return x + 2

    class C(A):
        pass

    yield (lambda x: C().m(x), 3)
    C.__bases__ = (B,)
    yield


def super_outside():

    class A:
        def m(s, x):
            return x + 1

    class B(A):
        pass

    class C(B):
        def m(s, x):
            return super().m(x) * 2

    o = C()
    yield (lambda x: o.m(x), 3)
    B.m = lambda s, x: x + 50
    yield


def outside_isinstance_bases():

    class A:
        pass

    class B:
        pass

    class C(A):
        pass

    o = C()
    yield (lambda x: x if isinstance(o, A) else -x, 3)
    C.__bases__ = (B,)
    yield


def issubclass_bases():

    class A:
        pass

    class B:
        pass

    class C(A):
        pass

    yield (lambda x: x if issubclass(C, A) else -x, 3)
    C.__bases__ = (B,)
    yield


def abc_register():
    import abc

    class A(abc.ABC):
        pass

    class C:
        pass

    o = C()
    yield (lambda x: x if isinstance(o, A) else -x, 3)
    A.register(C)
    yield


def property_replaced():

    class C:
        @property
        def k(s):
            return 1

    o = C()
    yield (lambda x: o.k + x, 3)
    C.k = property(lambda s: 2)
    yield


def property_removed():

    class C:
        @property
        def k(s):
            return 1

    o = C()
    yield (lambda x: o.k + x, 3)
    del C.k
    yield


def property_added_over_instance():

    class C:
        pass

    o = C()
    o.k = 1
    yield (lambda x: o.k + x, 3)
    C.k = property(lambda s: 2)
    yield


def property_added_over_instance_arr():

    class C:
        pass

    o = C()
    o.k = np.ones(2)
    yield (lambda x: o.k + x, 3)
    C.k = property(lambda s: np.zeros(2))
    yield


def slot_obj():

    class C:
        __slots__ = ("k", "f")

    o = C()
    o.k = 1
    o.f = abs
    yield (lambda x: o.f(o.k + x), 3)
    o.f = lambda x: -x
    yield


def getattribute_added():

    class C:
        pass

    o = C()
    o.k = 1
    yield (lambda x: o.k + x, 3)
    C.__getattribute__ = lambda s, n: 9
    yield


def dict_sub_class():
    d = {"a": abs}
    yield (lambda x: d["a"](x), -3)
    d["a"] = lambda x: 9
    yield


def dict_get_absent():
    d = {"a": 1}
    yield (lambda x: d.get("b", 5) + x, 3)
    d["b"] = 9
    yield


def set_contains():
    s = {1, 2}
    yield (lambda x: 1 if 5 in s else x, 3)
    s.add(5)
    yield


def frozen_list_cls():

    class L(list):
        pass

    row = L([1, 2])
    yield (lambda x: row[0] + x, 3)
    row[0] = 9
    yield


def class_class():

    class M(type):
        k = 1

    class M2(type):
        k = 2

    class C(metaclass=M):
        pass

    yield (lambda x: C.k + x, 3)
    C.__class__ = M2
    yield


def simple_namespace():
    n = types.SimpleNamespace(k=1, f=abs)
    yield (lambda x: n.f(x) + n.k, -3)
    n.k = 4
    n.f = lambda x: 50
    yield
