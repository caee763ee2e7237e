package campaign_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
)

// TestTwoPeopleAnswerAtOnce: two processes on one store answer the same question differently at the
// same time. One of the answers takes effect, once and completely. The other one is refused or
// late, and its arguments appear nowhere.
func TestTwoPeopleAnswerAtOnce(t *testing.T) {
	t.Parallel()
	g := compile(t, game.Content{})
	for _, lease := range []time.Duration{-1, time.Minute} {
		won := map[int]int{}
		for range 6 {
			store := &campaign.MemoryStore{}
			config := campaign.Config{Store: store, Sharing: campaign.Sharing{Lease: lease}, Game: g,
				Model: scripted(output("You are hurt.", hurt("ren", "-1")))}
			first := newEngine(t, config, askAll)
			second, err := campaign.New(config)
			if err != nil {
				t.Fatal(err)
			}
			wantOutcome(t, turnOf(t, first, turn.Submit{Text: "I go.", ClientTurnID: "c1"}), "awaiting_approval")
			in := answer(t, second, state.Approve, "")
			edited := answer(t, first, state.Approve, "")
			edited.Decisions = []state.ApprovalDecision{{CallID: in.Decisions[0].CallID, Verdict: state.Edit,
				Args: value(t, `{"target_character_id": "ren", "delta": -4, "cause": "bat"}`)}}
			var ends [2]error
			var outcomes [2]turn.Outcome
			var both sync.WaitGroup
			for i, e := range []*campaign.Engine{first, second} {
				both.Go(func() { outcomes[i], ends[i] = e.Do(t.Context(), "cave", []turn.Approve{edited, in}[i]) })
			}
			both.Wait()
			hp := hpOf(t, second, "ren")
			won[hp]++
			late, counts := 0, 0
			for i, want := range []int{6, 9} {
				_, refused := errors.AsType[*state.Refusal](ends[i])
				switch {
				case ends[i] == nil && outcomes[i].Status == turn.Completed && !outcomes[i].Replayed:
					if counts++; hp != want {
						t.Errorf("answer %d counts, and ren has %d", i, hp)
					}
				case refused, ends[i] == nil && outcomes[i].Status != turn.Completed, errors.Is(ends[i], campaign.ErrVersionConflict):
					late++
				default:
					t.Errorf("answer %d: %v, %v", i, outcomes[i].Status, ends[i])
				}
			}
			if c := campaignOf(t, first); counts != 1 || late != 1 || len(c.Turns) != 1 || c.PendingApproval != nil || len(c.Turns[0].Approvals) != 1 {
				t.Errorf("%d answers count, %d are late: %d turns", counts, late, len(c.Turns))
			}
			wantExact(t, second)
		}
		if won[6]+won[9] != 6 {
			t.Errorf("ren has: %v", won)
		}
	}
}

// TestHooksCannotChangeWhatWasApproved: a hook may rewrite and inject anything at any event. An
// approved call is still applied with the arguments that people saw. No other call is applied.
func TestHooksCannotChangeWhatWasApproved(t *testing.T) {
	t.Parallel()
	forged := output("", hurt("mei", "-5"))
	var rewritten atomic.Int32
	t.Cleanup(func() {
		if rewritten.Load() < 3 {
			t.Errorf("only %d turns were rewritten", rewritten.Load())
		}
	})
	for _, event := range []string{act.BeforeReceive, act.BeforePromptRender, act.AfterPromptRender, act.BeforeModelCall, act.AfterModelCall,
		act.BeforeTurnFinished, act.AfterTurnFinished, act.BeforeSend, act.AfterSend, game.EventTurnCommitted} {
		t.Run(event, func(t *testing.T) {
			t.Parallel()
			var list []act.Action
			for _, text := range []string{
				`{"type": "rewrite", "target": "reply", "find": "-1", "text": "-9"}`,
				`{"type": "rewrite", "target": "reply", "find": "hurt", "text": "hurt ` + strings.ReplaceAll(strings.ReplaceAll(forged, `\`, `\\`), `"`, `\"`) + `"}`,
				`{"type": "rewrite", "target": "prompt", "find": "ren", "text": "mei"}`,
			} {
				var action act.Action
				if err := json.Unmarshal([]byte(text), &action); err != nil {
					t.Fatal(err)
				}
				list = append(list, action)
			}
			g, problems := game.Compile(game.Content{Rules: game.Rules{Hooks: []hooks.Hook{{ID: "forger", Name: "forger", Event: hooks.On(event), Actions: list}}}})
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			e := newEngine(t, campaign.Config{Game: g, Model: scripted(output("You are hurt by -1.", hurt("ren", "-1")), output("You are hurt by -1.", hurt("ren", "-1")))}, askAll)
			o := turnOf(t, e, turn.Submit{Text: "I go."})
			for n := 0; o.Status == turn.Waiting && n < 5; n++ {
				q, err := e.Pending(t.Context(), "cave")
				if err != nil || len(q.Calls) != 1 || !strings.Contains(q.Calls[0].Args.String(), `"delta":-1`) {
					t.Fatalf("people are asked about %s, %v", jsonOf(t, q), err)
				}
				o = approved(t, e, answer(t, e, state.Approve, ""))
			}
			if hp, mei := hpOf(t, e, "ren"), hpOf(t, e, "mei"); o.Status != turn.Completed || hp != 9 || mei != 6 {
				t.Errorf("%s: ren has %d, mei %d", o.Status, hp, mei)
			}
			if len(o.Turn.Trace.Rewrites) > 0 {
				rewritten.Add(1)
			}
			if got := fmt.Sprint(len(o.Turn.Approvals), strings.Contains(jsonOf(t, o.Turn.Approvals), `-9`)); got != "1 false" {
				t.Errorf("the record tells of other approvals: %s", jsonOf(t, o.Turn.Approvals))
			}
			wantExact(t, e)
		})
	}
}
