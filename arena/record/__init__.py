"""Floor 2: what happened in a game, as data and text; replay and verification."""
