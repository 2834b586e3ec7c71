"""Everything that is made of results as JSON data, for `--json`, exports and pages: schema arena.ratings/1.

Names in full, numbers as they are, null where there is none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import UTC
from typing import Any

from arena.rating.combined import Combined
from arena.rating.crosstables import Cell, Crosstable
from arena.rating.live import Change
from arena.rating.pool import Pool
from arena.rating.rows import Standing
from arena.rating.structure import Structure
from arena.rating.tables import Disabled, Table

SCHEMA = "arena.ratings/1"
Data = dict[str, Any]  # Any: JSON


def table_to_data(table: Table, cross: Crosstable | None = None) -> Data:
    """A table, with its crosstable if one is given."""
    data: Data = {
        "pool": pool_to_data(table.pool),
        "blocks": len(table.blocks),
        "incomplete_blocks": table.incomplete,
        "boards": table.boards,
        "draw_probability": table.draw_probability,
        "resamples": table.resamples,
        "standings": [standing_to_data(standing) for standing in table.standings],
        "quarantined": [{"bot": bot, "reason": reason} for bot, reason in table.out],
        "disabled": disabled_to_data(table.disabled),
        "parts": [list(group) for group in table.parts],
        "clones": [list(group) for group in table.clones],
        "families": {family: list(group) for family, group in table.families.items()},
        "unrated": table.unrated or None,
    }
    if cross is not None:
        data["crosstable"] = crosstable_to_data(cross)
    return data


def disabled_to_data(found: Iterable[Disabled]) -> list[Data]:
    """Whom organisers took out of an event; times in UTC."""
    return [
        {"bot": each.bot, "reason": each.reason, "at": each.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}
        for each in found
    ]


def pool_to_data(pool: Pool) -> Data:
    """A pool; its ruleset as the canonical JSON text."""
    return {
        "id": pool.id,
        "name": pool.name,
        "game": pool.game,
        "ruleset": pool.ruleset,
        "kind": pool.kind,
        "unit": pool.unit,
        "sides": [list(side) for side in pool.sides],
        "clock": pool.clock,
        "seatings": pool.seatings,
        "remote": pool.remote,
    }


def standing_to_data(standing: Standing) -> Data:
    """One row of a table."""
    return {
        "place": standing.place,
        "place_low": standing.place_low,
        "place_high": standing.place_high,
        "bot": standing.bot,
        "rating": _number(standing.rating),
        "rating_low": standing.low,
        "rating_high": standing.high,
        "sigma": _number(standing.sigma),
        "points_per_block": standing.points,
        "points_low": standing.points_low,
        "points_high": standing.points_high,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "blocks": standing.blocks,
        "games": standing.games,
        "faults": standing.faults,
        "opponents": standing.opponents,
        "provisional": list(standing.provisional),
        "p_best": standing.p_best,
        "part": standing.part,
    }


def _number(value: float) -> float | None:
    """None for what is no number."""
    return None if math.isnan(value) else value


def crosstable_to_data(cross: Crosstable) -> Data:
    """A crosstable: bots, and a row of cells for each."""
    return {"bots": list(cross.bots), "cells": [[_cell_to_data(cell) for cell in row] for row in cross.cells]}


def _cell_to_data(cell: Cell | None) -> Data | None:
    return cell._asdict() if cell is not None else None


def structure_to_data(structure: Structure | None) -> Data | None:
    """What pairs say beyond ratings; None where nothing can be said."""
    if structure is None:
        return None
    cycle = structure.cycle
    return {
        "p_value": structure.p_value,
        "nontransitive": structure.found,
        "cycle": None
        if cycle is None
        else {"bots": list(cycle.bots), "shares": list(cycle.shares), "superiority": cycle.superiority},
        "nash": dict(structure.nash),
    }


def combined_to_data(combined: Combined) -> Data:
    """A standing over several pools."""
    return {
        "method": combined.method,
        "pools": [
            {"name": pool, "boards": boards} for pool, boards in zip(combined.pools, combined.boards, strict=True)
        ],
        "standings": [
            {
                "place": row.place,
                "place_low": row.place_low,
                "place_high": row.place_high,
                "bot": row.bot,
                "rating": row.rating,
                "rating_low": row.low,
                "rating_high": row.high,
                "ratings": list(row.ratings),
                "p_best": row.p_best,
                "provisional": list(row.provisional),
            }
            for row in combined.standings
        ],
        "missing": [{"bot": bot, "pools": list(pools)} for bot, pools in combined.missing],
    }


def change_to_data(change: Change) -> Data:
    """One step of the live rating: the block, and each bot's level before and after.

    `outcome` is "win" (first alone), "loss" (last alone) or "middle"; `chance` how likely it was, null in the middle.
    """
    block = change.block
    return {
        "block": block.id,
        "round": block.round,
        "board": block.board,
        "table": block.table,
        "teams": [list(team) for team in block.teams],
        "bots": [
            {
                "bot": name,
                "score": score,
                "swing": swing,
                "rank": rank,
                "before": before._asdict(),
                "after": after._asdict(),
                "outcome": change.outcome(name).word,
                "chance": change.outcome(name).chance,
                "surprising": change.outcome(name).surprising,
            }
            for name, score, swing, rank, before, after in zip(
                block.bots, block.scores, block.swings, block.ranks, change.before, change.after, strict=True
            )
        ],
    }
