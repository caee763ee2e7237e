package state

import (
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// The attic part says where a campaign has put what its head has no room for: pages in records of
// its log, and an index of them in the head, which stays small however much was played, rolled
// back and edited. Nobody needs it to play; package turn asks the log for what is on the pages.
//
// All of its types are plain data.

// ArchiveIndex says what is on pages.
type ArchiveIndex struct {
	// Pages are the records that have a page, oldest first.
	Pages []ArchiveRef `json:"pages,omitempty"`
	// Jumps is how many jumps are on pages.
	Jumps int `json:"jumps,omitempty"`
	// Branches is how many branches there have been; 0 as long as none is on a page.
	Branches int `json:"branches,omitempty"`
	// Began is the version of the record that the campaign begins with, where turns of its past stand in
	// others before that; else 0.
	Began int64 `json:"began,omitempty"`
}

// First is the version of the record that the campaign begins with.
func (x ArchiveIndex) First() int64 { return max(x.Began, 1) }

// ArchiveRef is the place of a page, and what can be found there.
type ArchiveRef struct {
	Version int64 `json:"version"` // of the record
	// First and Last are the numbers of the turns between which those were played that were
	// written anew, both 0 if there are none.
	First int `json:"first,omitempty"`
	Last  int `json:"last,omitempty"`
	// Jumps, Branches and Conflicts are how many there are on the page. Pages says that older pages are found
	// by it instead, and how many; the other members then tell of all of them.
	Jumps     int `json:"jumps,omitempty"`
	Branches  int `json:"branches,omitempty"`
	Conflicts int `json:"conflicts,omitempty"`
	Pages     int `json:"pages,omitempty"`
}

// ArchivePage is what a record keeps for the head.
type ArchivePage struct {
	// Jumps are pairs: the number of a turn, and that of its parent. They are older than those of
	// the head, in the order of the first.
	Jumps [][2]int `json:"jumps,omitempty"`
	// Rewritten are the versions of the records that have turns as they read now, by their ids.
	Rewritten map[string]int64 `json:"rewritten,omitempty"`
	// Branches are as they were left, by their ids.
	Branches map[string]tree.Value `json:"branches,omitempty"`
	// Conflicts are outcomes of submissions, by their client turn ids.
	Conflicts map[string]tree.Value `json:"conflicts,omitempty"`
	// Pages are older references.
	Pages []ArchiveRef `json:"pages,omitempty"`
}

// Bounds of what a head keeps. Where there is more, all but half of a bound goes to a page.
const (
	MostJumps     = 256
	MostRewritten = 256
	MostBranches  = 16
	MostConflicts = 8
	MostPages     = 64
)

// Find reads the pages that want picks, newest first, until visit says that it has found what it
// looks for. read reads the page of a record.
func (x ArchiveIndex) Find(want func(ArchiveRef) bool, read func(version int64) (ArchivePage, error), visit func(ArchivePage) (found bool)) error {
	_, err := find(x.Pages, want, read, visit)
	return err
}

func find(refs []ArchiveRef, want func(ArchiveRef) bool, read func(int64) (ArchivePage, error), visit func(ArchivePage) bool) (bool, error) {
	for _, ref := range slices.Backward(refs) {
		if !want(ref) {
			continue
		}
		page, err := read(ref.Version)
		if err != nil {
			return false, err
		}
		found := false
		if ref.Pages > 0 {
			found, err = find(page.Pages, want, read, visit)
		} else {
			found = visit(page)
		}
		if found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// Branch reads a branch into a value, and reports whether the page has it.
func (p ArchivePage) Branch(id string, into any) (bool, error) {
	v, ok := p.Branches[id]
	if !ok {
		return false, nil
	}
	return true, json.Unmarshal(v.AppendJSON(nil), into)
}

// Covers reports whether a turn may be among those of a page that were written anew.
func (r ArchiveRef) Covers(turn int) bool { return r.Last > 0 && r.First <= turn && turn <= r.Last }

// Fold moves the older half of the references to the page of a version, if they are too many.
func (x *ArchiveIndex) Fold(page *ArchivePage, version int64) {
	if len(x.Pages) <= MostPages {
		return
	}
	n := len(x.Pages) / 2
	page.Pages = slices.Clone(x.Pages[:n])
	all := ArchiveRef{Version: version, Pages: n}
	for _, r := range page.Pages {
		if r.Last > 0 && (all.First == 0 || r.First < all.First) {
			all.First = r.First
		}
		all.Last = max(all.Last, r.Last)
		all.Jumps, all.Branches, all.Conflicts = all.Jumps+r.Jumps, all.Branches+r.Branches, all.Conflicts+r.Conflicts
	}
	x.Pages = append([]ArchiveRef{all}, x.Pages[n:]...)
}
