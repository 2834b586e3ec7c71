"""The tables of an event of several games, one after the other, and the standing over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.cli.output import Output

if TYPE_CHECKING:
    from arena.runner.past import At
    from arena.store.store import Store
    from arena.store.values import Tournament


def show_series(
    output: Output, store: Store, members: Sequence[Tournament], *, cross: bool = False, at: At | None = None
) -> int:
    """Print the table of each game and the combined standing; as CSV only that one. Returns how many blocks are rated.

    JSON is one document arena.series/1 with the tables of arena.ratings/1 and the standing of arena.combined/1, null
    where there is none. `at`: the moment, if not now.
    """
    from arena.cli.commands.ratings import show
    from arena.cli.standings import show_combined
    from arena.rating.data import combined_to_data
    from arena.runner.standing import NOW, tables_of, tiers_of
    from arena.runner.standing_data import combined_of, data_of

    made = [(each, *tables_of(store, each, at=at or NOW), tiers_of(store, each)) for each in members]
    standing, why = combined_of([table for _, table, _, _ in made])
    if output.flags.json:
        output.document(
            "series/1",
            {
                "series": members[0].series,
                "tournaments": [data_of(*each, at=at) for each in made],
                "combined": combined_to_data(standing) if standing is not None else None,
            },
        )
    elif output.flags.csv:
        if standing is not None:
            show_combined(output, standing)
    else:
        for each, table, against, tiers in made:
            show(output, each, table, against, tiers, cross=cross, at=at)
            output.line()
        output.line(f"{members[0].series}: {', '.join(each.game for each in members)} together")
        if standing is not None:
            show_combined(output, standing)
    if standing is None:
        output.note(f"no combined standing: {why}")
    return sum(len(table.blocks) for _, table, _, _ in made)
