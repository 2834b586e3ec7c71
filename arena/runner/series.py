"""Events of several games: one tournament for each game, played one after the other, with one name and one secret.

A series is stored as its members, tournaments called NAME-GAME that say which series they are a part of. What all of
them share is the secret that decides the cards; every board's seed names its game, so that no two games have the same
cards. The secret is published when all members are finished.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from arena.core.errors import ConfigError
from arena.store.store import Store
from arena.store.values import State, Tournament


class Named(Protocol):
    """A tournament that is to be played, as its file says."""

    @property
    def name(self) -> str:
        """Of the tournament."""
        ...

    @property
    def series(self) -> str:
        """Of the series that it is a part of; empty: it stands alone."""
        ...


def members_of(store: Store, series: str) -> list[Tournament]:
    """The stored members of a series, in the order in which they are played; none: there is no such series."""
    return [each for each in store.tournaments() if series and each.series == series]


def is_published(store: Store, tournament: Tournament) -> bool:
    """Whether the secret of a tournament is here and may be shown: nothing is left to be played with it."""
    if tournament.state is not State.FINISHED or not tournament.secret:
        return False
    return all(each.state is State.FINISHED for each in members_of(store, tournament.series))


def check_names(store: Store, cups: Sequence[Named]) -> None:
    """Raises ConfigError when a name stands for something else already: NAME_TAKEN; or when a series that has begun
    would be played with a further game: CHANGED."""
    for cup in cups:
        stored = store.tournament(cup.name)
        if stored is not None and stored.series != cup.series:
            what = f"a part of the series {stored.series!r}" if stored.series else "a tournament of its own"
            raise _taken(store, cup.name, what)
        if not cup.series and stored is None and (members := members_of(store, cup.name)):
            raise _taken(store, cup.name, f"a series: {', '.join(each.name for each in members)}")
    series = cups[0].series
    if not series:
        return
    if store.tournament(series) is not None:
        raise _taken(store, series, "a tournament of its own")
    members = members_of(store, series)
    names = {cup.name for cup in cups}
    known = {each.name for each in members}
    gone, new = sorted(known - names), sorted(names - known)
    if gone or (new and any(each.state is not State.WAITING for each in members)):
        raise ConfigError(
            f"series {series!r} was begun with other games: {', '.join(each.game for each in members)}",
            where="games",
            saw=f"not there then: {', '.join(new)}" if new else f"not there now: {', '.join(gone)}",
            fix="put them back to go on, or begin anew under another name: the key `name` of the file",
            code="CHANGED",
        )


def shared_secret(store: Store, series: str) -> bytes | None:
    """The secret of a series that was stored before, in whole or in part."""
    return next((each.secret for each in members_of(store, series)), None)


def _taken(store: Store, name: str, what: str) -> ConfigError:
    return ConfigError(
        f"the name {name!r} is taken: it is {what}",
        where=store.where,
        fix="give this one another name: the key `name` of the file",
        code="NAME_TAKEN",
    )
