package campaign_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
)

const routeAndJudge = `{"settings": {"dialog.auto_route_enabled": true, "conflict.judge": "full"}}`

// asked returns the number of calls of each of the host's functions that may cost money.
func (b *bomb) asked() map[string]int {
	out := map[string]int{}
	for _, name := range []string{"route", "judge", "recall", "retrieve", "generate", "summarize"} {
		if b.came[name] > 0 {
			out[name] = b.came[name]
		}
	}
	b.came = nil
	return out
}

func wantAsked(t *testing.T, when string, got, want map[string]int) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got)\n%s", when, diff)
	}
}

// engineOf returns a process with the bomb, and creates the campaign if it is the first.
func (b *bomb) engineOf(t *testing.T, first bool) *campaign.Engine {
	t.Helper()
	cfg := b.config(t, new(bytes.Buffer))
	answered := cfg.Services.Route
	cfg.Services.Route = func(ctx context.Context, q question.Route) (state.RouteDecision, error) {
		_, _ = answered(ctx, q)
		return state.RouteDecision{DialogType: game.SceneDialog}, nil
	}
	e, err := campaign.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if first {
		createCave(t, e, routeAndJudge)
	}
	return e
}

// TestQuestionsArePaidForOnce: answers of a router, a judge, a memory, a retriever and a summarizer
// are not asked for again if the process ends before the commit. They are if the turn has failed,
// because the player wants a new one.
func TestQuestionsArePaidForOnce(t *testing.T) {
	t.Parallel()
	b := &bomb{MemoryStore: &campaign.MemoryStore{}}
	e := b.engineOf(t, true)
	turnOf(t, e, turn.Submit{Text: "I go."})
	b.asked()
	in := turn.Submit{Text: "I go on.", ClientTurnID: "c2"}
	b.at = "append"
	if _, err := e.Turn(t.Context(), "cave", in); err == nil {
		t.Fatal("it was committed")
	}
	once := map[string]int{"route": 1, "judge": 1, "recall": 1, "retrieve": 1, "generate": 1}
	wantAsked(t, "before the process ends", b.asked(), once)
	e = b.engineOf(t, false)
	b.at, b.skip = "append", 1 // the turn is committed, but not its summary
	wantOutcome(t, turnOf(t, e, in), "completed turn_0002")
	wantAsked(t, "in the next process", b.asked(), map[string]int{"summarize": 1})
	e = b.engineOf(t, false)
	for _, err := range e.Handover(t.Context(), "cave", 2) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if s := campaignOf(t, e).State.Summary; s.Text != "In short." || s.CoversThrough != "turn_0002" {
		t.Errorf("the summary is %+v", s)
	}
	wantAsked(t, "when it is handed over", b.asked(), map[string]int{})

	b.at = "generate"
	in.Text, in.ClientTurnID = "I fail.", "c3"
	wantOutcome(t, turnOf(t, e, in), "failed panicked")
	b.asked()
	wantOutcome(t, turnOf(t, e, in), "completed turn_0003")
	wantAsked(t, "after a failure", b.asked(), once)
	if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}
}

// TestConflictIsPaidForAgain: the same line after a conflict gets a new answer, and pays for it.
func TestConflictIsPaidForAgain(t *testing.T) {
	t.Parallel()
	model := scripted("You lose 3 HP.", "Dust falls.")
	e := newEngine(t, campaign.Config{Store: &campaign.MemoryStore{}, Model: model}, `{"settings": {"retry.max_retries": 0}}`)
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait."}), "conflict")
	o := turnOf(t, e, turn.Submit{Text: "I wait."})
	if o.Status != turn.Completed || o.Turn.Text != "Dust falls." || len(model.Requests()) != 2 {
		t.Errorf("%s after %d requests", o.Status, len(model.Requests()))
	}
}

// TestStepsArePaidForOnce: a step whose result was lost runs again, and asks no function again.
func TestStepsArePaidForOnce(t *testing.T) {
	t.Parallel()
	b := &bomb{MemoryStore: &campaign.MemoryStore{}}
	e := b.engineOf(t, true)
	j, err := turn.JournalOf(turn.Submit{Text: "I go.", At: noon})
	if err != nil {
		t.Fatal(err)
	}
	for over := false; !over; {
		var step turn.JournalStep
		for range 2 {
			if step, err = e.Step(t.Context(), "cave", j, nil); err != nil {
				t.Fatal(err)
			}
		}
		j, over = j.Then(step), step.Outcome != nil
	}
	wantAsked(t, "all steps", b.asked(), map[string]int{"route": 1, "judge": 1, "recall": 1, "retrieve": 1, "generate": 1})
}

// TestSameQuestionTwiceInATurn: a tool that is called twice with the same arguments may return
// different answers. Both are stored, in order.
func TestSameQuestionTwiceInATurn(t *testing.T) {
	t.Parallel()
	said, times := []string{"rain", "sun", "snow"}, 0
	weather := tool.Tool{Name: "weather", Description: "Looks.", Manual: "Looks.", Affects: []string{tool.AffectsNothing},
		Params: map[string]tool.Param{}, Reasons: map[state.CallCode]string{},
		Outside: func(context.Context, tool.Call) tool.Answer {
			times++
			return tool.Answer{Value: tree.Text(said[times-1])}
		},
		Judge: func(_ tool.Call, view tool.View) tool.Judgement { return tool.Judgement{Result: view.Answer} }}
	b := &bomb{MemoryStore: &campaign.MemoryStore{}}
	cfg := campaign.Config{Game: compile(t, game.Content{Extensions: game.Extensions{Tools: []tool.Tool{weather}}}), Store: b,
		Model: scripted(`{"narration": "You look up.", "tool_calls": [{"tool": "weather", "args": {}}, {"tool": "weather", "args": {}}]}`, quiet, quiet)}
	e := newEngine(t, cfg, `{"allowlist": ["weather"]}`)
	b.at = "append"
	in := turn.Submit{Text: "I look.", ClientTurnID: "c1"}
	if _, err := e.Turn(t.Context(), "cave", in); err == nil {
		t.Fatal("it was committed")
	}
	o := turnOf(t, e, in)
	if text := jsonOf(t, o.Turn); !strings.Contains(text, `"rain"`) || !strings.Contains(text, `"sun"`) || times != 2 {
		t.Errorf("asked %d times: %s", times, text)
	}
}
