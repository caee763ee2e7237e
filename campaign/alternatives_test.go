package campaign_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/filltest"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/rules/effect"
)

// told returns the texts of a campaign's branch, one line each.
func told(c state.Campaign) string {
	var b strings.Builder
	for _, one := range c.BranchTurns() {
		fmt.Fprintf(&b, "%s %d %s < %s: %s > %s\n", one.ID, one.Index, one.AlternativeOf, one.ParentID, one.UserInput, one.Text)
	}
	return b.String()
}

// wound returns an output that takes hit points from Ren.
func wound(text string, by int) string {
	return output(text, fmt.Sprintf(`{"tool": "hp_delta", "args": {"target_character_id": "ren", "delta": %d, "cause": "a blade"}}`, -by))
}

// rebuilt fails if a replay of the log does not give the campaign.
func rebuilt(t testing.TB, e *campaign.Engine) {
	t.Helper()
	if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}
}

// CA-42: a new answer is a sibling of the first, and the head moves to it. A choice moves the head
// back, with the state.
func TestAlternativesAreChosen(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, line, one, two, next string }{
		{"en", "I draw my sword.", "The guard is faster: Ren loses 3 hit points.", "The guard steps back.", "He nods."},
		{"zh", "我拔出剑。", "卫兵更快：Ren失去3点生命。", "卫兵后退一步。", "他点了点头。"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			cfg := campaign.Config{Model: scripted("…", wound(tc.one, 3), tc.two, tc.next)}
			seen := observed(&cfg)
			e := newEngine(t, cfg)
			turnOf(t, e, turn.Submit{Text: "I wait."})
			turnOf(t, e, turn.Submit{Text: tc.line})
			first := campaignOf(t, e)
			o, err := e.Do(t.Context(), "cave", turn.Regenerate{})
			if err != nil || o.Err() != nil || o.Turn.Text != tc.two || o.Turn.AlternativeOf != "turn_0002" || o.Turn.Index != 2 ||
				o.Turn.ParentID != "turn_0001" || o.Turn.UserInput != tc.line || o.Turn.Generation != "regenerate" {
				t.Fatalf("another answer: %v %s", err, jsonOf(t, o))
			}
			if a, b := askedText((*seen)[1]), askedText((*seen)[2]); a != b {
				t.Errorf("the model was asked otherwise (-first +second):\n%s", gocmp.Diff(a, b))
			}
			second := campaignOf(t, e)
			if hp := second.State.Characters[0].HP.Current; hp != 10 {
				t.Errorf("the second answer hurts nobody, but Ren has %d hit points", hp)
			}
			if got := second.Answers(); !slices.Equal(got, []string{"turn_0002", "turn_0003"}) {
				t.Errorf("answers %v", got)
			}
			o, err = e.Do(t.Context(), "cave", turn.Choose{TurnID: "turn_0002"})
			if err != nil || o.Turn.Text != tc.one {
				t.Fatalf("chosen: %v %s", err, jsonOf(t, o))
			}
			if got := campaignOf(t, e); jsonOf(t, got.State) != jsonOf(t, first.State) {
				t.Errorf("not the state after it:\n%s", gocmp.Diff(jsonOf(t, first.State), jsonOf(t, got.State)))
			}
			turnOf(t, e, turn.Submit{Text: tc.line})
			want := fmt.Sprintf("turn_0001 1  < turn_0000: I wait. > …\nturn_0002 2  < turn_0001: %s > %s\nturn_0004 3  < turn_0002: %s > %s\n",
				tc.line, tc.one, tc.line, tc.next)
			c := campaignOf(t, e)
			if diff := gocmp.Diff(want, told(c)); diff != "" {
				t.Errorf("the story (-want +got):\n%s", diff)
			}
			if asked := askedText((*seen)[3]); strings.Contains(asked, tc.two) || !strings.Contains(asked, tc.one) {
				t.Errorf("the prompt has what was not chosen:\n%s", asked)
			}
			if _, err := e.Do(t.Context(), "cave", turn.Choose{TurnID: "turn_0003"}); !isRefused(err, state.UnknownAlternative, `"turn_0003" is no other answer to the line of turn_0004: those are ["turn_0004"]`) {
				t.Errorf("a submission accepts the chosen answer, but a choice among the old ones: %v", err)
			}
			if old, ok := c.Turn("turn_0003"); !ok || old.Text != tc.two {
				t.Errorf("the other answer cannot be read any more: %v", old)
			}
			rebuilt(t, e)
		})
	}
}

