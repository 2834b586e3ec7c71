"""Reads `arena.results/1` files into a store. What is there already must say the same; nothing is overwritten.

Two passes: the first checks every line, plays transcripts again by the rules and compares games with those that are
stored; only when nothing is wrong the second one stores them. Memory does not grow with the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from arena.core.errors import ConfigError, TranscriptError
from arena.record.replay import verify
from arena.record.results import GameKey
from arena.record.transcript import from_data
from arena.runner.course import stored_cards, stored_game, stored_pool, stored_schedule, stored_secret
from arena.runner.exports import records, shape
from arena.runner.series import is_published
from arena.store.store import Store
from arena.store.values import State, StoredGame, Tournament, public_id

BATCH = 200
MOST_SHOWN = 20
FIXED = ("game", "game_version", "ruleset", "secret_hash", "open_seed", "tier_minimum", "series")
"""What of a tournament must be the same where it is known already."""
READ = (KeyError, ValueError, TypeError, AttributeError, OverflowError)
"""What damaged lines bring up."""


class Line(NamedTuple):
    """One line of a file."""

    place: str
    data: Mapping[str, Any]


@dataclass(slots=True)
class Checked:
    """What the first pass found in a file."""

    file: Path
    tournament: Tournament
    games: int = 0
    verified: int = 0
    unverified: int = 0
    """Games without a transcript."""
    known: int = 0
    """Games that are stored already and say the same."""
    last: GameKey | None = None
    """Of the game before: they are in order, each once."""
    problems: list[str] = field(default_factory=list)
    """Games that differ from what is stored, or do not agree with the rules."""


def lines_of(file: Path) -> Iterator[Line]:
    """The lines of a file. Raises ConfigError where there is none, TranscriptError for one that is no JSON."""
    try:
        with file.open(encoding="utf-8") as opened:
            for number, text in enumerate(opened, 1):
                place = f"{file}:{number}"
                try:
                    data = shape.parsed(text)
                except (ValueError, RecursionError) as error:
                    raise _unreadable(place, f"no JSON: {error}") from None
                if not isinstance(data, dict):
                    raise _unreadable(place, "no object")
                yield Line(place, data)
    except OSError as error:
        raise ConfigError(
            "the file cannot be read", where=str(file), saw=str(error.strerror), fix="name what arena export wrote"
        ) from None
    except UnicodeDecodeError as error:
        raise _unreadable(str(file), f"no UTF-8: {error}") from None


def _unreadable(place: str, why: str) -> TranscriptError:
    return TranscriptError(
        f"the line cannot be read: {why}"[:300], where=place, fix="expected a file of `arena export --format jsonl`"
    )


def check(store: Store, file: Path, name: str | None, *, rules: bool, tell: Callable[[int], None]) -> Checked:
    """Read a file to its end without storing anything. `name`: what the tournament is to be called; `rules`: play games
    again. Raises TranscriptError, ConfigError CHANGED when the tournament is known and is another one.
    """
    lines = lines_of(file)
    checked = Checked(file, _tournament(next(lines, Line(str(file), {})), name))
    known = store.tournament(checked.tournament.name)
    if known is not None:
        _compare(known, checked.tournament)
    ended = False
    for line in lines:
        try:
            shape.check_shape(line.data)
            kind = line.data["kind"]
            if kind == "game":
                _check_game(store, known, checked, line, rules=rules)
                tell(checked.games)
            elif kind == "end":
                ended = line.data["games"] == checked.games
            else:
                _READERS[kind](line.data)
        except READ as error:
            raise _unreadable(line.place, f"{type(error).__name__} {error}") from None
    if not ended:
        raise TranscriptError(
            "the file is not whole: its last line does not count its games",
            where=str(file),
            saw=f"{checked.games} games",
            fix="export or copy it again",
        )
    return checked


def _tournament(line: Line, name: str | None) -> Tournament:
    try:
        if line.data["kind"] != "tournament":
            raise ValueError(f"the first line is a {line.data['kind']!r}")
        shape.check_shape(line.data)
        found = records.read_tournament(line.data)
        stored_game(found)
        stored_pool(found)
        stored_schedule(found)
    except READ as error:
        raise _unreadable(line.place, f"{type(error).__name__} {error}") from None
    return found if name is None else replace(found, name=name)


def _compare(known: Tournament, found: Tournament) -> None:
    """Raises ConfigError CHANGED for another tournament of the same name."""
    differ = [key for key in FIXED if getattr(known, key) != getattr(found, key)]
    mine = {each.name: each.version for each in known.entrants}
    differ += [f"bot {each.name}" for each in found.entrants if mine.get(each.name, each.version) != each.version]
    if differ:
        raise ConfigError(
            f"{known.name!r} is another tournament here than in the file",
            where=", ".join(differ),
            saw=f"stored {known.created:%Y-%m-%d %H:%M} UTC, in the file {found.created:%Y-%m-%d %H:%M}",
            fix="bring it in under another name: --as NAME",
            code="CHANGED",
        )


def _check_game(store: Store, known: Tournament | None, checked: Checked, line: Line, *, rules: bool) -> None:
    game, _ = records.read_game(line.data)
    if checked.last is not None and game.key <= checked.last:
        raise ValueError(f"game {tuple(game.key)} is there twice, or not in its place")
    checked.last = game.key
    checked.games += 1
    name = public_id(checked.tournament.name, game.key)
    names = {each.name for each in checked.tournament.entrants}
    if not names.issuperset(game.bots):
        raise ValueError(f"{sorted(set(game.bots) - names)} are not in the tournament")
    if known is not None and (full := store.game(name)) is not None:
        differ = different(full.game, game)
        if differ:
            checked.problems.append(f"{name}: stored with other {', '.join(differ)}")
        else:
            checked.known += 1
    transcript = game.result.transcript
    if not transcript:
        checked.unverified += 1
    elif rules:
        problem = _disagrees(store, known, checked.tournament, game)
        if problem:
            checked.problems.append(f"{name}: {problem}")
        checked.verified += 1


def different(stored: StoredGame, found: StoredGame) -> list[str]:
    """What two records of one game say differently; what one of them does not tell is no difference."""
    differ = [key for key in ("bots", "tier", "attempt") if getattr(stored, key) != getattr(found, key)]
    mine, other = stored.result, found.result
    keys = ("verdict", "scores", "ranks", "tiebreaks", "forfeits")
    differ += [key for key in keys if getattr(mine, key) != getattr(other, key)]
    if [fault[:5] for fault in mine.faults] != [fault[:5] for fault in other.faults]:
        differ.append("faults")
    moves = [[(move["seat"], move["move"]) for move in each.transcript.get("moves", ())] for each in (mine, other)]
    if (
        mine.transcript
        and other.transcript
        and (moves[0] != moves[1] or mine.transcript.get("deals") != other.transcript.get("deals"))
    ):
        differ.append("moves or cards")
    return differ


def _disagrees(store: Store, known: Tournament | None, tournament: Tournament, game: StoredGame) -> str:
    """What of a game the rules, or the secret where it is known, say otherwise; empty: they agree.

    Of a tournament whose secret is not published no card is said.
    """
    judge = tournament if tournament.secret or known is None else known
    told = None
    try:
        told = from_data(dict(game.result.transcript))
        verify(told, **_cards(judge, game))
    except TranscriptError as error:
        if told is None or judge is tournament or is_published(store, judge):
            return f"{error.where}: {error.message}"
        return "its moves or cards are not those of its board"
    same = (told.game, dict(told.ruleset)) == (tournament.game, json.loads(tournament.ruleset))
    if not same:
        return "its transcript is of another game or ruleset"
    mine = game.result
    if (told.verdict, told.scores, told.ranks, told.forfeits) != (mine.verdict, mine.scores, mine.ranks, mine.forfeits):
        return "its result is not that of its transcript"
    return ""


def _cards(tournament: Tournament, game: StoredGame) -> dict[str, Any]:
    """What decided the cards of a game, as `verify` takes it; nothing where the secret is not known."""
    if not tournament.secret:
        return {}
    board, attempt = game.key.board, game.attempt
    if attempt > 1:
        board = stored_cards(tournament, board, attempt)
    return {"secret": stored_secret(tournament, game.key.round), "board": board}


def bring_in(store: Store, checked: Checked, tell: Callable[[int], None]) -> int:
    """Store what the first pass found right; returns how many games are new.

    One that was begun here and holds its secret is finished by a file only if that publishes the secret: else a few
    forged words would open its cards.
    """
    tournament = checked.tournament
    known = store.tournament(tournament.name)
    known_secret = known is not None and bool(known.secret)
    rounds, voids, out = [], [], []
    for line in lines_of(checked.file):
        kind = line.data["kind"]
        if kind == "round":
            rounds.append(records.read_round(line.data))
        elif kind == "void":
            voids.append(records.read_void(line.data))
        elif kind == "quarantine":
            out.append(records.read_quarantine(line.data, tournament.name))
        elif kind == "game":
            break
    tournament_id = store.bring_in(tournament, rounds, voids, out)
    games = (_renamed(line, tournament) for line in lines_of(checked.file) if line.data["kind"] == "game")
    new = done = 0
    while batch := list(islice(games, BATCH)):
        new += store.add_games(tournament_id, [game for game, _ in batch], [time for _, time in batch])
        done += len(batch)
        tell(done)
    proven = tournament.secret or not known_secret
    standing = State.FINISHED if tournament.state is State.FINISHED and proven else State.STOPPED
    store.bring_state(replace(tournament, state=standing))
    return new


def _renamed(line: Line, tournament: Tournament) -> tuple[StoredGame, datetime]:
    """A game, whose transcript names it as the store will."""
    game, time = records.read_game(line.data)
    transcript = dict(game.result.transcript)
    if "public_id" in transcript:
        transcript["public_id"] = public_id(tournament.name, game.key)
    return replace(game, result=replace(game.result, transcript=transcript)), time


_READERS: Mapping[str, Callable[[Mapping[str, Any]], object]] = {
    "round": records.read_round,
    "void": records.read_void,
    "quarantine": lambda data: records.read_quarantine(data, ""),
}
