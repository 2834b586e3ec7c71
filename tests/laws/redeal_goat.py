"""Goat: hidden are the other hands, the stock's order and what others dropped, also drops that were taken back.

Cards led or beaten with were shown, so they stay put, also after a molodka gave them back. The card that showed trump
lies somewhere in the stock until it is drawn: it changes places within the stock as dealt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laws.redeal import Known, Played, permutation, swapped, swapped_hand

from arena.core.chance import Chance
from arena.core.moves import Kind

SEATS = 4


def drawn_by(moves: Played, full: int, stock: int, viewer: int) -> list[int]:
    """Places in the stock that the viewer has drawn, worked out from the moves alone."""
    size, top, winner, answers, cards = full, 0, -1, 0, 0
    mine: list[int] = []
    for seat, move in moves:
        if move.kind is Kind.PASS:
            continue
        if move.kind in (Kind.LEAD, Kind.MOLODKA):
            answers, winner = 0, seat
            cards = full if move.kind is Kind.MOLODKA else len(move.cards)
            continue
        if move.kind is Kind.BEAT:
            winner = seat
        answers += 1
        if answers < SEATS - 1:
            continue
        size -= cards
        while size < full and top < stock:
            for turn in range(SEATS):
                if (winner + turn) % SEATS == viewer:
                    mine.append(top + turn)
            top += SEATS
            size += 1
    return mine


def seen(known: Known) -> set[str]:
    """Cards put down face up, and own cards: those dealt and those drawn."""
    text = known.game.notation.names.text
    hands, stock, viewer = known.deal["hands"], known.deal["stock"], known.viewer
    shown = {text(card) for _, move in known.moves if move.kind in (Kind.LEAD, Kind.BEAT) for card in move.cards}
    full = len(hands[0])
    for at, (seat, move) in enumerate(known.moves):
        if move.kind is Kind.MOLODKA:
            before = known._replace(moves=known.moves[:at])
            shown.update(hand_of(before, seat, full))
    if viewer is not None:
        shown.update(hands[viewer])
        shown.update(stock[place] for place in drawn_by(known.moves, full, len(stock), viewer))
    return shown


def hand_of(known: Known, seat: int, full: int) -> set[str]:
    """What a seat that calls molodka holds: all it got but what it put down in the tricks before."""
    text = known.game.notation.names.text
    got = {*known.deal["hands"][seat]}
    got.update(known.deal["stock"][place] for place in drawn_by(known.moves, full, len(known.deal["stock"]), seat))
    gone: set[str] = set()
    for mover, move in known.moves:
        if mover == seat and move.kind in (Kind.LEAD, Kind.BEAT, Kind.DROP):
            gone.update(text(card) for card in move.cards)
    return got - gone


def swaps(known: Known, chance: Chance) -> dict[str, str]:
    stock, trump_card = known.deal["stock"], known.deal["trump_card"]
    pack = {card for hand in known.deal["hands"] for card in hand} | set(stock)
    hidden = pack - seen(known)
    if trump_card not in hidden:
        return permutation(hidden, chance)
    place = chance.choice(sorted(hidden & set(stock)))
    rest = permutation(hidden - {trump_card}, chance)
    if place == trump_card:
        return {**rest, trump_card: trump_card}
    return {**rest, place: trump_card, trump_card: rest[place]}


def other_deal(known: Known, swap: Mapping[str, str], chance: Chance) -> dict[str, Any]:
    return {
        "hands": [swapped_hand(known.game, hand, swap) for hand in known.deal["hands"]],
        "dealer": known.deal["dealer"],
        "stock": swapped(known.deal["stock"], swap),
        "trump_card": known.deal["trump_card"],
    }
