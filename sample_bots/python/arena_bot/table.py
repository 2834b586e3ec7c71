"""The bot's side of the protocol, without a transport: messages in, replies out. Tests and local practice use it too.

table = Table(MyBot)
table.start(GameStart(game=1, ruleset="crowsnest", seat=2, ...))
reply = table.turn(Turn(game=1, turn=0, rook=RookView(...), legal=...))
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from arena_bot.answers import fill
from arena_bot.bot import Bot, log
from arena_bot.game import Game, read_result
from arena_bot.turn import Turn
from arena_bot.turns import CrowTurn, GoatTurn, RookTurn
from arena_bot.v1 import arena_pb2

VERSIONS = ("1.0",)
SDK = "arena-python 0.1"
NOTE_BYTES = 2048
FRAME_BYTES = 200_000
"""A frame above this many bytes is cut in two; the arena takes 256 KiB."""

_VIEWS: dict[str, type[Turn]] = {"rook": RookTurn, "crow": CrowTurn, "goat": GoatTurn}
_METHODS = {
    "rook": {1: "bid", 2: "discard", 3: "trump", 4: "play"},
    "goat": {1: "molodka", 2: "lead", 3: "answer"},
}


class Table:
    """All games of one process, each with a bot object of its own, made by calling `bot`."""

    def __init__(self, bot: Callable[[], Bot]) -> None:
        self._make = bot
        self.games: dict[int, tuple[Game, Bot]] = {}
        """The games that run now, by number."""
        self.goodbye: str | None = None
        """The arena's last word, once it was said."""

    def hello(self, token: str) -> bytes:
        """The first frame to send."""
        hello = arena_pb2.Hello(
            versions=VERSIONS,
            token=token,
            sdk=SDK,
            concurrent_games=getattr(self._make, "concurrent_games", Bot.concurrent_games),
        )
        return arena_pb2.BotFrame(events=[arena_pb2.BotEvent(hello=hello)]).SerializeToString()

    def frame(self, data: bytes) -> list[bytes]:
        """Take a frame from the arena. Returns the frames to send: one with all replies, none if there are none."""
        outgoing = arena_pb2.BotFrame()
        events = outgoing.events
        for event in arena_pb2.ArenaFrame.FromString(data).events:
            match event.WhichOneof("event"):
                case "turn":
                    self._answer(event.turn, events.add().reply)
                case "game_start":
                    self.start(event.game_start)
                case "game_over":
                    self.over(event.game_over)
                case "rejected":
                    self._rejected(event.rejected)
                case "goodbye":
                    self.goodbye = event.goodbye.reason or "done"
                case _:
                    pass  # Welcome needs nothing; what is newer than this SDK is ignored
        return _split(outgoing) if len(events) else []

    def start(self, start: arena_pb2.GameStart) -> Game:
        """Begin a game."""
        game, bot = Game(start), self._make()
        self.games[game.number] = game, bot
        _guarded(bot, "started", game, 0, bot.started, game)
        return game

    def turn(self, message: arena_pb2.Turn) -> arena_pb2.Reply:
        """Decide. Raises IllegalAnswer, or what the bot raised; KeyError for a game that was never started."""
        reply = arena_pb2.Reply()
        self._answer(message, reply)
        return reply

    def over(self, message: arena_pb2.GameOver) -> None:
        """End a game."""
        game, bot = self.games.pop(message.game, (None, None))
        if game is not None and bot is not None:
            _guarded(bot, "over", game, 0, bot.over, game, read_result(message))

    def _rejected(self, message: arena_pb2.Rejected) -> None:
        game, bot = self.games.get(message.game, (None, None))
        if game is None or bot is None:
            log(f"game {message.game}, turn {message.turn}: not taken: {message.reason}")
        else:
            _guarded(bot, "rejected", game, message.turn, bot.rejected, message.turn, message.reason)

    def _answer(self, message: arena_pb2.Turn, reply: arena_pb2.Reply) -> None:
        game, bot = self.games[message.game]
        turn, method = open_turn(game, message)
        reply.game = message.game
        reply.turn = message.turn
        try:
            fill(reply, turn, method, getattr(bot, method)(turn))
        except Exception as error:
            _blame(error, bot, method, game, message.turn)
            if bot.strict:
                raise
            _log_error(error)
            fill(reply, turn, "any_move", Bot.any_move(bot, turn))
        if turn._notes is not None:
            reply.note = _cut(turn.notes)


def open_turn(game: Game, message: arena_pb2.Turn) -> tuple[Turn, str]:
    """The turn of a message and the bot's method that decides it; "any_move" for what this SDK does not know."""
    which = message.WhichOneof("view")
    if which is None:
        return Turn(game, message, None), "any_move"
    view = getattr(message, which)
    if which == "crow":
        return CrowTurn(game, message, view), "play"
    return _VIEWS[which](game, message, view), _METHODS[which].get(view.phase, "any_move")


def _guarded(bot: Bot, method: str, game: Game, turn: int, call: Callable[..., None], *arguments: Any) -> None:
    try:
        call(*arguments)
    except Exception as error:
        _blame(error, bot, method, game, turn)
        if bot.strict:
            raise
        _log_error(error)


def _blame(error: Exception, bot: Bot, method: str, game: Game, turn: int) -> None:
    """Say in the traceback where it happened."""
    error.add_note(f"in {type(bot).__name__}.{method}, game {game.number} ({game.ruleset}), turn {turn}")


def _log_error(error: Exception) -> None:
    log("".join(traceback.format_exception(error)).rstrip())


def _cut(note: str) -> str:
    """A note of no more bytes than the arena keeps."""
    if len(note) * 4 <= NOTE_BYTES:
        return note
    return note.encode("utf-8", "replace")[:NOTE_BYTES].decode("utf-8", "ignore")


def _split(frame: arena_pb2.BotFrame) -> list[bytes]:
    """A frame as bytes, as several frames where one would be too large."""
    data = frame.SerializeToString()
    if len(data) <= FRAME_BYTES or len(frame.events) < 2:
        return [data]
    half = len(frame.events) // 2
    parts = frame.events[:half], frame.events[half:]
    return [data for part in parts for data in _split(arena_pb2.BotFrame(events=part))]
