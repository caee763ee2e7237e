package effect

import "encoding/json"

// RemoveDirective removes a directive. Removing a directive that does not exist changes nothing. If
// a batch also injects the same id, the order of the two effects decides.
type RemoveDirective struct {
	ID string `json:"directiveId"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "remove-directive".
func (RemoveDirective) EffectType() string { return "remove-directive" }

func (RemoveDirective) effect() {}

func (e RemoveDirective) apply(t Target, _ Attributed) { t.Remove(e.ID) }
