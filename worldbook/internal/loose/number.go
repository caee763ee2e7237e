package loose

import (
	"encoding/json"
	"math"

	"github.com/talewright/talewright/internal/openjson"
)

// Numbers replaces numbers among the members of an object, for example fractions by whole numbers. Texts are
// read as numbers. convert has the function for each member. Values that are not numbers do not change.
func Numbers(members map[string]json.RawMessage, convert map[string]func(float64) float64) {
	for name, replacement := range convert {
		v := Parse(members[name])
		if v.Kind != Number && (v.Kind != String || v.text == "") {
			continue
		}
		if n := replacement(v.Number()); !math.IsNaN(n) {
			members[name] = json.RawMessage(openjson.FormatNumber(n))
		}
	}
}
