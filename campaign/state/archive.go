package state

import (
	"cmp"
	"maps"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// Shelve takes from the head what it has no room for, and returns the page that the record of its
// version keeps of it: nil if there is room for all.
func (c *Campaign) Shelve() (*ArchivePage, error) {
	var page ArchivePage
	ref := ArchiveRef{Version: c.Version}
	if n := len(c.Jumps) - MostJumps/2; len(c.Jumps) > MostJumps {
		for _, j := range c.Jumps[:n] {
			page.Jumps = append(page.Jumps, [2]int{j.Turn, j.After})
		}
		if !c.LacksJumps() {
			c.OlderJumps = append(slices.Clip(c.OlderJumps), page.Jumps...)
		}
		c.Jumps = slices.Clone(c.Jumps[n:])
		ref.Jumps, c.Attic.Jumps = n, c.Attic.Jumps+n
	}
	c.shelveRewritten(&page, &ref)
	if err := c.shelveBranches(&page, &ref); err != nil {
		return nil, err
	}
	if err := c.shelveConflicts(&page, &ref); err != nil {
		return nil, err
	}
	if ref == (ArchiveRef{Version: c.Version}) {
		return nil, nil
	}
	c.Attic.Pages = append(slices.Clip(c.Attic.Pages), ref)
	c.Attic.Fold(&page, c.Version)
	return &page, nil
}

// shelveRewritten puts the versions of the turns on a page that were written anew first.
func (c *Campaign) shelveRewritten(page *ArchivePage, ref *ArchiveRef) {
	if len(c.Rewritten) <= MostRewritten {
		return
	}
	ids := slices.SortedFunc(maps.Keys(c.Rewritten), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.Rewritten[a], c.Rewritten[b]), compareTurnIDs(a, b))
	})
	c.Rewritten, page.Rewritten = maps.Clone(c.Rewritten), map[string]int64{}
	for _, id := range ids[:len(ids)-MostRewritten/2] {
		page.Rewritten[id] = c.Rewritten[id]
		delete(c.Rewritten, id)
		n, _ := TurnNumber(id)
		if ref.Last = max(ref.Last, n); ref.First == 0 || n < ref.First {
			ref.First = n
		}
	}
}

// shelveBranches puts the branches on a page that were played longest ago, but for the present one.
func (c *Campaign) shelveBranches(page *ArchivePage, ref *ArchiveRef) error {
	if len(c.Branches) <= MostBranches {
		return nil
	}
	c.Attic.Branches = max(c.Attic.Branches, len(c.Branches))
	ids := slices.SortedFunc(maps.Keys(c.Branches), func(a, b string) int {
		return cmp.Or(compareTurnIDs(c.Branches[a].HeadTurnID, c.Branches[b].HeadTurnID), compareTurnIDs(a, b))
	})
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == c.BranchID })
	c.Branches, page.Branches = maps.Clone(c.Branches), map[string]tree.Value{}
	for _, id := range ids[:len(ids)-MostBranches/2] {
		v, err := tree.Of(c.Branches[id])
		if err != nil {
			return err
		}
		page.Branches[id] = v
		delete(c.Branches, id)
	}
	ref.Branches = len(page.Branches)
	return nil
}

// shelveConflicts puts the outcomes of the oldest submissions on a page that led to a conflict.
func (c *Campaign) shelveConflicts(page *ArchivePage, ref *ArchiveRef) error {
	if len(c.Conflicts) <= MostConflicts {
		return nil
	}
	ids := slices.SortedFunc(maps.Keys(c.Conflicts), func(a, b string) int {
		return cmp.Or(c.Conflicts[a].Report.Submission.At.Compare(c.Conflicts[b].Report.Submission.At), cmp.Compare(a, b))
	})
	if p := c.PendingConflict; p != nil { // somebody is about to decide
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == p.ClientTurnID })
	}
	c.Conflicts, page.Conflicts = maps.Clone(c.Conflicts), map[string]tree.Value{}
	for _, id := range ids[:len(ids)-MostConflicts/2] {
		v, err := tree.Of(c.Conflicts[id])
		if err != nil {
			return err
		}
		page.Conflicts[id] = v
		delete(c.Conflicts, id)
	}
	ref.Conflicts = len(page.Conflicts)
	return nil
}

// Unshelve takes the jumps that are at hand back from their pages, and forgets the others, for a
// campaign that goes on in a log without them.
func (c *Campaign) Unshelve() {
	jumps := make([]Jump, 0, len(c.OlderJumps)+len(c.Jumps))
	for _, j := range c.OlderJumps {
		jumps = append(jumps, Jump{Turn: j[0], After: j[1]})
	}
	if c.Jumps = append(jumps, c.Jumps...); len(c.Jumps) == 0 {
		c.Jumps = nil
	}
	c.OlderJumps, c.Attic = nil, ArchiveIndex{Branches: c.Attic.Branches}
}
