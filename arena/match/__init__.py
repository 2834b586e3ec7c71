"""Floor 3: the referee. One game at a time, behind the player port; no transport, no store."""
