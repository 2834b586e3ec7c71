"""Where deals come from: the oracle's own dice, or the documented streams of a board's seed."""

import hashlib
import hmac

from oracle import crow, goat, rook
from oracle.rulesets import family


class Dice:
    """Deals from a random.Random; every stream is the same generator."""

    def __init__(self, rng):
        self.rng = rng

    def below(self, name, bound):
        return self.rng.randrange(bound)

    def shuffled(self, name, cards):
        cards = list(cards)
        self.rng.shuffle(cards)
        return cards


class Seed:
    """Deals from a board's seed: 32-bit words of HMAC-SHA256(seed, stream | block), without the modulo's bias."""

    def __init__(self, seed):
        self.seed = bytes.fromhex(seed)

    def words(self, name):
        block = 0
        while True:
            text = "\x1f".join([*map(str, name), str(block)])
            raw = hmac.new(self.seed, text.encode(), hashlib.sha256).digest()
            for place in range(0, 32, 4):
                yield int.from_bytes(raw[place : place + 4], "big")
            block += 1

    def draw(self, words, bound):
        usable = 2**32 // bound * bound
        return next(word for word in words if word < usable) % bound

    def below(self, name, bound):
        return self.draw(self.words(name), bound)

    def shuffled(self, name, cards):
        cards = list(cards)
        words = self.words(name)
        for place in reversed(range(1, len(cards))):
            other = self.draw(words, place + 1)
            cards[place], cards[other] = cards[other], cards[place]
        return cards


class Board:
    """The deals of one match; `deal(number, redeal)` for each."""

    def __init__(self, game, ruleset, chance):
        self.game = family(game)
        self.ruleset = ruleset
        self.chance = chance
        self.seats = ruleset.get("players", 4)
        self.first_dealer = chance.below(("dealer",), self.seats)

    def deal(self, number, redeal):
        source = {"crow": crow, "rook": rook, "goat": goat}[self.game]
        pack = source.pack(self.ruleset)
        size = len(pack) // self.seats if self.game == "crow" else self.ruleset["hand"]
        cards = self.chance.shuffled(("cards", number, redeal), pack)
        hands = []
        for _ in range(self.seats):
            hands.append(sorted(cards[:size], key=pack.index))
            cards = cards[size:]
        deal = {"hands": hands, "dealer": (self.first_dealer + number) % self.seats}
        if self.game == "crow":
            deal["pitchers"] = self.chance.shuffled(("pitchers", number, 0), crow.pitcher_pack(self.ruleset))
        if self.game == "rook":
            deal["nest"] = sorted(cards, key=pack.index)
        if self.game == "goat":
            deal["stock"] = cards
            deal["trump_card"] = cards[self.chance.below(("trump", number, 0), len(cards))]
        return deal
