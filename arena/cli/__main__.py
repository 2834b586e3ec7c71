"""`python -m arena.cli` is the same as `arena`."""

import sys

from arena.cli.main import main

sys.exit(main())
