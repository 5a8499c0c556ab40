"""What a program's code needs from outside: each support object is compiled and loaded when a program first names it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from functools import cache
from typing import Final

from jitcore.backends.llvm import engine, object_cache, runtime, threads
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
            found[name] = _contraction(name.removeprefix(_CONTRACTION))
        elif name in threads.EXPORTS:
            found[name] = threads.symbols()[name]
        elif name.startswith("jc_"):
            address = runtime.symbols().get(name)
            if address is None:
                raise InternalError(f"there is no support function {name}")
            found[name] = address
    return found


@cache
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


def _contraction(dtype_name: str) -> int:
    return _contraction_object(dtype_name).addresses[_CONTRACTION + dtype_name]
