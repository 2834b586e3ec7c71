package sdk

import (
	"strings"
	"sync"
	"testing"
	"time"

	"arenabot/sdk/v1"
	"google.golang.org/protobuf/proto"
)

// script is a Bot made of a function, which remembers what it was told.
type script struct {
	decide   func(turn *Turn) Move
	over     []Result
	rejected []string
}

func (s *script) Decide(turn *Turn) Move           { return s.decide(turn) }
func (s *script) Over(result Result)               { s.over = append(s.over, result) }
func (s *script) Rejected(turn int, reason string) { s.rejected = append(s.rejected, reason) }

func playing(decide func(turn *Turn) Move) (*Table, *script) {
	bot := &script{decide: decide}
	return NewTable(func(*Game) Bot { return bot }), bot
}

func start(game uint32) *v1.ArenaEvent {
	return &v1.ArenaEvent{Event: &v1.ArenaEvent_GameStart{GameStart: &v1.GameStart{
		Game: game, Ruleset: "crow_and_pitcher", Seats: 4, Seed: uint64(game)}}}
}

func crow(game, number uint32) *v1.ArenaEvent {
	view := &v1.CrowView{Hand: []v1.CrowCard{4, 9, 26}, Pitchers: []uint32{11}, Leaders: []uint32{0}}
	return &v1.ArenaEvent{Event: &v1.ArenaEvent_Turn{Turn: &v1.Turn{
		Game: game, Turn: number, View: &v1.Turn_Crow{Crow: view}, Legal: Crow.Legal("R4", "R9", "G10")}}}
}

func discard() *v1.Turn {
	choose := &v1.Choose{Kind: v1.MoveKind_MOVE_KIND_DISCARD, Count: 2, Cards: []uint32{5, 10, 26}}
	view := &v1.RookView{Phase: v1.RookPhase_ROOK_PHASE_DISCARD}
	return &v1.Turn{Game: 1, View: &v1.Turn_Rook{Rook: view}, Legal: &v1.Legal{Choose: choose}}
}

func TestAllTurnsOfAFrameAreAnsweredInOneFrame(t *testing.T) {
	table, _ := playing(func(turn *Turn) Move { return turn.Moves[2] })
	var events []*v1.ArenaEvent
	for game := uint32(1); game <= 20; game++ {
		events = append(events, start(game), crow(game, 3*game))
	}
	out, err := table.Frame(&v1.ArenaFrame{Events: events})
	if err != nil || len(out.Events) != 20 {
		t.Fatalf("%d replies, %v", len(out.GetEvents()), err)
	}
	for i, event := range out.Events {
		game := uint32(i + 1)
		expected := &v1.Reply{Game: game, Turn: 3 * game, Answer: &v1.Reply_Choice{Choice: 2}}
		if !proto.Equal(event.GetReply(), expected) {
			t.Errorf("reply %d is %v, expected %v", i, event.GetReply(), expected)
		}
	}
}

func TestGamesOfAFrameAreDecidedSideBySide(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	table, _ := playing(func(turn *Turn) Move {
		both.Done()
		both.Wait() // for ever, if one waited for the other
		return turn.Any()
	})
	done := make(chan error)
	go func() {
		_, err := table.Frame(&v1.ArenaFrame{Events: []*v1.ArenaEvent{start(1), start(2), crow(1, 0), crow(2, 0)}})
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("the second game waited for the first")
	}
}

func TestEventsOfAGameKeepTheirOrder(t *testing.T) {
	table, bot := playing(func(turn *Turn) Move { return turn.Any() })
	late := &v1.ArenaEvent{Event: &v1.ArenaEvent_Rejected{Rejected: &v1.Rejected{Game: 1, Reason: "TIMEOUT: late"}}}
	over := &v1.ArenaEvent{Event: &v1.ArenaEvent_GameOver{GameOver: &v1.GameOver{
		Game: 1, Verdict: v1.Verdict_VERDICT_FORFEIT, Scores: []int32{-3, 4}, Ranks: []uint32{1, 0}, ForfeitSeat: proto.Uint32(0)}}}
	if _, err := table.Frame(&v1.ArenaFrame{Events: []*v1.ArenaEvent{start(1), crow(1, 0), late, over}}); err != nil {
		t.Fatal(err)
	}
	if len(bot.rejected) != 1 || len(bot.over) != 1 || bot.over[0].Forfeit != 0 || bot.over[0].Verdict != "forfeit" {
		t.Errorf("the bot was told %v and %v", bot.rejected, bot.over)
	}
	if _, err := table.Frame(&v1.ArenaFrame{Events: []*v1.ArenaEvent{over, crow(1, 1)}}); err == nil {
		t.Error("a turn of a game that is over was answered")
	}
}

