# type: ignore
"""Calls of the user's functions, methods and Cells, of partials, and of what cannot be called: too few arguments, too many, unknown ones."""

from functools import partial

import numpy as np
from mindspore import Tensor, context, jit_class, nn


def _two(a, b):
    return a


def _defaults(a, b, c=1):
    return a


def _variable(a, b, *args):
    return len(args)


def _variable_with_default(a, b=2, *args):
    return len(args)


def _variable_and_keywords(a, *args, **kw):
    return len(args)


def _variable_and_keyword_only(a, *args, c):
    return len(args)


def _keywords(a, b, **kw):
    return len(kw)


def _keyword_only(a, *, b, c=2):
    return a


class _Defaults(nn.Cell):
    def construct(self, a, b=2):
        return a


class _Two(nn.Cell):
    def construct(self, a, b):
        return a

    def method(self, a):
        return a


class _Plain:
    pass


@jit_class
class _Marked:
    pass


class _Uninitialised(nn.Cell):
    def __init__(self):
        self.v = 1

    def construct(self, x):
        return x


_cell_defaults, _cell, _relu, _dense = _Defaults(), _Two(), nn.ReLU(), nn.Dense(3, 2)
_list, _sequential = nn.CellList([_relu, _dense]), nn.SequentialCell(_relu, _relu)
_plain, _marked = _Plain(), _Marked()


# --- functions ------------------------------------------------------------------------------------
def variable_of_one(x):
    return _variable(x)


def variable_by_keyword(x):
    return _variable(x, b=1)


def variable_by_an_unknown_keyword(x):
    return _variable(x, 1, c=1)


def variable_of_a_value_twice(x):
    return _variable(x, 1, 2, b=1)


def variable_with_default_of_none(x):
    return _variable_with_default()


def variable_with_default_of_one(x):
    return _variable_with_default(x)


def variable_and_keywords_of_none(x):
    return _variable_and_keywords()


def variable_and_keyword_only_without_it(x):
    return _variable_and_keyword_only(x, 1)


def defaults_of_one(x):
    return _defaults(x)


def defaults_of_four(x):
    return _defaults(x, x, x, x)


def defaults_of_four_and_an_unknown_keyword(x):
    return _defaults(x, x, x, x, d=1)


def defaults_of_a_value_twice_before_an_unknown_keyword(x):
    return _defaults(x, x, a=1, d=1)


def defaults_of_an_unknown_keyword_before_a_value_twice(x):
    return _defaults(x, x, d=1, a=1)


def keywords_of_one(x):
    return _keywords(x)


def keywords_of_three(x):
    return _keywords(x, x, x)


def keywords_of_others(x):
    return _keywords(x, x, z=1)


def keyword_only_by_position(x):
    return _keyword_only(x, x)


def keyword_only_without_it(x):
    return _keyword_only(x, c=1)


def starred_of_too_many(t):
    return _two(*t)


def starred_of_too_many_with_defaults(t):
    return _defaults(*t, 1)


def double_starred_of_too_few(x):
    return _keywords(**{"a": x})


def lambda_of_too_many(x):
    return (lambda a, b=2: a)(x, x, x)


def lambda_of_an_unknown_keyword(x):
    return (lambda a, b=2: a)(x, c=3)


def inner_function_of_too_many(x):
    def g(a, b=2):
        return a

    return g(x, x, x)


def map_of_too_few(l):
    return list(map(_two, l))


def map_of_too_many(l):
    return list(map(lambda: 1, l))


def filter_of_too_few(l):
    return list(filter(_two, l))


# --- Cells ----------------------------------------------------------------------------------------
def cell_of_three(x):
    return _cell_defaults(x, x, x)


def cell_of_nothing(x):
    return _cell_defaults()


def cell_by_an_unknown_keyword(x):
    return _cell_defaults(x, c=1)


def cell_of_too_few(x):
    return _cell(x)


def cell_of_a_value_twice(x):
    return _cell(x, a=x)


def cell_by_keyword(x):
    return _cell(x, b=x)


def method_of_too_few(x):
    return _cell.method()


def method_of_too_many(x):
    return _cell.method(x, x)


def method_by_an_unknown_keyword(x):
    return _cell.method(x, z=1)


def layer_of_too_few(x):
    return _relu()


def layer_of_too_many(x):
    return _dense(x, x)


def layer_by_an_unknown_keyword(x):
    return _dense(x, z=1)


def sequential_of_too_many(x):
    return _sequential(x, x)


# --- partials -------------------------------------------------------------------------------------
def partial_of_a_cell(x):
    return partial(_cell, x)(x)


def partial_of_nothing_to_call():
    return partial(None, 1)


def partial_of_a_list(l):
    return partial(l)


def partial_of_a_class():
    return partial(int, "3")()


def partial_of_a_builtin():
    return partial(max, 3)(4)


def partial_without_arguments():
    return partial()


def partial_of_too_many(x):
    return partial(_defaults, x)(x, x, x)


def partial_by_keywords(x):
    return partial(_defaults, b=2, c=3)(x)


def partial_of_a_value_twice(x):
    return partial(_two, b=1)(x, 2)


def partial_by_an_unknown_keyword(x):
    return partial(_two, c=1)(x, x)


def partial_of_too_few(x):
    return partial(_defaults)(x)


def function_of_a_partial(x):
    return partial(_two, x).func


# --- what is no function --------------------------------------------------------------------------
def calling_an_object(x):
    return _plain(x)


def calling_an_object_of_a_marked_class(x):
    return _marked(x)


def calling_an_array():
    return _array()


_array = np.ones(3)


# --- Cells that were not initialised --------------------------------------------------------------
def eager_cell_that_is_not_initialised():
    return _Uninitialised()(Tensor(1))


def eager_cell_that_is_not_initialised_in_graph_mode():
    before = context.get_context("mode")
    context.set_context(mode=context.GRAPH_MODE)
    try:
        return _Uninitialised()(Tensor(1))
    finally:
        context.set_context(mode=before)


# --- methods of classes ---------------------------------------------------------------------------
class _Methods:
    def __init__(self, v):
        self.v = v

    @classmethod
    def of_the_class(cls, a):
        return a

    @staticmethod
    def of_no_object(a):
        return a


def class_method(n):
    return _Methods.of_the_class(n)


def static_method(n):
    return _Methods.of_no_object(n)


def object_of_too_few():
    return _Methods().v
