"""The engine against the oracle: every ruleset of suites.py, by uniform play, by temperament, and by statistics."""

import json
import random
from collections import Counter

import pytest

from arena import games
from arena.core.errors import ConfigError
from arena.record.simulate import simulate
from oracle import statistics
from oracle.check import check_line
from oracle.drive import TEMPERAMENTS, drive
from oracle.play import play_line
from oracle.rulesets import ROOK_IDS
from oracle.suites import OFTEN_LEVEL, suite, title

GAMES = 20
DECISIONS = 2000
"""A ruleset is done after so many games or, where a match is long, so many decisions."""

LONG_GAMES = 3000
LONG_DECISIONS = 60_000


def plain(line):
    """What a reader of the file would have."""
    return json.loads(json.dumps(line))


def checked(pair, seed, count, decisions, views):
    """Simulated lines of a ruleset, each checked by the oracle, until there are enough games or decisions."""
    identifier, options = pair
    game = games.make(identifier, options)
    compared = 0
    for number, data in enumerate(simulate(game, seed, count, views)):
        line = plain(data)
        compared += check_line(line, number, options, views)
        yield line
        if compared >= decisions:
            return


@pytest.mark.parametrize("pair", suite(), ids=title)
def test_uniform_games_agree(pair):
    lines = list(checked(pair, "agreement", GAMES, DECISIONS, views=True))
    assert len(lines) == GAMES or sum(len(line["moves"]) for line in lines) >= DECISIONS


# ---------------------------------------------------------------------- by temperament

DRIVEN = [
    ("crow_and_pitcher", {}),
    ("crow_and_pitcher", {"players": 3}),
    ("crow_and_pitcher", {"ranks": [2, 9, 10], "players": 3, "rounds": 20, "pitchers": {"6": 2, "9": 2}}),
    *[(game, {"max_hands": 2}) for game in ROOK_IDS],
    ("tournament", {"max_hands": 4, "target": 100, "all_pass": "zero"}),
    ("tournament", OFTEN_LEVEL),
    ("goat", {"max_deals": 3}),
    ("goat", {"max_deals": 3, "molodka": "before_trick"}),
    ("goat", {"max_deals": 6, "target": 2, "molodka": "off"}),
    ("goat", {"max_deals": 9, "ranks": [6, 10, 13, 14], "hand": 3, "molodka": "before_trick"}),
]


def driven(pair, temperament, count):
    """Driven lines of a ruleset, each checked; what they came to, counted."""
    identifier, options = pair
    game = games.make(identifier, options)
    seen = Counter()
    for number in range(count):
        line = plain(drive(game, temperament, number))
        check_line(line, number, options, True)
        figures = statistics.figures(line)
        seen.update({name: round(figures[name]) for name in INTERESTING if name in figures})
    return seen


INTERESTING = [
    *["forced thirst leads", "forced bids", "passed out", "sudden deaths", "made"],
    *["molodkas", "molodkas declined", "balls"],
]


@pytest.mark.parametrize("temperament", TEMPERAMENTS)
@pytest.mark.parametrize("pair", DRIVEN, ids=title)
def test_games_by_temperament_agree_in_all_views_and_default_moves(pair, temperament):
    assert driven(pair, temperament, 3) is not None


@pytest.mark.parametrize(
    ("pair", "temperament", "count", "events"),
    [
        (("crow_and_pitcher", DRIVEN[2][1]), "modest", 5, ["forced thirst leads"]),
        (("crowsnest", {"max_hands": 1}), "passer", 2, ["forced bids", "passed out"]),
        (("tournament", {"max_hands": 4, "all_pass": "zero"}), "passer", 2, ["passed out"]),
        (("tournament", OFTEN_LEVEL), "modest", 30, ["sudden deaths", "made"]),
        (("goat", {}), "bold", 12, ["molodkas", "balls"]),
        (("goat", {"molodka": "before_trick"}), "bold", 5, ["molodkas"]),
        (("goat", {"molodka": "before_trick"}), "passer", 5, ["molodkas declined"]),
    ],
)
def test_rare_events_agree(pair, temperament, count, events):
    seen = driven(pair, temperament, count)
    assert [event for event in events if not seen[event]] == []


