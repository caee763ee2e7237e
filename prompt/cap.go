package prompt

import (
	"cmp"
	"math"
	"slices"
)

// limit is the number of tokens a cap allows.
func (b *build) limit(c Cap) int {
	n := math.MaxInt
	if c.Percent > 0 && b.budget.Context > 0 {
		n = b.budget.Context * c.Percent / 100
	}
	if c.Max > 0 {
		n = min(n, c.Max)
	}
	return n
}

// applyCaps drops what is beyond the cap of its group and tells which items
// that were. Caps come before the competition for room: what a cap has dropped
// must not have displaced anything.
func (b *build) applyCaps() []bool {
	capped := make([]bool, len(b.items))
	for _, limit := range b.budget.Caps {
		left := b.limit(limit)
		if left == math.MaxInt || limit.Slot == "" && limit.Kind == "" {
			continue
		}
		// Required blocks stand first in the group and may use the cap up.
		for _, i := range b.group(limit) {
			it := &b.items[i]
			if !it.required && it.tokens > left {
				it.status, it.reason, it.left = Dropped, ReasonGroupCap, max(left, 0)
				capped[i] = true
				continue
			}
			left -= it.tokens
		}
	}
	return capped
}

// group lists the items under a cap: required ones first, then by keep.
func (b *build) group(limit Cap) []int {
	var list []int
	for i := range b.items {
		it := &b.items[i]
		if it.status != "" || limit.Kind != "" && limit.Kind != it.kind() ||
			limit.Slot != "" && (it.depth >= 0 || limit.Slot != b.layout.Slots[it.slot].Name) {
			continue
		}
		list = append(list, i)
	}
	rank := func(it *item) int {
		if it.required {
			return math.MaxInt
		}
		return it.keep
	}
	slices.SortStableFunc(list, func(x, y int) int {
		return cmp.Compare(rank(&b.items[y]), rank(&b.items[x]))
	})
	return list
}

// historyCap is the room of the lines under caps on their kind or slot. Lines are
// measured only when they are tried, so their cap is checked there and not with the
// others.
func (b *build) historyCap() int {
	n := math.MaxInt
	for _, limit := range b.budget.Caps {
		slot := limit.Slot == "" || b.history >= 0 && limit.Slot == b.layout.Slots[b.history].Name
		kind := limit.Kind == "" || limit.Kind == KindHistory
		if slot && kind && (limit.Slot != "" || limit.Kind != "") {
			n = min(n, b.limit(limit))
		}
	}
	return n
}
