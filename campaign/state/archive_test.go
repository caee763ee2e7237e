package state_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/state"
)

// TestArchiveKnowsEveryLine: after tens of thousands of rollbacks the head of a campaign has a
// limited size. With the pages in memory, every path of turns is the same as in a campaign without
// an archive.
func TestArchiveKnowsEveryLine(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 5))
	var all, c state.Campaign // without and with archive pages
	pages := map[int64]state.ArchivePage{}
	rewritten := map[string]int64{}
	largest := 0
	const turns = 40_000
	for n := 1; n <= turns; n++ {
		head := state.TurnID(n - 1)
		if back := random.IntN(3); back > 0 { // like a user who wants a different answer
			head = state.TurnID(max(0, n-1-random.IntN(4)*back))
		}
		if random.IntN(2000) == 0 {
			head = state.TurnID(random.IntN(n))
		}
		id := state.TurnID(max(1, n-random.IntN(30)))
		if after, _ := state.TurnNumber(head); after != n-1 {
			all.Jumps = append(all.Jumps, state.Jump{Turn: n, After: after})
		}
		all.TurnCounter = n
		c.Version, c.State.HeadTurnID = int64(n-1), head
		c.CountTurn()
		c.Rewrite(id)
		c.Version = int64(n)
		rewritten[id] = int64(n)
		page, err := c.MoveToArchive()
		if err != nil {
			t.Fatal(err)
		}
		if page != nil {
			var stored state.ArchivePage
			data, err := json.Marshal(page)
			if err == nil {
				err = json.Unmarshal(data, &stored)
			}
			if err != nil {
				t.Fatal(err)
			}
			pages[c.Version] = stored
			head, err := json.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			largest = max(largest, len(head))
		}
	}
	if len(c.Archive.Pages) > 64 || c.Archive.Pages[0].Pages == 0 {
		t.Errorf("%d references, the first is %+v: the test shows little", len(c.Archive.Pages), c.Archive.Pages[0])
	}
	if t.Logf("%d jumps, %d pages, a head of at most %d bytes", len(all.Jumps), len(pages), largest); largest > 48<<10 {
		t.Errorf("the head has %d bytes", largest)
	}
	read := func(version int64) (state.ArchivePage, error) { return pages[version], nil }
	var reloaded state.Campaign
	data, err := json.Marshal(c)
	if err == nil {
		err = json.Unmarshal(data, &reloaded)
	}
	if err != nil || !reloaded.LacksJumps() || c.LacksJumps() {
		t.Fatalf("reloaded %v, played %v: %v", reloaded.LacksJumps(), c.LacksJumps(), err)
	}
	for id, version := range rewritten {
		n, _ := state.TurnNumber(id)
		found := c.Rewritten[id]
		if err := c.Archive.Find(func(r state.ArchiveRef) bool { return found == 0 && r.Covers(n) }, read, func(p state.ArchivePage) bool {
			found = p.Rewritten[id]
			return found > 0
		}); err != nil || found != version {
			t.Fatalf("%s stands in %d, found %d, %v", id, version, found, err)
		}
	}
	var ids []string
	for range 300 {
		id, head := state.TurnID(random.IntN(turns+1)), state.TurnID(turns-random.IntN(turns/2)*random.IntN(2))
		if line := all.Newest(head, 40+random.IntN(turns)); random.IntN(2) == 0 && len(line) > 0 {
			id = line[random.IntN(len(line))]
		}
		ids = append(ids, id)
		if !c.LeadsTo(state.StartTurnID, head) {
			t.Fatalf("the start is no ancestor of %s", head)
		}
		wantPlace, want := all.Place(id, head)
		if place, ok := c.Place(id, head); place != wantPlace || ok != want || c.LeadsTo(id, head) != want {
			t.Fatalf("%s to %s: %d %v, want %d %v", id, head, place, ok, wantPlace, want)
		}
		if diff := cmp.Diff(all.Newest(head, 100), c.Newest(head, 100)); diff != "" {
			t.Fatalf("newest of %s:\n%s", head, diff)
		}
		if got, want := c.Ancestor(id, head), all.Ancestor(id, head); got != want {
			t.Fatalf("ancestor of %s and %s: %s, want %s", id, head, got, want)
		}
		// Without the pages no result is wrong.
		if reloaded.LeadsTo(id, head) && !want {
			t.Fatalf("without the pages %s leads to %s", id, head)
		}
		if place, ok := reloaded.Place(id, head); ok && place != wantPlace {
			t.Fatalf("without the pages %s is at %d of %s", id, place, head)
		}
	}
	if diff := cmp.Diff(all.Siblings(ids), c.Siblings(ids)); diff != "" {
		t.Errorf("siblings:\n%s", diff)
	}
	c.DropArchive()
	if diff := cmp.Diff(all.Jumps, c.Jumps); diff != "" || c.LacksJumps() {
		t.Errorf("taken back, lacking %v:\n%s", c.LacksJumps(), diff)
	}
}

