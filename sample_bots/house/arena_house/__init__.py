"""House bots of Arena."""
