"""The oracle plays: uniform random matches of its own, written as lines of the same form as `arena simulate`."""

from oracle.boards import Board, Dice, Seed
from oracle.check import ranks_of, start


def play_line(game, ruleset, rng, views=False, seed=None):
    """One match of uniform random moves. Cards come from `rng`, or from a board's seed (hex) if given."""
    board = Board(game, ruleset, Seed(seed) if seed else Dice(rng))
    deals = []

    def next_deal(number, redeal):
        deals.append(board.deal(number, redeal))
        return deals[-1]

    match = start(game, ruleset, next_deal)
    moves = []
    while match.to_move() is not None:
        legal = match.legal()
        entry = {"seat": match.to_move(), "move": pick(legal, rng, match.pack), "legal": legal}
        if isinstance(legal, set):
            entry["legal"] = sorted(legal)
        if views:
            entry["view"] = copy_of(match.view(match.to_move()))
        moves.append(entry)
        match.play(entry["move"])
    return {
        "game": game,
        "ruleset": ruleset,
        "seed": seed or "",
        "deals": deals,
        "moves": moves,
        "scores": match.scores(),
        "ranks": ranks_of(match.scores()),
    }


def pick(legal, rng, pack):
    """A legal move, all equally likely."""
    if isinstance(legal, set):
        return rng.choice(sorted(legal))
    cards = rng.sample(legal["from"], legal["choose"])
    return " ".join([legal["kind"], *sorted(cards, key=pack.index)])


def copy_of(data):
    """The match changes its lists; a line must not."""
    if isinstance(data, dict):
        return {key: copy_of(value) for key, value in data.items()}
    return [copy_of(item) for item in data] if isinstance(data, list) else data
