"""Writes frames.jsonl: frames of the protocol with their decoded meaning, which every SDK must read alike.

    python tests/vectors/generate.py

A line is one frame: {"name", "from": "arena" | "bot", "frame": base64 of the bytes, "events": what the bytes say}. The
events of a Turn have the view and the legal moves in the texts of docs/formats.md. Frames come from the arena's own
session, as a bot on the wire gets them.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arena_bot.v1 import arena_pb2 as pb

from arena import games
from arena.core import options
from arena.core.chance import Chance, digest
from arena.core.drivers import random_move
from arena.core.game import AnyGame, SeededBoard
from arena.core.moves import MOLODKA, PASS, Choose, Kind, Move, bid, of_set, play, trump
from arena.match.clock import Clock
from arena.match.player import GameInfo, Turn
from arena.record.results import Fault, FaultClass, GameResult, Verdict
from arena.wire.moves import encode_move
from arena.wire.player import RemotePlayer
from arena.wire.session import FRAME_BYTES, GAME_NOTE_BYTES, NOTE_BYTES, PROTOCOL, Session

FILE = Path(__file__).with_name("frames.jsonl")
CLOCK = Clock(10_000, 100, 5_000)
UNKNOWN_FIELD = b"\xf2\x3f\x03new"
"""Field 1022, three bytes: what a newer arena may send and an older bot ignores."""
RULESETS: tuple[tuple[str, dict[str, object]], ...] = (
    ("crowsnest", {}),
    ("tournament", {"rook": False}),
    ("partnership", {}),
    ("one_high", {}),
    ("red_one", {}),
    ("buckeye", {}),
    ("goat", {}),
    ("goat", {"molodka": "before_trick"}),
    ("crow_and_pitcher", {}),
    ("crow_and_pitcher", {"players": 3}),
)


def line(name: str, sender: str, frame: bytes, events: list[dict[str, Any]]) -> str:
    """One line of the file."""
    data = {"name": name, "from": sender, "frame": base64.b64encode(frame).decode(), "events": events}
    return json.dumps(data, ensure_ascii=True)


def event_of_turn(game: AnyGame, family: str, number: int, turn: Turn) -> dict[str, Any]:
    """What a Turn means."""
    return {
        "event": "turn",
        "game": number,
        "turn": turn.number,
        "family": family,
        "view": game.view_data(turn.view),
        "legal": game.notation.legal_data(turn.legal),
        "limit_ms": int(turn.limit_ms) if turn.limit_ms is not None else None,
        "bank_ms": int(turn.bank_ms) if turn.bank_ms is not None else None,
    }


def event_of_start(game: AnyGame, number: int, info: GameInfo) -> dict[str, Any]:
    """What a GameStart means. The seed is a text, since it has 64 bits."""
    partners = [seat for seat in game.sides[game.side_of(info.seat)] if seat != info.seat]
    return {
        "event": "game_start",
        "game": number,
        "ruleset": game.id,
        "options": options.to_data(game.ruleset),
        "seat": info.seat,
        "seats": game.seats,
        "partner": partners[0] if partners else None,
        "clock": dict(info.clock._asdict()) if info.clock is not None else None,
        "seed": str(info.seed),
    }


async def arena_frames(game_id: str, changed: dict[str, object]) -> Iterator[str]:
    """Frames that one seat gets in a game: its start, a turn of every kind and phase, its end."""
    game = games.make(game_id, changed)
    family = games.catalog()[game_id].family
    label = game_id + "".join(f" {key}={value}" for key, value in changed.items())
    session = Session(1, asyncio.get_running_loop().time)
    seed = digest(b"vectors", label)
    chance = Chance(seed, "moves")
    lines: list[str] = []
    for number, seat in enumerate((0, game.seats - 1), 1):
        player = RemotePlayer(session, family)
        info = GameInfo(game, seat, CLOCK if seat == 0 else None, 2**64 - number)
        player.start(info)
        frame = await session.next_frame() or b""
        lines.append(line(f"{label}: game {number} starts", "arena", frame, [event_of_start(game, number, info)]))
        seen: set[object] = set()
        state, turn_number = game.start(SeededBoard(seed)), 0
        while (mover := game.to_move(state)) is not None:
            view = game.view(state, mover)
            legal = game.legal_moves(view)
            words = {"choose"} if isinstance(legal, Choose) else {move.kind.value for move in legal.moves}
            results = bool(getattr(view, "results", ()))
            kind = (frozenset(words), results, len(view.hand) > 2)
            if mover == seat and kind not in seen:
                seen.add(kind)
                timed = seat == 0
                turn = Turn(turn_number, seat, view, legal, 5_000.0 if timed else None, 9_876.0 if timed else None)
                player.choose(turn)
                frame = await session.next_frame() or b""
                event = event_of_turn(game, family, number, turn)
                lines.append(line(f"{label}: game {number} turn {turn_number}", "arena", frame, [event]))
            state = game.apply(state, random_move(chance, legal))
            turn_number += 1
        result = GameResult(Verdict.FINISHED, game.scores(state), game.ranks(state), game.tiebreaks(state), (), ())
        player.ended(result)
        frame = await session.next_frame() or b""
        over = {
            "event": "game_over",
            "game": number,
            "verdict": "finished",
            "scores": list(result.scores),
            "ranks": list(result.ranks),
            "forfeit_seat": None,
            "reason": "",
        }
        lines.append(line(f"{label}: game {number} is over", "arena", frame, [over]))
    return iter(lines)


async def session_frames() -> list[str]:
    """Frames that belong to no ruleset: welcome, rejected, a forfeit, a void, goodbye, several at once, what is new."""
    session = Session(1, asyncio.get_running_loop().time)
    lines = []
    welcome = session.event().welcome
    welcome.version = PROTOCOL
    welcome.limits.frame_bytes = FRAME_BYTES
    welcome.limits.note_bytes = NOTE_BYTES
    welcome.limits.game_note_bytes = GAME_NOTE_BYTES
    welcomed = {
        "event": "welcome",
        "version": PROTOCOL,
        "limits": {"frame_bytes": FRAME_BYTES, "note_bytes": NOTE_BYTES, "game_note_bytes": GAME_NOTE_BYTES},
    }
    lines.append(line("welcome", "arena", await session.next_frame() or b"", [welcomed]))
    game = games.make("goat").single_deal()
    player = RemotePlayer(session, "goat")
    info = GameInfo(game, 1, CLOCK, 7)
    state = game.start(SeededBoard(digest(b"vectors", "several")))
    mover = game.to_move(state)
    assert mover is not None, "a new game has a first turn"
    view = game.view(state, mover)
    turn = Turn(0, mover, view, game.legal_moves(view), 5_000.0, 10_000.0)
    player.start(info)
    player.choose(turn)
    player.rejected(turn, "ILLEGAL", "'lead 6C 7C' is not legal here")
    rejected = {"event": "rejected", "game": 1, "turn": 0, "reason": "ILLEGAL: 'lead 6C 7C' is not legal here"}
    together = [event_of_start(game, 1, info), event_of_turn(game, "goat", 1, turn), rejected]
    frame = await session.next_frame() or b""
    lines.append(line("start, turn and rejected in one frame", "arena", frame, together))
    lines.append(line("the same with a field from the future", "arena", frame + UNKNOWN_FIELD, together))
    fault = Fault(2, "CRASH", FaultClass.FORFEIT, 5, 12, "")
    player.ended(GameResult(Verdict.FORFEIT, (-6, 0, -6, 0), (1, 0, 1, 0), (0, 9, 0, 9), ((2, "CRASH"),), (fault,)))
    forfeit = {"event": "game_over", "game": 1, "verdict": "forfeit", "scores": [-6, 0, -6, 0], "ranks": [1, 0, 1, 0]}
    forfeit |= {"forfeit_seat": 2, "reason": "CRASH"}
    lines.append(line("a forfeit", "arena", await session.next_frame() or b"", [forfeit]))
    player = RemotePlayer(session, "goat")
    player.ended(GameResult(Verdict.VOID, (), (), (), (), (), reason="WALL"))
    void = {"event": "game_over", "game": 2, "verdict": "void", "scores": [], "ranks": [], "forfeit_seat": None}
    lines.append(line("a void game", "arena", await session.next_frame() or b"", [void | {"reason": "WALL"}]))
    session.close("done")
    lines.append(line("goodbye", "arena", await session.next_frame() or b"", [{"event": "goodbye", "reason": "done"}]))
    return lines


def bot_frames() -> list[str]:
    """Frames that a bot sends: hello, an index, every kind of move, a note, several replies at once."""
    frame = pb.BotFrame()
    hello = frame.events.add().hello
    hello.versions.append("1.0")
    hello.token, hello.sdk, hello.concurrent_games = "secret", "vectors 1", 8
    said = {"event": "hello", "versions": ["1.0"], "token": "secret", "sdk": "vectors 1", "concurrent_games": 8}
    lines = [line("hello", "bot", frame.SerializeToString(), [said])]
    rook, goat, crow = (games.make(each).notation for each in ("red_one", "goat", "crow_and_pitcher"))
    moves: list[tuple[str, Any, Move]] = [
        ("rook", rook, bid(95)),
        ("rook", rook, PASS),
        ("rook", rook, of_set(Kind.DISCARD, [5, 10, 26, 65, 66])),
        ("rook", rook, trump(0)),
        ("rook", rook, trump(3)),
        ("rook", rook, play(65)),
        ("crow", crow, play(4)),
        ("crow", crow, play(3 << 4 | 10)),
        ("goat", goat, of_set(Kind.LEAD, [6, 13])),
        ("goat", goat, of_set(Kind.BEAT, [2 << 4 | 13, 3 << 4 | 14])),
        ("goat", goat, of_set(Kind.DROP, [1 << 4 | 10])),
        ("goat", goat, MOLODKA),
    ]
    for number, (family, notation, move) in enumerate(moves):
        frame = pb.BotFrame()
        reply = frame.events.add().reply
        reply.game, reply.turn = 3, number
        reply.move.CopyFrom(encode_move(move))
        text = notation.text(move)
        event = {"event": "reply", "game": 3, "turn": number, "family": family, "move": text, "note": ""}
        lines.append(line(f"reply {text}", "bot", frame.SerializeToString(), [event]))
    frame = pb.BotFrame()
    events = []
    for turn, note in ((0, ""), (300, "why: \u2660 \U0001f410")):
        reply = frame.events.add().reply
        reply.game, reply.turn, reply.choice, reply.note = 70000, turn, turn, note
        events.append({"event": "reply", "game": 70000, "turn": turn, "choice": turn, "note": note})
    lines.append(line("two replies by index, one with a note", "bot", frame.SerializeToString(), events))
    return lines


async def all_lines() -> list[str]:
    """The whole file."""
    lines = await session_frames()
    for game_id, changed in RULESETS:
        lines.extend(await arena_frames(game_id, changed))
    return lines + bot_frames()


if __name__ == "__main__":
    FILE.write_text("\n".join(asyncio.run(all_lines())) + "\n", encoding="ascii")
