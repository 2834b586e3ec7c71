"""A tournament's table as data, for `--json`, exports and pages: all that is known of it, in one document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.core.errors import ConfigError
from arena.rating import Crosstable, Table, structure, structure_to_data, table_to_data
from arena.rating.combined import Combined, combined
from arena.rating.partners import partner_table, partners_to_data
from arena.rating.strangers import PartnerPool, partner_pool, partner_pool_to_data
from arena.runner.course import format_of
from arena.runner.past import At
from arena.runner.standing import NOW, Tiers, left_by
from arena.store.values import Tournament
from arena.tournament.partners import opponents_of


def data_of(
    tournament: Tournament, table: Table, against: Crosstable, tiers: Tiers, at: At | None = None
) -> dict[str, Any]:  # Any: JSON
    """A tournament's table as JSON data, arena.ratings/1. `at`: the moment it is of, if not now."""
    strangers = strangers_of(tournament, table)
    return {
        "tournament": tournament.name,
        "state": tournament.state.value,
        "open_seed": tournament.open_seed,
        "tiers": tiers.games,
        "unsandboxed": tiers.unsandboxed,
        **table_to_data(table, against),
        "at": str(at) if at is not None else None,
        "structure": structure_to_data(structure(table)),
        "left": left_by(tournament, at or NOW, table),
        "partners": partners_to_data(partner_table(table) if strangers is None else None),
        "partner_pool": partner_pool_to_data(strangers),
    }


def strangers_of(tournament: Tournament, table: Table) -> PartnerPool | None:
    """The table of a partner pool; None for a tournament of another format."""
    if format_of(tournament.config).name != "partner_pool":
        return None
    names = tuple(entrant.name for entrant in tournament.entrants)
    opponents = opponents_of(names, tournament.config.get("opponents"))
    return partner_pool(table.blocks, table.pool, opponents, table.resamples)


def combined_of(tables: Sequence[Table]) -> tuple[Combined | None, str]:
    """The standing over the tables of several games; None, and why, where it says nothing."""
    empty = [table.pool.name for table in tables if not table.blocks]
    if empty:
        return None, f"no block is complete yet in {', '.join(empty)}"
    try:
        return combined(tables), ""
    except ConfigError as error:
        return None, error.message
