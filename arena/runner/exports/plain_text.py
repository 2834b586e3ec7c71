"""`arena.text/1`: games as text that people read and programs read back. The grammar: docs/store.md.

    [Game "crowsnest"]            a tag: a name and a JSON text
    [Seat0 "fox"]
    [Deal0 "{...}"]               deals as JSON in the text
    1. 0 bid 80                   a move: number, seat, the move's text,
    2. 1 pass !TIMEOUT @5000      the code of the fault it stands for, milliseconds it took
    *                             the end of the game

Everything of a transcript is there but the words of its bots: notes, view keys and details of faults.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from arena.core.errors import TranscriptError
from arena.record.results import Fault, FaultClass, GameKey, Verdict
from arena.record.transcript import PlayedMove, Transcript, without_words
from arena.runner.exports.leaving import Leaving

FORMAT = "arena.text/1"
END = "*"
TAG = re.compile(r'\[([A-Z][A-Za-z]*\d*) ("(?:[^"\\]|\\.)*")\]')
MOVE = re.compile(r"(\d+)\. (\d+) ([^!@]+?)(?: !([A-Z_]+))?(?: @(\d+))?")


class TextGame(NamedTuple):
    """A game read back."""

    tags: Mapping[str, str]
    transcript: Transcript | None
    """None: it was withheld."""


def game_text(tournament: str, leaving: Leaving) -> Iterator[str]:
    """The lines of one game. Raises TranscriptError for a transcript that is none."""
    info, row = leaving.info, leaving.info.row
    tags: dict[str, Any] = {
        "Format": FORMAT,
        "Tournament": tournament,
        "Id": info.public_id,
        **{name.capitalize(): number for name, number in row.key._asdict().items()},
        "Stored": info.stored.isoformat(timespec="seconds").replace("+00:00", "Z"),
        "Tier": info.tier,
        "Verdict": row.verdict.value,
        "Scores": _joined(row.scores),
        "Ranks": _joined(row.ranks),
        **{f"Seat{seat}": bot for seat, bot in enumerate(row.bots)},
    }
    told = leaving.transcript()
    if told is None:
        yield from _tags({**tags, "Withheld": leaving.withheld})
    else:
        yield from _tags({**tags, **_tags_of(told)})
        yield ""
        for number, move in enumerate(told.moves, 1):
            fault = f" !{move.fault}" if move.fault else ""
            took = f" @{move.elapsed_ms}" if move.elapsed_ms else ""
            yield f"{number}. {move.seat} {move.move}{fault}{took}"
    yield END
    yield ""


def _tags_of(told: Transcript) -> dict[str, Any]:
    """What a transcript tells besides its moves and what every game has."""
    return {
        "Arena": told.arena,
        "Game": told.game,
        "GameVersion": told.game_version,
        "Ruleset": json.dumps(dict(told.ruleset), separators=(",", ":")),
        **{f"Name{seat}": bot for seat, bot in enumerate(told.bots)},
        "Tiebreaks": _joined(told.tiebreaks),
        **{f"Forfeit{number}": f"{seat} {code}" for number, (seat, code) in enumerate(told.forfeits)},
        **{f"Fault{number}": _fault_text(fault) for number, fault in enumerate(told.faults)},
        **({"Reason": told.reason} if told.reason else {}),
        **{f"Deal{number}": json.dumps(dict(deal), separators=(",", ":")) for number, deal in enumerate(told.deals)},
    }


def _fault_text(fault: Fault) -> str:
    return f"{fault.seat} {fault.code} {fault.fault_class.value} {fault.turn} {fault.elapsed_ms}"


def _tags(tags: Mapping[str, object]) -> Iterator[str]:
    for name, value in tags.items():
        yield f"[{name} {json.dumps(str(value))}]"


def _joined(numbers: Iterable[float]) -> str:
    return " ".join(json.dumps(number) for number in numbers)


def read_games(lines: Iterable[str], where: str = "") -> Iterator[TextGame]:
    """The games in a text. Raises TranscriptError naming line and what was expected."""
    tags: dict[str, str] = {}
    moves: list[PlayedMove] = []
    for number, raw in enumerate(lines, 1):
        text, place = raw.rstrip("\r\n"), f"{where}:{number}"
        if not text:
            continue
        if text == END:
            yield TextGame(tags, _read(tags, moves, place))
            tags, moves = {}, []
        elif tag := TAG.fullmatch(text):
            if tag[1] in tags:
                raise TranscriptError(f"tag {tag[1]} is there twice", where=place, fix="a game has each tag once")
            tags[tag[1]] = _said(tag[2], place)
        elif (move := MOVE.fullmatch(text)) and int(move[1]) == len(moves) + 1:
            moves.append(PlayedMove(int(move[2]), move[3], int(move[5] or 0), "", move[4] or ""))
        else:
            expected = f'expected a tag like [Seat0 "fox"], the next move like "{len(moves) + 1}. 0 pass", or {END}'
            raise TranscriptError(f"{text[:80]!r} cannot be read", where=place, fix=expected)
    if tags or moves:
        raise TranscriptError("the text ends within a game", where=where, fix=f"a game ends with a line {END}")


def _said(text: str, place: str) -> str:
    try:
        return str(json.loads(text))
    except ValueError as error:
        raise TranscriptError(f"{text[:80]} is no text: {error}", where=place, fix="write it as JSON does") from None


def _read(tags: Mapping[str, str], moves: list[PlayedMove], place: str) -> Transcript | None:
    if "Withheld" in tags:
        return None
    try:
        if tags["Format"] != FORMAT:
            raise ValueError(f"format {tags['Format']!r} cannot be read, expected {FORMAT}")
        transcript = Transcript(
            arena=tags["Arena"],
            game=tags["Game"],
            game_version=tags["GameVersion"],
            ruleset=json.loads(tags["Ruleset"]),
            public_id=tags["Id"],
            bots=tuple(_all(tags, "Name")),
            deals=tuple(json.loads(deal) for deal in _all(tags, "Deal")),
            moves=tuple(moves),
            verdict=Verdict(tags["Verdict"]),
            scores=_numbers(tags["Scores"]),
            ranks=tuple(map(int, tags["Ranks"].split())),
            tiebreaks=_numbers(tags["Tiebreaks"]),
            forfeits=tuple((int(seat), code) for seat, code in map(str.split, _all(tags, "Forfeit"))),
            faults=tuple(_fault(*text.split()) for text in _all(tags, "Fault")),
            reason=tags.get("Reason", ""),
        )
    except KeyError as error:
        raise TranscriptError(
            f"tag {error.args[0]} is missing", where=place, fix="a game has it before its moves"
        ) from None
    except (ValueError, TypeError) as error:
        raise TranscriptError(f"a tag cannot be read: {error}", where=place, fix="see docs/store.md") from None
    return without_words(transcript)


def _all(tags: Mapping[str, str], name: str) -> Iterator[str]:
    number = 0
    while f"{name}{number}" in tags:
        yield tags[f"{name}{number}"]
        number += 1


def _numbers(text: str) -> tuple[Any, ...]:
    return tuple(json.loads(word) for word in text.split())


def _fault(seat: str, code: str, kind: str, turn: str, elapsed_ms: str) -> Fault:
    return Fault(int(seat), code, FaultClass(kind), int(turn), int(elapsed_ms))


def key_of(tags: Mapping[str, str]) -> GameKey:
    """The key of a game within its tournament, from its tags."""
    return GameKey(*(int(tags[name.capitalize()]) for name in GameKey._fields))
