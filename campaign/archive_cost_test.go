package campaign_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
)

// rolledBack returns a campaign in which seven of eight turns were rolled back, and every turn was
// edited.
func rolledBack(t *testing.T, turns int, after func(*chronicle)) *chronicle {
	t.Helper()
	c := newChronicle(t, 1, game.Content{}, `{"settings": {"context.full_context_enabled": false, "conflict.mode": "off"}}`)
	for i := range turns {
		before := c.m.Campaign().State.HeadTurnID
		c.do(turn.Submit{Text: fmt.Sprintf("I wait, line %d.", i+1), At: noon}, "Dust falls.")
		head := c.m.Campaign().State.HeadTurnID
		c.do(turn.EditText{TurnID: head, Text: "Dust falls on " + head + ".", At: noon}, "")
		if i%8 > 0 {
			c.do(turn.RollBack{To: before, At: noon}, "")
		}
		after(c)
	}
	return c
}

// TestHeadDoesNotGrowByRollingBack (CA-51): after a thousand rollbacks and edits the head has the
// same size as after a hundred, and so does each record.
func TestHeadDoesNotGrowByRollingBack(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	const turns = 450
	early, late, record := 0, 0, 0
	c := rolledBack(t, turns, func(c *chronicle) {
		switch n := c.m.Campaign().TurnCounter; {
		case n%10 > 0:
			return
		case n > 250 && n <= 350: // the limits were reached
			early = max(early, len(jsonOf(t, c.m.Campaign())))
		case n > 350:
			late = max(late, len(jsonOf(t, c.m.Campaign())))
		}
		for _, rec := range c.log[max(0, len(c.log)-3):] {
			if !rec.Head.Exists() {
				record = max(record, len(jsonOf(t, rec)))
			}
		}
	})
	head := c.m.Campaign()
	t.Logf("heads of at most %d and %d bytes, records of at most %d; %d references, %d jumps and %d branches of %d held",
		early, late, record, len(head.Archive.Pages), len(head.Jumps), len(head.Branches), head.Archive.Branches)
	if late*10 > early*11 || record > 64<<10 {
		t.Errorf("heads of %d bytes become %d, records %d", early, late, record)
	}
	if head.Archive.Jumps == 0 || head.Archive.Branches < turns/2 || len(head.Branches) > 16 || head.Archive.Pages[0].Pages == 0 &&
		len(head.Archive.Pages) > 64 {
		t.Errorf("the archive is %+v: the test shows little", head.Archive)
	}
	c.reload()
	c.check()
	c.playOn()
}

