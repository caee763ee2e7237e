package declared

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
)

// passage identifies the words that a finding is about.
type passage struct{ Detector, EntityID, Field, Quote string }

// passageOf returns the words that a finding is about.
func passageOf(c conflict.Conflict) passage { return passage{c.Detector, c.EntityID, c.Field, c.Quote} }

// findingKey identifies a finding by its words and its kind.
type findingKey struct {
	passage
	kind string
}

// Without removes from found the findings that known has: those with the same kind and the same
// words. A text can have one finding a sentence, so it uses a map. It modifies found.
func Without(found, known []conflict.Conflict) []conflict.Conflict {
	if len(known) == 0 {
		return found
	}
	isKnown := make(map[findingKey]bool, len(known))
	for _, c := range known {
		isKnown[findingKey{passageOf(c), c.Kind}] = true
	}
	return slices.DeleteFunc(found, func(c conflict.Conflict) bool { return isKnown[findingKey{passageOf(c), c.Kind}] })
}
