"""Play as a house bot: `python3 -m arena_house counter`, started by the arena."""

from __future__ import annotations

import sys

from arena_bot import log, run

from arena_house import BOTS


def main(arguments: list[str]) -> None:
    """Run the bot of that name. Exits with status 2 for a wrong name."""
    if len(arguments) != 1 or arguments[0] not in BOTS:
        log(f"no house bot {' '.join(arguments)!r}, expected one of: {', '.join(BOTS)}")
        sys.exit(2)
    run(BOTS[arguments[0]])


if __name__ == "__main__":
    main(sys.argv[1:])
