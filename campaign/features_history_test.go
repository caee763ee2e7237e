package campaign_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

func testAcceleration(t *testing.T) {
	cfg := campaign.Config{Model: scripted("One.", "Two.", "Three.", "Four.",
		output("You enter the Vault.", moveLock), "You enter the Vault.")}
	seen := observed(&cfg)
	e := newEngine(t, cfg, `{"milestone": {"advance_policy": {"type": "by_turn_count", "n": 1}},
		"settings": {"retry.max_retries": 1}}`)
	for range 4 {
		turnOf(t, e, turn.Submit{Text: "I wait."})
	}
	tiers := game.English().Acceleration
	for i, want := range []string{"", tiers[0], tiers[1], tiers[2]} {
		got := blocks((*seen)[i])["acceleration"]
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("turn %d is urged with %q, want %q", i+1, got, want)
		}
	}
	for value, want := range map[string]string{"0": "", "0.5": tiers[0], "2.5": tiers[1], "1e300": tiers[2]} { // above 0 is above 0
		m := begin(t, game.Content{}, `{"milestone": {"value": `+value+`}}`)
		step(t, m, turn.Submit{Text: "I wait."})
		if got := blocks(m.Todo().Generate.Request)["acceleration"]; (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("with a milestone of %s it is urged with %q, want %q", value, got, want)
		}
	}
	o := turnOf(t, e, turn.Submit{Text: "In!"})
	if o.Status != turn.Conflict || len(o.Attempts[0].FailedCalls) != 1 ||
		o.Attempts[0].FailedCalls[0].Reason != "area_locked" {
		t.Errorf("the urged model got in: %s", jsonOf(t, o))
	}
	if c := campaignOf(t, e); c.State.Milestone.Value != 4 || c.State.Characters[0].AreaID != "gate" {
		t.Errorf("milestone %v in %s", c.State.Milestone.Value, c.State.Characters[0].AreaID)
	}
}

func testCheckpoints(t *testing.T) {
	e := newEngine(t, campaign.Config{Model: scripted("One.", "Two.", "Three.")},
		`{"settings": {"rollback.max_checkpoints": 2}}`)
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	turnOf(t, e, turn.Submit{Text: "One", At: at(1)})
	do(t, e, turn.MakeCheckpoint{Label: "camp", At: at(2)})
	turnOf(t, e, turn.Submit{Text: "Two", At: at(3)})
	turnOf(t, e, turn.Submit{Text: "Three", At: at(4)})
	c := campaignOf(t, e)
	var got []string
	for _, cp := range c.Checkpoints {
		got = append(got, strings.TrimSpace(cp.TurnID+" "+cp.Timestamp.Format("15:04")+" "+cp.Label))
		if head := c.Snapshots[cp.SnapshotRef].HeadTurnID; head != cp.TurnID {
			t.Errorf("the snapshot of %s is at %q", cp.TurnID, head)
		}
	}
	want := []string{"turn_0000 12:00 start", "turn_0001 12:02 camp", "turn_0003 12:04"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("checkpoints (-want +got):\n%s", diff)
	}
	_, err := e.Do(t.Context(), "cave", turn.RollBack{To: "turn_0002"})
	if !isRefused(err, state.CheckpointNotFound, `the checkpoint of turn_0002 is gone: 2 are kept (rollback.max_checkpoints); a fork still reaches it, if it was played in this campaign`) {
		t.Errorf("an evicted checkpoint: %v", err)
	}
	do(t, e, turn.PatchSettings{Patch: setting.Snapshot{"rollback.max_checkpoints": tree.Int(0)}})
	_, err = e.Do(t.Context(), "cave", turn.RollBack{To: "turn_0001"})
	if !isRefused(err, state.RollbackUnavailable, "") {
		t.Errorf("with rollback switched off: %v", err)
	}
}

