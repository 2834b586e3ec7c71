"""Floor 4: bots as folders and processes: manifest, version, launcher. Knows nothing of games in progress."""
