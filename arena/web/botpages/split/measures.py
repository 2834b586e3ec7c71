"""What is counted in each family, and what one deal says about it for the seats of a bot."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from arena.core.game import Seat
from arena.core.moves import Kind
from arena.games.crow import tricks as crow_tricks
from arena.record.compare.tables import margin_of
from arena.web.botpages.split.deals import DealPlay, led_sides, tricks_of

SHARE, POINTS, COUNT = "%", "points", "number"


class Measure(NamedTuple):
    """One row of a split."""

    group: str
    label: str
    unit: str = POINTS
    """SHARE: values are 0 or 1."""


class Seen(NamedTuple):
    """One observation."""

    measure: Measure
    value: float


SEATS = {
    place: Measure("seat after the dealer", f"{word}: points above the others")
    for place, word in {1: "1st", 2: "2nd", 3: "3rd", 4: "4th"}.items()
}
LED = Measure("leads", "tricks won by the own side", SHARE)

DECLARES = Measure("auction", "seat declares", SHARE)
MADE = Measure("as declarer", "bids made", SHARE)
BID = Measure("as declarer", "bid")
CAPTURED = Measure("as declarer", "captured")
GAINED = Measure("as declarer", "score of the hand")
BEATEN = Measure("as defender", "bids beaten", SHARE)
DEFENDED = Measure("as defender", "captured")

FULL = Measure("tricks won in a round", "pitcher full", COUNT)
NOT_FULL = Measure("tricks won in a round", "pitcher not full", COUNT)
THIRST_LED = Measure("tricks won in a round", "led by thirst", COUNT)
THIRST = Measure("cards taken in a round", "thirst", COUNT)
THIRST_POINTS = Measure("cards taken in a round", "points lost to thirst")
ROUND = Measure("round", "points")

BEATS = Measure("answers", "beats", SHARE)
DROPS = Measure("answers", "drops", SHARE)
MOLODKAS = Measure("deal", "molodkas called", COUNT)
GIVEN = Measure("deal", "defeat points given")
TAKEN = Measure("deal", "defeat points taken")
SIX_LOST = Measure("deal", "lost 6 points", SHARE)
SIX_WON = Measure("deal", "won 6 points", SHARE)

ORDER: tuple[Measure, ...] = (
    *SEATS.values(), DECLARES, MADE, BID, CAPTURED, GAINED, BEATEN, DEFENDED, ROUND, FULL, NOT_FULL, THIRST_LED, THIRST,
    THIRST_POINTS, BEATS, DROPS, MOLODKAS, GIVEN, TAKEN, SIX_LOST, SIX_WON, LED,
)  # fmt: skip
"""All of them, in the order in which they are shown."""


def rook(play: DealPlay, own: Collection[Seat]) -> Iterator[Seen]:
    """A hand of the Rook family."""
    game, facts = play.game, play.facts
    yield from _seats(play, own, facts["gained"])
    declarer = facts["declarer"]
    yield from (Seen(DECLARES, float(declarer == seat)) for seat in own)
    if declarer is None:
        return
    side = game.side_of(declarer)
    if declarer in own:
        yield Seen(MADE, float(facts["made"]))
        yield Seen(BID, facts["bid"])
        yield Seen(CAPTURED, facts["captured"][side])
        yield Seen(GAINED, facts["gained"][side])
    defenders = [seat for seat in own if seat not in game.sides[side]]
    if defenders:
        yield Seen(BEATEN, float(not facts["made"]))
        yield Seen(DEFENDED, facts["captured"][game.side_of(defenders[0])])
    yield from _leads(play, own)


def crow(play: DealPlay, own: Collection[Seat]) -> Iterator[Seen]:
    """A round of The Crow and the Pitcher."""
    yield from _seats(play, own, play.facts["scores"])
    card_points = play.game.ruleset.card_points
    points = [crow_tricks.points_of(card, card_points) for card in range(64)]
    won: dict[Seat, dict[Measure, float]] = {
        seat: {FULL: 0, NOT_FULL: 0, THIRST_LED: 0, THIRST: 0, THIRST_POINTS: 0} for seat in own
    }
    for trick, pitcher in zip(tricks_of(play), play.deal["pitchers"], strict=False):
        cards = trick.cards
        winner = (trick.leader + crow_tricks.outcome(cards, pitcher, points).place) % play.game.seats
        if trick.leader in own:
            yield Seen(LED, float(winner == trick.leader))
        if winner not in own:
            continue
        kind = THIRST_LED if crow_tricks.led_by_thirst(cards) else FULL
        if crow_tricks.takes_pitcher(cards, pitcher):
            kind = NOT_FULL
        won[winner][kind] += 1
        thirst = [card for card in cards if card >= crow_tricks.FIRST_THIRST]
        won[winner][THIRST] += len(thirst)
        won[winner][THIRST_POINTS] += sum(points[card] for card in thirst)
    for seat, counts in won.items():
        yield Seen(ROUND, play.facts["scores"][seat])
        yield from (Seen(measure, value) for measure, value in counts.items())


def goat(play: DealPlay, own: Collection[Seat]) -> Iterator[Seen]:
    """A deal of Goat."""
    defeats = play.facts["defeats"]
    yield from _seats(play, own, [-points for points in defeats])
    for seat in own:
        kinds = [move.kind for mover, move in play.moves if mover == seat]
        yield from (Seen(BEATS, float(kind is Kind.BEAT)) for kind in kinds if kind in (Kind.BEAT, Kind.DROP))
        yield from (Seen(DROPS, float(kind is Kind.DROP)) for kind in kinds if kind in (Kind.BEAT, Kind.DROP))
        yield Seen(MOLODKAS, kinds.count(Kind.MOLODKA))
    for side in {play.game.side_of(seat) for seat in own}:
        yield Seen(GIVEN, defeats[1 - side])
        yield Seen(TAKEN, defeats[side])
        yield Seen(SIX_LOST, float(defeats[side] >= 6))
        yield Seen(SIX_WON, float(defeats[1 - side] >= 6))
    yield from _leads(play, own)


def _seats(play: DealPlay, own: Collection[Seat], points: list[float]) -> Iterator[Seen]:
    """By seat after the dealer: points of its side above the mean of the others; `points` by side."""
    for seat in own:
        yield Seen(SEATS[play.place(seat)], margin_of(points, play.game.side_of(seat)))


def _leads(play: DealPlay, own: Collection[Seat]) -> Iterator[Seen]:
    for leader, side in led_sides(play, play.facts["tricks"]):
        if leader in own:
            yield Seen(LED, float(play.game.side_of(leader) == side))


Count = Callable[[DealPlay, Collection[Seat]], Iterator[Seen]]


def counter_of(play: DealPlay) -> Count:
    """How a deal is counted: by what its facts say."""
    if "declarer" in play.facts:
        return rook
    return crow if "pitchers" in play.deal else goat
