"""`python -m jitcore.compat.paddle script.py [arguments]`: run a Paddle script on jitcore (`-m module`, `-c text`
too)."""

from __future__ import annotations

import sys

from jitcore.compat import entry
from jitcore.compat.paddle import install
from jitcore.compat.paddle.modules import PADDLE

if __name__ == "__main__":
    sys.exit(entry.main(PADDLE, install, sys.argv[1:]))
