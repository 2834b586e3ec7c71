"""A game as plain text, move by move or whole: what `arena play` and `arena replay show` print.

    auction  S fox 80 · W owl 85 · N fox pass · ...      declarer W 85
    trick 1  S B14  W B5  N B10  E B6                    fox +25

Knows no game: it reads the kinds of moves, the spectators' view as data, deals as data and scores. Each call gives the
text to add, so that an open line grows with every move; joined they are the whole text. Fields it looks for in a view:
the number of the deal, `phase`, `trump`, `trump_card`, `pitchers`, the points of the running deal and `results`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from arena.core.game import AnyGame, Seat
from arena.core.moves import Kind, Move
from arena.record.outcomes import TALLIES, leader_of, new_result, remark_of
from arena.record.results import Verdict
from arena.record.transcript import Transcript

DEAL_WORDS = {"hand_number": "hand", "round": "round", "deal_number": "deal"}
"""Field of a view that counts deals -> what the game calls a deal."""
OPENERS = frozenset({Kind.PLAY, Kind.LEAD, Kind.MOLODKA})
TRICK_MOVES = frozenset({*OPENERS, Kind.BEAT, Kind.DROP})
HIDDEN = frozenset({Kind.DISCARD, Kind.DROP})
"""Moves whose cards only the mover sees."""
OUTCOME_COLUMN = 44
"""Where the outcome of a trick stands, if its cards leave room."""


class Marks(NamedTuple):
    """The signs that differ between full text and ASCII."""

    dot: str
    minus: str


FULL = Marks(" · ", "−")
ASCII = Marks(" | ", "-")


def seat_names(seats: int) -> tuple[str, ...]:
    """Names of seats, clockwise: S W N E at tables of four, else 1 2 3."""
    return tuple("SWNE") if seats == 4 else tuple(str(seat + 1) for seat in range(seats))


class Narrator:
    """Tells one match. Call `opening`, then `move` for every move in order, then `ending`.

    `bots`: names by seat, may be empty. `hands`: write out what was dealt. `eyes`: tell what this seat saw: its own
    hand and the cards it gets, no other hand, of the moves of others no discards and drops; None: everything is open.
    """

    def __init__(
        self,
        game: AnyGame,
        bots: Sequence[str] = (),
        *,
        ascii_only: bool = False,
        hands: bool = False,
        eyes: Seat | None = None,
    ) -> None:
        self._game = game
        self._marks = ASCII if ascii_only else FULL
        self._hands = hands
        self._eyes = eyes
        self._seats = seat_names(game.seats)
        named = zip(self._seats, bots, strict=True) if bots else ()
        self._callers = tuple(f"{seat} {bot}" for seat, bot in named) or self._seats
        self._sides = side_names(game, bots)
        self._label = ""
        self._line = ""
        self._trick: list[Kind] = []
        """Kinds of the moves of the open trick that still count."""
        self._tricks = 0
        self._scores: tuple[int, ...] = ()

    def opening(self, state: Any, board: str = "") -> str:  # Any: the state of whichever game is told
        """Title, who sits where, the first deal."""
        title = f"{self._game.title}, board {board}" if board else self._game.title
        seated = "" if self._callers is self._seats else "  ".join(self._callers) + "\n"
        self._scores = self._game.scores(state)
        return f"{title}\n{seated}" + self._deal(state)

    def move(self, before: Any, seat: Seat, move: Move, after: Any, fault: str = "") -> str:
        """One move, from the state before it and the state after it. `fault`: why it is a default move."""
        text = self._enter(before, seat, move)
        if fault:
            text += self._write(f" ({fault})")
        seen = self._public(after)
        if len(self._game.deals(after)) > len(self._game.deals(before)) or self._game.to_move(after) is None:
            text += self._outcome(before, after) + self._deal_over(before, after)
            if self._game.to_move(after) is not None:
                text += self._deal(after)
        elif self._trick_is_full():
            text += self._outcome(before, after)
        elif self._label == "auction" and seen.get("phase") != "auction" and seen.get("bidder") is not None:
            text += self._write(f"      declarer {self._seats[seen['bidder']]} {seen['bid']}") + self._close()
        if self._eyes is not None and move.kind is not Kind.MOLODKA:
            text += self._gets(self._eyes, before, after)
        return text

    def holding(self, state: Any) -> str:
        """What the seat that looks on holds, at the end of a game that is told in part."""
        if self._eyes is None or self._game.to_move(state) is None:
            return self._close() or "\n"
        hand = self._game.notation.names.join(self._game.view(state, self._eyes).hand)
        return self._close() + f"{'holds':<9}{self._seats[self._eyes]} {hand}\n"

    def ending(self, state: Any, result: Transcript | None = None) -> str:
        """The final scores and what the rules say beside them ("goat with balls").

        With a result what counts, and why, where seats forfeited or the game is void.
        """
        lines = []
        scores: Sequence[float] = self._game.scores(state)
        ranks = self._game.ranks(state)
        if result is not None:
            lines += [f"{self._callers[seat]} forfeits: {code}" for seat, code in result.forfeits]
            if result.verdict is Verdict.VOID:
                return self._close() + "\n".join([*lines, f"void: {result.reason}"]) + "\n"
            scores, ranks = result.scores, result.ranks
        firsts = [seats[0] for seats in self._game.sides]
        final = "   ".join(
            f"{name} {self._number(scores[seat])}" for name, seat in zip(self._sides, firsts, strict=True)
        )
        best = [name for name, seat in zip(self._sides, firsts, strict=True) if ranks[seat] == 0]
        end = f"{best[0]} wins" if len(best) == 1 else "draw: " + ", ".join(best)
        remark = remark_of(self._game.facts(state))
        end += f"; {remark}" if remark else ""
        return self._close() + "\n".join([*lines, f"final    {final}      {end}"]) + "\n"

    # Lines

    def _write(self, text: str) -> str:
        self._line += text
        return text

    def _close(self) -> str:
        """End the open line, if there is one."""
        ended = "\n" if self._line else ""
        self._line, self._label = "", ""
        return ended

    def _under(self, label: str) -> tuple[str, bool]:
        """Make `label` the open line; whether it is a new one."""
        if self._label == label and self._line:
            return "", False
        ended = self._close()
        self._label = label
        return ended + self._write(f"{label:<9}"), True

    # Moves

    def _enter(self, before: Any, seat: Seat, move: Move) -> str:
        """The text of a move on its line."""
        if move.kind in TRICK_MOVES:
            return self._enter_trick(before, seat, move)
        phase = str(self._public(before).get("phase", "calls"))
        text, new = self._under("asked" if phase == "ask" else phase)
        what = self._move_text(before, seat, move).removeprefix(f"{phase} ").removeprefix("bid ")
        return text + self._write(f"{'' if new else self._marks.dot}{self._callers[seat]} {what}")

    def _enter_trick(self, before: Any, seat: Seat, move: Move) -> str:
        text = ""
        if not self._trick:
            self._tricks += 1
            text, _ = self._under(f"trick {self._tricks}")
            pitchers = self._public(before).get("pitchers")
            text += self._write(f"pitcher {pitchers[-1]:<4}" if pitchers else "")
        else:
            text += self._write("  ")
        if move.kind is Kind.MOLODKA:
            self._trick.clear()
        self._trick.append(move.kind)
        return text + self._write(f"{self._seats[seat]} {self._move_text(before, seat, move)}")

    def _move_text(self, before: Any, seat: Seat, move: Move) -> str:
        """A move in words, hidden cards as their number."""
        text = self._game.notation.text(move)
        if move.kind in HIDDEN and self._eyes not in (None, seat):
            return f"{move.kind.value} {len(move.cards)}"
        if move.kind is Kind.LEAD:
            return text.removeprefix("lead ")
        if move.kind is Kind.MOLODKA:
            return f"{text} {self._game.notation.names.join(self._game.view(before, seat).hand)}"
        return text

    def _gets(self, eyes: Seat, before: Any, after: Any) -> str:
        """The cards that the seat that looks on gets within a deal: the nest, cards drawn."""
        if len(self._game.deals(after)) > len(self._game.deals(before)):
            return ""
        had = set(self._game.view(before, eyes).hand)
        new = [card for card in self._game.view(after, eyes).hand if card not in had]
        if not new:
            return ""
        return self._close() + f"{'gets':<9}{self._seats[eyes]} {self._game.notation.names.join(new)}\n"

    def _trick_is_full(self) -> bool:
        return len(self._trick) == self._game.seats

    def _outcome(self, before: Any, after: Any) -> str:
        """What a full trick brought each side, as far as everybody knows."""
        if not self._trick_is_full():
            return self._close()
        kinds, self._trick = self._trick, []
        data = self._public(after)
        over = new_result(self._public(before), data, len(self._sides))
        points = over.points if over is not None else self._points(after)
        gains = [now - then for now, then in zip(points, self._points(before), strict=True)]
        told = [f"{name} {self._signed(gain)}" for name, gain in zip(self._sides, gains, strict=True) if gain]
        if not told and over is None and ("leaders" in data or "leader" in data):
            told = [f"{self._sides[self._game.side_of(leader_of(data))]} +0"]
        drops = kinds.count(Kind.DROP)
        if drops and told and over is None:
            told[-1] += f" and {drops} unseen"
        pad = " " * max(4, OUTCOME_COLUMN - len(self._line)) if told else ""
        return self._write(pad + "  ".join(told)) + self._close()

    # Deals

    def _public(self, state: Any) -> dict[str, Any]:
        return self._game.view_data(self._game.view(state, None))

    def _points(self, state: Any) -> list[int]:
        """Points of the running deal by side; zeros for a game without such a field."""
        data = self._public(state)
        found = next((data[key] for key in TALLIES if key in data), None)
        return list(found) if found is not None else [0] * len(self._sides)

    def _deal(self, state: Any) -> str:
        """The heading of a deal, and its cards when hands are written out."""
        game, data = self._game, self._public(state)
        self._trick, self._tricks = [], 0
        field = next((key for key in DEAL_WORDS if key in data), None)
        heading = f"{DEAL_WORDS[field]} {data[field] + 1}" if field is not None else f"deal {len(game.deals(state))}"
        if data.get("redeals"):
            heading += f", dealt again ({data['redeals']})"
        if "dealer" in data:
            heading += f", dealer {self._seats[data['dealer']]}"
        if "trump_card" in data:
            heading += f", trump {data['trump']} ({data['trump_card']} shown)"
        lines = [heading]
        if self._eyes is not None:
            hand = game.notation.names.join(game.view(state, self._eyes).hand)
            lines.append(f"  {self._seats[self._eyes]:<8} {hand}")
        elif self._hands:
            deal = dict(game.deal_data(game.deals(state)[-1]))
            named = zip(self._seats, deal.pop("hands", []), strict=False)
            lines += [f"  {seat:<8} {' '.join(hand)}" for seat, hand in named]
            lines += [
                f"  {key:<8} {' '.join(map(str, cards))}" for key, cards in deal.items() if isinstance(cards, list)
            ]
        return "\n" + "\n".join(lines) + "\n"

    def _deal_over(self, before: Any, after: Any) -> str:
        """What a deal came to: points by side, what they changed in the scores, the totals."""
        result = new_result(self._public(before), self._public(after), len(self._sides))
        if result is None or result.passed_out:
            text = "all passed" if result is not None else "all passed, dealt again"
            return self._close() + f"result   {text}\n"
        scores = self._game.scores(after)
        parts, totals = [], []
        for side, name in enumerate(self._sides):
            seat = self._game.sides[side][0]
            change = scores[seat] - self._scores[seat]
            notes = []
            if result.bid and result.declarer in self._game.sides[side]:
                notes.append(f"bid {result.bid} {'made' if change > 0 else 'lost'}")
            if notes or change != result.points[side]:
                notes.append(self._signed(change))
            parts.append(f"{name} {self._number(result.points[side])}" + (f" ({', '.join(notes)})" if notes else ""))
            totals.append(f"{name} {self._number(scores[seat])}")
        self._scores = scores
        return self._close() + f"result   {'   '.join(parts)}\nscores   {'   '.join(totals)}\n"

    def _number(self, value: float) -> str:
        return f"{value:g}".replace("-", self._marks.minus)

    def _signed(self, value: float) -> str:
        return f"{value:+g}".replace("-", self._marks.minus)


def side_names(game: AnyGame, bots: Sequence[str] = ()) -> tuple[str, ...]:
    """A name for each side: its bot where no other side has that bot, else its seats, "S/N"."""
    names = seat_names(game.seats)
    seated = tuple("/".join(names[seat] for seat in seats) for seats in game.sides)
    if not bots:
        return seated
    teams = [{bots[seat] for seat in seats} for seats in game.sides]
    told = []
    for side, team in enumerate(teams):
        own = len(team) == 1 and sum(bool(team & other) for other in teams) == 1
        told.append(next(iter(team)) if own else f"{seated[side]} {'+'.join(sorted(team))}")
    return tuple(told)