func testRollbackWindow(t *testing.T) {
	model := scripted("One.",
		output("You step into the Hall and lose 3 HP.", moveHall, hurt("ren", "-3")))
	model.Add(llmtest.Fail(&llm.Error{Code: llm.CodeOverloaded}))
	e := newEngine(t, campaign.Config{Model: model})
	turnOf(t, e, turn.Submit{Text: "One"})
	first := jsonOf(t, campaignOf(t, e).State)
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "Two"}), "completed turn_0002")
	second := jsonOf(t, campaignOf(t, e).State)
	back := func() {
		t.Helper()
		if _, err := e.Do(t.Context(), "cave", turn.RollBack{To: "turn_0001"}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, jsonOf(t, campaignOf(t, e).State)); diff != "" {
			t.Errorf("rolled back elsewhere (-want +got):\n%s", diff)
		}
	}
	back()
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: " "}), "refused empty_input") // not an instruction
	if _, err := e.Do(t.Context(), "cave", turn.UndoRollBack{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(second, jsonOf(t, campaignOf(t, e).State)); diff != "" {
		t.Errorf("undone elsewhere (-want +got):\n%s", diff)
	}
	back()
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "Go on"}), "failed overloaded") // but accepted
	if _, err := e.Do(t.Context(), "cave", turn.UndoRollBack{}); !isRefused(err, state.UndoNotAllowed, `no rollback is pending: a new instruction closes the window, and what was set aside is a branch then`) {
		t.Errorf("an undo after a new instruction: %v", err)
	}
}

func testBranches(t *testing.T) {
	e := newEngine(t, campaign.Config{Model: scripted("a", "b", "c", "B", "d", "x")})
	for range 3 {
		turnOf(t, e, turn.Submit{Text: "On."})
	}
	old := campaignOf(t, e)
	if n := len(old.Branches); n != 1 {
		t.Errorf("%d branches before the first rollback", n)
	}
	if _, err := e.Do(t.Context(), "cave", turn.RollBack{To: "turn_0001"}); err != nil {
		t.Fatal(err)
	}
	turnOf(t, e, turn.Submit{Text: "Elsewhere."})
	branch := campaignOf(t, e)
	if texts(branch.BranchTurns()) != "a B" || branch.BranchID == old.BranchID {
		t.Errorf("%s: %s", branch.BranchID, texts(branch.BranchTurns()))
	}
	if b := branch.Branches[branch.BranchID]; b.Parent != old.BranchID || b.ForkTurnID != "turn_0001" {
		t.Errorf("the branch is %s", jsonOf(t, b))
	}
	do(t, e, turn.SwitchBranch{BranchID: old.BranchID})
	again := campaignOf(t, e)
	if diff := cmp.Diff(jsonOf(t, old.State), jsonOf(t, again.State)); diff != "" {
		t.Errorf("the old branch is another one (-want +got):\n%s", diff)
	}
	// Both lines are plain values; the shared turns have the same IDs.
	shared := 0
	for i, turn := range again.BranchTurns() {
		if i < 2 && turn.ID == branch.BranchTurns()[i].ID {
			shared++
		}
	}
	if shared != 1 {
		t.Errorf("%d shared turns, want 1", shared)
	}
	turnOf(t, e, turn.Submit{Text: "On."})
	fork, err := e.Fork(t.Context(), "cave", "turn_0004", "fork") // of the inactive branch
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Turn(t.Context(), "fork", turn.Submit{Text: "On."}); err != nil {
		t.Fatal(err)
	}
	got := texts(fork.BranchTurns()) + "; " + texts(campaignOf(t, e).BranchTurns())
	if got != "a B; a b c d" {
		t.Errorf("fork and original are %s", got)
	}
}

