package state

import (
	"cmp"
	"maps"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// MoveToArchive moves the oldest entries of the head's bounded collections to an archive page. It returns
// the page that the record of the campaign's version stores, nil if no bound is exceeded.
func (c *Campaign) MoveToArchive() (*ArchivePage, error) {
	var page ArchivePage
	ref := ArchiveRef{Version: c.Version}
	if n := len(c.Jumps) - mostJumps/2; len(c.Jumps) > mostJumps {
		for _, j := range c.Jumps[:n] {
			page.Jumps = append(page.Jumps, [2]int{j.Turn, j.After})
		}
		if !c.LacksJumps() {
			c.OlderJumps = append(slices.Clip(c.OlderJumps), page.Jumps...)
		}
		c.Jumps = slices.Clone(c.Jumps[n:])
		ref.Jumps, c.Archive.Jumps = n, c.Archive.Jumps+n
	}
	c.archiveRewritten(&page, &ref)
	if err := c.archiveBranches(&page, &ref); err != nil {
		return nil, err
	}
	if err := c.archiveConflicts(&page, &ref); err != nil {
		return nil, err
	}
	if ref == (ArchiveRef{Version: c.Version}) {
		return nil, nil
	}
	c.Archive.Pages = append(slices.Clip(c.Archive.Pages), ref)
	c.Archive.fold(&page, c.Version)
	return &page, nil
}

// archiveRewritten moves the versions of the turns that were rewritten first to the page.
func (c *Campaign) archiveRewritten(page *ArchivePage, ref *ArchiveRef) {
	if len(c.Rewritten) <= mostRewritten {
		return
	}
	ids := slices.SortedFunc(maps.Keys(c.Rewritten), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.Rewritten[a], c.Rewritten[b]), compareTurnIDs(a, b))
	})
	c.Rewritten, page.Rewritten = maps.Clone(c.Rewritten), map[string]int64{}
	for _, id := range ids[:len(ids)-mostRewritten/2] {
		page.Rewritten[id] = c.Rewritten[id]
		delete(c.Rewritten, id)
		n, _ := TurnNumber(id)
		if ref.Last = max(ref.Last, n); ref.First == 0 || n < ref.First {
			ref.First = n
		}
	}
}

// archiveBranches moves the branches that were played longest ago to the page, except the present
// one.
func (c *Campaign) archiveBranches(page *ArchivePage, ref *ArchiveRef) (err error) {
	if len(c.Branches) <= mostBranches {
		return nil
	}
	c.Archive.Branches = max(c.Archive.Branches, len(c.Branches))
	c.Branches, page.Branches, err = splitOldest(c.Branches, mostBranches/2, c.BranchID, func(a, b string) int {
		return cmp.Or(compareTurnIDs(c.Branches[a].HeadTurnID, c.Branches[b].HeadTurnID), compareTurnIDs(a, b))
	})
	ref.Branches = len(page.Branches)
	return err
}

// archiveConflicts moves the oldest outcomes of submissions that ended in a conflict to the page, except the
// one that waits for a person.
func (c *Campaign) archiveConflicts(page *ArchivePage, ref *ArchiveRef) (err error) {
	if len(c.Conflicts) <= mostConflicts {
		return nil
	}
	pending := cmp.Or(c.PendingConflict, new(ConflictReport)).ClientTurnID
	c.Conflicts, page.Conflicts, err = splitOldest(c.Conflicts, mostConflicts/2, pending, func(a, b string) int {
		return cmp.Or(c.Conflicts[a].Report.Submission.At.Compare(c.Conflicts[b].Report.Submission.At), cmp.Compare(a, b))
	})
	ref.Conflicts = len(page.Conflicts)
	return err
}

// splitOldest splits a collection into its newest members and the JSON values of the others. newest is the
// number of the newest ones in addition to the member present, which always stays. compare orders the IDs.
func splitOldest[V any](all map[string]V, newest int, present string, compare func(a, b string) int) (kept map[string]V, oldest map[string]tree.Value, err error) {
	ids := slices.DeleteFunc(slices.SortedFunc(maps.Keys(all), compare), func(id string) bool { return id == present })
	kept, oldest = maps.Clone(all), map[string]tree.Value{}
	for _, id := range ids[:len(ids)-newest] {
		if oldest[id], err = tree.Of(all[id]); err != nil {
			return all, nil, err
		}
		delete(kept, id)
	}
	return kept, oldest, nil
}

// DropArchive puts the jumps that are in memory back into the head and forgets all other pages. Use it
// for a campaign that continues in a log without these pages.
func (c *Campaign) DropArchive() {
	jumps := make([]Jump, 0, len(c.OlderJumps)+len(c.Jumps))
	for _, j := range c.OlderJumps {
		jumps = append(jumps, Jump{Turn: j[0], After: j[1]})
	}
	if c.Jumps = append(jumps, c.Jumps...); len(c.Jumps) == 0 {
		c.Jumps = nil
	}
	c.OlderJumps, c.Archive = nil, ArchiveIndex{Branches: c.Archive.Branches}
}
