"""The rules of the games as pages: the same texts as in the documentation, with their cards drawn."""
