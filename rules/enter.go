package rules

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Effects come from everywhere: from authors, whose JSON was read, and from hosts, hooks and
// tools, which build them in Go and may put anything into them. What is applied is recorded
// and has to read back as it was, or a game that went on in memory could not be loaded again.
// So each effect is brought, before it does anything, into the form that its JSON has; one that
// has none is refused.

// ReadBack returns the effect as it reads back from its JSON, in a record as well: what an engine
// applies and what its log keeps are then the same. The error says why the effect has no such
// form: a pointer or a type of the host's own in place of an effect, an action that could not be
// read, a number that is none, a value nested deeper than
// [tree.MaxDepth] levels. Bytes that are no UTF-8
// become U+FFFD.
func ReadBack(e Effect) (Effect, error) {
	back, why := entered(e)
	if why.reason != "" {
		return nil, errors.New("rules: " + why.In(nil))
	}
	return back, nil
}

// entered is [ReadBack] with a refusal.
func entered(e Effect) (Effect, refused) {
	if d, ok := e.(everyday); ok && genuine(e) && d.plain() { // nearly all are, and need not be written to know it
		return e, refused{}
	}
	if e == nil || reflect.TypeOf(e).Kind() == reflect.Pointer {
		return e, deny(NotReadable, "%T is no effect; effects are values", e)
	}
	if c, ok := e.(Custom); ok && unreadable(c) {
		return e, deny(NotReadable, "an action that cannot be read")
	}
	data, err := MarshalEffect(e)
	if err != nil {
		return e, deny(NotReadable, "cannot be written as JSON: %v", err)
	}
	if openjson.Deeper(data, tree.MaxDepth+ownLevels) {
		return e, tooDeep
	}
	back, err := UnmarshalEffect(data)
	if err != nil {
		return e, deny(NotReadable, "cannot be read from its JSON: %v", err)
	}
	return back, refused{}
}

// plainTexts reports whether all texts are UTF-8.
func plainTexts(texts ...string) bool {
	return !slices.ContainsFunc(texts, func(s string) bool { return !utf8.ValidString(s) })
}

// plainDepth is as deep as values are looked at before they are written to be sure.
const plainDepth = 32

// plainValue reports whether a value surely reads back as it is.
func plainValue(v tree.Value, depth int) bool {
	if s, ok := v.AsText(); ok {
		return utf8.ValidString(s)
	}
	if n, ok := v.AsNumber(); ok {
		return plainNumber(string(n))
	}
	if depth == plainDepth {
		return false
	}
	for k, m := range v.Members() {
		if !utf8.ValidString(k) || !plainValue(m, depth+1) {
			return false
		}
	}
	for _, e := range v.Elements() {
		if !plainValue(e, depth+1) {
			return false
		}
	}
	return true
}

// plainNumber recognises the everyday spellings of numbers: digits, with a sign and a fraction.
func plainNumber(s string) bool {
	whole, fraction, dot := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	return digits(whole) && (whole == "0" || whole[0] != '0') && (!dot || digits(fraction))
}

// digits reports whether a text consists of digits.
func digits(s string) bool {
	for i := range len(s) {
		if s[i]-'0' > 9 {
			return false
		}
	}
	return s != ""
}

// plainEvent reports whether an event surely reads back as it is.
func plainEvent(e Event) bool {
	return utf8.ValidString(e.Type) && (!e.Fields.Exists() || e.Fields.IsObject()) &&
		plainValue(e.Fields, 0)
}

// mended returns an event with texts in UTF-8: parameters of events get into effects, and events
// into records. One that cannot be written as JSON keeps its type alone.
func mended(e Event) Event {
	clean := Event{Type: strings.ToValidUTF8(e.Type, "\uFFFD")}
	if data, err := e.MarshalJSON(); err == nil {
		_ = clean.UnmarshalJSON(data) // what was just written has a type
	}
	return clean
}

// What a game may hold. A value that is written into itself doubles each time.
const (
	maxParts  = 1 << 20 // parts of a value, itself included
	maxText   = 1 << 20 // bytes of a text
	ownLevels = 3       // that an effect adds to what it holds: itself, its event, the fields
)

// storable refuses a value that is too large for a game.
func storable(v tree.Value) refused {
	if s, ok := v.AsText(); ok && len(s) > maxText {
		return deny(TooLarge, "a text of more than %d bytes", maxText)
	}
	// The parts are counted first: looking for the depth goes through all of them.
	if isStructure(v) && v.Size(maxParts+1) > maxParts {
		return deny(TooLarge, "a value of more than %d parts", maxParts)
	}
	return refused{}
}

// recordable refuses a value of an effect that no record can hold. Those hold what a document may
// hold, and some levels around it.
func recordable(v tree.Value) refused {
	if why := storable(v); why.reason != "" {
		return why
	}
	if v.Deeper(tree.MaxDepth) {
		return tooDeep
	}
	return refused{}
}

// tooLong reports whether an operand is, or holds, a number of more digits than anything
// computes with.
func tooLong(v tree.Value) bool {
	if n, ok := v.AsNumber(); ok {
		return len(n) > tree.MaxDigits
	}
	for _, m := range v.Members() {
		if tooLong(m) {
			return true
		}
	}
	for _, e := range v.Elements() {
		if tooLong(e) {
			return true
		}
	}
	return false
}
