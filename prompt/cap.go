package prompt

import (
	"cmp"
	"math"
	"slices"
)

// limit returns the number of tokens that a cap allows.
func (c Cap) limit(context int) int {
	n := math.MaxInt
	if c.Percent > 0 && context > 0 {
		n = context * c.Percent / 100
	}
	if c.Max > 0 {
		n = min(n, c.Max)
	}
	return n
}

// applyCaps drops the items beyond the cap of their group and reports them. Caps are applied before
// the choice by the budget: an item that a cap drops must not displace a different item.
func (d *draft) applyCaps(budget Budget) []bool {
	capped := make([]bool, len(d.items))
	for _, group := range budget.Caps {
		left := group.limit(budget.Context)
		if left == math.MaxInt || group.Slot == "" && group.Kind == "" {
			continue
		}
		// Required blocks come first in the group and may use up the cap.
		for _, i := range d.itemsUnderCap(group) {
			it := d.items[i]
			if !it.required && it.tokens > left {
				it.status, it.reason, it.freeTokens = Dropped, reasonGroupCap, max(left, 0)
				capped[i] = true
				continue
			}
			left -= it.tokens
		}
	}
	return capped
}

// itemsUnderCap lists the items under a cap: required ones first, then by keep.
func (d *draft) itemsUnderCap(group Cap) []int {
	var list []int
	for i := range d.items {
		it := d.items[i]
		if it.status != "" || group.Kind != "" && group.Kind != it.block.kind() ||
			group.Slot != "" && (it.depth >= 0 || group.Slot != d.layout.Slots[it.slot].Name) {
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
		return cmp.Compare(rank(d.items[y]), rank(d.items[x]))
	})
	return list
}

// historyCap returns the maximum size of the lines under caps on their kind or slot. Lines are
// measured only when they are tried, so their cap is checked then and not with the other caps.
func (d *draft) historyCap(budget Budget) int {
	n := math.MaxInt
	for _, group := range budget.Caps {
		slot := group.Slot == "" || d.chat.slot >= 0 && group.Slot == d.layout.Slots[d.chat.slot].Name
		kind := group.Kind == "" || group.Kind == KindHistory
		if slot && kind && (group.Slot != "" || group.Kind != "") {
			n = min(n, group.limit(budget.Context))
		}
	}
	return n
}
