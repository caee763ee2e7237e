package play

import (
	"fmt"
	"maps"
	"testing"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
)

// TestCountsOf: all rolls of a turn are used, so that its continuation makes new ones.
func TestCountsOf(t *testing.T) {
	t.Parallel()
	if got := countsOf(map[string][]int{"a": {4, 2}, "b": nil}); !maps.Equal(got, map[string]int{"a": 2, "b": 0}) {
		t.Errorf("%v", got)
	}
}

// TestRemainingEvents: rules run for the player's line before the first reply, and for each reply
// once. They are not left over after that.
func TestRemainingEvents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line   bool
		spoken int
		want   string
	}{{true, 0, "[message:user turn:accepted]"}, {false, 0, "[turn:accepted]"}, {true, 1, "[turn:accepted]"}} {
		var left []string
		all := []rules.Event{event.PlayerMessage("I go."), event.ModelMessage("Dust."), {Type: "turn:accepted"}}
		for _, e := range (&Casting{Spoken: make([]state.Reply, c.spoken)}).RemainingEvents(&Order{HasLine: c.line}, all) {
			left = append(left, e.Type)
		}
		if got := fmt.Sprint(left); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// TestReplyEvents: the player's line comes before the first reply of a turn, and not again.
func TestReplyEvents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line   bool
		spoken int
		want   string
	}{{true, 1, "[message:user message:ai]"}, {true, 2, "[message:ai]"}, {false, 1, "[message:ai]"}} {
		var types []string
		for _, e := range (&Casting{Spoken: make([]state.Reply, c.spoken)}).ReplyEvents(&Order{HasLine: c.line}) {
			types = append(types, e.Type)
		}
		if got := fmt.Sprint(types); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
