"""str: static text of all kinds, and run-time values in what is returned, printed or raised."""

# pyright: basic

from __future__ import annotations

import numpy as np

from programs.corpus import case


@case((3,), (-1.5,), (True,))
def returned_text(x):
    return f"x is {x}", f"{x!r} and {x}", "%s" % (x,), "{} {}".format(x, x), "value: " + str(x)


@case((3.14159, 42), (-0.5, -7))
def formats(x, n):
    return f"{x:.2f}|{x:8.3f}|{x:e}|{n:5d}|{n:<5}|{n:05d}|{n:+}", f"{n:x} {n:b} {n:,}", f"{x:%}"


@case(
    (2,),
)
def static_methods(n):
    s = "Hello, World"
    parts = s.lower().split(", ")
    return (
        s.upper(),
        parts,
        "-".join(parts),
        s.replace("l", "L"),
        s[n:5],
        s[::-1],
        s.find("World"),
        s.startswith("He"),
        len(s),
    )


@case(
    (5,),
)
def static_choice(n):
    kind = "large" if n > 3 else "small"
    return kind, kind + "!" if False else kind, {"large": 1, "small": 2}


@case((1,), (2,), (3,))
def dispatch_on_static_text(n):
    total = 0
    for operation in ("add", "double", "negate"):
        if operation == "add":
            total += n
        elif operation.startswith("dou"):
            total *= 2
        else:
            total = -total
    return total


@case(
    (4,),
)
def text_in_loops(n):
    total = 0
    for c in "abca":
        total = total * 2 + (1 if c == "a" else 0) + "abc".index(c) * n
    return total, ord("a") + n, chr(65), "b" in "abc", "a" * 3


@case(
    (7, 2.5),
)
def joined(n, x):
    return ", ".join([f"n={n}", f"x={x}"]), "".join(["a", "b"]), f"{n}{x}" + "end", "start" + f"{n}"


@case((np.array([1.5, 2.0]),))
def arrays_in_text(x):
    return f"{x.sum()}", f"shape {x.shape} of {len(x)}", f"{x[0]:.3f}"


@case((3,), (-3,))
def keys_made_of_static_text(n):
    d = {f"k{i}": i * n for i in (1, 2)}
    return d["k1"] + d["k" + "2"], d


@case(
    (2,),
)
def literals(n):
    return (
        "a\tb\\",
        'quo"te',
        """lines
two""",
        r"\n",
        "é🙂",
        f"{{{n}}}",
        "ab",
        b"bytes",
        "tab".center(9, "*"),
    )


@case((9, 3), (5, 0))
def reports(a, b):
    if b == 0:
        return f"cannot divide {a} by zero"
    return f"{a} / {b} = {a / b:.3f}, remainder {a % b}"


@case(
    (3,),
)
def caesar_on_static_text(n):
    text, out = "attack at dawn", []
    for c in text:
        out.append(chr((ord(c) - 97 + 3) % 26 + 97) if c.isalpha() else c)
    return "".join(out), n


@case(
    (2,),
)
def morse_by_table(n):
    table = {"s": "...", "o": "---"}
    return " ".join(table[c] for c in "sos"), [len(table[c]) * n for c in "so"]


@case((1,), (0,))
def comparisons(n):
    s = "abc"
    return s == "abc", s < "abd", s != "x", "b" in s, s is None, s.isdigit(), s.count("a"), "a" <= "b" and n


@case((2, 0.5), (-1, 1e300))
def texts_in_containers(n, x):
    texts = [f"it's {n}", f'say "{x}"', f"both ' and \" {n}", f"line\n{n}\t{{}}", f"é{x!r}"]
    print(texts, (f"{n}",), {"k": f"{x:.1f}"})
    return texts, f"{texts[0]!r} {texts[1]!r}", f"{slice(n, 2)} {range(n)} {range(0, n, 2)}"
