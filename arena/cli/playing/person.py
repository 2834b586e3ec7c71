"""`arena play --seat N=human`: a table with a person's seat, at the site of the data folder, or at one of its own.

A site that runs is asked for the table; where none does, one is served for as long as the game lasts. Either way the
table is one like those of the page /play, and the person sits down with the address that is printed.
"""

from __future__ import annotations

import io
import json
import re
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from arena.cli.bots.sending import Line
from arena.cli.failure import Stopped
from arena.cli.flags import UsageError
from arena.cli.output import Output
from arena.cli.playing.kept import Played
from arena.core.errors import ArenaFault, ConfigError

if TYPE_CHECKING:
    from arena.bots.manifest import Bot
    from arena.core.game import AnyGame, Seat
    from arena.match.clock import Clock
    from arena.store.sittings import Sitting, Sittings
    from arena.web.reach import Reach
    from arena.web.site import Site

POLL_S = 0.2
SEEN_S = 10.0
"""How long a site of its own waits after the end until the person's page has shown it."""


@dataclass(frozen=True)
class Wanted:
    """The table that is asked for."""

    game: AnyGame
    bots: tuple[Bot | None, ...]
    """By seat; None: the person's."""
    secret: bytes
    clock: Clock | None
    """The person's; None: there is none."""
    patient: bool
    """Whether nobody hurries the bots."""


def seat_of(texts: Sequence[str], game: AnyGame) -> Seat:
    """The seat of texts like "2=human". Raises UsageError."""
    if len(texts) > 1:
        raise UsageError(
            "one person sits at a table", saw=" ".join(f"--seat {text}" for text in texts), fix="leave one --seat"
        )
    found = re.fullmatch(r"(\d)=(?:human|person)", texts[0])
    if found is None or int(found[1]) >= game.seats:
        raise UsageError(
            f"--seat cannot be {texts[0]!r}",
            saw=f"--seat {texts[0]}",
            fix=f"write a seat from 0 to {game.seats - 1}, like --seat {game.seats - 1}=human",
        )
    return int(found[1])


def seated(game: AnyGame, seat: Seat, bots: Sequence[Bot]) -> tuple[Bot | None, ...]:
    """The bots by seat, the person's seat without one: one bot fills the table, else one for each side that has other
    seats, in order. Raises ConfigError WRONG_NUMBER, and BotError for a bot that does not play the game."""
    sides = [number for number, seats in enumerate(game.sides) if set(seats) != {seat}]
    if len(bots) not in (1, len(sides)):
        what = "two partnerships" if len(game.sides) == 2 else f"the {len(sides)} other seats"
        raise ConfigError(
            f"{len(bots)} bots for {what} of {game.id}", fix=f"name 1 bot or {len(sides)} bots", code="WRONG_NUMBER"
        )
    for bot in bots:
        bot.must_play(game.id)
        if bot.remote:
            raise ConfigError(
                f"{bot.name} is on a machine of its own", where="--seat", fix="choose another bot", code="NO_BOT"
            )
    by_side = dict(zip(sides, bots if len(bots) > 1 else list(bots) * len(sides), strict=True))
    return tuple(by_side[game.side_of(each)] if each != seat else None for each in range(game.seats))


def play_with_person(output: Output, wanted: Wanted, settings: Any) -> Played:  # Any: config.Settings
    """Open the table, print the address of the person's seat, wait for the end.

    Raises what `Line.ask` does, Exit 1 when the game is void, ArenaFault when the site is lost, Stopped after Ctrl-C,
    when the table was left.
    """
    from arena.store.sittings import Sittings
    from arena.store.store import Store
    from arena.web.reach import reach

    with ExitStack() as stack:
        found, own = reach(settings.data, settings.store), None
        if found is None:
            found, own = stack.enter_context(_served(settings))
        line = Line(found.address, found.key)
        table = line.ask("POST", "/api/tables", io.BytesIO(_wish(wanted)), "application/json")
        try:
            output.error_line(f"seat: {found.address}{table['seat']}")
            output.note("open it in a browser: the game begins at once, and ends here too (Ctrl-C leaves the table)")
            store = stack.enter_context(Store.open(settings.store))
            sittings = Sittings(store.database)
            sitting = _waited(sittings, table["id"], settings, found)
        except (KeyboardInterrupt, Stopped) as stop:
            _leave(found, table)
            raise stop if isinstance(stop, Stopped) else Stopped(130) from None
        transcript = sittings.transcript(sitting.public_id)
        if transcript is None:
            output.error_line(f"the game is void: {sitting.reason}")
            raise typer.Exit(1)
        if sitting.reason:
            output.note(sitting.reason)
        if own is not None:
            _until_seen(own, sitting)
    from arena.record.transcript import from_data

    made = from_data(transcript)
    return Played(1, tuple(bot.partition("@")[0] for bot in made.bots), made)


