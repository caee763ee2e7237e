package memvars

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// bagSweeper removes used-up items from the inventory of one batch. It remembers which part is
// clean, because an inventory may be large, and a message may have many commands.
type bagSweeper struct {
	Recursive   bool // items at any depth
	Negative    bool // negative numbers are used up too
	ProtectDeep bool

	path tree.Path  // of the inventory
	last tree.Value // the inventory after the last sweep
	// swept says that last is clean except for later writes. unclean says that a sweep removed
	// elements of lists, which may have changed the meaning of those lists.
	swept, unclean bool
}

// Sweep removes used-up items from the whole inventory.
//
// It runs after every command and not once per message. So a later command sees the same inventory
// as a player: a used-up item is gone, and a new item of the same name starts from the beginning.
// Objects without a num are categories and stay, even if they are empty.
func (g *bagSweeper) Sweep(b *batch) {
	path := g.path
	bag := b.Edit.Peek(path)
	if !bag.Exists() || g.swept && bag.Same(g.last) {
		return
	}
	g.unclean = false
	g.sweep(b, path, b.Edit.Freeze(bag))
	g.last, g.swept = b.Edit.Peek(path), true
}

// Clean reports whether the inventory was swept, so that [bagSweeper.Tidy] is enough.
func (g *bagSweeper) Clean() bool { return g.swept }

// Forget makes the next sweep check everything again.
func (g *bagSweeper) Forget() { g.swept = false }

// Tidy is Sweep for an inventory that is clean except at the written paths.
func (g *bagSweeper) Tidy(b *batch, written []tree.Path) {
	path := g.path
	var places []tree.Path
	for _, w := range written {
		switch {
		case path.HasPrefix(w):
			g.swept = false
		case w.HasPrefix(path):
			places = append(places, w[len(path):])
		}
	}
	bag := b.Edit.Peek(path)
	switch {
	case !g.swept || len(places) > 0 && (g.unclean || !bag.IsObject()):
		g.swept = false
		g.Sweep(b)
	case len(places) > 0:
		g.sweepPlaces(b, path, bag, places)
		g.last = b.Edit.Peek(path)
	}
}

// sweepPlaces is sweep for an object in which only the given places, relative to it, may be
// unclean. It checks them and their ancestors.
func (g *bagSweeper) sweepPlaces(b *batch, path tree.Path, holder tree.Value, places []tree.Path) {
	below := map[string][]tree.Path{}
	var keys []string
	for _, p := range places {
		if below[p[0]] == nil {
			keys = append(keys, p[0])
		}
		below[p[0]] = append(below[p[0]], p[1:])
	}
	if holder.IsObject() && len(keys) > 1 {
		at := map[string]int{}
		for _, k := range keys {
			at[k] = holder.IndexOf(k)
		}
		slices.SortFunc(keys, func(a, b string) int { return at[a] - at[b] })
	}
	for _, key := range keys {
		at := path.Child(key)
		item := b.Edit.Peek(at)
		whole := !item.IsObject() || slices.ContainsFunc(below[key], func(p tree.Path) bool { return len(p) == 0 })
		switch {
		case g.sweepItem(b, at, item) || !g.Recursive:
		case whole:
			g.sweep(b, at, b.Edit.Freeze(item))
		default:
			g.sweepPlaces(b, at, item, below[key])
		}
	}
}

// sweepItem removes an item if it is used up, and reports whether it did.
func (g *bagSweeper) sweepItem(b *batch, at tree.Path, item tree.Value) bool {
	if !g.usedUp(item) || guards(item, g.ProtectDeep) || b.Gate != nil && b.Gate.Holds(at) {
		return false
	}
	b.Edit.Freeze(item)
	b.Change(tree.Change{Path: at, Old: item, By: "inventory"})
	b.Remove(at)
	return true
}

// sweep removes the used-up items below a node, in the order of the document.
func (g *bagSweeper) sweep(b *batch, path tree.Path, holder tree.Value) {
	removed := 0
	for i := range holder.Len() {
		item := holder.At(i)
		key := holder.KeyAt(i)
		if holder.IsArray() {
			key = strconv.Itoa(i - removed)
		}
		at := path.Child(key)
		switch {
		case g.sweepItem(b, at, item):
			removed++
			g.unclean = g.unclean || holder.IsArray()
		case g.Recursive:
			g.sweep(b, at, item)
		}
	}
}

// usedUp reports whether an item's count is zero, or negative if that counts.
func (g *bagSweeper) usedUp(item tree.Value) bool {
	n, ok := numeric(item.Get("num"))
	if !ok || strings.TrimSpace(string(n)) == "" {
		return false
	}
	c := n.Cmp("0")
	return c == 0 || c < 0 && g.Negative
}

// Resources increases and decreases the stocks on the map with the days.
//
// The days are counted from the date at the end of the last turn to the current date, including a
// rollover. If one of them is unreadable, or the date went back, no stock changes.
func (r *turnPasses) Resources() {
	prof := r.Profile
	if !r.Base.World.Equal(r.Profile.Content(r.Root(), r.status(prof.WorldName))) {
		return // a new world has its own calendar
	}
	from, ok := r.Options.Calendar.Read(r.Base.Date, r.Base.Era)
	to, okTo := r.today()
	if !ok || !okTo || !from.alike(to) {
		return
	}
	days := r.Options.Calendar.Between(from, to, r.Options.WrapWindow)
	if days <= 0 {
		return
	}
	path := withinModule(prof.Assets, prof.Map)
	r.grow(path, r.Edit.Lookup(path), tree.Number(strconv.Itoa(days)))
}

// grow updates the stock tables below a node.
func (r *turnPasses) grow(path tree.Path, v tree.Value, days tree.Number) {
	for i := range v.Len() {
		key, child := v.KeyAt(i), v.At(i)
		if v.IsArray() {
			key = strconv.Itoa(i)
		}
		at := path.Child(key)
		if key != r.Profile.Resources || !child.IsObject() {
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
	if r.Options.ResourceFloor && rate.Cmp("0") < 0 && now.Cmp("0") < 0 {
		if now = "0"; stock.Cmp("0") < 0 {
			return
		}
	}
	if now.Cmp(stock) != 0 {
		at := path.Child("1")
		if entry.At(1).IsPair() {
			at = at.Child("0")
		}
		r.Put(at, tree.Num(now))
		r.Change(tree.Change{Path: at, Old: content(entry.At(1)), New: tree.Num(now), By: "resource"})
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
