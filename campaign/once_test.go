package campaign_test

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// repeatable is an instruction that runs after others.
type repeatable struct {
	settings string
	replies  []string // of the model, before answers without calls
	before   []turn.Input
	in       func(e *campaign.Engine) turn.Input // nil: the fields of with
	with     turn.Input
}

// repeatables returns an instruction of each type.
func repeatables(t *testing.T) map[string]repeatable {
	say := func(text string) turn.Input { return turn.Submit{ActorID: "ren", Text: text} }
	two := []turn.Input{say("One"), say("Two")}
	after := func(more ...turn.Input) []turn.Input { return append(two[:2:2], more...) }
	bat := output("You lose 1 hit point.", `{"tool": "hp_delta", "args": {"target_character_id": "ren", "delta": -1, "cause": "bat"}}`)
	ask := `{"settings": {"tools.approval": "all"}}`
	return map[string]repeatable{
		"submit":  {with: say("Again")},
		"proceed": {with: turn.Proceed{}},
		"resolve_conflict": {settings: `{"settings": {"retry.max_retries": 0}}`, replies: []string{output("", `{"tool": "fly"}`)}, before: two[:1],
			with: turn.ResolveConflict{Decision: state.DecideOverride, Text: "Dust falls."}},
		"approve": {settings: ask, replies: []string{bat}, before: two[:1],
			in: func(e *campaign.Engine) turn.Input { return answer(t, e, state.Approve, "") }},
		"discard":           {settings: ask, replies: []string{bat}, before: two[:1], with: turn.Discard{}},
		"regenerate":        {before: two, with: turn.Regenerate{}},
		"choose":            {before: after(turn.Regenerate{}), with: turn.Choose{TurnID: "turn_0002"}},
		"next_answer":       {before: after(turn.Regenerate{}, turn.PreviousAnswer{}), with: turn.NextAnswer{}},
		"previous_answer":   {before: after(turn.Regenerate{}, turn.Regenerate{}), with: turn.PreviousAnswer{}},
		"continue":          {before: two, with: turn.Continue{}},
		"edit_text":         {before: two, with: turn.EditText{TurnID: "turn_0002", Text: "Fog."}},
		"suggest":           {with: turn.Suggest{}},
		"announce":          {with: turn.Announce{Event: "campaign.opened"}},
		"raise_events":      {with: turn.RaiseEvents{Events: []rules.Event{event.New("spatial:interact")}}},
		"pass_time":         {with: turn.PassTime{Elapsed: 3}},
		"travel":            {with: turn.Travel{Do: rules.SpatialEnter, SceneID: "town", X: 1, Y: 1}},
		"summarized":        {before: two, with: turn.Summarized{Summary: state.Summary{Text: "They went in."}}},
		"patch_settings":    {with: turn.PatchSettings{Patch: setting.Snapshot{"retry.max_retries": tree.Int(1)}}},
		"select_actor":      {with: turn.SelectActor{ActorID: "mei"}},
		"set_character":     {with: turn.SetCharacter{CharacterID: "ren", Fields: tree.Object(tree.Member{Key: "name", Value: tree.Text("Renn")})}},
		"set_party":         {with: turn.SetParty{Members: []string{"ren"}}},
		"set_world":         {with: turn.SetWorld{Title: new("The Roof")}},
		"apply_effects":     {with: turn.ApplyEffects{Effects: effect.List{effect.ChangeHP{CharacterID: "ren", Delta: -1}}}},
		"set_tools":         {with: turn.SetTools{Allowlist: []string{}}},
		"set_locks":         {with: turn.SetLocks{Movement: &state.MapLock{Locked: true}}},
		"set_timer":         {with: turn.SetTimer{Do: rules.TimerStart, TimerID: "bell", Duration: 10}},
		"advance_milestone": {with: turn.AdvanceMilestone{}},
		"end_campaign":      {with: turn.EndCampaign{Reason: state.GoalAchieved}},
		"checkpoint":        {with: turn.MakeCheckpoint{Label: "here"}},
		"rollback":          {before: two, with: turn.RollBack{To: "turn_0001"}},
		"undo_rollback":     {before: after(turn.RollBack{To: "turn_0001"}), with: turn.UndoRollBack{}},
		"undo":              {before: two, with: turn.Undo{}},
		"redo":              {before: after(turn.Undo{}), with: turn.Redo{}},
		"switch_branch":     {before: after(turn.RollBack{To: "turn_0001"}, say("Three")), with: turn.SwitchBranch{BranchID: "main"}},
	}
}

