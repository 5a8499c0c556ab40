"""The settings: one typed table, read by `context.set_context`, the environment and the command line.

    from jitcore.config import settings
    if settings.mode == PYNATIVE_MODE: ...

A setting's first value is its environment variable's, if that is set, else the default in the table.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping
from typing import Any, Final

from jitcore.structs import dataclass

GRAPH_MODE: Final = 0
PYNATIVE_MODE: Final = 1

STRICT: Final = 0
LAX: Final = 2


class UnknownSettingError(ValueError):
    """There is no setting of this name, or it does not take this value."""


def _mode(value: Any) -> int:
    found = {"graph": GRAPH_MODE, "pynative": PYNATIVE_MODE, "0": GRAPH_MODE, "1": PYNATIVE_MODE}.get(
        str(value).lower()
    )
    if found is None or isinstance(value, bool):
        raise UnknownSettingError(f"mode is GRAPH_MODE (0) or PYNATIVE_MODE (1), not {value!r}")
    return found


def _device(value: Any) -> str:
    if value in ("GPU", "Ascend"):
        raise RuntimeError(f"device_target={value!r}: this version computes on the CPU only; use device_target='CPU'")
    if value != "CPU":
        raise UnknownSettingError(f"device_target is 'CPU', not {value!r}")
    return "CPU"


def _bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    found = {
        "1": True,
        "true": True,
        "yes": True,
        "on": True,
        "0": False,
        "false": False,
        "no": False,
        "off": False,
    }.get(str(value).lower())
    if found is None:
        raise UnknownSettingError(f"a bool is needed, not {value!r}")
    return found


def _int(value: Any) -> int:
    try:
        if isinstance(value, float | bool):
            raise ValueError
        return int(value)
    except (TypeError, ValueError):
        raise UnknownSettingError(f"an int is needed, not {value!r}") from None


def _dump(value: Any) -> int:
    level = _int(value)
    if not 0 <= level <= 4:
        raise UnknownSettingError(f"the dump level is 0 to 4, not {level}")
    return level


def _threads(value: Any) -> int:
    count = _int(value)
    if count < 0:
        raise UnknownSettingError(f"a number of threads is 1 or more (0: one for each core), not {count}")
    return count


def _path(value: Any) -> str:
    if not isinstance(value, str | os.PathLike):
        raise UnknownSettingError(f"a path is needed, not {value!r}")
    return str(value)


def _syntax_level(value: Any) -> int:
    found = {"STRICT": STRICT, "LAX": LAX, "0": STRICT, "2": LAX}.get(str(value).upper())
    if found is None or isinstance(value, bool):
        raise UnknownSettingError(f"jit_syntax_level is STRICT or LAX, not {value!r}")
    return found


def _float_name(value: Any) -> str:
    if value not in ("float16", "float32", "float64"):
        raise UnknownSettingError(f"default_float is 'float16', 'float32' or 'float64', not {value!r}")
    return value


def _setting(default: Any, parse: Callable[[Any], Any], env: str, doc: str) -> Any:
    return dataclasses.field(default=default, metadata={"parse": parse, "env": env, "doc": doc})


@dataclass(slots=True)
class Settings:
    """The values in force, and (in the fields' metadata) how each is parsed, its environment variable and meaning."""

    mode: int = _setting(
        GRAPH_MODE, _mode, "JITCORE_MODE", "GRAPH_MODE compiles Cells, PYNATIVE_MODE runs them line by line"
    )
    device_target: str = _setting("CPU", _device, "JITCORE_DEVICE", "where arrays live and programs run")
    save_graphs: bool = _setting(
        False, _bool, "JITCORE_SAVE_GRAPHS", "write the intermediate forms of everything compiled to save_graphs_path"
    )
    save_graphs_path: str = _setting("./graphs", _path, "JITCORE_SAVE_GRAPHS_PATH", "the folder save_graphs writes to")
    jit_syntax_level: int = _setting(
        LAX,
        _syntax_level,
        "JITCORE_SYNTAX",
        "LAX runs what cannot be compiled in the interpreter and says so; STRICT refuses",
    )
    jit: bool = _setting(
        True, _bool, "JITCORE_JIT", "0 runs everything as plain Python over the NumPy references, for a debugger"
    )
    dump: int = _setting(0, _dump, "JITCORE_DUMP", "0 to 4: how much of each compilation to print to stderr")
    progress: bool = _setting(
        True,
        _bool,
        "JITCORE_PROGRESS",
        "1 shows on a terminal what is being compiled, once that takes over 2 s, and bars for what takes long",
    )
    full_traceback: bool = _setting(
        False, _bool, "JITCORE_TRACEBACK", "1 leaves jitcore's own frames in the tracebacks of exceptions"
    )
    verify: bool = _setting(False, _bool, "JITCORE_VERIFY", "check the IR's rules after every pass")
    default_float: str = _setting(
        "float32",
        _float_name,
        "JITCORE_DEFAULT_FLOAT",
        "the dtype of Python's floats, and of what becomes of ints, in a framework that has such a setting",
    )
    threads: int = _setting(0, _threads, "JITCORE_THREADS", "threads of kernels; 0: one for each core")
    cache_dir: str = _setting(
        "",
        _path,
        "JITCORE_CACHE_DIR",
        "where compiled code is kept between runs; empty: the user's cache; 'off': nowhere",
    )

    def update(self, **values: Any) -> None:
        """Change settings: all of them, or on an error none."""
        parsed = {name: field(name).metadata["parse"](value) for name, value in values.items()}
        for name, value in parsed.items():
            setattr(self, name, value)
        _chosen.update(parsed)

    def was_chosen(self, name: str) -> bool:
        """Whether a setting was given a value, be it the one it has by itself."""
        return name in _chosen or getattr(self, name) != FIELDS[name].default


_chosen: Final[set[str]] = set()
"""The settings that were changed, or set to what they were."""
FIELDS: Final[Mapping[str, dataclasses.Field[Any]]] = {f.name: f for f in dataclasses.fields(Settings)}
"""The table: every setting by name."""


def field(name: str) -> dataclasses.Field[Any]:
    """A row of the table. Raises UnknownSettingError, naming the settings there are."""
    found = FIELDS.get(name)
    if found is None:
        raise UnknownSettingError(f"there is no setting {name!r}; there are {', '.join(FIELDS)}")
    return found


def from_environment(environment: Mapping[str, str]) -> Settings:
    """The settings an environment asks for. Raises UnknownSettingError naming the variable that is wrong."""
    made = Settings()
    for name, row in FIELDS.items():
        text = environment.get(row.metadata["env"])
        if text is not None:
            try:
                setattr(made, name, row.metadata["parse"](text))
            except (UnknownSettingError, RuntimeError) as error:
                raise type(error)(f"{row.metadata['env']}: {error}") from None
    return made


settings: Final = from_environment(os.environ)
"""The settings in force in this process."""
