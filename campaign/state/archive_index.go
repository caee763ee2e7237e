package state

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// This file and archive.go move old data out of the head of a campaign. The data goes to pages in
// records of the log. The head holds an index of the pages, so it stays small however much was
// played, rolled back and edited. Play does not need the pages; package turn reads them from the
// log on demand.
//
// All types are plain data.

// ArchiveIndex lists the archive pages of a campaign.
type ArchiveIndex struct {
	// Pages lists the records that have a page, oldest first.
	Pages []ArchiveRef `json:"pages,omitempty"`
	// Jumps is the number of jumps on pages.
	Jumps int `json:"jumps,omitempty"`
	// Branches is the number of branches that were ever made; 0 while no branch is on a page.
	Branches int `json:"branches,omitempty"`
	// Began is the version of the first record of the campaign, if earlier records of the log hold
	// turns of its past; otherwise 0.
	Began int64 `json:"began,omitempty"`
}

// First returns the version of the first record of the campaign.
func (x ArchiveIndex) First() int64 { return max(x.Began, 1) }

// ArchiveRef is the location of a page and a summary of its content.
type ArchiveRef struct {
	Version int64 `json:"version"` // of the record
	// First and Last are the smallest and the largest number of the rewritten turns on the page,
	// both 0 if there are none.
	First int `json:"first,omitempty"`
	Last  int `json:"last,omitempty"`
	// Jumps, Branches and Conflicts are the numbers of such items on the page. If Pages is not 0,
	// the page holds that many references to older pages instead, and the other members describe
	// all of them together.
	Jumps     int `json:"jumps,omitempty"`
	Branches  int `json:"branches,omitempty"`
	Conflicts int `json:"conflicts,omitempty"`
	Pages     int `json:"pages,omitempty"`
}

// ArchivePage is the data that a record stores for the head.
type ArchivePage struct {
	// Jumps are pairs of turn numbers: a turn and its parent. They are older than the jumps of the
	// head and sorted by the turn.
	Jumps [][2]int `json:"jumps,omitempty"`
	// Rewritten maps turn IDs to the versions of the records with the present text of these turns.
	Rewritten map[string]int64 `json:"rewritten,omitempty"`
	// Branches maps branch IDs to the branches as they were left.
	Branches map[string]tree.Value `json:"branches,omitempty"`
	// Conflicts maps client turn IDs to the outcomes of submissions.
	Conflicts map[string]tree.Value `json:"conflicts,omitempty"`
	// Pages lists references to older pages.
	Pages []ArchiveRef `json:"pages,omitempty"`
}

// Limits of the head's collections. If a collection exceeds its limit, all but half of the limit
// moves to a page.
const (
	mostJumps     = 256
	mostRewritten = 256
	mostBranches  = 16
	mostConflicts = 8
	mostPages     = 64
)

// Find reads the pages for which want returns true, newest first, until visit reports that it found
// what it looks for. read loads the page of a record.
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

// Branch unmarshals a branch into a value and reports whether the page has it.
func (p ArchivePage) Branch(id string, into any) (bool, error) {
	v, ok := p.Branches[id]
	if !ok {
		return false, nil
	}
	return true, json.Unmarshal(v.AppendJSON(nil), into)
}

// Covers reports whether a turn may be among the rewritten turns of a page.
func (r ArchiveRef) Covers(turn int) bool { return r.Last > 0 && r.First <= turn && turn <= r.Last }

// fold moves the older half of the references to the page of a version if there are more than
// mostPages. One reference to that page takes their place.
func (x *ArchiveIndex) fold(page *ArchivePage, version int64) {
	if len(x.Pages) <= mostPages {
		return
	}
	n := len(x.Pages) / 2
	page.Pages = slices.Clone(x.Pages[:n])
	summary := ArchiveRef{Version: version, Pages: n}
	for _, r := range page.Pages {
		if r.Last > 0 {
			summary.First = min(cmp.Or(summary.First, r.First), r.First)
		}
		summary.Last = max(summary.Last, r.Last)
		summary.Jumps += r.Jumps
		summary.Branches += r.Branches
		summary.Conflicts += r.Conflicts
	}
	x.Pages = append([]ArchiveRef{summary}, x.Pages[n:]...)
}
