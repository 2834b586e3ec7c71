"""Python SDK of Arena: a bot is a class with one method per kind of decision.

    from arena_bot import Bot, run

    class Mine(Bot):
        def play(self, turn):
            return max(turn.cards, key=turn.points)

    run(Mine)

`Table` plays a bot without a network, for tests and practice. It imports nothing of the arena.
"""

from arena_bot.answers import IllegalAnswer
from arena_bot.bot import Answer, Bot, log
from arena_bot.cards import CROW, GOAT, ROOK, Card, Names, rank, suit
from arena_bot.game import Game, Result
from arena_bot.moves import MOLODKA, PASS, Choose, Legal, Move
from arena_bot.stream import run
from arena_bot.table import Table
from arena_bot.turn import Turn
from arena_bot.turns import Act, CrowTurn, GoatTurn, Played, RookTurn

__all__ = [
    "CROW",
    "GOAT",
    "MOLODKA",
    "PASS",
    "ROOK",
    "Act",
    "Answer",
    "Bot",
    "Card",
    "Choose",
    "CrowTurn",
    "Game",
    "GoatTurn",
    "IllegalAnswer",
    "Legal",
    "Move",
    "Names",
    "Played",
    "Result",
    "RookTurn",
    "Table",
    "Turn",
    "log",
    "rank",
    "run",
    "suit",
]
