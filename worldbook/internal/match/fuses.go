package match

import "strings"

// maxSteps bounds the steps of all regexes of a scan together: about a second.
const maxSteps = 1 << 28

// Fuses watch over the regexes of one scan. What a regex may do depends on texts,
// book and state alone; whether an answer comes from a cache makes no difference.
type Fuses struct {
	names []string            // of keys that are off, in the order in which they blew
	off   map[string]struct{} // the same
	sign  string              // the same, to compare
	left  int                 // steps that are left for the scan
}

// NewFuses returns the fuses of a search outside a chat.
func NewFuses() *Fuses { return &Fuses{left: maxSteps} }

// Reset prepares the fuses for a scan; no key is off.
func (f *Fuses) Reset() {
	f.names, f.sign, f.left = f.names[:0], "", maxSteps
	clear(f.off)
}

// Names are the keys that are off, in the order in which they were given up.
func (f *Fuses) Names() []string { return f.names }

// has reports whether a key is off.
func (f *Fuses) has(name string) bool {
	if len(f.names) == 0 {
		return false
	}
	_, ok := f.off[name]
	return ok
}

// Blow gives a key up.
func (f *Fuses) Blow(name string) {
	if f.has(name) {
		return
	}
	if f.off == nil {
		f.off = map[string]struct{}{}
	}
	f.names = append(f.names, name)
	f.off[name] = struct{}{}
	f.sign = "" // made when it is asked for
}

// signature tells lists of names apart; it is empty without any.
func (f *Fuses) signature() string {
	if f.sign == "" && len(f.names) > 0 {
		f.sign = strings.Join(f.names, "\x00")
	}
	return f.sign
}
