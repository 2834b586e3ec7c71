// Package sdk connects a bot with the arena: it dials, says hello, reads frames, and asks the bot for each decision.
//
// A bot is a type with one method:
//
//	type bot struct{}
//
//	func (bot) Decide(turn *sdk.Turn) sdk.Move { return turn.Any() }
//
//	func main() { sdk.Run(func(*sdk.Game) sdk.Bot { return bot{} }) }
package sdk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"arenabot/sdk/v1"
)

const (
	protocol        = "1.0"
	name            = "arena-go 0.1"
	partS           = 5 * time.Second
	concurrentGames = 1024 // concurrent_games of bot.toml decides below that
	frameBytes      = 256 * 1024
)

// Run plays until the arena says goodbye: the main program of a bot. newBot is called once for each game.
//
// It reads ARENA_ADDRESS, a gRPC target, ARENA_TOKEN, and what dial reads. It ends the process: with status 0 after a
// goodbye or the end of the stream, 1 when the arena does not let it in, the connection is lost or the bot makes an
// illegal move, 2 without an address.
func Run(newBot func(game *Game) Bot) {
	address := os.Getenv("ARENA_ADDRESS")
	if address == "" {
		Log("this program plays when the arena starts it: ARENA_ADDRESS is not set, a gRPC target was expected\n" +
			`fix: play it with "arena play GAME FOLDER"`)
		os.Exit(2)
	}
	if err := play(context.Background(), NewTable(newBot), address, os.Getenv("ARENA_TOKEN")); err != nil {
		Log("%v", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Log writes a line to stderr, which the arena keeps for you. It is no part of the protocol.
func Log(format string, values ...any) { fmt.Fprintf(os.Stderr, format+"\n", values...) }

func play(ctx context.Context, table *Table, address, token string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lost := func(err error) error { return fmt.Errorf("the connection to the arena at %q ended: %w", address, err) }
	connection, err := dial(address)
	if err != nil {
		return lost(err)
	}
	defer connection.Close()
	stream, err := v1.NewArenaClient(connection).Play(ctx)
	if err != nil {
		return lost(err)
	}
	// An error of Send is io.EOF; Recv then says why the stream ended.
	_ = stream.Send(hello([]string{protocol}, token, name, concurrentGames))
	for !table.Goodbye() {
		frame, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return lost(err)
		}
		replies, err := table.Frame(frame)
		if err != nil {
			return err
		}
		if len(replies.Events) == 0 {
			continue
		}
		for _, frame := range split(replies, frameBytes) {
			_ = stream.Send(frame)
		}
	}
	// Part in peace: what was sent arrives, and the arena ends the stream; if it does not, cancelling does.
	defer time.AfterFunc(partS, cancel).Stop()
	err = stream.CloseSend()
	for err == nil {
		_, err = stream.Recv()
	}
	if table.reason != "" && table.reason != "done" {
		return fmt.Errorf("the arena sent this bot away: %s", table.reason)
	}
	return nil
}

func hello(versions []string, token, sdk string, games uint32) *v1.BotFrame {
	said := &v1.Hello{Versions: versions, Token: token, Sdk: sdk, ConcurrentGames: games}
	return &v1.BotFrame{Events: []*v1.BotEvent{{Event: &v1.BotEvent_Hello{Hello: said}}}}
}
