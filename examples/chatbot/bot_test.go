package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

func Example() {
	folder, err := os.MkdirTemp("", "chatbot-*")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if err := run(context.Background(), os.Stdout, folder); err != nil {
		panic(err)
	}
	// Output:
	// #inn ann: Some stew, please.
	//   #inn: The innkeeper ladles stew. You pay 3 coins.
	// #inn bob: And your best wine!
	//   #inn: He looks at your purse and shakes his head.
	// #inn ann: /swipe
	//   #inn: He fills a cup with water, for free.
	// #inn ann: /back
	//   #inn: He looks at your purse and shakes his head.
	// #inn ann: /undo
	//   #inn: (taken back: "And your best wine!")
	// #ship bob: I look at the sea.
	//   #ship: (stopped; nothing has happened)
	// #ship bob: I look up.
	//   #ship: A gull lands on the mast.
	// #ship cat: /stop
	//   #ship: (there is nothing to stop)
	// the inn: {"coins":2}
}

// sent is a platform that records messages.
type sent struct {
	mu    sync.Mutex
	lines []string
}

// Send implements platform.
func (s *sent) Send(channel, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, channel+": "+text)
}

func (s *sent) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.lines, "\n")
}

func newTestBot(t *testing.T, store campaign.Store, model llm.Model) (*bot, *sent) {
	t.Helper()
	p := &sent{}
	b, err := newBot(store, model, p)
	if err != nil {
		t.Fatal(err)
	}
	return b, p
}

func tell(t *testing.T, b *bot, messages ...message) {
	t.Helper()
	for _, m := range messages {
		if err := b.handle(t.Context(), m); err != nil {
			t.Fatalf("%v: %v", m, err)
		}
	}
}

// TestDeliveredTwice checks a message that is delivered again, as platforms do without an
// acknowledgement. The model is asked once, and the same answer is sent again.
func TestDeliveredTwice(t *testing.T) {
	model := llmtest.NewScripted(llmtest.Text("Rain."))
	b, p := newTestBot(t, opened(t, t.TempDir()), model)
	line := message{id: "1", channel: "inn", text: "How is the weather?"}
	tell(t, b, line, line)
	if got := p.String(); got != "inn: Rain.\ninn: Rain." {
		t.Error(got)
	}
}

// TestRestart checks that a second process on the same folder continues where the first one
// stopped.
func TestRestart(t *testing.T) {
	folder := t.TempDir()
	first, _ := newTestBot(t, opened(t, folder), llmtest.NewScripted(
		llmtest.Text("You pay.").AndCall("pay", "amount", 3, "for", "stew")))
	tell(t, first, message{id: "1", channel: "inn", text: "Stew!"})

	model := llmtest.NewScripted(llmtest.Text("You pay again.").AndCall("pay", "amount", 3, "for", "wine"), llmtest.Text("No coins."))
	second, p := newTestBot(t, opened(t, folder), model)
	tell(t, second, message{id: "2", channel: "inn", text: "Wine!"})
	if got := p.String(); got != "inn: No coins." {
		t.Errorf("2 coins are left, and 3 were asked for: %s", got)
	}
	feedback := model.Requests()[1].Messages
	if last := feedback[len(feedback)-1].Text; !strings.Contains(last, "too_expensive") || !strings.Contains(last, "not that many coins") {
		t.Errorf("the model was not told why: %s", last)
	}
}

// TestTwoPlayers checks that only the two players may write, each at any time.
func TestTwoPlayers(t *testing.T) {
	b, p := newTestBot(t, opened(t, t.TempDir()), llmtest.NewScripted(llmtest.Text("Hello, Bob."), llmtest.Text("Hello, Ann.")))
	tell(t, b, message{id: "1", channel: "inn", user: "bob", text: "Hello."}, message{id: "2", channel: "inn", user: "ann", text: "Hello."},
		message{id: "3", channel: "inn", user: "cat", text: "Hello."})
	if got := p.String(); !strings.HasPrefix(got, "inn: Hello, Bob.\ninn: Hello, Ann.\ninn: (") || !strings.Contains(got, "actor_not_in_party") {
		t.Error(got)
	}
}

