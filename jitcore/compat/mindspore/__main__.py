"""`python -m jitcore.compat.mindspore script.py [arguments]`: run a MindSpore script on jitcore (`-m module`, `-c text`
too)."""

from __future__ import annotations

import sys

from jitcore.compat import entry
from jitcore.compat.mindspore import install
from jitcore.compat.mindspore.modules import MINDSPORE

if __name__ == "__main__":
    sys.exit(entry.main(MINDSPORE, install, sys.argv[1:]))
