"""Floor 3: TrueSkill wrapper, batch fit, intervals, tables: pure functions of results.

    Pool                         what is rated together
    blocks.blocks(rows, pool)    games -> blocks, the unit that is rated
    table(rows, pool)            the official table
    crosstable(rows, pool)       every pair of bots
    online(blocks, pool)         the live rating, block by block
    structure(table)             what pairs of bots say beyond ratings
    combined(tables)             one standing over several pools
    design_rank(lineups)         whether results can tell single bots apart

Importing it loads neither numpy nor trueskill; computing does.
"""

from arena.rating.blocks import Block
from arena.rating.combined import Combined, CombinedStanding, combined
from arena.rating.crosstables import Cell, Crosstable, crosstable
from arena.rating.data import (
    SCHEMA,
    change_to_data,
    combined_to_data,
    crosstable_to_data,
    standing_to_data,
    structure_to_data,
    table_to_data,
)
from arena.rating.field import Design, clones, design_rank, families, parts
from arena.rating.live import Change, Outcome, levels_of, online
from arena.rating.pool import Pool
from arena.rating.rows import Standing
from arena.rating.structure import Cycle, Structure, structure
from arena.rating.tables import Table, table
from arena.rating.trueskill_env import TAU_CLOSED, TAU_LADDER, Level

__all__ = [
    "SCHEMA",
    "TAU_CLOSED",
    "TAU_LADDER",
    "Block",
    "Cell",
    "Change",
    "Combined",
    "CombinedStanding",
    "Crosstable",
    "Cycle",
    "Design",
    "Level",
    "Outcome",
    "Pool",
    "Standing",
    "Structure",
    "Table",
    "change_to_data",
    "clones",
    "combined",
    "combined_to_data",
    "crosstable",
    "crosstable_to_data",
    "design_rank",
    "families",
    "levels_of",
    "online",
    "parts",
    "standing_to_data",
    "structure",
    "structure_to_data",
    "table",
    "table_to_data",
]
