"""The Rook family, as its page says."""

from oracle.mismatch import expect
from oracle.rulesets import plain_points

COLOURS = {"B": "black", "G": "green", "R": "red", "Y": "yellow"}
SPECIAL = ["ROOK", "RED1"]
ORDER = [letter + str(rank) for letter in COLOURS for rank in range(1, 15)] + SPECIAL


def in_order(cards):
    return sorted(cards, key=ORDER.index)


def pack(ruleset):
    cards = [letter + str(rank) for letter in COLOURS for rank in ruleset["ranks"]]
    if ruleset["rook"]:
        cards.append("ROOK")
    if ruleset["red_one"]:
        cards.append("RED1")
    return in_order(cards)


def counter(card, ruleset):
    """The points a card is worth."""
    points = plain_points(ruleset["points"])
    return points.get(card if card in SPECIAL else card[1:], 0)


def colour(card, trump):
    """The letter of the colour a card belongs to when `trump` is trump."""
    return trump if card in SPECIAL else card[0]


def strength(card, ruleset):
    """Which card of one colour is higher."""
    if card == "RED1":
        return 1000
    if card == "ROOK":
        return 999 if ruleset["rook_rank"] == "highest" else -1
    return ruleset["ranks"].index(int(card[1:]))


def playable(hand, trick, trump):
    """The cards of a hand that may be played to a trick (led card first)."""
    if not trick:
        return list(hand)
    led = colour(trick[0], trump)
    same = [card for card in hand if colour(card, trump) == led]
    if not same:
        return list(hand)
    if led == trump:
        return same
    return same + [card for card in hand if card in SPECIAL]


def trick_winner(trick, trump, ruleset):
    """The place in the trick of the winning card."""
    trumps = [card for card in trick if colour(card, trump) == trump]
    led = [card for card in trick if colour(card, trump) == colour(trick[0], trump)]
    return trick.index(max(trumps or led, key=lambda card: strength(card, ruleset)))


def hand_scores(declaring_team, bid, captured, made):
    """What a hand adds to the scores of the two teams."""
    change = list(captured)
    if captured[declaring_team] < bid:
        change[declaring_team] = -bid
    elif made == "bid":
        change[declaring_team] = bid
    return change


def match_ends(scores, hands, sudden_death, ruleset):
    """(whether the match is over after this hand, whether the next one is sudden death)."""
    level = scores[0] == scores[1]
    decisive = sudden_death or max(scores) >= ruleset["target"]
    if hands >= ruleset["max_hands"]:
        return True, False
    return decisive and not level, decisive and level


def all_bids(ruleset):
    """Every bid there is. The last is the highest bid, also where `highest_bid` itself is no multiple of the step."""
    return [bid for bid in range(ruleset["lowest_bid"], ruleset["highest_bid"] + 1) if bid % ruleset["bid_step"] == 0]


