"""The store's part about the course of an event: its rounds, and entrants that come and go. Knows no schedule."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from arena.store import counting, players, rounds, tournaments
from arena.store.values import Entrant, Round
from arena.store.verdicts import Verdicts


class Events(Verdicts):
    """What `Store` knows about rounds and entrants, besides verdicts."""

    # Rounds

    def open_round(self, tournament_id: int, number: int, field: Sequence[str], blocks: int, games: int) -> Round:
        """Note that a round begins, with who takes part and how much is planned; returns it as it was first opened."""
        with self._database.write() as connection:
            return rounds.opened(connection, tournament_id, number, field, (blocks, games), self._now())

    def close_round(self, tournament_id: int, number: int) -> None:
        """Note that all games of a round are settled. Raises nothing where it is closed already."""
        with self._database.write() as connection:
            rounds.close(connection, tournament_id, number, self._now())

    def rounds(self, tournament_id: int) -> list[Round]:
        """The rounds that were opened, in order."""
        with self._database.read() as connection:
            return rounds.load(connection, tournament_id)

    def boards_of_closed_rounds(self, tournament_id: int) -> frozenset[int]:
        """The boards with a stored game of a round that is closed."""
        with self._database.read() as connection:
            return frozenset(counting.boards(connection, tournament_id, closed=True))

    def is_board_closed(self, tournament_id: int, board: int) -> bool:
        """Whether a board has a stored game of a round that is closed."""
        with self._database.read() as connection:
            return any(True for _ in counting.boards(connection, tournament_id, board=board, closed=True))

    def boards_of_round(self, tournament_id: int, number: int) -> frozenset[int]:
        """The boards with a stored game of one round."""
        with self._database.read() as connection:
            return frozenset(counting.boards(connection, tournament_id, round_=number))

    def count_blocks(self, tournament_id: int, seatings: int) -> int:
        """How many blocks have all their `seatings` games stored."""
        with self._database.read() as connection:
            return counting.count_blocks(connection, tournament_id, seatings)

    def workers(self, tournament_id: int) -> dict[str, int]:
        """Who played: worker -> games that count; "" for those of which nobody noted who played them."""
        with self._database.read() as connection:
            return players.games_by_worker(connection, tournament_id)

    # Entrants

    def enter(self, tournament_id: int, new: Sequence[Entrant]) -> None:
        """Add competitors to an open-ended event; a name that is there already stays as it is."""
        with self._database.write() as connection:
            tournaments.enter(connection, tournament_id, new)

    def leave(self, tournament_id: int, names: Collection[str], until_round: int) -> None:
        """Let competitors end with a round: a version that another one replaces."""
        with self._database.write() as connection:
            tournaments.leave(connection, tournament_id, names, until_round)

    def come_back(self, tournament_id: int, names: Collection[str]) -> None:
        """Let competitors go on that had left: versions that are wanted again."""
        with self._database.write() as connection:
            tournaments.come_back(connection, tournament_id, names)
