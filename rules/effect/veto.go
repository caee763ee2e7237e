package effect

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/rules/internal/plain"
)

// Veto stops a turn before the model is asked for it. Whoever applies effects ends the turn
// with the reason, and refuses a veto that comes when the model has answered.
type Veto struct {
	Reason string `json:"reason"` // for the player

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "veto".
func (Veto) EffectType() string { return "veto" }

func (Veto) effect() {}

// readVeto needs a reason: a player whose turn ends must learn why.
func readVeto(f *authorjson.Fields) (Effect, bool) {
	e := Veto{Reason: f.Text("reason")}
	e.Extra = f.Rest()
	return e, e.Reason != ""
}

func (e Veto) plain() bool { return e.Extra == nil && plain.Texts(e.Reason) }

func (e Veto) fill(with filler) Effect {
	with.texts(&e.Reason)
	return e
}
