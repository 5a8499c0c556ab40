"""What is declared in one module and modelled in another: there is a model for each when the package has been imported."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from jitcore.modelled import dispatched, modelled
from tests.imports import MODULES

PACKAGES = ("jitcore.passes.infer", "jitcore.runtime", "jitcore.nn", "jitcore.nn.probability")


def declared() -> dict[str, Any]:
    for package in PACKAGES:
        importlib.import_module(package)
    importlib.import_module("jitcore.runtime.dispatch")
    found: dict[str, Any] = {}
    for name, file in MODULES.items():
        if name.startswith(PACKAGES) and ("@modelled" in (text := file.read_text()) or "@dispatched" in text):
            for value in vars(importlib.import_module(name)).values():
                if isinstance(value, modelled | dispatched):
                    found[f"{value.__module__}.{value.__qualname__}"] = value  # pyright: ignore[reportUnknownMemberType]
    return found


def test_everything_declared_is_modelled() -> None:
    found = declared()
    assert len(found) > 40
    assert [name for name, value in found.items() if not value.is_modelled] == []


def test_a_call_without_a_model_says_so() -> None:
    @modelled
    def nothing() -> int:
        """Nothing."""
        raise NotImplementedError

    assert not nothing.is_modelled
    with pytest.raises(NotImplementedError):
        nothing()
    nothing.model(lambda: 3)
    assert nothing() == 3
    assert nothing.__doc__ == "Nothing."


def test_models_by_class() -> None:
    @dispatched
    def shown(state: object, value: object) -> str:
        raise NotImplementedError

    @shown.model_of(int, bool)
    def _of_numbers(state: object, value: object) -> str:
        return f"number {value}"

    assert shown(None, 3) == "number 3"
    assert shown(None, True) == "number True"
    with pytest.raises(KeyError):
        shown(None, "3")