// playOn does everything that needs archived data, in a process that has just loaded the head.
func (c *chronicle) playOn() {
	t := c.t
	t.Helper()
	store := &campaign.MemoryStore{}
	for _, entry := range entries(t, c.log...) {
		if err := store.Append(t.Context(), "cave", entry, nil); err != nil {
			t.Fatal(err)
		}
	}
	cfg := campaign.Config{Game: c.game, Store: store, Model: replying("Dust falls.")}
	e := fresh(t, cfg)
	// The parents of the turns are the oracle.
	parents := map[string]string{}
	for _, rec := range c.log {
		if rec.Turn != nil {
			parents[rec.Turn.ID] = rec.Turn.ParentID
		}
	}
	line := func(head string) (out []string) {
		for ; head != state.StartTurnID; head = parents[head] {
			out = append(out, head)
		}
		return out
	}
	wantPage := func(page state.HistoryPage, head string) {
		t.Helper()
		var got []string
		for _, one := range pageOf(t, fresh(t, cfg), page) {
			if got = append(got, one.ID); one.Text != "Dust falls on "+one.ID+"." && one.ID <= state.TurnID(len(parents)) {
				t.Errorf("%s reads %q", one.ID, one.Text)
			}
		}
		if want := line(head); !slices.Equal(got, want) {
			t.Errorf("page %+v\nhas   %v\nwants %v", page, got, want)
		}
	}
	head := c.m.Campaign().State.HeadTurnID
	wantPage(state.HistoryPage{}, head)
	old := "branch_7"
	if _, held := c.m.Campaign().Branches[old]; held {
		t.Fatalf("%s is held: the test shows little", old)
	}
	o, err := e.Do(t.Context(), "cave", turn.SwitchBranch{BranchID: old})
	if err != nil || o.Status != turn.Completed {
		t.Fatalf("%+v, %v", o, err)
	}
	there := campaignOf(t, e)
	wantPage(state.HistoryPage{Branch: old}, there.State.HeadTurnID)
	if there.BranchID != old || there.State.HeadTurnID == head || parents[there.State.HeadTurnID] == "" {
		t.Errorf("at %s on %s", there.State.HeadTurnID, there.BranchID)
	}
	played := turnOf(t, e, turn.Submit{Text: "I go on."}).Turn
	if played.ParentID != there.State.HeadTurnID || played.Index != there.State.TurnCount+1 {
		t.Errorf("it goes on behind %s at %d", played.ParentID, played.Index)
	}
	do(t, fresh(t, cfg), turn.SwitchBranch{BranchID: "main"})
	do(t, fresh(t, cfg), turn.SwitchBranch{BranchID: old})
	if id := campaignOf(t, e).State.HeadTurnID; id != played.ID {
		t.Errorf("back on the branch it stands at %s, not at %s", id, played.ID)
	}
	_, err = fresh(t, cfg).Do(t.Context(), "cave", turn.SwitchBranch{BranchID: "branch_99999"})
	wantRefusal(t, err, state.BranchNotFound, `no branch "branch_99999": Engine.Branches lists them`)
	_, err = fresh(t, cfg).Do(t.Context(), "cave", turn.RollBack{To: "turn_0002"})
	wantRefusal(t, err, state.CheckpointNotFound, `no turn "turn_0002" on this branch`)
	for _, err := range e.History(t.Context(), "cave", state.HistoryPage{Branch: "branch_99999"}) {
		if refusal := new(state.Refusal); !errors.As(err, &refusal) {
			t.Errorf("a page of no branch: %v", err)
		}
	}
	between, err := e.Compare(t.Context(), "cave", state.HistorySpan{A: "turn_0100", B: "turn_0400"})
	x, y := line("turn_0100"), line("turn_0400")
	slices.Reverse(x)
	slices.Reverse(y)
	shared := 0
	for shared < min(len(x), len(y)) && x[shared] == y[shared] {
		shared++
	}
	if err != nil || between.Ancestor != x[shared-1] || !slices.Equal(between.A, x[shared:]) || !slices.Equal(between.B, y[shared:]) {
		t.Errorf("between them is %s: %v | %v, want %s, %v", between.Ancestor, between.A, between.B, x[shared-1], err)
	}
	fork, err := e.Fork(t.Context(), "cave", "turn_0400", "fork")
	if err != nil || fork.LacksJumps() || fork.Archive.Pages != nil {
		t.Fatalf("the fork is %+v, %v", fork.Archive, err)
	}
	if _, err := fresh(t, cfg).Turn(t.Context(), "fork", turn.Submit{Text: "I go on."}); err != nil {
		t.Error(err)
	}
	for one, err := range e.History(t.Context(), "fork", state.HistoryPage{Limit: 3}) {
		if err != nil || !strings.Contains(one.Text, "Dust falls") {
			t.Errorf("%s reads %q, %v", one.ID, one.Text, err)
		}
	}
	for _, id := range []string{"cave", "fork"} {
		if _, err := fresh(t, cfg).Rebuild(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
}

// TestOldConflictsAreKnown (CA-34, CA-51): every process knows the outcome of a submission that led
// to a conflict, however many came after it. The head does not grow with them.
func TestOldConflictsAreKnown(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	const conflicts = 40
	model := replying("You lose 4 HP.")
	cfg := campaign.Config{Game: compile(t, game.Content{}), Store: &campaign.MemoryStore{}, Model: model}
	e := newEngine(t, cfg, `{"settings": {"retry.max_retries": 0}}`)
	line := func(n int) turn.Submit {
		return turn.Submit{Text: fmt.Sprintf("I fall, time %d.", n), ClientTurnID: fmt.Sprint("c", n)}
	}
	size := 0
	for n := range conflicts {
		wantOutcome(t, turnOf(t, e, line(n)), "conflict")
		if n == 2*8 {
			size = len(jsonOf(t, campaignOf(t, e)))
		}
	}
	c := campaignOf(t, e)
	if now := len(jsonOf(t, c)); len(c.Conflicts) > 8 || now > size+size/2 {
		t.Errorf("%d conflicts are held in %d bytes, %d after %d", len(c.Conflicts), now, size, 2*8)
	}
	other := fresh(t, cfg)
	for _, e := range []*campaign.Engine{e, other} {
		for _, n := range []int{0, 1, 17, conflicts - 1} {
			o := turnOf(t, e, line(n))
			if wantOutcome(t, o, "conflict replayed"); o.Report == nil || o.Report.UserInput != line(n).Text {
				t.Errorf("conflict %d: %+v", n, o.Report)
			}
			wantOutcome(t, turnOf(t, e, turn.Submit{Text: "Another line.", ClientTurnID: fmt.Sprint("c", n)}), "refused idempotency_conflict")
		}
	}
	if now := campaignOf(t, other); now.Version != c.Version {
		t.Errorf("version %d has become %d", c.Version, now.Version)
	}
	wantOutcome(t, turnOf(t, other, turn.Submit{Text: "I fall.", ClientTurnID: "new"}), "conflict")
	if _, err := other.Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}
}
