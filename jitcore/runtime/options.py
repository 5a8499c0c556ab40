"""The options of `jit`: what they may be, and what jitcore has in the place of those of other compilers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, TypedDict, cast

import numpy as np

from jitcore.runtime.arguments import is_plain_object
from jitcore.runtime.donation import give_up
from jitcore.runtime.list_arguments import NUMBERS
from jitcore.runtime.parts import attributes_of
from jitcore.runtime.tensor import Tensor
from jitcore.runtime.trees import distinct_leaves
from jitcore.structs import dataclass

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.values import Path

_COMPILED: Final = "set_context(jit_syntax_level='STRICT') and nopython=True refuse what cannot be compiled"
INSTEAD: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("input_signature", "input_spec", "signature", "dynamic", "abstracted_axes"),
        "signatures=[…], which compiles ahead; or leave it out: the first call is compiled for its types, and one "
        "compilation serves all shapes from the second on",
    ),
    "forceobj": f"leave the function undecorated; {_COMPILED}",
    "looplift": f"leave it out: what cannot be compiled is split off, and the rest compiled; {_COMPILED}",
    "locals": "leave it out: types are found out; int(x), float(x) and x.astype(…) convert",
    "boundscheck": "leave it out: indices are always checked, since one that is out of range would read or write "
    "memory that is not the array's; loops whose indices are known to be in range have no checks in them",
    **dict.fromkeys(("backend", "device", "target"), "set_context(device_target=…)"),
    "error_model": "leave it out: a division by zero raises as in Python; NumPy's arrays give inf and NaN",
    **dict.fromkeys(("mode", "capture_mode"), "set_context(mode=GRAPH_MODE) or PYNATIVE_MODE"),
    **dict.fromkeys(("jit_config", "jit_level", "hash_args", "compile_once", "debug"), "leave it out: nothing is lost"),
    "keep_unused": "leave it out: arguments that are not used cost nothing",
}
_MEANT_ANYWAY: Final[Mapping[str, tuple[object, ...]]] = {
    **dict.fromkeys(("forceobj", "debug", "keep_unused", "compile_once"), (False,)),
    **dict.fromkeys(("input_signature", "signature", "abstracted_axes", "locals", "hash_args"), (None,)),
    "capture_mode": ("ast",),
    "jit_level": ("", "O0"),
    "boundscheck": (None, True),
    **dict.fromkeys(("backend", "device", "target"), (None, "cpu", "CPU")),
    "error_model": ("python",),
    "jit_config": (None,),
}
"""Values of such options that ask for what is done in any case."""


class Given(TypedDict, total=False):
    """The options of `jit` as they are given: see there."""

    static_argnums: int | Sequence[int] | None
    static_argnames: str | Iterable[str] | None
    donate_argnums: int | Sequence[int] | None
    donate_argnames: str | Iterable[str] | None
    nopython: bool
    fullgraph: bool
    full_graph: bool
    cache: bool | None
    fastmath: bool | str | Iterable[str]
    nogil: bool
    signatures: object
    inline: Literal["always", "never"]
    parallel: bool


@dataclass(frozen=True, slots=True)
class Chosen:
    """Some of a function's parameters: by number (negative ones count from the last argument) and by name."""

    numbers: tuple[int, ...] = ()
    names: tuple[str, ...] = ()

    def of(self, args: Sequence[object], keywords: Mapping[str, object]) -> Iterator[tuple[int | str, object]]:
        """The arguments of a call that are among them, by number or name."""
        for k in dict.fromkeys(k + len(args) if k < 0 else k for k in self.numbers):
            if 0 <= k < len(args):
                yield k, args[k]
        for name in self.names:
            if name in keywords:
                yield name, keywords[name]


