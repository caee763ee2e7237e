package effect

import (
	"encoding/json"

	"github.com/talewright/talewright/memvars/tree"
)

// BackupBranch passes a branch of the variables that is being cleared to the host, to be kept as a
// world book entry.
type BackupBranch struct {
	Path  tree.Path  `json:"path"`
	World string     `json:"world,omitempty"` // name of the world that the player leaves
	Data  tree.Value `json:"data,omitzero"`   // the branch before clearing

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "backup-branch".
func (BackupBranch) EffectType() string { return "backup-branch" }

func (BackupBranch) effect() {}

func (e BackupBranch) tooLarge() Why { return recordable(e.Data) }
