package turn

import (
	"strings"
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules/effect"
)

// ApplyEffects applies effects of the host between turns. The rules for effects of authors hold:
// types, bounds and formulas of variables, requirements of a switch or a directive, unused IDs.
// Rules and reactions run for the changes. Either all effects are applied or none. A refusal with
// effects_refused gives the reasons, each with its place.
//
//	turn.ApplyEffects{By: "editor", Effects: effect.List{
//		effect.SetVariable{Path: "lantern", Value: tree.Bool(true)},
//		effect.AddArea{ID: "cellar", Name: "Cellar"},
//	}}
type ApplyEffects struct {
	Effects effect.List `json:"effects"`
	By      string      `json:"by,omitempty"` // the host's name for the author of the effects
	At      time.Time   `json:"at,omitzero"`
}

func (ApplyEffects) inputType() string { return "apply_effects" }

func (in ApplyEffects) apply(m *Machine) (Stop, error) {
	t := betweenTurns(m, in.At)
	t.Stage.Apply("host."+in.By, in.Effects)
	if refused := t.Stage.Pending.Trace.Refused; len(refused) > 0 {
		why := make([]string, len(refused))
		for i, r := range refused {
			why[i] = strings.TrimSuffix(r.Path+": "+r.Reason+": "+r.Text, ": ")
		}
		return idle, &state.Refusal{Code: state.EffectsRefused, Detail: strings.Join(why, "; ")}
	}
	return runBetweenTurns(m, in), nil
}
