package mvu

import (
	"math"
	"time"

	"github.com/talewright/talewright/memvars/tree"
)

// set replaces an existing value. In a pair it replaces the value and keeps the description, unless
// the schema has strictSet.
//
// Any existing value may be written. The schema of its parent only protects which members exist,
// not their values. A path that leads nowhere is an error; nothing is created.
func (r *runner) set(t target, v tree.Value) Code {
	old := r.lookup(t.path)
	switch {
	case r.options.Schema != nil && !v.Exists() && len(t.path) > 0: // undefined
		if !old.Exists() {
			return ""
		}
		return r.delete(t)
	case !old.Exists() && r.options.Schema == nil:
		return r.pathMissing(t.path)
	}
	if n := len(t.path) - 1; n > 0 && t.path[n] == "1" && v.Kind() != tree.KindText && !r.options.compat() &&
		r.isPair(r.lookup(t.path[:n])) && !r.isMarkedOpen(t.path[:n]) {
		return codePairShape
	}
	given := v
	v, meta := extract(nullIfUndefined(v))
	slot := t.path
	inPair := r.isPair(old) && (r.meta == nil || !r.meta.strictSet) && !r.isMarkedOpen(t.path)
	if inPair {
		old, slot = old.At(0), t.path.Child("0")
	}
	if !given.Exists() && inPair && old.Kind() == tree.KindNumber {
		given = tree.Null // it was converted, but not to a number
	}
	v, ok := r.coerce(old, v, inPair)
	if !ok {
		return codeTypeMismatch
	}
	if code := r.write(slot, v); code != "" {
		return code
	}
	r.retype(slot, old, v, meta)
	e := Event{Type: "set", Path: t.text, At: t.path, Old: old, New: v}
	if !given.Exists() {
		e.New = given
	}
	r.addEvent(e)
	return ""
}

// coerce converts a value to a number if the old value is a number.
//
// In default mode a text must be a number: an empty text is not zero, and 很多 is not NaN. In compat
// mode every value in a pair is converted by JavaScript's function Number; outside pairs only texts
// are. A failed conversion gives NaN.
func (r *runner) coerce(old, v tree.Value, inPair bool) (tree.Value, bool) {
	if old.Kind() != tree.KindNumber || v.Kind() == tree.KindNumber || v.IsNull() || r.options.Schema != nil {
		return v, true
	}
	if !r.options.compat() {
		text, ok := v.AsText()
		if !ok {
			return v, true
		}
		n, ok := number(text)
		return n, ok
	}
	if v.Kind() != tree.KindText && !inPair {
		return v, true
	}
	return nullIfUndefined(scriptNumberOf(v)), true // JSON writes NaN as null
}

// retype updates the schema for a replaced value: the rules for a different kind of value are
// removed.
func (r *runner) retype(path tree.Path, old, v tree.Value, meta *node) {
	if meta != nil || old.Kind() != v.Kind() && (old.IsObject() || old.IsArray()) {
		r.replaceSchema(path, meta)
	}
}

// add adds to a number, to the number of a pair, or, in milliseconds, to a date.
//
// Only numbers can be added: a text such as '5' is an error in both modes.
func (r *runner) add(t target, delta tree.Value) Code {
	whole := r.lookup(t.path)
	if !whole.Exists() {
		return r.pathMissing(t.path)
	}
	old, slot := whole, t.path
	if r.isPair(whole) {
		r.edit.Freeze(whole) // the event needs the old value
		old, slot = whole.At(0), t.path.Child("0")
	}
	date, isDate := parseTime(old)
	isDate = isDate && r.options.Schema == nil
	if old.Kind() != tree.KindNumber && !isDate {
		return codeNotANumber
	}
	d, ok := delta.AsNumber()
	if !ok {
		return codeBadDelta
	}
	sum, ok := r.sum(old, date, d)
	if !ok {
		return codeBadDelta
	}
	if code := r.write(slot, sum); code != "" {
		return code
	}
	e := Event{Type: "add", Path: t.text, At: t.path, Old: old, New: sum}
	if r.isPair(whole) {
		e.Old, e.New = whole, r.lookup(t.path)
	}
	r.addEvent(e)
	return ""
}

// sum adds to a number or to a date. Decimal sums are exact. In compat mode they are rounded to 12
// digits, as MVU does to remove the errors of binary fractions.
func (r *runner) sum(old tree.Value, date time.Time, delta tree.Number) (tree.Value, bool) {
	n, isNumber := old.AsNumber()
	switch {
	case isNumber && r.options.compat():
		sum := n.Float64() + delta.Float64()
		if math.IsInf(sum, 0) || math.IsNaN(sum) {
			return tree.Null, true // as JSON writes it
		}
		return tree.Num(rounded(sum)), true
	case isNumber:
		return tree.Num(n.Add(delta)), true
	}
	ms := delta.Float64()
	if math.IsNaN(ms) || math.Abs(ms) > 8.64e15 {
		return tree.Value{}, false
	}
	after := time.UnixMilli(date.UnixMilli() + int64(ms)).UTC()
	if after.Year() < 0 || after.Year() > 9999 {
		return tree.Value{}, false
	}
	return tree.Text(after.Format("2006-01-02T15:04:05.000Z")), true
}

// timeLayouts are the formats of dates that can be added to. Dates without a zone are read as UTC.
var timeLayouts = [...]string{
	time.RFC3339Nano, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05",
	"2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15:04Z07:00", time.DateOnly,
	"2006/1/2 15:04:05", "2006/1/2 15:04", "2006/1/2", "2006-1-2", "2006-1-2 15:04:05",
	"Jan 2, 2006 15:04:05", "Jan 2, 2006", "2 Jan 2006 15:04:05", "2 Jan 2006",
	"Mon, 02 Jan 2006 15:04:05 MST", "January 2, 2006 15:04:05", "January 2, 2006",
	"2006-01", "2006/1/2 15:04:05Z07:00", "Mon, 02 Jan 2006 15:04:05 -0700", "Mon Jan 2 2006 15:04:05 GMT-0700",
	"Jan 2, 2006 15:04:05 MST", "January 2, 2006 15:04:05 MST",
}

// parseTime reads a date that can be added to. Texts of an impossible length are not tried.
func parseTime(v tree.Value) (time.Time, bool) {
	text, ok := v.AsText()
	if !ok || len(text) < 6 || len(text) > 40 {
		return time.Time{}, false
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
