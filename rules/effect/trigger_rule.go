package effect

import (
	"encoding/json"

	"github.com/talewright/talewright/rules/event"
)

// TriggerRule asks for a rule or reaction to be evaluated in the next hop. Its own trigger does not
// matter. Its other gates apply, and it fires at most once in the chain like all others.
type TriggerRule struct {
	ID string `json:"ruleId"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "trigger-rule".
func (TriggerRule) EffectType() string { return "trigger-rule" }

func (TriggerRule) effect() {}

func (e TriggerRule) asEvent() (event.Event, bool) { return event.TriggerByHand(e.ID), true }

func (e TriggerRule) apply(t Target, _ Attributed) { t.Raise(event.TriggerByHand(e.ID)) }
