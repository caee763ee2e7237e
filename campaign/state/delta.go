package state

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/talewright/talewright/memvars/tree"
)

// Delta is the difference between two JSON values: the nodes to write and to remove, in order. A
// record stores it instead of the whole state. So the cost of a commit depends on the changes of a
// turn and not on the size of the campaign.
type Delta []Patch

// Patch is one step of a [Delta]. An absent Value removes the node.
type Patch struct {
	Path  tree.Path  `json:"path"`
	Value tree.Value `json:"value,omitzero"`
	// Before is the key of the member before which a new member is inserted; nil means at the end.
	Before *string `json:"before,omitempty"`
}

// AppendJSON appends the same bytes that encoding/json would write for the delta: compact, without
// HTML escapes. It exists for speed, because a record has many steps and encoding/json would
// process the value of each step twice: see BenchmarkEntryOf.
func (d Delta) AppendJSON(out []byte) []byte {
	if d == nil {
		return append(out, "null"...)
	}
	const usual = 80 // bytes of a step
	out = append(slices.Grow(out, usual*len(d)), '[')
	for i, p := range d {
		if i > 0 {
			out = append(out, ',')
		}
		out = p.appendJSON(out)
	}
	return append(out, ']')
}

func (p Patch) appendJSON(out []byte) []byte {
	out = append(out, `{"path":`...)
	if p.Path == nil {
		out = append(out, "null"...)
	} else {
		out = append(out, '[')
		for i, name := range p.Path {
			if i > 0 {
				out = append(out, ',')
			}
			out = tree.AppendText(out, name)
		}
		out = append(out, ']')
	}
	if p.Value.Exists() {
		out = p.Value.AppendJSON(append(out, `,"value":`...))
	}
	if p.Before != nil {
		out = tree.AppendText(append(out, `,"before":`...), *p.Before)
	}
	return append(out, '}')
}

// WholeEvery is the interval of full heads: every WholeEvery-th record also stores the full head,
// see [turn.Record.Head].
const WholeEvery = 64

// Diff returns the delta from a to b. It includes the order of keys. Nodes that the two values
// share are skipped.
func Diff(a, b tree.Value) Delta {
	return appendDiff(nil, nil, a, b)
}

func appendDiff(d Delta, at tree.Path, a, b tree.Value) Delta {
	switch {
	case a == b: // the same spelling of a scalar, or the same node
		return d
	case a.IsObject() && b.IsObject() && sameOrder(a, b):
		return diffObjects(d, at, a, b)
	case a.IsArray() && b.IsArray():
		if first, count, ok := removedRun(a, b); ok {
			return appendMoved(d, at, a, b, first, count)
		} else if a.Len() > b.Len() {
			break
		}
		for i, v := range b.Elements() {
			child := at.Child(strconv.Itoa(i))
			if i < a.Len() {
				d = appendDiff(d, child, a.At(i), v)
			} else {
				d = append(d, Patch{Path: child, Value: v})
			}
		}
		return d
	}
	return append(d, Patch{Path: at, Value: b})
}

// removedRun finds a run of elements that a list has lost, if all elements after the run are the same
// in both lists. Lists with a limit, such as the checkpoints, lose their oldest elements like this.
// It reports false if the removal would not be shorter than writing the differences, or if the
// search takes too many steps.
func removedRun(a, b tree.Value) (first, count int, ok bool) {
	lenA, lenB := a.Len(), b.Len()
	steps := 1 << 12 // the limit for comparing nodes
	same := func(i, j int) bool { return identical(a.At(i), b.At(j), &steps) }
	for first < min(lenA, lenB) && same(first, first) {
		first++
	}
	for count = 1; first+count < lenA && first < lenB; count++ {
		if same(first+count, first) {
			break
		}
	}
	kept := lenA - first - count // elements after the run
	writes := max(lenA-lenB, 0)*lenB + max(lenB-lenA, 0)
	for i := first; i < min(lenA, lenB); i++ {
		if !same(i, i) {
			writes++
		}
	}
	if count+lenB-first-kept >= writes {
		return 0, 0, false
	}
	for i := range kept {
		if !same(first+count+i, first+i) {
			return 0, 0, false
		}
	}
	return first, count, steps > 0
}

// identical reports whether two values are equal, using at most the given number of steps.
func identical(a, b tree.Value, steps *int) bool {
	if *steps--; a == b || *steps <= 0 {
		return a == b
	}
	if a.Kind() != b.Kind() || a.Len() != b.Len() {
		return false
	}
	switch {
	case a.IsArray():
		for i := range a.Len() {
			if !identical(a.At(i), b.At(i), steps) {
				return false
			}
		}
		return true
	case a.IsObject():
		i := 0
		for key, v := range a.Members() {
			if b.KeyAt(i) != key || !identical(v, b.Get(key), steps) {
				return false
			}
			i++
		}
		return true
	}
	return false
}

