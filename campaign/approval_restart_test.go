package campaign_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/storetest"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

// watch plays one turn that waits for people several times: for calls without a text, an edit that
// is refused, a denial, and an approval.
type watch struct {
	t       *testing.T
	game    *game.Game
	store   *campaign.MemoryStore
	m       *turn.Machine
	replies []string // by attempt
}

func newWatch(t *testing.T) *watch {
	w := &watch{t: t, store: &campaign.MemoryStore{}, replies: []string{
		output("", `{"tool": "check", "args": {"actor_id": "ren", "dc": 10}}`, moveHall),
		output("You lose 3 HP.", hurt("ren", "-3")),
		output("You lose 1 HP.", hurt("ren", "-1"), `{"tool": "check", "args": {"actor_id": "ren", "dc": 10}}`),
	}}
	w.game = compile(t, game.Content{Rules: game.Rules{Hooks: []hooks.Hook{{ID: "h", Name: "h", Event: hooks.On(act.AfterToolCall),
		Actions: []act.Action{act.New(act.LogLine, tree.Member{Key: "message", Value: tree.Text("heard")})}}}}})
	start, err := turn.Begin(w.game, cave(t, askAll, `{"allowlist": ["move", "hp_delta", "check"]}`))
	if err != nil {
		t.Fatal(err)
	}
	rec := turn.Record{Version: 1, Kind: "create", At: noon, Campaign: []byte(jsonOf(t, start))}
	w.write(rec)
	w.restore()
	return w
}

func (w *watch) write(rec turn.Record) {
	w.t.Helper()
	if err := w.store.Append(w.t.Context(), "cave", entries(w.t, rec)[0], nil); err != nil {
		w.t.Fatal(err)
	}
}

// restore does what a new process does.
func (w *watch) restore() {
	w.t.Helper()
	saved, err := w.store.Load(w.t.Context(), "cave")
	if err != nil {
		w.t.Fatal(err)
	}
	c, err := campaign.Restore(saved)
	if err != nil {
		w.t.Fatal(err)
	}
	w.m = turn.NewMachine(w.game, c)
}

func (w *watch) person(q state.ApprovalQuestion) turn.Approve {
	a := turn.Approve{Question: q.ID, Decisions: q.All(state.Approve, ""), By: "Ada", At: noon}
	switch {
	case q.Attempt == 1 && len(q.Refused) == 0:
		a.Decisions[1].Verdict, a.Decisions[1].Args = state.Edit, q.Calls[1].Args.With("to_area_id", tree.Text("vault"))
	case q.Attempt == 2:
		a.Decisions[0].Verdict, a.Decisions[0].Reason = state.Deny, "Not so deep."
	}
	return a
}

// play plays the turn. It calls cut at every boundary; cut may end the process.
func (w *watch) play(cut func() bool) string {
	w.t.Helper()
	for started := false; ; {
		if w.m.Phase() == turn.Idle {
			if started && len(w.m.Campaign().Turns) == 1 {
				return jsonOf(w.t, w.m.Campaign())
			}
			step(w.t, w.m, turn.Submit{Text: "I go.", ClientTurnID: "c1", At: noon})
			started = true
			continue
		}
		if cut() {
			continue
		}
		switch todo := w.m.Todo(); {
		case todo.Generate != nil:
			step(w.t, w.m, turn.Replied{Text: w.replies[todo.Generate.Attempt-1]})
		case todo.Hooks != nil:
			step(w.t, w.m, turn.HooksRan{Result: todo.Hooks.Run(w.t.Context())})
		case todo.Approve != nil:
			step(w.t, w.m, w.person(*todo.Approve))
		case todo.Commit != nil:
			w.write(*todo.Commit)
			step(w.t, w.m, turn.Committed{})
		default:
			w.t.Fatalf("no answer to %s", todo)
		}
	}
}