# ---------------------------------------------------------------------- rulesets


@pytest.mark.parametrize(
    ("game", "changed"),
    [
        ("crow_and_pitcher", {}),
        *[(game, {"max_hands": 1, "all_pass": "zero"}) for game in ROOK_IDS],
        ("goat", {"max_deals": 1}),
    ],
)
def test_single_deals_are_the_ruleset_with_one_deal(game, changed):
    single = games.make(game, {}).single_deal()
    for number, line in enumerate(simulate(single, "single", 3, False)):
        assert check_line(plain(line), number, changed, False) > 0


@pytest.mark.parametrize(
    ("game", "options", "field"),
    [
        ("crow_and_pitcher", {"players": 5}, "players"),
        ("crow_and_pitcher", {"pitchers": {"5": 12}}, "pitchers"),
        ("crow_and_pitcher", {"pitchers": {"6": 8}}, "pitchers"),
        ("crow_and_pitcher", {"players": 3, "pitchers": {"6": 11}}, "pitchers"),
        ("crow_and_pitcher", {"void_play": "must"}, "void_play"),
        ("crowsnest", {"nest": 6}, "nest"),
        ("crowsnest", {"rook": False, "nest": 5}, "nest"),
        ("tournament", {"lowest_bid": 125}, "lowest_bid"),
        ("buckeye", {"made": True}, "made"),
        ("partnership", {"all_pass": "deal"}, "all_pass"),
        ("goat", {"molodka": "yes"}, "molodka"),
        ("goat", {"trump": 1}, "trump"),
    ],
)
def test_options_that_cannot_work_are_refused_by_name(game, options, field):
    with pytest.raises(ConfigError, match=field):
        games.make(game, options)


# ---------------------------------------------------------------------- by statistics


def summaries(pair, count, decisions):
    """(engine's games, the oracle's own games) of a ruleset as summaries."""
    theirs, mine = [], []
    game = games.make(*pair)
    for views, share in ((True, 4), (False, 1)):
        seed = f"statistics {views}"
        theirs += [statistics.figures(line) for line in checked(pair, seed, count // share, decisions // share, views)]
    ruleset = json.loads(game.describe())
    for number in range(len(theirs)):
        line = play_line(game.id, ruleset, random.Random(f"statistics {title(pair)} {number}"))
        mine.append(statistics.figures(line))
    return statistics.summarise(theirs), statistics.summarise(mine), ruleset


def assert_same_means(pair, count, decisions):
    theirs, mine, ruleset = summaries(pair, count, decisions)
    assert statistics.far_off(statistics.compare(mine, theirs)) == {}
    if "ranks" not in pair[1]:
        exact = statistics.exact(pair[0], ruleset)
        assert statistics.far_off(statistics.compare_exact(theirs, exact)) == {}


@pytest.mark.parametrize(
    "pair",
    [("crow_and_pitcher", {"rounds": 1}), ("tournament", {"max_hands": 1}), ("goat", {"max_deals": 1})],
    ids=title,
)
def test_means_of_uniform_games_agree(pair):
    assert_same_means(pair, 150, 20_000)


@pytest.mark.long
@pytest.mark.parametrize("pair", suite(), ids=title)
def test_thousands_of_uniform_games_agree_one_by_one_and_in_their_means(pair):
    assert_same_means(pair, LONG_GAMES, LONG_DECISIONS)


@pytest.mark.long
@pytest.mark.parametrize("temperament", TEMPERAMENTS)
@pytest.mark.parametrize("pair", DRIVEN, ids=title)
def test_hundreds_of_games_by_temperament_agree(pair, temperament):
    assert driven(pair, temperament, 200) is not None
