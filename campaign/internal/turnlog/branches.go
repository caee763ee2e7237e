package turnlog

import (
	"cmp"
	"encoding/json"
	"iter"
	"slices"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// Branches yields the present branch, then the other branches of the head, then the archived ones.
// It reads the pages during the range.
func (l Log) Branches(c state.Campaign, page state.HistoryBranches) iter.Seq2[state.HistoryBranch, error] {
	return func(yield func(state.HistoryBranch, error) bool) {
		listed, skip, left := map[string]bool{}, page.After != "", page.Limit
		yieldNew := func(b state.HistoryBranch) (isDone bool) {
			if listed[b.ID] { // an older page has its older form
				return false
			}
			listed[b.ID] = true
			if skip {
				skip = b.ID != page.After
				return false
			}
			left--
			return !yield(b, nil) || left == 0
		}
		isDone := false
		for _, b := range heldBranches(c) {
			if isDone = yieldNew(b); isDone {
				return
			}
		}
		var decodeErr error
		err := c.Archive.Find(func(r state.ArchiveRef) bool { return r.Branches > 0 }, l.archivePage, func(p state.ArchivePage) bool {
			var list []state.HistoryBranch
			if list, decodeErr = archivedBranches(p.Branches); decodeErr != nil {
				return true
			}
			for _, b := range list {
				if isDone = yieldNew(b); isDone {
					return true
				}
			}
			return false
		})
		if err = cmp.Or(err, decodeErr); err == nil && skip {
			_, err = c.BranchRef(page.After) // refuses an unknown branch
		}
		if err != nil && !isDone {
			yield(state.HistoryBranch{}, err)
		}
	}
}

// heldBranches returns the branches of the head, the present one first.
func heldBranches(c state.Campaign) (list []state.HistoryBranch) {
	for id, b := range c.Branches {
		if id == c.BranchID {
			b.HeadTurnID = c.State.HeadTurnID
		}
		list = append(list, state.HistoryBranch{ID: id, Branch: b, Present: id == c.BranchID})
	}
	return newestFirst(list)
}

// archivedBranches returns the branches of a page.
func archivedBranches(branches map[string]tree.Value) (list []state.HistoryBranch, err error) {
	for id, v := range branches {
		branch := state.HistoryBranch{ID: id}
		if err := json.Unmarshal(v.AppendJSON(nil), &branch.Branch); err != nil {
			return nil, err
		}
		list = append(list, branch)
	}
	return newestFirst(list), nil
}

// newestFirst sorts branches: the present one first, then by their newest turns.
func newestFirst(list []state.HistoryBranch) []state.HistoryBranch {
	slices.SortFunc(list, func(a, b state.HistoryBranch) int {
		if a.Present != b.Present {
			if a.Present {
				return -1
			}
			return 1
		}
		return cmp.Or(-compareIDs(a.HeadTurnID, b.HeadTurnID), cmp.Compare(a.ID, b.ID))
	})
	return list
}