// requestText returns all text of a request.
func askedText(r question.Request) string {
	var b strings.Builder
	for _, m := range r.Messages {
		fmt.Fprintf(&b, "%s/%s %s: %s\n", m.Kind, m.Block, m.Message.Role, m.Message.Text)
	}
	return b.String()
}

// CA-42: instructions reach the model as data, after everything else, and are not stored.
func TestAlternativeInstructions(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Model: scripted("One.", "Two.", "Three.")}
	seen := observed(&cfg)
	e := newEngine(t, cfg)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	in := turn.Regenerate{Instructions: "Shorter, {{user}}. {{setvar::x::1}}", ClientTurnID: "r1", ExpectedHead: "turn_0001"}
	o, err := e.Do(t.Context(), "cave", in)
	if err != nil || o.Turn == nil || o.Turn.Instructions != in.Instructions {
		t.Fatalf("%v %s", err, jsonOf(t, o))
	}
	last := (*seen)[1].Messages
	if got := last[len(last)-1]; got.Message.Text != in.Instructions || got.Block != "control" {
		t.Errorf("the last message is %+v", got)
	}
	if again, err := e.Do(t.Context(), "cave", in); err != nil || !again.Replayed || again.Turn.ID != o.Turn.ID {
		t.Errorf("repeated: %v %s", err, jsonOf(t, again))
	}
	other := in
	other.Instructions = "Longer."
	if o, err := e.Do(t.Context(), "cave", other); err != nil || o.Reason != string(state.IdempotencyConflict) {
		t.Errorf("the same id for something else: %v %s", err, jsonOf(t, o))
	}
	other.ClientTurnID = "r2"
	if o, err := e.Do(t.Context(), "cave", other); err != nil || o.Reason != string(state.StaleHead) {
		t.Errorf("another head is expected: %v %s", err, jsonOf(t, o))
	}
	turnOf(t, e, turn.Submit{Text: "And then?"})
	if asked := askedText((*seen)[2]); strings.Contains(asked, "Shorter") {
		t.Errorf("the instructions are still there:\n%s", asked)
	}
	rebuilt(t, e)
}

// CA-42: a line that cannot be answered again is refused, and nothing changes.
func TestNoAlternatives(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("One.", "Two.")})
	if o, err := e.Do(t.Context(), "cave", turn.Regenerate{}); err != nil || o.Reason != string(state.NoHeadTurn) {
		t.Errorf("before the first turn: %v %s", err, jsonOf(t, o))
	}
	turnOf(t, e, turn.Submit{Text: "I wait."})
	before := jsonOf(t, campaignOf(t, e))
	for _, id := range []string{"", "turn_0000", "turn_0002"} {
		if _, err := e.Do(t.Context(), "cave", turn.Choose{TurnID: id}); !isRefused(err, state.UnknownAlternative, fmt.Sprintf("%q is no other answer to the line of turn_0001: those are [\"turn_0001\"]", id)) {
			t.Errorf("choosing %q: %v", id, err)
		}
	}
	if o, err := e.Do(t.Context(), "cave", turn.Choose{TurnID: "turn_0001"}); err != nil || filltest.Words(o) != "completed turn_0001 replayed" {
		t.Errorf("what is chosen already: %v %s", err, jsonOf(t, o))
	}
	if after := jsonOf(t, campaignOf(t, e)); after != before {
		t.Errorf("something has changed:\n%s", gocmp.Diff(before, after))
	}
}

