package campaign_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
)

// TestPrintedIsBounded: endless texts of a model, a player or a host do not make an endless bug
// report, at any stop.
func TestPrintedIsBounded(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	long := strings.Repeat("every word of this is too much\n", 20_000)
	m := begin(t, game.Content{}, "")
	for _, in := range []turn.Input{
		turn.Submit{Text: long, ClientTurnID: long[:1000]},
		turn.Replied{Text: long + " You lose 3 HP."},
		turn.Replied{Text: `{"text": "Ren waits.", "state": 1}` + long},
		turn.Replied{Text: "You lose 3 HP. " + long},
		turn.Committed{},
	} {
		step(t, m, in)
		for name, text := range map[string]string{"machine": m.String(), "todo": m.Todo().String()} {
			if len(text) > 80<<10 {
				t.Errorf("%s after %T: %d bytes", name, in, len(text))
			}
			if text == "" {
				t.Errorf("%s after %T says nothing", name, in)
			}
		}
	}
	var delta state.Delta
	value := tree.Text(long[:2000])
	for i := range 10_000 {
		delta = append(delta, state.Patch{Path: tree.Path{}.Child(fmt.Sprint(i)), Value: value})
	}
	text := turn.Record{Delta: delta, Inputs: turn.Inputs{turn.Committed{}}}.String()
	if len(text) > 80<<10 || !strings.Contains(text, "lines more") {
		t.Errorf("a record of %d changes has %d bytes: …%s", len(delta), len(text), text[len(text)-80:])
	}
}

// TestTodoIsOneQuestionOrOneEnding checks the promise of [turn.Todo] at every boundary of the saga:
// one question while an instruction runs, none when it is over. The phase says which of the two it
// is.
func TestTodoIsOneQuestionOrOneEnding(t *testing.T) {
	t.Parallel()
	questions := []string{"Route", "Hooks", "Recall", "Retrieve", "Generate", "Judge", "Commit"}
	seen := map[string]bool{}
	h := newHost(t, sagaGame(t))
	check := func() {
		t.Helper()
		todo := reflect.ValueOf(h.m.Todo())
		var open, over []string
		for i := range todo.NumField() {
			name := todo.Type().Field(i).Name
			switch {
			case todo.Field(i).IsZero():
			case strings.Contains(" "+strings.Join(questions, " ")+" ", " "+name+" "):
				open = append(open, name)
			default:
				over = append(over, name)
			}
		}
		running := h.m.Phase() != turn.Idle
		if running && (len(open) != 1 || len(over) != 0) || !running && len(open) != 0 {
			t.Errorf("%s at %s: questions %v, endings %v", h.m.Phase(), h.m.Stop(), open, over)
		}
		if (h.m.Stop() == "idle") == running {
			t.Errorf("%s at %s", h.m.Phase(), h.m.Stop())
		}
		for _, name := range open {
			seen[name] = true
		}
	}
	h.cut = func(h *host) bool { check(); return false }
	check()
	for _, a := range saga() {
		h.run(a)
		check()
	}
	if len(seen) < 5 { // the saga does not use retrieval
		t.Errorf("only %v were asked", seen)
	}
}
