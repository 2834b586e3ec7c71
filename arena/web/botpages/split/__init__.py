"""What a bot does in which role, counted over its games: by seat after the dealer, as declarer, when it leads, ..."""

from arena.web.botpages.split.counts import Split, SplitRow, TimeRow, split_of

__all__ = ["Split", "SplitRow", "TimeRow", "split_of"]
