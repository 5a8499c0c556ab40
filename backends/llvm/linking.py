"""What a program's code needs from outside: each support object is compiled and loaded when a program first names
it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from jitcore.backends.llvm.contraction.lowering import define_bounds_runtime, define_contraction_runtime
from jitcore.backends.native.boxes import library, objects, translate
from jitcore.backends.native.engine import engine
from jitcore.backends.native.engine.concurrency import Begun
from jitcore.backends.native.host import runtime
from jitcore.backends.native.ir.text import LLVMModule
from jitcore.backends.native.link import editions, object_cache
from jitcore.forking import process_lock
from jitcore.source import InternalError
from jitcore.types import DType, f32, f64

_CONTRACTION: Final = "jc_contract_"
_RESERVE: Final = "jc_reserve_scratch"
_BOUNDED: Final = "jc_contract_bounded_"
_THROUGH: Final = "jc_contract_through_"
_SERVING: Final = "jc_contracting_"
_LEFT: Final = "jc_first_left"
_FOR_BOUNDS: Final = ("pack_slot", "transpose", "pack_bounded")
_begun: Final[set[tuple[str, bool]]] = set()


def begin(dtypes: Iterable[DType], bounds: bool = False) -> None:
    """Compile what contractions of these dtypes need, or what they need for operands with bounds, in threads of their
    own, unless that has begun. Who asks for it waits (`once`), and if it failed tries again."""
    for name in dict.fromkeys(dtype.name for dtype in dtypes):
        if name in _CONTRACTIONS and (name, bounds) not in _begun:
            _begun.add((name, bounds))
            Begun((_BOUNDS if bounds else _CONTRACTIONS)[name])


def symbols(names: Iterable[str]) -> dict[str, int]:
    """The addresses of the support functions among `names` (they begin with `jc_`), the library of boxes' included."""
    found: dict[str, int] = {}
    for name in names:
        if name.startswith(_CONTRACTION):
            dtype_name = name.removeprefix(_BOUNDED).removeprefix(_CONTRACTION)
            if name.startswith(_BOUNDED):
                _BOUNDS[dtype_name]()
            found[name] = _CONTRACTIONS[dtype_name]()
        elif name.startswith(translate.PREFIX):
            objects.provide()
            found[name] = library.symbols()[name]
        elif name.startswith("jc_"):
            address = runtime.symbols().get(name)
            if address is None:
                raise InternalError(f"there is no support function {name}")
            found[name] = address
    return found


class _Contractions:
    """The support of contractions of a dtype, in one edition or two (`backends.native.link.editions`), until the
    process ends."""

    def __init__(self, dtype: DType) -> None:
        self._dtype = dtype
        self._lock = process_lock()
        self._made: list[engine.LoadedObject] = []
        """The editions: the last is the one in use."""
        self._bounds: list[engine.LoadedObject] = []
        """What packs operands with bounds for them."""
        self.loaded = engine.once(self._load)
        self.bounded = engine.once(self._load_bounds)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self))  # tasks may run while Python takes itself apart

    def _load(self) -> int:
        """The address of the driver."""
        first = editions.are_first()
        made = self._edition(first)
        self._made.append(made)
        if not first:
            return made.addresses[_CONTRACTION + self._dtype.name]
        editions.follow(self._improve)
        return made.addresses[_THROUGH + self._dtype.name]

    def _improve(self) -> None:
        """Put the better edition in the place of the first."""
        better = self._edition(first=False)
        with self._lock:
            if self._bounds:
                self._add_bounds(better, engine.LOCALS, [better])
            place = self._made[0].addresses[_SERVING + self._dtype.name]
            ctypes.c_void_p.from_address(place).value = better.addresses[_CONTRACTION + self._dtype.name]
            self._made.append(better)

    def _load_bounds(self) -> None:
        """What packs operands with bounds; the contractions of the dtype are told where it is."""
        self.loaded()
        with self._lock:
            level = engine.BRIEF if editions.are_first() else engine.LOCALS
            self._add_bounds(self._made[-1], level, self._made)

    def _edition(self, first: bool) -> engine.LoadedObject:
        name = self._dtype.name
        module = LLVMModule()
        define_contraction_runtime(module, self._dtype, engine.host(), first)
        needed = {**symbols(n for n in module.declared() if n != _LEFT), _LEFT: editions.LEFT}
        exports = [_CONTRACTION + name, _RESERVE, *(f"jc_{what}_{name}" for what in _FOR_BOUNDS)]
        if first:
            exports += [_THROUGH + name, _SERVING + name]
        loaded = _linked(module, engine.BRIEF if first else engine.LOCALS, exports, needed)
        if ctypes.PYFUNCTYPE(ctypes.c_int32)(loaded.addresses[_RESERVE])() != 0:
            raise MemoryError("no memory for the work of matrix products")
        return loaded

    def _add_bounds(self, to: engine.LoadedObject, level: int, told: Sequence[engine.LoadedObject]) -> None:
        """Compile what packs operands with bounds, on an edition, and tell editions where it is."""
        name = f"jc_pack_slot_bounded_{self._dtype.name}"
        module = LLVMModule()
        define_bounds_runtime(module, self._dtype, engine.host())
        loaded = _linked(module, level, [name], to.addresses)
        self._bounds.append(loaded)
        for edition in told:
            place = edition.addresses[f"jc_pack_bounded_{self._dtype.name}"]
            ctypes.c_void_p.from_address(place).value = loaded.addresses[name]


def _linked(module: LLVMModule, level: int, exports: Sequence[str], needed: Mapping[str, int]) -> engine.LoadedObject:
    text = module.text()
    part = object_cache.Part(text, level, engine.host(), lambda: engine.compile_object(text, level))
    return object_cache.linked([part], lambda codes: engine.load_object(codes, exports, needed))


_SUPPORT: Final = {dtype.name: _Contractions(dtype) for dtype in (f32, f64)}
_CONTRACTIONS: Final = {name: support.loaded for name, support in _SUPPORT.items()}
_BOUNDS: Final = {name: support.bounded for name, support in _SUPPORT.items()}
