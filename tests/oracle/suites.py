"""The rulesets on which engine and oracle are compared: every option value of the pages, and odd combinations."""

FEW = {"max_hands": 2}
"""Uniform bidders always end near the highest bid and go down, so that a Rook match runs to its last hand."""

CROW = [
    {},
    {"players": 3},
    {"thirst_lead": "after_first_trick"},
    {"void_play": "must_thirst"},
    {"card_points": "flat"},
    {"card_points": "inverse"},
    {"players": 3, "thirst_lead": "after_first_trick", "void_play": "must_thirst", "card_points": "inverse"},
    {"rounds": 1, "pitchers": {"13": 9}},
    {"rounds": 5, "pitchers": {"6": 5, "9": 3, "12": 4}, "players": 3, "card_points": "flat"},
    {"rounds": 1, "pitchers": {"6": 1, "7": 1, "8": 1, "9": 1, "10": 1, "11": 1, "12": 1, "13": 40}},
    {"ranks": [2, 9, 10], "pitchers": {"6": 2, "13": 2}, "players": 3},
    {"ranks": [5, 6], "rounds": 9, "card_points": "inverse", "thirst_lead": "after_first_trick"},
]

ROOK_FOR_ALL = [
    FEW,
    {"max_hands": 3, "all_pass": "zero", "lowest_bid": 20, "highest_bid": 20},
    {"max_hands": 3, "all_pass": "redeal", "lowest_bid": 20, "highest_bid": 20},
    {"target": 60, "max_hands": 6, "lowest_bid": 10, "highest_bid": 40, "bid_step": 10},
    {"max_hands": 2, "made": "bid", "lowest_bid": 30, "highest_bid": 60},
    {"max_hands": 2, "made": "captured", "lowest_bid": 30, "highest_bid": 60, "trick_bonus": 20, "last_bonus": 10},
]

TINY = {"ranks": [5, 10], "hand": 2, "nest": 1, "lowest_bid": 5, "highest_bid": 30, "max_hands": 40, "target": 60}

LEVEL_PACK = {"rook": False, "ranks": [5, 6], "hand": 2, "nest": 0, "points": {"5": 5}}
OFTEN_LEVEL = {**LEVEL_PACK, "lowest_bid": 5, "highest_bid": 10, "target": 10, "max_hands": 30}
"""Twenty points a hand in fives: matches level at the target, and hands that decide them, are common."""

ROOK = {
    "crowsnest": [
        {},
        {"rook": False, "max_hands": 2},
        {"rook_rank": "highest", "max_hands": 2},
        {"ranks": [14, 10, 5], "hand": 3, "nest": 1, "lowest_bid": 20, "highest_bid": 40, "max_hands": 30},
        {**TINY, "trick_bonus": 20},
        {**TINY, "target": 20, "lowest_bid": 5, "highest_bid": 10, "max_hands": 9, "all_pass": "zero"},
        {"hand": 10, "nest": 1, "max_hands": 2},
        {"hand": 5, "nest": 21, "max_hands": 2},
        {"lowest_bid": 72, "highest_bid": 83, "max_hands": 2},
        {"points": {"5": 5, "7": 1, "65": 50}, "max_hands": 2},
    ],
    "tournament": [
        {},
        OFTEN_LEVEL,
        {"rook": False, "max_hands": 2},
        {"rook_rank": "lowest", "max_hands": 2},
        {**TINY, "hand": 1, "nest": 5},
        {**TINY, "last_bonus": 5, "ranks": [5, 10, 6, 14], "hand": 4, "nest": 1},
        {"target": 1, "lowest_bid": 5, "highest_bid": 5, "bid_step": 5, "max_hands": 50},
    ],
    "partnership": [
        {"target": 200, "max_hands": 8},
        {"ranks": [1, 5, 10, 14], "hand": 4, "nest": 0, "lowest_bid": 10, "highest_bid": 50, "max_hands": 20},
        {"ranks": [5, 10], "hand": 2, "lowest_bid": 5, "highest_bid": 20, "target": 40, "max_hands": 50},
        {"hand": 13, "nest": 4, "max_hands": 2},
        {"bid_step": 7, "lowest_bid": 70, "highest_bid": 119, "max_hands": 2},
    ],
    "one_high": [
        {"target": 200, "max_hands": 8},
        {"rook_rank": "highest", "max_hands": 2},
        {"ranks": [5, 10, 1], "hand": 3, "nest": 1, "lowest_bid": 15, "highest_bid": 45, "max_hands": 20},
    ],
    "red_one": [
        {"target": 200, "max_hands": 8},
        {"rook_rank": "lowest", "max_hands": 2},
        {"rook": False, "nest": 5, "max_hands": 2},
        {"ranks": [5, 14], "hand": 2, "nest": 2, "lowest_bid": 15, "highest_bid": 45, "max_hands": 20},
    ],
    "buckeye": [
        {"rook": False, "nest": 4, "max_hands": 2},
        {"target": 200, "max_hands": 8},
        {"red_one": True, "ranks": [5, 10, 14, 11], "hand": 4, "nest": 2, "max_hands": 10},
        {"ranks": [5, 10, 14, 1], "hand": 4, "nest": 1, "lowest_bid": 15, "highest_bid": 45, "max_hands": 20},
    ],
}

GOAT = [
    {},
    {"molodka": "before_trick", "target": 8},
    {"molodka": "off"},
    {"target": 1},
    {"target": 30, "max_deals": 9},
    {"max_deals": 1, "molodka": "before_trick"},
    {"max_deals": 1},
    {"ranks": [6, 10, 13, 14], "hand": 2},
    {"ranks": [6, 10, 13, 14], "hand": 3, "molodka": "before_trick"},
    {"ranks": [6, 10, 12, 13, 14], "max_deals": 9},
]


def suite():
    """(id, options) of every ruleset compared."""
    pairs = [("crow_and_pitcher", options) for options in CROW]
    for game, own in ROOK.items():
        pairs += [(game, options) for options in [*own, *ROOK_FOR_ALL]]
    pairs += [("goat", options) for options in GOAT]
    return pairs


def title(pair):
    """A name for a ruleset in the test's report."""
    game, options = pair
    changed = [f"{name}={value}" for name, value in options.items()]
    return " ".join([game, *changed]).replace("[", "").replace("]", "")
