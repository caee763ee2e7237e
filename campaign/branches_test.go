package campaign_test

import (
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
)

// listBranches lists a page.
func listBranches(t *testing.T, e *campaign.Engine, page state.HistoryBranches) (list []state.HistoryBranch) {
	t.Helper()
	for b, err := range e.Branches(t.Context(), "cave", page) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, b)
	}
	return list
}

func idsOf(list []state.HistoryBranch) (ids []string) {
	for _, b := range list {
		ids = append(ids, b.ID)
	}
	return ids
}

// TestBranchesAreListed (CA-32, CA-51): all branches can be listed, including archived ones, each
// once and in its present form, in pages of any size. Each can be shown, compared with the present
// one and resumed.
func TestBranchesAreListed(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	store := &campaign.MemoryStore{}
	c := rolledBack(t, 160, func(*chronicle) {})
	for _, entry := range entries(t, c.log...) {
		if err := store.Append(t.Context(), "cave", entry, nil); err != nil {
			t.Fatal(err)
		}
	}
	e, err := campaign.New(campaign.Config{Store: store, Model: replying("Dust falls."), Game: compile(t, game.Content{})})
	if err != nil {
		t.Fatal(err)
	}
	turnOf(t, e, turn.Submit{Text: "I wait."}) // the campaign is loaded
	head := campaignOf(t, e)
	all := listBranches(t, e, state.HistoryBranches{})
	if n := head.Archive.Branches; n <= len(head.Branches) || len(all) != n || len(slices.Compact(slices.Sorted(slices.Values(idsOf(all))))) != n {
		t.Fatalf("%d branches of %d are listed, %d are held", len(all), n, len(head.Branches))
	}
	if first := all[0]; !first.Present || first.ID != head.BranchID || first.HeadTurnID != head.State.HeadTurnID {
		t.Errorf("the first is %+v", first)
	}
	for _, size := range []int{7, 64} {
		var got []string
		for page := (state.HistoryBranches{Limit: size}); ; {
			list := idsOf(listBranches(t, e, page))
			if got = append(got, list...); len(list) < size {
				break
			}
			page.After = list[len(list)-1]
		}
		if !slices.Equal(got, idsOf(all)) {
			t.Errorf("by pages of %d: %v, want %v", size, got, idsOf(all))
		}
	}
	oldest := all[len(all)-1]
	if got := shownOf(t, e, "cave", state.HistoryPage{Branch: oldest.ID, Limit: 1}); len(got) != 1 || got[0][:9] != oldest.HeadTurnID {
		t.Errorf("branch %s at %s shows %q", oldest.ID, oldest.HeadTurnID, got)
	}
	if _, err := e.Compare(t.Context(), "cave", state.HistorySpan{A: oldest.HeadTurnID, B: head.State.HeadTurnID}); err != nil {
		t.Errorf("compared with %s: %v", oldest.HeadTurnID, err)
	}
	if _, err := e.Do(t.Context(), "cave", turn.SwitchBranch{BranchID: oldest.ID}); err != nil {
		t.Fatal(err)
	}
	now := listBranches(t, e, state.HistoryBranches{})
	if len(now) != len(all) || now[0].ID != oldest.ID || !now[0].Present || now[1].Present {
		t.Errorf("back on %s it lists %d: %+v", oldest.ID, len(now), now[:2])
	}
	for _, err := range e.Branches(t.Context(), "cave", state.HistoryBranches{After: "branch_9999"}) {
		if !isRefused(err, state.BranchNotFound, `no branch "branch_9999": Engine.Branches lists them`) {
			t.Errorf("behind no branch: %v", err)
		}
	}
	read := 0
	for range e.Branches(t.Context(), "cave", state.HistoryBranches{Limit: 3}) {
		read++
	}
	if read != 3 {
		t.Errorf("%d branches on a page of 3", read)
	}
	for range e.Branches(t.Context(), "cave", state.HistoryBranches{}) {
		break // it yields nothing more
	}
}

// TestPagesOfBranchesCostWhatIsBefore: a page of the list reads the pages of the log with its own
// branches and those before it. A list without a limit reads each of them once.
func TestPagesOfBranchesCostWhatIsBefore(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	sound := &campaign.MemoryStore{}
	c := rolledBack(t, 160, func(*chronicle) {})
	for _, entry := range entries(t, c.log...) {
		if err := sound.Append(t.Context(), "cave", entry, nil); err != nil {
			t.Fatal(err)
		}
	}
	store := &countingStore{MemoryStore: sound}
	e, err := campaign.New(campaign.Config{Store: store, Model: replying("Dust falls."), Game: compile(t, game.Content{})})
	if err != nil {
		t.Fatal(err)
	}
	turnOf(t, e, turn.Submit{Text: "I wait."}) // the campaign is loaded
	reads := func(page state.HistoryBranches) (int, []state.HistoryBranch) {
		store.read = 0
		list := listBranches(t, e, page)
		return store.read, list
	}
	all, list := reads(state.HistoryBranches{})
	pages := 0
	for _, r := range campaignOf(t, e).Archive.Pages {
		pages += max(1, r.Pages)
		if r.Pages > 0 {
			pages++ // the page with the references
		}
	}
	if all > pages || all < 2 {
		t.Errorf("%d records were read for all of %d pages", all, pages)
	}
	before := 0
	for at := 0; at+8 < len(list); at += 8 {
		n, got := reads(state.HistoryBranches{After: list[at].ID, Limit: 8})
		// A page of the log has at least half as many branches as the head may hold. Branches in
		// the head cost no read.
		if most := (at+1+len(got))*2/16 + 1; n > most || n < before || n > all {
			t.Errorf("behind %d branches, %d records were read for %d more, want at most %d", at+1, n, len(got), most)
		}
		before = n
	}
}

// TestBranchesStopEarly: a caller that has found its branch asks for no more.
func TestBranchesStopEarly(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("One.", "Two.", "Three.")})
	for range 3 {
		turnOf(t, e, turn.Submit{Text: "I wait."})
		do(t, e, turn.RollBack{To: state.StartTurnID})
	}
	for range e.Branches(t.Context(), "cave", state.HistoryBranches{}) {
		break
	}
	if n := len(listBranches(t, e, state.HistoryBranches{})); n < 3 {
		t.Errorf("%d branches: the test shows nothing", n)
	}
}
