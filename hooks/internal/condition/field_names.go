package condition

import "slices"

// relationshipFields are all the fields of a relationship; each is 0 to 100.
var relationshipFields = [...]string{
	"affection", "trust", "familiarity", "dependency", "security", "jealousy",
}

// protectedFields identify a state. Names that begin with "_" are protected too.
var protectedFields = [...]string{
	"id", "character_id", "user_id", "target_id", "scope_id", "conversation_id", "group_id",
	"created_at", "updated_at",
}

// inRelationship reports whether the name is one of the six.
func inRelationship(name string) bool { return slices.Contains(relationshipFields[:], name) }

// hasComparisons reports whether <field>_gte and similar keys are standard keys.
func hasComparisons(name string) bool {
	return inRelationship(name) || name == "energy" || name == "mood_intensity"
}

// comparedFields lists the fields that have standard comparisons.
func comparedFields() []string {
	return append([]string{"energy", "mood_intensity"}, relationshipFields[:]...)
}
