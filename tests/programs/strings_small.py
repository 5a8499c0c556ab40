"""Text, output and exceptions, one feature at a time."""

# pyright: basic

from __future__ import annotations

from programs.corpus import case

NAN = float("nan")
INF = float("inf")


@case((3, 2.5, True), (-1, INF, False))
def prints(n, x, flag):
    print("values", n, x, flag)
    print(n, x, sep=", ", end="!\n")
    print()
    print(f"{n} and {x:.3f} {x!r} {n:5d}|{n:<4}|{n:+}|{flag}")
    print((n, x), [n, "a"], {"k": x}, None)
    return None


@case((3,), (0,))
def prints_in_loop(n):
    for i in range(n):
        if i % 2:
            print("odd", i)
        else:
            print(f"even {i}")
    print("done")


@case(
    (3, 2.5),
)
def percent_and_format(n, x):
    print("%d items at %.2f" % (n, x))
    print("{} {:>6.1f} {name}".format(n, x, name="z"))
    print(str(n) + "/" + str(x))


@case((1e16,), (1e-5,), (0.1,), (123456789.123,), (NAN,), (-0.0,), (1e22,))
def float_text(x):
    print(x, str(x), repr(x), f"{x}", f"{x:g}", f"{x:10.2e}")


@case((2,), (5,))
def static_strings(n):
    s = "hello"
    t = s.upper() + "!" * 2
    return t, s[1], len(s), "ell" in s, s.replace("l", "L"), ",".join(["a", "b"]), s == "hello", s.split("l"), n


@case((3,), (-3,))
def raises_built_in(n):
    if n < 0:
        raise ValueError("negative")
    return n


class CustomError(Exception):
    pass


@case((3,), (-3,))
def raises_custom(n):
    if n < 0:
        raise CustomError(f"value {n} is bad", n) if n == 0 else CustomError(f"value {n}")
    return n


@case((3,), (-3,))
def raises_class(n):
    if n < 0:
        raise KeyError
    return n


@case((3,), (-3,))
def asserts(n):
    assert n > 0, f"n is {n}"
    return n


@case((0,), (1,))
def prints_before_raising(n):
    print("before", n)
    x = 1 // n
    print("after", x)
    return x


@case((5,), (2,))
def raises_in_loop(n):
    for i in range(n):
        print(i)
        if i == 3:
            raise RuntimeError(f"at {i}")
    return n


@case((3,), (0,))
def raise_from(n):
    if n:
        raise ValueError("outer") from KeyError("inner")
    return n


@case((2, 0), (1, 1))
def order_of_evaluation(a, b):
    def note(x):
        print("note", x)
        return x

    return note(a) + note(b) * note(3), [note(1), note(2)], {"k": note(4)}, note(5) < note(a) < note(7)
