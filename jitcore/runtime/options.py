"""Options of other compilers' decorators: what jitcore has in their place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

INSTEAD: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("static_argnums", "static_argnames"),
        "leave it out: what must be known when compiling is found out, and a call with "
        "another value of it is compiled anew",
    ),
    **dict.fromkeys(
        ("input_signature", "input_spec", "signature", "dynamic", "abstracted_axes"),
        "leave it out: the first call is compiled for its types, and one compilation "
        "serves all shapes from the second on",
    ),
    "cache": "leave it out: code that took long to make is kept on disk; set_context(cache_dir='off') keeps none",
    **dict.fromkeys(
        ("nopython", "forceobj", "fullgraph", "full_graph", "looplift"),
        "set_context(jit_syntax_level='STRICT') refuses what cannot be compiled, 'LAX' runs it in the interpreter",
    ),
    "nogil": "leave it out: long work releases the GIL",
    "fastmath": "nothing: floats are computed as Python and NumPy compute them",
    **dict.fromkeys(
        ("donate_argnums", "donate_argnames"),
        "writing in place (x[...] = y), which needs no new memory",
    ),
    **dict.fromkeys(("backend", "device", "target"), "set_context(device_target=…)"),
    "mode": "set_context(mode=GRAPH_MODE) or PYNATIVE_MODE",
    "keep_unused": "leave it out: arguments that are not used cost nothing",
    "inline": "leave it out: calls of functions are inlined, but for recursive ones",
    "boundscheck": "leave it out: indices are always checked",
}


def refusal(options: Iterable[str]) -> TypeError:
    """What `jit` raises for options that it does not take."""
    names = list(options)
    known = [f"  instead of {name}: {INSTEAD[name]}" for name in names if name in INSTEAD]
    unknown = f"jit() takes a function and no options, not {', '.join(names)}"
    return TypeError("\n".join([unknown, *known]))
