"""What uniform random play comes to: figures of a game, their means over many, exact values, and the test of two sets.

A figure is a number per game. Two sets of independent games are compared by z of the difference of their means; one set
with an exact value by z against its own spread.
"""

from functools import cache
from math import comb, inf, sqrt
from typing import NamedTuple

from oracle.check import start
from oracle.rook import all_bids
from oracle.rulesets import family

LIMIT = 4.0


class Summary(NamedTuple):
    """A figure over many games."""

    games: int
    mean: float
    variance: float

    def error(self):
        """The squared standard error of the mean."""
        return self.variance / self.games


def figures(line):
    """The figures of one game line, by name. Trusts the line: check it first."""
    deals = iter(line["deals"])
    match = start(line["game"], line["ruleset"], lambda number, redeal: next(deals))
    for move in line["moves"]:
        match.play(move["move"])
    result = {f"score of seat {seat}": score for seat, score in enumerate(line["scores"])}
    result |= {f"square of the score of seat {seat}": score**2 for seat, score in enumerate(line["scores"])}
    result["first places"] = line["ranks"].count(0)
    result["moves"] = len(line["moves"])
    result["deals"] = len(line["deals"])
    result["choices"] = sum(options(move["legal"]) > 1 for move in line["moves"])
    result["legal moves"] = sum(options(move["legal"]) for move in line["moves"])
    result |= match.counts
    if family(line["game"]) == "crow":
        stone_led = match.counts["full"] + match.counts["short"]
        result["share of full pitchers"] = match.counts["full"] / stone_led
        result["sum of scores"] = sum(line["scores"])
    if family(line["game"]) == "rook":
        result["captured by declarers"] = sum(
            hand["captured"][hand["declarer"] % 2] for hand in match.results if hand["declarer"] is not None
        )
    if family(line["game"]) == "goat":
        result["tricks of a deal"] = match.counts["tricks"] / len(match.results)
        result["share of beats"] = match.counts["beats"] / (match.counts["beats"] + match.counts["drops"])
    return result


def options(legal):
    return comb(len(legal["from"]), legal["choose"]) if isinstance(legal, dict) else len(legal)


def summarise(games):
    """Figures of many games -> {name: Summary}."""
    games = list(games)
    result = {}
    for name in games[0]:
        values = [game[name] for game in games]
        mean = sum(values) / len(values)
        result[name] = Summary(
            len(values), mean, sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
        )
    return result


def z_of(difference, squared_error):
    """Standard errors between two means; nothing spread and no difference is 0."""
    if abs(difference) < 1e-9:
        return 0.0
    return difference / sqrt(squared_error) if squared_error > 0 else inf


def compare(mine, theirs):
    """{figure: z} of two independent sets of games, given as summaries with the same figures."""
    assert sorted(mine) == sorted(theirs), "not the same figures"
    return {name: z_of(mine[name].mean - theirs[name].mean, mine[name].error() + theirs[name].error()) for name in mine}


def compare_exact(summary, exact):
    """{figure: z} of a set of games against exact values."""
    return {name: z_of(summary[name].mean - value, summary[name].error()) for name, value in exact.items()}


def far_off(scores):
    """The figures with |z| of 4 or more."""
    return {name: round(z, 2) for name, z in scores.items() if abs(z) >= LIMIT}


# ---------------------------------------------------------------------- exact values


def exact(game, ruleset):
    """Exact means of some figures under uniform play, for whole packs."""
    return {"crow": exact_crow, "rook": exact_rook, "goat": exact_goat}[family(game)](ruleset)


def exact_crow(ruleset):
    rounds, players = ruleset["rounds"], ruleset["players"]
    counts = {int(value): count for value, count in ruleset["pitchers"].items()}
    mean_pitcher = sum(value * count for value, count in counts.items()) / sum(counts.values())
    return {
        "moves": 36 * rounds,
        "deals": rounds,
        "tricks": 36 // players * rounds,
        "first pitchers": rounds * mean_pitcher,
        "second cards of rounds off colour": rounds * second_off_colour(36 // players),
    }


def second_off_colour(size):
    """The chance that the seat after the leader cannot follow the first lead of a round: every stone equally likely."""
    total = 0.0
    for red in range(10):
        for green in range(10):
            for blue in range(10):
                thirst = size - red - green - blue
                if not 0 <= thirst <= 9:
                    continue
                ways = comb(9, red) * comb(9, green) * comb(9, blue) * comb(9, thirst)
                held = [red, green, blue] if thirst < size else [thirst]
                for count in held:
                    void = comb(36 - size - (9 - count), size) / comb(36 - size, size)
                    total += ways / comb(36, size) * count / sum(held) * void
    return total


def exact_rook(ruleset):
    calls, contract = auction(tuple(all_bids(ruleset)), 0, (), 0)
    return {"calls of the first auction": calls, "contract of the first auction": contract}


@cache
def auction(bids, standing, out, turn):
    """(mean number of calls to come, mean contract; 0 when all pass) where every call is equally likely.

    Seats count from the first to speak; `out` have passed.
    """
    if len(out) == 4 or (standing and (len(out) == 3 or standing == bids[-1])):
        return 0.0, float(standing)
    while turn in out:
        turn = (turn + 1) % 4
    choices = [0] + [bid for bid in bids if bid > standing]
    calls, contract = 1.0, 0.0
    for choice in choices:
        now_out = out if choice else tuple(sorted((*out, turn)))
        more, final = auction(bids, choice or standing, now_out, (turn + 1) % 4)
        calls += more / len(choices)
        contract += final / len(choices)
    return calls, contract


def exact_goat(ruleset):
    if ruleset["molodka"] == "before_trick":  # a called molodka leads instead
        return {}
    return {"cards of the first lead": first_lead()}


@cache
def first_lead():
    """The mean size of a first lead: over the suits of four cards out of 36, all leads equally likely."""
    total = 0.0
    for clubs in range(5):
        for diamonds in range(5 - clubs):
            for hearts in range(5 - clubs - diamonds):
                counts = [clubs, diamonds, hearts, 4 - clubs - diamonds - hearts]
                ways = comb(9, counts[0]) * comb(9, counts[1]) * comb(9, counts[2]) * comb(9, counts[3])
                leads = [size for count in counts for size in range(1, 5) for _ in range(comb(count, size))]
                total += ways / comb(36, 4) * sum(leads) / len(leads)
    return total
