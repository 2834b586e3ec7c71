"""Who is on a ladder: before a round is opened, versions come, replace older ones of their name, and leave.

The registry is asked anew before every round, so that `arena bot add` and `arena bot retire` take effect while the
ladder runs. Competitors are versions, named "fox@3". A version that cannot be made ready stays out, and an older one
plays on; nobody stops the ladder. Knows the store and bots; not who meets whom.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from arena.bots.kept import kept_bot
from arena.bots.manifest import Bot
from arena.bots.sandbox.means import Means
from arena.core.errors import BotError
from arena.runner.course import schedule_for
from arena.runner.frozen import counting, freeze_of
from arena.runner.keeping.limits import Quotas
from arena.runner.keeping.quotas import games_of_day, out_of_games, owners
from arena.runner.plan import Plan
from arena.runner.prepare import fixed, source_of
from arena.runner.wanted import Wanted, changes, label, wanted
from arena.store.bot_games import BotGames
from arena.store.store import Store
from arena.store.values import Entrant, Registered, Tournament
from arena.tournament.running import Running

Tell = Callable[[str], None]


def _as_is(bot: Bot) -> Bot:
    return bot


@dataclass(eq=False)
class Members:
    """The members of one ladder, while it runs."""

    store: Store
    tournament: Tournament
    references: Sequence[str]
    """The tournament file's bots as they are written there ..."""
    listed: Sequence[Bot]
    """... and as they were found."""
    open: bool
    data: Path
    means: Means | None
    tell: Tell | None = None
    """Where words about who comes and goes are said."""
    quotas: Quotas | None = None
    trusted: bool = True
    """Whether bots that did not come with the arena may play where nothing keeps them apart."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    bots: dict[str, Bot] = field(default_factory=dict)
    """Competitor -> bot that is ready, of those who play now."""
    owner_of: dict[str, str] = field(default_factory=dict)
    """Competitor -> owner."""
    _refused: set[tuple[str, str]] = field(default_factory=set)
    _said: str = ""
    _paused: tuple[str, ...] = ()

    def take_up(self) -> None:
        """Make ready who plays in a round that was opened and is not closed."""
        self._note_owners(self._entrants(), self.store.registered())
        begun = [each.field for each in self.store.rounds(self.tournament.id) if each.closed is None]
        entrants = {each.name: each for each in self._entrants()}
        listed = {(bot.name, bot.version): bot for bot in self.listed}
        for name in dict.fromkeys(name for names in begun for name in names):
            own, version = name.partition("@")[0], entrants[name].version
            number = int(name.partition("@")[2]) if entrants[name].source.startswith("registered:") else 0
            bot = listed.get((own, version))
            self._ready(
                name, version, partial(self._kept, own, number, version) if bot is None else partial(_as_is, bot)
            )

    def join(self, number: int) -> None:
        """Bring the members up to date before round `number` is opened for the first time."""
        registered = self.store.registered()
        entrants = self._entrants()
        known = {each.name: each.version for each in entrants}
        playing = {}
        out = self._disabled()
        game, counts = self.tournament.game, self._counts(registered)
        for each in wanted(self.references, self.listed, registered, game, open=self.open, counts=counts):
            found = self._first_ready(each, known) if each.name not in out else None
            if found is not None:
                playing[found] = self.bots[found]
        new, back, gone = changes(entrants, playing)
        if gone:
            self.store.leave(self.tournament.id, gone, number - 1)
        if back:
            self.store.come_back(self.tournament.id, back)
        if new:
            self.store.enter(self.tournament.id, [self._entrant(name, number) for name in new])
        for name in self.bots.keys() - playing.keys():
            del self.bots[name]
        if number > 1 or gone:
            self._say(number, (*new, *back), gone)
        self._note_owners(self._entrants() if new else entrants, registered)

    def _disabled(self) -> set[str]:
        """Bots that an organiser took out, in all their versions, in small letters."""
        out = self.store.quarantines(self.tournament.id, active=True)
        return {each.quarantine.bot.partition("@")[0].casefold() for each in out if each.disabled}

    def _counts(self, registered: Sequence[Registered]) -> Collection[tuple[str, int]] | None:
        """The versions that were sent before the ladder's freeze."""
        freeze = freeze_of(self.store, self.tournament.name, self.tournament.series, ladder=True)
        if freeze is None:
            return None
        return {(each.name, each.number) for each in counting(self.store, registered, freeze)}

    def _entrant(self, name: str, number: int) -> Entrant:
        bot = self.bots[name]
        return Entrant(name, bot.version, source_of(bot), bot.manifest, number)

    def taking_part(self, number: int, names: tuple[str, ...]) -> tuple[str, ...]:
        """Of those who may play a round that is opened now all but the paused ones, and those whose owners have no game
        left today."""
        names = self._going_on(number, names)
        if self.quotas is None or not self.quotas.games_per_day:
            return names
        spent = out_of_games(games_of_day(self.store, owners(self.store.registered()), self.now()), self.quotas)
        resting = [name for name in names if self.owner_of.get(name, "").casefold() in spent]
        said = ", ".join(sorted({self.owner_of[name] for name in resting}))
        if said and said != self._said:
            self._tell(f"round {number}: bots of {said} sit out: {self.quotas.games_per_day} games a day are played")
        self._said = said
        return tuple(name for name in names if name not in resting)

    def _going_on(self, number: int, names: tuple[str, ...]) -> tuple[str, ...]:
        """All but those whose owners paused them; their place on the ladder stays theirs."""
        paused = {folded for folded, (_, paused) in BotGames(self.store.database).settings().items() if paused}
        resting = tuple(
            name for name in names if name.partition("@")[0].casefold() in paused and self.bots[name].number
        )
        if resting and resting != self._paused:
            self._tell(f"round {number}: {', '.join(resting)} sit out: paused by their owners")
        self._paused = resting
        return tuple(name for name in names if name not in resting)

    def _tell(self, words: str) -> None:
        if self.tell is not None:
            self.tell(words)

    def _entrants(self) -> tuple[Entrant, ...]:
        found = self.store.tournament(self.tournament.name)
        return found.entrants if found is not None else ()

    def _note_owners(self, entrants: Sequence[Entrant], registered: Sequence[Registered]) -> None:
        known = owners(registered)
        for each in entrants:
            own = each.name.partition("@")[0].casefold()
            if each.source.startswith("registered:") and known.get(own):
                self.owner_of[each.name] = known[own]

    def _first_ready(self, each: Wanted, known: Mapping[str, str]) -> str | None:
        for bot in each.bots:
            name = label(bot, known)
            if self._ready(name, bot.version, partial(_as_is, bot)):
                return name
        for version in each.versions:
            name = f"{version.name}@{version.number}"
            if self._ready(name, version.version, partial(self._kept, version.name, version.number, version.version)):
                return name
        return None

    def _kept(self, name: str, number: int, version: str) -> Bot:
        return kept_bot(self.data / "bots", name, number, version)

    def _ready(self, name: str, version: str, find: Callable[[], Bot]) -> bool:
        """Whether a version can play: it is copied and built now unless it was. Said once in a run when it cannot."""
        if name in self.bots:
            return True
        if (name, version) in self._refused:
            return False
        try:
            bot = find()
            bot.must_play(self.tournament.game)
            self._must_be_apart(bot)
            self.bots[name] = fixed(bot, self.data, self.means)
        except BotError as error:
            self._refused.add((name, version))
            self._tell(f"{name} is left out: {error.message}{f' ({error.saw})' if error.saw else ''}")
            return False
        return True

    def _must_be_apart(self, bot: Bot) -> None:
        apart = self.trusted or self.means is None or self.means.boxed
        if not (bot.house or apart):
            raise BotError(
                "this machine cannot keep bots apart, and it did not come with the arena",
                fix="run the ladder where a sandbox works, or type --sandbox none if you trust the bots",
                code="NO_SANDBOX",
            )

    def _say(self, number: int, came: Sequence[str], gone: Sequence[str]) -> None:
        """Who joins, in whose place, and who leaves."""
        left = {name.partition("@")[0]: name for name in gone}
        for name in came:
            before = left.pop(name.partition("@")[0], "")
            self._tell(f"round {number}: {name} joins{f' in place of {before}' if before else ''}")
        for name in left.values():
            self._tell(f"round {number}: {name} leaves")


def on_ladder(plan: Plan, members: Members, config: Mapping[str, Any]) -> Plan:  # Any: JSON
    """The plan of a ladder: with its members, and with what they change before each round."""
    members.take_up()
    names = tuple(members.bots)
    schedule = schedule_for(plan.game, names, {**config, "owners": members.owner_of}, plan.tournament.secret)
    return replace(
        plan,
        bots=members.bots,
        schedule=schedule,
        joining=members.join,
        taking_part=members.taking_part,
        history=Running,
        secret_per_round=True,
    )
