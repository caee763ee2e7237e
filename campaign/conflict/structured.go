package conflict

import "slices"

// stateKeys are the top-level members of a model's output that would write state without the tools.
var stateKeys = []string{
	"state", "state_updates", "state_update", "hp", "position", "positions", "map", "world",
	"world_rules", "characters", "character", "character_card", "goal", "settings", "milestone",
}

// detectStructured reports every state key among the structured members, in the order of the keys.
func detectStructured(r *Reading) []Conflict {
	var out []Conflict
	for key := range r.Structured {
		if slices.Contains(stateKeys, key) {
			out = append(out, Conflict{
				Kind:        StructuredStateWrite,
				Severity:    Block,
				Field:       key,
				Expected:    Facts{"written_by": "tools"},
				Found:       Facts{"key": key},
				Instruction: r.instruction(StructuredStateWrite),
			})
		}
	}
	slices.SortFunc(out, func(a, b Conflict) int {
		return slices.Index(stateKeys, a.Field) - slices.Index(stateKeys, b.Field)
	})
	return out
}
