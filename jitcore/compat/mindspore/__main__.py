"""`python -m jitcore.compat.mindspore script.py [arguments]`: run a MindSpore script on jitcore (`-m module`, `-c text`
too)."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from jitcore.compat.mindspore import install

_USAGE = "usage: python -m jitcore.compat.mindspore (script.py | -m module | -c text) [arguments]"


def main(arguments: list[str]) -> int:
    """Run what the arguments name as `__main__`; the exit code of a mistake in them."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_USAGE, file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    first, rest = arguments[0], arguments[1:]
    if first in ("-m", "-c"):
        if not rest:
            print(_USAGE, file=sys.stderr)
            return 2
        install()
        sys.path[0] = ""
        if first == "-m":
            sys.argv = rest
            runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
        else:
            sys.argv = ["-c", *rest[1:]]
            exec(compile(rest[0], "<string>", "exec"), sys.modules["__main__"].__dict__)
        return 0
    script = Path(first)
    if not script.exists():
        print(f"there is no file {first}\n{_USAGE}", file=sys.stderr)
        return 2
    install()
    sys.argv = arguments
    sys.path[0] = str(script.parent.resolve())
    runpy.run_path(first, run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
