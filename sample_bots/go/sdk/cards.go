package sdk

import (
	"fmt"
	"slices"
	"strings"

	"arenabot/sdk/v1"
)

// Card is a card's number, suit<<4 | rank, as in the card enums of the protocol.
// Family names it: Goat.Text(13) is "10C".
type Card int

// Suit is the suit number of a card.
func (c Card) Suit() int { return int(c) >> 4 }

// Rank is the rank number of a card.
func (c Card) Rank() int { return int(c) & 15 }

// Family names the cards, suits and moves of the games that share a pack.
type Family struct {
	Name  string   // "rook", "crow" or "goat"
	Suits []string // in words, by suit number
	texts map[Card]string
	cards map[string]Card
}

// The three families of games. CrowsNest, Tournament, Partnership, 1-High Partnership, The Red 1 and Buckeye are of
// the Rook family.
var (
	Rook = newFamily("rook", v1.RookCard_name, "black", "green", "red", "yellow")
	Crow = newFamily("crow", v1.CrowCard_name, "red", "green", "blue", "thirst")
	Goat = newFamily("goat", v1.GoatCard_name, "clubs", "diamonds", "hearts", "spades")
)

func newFamily(name string, numbers map[int32]string, suits ...string) *Family {
	family := &Family{Name: name, Suits: suits, texts: map[Card]string{}, cards: map[string]Card{}}
	prefix := strings.ToUpper(name) + "_CARD_"
	for number, text := range numbers {
		if number != 0 {
			card, text := Card(number), strings.TrimPrefix(text, prefix)
			family.texts[card], family.cards[text] = text, card
		}
	}
	return family
}

// Text is a card as the arena prints it, "R10"; the number of one that is unknown to this SDK.
func (f *Family) Text(card Card) string {
	if text, ok := f.texts[card]; ok {
		return text
	}
	return fmt.Sprint(int(card))
}

// Card is the card with this text. It panics when there is none; ParseMove is for texts from outside.
func (f *Family) Card(text string) Card {
	card, ok := f.cards[text]
	if !ok {
		panic(fmt.Sprintf("%q is no card of %s", text, f.Name))
	}
	return card
}

// Cards are the cards of a text with spaces between them: Goat.Cards("6S 10H"). It panics like Card.
func (f *Family) Cards(text string) []Card {
	cards := []Card{}
	for _, word := range strings.Fields(text) {
		cards = append(cards, f.Card(word))
	}
	return cards
}

// Join is the text of several cards, with spaces between them.
func (f *Family) Join(cards []Card) string {
	texts := make([]string, len(cards))
	for i, card := range cards {
		texts[i] = f.Text(card)
	}
	return strings.Join(texts, " ")
}

// Pack is all cards of the family, ascending; a ruleset of Rook may leave some out.
func (f *Family) Pack() []Card {
	pack := make([]Card, 0, len(f.texts))
	for card := range f.texts {
		pack = append(pack, card)
	}
	slices.Sort(pack)
	return pack
}

// CardsOf are the numbers of a message as cards: CardsOf(turn.Goat.Hand).
func CardsOf[N ~int32 | ~uint32](numbers []N) []Card {
	cards := make([]Card, len(numbers))
	for i, number := range numbers {
		cards[i] = Card(number)
	}
	return cards
}
