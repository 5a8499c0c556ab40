"""`python -m jitcore` is the command `jitcore`."""

import sys

from jitcore.cli import main

sys.exit(main())