// TestArchiveTakesBranches: of many branches, the ones played last and the present one stay in the
// head. The names of new branches continue.
func TestArchiveTakesBranches(t *testing.T) {
	t.Parallel()
	c := state.Campaign{BranchID: "main", Branches: map[string]state.Branch{}}
	for n := range 16 + 1 {
		id := "main"
		if n > 0 {
			id = state.TurnID(n)
		}
		c.Branches[id] = state.Branch{Parent: "main", HeadTurnID: state.TurnID(n), SnapshotRef: state.StateRef(int64(n + 1)),
			Checkpoints: []state.Checkpoint{{TurnID: state.TurnID(n), Label: "camp"}}}
	}
	before := c.Branches
	page, err := c.MoveToArchive()
	if err != nil || page == nil {
		t.Fatalf("%+v, %v", page, err)
	}
	if len(before) != 16+1 || len(c.Branches)+len(page.Branches) != len(before) || len(c.Branches) > 16 {
		t.Errorf("%d branches stay, %d are put off, of %d", len(c.Branches), len(page.Branches), len(before))
	}
	for id := range page.Branches {
		var b state.Branch
		if ok, err := page.Branch(id, &b); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if diff := cmp.Diff(before[id], b); diff != "" {
			t.Errorf("%s (-left +read):\n%s", id, diff)
		}
		for other, kept := range c.Branches {
			if other != c.BranchID && !state.Newer(kept.HeadTurnID, b.HeadTurnID) {
				t.Errorf("%s stays and %s goes", other, id)
			}
		}
	}
	if _, stays := c.Branches["main"]; !stays || c.Archive.Branches != len(before) {
		t.Errorf("the present branch stays: %v; there were %d branches, counted %d", stays, len(before), c.Archive.Branches)
	}
	if again, err := c.MoveToArchive(); again != nil || err != nil {
		t.Errorf("nothing is above a bound: %+v, %v", again, err)
	}
}

// TestArchiveOfALoadedCampaign: without its pages, a campaign moves jumps to a page and still lacks
// the older ones.
func TestArchiveOfALoadedCampaign(t *testing.T) {
	t.Parallel()
	c := state.Campaign{Archive: state.ArchiveIndex{Jumps: 1, Pages: []state.ArchiveRef{{Version: 1, Jumps: 1}}}}
	for n := range 256 + 1 {
		c.Jumps = append(c.Jumps, state.Jump{Turn: n + 2, After: n})
	}
	page, err := c.MoveToArchive()
	if err != nil || len(page.Jumps) != 256/2+1 || c.OlderJumps != nil || !c.LacksJumps() || c.Archive.Jumps != 256/2+2 {
		t.Errorf("%+v, %v; in memory %v", page, err, c.OlderJumps)
	}
}

