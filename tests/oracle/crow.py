"""The Crow and the Pitcher, as its page says."""

from oracle.mismatch import expect

LETTERS = ["R", "G", "B", "T"]


def pack(ruleset):
    """All play cards; a ruleset with fewer ranks than 2 to 10 is a tiny game."""
    return [letter + str(rank) for letter in LETTERS for rank in ruleset["ranks"]]


def rank(card):
    return int(card[1:])


def is_thirst(card):
    return card[0] == "T"


def pitcher_pack(ruleset):
    """All pitchers, lowest first."""
    cards = []
    for value in range(6, 14):
        cards += [value] * ruleset["pitchers"].get(str(value), 0)
    return cards


def worth(card, card_points):
    """What a card scores for its taker."""
    points = {"face": rank(card), "flat": 1, "inverse": 12 - rank(card)}[card_points]
    return -points if is_thirst(card) else points


def leads(hand, first_trick, broken, thirst_lead):
    """The cards that may be led. `broken`: thirst was played in an earlier trick of this round."""
    stones = [card for card in hand if not is_thirst(card)]
    if not stones:
        return list(hand)
    thirst_allowed = broken if thirst_lead == "broken" else True
    if first_trick:
        thirst_allowed = False
    return list(hand) if thirst_allowed else stones


def answers(hand, led, void_play):
    """The cards that may follow the led card."""
    same = [card for card in hand if card[0] == led[0]]
    if same:
        return same
    thirst = [card for card in hand if is_thirst(card)]
    if void_play == "must_thirst" and thirst:
        return thirst
    return list(hand)


def trick_outcome(pitcher, cards, card_points):
    """(place of the winner in the trick, points it gets, "full" | "short" | "thirst")."""
    led = cards[0][0]
    if led == "T":
        thirst = [card for card in cards if is_thirst(card)]
        winner = max(thirst, key=rank)
        return cards.index(winner), sum(worth(card, card_points) for card in thirst), "thirst"
    counted = 0
    for card in cards:
        if not is_thirst(card) and rank(card) <= pitcher:
            counted += rank(card)
    of_colour = [card for card in cards if card[0] == led]
    points = sum(worth(card, card_points) for card in cards)
    if counted >= pitcher:
        return cards.index(max(of_colour, key=rank)), points, "full"
    return cards.index(min(of_colour, key=rank)), points - 5, "short"


class CrowMatch:
    """A match being played. `next_deal(number, redeal)` gives the deals."""

    def __init__(self, ruleset, next_deal):
        self.ruleset = ruleset
        self.next_deal = next_deal
        self.players = ruleset["players"]
        self.pack = pack(ruleset)
        self.dealer = None
        self.round = 0
        self.results = []
        self.over = False
        self.counts = {
            "tricks": 0,
            "full": 0,
            "short": 0,
            "thirst": 0,
            "first pitchers": 0,
            "second cards of rounds off colour": 0,
            "forced thirst leads": 0,
        }
        self.deal()

    def deal(self):
        deal = self.next_deal(self.round, 0)
        size = len(self.pack) // self.players
        expect("deal keys", ["dealer", "hands", "pitchers"], sorted(deal))
        expect("hand sizes", [size] * self.players, [len(hand) for hand in deal["hands"]])
        expect("cards dealt", sorted(self.pack), sorted(card for hand in deal["hands"] for card in hand))
        expect("hands ascending", [sorted(hand, key=self.pack.index) for hand in deal["hands"]], deal["hands"])
        expect("pitcher pack", pitcher_pack(self.ruleset), sorted(deal["pitchers"]))
        if self.dealer is None:
            expect("dealer is a seat", True, deal["dealer"] in range(self.players))
        else:
            expect("dealer", (self.dealer + 1) % self.players, deal["dealer"])
        self.dealer = deal["dealer"]
        self.hands = [list(hand) for hand in deal["hands"]]
        self.pitchers = list(deal["pitchers"])
        self.tricks = []  # finished ones: lists of cards
        self.trick = []
        self.leaders = [(self.dealer + 1) % self.players]
        self.round_points = [0] * self.players
        self.counts["first pitchers"] += self.pitchers[0]

    def to_move(self):
        if self.over:
            return None
        return (self.leaders[-1] + len(self.trick)) % self.players

    def legal(self):
        hand = self.hands[self.to_move()]
        if self.trick:
            return set(answers(hand, self.trick[0], self.ruleset["void_play"]))
        broken = any(is_thirst(card) for trick in self.tricks for card in trick)
        return set(leads(hand, not self.tricks, broken, self.ruleset["thirst_lead"]))

    def play(self, text):
        if not self.trick and is_thirst(text) and all(is_thirst(card) for card in self.hands[self.to_move()]):
            self.counts["forced thirst leads"] += 1
        self.hands[self.to_move()].remove(text)
        self.trick.append(text)
        if len(self.trick) == 2 and not self.tricks and text[0] != self.trick[0][0]:
            self.counts["second cards of rounds off colour"] += 1
        if len(self.trick) < self.players:
            return
        pitcher = self.pitchers[len(self.tricks)]
        place, points, kind = trick_outcome(pitcher, self.trick, self.ruleset["card_points"])
        winner = (self.leaders[-1] + place) % self.players
        self.round_points[winner] += points
        self.counts["tricks"] += 1
        self.counts[kind] += 1
        self.tricks.append(self.trick)
        self.trick = []
        if self.hands[0]:
            self.leaders.append(winner)
            return
        self.results.append(self.round_points)
        self.round += 1
        if self.round == self.ruleset["rounds"]:
            self.over = True
        else:
            self.deal()

    def default(self):
        """What a silent seat plays."""
        lowest = min(rank(card) for card in self.legal())
        return next(letter + str(lowest) for letter in LETTERS if letter + str(lowest) in self.legal())

    def scores(self):
        return [sum(points[seat] for points in self.results) for seat in range(self.players)]

    def played(self):
        return [card for trick in self.tricks for card in trick] + self.trick

    def view(self, seat):
        """The whole view of a seat; None: of spectators."""
        return {
            "seat": seat,
            "round": self.round,
            "dealer": self.dealer,
            "hand": [] if seat is None else sorted(self.hands[seat], key=self.pack.index),
            "pitchers": self.pitchers[: len(self.tricks) + 1],
            "played": self.played(),
            "leaders": self.leaders,
            "round_scores": self.round_points,
            "scores": [old + new for old, new in zip(self.scores(), self.round_points, strict=True)],
            "results": [points for result in self.results for points in result],
        }

    def knows(self, seat):
        """The cards a seat may know; None: spectators."""
        return set(self.played()) | (set() if seat is None else set(self.hands[seat]))
