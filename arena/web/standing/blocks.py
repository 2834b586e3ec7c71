"""What single blocks say beyond a table: each bot's last ones, its worst opponent and board; boards by what they tell.

Pure functions of blocks. Numbers that go to pages, as JSON data.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from arena.rating.blocks import Block
from arena.rating.crosstables import Crosstable
from arena.record.results import GameKey, GameRow
from arena.store.values import public_id

LAST = 5
MOST_BOARDS = 3000
"""Boards that are kept, those that tell the most ..."""
MOST_WORSE = 300
"""... and of each bot those where it did worst."""
DIGITS = 6

Data = dict[str, Any]  # Any: JSON


def details(tournament: str, blocks: Sequence[Block], against: Crosstable) -> dict[str, Data]:
    """By bot: `last` blocks (newest first), `worst_opponent` and `worst_board`, each None where there is none.

    A board counts with the mean swing of the bot's blocks on it.
    """
    last: dict[str, list[Data]] = defaultdict(list)
    for block in reversed(blocks):
        for bot in block.bots:
            if len(last[bot]) < LAST:
                last[bot].append(block_data(tournament, block, bot))
    worst = {bot: by_board[0] for bot, by_board in _boards_of_bots(blocks).items()}
    games = _game_on(tournament, blocks, worst)
    found = {}
    for row, bot in enumerate(against.bots):
        cells = [
            (cell.swing, opponent, cell.blocks)
            for opponent, cell in zip(against.bots, against.cells[row], strict=True)
            if cell is not None
        ]
        lowest = min(cells, default=None)
        found[bot] = {
            "last": last[bot],
            "worst_opponent": None if lowest is None else {"bot": lowest[1], "swing": lowest[0], "blocks": lowest[2]},
            "worst_board": None
            if bot not in worst
            else {"board": worst[bot][1], "swing": round(worst[bot][0], DIGITS), "game": games[bot]},
        }
    return found


def block_data(tournament: str, block: Block, bot: str) -> Data:
    """One block as a bot sees it, with the first of its games."""
    own = block.bots.index(bot)
    rank = block.ranks[own]
    level = block.ranks.count(rank) == len(block.ranks)
    result = "drawn" if level else "won" if rank == 0 else "lost" if rank == max(block.ranks) else "middle"
    return {
        "round": block.round,
        "board": block.board,
        "against": list(block.opponents(bot)),
        "with": next(([name for name in team if name != bot] for team in block.teams if bot in team), []),
        "swing": round(block.swings[own], DIGITS),
        "result": result,
        "game": public_id(tournament, GameKey(block.round, block.board, block.table, 0)),
    }


def _boards_of_bots(blocks: Iterable[Block]) -> dict[str, list[tuple[float, int, int]]]:
    """By bot: (mean swing, board, blocks), the worst first."""
    sums: dict[tuple[str, int], list[float]] = {}
    for block in blocks:
        for bot, swing in zip(block.bots, block.swings, strict=True):
            each = sums.setdefault((bot, block.board), [0.0, 0])
            each[0] += swing
            each[1] += 1
    found: dict[str, list[tuple[float, int, int]]] = defaultdict(list)
    for (bot, board), (total, count) in sums.items():
        found[bot].append((total / count, board, int(count)))
    for by_board in found.values():
        by_board.sort()
    return found


def _game_on(tournament: str, blocks: Iterable[Block], worst: dict[str, tuple[float, int, int]]) -> dict[str, str]:
    """By bot: a game of its worst block on its worst board."""
    found: dict[str, tuple[float, str]] = {}
    for block in blocks:
        for bot, swing in zip(block.bots, block.swings, strict=True):
            if worst[bot][1] == block.board and (bot not in found or swing < found[bot][0]):
                found[bot] = swing, public_id(tournament, GameKey(block.round, block.board, block.table, 0))
    return {bot: game for bot, (_, game) in found.items()}


def boards_data(blocks: Sequence[Block], open_boards: Collection[int]) -> Data:
    """The boards with a complete block. Results of those that are sealed are left out.

    `boards`: [board, round, blocks, open, spread, highest, lowest], the largest spread first, sealed ones last;
    `spread`: root mean square of all bots' swings there. `worse`: by bot [board, difference, swing, blocks] of the
    boards where its mean block sum is below the field's, the worst first. `left_out`: boards that are not there.
    """
    squares: dict[int, list[float]] = {}
    """By board: squares of swings, swings, block sums, round, blocks, highest and lowest swing."""
    own: dict[tuple[str, int], list[float]] = {}
    for block in blocks:
        swings = block.swings
        each = squares.setdefault(block.board, [0.0, 0, 0.0, block.round, 0, -math.inf, math.inf])
        each[0] += math.fsum(swing * swing for swing in swings)
        each[1] += len(swings)
        each[2] += math.fsum(block.scores)
        each[4] += 1
        each[5], each[6] = max(each[5], *swings), min(each[6], *swings)
        if block.board in open_boards:
            for bot, score, swing in zip(block.bots, block.scores, swings, strict=True):
                mine = own.setdefault((bot, block.board), [0.0, 0.0, 0])
                mine[0] += score
                mine[1] += swing
                mine[2] += 1
    rows = []
    for board, (square, count, _, round_, played, high, low) in squares.items():
        spread = round(math.sqrt(square / count), DIGITS)
        seen = board in open_boards
        figures = [spread, round(high, DIGITS), round(low, DIGITS)] if seen else [None, None, None]
        rows.append([board, int(round_), int(played), seen, *figures])
    rows.sort(key=lambda row: (-(row[4] if row[4] is not None else -1.0), row[0]))
    worse: dict[str, list[list[float]]] = defaultdict(list)
    for (bot, board), (total, swing, times) in own.items():
        field = squares[board][2] / squares[board][1]
        difference = round(total / times - field, DIGITS)
        if difference < 0:
            worse[bot].append([board, difference, round(swing / times, DIGITS), int(times)])
    for listed in worse.values():
        listed.sort(key=lambda row: (row[1], row[0]))
    return {
        "boards": rows[:MOST_BOARDS],
        "worse": {bot: listed[:MOST_WORSE] for bot, listed in sorted(worse.items())},
        "left_out": max(0, len(rows) - MOST_BOARDS),
    }


def preview(rows: Iterable[GameRow], sides: Sequence[Sequence[int]], out: Collection[str]) -> list[Data]:
    """What bots made so far in single games, before any block is complete: points a game more than the others at the
    table, best first. No rating: seats and cards are not even yet."""
    sums: dict[str, list[float]] = {}
    for row in rows:
        if not row.scores or not set(out).isdisjoint(row.bots):
            continue
        by_side = [row.scores[side[0]] for side in sides]
        for index, side in enumerate(sides):
            others = [score for at, score in enumerate(by_side) if at != index]
            for bot in {row.bots[seat] for seat in side}:
                each = sums.setdefault(bot, [0.0, 0])
                each[0] += by_side[index] - sum(others) / len(others)
                each[1] += 1
    found = [{"bot": bot, "points": round(total / count, DIGITS), "games": int(count)} for bot, (total, count) in
             sums.items()]  # fmt: skip
    return sorted(found, key=lambda each: (-float(str(each["points"])), str(each["bot"])))
