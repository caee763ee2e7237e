package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/examples/internal/chat"
	"github.com/talewright/talewright/llm/llmtest"
)

func Example() {
	if err := demonstrate(context.Background(), os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// Ann: I come in.
	//   Ann reads: The inn is warm.
	//   Bob reads: The inn is warm.
	// Bob: I look around.
	//   Ann reads: A dog sleeps by the fire.
	//   Bob reads: A dog sleeps by the fire.
	//   Cy reads: The inn is warm.
	// Ann: @Bob I show you the key.
	//   Ann reads: The key is cold.
	//   Bob reads: The key is cold.
	// Bob: [Other answer]
	//   Ann reads: It has three teeth.
	//   Bob reads: It has three teeth.
	// Bob: [◀]
	//   Ann reads: The key is cold.
	//   Bob reads: The key is cold.
}

func start(t *testing.T, store string, model *llmtest.Scripted) string {
	t.Helper()
	return open(t, chat.Flags{Store: store}, model)
}

func open(t *testing.T, flags chat.Flags, model *llmtest.Scripted) string {
	t.Helper()
	engine, closer, err := flags.Open(t.Context(), campaign.Config{Model: model})
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(engine, []byte("key"))
	s.bot.Begin = flags.Begin
	web := httptest.NewServer(s.handler())
	t.Cleanup(func() { web.Close(); _ = closer.Close() })
	return web.URL + "/rooms/inn"
}

func join(t *testing.T, room, name string) *client {
	t.Helper()
	c := &client{room: room}
	if err := c.join(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.events.Close() })
	return c
}

// connect opens the events again, as a browser does, and returns them until one contains a text.
func (c *client) connect(t *testing.T, lastEvent, until string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.room+"/events?token="+c.token, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Last-Event-ID", lastEvent)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	all := ""
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if all += lines.Text() + "\n"; strings.Contains(lines.Text(), until) {
			return all
		}
	}
	t.Fatalf("no %q in %s", until, all)
	return ""
}

// TestReconnect (EX-05): a page that connects again gets what it has missed, and nothing twice. After a
// restart of the server it begins again with the history that its player has heard.
func TestReconnect(t *testing.T) {
	store := filepath.Join(t.TempDir(), "c.db")
	room := start(t, store, llmtest.NewScripted(llmtest.Text("Rain."), llmtest.Text("Hail."), llmtest.Text("A key.")))
	ann, bob := join(t, room, "Ann"), join(t, room, "Bob")
	say(t, ann, "1", "The weather?")
	all := bob.connect(t, "", "Rain.")
	if !strings.HasPrefix(all, "event: reset\n") {
		t.Errorf("a new page: %s", all)
	}
	if err := ann.read(); err != nil {
		t.Fatal(err)
	}
	all = bob.connect(t, "elsewhere-7", "buttons")
	_, id, _ := strings.Cut(all, "id: ")
	id, _, _ = strings.Cut(id, "\n")
	say(t, bob, "1", "And now?")
	if all = bob.connect(t, id, "buttons"); strings.Contains(all, "Rain.") || !strings.Contains(all, "Hail.") || strings.Contains(all, "reset") {
		t.Errorf("after %s: %s", id, all)
	}
	if err := ann.say(t.Context(), map[string]any{"id": "2", "text": "I hide the key.", "private": true}); err != nil {
		t.Fatal(err)
	}
	again := start(t, store, llmtest.NewScripted(llmtest.Text("Snow.")))
	for c, secret := range map[*client]bool{ann: true, bob: false} {
		moved := &client{room: again, token: c.token} // tokens outlast the process with the same key
		until := "Hail."
		if secret {
			until = "A key."
		}
		if all := moved.connect(t, id, until); !strings.Contains(all, "Rain.") || strings.Contains(all, "hide") != secret {
			t.Errorf("after the restart: %s", all)
		}
	}
	say(t, join(t, again, "Cy"), "1", "Is it over?") // the page stays open
	late := &client{room: again, token: bob.token}
	if all := late.connect(t, "", "Snow."); !strings.Contains(all, "Rain.") || strings.Count(all, "Snow.") != 1 {
		t.Errorf("a page that comes after the first line: %s", all)
	}
}

func say(t *testing.T, c *client, id, text string) {
	t.Helper()
	if err := c.say(t.Context(), map[string]any{"id": id, "text": text}); err != nil {
		t.Fatal(err)
	}
}

