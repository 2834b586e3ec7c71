package sdk

import (
	"encoding/json"
	"math/rand/v2"

	"arenabot/sdk/v1"
)

// Game is one game at the table: what a bot is told at its start.
type Game struct {
	Number  int            // number of the game on this connection, from 1
	Ruleset string         // "crowsnest", "goat", ...
	Options map[string]any // every field of the ruleset, as encoding/json reads it
	Family  *Family        // names of the cards; nil for a game that this SDK does not know
	Seat    int            // the bot's seat, 0 to Seats-1, clockwise
	Seats   int            // 3 or 4
	Partner int            // the partner's seat, -1 where each seat plays for itself
	Seed    uint64         // the seed of Random
	Clock   *v1.Clock      // nil in games without a clock

	// Random is the game's own generator, seeded by the arena. A bot that draws from it alone plays the same game
	// again.
	Random *rand.Rand
}

// Result is how a game ended.
type Result struct {
	Verdict string // "finished", "forfeit", "void" or "unknown"
	Scores  []int  // points by seat, higher is better; empty when the game is void
	Ranks   []int  // places by seat, 0 is best, equal means tied; empty when the game is void
	Forfeit int    // the seat that forfeited, -1 when none did
	Reason  string // why, as a fault code; empty when the game was finished
}

func newGame(start *v1.GameStart) *Game {
	game := &Game{
		Number:  int(start.Game),
		Ruleset: start.Ruleset,
		Options: make(map[string]any, len(start.Options)),
		Family:  families[start.Ruleset],
		Seat:    int(start.Seat),
		Seats:   int(start.Seats),
		Partner: optional(start.Partner),
		Seed:    start.Seed,
		Clock:   start.Clock,
		Random:  rand.New(rand.NewPCG(start.Seed, 0)),
	}
	for name, text := range start.Options {
		var value any
		if json.Unmarshal([]byte(text), &value) != nil {
			value = text
		}
		game.Options[name] = value
	}
	return game
}

func newResult(over *v1.GameOver) Result {
	result := Result{Verdict: "unknown", Scores: []int{}, Ranks: []int{}, Forfeit: optional(over.ForfeitSeat), Reason: over.Reason}
	switch over.Verdict {
	case v1.Verdict_VERDICT_FINISHED:
		result.Verdict = "finished"
	case v1.Verdict_VERDICT_FORFEIT:
		result.Verdict = "forfeit"
	case v1.Verdict_VERDICT_VOID:
		result.Verdict = "void"
	}
	for _, score := range over.Scores {
		result.Scores = append(result.Scores, int(score))
	}
	for _, rank := range over.Ranks {
		result.Ranks = append(result.Ranks, int(rank))
	}
	return result
}

// families by ruleset.
var families = map[string]*Family{
	"crowsnest":        Rook,
	"tournament":       Rook,
	"partnership":      Rook,
	"one_high":         Rook,
	"red_one":          Rook,
	"buckeye":          Rook,
	"crow_and_pitcher": Crow,
	"goat":             Goat,
}

// optional is a number that may be absent: -1 then.
func optional(number *uint32) int {
	if number == nil {
		return -1
	}
	return int(*number)
}
