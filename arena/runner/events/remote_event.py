"""An event with remote bots: opens the door, keeps the lobby, and has the bouts played until the event or the run ends.

It joins the door, which knows connections, to the lobby, which knows who is needed, and to the plan, which knows who
plays whom. Connections stay open from game to game and from round to round.
"""

from __future__ import annotations

import asyncio
import tomllib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.bots.manifest import Bot
from arena.core.errors import BotError, ConfigError
from arena.runner.course import REMOTE
from arena.runner.crew import Stop
from arena.runner.events import bulletin
from arena.runner.events.crew import EventCrew
from arena.runner.events.lobby import Lobby, Past, Surroundings
from arena.runner.events.rules import Rules
from arena.runner.plan import Plan, Players
from arena.runner.remote import Listening, away, check_slots, opened, remote_bot
from arena.runner.remote_slot import RemoteSlot
from arena.store.place import Place
from arena.store.store import Store
from arena.store.tokens import Tokens
from arena.store.values import Round
from arena.wire.door import Door

GAMES_AT_ONCE = 64
"""Most games of an event at once: one referee plays them all."""
USHER_S = 5.0
"""How often it is looked for those who have nothing to wait for, if nobody comes or goes."""
STOPPED = "STOPPED: the event goes on later, dial in again"
NOT_ENTERED = "NOT_ENTERED: this bot does not take part, or no more"


class RemoteEvent:
    """One run of an event with remote bots."""

    def __init__(
        self,
        plan: Plan,
        listening: Listening,
        rules: Rules,
        place: Place,
        *,
        past: Past,
        tell: Callable[[str], None],
        file: Path,
    ) -> None:
        """`place`: where the tokens are. `tell`: told in words who comes and goes. `file`: the bulletin."""
        self.plan = replace(plan, taking_part=self._taking_part)
        """The plan in which those take part who are there."""
        self.lobby: Lobby | None = None
        """While the door is open."""
        self.port = 0
        self._listening = listening
        self._rules = rules
        self._place = place
        self._past = past
        self._tell = tell
        self._file = file

    def needed(self) -> Counter[str]:
        """How many connections each remote bot needs: one for each seat of a side."""
        seats = len(self.plan.game.sides[0])
        return Counter({name: seats for name, bot in self.plan.bots.items() if bot.remote})

    @asynccontextmanager
    async def players(self, stop: Stop) -> AsyncIterator[Players]:
        """Those who play, while the door is open. Raises ConfigError for an address or a token that will not do."""
        needed = self.needed()
        with Tokens.open(self._place) as tokens:
            check_slots(Counter({name: count for name, count in needed.items() if tokens.named(name)}), tokens)
            async with opened(self._listening, tokens) as door:
                door.parting = STOPPED
                self.port = door.port
                self._tell(f"bots dial in at port {door.port}")
                around = Surroundings(lambda: connections(door), door.changed, self._tell, self._publish)
                lobby = self.lobby = Lobby(needed, self._rules, around, self._past)
                ushering = asyncio.create_task(usher(door, lobby))
                try:
                    yield EventCrew(stop, self.plan.means, self._slots(door), lambda: lobby.wait(stop.soft))
                    if not stop.soft.is_set():
                        door.parting = "done"
                finally:
                    ushering.cancel()
                    await asyncio.gather(ushering, return_exceptions=True)
                    bulletin.withdraw(self._file)

    def _slots(self, door: Door) -> Callable[[Bot], RemoteSlot]:
        tables = max(1, len(self.plan.bots) // len(self.plan.game.sides))
        most = max(1, GAMES_AT_ONCE // tables)
        listening = self._listening
        return lambda bot: RemoteSlot(bot, door, self._rules.wait_s, listening.reconnect_s, most)

    def _taking_part(self, number: int, field: tuple[str, ...]) -> tuple[str, ...]:
        assert self.lobby is not None, "rounds are opened while the door is"
        return self.lobby.taking_part(number, field)

    def _publish(self, state: dict[str, Any]) -> None:
        bulletin.publish(self._file, {"event": self.plan.tournament.name, "port": self.port, **state})


def connections(door: Door) -> Counter[str]:
    """Open connections by bot."""
    return Counter(line.grant.name for line in door.lines)


async def usher(door: Door, lobby: Lobby) -> None:
    """Send those away who have nothing to wait for, and once games are played keep the bulletin up to date."""
    while True:
        strangers = [line for line in door.lines if not lobby.may_stay(line.grant.name)]
        await door.dismiss(strangers, NOT_ENTERED, "is not for this event")
        if lobby.begun:
            lobby.look()
        with suppress(TimeoutError):
            async with asyncio.timeout(USHER_S):
                await door.changed()


def past_of(rounds: Iterable[Round], out: Collection[str]) -> Past:
    """What the stored rounds of an event tell, and who was taken out."""
    opened_rounds = list(rounds)
    joined = frozenset(name for each in opened_rounds for name in each.field)
    return Past(len(opened_rounds), joined, frozenset(out))


def with_remote(find: Callable[[str, Path | None], Bot], place: Place, file: Path) -> Callable[[str, Path | None], Bot]:
    """Finds `remote:NAME` by the tokens of a store, all others as `find` does, for the tournament in a file.

    In an event that has begun a bot without a valid token is found as well: it cannot come, and loses what it misses.
    """

    def found(reference: str, near: Path | None = None) -> Bot:
        if not reference.startswith(REMOTE):
            return find(reference, near)
        name = reference.removeprefix(REMOTE)
        try:
            with Tokens.open(place, create=False) as tokens:
                return remote_bot(reference, tokens)
        except (ConfigError, BotError) as error:
            if error.code == "NO_STORE":
                fix = f"arena token issue {name}"
                raise ConfigError(f"no valid token for {name!r}", fix=fix, code="NO_TOKEN") from None
            entered = _entered(place, file, name) if error.code == "NO_TOKEN" else None
            if entered is None:
                raise
            return away(entered)

    return found


def _entered(place: Place, file: Path, name: str) -> str | None:
    """The name under which a remote bot is in the event of a file, if that is stored."""
    event = tomllib.loads(file.read_text(encoding="utf-8")).get("name")
    with Store.open(place, create=False) as store:
        tournament = store.tournament(event) if isinstance(event, str) else None
    wanted = f"{REMOTE}{name}".casefold()
    entrants = tournament.entrants if tournament is not None else ()
    return next((each.name for each in entrants if each.source.casefold() == wanted), None)
