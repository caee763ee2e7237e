package loose

import (
	"encoding/json"
	"math"
)

// Numbers turns texts and fractions among the members of an object into what their
// functions make of the numbers that they are. What is no number stays.
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
