"""Statements and scopes in compiled code: what lambdas and inner functions see, comprehensions, names, managers, `eval`."""

import numpy as np
from mindspore import Tensor, context, jit, jit_class, nn


def _ones(*shape):
    return Tensor(np.ones(shape, np.float32))


# --- comprehensions and lambdas -------------------------------------------------------------------
def two_comprehensions_in_a_dict(t):
    return {a: b for a in t for b in t}


def two_comprehensions_in_a_generator(t):
    return sum(a * b for a in t for b in t)


def generator_given_back(t):
    return (a for a in t)


def generator_of_a_tuple(t):
    return tuple(a + 1 for a in t)


def eager_lambda_in_a_call():
    return jit(lambda u: u + 1)(_ones(2))


def eager_lambda_given_a_name():
    add = lambda u: u + 1
    return jit(add)(_ones(2))


def eager_lambda_on_a_line_of_its_own():
    add = jit(
        lambda u: u + 1
    )  # fmt: skip
    return add(_ones(2))


def eager_lambda_among_the_arguments():
    def run(v, g):
        return g(v)

    return jit(run)(_ones(2), lambda u: u + 1)


def eager_two_lambdas_on_a_line():
    f, g = (lambda u: u + 1), (lambda u: u * 3)

    @jit
    def run(v):
        return f(v) + g(v)

    return run(_ones(2))


def eager_lambda_of_a_cell():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.f = lambda u: u + 1

        def construct(self, v):
            return self.f(v)

    context.set_context(mode=context.GRAPH_MODE)
    try:
        return Net()(_ones(2))
    finally:
        context.set_context(mode=context.PYNATIVE_MODE)


# --- what inner functions see ---------------------------------------------------------------------
def captured_by_a_lambda_and_bound_again(x):
    a = 1
    f = lambda v: v + a
    a = 10
    return f(x)


def captured_by_a_function_and_bound_again(n):
    a = 1

    def g():
        return a

    a = n
    return g() + a


def captured_by_two_levels(n):
    a = 1

    def g():
        return lambda: a

    a = n
    return g()()


def captured_list_changed(n):
    a = [1]

    def g():
        return a[0]

    a[0] = n
    return g()


def captured_in_a_branch(x):
    a = 1
    if x.sum() > 0:
        a = 2
    f = lambda v: v * a
    return f(x)


def recursion_after_another_of_its_name(n):
    def count(v):
        return 100

    def count(v):
        return 0 if v == 0 else 1 + count(v - 1)

    return count(n)


def decorator_of_an_inner_function(n):
    def twice(f):
        return lambda v: f(f(v))

    @twice
    def g(v):
        return v + 1

    return g(n)


def undefined_decorator_of_an_inner_function(n):
    @nonesuch
    def g(v):
        return v + 1

    return g(n)


def inner_function_by_position_alone(n):
    def g(v, /, w):
        return v + w

    return g(n, 1)


# --- names ----------------------------------------------------------------------------------------
_counter = 5


def global_assigned(n):
    global _counter
    _counter = n + 1
    return _counter


def global_augmented(n):
    global _counter
    _counter += n
    return _counter


def global_hidden_by_a_variable(n):
    _counter = _counter + 1
    return _counter


def global_hidden_by_an_augmented_variable(n):
    _counter += n
    _counter = _counter * 2
    return _counter


def undefined_in_a_branch_not_taken(n):
    if n == 4:
        return nonesuch
    return n


def undefined_in_a_function_not_called(n):
    def g():
        return nonesuch(1)

    return n


def undefined_after_the_return(n):
    return n
    return nonesuch


def undefined_in_a_condition_not_needed(n):
    return n > 5 and nonesuch


def undefined_in_a_message(n):
    assert n == 3, nonesuch
    return n


def _undefined_unless_three(n):
    if n == 3:
        return n
    return nonesuch


def undefined_in_a_call(n):
    return _undefined_unless_three(n)


def annotated_without_a_value(n):
    a: int
    return a


def annotated_by_what_is_undefined(n):
    a: nonesuch = 1
    return a


def eval_of_a_variable(n):
    return eval("n + 1")


def eval_of_a_module():
    return eval("np.ones(2)")


def eval_of_constants(n):
    return eval("abs(-3)") + n


def eval_of_its_own_names():
    return eval("[v for v in (1, 2)]")


def locals_are_none(n):
    return locals()


def dir_is_empty(n):
    return len(dir())


# --- managers -------------------------------------------------------------------------------------
class _Plain:
    def __init__(self, v):
        self.v = v

    def __enter__(self):
        return self.v

    def __exit__(self, *a):
        return False


@jit_class
class _Manager(_Plain):
    pass


@jit_class
class _WithoutExit:
    def __enter__(self):
        return 1


def manager_of_a_plain_class(n):
    with _Plain(n) as v:
        n = v
    return n


def manager_of_a_jit_class(n):
    with _Manager(n) as v:
        n = v + 1
    return n


def manager_without_exit(n):
    with _WithoutExit() as v:
        n = v
    return n


def manager_made_by_a_function(n):
    with open("f") as f:
        pass
    return n


def manager_is_a_cell(x):
    with nn.ReLU():
        pass
    return x