// appendMoved removes the elements that removedRun found and writes the new elements at the end.
func appendMoved(d Delta, at tree.Path, a, b tree.Value, first, count int) Delta {
	for range count {
		d = append(d, Patch{Path: at.Child(strconv.Itoa(first))})
	}
	for i := a.Len() - count; i < b.Len(); i++ {
		d = append(d, Patch{Path: at.Child(strconv.Itoa(i)), Value: b.At(i)})
	}
	return d
}

func diffObjects(d Delta, at tree.Path, a, b tree.Value) Delta {
	for key := range a.Members() {
		if !b.Get(key).Exists() {
			d = append(d, Patch{Path: at.Child(key)})
		}
	}
	var next []*string // allocated at the first new member
	i := -1
	for key, v := range b.Members() {
		i++
		if old := a.Get(key); old == v {
			continue // shared: do not even build its path
		} else if old.Exists() {
			d = appendDiff(d, at.Child(key), old, v)
		} else {
			if next == nil {
				next = nextShared(a, b)
			}
			d = append(d, Patch{Path: at.Child(key), Value: v, Before: next[i]})
		}
	}
	return d
}

// nextShared returns for each member of b the first later key that is also in a. A new member is
// inserted before that key.
func nextShared(a, b tree.Value) []*string {
	out := make([]*string, b.Len())
	var next *string
	for i := b.Len() - 1; i >= 0; i-- {
		out[i] = next
		if key := b.KeyAt(i); a.Get(key).Exists() {
			next = &key
		}
	}
	return out
}

// sameOrder reports whether the members that a and b share have the same order in both. Then
// removals and insertions lead from a to b.
func sameOrder(a, b tree.Value) bool {
	i := 0 // index in b
	for key := range a.Members() {
		if !b.Get(key).Exists() {
			continue
		}
		for !a.Get(b.KeyAt(i)).Exists() {
			i++ // a new member
		}
		if b.KeyAt(i) != key {
			return false
		}
		i++
	}
	return true
}

// Apply applies the steps to a value.
func (d Delta) Apply(v tree.Value) (tree.Value, error) {
	edit, err := v.Edit()
	if err != nil {
		return v, err
	}
	var ins inserts
	for i, p := range d {
		if !ins.canPrecede(p) {
			err = ins.flush(edit)
		}
		switch {
		case err != nil:
		case !p.Value.Exists():
			err = edit.Delete(p.Path)
		case p.Before != nil && len(p.Path) > 0:
			ins.add(p)
		default:
			err = edit.Set(p.Path, p.Value)
		}
		if err != nil {
			return v, fmt.Errorf("campaign: step %d of a delta: %w", i, err)
		}
	}
	if err := ins.flush(edit); err != nil {
		return v, fmt.Errorf("campaign: a delta: %w", err)
	}
	return edit.Value(), nil
}

// inserts collects new members of one object and inserts them together. Inserting each alone would
// copy the object each time.
type inserts struct {
	parent tree.Path
	before map[string][]tree.Member // by the key of the following member
	keys   map[string]bool
	count  int
}

// canPrecede reports whether a step can be applied before the waiting inserts: it is a further
// insert, or it writes to a different member of the object.
func (ins *inserts) canPrecede(p Patch) bool {
	n := len(ins.parent)
	switch {
	case ins.count == 0:
		return true
	case !p.Value.Exists() || len(p.Path) <= n || !p.Path.HasPrefix(ins.parent) || ins.keys[p.Path[n]]:
		return false
	}
	return p.Before == nil || len(p.Path) == n+1 && !ins.keys[*p.Before]
}

func (ins *inserts) add(p Patch) {
	last := len(p.Path) - 1
	if ins.count == 0 {
		*ins = inserts{parent: p.Path[:last], before: map[string][]tree.Member{}, keys: map[string]bool{}}
	}
	ins.count++
	ins.keys[p.Path[last]] = true
	ins.before[*p.Before] = append(ins.before[*p.Before],
		tree.Member{Key: p.Path[last], Value: p.Value})
}

// flush inserts the waiting members at their places.
func (ins *inserts) flush(edit *tree.Edit) error {
	if ins.count == 0 {
		return nil
	}
	parent := edit.Lookup(ins.parent)
	members := make([]tree.Member, 0, parent.Len()+ins.count)
	for key, v := range parent.Members() {
		members = append(append(members, ins.before[key]...), tree.Member{Key: key, Value: v})
	}
	if len(members) != parent.Len()+ins.count {
		return fmt.Errorf("%s: no member to put a new one before", ins.parent)
	}
	ins.count = 0
	return edit.Set(ins.parent, tree.Object(members...))
}

// Valid reports whether all of a delta survives a JSON round trip.
func (d Delta) Valid() bool {
	for _, p := range d {
		for _, key := range p.Path {
			if !utf8.ValidString(key) {
				return false
			}
		}
		if !valueReadsBackSame(p.Value, math.MaxInt) {
			return false
		}
	}
	return true
}
