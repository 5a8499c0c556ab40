"""From an object file to a shared library: by a C compiler of this machine, one for the other machine, or the package
ziglang, which links for all."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_OWN: Final = ("cc", "gcc", "clang")
_MACHINES: Final = {62: "x86_64", 183: "aarch64"}
_MACHINE_AT: Final = slice(18, 20)
"""Where an ELF file says which machine it is for."""


class LinkError(ValueError):
    """What a linker says against an object."""


def machine_of(code: bytes) -> str:
    """The machine that object code is for, as `platform.machine` names it; this one where it is none of those that are
    built for by name."""
    return _MACHINES.get(int.from_bytes(code[_MACHINE_AT], "little"), platform.machine())


def _compilers(machine: str) -> tuple[str, ...]:
    """The C compilers that may link for a machine, the better first."""
    is_own = sys.platform.startswith("linux") and machine == platform.machine()
    return (*(_OWN if is_own else ()), f"{machine}-linux-gnu-gcc")


def linker(machine: str) -> list[str] | None:
    """The command that links for a machine; None if there is none."""
    found = next(filter(None, map(shutil.which, _compilers(machine))), None)
    if found is not None:
        return [found]
    if importlib.util.find_spec("ziglang") is None:
        return None
    is_musl = machine == platform.machine() and "musl" in str(sysconfig.get_config_var("MULTIARCH"))
    return [sys.executable, "-m", "ziglang", "cc", "-target", f"{machine}-linux-{'musl' if is_musl else 'gnu'}"]


def without(machine: str) -> str:
    """Why there is no shared library where nothing links for a machine."""
    names = ", ".join(_compilers(machine))
    return (
        f"nothing here links for {machine}: there is no {names}, nor the package ziglang (pip install "
        f"'jitcore[build]'); only the object and the header are written"
    )


def link(command: Sequence[str], code: Path, shared: Path) -> None:
    """Make a shared library of an object. Raises LinkError."""
    aside = shared.with_name(f".{shared.name}.partial")
    options = ["-Wl,--no-undefined", "-Wl,-s", "-Wl,--as-needed", "-lm", "-lpthread"]
    made = subprocess.run(
        [*command, "-shared", f"-Wl,-soname,{shared.name}", "-o", str(aside), str(code), *options],
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        if made.returncode:
            raise LinkError(f"{' '.join(command)} could not link {shared.name}: {made.stderr.strip()}")
        aside.replace(shared)
    finally:
        aside.unlink(missing_ok=True)
