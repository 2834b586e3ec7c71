"""The store's part about what goes: transcripts that retention removes, bots and persons that are removed."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime

from sqlalchemy import func, select

from arena.store import accounts, counting, pruning, removals
from arena.store.database import Database
from arena.store.models import GameTable
from arena.store.pruning import Kept
from arena.store.removals import BOT, PERSON, Removal, Removed


class Housekeeping:
    """What `Store` knows about things that go. Results never do."""

    _database: Database
    _now: Callable[[], datetime]

    # Removal

    def remove(self, kind: str, name: str, reason: str) -> Removed:
        """Remove a bot (all versions) or a person, "bot" or "person", for a reason that everybody may read.

        Done again it changes nothing that was noted before. The caller sees to files, and that nobody runs a tournament
        of the bot meanwhile. Raises ValueError for another kind.
        """
        if kind not in (BOT, PERSON):
            raise ValueError(f"{kind!r} cannot be removed: {BOT} or {PERSON}")
        with self._database.write() as connection:
            change = removals.remove_bot if kind == BOT else removals.remove_person
            removed = change(connection, name, reason, self._now())
        self._database.forget()
        return removed

    def removal(self, kind: str, name: str) -> Removal | None:
        """Whether a name was removed, whatever its case: when, and why."""
        with self._database.read() as connection:
            return removals.find(connection, kind, name)

    def owns_tokens(self, owner: str) -> bool:
        """Whether a token was ever issued for an owner."""
        with self._database.read() as connection:
            return removals.owns_tokens(connection, owner)

    def has_account(self, name: str) -> bool:
        """Whether somebody of a name may sign in, or might once."""
        with self._database.read() as connection:
            return accounts.exists(connection, name)

    def uploads_of(self, name: str) -> list[str]:
        """Names of the files that a person sent and that are kept."""
        with self._database.read() as connection:
            return accounts.uploads(connection, name)

    def removals(self) -> list[Removal]:
        """Everything that was removed, oldest first."""
        with self._database.read() as connection:
            return removals.load(connection)

    # Retention

    def kept_transcripts(self, tournament_id: int) -> list[Kept]:
        """The transcripts of a tournament that are there, in canonical order."""
        with self._database.read() as connection:
            return list(pruning.kept(connection, tournament_id))

    def prune_transcripts(self, game_ids: Collection[int]) -> None:
        """Remove transcripts: the date stays in their place, so that whoever asks is told."""
        with self._database.write() as connection:
            pruning.prune(connection, game_ids, self._now())

    # Usage

    def games_since(self, tournament_id: int, since: datetime) -> dict[str, int]:
        """Games of each competitor that were stored from a time on."""
        with self._database.read() as connection:
            query = select(GameTable.bots, func.count()).where(
                GameTable.tournament_id == tournament_id, GameTable.stored >= since
            )
            return counting.by_bot(connection.execute(query.group_by(GameTable.bots)))
