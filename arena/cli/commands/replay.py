"""`arena replay`: stored games as text and as pages, and their verification by the rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.app import Command, Group, settings_of
from arena.cli.output import Output
from arena.core.errors import ConfigError

if TYPE_CHECKING:
    from arena.record.transcript import Transcript


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
    step: Annotated[
        bool, typer.Option("--step", help="Step through it on the terminal, with the keys of the site.")
    ] = False,
    text: Annotated[bool, typer.Option("--text", help="A sentence a move, on a line of its own.")] = False,
) -> None:
    """One game, move by move.

    \b
    arena replay show spring-r1-b17-t2-1 --step
    arena replay show spring-r1-b17-t2-1 --seat 2 --turn 31
    arena replay show spring-r1-b17-t2-1 --why
    """
    output: Output = ctx.obj
    if step or text:
        from arena.cli.replays.reading import check_alone, read_on

        beside = {"--all-hands": all_hands, "--notes": notes, "--why": why, "--text": step and text}
        check_alone(output, "--step" if step else "--text", beside)
        read_on(output, _transcript(output, game, notes=False), seat, turn, step=step)
        return
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
    from arena.record.transcript import DOCUMENT, to_data

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
            output.document(DOCUMENT.removeprefix("arena."), to_data(transcript))
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
    from arena.cli.progress import progress
    from arena.cli.replays.verifying import problem_of, say_verified, to_verify
    from arena.cli.stored import Pruned

    checked, gone, wrong = 0, 0, []
    proven = True
    with progress(output, "verify", None, "games") as shown:
        for name, transcript, secret, board in to_verify(output, games or [], tournament):
            if isinstance(transcript, Pruned):
                gone += 1
                output.decision(f"{name}: skipped, retention removed its transcript")
                continue
            problem = problem_of(transcript, secret, board)
            checked += 1
            proven = proven and secret is not None
            if problem:
                wrong.append({"game": name, "where": problem[0], "problem": problem[1]})
            cards = "with" if secret is not None else "without"
            output.decision(f"{name}: {'does not agree' if problem else 'agrees'}, {cards} a published secret")
            shown.update(checked + gone)
    say_verified(output, checked, wrong, proven, gone)
    if wrong:
        raise typer.Exit(1)


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
