package effect

import "encoding/json"

// Veto stops a turn before the model is called. The code that applies effects ends the turn with
// the reason. It refuses a veto that comes after the model has answered. So rules for keywords and
// finished turns are too late. A reaction to "turn:accepted", with its members actorId and content,
// is in time.
type Veto struct {
	Reason string `json:"reason"` // for the player

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "veto".
func (Veto) EffectType() string { return "veto" }

func (Veto) effect() {}

func (e Veto) fill(with *filler) Effect {
	with.texts(&e.Reason)
	return e
}
