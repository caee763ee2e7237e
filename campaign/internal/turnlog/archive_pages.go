package turnlog

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"

	"github.com/talewright/talewright/campaign/state"
)

// The archive files read old data of a campaign, which its head does not hold, from the log. Turns
// are found by a search for their number, which increases with the versions. States are computed
// from the nearest earlier record that stores a full head ([turn.Record.Head]). A search reads a
// few more records in a longer log; a state does not.

// archivePage returns the page of the record of a version.
func (l Log) archivePage(version int64) (state.ArchivePage, error) {
	for rec, err := range l.Changes(version - 1) {
		if err == nil && (rec.Version != version || rec.Archive == nil) {
			err = fmt.Errorf("campaign: record %d has no page", version)
		}
		if err != nil {
			return state.ArchivePage{}, err
		}
		return *rec.Archive, nil
	}
	return state.ArchivePage{}, fmt.Errorf("campaign: there is no version %d", version)
}

// archivedJumps returns the jumps of the pages of all records, oldest first.
func (l Log) archivedJumps(c state.Campaign) (out [][2]int, err error) {
	err = c.Archive.Find(func(r state.ArchiveRef) bool { return r.Jumps > 0 }, l.archivePage, func(p state.ArchivePage) bool {
		out = append(out, p.Jumps...)
		return false
	})
	slices.SortFunc(out, func(a, b [2]int) int { return a[0] - b[0] })
	return out, err
}

// Whole returns the campaign with all its jumps loaded.
func (l Log) Whole(c state.Campaign) (state.Campaign, error) {
	if !c.LacksJumps() {
		return c, nil
	}
	var err error
	if c.OlderJumps, err = l.archivedJumps(c); err == nil && c.LacksJumps() {
		err = fmt.Errorf("campaign: %d jumps are on pages, want %d", len(c.OlderJumps), c.Archive.Jumps)
	}
	return c, err
}

// archivedBranch returns a branch from the newest page that has it, or nil if not found.
func (l Log) archivedBranch(c state.Campaign, id string) (*state.Branch, error) {
	var found *state.Branch
	var decodeErr error
	err := c.Archive.Find(func(r state.ArchiveRef) bool { return r.Branches > 0 }, l.archivePage, func(p state.ArchivePage) bool {
		var b state.Branch
		ok, err := p.Branch(id, &b)
		if ok {
			found, decodeErr = &b, err
		}
		return ok
	})
	return found, cmp.Or(err, decodeErr)
}

// newestVersions returns a function that finds the version of the record with the newest text of a
// rewritten turn, 0 for other turns. It reads each page once.
func (l Log) newestVersions(c state.Campaign) func(id string) (int64, error) {
	pages := map[int64]state.ArchivePage{}
	read := func(version int64) (p state.ArchivePage, err error) {
		p, known := pages[version]
		if !known {
			if p, err = l.archivePage(version); err == nil {
				pages[version] = p
			}
		}
		return p, err
	}
	return func(id string) (version int64, err error) {
		if version = c.Rewritten[id]; version > 0 || len(c.Archive.Pages) == 0 {
			return version, nil
		}
		n, _ := state.TurnNumber(id)
		err = c.Archive.Find(func(r state.ArchiveRef) bool { return r.Covers(n) }, read, func(p state.ArchivePage) bool {
			version = p.Rewritten[id]
			return version > 0
		})
		return version, err
	}
}

// ConflictIndex indexes the client turn IDs of the pages with outcomes of submissions, sixteen bytes
// for each. The zero Conflicts has read no page. It is safe for concurrent use.
type ConflictIndex struct {
	mu         sync.Mutex
	newestRead int64            // the version of the newest page that was read
	pages      map[uint64]int64 // from the hashes of the IDs to the versions of their pages
}

// Find returns the archived outcome for an ID, or nil if not found. It reads the pages added since
// the last call.
func (x *ConflictIndex) Find(l Log, c state.Campaign, clientTurnID string) (*state.StoredConflict, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	newest, version := x.newestRead, int64(0)
	err := c.Archive.Find(func(r state.ArchiveRef) bool { return r.Conflicts > 0 && r.Version > x.newestRead }, func(v int64) (state.ArchivePage, error) {
		version, newest = v, max(newest, v)
		return l.archivePage(v)
	}, func(p state.ArchivePage) bool {
		if x.pages == nil {
			x.pages = map[uint64]int64{}
		}
		for id := range p.Conflicts {
			if hash := hashOf(id); x.pages[hash] < version {
				x.pages[hash] = version
			}
		}
		return false
	})
	if err != nil {
		return nil, err
	}
	x.newestRead = newest
	version, known := x.pages[hashOf(clientTurnID)]
	if !known {
		return nil, nil
	}
	page, err := l.archivePage(version)
	if err != nil {
		return nil, err
	}
	v, found := page.Conflicts[clientTurnID]
	if !found {
		return nil, nil
	}
	var out state.StoredConflict
	return &out, json.Unmarshal(v.AppendJSON(nil), &out)
}

// hashOf returns the hash of a client turn ID in the index.
func hashOf(id string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id)) // never fails
	return h.Sum64()
}
