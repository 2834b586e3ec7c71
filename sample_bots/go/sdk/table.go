package sdk

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"arenabot/sdk/v1"
	"google.golang.org/protobuf/proto"
)

// Bot plays one seat of one game. Every game has a Bot of its own, so that it may remember what it likes.
//
// Bots of different games decide at the same time, each in its goroutine: what they share must not change.
type Bot interface {
	// Decide returns a legal move: one of turn.Moves, or turn.Take(cards...) where cards are to be chosen.
	Decide(turn *Turn) Move
}

// Ender is a Bot that wants to know how its game ended.
type Ender interface {
	Over(result Result)
}

// Rejecter is a Bot that wants to know that an answer was not taken, mostly because it came too late. Without it the
// reason is logged.
type Rejecter interface {
	Rejected(turn int, reason string)
}

// Table plays a bot from frames, without a network, a clock or a process: for Run, for tests and for debuggers.
type Table struct {
	make    func(game *Game) Bot
	seats   map[uint32]*seat
	goodbye bool
	reason  string // of the goodbye
}

type seat struct {
	game *Game
	bot  Bot
}

// step is an event that belongs to a game: decided in the order of its frame.
type step struct {
	place int
	seat  *seat
	event *v1.ArenaEvent
}

// NewTable makes a table; newBot is called once for each game.
func NewTable(newBot func(game *Game) Bot) *Table {
	return &Table{make: newBot, seats: map[uint32]*seat{}}
}

// Goodbye tells whether the arena has said goodbye.
func (t *Table) Goodbye() bool { return t.goodbye }

// Frame takes a frame of the arena and returns the replies to all its turns, in order; no events when there was none.
// An error is an illegal move of the bot. Games are played side by side, each in order.
func (t *Table) Frame(frame *v1.ArenaFrame) (*v1.BotFrame, error) {
	replies := make([]*v1.Reply, len(frame.Events))
	errs := make([]error, len(frame.Events))
	play := func(steps []step) {
		for _, step := range steps {
			replies[step.place], errs[step.place] = t.take(step)
		}
	}
	groups := t.group(frame)
	var running sync.WaitGroup
	for i, steps := range groups {
		if i == len(groups)-1 {
			play(steps) // the last one here: a frame for one game needs no goroutine
			break
		}
		running.Add(1)
		go func() {
			defer running.Done()
			play(steps)
		}()
	}
	running.Wait()
	out := &v1.BotFrame{}
	for i, reply := range replies {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if reply != nil {
			out.Events = append(out.Events, &v1.BotEvent{Event: &v1.BotEvent_Reply{Reply: reply}})
		}
	}
	return out, nil
}

// Start begins a game, and Turn decides in it: a frame of one event each, for tests.
func (t *Table) Start(start *v1.GameStart) error {
	_, err := t.Frame(&v1.ArenaFrame{Events: []*v1.ArenaEvent{{Event: &v1.ArenaEvent_GameStart{GameStart: start}}}})
	return err
}

// Turn decides in a game that was started.
func (t *Table) Turn(turn *v1.Turn) (*v1.Reply, error) {
	out, err := t.Frame(&v1.ArenaFrame{Events: []*v1.ArenaEvent{{Event: &v1.ArenaEvent_Turn{Turn: turn}}}})
	if err != nil {
		return nil, err
	}
	return out.Events[0].GetReply(), nil
}

// group sorts the events of a frame by game. What is newer than this SDK is ignored, as is Welcome.
func (t *Table) group(frame *v1.ArenaFrame) [][]step {
	var groups [][]step
	of := map[uint32]int{}
	for place, event := range frame.Events {
		var number uint32
		switch {
		case event.GetGameStart() != nil:
			number = event.GetGameStart().Game
			t.seats[number] = &seat{}
		case event.GetTurn() != nil:
			number = event.GetTurn().Game
		case event.GetRejected() != nil:
			number = event.GetRejected().Game
		case event.GetGameOver() != nil:
			number = event.GetGameOver().Game
		case event.GetGoodbye() != nil:
			t.goodbye, t.reason = true, event.GetGoodbye().Reason
			continue
		default:
			continue
		}
		if _, known := of[number]; !known {
			of[number] = len(groups)
			groups = append(groups, nil)
		}
		groups[of[number]] = append(groups[of[number]], step{place, t.seats[number], event})
		if event.GetGameOver() != nil {
			delete(t.seats, number)
		}
	}
	return groups
}

