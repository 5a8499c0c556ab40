"""Functions change between calls: their code, defaults, closures and attributes: programs for `changing.follow`."""

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


def code_of_jitted():
    m = module("""\
def f(x): return x+1
def g(x): return x+2
""")
    yield (m.f, 3)
    m.f.__code__ = m.g.__code__
    yield


def code_of_jitted_closure():
    k = 5

    def f(x):
        return x + k

    def g(x):
        return x * k

    yield (f, 3)
    f.__code__ = g.__code__
    yield


def code_of_callee():

    def h(x):
        return x + 1

    def g(x):
        return x * 10

    yield (lambda x: h(x), 3)
    h.__code__ = g.__code__
    yield


def code_of_method():

    class C:
        def m(s, x):
            return x + 1

    def g(s, x):
        return x * 10

    o = C()
    yield (lambda x: o.m(x), 3)
    C.m.__code__ = g.__code__
    yield


def code_of_property():

    class C:
        @property
        def k(s):
            return 1

    o = C()

    def g(s):
        return 10

    yield (lambda x: o.k + x, 3)
    C.k.fget.__code__ = g.__code__
    yield


def code_of_partial():

    def h(a, x):
        return x + a

    def g(a, x):
        return x * a

    p = functools.partial(h, 3)
    yield (lambda x: p(x), 3)
    h.__code__ = g.__code__
    yield


def code_of_generator():

    def h(n):
        for i in range(n):
            yield i

    def g(n):
        for i in range(n):
            yield (i * 2)

    yield (lambda n: sum(h(n)), 3)
    h.__code__ = g.__code__
    yield


def code_of_recursive():
    m = module("""\
def h(n): return 1 if n<1 else n*h(n-1)
def g(n): return 1 if n<1 else n+h(n-1)
def f(n): return h(n)
""")
    yield (m.f, 5)
    m.h.__code__ = m.g.__code__
    yield


def code_of_recursive_self():
    m = module("""\
def h(n): return 1 if n<1 else n*h(n-1)
def g(n): return 1 if n<1 else n+h(n-1)
""")
    yield (m.h, 5)
    m.h.__code__ = m.g.__code__
    yield


def code_of_wrapper():

    def deco(fn):

        @functools.wraps(fn)
        def w(x):
            return fn(x) + 1

        return w

    @deco
    def h(x):
        return x

    def g(x):
        return x * 7

    yield (lambda x: h(x), 3)
    h.__wrapped__.__code__ = g.__code__
    yield


def defaults_of_jitted():

    def f(x, k=3):
        return x * k

    yield (f, 3)
    f.__defaults__ = (7,)
    yield


def defaults_inplace_kw():

    def f(x, *, k=3):
        return x * k

    yield (f, 3)
    f.__kwdefaults__["k"] = 9
    yield


def kwdefaults_of_jitted():

    def f(x, *, k=3):
        return x * k

    yield (f, 3)
    f.__kwdefaults__ = {"k": 8}
    yield


def kwdefaults_callee_inplace():

    def h(x, *, k=3):
        return x * k

    yield (lambda x: h(x), 3)
    h.__kwdefaults__["k"] = 9
    yield


def kwdefaults_added_callee():

    def h(x, k=2):
        return x * k

    yield (lambda x: h(x), 3)
    h.__kwdefaults__ = None
    h.__defaults__ = None
    yield


def defaults_of_method():

    class C:
        def m(s, x, k=2):
            return x * k

    o = C()
    yield (lambda x: o.m(x), 3)
    C.m.__defaults__ = (5,)
    yield


def defaults_none_to_some():

    def h(x, k):
        return x * k

    def f(x):
        try:
            return h(x)
        except TypeError:
            return -1

    yield (f, 3)
    h.__defaults__ = (5,)
    yield


def default_list_changed():

    def h(x, k=[1, 2]):
        return x * k[0]

    yield (lambda x: h(x), 3)
    h.__defaults__[0][0] = 9
    yield


def closure_cell():
    k = 5

    def f(x):
        return x + k

    yield (f, 3)
    f.__closure__[0].cell_contents = 9
    yield


def closure_cell_fn():

    def g(x):
        return x

    def f(x):
        return g(x)

    yield (f, 3)
    f.__closure__[0].cell_contents = lambda x: 77
    yield


def closure_cell_empty():
    k = 5

    def f(x):
        return x + k

    yield (f, 3)
    del f.__closure__[0].cell_contents
    yield


def partial_args():

    def g(a, x):
        return a + x

    p = functools.partial(g, 1)
    yield (lambda x: p(x), 3)
    p.__setstate__((g, (100,), {}, {}))
    yield


def partial_keywords():

    def g(x, a=1):
        return a + x

    p = functools.partial(g, a=2)
    yield (lambda x: p(x), 3)
    p.keywords["a"] = 200
    yield


def partial_func():

    def g(a, x):
        return a + x

    def h(a, x):
        return a * x

    p = functools.partial(g, 4)
    yield (lambda x: p(x), 3)
    p.__setstate__((h, (4,), {}, {}))
    yield


def partial_array():

    def g(a, x):
        return a + x

    a = np.ones(2)
    p = functools.partial(g, a)
    yield (lambda x: p(x), 3)
    a[0] = 9
    yield


def nested_fn_attr():

    def g(x):
        return x

    g.k = 3
    yield (lambda x: x + g.k, 3)
    g.k = 8
    yield


def fn_attr_absent():

    def g(x):
        return x

    yield (lambda x: x + getattr(g, "k", 1), 3)
    g.k = 8
    yield


def itemgetter_replaced():
    g = operator.itemgetter(0)
    m = module("""\
def f(x): return g((x,5))
""")
    m.g = g
    yield (m.f, 3)
    m.g = operator.itemgetter(1)
    yield


def bound_method_global():

    class C:
        def __init__(s):
            s.k = 1

        def m(s, x):
            return x + s.k

    o = C()
    g = o.m
    yield (lambda x: g(x), 3)
    o.k = 7
    yield


def bound_method_global_code():

    class C:
        def m(s, x):
            return x + 1

    o = C()
    g = o.m

    def n(s, x):
        return x + 50

    yield (lambda x: g(x), 3)
    C.m.__code__ = n.__code__
    yield


def wrapped_jit_global():
    m = module("""\
@jit
def g(x): return x
def f(x): return g(x)
""")
    m2 = module("""\
def g(x): return -x
""")
    yield (m.f, 3)
    m.g = m2.g
    yield


def grad_fn_code():

    def h(x):
        return x * x

    def g(x):
        return x * x * x

    from jitcore import grad

    d = grad(h)
    yield (lambda x: d(x), 3.0)
    h.__code__ = g.__code__
    yield
