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
from arena.cli.flags import UsageError
from arena.cli.output import Column, Output
from arena.cli.remote import Certificate, Insecure, Key, Listen, Reconnect, Wait, listening_of
from arena.cli.sandboxing import Sandbox, means_of
from arena.cli.told import tell_faults

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from arena.bots.manifest import Bot
    from arena.core.game import AnyGame
    from arena.match.clock import Clock
    from arena.record.results import GameKey
    from arena.runner.bout import Watch
    from arena.runner.remote import Listening
    from arena.runner.single import Single
    from arena.store.place import Place
    from arena.store.values import StoredGame


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
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="FIELD=VALUE", help="A ruleset field; may be repeated.")
    ] = None,
    clock: Annotated[
        str, typer.Option("--clock", metavar="BANK+INC", help="Bank and increment in seconds.")
    ] = "10s+0.1",
    no_clock: Annotated[bool, typer.Option("--no-clock", help="No limits, for debuggers.")] = False,
    listen: Listen = None,
    tls_cert: Certificate = None,
    tls_key: Key = None,
    insecure: Insecure = False,
    wait: Wait = 60,
    reconnect: Reconnect = 0,
    sandbox: Sandbox = "auto",
) -> None:
    """One game between bots, move by move; with --n several, with their scores.

    \b
    arena play crowsnest counter basic
    arena play goat bots/fox fox@3 --board 7f3a
    arena play goat basic remote:fox --listen 0.0.0.0:4443 --tls-cert arena.pem --tls-key arena.key
    """
    output: Output = ctx.obj
    listening = listening_of(bots, listen, tls_cert, tls_key, insecure, wait, reconnect)
    from arena.bots.build import built
    from arena.games import make
    from arena.runner.outputs import logs_of
    from arena.runner.roster import Roster
    from arena.runner.single import Single, seat_bots

    ruleset = make(game, options_of(option or []))
    setting = None if no_clock else read_clock(clock)
    settings = settings_of(output)
    data = settings.data
    find: Callable[[str], Bot] = Roster(data, settings.store).find
    if listening is not None:
        from arena.runner.remote import finding

        find = finding(find, settings.store)
    named = seat_bots(ruleset, [find(name) for name in bots])
    means = means_of(output, sandbox, [bot for bot in named if not bot.remote])
    seated = tuple(bot if bot.remote else built(bot, data / "builds", means=means) for bot in named)
    for name, bot in zip(bots, seated, strict=False):
        if bot.number and Path(name).is_dir():
            output.note(f"{name} is {bot.name} v{bot.number}, as it was added; for the folder write ./{name}")
    seed = board if board is not None else secrets.token_hex(4)
    logs = data / "logs" / "play"
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    logs.mkdir(parents=True, exist_ok=True, mode=0o700)
    for bot in seated:  # processes of the same name add to their logs
        for log in logs_of(logs.parent, bot.name):
            if log.event == logs.name:
                log.file.unlink(missing_ok=True)
    single = Single(ruleset, seated, secret_of(seed), boards=count, clock=setting, logs=logs, means=means)
    watched = count == 1 and not (output.flags.json or output.flags.csv)
    played = _played(output, single, seed, watched, settings.store, listening)
    files = [_keep(data, seed, game) for game in played]
    if not watched:
        _show(output, played, files)
    voids = sum(not game.result.scores for game in played)
    output.note(f"replay: {files[0]}" if len(files) == 1 else f"replays: {files[0].parent}")
    output.next_step(f"arena replay show {files[0]} --all-hands")
    if voids:
        output.error_line(f"{voids} of {len(played)} games void: {played[-1].result.reason}")
        raise typer.Exit(1)


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
    output: Output, single: Single, seed: str, watched: bool, store: Place, listening: Listening | None
) -> list[StoredGame]:
    """Play, telling the game meanwhile or showing progress."""
    from arena.cli import stoppable
    from arena.runner.single import play_single

    def playing(watch: Watch | None = None) -> Coroutine[Any, Any, list[StoredGame]]:
        if listening is None:
            return play_single(single, watch)
        from arena.runner.remote import play_remote

        return play_remote(single, listening, store, output.note, watch)

    if not watched:
        from arena.cli.progress import progress

        with progress(output, single.game.id, single.boards, "games") as shown:
            done = stoppable.run(playing())
            shown.update(len(done))
            return done
    teller = Teller(output, single, seed)
    played = stoppable.run(playing(teller.begin))
    teller.end(played[0])
    return played


