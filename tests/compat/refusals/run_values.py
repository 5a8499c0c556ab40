"""Numbers that are arguments, as indices, divisors and counts: constants of MindSpore's programs, values of the run here."""
# pyright: basic, reportMissingImports=false

from mindspore import ops

# --- indices of sequences whose length is an argument, too ------------------------------------------


def list_of_range_item(n):
    return list(range(n))[7]


def list_of_range_item_before(n):
    return list(range(n))[-n - 1]


def list_of_range_item_inside(n):
    return list(range(n))[-n]


def range_item(n):
    return range(n)[n]


def range_item_before(n):
    return range(1, n)[-n]


def range_with_a_step_item(n):
    return range(1, n * 4, n)[n * 2]


def range_of_five_item(n):
    return range(5)[n + 2]


def range_in_a_variable_item(n):
    found = range(4)
    return found[n] + found[n + 1]


def comprehension_item(n):
    return [2 * k for k in range(n)][n]


def appended_item(n):
    found = []
    for k in range(n):
        found.append(k)
    return found[n]


def sorted_item(n):
    return sorted(range(n))[n + 2]


def reversed_item(n):
    return list(reversed(range(n)))[n]


def enumerated_item(n):
    return list(enumerate(range(n)))[n]


def zipped_item(n):
    return list(zip(range(n), range(n)))[-n - 2]


def slice_item(n):
    return list(range(n))[1:][n - 1]


def list_item_set(n):
    found = list(range(n))
    found[n] = 5
    return found


def list_item_set_before(n):
    found = list(range(n))
    found[-n - 1] = 5
    return found


def list_item_set_inside(n):
    found = list(range(n))
    found[-n] = 5
    return found


def tensor_item_set(y, n):
    y[n] = 5.0
    return y


def tensor_item_set_before(y, n):
    y[-n - 1] = 5.0
    return y


def tensor_row_set(x, n):
    x[n] = 5.0
    return x


# --- divisors ---------------------------------------------------------------------------------------


def floor_division(n):
    return 7 // (n - 3)


def floor_division_of_floats(r):
    return 7.5 // (r - 0.5)


def floor_division_by_false(n):
    return n // (n == 4)


def floor_division_in_place(n):
    m = n
    m //= n - 3
    return m


def floor_division_in_a_comprehension(n):
    return [n // k for k in range(n)]


def floor_division_in_a_loop(n):
    total = 0
    for k in range(n):
        total += n // k
    return total


def floor_division_that_goes(n):
    return (-7 // n, 7.5 // n, 7 // -n)


def divmod_(n):
    return divmod(7, n - 3)


def remainder(n):
    return 7 % (n - 3)


def shift_left(n):
    return 1 << (n - 4)


def shift_right(n):
    return n >> -n


# --- what else a number decides ---------------------------------------------------------------------


def has_key(d):
    return d.has_key("a")


def has_another_key(d, s):
    return d.has_key(s)


def has_key_of_a_list(l):
    return l.has_key(1)


def not_of_one_element(y):
    return not y[:1]


def not_of_a_comparison(k):
    return not k > 1


def not_of_one_element_negated(y):
    return not (not y[1:2])


def not_of_two_elements(b):
    return not b


def flatten_of_a_vector_from_far(y, n):
    return y.flatten(start_dim=n)


def reduce_sum_of_a_far_axis(y):
    return ops.reduce_sum(y, 2)


def reduce_max_of_a_far_axis(x):
    return ops.reduce_max(x, (0, 3))


def reduce_min_of_an_axis_that_is_a_string(x):
    return ops.reduce_min(x, "x")


def bmm_of_matrices(x):
    return ops.bmm(x, x.T)


def bmm_of_vectors(y):
    return ops.bmm(y, y)


def percent_of_an_argument(s, n):
    return (s + " %s") % n


def percent_of_two(s, n):
    return (s + " %d %s") % (n, s)


def percent_of_too_many(s, n):
    return s % n
