package campaign_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// TestSummarize: the summary is made after the outcome of the turn. A summary that fails, or that
// the store refuses, does not fail the turn.
func TestSummarize(t *testing.T) {
	t.Parallel()
	fail := true
	asked := 0
	cfg := campaign.Config{
		Game:  compile(t, game.Content{Prompt: game.Prompt{SummarizeAfter: 1}}),
		Model: scripted("1", "2", "3", "4"),
		Services: campaign.Services{Summarize: func(_ context.Context, q question.Summarize) (state.Summary, error) {
			asked += len(q.Turns)
			if fail {
				return state.Summary{}, errors.New("no room")
			}
			return state.Summary{Text: fmt.Sprintf("%d turns", len(q.Turns))}, nil
		}},
	}
	e := newEngine(t, cfg)
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "One"}), "completed turn_0001")
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "Two"}), "completed turn_0002")
	fail = false
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "Three"}), "completed turn_0003")
	s := campaignOf(t, e).State.Summary
	if s.Text != "3 turns" || s.Version != 1 || s.CoversThrough != "turn_0003" || asked != 2+3 {
		t.Errorf("summary %+v after %d turns", s, asked)
	}
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "Four"}), "completed turn_0004")
	if asked != 5 {
		t.Error("one turn is not worth a summary")
	}
	if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}
}

func TestRouteAndJudge(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{
		Model: scripted("You roll.", "You are bleeding.", "You are fine."),
		Services: campaign.Services{
			Route: func(_ context.Context, q question.Route) (state.RouteDecision, error) {
				if strings.HasSuffix(q.Input, "?") {
					return state.RouteDecision{DialogType: game.RulesDialog}, nil
				}
				return state.RouteDecision{}, errors.New("no idea")
			},
			Judge: func(_ context.Context, q question.Judge) ([]conflict.Verdict, error) {
				return sagaJudge(q), nil
			},
		},
	}
	e := newEngine(t, cfg, `{"settings": {"dialog.auto_route_enabled": true, "conflict.judge": "confirm"}}`)
	o := turnOf(t, e, turn.Submit{Text: "How do checks work?"})
	if o.DialogType != "rules" || o.DialogTypeSource != "router" {
		t.Errorf("%s by %s", o.DialogType, o.DialogTypeSource)
	}
	o = turnOf(t, e, turn.Submit{Text: "I fight."})
	if o.DialogTypeSource != "fallback" || o.RetriesUsed != 1 || o.Turn.Text != "You are fine." {
		t.Errorf("%s after %d retries: %q", o.DialogTypeSource, o.RetriesUsed, o.Turn.Text)
	}
	// Without the functions the engine continues without their answers.
	e = newEngine(t, campaign.Config{Model: scripted("You are bleeding.")},
		`{"settings": {"dialog.auto_route_enabled": true, "conflict.judge": "full"}}`)
	o = turnOf(t, e, turn.Submit{Text: "I fight."})
	want := []string{"router: no router is configured", "judge: no judge is configured"}
	if diff := cmp.Diff(want, o.Turn.Trace.Warnings); o.DialogTypeSource != "fallback" || o.Status != turn.Completed || diff != "" {
		t.Errorf("%s %s, warnings (-want +got):\n%s", o.DialogTypeSource, o.Status, diff)
	}
}

// TestSinks: effects that hooks deliver while they run are delivered once, and not given to the
// host again. Without a sink the effect goes to the host.
func TestSinks(t *testing.T) {
	t.Parallel()
	g := compile(t, game.Content{Rules: game.Rules{Hooks: []hooks.Hook{{
		ID: "remember", Name: "remember", Event: hooks.Patterns{"character.after_turn.finished"},
		Actions: []act.Action{act.New("memory_write",
			tree.Member{Key: "content", Value: tree.Text("We waited.")})}}}}})
	for _, withSink := range []bool{true, false} {
		var kept []string
		cfg := campaign.Config{Game: g, Model: scripted("Dust falls.")}
		if withSink {
			cfg.Services.Sinks.Memory = func(_ context.Context, call act.Call, m effect.WriteMemory) error {
				kept = append(kept, call.Key+" "+m.Content)
				return nil
			}
		}
		e := newEngine(t, cfg)
		effects := 0
		for p, err := range e.Stream(t.Context(), "cave", turn.Submit{Text: "I wait."}) {
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := p.(campaign.HostEffect); ok {
				effects++
			}
		}
		if withSink != (len(kept) == 1) || withSink == (effects == 1) {
			t.Errorf("sink %t: kept %q, %d effects", withSink, kept, effects)
		}
		if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
			t.Error(err)
		}
	}
}