// CA-42: a failure or a conflict of a new answer does not change the head and its state. A person's
// decision about the conflict makes the alternative.
func TestAlternativeConflict(t *testing.T) {
	t.Parallel()
	bad := "Ren loses 5 hit points."
	fails := llmtest.Text("")
	fails.Err = &llm.Error{Code: llm.CodeOverloaded}
	replies := []llmtest.Reply{llmtest.Text(wound("Ren loses 2 hit points.", 2)), llmtest.Text(bad), fails,
		llmtest.Text(bad), llmtest.Text(bad), llmtest.Text("Nothing happens.")}
	e := newEngine(t, campaign.Config{Model: llmtest.NewScripted(replies...)}, `{"settings": {"retry.max_retries": 0}}`)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	before := jsonOf(t, campaignOf(t, e).State)
	same := func(what string) {
		t.Helper()
		if c := campaignOf(t, e); jsonOf(t, c.State) != before {
			t.Errorf("%s has changed the state:\n%s", what, gocmp.Diff(before, jsonOf(t, c.State)))
		}
		rebuilt(t, e)
	}
	o, err := e.Do(t.Context(), "cave", turn.Regenerate{ClientTurnID: "r"})
	if err != nil || o.Status != turn.Conflict || o.Report.Ask == nil {
		t.Fatalf("%v %s", err, jsonOf(t, o))
	}
	same("a conflict")
	if o, err := e.Do(t.Context(), "cave", turn.Regenerate{}); err != nil || o.Status != turn.Failed {
		t.Fatalf("%v %s", err, jsonOf(t, o))
	}
	same("a failure")
	if o, _ := e.Do(t.Context(), "cave", turn.Regenerate{}); o.Status != turn.Conflict {
		t.Fatal(jsonOf(t, o))
	}
	if o := do(t, e, turn.ResolveConflict{Decision: state.DecideRetry}); o.Status != turn.Conflict {
		t.Fatal(jsonOf(t, o))
	}
	same("a second conflict")
	o = do(t, e, turn.ResolveConflict{Decision: state.DecideAccept})
	if o.Turn == nil || o.Turn.AlternativeOf != "turn_0001" || o.Turn.Text != bad {
		t.Fatalf("accepted: %s", jsonOf(t, o))
	}
	if hp := campaignOf(t, e).State.Characters[0].HP.Current; hp != 10 {
		t.Errorf("Ren has %d hit points", hp)
	}
	if _, err := e.Do(t.Context(), "cave", turn.Choose{TurnID: "turn_0001"}); err != nil {
		t.Error(err)
	}
	same("choosing back")
}

// CA-42, CA-38: a new answer does not get new dice, unless the setting allows it.
func TestAlternativesKeepRolls(t *testing.T) {
	t.Parallel()
	check := func(dc int) string {
		return output("", fmt.Sprintf(`{"tool": "check", "args": {"actor_id": "ren", "attribute": "strength", "dc": %d}}`, dc))
	}
	rolls := func(keep bool) (all []string) {
		var texts []string
		for range 6 {
			texts = append(texts, check(12), "You try.")
		}
		e := newEngine(t, campaign.Config{Model: scripted(append(texts, check(13), "You try.")...)},
			fmt.Sprintf(`{"allowlist": ["check"], "settings": {"alternatives.keep_rolls": %v, "alternatives.max": 3}}`, keep))
		o := turnOf(t, e, turn.Submit{Text: "I push."})
		for range 6 {
			all = append(all, o.Turn.Applied[0].Result.Get("roll").String())
			if len(all) == 3 {
				do(t, e, turn.Choose{TurnID: "turn_0001"}) // a choice in between does not get new dice either
			}
			var err error
			if o, err = e.Do(t.Context(), "cave", turn.Regenerate{}); err != nil || o.Turn == nil {
				t.Fatal(err, jsonOf(t, o))
			}
		}
		rebuilt(t, e)
		return append(all, o.Turn.Applied[0].Result.Get("roll").String()) // of a different check
	}
	kept, rolled := rolls(true), rolls(false)
	if n := len(slices.Compact(slices.Clone(kept[:6]))); n != 1 || kept[6] == kept[0] {
		t.Errorf("with the dice kept: %v", kept)
	}
	if n := len(slices.Compact(slices.Clone(rolled[:6]))); n == 1 {
		t.Errorf("with new dice: %v", rolled)
	}
}