// TestOnceOfEveryInstruction: an instruction of any type is sent again with its ID: at the same
// time, later, or to a second process. It runs once and has the first outcome (CA-34).
func TestOnceOfEveryInstruction(t *testing.T) {
	t.Parallel()
	all := repeatables(t)
	for name := range everyInstruction(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, ok := all[name]
			if !ok {
				t.Fatal("no instruction of the type is tested")
			}
			replies := []llmtest.Reply{}
			for _, text := range c.replies {
				replies = append(replies, llmtest.Text(text))
			}
			for i := range 8 {
				replies = append(replies, llmtest.Text(fmt.Sprintf("Dust falls on stone %d.", i)))
			}
			cfg := campaign.Config{Game: compile(t, wired(t)), Store: &campaign.MemoryStore{}, Model: llmtest.NewScripted(replies...)}
			e := newEngine(t, cfg, c.settings)
			for _, in := range c.before {
				do(t, e, in)
			}
			in := c.with
			if c.in != nil {
				in = c.in(e)
			}
			once, before := turn.Once{ID: "k1", Input: in}, campaignOf(t, e).Version
			wantWireOf(t, once)
			list := []*submission{besideTurn(t.Context(), e, once), besideTurn(t.Context(), e, once)}
			var first turn.Outcome
			times := 0
			for _, s := range list {
				<-s.done
				err := cmp.Or(s.err, s.outcome.Err())
				switch {
				case (err == nil || s.outcome.Status == turn.Discarded) && !s.outcome.Replayed:
					first = s.outcome
					times++
				case err != nil && !isRefused(err, state.InProgress, ""):
					t.Errorf("%v", err)
				}
			}
			after := campaignOf(t, e).Version
			if after == before {
				if name != "announce" && name != "suggest" { // without hooks for the announcement
					t.Fatalf("it changes nothing, %v", jsonOf(t, first))
				}
				return
			}
			if times != 1 {
				t.Errorf("it was carried out %d times", times)
			}
			for who, engine := range map[string]*campaign.Engine{"the same process": e, "another process": fresh(t, cfg)} {
				o := do(t, engine, turn.Once{ID: "k1", Input: turn.Stamp(in, noon.AddDate(1, 0, 0))})
				if !o.Replayed || !sameOutcome(o, first) {
					t.Errorf("%s: %s, first %s", who, jsonOf(t, o), jsonOf(t, first))
				}
				other, err := engine.Do(t.Context(), "cave", turn.Once{ID: "k1", Input: differs(in)})
				if err = cmp.Or(err, other.Err()); !isRefused(err, state.IdempotencyConflict, "") {
					if _, asks := turn.NeedsModel(in); asks == isAsking(differs(in)) {
						t.Errorf("%s, another instruction: %v", who, err)
					}
				}
			}
			if now := campaignOf(t, e).Version; now != after {
				t.Errorf("version %d, want %d", now, after)
			}
			rebuilt(t, e)
		})
	}
}

func isAsking(in turn.Input) bool { _, asks := turn.NeedsModel(in); return asks }

// differs returns a different instruction of the same class: both ask the model, or both do not.
func differs(in turn.Input) turn.Input {
	if isAsking(in) {
		return turn.Submit{ActorID: "ren", Text: "Something else."}
	}
	return turn.MakeCheckpoint{Label: "elsewhere"}
}

// sameOutcome compares the stored parts of an outcome.
func sameOutcome(a, b turn.Outcome) bool {
	turnID := func(o turn.Outcome) string {
		if o.Turn == nil {
			return ""
		}
		return o.Turn.ID + o.Turn.Text
	}
	return a.Status == cmp.Or(b.Status, turn.Completed) && turnID(a) == turnID(b) && strings.Join(a.Changed, " ") == strings.Join(b.Changed, " ")
}

// wantWireOf checks that the JSON form has the ID, and restores it.
func wantWireOf(t *testing.T, in turn.Once) {
	t.Helper()
	data, err := turn.MarshalInstruction(in)
	if err != nil || !strings.Contains(string(data), `"once":"k1"`) {
		t.Fatalf("%s, %v", data, err)
	}
	back, err := turn.ParseInstruction(data)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := turn.MarshalInstruction(back); err != nil || string(again) != string(data) {
		t.Errorf("%s comes back as %s, %v", data, again, err)
	}
}

