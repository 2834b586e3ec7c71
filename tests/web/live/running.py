"""A game that runs, made by hand: a store with a tournament, and a room in which moves are told one by one."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from laws.rulesets import game_of
from scale.million import new_tournament
from secrecy.worlds import World, random_world

from arena.core import options
from arena.match.referee import MoveRecord
from arena.runner.spectating import telling
from arena.runner.spectating.room import Room, live_folder
from arena.store.store import Store
from arena.store.values import State, Tournament

NAMES = ("fox@2", "owl", "fox@2", "owl")


def started(store: Store, name: str = "spring", bots: int = 2, blocks: int = 4) -> Tournament:
    """A tournament that runs, without games."""
    tournament = new_tournament(store, blocks, bots, name)
    store.set_state(tournament.id, State.RUNNING)
    return tournament


class Running:
    """One game that is told."""

    def __init__(
        self,
        data: Path,
        public_id: str = "spring-r1-b1-t1-1",
        family: str = "crowsnest",
        world: World | None = None,
        place: str = "",
    ) -> None:
        """`place`: instead of the tournament of the id."""
        self.public_id = public_id
        self.world = world or random_world(game_of(family), 3).world
        self.room = Room(live_folder(data) / (place or public_id.rsplit("-", 4)[0]))
        self.made = 0
        game = self.game = self.world.game
        self.state = game.start(self.world.board)
        names = NAMES[: game.seats]
        rules = options.to_data(game.ruleset)
        began = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
        self._add(telling.heading(game, public_id, names, rules, 1, began) + telling.position(game, self.state))

    def move(self, count: int = 1) -> None:
        """Make further moves."""
        for _ in range(count):
            move, seat = self.world.moves[self.made], self.world.seats[self.made]
            view = self.game.view(self.state, seat)
            self.state = self.game.apply(self.state, move)
            self.made += 1
            self._add(telling.position(self.game, self.state, MoveRecord(seat, move, view, 20.0)))

    def rest(self) -> None:
        """Make all moves that are left."""
        self.move(len(self.world.moves) - self.made)

    def end(self) -> None:
        """The game is over."""
        self.room.remove(self.public_id)
        self.room.close()

    def _add(self, lines: bytes) -> None:
        self.room.add({self.public_id: lines})