// CA-42: as many answers are kept as the setting says; the oldest unchosen one is removed first.
func TestAlternativesAreBounded(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("1", "2", "3", "4", "5", "6")}, `{"settings": {"alternatives.max": 3, "rollback.max_checkpoints": 0}}`)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	for i := range 3 {
		if o, err := e.Do(t.Context(), "cave", turn.Regenerate{Swipe: i == 0}); err != nil || o.Turn == nil {
			t.Fatal(err, jsonOf(t, o))
		}
	}
	c := campaignOf(t, e)
	if got := c.Answers(); !slices.Equal(got, []string{"turn_0002", "turn_0003", "turn_0004"}) {
		t.Errorf("answers %v", got)
	}
	if len(c.Snapshots) != 3 { // the start, which is the state before the line, and two answers
		t.Errorf("%d states are kept", len(c.Snapshots))
	}
	do(t, e, turn.Choose{TurnID: "turn_0002"})
	if o, err := e.Do(t.Context(), "cave", turn.Regenerate{}); err != nil || o.Turn.AlternativeOf != "turn_0001" {
		t.Fatal(err, jsonOf(t, o))
	}
	if got := campaignOf(t, e).Answers(); !slices.Equal(got, []string{"turn_0003", "turn_0004", "turn_0005"}) {
		t.Errorf("answers %v", got)
	}
	turnOf(t, e, turn.Submit{Text: "On."})
	if c := campaignOf(t, e); len(c.Snapshots) != 2 || len(c.Answers()) != 1 {
		t.Errorf("after the next turn %d states are kept, answers %v", len(c.Snapshots), c.Answers())
	}
	rebuilt(t, e)
}

// CA-42, CA-31, CA-32: alternatives, rollbacks and branches.
func TestAlternativesAndRollback(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("1", "2", "2b", "2c", "3", "1b", "4")})
	turnOf(t, e, turn.Submit{Text: "One."})
	turnOf(t, e, turn.Submit{Text: "Two."})
	do(t, e, turn.MakeCheckpoint{Label: "camp"})
	do(t, e, turn.Regenerate{})
	do(t, e, turn.Regenerate{})
	before := campaignOf(t, e)
	if _, err := e.Do(t.Context(), "cave", turn.RollBack{To: "turn_0002"}); !isRefused(err, state.CheckpointNotFound, `no turn "turn_0002" on this branch`) {
		t.Errorf("the checkpoint of an answer that is not chosen: %v", err)
	}
	// Undoing the rollback leads to the choice again.
	if _, err := e.Do(t.Context(), "cave", turn.RollBack{To: "turn_0001"}); err != nil {
		t.Fatal(err)
	}
	if got := campaignOf(t, e).Answers(); !slices.Equal(got, []string{"turn_0001"}) {
		t.Errorf("after a rollback: %v", got)
	}
	if _, err := e.Do(t.Context(), "cave", turn.UndoRollBack{}); err != nil {
		t.Fatal(err)
	}
	c := campaignOf(t, e)
	if jsonOf(t, c.State) != jsonOf(t, before.State) || !slices.Equal(c.Answers(), []string{"turn_0002", "turn_0003", "turn_0004"}) {
		t.Errorf("undone: %v", c.Answers())
	}
	// A choice moves the labelled checkpoint too.
	do(t, e, turn.Choose{TurnID: "turn_0002"})
	if c := campaignOf(t, e); !slices.ContainsFunc(c.Checkpoints, func(cp state.Checkpoint) bool { return cp.Label == "camp" }) {
		t.Errorf("the camp is lost: %+v", c.Checkpoints)
	}
	turnOf(t, e, turn.Submit{Text: "Three."})
	// After a rollback to an old turn its line can be answered again, on a new branch.
	if _, err := e.Do(t.Context(), "cave", turn.RollBack{To: "turn_0001"}); err != nil {
		t.Fatal(err)
	}
	o := do(t, e, turn.Regenerate{})
	if o.Turn == nil || o.Turn.AlternativeOf != "turn_0001" || o.Turn.BranchID == "main" || o.Turn.UserInput != "One." {
		t.Fatal(jsonOf(t, o))
	}
	turnOf(t, e, turn.Submit{Text: "Four."})
	if got := told(campaignOf(t, e)); !strings.HasPrefix(got, "turn_0006 1 turn_0001 < turn_0000: One. > 1b\n") {
		t.Errorf("the story:\n%s", got)
	}
	do(t, e, turn.SwitchBranch{BranchID: "main"})
	if got := campaignOf(t, e); got.State.HeadTurnID != "turn_0005" {
		t.Errorf("the head of main is %s", got.State.HeadTurnID)
	}
	rebuilt(t, e)
}

