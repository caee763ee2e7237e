// Package findings tells findings about a text from those that were made before.
package findings

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
)

// About is what two findings share that are about the same words.
type About struct{ Detector, EntityID, Field, Quote string }

// AboutOf is what a finding is about.
func AboutOf(c conflict.Conflict) About { return About{c.Detector, c.EntityID, c.Field, c.Quote} }

// kinded is a finding for its place and its kind.
type kinded struct {
	About
	kind string
}

// Without are the findings that the known ones do not have: none of the same kind is about the same
// words. A text can have a finding a sentence, so they are looked up, not compared one by one. It
// takes found over.
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
