"""Places, stacks and printing: what has an effect.

A ref is a strided window of memory. `ref_new` gives memory of its own and reads it as far as effects go: two of them
are never one, and neither are two new stacks. Views of a ref are refs to the same memory. A stack is linear: each
operation consumes the one it is given, which orders them.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from jitcore.ir.nodes import Effects, Op
from jitcore.primitives.core.array_classes import as_objects
from jitcore.primitives.core.registry import (
    Builtin,
    HostCode,
    Nondifferentiable,
    Place,
    Primitive,
    Sample,
    StackSample,
    Structural,
    Window,
    declare,
)
from jitcore.primitives.core.rules import array, common_dtype, differ, reference
from jitcore.primitives.core.sampling import mixed, spread
from jitcore.primitives.ops.conversions import Raising
from jitcore.primitives.ops.shape import reshape, reshape_samples, transpose, transpose_samples
from jitcore.primitives.ops.views import Spec, check_values, view_index, view_reference, view_samples, view_shape
from jitcore.types import INT, STACK, RefType, Shape, StackType, TensorType, Type, f32, f64, i64, shape_text

_READS = Effects(reads=True)
_WRITES = Effects(writes=True)
_READS_AND_WRITES = Effects(reads=True, writes=True)

# --- refs -------------------------------------------------------------------------------------------

ref_new = declare(
    "ref_new",
    "x",
    rule=lambda x: RefType(array(x)),
    reference=lambda x: np.array(x),
    lowering=Builtin(),
    derivative=Structural("ref"),
    samples=lambda: (Sample((spread((2, 3)),)), Sample((mixed((), 1, i64),))),
    effects=_READS,
    doc="New memory that holds x.",
)
ref_read = declare(
    "ref_read",
    "r",
    rule=lambda r: reference(r),
    reference=lambda r: np.array(r),
    lowering=Builtin(),
    derivative=Structural("ref"),
    samples=lambda: (Sample((Place(spread((2, 3)).T),)), Sample((Place(mixed((), 1, i64)),))),
    effects=_READS,
    doc="What a ref holds now; later writes do not change it.",
)


def _write_rule(r: Type, v: Type) -> tuple[Type, ...]:
    target, value = reference(r), array(v, "value")
    common_dtype((target, value), "a write")
    extra = value.rank - target.rank
    fits = extra <= 0 and not any(
        d != 1 and differ(d, n)
        for d, n in zip(value.shape, target.shape[-extra:] if extra else target.shape, strict=True)
    )
    if not fits:
        raise ValueError(
            f"could not broadcast input array from shape {shape_text(value.shape)} "
            f"into shape {shape_text(target.shape)}"
        )
    return ()


def _write(r: Any, v: Any) -> None:
    r[...] = np.array(v)


def _accumulate(r: Any, v: Any) -> None:
    with np.errstate(all="ignore"):
        r[...] = r + v


def _write_samples() -> Iterable[Sample]:
    yield Sample((Place(spread((2, 3))), spread((2, 3), 5, 6)))
    yield Sample((Place(spread((2, 3), dtype=f32).T), mixed((3, 1), 1, f32)))
    yield Sample((Place(mixed((3,), 1, i64)), mixed((), 2, i64)))


ref_write = declare(
    "ref_write",
    "r v",
    rule=_write_rule,
    reference=_write,
    lowering=Builtin(),
    derivative=Structural("ref"),
    samples=_write_samples,
    effects=_WRITES,
    doc="Writes v, broadcast to the ref's shape, as if v had been copied before.",
)
ref_add = declare(
    "ref_add",
    "r v",
    rule=_write_rule,
    reference=_accumulate,
    lowering=Builtin(),
    derivative=Structural("ref"),
    samples=_write_samples,
    effects=_READS_AND_WRITES,
    doc="Adds v, broadcast to the ref's shape, to what the ref holds.",
)


def _ref_view_rule(r: Type, *values: Type, spec: Spec) -> Type:
    target = reference(r)
    check_values(values, spec)
    return RefType(TensorType(target.dtype, view_shape(target.shape, spec)))


def _placed(samples: Iterable[Sample]) -> Iterable[Sample]:
    for sample in samples:
        first, *rest = sample.args
        yield Sample((Place(first), *rest), sample.params)


ref_view = declare(
    "ref_view",
    "r *values",
    rule=_ref_view_rule,
    reference=view_reference,
    lowering=Window(view_index),
    derivative=Structural("ref"),
    samples=lambda: _placed(view_samples()),
    doc="A ref to a part of what a ref refers to; `spec` as for `view_index`.",
)


def _ref_transpose_rule(r: Type, *, permutation: tuple[int, ...]) -> Type:
    made = transpose.rule(reference(r), permutation=permutation)
    assert isinstance(made, TensorType)
    return RefType(made)


def _ref_reshape_rule(r: Type, *, shape: Shape) -> Type:
    made = reshape.rule(reference(r), shape=shape)
    assert isinstance(made, TensorType)
    return RefType(made)


def _reshape_in_place(r: Any, *, shape: tuple[int, ...]) -> Any:
    view = r.view()
    try:
        view.shape = shape
    except AttributeError:
        raise ValueError(f"a ref of shape {r.shape} cannot be seen with shape {shape} without a copy") from None
    return view


ref_transpose = declare(
    "ref_transpose",
    "r",
    rule=_ref_transpose_rule,
    reference=lambda r, *, permutation: np.transpose(r, permutation),
    lowering=Window(transpose),
    derivative=Structural("ref"),
    samples=lambda: _placed(transpose_samples()),
    doc="A ref to the same memory with its axes in another order.",
)
ref_reshape = declare(
    "ref_reshape",
    "r",
    rule=_ref_reshape_rule,
    reference=_reshape_in_place,
    lowering=Window(reshape),
    derivative=Structural("ref"),
    samples=lambda: _placed(s for s in reshape_samples() if s.args[0].flags.c_contiguous),
    doc="A ref to the same memory under other extents; only where strides can say it.",
)
WINDOWS: Final[Mapping[Op, Primitive]] = {transpose: ref_transpose, reshape: ref_reshape, view_index: ref_view}
"""By the view of a value, that of a place."""

# --- stacks -----------------------------------------------------------------------------------------


def _stack(type_: Type) -> None:
    if not isinstance(type_, StackType):
        raise TypeError(f"a stack is needed, not {type_!r}")


def _push_rule(s: Type, *v: Type) -> Type:
    _stack(s)
    return STACK


def _pop_rule(s: Type, *, types: tuple[Type, ...]) -> tuple[Type, ...]:
    _stack(s)
    return (STACK, *types)


def _free_rule(s: Type) -> tuple[Type, ...]:
    _stack(s)
    return ()


def _push(s: list[Any], *v: Any) -> list[Any]:
    s.append(tuple(np.array(x) if isinstance(x, np.ndarray) else x for x in v))
    return s


def _pop(s: list[Any], *, types: tuple[Type, ...]) -> tuple[Any, ...]:
    entry = s.pop()
    if len(entry) != len(types):
        raise ValueError(f"{len(types)} values popped from a stack on which {len(entry)} were pushed")
    return (s, *entry)


def _free(s: list[Any]) -> None:
    if s:
        raise ValueError(f"a stack freed with {len(s)} entries on it")


stack_new = declare(
    "stack_new",
    "",
    rule=lambda: STACK,
    reference=list,
    lowering=Builtin(),
    derivative=Structural("stack"),
    samples=lambda: (Sample(()),),
    effects=_READS,
    doc="An empty stack.",
)
stack_push = declare(
    "stack_push",
    "s *v",
    rule=_push_rule,
    reference=_push,
    lowering=Builtin(),
    derivative=Structural("stack"),
    samples=lambda: (Sample((StackSample(), spread((2, 3)), 4, 2.5)),),
    effects=_READS,
    doc="The stack with one entry more, made of any number of values.",
)
stack_pop = declare(
    "stack_pop",
    "s",
    rule=_pop_rule,
    reference=_pop,
    lowering=Builtin(),
    derivative=Structural("stack"),
    samples=lambda: (Sample((StackSample(((spread((2,)), 4),)),), {"types": (TensorType(f64, (2,)), INT)}),),
    effects=_READS,
    doc="The stack without its last entry, and that entry's values, of the given types.",
)
stack_free = declare(
    "stack_free",
    "s",
    rule=_free_rule,
    reference=_free,
    lowering=Builtin(),
    derivative=Structural("stack"),
    samples=lambda: (Sample((StackSample(),)),),
    effects=_WRITES,
    doc="The end of a stack, which must be empty.",
)

# --- attributes -------------------------------------------------------------------------------------


class _Noted(threading.local):
    """The attributes that the call at work in this thread has written, with what they were last given."""

    def __init__(self) -> None:
        self.writes: dict[Any, tuple[Any, ...]] = {}


_noted = _Noted()


@contextmanager
def attributes_noted(writes: dict[Any, tuple[Any, ...]]) -> Generator[None]:
    """Collect what `note_attribute` notes inside: the values by the write they belong to, in the order of writing."""
    before, _noted.writes = _noted.writes, writes
    try:
        yield
    finally:
        _noted.writes = before


def _note(*values: Any, write: Any) -> None:
    _noted.writes.pop(write, None)
    _noted.writes[write] = values


note_attribute = declare(
    "note_attribute",
    "*values",
    rule=lambda *values, write: (),
    reference=_note,
    lowering=HostCode(),
    derivative=Nondifferentiable("it gives nothing"),
    samples=lambda: (Sample((3, 2.5, spread((2,))), {"write": "weight"}),),
    effects=Effects(io=True),
    doc="Notes what an attribute was given, should the program raise before it ends (see `infer.engine.notes`).",
)

# --- printing and raising ---------------------------------------------------------------------------


def _print(*values: Any, template: str, categories: tuple[str, ...] = ()) -> None:
    print(template.format(*as_objects(values, categories)), end="")


def _raise(*values: Any, exception: Raising, categories: tuple[str, ...] = ()) -> None:
    raise exception.make(as_objects(values, categories))


class _Caught(threading.local):
    """The exceptions whose handlers are at work in this thread, outermost first; and those put aside."""

    def __init__(self) -> None:
        self.errors: list[BaseException] = []
        self.parked: list[BaseException] = []


_caught = _Caught()


@contextmanager
def handling(error: BaseException) -> Generator[None]:
    """Inside, `rethrow` raises this."""
    _caught.errors.append(error)
    try:
        yield
    finally:
        _caught.errors.pop()


class _Uncommitted(threading.local):
    """The bodies of `try_` at work in this thread, outermost first: a list each, empty until it is done with."""

    def __init__(self) -> None:
        self.bodies: list[list[bool]] = []


_uncommitted = _Uncommitted()


@contextmanager
def attempting() -> Generator[list[bool]]:
    """Inside, `commit` fills the list."""
    body: list[bool] = []
    _uncommitted.bodies.append(body)
    try:
        yield body
    finally:
        _uncommitted.bodies.pop()


def _commit() -> None:
    next(body for body in reversed(_uncommitted.bodies) if not body).append(True)


commit = declare(
    "commit",
    "",
    rule=lambda: (),
    reference=_commit,
    lowering=Builtin(),
    derivative=Nondifferentiable("it gives nothing"),
    samples=lambda: (),
    effects=Effects(io=True),
    doc="In the body of a `try_`, not in a graph inside: its handlers are not for what comes after.",
)


def _rethrow(*, level: int, named: bool = False) -> None:
    raise _caught.errors[-1 - level]


def _park() -> None:
    _caught.parked.append(_caught.errors[-1])


def _unpark(*, level: int = 0, keep: bool = False) -> None:
    raise _caught.parked[-1 - level] if keep else _caught.parked.pop(-1 - level)


def _drop_parked(*, level: int) -> None:
    del _caught.parked[-1 - level]


park = declare(
    "park",
    "",
    rule=lambda: (),
    reference=_park,
    lowering=Builtin(),
    derivative=Nondifferentiable("it gives nothing"),
    samples=lambda: (),
    effects=Effects(io=True),
    doc="In a handler of a `try_`: puts what it caught aside, for the next `unpark`.",
)
unpark = declare(
    "unpark",
    "",
    rule=lambda *, level=0, keep=False: (),
    reference=_unpark,
    lowering=Builtin(),
    derivative=Nondifferentiable("it gives nothing"),
    samples=lambda: (),
    effects=Effects(raises=("BaseException",), io=True),
    doc="Raises again what was put aside, the last but `level`; it stays there if it is to be kept.",
)
drop_parked = declare(
    "drop_parked",
    "",
    rule=lambda *, level: (),
    reference=_drop_parked,
    lowering=Builtin(),
    derivative=Nondifferentiable("it gives nothing"),
    samples=lambda: (),
    effects=Effects(io=True),
    doc="What was put aside, the last but `level`, is not needed any more.",
)
rethrow = declare(
    "rethrow",
    "",
    rule=lambda *, level, named=False: (),
    reference=_rethrow,
    lowering=Builtin(),
    derivative=Nondifferentiable("it gives nothing"),
    samples=lambda: (),
    effects=Effects(raises=("BaseException",)),
    doc="In a handler of a `try_`: raises what it caught again; `level` counts the handlers between that and this "
    "place. `named`: by `raise e`, after which the traceback has this place too.",
)
raise_ = declare(
    "raise_",
    "*values",
    rule=lambda *values, exception, categories=(): (),
    reference=_raise,
    lowering=HostCode(),
    derivative=Nondifferentiable("it gives nothing"),
    samples=lambda: (),
    effects=Effects(raises=("Exception",)),
    doc="Raises what a Raising makes of values that a check cannot hold: arrays, complex numbers, more than three.",
)
print_ = declare(
    "print_",
    "*values",
    rule=lambda *values, template, categories=(): (),
    reference=_print,
    lowering=HostCode(),
    derivative=Nondifferentiable("it gives nothing"),
    samples=lambda: (Sample((3, 2.5, spread((2,))), {"template": "{0} {1:.2f} {2}\n"}),),
    effects=Effects(io=True),
    doc="Prints `template`, line end and all, with `{0}`, `{1:.2f}` … standing for the values formatted as Python "
    "does; `categories` says what arrays among them are.",
)
