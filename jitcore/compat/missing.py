"""Names that a framework has and jitcore has not: classes that can be imported, and refuse to be used."""

from __future__ import annotations

from typing import NoReturn


class MissingError(NotImplementedError, AttributeError):
    """jitcore does not have something of a framework's. An AttributeError too, so that `hasattr` says no."""


class Missing(type):
    """The class of such names. They can stand in tables, class statements and `isinstance`; calling them, making
    instances of their subclasses and taking their attributes raises NotImplementedError."""

    __jitcore_missing__: str
    __jitcore_missing_of__: str
    __jitcore_library__ = True
    """Compiled code calls them as library functions: it raises what they raise."""

    def __call__(cls, *args: object, **keywords: object) -> NoReturn:
        raise MissingError(f"{cls.__jitcore_missing__} of {cls.__jitcore_missing_of__} is not in jitcore")

    def __getattr__(cls, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        raise MissingError(f"{cls.__jitcore_missing__}.{name} of {cls.__jitcore_missing_of__} is not in jitcore")

    def __repr__(cls) -> str:
        return f"<{cls.__jitcore_missing__}, which jitcore does not have>"


def missing(path: str, framework: str) -> Missing:
    """What stands for the name that a framework ("MindSpore") has at a path (`mindspore.ops.FFTWithSize`)."""
    body = {
        "__jitcore_missing__": path,
        "__jitcore_missing_of__": framework,
        "__module__": __name__,
        "__doc__": f"{path}, which jitcore does not have.",
    }
    return Missing(path.rpartition(".")[2], (), body)
