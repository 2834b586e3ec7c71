package sdk

import (
	"arenabot/sdk/v1"
)

// GoatPoints is what a card of Goat counts in a trick; 120 in the pack.
func GoatPoints(cards ...Card) int {
	points := 0
	for _, card := range cards {
		points += goatPoints[card.Rank()]
	}
	return points
}

var goatPoints = [16]int{10: 2, 11: 3, 12: 4, 13: 10, 14: 11}

// GoatBeats tells whether one card beats another: higher of the same suit, or a trump against a plain card.
func GoatBeats(card, other Card, trump int) bool {
	if card.Suit() == other.Suit() {
		return card > other
	}
	return card.Suit() == trump
}

// GoatSetBeats tells whether as many cards can be paired so that each of them beats its partner among others.
func GoatSetBeats(cards, others []Card, trump int) bool {
	if len(others) == 0 {
		return true
	}
	last, rest := len(others)-1, others[:len(others)-1]
	for i, card := range cards {
		if GoatBeats(card, others[last], trump) {
			left := append(append(make([]Card, 0, 4), cards[:i]...), cards[i+1:]...)
			if GoatSetBeats(left, rest, trump) {
				return true
			}
		}
	}
	return false
}

// Act is what a seat did in a deal of Goat.
type Act struct {
	Seat  int
	Kind  v1.GoatAct
	Count int    // how many cards it put down
	Cards []Card // those that you may know: empty for a drop of another seat
}

// GoatActs is everything done in this deal of Goat, in order.
func (t *Turn) GoatActs() []Act {
	view := t.Goat
	acts := make([]Act, len(view.Acts))
	known := CardsOf(view.ActCards)
	for i, kind := range view.Acts {
		act := Act{Seat: int(view.ActSeats[i]), Kind: kind, Count: int(view.ActCounts[i])}
		if kind != v1.GoatAct_GOAT_ACT_DROP || view.ActSeats[i] == view.Seat {
			act.Cards, known = known[:act.Count], known[act.Count:]
		}
		acts[i] = act
	}
	return acts
}

// GoatTrick is what was done in this trick of Goat since its lead (or since the molodka); empty before the lead.
func (t *Turn) GoatTrick() []Act {
	if t.Goat.Phase != v1.GoatPhase_GOAT_PHASE_ANSWER {
		return nil
	}
	acts := t.GoatActs()
	for first := len(acts) - 1; first >= 0; first-- {
		if kind := acts[first].Kind; kind == v1.GoatAct_GOAT_ACT_LEAD || kind == v1.GoatAct_GOAT_ACT_MOLODKA {
			return acts[first:]
		}
	}
	return nil
}

// GoatWinning is the act of a trick of Goat that takes it so far: the last that beat, or else the lead.
func GoatWinning(trick []Act) Act {
	winning := trick[0]
	for _, act := range trick {
		if act.Kind == v1.GoatAct_GOAT_ACT_BEAT {
			winning = act
		}
	}
	return winning
}
