"""One sentence for each move, for live regions and lists: "West plays green 9." Reads views as data, no state."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from arena.core.cards import Card
from arena.core.game import AnyGame, Seat
from arena.core.moves import Kind
from arena.games import catalog
from arena.record.outcomes import TALLIES, new_result
from arena.record.text import seat_names
from arena.web.table import cards
from arena.web.table.scene import YOU
from arena.web.table.sight import View, signed


def sentence(
    game: AnyGame,
    names: Sequence[str],
    seat: Seat,
    move: str,
    before: View,
    after: View | None = None,
    *,
    eyes: Collection[Seat] = (),
) -> str:
    """What a seat did, and with `after` what its move decided: "West plays green 9. North takes 25 points."

    `names` by seat; a seat named "You" is spoken to. `before` and `after`: the spectators' views as data around the
    move. `eyes`: seats whose discards and drops may be named; of others only the number is told.
    Raises MalformedMove for a text that is no move.
    """
    told = _told(game, names[seat], seat, move, eyes)
    if before.get("phase") == "ask" and move == "pass":
        told = f"{names[seat]} {_verb(names[seat], 'call')} no molodka."
    if before.get("phase") == "ask" and move == "molodka":
        told = f"{names[seat]} {_verb(names[seat], 'call')} molodka."
    if after is not None and move == "molodka":
        cards_led = [game.notation.names.parse(text) for text in after["act_cards"][-after["act_counts"][-1] :]]
        who = "you" if names[seat] == YOU else names[seat]
        told = f"{told[:-1]}; {who} {_verb(names[seat], 'lead')} {_listed(game, cards_led)}."
    outcome = "" if after is None else _outcome(game, names, before, after)
    return f"{told} {outcome}".strip()


def _told(game: AnyGame, name: str, seat: Seat, move: str, eyes: Collection[Seat]) -> str:
    made = game.notation.parse(move)
    count = len(made.cards)
    listed = _listed(game, made.cards)
    many = f"{count} card{'' if count == 1 else 's'}"
    hidden = seat not in eyes

    def says(verb: str, rest: str = "") -> str:
        return f"{name} {_verb(name, verb)}{' ' if rest else ''}{rest}."

    match made.kind:
        case Kind.PLAY:
            return says("play", listed)
        case Kind.BID:
            return says("bid", str(made.number))
        case Kind.PASS:
            return says("pass")
        case Kind.TRUMP:
            return says("name", f"{game.notation.names.suits[made.number]} trump")
        case Kind.DISCARD:
            return says("discard", many if hidden else listed)
        case Kind.LEAD:
            return says("lead", listed)
        case Kind.BEAT:
            return says("beat", f"with {listed}")
        case Kind.DROP:
            return says("drop", f"{many} face down" if hidden else f"{listed} face down")
        case Kind.MOLODKA:
            return says("call", "molodka: cards of the trick go back")


def _verb(name: str, verb: str) -> str:
    """The verb as the name needs it."""
    if name == YOU:
        return verb
    return verb + ("es" if verb.endswith("s") else "s")


def _listed(game: AnyGame, made: Sequence[Card]) -> str:
    family = catalog()[game.id].family
    told = [cards.full_name(game.notation.names.text(card), family, game.id) for card in made]
    told = [f"the {name}" if name in ("Rook", "Crow", "Red 1") else name for name in told]
    return told[0] if len(told) == 1 else ", ".join(told[:-1]) + f" and {told[-1]}" if told else ""


def _outcome(game: AnyGame, names: Sequence[str], before: View, after: View) -> str:
    """Who took the trick, what the deal came to, as far as everybody knows."""
    sides = len(game.sides)
    result = new_result(dict(before), dict(after), sides)
    if result is not None:
        if result.passed_out:
            return "All passed."
        marks = seat_names(game.seats)
        told = [
            f"{'/'.join(marks[seat] for seat in seats)} {signed(points)}"
            for seats, points in zip(game.sides, result.points, strict=True)
        ]
        over = f"The deal is over: {', '.join(told)}"
        if result.declarer is None or not result.bid:
            return f"{over}."
        made = result.points[game.side_of(result.declarer)] >= result.bid
        return f"{over}; the bid of {result.bid} is {'made' if made else 'lost'}."
    if after.get("redeals", 0) > before.get("redeals", 0):
        return "All passed, the cards are dealt again."
    if before.get("phase") == "auction" and after.get("phase") != "auction":
        bidder = names[after["bidder"]]
        return f"{bidder} {'have' if bidder == YOU else 'has'} the bid at {after['bid']}."
    return _trick_taken(game, names, before, after)


def _trick_taken(game: AnyGame, names: Sequence[str], before: View, after: View) -> str:
    taker = _taker(before, after)
    if taker is None:
        return ""
    key = next(key for key in TALLIES if key in after)
    side = game.side_of(taker)
    gain = after[key][side] - before[key][side]
    points = f"{signed(gain)} point{'' if abs(gain) == 1 else 's'}"
    unseen = "drop" in after.get("acts", ())[-game.seats :]
    return f"{names[taker]} {_verb(names[taker], 'take')} the trick, {points}{' face up' if unseen else ''}."


def _taker(before: View, after: View) -> Seat | None:
    """Who took a trick between two views of one deal; None when none was complete."""
    if "leaders" in after:
        taken = before["leaders"] and len(after["leaders"]) > len(before["leaders"])
        return int(after["leaders"][-1]) if taken else None
    leader: Seat = after["leader"]
    return leader if sum(after["tricks"]) > sum(before["tricks"]) else None
