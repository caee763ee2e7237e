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
		show := func(b state.HistoryBranch) (over bool) {
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
		over := false
		for _, b := range held(c) {
			if over = show(b); over {
				return
			}
		}
		var bad error
		err := c.Archive.Find(func(r state.ArchiveRef) bool { return r.Branches > 0 }, l.page, func(p state.ArchivePage) bool {
			var list []state.HistoryBranch
			if list, bad = archivedBranches(p.Branches); bad != nil {
				return true
			}
			for _, b := range list {
				if over = show(b); over {
					return true
				}
			}
			return false
		})
		if err = cmp.Or(err, bad); err == nil && skip {
			err = &state.Refusal{Code: state.BranchNotFound, Detail: "no branch " + page.After}
		}
		if err != nil && !over {
			yield(state.HistoryBranch{}, err)
		}
	}
}

// held returns the branches of the head, the present one first.
func held(c state.Campaign) (list []state.HistoryBranch) {
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
		one := state.HistoryBranch{ID: id}
		if err := json.Unmarshal(v.AppendJSON(nil), &one.Branch); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return newestFirst(list), nil
}

func newestFirst(list []state.HistoryBranch) []state.HistoryBranch {
	slices.SortFunc(list, func(a, b state.HistoryBranch) int {
		if a.Present != b.Present {
			return map[bool]int{true: -1, false: 1}[a.Present]
		}
		return cmp.Or(-compareIDs(a.HeadTurnID, b.HeadTurnID), cmp.Compare(a.ID, b.ID))
	})
	return list
}
