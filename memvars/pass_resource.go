package memvars

import (
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

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
	if !ok || !okTo || !from.Alike(to) {
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
