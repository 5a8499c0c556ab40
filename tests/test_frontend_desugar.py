"""Each desugaring, by the text it gives."""

from __future__ import annotations

import linecache
import textwrap
from typing import Any

import pytest

from jitcore.frontend import source_of

CASES = {
    "chained comparison": (
        """
        def f(a, b, c):
            return a < b.x <= c
        """,
        """
        def f(a, b, c):
            return a < (_jc_operand := b.x) and _jc_operand <= c
        """,
    ),
    "assertion": (
        """
        def f(a):
            assert a, 'message'
            assert a > 1
        """,
        """
        def f(a):
            if not a:
                raise AssertionError('message')
            if not a > 1:
                raise AssertionError
        """,
    ),
    "comprehension": (
        """
        def f(xs):
            return [[x, y] for x in xs for y in x if y], {x for x in [lambda x: x, lambda y=1: (y, xs)]}
        """,
        """
        def f(xs):
            return ([[_jc_x, _jc_y] for _jc_x in xs for _jc_y in _jc_x if _jc_y], {_jc_x_2 for _jc_x_2 in [lambda x: x, lambda y=1: (y, xs)]})
        """,
    ),
    "while with walrus": (
        """
        def f(g):
            while (x := g()):
                print(x)
            else:
                print('end')
        """,
        """
        def f(g):
            _jc_finished = False
            _jc_break = False
            while not _jc_break:
                if not (x := g()):
                    _jc_finished = True
                    _jc_break = True
                else:
                    print(x)
            if _jc_finished:
                print('end')
        """,
    ),
    "early return nests the rest": (
        """
        def f(a):
            if a > 1:
                return 1
            elif a:
                b = 2
            else:
                raise ValueError
            return b
        """,
        """
        def f(a):
            if a > 1:
                return 1
            else:
                if a:
                    b = 2
                else:
                    raise ValueError
                return b
        """,
    ),
    "early return with two ways on": (
        """
        def f(a, b):
            if a:
                if b:
                    return 1
            c = a
            return c
        """,
        """
        def f(a, b):
            _jc_returning = False
            if a:
                if b:
                    _jc_value = 1
                    _jc_returning = True
            if _jc_returning:
                return _jc_value
            else:
                c = a
                return c
        """,
    ),
    "continue nests the rest": (
        """
        def f(xs):
            for x in xs:
                if x:
                    continue
                print(x)
        """,
        """
        def f(xs):
            for x in xs:
                if x:
                    pass
                else:
                    print(x)
        """,
    ),
    "break and else": (
        """
        def f(xs):
            while xs.go():
                if xs:
                    break
            else:
                print('all')
        """,
        """
        def f(xs):
            _jc_break = False
            while not _jc_break and xs.go():
                if xs:
                    _jc_break = True
            if not _jc_break:
                print('all')
        """,
    ),
    "endless loop": (
        """
        def f(x):
            while True:
                x = x + 1
                if x > 5:
                    return x
            y = 1
        """,
        """
        def f(x):
            if False:
                y = None
            _jc_returning = False
            _jc_break = False
            while not _jc_break:
                x = x + 1
                if x > 5:
                    _jc_value = x
                    _jc_returning = True
                    _jc_break = True
            return _jc_value
        """,
    ),
    "names that are taken": (
        """
        def f(a, _jc_operand):
            return 1 < a.x < _jc_operand
        """,
        """
        def f(a, _jc_operand):
            return 1 < (_jc2_operand := a.x) and _jc2_operand < _jc_operand
        """,
    ),
    "nothing to do": (
        """
        def f(a, *b, c, **d):
            x, *y = a
            x += (yes if a else no)
            del y
            return x or (lambda: x)
        """,
        """
        def f(a, *b, c, **d):
            x, *y = a
            x += yes if a else no
            del y
            return x or (lambda : x)
        """,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_text(name: str) -> None:
    before, after = (textwrap.dedent(text).strip() + "\n" for text in CASES[name])
    file = f"<desugar {name}>"
    linecache.cache[file] = (len(before), None, before.splitlines(True), file)
    namespace: dict[str, Any] = {}
    exec(compile(before, file, "exec"), namespace)
    assert source_of(namespace["f"]).text.replace("lambda:", "lambda :") == after.strip()


def test_private_names() -> None:
    class Net:
        def step(self, __x: Any) -> Any:
            self.__rate = __x
            return f(__x, __k=self.__rate.__len__, __self__=1)

    def f(*args: Any, **kwargs: Any) -> Any:
        return args, kwargs

    text = source_of(Net.step).text.replace("\n", "")
    assert text == (
        "def step(self, _Net__x):    self._Net__rate = _Net__x    "
        "return f(_Net__x, _Net__k=self._Net__rate.__len__, __self__=1)"
    )