func testMachineAlone(t *testing.T) {
	g := compile(t, game.Content{})
	start, err := turn.Begin(g, cave(t))
	if err != nil {
		t.Fatal(err)
	}
	log := []turn.Record{
		{Version: 1, Kind: "create", At: noon, Campaign: []byte(jsonOf(t, start))}}
	m := turn.NewMachine(g, start)
	if err := m.Step(turn.Replied{Text: "Boo!"}); !errors.Is(err, turn.ErrUnexpectedInput) {
		t.Errorf("an answer that nobody waits for: %v", err)
	}
	outputs := []string{"You step into the Hall.", output("You step into the Hall.", moveHall)}
	step(t, m, turn.Submit{Text: "I go.", At: noon})
	for m.Phase() != turn.Idle {
		// A workflow engine may lose the machine between any two steps.
		asked := describe(t, m)
		journal := decoded(t, m.Journal())
		m = turn.NewMachine(g, m.Campaign())
		step(t, m, journal...)
		if diff := cmp.Diff(asked, describe(t, m)); diff != "" {
			t.Fatalf("the journal leads elsewhere (-want +got):\n%s", diff)
		}
		if rec := m.Todo().Commit; rec != nil {
			log = append(log, *rec)
			step(t, m, turn.Committed{})
			continue
		}
		if m.Todo().Generate == nil {
			t.Fatalf("asked for %s", asked)
		}
		step(t, m, turn.Replied{Text: outputs[m.Todo().Generate.Attempt-1]})
	}
	wantOutcome(t, *m.Todo().Outcome, "completed turn_0001")
	rebuilt, err := campaign.Rebuild(g, logOf(t, log...))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(jsonOf(t, m.Campaign()), jsonOf(t, rebuilt)); diff != "" {
		t.Errorf("rebuilt another campaign (-want +got):\n%s", diff)
	}
	if area := m.Campaign().State.Characters[0].AreaID; area != "hall" {
		t.Errorf("ren is in %s", area)
	}
}

func testAudit(t *testing.T) {
	const walk = `{"id": "w", "tool": "move", "reason": "in",
		"args": {"actor_id": "ren", "to_area_id": "hall"}}`
	store := &campaign.MemoryStore{}
	model := scripted(output("You go.", moveLock), output("You go in.", walk))
	g := compile(t, game.Content{})
	e := newEngine(t, campaign.Config{Game: g, Store: store, Model: model})
	o := turnOf(t, e, turn.Submit{Text: "I go."})
	if o.Status != turn.Completed {
		t.Fatalf("outcome %s", jsonOf(t, o))
	}
	played := reopened(t, store).Turns[0]
	if len(played.Attempts) != 2 || played.Attempts[0].Output != output("You go.", moveLock) ||
		len(played.Attempts[0].FailedCalls) != 1 {
		t.Fatalf("attempts %s", jsonOf(t, played.Attempts))
	}
	if f := played.Attempts[0].FailedCalls[0]; f.Reason != "area_locked" || f.Message == "" {
		t.Errorf("refused because of %q: %q", f.Reason, f.Message)
	}
	if len(played.Applied) != 1 || played.Applied[0].ID != "w" || played.Applied[0].Reason != "in" ||
		played.Applied[0].Result.Get("path_id").String() != `"p1"` {
		t.Errorf("accepted %s", jsonOf(t, played.Applied))
	}
	if !slices.ContainsFunc(played.Trace.Prompt, func(p state.TracePrompt) bool {
		return strings.Contains(p.Key, "status") && p.Tokens > 0
	}) {
		t.Errorf("the trace of the prompt is %s", jsonOf(t, played.Trace.Prompt))
	}
	// The log has the inputs, so the messages of the machine can be read again.
	records := recordsOf(t, store, "cave", 0)
	past, err := campaign.Restore(campaign.Saved{Entries: entries(t, records[0])})
	if err != nil {
		t.Fatal(err)
	}
	m := turn.NewMachine(g, past)
	var told []string
	for _, in := range records[1].Inputs {
		step(t, m, in)
		if g := m.Todo().Generate; g != nil {
			told = append(told, jsonOf(t, g.Request.LLM().Messages))
		}
	}
	var want []string
	for _, r := range model.Requests() {
		want = append(want, jsonOf(t, r.Messages))
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("requests read from the log (-sent +read):\n%s", diff)
	}
}
