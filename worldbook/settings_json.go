package worldbook

import (
	"encoding/json"
	"math"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook/internal/loose"
)

// wholeSettings are the settings that count something, with what a fraction is made
// of: what is compared with them in SillyTavern comes out the same.
var wholeSettings = map[string]func(float64) float64{
	"world_info_depth":                     math.Trunc,
	"world_info_min_activations":           math.Ceil,
	"world_info_min_activations_depth_max": math.Floor,
	"world_info_budget_cap":                math.Ceil,
	"world_info_max_recursion_steps":       math.Ceil,
	"world_info_character_strategy":        func(n float64) float64 { return n },
	"world_info_budget":                    func(n float64) float64 { return n },
}

// UnmarshalJSON implements [json.Unmarshaler]. Members that are missing or null leave
// a setting as it is. Numbers may be texts and, where they count something, fractions,
// as in files that other programs wrote; what is no number is an error.
func (s *Settings) UnmarshalJSON(data []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	for name, whole := range wholeSettings {
		v := loose.Parse(all[name])
		if v.Kind != loose.Number && v.Kind != loose.String {
			continue
		}
		n := whole(v.Number())
		if v.Kind == loose.String && v.String() == "" || math.IsNaN(n) {
			continue // the error below names the member
		}
		if name != "world_info_budget" {
			n = max(-math.MaxInt32, min(n, math.MaxInt32))
		}
		all[name] = json.RawMessage(loose.NumberText(n))
	}
	type plain Settings
	tidy, err := openjson.Marshal(all)
	if err != nil {
		return err
	}
	return json.Unmarshal(tidy, (*plain)(s))
}
