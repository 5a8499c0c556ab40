"""The body of a `try` while it is inferred: what in it may raise, and what has changed by then.

What handlers may find changed has slots, of forms that are found by inferring the body until they are wide enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jitcore.passes.infer.domain import slots
from jitcore.passes.infer.domain.forms import ArrayForm, CompositeForm, Form, MaybeForm, NumberForm, Same
from jitcore.passes.infer.domain.joiner import Joiner
from jitcore.passes.infer.domain.slots import Places
from jitcore.passes.infer.domain.values import Raised, Static, Tuple
from jitcore.passes.infer.engine import branching
from jitcore.passes.infer.engine.branching import held
from jitcore.structs import dataclass
from jitcore.types import TensorType

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

Classes = tuple[type[BaseException], ...]


@dataclass(frozen=True, slots=True)
class Raise:
    """Something in a body that raises: the classes it may raise, the exception itself if all of it is known, and
    whether it may raise what is derived from them, too."""

    classes: Classes
    made: Raised | None = None
    derived: bool = False


class Attempt:
    """A body of `try` being inferred.

    `raises`: what in it may raise and is not caught inside. `forms`: of what is not as it was before the body where
    that happens. `slots`: the places that are kept up to date, for the forms that were found the last time; `fits`:
    whether these are wide enough.
    """

    def __init__(self, infer: Infer, catches: Sequence[Classes]) -> None:
        self.catches = catches
        self.before = infer.heap.snapshot()
        self.joiner = Joiner(infer, infer.heap.next_key + 1)
        self.raises: list[Raise] = []
        self.forms: dict[Any, Form] = {}
        self.slots: dict[Any, Places] = {}
        self.fits = True
        self.written: dict[Any, tuple[Any, Any]] = {}
        """What a slot was last given, and in which graph."""

    def surely_catches(self, raised: Raise) -> bool:
        """Whether none of what something raises gets past the handlers."""
        return all(any(issubclass(c, classes) for classes in self.catches) for c in raised.classes)

    def handler_of(self, cls: type[BaseException]) -> int | None:
        """The handler that takes exceptions of a class, if there is one that surely does."""
        return next((k for k, classes in enumerate(self.catches) if issubclass(cls, classes)), None)

    def note(self, infer: Infer, raised: Raise) -> None:
        """Something may raise here: what has changed must be found by the handlers."""
        self.raises.append(raised)
        now = infer.heap.state
        changed = branching.changed_keys(self.before, (now,))
        for key in changed:
            self._widen(key, now)
        if self.fits:
            for key, places in self.slots.items():
                self._write(infer, key, places)

    def _widen(self, key: Any, state: dict[Any, Any]) -> None:
        """Make the form of what a key holds wide enough for what it holds now."""
        known = self.forms.get(key)
        values = held(self.before, (key,)) if known is None else []
        for value in (*values, *held(state, (key,))):
            form = self.joiner.form_of(value, runtime=False)
            joined = form if known is None else self.joiner.join(known, form)
            known = known if joined == known else joined
        assert known is not None
        self.fits = self.fits and (not self.slots or known is self.forms.get(key))
        self.forms[key] = known

    def _write(self, infer: Infer, key: Any, places: Places) -> None:
        contents, graph = infer.heap.state.get(key), infer.builder
        last = self.written.get(key)
        if last is not None and last[0] is contents and last[1] is graph:
            return
        (value,) = held(infer.heap.state, (key,))
        slots.write(infer, self.forms[key], places, value)
        self.written[key] = (contents, graph)

    def make_slots(self, infer: Infer, found: dict[Any, Form]) -> None:
        """Make the places, holding what there is before the body."""
        self.forms = dict(found)
        for key, form in found.items():
            (value,) = held(self.before, (key,))
            self.slots[key] = slots.make(infer, form, value)
            slots.write(infer, form, self.slots[key], value)

    def restore(self, infer: Infer) -> None:
        """In a handler: what the body left when it raised."""
        for key, places in self.slots.items():
            branching.restore_held(infer, (key,), (slots.read(infer, self.forms[key], places),))


def remembered(infer: Infer, place: Any) -> dict[Any, Form]:
    """The forms that were found when this `try` was last met (in an outer loop's last round, say), if they are for what
    there is now. Without that, nested ones would be inferred ever more often."""
    remembered: dict[int, Form] = infer.loops.solved.get(place, {})
    keys = list(infer.heap.state)
    joiner = Joiner(infer, infer.heap.next_key + 1)
    known: dict[Any, Form] = {}
    for position, form in remembered.items():
        if position >= len(keys):
            return {}
        (first,) = held(infer.heap.state, (keys[position],))
        now = joiner.form_of(first, runtime=False)
        if not _is_plain(now) or joiner.join(form, now) != form:
            return {}
        known[keys[position]] = form
    return known


def remember(infer: Infer, place: Any, found: dict[Any, Form]) -> None:
    """Keep the forms for `remembered`, by where the keys stand in the heap: they have other numbers then."""
    positions = {key: k for k, key in enumerate(infer.heap.state)}
    if all(key in positions and _is_plain(form) for key, form in found.items()):
        infer.loops.solved[place] = {positions[key]: form for key, form in found.items()}


def _is_plain(form: Form) -> bool:
    """Whether a form mentions nothing that is there on one path only."""
    match form:
        case NumberForm():
            return True
        case ArrayForm():
            return isinstance(form.type, TensorType) and all(isinstance(d, int) for d in form.type.shape)
        case Same():
            return isinstance(form.value, Static)
        case MaybeForm():
            return _is_plain(form.form)
        case CompositeForm():
            return form.kind is Tuple and all(map(_is_plain, form.items))
        case _:
            return False
