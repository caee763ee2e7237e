package memvars

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// sweepInventory removes used-up items from the whole inventory.
//
// It runs after every command and not once per message. So a later command sees the same inventory
// as a player: a used-up item is gone, and a new item of the same name starts from the beginning.
// Objects without a num are categories and stay, even if they are empty.
func (r *run) sweepInventory() {
	path := r.sys.inventory
	items := r.edit.Peek(path)
	if !items.Exists() || r.bag.swept && items.Same(r.bag.last) {
		return
	}
	r.bag.unclean = false
	r.sweepBelow(path, r.edit.Freeze(items))
	r.bag.last, r.bag.swept = r.edit.Peek(path), true
}

// sweepWritten is sweepInventory after a plan. If the inventory was clean before, it checks only the
// places that the plan wrote.
func (r *run) sweepWritten(p *plan) {
	if !r.bag.swept {
		r.sweepInventory()
		return
	}
	path := r.sys.inventory
	var places []tree.Path
	for _, w := range p.paths() {
		switch {
		case path.HasPrefix(w):
			r.bag.swept = false
		case w.HasPrefix(path):
			places = append(places, w[len(path):])
		}
	}
	items := r.edit.Peek(path)
	switch {
	case !r.bag.swept || len(places) > 0 && (r.bag.unclean || !items.IsObject()):
		r.bag.swept = false
		r.sweepInventory()
	case len(places) > 0:
		r.sweepPlaces(path, items, places)
		r.bag.last = r.edit.Peek(path)
	}
}

// sweepPlaces is sweepBelow for an object in which only the given places, relative to it, may be
// unclean. It checks them and their ancestors.
func (r *run) sweepPlaces(path tree.Path, holder tree.Value, places []tree.Path) {
	below := map[string][]tree.Path{}
	var keys []string
	for _, p := range places {
		if below[p[0]] == nil {
			keys = append(keys, p[0])
		}
		below[p[0]] = append(below[p[0]], p[1:])
	}
	slices.SortFunc(keys, func(a, b string) int { return holder.IndexOf(a) - holder.IndexOf(b) })
	for _, key := range keys {
		at := path.Child(key)
		item := r.edit.Peek(at)
		whole := !item.IsObject() || slices.ContainsFunc(below[key], func(p tree.Path) bool { return len(p) == 0 })
		switch {
		case r.sweepItem(at, item) || !*r.sys.options.InventoryRecursive:
		case whole:
			r.sweepBelow(at, r.edit.Freeze(item))
		default:
			r.sweepPlaces(at, item, below[key])
		}
	}
}

// sweepItem removes an item if it is used up, and reports whether it did.
func (r *run) sweepItem(at tree.Path, item tree.Value) bool {
	if !r.sys.isUsedUp(item) || r.sys.guards(item) || r.holdsDeclared(at) {
		return false
	}
	r.drop(at, item, "inventory")
	return true
}

// sweepBelow removes the used-up items below a node, in the order of the document.
func (r *run) sweepBelow(path tree.Path, holder tree.Value) {
	removed := 0
	for i := range holder.Len() {
		item, key := holder.At(i), holder.KeyAt(i)
		if holder.IsArray() {
			key = strconv.Itoa(i - removed)
		}
		at := path.Child(key)
		switch {
		case r.sweepItem(at, item):
			removed++
			r.bag.unclean = r.bag.unclean || holder.IsArray()
		case *r.sys.options.InventoryRecursive:
			r.sweepBelow(at, item)
		}
	}
}

// isUsedUp reports whether an item's count is zero, or negative if that counts.
func (s *System) isUsedUp(item tree.Value) bool {
	n, ok := numeric(item.Get("num"))
	if !ok {
		return false
	}
	c := n.Cmp("0")
	return c == 0 || c < 0 && *s.options.InventoryRemoveNegative
}

// resources increases and decreases the stocks on the map with the days.
//
// The days are counted from the date at the end of the last turn to the current date, including a
// rollover. If one of them is unreadable, or the date went back, no stock changes.
func (r *turnPasses) resources() {
	prof := &r.sys.profile
	if !r.base.World.Equal(r.sys.profile.Content(r.root(), r.status(prof.WorldName))) {
		return // a new world has its own calendar
	}
	from, ok := r.sys.options.Calendar.Read(r.base.Date, r.base.Era)
	to, okTo := r.today()
	if !ok || !okTo || !from.alike(to) {
		return
	}
	days := r.sys.options.Calendar.Between(from, to, *r.sys.options.WrapWindowDays)
	if days <= 0 {
		return
	}
	path := withinModule(prof.Assets, prof.Map)
	r.grow(path, r.edit.Lookup(path), tree.Number(strconv.Itoa(days)))
}

// grow updates the stock tables below a node.
func (r *turnPasses) grow(path tree.Path, v tree.Value, days tree.Number) {
	for i := range v.Len() {
		key, child := segmentAt(v, i), v.At(i)
		at := path.Child(key)
		if key != r.sys.profile.Resources || !child.IsObject() {
			r.grow(at, child, days)
			continue
		}
		for name, entry := range child.Members() {
			r.stock(at.Child(name), entry, days)
		}
	}
}

// stock updates one entry of a stock table. Entries in a different form, rates not per day and
// stocks that are not numbers (无限) are not changed. Consumption stops at zero; a negative stock
// stays negative.
func (r *turnPasses) stock(path tree.Path, entry tree.Value, days tree.Number) {
	if entry.IsPair() && entry.At(0).IsArray() { // the whole entry has a description
		path, entry = path.Child("0"), entry.At(0)
	}
	text, ok := content(entry.At(0)).AsText()
	if !entry.IsArray() || entry.Len() != 2 || !ok {
		return
	}
	rate, ok := parseRate(text)
	stock, okStock := numeric(entry.At(1))
	if !ok || !okStock {
		return
	}
	now := stock.Add(rate.Mul(days))
	if *r.sys.options.ResourceFloor && rate.Cmp("0") < 0 && now.Cmp("0") < 0 {
		if now = "0"; stock.Cmp("0") < 0 {
			return
		}
	}
	if now.Cmp(stock) != 0 {
		at := path.Child("1")
		if entry.At(1).IsPair() {
			at = at.Child("0")
		}
		r.put(at, tree.Num(now))
		r.change(tree.Change{Path: at, Old: content(entry.At(1)), New: tree.Num(now), By: "resource"})
	}
}

// parseRate reads [+|-]number[unit]/(d|天|日|day).
//
// The unit may be any text without a slash, in brackets or not. Rates per week and similar are not
// changed, because they would have to be guessed.
func parseRate(text string) (tree.Number, bool) {
	s := strings.TrimSpace(utf8text.Narrow(text))
	s = strings.ReplaceAll(s, "／", "/")
	slash := strings.LastIndexByte(s, '/')
	if slash < 0 {
		return "", false
	}
	amount, unit := s[:slash], s[slash+1:]
	switch strings.ToLower(strings.TrimSpace(unit)) {
	case "d", "day", "天", "日":
	default:
		return "", false
	}
	amount = strings.TrimPrefix(amount, "+")
	end := 0
	for end < len(amount) && (end == 0 && amount[end] == '-' || amount[end] == '.' ||
		amount[end] >= '0' && amount[end] <= '9') {
		end++
	}
	return tree.ParseNumber(amount[:end])
}
