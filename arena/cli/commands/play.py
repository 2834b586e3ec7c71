"""`arena play`: a game now, on the screen, move by move; or several, with their scores."""

from __future__ import annotations

import re
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.app import Command, settings_of
from arena.cli.bots.names import complete_bots
from arena.cli.commands.games import complete_games
from arena.cli.commands.simulate import options_of
from arena.cli.flags import UsageError, refuse_beside
from arena.cli.output import Output
from arena.cli.playing.kept import Played, finish, keep
from arena.cli.playing.telling import Teller, tell
from arena.cli.remote import Certificate, Insecure, Key, Listen, Reconnect, Wait, listening_of
from arena.cli.sandboxing import Sandbox, means_of

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from arena.bots.manifest import Bot
    from arena.core.game import AnyGame
    from arena.match.clock import Clock
    from arena.runner.bout import Watch
    from arena.runner.remote import Listening
    from arena.runner.single import Single
    from arena.store.place import Place
    from arena.store.values import StoredGame

CLOCK = "10s+0.1"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("play", cls=Command)(play)


def play(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="An id of `arena games`.", autocompletion=complete_games)],
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...", help="Names, versions or folders; one for each side.", autocompletion=complete_bots
        ),
    ],
    board: Annotated[
        str | None, typer.Option("--board", metavar="SEED", help="Any text: the same cards again.")
    ] = None,
    count: Annotated[int, typer.Option("--n", metavar="N", min=1, max=10_000, help="How many games.")] = 1,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat", metavar="N=human", help="You play seat N, in a browser, without a clock unless one is given."
        ),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Step through it in the terminal while it is played.")] = False,
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="FIELD=VALUE", help="A ruleset field; may be repeated.")
    ] = None,
    clock: Annotated[
        str | None,
        typer.Option("--clock", metavar="BANK+INC", help="Bank and increment in seconds.  [default: 10s+0.1]"),
    ] = None,
    no_clock: Annotated[bool, typer.Option("--no-clock", help="No limits, for debuggers.")] = False,
    listen: Listen = None,
    tls_cert: Certificate = None,
    tls_key: Key = None,
    insecure: Insecure = False,
    wait: Wait = 60,
    reconnect: Reconnect = 0,
    sandbox: Sandbox = "auto",
) -> None:
    """One game between bots, move by move; with --n several, with their scores; with --seat you play.

    \b
    arena play crowsnest counter basic
    arena play goat bots/fox fox@3 --board 7f3a
    arena play crowsnest basic counter --seat 2=human
    """
    output: Output = ctx.obj
    if seat:
        refuse_beside("--seat", {"--n": count > 1, "--listen": listen is not None, "--sandbox": sandbox != "auto"})
    if watch:
        others = {"--n": count > 1, "--seat": bool(seat), "--json": output.flags.json, "--csv": output.flags.csv}
        refuse_beside("--watch", others)
    listening = listening_of(bots, listen, tls_cert, tls_key, insecure, wait, reconnect)
    from arena.games import make
    from arena.runner.roster import Roster

    ruleset = make(game, options_of(option or []))
    setting = None if no_clock else read_clock(clock or CLOCK)
    settings = settings_of(output)
    seed = board if board is not None else secrets.token_hex(4)
    find: Callable[[str], Bot] = Roster(settings.data, settings.store).find
    if listening is not None:
        from arena.runner.remote import finding

        find = finding(find, settings.store)
    found = [find(name) for name in bots]
    for name, bot in zip(bots, found, strict=True):
        if bot.number and Path(name).is_dir():
            output.note(f"{name} is {bot.name} v{bot.number}, as it was added; for the folder write ./{name}")
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    if seat:
        from arena.cli.playing import person

        place = person.seat_of(seat, ruleset)
        seated = person.seated(ruleset, place, found)
        own = setting if clock is not None else None
        wanted = person.Wanted(ruleset, seated, secret_of(seed), own, no_clock)
        played, told = [person.play_with_person(output, wanted, settings)], False
        if not (output.flags.json or output.flags.csv):
            tell(output, played[0], seed)
            told = True
    else:
        single = _prepared(output, ruleset, found, seed, count, setting, sandbox)
        told = count == 1 and not (output.flags.json or output.flags.csv)
        played = _played(output, single, seed, told, settings.store, listening, steps=watch)
    finish(output, played, [keep(settings.data, seed, each) for each in played], told=told)


def _prepared(
    output: Output, game: AnyGame, found: list[Bot], seed: str, count: int, clock: Clock | None, sandbox: str
) -> Single:
    """The games with their bots built, and with room for what those will write."""
    from arena.bots.build import built
    from arena.runner.outputs import logs_of
    from arena.runner.single import Single, seat_bots
    from arena.runner.spectating.room import PLAYED, live_place

    data = settings_of(output).data
    named = seat_bots(game, found)
    means = means_of(output, sandbox, [bot for bot in named if not bot.remote])
    seated = tuple(bot if bot.remote else built(bot, data / "builds", means=means) for bot in named)
    logs = data / "logs" / "play"
    logs.mkdir(parents=True, exist_ok=True, mode=0o700)
    for bot in seated:  # processes of the same name add to their logs
        for log in logs_of(logs.parent, bot.name):
            if log.event == logs.name:
                log.file.unlink(missing_ok=True)
    live = live_place(data, PLAYED)
    return Single(game, seated, secret_of(seed), boards=count, clock=clock, logs=logs, means=means, live=live)


def read_clock(text: str) -> Clock:
    """The clock of a text like "5s+0.1": bank and increment in seconds. Raises UsageError."""
    from arena.match.clock import Clock

    found = re.fullmatch(r"(\d{1,5}(?:\.\d+)?)s?\+(\d{1,5}(?:\.\d+)?)s?", text)
    if found is None:
        raise UsageError(f"--clock cannot be {text!r}", saw=f"--clock {text}", fix="write seconds, like --clock 5s+0.1")
    return Clock(round(float(found[1]) * 1000), round(float(found[2]) * 1000))


def secret_of(seed: str) -> bytes:
    """The secret that a typed seed stands for."""
    from hashlib import sha256

    return sha256(b"arena play " + seed.encode()).digest()


def _played(
    output: Output,
    single: Single,
    seed: str,
    told: bool,
    store: Place,
    listening: Listening | None,
    *,
    steps: bool = False,
) -> list[Played]:
    """Play: telling the game meanwhile, stepping through it, or showing progress."""
    from arena.cli import stoppable
    from arena.runner.single import play_single

    def playing(watch: Watch | None = None) -> Coroutine[Any, Any, list[StoredGame]]:
        if listening is None:
            return play_single(single, watch)
        from arena.runner.remote import play_remote

        return play_remote(single, listening, store, output.note, watch)

    if steps:
        from arena.cli.playing.watching import watched
        from arena.cli.replays.stepping import is_terminal

        games = [_as_kept(game) for game in stoppable.run(watched(output, single, seed, playing))]
        tell(output, games[0], seed, ending=not is_terminal())
        return games
    if not told:
        from arena.cli.progress import progress

        with progress(output, single.game.id, single.boards, "games") as shown:
            done = stoppable.run(playing())
            shown.update(len(done))
            return [_as_kept(game) for game in done]
    teller = Teller(output, single, seed)
    done = stoppable.run(playing(teller.begin))
    teller.end(done[0])
    return [_as_kept(game) for game in done]


def _as_kept(game: StoredGame) -> Played:
    from arena.record.transcript import from_data

    return Played(game.key.board, game.bots, from_data(dict(game.result.transcript)))
