"""The course of a match: from one state to the next. Trusts that the move is legal.

Knows turn, trick, molodka, drawing and the end of a deal; which sets beat which is in sets.py, what they are worth in
scoring.py.
"""

from __future__ import annotations

from arena.core.cards import Card
from arena.core.errors import TranscriptError
from arena.core.game import Seat
from arena.core.moves import Kind, Move
from arena.games.goat.ruleset import SEATS, GoatRuleset
from arena.games.goat.scoring import defeat_points, points_of
from arena.games.goat.state import (
    Act,
    GoatDeal,
    GoatFacts,
    GoatResult,
    GoatState,
    Hand,
    Match,
    Pair,
    Phase,
)

ASK, LEAD, ANSWER, OVER = int(Phase.ASK), int(Phase.LEAD), int(Phase.ANSWER), int(Phase.OVER)
LED, BEATEN, DROPPED = int(Act.LEAD), int(Act.BEAT), int(Act.DROP)
CALLED, DECLINED = int(Act.MOLODKA), int(Act.DECLINE)
NO_CARDS: tuple[Hand, ...] = ((),) * SEATS


def begin_deal(ruleset: GoatRuleset, match: Match, deal: GoatDeal, leader: Seat) -> GoatState:
    """The state after a deal, with its first trick about to begin; `match` without this deal.

    Raises TranscriptError when the dealer of a written deal does not follow that of the deal before.
    """
    if match.dealt and deal.dealer != (match.dealt[-1].dealer + 1) % SEATS:
        raise TranscriptError(
            f"deal {len(match.dealt)} has dealer {deal.dealer}, the deal before {match.dealt[-1].dealer}",
            fix="the deal moves one seat clockwise each time",
        )
    match = match._replace(dealt=(*match.dealt, deal))
    phase = _opening(ruleset, deal.hands)
    nothing: Pair = (0, 0)
    return GoatState(
        match=match,
        phase=phase,
        leader=leader,
        turn=leader,
        hands=deal.hands,
        stock=deal.stock,
        act_seats=(),
        acts=(),
        act_counts=(),
        seen=((),) * (SEATS + 1),
        received=deal.hands,
        known=(nothing,) * (SEATS + 1),
        points=nothing,
        tricks=nothing,
        put=NO_CARDS,
        dropped=(),
        best=(),
        best_seat=leader,
    )


def _opening(ruleset: GoatRuleset, hands: tuple[Hand, ...]) -> int:
    """The phase in which a trick opens: seats with full hands are asked first, where molodka is so played."""
    return ASK if ruleset.molodka == "before_trick" and len(hands[0]) == ruleset.hand else LEAD


def decline(state: GoatState) -> GoatState:
    """The seat asked calls no molodka; the next is asked, or the trick is led when all have declined."""
    (
        match, _, leader, asked, hands, stock, act_seats, acts, act_counts, seen,
        received, known, points, tricks, put, dropped, best, best_seat,
    ) = state  # fmt: skip
    turn = (asked + 1) % SEATS
    return GoatState(
        match, LEAD if turn == leader else ASK, leader, turn, hands, stock,
        (*act_seats, asked), (*acts, DECLINED), (*act_counts, 0), seen,
        received, known, points, tricks, put, dropped, best, best_seat,
    )  # fmt: skip


def call_molodka(state: GoatState) -> GoatState:
    """All cards of the trick go back to their owners; the caller's whole hand is the lead."""
    caller = state.turn
    hands = tuple(
        [tuple(sorted(hand + put)) if put else hand for hand, put in zip(state.hands, state.put, strict=True)]
    )
    cards = hands[caller]
    return state._replace(
        phase=ANSWER,
        leader=caller,
        turn=(caller + 1) % SEATS,
        hands=_with(hands, caller, ()),
        act_seats=(*state.act_seats, caller),
        acts=(*state.acts, CALLED),
        act_counts=(*state.act_counts, len(cards)),
        seen=tuple([cards_seen + cards for cards_seen in state.seen]),
        put=_with(NO_CARDS, caller, cards),
        dropped=(),
        best=cards,
        best_seat=caller,
    )