class Teller:
    """Tells a game on stdout while it is played."""

    def __init__(self, output: Output, single: Single, seed: str) -> None:
        self._output = output
        self._single = single
        self._seed = seed
        self._narrator: Any = None  # Any: imported late
        self._state: Any = None  # Any: the state of whichever game is told

    def begin(self, key: GameKey, bots: tuple[str, ...]) -> Callable[[Any, Any], None]:
        """A game begins: say what was dealt."""
        from arena.record.text import Narrator

        game = self._single.game
        self._narrator = Narrator(game, bots, ascii_only=self._output.ascii)
        self._state = first_state(game, self._single.secret, key.board)
        self._output.write(self._narrator.opening(self._state, self._seed))
        return self.move

    def move(self, record: Any, after: Any) -> None:
        """A move was played."""
        text = self._narrator.move(self._state, record.seat, record.move, after, record.fault)
        self._output.write(text)
        self._state = after

    def end(self, game: StoredGame) -> None:
        """The game is over: say what counts."""
        from arena.record.transcript import from_data

        self._output.write(self._narrator.ending(self._state, from_data(dict(game.result.transcript))))
        tell_faults(self._output, game.result.faults, game.bots)


def first_state(game: AnyGame, secret: bytes, board: int) -> Any:
    """The state before the first move of a board. Any: the state of whichever game."""
    from arena.core.chance import board_seed
    from arena.core.game import SeededBoard

    return game.start(SeededBoard(board_seed(secret, game.id, game.describe(), board)))


def _keep(data: Path, seed: str, game: StoredGame) -> Path:
    """Write a game's transcript into the data folder and return its path."""
    from arena.record.transcript import from_data, to_json

    folder = data / "games"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    name = re.sub(r"[^A-Za-z0-9_-]", "-", seed)[:40]
    stem, number = f"{name}-{game.key.board:02}", 1
    while (file := folder / f"{stem}{'' if number == 1 else f'-{number}'}.arena").exists():
        number += 1  # a game on the same board before: to be compared, not to be overwritten
    file.touch(mode=0o600)
    file.write_text(to_json(from_data(dict(game.result.transcript))), encoding="utf-8")
    return file


def _show(output: Output, played: list[StoredGame], files: list[Path]) -> None:
    if output.flags.json:
        data = [
            {
                "board": game.key.board,
                "bots": list(game.bots),
                "verdict": game.result.verdict.value,
                "scores": list(game.result.scores),
                "ranks": list(game.result.ranks),
                "faults": [
                    {"seat": fault.seat, "code": fault.code, "turn": fault.turn} for fault in game.result.faults
                ],
                "replay": str(file),
            }
            for game, file in zip(played, files, strict=True)
        ]
        output.document("play/1", data)
        return
    headings = ("board", "bots by seat", "scores", "verdict", "faults", "replay")
    rows = [
        (
            game.key.board,
            " ".join(game.bots),
            " ".join(f"{score:g}" for score in game.result.scores),
            game.result.verdict.value,
            " ".join(f"{fault.seat}:{fault.code}" for fault in game.result.faults),
            str(file),
        )
        for game, file in zip(played, files, strict=True)
    ]
    if output.flags.csv:
        output.rows(headings, rows)
    else:
        output.table(
            [Column(heading, right=heading == "board") for heading in headings],
            [[str(cell) for cell in row] for row in rows],
        )
