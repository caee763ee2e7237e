package memvars

import (
	"slices"
	"strconv"

	"github.com/talewright/talewright/memvars/tree"
)

// run is the work on one document: a batch of edits with its results.
type run struct {
	batch
	sys          *System
	actor        Actor
	cause        string // of the changes of the current command; see cause
	result       Result
	bag          bagSweeper
	writtenNodes int // see maxWritten
	commands     int // of the message
	// Buffers for the lists of a plan. The next plan uses them again, to save allocations.
	writes  []write
	events  []tree.Change
	touched []touch
	// numbered are the entries of summary.small by their keys without number, for the keys that
	// commands wrote.
	series map[string]*series
}

// newRun starts the work on d. Nothing is copied before the first write.
func newRun(s *System, d tree.Document, by Actor) *run {
	if by != User && by != Host {
		by = AI // an unknown actor is trusted least
	}
	r := &run{batch: batch{Edit: d.Edit(), Profile: &s.profile}, sys: s, actor: by, bag: s.bag}
	if s.gate != nil {
		r.Gate = declared{r}
	}
	return r
}

// finish returns the document. It is the given one if nothing changed.
func (r *run) finish(d tree.Document) (tree.Document, Result) {
	r.result.Changes = r.Changes
	r.result.Notes = append(r.result.Notes, r.Notes...)
	if r.Root().Same(d.Root()) {
		return d, r.result
	}
	return r.Edit.Document(), r.result
}

// limit limits the difficulty of a check by the level of the world, unless an option turns it off.
func (r *run) limit() {
	if r.sys.clamp {
		limitDifficulty(&r.batch)
	}
}

// declared is the gate for passes. It applies the declarations of [System.With] to the writes of a
// pass.
type declared struct{ run *run }

// Admit returns the gate's value for a value that a pass writes into a place.
func (d declared) Admit(at tree.Place, v tree.Value) (stored tree.Value, ok bool) {
	r := d.run
	for _, place := range placesNear(r.sys.gate, at.Path) {
		if rest, ok := r.match(place, at.Path); !ok || len(rest) > 0 || len(place) != len(logical(place, at.Path)) {
			continue
		}
		stored, refusal := r.sys.gate.Judge(Write{Actor: Host, Path: place, Old: at.Content(), New: v})
		return stored, refusal == nil
	}
	return v, true
}

// logical returns the path of a node without the steps into leaves, as far as the segments of the
// place allow that.
func logical(place, path tree.Path) tree.Path {
	out := make(tree.Path, 0, len(path))
	for _, seg := range path {
		if seg == "0" && (len(out) >= len(place) || place[len(out)] != "0") {
			continue
		}
		out = append(out, seg)
	}
	return out
}

// Holds reports whether a node is, or contains, a declared variable. A pass does not remove such a
// node.
func (d declared) Holds(at tree.Path) bool {
	r := d.run
	for _, place := range placesNear(r.sys.gate, at) {
		if rest, ok := r.match(place, at); ok && (len(rest) > 0 || len(logical(place, at)) == len(place)) {
			return true
		}
	}
	return false
}

// match compares a place with the path of a node in the current document.
func (r *run) match(place, path tree.Path) (rest tree.Path, ok bool) {
	return r.Profile.Match(r.Root(), place, path)
}

// placesNear lists the places of [Gate.Near]. A loop over the iterator itself would move the
// variables of its body to the heap, including the plan of each command.
func placesNear(g Gate, path tree.Path) []tree.Path { return slices.Collect(g.Near(path)) }

// series are the entries of summary.small under one key. The first entry has the key itself, the
// others have the key with a number: day, day-1, day-2. A run caches them, because a message may
// have many entries.
type series struct {
	key    string
	size   int             // number of entries
	texts  map[string]bool // the entries that are texts
	others []tree.Value    // all other entries
}

// freeKey returns the first key without an entry.
func (s *series) freeKey() string {
	if s.size == 0 {
		return s.key
	}
	return s.key + "-" + strconv.Itoa(s.size)
}

// add adds an entry at the first free key.
func (s *series) add(v tree.Value) {
	s.size++
	if text, ok := v.AsText(); ok {
		s.texts[text] = true
	} else {
		s.others = append(s.others, v)
	}
}

// contains reports whether an entry has the value.
func (s *series) contains(v tree.Value) bool {
	if text, ok := v.AsText(); ok {
		return s.texts[text]
	}
	return slices.ContainsFunc(s.others, v.Equal)
}
