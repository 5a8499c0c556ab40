"""`jitcore build`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from jitcore.build.building import BuildError, build
from jitcore.exports.folders import ModelFileError
from jitcore.source import CompileError


def run(options: argparse.Namespace) -> None:
    """Make a library, and print the files. Raises ValueError with what is wrong, in words."""
    models: list[Path] = options.models
    try:
        built = build(models, options.output, target=options.target, name=options.name, wheel=options.wheel)
    except (BuildError, ModelFileError, CompileError, OSError) as error:
        raise ValueError(str(error)) from None
    for path in filter(None, (built.object, built.header, built.example, built.shared, built.wheel)):
        print(path)
    if built.why:
        print(built.why, file=sys.stderr)
