"""Functions that the frontend's graphs are compared with: each is run plain and through its graph.

`@program(args, …)` names the arguments to call with. `note(x)` records x, so that the order of evaluation is compared.
Not a test module: pytest would rewrite its assertions.
"""
# The programs are written as users write them, and to go wrong.
# ruff: noqa

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []
LOG: list[Any] = []


def note(value: Any) -> Any:
    LOG.append(value)
    return value


def program(*arguments: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        for given in arguments or ((),):
            PROGRAMS.append((function, given))
        return function

    return register


class Box:
    """An object with an attribute, operators that are recorded, and truth that can fail."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"Box({self.value!r})"

    def __bool__(self) -> bool:
        if self.value is None:
            raise ValueError("no truth")
        note(("truth", self.value))
        return bool(self.value)

    def __lt__(self, other: Any) -> Any:
        note(("<", self.value, other))
        return Box(self.value < getattr(other, "value", other))

    def __iadd__(self, other: Any) -> Any:
        note(("+=", self.value, other))
        self.value += other
        return self


# Straight line


@program((2, 3), ("a", 3), (1.5, 2))
def arithmetic(x, y):
    z = x * y + x
    w = z - x if not isinstance(z, str) else z
    return (w, z, -y, +y, ~y, y**2, y // 2, y % 2, y << 1, y >> 1, y & 1, y | 4, y ^ 5)


@program((3,))
def negative_constants(x):
    return x[-1] if isinstance(x, list) else (-1, -0.0, -2j, +3, ~4, -True)


@program((1, 2))
def swaps(a, b):
    a, b = b, a
    (a, b), c = (b, a), a
    [d, e] = a, c
    return a, b, c, d, e


@program(([1, 2, 3],), ([1],), ((1, 2, 3, 4, 5),), (5,), ("ab",))
def starred_unpacking(xs):
    first, *middle, last = xs
    *init, end = xs
    return first, middle, last, init, end


@program(((1, (2, 3)),), ((1, 2),), ((1, (2, 3, 4)),), ((1,),))
def nested_unpacking(pair):
    a, (b, c) = pair
    return a + b + c


@program()
def multiple_targets():
    a = b = c = note([1])
    d = (e, f) = 1, 2
    return a is b is c, d, e, f


@program(({},), ([1, 2, 3],))
def target_order(xs):
    note(xs)[note(0)] = note("value")
    note(xs)[note(1)], note(xs)[note(2)] = note("a"), note("b")
    return xs


@program(([1, 2, 3],), ((1, 2, 3),), ({},))
def augmented_item(xs):
    note(xs)[note(1)] += note(10)
    return xs


@program()
def augmented_attribute():
    box = Box(1)
    note(box).value += note(2)
    other = box
    box += 5
    return box.value, other is box


@program((1,), ("a",), ([1],))
def augmented_names(x):
    x += x
    y = x
    x *= 2
    return x, y


@program((1,), ("x",), ((1, 2),))
def augmented_error(x):
    x += 1
    return x


@program()
def annotated():
    x: int = 1
    y: str
    box = Box(0)
    box.value: int = 3
    box.other: undefined_name
    return x, box.value


@program(([1, 2, 3, 4, 5, 6],), ("abcdef",))
def slices(xs):
    return xs[1:], xs[:-1], xs[::2], xs[1:4:2], xs[:], xs[-1]


@program(([5, 6, 7],))
def slice_assignment(xs):
    xs[1:2] = note([1, 2, 3])
    del xs[0]
    return xs


@program(([1],), ({},))
def item_errors(xs):
    return xs[3]


@program((Box(1),), (3,))
def attribute_errors(x):
    return x.value + x.missing


@program((3,))
def store_attribute_error(x):
    x.value = 1


@program(((1,),))
def store_item_error(x):
    x[0] = 2


@program(((1,),))
def delete_item_error(x):
    del x[0]


@program((3,))
def delete_attribute_error(x):
    del x.value


@program()
def deleted_twice():
    x = 1
    del x, x


@program((True,), (False,))
def deleted_sometimes(c):
    x = 1
    if c:
        del x
    return x


@program()
def delete_many():
    xs = {1: 2, 3: 4}
    box = Box(1)
    a = b = 2
    del xs[1], box.value, (a, b)
    return xs, hasattr(box, "value")


@program()
def displays():
    xs = [1, 2]
    return [0, *xs, 3], (*xs, *xs), {*xs, 1}, {1: 2, **{3: 4}, 5: 6}, (), [], {}


@program((5,), ([1],))
def display_errors(x):
    return [0, *x], {1: 1, **x}


@program()
def unhashable_key():
    return {1: 2, []: 3}


@program()
def display_order():
    return {note("k"): note("v"), note("k2"): note("v2")}, [note(1), note(2)], (note(3), note(4))


# Conditions


@program((0, 1), (1, 0), (1, 1), (0, 0), ("", [1]))
def boolean_values(a, b):
    return (a and b, a or b, not a, a and b or 5, not (a and b), a or not b)


@program((0,), (1,), (2,), (3,))
def short_circuit(k):
    a = note(k > 0) and note(k > 1) and note(k > 2)
    b = note(k > 2) or note(k > 1) or note(k > 0)
    if note(k) and (note(k - 1) or note(k - 2)):
        note("yes")
    return a, b, note(1) if k else note(2)


@program((Box(0),), (Box(1),), (Box(None),))
def truth_once(x):
    if x and not x:
        note("never")
    y = x or 5
    return 1 if not x else 2


@program((Box(None),))
def truth_error_if(x):
    if x:
        return 1


@program((Box(None),))
def truth_error_elif(x):
    if x is None:
        return 1
    elif not x:
        return 2


@program((Box(None),))
def truth_error_while(x):
    while x:
        note(1)


@program((Box(None),))
def truth_error_value(x):
    y = 1 + (x and 2)
    return y


@program((Box(None),))
def truth_error_ternary(x):
    return 1 + (2 if x else 3)


@program((Box(None), 1), (Box(None), 0))
def truth_after_comparison(x, y):
    if y > 0 and x:
        return 1
    return 2


@program((Box(None),))
def truth_error_not(x):
    return not x


@program((1, 2, 3), (3, 2, 1), (1, 1, 1), (1, 2, "a"), ("a", 1, 2))
def chained(a, b, c):
    return note(a) < note(b) <= note(c) != note(0), a == b == c, a < b > c


@program((1,), (5,), (11,))
def chained_test(x):
    if 0 < note(x) + 1 < 10 > note(3):
        return "inside"
    while 10 < x < 20:
        x = x + 5
    return x


@program((Box(1), Box(2)), (Box(2), Box(1)))
def chained_objects(a, b):
    return a < b < Box(3)


@program((3,), ([1],))
def membership(x):
    return 1 in [1, 2], x not in (1, 2), x is None, x is not None, "a" in x


@program((3,), (0,), (-3,))
def ternaries(x):
    return note("p") if x > 0 else note("n") if x < 0 else note("z")


@program((3,), (0,))
def walrus(x):
    if (y := note(x)) > 1:
        z = y
    else:
        z = (y := 7) + y
    return y, z, (w := 3) + w


@program((1, 0), (1, 1), (0, 1))
def walrus_perhaps(a, b):
    c = a and (y := b) and (z := 5)
    if a:
        return y, c
    return y


@program((4,), (0,), (9,))
def walrus_in_while(n):
    seen = []
    while (n := n - 1) > 0 and (k := n * 2):
        seen.append(k)
        if n == 5:
            break
    else:
        seen.append("else")
    return seen, n


@program(([3, 1, 2],))
def walrus_in_comprehension(xs):
    total = 0
    sums = [total := total + x for x in xs if x]
    last = None
    pairs = [(y, last := y) for x in xs for y in (x, -x) if y != 1]
    return sums, total, last, pairs, any((found := x) == 1 for x in xs), found


# Branches


@program((1,), (-1,), (0,))
def early_returns(x):
    if x > 0:
        return "positive"
    if x < 0:
        y = note("negative")
        return y
    return "zero"


@program((1, 1), (1, 0), (0, 1), (0, 0))
def partial_returns(a, b):
    r = []
    if a:
        if b:
            return r
        r.append("a not b")
    else:
        r.append("not a")
    r.append("rest")
    if b:
        return "late", r
    return r


@program((0,), (1,), (2,), (3,), (4,))
def many_paths(k):
    if k == 0:
        x = 1
    elif k == 1:
        return "one"
    elif k == 2:
        if note(k) > 1:
            x = 5
        else:
            return "never"
    elif k == 3:
        raise ValueError(k)
    else:
        x = 9
        pass
    x = x * 10
    return x


@program((0,), (1,))
def no_return(k):
    if k:
        return
    note("fell off")


@program((0,), (1,))
def returns_nothing(k):
    if k:
        return 5


@program((0,), (1,), (2,))
def unassigned_in_branch(k):
    if k:
        x = 1
        if k > 1:
            y = x
    return x + y


@program((0,), (1,))
def assigned_or_raised(k):
    if k:
        x = 3
    else:
        raise KeyError("k")
    return x


@program()
def never_assigned():
    if False:
        x = 1
    return x


@program()
def unreachable_code():
    return 1
    x = 2
    note("never")


@program()
def read_before_assignment():
    y = x
    x = 1
    return y


@program((1,), (2,), (3,), (4,))
def elif_chain(x):
    if x == 1:
        r = "one"
    elif x == 2:
        r = "two"
    elif x == 3:
        r = "three"
    else:
        r = "many"
    return r


# Loops


@program((0,), (5,), (50,))
def while_sum(n):
    total, i = 0, 0
    while i < n:
        i += 1
        if i % 2:
            continue
        if i > 20:
            break
        total += i
    return total, i


@program((0,), (5,), (20,))
def for_else(n):
    for i in range(n):
        if i == 10:
            break
    else:
        return "exhausted", n
    return "broke", i


@program((0,), (5,), (20,))
def while_else(n):
    i = 0
    while i < n:
        if i == 10:
            note("break")
            break
        i += 1
    else:
        note("else")
        i = -i
    return i


@program((5,), (0,), (2,))
def else_without_break(n):
    for i in range(n):
        note(i)
        if i == 3:
            return "returned"
    else:
        note("else")
    return "end"


@program((0,), (1,), (3,), (6,))
def search(n):
    for i in range(n):
        for j in range(n):
            if i * j == 6:
                return i, j
            if j > i:
                break
            note((i, j))
        else:
            note("inner else")
            continue
        note("after break")
    return None


@program((0,), (3,), (8,))
def nested_breaks(n):
    found = []
    for i in range(n):
        j = 0
        while True:
            j += 1
            if j > i:
                break
            if (i + j) % 3 == 0:
                continue
            if i == 6:
                return found
            found.append((i, j))
        if len(found) > 12:
            break
    else:
        found.append("done")
    return found, i if n else None


@program((1.0,), (2.0,), (10.0,))
def newton(x):
    guess = x
    while True:
        better = 0.5 * (guess + x / guess)
        if abs(better - guess) < 1e-9:
            break
        guess = better
    return better


@program((3,), (7,))
def endless_with_return(n):
    while True:
        n += 1
        if n % 5 == 0:
            return n


@program((3,))
def endless_nested(n):
    while 1:
        while 1:
            n += 1
            if n % 5 == 0:
                return n
            if n % 2:
                break
        note(n)


@program(([],), ([1, 2],))
def loop_variable_after(xs):
    for x in xs:
        pass
    return x


@program(([(1, 2), (3, 4)],), ([(1, 2), (3,)],), ([5],))
def loop_unpacking(pairs):
    total = 0
    for a, b in pairs:
        total += a * b
    for k, (a, b) in enumerate(pairs):
        total += k * a
    return total


@program((5,), (None,))
def not_iterable(x):
    for i in x:
        note(i)


@program(([3, "a", 4],))
def error_in_body(xs):
    total = 0
    for x in xs:
        note(x)
        total = total + x
    return total


@program(({},))
def loop_targets(d):
    box = Box(0)
    for box.value in [1, 2]:
        note(box.value)
    for d["k"] in "ab":
        pass
    return d, box.value


@program((3,))
def loop_modifies_iterable(n):
    xs = [1]
    for x in xs:
        if len(xs) < n:
            xs.append(x + 1)
    for i in range(n):
        i = i * 2
        n = 0
    return xs, i, n


@program((2,), (4,))
def conditional_flow(n):
    out = []
    for i in range(n):
        if i == 0:
            x = "first"
        elif i == 2:
            if n > 3:
                continue
            x = "other"
        else:
            if i > 2:
                out.append("many")
                if i == 3:
                    break
            x = "more"
        out.append(x)
    return out


@program((0,), (1,), (5,))
def continue_only(n):
    k = 0
    while k < n:
        k += 1
        if k == 2:
            if n == 5:
                continue
            k = 10
        else:
            if k == 4:
                continue
            note("odd")
        note(k)
    return k


@program((3,), (4,), (5,))
def return_in_while_else(n):
    i = 0
    while i < n:
        i += 1
        if i == 4:
            break
    else:
        return "else"
    return i


@program((3,), (5,))
def break_in_else(n):
    for i in range(n):
        for j in range(i):
            if j == 3:
                break
        else:
            if i == 2:
                break
            continue
        note("inner broke")
    return i


@program((3,))
def return_value_evaluated_once(n):
    for i in range(n):
        if i:
            return note(i)
    return note("end")


@program((0,), (2,))
def deleted_in_loop(n):
    x = 1
    for i in range(n):
        note(x)
        del x
        if n > 5:
            x = 2
    return x


# Functions


@program((1,), (1, 2), (1, 2, 3, 4), (), (1, 2, 3))
def varargs(a, b=10, *rest):
    return a, b, rest


@program((1,))
def inner_signatures(x):
    def f(a, /, b, c=note(x), *args, d, e=note(2), **rest):
        return a, b, c, args, d, e, rest

    return f(1, 2, d=3), f(1, b=2, d=4, z=5), f(1, 2, 3, 4, 5, d=6, e=7), f(*[1, 2], **{"d": 8})


@program((1,), (2,), (3,), (4,))
def call_errors(k):
    def f(a, b=1):
        return a

    if k == 1:
        return f()
    if k == 2:
        return f(1, 2, 3)
    if k == 3:
        return f(1, c=2)
    return f(*5)


@program()
def call_order():
    def f(*args, **kwargs):
        return args, kwargs

    return note(f)(note(1), *note([2]), note(3), k=note(4), **note({"m": 5}))


@program((5,), ("a",))
def closure(n):
    factor = n * 2

    def scale(x):
        return x * factor

    return scale(1), (lambda y: y + factor + n)(n)


@program((3,))
def late_binding(n):
    fs = []
    for i in range(n):
        fs.append(lambda: i)
    x = 1
    g = lambda: x
    x = 2
    return [f() for f in fs], g()


@program((4,))
def counter(n):
    count = 0

    def increment(by=1):
        nonlocal count
        count += by
        return count

    for _ in range(n):
        increment()
    return increment(10), count


@program((0,), (5,), (10,))
def inner_recursion(n):
    def factorial(k):
        if k <= 1:
            return 1
        return k * factorial(k - 1)

    return factorial(n)


@program((7,), (8,))
def mutual_recursion(n):
    def even(k):
        return True if k == 0 else odd(k - 1)

    def odd(k):
        return False if k == 0 else even(k - 1)

    return even(n), odd(n)


@program((6,))
def recursion(n):
    return n if n < 2 else recursion(n - 1) + recursion(n - 2)


@program()
def unassigned_free_variable():
    def g():
        return z

    g()
    z = 1


@program((True,), (False,))
def perhaps_assigned_free_variable(c):
    if c:
        z = 1

    def g():
        def h():
            return z

        return h()

    return g()


@program((3,))
def deep_nesting(n):
    a = n

    def f(b):
        def g(c):
            def h(d):
                return a, b, c, d

            return h

        return g

    return f(1)(2)(3)


@program((2,))
def parameter_in_cell(n):
    def add(k):
        nonlocal n
        n += k

    add(3)
    add(n)
    return n


@program()
def decorated_inner():
    def twice(f):
        note("applied")
        return lambda x: f(f(x))

    def add(n):
        note(n)
        return lambda f: lambda x: f(x) + n

    @note(twice)
    @add(note(10))
    def g(x, y=note("default")):
        return x * 2

    return g(3)


@program()
def decorator_error():
    @note
    @undefined_decorator
    def g():
        pass


@program()
def shadowing():
    len = lambda x: "mine"
    AssertionError = ValueError
    assert len(3) == "mine", "message"
    map, filter = None, None
    return len([]), list(x for x in [1, 2] if x > 1)


@program()
def cell_in_branches():
    x = 1

    def get():
        return x

    if get() == 1:
        x = 5
    else:
        x = 6
    y = get()
    while x < 8:
        x += 1
    return y, get(), x


@program()
def deleted_cell():
    x = 1

    def get():
        return x

    del x
    return get()


@program((2,))
def higher_order(n):
    def compose(*fs):
        def composed(x):
            for f in fs:
                x = f(x)
            return x

        return composed

    return compose(lambda x: x + n, lambda x: x * n, str)(5)


# Comprehensions


@program(([1, 2, 3],), ([],))
def comprehensions(xs):
    x = "kept"
    return (
        [x * 2 for x in xs], {x % 2 for x in xs}, {x: x * x for x in xs if x > 1},
        [(x, y) for x in xs for y in range(x) if y if x > 1], [[y for y in range(x)] for x in xs], x,
    )  # fmt: skip


@program(([1, 2, 3],))
def comprehension_order(xs):
    return note("a"), [note(x) for x in note(xs) if note(x > 1)], note("b"), {note(k): note(k + 1) for k in xs}


@program(([1, "a"],))
def comprehension_error(xs):
    return [1] + [x + 1 for x in xs]


@program(([[1, 2], 5],))
def comprehension_inner_iterable_error(xs):
    return [y for x in xs for y in x]


@program((5,))
def comprehension_iterable_error(x):
    return [y for y in x]


@program(([(1, 2), 3],))
def comprehension_unpacking_error(xs):
    return {a: b for a, b in xs}


@program(([Box(None)],))
def comprehension_condition_error(xs):
    return [x for x in xs if x]


@program(([1, []],))
def comprehension_unhashable(xs):
    return {x for x in xs}


@program(([1, []],))
def dict_comprehension_unhashable(xs):
    return {x: 1 for x in xs}


@program(([[1, "b"]],))
def nested_comprehension_error(xss):
    return [[x + 1 for x in xs] for xs in xss]


@program((3,))
def comprehension_closures(n):
    made = []
    for k in range(n):
        made.append([lambda: (i, k) for i in range(k + 1)])
    return [[f() for f in fs] for fs in made]


@program(([1, 2, 3],))
def comprehension_shadows(x):
    return [x for x in x], [[x for x in range(x)] for x in x], [(lambda x: x)(x + 1) for x in x], x


@program(([1, 2, 3, 4],))
def comprehension_in_conditions(xs):
    if any([x > 3 for x in xs]) and [x for x in xs if x > 5]:
        return "big"
    n = 0
    while len([x for x in xs if x > n]) > 1:
        n += 1
    return n, (lambda k: [x + k for x in xs])(10), [x for x in xs][n] if [y for y in xs] else None


@program(([1, 2, 3, 4],))
def generators(xs):
    total = sum(note(x) for x in xs if x % 2 == 0)
    lazy = any(note(x) > 1 for x in xs)
    pairs = sorted((x, y) for x in xs for y in range(x) if y > 1 if x > 2)
    return total, lazy, pairs, max((x for x in xs), key=lambda v: -v), list(a * b for a, b in zip(xs, xs))


@program(([1, 2],))
def generator_sees_changes(xs):
    k = 1
    g = (x * k for x in xs)
    k = 10
    return list(g)


@program(([[1, 2], [3]],))
def nested_generators(xss):
    return sum(sum(x * 2 for x in xs) for xs in xss), list(max(y for y in xs) + len(xs) for xs in xss if xs)


@program(([1, "a"],), (5,))
def generator_errors(xs):
    return sum(x + 1 for x in xs)


@program(([1, 2, 3],))
def generator_in_loop(xs):
    out = []
    for i in range(3):
        out.append(sum(x * i for x in xs))
    return out


# Text, errors, calls


@program((3, "x"), (2.5, None))
def f_strings(a, b):
    width = 8
    return f"{a} and {b!r:>5} {a:{width}.2f}" if a != 3 else f"{a=} {b!s} {{}} {a:>{width}}{b}"


@program((Box(1),))
def f_string_order(x):
    def change():
        x.value = 2
        return "changed"

    return f"{x} {change()} {x}"


@program((None,))
def f_string_error(x):
    return f"value {x:3d}"


@program((1,), (0,), (-1,))
def assertions(x):
    assert x >= 0, f"negative: {note(x)}"
    assert x
    return x


@program((0, 1), (1, 0), (1, 1))
def assertion_places(a, b):
    assert a and b > 0
    assert not (a > 5), "a"
    assert a == 1 == b
    assert (b if a < 2 else a) > 5, "b"


@program((Box(None),))
def assertion_truth(x):
    assert x


@program((0,), (1,), (2,), (3,), (4,))
def raising(k):
    if k == 0:
        raise ValueError("zero")
    if k == 1:
        raise KeyError
    if k == 2:
        raise RuntimeError("two") from ValueError("cause")
    if k == 3:
        raise TypeError("three") from None
    raise


@program()
def undefined_global():
    return 1 + undefined_name


@program()
def multi_line_calls():
    return (
        "a b"
        .upper()
        .split(
            1,
        )
    )  # fmt: skip


@program((-1,))
def multi_line_call_of_an_import(x):
    return (
        math
        .sqrt(
            x
        )
    )  # fmt: skip


@program((Box(1),))
def multi_line_attribute(x):
    return (
        x
        .value
        .missing
    )  # fmt: skip


@program(([1],))
def multi_line_expression(xs):
    return [
        xs[0]
        + xs[
            5
        ],
    ]  # fmt: skip


@program((1,))
def imports(x):
    import math
    import os.path
    import os.path as p
    from math import floor as f, sqrt

    return math.pi, os.path is p, f(2.5), sqrt(16.0)


@program()
def missing_module():
    import no_such_module


@program()
def division_by_zero():
    total = 0.0
    for k in (2, 1, 0):
        total += 1 / k
    return total


@program(([3, 1, 2],))
def method_calls(xs):
    xs.append(4)
    ys = sorted(xs, key=lambda v: -v, reverse=True)
    return ys, xs.pop(), xs.index(1), "-".join(map(str, xs))


@program()
def unicode_columns():
    größe = "äöü"
    return größe + "日本" + (größe + 1)


@program()
def print_is_a_call():
    print("a", 1, end="")
    return None


def made(k: int) -> Callable[[int], int]:
    def inner(n: int) -> int:
        total = 0
        for i in range(n):
            total += i * k
        return total if n else missing_free(k)

    def missing_free(q: int) -> int:
        return q + k

    return inner


class Base:
    rate = 2

    def step(self, x: Any) -> Any:
        return x + self.rate


class Derived(Base):
    __hidden = 5

    def step(self, x: Any) -> Any:
        self.__count = super().step(x) + self.__hidden
        return [self.__count + i for i in range(2)]

    @staticmethod
    def plain(x: Any) -> Any:
        return x * 2

    @classmethod
    def of_class(cls, x: Any) -> Any:
        return cls.rate * x