// TestObserver receives every request, with the purpose of its messages.
func TestObserver(t *testing.T) {
	t.Parallel()
	var seen []string
	e := newEngine(t, campaign.Config{Model: scripted("You step into the Hall.", "You wait."),
		ModelName: "bard-1", Options: llm.Options{MaxTokens: new(99)},
		Observe: requests(func(id string, g question.Generate) {
			seen = append(seen, fmt.Sprint(id, " ", g.Attempt, " ", g.Retry, " ",
				g.Request.Messages[len(g.Request.Messages)-1].Kind))
		})})
	turnOf(t, e, turn.Submit{Text: "I go."})
	want := []string{"cave 1  player_input", "cave 2 location_unsettled conflict_debug"}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
}

// brokenStore fails when it is switched to failing.
type brokenStore struct {
	campaign.MemoryStore
	broken bool
}

func (s *brokenStore) Append(
	ctx context.Context, id string, entry campaign.Entry, snapshot []byte,
) error {
	if s.broken {
		return errors.New("disk full")
	}
	return s.MemoryStore.Append(ctx, id, entry, snapshot)
}

// TestStoreFailure: an error of the store is returned to the caller, and nothing is stored. The
// engine works again when the store does.
func TestStoreFailure(t *testing.T) {
	t.Parallel()
	store := &brokenStore{}
	e := newEngine(t, campaign.Config{Store: store, Model: scripted("Dust.", "Dust falls.")})
	store.broken = true
	_, err := e.Turn(t.Context(), "cave", turn.Submit{Text: "I wait.", ClientTurnID: "c1"})
	if err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("got %v", err)
	}
	store.broken = false
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait.", ClientTurnID: "c1"}),
		"completed turn_0001")
}

// TestLongSummary: a summary that is too long is cut. The trace of the instruction says so, the log of
// the engine says so for a summarizer, and hooks get the version of the summary.
func TestLongSummary(t *testing.T) {
	t.Parallel()
	long := state.Summary{Text: strings.Repeat("x", 1<<20), Version: 4}
	g := compile(t, game.Content{Prompt: game.Prompt{SummarizeAfter: 1}, Rules: game.Rules{Hooks: []hooks.Hook{{ID: "h", Name: "h",
		Event: hooks.Patterns{act.AfterMemoryExtract}, Actions: []act.Action{act.New("memory_write", tree.Member{Key: "content", Value: tree.Text("x")})}}}}})
	var log bytes.Buffer
	e := newEngine(t, campaign.Config{Game: g, Model: scripted("1", "2"), Logger: slog.New(slog.NewTextHandler(&log, nil)),
		Services: campaign.Services{Summarize: func(context.Context, question.Summarize) (state.Summary, error) { return long, nil }}})
	turnOf(t, e, turn.Submit{Text: "One"})
	turnOf(t, e, turn.Submit{Text: "Two"})
	if c := campaignOf(t, e); len(c.State.Summary.Text) != 64<<10 || c.State.Summary.Version != 4 || !strings.Contains(log.String(), "the summary was too long") {
		t.Errorf("%d bytes are stored, logged: %.300s", len(c.State.Summary.Text), log.String())
	}
	o, err := e.Do(t.Context(), "cave", turn.Summarized{Summary: long})
	if err != nil || o.Trace == nil || len(o.Trace.Warnings) != 1 || !strings.Contains(o.Trace.Warnings[0], "the summary was too long") {
		t.Errorf("the trace: %+v, %v", o.Trace, err)
	}
	if o, err = e.Do(t.Context(), "cave", turn.Summarized{Summary: state.Summary{Text: "Short."}}); err != nil || o.Trace != nil {
		t.Errorf("a short one: %+v, %v", o.Trace, err)
	}
	m := turn.NewMachine(g, campaignOf(t, e))
	step(t, m, turn.Summarized{Summary: state.Summary{Text: "Short.", Version: 9}, At: noon})
	step(t, m, turn.Committed{})
	if a := m.Todo().Announce; len(a) != 1 || a[0].Event != act.AfterMemoryExtract || a[0].Payload.String() != `{"summary_version":9}` {
		t.Errorf("announced: %+v", a)
	}
	if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}
}
