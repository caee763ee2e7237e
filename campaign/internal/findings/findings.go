// Package findings separates new findings about a text from known ones.
package findings

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
)

// About identifies the words that a finding is about.
type About struct{ Detector, EntityID, Field, Quote string }

// AboutOf returns the words that a finding is about.
func AboutOf(c conflict.Conflict) About { return About{c.Detector, c.EntityID, c.Field, c.Quote} }

// kinded identifies a finding by its words and its kind.
type kinded struct {
	About
	kind string
}

// Without removes from found the findings that known has: those with the same kind and the same
// words. A text can have one finding a sentence, so it uses a map. It modifies found.
func Without(found, known []conflict.Conflict) []conflict.Conflict {
	if len(known) == 0 {
		return found
	}
	had := make(map[kinded]bool, len(known))
	for _, c := range known {
		had[kinded{AboutOf(c), c.Kind}] = true
	}
	return slices.DeleteFunc(found, func(c conflict.Conflict) bool { return had[kinded{AboutOf(c), c.Kind}] })
}
