package chat

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/llm/llmtest"
)

// TestForgets: a bot remembers a bounded number of rooms and users. A forgotten room continues from the
// store, and a line that is delivered again there is not played again.
func TestForgets(t *testing.T) {
	const rooms = 40
	replies := make([]llmtest.Reply, 2*rooms)
	for i := range replies {
		replies[i] = llmtest.Text(fmt.Sprintf("Rain %d.", i))
	}
	b, s := newBot(t, nil, replies...)
	b.Every, b.known.limit = 0, 10
	line := func(room, n int) Update {
		return Update{ID: fmt.Sprint(n), Room: fmt.Sprint("room", room), User: fmt.Sprint("user", room), Text: "The weather?"}
	}
	for n := range 2 {
		for room := range rooms {
			handle(t, b, line(room, n))
			if n := len(b.known.new) + len(b.known.old); n > 2*b.known.limit {
				t.Fatalf("%d memories", n)
			}
		}
	}
	handle(t, b, line(0, 1))
	if m := s.last("room0", ""); m.Text != fmt.Sprintf("Rain %d.", rooms) {
		t.Errorf("%+v", m)
	}
	c, err := b.Engine.Campaign(t.Context(), "room0")
	if err != nil || c.State.TurnCount != 2 {
		t.Errorf("%d turns, %v", c.State.TurnCount, err)
	}
	for i := range 2 * maxShown {
		b.known.player(line(0, 0)).add(fmt.Sprint(i))
	}
	if m := b.known.player(line(0, 0)); len(m.shown) != maxShown || m.has(fmt.Sprint(maxShown-1)) || !m.has(fmt.Sprint(maxShown)) {
		t.Errorf("%q", m.shown)
	}
}

// TestContext: the prompts of a long campaign fit in the model's window, and the loaded campaign does not
// keep the older turns.
func TestContext(t *testing.T) {
	const lines, context = 80, 2000
	model := llmtest.NewScripted()
	for range lines {
		model.Add(llmtest.Text(strings.Repeat("It rains on the road. ", 40)))
	}
	flags := Flags{Game: "testdata/ferry", Context: context}
	engine, store, err := flags.Open(t.Context(), campaign.Config{Model: model})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	s := &service{places: map[Place][]Message{}}
	b := &Bot{Engine: engine, Service: s, Begin: flags.Begin}
	for n := range lines {
		handle(t, b, Update{ID: fmt.Sprint(n), Room: "sea", User: "ann", Text: "I wait."})
	}
	size := 0
	for _, m := range model.Requests()[lines-1].Messages {
		size += len(m.Text)
	}
	c, err := engine.Campaign(t.Context(), "sea")
	if err != nil || size > 4*context || size < context || len(c.Turns) > lines/2 {
		t.Errorf("%d bytes of %d messages, %d turns are loaded, %v", size, len(model.Requests()[lines-1].Messages), len(c.Turns), err)
	}
}
