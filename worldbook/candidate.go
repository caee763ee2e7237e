package worldbook

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/worldbook/internal/match"
)

// candidate is an entry on its way to activation. It is kept small: its [Reason] is
// spelled out at the end only.
type candidate struct {
	*entry
	text   string // for whyKey: the primary key that was found
	key    int32  // and its number
	at     int32  // place in the entry list, -1 for a forced copy
	place  match.Place
	why    why
	sticky bool
}

// home is the place of the first entry with the id of a candidate.
func (c *candidate) home(of *Compiled) int {
	if c.at >= 0 {
		return of.first(int(c.at))
	}
	return int(of.byID[c.id])
}

func (c *candidate) lastInLine() bool { return c.v3 != nil && c.v3.lastInLine }

func (c *candidate) hasPriority() bool { return c.v3 != nil && c.v3.priority != nil }

// priority is the order that decides who pays first, larger first.
func (c *candidate) priority(set *Settings) float64 {
	switch {
	case c.hasPriority():
		return float64(*c.v3.priority)
	case set.OrderAscending:
		return -c.order
	}
	return c.order
}

// candidates are those of one loop.
type candidates struct {
	list    []candidate
	queued  bool // they stand in list order, and none has a say in it
	grouped bool // some are in inclusion groups
	copies  map[*entry]bool
}

func (c *candidates) reset() {
	c.list, c.queued, c.grouped = c.list[:0], true, false
	clear(c.copies)
}

func (c *candidates) release(ofCaller bool) {
	if ofCaller {
		clear(c.list[:cap(c.list)])
		clear(c.copies)
	}
}

// add puts a candidate at the end.
func (c *candidates) add(x candidate) {
	c.list = append(c.list, x)
	c.queued = c.queued && !x.gated && x.at >= 0 // else it may be sticky, forced or ranked
	c.grouped = c.grouped || x.grouped
	if x.at < 0 {
		if c.copies == nil {
			c.copies = map[*entry]bool{}
		}
		c.copies[x.entry] = true
	}
}

// order puts sticky ones first and forced copies before the others.
// Decorators move an entry: ignore_on_max_context to the end, priority to the
// entries of that order.
func (c *candidates) order(set *Settings) {
	if c.queued {
		return
	}
	ranked := slices.ContainsFunc(c.list, func(x candidate) bool { return x.hasPriority() })
	slices.SortStableFunc(c.list, func(a, b candidate) int {
		if a.sticky != b.sticky {
			return compareBool(b.sticky, a.sticky)
		}
		if x, y := a.lastInLine(), b.lastInLine(); x != y {
			return compareBool(x, y)
		}
		if ranked {
			if x, y := a.priority(set), b.priority(set); x != y {
				return cmp.Compare(y, x)
			}
		}
		return int(min(a.at, 0) - min(b.at, 0))
	})
}