// TestOnceWhileATurnRuns: while a turn runs, a finished instruction is known, a running one is in
// progress, and in queue mode a new one waits (CA-34, CA-35).
func TestOnceWhileATurnRuns(t *testing.T) {
	t.Parallel()
	gate := llmtest.NewGate()
	held := llmtest.Text("first")
	held.Gate = gate
	e := newEngine(t, campaign.Config{Model: llmtest.NewScripted(held)}, queueing)
	checkpoint := func(label string) turn.Once { return turn.Once{ID: label, Input: turn.MakeCheckpoint{Label: label}} }
	do(t, e, checkpoint("a"))
	first := submitBeside(t.Context(), e, turn.Submit{Text: "One", ClientTurnID: "b"})
	<-gate.Reached()
	wantOutcome(t, do(t, e, checkpoint("a")), "completed replayed")
	wantOutcome(t, do(t, e, turn.Once{ID: "b", Input: turn.Submit{Text: "One"}}), "refused in_progress")
	line := e.Waiting("cave")
	var waiting []*submission
	for range 2 {
		s := besideTurn(t.Context(), e, checkpoint("b")) // an ID other than the line's
		e.AwaitQueue("cave", line, s.done)
		line, waiting = e.Waiting("cave"), append(waiting, s)
	}
	gate.Open()
	<-first.done
	wantOutcome(t, first.outcome, "completed turn_0001")
	for i, want := range []string{"completed", "completed replayed"} {
		<-waiting[i].done
		wantOutcome(t, waiting[i].outcome, want)
	}
}

// TestOnceKeepsTheLastIDs: the campaign keeps a limited number of IDs, the newest ones.
func TestOnceKeepsTheLastIDs(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted()})
	for i := range 64 + 1 {
		do(t, e, turn.Once{ID: fmt.Sprint("k", i), Input: turn.AdvanceMilestone{}})
	}
	for id, want := range map[string]bool{"k0": false, "k1": true, fmt.Sprint("k", 64): true} {
		if _, known := campaignOf(t, e).Once[id]; known != want {
			t.Errorf("%s is known: %v", id, known)
		}
	}
	rebuilt(t, e)
}

// TestOnceThatIsNoInstruction: an input that cannot be wrapped in a Once is an error, and changes
// nothing.
func TestOnceThatIsNoInstruction(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted()})
	for _, c := range []struct {
		in   turn.Input
		want string
	}{
		{turn.Once{ID: "k"}, `invalid input: none`},
		{turn.Once{ID: "k", Input: (*turn.Undo)(nil)}, `invalid input: none`},
		{turn.Once{ID: "k", Input: turn.Committed{}}, `turn.Committed is not an instruction`},
		{turn.Once{ID: "k", Input: turn.Once{ID: "l", Input: turn.Undo{}}}, `turn.Once is not an instruction`},
		{turn.Once{ID: "k", Input: turn.Submit{Text: "I wait.", ClientTurnID: "l"}}, `the id is "k", and client_turn_id is "l"`},
		{turn.Once{ID: strings.Repeat("k", 257), Input: turn.AdvanceMilestone{}}, `the id has 257 bytes, at most 256 are allowed`},
	} {
		if _, err := e.Do(context.Background(), "cave", c.in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.in, err, c.want)
		}
	}
	do(t, e, turn.Once{Input: turn.AdvanceMilestone{}})
	do(t, e, &turn.Once{ID: "\xff", Input: &turn.AdvanceMilestone{}})
	wantOutcome(t, do(t, e, turn.Once{ID: "\ufffd", Input: turn.AdvanceMilestone{}}), "completed replayed")
	if c := campaignOf(t, e); c.Version != 3 || len(c.Once) != 1 {
		t.Errorf("version %d, %v", c.Version, c.Once)
	}
}

