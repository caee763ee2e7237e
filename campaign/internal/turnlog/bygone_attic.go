package turnlog

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"

	"github.com/talewright/talewright/campaign/state"
)

// The bygone part reads in the log of a campaign what its head does not hold: turns by a search for
// their number, which goes up with the versions, and states from the nearest record before that has
// a whole one ([turn.Record.Head]). A search reads a few records more in a longer log, a state none.

// page is the page of a record.
func (l Log) page(version int64) (state.ArchivePage, error) {
	for rec, err := range l.Changes(version - 1) {
		if err == nil && (rec.Version != version || rec.Attic == nil) {
			err = fmt.Errorf("campaign: record %d has no page", version)
		}
		if err != nil {
			return state.ArchivePage{}, err
		}
		return *rec.Attic, nil
	}
	return state.ArchivePage{}, fmt.Errorf("campaign: there is no version %d", version)
}

// jumps are those on all pages, oldest first.
func (l Log) jumps(c state.Campaign) (out [][2]int, err error) {
	err = c.Attic.Find(func(r state.ArchiveRef) bool { return r.Jumps > 0 }, l.page, func(p state.ArchivePage) bool {
		out = append(out, p.Jumps...)
		return false
	})
	slices.SortFunc(out, func(a, b [2]int) int { return a[0] - b[0] })
	return out, err
}

// Whole has all jumps of a campaign at hand.
func (l Log) Whole(c state.Campaign) (state.Campaign, error) {
	if !c.LacksJumps() {
		return c, nil
	}
	var err error
	if c.OlderJumps, err = l.jumps(c); err == nil && c.LacksJumps() {
		err = fmt.Errorf("campaign: %d jumps are on pages, want %d", len(c.OlderJumps), c.Attic.Jumps)
	}
	return c, err
}

// branch is a branch as the newest page has it, nil if none does.
func (l Log) branch(c state.Campaign, id string) (*state.Branch, error) {
	var found *state.Branch
	var bad error
	err := c.Attic.Find(func(r state.ArchiveRef) bool { return r.Branches > 0 }, l.page, func(p state.ArchivePage) bool {
		var b state.Branch
		ok, err := p.Branch(id, &b)
		if ok {
			found, bad = &b, err
		}
		return ok
	})
	if err == nil {
		err = bad
	}
	return found, err
}

// newestVersions finds the versions of the records that have turns which were written anew, 0 for
// others. It reads each page once.
func (l Log) newestVersions(c state.Campaign) func(id string) (int64, error) {
	pages := map[int64]state.ArchivePage{}
	read := func(version int64) (p state.ArchivePage, err error) {
		p, known := pages[version]
		if !known {
			if p, err = l.page(version); err == nil {
				pages[version] = p
			}
		}
		return p, err
	}
	return func(id string) (version int64, err error) {
		if version = c.Rewritten[id]; version > 0 || len(c.Attic.Pages) == 0 {
			return version, nil
		}
		n, _ := state.TurnNumber(id)
		err = c.Attic.Find(func(r state.ArchiveRef) bool { return r.Covers(n) }, read, func(p state.ArchivePage) bool {
			version = p.Rewritten[id]
			return version > 0
		})
		return version, err
	}
}

// Conflicts knows which client turn ids are on pages with the outcomes of submissions, sixteen bytes for
// each. The zero Conflicts has read none; it is safe for concurrent use.
type Conflicts struct {
	mu    sync.Mutex
	read  int64            // the version of the newest page that was read
	pages map[uint64]int64 // the versions of pages, by the hashes of the ids there
}

// Find is the outcome that pages have for an id, nil for none. It reads the pages that are new.
func (x *Conflicts) Find(l Log, c state.Campaign, clientTurnID string) (*state.StoredConflict, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	newest, version := x.read, int64(0)
	err := c.Attic.Find(func(r state.ArchiveRef) bool { return r.Conflicts > 0 && r.Version > x.read }, func(v int64) (state.ArchivePage, error) {
		version, newest = v, max(newest, v)
		return l.page(v)
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
	x.read = newest
	version, known := x.pages[hashOf(clientTurnID)]
	if !known {
		return nil, nil
	}
	page, err := l.page(version)
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

func hashOf(id string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id)) // which never fails
	return h.Sum64()
}
