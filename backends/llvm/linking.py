"""What a program's code needs from outside: each support object is compiled and loaded when a program first names it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Final

from jitcore.backends.llvm import engine, object_cache, runtime
from jitcore.backends.llvm.contraction import define_contraction_runtime
from jitcore.backends.llvm.text import LLVMModule
from jitcore.source import InternalError
from jitcore.types import DTYPES

_CONTRACTION: Final = "jc_contract_"
_RESERVE: Final = "jc_reserve_scratch"


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
    code = object_cache.cached(text, engine.LOOPS, target, lambda: engine.compile_object(text, engine.LOOPS))
    loaded = engine.load_object(code, (_CONTRACTION + dtype_name, _RESERVE), symbols(module.declared()))
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
