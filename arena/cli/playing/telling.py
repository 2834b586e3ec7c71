"""Tells a game on stdout while it is played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from arena.cli.output import Output
from arena.cli.playing.kept import Played
from arena.cli.told import tell_faults

if TYPE_CHECKING:
    from arena.core.game import AnyGame
    from arena.record.results import GameKey
    from arena.runner.single import Single
    from arena.store.values import StoredGame


class Teller:
    """Adds to an open line with every move."""

    def __init__(self, output: Output, single: Single, seed: str) -> None:
        self._output = output
        self._single = single
        self._seed = seed
        self._narrator: Any = None  # Any: imported late
        self._state: Any = None  # Any: the state of whichever game is told

    def begin(self, key: GameKey, bots: tuple[str, ...]) -> Callable[[Any, Any], None]:
        """A game begins: say what was dealt."""
        from arena.record.text import Narrator

        game = self._single.game
        self._narrator = Narrator(game, bots, ascii_only=self._output.ascii)
        self._state = first_state(game, self._single.secret, key.board)
        self._output.write(self._narrator.opening(self._state, self._seed))
        return self.move

    def move(self, record: Any, after: Any) -> None:
        """A move was played."""
        text = self._narrator.move(self._state, record.seat, record.move, after, record.fault)
        self._output.write(text)
        self._state = after

    def end(self, game: StoredGame) -> None:
        """The game is over: say what counts."""
        from arena.record.transcript import from_data

        self._output.write(self._narrator.ending(self._state, from_data(dict(game.result.transcript))))
        tell_faults(self._output, game.result.faults, game.bots)


def tell(output: Output, played: Played, seed: str, *, ending: bool = False) -> None:
    """A whole game, or only its end, as it is told while it is played."""
    from arena.record.rendering import rendered

    short = replace(played.transcript, bots=played.bots)
    parts = list(rendered(short, board=seed, ascii_only=output.ascii))
    output.write("".join(parts[-1:] if ending else parts))
    tell_faults(output, short.faults, played.bots)


def first_state(game: AnyGame, secret: bytes, board: int) -> Any:
    """The state before the first move of a board. Any: the state of whichever game."""
    from arena.core.chance import board_seed
    from arena.core.game import SeededBoard

    return game.start(SeededBoard(board_seed(secret, game.id, game.describe(), board)))