// TestApprovalSurvivesRestarts ends the process at every boundary of a turn that waits for people.
// A second process continues the turn, with the same bytes as the result (CA-37, CA-41).
func TestApprovalSurvivesRestarts(t *testing.T) {
	t.Parallel()
	uncut := newWatch(t)
	asked := 0
	want := uncut.play(func() bool {
		if uncut.m.Todo().Approve != nil {
			asked++
		}
		return false
	})
	if asked != 4 {
		t.Errorf("people were asked %d times", asked)
	}
	if _, err := campaign.Rebuild(uncut.game, uncut.store.Records(t.Context(), "cave", 0)); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		name string
		cut  func(w *watch) bool
	}{
		{"and begin again", func(w *watch) bool {
			w.restore()
			return true
		}},
		{"after the write", func(w *watch) bool {
			if w.m.Todo().Commit == nil {
				return false
			}
			w.write(*w.m.Todo().Commit)
			w.restore()
			return true
		}},
		{"and go on from the journal", func(w *watch) bool {
			journal, question := w.m.Journal(), describe(w.t, w.m)
			w.restore()
			step(w.t, w.m, decoded(w.t, journal)...)
			if got := describe(w.t, w.m); got != question {
				w.t.Errorf("the journal leads elsewhere (-want +got):\n%s", cmp.Diff(question, got))
			}
			return false
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWatch(t)
			cuts := map[int]bool{}
			got := w.play(func() bool {
				at := len(w.m.Journal())<<32 | int(w.m.Campaign().Version)
				if cuts[at] {
					return false // once at each boundary
				}
				cuts[at] = true
				return c.cut(w)
			})
			if got != want {
				t.Errorf("another end (-want +got):\n%s", cmp.Diff(want, got))
			}
			if len(cuts) < 15 {
				t.Errorf("only %d cuts", len(cuts))
			}
		})
	}
}

// TestQuestionStaysAnswerable: a question may need older turns than the head holds. A new process
// answers it, whichever read of the log fails while the campaign is loaded.
func TestQuestionStaysAnswerable(t *testing.T) {
	t.Parallel()
	whole := &campaign.MemoryStore{}
	g := compile(t, game.Content{})
	cfg := campaign.Config{Game: g, Store: whole, Model: numbered()}
	e := newEngine(t, cfg, `{"settings": {"context.full_context_enabled": false, "tools.approval": "all"}}`)
	for i := range 130 {
		turnOf(t, e, turn.Submit{Text: fmt.Sprintf("I wait, line %d.", i+1)})
		if i == 29 {
			do(t, e, turn.MakeCheckpoint{Label: "camp"})
		}
	}
	do(t, e, turn.RollBack{To: "turn_0030"})
	cfg.Model = replying(output("You step into the Hall.", moveHall))
	wantOutcome(t, turnOf(t, fresh(t, cfg), turn.Submit{Text: "I go in."}), "awaiting_approval")
	q, err := e.Pending(t.Context(), "cave")
	if err != nil || q == nil {
		t.Fatal(q, err)
	}
	answer := turn.Approve{Question: q.ID, Decisions: q.All(state.Approve, ""), By: "Ada"}
	fails := 0
	for k := int64(1); ; k++ {
		copied := &campaign.MemoryStore{}
		for entry, err := range whole.Records(t.Context(), "cave", 0) {
			if err == nil {
				err = copied.Append(t.Context(), "cave", entry, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		store := &storetest.FaultyCluster{Cluster: copied, Plan: func(c storetest.FaultCall) (f storetest.Fault) {
			if c.Op == "records" && c.N == k {
				f.Before = campaign.ErrUnavailable
			}
			return f
		}}
		e := fresh(t, campaign.Config{Game: g, Store: store, Model: numbered()})
		o, err := e.Do(t.Context(), "cave", answer)
		if store.Wrong() == 0 {
			break
		}
		if err != nil {
			if fails++; !errors.Is(err, campaign.ErrUnavailable) {
				t.Errorf("read %d fails: %v", k, err)
			}
			if o, err = e.Do(t.Context(), "cave", answer); err != nil {
				t.Fatalf("read %d had failed: %v", k, err)
			}
		}
		wantOutcome(t, o, "completed turn_0131")
	}
	if fails == 0 {
		t.Error("no read is needed")
	}
}
