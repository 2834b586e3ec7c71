"""Opens the door of `arena play` to bots on other machines, waits until they have dialled in, and plays.

It joins the store, which knows tokens, to the door, which knows connections; neither knows the other.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.bots.manifest import NAME, Bot
from arena.core.errors import BotError, ConfigError
from arena.runner.bout import Watch
from arena.runner.course import REMOTE
from arena.runner.remote_slot import RemoteSlot
from arena.runner.single import Single, play_single
from arena.store.place import Place
from arena.store.tokens import Tokens
from arena.store.values import StoredGame
from arena.wire.door import MOST_GAMES, Door
from arena.wire.line import Grant
from arena.wire.tls import tls_of


@dataclass(frozen=True, slots=True)
class Listening:
    """Where and how remote bots are waited for."""

    host: str
    port: int
    certificate: Path | None
    key: Path | None
    """None: no TLS, on loopback only."""
    wait_s: float = 60.0
    reconnect_s: float = 0.0
    """How long a lost connection may be away; 0: the game is forfeited at once."""


class StoreGuard:
    """Asks the store who may come in, in threads, so that a slow disk holds up no game."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    async def admit(self, token: str) -> Grant | None:
        """What a token allows now."""
        return await asyncio.to_thread(self._admit, token)

    async def standing(self, ids: frozenset[int]) -> frozenset[int]:
        """Those that are not revoked."""
        return ids - await asyncio.to_thread(self._tokens.revoked, ids)

    def _admit(self, text: str) -> Grant | None:
        found = self._tokens.admitted(text)
        if found is None:
            return None
        self._tokens.saw(found.id)
        return Grant(found.id, found.name, found.slots)


def finding(find: Callable[[str], Bot], store: Place) -> Callable[[str], Bot]:
    """Finds remote bots by the tokens of a store, and all others as `find` does."""

    def found(reference: str) -> Bot:
        if not reference.startswith(REMOTE):
            return find(reference)
        with Tokens.open(store) as tokens:
            return remote_bot(reference, tokens)

    return found


def remote_bot(reference: str, tokens: Tokens) -> Bot:
    """The bot of `remote:NAME`. Raises BotError BAD_NAME, ConfigError NO_TOKEN when no valid token has the name."""
    name = reference.removeprefix(REMOTE)
    if not NAME.fullmatch(name):
        raise BotError(f"no bot can be called {name!r}", fix="1 to 32 letters, digits, - or _", code="BAD_NAME")
    token = tokens.named(name)
    if token is None:
        raise ConfigError(f"no valid token for {name!r}", fix=f"arena token issue {name}", code="NO_TOKEN")
    return away(token.name)


def away(name: str) -> Bot:
    """A bot on a machine of its own: nobody knows what it is."""
    return Bot(name, Path(), (), ("*",), MOST_GAMES, "remote", house=False, remote=True)


def needed_lines(single: Single) -> Counter[str]:
    """How many connections each remote bot needs: one for each of its seats."""
    needed: Counter[str] = Counter()
    for side, bot in enumerate(single.bots):
        if bot.remote:
            needed[bot.name] += len(single.game.sides[side])
    return needed


def check_slots(needed: Counter[str], tokens: Tokens) -> None:
    """Raises ConfigError NO_TOKEN for a bot whose token has too few slots."""
    for name, count in needed.items():
        token = tokens.named(name)
        slots = token.slots if token is not None else 0
        if slots < count:
            raise ConfigError(
                f"{name} has {count} seats at this table, its token {slots} slot{'s' if slots != 1 else ''}",
                fix=f"arena token revoke {name}, then  arena token issue {name} --slots {count}",
                code="NO_TOKEN",
            )


@asynccontextmanager
async def opened(listening: Listening, tokens: Tokens) -> AsyncIterator[Door]:
    """The door while the block runs. Raises ConfigError for an address, a certificate or a key that will not do."""
    tls = None
    if listening.certificate is not None and listening.key is not None:
        tls = tls_of(listening.certificate, listening.key)
    door = Door(listening.host, listening.port, tls, StoreGuard(tokens))
    try:
        await door.start()
        yield door
    finally:
        await door.stop()


async def dialled_in(door: Door, needed: Counter[str], wait_s: float, tell: Callable[[str], None]) -> None:
    """Wait until every bot has as many connections as it needs. Raises BotError NO_HELLO after `wait_s`."""
    missing = dict(needed)
    tell(_waiting(door, missing, wait_s))
    try:
        async with asyncio.timeout(wait_s):
            while missing:
                here = Counter(line.grant.name for line in door.lines)
                left = {name: count - here[name] for name, count in needed.items() if here[name] < count}
                for name in missing.keys() - left.keys():
                    tell(f"{name} is here")
                missing = left
                if missing:
                    await door.changed()
    except TimeoutError:
        names = ", ".join(missing)
        raise BotError(
            f"{names} did not dial in within {wait_s:g} s",
            where=f"port {door.port}",
            saw=", ".join(f"{code} {count} x" for code, count in door.gate.refused.items()) or "nobody was turned away",
            fix="start the bot with ARENA_ADDRESS, ARENA_TOKEN and, for a private authority, ARENA_TLS_CA",
            code="NO_HELLO",
        ) from None


def _waiting(door: Door, missing: dict[str, int], wait_s: float) -> str:
    bots = ", ".join(name if count == 1 else f"{name} ({count} connections)" for name, count in missing.items())
    return f"waiting for {bots} at port {door.port}, at most {wait_s:g} s"


async def play_remote(
    single: Single, listening: Listening, store: Place, tell: Callable[[str], None], watch: Watch | None = None
) -> list[StoredGame]:
    """Open the door, wait for the bots, play as `play_single` does, and say goodbye. `store`: where the tokens are."""
    needed = needed_lines(single)
    with Tokens.open(store) as tokens:
        check_slots(needed, tokens)
        async with opened(listening, tokens) as door:
            await dialled_in(door, needed, listening.wait_s, tell)
            return await play_single(
                single, watch, lambda bot: RemoteSlot(bot, door, listening.wait_s, listening.reconnect_s)
            )
