"""Parts of `arena replay`: which games there are, and one game for people and programs."""