// CA-42: changes by the host after an answer are part of the state of that answer.
func TestAlternativesKeepHandEdits(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("1", "2")})
	turnOf(t, e, turn.Submit{Text: "One."})
	do(t, e, turn.SetCharacter{CharacterID: "mei", Fields: value(t, `{"hp": {"current": 1, "max": 8}}`)})
	left := jsonOf(t, campaignOf(t, e).State)
	do(t, e, turn.Regenerate{})
	if hp := campaignOf(t, e).State.Characters[1].HP.Current; hp != 6 {
		t.Errorf("before the line Mei had 6 hit points, not %d", hp)
	}
	do(t, e, turn.Choose{TurnID: "turn_0001"})
	if got := jsonOf(t, campaignOf(t, e).State); got != left {
		t.Errorf("not as it was left:\n%s", gocmp.Diff(left, got))
	}
	rebuilt(t, e)
}

// CA-42: in random games with all instructions, each choice restores the last state of the answer,
// byte for byte. The log gives the same.
func TestAlternativesProperty(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	g := sagaGame(t)
	chosen := 0
	for seed := range uint64(6) {
		rnd := rand.New(rand.NewPCG(seed, 42))
		outputs := []string{
			wound("Ren loses 1 hit points.", 1), "The bell is silent. Mei looks at her purse.",
			output("", `{"tool": "check", "args": {"actor_id": "ren", "attribute": "strength", "dc": 12}}`),
			output("It rings.", `{"tool": "ring", "args": {"times": 1}}`), "Steps. _.add('purse', 1);//found",
		}
		model := llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
			return scripted(outputs[rnd.IntN(len(outputs))]).Generate(ctx, req)
		})
		e, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: model,
			Now: func() time.Time { return noon }, SnapshotEvery: 3})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Create(t.Context(), sagaSetup(t)); err != nil {
			t.Fatal(err)
		}
		do(t, e, turn.PatchSettings{Patch: setting.Snapshot{"conflict.mode": tree.Text("off"), "alternatives.max": tree.Int(4)}})
		left := map[string]string{}
		for n := range 25 {
			c := campaignOf(t, e)
			left[c.State.HeadTurnID] = jsonOf(t, c.State)
			answers := c.Answers()
			switch choice := rnd.IntN(8); {
			case choice < 2 || len(answers) == 0:
				if o := do(t, e, turn.Submit{Text: "The bell, the steps."}); o.Turn == nil {
					t.Logf("seed %d, %d: %s %s", seed, n, o.Status, o.Reason)
				}
			case choice < 5:
				do(t, e, turn.Regenerate{})
			default:
				id := answers[rnd.IntN(len(answers))]
				do(t, e, turn.Choose{TurnID: id})
				if chosen++; id == c.State.HeadTurnID {
					chosen--
				}
				if got := jsonOf(t, campaignOf(t, e).State); got != left[id] {
					t.Fatalf("seed %d: %s is not as it was left:\n%s", seed, id, gocmp.Diff(left[id], got))
				}
			}
		}
		rebuilt(t, e)
	}
	if chosen < 10 {
		t.Errorf("only %d choices were made", chosen)
	}
}