NOTHING: Final = Chosen()
"""No parameter."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a compiled function was asked to be, beyond the settings."""

    static: Chosen = NOTHING
    donated: Chosen = NOTHING
    strict: bool = False
    """Whether what cannot be compiled is refused, whatever the settings say."""
    cache: bool | None = None
    """Whether its code is kept on disk; None: if it took long to make."""
    fastmath: tuple[str, ...] = ()
    """LLVM's flags for the arithmetic of floats."""
    nogil: bool = False

    def known(self, args: Sequence[object], keywords: Mapping[str, object]) -> Iterator[Path]:
        """Where the numbers and strings are that the static arguments of a call are, or hold."""
        for key, value in self.static.of(args, keywords):
            yield from _leaves(("arg", key), value, 0)

    def check(self, subject: str, args: Sequence[object], keywords: Mapping[str, object]) -> None:
        """Raise ValueError if a static argument of a call is not hashable, or an array, or a donated one is
        read-only."""
        for key, value in self.donated.of(args, keywords):
            if any(isinstance(leaf, np.ndarray) and not leaf.flags.writeable for leaf in distinct_leaves(value)):
                which = f"argument {key}" if isinstance(key, int) else f"argument {key!r}"
                raise ValueError(f"{subject}: {which} is donated, but read-only: pass a copy of it")
        for key, value in self.static.of(args, keywords):
            which = f"argument {key}" if isinstance(key, int) else f"argument {key!r}"
            if isinstance(value, Tensor):
                raise ValueError(
                    f"{subject}: {which} is static, but a Tensor: its elements are values of the run; "
                    "pass it as an argument that is not static, or the numbers in it as a tuple"
                )
            try:
                hash(value)
            except TypeError:
                raise ValueError(
                    f"{subject}: {which} is static, and {type(value).__name__} is not hashable; "
                    "pass a tuple, or an object that does not change"
                ) from None

    def give_up(self, result: object, *args: object, **keywords: object) -> object:
        """The result of a call, whose donated arguments are of no use any more."""
        give_up((value for _, value in self.donated.of(args, keywords)), result)
        return result


DEFAULT: Final = Options()
"""None were given."""
_DEEPEST: Final = 16
"""Tuples and objects within each other: what is deeper in static arguments is found out to be needed, if it is."""


def _leaves(path: Path, value: object, depth: int) -> Iterator[Path]:
    if type(value) in NUMBERS or isinstance(value, str | bytes):
        yield path
    elif depth == _DEEPEST:
        return
    elif isinstance(value, tuple):
        for k, item in enumerate(cast("tuple[object, ...]", value)):
            yield from _leaves((*path, ("item", k)), item, depth + 1)
    elif is_plain_object(value):
        for name, held in attributes_of(value).items():
            yield from _leaves((*path, ("attr", name)), held, depth + 1)


def options_of(function: Callable[..., Any] | None, given: Given) -> Options:
    """Options as they are given for a function, or for one that comes later. Raises TypeError and ValueError for what
    they cannot be."""
    if not given:
        return DEFAULT
    left: dict[str, Any] = {**given}
    signature = None if function is None else _signature(function)
    static, donated = (_chosen(kind, left, signature) for kind in ("static", "donate"))
    if both := {*static.numbers, *static.names}.intersection((*donated.numbers, *donated.names)):
        raise ValueError(f"arguments are static or donated, not both: {', '.join(map(str, both))}")
    wanted = [_flag(name, left) for name in ("nopython", "fullgraph", "full_graph")]
    fastmath = _fastmath(left.pop("fastmath", False))
    nogil = _flag("nogil", left)
    _flag("parallel", left)  # it is the function's that is compiled (`rounds.in_parallel`)
    left.pop("signatures", None)  # they are compiled for, and forgotten
    if (inline := left.pop("inline", "always")) not in ("always", "never"):
        raise ValueError(f"inline is 'always' or 'never', not {inline!r}")
    cache = left.pop("cache", None)
    if cache is not None and not isinstance(cache, bool):
        raise TypeError(f"cache is True, False or None, not {cache!r}")
    refused = [name for name, value in left.items() if value not in _MEANT_ANYWAY.get(name, ())]
    if refused:
        raise refusal(refused)
    return Options(static, donated, any(wanted), cache, fastmath, nogil)


