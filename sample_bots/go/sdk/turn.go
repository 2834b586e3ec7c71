package sdk

import (
	"strings"
	"time"

	"arenabot/sdk/v1"
)

// Decision is what a turn asks for.
type Decision string

// The decisions. ToChoose is one that is newer than this SDK.
const (
	ToBid         Decision = "bid"     // Rook: bid or pass
	ToDiscard     Decision = "discard" // Rook: the declarer puts away Turn.Choose.Count cards
	ToNameTrump   Decision = "trump"   // Rook: name the trump suit
	ToPlay        Decision = "play"    // Rook, The Crow and the Pitcher: a card to the trick
	ToLead        Decision = "lead"    // Goat: 1 to 4 cards of one suit
	ToAnswer      Decision = "answer"  // Goat: beat, drop or call molodka
	ToCallMolodka Decision = "molodka" // Goat with molodka = before_trick: call it or pass
	ToChoose      Decision = "unknown"
)

// Turn is one decision to be made: what the bot knows and what it may do.
type Turn struct {
	Game     *Game
	Number   int           // number of this decision within the game, all seats counted, from 0
	Decision Decision      // what is asked
	Hand     []Card        // the bot's cards, ascending
	Moves    []Move        // all legal moves; empty when cards are to be chosen
	Choose   *Choose       // the choice of cards that is asked for; nil when Moves lists what is legal
	Limit    time.Duration // time for this move; 0 in games without a clock
	Bank     time.Duration // the bot's bank before this move; 0 in games without a clock

	// All that the bot knows, as the protocol sends it; only that of the game's family is not nil. Its fields are
	// described in the protocol.
	Rook *v1.RookView
	Crow *v1.CrowView
	Goat *v1.GoatView

	family *Family
	notes  []string
}

var rookDecisions = map[v1.RookPhase]Decision{
	v1.RookPhase_ROOK_PHASE_AUCTION: ToBid,
	v1.RookPhase_ROOK_PHASE_DISCARD: ToDiscard,
	v1.RookPhase_ROOK_PHASE_TRUMP:   ToNameTrump,
	v1.RookPhase_ROOK_PHASE_PLAY:    ToPlay,
}

var goatDecisions = map[v1.GoatPhase]Decision{
	v1.GoatPhase_GOAT_PHASE_ASK:    ToCallMolodka,
	v1.GoatPhase_GOAT_PHASE_LEAD:   ToLead,
	v1.GoatPhase_GOAT_PHASE_ANSWER: ToAnswer,
}

func newTurn(game *Game, message *v1.Turn) *Turn {
	turn := &Turn{
		Game:     game,
		Number:   int(message.Turn),
		Decision: ToChoose,
		Limit:    time.Duration(message.GetLimitMs()) * time.Millisecond,
		Bank:     time.Duration(message.GetBankMs()) * time.Millisecond,
		Rook:     message.GetRook(),
		Crow:     message.GetCrow(),
		Goat:     message.GetGoat(),
		family:   game.Family,
	}
	turn.Moves, turn.Choose = decodeLegal(message.Legal)
	if turn.family == nil {
		turn.family = &Family{Name: "unknown"} // its cards are told by their numbers
	}
	var known Decision
	switch {
	case turn.Rook != nil:
		turn.family, turn.Hand, known = Rook, CardsOf(turn.Rook.Hand), rookDecisions[turn.Rook.Phase]
	case turn.Crow != nil:
		turn.family, turn.Hand, known = Crow, CardsOf(turn.Crow.Hand), ToPlay
	case turn.Goat != nil:
		turn.family, turn.Hand, known = Goat, CardsOf(turn.Goat.Hand), goatDecisions[turn.Goat.Phase]
	}
	if known != "" {
		turn.Decision = known
	}
	return turn
}

// Any is the first legal move, or the first cards of a choice: a move for whatever a bot does not care about.
func (t *Turn) Any() Move {
	if t.Choose != nil {
		return t.Take(t.Choose.Cards...)
	}
	return t.Moves[0]
}

// Random is a legal move drawn from the game's generator.
func (t *Turn) Random() Move {
	if t.Choose == nil {
		return t.Moves[t.Game.Random.IntN(len(t.Moves))]
	}
	cards := make([]Card, 0, t.Choose.Count)
	for _, place := range t.Game.Random.Perm(len(t.Choose.Cards))[:t.Choose.Count] {
		cards = append(cards, t.Choose.Cards[place])
	}
	return t.Take(cards...)
}

// Take is the move that answers a choice with the first Choose.Count of these cards.
func (t *Turn) Take(cards ...Card) Move {
	return Move{Kind: t.Choose.Kind, Cards: sorted(cards[:min(len(cards), t.Choose.Count)])}
}

// Of is the legal moves of one kind, in their order.
func (t *Turn) Of(kind Kind) []Move {
	var moves []Move
	for _, move := range t.Moves {
		if move.Kind == kind {
			moves = append(moves, move)
		}
	}
	return moves
}

// Text is a move as the arena prints it.
func (t *Turn) Text(move Move) string { return t.family.MoveText(move) }

// Note adds a line for your own eyes in the replay of this turn. Opponents never see it; 2 KiB a turn are kept.
func (t *Turn) Note(text string) { t.notes = append(t.notes, text) }

const noteBytes = 2048

// note is what was noted, cut at a whole character.
func (t *Turn) note() string {
	text := strings.ToValidUTF8(strings.Join(t.notes, "\n"), "?")
	if len(text) > noteBytes {
		text = strings.ToValidUTF8(text[:noteBytes], "")
	}
	return text
}

// place is where a move stands among the legal ones, -1 when it is not there.
func (t *Turn) place(move Move) int {
	for i, legal := range t.Moves {
		if legal.Same(move) {
			return i
		}
	}
	return -1
}
