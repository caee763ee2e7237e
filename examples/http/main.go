// Http plays campaigns on a page of its own, one campaign for each room, with server-sent events.
// Each player of a room has a token. A secret line and its answer are sent only to the pages of the
// players who hear it.
//
//	go run ./examples/http                                            a session of two players, offline
//	go run ./examples/http -addr localhost:8080 -name llama3.2        the page, with a model of Ollama
//	go run ./examples/http -addr localhost:8080 -name llama3.2 -card CARD.png
//	go run ./examples/http -addr localhost:8080 -name llama3.2 -game FOLDER
//	go run ./examples/http -addr :8080 -store postgres://games@db/games -model URL -name NAME
//
// Set PLAYER_KEY to a long random text, so that tokens stay valid after a restart. Behind a proxy,
// turn off its buffering of responses.
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/examples/internal/chat"
)

func main() {
	addr := flag.String("addr", "", "`address` to serve; without it, a session is played offline")
	chat.Main(addr, "-addr is missing: name the address to serve", serve, demonstrate)
}

// serve serves until the context ends.
func serve(ctx context.Context, addr string, flags chat.Flags) error {
	engine, store, err := flags.Open(ctx, campaign.Config{})
	if err != nil {
		return err
	}
	key := cmp.Or(os.Getenv("PLAYER_KEY"), rand.Text())
	server := newServer(engine, []byte(key))
	server.bot.Begin, server.bot.Closed = flags.Begin, flags.Closed
	web := &http.Server{Handler: server.handler(), ReadHeaderTimeout: 10 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx }} // ends the streams of events
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	ended := make(chan error, 1)
	go func() {
		<-ctx.Done()
		limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		ended <- web.Shutdown(limit) // waits for the lines that are playing
	}()
	log.Printf("http://%s", listener.Addr())
	if err = web.Serve(listener); errors.Is(err, http.ErrServerClosed) {
		err = <-ended
	}
	return errors.Join(err, store.Close())
}
