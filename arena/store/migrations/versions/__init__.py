"""One file for each change of the tables, named v0001_..., v0002_..., in order."""