// TestOnceThatEndsOpen: an answer to a question of approval leads to a second question, or to a
// conflict. Sent again, it has the same outcome, and the campaign does not change (CA-34, CA-41).
func TestOnceThatEndsOpen(t *testing.T) {
	t.Parallel()
	bat := output("You lose 1 hit point.", hurt("ren", "-1"))
	for _, c := range []struct{ second, want string }{
		{bat, "awaiting_approval"}, {output("You enter the vault.", moveLock), "conflict"},
	} {
		cfg := campaign.Config{Game: compile(t, game.Content{}), Store: &campaign.MemoryStore{}, Model: scripted(bat, c.second)}
		e := newEngine(t, cfg, `{"settings": {"tools.approval": "all", "retry.max_retries": 0}}`)
		wantOutcome(t, turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I go on."}), "awaiting_approval")
		once := turn.Once{ID: "k1", Input: answer(t, e, state.Deny, "no bats")}
		first := do(t, e, once)
		wantOutcome(t, first, c.want)
		before := jsonOf(t, campaignOf(t, e))
		for _, e := range []*campaign.Engine{e, fresh(t, cfg)} {
			o := do(t, e, once)
			wantOutcome(t, o, c.want+" replayed")
			if jsonOf(t, o.Approval) != jsonOf(t, first.Approval) || jsonOf(t, o.Report) != jsonOf(t, first.Report) || jsonOf(t, o.Audience) != jsonOf(t, first.Audience) {
				t.Errorf("%s: %s, first %s", c.want, jsonOf(t, o), jsonOf(t, first))
			}
			if (o.Approval == nil) == (o.Report == nil) {
				t.Errorf("%s: %s", c.want, jsonOf(t, o))
			}
			if jsonOf(t, campaignOf(t, e)) != before {
				t.Errorf("%s: the campaign changed", c.want)
			}
		}
		rebuilt(t, e)
	}
}

// TestOnceOfLongAgo: the turn of a repeated instruction is read from the log if the head does not
// hold it (CA-34, CA-51).
func TestOnceOfLongAgo(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Game: compile(t, game.Content{}), Store: &campaign.MemoryStore{}, Model: replying("Dust falls.")}
	e := newEngine(t, cfg, `{"settings": {"context.full_context_enabled": false}}`)
	turnOf(t, e, turn.Submit{Text: "I look.", ActorID: "ren", Audience: []string{"ren"}})
	do(t, e, turn.Regenerate{})
	once := turn.Once{ID: "k1", Input: turn.PreviousAnswer{}}
	first := do(t, e, once)
	wantOutcome(t, first, "completed turn_0001")
	for i := range 80 {
		turnOf(t, e, turn.Submit{Text: fmt.Sprint("I wait ", i)})
	}
	for _, e := range []*campaign.Engine{e, fresh(t, cfg)} {
		if _, held := campaignOf(t, e).Turn("turn_0001"); held {
			t.Fatal("the head holds the turn")
		}
		o := do(t, e, once)
		wantOutcome(t, o, "completed turn_0001 replayed")
		if jsonOf(t, o.Audience) != `["ren"]` {
			t.Errorf("it is for %v", o.Audience)
		}
	}
}

// TestMachineKnowsWhatItDid: a machine without an engine does not repeat an instruction either
// (CA-34, CA-46).
func TestMachineKnowsWhatItDid(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{})
	once := turn.Once{ID: "k1", Input: turn.MakeCheckpoint{Label: "here", At: noon}}
	wantOutcome(t, play(t, m, once), "completed")
	version := m.Campaign().Version
	wantOutcome(t, play(t, m, once), "completed replayed")
	if err := m.Step(turn.Once{ID: "k1", Input: turn.MakeCheckpoint{Label: "there", At: noon}}); !isRefused(err, state.IdempotencyConflict, "") {
		t.Errorf("a different instruction: %v", err)
	}
	if m.Phase() != turn.Idle || m.Campaign().Version != version {
		t.Errorf("%s at version %d, want %d", m.Phase(), m.Campaign().Version, version)
	}
	wantOutcome(t, play(t, m, turn.Once{ID: "k2", Input: turn.MakeCheckpoint{Label: "there", At: noon}}), "completed")
}

// TestOnceBesideItself: while an instruction with an ID runs, the same instruction is in progress,
// and a different one with the ID is a conflict (CA-34, CA-35).
func TestOnceBesideItself(t *testing.T) {
	t.Parallel()
	gate := llmtest.NewGate()
	held := llmtest.Text("A bat flies by.")
	held.Gate = gate
	e := newEngine(t, campaign.Config{Model: llmtest.NewScripted(llmtest.Text(output("You lose 1 hit point.", hurt("ren", "-1"))), held)},
		`{"settings": {"tools.approval": "all"}}`)
	wantOutcome(t, turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I go on."}), "awaiting_approval")
	deny := func(why string) turn.Once { return turn.Once{ID: "k1", Input: answer(t, e, state.Deny, why)} }
	once, other := deny("no bats"), deny("no wounds")
	first := besideTurn(t.Context(), e, once)
	<-gate.Reached()
	for _, c := range []struct {
		in   turn.Once
		want state.RefusalCode
	}{{once, state.InProgress}, {other, state.IdempotencyConflict}} {
		o, err := e.Do(t.Context(), "cave", c.in)
		if err = cmp.Or(err, o.Err()); !isRefused(err, c.want, "") {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	gate.Open()
	<-first.done
	wantOutcome(t, first.outcome, "completed turn_0001")
}
