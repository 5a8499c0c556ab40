# type: ignore
"""What programs give back that is no value, identities of values, options of Python's functions, and texts of values."""

import functools

from mindspore import Parameter, Tensor, nn, ops


def _two(a, b):
    return a


_relu = nn.ReLU()


class _N(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()

    def h(self, x):
        return x

    def construct(self, x):
        return self.relu


class _N2(_N):
    def construct(self, x):
        return self.h


class _N3(_N):
    def construct(self, x):
        return self


class _N4(_N):
    def construct(self, x):
        def g(a):
            return a

        return g


_n, _n2, _n3, _n4 = _N(), _N2(), _N3(), _N4()


def returned_builtin(x):
    return len


def returned_function(x):
    return _two


def returned_lambda(x):
    return lambda a: a


def returned_closure(x):
    def g(a):
        return a + x

    return g


def returned_partial(x):
    return functools.partial(_two, x)


def returned_method_of_a_tensor(x):
    return x.sum


def returned_cell(x):
    return _relu


def returned_new_cell(x):
    return nn.ReLU()


def returned_primitive(x):
    return ops.Add()


def returned_function_of_ops(x):
    return ops.add


def returned_tuple_with_a_function(x):
    return (_two, x)


def returned_cell_by_a_cell(x):
    return _n(x)


def returned_method_by_a_cell(x):
    return _n2(x)


def returned_closure_by_a_cell(x):
    return _n4(x)


def returned_method_of_a_list(l):
    return l.append


def returned_method_of_a_string(s):
    return s.upper


def returned_hyper_map(x):
    return ops.HyperMap()


def returned_method_of_a_cell(x):
    return _n.h


def returned_cell_beside_a_tensor(x):
    x = x + 1
    return x, _relu


def is_a_list(l):
    return l is [1, 2, 3]


def is_a_dict(d):
    return d is d


def is_a_tuple(t):
    return t is (1, 2)


def is_a_float_for_a_tensor(x):
    return x is 1.5


def is_a_float(r):
    return r is r


def is_none_for_a_list(l):
    return l is None


def is_not_a_list(l):
    return l is not l


def is_a_function(x):
    return len is len


def is_a_type(x):
    return int is int


def is_a_tensor(x):
    return x is x


def is_a_bool_for_an_int(n):
    return n is True


def is_none_for_none(x):
    return None is None


def is_a_string(s):
    return s is s


def print_with_an_end(x):
    print(x, end="")


def print_with_a_separator(x):
    print(sep=",")


def enumerate_of_three(l):
    return enumerate(l, 1, 2)


def enumerate_by_an_unknown_keyword(l):
    return list(enumerate(iterable=l))


def sum_from_a_keyword(l):
    return sum(l, start=1)


def sum_by_keyword(l):
    return sum(iterable=l)


def str_by_keyword(n):
    return str(object=n)


def str_of_two(n):
    return str(n, n)


def int_by_keyword(n):
    return int(n, base=2)


def int_of_three(n):
    return int(n, n, n)


def float_of_two(n):
    return float(n, n)


def bool_of_two(n):
    return bool(n, n)


def round_of_three(n):
    return round(n, 1, 2)


def round_to_a_string(n):
    return round(n, "a")


def isinstance_of_a_union_of_types(l):
    return isinstance(l, list | tuple)


def isinstance_of_a_module(l):
    return isinstance(l, np)


def formatted_values(x):
    return f"{True} {1.0} {None}"


def formatted_list(x):
    return f"{[True, 1.5]}"


def formatted_tuple_of_one(x):
    return f"{(1,)}"


def formatted_comparison(n):
    return f"{n > 2}"


def percent_of_a_bool(x):
    return "%s" % True


def str_of_a_bool(x):
    return str(True)


def formatted_float(x):
    return f"{1.0}"


def formatted_quotient(x):
    return f"{1 / 3}"


def formatted_function(x):
    return f"{len}"


def formatted_type(x):
    return f"{int}"


def formatted_and_added(x):
    return f"a{1}b{2}" + "c"


def format_of_an_open_brace(x):
    return "{".format(1)


def format_of_an_unknown_conversion(x):
    return "{!z}".format(1)


def format_of_mixed_numbers(x):
    return "{} {1}".format(1, 2)


_parameter = Parameter(Tensor([1.0, 2.0, 3.0]), name="weight")
_dense = nn.Dense(3, 2)


def name_of_a_parameter(x):
    return _parameter.name


def requires_grad_of_a_parameter(x):
    return _parameter.requires_grad


def set_data_of_a_parameter(x):
    _parameter.set_data(x)
    return _parameter


def shape_of_a_parameter(x):
    return _parameter.shape, _parameter.sum()


def trainable_params_of_a_cell(x):
    return _dense.trainable_params()


def get_parameters_of_a_cell(x):
    return _dense.get_parameters()


def enumerate_from_a_keyword(l):
    return list(enumerate(l, start=1))


def percent_of_a_tensor(x):
    return "%s" % x


def percent_of_a_dict(d):
    return "%(a)d" % d


def list_and_an_int_in_place(l):
    l += 1
    return l


def list_and_a_tensor_in_place(x):
    l = [1]
    l += x
    return l


def dict_and_a_dict_in_place(d):
    d += {"c": 1}
    return d


def function_that_is_defined_after_its_caller(n):
    def f():
        return g()

    def g():
        return n

    return f()


def function_that_calls_itself(n):
    def f(a):
        return a if a == 0 else a + f(a - 1)

    return f(n)


def function_that_one_branch_defines(x):
    if x.sum() > 0:

        def g(a):
            return a * 2

    return g(x)
