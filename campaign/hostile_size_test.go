package campaign_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
)

const quiet = "The wind turns. Nothing else happens."

// TestManyCallsInOneReply: a reply with very many calls is judged in a loop, on a small stack, and
// the feedback does not grow with it.
func TestManyCallsInOneReply(t *testing.T) {
	testkit.WithoutRace(t)
	for _, c := range []struct {
		name   string
		reason string
		reply  turn.Replied
		cut    bool
	}{
		{name: "empty calls in the text", reason: "100,000 rulings of a recursion take the process down",
			reply: turn.Replied{Text: `{"tool_calls":[{}` + strings.Repeat(",{}", 99_999) + `]}`}},
		{name: "named calls in the text", reason: "each refusal told would cost 70 times its size",
			reply: turn.Replied{Text: `{"tool_calls":[` +
				strings.Repeat(`{"tool":"fly"},`, 20_000) + `{"tool":"fly"}]}`}},
		{name: "native calls", reason: "providers want an answer to each that is repeated to them",
			reply: turn.Replied{ToolCalls: manyNative(10_000)}},
		{name: "native calls without end", reason: "an empty call is not free", cut: true,
			reply: turn.Replied{ToolCalls: manyNative(100_000)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := begin(t, game.Content{})
			step(t, m, turn.Submit{Text: "I wait."})
			before := requestSize(m.Todo().Generate.Request)
			step(t, m, c.reply)
			if got := requestSize(m.Todo().Generate.Request) - before; got > 24<<10 {
				t.Errorf("%s: %d bytes were added to the next request", c.reason, got)
			}
			step(t, m, turn.Replied{Text: quiet})
			turn := m.Todo().Commit.Turn
			refused := turn.Attempts[0].FailedCalls
			if c.cut != (len(refused) == 0) || len(refused) > 13 {
				t.Errorf("%s: %d refused calls are kept", c.reason, len(refused))
			}
			if n := len(refused); n > 0 && !strings.Contains(refused[n-1].Message, "behind it") {
				t.Errorf("the last ruling is %+v, want one that speaks of the rest", refused[n-1])
			}
		})
	}
}

func manyNative(n int) []llm.ToolCall {
	out := make([]llm.ToolCall, n)
	for i := range out {
		out[i] = llm.ToolCall{ID: fmt.Sprint("n", i), Name: "fly"}
	}
	return out
}

func requestSize(r question.Request) (n int) {
	for _, m := range r.Messages {
		n += len(m.Message.Text)
		for _, c := range m.Message.ToolCalls {
			n += len(c.ID) + len(c.Name) + len(c.Arguments)
		}
	}
	return n
}

// TestManyHostEvents: the events of a host with a line are processed one after the other, however
// many there are.
func TestManyHostEvents(t *testing.T) {
	testkit.WithoutRace(t)
	m := begin(t, game.Content{})
	events := make([]state.HostEvent, 200_000)
	for i := range events {
		events[i] = state.HostEvent{Event: "button"}
	}
	if got := play(t, m, turn.Submit{Text: "I wait.", Events: events}, quiet); got.Status != turn.Completed {
		t.Errorf("the turn ended %+v", got)
	}
}

// TestOverlongNames: IDs and names of calls are limited, with a refusal that names the limit.
func TestOverlongNames(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	m := begin(t, game.Content{})
	step(t, m, turn.Submit{Text: "I wait."},
		turn.Replied{Text: `{"text":"…","tool_calls":[{"tool":"` + long + `"},{"tool":"move","id":"` + long + `"},` +
			`{"tool":"move","args":{"` + long + `":1}}]}`},
		turn.Replied{Text: quiet})
	for _, f := range m.Todo().Commit.Turn.Attempts[0].FailedCalls {
		if got := jsonOf(t, f); len(got) > 1000 {
			t.Errorf("a refusal of %d bytes: %.200s", len(got), got)
		}
	}
}

// TestLongReplyIsCut: a reply has a maximum size, and a longer one is truncated.
func TestLongReplyIsCut(t *testing.T) {
	m := begin(t, game.Content{})
	step(t, m, turn.Submit{Text: "I wait."},
		turn.Replied{Text: strings.Repeat("Mist. ", turn.MaxReplyBytes/4)},
		turn.Replied{Text: quiet})
	first := m.Todo().Commit.Turn.Attempts[0]
	if len(first.Output) > turn.MaxReplyBytes || len(first.Conflicts) != 1 ||
		first.Conflicts[0].Kind != "truncated_output" {
		t.Errorf("kept %d bytes, conflicts %+v", len(first.Output), first.Conflicts)
	}
}
