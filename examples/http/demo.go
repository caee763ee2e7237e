package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/examples/internal/chat"
	"github.com/talewright/talewright/llm/llmtest"
)

// demonstrate plays a session over HTTP with a scripted model. It prints what each player reads.
func demonstrate(ctx context.Context, out io.Writer) (err error) {
	folder, err := os.MkdirTemp("", "http-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	engine, store, err := (&chat.Flags{Store: filepath.Join(folder, "c.db")}).Open(ctx, campaign.Config{Model: llmtest.NewScripted(
		llmtest.Text("The inn is warm."), llmtest.Text("A dog sleeps by the fire."),
		llmtest.Text("The key is cold."), llmtest.Text("It has three teeth."))})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	web := httptest.NewServer(newServer(engine, []byte("demo")).handler())
	defer web.Close()

	players := map[string]*client{}
	for _, name := range []string{"Ann", "Bob", "Cy"} {
		p := &client{room: web.URL + "/rooms/inn"}
		if players[name] = p; p.join(ctx, name) != nil {
			return errors.New(name + " cannot join")
		}
		defer func() { _ = p.events.Close() }()
	}
	for _, line := range []struct {
		who, text, button string
		readers           []string
	}{
		{"Ann", "I come in.", "", []string{"Ann", "Bob"}},
		{"Bob", "I look around.", "", []string{"Ann", "Bob", "Cy"}},
		{"Ann", "@Bob I show you the key.", "", []string{"Ann", "Bob"}},
		{"Bob", "", "Other answer", []string{"Ann", "Bob"}},
		{"Bob", "", "◀", []string{"Ann", "Bob"}},
	} {
		p := players[line.who]
		fmt.Fprintf(out, "%s: %s\n", line.who, cmp.Or(line.text, "["+line.button+"]"))
		err := p.say(ctx, map[string]any{"id": line.text, "text": line.text, "private": line.text == "" || line.text[0] == '@',
			"press": p.press(line.button), "message": p.last.ID})
		for _, name := range line.readers {
			err = errors.Join(err, players[name].read())
			fmt.Fprintf(out, "  %s reads: %s\n", name, players[name].last.Text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// client is the page of a player.
type client struct {
	room, token string
	events      io.ReadCloser
	lines       *bufio.Scanner
	last        event
}

// join gets a token, and opens the stream of events.
func (c *client) join(ctx context.Context, name string) error {
	answer, err := c.do(ctx, http.MethodPost, "/join", map[string]any{"name": name})
	if err != nil {
		return err
	}
	var seat struct{ Token string }
	err = errors.Join(json.NewDecoder(answer).Decode(&seat), answer.Close())
	if c.token = seat.Token; err == nil {
		c.events, err = c.do(ctx, http.MethodGet, "/events", nil)
	}
	if err == nil {
		c.lines = bufio.NewScanner(c.events)
	}
	return err
}

// say plays a line or presses a button.
func (c *client) say(ctx context.Context, body map[string]any) error {
	answer, err := c.do(ctx, http.MethodPost, "/lines", body)
	if err != nil {
		return err
	}
	return answer.Close()
}

// press returns the button with a label below the last message.
func (c *client) press(label string) string {
	for _, b := range c.last.Buttons {
		if b.Label == label {
			return b.Press
		}
	}
	return ""
}

// read reads events until a turn is complete: then its message has buttons.
func (c *client) read() error {
	for c.lines.Scan() {
		var e event
		data, ok := strings.CutPrefix(c.lines.Text(), "data: ")
		if ok && json.Unmarshal([]byte(data), &e) == nil && len(e.Buttons) > 0 {
			c.last = e
			return nil
		}
	}
	return cmp.Or(c.lines.Err(), io.ErrUnexpectedEOF)
}

func (c *client) do(ctx context.Context, method, path string, body map[string]any) (io.ReadCloser, error) {
	data, _ := json.Marshal(body) // texts only
	request, err := http.NewRequestWithContext(ctx, method, c.room+path, strings.NewReader(string(data)))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode >= 300 {
		return nil, errors.Join(errors.New(answer.Status), answer.Body.Close())
	}
	return answer.Body, nil
}
