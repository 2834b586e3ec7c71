"""Goat, as its page says."""

from itertools import combinations, permutations

from oracle.mismatch import expect, expect_true

SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANKS = ["6", "7", "8", "9", "J", "Q", "K", "10", "A"]
NUMBERS = {rank: 6 + place for place, rank in enumerate(RANKS)}
ORDER = [rank + suit for suit in SUITS for rank in RANKS]
POINTS = {"J": 2, "Q": 3, "K": 4, "10": 10, "A": 11}


def pack(ruleset):
    """The pack; a ruleset with fewer ranks than 6 to A is a tiny game."""
    return [card for card in ORDER if NUMBERS[card[:-1]] in ruleset["ranks"]]


def in_order(cards):
    return sorted(cards, key=ORDER.index)


def suit(card):
    return card[-1]


def rank(card):
    return RANKS.index(card[:-1])


def worth(cards):
    return sum(POINTS.get(card[:-1], 0) for card in cards)


def card_beats(x, y, trump):
    if suit(x) == suit(y):
        return rank(x) > rank(y)
    return suit(x) == trump


def set_beats(new, old, trump):
    """Whether the cards can be paired so that each new one beats an old one."""
    return any(all(card_beats(x, y, trump) for x, y in zip(order, old, strict=True)) for order in permutations(new))


def one_suit(cards):
    return len({suit(card) for card in cards}) == 1


def is_molodka(hand, full=4):
    return len(hand) == full and one_suit(hand)


def written(word, cards):
    return word + " " + " ".join(in_order(cards))


def leads(hand):
    """Every lead of a hand, as texts."""
    return {written("lead", cards) for size in (1, 2, 3, 4) for cards in combinations(hand, size) if one_suit(cards)}


def answers(hand, top, trump):
    """Every beat and drop against the cards on top, as texts."""
    result = set()
    for cards in combinations(hand, len(top)):
        result.add(written("drop", cards))
        if set_beats(cards, top, trump):
            result.add(written("beat", cards))
    return result


def defeats(points, tricks):
    """Defeat points of a deal by team. 60 and 30 of 120 are a half and a quarter where the pack is smaller."""
    quarter = sum(points) / 4
    result = [0, 0]
    for team in (0, 1):
        if points[team] < points[1 - team]:
            result[team] = 2 if points[team] > quarter else 4
            if tricks[team] == 0:
                result[team] = 6
    return result


