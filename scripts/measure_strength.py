"""Measures the house bots against each other in every ruleset, with real tournaments, and prints a table in Markdown.

    python scripts/measure_strength.py [--blocks 200] [RULESET ...]

A share is that of blocks won, a draw counting half; in free for all a block is won against another bot with the higher
summed score. Intervals: 95 %, boards drawn again 2000 times. The seed is fixed, so that the figures can be made again.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from collections import defaultdict
from itertools import combinations
from pathlib import Path

from arena import games
from arena.core import options
from arena.rating.blocks import blocks
from arena.runner.config import Cup
from arena.runner.crew import Stop
from arena.runner.prepare import prepare, stored_pool
from arena.runner.tournament import run_tournament
from arena.store.store import Store

BOTS = ("counter", "basic", "cautious", "random")
RULESETS: dict[str, dict[str, object]] = {name: {} for name in games.catalog()}
RULESETS["crow_and_pitcher players=3"] = {"players": 3}
RESAMPLES = 2000


def shares(label: str, boards: int, workers: int) -> dict[tuple[str, str], list[float]]:
    """By pair of bots: 1, 1/2 or 0 for each board (free for all of three: the mean of the tables that both sat at)."""
    game = games.make(label.split(" ")[0], RULESETS[label])
    cup = Cup(
        name="strength",
        game=game.id,
        options=options.to_data(game.ruleset),
        bots=BOTS,
        boards=boards,
        board_plan="shared",
        seed=f"strength {label}",
    )
    by_board: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    with tempfile.TemporaryDirectory() as folder, Store.open(folder) as store:
        plan = prepare(store, cup.settings(), Path(folder))
        reached = asyncio.run(run_tournament(store, plan, workers, Stop(), lambda _progress: None))
        if reached.missing or any(True for _ in store.faults(plan.tournament.id)):
            sys.exit(f"{label}: {reached.missing} games missing, or faults of house bots")
        for block in blocks(store.rows(plan.tournament.id), stored_pool(plan.tournament)):
            for one, other in combinations(BOTS, 2):
                if one in block.bots and other in block.bots:
                    ranks = block.ranks[block.bots.index(one)], block.ranks[block.bots.index(other)]
                    won = 0.5 if ranks[0] == ranks[1] else float(ranks[0] < ranks[1])
                    by_board[one, other][block.board].append(won)
    return {
        pair: [sum(results) / len(results) for _board, results in sorted(found.items())]
        for pair, found in by_board.items()
    }


def interval(results: list[float]) -> tuple[float, float]:
    """2.5 and 97.5 % of the mean when boards are drawn again."""
    chance = random.Random("strength")
    means = sorted(sum(chance.choices(results, k=len(results))) / len(results) for _ in range(RESAMPLES))
    return means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]


def main() -> None:
    """Measure and print, a row as soon as it is known."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("rulesets", nargs="*", metavar="RULESET", help=f"of: {', '.join(RULESETS)}")
    arguments.add_argument("--blocks", type=int, default=200)
    arguments.add_argument("--workers", type=int, default=2)
    given = arguments.parse_args()
    pairs = list(combinations(BOTS, 2))
    print("| ruleset | " + " | ".join(f"{one} v {other}" for one, other in pairs) + " |")  # noqa: T201
    print("|---" * (len(pairs) + 1) + "|", flush=True)  # noqa: T201
    for label in given.rulesets or RULESETS:
        found = shares(label, given.blocks, given.workers)
        cells = []
        for pair in pairs:
            low, high = interval(found[pair])
            cells.append(f"{100 * sum(found[pair]) / len(found[pair]):.0f} % ({100 * low:.0f}-{100 * high:.0f})")
        print(f"| {label} | " + " | ".join(cells) + " |", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
