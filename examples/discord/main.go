// Discord plays campaigns on Discord, one campaign for each thread. The command /story begins a
// thread. The command /whisper in it is a secret line: its answer is an ephemeral reply, and the
// other players who hear it read it in an ephemeral reply or in a direct message.
//
//	go run ./examples/discord                                a session of two players, offline
//	DISCORD_TOKEN=… go run ./examples/discord -name llama3.2     with a model of Ollama
//	DISCORD_TOKEN=… go run ./examples/discord -name llama3.2 -card CARD.png
//	DISCORD_TOKEN=… go run ./examples/discord -name llama3.2 -game FOLDER
//	DISCORD_TOKEN=… go run ./examples/discord -store postgres://games@db/games -model URL -name NAME
//
// Make an application on Discord's page for developers, and turn on its message content intent. The
// bot needs the scopes bot and applications.commands, and may have to read and write messages, begin
// threads, and write in them.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/examples/internal/chat"
)

func main() {
	var flags chat.Flags
	flags.Register(flag.CommandLine)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch token := os.Getenv("DISCORD_TOKEN"); {
	case flag.NArg() > 0:
		err = fmt.Errorf("unknown argument %q; see -help", flag.Arg(0))
	case token != "":
		err = serve(ctx, token, flags, http.DefaultTransport)
	case flag.NFlag() > 0:
		err = errors.New("DISCORD_TOKEN is empty: set it to the token of the bot, or give no flags to play a session offline")
	default:
		err = demonstrate(ctx, os.Stdout)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// serve plays until the context ends. The session connects again by itself.
func serve(ctx context.Context, token string, flags chat.Flags, transport http.RoundTripper) error {
	engine, store, err := flags.Open(ctx, campaign.Config{})
	if err != nil {
		return err
	}
	d, err := newDiscord(ctx, engine, token, transport)
	if err == nil {
		d.chat.Begin, d.chat.Closed = flags.Begin, flags.Closed
		err = d.run(ctx)
	}
	return errors.Join(err, store.Close())
}
