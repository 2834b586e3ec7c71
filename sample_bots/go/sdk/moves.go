package sdk

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"arenabot/sdk/v1"
)

// Kind is what sort of move a Move is.
type Kind string

// The kinds of moves. Unknown is one that is newer than this SDK; it may still be chosen.
const (
	Play    Kind = "play"
	Bid     Kind = "bid"
	Pass    Kind = "pass" // also: decline a molodka
	Trump   Kind = "trump"
	Discard Kind = "discard"
	Lead    Kind = "lead"
	Beat    Kind = "beat"
	Drop    Kind = "drop"
	Molodka Kind = "molodka"
	Unknown Kind = "unknown"
)

// Move is one decision.
type Move struct {
	Kind   Kind
	Cards  []Card // one card of a play; those of a discard, lead, beat or drop, ascending
	Number int    // points of a bid, suit number of a trump
}

// Choose asks for any Count different cards of Cards, where a list of all moves would be long: the discard in Rook.
type Choose struct {
	Kind  Kind
	Count int
	Cards []Card // ascending
}

// Same tells whether two moves mean the same; the order of cards does not matter.
func (m Move) Same(other Move) bool {
	return m.Kind == other.Kind && m.Number == other.Number && slices.Equal(sorted(m.Cards), sorted(other.Cards))
}

// Text is a move as the arena prints it: "R10", "bid 80", "pass", "trump green", "lead 6S 9S".
func (f *Family) MoveText(move Move) string {
	switch move.Kind {
	case Play:
		return f.Join(move.Cards)
	case Bid:
		return fmt.Sprintf("bid %d", move.Number)
	case Trump:
		if move.Number < 0 || move.Number >= len(f.Suits) {
			return fmt.Sprintf("trump %d", move.Number)
		}
		return "trump " + f.Suits[move.Number]
	case Discard, Lead, Beat, Drop:
		return string(move.Kind) + " " + f.Join(move.Cards)
	default:
		return string(move.Kind)
	}
}

// ParseMove is the move with this text.
func (f *Family) ParseMove(text string) (Move, error) {
	first, rest, _ := strings.Cut(text, " ")
	kind := Kind(first)
	switch kind {
	case Pass, Molodka:
		if rest == "" {
			return Move{Kind: kind}, nil
		}
	case Bid:
		if points, err := strconv.Atoi(rest); err == nil {
			return Move{Kind: Bid, Number: points}, nil
		}
	case Trump:
		if suit := slices.Index(f.Suits, rest); suit >= 0 {
			return Move{Kind: Trump, Number: suit}, nil
		}
	case Discard, Lead, Beat, Drop:
		if cards := f.known(rest); len(cards) > 0 {
			return Move{Kind: kind, Cards: sorted(cards)}, nil
		}
	default:
		if cards := f.known(text); len(cards) == 1 {
			return Move{Kind: Play, Cards: cards}, nil
		}
	}
	return Move{}, fmt.Errorf(`%q is no move of %s; expected "bid 80", "pass", "trump green", "lead 6S 9S", a card, ...`, text, f.Name)
}

// Legal is the message that allows the moves with these texts, for tests. It panics for a text that is no move.
func (f *Family) Legal(texts ...string) *v1.Legal {
	legal := &v1.Legal{}
	for _, text := range texts {
		move, err := f.ParseMove(text)
		if err != nil {
			panic(err)
		}
		legal.Moves = append(legal.Moves, encodeMove(move))
	}
	return legal
}

// known is the cards of a text; nil when one of its words is no card.
func (f *Family) known(text string) []Card {
	var cards []Card
	for _, word := range strings.Fields(text) {
		card, ok := f.cards[word]
		if !ok {
			return nil
		}
		cards = append(cards, card)
	}
	return cards
}

func sorted(cards []Card) []Card {
	if slices.IsSorted(cards) {
		return cards
	}
	cards = slices.Clone(cards)
	slices.Sort(cards)
	return cards
}

func decodeMove(message *v1.Move) Move {
	switch kind := message.Kind.(type) {
	case *v1.Move_Play:
		return Move{Kind: Play, Cards: []Card{Card(kind.Play)}}
	case *v1.Move_Bid:
		return Move{Kind: Bid, Number: int(kind.Bid)}
	case *v1.Move_Pass:
		return Move{Kind: Pass}
	case *v1.Move_NameTrump:
		return Move{Kind: Trump, Number: int(kind.NameTrump)}
	case *v1.Move_Discard:
		return Move{Kind: Discard, Cards: CardsOf(kind.Discard.Cards)}
	case *v1.Move_Lead:
		return Move{Kind: Lead, Cards: CardsOf(kind.Lead.Cards)}
	case *v1.Move_Beat:
		return Move{Kind: Beat, Cards: CardsOf(kind.Beat.Cards)}
	case *v1.Move_Drop:
		return Move{Kind: Drop, Cards: CardsOf(kind.Drop.Cards)}
	case *v1.Move_Molodka:
		return Move{Kind: Molodka}
	default:
		return Move{Kind: Unknown}
	}
}

// encodeMove is the message of a move, with its cards ascending.
func encodeMove(move Move) *v1.Move {
	set := &v1.CardSet{}
	for _, card := range sorted(move.Cards) {
		set.Cards = append(set.Cards, uint32(card))
	}
	switch move.Kind {
	case Play:
		return &v1.Move{Kind: &v1.Move_Play{Play: set.Cards[0]}}
	case Bid:
		return &v1.Move{Kind: &v1.Move_Bid{Bid: uint32(move.Number)}}
	case Pass:
		return &v1.Move{Kind: &v1.Move_Pass{Pass: true}}
	case Trump:
		return &v1.Move{Kind: &v1.Move_NameTrump{NameTrump: uint32(move.Number)}}
	case Discard:
		return &v1.Move{Kind: &v1.Move_Discard{Discard: set}}
	case Lead:
		return &v1.Move{Kind: &v1.Move_Lead{Lead: set}}
	case Beat:
		return &v1.Move{Kind: &v1.Move_Beat{Beat: set}}
	case Drop:
		return &v1.Move{Kind: &v1.Move_Drop{Drop: set}}
	case Molodka:
		return &v1.Move{Kind: &v1.Move_Molodka{Molodka: true}}
	default:
		return &v1.Move{}
	}
}

var chooseKinds = map[v1.MoveKind]Kind{
	v1.MoveKind_MOVE_KIND_DISCARD: Discard,
	v1.MoveKind_MOVE_KIND_LEAD:    Lead,
	v1.MoveKind_MOVE_KIND_BEAT:    Beat,
	v1.MoveKind_MOVE_KIND_DROP:    Drop,
}

// decodeLegal is the list of legal moves, or the choice that stands for it.
func decodeLegal(legal *v1.Legal) ([]Move, *Choose) {
	if choose := legal.GetChoose(); choose != nil {
		kind, ok := chooseKinds[choose.Kind]
		if !ok {
			kind = Unknown
		}
		return nil, &Choose{Kind: kind, Count: int(choose.Count), Cards: CardsOf(choose.Cards)}
	}
	moves := make([]Move, len(legal.GetMoves()))
	for i, message := range legal.GetMoves() {
		moves[i] = decodeMove(message)
	}
	return moves, nil
}
