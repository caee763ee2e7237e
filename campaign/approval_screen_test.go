package campaign_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// old is the text of the newest turn.
const old = "You wait."

// playerScreen follows the rules of [campaign.Progress].
type playerScreen struct {
	text, provisional string
	narrated          bool
	seen              []string // the shown texts, without repetitions and without prefixes of the next text
}

// follow shows the events of a stream, and returns the outcome.
func (s *playerScreen) follow(t *testing.T, e *campaign.Engine, in turn.Input) (o turn.Outcome) {
	t.Helper()
	s.narrated, s.seen = false, []string{s.text + s.provisional}
	for p, err := range e.Stream(t.Context(), "cave", in) {
		if err != nil {
			t.Fatal(err)
		}
		switch p := p.(type) {
		case campaign.AttemptStarted:
			if !p.Continues {
				s.text = ""
			}
		case campaign.Provisional:
			s.provisional += p.Text
		case campaign.Retracted:
			s.provisional = ""
		case campaign.Narration:
			if !s.narrated {
				s.text, s.provisional, s.narrated = "", "", true
			}
			s.text += p.Text
		case campaign.Finished:
			o = p.Outcome
		}
		s.seen = append(s.seen, s.text+s.provisional)
	}
	s.seen = slices.Compact(s.seen)
	for i := len(s.seen) - 1; i > 0; i-- {
		if before := s.seen[i-1]; before != "" && before != old && strings.HasPrefix(s.seen[i], before) {
			s.seen = slices.Delete(s.seen, i-1, i)
		}
	}
	return o
}

// TestScreenWhileATurnWaits: what a player reads before and after people answer about a turn, or
// about a continuation of the newest turn. With conflict.intercept_output nothing is shown before
// it is judged and approved. At the end the screen has the text of the outcome, also if a second
// process answers (CA-23, CA-41).
func TestScreenWhileATurnWaits(t *testing.T) {
	t.Parallel()
	bite, calls := output("A bat bites.", hurt("ren", "-3")), output("", hurt("ren", "-3"))
	for _, c := range []struct {
		name      string
		intercept bool
		goOn      bool // the turn continues the newest one
		outputs   []string
		verdict   state.ApprovalVerdict // empty: the turn is discarded
		before    []string              // the player sees until people are asked
		after     []string              // the player sees after the answer
	}{
		{"judged first, approved", true, false, []string{bite}, state.Approve,
			[]string{old, ""}, []string{"", "A bat bites."}},
		{"judged first, denied", true, false, []string{bite, "It flies off."}, state.Deny,
			[]string{old, ""}, []string{"", "It flies off."}},
		{"judged first, discarded", true, false, []string{bite}, "",
			[]string{old, ""}, []string{""}},
		{"approved", false, false, []string{bite}, state.Approve,
			[]string{old, "", "A bat bites."}, []string{"A bat bites."}},
		{"denied", false, false, []string{bite, "It flies off."}, state.Deny,
			[]string{old, "", "A bat bites."}, []string{"A bat bites.", "", "It flies off."}},
		{"discarded", false, false, []string{bite}, "",
			[]string{old, "", "A bat bites."}, []string{"A bat bites.", ""}},
		{"calls first, approved", false, false, []string{calls, "A bat bites."}, state.Approve,
			[]string{old, ""}, []string{"", "A bat bites."}},
		{"continued, judged first, approved", true, true, []string{bite}, state.Approve,
			[]string{old}, []string{old, old + " A bat bites."}},
		{"continued, judged first, denied", true, true, []string{bite, "It flies off."}, state.Deny,
			[]string{old}, []string{old, old + " It flies off."}},
		{"continued, approved", false, true, []string{bite}, state.Approve,
			[]string{old, old + "A bat bites."}, []string{old + "A bat bites.", old, old + " A bat bites."}},
		{"continued, denied", false, true, []string{bite, "It flies off."}, state.Deny,
			[]string{old, old + "A bat bites."}, []string{old + "A bat bites.", old, old + "It flies off.", old, old + " It flies off."}},
		{"continued, calls first, approved", false, true, []string{calls, "A bat bites."}, state.Approve,
			[]string{old}, []string{old, old + "A bat bites.", old, old + " A bat bites."}},
		{"continued, discarded", false, true, []string{bite}, "",
			[]string{old, old + "A bat bites."}, []string{old + "A bat bites.", old}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			model := llmtest.NewScripted(llmtest.Text(old))
			for _, text := range c.outputs {
				model.Add(llmtest.Text(text))
			}
			cfg := campaign.Config{Game: compile(t, game.Content{}), Store: &campaign.MemoryStore{}, Model: model}
			first := newEngine(t, cfg, fmt.Sprintf(`{"settings": {"tools.approval": "all", "conflict.intercept_output": %v}}`, c.intercept))
			second, err := campaign.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			var screen playerScreen
			screen.follow(t, first, turn.Submit{Text: "I wait."})
			in := turn.Input(turn.Submit{Text: "I go."})
			if c.goOn {
				in = turn.Continue{}
			}
			wantOutcome(t, screen.follow(t, first, in), "awaiting_approval")
			if diff := cmp.Diff(c.before, screen.seen); diff != "" {
				t.Errorf("before the answer (-want +got):\n%s", diff)
			}
			in = turn.Discard{}
			if c.verdict != "" {
				in = answer(t, second, c.verdict, "")
			}
			o := screen.follow(t, second, in)
			if diff := cmp.Diff(c.after, screen.seen); diff != "" {
				t.Errorf("after the answer (-want +got):\n%s", diff)
			}
			if c.verdict != "" && (o.Turn == nil || screen.text != o.Turn.Text || screen.provisional != "") {
				t.Errorf("in the end the screen has %q and %q, the outcome %q", screen.text, screen.provisional, jsonOf(t, o))
			}
		})
	}
}

