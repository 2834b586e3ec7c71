"""The parts of `arena tournament` that do not play."""
