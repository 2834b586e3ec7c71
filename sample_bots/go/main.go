// A bot that plays every game, and Goat well: it deals the cards it cannot see at random a few times, finishes the
// trick in its head, and makes the move that comes out best. Change it, or write a Decide of your own.
package main

import (
	"cmp"
	"math/bits"
	"slices"

	"arenabot/sdk"
	"arenabot/sdk/v1"
)

const (
	samples   = 12  // how often the unseen cards are dealt
	trumpCost = 7.0 // worth of a trump in hand, in card points
	trumpStep = 1.2 // worth of each rank of it
	plainStep = 0.2 // worth of each rank of a plain card
	price     = 7   // card points for which others spend a trump
)

func main() { sdk.Run(newBot) }

// bot plays one game. What it should remember during a game goes here.
type bot struct{}

func newBot(*sdk.Game) sdk.Bot { return &bot{} }

// Decide makes one decision. This is where the strategy goes.
func (b *bot) Decide(turn *sdk.Turn) sdk.Move {
	switch turn.Decision {
	case sdk.ToLead, sdk.ToAnswer, sdk.ToCallMolodka:
		return best(turn)
	case sdk.ToBid:
		return turn.Moves[turn.Game.Random.IntN(min(2, len(turn.Moves)))] // pass, or the lowest bid
	default:
		return turn.Random()
	}
}

// best is the move of Goat with the best prospect: what the trick brings, less what the cards are worth in hand.
func best(turn *sdk.Turn) sdk.Move {
	if len(turn.Moves) == 1 {
		return turn.Moves[0]
	}
	trick, unseen := newTrick(turn), hidden(turn)
	prospects := make([]float64, len(turn.Moves))
	for range samples {
		turn.Game.Random.Shuffle(len(unseen), func(i, j int) { unseen[i], unseen[j] = unseen[j], unseen[i] })
		for i, move := range turn.Moves {
			prospects[i] += float64(trick.finish(move, turn.Hand, unseen)) / samples
		}
	}
	share := 1.0 // cards are worth less when the deal is about to end
	if turn.Goat.Stock == 0 {
		share = float64(len(turn.Hand)) / 4
	}
	for i, move := range turn.Moves {
		for _, card := range put(move, turn.Hand) {
			prospects[i] -= share * worth(card, trick.trump)
		}
	}
	return turn.Moves[slices.Index(prospects, slices.Max(prospects))]
}

// put is the cards that a move puts down.
func put(move sdk.Move, hand []sdk.Card) []sdk.Card {
	if move.Kind == sdk.Molodka {
		return hand
	}
	return move.Cards
}

// worth is what a card is worth in hand, in card points.
func worth(card sdk.Card, trump int) float64 {
	above := float64(card.Rank() - 6)
	if card.Suit() == trump {
		return trumpCost + trumpStep*above
	}
	return plainStep * above
}

// hidden is the cards that others may hold: not in our hand and not seen to be gone. What others dropped is among them.
func hidden(turn *sdk.Turn) []sdk.Card {
	gone := map[sdk.Card]bool{}
	var trick []sdk.Card
	for _, act := range turn.GoatActs() {
		if act.Kind == v1.GoatAct_GOAT_ACT_MOLODKA { // what was played to the trick went back
			for _, card := range trick {
				gone[card] = false
			}
		}
		if act.Kind == v1.GoatAct_GOAT_ACT_LEAD {
			trick = nil
		}
		trick = append(trick, act.Cards...)
		for _, card := range act.Cards {
			gone[card] = true
		}
	}
	if turn.Goat.Stock == 20 { // nobody has drawn yet
		gone[sdk.Card(turn.Goat.TrumpCard)] = true
	}
	return slices.DeleteFunc(sdk.Goat.Pack(), func(card sdk.Card) bool {
		return gone[card] || slices.Contains(turn.Hand, card)
	})
}

// trick is the trick as it lies.
type trick struct {
	trump, seat int
	pot         int        // points in it, as far as we know
	best        []sdk.Card // what is to be beaten
	winner      int        // whose it is
	answers     int        // how many seats answer after ours
}

func newTrick(turn *sdk.Turn) trick {
	lying := trick{trump: int(turn.Goat.Trump), seat: turn.Game.Seat, winner: turn.Game.Seat, answers: 3}
	acts := turn.GoatTrick()
	if len(acts) > 0 {
		winning := sdk.GoatWinning(acts)
		lying.best, lying.winner, lying.answers = winning.Cards, winning.Seat, 3-len(acts)
	}
	for _, act := range acts {
		lying.pot += sdk.GoatPoints(act.Cards...)
		if act.Cards == nil {
			lying.pot += 2 * act.Count // a guess at what was dropped face down
		}
	}
	return lying
}

// finish plays the trick to its end with our move and the others' hands from the unseen cards. It returns the card
// points that our team gets by it, below 0 when the others get them.
func (t trick) finish(move sdk.Move, hand, unseen []sdk.Card) int {
	cards, size := put(move, hand), len(hand)
	switch move.Kind {
	case sdk.Pass: // no molodka before the trick
		return 0
	case sdk.Lead, sdk.Molodka:
		t.pot, t.winner, t.best, t.answers = 0, t.seat, cards, 3
	case sdk.Beat:
		t.winner, t.best = t.seat, cards
	}
	t.pot += sdk.GoatPoints(cards...)
	for i := 0; i < t.answers && (i+1)*size <= len(unseen); i++ {
		t.answer((t.seat+1+i)%4, unseen[i*size:(i+1)*size])
	}
	return t.pot * (1 - 2*((t.winner+t.seat)%2))
}

// answer lets another seat answer as a sensible player would: it beats an opponent where that is cheap or pays, gives
// points to a partner, and else drops what it needs least.
func (t *trick) answer(seat int, hand []sdk.Card) {
	friend := (t.winner-seat)%2 == 0
	cost := func(card sdk.Card) int {
		switch points := sdk.GoatPoints(card); {
		case card.Suit() == t.trump:
			return points + 8
		case friend:
			return -points
		default:
			return points
		}
	}
	if cards := cheapest(hand, t.best, t.trump, cost); cards != nil && !friend {
		points := sdk.GoatPoints(cards...)
		trumps := slices.ContainsFunc(cards, func(card sdk.Card) bool { return card.Suit() == t.trump })
		if !trumps || t.pot+points >= price {
			t.pot, t.winner, t.best = t.pot+points, seat, cards
			return
		}
	}
	hand = slices.Clone(hand)
	slices.SortFunc(hand, func(a, b sdk.Card) int { return cmp.Compare(cost(a), cost(b)) })
	t.pot += sdk.GoatPoints(hand[:len(t.best)]...)
}

// cheapest is the cards of a hand that beat others at the least cost; nil when none do.
func cheapest(hand, others []sdk.Card, trump int, cost func(sdk.Card) int) []sdk.Card {
	var cheap []sdk.Card
	least := 0
	for set := uint(1); set < 1<<len(hand); set++ {
		if bits.OnesCount(set) != len(others) {
			continue
		}
		cards, total := make([]sdk.Card, 0, 4), 0
		for i, card := range hand {
			if set>>i&1 == 1 {
				cards, total = append(cards, card), total+cost(card)
			}
		}
		if (cheap == nil || total < least) && sdk.GoatSetBeats(cards, others, trump) {
			cheap, least = cards, total
		}
	}
	return cheap
}