func (t *Table) take(step step) (*v1.Reply, error) {
	seat := step.seat
	switch event := step.event.Event.(type) {
	case *v1.ArenaEvent_GameStart:
		seat.game = newGame(event.GameStart)
		seat.bot = t.make(seat.game)
	case *v1.ArenaEvent_Turn:
		if seat == nil {
			return nil, fmt.Errorf("a turn of game %d, which was not started", event.Turn.Game)
		}
		return seat.decide(event.Turn)
	case *v1.ArenaEvent_Rejected:
		seat.rejected(event.Rejected)
	case *v1.ArenaEvent_GameOver:
		if seat == nil {
			break
		}
		if ender, ok := seat.bot.(Ender); ok {
			ender.Over(newResult(event.GameOver))
		}
	}
	return nil, nil
}

func (s *seat) decide(message *v1.Turn) (*v1.Reply, error) {
	turn := newTurn(s.game, message)
	decided := false
	defer func() {
		if !decided {
			Log("panic in game %d (%s), turn %d (%s)", s.game.Number, s.game.Ruleset, turn.Number, turn.Decision)
		}
	}()
	move := s.bot.Decide(turn)
	decided = true
	reply := &v1.Reply{Game: message.Game, Turn: message.Turn, Note: turn.note()}
	if turn.Choose != nil {
		if !turn.Choose.allows(move) {
			legal := fmt.Sprintf("%d different cards of %s", turn.Choose.Count, turn.family.Join(turn.Choose.Cards))
			return nil, illegal(turn, move, legal)
		}
		reply.Answer = &v1.Reply_Move{Move: encodeMove(move)}
		return reply, nil
	}
	place := turn.place(move)
	if place < 0 {
		var legal []string
		for _, move := range turn.Moves {
			legal = append(legal, turn.Text(move))
		}
		return nil, illegal(turn, move, strings.Join(legal, ", "))
	}
	reply.Answer = &v1.Reply_Choice{Choice: int64(place)}
	return reply, nil
}

func (s *seat) rejected(message *v1.Rejected) {
	if s != nil {
		if rejecter, ok := s.bot.(Rejecter); ok {
			rejecter.Rejected(int(message.Turn), message.Reason)
			return
		}
	}
	Log("game %d, turn %d: not taken: %s", message.Game, message.Turn, message.Reason)
}

// allows tells whether a move answers the choice.
func (c *Choose) allows(move Move) bool {
	cards := slices.Compact(slices.Clone(sorted(move.Cards)))
	if move.Kind != c.Kind || len(cards) != c.Count || len(move.Cards) != c.Count {
		return false
	}
	return !slices.ContainsFunc(cards, func(card Card) bool { return !slices.Contains(c.Cards, card) })
}

func illegal(turn *Turn, move Move, legal string) error {
	return fmt.Errorf("game %d (%s), turn %d (%s): the bot answered %q, which is not legal; legal: %s",
		turn.Game.Number, turn.Game.Ruleset, turn.Number, turn.Decision, turn.Text(move), legal)
}

// split makes several frames of one that would be larger than the arena takes.
func split(frame *v1.BotFrame, limit int) []*v1.BotFrame {
	if len(frame.Events) < 2 || proto.Size(frame) <= limit {
		return []*v1.BotFrame{frame}
	}
	half := len(frame.Events) / 2
	first, second := &v1.BotFrame{Events: frame.Events[:half]}, &v1.BotFrame{Events: frame.Events[half:]}
	return append(split(first, limit), split(second, limit)...)
}