// TestSwipe checks that one swipe requests one answer, also if the message is delivered twice. The
// state belongs to the selected answer. At the beginning there is nothing to swipe.
func TestSwipe(t *testing.T) {
	b, p := newTestBot(t, opened(t, t.TempDir()), llmtest.NewScripted(
		llmtest.Text("You pay.").AndCall("pay", "amount", 3, "for", "stew"), llmtest.Text("It is on the house.")))
	purse := func() int64 {
		c, err := b.engine.Campaign(t.Context(), "inn")
		if err != nil {
			t.Fatal(err)
		}
		n, _ := c.State.Variables.Int(coins.ID)
		return n
	}
	tell(t, b, message{id: "1", channel: "inn", text: "/swipe"}, message{id: "2", channel: "inn", text: "/back"})
	if got := strings.Count(p.String(), "not found"); got != 2 {
		t.Errorf("before the first line: %s", p)
	}
	swipe := message{id: "4", channel: "inn", text: "/swipe"}
	tell(t, b, message{id: "3", channel: "inn", text: "Stew!"}, swipe, swipe)
	if !strings.HasSuffix(p.String(), "inn: You pay.\ninn: It is on the house.\ninn: It is on the house.") || purse() != 5 {
		t.Errorf("%d coins: %s", purse(), p)
	}
	tell(t, b, message{id: "5", channel: "inn", text: "/back"})
	if !strings.HasSuffix(p.String(), "inn: You pay.") || purse() != 2 {
		t.Errorf("%d coins: %s", purse(), p)
	}
}

// TestOneAtATime checks that a second message in a channel is refused while the model runs, and
// that other channels are not affected.
func TestOneAtATime(t *testing.T) {
	slow := llmtest.Text("At last.")
	slow.Gate = llmtest.NewGate()
	b, p := newTestBot(t, opened(t, t.TempDir()), llmtest.NewScripted(llmtest.Text("A table."), slow, llmtest.Text("Waves.")))
	tell(t, b, message{id: "0", channel: "inn", text: "A table, please."})
	done := make(chan error)
	go func() { done <- b.handle(context.Background(), message{id: "1", channel: "inn", text: "Stew!"}) }()
	<-slow.Gate.Reached()
	tell(t, b, message{id: "2", channel: "inn", text: "Hello?"}, message{id: "3", channel: "ship", text: "I listen."})
	slow.Gate.Open()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got, want := p.String(), "inn: A table.\ninn: (one at a time, please)\nship: Waves.\ninn: At last."; got != want {
		t.Errorf("sent:\n%s", got)
	}
}

// TestModelFails checks that a failure of the model is explained with a remedy, and that the
// campaign does not change.
func TestModelFails(t *testing.T) {
	b, p := newTestBot(t, opened(t, t.TempDir()), llmtest.NewScripted(
		llmtest.Fail(&llm.Error{Code: llm.CodeOverloaded, Retry: true}), llmtest.Text("Hello.")))
	tell(t, b, message{id: "1", channel: "inn", text: "Hello?"}, message{id: "2", channel: "inn", text: "Hello?"})
	if got := p.String(); got != "inn: (the storyteller is busy, please try again)\ninn: Hello." {
		t.Error(got)
	}
}

// broken is a store that cannot be reached.
type broken struct{ campaign.Store }

// Append implements [campaign.Store].
func (broken) Append(context.Context, string, campaign.Entry, []byte) error {
	return campaign.ErrUnavailable
}

// TestStoreFails checks that the platform gets an error, so that it delivers the message again. No
// text is sent that was not stored.
func TestStoreFails(t *testing.T) {
	b, p := newTestBot(t, broken{opened(t, t.TempDir())}, llmtest.NewScripted())
	err := b.handle(t.Context(), message{id: "1", channel: "inn", text: "Hello?"})
	if !errors.Is(err, campaign.ErrUnavailable) || p.String() != "" {
		t.Errorf("error %v, sent %q", err, p.String())
	}
}