def put_down(ruleset: GoatRuleset, state: GoatState, move: Move) -> GoatState:
    """A lead, beat or drop; after the last answer the trick is taken and cards are drawn.

    After the last trick of the deal the phase is OVER.
    """
    (
        match, _, leader, turn, hands, stock, act_seats, acts, act_counts, seen,
        received, known, points, tricks, put, dropped, best, best_seat,
    ) = state  # fmt: skip
    kind, cards, _ = move
    hand = tuple([card for card in hands[turn] if card not in cards])
    hands = (*hands[:turn], hand, *hands[turn + 1 :])
    put = (*put[:turn], cards, *put[turn + 1 :])
    act_seats = (*act_seats, turn)
    act_counts = (*act_counts, len(cards))
    if kind is Kind.DROP:
        seen = (*seen[:turn], seen[turn] + cards, *seen[turn + 1 :])
        acts = (*acts, DROPPED)
        dropped = (*dropped, turn)
    else:
        seen = tuple([cards_seen + cards for cards_seen in seen])
        acts = (*acts, BEATEN if kind is Kind.BEAT else LED)
        best = cards
        best_seat = turn
    turn = (turn + 1) % SEATS
    state = GoatState(
        match, ANSWER, leader, turn, hands, stock, act_seats, acts, act_counts, seen,
        received, known, points, tricks, put, dropped, best, best_seat,
    )  # fmt: skip
    return state if turn != leader else _end_trick(ruleset, state)


def _end_trick(ruleset: GoatRuleset, state: GoatState) -> GoatState:
    winner = state.best_seat
    team = winner % 2
    hands, received, stock = draw(state.hands, state.received, state.stock, winner, len(state.best))
    state = GoatState(
        match=state.match,
        phase=_opening(ruleset, hands),
        leader=winner,
        turn=winner,
        hands=hands,
        stock=stock,
        act_seats=state.act_seats,
        acts=state.acts,
        act_counts=state.act_counts,
        seen=state.seen,
        received=received,
        known=known_after(state.known, state.put, state.dropped, team),
        points=_add(state.points, team, sum([points_of(cards) for cards in state.put])),
        tricks=_add(state.tricks, team, 1),
        put=NO_CARDS,
        dropped=(),
        best=(),
        best_seat=winner,
    )
    return state if hands[0] else _end_deal(state)


def draw(
    hands: tuple[Hand, ...], received: tuple[Hand, ...], stock: tuple[Card, ...], winner: Seat, size: int
) -> tuple[tuple[Hand, ...], tuple[Hand, ...], tuple[Card, ...]]:
    """Hands, received cards and stock after the draw that follows a trick of `size` cards a seat.

    Starting with the winner, clockwise, one card a seat, until hands are full or the stock is empty. The stock always
    holds as many cards for each seat.
    """
    taken = SEATS * size
    top = stock[:taken]
    if not top:
        return hands, received, stock
    drawn = [top[(seat - winner) % SEATS :: SEATS] for seat in range(SEATS)]
    return (
        tuple([tuple(sorted(hand + new)) for hand, new in zip(hands, drawn, strict=True)]),
        tuple([old + new for old, new in zip(received, drawn, strict=True)]),
        stock[taken:],
    )


def known_after(
    known: tuple[Pair, ...], put: tuple[Hand, ...], dropped: tuple[Seat, ...], team: int
) -> tuple[Pair, ...]:
    """The points each viewer knows of after a team took a trick: cards face up, and the viewer's own drop."""
    face_up = sum([points_of(cards) for seat, cards in enumerate(put) if seat not in dropped])
    return tuple(
        [
            _add(pair, team, face_up + points_of(put[viewer]) if viewer in dropped else face_up)
            for viewer, pair in enumerate(known)
        ]
    )


def _end_deal(state: GoatState) -> GoatState:
    """The deal is counted; the phase is OVER until another deal begins."""
    match = state.match
    given = defeat_points(state.points, state.tricks)
    defeats = (match.defeats[0] + given[0], match.defeats[1] + given[1])
    molodkas = state.acts.count(CALLED)
    match = match._replace(
        finished=(*match.finished, GoatFacts(match.dealt[-1], state.points, state.tricks, given, molodkas)),
        results=(*match.results, GoatResult(state.points, given)),
        defeats=defeats,
    )
    return state._replace(match=match, phase=OVER)


def match_is_over(ruleset: GoatRuleset, match: Match) -> bool:
    """Whether a team has the target of defeat points, or all deals are played."""
    return max(match.defeats) >= ruleset.target or len(match.finished) >= ruleset.max_deals


def _with(values: tuple[Hand, ...], place: int, value: Hand) -> tuple[Hand, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _add(pair: Pair, team: int, amount: int) -> Pair:
    return (pair[0] + amount, pair[1]) if team == 0 else (pair[0], pair[1] + amount)