def refusal(names: Iterable[str]) -> TypeError:
    """What `jit` raises for options that it does not take."""
    names = list(names)
    known = [f"  instead of {name}: {INSTEAD[name]}" for name in names if name in INSTEAD]
    return TypeError("\n".join([f"jit() has no such options, or not these values of them: {', '.join(names)}", *known]))


def _flag(name: str, left: dict[str, Any]) -> bool:
    value = left.pop(name, False)
    if not isinstance(value, bool):
        raise TypeError(f"{name} is True or False, not {value!r}")
    return value


FLAGS: Final = ("nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast")
"""Of LLVM's arithmetic of floats."""


def _fastmath(value: object) -> tuple[str, ...]:
    if isinstance(value, bool):
        return ("fast",) if value else ()
    names = _strings("fastmath", value)
    for name in names:
        if name not in FLAGS:
            raise ValueError(f"fastmath has LLVM's flags, {', '.join(FLAGS)}, not {name!r}")
    return ("fast",) if "fast" in names else tuple(name for name in FLAGS if name in names)


# --- parameters ---------------------------------------------------------------------------------------


def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    """The parameters of what is called, as far as they are known."""
    construct = None if inspect.isroutine(function) else getattr(function, "construct", None)
    try:
        return inspect.signature(construct if callable(construct) else function)
    except (TypeError, ValueError):  # it has none
        return None


def _chosen(kind: str, left: dict[str, Any], signature: inspect.Signature | None) -> Chosen:
    """The parameters that `static_argnums` and `static_argnames`, or the like, name: those named in one way are meant
    however they are given."""
    numbers = _ints(f"{kind}_argnums", left.pop(f"{kind}_argnums", None))
    names = _strings(f"{kind}_argnames", left.pop(f"{kind}_argnames", None))
    if not numbers and not names:
        return NOTHING
    if signature is None:
        return Chosen(numbers, names)
    parameters = list(signature.parameters.values())
    kinds = {p.kind for p in parameters}
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    by_name = {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    if inspect.Parameter.VAR_POSITIONAL not in kinds:
        for k in numbers:
            if not -len(positional) <= k < len(positional):
                raise ValueError(f"{kind}_argnums: there is no argument {k}, there are {len(positional)} by position")
        numbers = tuple(k % len(positional) for k in numbers)
    for name in names:
        if name not in by_name and inspect.Parameter.VAR_KEYWORD not in kinds:
            told = ", ".join(p.name for p in parameters if p.name in by_name)
            raise ValueError(f"{kind}_argnames: there is no argument {name!r} by name, there are {told or 'none'}")
    named = tuple(positional[k].name for k in numbers if 0 <= k < len(positional) and positional[k].name in by_name)
    numbered = tuple(k for k, p in enumerate(positional) if p.name in names)
    return Chosen(tuple(dict.fromkeys((*numbers, *numbered))), tuple(dict.fromkeys((*names, *named))))


def _ints(option: str, value: object) -> tuple[int, ...]:
    items = () if value is None else (value,) if isinstance(value, int) else value
    if not isinstance(items, Iterable) or isinstance(items, str):
        raise TypeError(f"{option} is an int or several, not {value!r}")
    found = tuple(cast("Iterable[object]", items))
    for item in found:
        if isinstance(item, bool) or not isinstance(item, int):
            raise TypeError(f"{option} has ints, not {item!r}")
    return cast("tuple[int, ...]", found)


def _strings(option: str, value: object) -> tuple[str, ...]:
    items = () if value is None else (value,) if isinstance(value, str) else value
    if not isinstance(items, Iterable):
        raise TypeError(f"{option} is a name or several, not {value!r}")
    found = tuple(cast("Iterable[object]", items))
    for item in found:
        if not isinstance(item, str):
            raise TypeError(f"{option} has names, not {item!r}")
    return cast("tuple[str, ...]", found)
