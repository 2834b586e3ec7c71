"""The Crow and the Pitcher on the table: pitcher, count line, tricks, scores. Rules come from the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.cards import Card, rank_of, suit_of
from arena.core.game import AnyGame, Seat
from arena.games.crow import tricks
from arena.games.crow.game import Crow
from arena.games.crow.ruleset import NAMES, PITCHER_POINTS, SUITS, THIRST
from arena.web.table.scene import Aside, CardFace, Fact, Play, SeatScene, Trick
from arena.web.table.sight import Sight, View, signed


def crow_game(game: AnyGame) -> Crow:
    """The game as what it is. Raises TypeError for another game."""
    if not isinstance(game, Crow):
        raise TypeError(f"{game.id} is not The Crow and the Pitcher")
    return game


def count_line(view: View, more: str = "") -> str:
    """How the pitcher of the running trick stands: "counted 10 of 12, not full: lowest blue takes, −5".

    `view` as data; with `more` as if that card were played now. When the trick is complete, of the complete trick.
    """
    seats = len(view["scores"])
    played = [*view["played"], *([more] if more else [])]
    place = len(view["pitchers"]) - 1
    return line_of(played[seats * place : seats * (place + 1)], view["pitchers"][-1])


def line_of(texts: Sequence[str], pitcher: int) -> str:
    """The count line of the cards of a trick, in order of play."""
    trick = [NAMES.parse(text) for text in texts]
    if not trick:
        return f"pitcher {pitcher}, no card yet"
    if tricks.led_by_thirst(trick):
        return "thirst led: highest thirst takes the thirst, stones and pitcher go to nobody"
    counted, led = tricks.counted(trick, pitcher), SUITS[suit_of(trick[0])]
    if tricks.is_full(trick, pitcher):
        return f"counted {counted} of {pitcher}, full: highest {led} takes"
    return f"counted {counted} of {pitcher}, not full: lowest {led} takes, {signed(PITCHER_POINTS)}"


def counts_as(card: Card, pitcher: int, thirst_led: bool) -> str:
    """How a card of a trick counts for its pitcher: "counted", "over 9", "thirst", "lost" in a trick led by thirst."""
    if suit_of(card) == THIRST:
        return "thirst"
    if thirst_led:
        return "lost"
    return "counted" if rank_of(card) <= pitcher else f"over {pitcher}"


@dataclass(frozen=True)
class CrowTable:
    """One position."""

    sight: Sight

    @property
    def game(self) -> Crow:
        """The game that is played."""
        return crow_game(self.sight.game)

    @property
    def view(self) -> View:
        """Where public facts are read."""
        return self.sight.view

    @property
    def phase(self) -> str:
        """What is going on, in words."""
        return "over" if self.sight.to_move is None and self._is_over() else "play"

    def _is_over(self) -> bool:
        seats, ruleset = self.game.seats, self.game.ruleset
        return len(self.view["results"]) == seats * ruleset.rounds

    def doing(self) -> str:
        """What the seat to move has to do."""
        return "to play" if len(self.view["played"]) % self.game.seats else "to lead"

    def header(self) -> tuple[Fact, ...]:
        """Round, trick, whether thirst may be led."""
        view, ruleset = self.view, self.game.ruleset
        trick = min(len(view["played"]) // self.game.seats + 1, ruleset.tricks)
        facts = [
            Fact("round", f"{view['round'] + 1} of {ruleset.rounds}"),
            Fact("trick", f"{trick} of {ruleset.tricks}"),
        ]
        if ruleset.thirst_lead == "broken":
            done = self.game.seats * (len(view["leaders"]) - 1)
            broken = tricks.thirst_broken([NAMES.parse(text) for text in view["played"][:done]])
            facts.append(Fact("thirst", "broken, may be led" if broken else "not broken yet", suit="thirst"))
        return tuple(facts)

    # Seats

    def seats(self) -> tuple[SeatScene, ...]:
        """All seats, clockwise from the bottom."""
        return tuple(self._seat(seat) for seat in self.sight.clockwise())

    def _seat(self, seat: Seat) -> SeatScene:
        view, own = self.view, self.sight.own(seat)
        hand = None
        if own is not None:
            hand = tuple(self._card(seat, text) for text in own["hand"])
        played = sum(who == seat for who, _, _ in self._plays())
        facts = [
            Fact("round", signed(view["round_scores"][seat])),
            Fact("total", signed(view["scores"][seat])),
        ]
        return self.sight.seat(seat, hand=hand, count=self.game.ruleset.tricks - played, facts=facts)

    def _card(self, seat: Seat, text: str) -> CardFace:
        previews = self.sight.choices is not None and seat == self.sight.to_move
        return self.sight.chosen(seat, self.sight.face(text), count_line(self.view, text) if previews else "")

    # Tricks

    def _plays(self) -> list[tuple[Seat, str, int]]:
        """Seat, card and number of the trick of every card played in this round, in order."""
        seats, leaders = self.game.seats, self.view["leaders"]
        return [
            ((leaders[place // seats] + place % seats) % seats, text, place // seats)
            for place, text in enumerate(self.view["played"])
        ]

    def trick(self) -> Trick:
        """The trick that is being played, also when it has no card yet; at the end the last one."""
        return self._trick(len(self.view["pitchers"]) - 1)

    def last(self) -> Trick | None:
        """The trick before."""
        number = len(self.view["pitchers"]) - 2
        return self._trick(number) if number >= 0 else None

    def _trick(self, number: int) -> Trick:
        seats, pitcher = self.game.seats, self.view["pitchers"][number]
        texts = self.view["played"][seats * number : seats * (number + 1)]
        trick = [NAMES.parse(text) for text in texts]
        best = NAMES.text(tricks.winning_card(trick, pitcher)) if trick else ""
        plays: list[Play] = []
        for seat, text, place in self._plays():
            if place == number:
                mark = counts_as(NAMES.parse(text), pitcher, tricks.led_by_thirst(trick))
                face = self.sight.face(text, mark=mark)
                plays.append(self.sight.play(seat, "played" if plays else "led", [face], wins=text == best))
        complete = len(plays) == seats
        line = line_of(texts, pitcher)
        if complete:
            winner = next(play for play in plays if play.wins)
            points = tricks.outcome(trick, pitcher, self._points()).points
            line += f"; {self.sight.takes(winner.seat, complete)}, {signed(points)}"
        return Trick(tuple(plays), complete, line, pitcher, number=number + 1)

    def _points(self) -> list[int]:
        """What cards score, by card number."""
        pack = self.game.ruleset.pack()
        worth = [0] * (max(pack) + 1)
        for card in pack:
            worth[card] = tricks.points_of(card, self.game.ruleset.card_points)
        return worth

    # Beside the table

    def asides(self) -> tuple[Aside, ...]:
        """Pitchers of this round, results of the rounds before."""
        view, seats = self.view, self.game.seats
        asides = []
        if len(view["pitchers"]) > 1:
            asides.append(Aside("pitchers so far", lines=(" ".join(map(str, view["pitchers"])),)))
        if view["results"]:
            rounds = [view["results"][first : first + seats] for first in range(0, len(view["results"]), seats)]
            lines = tuple(f"round {number}: {self.sight.by_side(points)}" for number, points in enumerate(rounds, 1))
            asides.append(Aside("rounds so far", lines=lines))
        return tuple(asides)


def table(sight: Sight) -> CrowTable:
    """The position of a sight."""
    return CrowTable(sight)


def why_not(game: AnyGame, view: View, text: str) -> str:
    """Why a card of the own hand may not be played to the trick."""
    crow = crow_game(game)
    place = len(view["played"]) % crow.seats
    if not place:
        if not view["played"]:
            return "thirst cannot lead the first trick of a round"
        return "thirst not broken yet"
    led = suit_of(NAMES.parse(view["played"][-place]))
    held = [card for card in view["hand"] if suit_of(NAMES.parse(card)) == led]
    if held:
        return f"{SUITS[led].capitalize()} was led; you hold {' '.join(held)}"
    thirst = [card for card in view["hand"] if suit_of(NAMES.parse(card)) == THIRST]
    return f"You have no {SUITS[led]}, so you must play thirst; you hold {' '.join(thirst)}"
