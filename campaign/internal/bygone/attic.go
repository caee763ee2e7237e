package bygone

import (
	"fmt"
	"slices"

	"github.com/talewright/talewright/campaign/attic"
	"github.com/talewright/talewright/campaign/state"
)

// page is the page of a record.
func (l Log) page(version int64) (attic.Page, error) {
	for rec, err := range l.Changes(version - 1) {
		if err == nil && (rec.Version != version || rec.Attic == nil) {
			err = fmt.Errorf("campaign: record %d has no page", version)
		}
		if err != nil {
			return attic.Page{}, err
		}
		return *rec.Attic, nil
	}
	return attic.Page{}, fmt.Errorf("campaign: there is no version %d", version)
}

// jumps are those on all pages, oldest first.
func (l Log) jumps(c state.Campaign) (out [][2]int, err error) {
	err = c.Attic.Find(func(r attic.Ref) bool { return r.Jumps > 0 }, l.page, func(p attic.Page) bool {
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
	err := c.Attic.Find(func(r attic.Ref) bool { return r.Branches > 0 }, l.page, func(p attic.Page) bool {
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
	pages := map[int64]attic.Page{}
	read := func(version int64) (p attic.Page, err error) {
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
		err = c.Attic.Find(func(r attic.Ref) bool { return r.Covers(n) }, read, func(p attic.Page) bool {
			version = p.Rewritten[id]
			return version > 0
		})
		return version, err
	}
}
