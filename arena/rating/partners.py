"""Who plays how well with whom: every partnership's points beside what the strengths of its two bots let expect.

It knows blocks of mixed partners. The additive fit gives every bot a strength in points (least squares over all blocks:
the swing of a side is the sum of its bots' strengths minus that of the others'); what a partnership makes beyond that
is its residual. The fit takes part of a real gain for strength of the two bots, so a residual is rather too small.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.rating.blocks import Block, Side
from arena.rating.crosstables import GREY
from arena.rating.field import design_rank
from arena.rating.tables import DIGITS, MIN_BOARDS, Table, interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from arena.rating.factors import Array

AT_ONCE = 2_000_000
"""Numbers in one array while resampling."""


class Partnership(NamedTuple):
    """Two bots on one side. Intervals are 2.5 to 97.5 % of the resamples; None where boards are too few."""

    bots: tuple[str, str]
    """In the order of their names."""
    blocks: int
    swing: float
    """Points per block more than the opponents."""
    residual: float | None
    """`swing` minus what the additive fit expects, on average over their blocks; None where results cannot tell."""
    low: float | None
    high: float | None
    stands_out: bool
    """Whether the residual is not 0, with the chance of any wrong one in the table held to 5 % (Holm)."""

    @property
    def grey(self) -> bool:
        """Too few blocks to lean on."""
        return self.blocks < GREY


class PartnerTable(NamedTuple):
    """Every partnership that sat together."""

    strengths: tuple[tuple[str, float], ...]
    """(bot, points per block that the additive fit gives it; their mean is 0), best first; empty where bots cannot be
    told apart."""
    partnerships: tuple[Partnership, ...]
    """In the order of names."""

    def of(self, one: str, other: str) -> Partnership | None:
        """The partnership of two bots."""
        pair = tuple(sorted((one, other)))
        return next((each for each in self.partnerships if each.bots == pair), None)


def partner_table(table: Table) -> PartnerTable | None:
    """The partnerships of a finished table of mixed partners; None for any other table, or without blocks.

    Residuals are None where results cannot tell single bots apart, and where there are no more line-ups than strengths
    to fit, so that the fit explains everything (four bots, or partners that always sit together).
    """
    blocks = table.blocks
    if table.pool.kind != "mixed" or not blocks:
        return None
    import numpy as np

    from arena.rating.bootstrap import bundles, draw_boards, rows_of

    row = rows_of(blocks)
    sums = _Sums(blocks, row)
    once, total = sums.counts.sum(axis=1, keepdims=True), sums.swings.sum(axis=1, keepdims=True)
    blocks_of = (np.abs(sums.signs) @ once)[:, 0]
    swing = (sums.signs @ total)[:, 0] / blocks_of
    residuals, strengths = sums.fit(once, total)
    drawn = None
    known = not table.unrated and len(sums.lineups) > design_rank(sums.lineups).rank
    if known and table.resamples and len(row) >= MIN_BOARDS:
        drawn = sums.resampled(draw_boards(table.pool.id, bundles(row), table.resamples))
    outstanding = _stand_out(residuals[:, 0], drawn, blocks_of, sums)
    partnerships = []
    for index, pair in enumerate(sums.pairs):
        low, high = interval(drawn[index]) if drawn is not None else (None, None)
        residual = round(float(residuals[index, 0]), DIGITS) if known else None
        mean = round(float(swing[index]), DIGITS)
        partnerships.append(
            Partnership(pair, int(blocks_of[index]), mean, residual, low, high, bool(outstanding[index]))
        )
    ranked = sorted(zip((-strengths[:, 0]).tolist(), sums.names, strict=True)) if not table.unrated else []
    return PartnerTable(tuple((bot, round(-points, DIGITS)) for points, bot in ranked), tuple(partnerships))


class _Sums:
    """Blocks added up by line-up and board."""

    def __init__(self, blocks: Sequence[Block], row: dict[int, int]) -> None:
        import numpy as np

        self.lineups: list[tuple[Side, ...]] = sorted({block.teams for block in blocks})
        self.names = sorted({name for block in blocks for name in block.bots})
        place = {name: index for index, name in enumerate(self.names)}
        at = {teams: index for index, teams in enumerate(self.lineups)}
        pairs = {(team[0], team[1]) for teams in self.lineups for team in teams}
        self.pairs = sorted(pairs)
        pair_at = {pair: index for index, pair in enumerate(self.pairs)}
        boards = max(row.values()) + 1
        self.counts = np.zeros((len(self.lineups), boards))
        """(line-ups, boards)"""
        self.swings = np.zeros((len(self.lineups), boards))
        """(line-ups, boards): what the first team made more than the second."""
        for block in blocks:
            where = at[block.teams], row[block.board]
            self.counts[where] += 1.0
            self.swings[where] += block.swings[block.bots.index(block.teams[0][0])]
        self.design = np.zeros((len(self.lineups), len(self.names)))
        """(line-ups, bots): +1 in the first team, -1 in the second."""
        self.signs = np.zeros((len(self.pairs), len(self.lineups)))
        """(pairs, line-ups): +1 is the first team, -1 the second."""
        for index, teams in enumerate(self.lineups):
            for sign, team in zip((1.0, -1.0), teams, strict=True):
                self.signs[pair_at[team[0], team[1]], index] = sign
                for bot in team:
                    self.design[index, place[bot]] += sign

    def fit(self, counts: Array, swings: Array) -> tuple[Array, Array]:
        """(pairs, weightings): mean swing minus what the fit expects; and strengths (bots, weightings).

        `counts` and `swings` (line-ups, weightings). NaN where a pair did not sit together.
        """
        import numpy as np

        size = len(self.names)
        weighed = counts.T[:, :, None] * self.design  # (weightings, line-ups, bots)
        normal = self.design.T @ weighed
        ground = np.trace(normal, axis1=1, axis2=2)[:, None, None] / size
        normal += ground * (np.ones((size, size)) / size + 1e-9 * np.eye(size))  # nothing says what the mean is: 0
        strengths = np.linalg.solve(normal, (self.design.T @ swings).T[:, :, None])[:, :, 0].T
        left = self.signs @ (swings - counts * (self.design @ strengths))
        times = np.abs(self.signs) @ counts
        per_block: Array = np.where(times > 0, left / np.maximum(times, 1.0), np.nan)
        return per_block, np.asarray(strengths, dtype=np.float64)

    def resampled(self, draws: Array) -> Array:
        """(pairs, resamples)."""
        import numpy as np

        step = max(1, AT_ONCE // self.design.size)
        parts = [
            self.fit(self.counts @ draws[:, start : start + step], self.swings @ draws[:, start : start + step])
            for start in range(0, draws.shape[1], step)
        ]
        return np.concatenate([part for part, _ in parts], axis=1)


def _stand_out(residuals: Array, drawn: Array | None, blocks: Array, sums: _Sums) -> NDArray[np.bool_]:
    """By pair; those with few blocks never do."""
    import numpy as np

    from arena.rating.bands import holm, p_values

    found = np.zeros(len(blocks), dtype=bool)
    used = blocks >= GREY
    if drawn is not None and used.any():
        boards = ((np.abs(sums.signs) @ sums.counts) > 0).sum(axis=1).astype(float)
        spread = np.nan_to_num(np.nanvar(drawn[used], axis=1, ddof=1))
        found[used] = holm(p_values(residuals[used], spread, boards[used]))
    return found


def partners_to_data(partners: PartnerTable | None) -> dict[str, Any] | None:  # Any: JSON
    """A partner table as JSON data; None where there is none."""
    if partners is None:
        return None
    return {
        "strengths": dict(partners.strengths),
        "partnerships": [
            {
                "bots": list(each.bots),
                "blocks": each.blocks,
                "points_per_block": each.swing,
                "residual": each.residual,
                "residual_low": each.low,
                "residual_high": each.high,
                "stands_out": each.stands_out,
                "grey": each.grey,
            }
            for each in partners.partnerships
        ],
    }


def outstanding(partners: PartnerTable) -> list[str]:
    """Partnerships that stand out, for people, the largest residuals first: "fox + owl +3.1"."""
    found = [each for each in partners.partnerships if each.stands_out and each.residual is not None]
    found.sort(key=lambda each: (-(each.residual or 0.0), each.bots))
    return [f"{' + '.join(each.bots)} {each.residual:+.1f}" for each in found]
