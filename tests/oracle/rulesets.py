"""The tables of the rules pages: every id, its options, their defaults, and what the oracle calls a ruleset that works.

A ruleset is a dict as it stands in a line: JSON types only. `ranks` of Crow and Goat and `hand` of Goat are no options
of the pages: they shrink the pack for tiny games, and are the whole pack and four cards otherwise.
"""

from oracle.mismatch import Mismatch, expect, expect_true

COLOUR_RANKS = {
    "crowsnest": list(range(5, 15)),
    "tournament": list(range(5, 15)),
    "partnership": list(range(1, 15)),
    "one_high": [*range(2, 15), 1],
    "red_one": list(range(5, 15)),
    "buckeye": [*range(5, 15), 1],
}

#            id            rook   place      Red 1  hand nest  Rook Red1 ones tricks last lowest highest made
ROOK_ROWS = [
    ("crowsnest", True, "lowest", False, 9, 5, 20, 0, 0, 0, 0, 70, 120, "bid"),
    ("tournament", True, "highest", False, 9, 5, 20, 0, 0, 0, 0, 70, 120, "captured"),
    ("partnership", False, "lowest", False, 14, 0, 0, 0, 0, 20, 0, 70, 120, "captured"),
    ("one_high", True, "lowest", False, 14, 1, 20, 0, 15, 0, 20, 70, 200, "captured"),
    ("red_one", True, "highest", True, 9, 6, 20, 30, 0, 0, 0, 70, 150, "captured"),
    ("buckeye", True, "highest", False, 10, 5, 20, 0, 15, 0, 0, 100, 180, "captured"),
]
ROOK_IDS = [row[0] for row in ROOK_ROWS]
IDS = ["crow_and_pitcher", *ROOK_IDS, "goat"]

ROOK_FIELDS = [
    *["ranks", "rook", "rook_rank", "red_one", "hand", "nest", "points", "trick_bonus", "last_bonus"],
    *["lowest_bid", "bid_step", "highest_bid", "all_pass"],
    *["made", "target", "max_hands"],
]
CROW_FIELDS = ["pitchers", "players", "thirst_lead", "void_play", "card_points", "rounds", "ranks"]
GOAT_FIELDS = ["molodka", "target", "max_deals", "ranks", "hand"]

PITCHERS = {"6": 1, "7": 1, "8": 2, "9": 2, "10": 2, "11": 2, "12": 1, "13": 1}


def family(game):
    """Which page an id belongs to."""
    if game in ROOK_IDS:
        return "rook"
    return {"crow_and_pitcher": "crow", "goat": "goat"}[game]


def page_ruleset(game, options=None):
    """The ruleset that the pages give an id, with some options changed.

    `points` of the Rook games is a dict by rank, with "ROOK" and "RED1" for the special cards.
    """
    options = dict(options or {})
    if game == "crow_and_pitcher":
        ruleset = {
            "pitchers": PITCHERS,
            "players": 4,
            "thirst_lead": "broken",
            "void_play": "any",
            "card_points": "face",
            "rounds": 3,
            "ranks": list(range(2, 11)),
        }
    elif game == "goat":
        ruleset = {"molodka": "on_turn", "target": 12, "max_deals": 40, "ranks": list(range(6, 15)), "hand": 4}
    else:
        ruleset = rook_ruleset(game, options)
    ruleset.update(options)
    if game == "crow_and_pitcher":
        ruleset["pitchers"] = {str(value): count for value, count in ruleset["pitchers"].items() if count}
    return ruleset


def rook_ruleset(game, options):
    """One column of the Rook table, before the options are put in."""
    row = next(row for row in ROOK_ROWS if row[0] == game)
    _, rook, place, red_one, hand, nest, rook_points, red_points, ones, tricks, last, lowest, highest, made = row
    points = {"5": 5, "10": 10, "14": 10}
    if ones:
        points["1"] = ones
    if rook_points:
        points["ROOK"] = rook_points
    if red_points:
        points["RED1"] = red_points
    if game in ("crowsnest", "tournament") and options.get("rook") is False:
        rook, nest, highest = False, 4, 100
    return {
        "ranks": COLOUR_RANKS[game],
        "rook": rook,
        "rook_rank": place,
        "red_one": red_one,
        "hand": hand,
        "nest": nest,
        "points": points,
        "trick_bonus": tricks,
        "last_bonus": last,
        "lowest_bid": lowest,
        "bid_step": 5,
        "highest_bid": highest,
        "made": made,
        "target": 300,
        "max_hands": 30,
        "all_pass": "redeal",
    }


def points_key(card_name):
    """The keys under which the worth of a special card may stand in `points`."""
    return {"ROOK": ("ROOK", "65"), "RED1": ("RED1", "66")}[card_name]