// CA-42, CA-26: the buttons for the newest turn and its answers do the same as the instructions
// with IDs: in memory, after a reload and in a replay. At the ends they are refused, and nothing
// changes.
func TestButtons(t *testing.T) {
	t.Parallel()
	hi := card.Card{Name: "Orin", FirstMes: "Hi.", AlternateGreetings: []string{"Ho."}}
	cfg := campaign.Config{Model: scripted("One.", "Two.", "Three.", "Four."), Game: compile(t, game.Content{People: game.People{Card: &hi}})}
	e := newEngine(t, cfg, `{"greeting_id": "0"}`)
	press := func(in turn.Input, want string) {
		t.Helper()
		before := jsonOf(t, campaignOf(t, e))
		_, err := e.Do(t.Context(), "cave", in)
		c := campaignOf(t, e)
		if refusal, ok := errors.AsType[*state.Refusal](err); ok {
			if string(refusal.Code) != want || jsonOf(t, c) != before {
				t.Errorf("%T: %v, want %s", in, err, want)
			}
			return
		}
		head, _ := c.Turn(c.State.HeadTurnID)
		if text := cmp.Or(head.Text, c.State.Greeting); err != nil || text != want {
			t.Errorf("%T: at %q, want %q, %v", in, text, want, err)
		}
		rebuilt(t, e)
	}
	press(turn.Undo{}, "no_head_turn")
	press(turn.PreviousAnswer{}, "unknown_alternative")
	press(turn.NextAnswer{}, "Ho.")
	press(turn.NextAnswer{}, "unknown_alternative")
	press(turn.PreviousAnswer{}, "Hi.")
	turnOf(t, e, turn.Submit{Text: "I wait."})
	press(turn.NextAnswer{}, "unknown_alternative")
	turnOf(t, e, turn.Submit{Text: "I wait on."})
	press(turn.Regenerate{}, "Three.")
	press(turn.NextAnswer{}, "unknown_alternative")
	press(turn.PreviousAnswer{}, "Two.")
	press(turn.PreviousAnswer{}, "unknown_alternative")
	press(turn.NextAnswer{}, "Three.")
	press(turn.Undo{}, "One.")
	press(turn.Undo{}, "Hi.")
	press(turn.Redo{}, "Three.")
	press(turn.Redo{}, "undo_not_allowed")
	press(turn.Undo{}, "One.")
	turnOf(t, e, turn.Submit{Text: "I go."})
	press(turn.Redo{}, "undo_not_allowed")
	e = newEngine(t, cfg) // a story without a greeting
	press(turn.PreviousAnswer{}, "unknown_alternative")
	press(turn.NextAnswer{}, "Hi.")
	press(turn.NextAnswer{}, "Ho.")
}

// TestGreetingsThatCannotBeChosen: the reason says why a greeting is not chosen. The present one is
// chosen already.
func TestGreetingsThatCannotBeChosen(t *testing.T) {
	t.Parallel()
	hi := game.Content{People: game.People{Card: &card.Card{Name: "Orin", FirstMes: "Hi.", AlternateGreetings: []string{"Ho."}}}}
	const late, own = "the greeting is chosen before the first turn",
		"the greeting is the host's own: set greeting_id in the setup to use the game's greetings"
	for _, c := range []struct {
		setup  string
		before turn.Input
		n      int
		want   string
	}{
		{`{"greeting_id": "0"}`, nil, 2, "the game has no greeting 2"},
		{`{"greeting_id": "0"}`, nil, -1, "the game has no greeting -1"},
		{`{"greeting_id": "0"}`, turn.Submit{Text: "I wait."}, 1, late},
		{`{"greeting": "Welcome."}`, nil, 1, own},
		{`{"greeting": "Welcome.", "greeting_id": "mine"}`, nil, 0, own},
	} {
		m := begin(t, hi, c.setup)
		if c.before != nil {
			play(t, m, c.before, "Dust falls.")
		}
		before := jsonOf(t, m.Campaign())
		wantRefusal(t, m.Step(turn.Choose{Greeting: &c.n}), state.UnknownAlternative, c.want)
		if jsonOf(t, m.Campaign()) != before {
			t.Errorf("%s: something changed", c.want)
		}
	}
	m := begin(t, hi, `{"greeting_id": "1"}`)
	if o := play(t, m, turn.Choose{Greeting: new(1)}); filltest.Words(o) != "completed replayed" || m.Campaign().Version != 1 {
		t.Errorf("the present greeting: %+v", o)
	}
}

