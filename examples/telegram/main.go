// Telegram plays campaigns on Telegram, one campaign for each group, and one for each user who
// writes to the bot alone. Players write secret lines to the bot privately. Only the private chats
// of the players who hear a secret get its answer.
//
//	go run ./examples/telegram                                 a session of two players, offline
//	TELEGRAM_TOKEN=… go run ./examples/telegram -name llama3.2     with a model of Ollama
//	TELEGRAM_TOKEN=… go run ./examples/telegram -name llama3.2 -card CARD.png
//	TELEGRAM_TOKEN=… go run ./examples/telegram -name llama3.2 -game FOLDER
//	TELEGRAM_TOKEN=… go run ./examples/telegram -store postgres://games@db/games -model URL -name NAME
//
// Get a token from @BotFather. Turn off the privacy mode there, so that the bot reads the lines of a
// group. Each player has to press Start in the private chat with the bot once, because bots cannot
// begin such a chat. When a group becomes a supergroup, its ID changes and a new campaign begins.
package main

import (
	"context"
	"errors"
	"os"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/examples/internal/chat"
)

func main() {
	token := os.Getenv("TELEGRAM_TOKEN")
	chat.Main(&token, "TELEGRAM_TOKEN is empty: set it to the token of the bot", serve, demonstrate)
}

// serve asks Telegram for updates until the context ends.
func serve(ctx context.Context, token string, flags chat.Flags) error {
	engine, store, err := flags.Open(ctx, campaign.Config{})
	if err != nil {
		return err
	}
	t, err := newTelegram(engine, token)
	if err == nil {
		t.chat.Begin, t.chat.Closed = flags.Begin, flags.Closed
		t.api.Start(ctx)
	}
	return errors.Join(err, store.Close())
}
