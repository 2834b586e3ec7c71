"""Lines of matches of the engine in which the seats have a temperament, to reach what uniform play hardly does.

The only file of the oracle that calls the engine; it knows its contract, not its rules.
"""

import json
import random

from arena.core.game import SeededBoard


def passer(legal, rng):
    """Never bids, never calls, never leads more than one card."""
    return "pass" if "pass" in legal else min(legal, key=lambda text: (len(text.split()), rng.random()))


def modest(legal, rng):
    """Bids the least there is, half the time."""
    bids = sorted((text for text in legal if text.startswith("bid")), key=lambda text: int(text.split()[1]))
    if not bids:
        return rng.choice(legal)
    return rng.choice([bids[0], "pass" if "pass" in legal else bids[0]])


def bold(legal, rng):
    """Calls every molodka, beats where it can, leads many cards, bids high."""
    if "molodka" in legal:
        return "molodka"
    beats = [text for text in legal if text.startswith("beat")]
    return rng.choice(beats) if beats else max(legal, key=lambda text: (len(text.split()), rng.random()))


TEMPERAMENTS = {"passer": passer, "modest": modest, "bold": bold}


def drive(game, temperament, seed):
    """One match as a line with the views of all seats and of spectators, and the default move, at each decision."""
    rng = random.Random(f"{game.id} {temperament} {seed}")
    board_seed = rng.randbytes(32)
    state = game.start(SeededBoard(board_seed))
    moves = []
    while (seat := game.to_move(state)) is not None:
        views = {str(other): game.view(state, other) for other in range(game.seats)}
        legal = game.legal_moves(views[str(seat)])
        data = game.notation.legal_data(legal)
        if isinstance(data, list):
            text = TEMPERAMENTS[temperament](data, rng)
        else:
            chosen = sorted(rng.sample(range(len(data["from"])), data["choose"]))
            text = " ".join([data["kind"], *[data["from"][place] for place in chosen]])
        shown = {name: game.view_data(view) for name, view in views.items()}
        shown["public"] = game.view_data(game.view(state, None))
        default = game.notation.text(game.default_move(views[str(seat)]))
        moves.append(
            {"seat": seat, "move": text, "legal": data, "view": shown[str(seat)], "views": shown, "default": default}
        )
        state = game.apply(state, game.notation.parse(text))
    return {
        "game": game.id,
        "ruleset": ruleset_data(game),
        "seed": board_seed.hex(),
        "deals": [game.deal_data(deal) for deal in game.deals(state)],
        "moves": moves,
        "scores": list(game.scores(state)),
        "ranks": list(game.ranks(state)),
        "tiebreaks": list(game.tiebreaks(state)),
    }


def ruleset_data(game):
    """The ruleset as JSON types."""
    return json.loads(game.describe())
