"""Two worlds that one seat must not tell apart: everything it may know is equal, everything else differs.

Different are the hidden cards (see laws/redeal.py), in the running deal and in those before it, the deals to come, the
board's number and seed, who the others are, how long they think, what they note down and where they are at fault.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

from arena_house import BOTS
from bots_python.practice import Practice
from laws.course import Spot, random_match, seeded
from laws.redeal import Known, module_of, permutation, swapped_move

from arena.core.chance import Chance
from arena.core.errors import IllegalMove
from arena.core.game import AnyGame, Board, DealData, SeededBoard, checked_apply
from arena.core.moves import Move
from arena.games.goat.scoring import points_of
from arena.match.player import Turn
from arena.wire.moves import read_answer

THOUGHTS_S = (1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4)
"""Binary fractions, so that clocks add up to the same numbers wherever they start."""


class World(NamedTuple):
    """One game that is to be played, move by move, with all that surrounds it."""

    game: AnyGame
    board: Board
    moves: tuple[Move, ...]
    seats: tuple[int, ...]
    """Who moves, by turn."""
    thoughts: tuple[float, ...]
    """Seconds, by turn."""
    notes: tuple[str, ...]
    blunders: Mapping[int, bytes]
    """Turn -> what the bot sends instead of its reply; the default move is the one in `moves`."""
    number: int
    """Of the board."""
    seed: bytes
    """Of the board."""
    names: tuple[str, ...]
    """By seat."""
    bot_seeds: tuple[int, ...]


class Written(NamedTuple):
    """A board whose first deals are written out; those that follow are another board's."""

    deals: tuple[DealData, ...]
    after: Board

    def deal(self, game: AnyGame, index: int, number: int, redeal: int) -> Any:
        if index < len(self.deals):
            return game.read_deal(self.deals[index])
        return self.after.deal(game, index, number, redeal)


class Match(NamedTuple):
    """A match that was played: its positions, and the world in which it was."""

    spots: list[Spot]
    world: World

    def deals(self) -> list[tuple[int, int]]:
        """(first turn, turn after the last) of each deal."""
        turns: dict[int, list[int]] = defaultdict(list)
        for at, spot in enumerate(self.spots):
            if spot.seat is not None:
                turns[spot.deal].append(at)
        return [(found[0], found[-1] + 1) for _, found in sorted(turns.items())]


def random_world(game: AnyGame, number: int) -> Match:
    """A match of random moves, calm for odd numbers."""
    board = seeded(number)
    return surrounded(game, board, random_match(game, number, board), number)


def house_world(game: AnyGame, number: int) -> Match:
    """A match of house bots, the strongest and a weaker one at each table."""
    board = SeededBoard(number.to_bytes(32, "big"))
    steps: list[Any] = []
    bots = [BOTS[("counter", "basic", "cautious", "counter")[seat]] for seat in range(game.seats)]
    Practice(game).play(board.seed, bots, steps)
    spots, state = [], game.start(board)
    for step in steps:
        seat = game.to_move(state)
        assert seat == step.seat
        view = game.view(state, seat)
        move = read_answer(step.reply, Turn(0, seat, view, game.legal_moves(view), None, None))
        spots.append(Spot(state, seat, move, len(game.deals(state)) - 1))
        state = game.apply(state, move)
    spots.append(Spot(state, None, None, len(game.deals(state)) - 1))
    return surrounded(game, board, spots, number)


def surrounded(game: AnyGame, board: Board, spots: list[Spot], number: int) -> Match:
    """The world of a match: thoughts, notes, and a few faults where the default move was played anyway."""
    chance = Chance(number.to_bytes(8, "big"), "world")
    turns = [spot for spot in spots if spot.seat is not None]
    world = World(
        game,
        board,
        tuple(spot.move for spot in turns if spot.move is not None),
        tuple(spot.seat for spot in turns if spot.seat is not None),
        tuple(chance.choice(THOUGHTS_S) for _ in turns),
        tuple(f"note {chance.below(10**6)}" if chance.below(3) == 0 else "" for _ in turns),
        {},
        number,
        chance.shuffled(range(256))[0].to_bytes(1, "big") * 8 + number.to_bytes(24, "big"),
        tuple(f"bot{chance.below(10**6)}" for _ in range(game.seats)),
        tuple(chance.below(2**32) for _ in range(game.seats)),
    )
    return Match(spots, world._replace(blunders=blunders(game, spots, range(game.seats), chance)))


def blunders(game: AnyGame, spots: list[Spot], seats: Any, chance: Chance) -> dict[int, bytes]:
    """At most two faults of each of the seats, at turns where the move played is the default move."""
    found: dict[int, bytes] = {}
    booked: dict[int, int] = defaultdict(int)
    for at, spot in enumerate(spots):
        seat = spot.seat
        if seat is None or seat not in seats or booked[seat] >= 2 or chance.below(3):
            continue
        if spot.move == game.default_move(game.view(spot.state, seat)):
            found[at] = bytes([chance.below(2), *(128 + chance.below(128) for _ in range(20))])
            booked[seat] += 1
    return found


