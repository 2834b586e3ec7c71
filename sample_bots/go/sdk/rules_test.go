package sdk

import (
	"testing"

	"arenabot/sdk/v1"
)

func TestSetsOfGoatBeatAsTheRulesSay(t *testing.T) {
	const hearts = 2
	for _, example := range []struct {
		cards, others string
		beats         bool
	}{
		{"9S 6H", "7S JS", true},
		{"10S 7H", "9S 6H", true},
		{"8H QH", "10S 7H", true},
		{"AS KS", "9S 6H", false},
		{"7H AS", "10S 6H", true},
		{"10C", "KC", true},
		{"QC", "KC", false},
		{"6H", "AD", true},
		{"AS", "AD", false},
		{"7S 10S 6H 8H", "6S 9S QS AS", true},
	} {
		if got := GoatSetBeats(Goat.Cards(example.cards), Goat.Cards(example.others), hearts); got != example.beats {
			t.Errorf("%s against %s: %v", example.cards, example.others, got)
		}
	}
	if points := GoatPoints(Goat.Pack()...); points != 120 {
		t.Errorf("the pack has %d points", points)
	}
}

func TestTheTrickOfGoatBeginsWithTheMolodka(t *testing.T) {
	lead, drop, molodka := v1.GoatAct_GOAT_ACT_LEAD, v1.GoatAct_GOAT_ACT_DROP, v1.GoatAct_GOAT_ACT_MOLODKA
	view := &v1.GoatView{
		Seat: 1, Phase: v1.GoatPhase_GOAT_PHASE_ANSWER, ActSeats: []uint32{0, 1, 2}, Acts: []v1.GoatAct{lead, drop, molodka},
		ActCounts: []uint32{1, 1, 4}, ActCards: []v1.GoatCard{12, 6, 54, 57, 59, 62},
	}
	turn := newTurn(&Game{}, &v1.Turn{View: &v1.Turn_Goat{Goat: view}})
	if acts := turn.GoatActs(); len(acts) != 3 || Goat.Join(acts[1].Cards) != "6C" {
		t.Errorf("acts %v", acts)
	}
	trick := turn.GoatTrick()
	if len(trick) != 1 || Goat.Join(GoatWinning(trick).Cards) != "6S 9S QS AS" {
		t.Errorf("trick %v", trick)
	}
}

func TestTheWinnerInRook(t *testing.T) {
	ranks := []any{5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 1.0}
	points := map[string]any{"5": 5.0, "10": 10.0, "65": 20.0}
	for _, example := range []struct {
		rookRank, trick string
		winner          int
	}{
		{"highest", "R10 R14 B14 R11", 1},
		{"highest", "R10 R14 R1 B14", 2},
		{"highest", "R10 G5 R14 G6", 3},
		{"highest", "G1 ROOK G14 R1", 1},
		{"lowest", "G5 ROOK R14 R1", 0},
		{"lowest", "R14 ROOK R13 R1", 1},
	} {
		rules, err := NewRookRules(map[string]any{"ranks": ranks, "points": points, "rook_rank": example.rookRank})
		if err != nil {
			t.Fatal(err)
		}
		const green = 1
		if winner := rules.Winner(Rook.Cards(example.trick), green); winner != example.winner {
			t.Errorf("%s, Rook %s: %d", example.trick, example.rookRank, winner)
		}
		if rules.Points[RookCard] != 20 || rules.Points[Rook.Card("Y10")] != 10 {
			t.Errorf("points %v", rules.Points)
		}
	}
	if _, err := NewRookRules(map[string]any{}); err == nil {
		t.Error("no ranks and no points")
	}
}

func TestTheTrickOfTheCrow(t *testing.T) {
	for _, example := range []struct {
		trick         string
		pitcher       int
		place, points int
		full          bool
	}{
		{"R4 R7 G5 T3", 11, 1, 13, true},
		{"R4 R7 T3", 12, 0, 3, false},
		{"R4 R9 G10", 8, 0, 18, false},
		{"T4 R9 T7", 8, 2, -11, true},
	} {
		place, points, full := CrowTake(map[string]any{"card_points": "face"}, Crow.Cards(example.trick), example.pitcher)
		if place != example.place || points != example.points || full != example.full {
			t.Errorf("%s, pitcher %d: %d, %d, %v", example.trick, example.pitcher, place, points, full)
		}
	}
}

func TestTricksAreReadFromTheView(t *testing.T) {
	view := &v1.CrowView{Played: []v1.CrowCard{4, 9, 26, 5}, Leaders: []uint32{2, 1}}
	turn := newTurn(&Game{Seats: 3}, &v1.Turn{View: &v1.Turn_Crow{Crow: view}})
	tricks := turn.Tricks()
	if len(tricks) != 2 || tricks[0][1] != (Played{0, 9}) || tricks[1][0] != (Played{1, 5}) {
		t.Errorf("tricks %v", tricks)
	}
	if Crow.Join(turn.Trick()) != "R5" {
		t.Errorf("trick %v", turn.Trick())
	}
}

func TestTextsOfMoves(t *testing.T) {
	for _, text := range []string{"bid 80", "pass", "trump green", "discard B5 ROOK", "RED1", "molodka"} {
		move, err := Rook.ParseMove(text)
		if err != nil || Rook.MoveText(move) != text {
			t.Errorf("%q: %v, %v", text, move, err)
		}
	}
	for _, text := range []string{"", "bid", "bid x", "trump hearts", "lead", "lead 6S", "T7", "pass 1"} {
		if move, err := Rook.ParseMove(text); err == nil {
			t.Errorf("%q was read as %v", text, move)
		}
	}
}
