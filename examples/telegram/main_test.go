package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

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
	// The group
	//   The inn is warm.
	//   A dog sleeps by the fire.
	// Ann's chat
	//   The key is cold.
	//   It has three teeth.
	// Bob's chat
	//   (write what you do; to play with others, add me to a group)
	//   Ann: I show you the key. | The key is cold.
	//   Ann: I show you the key. | It has three teeth.
}

// game is a bot on a fake service. Its clock moves only when the bot waits.
type game struct {
	*telegram
	fake *fake
	now  time.Time
}

func newGame(t *testing.T, replies ...llmtest.Reply) *game {
	t.Helper()
	engine, store, err := (&chat.Flags{}).Open(t.Context(), campaign.Config{Model: llmtest.NewScripted(replies...)})
	if err != nil {
		t.Fatal(err)
	}
	g := &game{fake: newFake(), now: time.Unix(0, 0)}
	t.Cleanup(func() { g.fake.Close(); _ = store.Close() })
	if g.telegram, err = newTelegram(engine, "1:test", bot.WithServerURL(g.fake.URL)); err != nil {
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

func (g *game) play(t *testing.T, updates ...*models.Update) {
	for _, u := range updates {
		g.api.ProcessUpdate(t.Context(), u)
	}
}

// texts returns what a chat shows.
func (g *game) texts(to string) (all []string) {
	for _, m := range g.fake.chats[to] {
		all = append(all, m.Text)
	}
	return all
}

// TestStreaming: a message is edited at most once a second. When Telegram has had too many requests,
// the bot waits as long as it must, and shows the whole text in the end.
func TestStreaming(t *testing.T) {
	long := llmtest.Text("one two three four")
	long.Piece = 4
	g := newGame(t, long)
	g.fake.busy = []int{0, 7}
	g.play(t, g.fake.write(7, "Ann", "-100", "Count."))
	want := []string{"sendMessage -100: one", "sleep 1s", "editMessageText -100 1: one two three four", "sleep 7s", "editMessageText -100 1: one two three four"}
	if !slices.Equal(g.fake.log, want) {
		t.Errorf("%q", g.fake.log)
	}
}

// TestTwice: an update that Telegram delivers twice is played and shown once.
func TestTwice(t *testing.T) {
	g := newGame(t, llmtest.Text("Rain."), llmtest.Text("Hail."))
	line := g.fake.write(7, "Ann", "-100", "The weather?")
	g.play(t, line, line)
	again := g.fake.press(7, "Ann", "-100", "Other answer")
	g.play(t, again, again)
	if got := g.texts("-100"); !slices.Equal(got, []string{"Rain.", "Hail."}) {
		t.Errorf("%q", got)
	}
}

// TestChats (EX-05): each group is a campaign, and so is the private chat of a user who plays alone.
func TestChats(t *testing.T) {
	g := newGame(t, llmtest.Text("An inn."), llmtest.Text("A ship."), llmtest.Text("A cave."))
	g.play(t, g.fake.write(7, "Ann", "-100", "Where am I?"), g.fake.write(7, "Ann", "-200", "And here?"), g.fake.write(7, "Ann", "-200", "/help@other"),
		g.fake.write(9, "Cy", "9", "Hello?"), g.fake.write(9, "Cy", "9", "/start"), g.fake.write(9, "Cy", "9", "Where am I?"))
	got := fmt.Sprintf("%q %q %q", g.texts("-100"), g.texts("-200"), g.texts("9"))
	if !strings.HasPrefix(got, `["An inn."] ["A ship."] ["(write in a room first`) || !strings.HasSuffix(got, `"A cave."]`) {
		t.Error(got)
	}
	for id, want := range map[string]int{"-100": 1, "-200": 1, "9": 1} {
		if c, err := g.chat.Engine.Campaign(t.Context(), id); err != nil || c.State.TurnCount != want {
			t.Errorf("%s: %d turns, %v", id, c.State.TurnCount, err)
		}
	}
}

// TestUnreachable: a player who has not pressed Start cannot read secrets. The others are told, but
// not what the secret is.
func TestUnreachable(t *testing.T) {
	g := newGame(t, llmtest.Text("An inn."), llmtest.Text("A dog."), llmtest.Text("The key is cold."))
	g.play(t, g.fake.write(7, "Ann", "-100", "I come in."), g.fake.write(8, "Bob", "-100", "Me too."),
		g.fake.write(7, "Ann", "7", "@Bob I show you the key."))
	if got := g.texts("7"); len(got) != 2 || got[0] != "The key is cold." || !strings.HasPrefix(got[1], "(Bob has to write to me") {
		t.Errorf("%q", got)
	}
	if got := fmt.Sprint(g.texts("-100"), g.texts("8")); got != "[An inn. A dog.] []" {
		t.Error(got)
	}
}

// TestButtons: undo, branches and approvals. A message that users have deleted is sent again.
func TestButtons(t *testing.T) {
	hurt := llmtest.Text("You lose 2 hit points.").AndCall("hp_delta", "target_character_id", "7", "delta", -2, "cause", "glass")
	g := newGame(t, llmtest.Text("A gull."), llmtest.Text("Night."), llmtest.Text("Noon."), hurt)
	g.chat.Settings = campaign.Settings{"tools.approval": tree.Text("all")}
	g.play(t, g.fake.write(7, "Ann", "-100", "I look up."), g.fake.write(7, "Ann", "-100", "I wait."))
	g.play(t, g.fake.press(7, "Ann", "-100", "Undo"))
	if got := g.fake.last("-100").Text; got != "A gull." {
		t.Errorf("after undo: %s", got)
	}
	g.play(t, g.fake.write(7, "Ann", "-100", "I look at the clock."))
	g.play(t, g.fake.press(7, "Ann", "-100", "Branches"))
	g.play(t, g.fake.press(7, "Ann", "-100", g.fake.last("-100").Keys.InlineKeyboard[0][1].Text))
	if got := g.fake.last("-100").Text; got != "Night." {
		t.Errorf("on the other branch: %s", got)
	}
	g.play(t, g.fake.write(7, "Ann", "7", "/start"), g.fake.write(7, "Ann", "-100", "I break the window."))
	if got := g.fake.last("7").Text; !strings.HasPrefix(got, "This will happen if you agree:") {
		t.Fatalf("%q", g.texts("7"))
	}
	g.play(t, g.fake.press(7, "Ann", "7", "Agree"))
	if c, err := g.chat.Engine.Campaign(t.Context(), "-100"); err != nil || c.State.Characters[0].HP.Current != 8 {
		t.Errorf("%+v, %v: %q", c.State.Characters, err, g.fake.log)
	}
	if err := g.Edit(t.Context(), chat.Place{Room: "-100"}, "-100/99", chat.Message{Text: "Again."}); err != nil || g.fake.last("-100").Text != "Again." {
		t.Errorf("%v: %q", err, g.texts("-100"))
	}
}

// TestPolling: the bot asks for updates, also after the service was broken. Start returns when its
// turns are over.
func TestPolling(t *testing.T) {
	g := newGame(t, llmtest.Text("Rain."))
	g.fake.broken = 1
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		defer stop()
		g.fake.changed.L.Lock()
		defer g.fake.changed.L.Unlock()
		for len(g.fake.chats["-100"]) == 0 || len(g.fake.chats["-100"][0].Keys.InlineKeyboard) == 0 {
			g.fake.changed.Wait()
		}
	}()
	g.fake.write(7, "Ann", "-100", "The weather?")
	g.api.Start(ctx)
	if g.fake.broken != 0 {
		t.Error("the service was not asked again")
	}
	if got := g.texts("-100"); !slices.Equal(got, []string{"Rain."}) {
		t.Errorf("%q", got)
	}
}
