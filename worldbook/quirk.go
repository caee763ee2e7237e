package worldbook

import "slices"

// This file names the odd behaviours of SillyTavern 1.19.0 that this package reproduces. QUIRKS.md
// describes each of them.

// Quirk is one odd behaviour. All are on unless [ProfileSettings.QuirksOff] lists them.
//
// Its values, with their numbers in QUIRKS.md: blank-key (Q1), group-removal (Q2),
// group-cooldown (Q3), raw-group-keys (Q4), extra-depth (Q5), waiting-levels (Q6),
// missing-depth (Q7), forgotten-texts (Q8), decorators-only (Q9), reversed-ties (Q11),
// forced-reroll (Q12), hand-set-effect (Q13).
type Quirk string

// The quirks.
const (
	// quirkBlankKey (Q1): a key of blanks is found everywhere. Off: never.
	quirkBlankKey Quirk = "blank-key"
	// quirkGroupRemoval (Q2): removing an already removed group member removes
	// the last candidate, an unrelated entry. Off: it removes nothing.
	quirkGroupRemoval Quirk = "group-removal"
	// quirkGroupCooldown (Q3): a grouped sticky entry is removed while the
	// cooldown stored at its activation runs. Off: sticky protects it.
	quirkGroupCooldown Quirk = "group-cooldown"
	// quirkRawGroupKeys (Q4): group scores use unexpanded, untrimmed keys. Off:
	// the keys that matching uses.
	quirkRawGroupKeys Quirk = "raw-group-keys"
	// quirkExtraDepth (Q5): minimum activations may search one message deeper
	// than their limit and than the chat. Off: not.
	quirkExtraDepth Quirk = "extra-depth"
	// quirkWaitingLevels (Q6): waiting delay levels run even with recursion off
	// or after an overflow. Off: they do not.
	quirkWaitingLevels Quirk = "waiting-levels"
	// quirkMissingDepth (Q7): an entry at a depth without a depth opens a group
	// of its own unless there is one at depth 4. Off: its depth is 4.
	quirkMissingDepth Quirk = "missing-depth"
	// quirkForgottenTexts (Q8): later loops do not charge the texts of entries
	// that prevent recursion. Off: all activated texts are charged.
	quirkForgottenTexts Quirk = "forgotten-texts"
	// quirkDecoratorsOnly (Q9): a content made of decorator lines only keeps
	// them. Off: it is empty.
	quirkDecoratorsOnly Quirk = "decorators-only"
	// quirkReversedTies (Q11): texts of equal order are in reverse activation order. In outlets
	// they are in activation order, but outlets descend. Off: activation order everywhere, and
	// outlets ascend like all other lists.
	quirkReversedTies Quirk = "reversed-ties"
	// quirkForcedReroll (Q12): a forced entry that failed its roll rolls again in
	// the next loop. Off: it has failed.
	quirkForcedReroll Quirk = "forced-reroll"
	// quirkHandSetEffect (Q13): an effect set by hand is never applied, see
	// Compiled.SetSticky. Off: it is.
	quirkHandSetEffect Quirk = "hand-set-effect"
)

var allQuirkNames = [...]Quirk{
	quirkBlankKey, quirkGroupRemoval, quirkGroupCooldown, quirkRawGroupKeys, quirkExtraDepth, quirkWaitingLevels,
	quirkMissingDepth, quirkForgottenTexts, quirkDecoratorsOnly, quirkReversedTies, quirkForcedReroll, quirkHandSetEffect,
}

// AllQuirks returns all quirks by ascending number. It does not contain Q10, the exception that
// some group names cause in SillyTavern, because it is not reproduced.
func AllQuirks() []Quirk { return slices.Clone(allQuirkNames[:]) }

// quirkSet is a set of quirks. It is comparable and immutable.
type quirkSet struct{ off [len(allQuirkNames)]bool }

// quirksWithout returns the set of all quirks except some.
func quirksWithout(off []Quirk) (s quirkSet) {
	for i, name := range allQuirkNames {
		s.off[i] = slices.Contains(off, name)
	}
	return s
}

// Has reports whether a quirk is on.
func (s quirkSet) Has(name Quirk) bool {
	i := slices.Index(allQuirkNames[:], name)
	return i >= 0 && !s.off[i]
}
