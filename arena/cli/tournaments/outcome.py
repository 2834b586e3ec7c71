"""`arena tournament outcome`: what an event came to in the words of its format: standing, matches, and who won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.output import Column, Output
from arena.cli.tournaments.names import complete_tournaments

if TYPE_CHECKING:
    from arena.store.store import Store
    from arena.store.values import Tournament
    from arena.tournament import gauntlet, knockout, swiss
    from arena.tournament.outcome import Outcome


def outcome(
    ctx: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="A tournament or a series.", autocompletion=complete_tournaments),
    ] = None,
) -> None:
    """What an event came to in the words of its format: the standing of a Swiss, the matches of a knockout.

    It also says who won. Ratings are another matter: every format has the table of arena ratings.

    \b
    arena tournament outcome spring
    arena tournament outcome spring --json
    """
    output: Output = ctx.obj
    from arena.cli.stored import find_event, open_store

    with open_store(output) as store:
        found = find_event(store, name)
        data = [outcome_data(store, each) for each in found]
        if output.flags.json:
            output.document("outcome/1", data)
        elif output.flags.csv:
            _csv(output, data)
        else:
            for each in found:
                show_outcome(output, store, each)
    output.next_step(f"arena ratings {name or found[-1].name}")


def outcome_data(store: Store, tournament: Tournament) -> dict[str, Any]:  # Any: JSON
    """A tournament's outcome as JSON data; of a format whose rating table says everything the outcome is null."""
    from arena.runner.course import format_of
    from arena.runner.outcome import outcome_of
    from arena.tournament.outcome import outcome_to_data

    found = outcome_of(store, tournament)
    return {
        "tournament": tournament.name,
        "format": format_of(tournament.config).name,
        "state": tournament.state.value,
        "outcome": outcome_to_data(found) if found is not None else None,
    }


def show_outcome(output: Output, store: Store, tournament: Tournament, *, brief: bool = False) -> None:
    """Print a tournament's outcome for people. `brief`: nothing for a format whose rating table says everything."""
    from arena.runner.course import format_of
    from arena.runner.outcome import outcome_of
    from arena.tournament import gauntlet, knockout, swiss

    found, name = outcome_of(store, tournament), format_of(tournament.config).name
    if found is None:
        if not brief:
            output.line(f"{tournament.name} ({name}): its table says everything:  arena ratings {tournament.name}")
        return
    output.line(f"{tournament.name} ({name}): {found.words}")
    rows: Sequence[Any] = found.standing
    match rows[0]:
        case swiss.Row():
            _swiss(output, rows)
        case knockout.Row():
            _matches(output, found)
            _knockout(output, rows)
        case gauntlet.Row():
            _gauntlet(output, rows)


def _swiss(output: Output, rows: Sequence[swiss.Row]) -> None:
    headings = ("place", "bot", "points", "Buchholz", "points/block", "W-D-L", "byes")
    output.table(
        [Column(heading, right=heading not in ("place", "bot")) for heading in headings],
        [
            [
                str(row.place),
                row.bot + ("" if row.here else " (gone)"),
                f"{row.points:.4g}",
                f"{row.buchholz:.4g}",
                f"{row.swing:+.1f}",
                f"{row.wins}-{row.draws}-{row.losses}",
                str(row.byes),
            ]
            for row in rows
        ],
    )


def _matches(output: Output, found: Outcome) -> None:
    fates: Sequence[Any] = found.matches
    output.table(
        [Column("match"), Column("bots"), Column("blocks", right=True), Column("winner"), Column("decided by")],
        [
            [
                fate.title,
                " - ".join(filter(None, fate.sides)),
                f"{fate.score[0]:g}-{fate.score[1]:g}" if fate.rounds else "-",
                fate.winner or "-",
                fate.by or "still to be played",
            ]
            for fate in fates
            if fate.sides[0]
        ],
    )
    output.line()


def _knockout(output: Output, rows: Sequence[knockout.Row]) -> None:
    output.table(
        [Column("place"), Column("bot"), Column("seed", right=True), Column("won-lost", right=True), Column("out in")],
        [[str(row.place or "-"), row.bot, str(row.seed), f"{row.won}-{row.lost}", row.out or "-"] for row in rows],
    )


def _gauntlet(output: Output, rows: Sequence[gauntlet.Row]) -> None:
    columns = [Column("candidate"), Column("against")]
    columns += [Column(heading, right=True) for heading in ("share", "points/block", "blocks")]
    lines = []
    for row in rows:
        lines.append([row.candidate, "the panel", f"{row.share:.1%}", f"{row.swing:+.1f}", str(row.blocks)])
        lines += [["", each.bot, f"{each.share:.1%}", f"{each.swing:+.1f}", str(each.blocks)] for each in row.panel]
    output.table(columns, lines)


def _csv(output: Output, data: list[dict[str, Any]]) -> None:
    """The standings: a row a bot, all of one event together, with the columns of its format."""
    rows = [(each["tournament"], row) for each in data if each["outcome"] for row in each["outcome"]["standing"]]
    headings = list(dict.fromkeys(key for _, row in rows for key in row if key != "panel"))
    output.rows(["tournament", *headings], [[name, *[row.get(key) for key in headings]] for name, row in rows])