def twin(match: Match, viewer: int | None, position: int, chance: Chance, *, lawful: bool = False) -> World:
    """Another world that the viewer cannot tell from this one before the move `position` is played.

    `lawful`: only such that every move was legal there too, so that nothing needs to be taken on trust.
    """
    world, game = match.world, match.world.game
    moves, deals = list(world.moves), []
    swaps: list[tuple[int, int, dict[str, str]]] = []
    for first, end in match.deals():
        if first > position:
            break
        known, over = known_at(match, first, min(end, position), viewer), end <= position
        if lawful:
            swap = lawful_swap(match, known, first, over, chance)
        else:
            swap = module_of(game).swaps(known, chance)
            swap = of_equal_worth(known, swap, chance) if over else swap
        deals.append(module_of(game).other_deal(known, swap, chance))
        swaps.append((first, min(end, position), swap))
    for first, end, swap in swaps:
        for at in range(first, end):
            moves[at] = swapped_move(game, moves[at], swap)
    made = world._replace(
        board=Written(tuple(deals), seeded(chance.below(2**32))), moves=tuple(moves), number=chance.below(10**6)
    )
    return strangers(match, made, viewer, position, chance)


def known_at(match: Match, first: int, end: int, viewer: int | None) -> Known:
    """What decides how much the viewer has seen of the deal that began at `first`, before the move `end`."""
    game, spots = match.world.game, match.spots
    deal = game.deal_data(game.deals(spots[first].state)[spots[first].deal])
    moves = list(zip(match.world.seats[first:end], match.world.moves[first:end], strict=True))
    last = end if end < len(spots) and spots[end].deal == spots[first].deal else end - 1
    return Known(game, deal, moves, viewer, game.view_data(game.view(spots[last].state, None)))


def worth(game: AnyGame, card: str) -> int:
    """Points of a card, where they may decide the public result of a deal."""
    number = game.notation.names.parse(card)
    if game.id == "goat":
        return points_of((number,))
    return int(game.lookup.points[number]) if hasattr(game, "lookup") else 0


def of_equal_worth(known: Known, swap: Mapping[str, str], chance: Chance) -> dict[str, str]:
    """Another permutation of the hidden cards, in which each takes the place of one of equal worth."""
    groups: dict[int, list[str]] = defaultdict(list)
    for card in sorted(swap):
        if card != known.deal.get("trump_card"):
            groups[worth(known.game, card)].append(card)
    merged = {card: card for card in swap}
    for cards in groups.values():
        merged.update(permutation(cards, chance))
    return merged


def lawful_swap(match: Match, known: Known, first: int, over: bool, chance: Chance) -> dict[str, str]:
    """A permutation of hidden cards under which every move of the deal stays legal, found card by card."""
    game = known.game
    hidden = sorted(card for card in module_of(game).swaps(known, chance) if card != known.deal.get("trump_card"))
    swap = {card: card for card in hidden}
    for _ in range(30 if len(hidden) > 1 else 0):
        one, other = chance.sample(hidden, 2)
        if over and worth(game, swap[one]) != worth(game, swap[other]):
            continue
        tried = {**swap, one: swap[other], other: swap[one]}
        if is_lawful(match, known, tried, first, chance):
            swap = tried
    return swap


def is_lawful(match: Match, known: Known, swap: Mapping[str, str], first: int, chance: Chance) -> bool:
    """Whether the rules allow the moves of a deal with its hidden cards swapped."""
    game = known.game
    index = match.spots[first].deal
    before = [game.deal_data(deal) for deal in game.deals(match.spots[first].state)[:index]]
    deal = module_of(game).other_deal(known, swap, chance)
    state = game.start(Written((*before, deal), match.world.board))
    try:
        for at in range(first + len(known.moves)):
            seat, move = match.world.seats[at], match.world.moves[at]
            if at < first:
                state = game.apply(state, move)
            else:
                state = checked_apply(game, state, seat, swapped_move(game, move, swap))
    except IllegalMove:
        return False
    return True


def strangers(match: Match, world: World, viewer: int | None, position: int, chance: Chance) -> World:
    """The world with other people in it: all that is not the viewer's own is changed."""
    game = world.game
    own = [seat == viewer for seat in world.seats]
    state, spots = game.start(world.board), []
    for at in range(position):
        spots.append(Spot(state, world.seats[at], world.moves[at], 0))
        state = game.apply(state, world.moves[at])
    others = [seat for seat in range(game.seats) if seat != viewer]
    faults = {
        at: bytes([sent[0], *(128 + chance.below(128) for _ in sent[1:])])
        for at, sent in match.world.blunders.items()
        if own[at]
    }
    return world._replace(
        thoughts=tuple(
            was if mine else chance.choice(THOUGHTS_S) for was, mine in zip(world.thoughts, own, strict=True)
        ),
        notes=tuple(
            was if mine else f"other {chance.below(10**6)}" for was, mine in zip(world.notes, own, strict=True)
        ),
        blunders={**faults, **blunders(game, spots, others, chance)},
        seed=bytes(chance.below(256) for _ in range(32)),
        names=tuple(name if seat == viewer else f"who{chance.below(10**6)}" for seat, name in enumerate(world.names)),
        bot_seeds=tuple(seed if seat == viewer else chance.below(2**32) for seat, seed in enumerate(world.bot_seeds)),
    )
