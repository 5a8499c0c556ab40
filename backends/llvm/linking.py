"""What a program's code needs from outside: each support object is compiled and loaded when a program first names
it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from jitcore.backends.llvm.contraction.lowering import define_bounds_runtime, define_contraction_runtime
from jitcore.backends.native.engine import engine
from jitcore.backends.native.engine.concurrency import Begun
from jitcore.backends.native.host import runtime
from jitcore.backends.native.ir.target import Target
from jitcore.backends.native.ir.text import LLVMModule
from jitcore.backends.native.link import object_cache
from jitcore.source import InternalError
from jitcore.types import DTYPES, DType

_CONTRACTION: Final = "jc_contract_"
_RESERVE: Final = "jc_reserve_scratch"
_BOUNDED: Final = "jc_contract_bounded_"
_begun: Final[set[tuple[str, bool]]] = set()


def begin(dtypes: Iterable[DType], bounds: bool = False) -> None:
    """Compile what contractions of these dtypes need, or what they need for operands with bounds, in threads of their
    own, unless that has begun. Who asks for it waits (`once`), and if it failed tries again."""
    for name in dict.fromkeys(dtype.name for dtype in dtypes):
        if name in _CONTRACTIONS and (name, bounds) not in _begun:
            _begun.add((name, bounds))
            Begun((_BOUNDS if bounds else _CONTRACTIONS)[name])


def symbols(names: Iterable[str]) -> dict[str, int]:
    """The addresses of the support functions among `names` (they begin with `jc_`)."""
    found: dict[str, int] = {}
    for name in names:
        if name.startswith(_CONTRACTION):
            dtype_name = name.removeprefix(_BOUNDED).removeprefix(_CONTRACTION)
            if name.startswith(_BOUNDED):
                _BOUNDS[dtype_name]()
            found[name] = _CONTRACTIONS[dtype_name]().addresses[_CONTRACTION + dtype_name]
        elif name.startswith("jc_"):
            address = runtime.symbols().get(name)
            if address is None:
                raise InternalError(f"there is no support function {name}")
            found[name] = address
    return found


def _part(define: Callable[[LLVMModule, DType, Target], None], dtype: DType) -> tuple[LLVMModule, object_cache.Part]:
    target = engine.host()
    module = LLVMModule()
    define(module, dtype, target)
    text = module.text()
    return module, object_cache.Part(text, engine.LOCALS, target, lambda: engine.compile_object(text, engine.LOCALS))


def _contraction_object(dtype_name: str) -> engine.LoadedObject:
    module, part = _part(define_contraction_runtime, DTYPES[dtype_name])
    for_bounds = (f"jc_pack_slot_{dtype_name}", f"jc_transpose_{dtype_name}", f"jc_pack_bounded_{dtype_name}")
    needed, exports = symbols(module.declared()), (_CONTRACTION + dtype_name, _RESERVE, *for_bounds)
    loaded = object_cache.linked([part], lambda codes: engine.load_object(codes, exports, needed))
    if ctypes.PYFUNCTYPE(ctypes.c_int32)(loaded.addresses[_RESERVE])() != 0:
        raise MemoryError("no memory for the work of matrix products")
    return loaded


def _bounds_object(dtype_name: str) -> engine.LoadedObject:
    """What packs operands with bounds; the contractions of the dtype are told where it is."""
    _, part = _part(define_bounds_runtime, DTYPES[dtype_name])
    name = f"jc_pack_slot_bounded_{dtype_name}"

    def link(codes: list[bytes]) -> engine.LoadedObject:
        return engine.load_object(codes, (name,), _CONTRACTIONS[dtype_name]().addresses)

    loaded = object_cache.linked([part], link)
    place = _CONTRACTIONS[dtype_name]().addresses[f"jc_pack_bounded_{dtype_name}"]
    ctypes.c_void_p.from_address(place).value = loaded.addresses[name]
    return loaded


_CONTRACTIONS: Final = {name: engine.once(partial(_contraction_object, name)) for name in ("f32", "f64")}
_BOUNDS: Final = {name: engine.once(partial(_bounds_object, name)) for name in ("f32", "f64")}
