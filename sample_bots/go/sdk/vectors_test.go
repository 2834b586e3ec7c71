package sdk

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"arenabot/sdk/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// line is one recorded frame with what it means.
type line struct {
	Name   string
	From   string
	Frame  string
	Events []map[string]any
}

// TestVectors reads the arena's recorded frames: those of the arena must mean what the record says, those of a bot
// must be written alike. ARENA_VECTORS names the file.
func TestVectors(t *testing.T) {
	path, named := os.LookupEnv("ARENA_VECTORS")
	if !named {
		path = "../../../tests/vectors/frames.jsonl" // seen from here, in a copy of the arena
	}
	file, err := os.Open(path)
	if os.IsNotExist(err) && !named {
		t.Skip("not run: the arena's recorded frames are not here; name the file frames.jsonl in ARENA_VECTORS")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	count := 0
	for lines.Scan() {
		count++
		var vector line
		if err := json.Unmarshal(lines.Bytes(), &vector); err != nil {
			t.Fatal(err)
		}
		t.Run(vector.Name, func(t *testing.T) { check(t, vector) })
	}
	if err := lines.Err(); err != nil || count < 100 {
		t.Fatalf("%d frames were read, at least 100 were expected: %v", count, err)
	}
}

func check(t *testing.T, vector line) {
	data, err := base64.StdEncoding.DecodeString(vector.Frame)
	if err != nil {
		t.Fatal(err)
	}
	if vector.From == "bot" {
		frame := &v1.BotFrame{}
		for _, event := range vector.Events {
			frame.Events = append(frame.Events, written(t, event))
		}
		built, err := proto.Marshal(frame)
		if expected := inOrder(t, data); err != nil || !bytes.Equal(built, expected) {
			t.Errorf("built % x (%v)\nexpected % x", built, err, expected)
		}
		return
	}
	frame := &v1.ArenaFrame{}
	if err := proto.Unmarshal(data, frame); err != nil {
		t.Fatal(err)
	}
	games := map[uint32]*Game{}
	var meant []any
	for _, event := range frame.Events {
		meant = append(meant, meaning(t, event, games))
	}
	compare(t, plain(t, meant), plain(t, vector.Events))
}

// inOrder is the bytes of a bot's frame in the order in which Go writes the fields of a message: those of a oneof last,
// where others go by number. Any order means the same.
func inOrder(t *testing.T, data []byte) []byte {
	frame := &v1.BotFrame{}
	if err := proto.Unmarshal(data, frame); err != nil {
		t.Fatal(err)
	}
	again, err := proto.Marshal(frame)
	if err != nil || len(again) != len(data) {
		t.Fatalf("% x was read and written as % x (%v)", data, again, err)
	}
	return again
}

// written is an event of a bot, built as the SDK builds it.
func written(t *testing.T, event map[string]any) *v1.BotEvent {
	number := func(key string) uint32 { return uint32(event[key].(float64)) }
	if event["event"] == "hello" {
		var versions []string
		for _, version := range event["versions"].([]any) {
			versions = append(versions, version.(string))
		}
		return hello(versions, event["token"].(string), event["sdk"].(string), number("concurrent_games")).Events[0]
	}
	reply := &v1.Reply{Game: number("game"), Turn: number("turn"), Note: event["note"].(string)}
	if choice, ok := event["choice"].(float64); ok {
		reply.Answer = &v1.Reply_Choice{Choice: int64(choice)}
	} else {
		family := map[string]*Family{"rook": Rook, "crow": Crow, "goat": Goat}[event["family"].(string)]
		text := event["move"].(string)
		move, err := family.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		if again := family.MoveText(move); again != text {
			t.Errorf("the text of %q is %q", text, again)
		}
		reply.Answer = &v1.Reply_Move{Move: encodeMove(move)}
	}
	return &v1.BotEvent{Event: &v1.BotEvent_Reply{Reply: reply}}
}

// meaning is an event of the arena in the terms of the record, as the SDK understands it.
func meaning(t *testing.T, event *v1.ArenaEvent, games map[uint32]*Game) map[string]any {
	switch event := event.Event.(type) {
	case *v1.ArenaEvent_Welcome:
		limits := event.Welcome.Limits
		return map[string]any{"event": "welcome", "version": event.Welcome.Version, "limits": map[string]any{
			"frame_bytes": limits.FrameBytes, "note_bytes": limits.NoteBytes, "game_note_bytes": limits.GameNoteBytes}}
	case *v1.ArenaEvent_GameStart:
		game := newGame(event.GameStart)
		games[event.GameStart.Game] = game
		var clock any
		if game.Clock != nil {
			clock = map[string]any{"bank_ms": game.Clock.BankMs, "increment_ms": game.Clock.IncrementMs, "cap_ms": game.Clock.CapMs}
		}
		return map[string]any{"event": "game_start", "game": game.Number, "ruleset": game.Ruleset, "options": game.Options,
			"seat": game.Seat, "seats": game.Seats, "partner": absent(game.Partner), "clock": clock,
			"seed": strconv.FormatUint(game.Seed, 10)}
	case *v1.ArenaEvent_Turn:
		turn := newTurn(&Game{}, event.Turn)
		return map[string]any{"event": "turn", "game": event.Turn.Game, "turn": turn.Number, "family": turn.family.Name,
			"view": view(turn), "legal": legal(turn), "limit_ms": event.Turn.LimitMs, "bank_ms": event.Turn.BankMs}
	case *v1.ArenaEvent_Rejected:
		return map[string]any{"event": "rejected", "game": event.Rejected.Game, "turn": event.Rejected.Turn, "reason": event.Rejected.Reason}
	case *v1.ArenaEvent_GameOver:
		over := newResult(event.GameOver)
		return map[string]any{"event": "game_over", "game": event.GameOver.Game, "verdict": over.Verdict,
			"scores": over.Scores, "ranks": over.Ranks, "forfeit_seat": absent(over.Forfeit), "reason": over.Reason}
	case *v1.ArenaEvent_Goodbye:
		return map[string]any{"event": "goodbye", "reason": event.Goodbye.Reason}
	}
	t.Fatalf("an event that is not known: %v", event)
	return nil
}

func legal(turn *Turn) any {
	if choose := turn.Choose; choose != nil {
		return map[string]any{"choose": choose.Count, "from": texts(turn.family, choose.Cards), "kind": choose.Kind}
	}
	moves := []string{}
	for _, move := range turn.Moves {
		moves = append(moves, turn.Text(move))
	}
	return moves
}

func texts(family *Family, cards []Card) []string {
	found := []string{}
	for _, card := range cards {
		found = append(found, family.Text(card))
	}
	return found
}

func absent(number int) any {
	if number < 0 {
		return nil
	}
	return number
}

// view is all fields of a view: cards by their texts, suits and phases in words, null for what is absent.
func view(turn *Turn) map[string]any {
	for _, message := range []proto.Message{turn.Rook, turn.Crow, turn.Goat} {
		if message.ProtoReflect().IsValid() {
			return fields(turn.family, message.ProtoReflect())
		}
	}
	return nil
}

func fields(family *Family, message protoreflect.Message) map[string]any {
	found := map[string]any{}
	all := message.Descriptor().Fields()
	for i := range all.Len() {
		field := all.Get(i)
		value, name := message.Get(field), string(field.Name())
		switch {
		case field.IsList():
			list := []any{}
			for k := range value.List().Len() {
				list = append(list, single(family, field, value.List().Get(k)))
			}
			found[name] = list
		case field.HasPresence() && !message.Has(field):
			found[name] = nil
		default:
			found[name] = single(family, field, value)
		}
	}
	return found
}

func single(family *Family, field protoreflect.FieldDescriptor, value protoreflect.Value) any {
	switch {
	case field.Message() != nil:
		return fields(family, value.Message())
	case field.Name() == "trump":
		return family.Suits[value.Uint()]
	case field.Enum() != nil && strings.HasSuffix(string(field.Enum().Name()), "Card"):
		return family.Text(Card(value.Enum()))
	case field.Enum() != nil:
		name := string(field.Enum().Values().ByNumber(value.Enum()).Name())
		return strings.ToLower(name[strings.LastIndex(name, "_")+1:])
	default:
		return value.Interface()
	}
}

// plain is a value as it is after a way through JSON, so that numbers are alike; an empty list is null nowhere.
func plain(t *testing.T, value any) any {
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var found any
	if err := json.Unmarshal(data, &found); err != nil {
		t.Fatal(err)
	}
	return found
}

func compare(t *testing.T, found, expected any) {
	t.Helper()
	if reflect.DeepEqual(found, expected) {
		return
	}
	a, _ := json.Marshal(found)
	b, _ := json.Marshal(expected)
	t.Errorf("read     %s\nexpected %s", a, b)
}
