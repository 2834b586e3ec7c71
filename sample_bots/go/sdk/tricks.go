package sdk

import (
	"fmt"
	"slices"
	"strconv"
)

// Played is a card on the table.
type Played struct {
	Seat int
	Card Card
}

// Tricks is all tricks of this hand of Rook or round of The Crow and the Pitcher, the last one as far as it is played.
// A trick that is about to be led is there, without cards.
func (t *Turn) Tricks() [][]Played {
	var cards []Card
	var leaders []uint32
	switch {
	case t.Rook != nil:
		cards, leaders = CardsOf(t.Rook.Played), t.Rook.Leaders
	case t.Crow != nil:
		cards, leaders = CardsOf(t.Crow.Played), t.Crow.Leaders
	}
	tricks := make([][]Played, len(leaders))
	for i, leader := range leaders {
		for k := i * t.Game.Seats; k < min((i+1)*t.Game.Seats, len(cards)); k++ {
			tricks[i] = append(tricks[i], Played{(int(leader) + k) % t.Game.Seats, cards[k]})
		}
	}
	return tricks
}

// Trick is the cards of this trick, the led one first.
func (t *Turn) Trick() []Card {
	var cards []Card
	if tricks := t.Tricks(); len(tricks) > 0 {
		for _, played := range tricks[len(tricks)-1] {
			cards = append(cards, played.Card)
		}
	}
	return cards
}

// The special cards of Rook. In The Red 1 the red 1 is RedOne, elsewhere it is a plain card.
const (
	RookCard Card = 65
	RedOne   Card = 66
)

// RookRules is what a ruleset of the Rook family says of its cards. Slices are indexed by card.
type RookRules struct {
	Points []int // what a card counts
	Place  []int // strength among cards of the same colour, from 1; 0 for what is lowest or not in the pack
}

// NewRookRules reads the options of a game of the Rook family.
func NewRookRules(options map[string]any) (*RookRules, error) {
	ranks, _ := options["ranks"].([]any)
	points, _ := options["points"].(map[string]any)
	if len(ranks) == 0 || points == nil {
		return nil, fmt.Errorf("options of a game of Rook have ranks and points, got %v", options)
	}
	rules := &RookRules{make([]int, 128), make([]int, 128)}
	for place, value := range ranks {
		rank, _ := value.(float64)
		for suit := range 4 {
			rules.Place[suit<<4|int(rank)] = place + 1
		}
	}
	for key, value := range points {
		number, err := strconv.Atoi(key)
		if err != nil || number < 0 || number >= len(rules.Points) {
			return nil, fmt.Errorf("points of a card %q", key)
		}
		worth, _ := value.(float64)
		if number >= int(RookCard) {
			rules.Points[number] = int(worth)
			continue
		}
		for suit := range 4 {
			rules.Points[suit<<4|number] = int(worth)
		}
	}
	rules.Place[RedOne] = 21
	if options["rook_rank"] == "highest" || options["red_one"] == true {
		rules.Place[RookCard] = 20
	}
	return rules, nil
}

// Colour is the suit a card is of at the table: the special cards are of the trump suit.
func (r *RookRules) Colour(card Card, trump int) int {
	if card >= RookCard {
		return trump
	}
	return card.Suit()
}

// Winner is which card takes a trick, 0 for the led one; also of a trick that is not complete.
func (r *RookRules) Winner(trick []Card, trump int) int {
	winner := 0
	for i, card := range trick {
		colour, best := r.Colour(card, trump), r.Colour(trick[winner], trump)
		if colour == best && r.Place[card] > r.Place[trick[winner]] || colour == trump && best != trump {
			winner = i
		}
	}
	return winner
}

// CrowThirst is the suit of thirst in The Crow and the Pitcher; the other three are stones.
const CrowThirst = 3

// CrowPoints is what a card scores for the seat that takes it; thirst is below 0.
func CrowPoints(options map[string]any, card Card) int {
	worth := card.Rank()
	switch options["card_points"] {
	case "flat":
		worth = 1
	case "inverse":
		worth = 12 - card.Rank()
	}
	if card.Suit() == CrowThirst {
		return -worth
	}
	return worth
}

// CrowTake tells which card takes a trick (0 for the led one), what it scores, and whether the pitcher was full; a
// trick led with thirst takes no pitcher.
func CrowTake(options map[string]any, trick []Card, pitcher int) (place, points int, full bool) {
	led, filled, low, high, thirst := trick[0].Suit(), 0, trick[0], trick[0], 0
	for _, card := range trick {
		points += CrowPoints(options, card)
		if card.Suit() == CrowThirst {
			thirst += CrowPoints(options, card)
		} else if card.Rank() <= pitcher {
			filled += card.Rank()
		}
		if card.Suit() == led {
			low, high = min(low, card), max(high, card)
		}
	}
	switch {
	case led == CrowThirst:
		return slices.Index(trick, high), thirst, true
	case filled >= pitcher:
		return slices.Index(trick, high), points, true
	default:
		return slices.Index(trick, low), points - 5, false
	}
}
