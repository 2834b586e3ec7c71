"""`arena replay`: stored games as text, and their verification by the rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.app import Command, Group, settings_of
from arena.cli.output import Output
from arena.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.record.transcript import Transcript

SUFFIXES = (".arena", ".json")
"""Files of transcripts in a folder."""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(name="replay", cls=Group, help="Look at stored games, and check them.", no_args_is_help=True)
    group.command("list", cls=Command)(list_games)
    group.command("show", cls=Command)(show)
    group.command("verify", cls=Command)(verify)
    group.command("export", cls=Command)(export)
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
    """Stored games, with their ids and results: of tournaments, then those that `arena play` has kept.

    \b
    arena replay list
    arena replay list --tournament spring --bot fox --board 17
    """
    output: Output = ctx.obj
    from arena.cli.replays.listing import kept_games, show_list
    from arena.cli.stored import find_tournament, open_store

    data = settings_of(output).data
    with open_store(output, create=True) as store:
        name = find_tournament(store, tournament).name if tournament else None
        found = store.games(name, bot=bot, board=board, limit=limit or None)
    played = [] if tournament or board is not None else list(kept_games(data, bot))
    kept = played[: limit - len(found)] if limit else played
    show_list(output, found, kept)
    if limit and len(found) + len(kept) == limit:
        output.note(f"the first {limit}; --limit 0 shows all")
    if found or kept:
        output.next_step(f"arena replay show {found[0].public_id if found else kept[0].file.stem}")


def show(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME|FILE", help="An id of `arena replay list`, or a file.")],
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="N", min=0, help="As this seat saw it: its hand, no other.")
    ] = None,
    turn: Annotated[int | None, typer.Option("--turn", metavar="N", min=0, help="Only the first N moves.")] = None,
    all_hands: Annotated[bool, typer.Option("--all-hands", help="Also the cards as they were dealt.")] = False,
    notes: Annotated[bool, typer.Option("--notes", help="Also what the bots noted at their turns.")] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Only why it was lost, against tables with the same cards; --seat: its side.")
    ] = False,
) -> None:
    """One game, move by move.

    \b
    arena replay show spring-r1-b17-t2-1
    arena replay show spring-r1-b17-t2-1 --seat 2 --turn 31
    arena replay show spring-r1-b17-t2-1 --why
    """
    output: Output = ctx.obj
    if why:
        if turn is not None or all_hands or notes:
            from arena.cli.flags import UsageError

            raise UsageError(
                "--why is about a whole game",
                where="command line",
                fix="leave --turn, --all-hands and --notes, or leave --why",
            )
        from arena.cli.replays.whys import show_why

        show_why(output, game, _kept(output, game), seat)
        return
    from arena.cli.flags import UsageError
    from arena.cli.replays.showing import Eyes, check_seat, seat_data, show_rows, show_text
    from arena.record.transcript import to_data

    transcript = _transcript(output, game, notes=notes)
    if seat is not None:
        check_seat(transcript.bots, seat)
    if output.flags.json and turn is not None and seat is None:
        raise UsageError(
            "--json is the whole game: --turn has no meaning",
            where="command line",
            fix="add --seat N for what a seat knew at that turn, or leave --turn",
        )
    eyes = Eyes(seat, turn, hands=all_hands and seat is None, notes=notes)
    if all_hands and (seat is not None or output.flags.csv):
        output.note("--all-hands is left out: " + ("--seat hides other hands" if seat is not None else "CSV has moves"))
    if output.flags.json:
        if seat is None:
            output.document("replay/1", to_data(transcript))
        else:
            output.document("replay-seat/1", seat_data(transcript, seat, eyes))
    elif output.flags.csv:
        show_rows(output, transcript, eyes)
    else:
        show_text(output, transcript, eyes)
    output.next_step(f"arena replay verify {game}")


def export(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME|FILE", help="An id of `arena replay list`, or a file.")],
    out: Annotated[Path, typer.Argument(metavar="OUT.html", help="The file to write.")],
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="N", min=0, help="Only what this seat could know.")
    ] = None,
    notes: Annotated[bool, typer.Option("--notes", help="Also what the bots noted at their turns.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
) -> None:
    """One game as one HTML file to step through, without server or network.

    \b
    arena replay export spring-r1-b17-t2-1 game.html
    arena replay export game.arena game.html --seat 2 --notes
    """
    output: Output = ctx.obj
    from arena.cli.replays.exporting import write_page

    write_page(output, game, _kept(output, game), out, seat=seat, notes=notes, force=force)


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
    from arena.cli.stored import Pruned

    checked, gone, wrong = 0, 0, []
    proven = True
    for name, transcript, secret, board in _to_verify(output, games or [], tournament):
        if isinstance(transcript, Pruned):
            gone += 1
            continue
        problem = _problem(transcript, secret, board)
        checked += 1
        proven = proven and secret is not None
        if problem:
            wrong.append({"game": name, "where": problem[0], "problem": problem[1]})
    _say_verified(output, checked, wrong, proven, gone)
    if wrong:
        raise typer.Exit(1)


def _say_verified(output: Output, checked: int, wrong: list[dict[str, str]], proven: bool, gone: int) -> None:
    from arena.cli.stored import Nothing, Pruned

    games = f"{gone} {'game' if gone == 1 else 'games'}"
    if gone and not checked:
        raise Pruned(f"{games} cannot be verified: retention removed the transcripts", saw="no other game to verify")
    if gone:
        output.note(f"{games} cannot be verified: retention removed the transcripts")
    if not checked:
        raise Nothing("there is no game to verify", fix="arena replay list shows the games that are stored")
    if output.flags.json:
        output.document("verify/1", {"games": checked, "cards_checked": proven, "pruned": gone, "problems": wrong})
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
    from arena.cli.stored import Pruned, check_secret, find_tournament, open_boards, open_store, stored_game
    from arena.runner.course import stored_cards

    with open_store(output) as store:
        if ids is None:
            tournament = find_tournament(store, name)
            opened = open_boards(store, tournament)
            known = store.games(tournament.name, limit=None)
            ids = [info.public_id for info in known if info.row.key.board in opened]
            if len(ids) < len(known):
                output.note(f"{len(known) - len(ids)} games are on sealed boards and are left out")
        for public_id in ids:
            try:
                tournament, full = stored_game(store, public_id)
            except Pruned as gone:
                yield public_id, gone, None, None
                continue
            board = stored_cards(tournament, full.info.row.key.board, full.info.attempt)
            secret = check_secret(store, tournament, full.info.row.key)
            yield public_id, _from_data(full, public_id), secret, board


def _transcript(output: Output, game: str, *, notes: bool) -> Transcript:
    """The game of an id or a file. What its bots said is left out, or refused, while it is sealed."""
    from arena.cli.stored import open_store, stored_game, words_sealed
    from arena.record.transcript import from_data, without_words

    if (kept := _kept(output, game)) is not None:
        return kept
    with open_store(output) as store:
        tournament, full = stored_game(store, game)
        sealed = words_sealed(store, tournament, full.info.row.key)
    transcript = from_data(dict(full.game.result.transcript), where=game)
    if sealed is None:
        return transcript
    if notes:
        raise sealed
    output.note(sealed.message)
    return without_words(transcript)


def _kept(output: Output, game: str) -> Transcript | None:
    """The game of a file, or one that `arena play` has kept; None: it must be an id. Raises ConfigError."""
    from arena.record.transcript import from_json

    path = Path(game)
    kept = settings_of(output).data / "games" / f"{game}.arena"
    for file in (path, kept) if "/" not in game else (path,):
        if file.is_file():
            return from_json(file.read_bytes(), where=str(file))
    if "/" in game or path.suffix == ".arena":
        raise ConfigError(f"no file {game!r}", where=str(path.absolute()), fix="arena play says where it writes")
    return None


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
