// Hookhost is a chat program whose users write hooks: on this event, under these conditions, do
// these actions. It uses package hooks alone, without a campaign.
//
//	go run ./examples/hookhost
//
// The program shows the parts of a host: its own action, a store for memories, its events, a clock,
// permissions by channel, and the state of hooks as JSON between two messages.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"time"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	b := &bot{out: out, chats: map[string][]byte{}}
	set, problems := compile(authored, b.badge)
	if len(problems) > 0 {
		return problems
	}
	b.set = set

	evening := time.Date(2026, 5, 1, 21, 30, 0, 0, time.UTC)
	for i, said := range []struct{ channel, text string }{
		{"home", "Hello! Some music?"},
		{"office", "I thank you. And music, please."},
		{"office", "thank you, thank you"},
		{"office", "thanks again"},
	} {
		if err := b.hear(ctx, "ann", said.channel, said.text, evening.Add(time.Duration(i)*15*time.Minute)); err != nil {
			return err
		}
	}
	if err := b.pass(ctx, "ann", evening.Add(time.Hour), evening.Add(11*time.Hour)); err != nil {
		return err
	}
	fmt.Fprintln(out, "remembered:", b.notes)
	return nil
}
