package reactions

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// Authors of reactions need only two effects: set and emit. All others are @ paths or events with a
// meaning. Package rules interprets them; this package does not.

// Effects is the THEN of a reaction. JSON has two kinds: "set" is [effect.SetVariable], "emit" is
// [effect.Emit]. Any other effect of package rules may be used under its own type, and unknown
// types go to the host. An element that cannot be read is kept and does nothing.
type Effects []effect.Effect

// MarshalJSON writes the list. Every effect that has the form of a set or an emit is written in
// that form.
func (es Effects) MarshalJSON() ([]byte, error) { return openjson.MarshalList(es, marshalEffect) }

// UnmarshalJSON reads a list of effects.
func (es *Effects) UnmarshalJSON(data []byte) error {
	return authorjson.UnmarshalValue(data, es, readEffects)
}

// readEffects reads a list. A value that is not a list gives no effects.
func readEffects(list tree.Value) Effects {
	return authorjson.ReadList(list, readEffect)
}

// readEffect reads one element. It never fails: a mistake in one effect must not affect the others,
// and the element must still be there when the reaction is saved.
func readEffect(v tree.Value) effect.Effect {
	typ, _ := v.Get("type").AsText()
	f := authorjson.Of(v)
	f.Text("type")
	// A set without a path and an emit without an event are kept whole, as custom effects without a
	// type. Those never reach the host.
	switch typ {
	case "":
		return effect.Custom{Data: v}
	case "set":
		e := authorjson.Filled[effect.SetVariable](f)
		e.Random = authorjson.Part(f, "valueRandom", effect.ParseRandom)
		if e.Path == "" {
			return effect.Custom{Data: v}
		}
		e.Extra = f.Rest()
		return e
	case "emit":
		var event rules.Event
		if event.UnmarshalJSON(f.Value("event").AppendJSON(nil)) != nil {
			return effect.Custom{Data: v}
		}
		return effect.Emit{Event: event, Extra: f.Rest()}
	}
	return effect.Parse(v)
}

// marshalEffect writes a set in the author's form: the strict form under its own type. It writes
// everything else in the form of package rules, which [readEffect] uses as a fallback.
func marshalEffect(e effect.Effect) ([]byte, error) {
	set, ok := e.(effect.SetVariable)
	if !ok {
		return effect.Write(e)
	}
	strict, err := effect.Marshal(set)
	if err != nil {
		return nil, err
	}
	return authorjson.Encode(json.RawMessage(strict), withText(set.Extra, "type", "set"))
}
