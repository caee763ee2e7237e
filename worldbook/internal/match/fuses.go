package match

import "strings"

// maxSteps limits the steps of all regexes of a scan together: about a second.
const maxSteps = 1 << 28

// Fuses limit the regexes of one scan. The result of a regex depends only on texts, book and state,
// and not on whether an answer comes from a cache.
type Fuses struct {
	names       []string            // of stopped keys, in the order in which they were stopped
	stoppedSet  map[string]struct{} // names as a set
	joinedNames string              // names as one text, for comparison; empty until requested
	stepsLeft   int                 // remaining steps of the scan
}

// NewFuses returns the fuses for a search outside a chat.
func NewFuses() *Fuses { return &Fuses{stepsLeft: maxSteps} }

// Reset prepares the fuses for a scan: no key is stopped.
func (f *Fuses) Reset() {
	f.names, f.joinedNames, f.stepsLeft = f.names[:0], "", maxSteps
	clear(f.stoppedSet)
}

// Names returns the stopped keys, in the order in which they were stopped.
func (f *Fuses) Names() []string { return f.names }

// has reports whether a key is stopped.
func (f *Fuses) has(name string) bool {
	if len(f.names) == 0 {
		return false
	}
	_, ok := f.stoppedSet[name]
	return ok
}

// Blow stops a key.
func (f *Fuses) Blow(name string) {
	if f.has(name) {
		return
	}
	if f.stoppedSet == nil {
		f.stoppedSet = map[string]struct{}{}
	}
	f.names = append(f.names, name)
	f.stoppedSet[name] = struct{}{}
	f.joinedNames = "" // computed on request
}

// signature identifies the list of names. It is empty for an empty list.
func (f *Fuses) signature() string {
	if f.joinedNames == "" && len(f.names) > 0 {
		f.joinedNames = strings.Join(f.names, "\x00")
	}
	return f.joinedNames
}
