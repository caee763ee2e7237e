package stage

import (
	"reflect"

	"github.com/talewright/talewright/rules/effect"
)

// Fired is what rules and reactions have led to, by their ids. TestTurnCostsWhatIsNew fails
// without it.
type Fired map[string]readEffects

// readEffects are effects and what they read back as.
type readEffects struct{ effects, back effect.List }

// read is readable for what a rule has led to, which mostly is what it led to
// before.
func (f *Fired) read(id string, effects effect.List) effect.List {
	if known, ok := (*f)[id]; ok && reflect.DeepEqual(known.effects, effects) {
		return known.back
	}
	back, _ := Readable(id, effects)
	if *f == nil {
		*f = map[string]readEffects{}
	}
	(*f)[id] = readEffects{effects, back}
	return back
}
