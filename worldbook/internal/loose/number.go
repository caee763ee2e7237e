package loose

import (
	"encoding/json"
	"math"
)

// Numbers converts texts and fractions among the members of an object. Each function gets the
// number and returns its replacement. Values that are not numbers do not change.
func Numbers(members map[string]json.RawMessage, whole map[string]func(float64) float64) {
	for name, of := range whole {
		v := Parse(members[name])
		if v.Kind != Number && (v.Kind != String || v.text == "") {
			continue
		}
		if n := of(v.Number()); !math.IsNaN(n) {
			members[name] = json.RawMessage(NumberText(n))
		}
	}
}