// TestArchiveOfOutcomes: the oldest outcomes go to a page, with and without a question that waits.
// A member that is no JSON is an error.
func TestArchiveOfOutcomes(t *testing.T) {
	t.Parallel()
	bad := map[string]json.RawMessage{"unknown": json.RawMessage("{")}
	begin := func() state.Campaign {
		c := state.Campaign{BranchID: "main", Branches: map[string]state.Branch{"main": {}}, Conflicts: map[string]state.StoredConflict{}}
		for n := range 8 + 1 {
			c.Conflicts[state.TurnID(n+1)] = state.StoredConflict{}
		}
		return c
	}
	for name, c := range map[string]struct {
		change func(*state.Campaign)
		moved  int // -1: an error
		stays  string
	}{
		"no question": {func(*state.Campaign) {}, 5, state.TurnID(9)},
		"a question":  {func(c *state.Campaign) { c.PendingConflict = &state.ConflictReport{ClientTurnID: state.TurnID(1)} }, 4, state.TurnID(1)},
		"a broken outcome": {func(c *state.Campaign) {
			c.Conflicts[state.TurnID(1)] = state.StoredConflict{Report: state.ConflictReport{Submission: state.Submission{At: time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC)}}}
		}, -1, ""},
		"a broken branch": {func(c *state.Campaign) {
			for n := range 16 {
				c.Branches[state.TurnID(n+1)] = state.Branch{Extra: bad}
			}
		}, -1, ""},
	} {
		stored := begin()
		c.change(&stored)
		page, err := stored.MoveToArchive()
		if c.moved < 0 {
			if err == nil {
				t.Errorf("%s: %+v", name, page)
			}
			continue
		}
		if _, stays := stored.Conflicts[c.stays]; err != nil || len(page.Conflicts) != c.moved || !stays {
			t.Errorf("%s: %v, %+v", name, err, page)
		}
	}
}

// TestPagesAreRead: pages are read from the newest to the oldest, also within a page of pages, until
// one has what is looked for. A page that cannot be read is an error.
func TestPagesAreRead(t *testing.T) {
	t.Parallel()
	x := state.ArchiveIndex{Pages: []state.ArchiveRef{{Version: 1}, {Version: 4, Pages: 2}, {Version: 5}}}
	torn := errors.New("torn")
	for name, c := range map[string]struct {
		found, torn int64
		read        string
		err         error
	}{
		"not found": {0, 0, "[5 4 3 2 1]", nil}, "in a page of pages": {3, 0, "[5 4 3]", nil}, "the newest": {5, 0, "[5]", nil},
		"torn in a page of pages": {1, 2, "[5 4 3 2]", torn},
	} {
		var read []int64
		err := x.Find(func(state.ArchiveRef) bool { return true }, func(version int64) (p state.ArchivePage, err error) {
			read = append(read, version)
			if version == 4 {
				p.Pages = []state.ArchiveRef{{Version: 2}, {Version: 3}}
			}
			if version == c.torn {
				err = torn
			}
			return p, err
		}, func(state.ArchivePage) bool { return read[len(read)-1] == c.found })
		if fmt.Sprint(read) != c.read || !errors.Is(err, c.err) {
			t.Errorf("%s: read %v, %v", name, read, err)
		}
	}
}

// TestLineFromTheStart: a line that begins at the start, after older jumps, has no other turn.
func TestLineFromTheStart(t *testing.T) {
	t.Parallel()
	c := state.Campaign{OlderJumps: [][2]int{{3, 0}}, Archive: state.ArchiveIndex{Jumps: 1}, Jumps: []state.Jump{{Turn: 6, After: 4}}, TurnCounter: 6}
	if got := fmt.Sprint(c.Newest(state.TurnID(6), 9)); got != fmt.Sprint([]string{state.TurnID(3), state.TurnID(4), state.TurnID(6)}) {
		t.Errorf("%s", got)
	}
	c.Jumps = append(c.Jumps, state.Jump{Turn: 7, After: 0})
	c.OlderJumps, c.TurnCounter = nil, 7
	if place, ok := c.Place(state.TurnID(7), state.TurnID(7)); place != 1 || !ok {
		t.Errorf("the first turn of a line that needs no older jump has place %d, %v", place, ok)
	}
	c.OlderJumps, c.Jumps, c.TurnCounter = [][2]int{{3, 0}}, c.Jumps[:1], 6
	for _, id := range []string{state.TurnID(1), state.TurnID(2), state.TurnID(5)} {
		if c.LeadsTo(id, state.TurnID(6)) {
			t.Errorf("%s leads to the head", id)
		}
	}
}