class GoatMatch:
    """A match being played. `next_deal(number, redeal)` gives the deals."""

    def __init__(self, ruleset, next_deal):
        self.ruleset = ruleset
        self.next_deal = next_deal
        self.pack = pack(ruleset)
        self.full = ruleset["hand"]  # four
        self.defeats = [0, 0]
        self.results = []
        self.over = False
        self.dealer = None
        self.leader = None
        self.counts = {
            "tricks": 0,
            "cards led": 0,
            "beats": 0,
            "drops": 0,
            "molodkas": 0,
            "molodkas declined": 0,
            "balls": 0,
            "cards of the first lead": 0,
        }
        self.deal()

    def deal(self):
        deal = self.next_deal(len(self.results), 0)
        expect("deal keys", ["dealer", "hands", "stock", "trump_card"], sorted(deal))
        expect("hand sizes", [self.full] * 4, [len(hand) for hand in deal["hands"]])
        expect("stock size", len(self.pack) - 4 * self.full, len(deal["stock"]))
        dealt = [card for hand in [*deal["hands"], deal["stock"]] for card in hand]
        expect("cards dealt", sorted(self.pack), sorted(dealt))
        expect("hands ascending", [in_order(hand) for hand in deal["hands"]], deal["hands"])
        expect_true("trump card is in the stock", deal["trump_card"] in deal["stock"], deal["trump_card"])
        if self.dealer is None:
            expect("dealer is a seat", True, deal["dealer"] in range(4))
            self.leader = (deal["dealer"] + 1) % 4
        else:
            expect("dealer", (self.dealer + 1) % 4, deal["dealer"])
        self.dealer = deal["dealer"]
        self.hands = [list(hand) for hand in deal["hands"]]
        self.received = [list(hand) for hand in deal["hands"]]
        self.stock = list(deal["stock"])
        self.trump_card = deal["trump_card"]
        self.trump = suit(self.trump_card)
        self.acts = []  # (seat, word, cards)
        self.won = []  # (team, seat of each card, card, face up) of cards in finished tricks
        self.tricks = [0, 0]
        self.before_trick()

    def before_trick(self):
        self.on_table = []  # (seat, word, cards) of this trick
        self.called = False
        self.asked = []
        self.turn = self.leader
        ask = self.ruleset["molodka"] == "before_trick" and len(self.hands[0]) == self.full
        self.phase = "ask" if ask else "lead"

    def to_move(self):
        return None if self.over else self.turn

    def top(self):
        """The cards to beat and the seat that played them."""
        winner, cards = None, None
        for seat, word, played in self.on_table:
            if word != "drop":
                winner, cards = seat, played
        return winner, cards

    def legal(self):
        hand = self.hands[self.turn]
        if self.phase == "ask":
            return {"pass", "molodka"} if is_molodka(hand, self.full) else {"pass"}
        if self.phase == "lead":
            return leads(hand)
        _, cards = self.top()
        result = answers(hand, cards, self.trump)
        callable_now = len(cards) < self.full and not self.called
        if self.ruleset["molodka"] == "on_turn" and callable_now and is_molodka(hand, self.full):
            result.add("molodka")
        return result

    def play(self, text):
        words = text.split()
        seat = self.turn
        if text == "pass":
            self.counts["molodkas declined"] += is_molodka(self.hands[seat], self.full)
            self.acts.append((seat, "decline", []))
            self.asked.append(seat)
            self.turn = (seat + 1) % 4
            if len(self.asked) == 4:
                self.phase = "lead"
        elif text == "molodka":
            for owner, _, cards in self.on_table:
                self.hands[owner] += cards
            self.counts["molodkas"] += 1
            self.called = True
            self.leader = seat
            self.on_table = []
            self.put_down("molodka", in_order(self.hands[seat]))
        else:
            self.put_down(words[0], words[1:])

    def default(self):
        """What a silent seat plays."""
        if self.phase == "ask":
            return "pass"
        _, top = self.top()
        size = 1 if self.phase == "lead" else len(top)
        lowest_first = sorted(self.hands[self.turn], key=lambda card: (worth([card]), rank(card), ORDER.index(card)))
        return written("lead" if self.phase == "lead" else "drop", lowest_first[:size])

    def put_down(self, word, cards):
        seat = self.turn
        if word == "lead":
            if self.counts["cards led"] == 0:
                self.counts["cards of the first lead"] = len(cards)
            self.counts["cards led"] += len(cards)
        if word in ("beat", "drop"):
            self.counts[word + "s"] += 1
        self.acts.append((seat, word, list(cards)))
        self.on_table.append((seat, word, list(cards)))
        for card in cards:
            self.hands[seat].remove(card)
        self.phase = "answer"
        self.turn = (seat + 1) % 4
        if len(self.on_table) == 4:
            self.finish_trick()

    def finish_trick(self):
        winner, _ = self.top()
        for seat, word, cards in self.on_table:
            for card in cards:
                self.won.append((winner % 2, seat, card, word != "drop"))
        self.tricks[winner % 2] += 1
        self.counts["tricks"] += 1
        self.leader = winner
        seat = winner
        while self.stock and any(len(hand) < self.full for hand in self.hands):
            if len(self.hands[seat]) < self.full:
                card = self.stock.pop(0)
                self.hands[seat].append(card)
                self.received[seat].append(card)
            seat = (seat + 1) % 4
        if any(self.hands):
            self.before_trick()
        else:
            self.finish_deal()

    def finish_deal(self):
        points = [worth([card for team, _, card, _ in self.won if team == side]) for side in (0, 1)]
        lost = defeats(points, self.tricks)
        self.counts["balls"] += points[0] == points[1]
        self.defeats = [self.defeats[team] + lost[team] for team in (0, 1)]
        self.results.append({"points": points, "defeats": lost})
        if max(self.defeats) >= self.ruleset["target"] or len(self.results) == self.ruleset["max_deals"]:
            self.over = True
        else:
            self.deal()

    def scores(self):
        return [-self.defeats[seat % 2] for seat in range(4)]

    def tiebreaks(self):
        """The card points of the own team in all deals."""
        return [sum(result["points"][seat % 2] for result in self.results) for seat in range(4)]

    def shown_to(self, seat):
        """Cards of all acts that a seat may know, act by act."""
        return [in_order(cards) if word != "drop" or doer == seat else [] for doer, word, cards in self.acts]

    def view(self, seat):
        """The whole view of a seat; None: of spectators."""
        known = [
            worth([card for team, owner, card, face_up in self.won if team == side and (face_up or owner == seat)])
            for side in (0, 1)
        ]
        return {
            "seat": seat,
            "phase": self.phase,
            "deal_number": len(self.results),
            "dealer": self.dealer,
            "leader": self.leader,
            "hand": [] if seat is None else in_order(self.hands[seat]),
            "trump": SUITS[self.trump],
            "trump_card": self.trump_card,
            "stock": len(self.stock),
            "act_seats": [doer for doer, _, _ in self.acts],
            "acts": [word for _, word, _ in self.acts],
            "act_counts": [len(cards) for _, _, cards in self.acts],
            "act_cards": [card for cards in self.shown_to(seat) for card in cards],
            "received": [] if seat is None else self.received[seat],
            "points": known,
            "tricks": self.tricks,
            "defeats": self.defeats,
            "results": self.results,
        }

    def knows(self, seat):
        """The cards a seat may know; None: spectators."""
        own = set() if seat is None else set(self.received[seat])
        return own | {self.trump_card} | {card for cards in self.shown_to(seat) for card in cards}