@contextmanager
def _served(settings: Any) -> Iterator[tuple[Reach, Site]]:
    """A site of its own on this machine, for the time of the block."""
    from arena.store.lock import site_lock
    from arena.web.reach import announced
    from arena.web.server import listen, serve_until
    from arena.web.site import Settings, Site

    listening = listen("127.0.0.1", 0)
    site = Site.open(Settings(settings.data, settings.store, settings.file, quotas=settings.quotas))
    stop, ready = threading.Event(), threading.Event()
    wrong: list[BaseException] = []

    def serve() -> None:
        try:
            serve_until(site, listening, stop, ready.set)
        except BaseException as error:  # raised anew where the command waits
            wrong.append(error)

    thread = threading.Thread(target=serve, daemon=True)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    with site_lock(settings.data, settings.store), announced(site, address) as found:
        thread.start()
        try:
            while not ready.wait(POLL_S):
                if wrong:
                    raise wrong[0]
            yield found, site
        finally:
            stop.set()
            thread.join()


def _wish(wanted: Wanted) -> bytes:
    from arena.core import options

    clock = wanted.clock
    return json.dumps(
        {
            "game": wanted.game.id,
            "options": options.to_data(wanted.game.ruleset),
            "bots": [_reference(bot) if bot is not None else None for bot in wanted.bots],
            "secret": wanted.secret.hex(),
            "bank_ms": clock.bank_ms if clock is not None else None,
            "increment_ms": clock.increment_ms if clock is not None else 0,
            "patient": wanted.patient,
        }
    ).encode()


def _reference(bot: Bot) -> str:
    """What a bot is called wherever the program runs that looks for it."""
    if bot.house:
        return bot.name
    return f"{bot.name}@{bot.number}" if bot.number else str(bot.folder.resolve())


def _waited(sittings: Sittings, public_id: str, settings: Any, site: Reach) -> Sitting:
    """The sitting when it is over. Raises ArenaFault when the site is gone."""
    from arena.store.lock import SITE, holder
    from arena.store.sittings import RUNNING

    while True:
        who = holder(settings.data, SITE, settings.store)
        sitting = sittings.find(public_id)
        if sitting is not None and sitting.state != RUNNING:
            return sitting
        if who is None or who.pid != site.pid:
            raise ArenaFault("the site was ended, and the table with it", where=site.address, fix="play again")
        time.sleep(POLL_S)


def _leave(site: Reach, table: dict[str, Any]) -> None:
    """Leave the table, as its button does; the default moves are played to the end."""
    from http.client import HTTPException
    from urllib.request import ProxyHandler, Request, build_opener

    from arena.cli.bots.sending import NoRedirect

    asked = Request(f"{site.address}/g/{table['id']}/leave", b"", {"Cookie": f"seat_key={table['key']}"}, method="POST")
    with suppress(OSError, HTTPException):
        build_opener(NoRedirect, ProxyHandler({})).open(asked, timeout=POLL_S * 25)


def _until_seen(site: Site, sitting: Sitting) -> None:
    """Wait a while until the page of the person has the end."""
    from arena.store.sittings import FINISHED
    from arena.web.play.tables import tables_of

    end = time.monotonic() + (SEEN_S if sitting.state == FINISHED else SEEN_S / 10)
    while time.monotonic() < end:
        seating = tables_of(site).find(sitting.public_id)
        time.sleep(POLL_S)  # an answer may be on its way
        if seating is None or seating.end_seen:
            return
