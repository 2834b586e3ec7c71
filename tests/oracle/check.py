"""Judge lines of `arena simulate`: replay each with the oracle's rules and compare everything that is said."""

import json
import re

from oracle.boards import Board, Seed
from oracle.crow import CrowMatch
from oracle.goat import GoatMatch
from oracle.mismatch import Disagreement, Mismatch, expect, expect_true
from oracle.rook import RookMatch
from oracle.rulesets import IDS, check_ruleset, family

MATCHES = {"crow": CrowMatch, "rook": RookMatch, "goat": GoatMatch}
LINE_FIELDS = ["game", "ruleset", "seed", "deals", "moves", "scores", "ranks"]
MORE_LINE_FIELDS = ["tiebreaks"]
MOVE_FIELDS = ["seat", "move", "legal", "view"]
MORE_MOVE_FIELDS = ["default", "views"]
"""Lines made by drive.py say more: the default move, and the views of all seats and of spectators ("public")."""


def start(game, ruleset, next_deal):
    """A new match of the oracle's."""
    return MATCHES[family(game)](ruleset, next_deal)


def ranks_of(scores):
    """For each seat the number of distinct better scores."""
    return [len({other for other in scores if other > score}) for score in scores]


def check_lines(lines, options=None, views=None, seeded=True):
    """Check every line; the number of decisions compared. Raises Disagreement."""
    return sum(check_line(line, number, options, views, seeded) for number, line in enumerate(lines))


def check_line(line, line_number=0, options=None, views=None, seeded=True):
    """Check one game; the number of decisions compared.

    `options`: what was asked for, to compare the ruleset with the pages. `views`: True: each move must have one, False:
    none may, None: compared where present. `seeded`: the deals must be those of the line's seed. Raises Disagreement.
    """
    place = [None]
    try:
        return replay(line, options, views, seeded, place)
    except Mismatch as mismatch:
        raise Disagreement(line.get("game"), line_number, place[0], mismatch) from mismatch


def replay(line, options, views, seeded, place):
    expect("fields of the line", sorted(LINE_FIELDS), sorted(set(line) - set(MORE_LINE_FIELDS)))
    game, ruleset, deals = line["game"], line["ruleset"], line["deals"]
    expect_true("id of the game", game in IDS, game)
    check_ruleset(game, ruleset, options)
    board = Board(game, ruleset, Seed(line["seed"])) if seeded else None
    used = []

    def next_deal(number, redeal):
        expect_true(f"deal {len(used)} is there", len(used) < len(deals), len(deals))
        deal = deals[len(used)]
        used.append(deal)
        if board:
            compare_deals(board.deal(number, redeal), deal)
        return deal

    match = start(game, ruleset, next_deal)
    for index, move in enumerate(line["moves"]):
        place[0] = index
        check_move(match, move, views)
    place[0] = None
    expect("seat to move after the last move", None, match.to_move())
    expect("number of deals", len(used), len(deals))
    expect("scores", match.scores(), line["scores"])
    expect("ranks", ranks_of(match.scores()), line["ranks"])
    if "tiebreaks" in line:
        zeros = [0] * len(line["scores"])
        expect("tiebreaks", match.tiebreaks() if game == "goat" else zeros, line["tiebreaks"])
    return len(line["moves"])


def compare_deals(mine, theirs):
    """Equal but for the order in the nest, which nobody can tell."""
    for key, value in mine.items():
        other = theirs.get(key)
        if key == "nest":
            value, other = sorted(value), sorted(other or [])
        expect(f"{key} of this seed", value, other)


def check_move(match, move, views):
    seat = match.to_move()
    expect("seat to move", seat, move["seat"])
    legal = match.legal()
    check_legal(legal, move["legal"])
    if views is not None:
        expect("has a view", views, "view" in move)
    expect("fields of the move", [], sorted(set(move) - set(MOVE_FIELDS) - set(MORE_MOVE_FIELDS)))
    if "view" in move:
        check_view(match, seat, move["view"])
    for name, view in move.get("views", {}).items():
        check_view(match, None if name == "public" else int(name), view)
    if "default" in move:
        expect("default move", match.default(), move["default"])
        check_is_legal(legal, move["default"], match)
    check_is_legal(legal, move["move"], match)
    match.play(move["move"])


def check_legal(mine, theirs):
    """The same set of moves, each once; a choice is the same choice."""
    if isinstance(mine, dict):
        expect("legal choice", mine, {**theirs, "from": list(theirs["from"])} if isinstance(theirs, dict) else theirs)
        return
    expect_true("legal moves are a list", isinstance(theirs, list), theirs)
    expect("legal moves", sorted(mine), sorted(theirs))


def check_is_legal(legal, text, match):
    if isinstance(legal, dict):
        word, *cards = text.split()
        expect("kind of the move", legal["kind"], word)
        expect("number of cards chosen", legal["choose"], len(set(cards)))
        expect("cards of the move in order", [card for card in match.pack if card in cards], cards)
        expect_true("cards chosen are offered", set(cards) <= set(legal["from"]), cards)
    else:
        expect_true("the move is legal", text in legal, text)


def check_view(match, seat, view):
    """The view is exactly what the pages let this seat know."""
    strangers = set(match.pack) - match.knows(seat)
    expect("hidden cards in the view", [], sorted(strangers & set(words_in(view))))
    mine = match.view(seat)
    expect("fields of the view", sorted(mine), sorted(view))
    for field, value in mine.items():
        expect(f"view {field}", value, view[field])


def words_in(data):
    """Every text inside JSON data."""
    return re.findall(r'"([^"]*)"', json.dumps(data))
