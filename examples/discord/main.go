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
	"net/http"
	"os"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/examples/internal/chat"
)

func main() {
	token := os.Getenv("DISCORD_TOKEN")
	chat.Main(&token, "DISCORD_TOKEN is empty: set it to the token of the bot", serve, demonstrate)
}

// serve plays until the context ends. The session connects again by itself.
func serve(ctx context.Context, token string, flags chat.Flags) error {
	engine, store, err := flags.Open(ctx, campaign.Config{})
	if err != nil {
		return err
	}
	d, err := newDiscord(ctx, engine, token, http.DefaultTransport)
	if err == nil {
		d.chat.Begin, d.chat.Closed = flags.Begin, flags.Closed
		err = d.run(ctx)
	}
	return errors.Join(err, store.Close())
}