// TestTwice: a line that is sent again with its ID is played once. A second line of the same player
// has to wait, with 429 and Retry-After.
func TestTwice(t *testing.T) {
	slow := llmtest.Text("At last.")
	slow.Gate = llmtest.NewGate()
	room := start(t, filepath.Join(t.TempDir(), "c.db"), llmtest.NewScripted(llmtest.Text("Rain."), slow))
	ann := join(t, room, "Ann")
	say(t, ann, "1", "The weather?")
	say(t, ann, "1", "The weather?") // a second request of the model would wait
	done := make(chan error)
	go func() { done <- ann.say(context.Background(), map[string]any{"id": "2", "text": "I wait."}) }()
	<-slow.Gate.Reached()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, room+"/lines", strings.NewReader(`{"text":"Well?"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+ann.token)
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != http.StatusTooManyRequests || answer.Header.Get("Retry-After") != "1" || answer.Body.Close() != nil {
		t.Errorf("%v, %v", answer, err)
	}
	slow.Gate.Open()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestTokens: nobody acts or reads without the token of this room.
func TestTokens(t *testing.T) {
	room := start(t, filepath.Join(t.TempDir(), "c.db"), llmtest.NewScripted())
	ann := join(t, room, "Ann")
	for _, c := range []struct {
		method, path, token, body string
		want                      int
	}{
		{"GET", room + "/events", "", "", 401}, {"POST", room + "/lines", "bob-1234." + strings.Repeat("0", 64), "{}", 401},
		{"POST", strings.Replace(room, "inn", "ship", 1) + "/lines", ann.token, "{}", 401},
		{"POST", room + "/lines", ann.token, "{", 400}, {"POST", room + "/lines", ann.token, `{"text":"` + strings.Repeat("x", 65<<10), 400},
		{"POST", strings.Replace(room, "inn", "IN%20N", 1) + "/join", "", "{}", 400}, {"GET", room, "", "", 404},
		{"GET", strings.TrimSuffix(room, "rooms/inn"), "", "", 200},
	} {
		request, err := http.NewRequestWithContext(t.Context(), c.method, c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+c.token)
		answer, err := http.DefaultClient.Do(request)
		if err != nil || answer.StatusCode != c.want || answer.Body.Close() != nil {
			t.Errorf("%s %s: %v, %v", c.method, c.path, answer, err)
		}
	}
}

// TestPostgres plays on a server that is named by its address.
func TestPostgres(t *testing.T) {
	dsn := os.Getenv("TALEWRIGHT_POSTGRES")
	if dsn == "" {
		t.Skip("TALEWRIGHT_POSTGRES names no server")
	}
	room := start(t, dsn, llmtest.NewScripted(llmtest.Text("Rain.")))
	ann := join(t, strings.Replace(room, "inn", fmt.Sprint("inn-", time.Now().UnixNano()), 1), "Ann")
	say(t, ann, "1", "The weather?")
	if err := ann.read(); err != nil || ann.last.Text != "Rain." {
		t.Errorf("%+v, %v", ann.last, err)
	}
}

// TestGame (EX-05): the page of a user shows the history of the character that the user plays, with the names
// of the game, also after a restart. A user who has no character yet reads no secret.
func TestGame(t *testing.T) {
	flags := chat.Flags{Store: filepath.Join(t.TempDir(), "c.db"), Game: "../internal/chat/testdata/ferry"}
	room := open(t, flags, llmtest.NewScripted(llmtest.Text("Waves."), llmtest.Text("Gulls."), llmtest.Text("A coin.")))
	ann, bob, cy := join(t, room, "Ann"), join(t, room, "Bob"), join(t, room, "Cy")
	say(t, ann, "1", "I come aboard.")
	say(t, bob, "1", "I wait.")
	if err := ann.say(t.Context(), map[string]any{"id": "2", "text": "@old_mira I hide the coin.", "private": true}); err != nil {
		t.Fatal(err)
	}
	again := open(t, flags, llmtest.NewScripted(llmtest.Text("Rain.")))
	for _, c := range []*client{ann, bob, cy} {
		moved, until := &client{room: again, token: c.token}, "A coin."
		if c == cy {
			until = "Gulls."
		}
		all := moved.connect(t, "", until)
		if !strings.Contains(all, `"by":"Old Mira","line":"I wait."`) || strings.Contains(all, `"by":"Ren","line":"I hide the coin."`) == (c == cy) {
			t.Errorf("after the restart: %s", all)
		}
	}
}
