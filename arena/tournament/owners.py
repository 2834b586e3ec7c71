"""How many bots of one owner sit at a table of a free for all, so that nobody can surround the others.

Pure functions; knows names and owners, not where they are written down. The empty owner is nobody: house bots and the
organiser's own are not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

Lineup = TypeVar("Lineup", bound=Sequence[str])


def too_many(lineup: Iterable[str], owner_of: Mapping[str, str], limit: int) -> dict[str, tuple[str, ...]]:
    """Owner -> its bots in a line-up, for each owner with more than `limit` different ones; 0: no limit.

    `owner_of`: competitor -> owner; who is not in it has none. Owners are the same whatever their case; named as first
    met.
    """
    bots: dict[str, list[str]] = {}
    spelled: dict[str, str] = {}
    for name in dict.fromkeys(lineup):
        owner = owner_of.get(name, "")
        if owner:
            spelled.setdefault(owner.casefold(), owner)
            bots.setdefault(owner.casefold(), []).append(name)
    return {spelled[owner]: tuple(names) for owner, names in bots.items() if limit and len(names) > limit}


def within(lineups: Iterable[Lineup], owner_of: Mapping[str, str], limit: int) -> Iterator[Lineup]:
    """The line-ups in which no owner has more than `limit` bots, in their order; 0: all."""
    return (lineup for lineup in lineups if not too_many(lineup, owner_of, limit))