// TestGreetingIsGone (EX-12): after a swap to content without the present greeting, the greetings of the
// new content can be chosen. What the old one wrote is removed, changes of the host stay, and the log
// replays.
func TestGreetingIsGone(t *testing.T) {
	t.Parallel()
	few := game.Content{People: game.People{Card: &card.Card{Name: "Orin", FirstMes: "Hi.", AlternateGreetings: []string{"Ho."}}}}
	many := few
	many.People.Card = &card.Card{Name: "Orin", FirstMes: "Hi.", AlternateGreetings: []string{"Ho.", "Hm.", "<% setvar('mood', 3) %>Hey."}}
	for name, in := range map[string]turn.Input{"a number": turn.Choose{Greeting: new(1)}, "the one before": turn.PreviousAnswer{}} {
		e := newEngine(t, campaign.Config{Game: compile(t, many), Model: scripted("Dust falls.")}, `{"greeting_id": "3"}`)
		if c := campaignOf(t, e); c.State.Greeting != "Hey." || !c.State.Variables.Root().Get("mood").Exists() {
			t.Fatalf("%+v", c.State)
		}
		set := func(path string) {
			do(t, e, turn.ApplyEffects{By: "editor", Effects: effect.List{effect.SetVariable{Path: path, Operation: effect.Set, Value: tree.Int(1)}}})
		}
		set("lamp")
		_, again := in.(turn.Choose)
		if again { // the old greeting was chosen again, after the change
			do(t, e, turn.Choose{Greeting: new(2)})
			do(t, e, turn.Choose{Greeting: new(3)})
		}
		set("rope")
		e.Swap(compile(t, few))
		do(t, e, in)
		if c := campaignOf(t, e); c.State.Greeting != "Ho." || c.State.GreetingID != "1" || c.State.Variables.Root().String() != `{"lamp":1,"rope":1}` ||
			c.State.BeforeGreeting != nil || c.State.AfterGreeting != nil {
			t.Errorf("%s: %q, %s", name, c.State.Greeting, c.State.Variables.Root())
		}
		if !again { // the new content cannot replay the choice of a greeting that it does not have
			rebuilt(t, e)
		}
	}
}

// TestRollBackToALabel: a rollback names a turn, or the newest checkpoint with a label.
func TestRollBackToALabel(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("One.", "Two.", "Three.")}, `{}`)
	turnOf(t, e, turn.Submit{Text: "One?"})
	do(t, e, turn.MakeCheckpoint{Label: "camp"})
	turnOf(t, e, turn.Submit{Text: "Two?"})
	do(t, e, turn.MakeCheckpoint{Label: "camp"})
	do(t, e, turn.MakeCheckpoint{Label: "turn_0001"}) // never hides the turn
	turnOf(t, e, turn.Submit{Text: "Three?"})
	for _, step := range []struct{ to, head string }{{"camp", "turn_0002"}, {"turn_0001", "turn_0001"}, {"start", "turn_0000"}} {
		do(t, e, turn.RollBack{To: step.to})
		if got := campaignOf(t, e); got.State.HeadTurnID != step.head || got.RollbackPending.ToTurnID != step.head {
			t.Errorf("a rollback to %s leads to %s, want %s", step.to, got.State.HeadTurnID, step.head)
		}
	}
	for _, to := range []string{"", "inn"} {
		if _, err := e.Do(t.Context(), "cave", turn.RollBack{To: to}); !isRefused(err, state.CheckpointNotFound, fmt.Sprintf("no turn %q on this branch", to)) {
			t.Errorf("a rollback to %q: %v", to, err)
		}
	}
	rebuilt(t, e)
}
