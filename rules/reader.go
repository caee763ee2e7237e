package rules

import (
	"math"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// slot is a variable or path that some condition reads.
type slot struct {
	text string
	path tree.Path  // nil where the text is an id only
	back tree.Value // default of a declared variable, or the node in it
	// place is where a declared variable lives, or a node in it, if not under its id.
	place tree.Path
	whole tree.Path // the place of the variable
}

// slot returns the number of the slot for a text, a new one if need be.
func (c *compiler) slot(text string) int32 {
	if i, ok := c.slots[text]; ok {
		return i
	}
	// A text that is one segment of itself needs no path: it is found by its key.
	s := slot{text: text}
	if p, err := tree.ParsePath(text); err == nil && (len(p) > 1 || p[0] != text) {
		s.path = p
	}
	s.back = c.set.schema.fallback(text, s.path)
	s.whole, s.place = c.set.schema.elsewhere(text, s.path)
	i := int32(len(c.set.slots))
	c.set.slots = append(c.set.slots, s)
	c.slots[text] = i
	return i
}

// reading is the value of a slot, remembered for one version of the variables.
type reading struct {
	version uint32
	isNum   bool
	num     float64    // the value as a double, for most comparisons
	value   tree.Value // absent where there is no such variable
}

// reader reads variables through slots: each once per version, however many
// conditions ask.
//
// A version is one state of the variables. Readings carry the number of theirs, so that the
// next hop need not clear thousands of them to forget.
type reader struct {
	set      *Program
	vars     Vars       // nil: read the document
	root     tree.Value // of the document
	views    Views      // beside it; may be nil
	version  uint32
	readings []reading // by slot
	used     []int32   // slots that hold values
}

// use makes the reader forget what it has read. It reports whether the numbers of the
// versions begin anew.
func (r *reader) use(root tree.Value) (again bool) {
	r.root = root
	if r.version == math.MaxUint32 {
		clear(r.readings)
		r.used = r.used[:0]
		r.version, again = 0, true
	}
	r.version++
	return again
}

// forget drops the values that were read. It costs what was read and not what could
// have been. Memory that is reused must not keep another game's document alive.
func (r *reader) forget() {
	for _, i := range r.used {
		r.readings[i] = reading{}
	}
	r.used = r.used[:0]
	r.vars, r.views, r.root = nil, nil, tree.Value{}
}

// at reads a slot, for the first time in this version or from memory.
func (r *reader) at(i int32) *reading {
	known := &r.readings[i]
	if known.version == r.version {
		return known
	}
	s := &r.set.slots[i]
	if known.version == 0 {
		r.used = append(r.used, i)
	}
	known.version = r.version
	known.value = r.find(s)
	known.num, known.isNum = floatOf(known.value)
	return known
}

// read returns the value of a variable or path that has no slot.
func (r *reader) read(text string) tree.Value {
	s := slot{text: text}
	if p, err := tree.ParsePath(text); err == nil && (len(p) > 1 || p[0] != text) {
		s.path = p
	}
	s.back = r.set.schema.fallback(text, s.path)
	s.whole, s.place = r.set.schema.elsewhere(text, s.path)
	return r.find(&s)
}

// find reads an id, or else a path, or else the fallback.
func (r *reader) find(s *slot) tree.Value {
	if r.vars != nil { // a source of the caller's own, which walks paths by itself
		if v := valueOf(r.vars, s.text); v.Exists() {
			return v
		}
		return s.back
	}
	if s.place != nil {
		v, _ := r.set.through(r.root, s.place)
		if v.Exists() {
			return v
		}
		if whole, _ := r.set.through(r.root, s.whole); whole.Exists() {
			return v // the game has moved on from the default
		}
		return s.back
	}
	if v := r.root.Get(s.text); v.Exists() {
		if v.IsPair() && r.set.isLeaf(tree.Path{s.text}, v) {
			return v.At(0)
		}
		return v
	}
	if r.views != nil {
		if v, ok := r.views.View(s.text); ok {
			return v
		}
	}
	// Where the variable is there and the node in it is not, the default is not asked for
	// the node: the game has moved on from it.
	if s.path != nil && r.root.Get(s.path[0]).Exists() {
		return r.set.walk(r.root, s.path, 0)
	}
	return s.back
}

// floatOf is AsFloat with a short way for what most variables hold: whole numbers of a few
// digits. Reading them is most of what a change costs that concerns nobody.
func floatOf(v tree.Value) (float64, bool) {
	n, ok := v.AsNumber()
	if !ok {
		return 0, false
	}
	digits := strings.TrimPrefix(string(n), "-")
	if len(digits) == 0 || len(digits) > 9 {
		return v.AsFloat()
	}
	whole := 0
	for i := range len(digits) {
		c := digits[i] - '0'
		if c > 9 {
			return v.AsFloat()
		}
		whole = whole*10 + int(c)
	}
	if len(digits) < len(n) {
		whole = -whole
	}
	return float64(whole), true
}
