"""Functions of `bisect`, `heapq`, `itertools`, `math`, `cmath`, `operator` and methods of ints as programs: their
source is compiled as the user's is."""

from __future__ import annotations

import bisect
import cmath
import heapq
import itertools
import math
import operator
import random
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.values import Handle, Reference, Static, Value
from jitcore.passes.infer.engine.models import register_models
from jitcore.passes.infer.engine.objections import require_taken
from jitcore.passes.infer.python import iterators

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

# --- math ---------------------------------------------------------------------------------------------


def _modf(x: Any) -> Any:
    number = float(x)
    if math.isinf(number):
        return math.copysign(0.0, number), number
    rest = math.fmod(number, 1.0)
    return math.copysign(rest, number), math.copysign(abs(number) - abs(rest), number)


def _frexp(x: Any) -> Any:
    number = float(x)
    if number == 0.0 or not math.isfinite(number):
        return number, 0
    scaled, shift = (number * 2.0**54, -54) if abs(number) < 2.0**-1022 else (number, 0)
    exponent = math.floor(math.log2(abs(scaled))) + 1
    mantissa = scaled * 2.0**-exponent
    if abs(mantissa) >= 1.0:  # the logarithm was rounded
        mantissa, exponent = mantissa * 0.5, exponent + 1
    elif abs(mantissa) < 0.5:
        mantissa, exponent = mantissa * 2.0, exponent - 1
    return mantissa, exponent + shift


# --- ints ---------------------------------------------------------------------------------------------


