package declared

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
)

// about identifies the words that a finding is about.
type about struct{ Detector, EntityID, Field, Quote string }

// aboutOf returns the words that a finding is about.
func aboutOf(c conflict.Conflict) about { return about{c.Detector, c.EntityID, c.Field, c.Quote} }

// kinded identifies a finding by its words and its kind.
type kinded struct {
	about
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
		had[kinded{aboutOf(c), c.Kind}] = true
	}
	return slices.DeleteFunc(found, func(c conflict.Conflict) bool { return had[kinded{aboutOf(c), c.Kind}] })
}
