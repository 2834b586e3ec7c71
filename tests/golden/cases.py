"""Which golden transcripts there are: one for each variant, one for each rare event, and how each one is found.

A case plays matches on numbered boards with its way of choosing until one shows what the case is about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from golden.playthrough import Course, Turn, played

from arena import games
from arena.core.chance import Chance
from arena.core.drivers import random_move
from arena.core.game import SeededBoard
from arena.core.moves import MOLODKA, PASS, Kind, Legal, LegalList, Move, bid

BOARDS = 5000
"""A case that no board up to here shows is an error."""

Choose = Callable[[int, dict[str, Any], Legal, Chance], Move]


class Case(NamedTuple):
    """One golden file."""

    title: str
    game: str
    options: Mapping[str, Any]
    choose: Choose
    shows: Callable[[Course], bool]


def anything(_course: Course) -> bool:
    return True


# Ways of choosing


def calm(_seat: int, _view: dict[str, Any], legal: Legal, chance: Chance) -> Move:
    """Low auctions, every molodka called, else anything."""
    if isinstance(legal, LegalList):
        if MOLODKA in legal.moves:
            return MOLODKA
        if PASS in legal.moves and len(legal.moves) > 1:
            return PASS if chance.below(3) else legal.moves[1]
    return random_move(chance, legal)


def passing(_seat: int, _view: dict[str, Any], legal: Legal, chance: Chance) -> Move:
    if isinstance(legal, LegalList) and PASS in legal.moves:
        return PASS
    return random_move(chance, legal)


def passing_once(seat: int, view: dict[str, Any], legal: Legal, chance: Chance) -> Move:
    """All pass the first deal; then the first seat bids."""
    if view["redeals"] and isinstance(legal, LegalList) and len(legal.moves) > 1 and PASS in legal.moves:
        return PASS if view["bid"] else legal.moves[1]
    return passing(seat, view, legal, chance)


def lowest_bid(_seat: int, view: dict[str, Any], legal: Legal, chance: Chance) -> Move:
    """The first seat makes the lowest bid, all others pass."""
    if isinstance(legal, LegalList) and PASS in legal.moves:
        return PASS if view["bid"] else legal.moves[1]
    return random_move(chance, legal)


def all_bid_up(_seat: int, view: dict[str, Any], legal: Legal, chance: Chance) -> Move:
    """Every seat raises by one step, up to the highest bid."""
    if isinstance(legal, LegalList) and PASS in legal.moves:
        return legal.moves[1]
    return random_move(chance, legal)


def one_team_beats(seat: int, view: dict[str, Any], legal: Legal, chance: Chance) -> Move:
    """Goat: seats 0 and 2 beat whenever they can, seats 1 and 3 always drop."""
    assert isinstance(legal, LegalList)
    wanted = Kind.DROP if seat % 2 else Kind.BEAT
    moves = [move for move in legal.moves if move.kind is wanted]
    return chance.choice(moves) if moves else chance.choice([move for move in legal.moves if move != MOLODKA])


def plays_special_early(_seat: int, view: dict[str, Any], legal: Legal, chance: Chance) -> Move:
    """Bids low and leads the Crow as soon as it can."""
    if isinstance(legal, LegalList):
        if PASS in legal.moves:
            return PASS if view["bid"] else bid(legal.moves[1].number)
        if len(view["played"]) % 4 == 0:
            return next((move for move in legal.moves if move.cards == (65,)), random_move(chance, legal))
    return random_move(chance, legal)


# What the rare events look like


def some_turn(test: Callable[[Turn], bool]) -> Callable[[Course], bool]:
    return lambda course: any(test(turn) for turn in course.turns)


def leads(turn: Turn, seats: int) -> bool:
    """Whether the turn is a lead in a game of single cards."""
    return turn.view.get("phase", "play") == "play" and len(turn.view["played"]) % seats == 0


def thirst_not_yet_led(turn: Turn) -> bool:
    hand = {card[0] for card in turn.view["hand"]}
    return (
        leads(turn, 4)
        and bool(turn.view["played"])
        and "T" in hand
        and len(hand) > 1
        and not any(card[0] == "T" for card in turn.legal)
    )


def excluded_card_wins_a_pitcher_not_full(course: Course) -> bool:
    data = course.last
    for trick, pitcher in enumerate(data["pitchers"]):
        cards = data["played"][4 * trick : 4 * trick + 4]
        ranks = sorted(int(card[1:]) for card in cards if card[0] == cards[0][0])
        counted = sum(int(card[1:]) for card in cards if card[0] != "T" and int(card[1:]) <= pitcher)
        if cards[0][0] != "T" and counted < pitcher < ranks[0]:
            return True
    return False


def molodka_gives_cards_back(course: Course) -> bool:
    """One seat led, one dropped, one called."""
    return any(
        turn.move == "molodka" and turn.view["acts"][-2:] in (["lead", "drop"], ["drop", "drop"])
        for turn in course.turns
    )


SHORT = {"max_hands": 1}
DEAL = {"max_deals": 1}

CASES: dict[str, Case] = {
    "crowsnest": Case("CrowsNest, one hand", "crowsnest", SHORT, calm, anything),
    "crowsnest-without-rook": Case(
        "CrowsNest without the Crow: a nest of four", "crowsnest", {**SHORT, "rook": False}, calm, anything
    ),
    "tournament": Case("Tournament, one hand", "tournament", SHORT, calm, anything),
    "tournament-without-rook": Case(
        "Tournament without the Rook", "tournament", {**SHORT, "rook": False}, calm, anything
    ),
    "partnership": Case("Partnership: no nest", "partnership", SHORT, calm, anything),
    "one-high": Case("1-High Partnership: a nest of one", "one_high", SHORT, calm, anything),
    "red-one": Case("The Red 1, one hand", "red_one", SHORT, calm, anything),
    "buckeye": Case("Buckeye, one hand", "buckeye", SHORT, calm, anything),
    "crow-of-four": Case("The Crow and the Pitcher, four seats", "crow_and_pitcher", {}, calm, anything),
    "crow-of-three": Case("The Crow and the Pitcher, three seats", "crow_and_pitcher", {"players": 3}, calm, anything),
    "goat": Case("Goat, one deal", "goat", DEAL, calm, anything),
    "goat-match": Case(
        "Goat, a match to four defeat points",
        "goat",
        {"target": 4},
        calm,
        lambda course: len(course.inputs.deals) == 2,
    ),
    "rook-all-pass-redeal": Case(
        "All four pass, the same dealer deals again",
        "crowsnest",
        SHORT,
        passing_once,
        lambda course: len(course.inputs.deals) == 2 and len({deal["dealer"] for deal in course.inputs.deals}) == 1,
    ),
    "rook-all-pass-zero": Case(
        "All four pass, the hand ends 0-0",
        "buckeye",
        {**SHORT, "all_pass": "zero"},
        passing,
        lambda course: len(course.turns) == 4 and course.scores == (0, 0, 0, 0),
    ),
    "rook-forced-bid": Case(
        "Ten deals passed out: on the eleventh, after three passes, the dealer must make the lowest bid",
        "crowsnest",
        SHORT,
        passing,
        some_turn(lambda turn: turn.legal == ["bid 70"] and turn.view["redeals"] == 10),
    ),
    "rook-highest-bid": Case(
        "The highest bid ends the auction at once",
        "red_one",
        SHORT,
        all_bid_up,
        lambda course: course.last["results"][0]["bid"] == 150,
    ),
    "rook-sudden-death": Case(
        "Both teams at the target with equal totals: another hand decides",
        "tournament",
        {"lowest_bid": 60, "target": 60, "max_hands": 4},
        lowest_bid,
        lambda course: course.last["results"][0]["captured"] == [60, 60] and len(course.last["results"]) == 2,
    ),
    "rook-level-tricks": Case(
        "Seven tricks each: nobody has the bonus, 100 points in the hand",
        "partnership",
        SHORT,
        lowest_bid,
        lambda course: sum(course.last["results"][0]["captured"]) == 100,
    ),
    "rook-crow-led": Case(
        "The Crow is led: whoever has a trump must play one",
        "crowsnest",
        SHORT,
        plays_special_early,
        some_turn(lambda turn: turn.move == "ROOK" and leads(turn, 4) and len(turn.view["hand"]) > 3),
    ),
    "rook-red-1-forced": Case(
        "The Red 1 is the only trump of a hand, and trump is led",
        "red_one",
        SHORT,
        lowest_bid,
        some_turn(lambda turn: turn.legal == ["RED1"] and len(turn.view["hand"]) > 3),
    ),
    "crow-thirst-not-yet-led": Case(
        "After the first trick, but without a thirst card played, thirst may not be led",
        "crow_and_pitcher",
        {"rounds": 1},
        calm,
        some_turn(thirst_not_yet_led),
    ),
    "crow-excluded-card-wins": Case(
        "The pitcher is not full, and a card above it, left out of the sum, wins",
        "crow_and_pitcher",
        {"rounds": 1},
        calm,
        excluded_card_wins_a_pitcher_not_full,
    ),
    "goat-molodka": Case(
        "A molodka in turn: cards of the trick go back, a dropped one unseen",
        "goat",
        DEAL,
        calm,
        molodka_gives_cards_back,
    ),
    "goat-molodka-before-trick": Case(
        "A molodka before the trick: all seats are asked, a holder calls",
        "goat",
        {**DEAL, "molodka": "before_trick"},
        calm,
        some_turn(lambda turn: turn.move == "molodka" and turn.view["acts"][-1:] == ["decline"]),
    ),
    "goat-balls": Case(
        "60-60: no defeat points for anybody",
        "goat",
        DEAL,
        calm,
        lambda course: course.tiebreaks == (60, 60, 60, 60) and course.scores == (0, 0, 0, 0),
    ),
    "goat-no-tricks": Case(
        "A team without a trick has six defeat points",
        "goat",
        DEAL,
        one_team_beats,
        lambda course: course.scores == (0, -6, 0, -6),
    ),
}
"""File name without its ending -> case."""


def found(name: str) -> Course:
    """The first match that shows what the case is about."""
    case = CASES[name]
    game = games.make(case.game, case.options)
    for number in range(BOARDS):
        chance = Chance(number.to_bytes(4, "big"), "golden", name)
        board = SeededBoard(number.to_bytes(32, "big"))
        course = played(
            case.title,
            game,
            board,
            lambda seat, view, legal, chance=chance: case.choose(seat, view, legal, chance),
        )
        if case.shows(course):
            return course
    raise LookupError(f"{name}: no board up to {BOARDS} shows it")