// TestScreenAfterADecision: a continuation with a conflict is written again after the text that
// stays (CA-23, CA-33).
func TestScreenAfterADecision(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted(old, "Ren loses 5 hit points.", "Dust falls.")},
		`{"settings": {"retry.max_retries": 0, "conflict.intercept_output": false}}`)
	var screen playerScreen
	screen.follow(t, e, turn.Submit{Text: "I wait."})
	wantOutcome(t, screen.follow(t, e, turn.Continue{ClientTurnID: "k"}), "conflict")
	o := screen.follow(t, e, turn.ResolveConflict{Decision: state.DecideRetry})
	want := []string{old, old + "Dust falls.", old, old + " Dust falls."}
	if diff := cmp.Diff(want, screen.seen); diff != "" || o.Turn == nil || o.Turn.Text != screen.text {
		t.Errorf("-want +got:\n%s\nand the outcome is %s", diff, jsonOf(t, o))
	}
	if o := do(t, e, turn.Continue{ClientTurnID: "k"}); !o.Replayed || o.Turn.Text != old+" Dust falls." {
		t.Errorf("the continuation that was retried runs again: %s", jsonOf(t, o))
	}
}

// TestWaitingIsObserved: an observer gets the question of a turn that waits for people.
func TestWaitingIsObserved(t *testing.T) {
	t.Parallel()
	var waits []observe.Waiting
	e := newEngine(t, campaign.Config{Model: scripted(output("You are cut.", hurt("ren", "-1"))),
		Observe: observe.Func(func(_ observe.Place, m observe.Moment) {
			if w, is := m.(observe.Waiting); is {
				waits = append(waits, w)
			}
		})}, `{"settings": {"tools.approval": "all"}}`)
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I go."}), "awaiting_approval")
	if len(waits) != 1 || waits[0].Calls != 1 || waits[0].QuestionID != campaignOf(t, e).PendingApproval.Question.ID {
		t.Errorf("%+v", waits)
	}
}
