package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/examples/internal/chat"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

func Example() {
	if err := demonstrate(context.Background(), os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// The thread
	//   The inn is warm.
	//   A dog sleeps by the fire.
	// Ann's reply
	//   The key is cold.
	//   It has three teeth.
	// Ann's direct messages
	// Bob's direct messages
	//   ann: I show you the key. | The key is cold.
	//   ann: I show you the key. | It has three teeth.
}

// game is a bot on a fake service. Its clock moves only when the bot waits.
type game struct {
	*discord
	fake *fake
	now  time.Time
}

func newGame(t *testing.T, replies ...llmtest.Reply) *game {
	t.Helper()
	g := &game{fake: newFake(), now: time.Unix(0, 0)}
	t.Cleanup(g.fake.Close)
	var err error
	if g.discord, err = g.fake.connect(t.Context(), llmtest.NewScripted(replies...)); err != nil {
		t.Fatal(err)
	}
	g.chat.Now = func() time.Time { return g.now }
	g.chat.Sleep = func(_ context.Context, d time.Duration) error {
		g.fake.log = append(g.fake.log, "sleep "+d.String())
		g.now = g.now.Add(d)
		return nil
	}
	return g
}

// play delivers messages and interactions.
func (g *game) play(t *testing.T, events ...any) {
	for _, e := range events {
		switch e := e.(type) {
		case *discordgo.Message:
			g.message(t.Context(), e)
		case *discordgo.Interaction:
			g.interaction(t.Context(), e)
		}
	}
}

// texts returns what a place shows.
func (g *game) texts(place string) (all []string) {
	for _, m := range g.fake.places[place] {
		all = append(all, m.Content)
	}
	return all
}

// TestStreaming: a message is edited at most once a second. When Discord has had too many requests,
// the bot waits as long as it must, and shows the whole text in the end.
func TestStreaming(t *testing.T) {
	long := llmtest.Text("one two three four")
	long.Piece = 4
	g := newGame(t, long)
	g.fake.busy = []int{0, 7}
	g.play(t, g.fake.line("ann", "thread", "Count."))
	want := []string{"POST thread: one", "sleep 1s", "PATCH thread: one two three four", "sleep 7s", "PATCH thread: one two three four"}
	if !slices.Equal(g.fake.log, want) {
		t.Errorf("%q", g.fake.log)
	}
}

// TestTwice: what Discord delivers twice is played and shown once. Lines of bots and of other
// channels are not played.
func TestTwice(t *testing.T) {
	g := newGame(t, llmtest.Text("Rain."), llmtest.Text("Hail."), llmtest.Text("A key."))
	line := g.fake.line("ann", "thread", "The weather?")
	ours := g.fake.line("bot", "thread", "Rain.")
	ours.Author.Bot = true
	g.play(t, line, line, ours, g.fake.line("ann", "lobby", "Hello."))
	again := g.fake.press("ann", "thread", "thread", "Other answer")
	g.play(t, again, again)
	whisper := g.fake.command("ann", "thread", "whisper", "I hide the key.")
	g.play(t, whisper, whisper)
	if got := fmt.Sprint(g.texts("thread"), g.texts("lobby"), g.texts(whisper.Token)); got != "[Rain. Hail.] [] [A key.]" {
		t.Error(got)
	}
}

// TestStories (EX-05): each thread is a campaign. Whispers belong into a thread.
func TestStories(t *testing.T) {
	g := newGame(t, llmtest.Text("A ship."), llmtest.Text("A cave."))
	begin, lost := g.fake.command("ann", "lobby", "story", "The sea"), g.fake.command("ann", "lobby", "whisper", "Hello?")
	g.play(t, begin, lost)
	got := g.fake.last(begin.Token).Content
	_, thread, ok := strings.Cut(got, "<#")
	if thread, _, _ = strings.Cut(thread, ">"); !ok || g.fake.last(lost.Token).Content != "(whisper in the thread of a story)" {
		t.Fatalf("%q, %q", got, g.texts(lost.Token))
	}
	g.play(t, g.fake.line("ann", thread, "Where am I?"), g.fake.line("ann", "thread-other", "And here?"))
	for id, want := range map[string]string{thread: "A ship.", "thread-other": "A cave."} {
		if c, err := g.chat.Engine.Campaign(t.Context(), id); err != nil || c.State.TurnCount != 1 || g.fake.last(id).Content != want {
			t.Errorf("%s: %d turns, %v, %q", id, c.State.TurnCount, err, g.texts(id))
		}
	}
}

// TestSecrets: secrets are shown in ephemeral replies while their tokens are fresh, and later in
// direct messages. A player who refuses direct messages misses them, and nothing is shown in the thread.
func TestSecrets(t *testing.T) {
	g := newGame(t, llmtest.Text("An inn."), llmtest.Text("A dog."), llmtest.Text("Cold."), llmtest.Text("Old."), llmtest.Text("Gold."))
	g.chat.Every = 0
	g.play(t, g.fake.line("ann", "thread", "I come in."), g.fake.line("2", "thread", "Me too."))
	seen := g.fake.press("2", "thread", "thread", "Branches")
	whisper := g.fake.command("ann", "thread", "whisper", "<@2> I show you the key.")
	g.play(t, seen, whisper)
	if got := fmt.Sprint(g.texts(whisper.Token), g.texts(seen.Token)); got != "[Cold.] [ann: I show you the key.\n\nCold.]" {
		t.Error(got)
	}
	for token, flags := range map[string]int{whisper.Token: 64, seen.Token: 64} {
		if m := g.fake.last(token); m.Flags != flags || len(m.Components) != 1 {
			t.Errorf("%s: %+v", token, m)
		}
	}
	g.fake.closed["dm-2"], g.fake.closed[seen.Token] = true, true // the token is too old, and so are direct messages
	swipe := g.fake.press("ann", whisper.Token, "thread", "Other answer")
	g.play(t, swipe)
	if got := g.texts(swipe.Token); len(got) != 3 || got[1] != "Old." || !strings.HasPrefix(got[2], "(2 has to write to me") {
		t.Errorf("%q", got)
	}
	g.now = g.now.Add(time.Hour)
	g.play(t, g.fake.line("ann", "dm-ann", "I keep it."))
	if got := fmt.Sprint(g.texts("dm-ann"), g.texts("dm-2")); got != "[Gold.] []" {
		t.Error(got)
	}
	if got := g.texts("thread"); len(got) != 3 || !strings.HasPrefix(got[2], "The branches") {
		t.Errorf("%q", got)
	}
}

// TestButtons: undo in a thread, and an approval in direct messages.
func TestButtons(t *testing.T) {
	hurt := llmtest.Text("You lose 2 hit points.").AndCall("hp_delta", "target_character_id", "ann", "delta", -2, "cause", "glass")
	g := newGame(t, llmtest.Text("A gull."), llmtest.Text("Night."), hurt)
	g.chat.Settings = campaign.Settings{"tools.approval": tree.Text("all")}
	g.play(t, g.fake.line("ann", "thread", "I look up."), g.fake.line("ann", "thread", "I wait."))
	g.play(t, g.fake.press("ann", "thread", "thread", "Undo"))
	if got := g.fake.last("thread").Content; got != "A gull." {
		t.Errorf("after undo: %s", got)
	}
	g.now = g.now.Add(time.Hour) // a reply to the press is not possible any more
	g.play(t, g.fake.line("ann", "thread", "I break the window."))
	if got := g.fake.last("dm-ann").Content; !strings.HasPrefix(got, "This will happen if you agree:") {
		t.Fatalf("%q", g.fake.log)
	}
	g.play(t, g.fake.press("ann", "dm-ann", "dm-ann", "Agree"))
	if c, err := g.chat.Engine.Campaign(t.Context(), "thread"); err != nil || c.State.Characters[0].HP.Current != 8 {
		t.Errorf("%+v, %v", c.State.Characters, err)
	}
	if err := g.Edit(t.Context(), chat.Place{Room: "thread"}, "channel thread 99", chat.Message{Text: "Again."}); err != nil || g.fake.last("thread").Content != "Again." {
		t.Errorf("a message that is gone: %v, %q", err, g.texts("thread"))
	}
	if err := g.Edit(t.Context(), chat.Place{Room: "thread", User: "ann"}, "channel thread 1", chat.Message{Text: "Hush."}); err != nil || g.fake.last("dm-ann").Content != "Hush." {
		t.Errorf("a secret: %v, %q", err, g.fake.log)
	}
}

// TestGateway: when the gateway closes the connection, the session connects again and resumes. An
// event that the gateway sends again is played once. The bot registers its commands. The gateway waits
// for the first heartbeat of a connection: discordgo connects once more if it cannot send it.
func TestGateway(t *testing.T) {
	g := newGame(t, llmtest.Text("Rain."), llmtest.Text("Hail."))
	first, second := g.fake.line("ann", "thread", "The weather?"), g.fake.line("ann", "thread", "And now?")
	ctx, stop := context.WithCancel(t.Context())
	connections := 0
	g.fake.gateway = func(w http.ResponseWriter, r *http.Request) {
		c, err := new(websocket.Upgrader).Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = c.Close() }()
		send := func(op, seq int, kind string, data any) {
			_ = c.WriteJSON(map[string]any{"op": op, "s": seq, "t": kind, "d": data})
		}
		send(10, 0, "", map[string]any{"heartbeat_interval": 60_000})
		var hello struct {
			Op int
			D  struct {
				Token, Session_ID string
				Seq               int
			}
		}
		if err := c.ReadJSON(&hello); err != nil || hello.D.Token != "Bot token" {
			t.Errorf("%+v, %v", hello, err)
		}
		beat := func() {
			var one struct{ Op int }
			if err := c.ReadJSON(&one); err != nil || one.Op != 1 {
				t.Errorf("heartbeat: %+v, %v", one, err)
			}
		}
		if connections++; connections == 1 {
			send(0, 1, "READY", map[string]any{"session_id": "s", "user": map[string]any{"id": "bot"}, "application": map[string]any{"id": "app"}})
			send(0, 2, "MESSAGE_CREATE", first)
			g.fake.until(func() bool { return g.fake.shows("Rain.") })
			beat()
			return // the connection breaks
		}
		if hello.Op != 6 || hello.D.Session_ID != "s" || hello.D.Seq != 2 {
			t.Errorf("resume: %+v", hello)
		}
		send(0, 2, "MESSAGE_CREATE", first) // again, before it says so
		send(0, 3, "MESSAGE_CREATE", second)
		send(0, 4, "RESUMED", nil)
		g.fake.until(func() bool { return g.fake.shows("Hail.") })
		beat()
		stop()
		_, _, _ = c.ReadMessage() // until the bot closes the connection
	}
	if err := g.run(ctx); err != nil {
		t.Error(err)
	}
	if got := g.texts("thread"); !slices.Equal(got, []string{"Rain.", "Hail."}) || connections != 2 {
		t.Errorf("%d connections, %q", connections, got)
	}
}

// until waits until a condition is true. It is checked after each request.
func (f *fake) until(is func() bool) {
	f.changed.L.Lock()
	defer f.changed.L.Unlock()
	for !is() {
		f.changed.Wait()
	}
}

// shows reports whether the thread shows a text with its buttons. The caller holds the lock.
func (f *fake) shows(text string) bool {
	return slices.ContainsFunc(f.places["thread"], func(m *shown) bool { return m.Content == text && len(m.Components) > 0 })
}