func TestWhatIsNewIsIgnoredAndGoodbyeEnds(t *testing.T) {
	table, _ := playing(func(turn *Turn) Move { return turn.Any() })
	out, err := table.Frame(&v1.ArenaFrame{Events: []*v1.ArenaEvent{{}}})
	if err != nil || len(out.Events) != 0 || table.Goodbye() {
		t.Errorf("an unknown event gave %v, %v", out, err)
	}
	goodbye := &v1.ArenaEvent{Event: &v1.ArenaEvent_Goodbye{Goodbye: &v1.Goodbye{Reason: "done"}}}
	if _, err := table.Frame(&v1.ArenaFrame{Events: []*v1.ArenaEvent{goodbye}}); err != nil || !table.Goodbye() {
		t.Errorf("after a goodbye: %v, %v", table.Goodbye(), err)
	}
}

func TestAnIllegalMoveSaysWhereAndWhatIsLegal(t *testing.T) {
	table, _ := playing(func(*Turn) Move { return Move{Kind: Play, Cards: Crow.Cards("T7")} })
	_, err := table.Frame(&v1.ArenaFrame{Events: []*v1.ArenaEvent{start(1), crow(1, 5)}})
	expected := `game 1 (crow_and_pitcher), turn 5 (play): the bot answered "T7", which is not legal; legal: R4, R9, G10`
	if err == nil || err.Error() != expected {
		t.Errorf("got %v\nexpected %s", err, expected)
	}
}

func TestAChoiceIsAnsweredWithItsCards(t *testing.T) {
	answers := map[string]bool{"G10 B5": true, "B5": false, "B5 B5": false, "B5 R1": false}
	for text, legal := range answers {
		table, _ := playing(func(turn *Turn) Move { return Move{Kind: Discard, Cards: Rook.Cards(text)} })
		if err := table.Start(&v1.GameStart{Game: 1, Ruleset: "crowsnest", Seats: 4}); err != nil {
			t.Fatal(err)
		}
		reply, err := table.Turn(discard())
		if legal != (err == nil) {
			t.Errorf("%q: %v", text, err)
		}
		if cards := reply.GetMove().GetDiscard().GetCards(); legal && (len(cards) != 2 || cards[0] != 5 || cards[1] != 26) {
			t.Errorf("%q was sent as %v", text, cards)
		}
	}
}

func TestDefaultsAreLegalAndRandomMovesRepeat(t *testing.T) {
	drawn := func() (texts string) {
		table, _ := playing(func(turn *Turn) Move {
			if move := turn.Any(); !turn.Choose.allows(move) {
				t.Errorf("%v is no legal move", move)
			}
			move := turn.Random()
			texts += turn.Text(move) + ", "
			return move
		})
		if err := table.Start(&v1.GameStart{Game: 1, Ruleset: "crowsnest", Seats: 4, Seed: 1<<64 - 1}); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if _, err := table.Turn(discard()); err != nil {
				t.Fatal(err)
			}
		}
		return texts
	}
	first := drawn()
	if first != drawn() || !strings.Contains(first, "discard B5 G10") || !strings.Contains(first, "discard B10 G10") {
		t.Errorf("drawn: %s", first)
	}
}

func TestAGameThatIsNewCanBePlayed(t *testing.T) {
	table, _ := playing(func(turn *Turn) Move {
		if turn.Decision != ToChoose || turn.Text(turn.Moves[1]) != "7" {
			t.Errorf("%s, %q", turn.Decision, turn.Text(turn.Moves[1]))
		}
		return turn.Any()
	})
	if err := table.Start(&v1.GameStart{Game: 1, Ruleset: "whist", Seats: 4, Options: map[string]string{"odd": "{"}}); err != nil {
		t.Fatal(err)
	}
	legal := &v1.Legal{Moves: []*v1.Move{{}, {Kind: &v1.Move_Play{Play: 7}}}}
	if reply, err := table.Turn(&v1.Turn{Game: 1, Legal: legal}); err != nil || reply.GetChoice() != 0 {
		t.Errorf("%v, %v", reply, err)
	}
}

func TestNotesAreCutAtAWholeCharacter(t *testing.T) {
	table, _ := playing(func(turn *Turn) Move {
		turn.Note("x" + strings.Repeat("\u2660", 2000))
		turn.Note("more")
		return turn.Any()
	})
	out, err := table.Frame(&v1.ArenaFrame{Events: []*v1.ArenaEvent{start(1), crow(1, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	if note := out.Events[0].GetReply().Note; note != "x"+strings.Repeat("\u2660", 682) {
		t.Errorf("a note of %d bytes", len(note))
	}
}

func TestALargeFrameIsSplit(t *testing.T) {
	frame := &v1.BotFrame{}
	for range 300 {
		reply := &v1.Reply{Note: strings.Repeat("n", noteBytes)}
		frame.Events = append(frame.Events, &v1.BotEvent{Event: &v1.BotEvent_Reply{Reply: reply}})
	}
	count := 0
	for _, part := range split(frame, frameBytes) {
		count += len(part.Events)
		if proto.Size(part) > frameBytes {
			t.Errorf("a frame of %d bytes", proto.Size(part))
		}
	}
	if count != 300 {
		t.Errorf("%d events of 300", count)
	}
}
