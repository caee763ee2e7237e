package format

import (
	"slices"

	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/loose"
)

// oddMembers returns the names of the JSON members of an entry whose value has a different type
// than in the format. They act as SillyTavern converts them. Null is never odd. A boolean
// delayUntilRecursion is not odd, because the editor writes it.
func oddMembers(e *worldbook.Entry) []string {
	var names []string
	for name, raw := range e.Kept.Odd {
		switch kind := loose.Parse(raw).Kind; {
		case kind == loose.Null, kind == loose.Bool && name == "delayUntilRecursion":
		default:
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