class RookMatch:
    """A match being played. `next_deal(number, redeal)` gives the deals."""

    def __init__(self, ruleset, next_deal):
        self.ruleset = ruleset
        self.next_deal = next_deal
        self.pack = pack(ruleset)
        self.match_scores = [0, 0]
        self.results = []
        self.sudden_death = False
        self.over = False
        self.dealer = None
        self.redeals = 0
        self.counts = {
            "auctions": 0,
            "calls": 0,
            "bids": 0,
            "declared": 0,
            "contract": 0,
            "made": 0,
            "specials led": 0,
            "ruffs": 0,
            "forced bids": 0,
            "passed out": 0,
            "sudden deaths": 0,
            "calls of the first auction": 0,
            "contract of the first auction": 0,
        }
        self.deal()

    # ------------------------------------------------------------------ deal and auction

    def deal(self):
        deal = self.next_deal(len(self.results), self.redeals)
        expect("deal keys", ["dealer", "hands", "nest"], sorted(deal))
        expect("hand sizes", [self.ruleset["hand"]] * 4, [len(hand) for hand in deal["hands"]])
        expect("nest size", self.ruleset["nest"], len(deal["nest"]))
        dealt = [card for hand in [*deal["hands"], deal["nest"]] for card in hand]
        expect("cards dealt", sorted(self.pack), sorted(dealt))
        expect("hands ascending", [in_order(hand) for hand in deal["hands"]], deal["hands"])
        if self.dealer is None:
            expect("dealer is a seat", True, deal["dealer"] in range(4))
        elif self.redeals:
            expect("dealer", self.dealer, deal["dealer"])
        else:
            expect("dealer", (self.dealer + 1) % 4, deal["dealer"])
        self.dealer = deal["dealer"]
        self.hands = [list(hand) for hand in deal["hands"]]
        self.nest = list(deal["nest"])
        self.calls = []  # (seat, points), 0 for a pass
        self.bid = 0
        self.declarer = None
        self.phase = "auction"
        self.turn = (self.dealer + 1) % 4
        self.discard = []
        self.trump = None
        self.tricks = []
        self.trick = []
        self.leaders = []
        self.captured = [0, 0]
        self.tricks_won = [0, 0]
        self.counts["auctions"] += 1

    def out(self):
        """The seats that have passed."""
        return [seat for seat, points in self.calls if points == 0]

    def to_move(self):
        return None if self.over else self.turn

    def legal(self):
        if self.phase == "auction":
            higher = [bid for bid in all_bids(self.ruleset) if bid > self.bid]
            if self.must_bid():
                return {f"bid {higher[0]}"}
            return {"pass"} | {f"bid {bid}" for bid in higher}
        if self.phase == "discard":
            return {"choose": self.ruleset["nest"], "from": in_order(self.hands[self.turn]), "kind": "discard"}
        if self.phase == "trump":
            return {f"trump {name}" for name in COLOURS.values()}
        return set(playable(self.hands[self.turn], self.trick, self.trump))

    def must_bid(self):
        """The eleventh deal in a row, three passes, the dealer's turn."""
        return self.ruleset["all_pass"] == "redeal" and self.redeals == 10 and len(self.out()) == 3 and not self.bid

    def play(self, text):
        words = text.split()
        if self.phase == "auction":
            self.call(0 if text == "pass" else int(words[1]))
        elif self.phase == "discard":
            self.discard = words[1:]
            for card in self.discard:
                self.hands[self.turn].remove(card)
            self.phase = "trump"
        elif self.phase == "trump":
            self.trump = next(letter for letter, name in COLOURS.items() if name == words[1])
            self.phase = "play"
            self.turn = (self.dealer + 1) % 4
            self.leaders = [self.turn]
        else:
            self.play_card(text)

    def call(self, points):
        self.counts["forced bids"] += self.must_bid()
        self.calls.append((self.turn, points))
        self.counts["calls"] += 1
        self.counts["calls of the first auction"] += self.counts["auctions"] == 1
        if points:
            self.bid = points
            self.declarer = self.turn
            self.counts["bids"] += 1
        passed = len(self.out())
        if passed == 4:
            self.all_passed()
        elif self.bid and (passed == 3 or self.bid == all_bids(self.ruleset)[-1]):
            self.turn = self.declarer
            self.counts["declared"] += 1
            self.counts["contract"] += self.bid
            if self.counts["auctions"] == 1:
                self.counts["contract of the first auction"] = self.bid
            self.hands[self.declarer] += self.nest
            self.phase = "discard" if self.nest else "trump"
        else:
            self.turn = (self.turn + 1) % 4
            while self.turn in self.out():
                self.turn = (self.turn + 1) % 4

    def all_passed(self):
        self.counts["passed out"] += 1
        if self.ruleset["all_pass"] == "zero":
            self.finish_hand({"declarer": None, "bid": 0, "captured": [0, 0]})
        else:
            self.redeals += 1
            self.deal()

    def default(self):
        """What a silent seat plays."""
        hand = self.lowest_first(self.hands[self.turn])
        if self.phase == "auction":
            return f"bid {all_bids(self.ruleset)[0]}" if self.must_bid() else "pass"
        if self.phase == "discard":
            return "discard " + " ".join(in_order(hand[: self.ruleset["nest"]]))
        if self.phase == "trump":
            lengths = [sum(card[0] == letter for card in hand if card not in SPECIAL) for letter in COLOURS]
            return "trump " + list(COLOURS.values())[lengths.index(max(lengths))]
        return next(card for card in hand if card in self.legal())

    def lowest_first(self, cards):
        """By points, rank and colour, the Rook and the Red 1 last."""
        plain = [card for card in cards if card not in SPECIAL]
        plain.sort(key=lambda card: (counter(card, self.ruleset), strength(card, self.ruleset), ORDER.index(card)))
        return plain + [card for card in SPECIAL if card in cards]

    # ------------------------------------------------------------------ play and score

    def play_card(self, card):
        if not self.trick and card in SPECIAL:
            self.counts["specials led"] += 1
        self.hands[self.turn].remove(card)
        self.trick.append(card)
        if len(self.trick) < 4:
            self.turn = (self.turn + 1) % 4
            return
        place = trick_winner(self.trick, self.trump, self.ruleset)
        if colour(self.trick[place], self.trump) != colour(self.trick[0], self.trump):
            self.counts["ruffs"] += 1
        winner = (self.leaders[-1] + place) % 4
        self.captured[winner % 2] += sum(counter(card, self.ruleset) for card in self.trick)
        self.tricks_won[winner % 2] += 1
        self.tricks.append(self.trick)
        self.trick = []
        self.turn = winner
        if any(self.hands):
            self.leaders.append(winner)
            return
        captured = list(self.captured)
        captured[winner % 2] += sum(counter(card, self.ruleset) for card in self.discard)
        captured[winner % 2] += self.ruleset["last_bonus"]
        for team in (0, 1):
            if self.tricks_won[team] > self.tricks_won[1 - team]:
                captured[team] += self.ruleset["trick_bonus"]
        change = hand_scores(self.declarer % 2, self.bid, captured, self.ruleset["made"])
        self.counts["made"] += captured[self.declarer % 2] >= self.bid
        self.match_scores = [self.match_scores[team] + change[team] for team in (0, 1)]
        self.finish_hand({"declarer": self.declarer, "bid": self.bid, "captured": captured})

    def finish_hand(self, result):
        self.results.append(result)
        self.redeals = 0
        self.over, self.sudden_death = match_ends(self.match_scores, len(self.results), self.sudden_death, self.ruleset)
        self.counts["sudden deaths"] += self.sudden_death
        if not self.over:
            self.deal()

    def scores(self):
        return [self.match_scores[seat % 2] for seat in range(4)]

    def played(self):
        return [card for trick in self.tricks for card in trick] + self.trick

    def view(self, seat):
        """The whole view of a seat; None: of spectators."""
        declaring = seat is not None and seat == self.declarer and self.phase != "auction"
        return {
            "seat": seat,
            "phase": self.phase,
            "hand_number": len(self.results),
            "redeals": self.redeals,
            "dealer": self.dealer,
            "hand": [] if seat is None else in_order(self.hands[seat]),
            "bid_seats": [caller for caller, _ in self.calls],
            "bid_points": [points for _, points in self.calls],
            "bid": self.bid,
            "bidder": self.declarer,
            "nest": in_order(self.nest) if declaring else [],
            "discard": in_order(self.discard) if declaring else [],
            "trump": COLOURS.get(self.trump),
            "played": self.played(),
            "leaders": self.leaders,
            "captured": self.captured,
            "scores": self.match_scores,
            "results": self.results,
        }

    def knows(self, seat):
        """The cards a seat may know; None: spectators."""
        if seat is None:
            return set(self.played())
        cards = set(self.hands[seat]) | set(self.played())
        if seat == self.declarer and self.phase != "auction":
            cards |= set(self.nest) | set(self.discard)
        return cards
