"""Globals, builtins and what modules hold change between calls: programs for `changing.follow`."""

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


def getattr_default_module():
    m = module("""\
k=1
""")
    yield (lambda x: x + getattr(m, "q", 5), 3)
    m.q = 1
    yield


def hasattr_module():
    m = module("""\
k=1
""")
    yield (lambda x: x if hasattr(m, "q") else -x, 3)
    m.q = 1
    yield


def builtin_shadow():
    m = module("""\
def f(x): return len(x)
def mylen(x): return 99
""")
    yield (m.f, (1, 2))
    m.len = m.mylen
    yield
    del m.len


def builtin_shadow_abs():
    m = module("""\
def f(x): return abs(x)
""")
    yield (m.f, -3)
    m.abs = lambda x: 5
    yield
    del m.abs


def builtin_shadow_range():
    m = module("""\
def f(x):
    s=0
    for i in range(x): s+=i
    return s
""")
    yield (m.f, 5)
    m.range = lambda x: (1, 2)
    yield
    del m.range


def builtin_shadow_type():
    m = module("""\
def f(x): return int(x)
""")
    yield (m.f, 5.5)
    m.int = float
    yield
    del m.int


def builtin_shadow_exc():
    m = module("""\
def f(x):
    try:
        return 1//x
    except ZeroDivisionError:
        return -1
""")
    yield (m.f, 0)
    m.ZeroDivisionError = KeyError
    yield
    del m.ZeroDivisionError


def builtin_shadow_isinstance():
    m = module("""\
def f(x): return 1 if isinstance(x,int) else 2
""")
    yield (m.f, 5)
    m.isinstance = lambda a, b: False
    yield
    del m.isinstance


def builtins_replaced():
    m = module("""\
def f(x): return abs(x)
""")
    old = builtins.abs
    yield (m.f, -3)
    builtins.abs = lambda x: 5
    yield
    builtins.abs = old


def builtins_added():
    m = module("""\
def f(x):
    try:
        return zork + x
    except NameError:
        return -1
""")
    yield (m.f, 3)
    builtins.zork = 4
    yield
    del builtins.zork


def global_added():
    m = module("""\
def f(x):
    try:
        return zork + x
    except NameError:
        return -1
""")
    yield (m.f, 3)
    m.zork = 4
    yield
    del m.zork


def global_deleted():
    m = module("""\
k=1
def f(x):
    return x+k
""")
    yield (m.f, 3)
    del m.k
    yield


def global_fn_deleted():
    m = module("""\
def g(x): return x
def f(x):
    return g(x)
""")
    yield (m.f, 3)
    del m.g
    yield


def global_int_to_float():
    m = module("""\
k=1
def f(x):
    return x+k
""")
    yield (m.f, 3)
    m.k = 1.5
    yield


def module_attr():
    m = module("""\
k=1
def g(x): return x
""")
    yield (lambda x: m.g(x) + m.k, 3)
    m.k = 6
    m.g = lambda x: -x
    yield


def module_missing_added():
    m = module("""\
k=1
""")

    def f(x):
        try:
            return m.zz + x
        except AttributeError:
            return -1

    yield (f, 3)
    m.zz = 6
    yield


def math_sqrt():
    old = math.sqrt
    yield (lambda x: math.sqrt(x), 9.0)
    math.sqrt = lambda x: 5.0
    yield
    math.sqrt = old


def math_pi():
    old = math.pi
    yield (lambda x: math.pi * x, 9.0)
    math.pi = 3
    yield
    math.pi = old


def np_sin():
    old = np.sin
    a = np.ones(3)
    yield (lambda x: np.sin(x), a)
    np.sin = np.cos
    yield
    np.sin = old


def np_linalg_norm():
    old = np.linalg.norm
    a = np.ones(3)
    yield (lambda x: np.linalg.norm(x), a)
    np.linalg.norm = lambda x: 5.0
    yield
    np.linalg.norm = old


def operator_add():
    old = operator.add
    yield (lambda x: operator.add(x, 1), 3)
    operator.add = lambda a, b: 55
    yield
    operator.add = old


def functools_reduce():
    old = functools.reduce
    yield (lambda x: functools.reduce(lambda a, b: a + b, (x, 1)), 3)
    functools.reduce = lambda *a: 55
    yield
    functools.reduce = old


def ops_relu():
    import jitcore.ops as ops

    old = ops.relu
    yield (lambda x: ops.relu(x), Tensor([1.0]))
    ops.relu = lambda x: x * 5
    yield
    ops.relu = old


def sys_attr():
    old = sys.maxsize
    yield (lambda x: x if sys.maxsize > 5 else -x, 3)
    sys.maxsize = 3
    yield
    sys.maxsize = old


def sys_user_attr():
    sys.zork_attr = 3

    def f(x):
        return x + sys.zork_attr

    yield (f, 3)
    sys.zork_attr = 8
    yield


def getattr_module_class_chain():
    m = module("""\
class C:
    k=1
    @staticmethod
    def f(x): return x
""")
    yield (lambda x: m.C.f(x), 3)
    m.C.f = staticmethod(lambda x: -x)
    yield


def region_segment():
    m = module("""\
k=1
def f(x):
    y=abs(x)
    s=str([y]).upper()
    z=abs(y)+len(s)
    return z
""")
    yield (m.f, -3)
    m.abs = lambda x: 7
    yield
    del m.abs
