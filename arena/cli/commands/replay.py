"""`arena replay`: stored games as text, and their verification by the rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.app import Command, Group, settings_of
from arena.cli.failure import one_line
from arena.cli.output import Column, Output
from arena.cli.told import tell_faults
from arena.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.record.transcript import Transcript
    from arena.store.values import GameInfo

SUFFIXES = (".arena", ".json")
"""Files of transcripts in a folder."""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(name="replay", cls=Group, help="Look at stored games, and check them.", no_args_is_help=True)
    group.command("list", cls=Command)(list_games)
    group.command("show", cls=Command)(show)
    group.command("verify", cls=Command)(verify)
    app.add_typer(group)


def list_games(
    ctx: typer.Context,
    tournament: Annotated[
        str | None, typer.Option("--tournament", metavar="NAME", help="Default: all tournaments.")
    ] = None,
    bot: Annotated[str | None, typer.Option("--bot", metavar="BOT", help="Only games with this bot.")] = None,
    board: Annotated[int | None, typer.Option("--board", metavar="N", help="Only games on this board.")] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=0, help="At most so many; 0: all.")] = 100,
) -> None:
    """Stored games, with their ids and results.

    \b
    arena replay list
    arena replay list --tournament spring --bot fox --board 17
    """
    output: Output = ctx.obj
    from arena.cli.stored import find_tournament, open_store

    with open_store(output) as store:
        name = find_tournament(store, tournament).name if tournament else None
        found = store.games(name, bot=bot, board=board, limit=limit or None)
    if output.flags.json:
        output.document("games-list/1", [_info_data(info) for info in found])
        return
    headings = ("game", "tournament", "round", "board", "table", "seating", "bots by seat", "scores", "verdict")
    rows = [
        (
            info.public_id,
            info.tournament,
            *info.row.key,
            " ".join(info.row.bots),
            " ".join(f"{score:g}" for score in info.row.scores),
            info.row.verdict.value,
        )
        for info in found
    ]
    if output.flags.csv:
        output.rows(headings, rows)
        return
    columns = [Column(heading, right=heading in ("round", "board", "table", "seating")) for heading in headings]
    output.table(columns, [[str(cell) for cell in row] for row in rows])
    if limit and len(found) == limit:
        output.note(f"the first {limit}; --limit 0 shows all")
    if found:
        output.next_step(f"arena replay show {found[0].public_id}")


def show(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME|FILE", help="An id of `arena replay list`, or a file.")],
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="N", min=0, help="Hide what this seat could not see.")
    ] = None,
    turn: Annotated[int | None, typer.Option("--turn", metavar="N", min=0, help="Only the first N moves.")] = None,
    all_hands: Annotated[bool, typer.Option("--all-hands", help="Also the cards as they were dealt.")] = False,
    notes: Annotated[bool, typer.Option("--notes", help="Also what the bots noted at their turns.")] = False,
) -> None:
    """One game, move by move.

    \b
    arena replay show spring-r1-b17-t2-1
    arena replay show spring-r1-b17-t2-1 --seat 2 --turn 31
    arena replay show game.arena --all-hands
    """
    output: Output = ctx.obj
    from arena.record.text import rendered
    from arena.record.transcript import to_data

    transcript = _transcript(output, game)
    seats = len(transcript.bots)
    if seat is not None and seat >= seats:
        raise ConfigError(f"no seat {seat}", where="--seat", fix=f"seats of this game: 0 to {seats - 1}", code="USAGE")
    if output.flags.json:
        output.document("replay/1", to_data(transcript))
        return
    hands = all_hands and seat is None
    short = replace(transcript, bots=tuple(bot.partition("@")[0] for bot in transcript.bots))
    for part in rendered(short, ascii_only=output.ascii, hands=hands, eyes=seat, turns=turn):
        output.write(part)
    tell_faults(output, transcript.faults, short.bots)
    if notes:
        for number, move in enumerate(transcript.moves[:turn]):
            if move.note:
                output.line(f"note, turn {number}, {short.bots[move.seat]}: {one_line(move.note)}")
    elif any(move.note for move in transcript.moves):
        output.note("the bots left notes: --notes shows them")
    output.next_step(f"arena replay verify {game}")


def verify(
    ctx: typer.Context,
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME|FILE|DIR]", help="Default: a whole tournament.")
    ] = None,
    tournament: Annotated[
        str | None, typer.Option("--tournament", metavar="NAME", help="All its open games; default: the newest.")
    ] = None,
) -> None:
    """Play games again by the rules, and their cards again from the published secret.

    \b
    arena replay verify --tournament spring
    arena replay verify game.arena folder/
    """
    output: Output = ctx.obj
    checked, wrong = 0, []
    proven = True
    for name, transcript, secret, board in _to_verify(output, games or [], tournament):
        problem = _problem(transcript, secret, board)
        checked += 1
        proven = proven and secret is not None
        if problem:
            wrong.append({"game": name, "where": problem[0], "problem": problem[1]})
    _say_verified(output, checked, wrong, proven)
    if wrong:
        raise typer.Exit(1)


def _say_verified(output: Output, checked: int, wrong: list[dict[str, str]], proven: bool) -> None:
    from arena.cli.stored import Nothing

    if not checked:
        raise Nothing("there is no game to verify", fix="arena replay list shows the games that are stored")
    if output.flags.json:
        output.document("verify/1", {"games": checked, "cards_checked": proven, "problems": wrong})
        return
    for problem in wrong:
        output.line(f"✗ {problem['game']} {problem['where']}: {problem['problem']}")
    if not wrong:
        cards = "cards match the published seed, " if proven else "cards not checked (no published seed), "
        output.line(f"✓ {checked} {'game' if checked == 1 else 'games'}: {cards}every move legal, scores equal")
    else:
        output.line(f"{len(wrong)} of {checked} games do not agree with the rules")


def _problem(transcript: Transcript | Exception, secret: bytes | None, board: int | None) -> tuple[str, str] | None:
    """(where, what) does not agree; None when all does."""
    from arena.core.errors import TranscriptError
    from arena.record.replay import verify as verified

    if isinstance(transcript, TranscriptError):
        return transcript.where, transcript.message
    try:
        verified(transcript, secret=secret, board=board)  # type: ignore[arg-type]
    except TranscriptError as error:
        return error.where, error.message
    return None


def _to_verify(output: Output, games: list[str], tournament: str | None) -> Iterator[tuple[str, Any, Any, Any]]:
    """(name, transcript or why it cannot be read, secret, board) of every game to verify."""
    for name in games:
        path = Path(name)
        if path.is_dir():
            for file in sorted(each for each in path.rglob("*") if each.suffix in SUFFIXES):
                yield str(file), _read(file), None, None
        elif path.is_file():
            yield name, _read(path), None, None
        else:
            yield from _stored(output, [name], None)
    if not games:
        yield from _stored(output, None, tournament)


def _stored(output: Output, ids: list[str] | None, name: str | None) -> Iterator[tuple[str, Any, Any, Any]]:
    from arena.cli.stored import check_secret, find_tournament, open_boards, open_store, stored_game

    with open_store(output) as store:
        if ids is None:
            tournament = find_tournament(store, name)
            opened = open_boards(store, tournament)
            known = store.games(tournament.name, limit=None)
            ids = [info.public_id for info in known if info.row.key.board in opened]
            if len(ids) < len(known):
                output.note(f"{len(known) - len(ids)} games are on sealed boards and are left out")
        for public_id in ids:
            tournament, full = stored_game(store, public_id)
            yield public_id, _from_data(full, public_id), check_secret(tournament), full.info.row.key.board


def _transcript(output: Output, game: str) -> Transcript:
    from arena.cli.stored import open_store, stored_game
    from arena.record.transcript import from_data, from_json

    path = Path(game)
    kept = settings_of(output).data / "games" / f"{game}.arena"
    for file in (path, kept) if "/" not in game else (path,):
        if file.is_file():
            return from_json(file.read_bytes(), where=str(file))
    if "/" in game or path.suffix == ".arena":
        raise ConfigError(f"no file {game!r}", where=str(path.absolute()), fix="arena play says where it writes")
    with open_store(output) as store:
        _tournament, full = stored_game(store, game)
    return from_data(dict(full.game.result.transcript), where=game)


def _read(file: Path) -> Any:  # Any: a transcript, or why it cannot be read
    from arena.core.errors import TranscriptError
    from arena.record.transcript import from_json

    try:
        return from_json(file.read_bytes())
    except TranscriptError as error:
        return error


def _from_data(full: Any, where: str) -> Any:  # Any: likewise
    from arena.core.errors import TranscriptError
    from arena.record.transcript import from_data

    try:
        return from_data(dict(full.game.result.transcript), where=where)
    except TranscriptError as error:
        return error


def _info_data(info: GameInfo) -> dict[str, Any]:
    row = info.row
    return {
        "game": info.public_id,
        "tournament": info.tournament,
        **row.key._asdict(),
        "bots": list(row.bots),
        "verdict": row.verdict.value,
        "scores": list(row.scores),
        "ranks": list(row.ranks),
        "faults": [{"seat": seat, "code": code} for seat, code in row.faults],
        "forfeits": [{"seat": seat, "code": code} for seat, code in info.forfeits],
        "tier": info.tier,
        "elapsed_ms": info.elapsed_ms,
        "stored": info.stored.isoformat().replace("+00:00", "Z"),
    }
