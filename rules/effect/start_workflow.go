package effect

import (
	"encoding/json"

	"github.com/talewright/talewright/memvars/tree"
)

// StartWorkflow asks the host to start a workflow. Success means only that it was accepted.
type StartWorkflow struct {
	Workflow string     `json:"workflow"`
	Params   tree.Value `json:"params,omitzero"` // an object

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "start-workflow".
func (StartWorkflow) EffectType() string { return "start-workflow" }

func (StartWorkflow) effect() {}

func (e StartWorkflow) tooLarge() Why { return recordable(e.Params) }
