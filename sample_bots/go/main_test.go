package main

import (
	"testing"

	"arenabot/sdk"
	"arenabot/sdk/v1"
)

// ask is what the bot in seat 0 of a game of Goat does with this view; the legal moves are given by their texts.
func ask(t *testing.T, view *v1.GoatView, legal ...string) string {
	t.Helper()
	table := sdk.NewTable(newBot)
	if err := table.Start(&v1.GameStart{Game: 1, Ruleset: "goat", Seats: 4, Seed: 7}); err != nil {
		t.Fatal(err)
	}
	reply, err := table.Turn(&v1.Turn{Game: 1, View: &v1.Turn_Goat{Goat: view}, Legal: sdk.Goat.Legal(legal...)})
	if err != nil {
		t.Fatal(err)
	}
	return legal[reply.GetChoice()]
}

// cards are cards for a message.
func cards(text string) []v1.GoatCard {
	var numbers []v1.GoatCard
	for _, card := range sdk.Goat.Cards(text) {
		numbers = append(numbers, v1.GoatCard(card))
	}
	return numbers
}

// last is a view in which seat 1 led a card, seat 2 (the partner) beat it or dropped one, seat 3 dropped one, and seat 0
// is to answer last; trump is hearts.
func last(hand, led, beaten string) *v1.GoatView {
	acts := []v1.GoatAct{v1.GoatAct_GOAT_ACT_LEAD, v1.GoatAct_GOAT_ACT_DROP, v1.GoatAct_GOAT_ACT_DROP}
	if beaten != "" {
		acts[1] = v1.GoatAct_GOAT_ACT_BEAT
	}
	return &v1.GoatView{
		Phase: v1.GoatPhase_GOAT_PHASE_ANSWER, Leader: 1, Hand: cards(hand), Trump: 2, Stock: 8,
		TrumpCard: v1.GoatCard_GOAT_CARD_6H, ActSeats: []uint32{1, 2, 3}, Acts: acts,
		ActCounts: []uint32{1, 1, 1}, ActCards: cards(led + " " + beaten),
	}
}

func TestGoat(t *testing.T) {
	for _, example := range []struct {
		name     string
		view     *v1.GoatView
		legal    []string
		expected string
	}{
		{"beats what is worth it", last("6C 7D 10S JC", "KS", ""),
			[]string{"beat 10S", "drop 6C", "drop 7D", "drop 10S", "drop JC"}, "beat 10S"},
		{"gives points to the partner", last("6C 7D 10C AC", "KS", "AS"),
			[]string{"drop 6C", "drop 7D", "drop 10C", "drop AC"}, "drop AC"},
		{"gives nothing to an opponent", last("6C 8D 10C AC", "AS", ""),
			[]string{"drop 6C", "drop 8D", "drop 10C", "drop AC"}, "drop 6C"},
		{"keeps trumps from worthless tricks", last("6C 7D 8D KH", "6S", ""),
			[]string{"beat KH", "drop 6C", "drop 7D", "drop 8D", "drop KH"}, "drop 6C"},
	} {
		t.Run(example.name, func(t *testing.T) {
			if move := ask(t, example.view, example.legal...); move != example.expected {
				t.Errorf("chose %q, expected %q", move, example.expected)
			}
		})
	}
}

func TestSeesWhatIsGone(t *testing.T) {
	table := sdk.NewTable(func(game *sdk.Game) sdk.Bot { return checker{t} })
	if err := table.Start(&v1.GameStart{Game: 1, Ruleset: "goat", Seats: 4}); err != nil {
		t.Fatal(err)
	}
	turn := &v1.Turn{Game: 1, View: &v1.Turn_Goat{Goat: last("6C 7D 8D AH", "6S", "7S")}, Legal: sdk.Goat.Legal("drop 6C")}
	if _, err := table.Turn(turn); err != nil {
		t.Fatal(err)
	}
}

type checker struct{ t *testing.T }

func (c checker) Decide(turn *sdk.Turn) sdk.Move {
	if got := len(hidden(turn)); got != 36-4-2 {
		c.t.Errorf("36 cards without 4 in hand and 2 on the table are 30, got %d", got)
	}
	return turn.Any()
}
