"""What pages of bots show: lists, profiles, ratings over time, opponents, splits, games and logs, as data."""
