"""How a live rating came about, block by block or round by round, with what was surprising: text, JSON and CSV.

Knows how it is written; what a change is and when a result surprises is `arena.rating`'s business.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from arena.cli.output import Column, Output
from arena.cli.standings import signed

if TYPE_CHECKING:
    from arena.rating import Block, Change, Standing

MANY = 60
"""With more blocks than this, text tells rounds instead."""
MOST = 20
"""So many surprising blocks are listed below the rounds."""

GameId = Callable[["Block"], str]
"""The id of the first game of a block, for `arena replay show`."""


def show_explanation(output: Output, bot: str, standing: Standing, changes: Sequence[Change], game: GameId) -> None:
    """Print how the rating of a bot came about. `changes`: those of its blocks, in canonical order."""
    if output.flags.json:
        output.document("explain/1", _data(bot, changes, game))
    elif output.flags.csv:
        output.rows(
            ("block", "opponent", "score", "before", "after", "outcome", "chance", "surprising", "game"),
            [_csv_row(bot, change, game) for change in changes],
        )
    else:
        _show_text(output, bot, standing, changes, game)


def explained(bot: str, change: Change) -> tuple[str, str, str, float, float]:
    """A row of the explanation: block, opponents, scores, the bot's mean before and after."""
    block, own = change.block, change.block.bots.index(bot)
    others = [place for place, name in enumerate(block.bots) if name in block.opponents(bot)]
    partner = next((f" (with {name})" for team in block.teams if bot in team for name in team if name != bot), "")
    return (
        block.id,
        ", ".join(block.bots[place] for place in others) + partner,
        " / ".join(
            signed(block.scores[place]).removesuffix(".0") for place in (own, *others[: 1 if block.teams else None])
        ),
        change.before[own].mu,
        change.after[own].mu,
    )


def _data(bot: str, changes: Iterable[Change], game: GameId) -> dict[str, object]:
    from arena.rating import change_to_data

    return {"bot": bot, "changes": [{**change_to_data(change), "game": game(change.block)} for change in changes]}


def _csv_row(bot: str, change: Change, game: GameId) -> tuple[object, ...]:
    return (*explained(bot, change), *change.outcome(bot), game(change.block))


def _show_text(output: Output, bot: str, standing: Standing, changes: Sequence[Change], game: GameId) -> None:
    sure = f" ({standing.low:.1f} .. {standing.high:.1f})" if standing.low is not None else ""
    by_round = len(changes) > MANY
    output.line(
        f"{bot}: published (batch fit) {standing.rating:.1f}{sure}, place {standing.place}; "
        f"below: the live rating, {'round by round' if by_round else 'block by block'}"
    )
    if not by_round:
        _show_blocks(output, bot, changes, game)
        return
    _show_rounds(output, bot, changes)
    surprising = [change for change in changes if change.outcome(bot).surprising]
    if surprising:
        surprising.sort(key=lambda change: (change.outcome(bot).chance or 0.0, change.block))
        shown = surprising[:MOST]
        which = f", the {MOST} least likely" if len(surprising) > MOST else ", the least likely first"
        output.line()
        output.line(f"{len(surprising)} of {len(changes)} blocks were surprising{which}:")
        _show_blocks(output, bot, shown, game)


def _show_blocks(output: Output, bot: str, changes: Iterable[Change], game: GameId) -> None:
    columns = (Column("block"), Column("opponent"), Column("score"), Column("before -> after"), Column(""))
    rows = []
    for change in changes:
        block, opponents, score, before, after = explained(bot, change)
        outcome = change.outcome(bot)
        remark = ""
        if outcome.surprising and outcome.chance is not None:
            remark = f"surprising {outcome.word} ({outcome.chance:.0%}): arena replay show {game(change.block)}"
        rows.append([block, opponents, score, f"{before:.1f} -> {after:.1f}", remark])
    output.table(columns, rows)


def _show_rounds(output: Output, bot: str, changes: Iterable[Change]) -> None:
    columns = (
        Column("round", right=True),
        Column("blocks", right=True),
        Column("W-D-L", right=True),
        Column("points/block", right=True),
        Column("surprising", right=True),
        Column("before -> after"),
    )
    rows = []
    for number, group in itertools.groupby(changes, key=lambda change: change.block.round):
        now = list(group)
        first, last = explained(bot, now[0]), explained(bot, now[-1])
        swings = [change.block.swings[change.block.bots.index(bot)] for change in now]
        rows.append(
            [
                str(number),
                str(len(now)),
                _record(bot, now),
                signed(sum(swings) / len(swings)),
                str(sum(change.outcome(bot).surprising for change in now)),
                f"{first[3]:.1f} -> {last[4]:.1f}",
            ]
        )
    output.table(columns, rows)


def _record(bot: str, changes: Sequence[Change]) -> str:
    from arena.rating.records import records

    names = sorted({name for change in changes for name in change.block.bots})
    record = records(names, [change.block for change in changes])[bot]
    return f"{record.wins}-{record.draws}-{record.losses}"