def plain_points(points):
    """`points` as a dict with decimal ranks and "ROOK", "RED1"; entries of 0 left out."""
    result = {}
    for key, worth in points.items():
        name = str(key)
        for special in ("ROOK", "RED1"):
            if name in points_key(special):
                name = special
        if worth:
            result[name] = worth
    return result


def check_ruleset(game, ruleset, options=None):
    """A Mismatch unless the fields are those of the page, with values that work, and those asked for if given."""
    fields = {"rook": ROOK_FIELDS, "crow": CROW_FIELDS, "goat": GOAT_FIELDS}[family(game)]
    expect("ruleset fields", sorted(fields), sorted(ruleset))
    {"rook": check_rook, "crow": check_crow, "goat": check_goat}[family(game)](ruleset)
    if options is None:
        return
    wanted = page_ruleset(game, options)
    for field in fields:
        if field == "points":
            relevant = set(map(str, wanted["ranks"]))
            relevant |= {"ROOK"} if wanted["rook"] else set()
            relevant |= {"RED1"} if wanted["red_one"] else set()
            mine = {key: worth for key, worth in plain_points(wanted["points"]).items() if key in relevant}
            theirs = {key: worth for key, worth in plain_points(ruleset["points"]).items() if key in relevant}
            expect("ruleset points", mine, theirs)
        elif field == "rook_rank" and not wanted["rook"]:
            expect_true("ruleset rook_rank", ruleset[field] in ("lowest", "highest"), ruleset[field])
        else:
            expect(f"ruleset {field}", wanted[field], ruleset[field])


def whole(what, value, low):
    """A Mismatch unless the value is a whole number from `low`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise Mismatch(what, f"a whole number from {low}", value)


def check_rook(ruleset):
    for field, low in [("hand", 1), ("nest", 0), ("trick_bonus", 0), ("last_bonus", 0), ("lowest_bid", 1)]:
        whole(f"ruleset {field}", ruleset[field], low)
    for field in ["bid_step", "highest_bid", "target", "max_hands"]:
        whole(f"ruleset {field}", ruleset[field], 1)
    for field in ["rook", "red_one"]:
        expect_true(f"ruleset {field}", isinstance(ruleset[field], bool), ruleset[field])
    expect_true("ruleset made", ruleset["made"] in ("bid", "captured"), ruleset["made"])
    expect_true("ruleset all_pass", ruleset["all_pass"] in ("redeal", "zero"), ruleset["all_pass"])
    ranks = ruleset["ranks"]
    expect_true("ruleset ranks", len(set(ranks)) == len(ranks) and set(ranks) <= set(range(1, 15)), ranks)
    cards = 4 * len(ranks) + ruleset["rook"] + ruleset["red_one"]
    expect("ruleset: cards of the pack and cards dealt", cards, 4 * ruleset["hand"] + ruleset["nest"])
    expect_true("ruleset bids", ruleset["lowest_bid"] <= ruleset["highest_bid"], ruleset["lowest_bid"])


def check_crow(ruleset):
    expect_true("ruleset players", ruleset["players"] in (3, 4), ruleset["players"])
    expect_true("ruleset thirst_lead", ruleset["thirst_lead"] in ("broken", "after_first_trick"), ruleset)
    expect_true("ruleset void_play", ruleset["void_play"] in ("any", "must_thirst"), ruleset)
    expect_true("ruleset card_points", ruleset["card_points"] in ("face", "flat", "inverse"), ruleset)
    whole("ruleset rounds", ruleset["rounds"], 1)
    pitchers = ruleset["pitchers"]
    expect_true("ruleset pitchers", all(6 <= int(value) <= 13 for value in pitchers), pitchers)
    expect("ruleset: cards left over", 0, 4 * len(ruleset["ranks"]) % ruleset["players"])
    tricks = 4 * len(ruleset["ranks"]) // ruleset["players"]
    expect_true("ruleset pitchers", sum(pitchers.values()) >= tricks, pitchers)


def check_goat(ruleset):
    expect_true("ruleset molodka", ruleset["molodka"] in ("on_turn", "before_trick", "off"), ruleset["molodka"])
    whole("ruleset target", ruleset["target"], 1)
    whole("ruleset max_deals", ruleset["max_deals"], 1)
    expect_true("ruleset hand", ruleset["hand"] in (1, 2, 3, 4), ruleset["hand"])
    expect_true("ruleset ranks", set(ruleset["ranks"]) <= set(range(6, 15)), ruleset["ranks"])
    expect_true("ruleset: a stock to show trump", len(ruleset["ranks"]) > ruleset["hand"], ruleset["ranks"])
