"""The tables of facts beside these rules."""

from __future__ import annotations

from importlib.resources import files


def lines(name: str) -> list[str]:
    """The lines of `name.txt`."""
    return files("jitcore.compat.mindspore.refusals").joinpath(f"{name}.txt").read_text("utf-8").splitlines()
