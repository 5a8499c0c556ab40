"""What a program's code needs from outside: each support object is compiled and loaded when a program first names
it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Final

from jitcore.backends.llvm.contraction.lowering import define_contraction_runtime
from jitcore.backends.native.engine import engine
from jitcore.backends.native.engine.concurrency import Begun
from jitcore.backends.native.host import runtime
from jitcore.backends.native.ir.text import LLVMModule
from jitcore.backends.native.link import object_cache
from jitcore.source import InternalError
from jitcore.types import DTYPES, DType

_CONTRACTION: Final = "jc_contract_"
_RESERVE: Final = "jc_reserve_scratch"
_begun: Final[set[str]] = set()


def begin(dtypes: Iterable[DType]) -> None:
    """Compile what contractions of these dtypes need in threads of their own, unless that has begun. Who asks for it
    waits (`once`), and if it failed tries again."""
    for name in dict.fromkeys(dtype.name for dtype in dtypes):
        if name in _CONTRACTIONS and name not in _begun:
            _begun.add(name)
            Begun(_CONTRACTIONS[name])


def symbols(names: Iterable[str]) -> dict[str, int]:
    """The addresses of the support functions among `names` (they begin with `jc_`)."""
    found: dict[str, int] = {}
    for name in names:
        if name.startswith(_CONTRACTION):
            found[name] = _CONTRACTIONS[name.removeprefix(_CONTRACTION)]().addresses[name]
        elif name.startswith("jc_"):
            address = runtime.symbols().get(name)
            if address is None:
                raise InternalError(f"there is no support function {name}")
            found[name] = address
    return found


def _contraction_object(dtype_name: str) -> engine.LoadedObject:
    target = engine.host()
    module = LLVMModule()
    define_contraction_runtime(module, DTYPES[dtype_name], target)
    text = module.text()
    part = object_cache.Part(text, engine.LOCALS, target, lambda: engine.compile_object(text, engine.LOCALS))
    needed, exports = symbols(module.declared()), (_CONTRACTION + dtype_name, _RESERVE)
    loaded = object_cache.linked([part], lambda codes: engine.load_object(codes, exports, needed))
    if ctypes.PYFUNCTYPE(ctypes.c_int32)(loaded.addresses[_RESERVE])() != 0:
        raise MemoryError("no memory for the work of matrix products")
    return loaded


@engine.once
def _single_contractions() -> engine.LoadedObject:
    return _contraction_object("f32")


@engine.once
def _double_contractions() -> engine.LoadedObject:
    return _contraction_object("f64")


_CONTRACTIONS: Final = {"f32": _single_contractions, "f64": _double_contractions}