def _bit_length(n: Any) -> Any:
    rest, length = n + 0, 0
    if rest < 0:  # half of what its magnitude is, which may be past 64 bits
        rest, length = -((rest + 1) // 2), 1
    while rest > 0:
        rest, length = rest >> 1, length + 1
    return length


def _bit_count(n: Any) -> Any:
    rest, count = n + 0, 0
    if rest < 0:
        rest, count = -((rest + 1) // 2), rest & 1
    while rest > 0:
        rest, count = rest & (rest - 1), count + 1
    return count


def gcd(a: Any, b: Any) -> Any:
    """`math.gcd` of two ints."""
    while b:
        a, b = b, a % b
    return abs(a)


def isqrt(n: Any) -> Any:
    """`math.isqrt` of an int."""
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    root = int(math.sqrt(n))  # off by one at most, as the float is rounded
    if root > 0 and root > n // root:
        root -= 1
    if root + 1 <= n // (root + 1):
        root += 1
    return root


# --- cmath --------------------------------------------------------------------------------------------


def _polar(x: Any) -> Any:
    return abs(complex(x)), cmath.phase(x)


def _rect(r: Any, phi: Any) -> Any:
    if phi == 0.0:
        return complex(float(r), float(r) * float(phi))
    return complex(float(r) * math.cos(phi), float(r) * math.sin(phi))


def _complex_log10(x: Any) -> Any:
    made = _LOG(x)
    return complex(made.real / 2.302585092994045684, made.imag / 2.302585092994045684)


_LOG: Final = cmath.log


def _complex_isnan(x: Any) -> Any:
    number = complex(x)
    return math.isnan(number.real) or math.isnan(number.imag)


def _complex_isinf(x: Any) -> Any:
    number = complex(x)
    return math.isinf(number.real) or math.isinf(number.imag)


def _complex_isfinite(x: Any) -> Any:
    number = complex(x)
    return math.isfinite(number.real) and math.isfinite(number.imag)


def _complex_isclose(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    x, y = complex(a), complex(b)
    if x == y:
        return True
    if _complex_isinf(x) or _complex_isinf(y):
        return False
    apart = abs(x - y)
    return apart <= rel_tol * abs(y) or apart <= rel_tol * abs(x) or apart <= abs_tol


# --- operator -----------------------------------------------------------------------------------------


def _count_of(a: Any, b: Any) -> Any:
    count = 0
    for item in a:
        if item is b or item == b:
            count += 1
    return count


def _index_of(a: Any, b: Any) -> Any:
    for place, item in enumerate(a):
        if item is b or item == b:
            return place
    raise ValueError("sequence.index(x): x not in sequence")


def _call(obj: Any, /, *args: Any, **kwargs: Any) -> Any:
    return obj(*args, **kwargs)


def _is(a: Any, b: Any) -> Any:
    return a is b


def _is_not(a: Any, b: Any) -> Any:
    return a is not b


def _length_hint(obj: Any, default: Any = 0) -> Any:
    return len(obj)


def _iadd(a: Any, b: Any) -> Any:
    a += b
    return a


def _isub(a: Any, b: Any) -> Any:
    a -= b
    return a


def _imul(a: Any, b: Any) -> Any:
    a *= b
    return a


def _itruediv(a: Any, b: Any) -> Any:
    a /= b
    return a


def _ifloordiv(a: Any, b: Any) -> Any:
    a //= b
    return a


def _imod(a: Any, b: Any) -> Any:
    a %= b
    return a


def _ipow(a: Any, b: Any) -> Any:
    a **= b
    return a


def _imatmul(a: Any, b: Any) -> Any:
    a @= b
    return a


def _iand(a: Any, b: Any) -> Any:
    a &= b
    return a


def _ior(a: Any, b: Any) -> Any:
    a |= b
    return a


def _ixor(a: Any, b: Any) -> Any:
    a ^= b
    return a


def _ilshift(a: Any, b: Any) -> Any:
    a <<= b
    return a


def _irshift(a: Any, b: Any) -> Any:
    a >>= b
    return a


# --- itertools ----------------------------------------------------------------------------------------


def _compress(data: Any, selectors: Any) -> Any:
    return (item for item, held in zip(data, selectors) if held)  # noqa: B905


def _starmap(function: Any, iterable: Any) -> Any:
    return (function(*args) for args in iterable)


def _batched(iterable: Any, n: Any) -> Any:
    if n < 1:
        raise ValueError("n must be at least one")
    items = list(iterable)
    return (tuple(items[k : k + n]) for k in range(0, len(items), n))


# --- bisect -------------------------------------------------------------------------------------------


def _bisect_right(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi is None:
        hi = len(a)
    while lo < hi:
        mid = (lo + hi) // 2
        if x < (a[mid] if key is None else key(a[mid])):
            hi = mid
        else:
            lo = mid + 1
    return lo


def _bisect_left(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> Any:
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi is None:
        hi = len(a)
    while lo < hi:
        mid = (lo + hi) // 2
        if (a[mid] if key is None else key(a[mid])) < x:
            lo = mid + 1
        else:
            hi = mid
    return lo


def _insert(a: Any, place: Any, x: Any) -> None:
    a.append(x)
    last = len(a) - 1
    while last > place:
        a[last] = a[last - 1]
        last -= 1
    a[place] = x


def _insort_right(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> None:
    _insert(a, _bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)


def _insort_left(a: Any, x: Any, lo: Any = 0, hi: Any = None, *, key: Any = None) -> None:
    _insert(a, _bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


# --- heapq --------------------------------------------------------------------------------------------


def _sift_down(heap: Any, start: Any, place: Any) -> None:
    item = heap[place]
    while place > start:
        parent = (place - 1) >> 1
        above = heap[parent]
        if not item < above:
            break
        heap[place] = above
        place = parent
    heap[place] = item


def _sift_up(heap: Any, place: Any) -> None:
    end = len(heap)
    start = place
    item = heap[place]
    child = 2 * place + 1
    while child < end:
        right = child + 1
        if right < end and not heap[child] < heap[right]:
            child = right
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    _sift_down(heap, start, place)


def _heappush(heap: Any, item: Any) -> None:
    heap.append(item)
    _sift_down(heap, 0, len(heap) - 1)


def _heappop(heap: Any) -> Any:
    if len(heap) == 0:
        raise IndexError("index out of range")
    last = heap.pop()
    if len(heap) > 0:
        first = heap[0]
        heap[0] = last
        _sift_up(heap, 0)
        return first
    return last


def _heapreplace(heap: Any, item: Any) -> Any:
    if len(heap) == 0:
        raise IndexError("index out of range")
    first = heap[0]
    heap[0] = item
    _sift_up(heap, 0)
    return first


def _heappushpop(heap: Any, item: Any) -> Any:
    if len(heap) > 0 and heap[0] < item:
        first = heap[0]
        heap[0] = item
        _sift_up(heap, 0)
        return first
    return item


def _heapify(x: Any) -> None:
    for place in reversed(range(len(x) // 2)):
        _sift_up(x, place)


def _nlargest(n: Any, iterable: Any, key: Any = None) -> Any:
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]


def _nsmallest(n: Any, iterable: Any, key: Any = None) -> Any:
    return sorted(iterable, key=key)[: max(n, 0)]


def _merge(*iterables: Any, key: Any = None, reverse: Any = False) -> Any:
    return iter(sorted(itertools.chain(*iterables), key=key, reverse=reverse))


# --- random -------------------------------------------------------------------------------------------


def _shuffle(self: Any, x: Any) -> None:
    for last in range(len(x) - 1, 0, -1):
        place = self._randbelow(last + 1)
        x[last], x[place] = x[place], x[last]


def _sample(self: Any, population: Any, k: Any, *, counts: Any = None) -> Any:
    if isinstance(population, (set, frozenset, dict)):
        raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
    if counts is None:
        return [population[place] for place in _sampled_places(self, len(population), k)]
    ends: list[Any] = []
    total = 0
    for count in counts:
        total += count
        ends.append(total)
    if len(ends) != len(population):
        raise ValueError("The number of counts does not match the population")
    if not isinstance(total, int):
        raise TypeError("Counts must be integers")
    if total <= 0:
        raise ValueError("Total of counts must be greater than zero")
    return [population[bisect.bisect_right(ends, place)] for place in _sampled_places(self, total, k)]


def _sampled_places(generator: Any, n: Any, k: Any) -> Any:
    """`k` of `n` places, by the draws that Python makes: among the places that are left or, where they are many, again
    if one was drawn before."""
    if not 0 <= k <= n:
        raise ValueError("Sample larger than population or is negative")
    places = list(range(k))
    if n <= (21 if k <= 5 else 21 + 4 ** math.ceil(math.log(k * 3, 4))):
        left = list(range(n))
        for i in range(k):
            j = generator._randbelow(n - i)
            places[i] = left[j]
            left[j] = left[n - i - 1]
        return places
    room = 8
    while room < 4 * k:
        room *= 2
    drawn = [-1 for _ in range(room)]  # a table of the places by what they are, for looking them up
    for i in range(k):
        fresh = False
        while not fresh:
            j = generator._randbelow(n)
            slot = (j ^ (j >> 17)) % room
            while drawn[slot] >= 0 and drawn[slot] != j:
                slot = (slot + 1) % room
            fresh = drawn[slot] < 0
            drawn[slot] = j
            places[i] = j
    return places


PROGRAMS: Final[Mapping[Any, Callable[..., Any]]] = {
    int.bit_length: _bit_length, int.bit_count: _bit_count,
    math.modf: _modf, math.frexp: _frexp, cmath.polar: _polar, cmath.rect: _rect, cmath.log10: _complex_log10,
    cmath.isnan: _complex_isnan, cmath.isinf: _complex_isinf, cmath.isfinite: _complex_isfinite,
    cmath.isclose: _complex_isclose, operator.is_: _is, operator.is_not: _is_not, operator.length_hint: _length_hint,
    operator.iadd: _iadd, operator.iconcat: _iadd, operator.isub: _isub, operator.imul: _imul,
    operator.itruediv: _itruediv, operator.ifloordiv: _ifloordiv, operator.imod: _imod,
    operator.ipow: _ipow, operator.imatmul: _imatmul, operator.iand: _iand, operator.ior: _ior, operator.ixor: _ixor,
    operator.ilshift: _ilshift, operator.irshift: _irshift, operator.countOf: _count_of, operator.indexOf: _index_of,
    itertools.compress: _compress, itertools.starmap: _starmap,
    bisect.bisect_right: _bisect_right, bisect.bisect_left: _bisect_left, bisect.insort_right: _insort_right,
    bisect.insort_left: _insort_left, heapq.heappush: _heappush, heapq.heappop: _heappop, heapq.heapify: _heapify,
    heapq.heapreplace: _heapreplace, heapq.heappushpop: _heappushpop, heapq.nlargest: _nlargest,
    heapq.nsmallest: _nsmallest, heapq.merge: _merge,
    random.Random.sample: _sample,
    **({operator.call: _call} if hasattr(operator, "call") else {}),
    **({getattr(itertools, "batched"): _batched} if hasattr(itertools, "batched") else {}),  # noqa: B009
}  # fmt: skip
"""What is called instead of a function of the standard library."""


def _handler(function: Callable[..., object], program: Callable[..., Any]) -> Callable[..., Value]:
    def call(infer: Infer, *args: Value, **keywords: Value) -> Value:
        require_taken(program, function, len(args), keywords)
        return abstract.call(infer, Static(program), args, keywords)

    return call


_OF_THE_MODULE: Final = getattr(random.shuffle, "__self__", None)


def _shuffled(infer: Infer, *args: Value, **keywords: Value) -> Value:
    generator, target = args if len(args) == 2 else (None, None)
    if isinstance(target, Reference) and target.kind is list:
        is_handle = isinstance(generator, Handle)
        is_own = isinstance(generator, Static) and generator.value is _OF_THE_MODULE
        if (is_own or is_handle) and iterators.shuffle(infer, target, generator if is_handle else None):
            return Static(None)
    return _handler(random.Random.shuffle, _shuffle)(infer, *args, **keywords)


register_models({random.Random.shuffle: _shuffled, **{f: _handler(f, program) for f, program in PROGRAMS.items()}})
