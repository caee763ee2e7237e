package quirk

import "slices"

// Name is one odd behaviour. All are on unless profile.Settings.QuirksOff lists them.
type Name string

// The quirks, with their numbers in QUIRKS.md.
const (
	// BlankKey (Q1): a key of blanks is found everywhere. Off: never.
	BlankKey Name = "blank-key"
	// GroupRemoval (Q2): removing an already removed group member removes
	// the last candidate, an unrelated entry. Off: it removes nothing.
	GroupRemoval Name = "group-removal"
	// GroupCooldown (Q3): a grouped sticky entry is removed while the
	// cooldown stored at its activation runs. Off: sticky protects it.
	GroupCooldown Name = "group-cooldown"
	// RawGroupKeys (Q4): group scores use unexpanded, untrimmed keys. Off:
	// the keys that matching uses.
	RawGroupKeys Name = "raw-group-keys"
	// ExtraDepth (Q5): minimum activations may search one message deeper
	// than their limit and than the chat. Off: not.
	ExtraDepth Name = "extra-depth"
	// WaitingLevels (Q6): waiting delay levels run even with recursion off
	// or after an overflow. Off: they do not.
	WaitingLevels Name = "waiting-levels"
	// MissingDepth (Q7): an entry at a depth without a depth opens a group
	// of its own unless there is one at depth 4. Off: its depth is 4.
	MissingDepth Name = "missing-depth"
	// ForgottenTexts (Q8): later loops do not charge the texts of entries
	// that prevent recursion. Off: all activated texts are charged.
	ForgottenTexts Name = "forgotten-texts"
	// DecoratorsOnly (Q9): a content made of decorator lines only keeps
	// them. Off: it is empty.
	DecoratorsOnly Name = "decorators-only"
	// ReversedTies (Q11): texts of equal order stand in reverse activation
	// order, except in outlets, which also descend. Off: activation order
	// everywhere, and outlets ascend like all others.
	ReversedTies Name = "reversed-ties"
	// ForcedReroll (Q12): a forced entry that failed its roll rolls again in
	// the next loop. Off: it has failed.
	ForcedReroll Name = "forced-reroll"
	// HandSetEffect (Q13): an effect set by hand is never applied, see
	// worldbook.Compiled.SetSticky. Off: it is.
	HandSetEffect Name = "hand-set-effect"
)

var all = [...]Name{
	BlankKey, GroupRemoval, GroupCooldown, RawGroupKeys, ExtraDepth, WaitingLevels,
	MissingDepth, ForgottenTexts, DecoratorsOnly, ReversedTies, ForcedReroll, HandSetEffect,
}

// All returns all quirks by ascending number. The exception that some group names cause in
// SillyTavern (Q10) is not among them: nothing reproduces it.
func All() []Name { return slices.Clone(all[:]) }

// Set says which quirks are on. It is comparable and immutable.
type Set struct{ off [len(all)]bool }

// Without returns the set of all quirks but some.
func Without(off []Name) (s Set) {
	for i, name := range all {
		s.off[i] = slices.Contains(off, name)
	}
	return s
}

// Has reports whether a quirk is on.
func (s Set) Has(name Name) bool {
	i := slices.Index(all[:], name)
	return i >= 0 && !s.off[i]
}
