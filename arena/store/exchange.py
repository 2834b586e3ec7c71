"""The store's part about moving whole tournaments from one store to another: all that is stored of one, out and in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.store import bringing, reading
from arena.store.events import Events
from arena.store.values import FullGame, Quarantined, Round, Tournament, VoidInfo


class Exchange(Events):
    """What `Store` knows about tournaments as a whole."""

    def full_games(self, tournament_id: int) -> Iterator[FullGame]:
        """The games of a tournament with their transcripts, streamed in canonical order.

        The caller sees to it that sealed cards stay sealed.
        """
        with self._database.read() as connection:
            yield from reading.full_games(connection, tournament_id)

    def bring_in(
        self,
        tournament: Tournament,
        rounds: Sequence[Round] = (),
        voids: Sequence[VoidInfo] = (),
        quarantines: Sequence[Quarantined] = (),
    ) -> int:
        """Store a tournament of another store with its times, unless its name is there; returns its id here.

        What is there already stays as it is. Its games come by `add_games`. `tournament.id` is not looked at.
        """
        with self._database.write() as connection:
            tournament_id = bringing.tournament(connection, tournament)
            bringing.rounds(connection, tournament_id, rounds)
            bringing.voids(connection, tournament_id, voids)
            bringing.quarantines(connection, tournament_id, quarantines)
            return tournament_id

    def bring_state(self, tournament: Tournament) -> None:
        """Let a tournament stand as it did where it came from, once all its games are here."""
        with self._database.write() as connection:
            bringing.state(connection, tournament)
