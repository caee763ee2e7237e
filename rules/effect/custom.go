package effect

import "github.com/talewright/talewright/memvars/tree"

// Custom is an effect of the host: an action type that it registered, or an effect type of a newer
// version. The library passes it on unchanged.
//
// A Custom whose type is empty or known to this library is an action that could not be read. It is
// saved as written and never reaches the host.
type Custom struct {
	Type string `json:"type"`
	// Data is an object of all other members, absent if there are none.
	Data tree.Value `json:"-"`
}

// EffectType returns the custom type's name.
func (c Custom) EffectType() string { return c.Type }

func (Custom) effect() {}

func (c Custom) tooLarge() Why { return recordable(c.Data) }
