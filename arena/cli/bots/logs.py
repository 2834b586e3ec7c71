"""`arena bot logs`: what a bot's processes wrote on stdout and stderr."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.app import settings_of
from arena.cli.bots.names import complete_bots
from arena.cli.failure import one_line
from arena.cli.flags import UsageError, refuse_beside
from arena.cli.output import Output
from arena.core.errors import BotError, ConfigError

if TYPE_CHECKING:
    from arena.runner.outputs import Log
    from arena.store.store import Store


def logs(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A bot.", autocompletion=complete_bots)],
    last: Annotated[bool, typer.Option("--last", help="The newest output that is not empty; the default.")] = False,
    faults: Annotated[bool, typer.Option("--faults", help="Output from games with a fault of the bot.")] = False,
    game: Annotated[str | None, typer.Option("--game", metavar="ID", help="Output from around one game.")] = None,
    turn: Annotated[
        int | None, typer.Option("--turn", metavar="N", min=0, help="Only what was written at turn N.")
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Go on with what it writes from now on, until Ctrl-C.")
    ] = False,
) -> None:
    """What a bot wrote on stdout and stderr, turn by turn: the first and last 512 KiB of each process.

    \b
    arena bot logs fox
    arena bot logs fox --faults
    arena bot logs fox --game spring-r1-b17-t2-1 --turn 31
    """
    output: Output = ctx.obj
    if follow:
        beside = {"--last": last, "--faults": faults, "--game": game is not None, "--turn": turn is not None}
        refuse_beside("--follow", beside | {"--json": output.flags.json, "--csv": output.flags.csv})
    if last + faults + (game is not None) > 1:
        raise UsageError("--last, --faults and --game exclude each other", where="command line", fix="leave one")
    from arena.store.store import Store

    settings = settings_of(output)
    if follow:
        from arena.cli.bots.following import follow_logs

        with Store.open(settings.store) as store:
            follow_logs(output, store, settings.data, name)
    with Store.open(settings.store) as store:
        _show(output, _chosen(output, store, settings.data, name, faults=faults, game=game), turn)
    output.next_step(f"arena bot show {name}")


def _chosen(output: Output, store: Store, data: Path, name: str, *, faults: bool, game: str | None) -> list[Log]:
    """The logs that are asked for and may be read. Raises BotError NO_LOG where there are none, else Sealed."""
    from arena.cli.stored import Sealed
    from arena.runner.outputs import logs_of, of_faults, of_game, sealed
    from arena.runner.sealing import boards_text

    known = logs_of(data / "logs", name)
    if game is not None:
        full = store.game(game)
        if full is None:
            raise ConfigError(f"no game {game!r}", where=store.where, fix="arena replay list", code="NO_GAME")
        found = of_game(known, full.info.tournament, full.info.row.key)
    else:
        found = of_faults(store, known, name) if faults else known
    if faults and not found:
        output.note(f"no fault of {name} with output that is kept")
        return []
    if not found:
        raise BotError(
            f"no output of {name!r} is kept",
            where=str(data / "logs"),
            saw=game or f"{len(known)} logs of {name}",
            fix="output is kept of arena bot check, arena play and tournaments",
            code="NO_LOG",
        )
    closed = sealed(store, found)
    free = [log for log in found if log.file not in closed]
    if not free:
        raise Sealed(
            f"the output of {name} is sealed: it opens when all tables have played the boards that its process played",
            where=str(found[0].file),
            saw=f"{boards_text(closed[found[0].file])} of {found[0].event} not done",
            fix=f"wait, or finish it: arena tournament run; see arena tournament status {found[0].event}",
        )
    if closed:
        output.note(
            f"{len(closed)} logs are left out: each opens when all tables have played the boards of its process"
        )
    return free if faults or game else [next((log for log in free if log.file.stat().st_size), free[0])]


def _show(output: Output, shown: list[Log], turn: int | None = None) -> None:
    """Logs; of each only what belongs to a turn, if one is given."""
    from arena.runner.outputs import lines_of, of_turn

    texts = [log.text() if turn is None else of_turn(log.text(), turn) for log in shown]
    if turn is not None and not any(texts):
        output.note(f"nothing was written at turn {turn}")
    if output.flags.json:
        output.document("logs/1", [{**log.data(), "text": text} for log, text in zip(shown, texts, strict=True)])
    elif output.flags.csv:
        headings = ["event", "round", "table", "seating", "process", "start", "written", "bytes", "file"]
        rows = [log.data() for log in shown]
        output.rows(headings, [[row[heading] for heading in headings] for row in rows])
    else:
        for log, text in zip(shown, texts, strict=True):
            output.line(heading_of(log))
            for line in lines_of(text):
                output.line(one_line(line))


def heading_of(log: Log) -> str:
    """A log in a line."""
    where = f"round {log.round}, table {log.table}, seating {log.seating}, " if log.round else ""
    return f"== {log.event}: {where}process {log.process}, start {log.start}  ({log.file})"
