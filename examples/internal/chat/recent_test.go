package chat

import (
	"fmt"
	"testing"

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
