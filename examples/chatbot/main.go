// Chatbot plays campaigns in the channels of a chat platform, one campaign for each channel. Each
// has two players and is stored in a file. The bot has its own tool. Commands are /swipe for a
// different answer, /back for the previous answer, /undo, and /stop while the model is writing.
//
//	go run ./examples/chatbot
//
// bot.go has the bot. store.go has its own store, which passes the tests of campaign/storetest.
// tool.go has a tool for the model. This file simulates a platform and a model. A real platform
// delivers its messages to handle.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/talewright/talewright/llm/llmtest"
)

func main() {
	folder, err := os.MkdirTemp("", "chatbot-*")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if err := run(context.Background(), os.Stdout, folder); err != nil {
		log.Print(err)
	}
}

// screen is a platform that prints.
type screen struct{ io.Writer }

// Send implements platform.
func (s screen) Send(channel, text string) { fmt.Fprintf(s, "  #%s: %s\n", channel, text) }

func run(ctx context.Context, out io.Writer, folder string) error {
	slow := llmtest.Block()
	slow.Gate = llmtest.NewGate()
	model := llmtest.NewScripted(
		llmtest.Text("The innkeeper ladles stew. You pay 3 coins.").AndCall("pay", "amount", 3, "for", "stew"),
		llmtest.Text("He opens the cellar and pours the red. It costs you 4 coins.").AndCall("pay", "amount", 4, "for", "red wine"),
		llmtest.Text("He looks at your purse and shakes his head."),
		llmtest.Text("He fills a cup with water, for free."),
		slow,
		llmtest.Text("A gull lands on the mast."),
	)
	store, err := openStore(filepath.Join(folder, "campaigns.jsonl"))
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }() // every change is on the disk already
	b, err := newBot(store, model, screen{out})
	if err != nil {
		return err
	}
	for i, m := range []message{
		{channel: "inn", user: "ann", text: "Some stew, please."},
		{channel: "inn", user: "bob", text: "And your best wine!"}, // refused: 2 coins are left
		{channel: "inn", user: "ann", text: "/swipe"},
		{channel: "inn", user: "ann", text: "/back"},
		{channel: "inn", user: "ann", text: "/undo"},
		{channel: "ship", user: "bob", text: "I look at the sea."}, // stopped by Cat
		{channel: "ship", user: "bob", text: "I look up."},
		{channel: "ship", user: "cat", text: "/stop"},
	} {
		m.id = fmt.Sprint("m", i)
		fmt.Fprintf(out, "#%s %s: %s\n", m.channel, m.user, m.text)
		if i == 5 { // a different user stops this one while the model is running
			go func() {
				<-slow.Gate.Reached()
				_ = b.handle(ctx, message{channel: "ship", user: "cat", text: "/stop"})
			}()
		}
		if err := b.handle(ctx, m); err != nil {
			return err
		}
	}
	c, err := b.engine.Campaign(ctx, "inn")
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "the inn:", c.State.Variables)
	return nil
}
