"""A second implementation of every rule, written from the rules pages alone, to judge the engine by.

Nothing here imports `arena`. Cards are texts, matches are mutable, clarity goes before speed.
"""
