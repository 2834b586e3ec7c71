"""`arena replay verify`: which games are checked, what does not agree in one, and what is said of them all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli.output import Output

if TYPE_CHECKING:
    from arena.record.transcript import Transcript

SUFFIXES = (".arena", ".json")
"""Files of transcripts in a folder."""


def say_verified(output: Output, checked: int, wrong: list[dict[str, str]], proven: bool, gone: int) -> None:
    """Say what the verification of so many games came to. Raises Pruned or Nothing where there was none to check."""
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
        output.next_step("arena replay list")
    else:
        output.line(f"{len(wrong)} of {checked} games do not agree with the rules")


def problem_of(transcript: Transcript | Exception, secret: bytes | None, board: int | None) -> tuple[str, str] | None:
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


def to_verify(output: Output, games: list[str], tournament: str | None) -> Iterator[tuple[str, Any, Any, Any]]:
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
                sealed = {info.row.key.board for info in known if info.row.key.board not in opened}
                output.decision(f"sealed boards: {', '.join(map(str, sorted(sealed)))}")
        for public_id in ids:
            try:
                tournament, full = stored_game(store, public_id)
            except Pruned as gone:
                yield public_id, gone, None, None
                continue
            board = stored_cards(tournament, full.info.row.key.board, full.info.attempt)
            secret = check_secret(store, tournament, full.info.row.key)
            yield public_id, _from_data(full, public_id), secret, board


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
