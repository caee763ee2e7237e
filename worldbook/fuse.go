package worldbook

import (
	"strings"

	"github.com/talewright/talewright/internal/jsregex"
)

// Fuse is a regex key that was given up. It rests: until the chat has End messages it
// is not run, and counts as not found. A chat that goes back behind Start forgets it.
type Fuse struct {
	Key   string `json:"key"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// FuseRest is the number of messages for which a regex key rests.
const FuseRest = 100

// maxScanSteps bounds the steps of all regexes of a scan together: about a second.
const maxScanSteps = 1 << 28

// fuses watches over the regexes of one scan. What a regex may do depends on texts,
// book and state alone; whether an answer comes from a cache makes no difference.
type fuses struct {
	names []string            // of keys that are off, in the order in which they blew
	off   map[string]struct{} // the same
	sign  string              // the same, to compare
	left  int                 // steps that are left for the scan
}

// newFuses returns the fuses of a scan outside a chat.
func newFuses() *fuses { return &fuses{left: maxScanSteps} }

// begin takes over the keys that rest.
func (f *fuses) begin(resting []Fuse, length int) {
	f.names, f.sign, f.left = f.names[:0], "", maxScanSteps
	clear(f.off)
	for _, r := range resting {
		if r.rests(length) {
			f.blow(r.Key)
		}
	}
}

// rests reports whether a key is off in a chat of so many messages.
func (r *Fuse) rests(length int) bool { return r.Start <= length && length < r.End }

// has reports whether a key is off.
func (f *fuses) has(name string) bool {
	if len(f.names) == 0 {
		return false
	}
	_, ok := f.off[name]
	return ok
}

// blow gives a key up.
func (f *fuses) blow(name string) {
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
func (f *fuses) signature() string {
	if f.sign == "" && len(f.names) > 0 {
		f.sign = strings.Join(f.names, "\x00")
	}
	return f.sign
}

// match runs one regex, and notes in found what it cost and whether it was given up. A
// key that is off is not run.
func (f *fuses) match(found *finds, r *regexKey, which int32, text string) bool {
	if f.has(r.name) {
		return false
	}
	usual := jsregex.Limit(len(text))
	limit := min(usual, f.left)
	ok, steps, err := r.re.MatchCounted(text, limit)
	f.left -= min(steps, f.left)
	found.steps += steps
	if err == nil {
		return ok
	}
	f.blow(r.name)
	found.blown = append(found.blown, which)
	found.short = found.short || limit < usual
	return false
}

// accept reports whether remembered finds are what a search would give now, and pays
// what that would have cost.
func (f *fuses) accept(by *matcher, found *finds) bool {
	if found.sign != f.signature() || found.steps > f.left {
		return false
	}
	f.left -= found.steps
	for _, which := range found.blown {
		f.blow(by.regexes[which].name)
	}
	return true
}

// next is what the next state remembers: keys that rest still, and those that blew.
func (f *fuses) next(resting []Fuse, length int) []Fuse {
	if len(resting)+len(f.names) == 0 {
		return nil
	}
	var list []Fuse
	known := map[string]bool{}
	for _, r := range resting {
		if r.rests(length) && !known[r.Key] {
			known[r.Key] = true
			list = append(list, r)
		}
	}
	for _, name := range f.names {
		if !known[name] {
			list = append(list, Fuse{Key: name, Start: length, End: length + FuseRest})
		}
	}
	return list
}
