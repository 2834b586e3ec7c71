"""Where the program starts: `arena` calls `main`.

Knows only that nothing slow may be imported before Ctrl-C is safe; the commands are in `app.py`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (without the program's name) and return its exit status; see `arena help exit-codes`."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # what a connection ended by is told by the arena, in its own words
    try:
        from arena.cli.app import run  # late: an interrupt while this is read must not show a traceback

        return run(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
