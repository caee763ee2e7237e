package format

import (
	"slices"

	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/internal/loose"
)

// oddMembers lists the JSON members of an entry whose value has another type than the
// format gives them, by name. They act as SillyTavern converts them. Null is never odd,
// and a truth value for delayUntilRecursion is not: the editor writes it.
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
