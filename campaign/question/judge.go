package question

import (
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/conflict/declared"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// Judge asks a second model about doubtful findings.
type Judge struct {
	Narration string
	Expected  tree.Value // the authoritative state
	Applied   []state.Applied
	Findings  []conflict.Conflict
	Claims    []declared.Claim // the claims that the model itself lists, where the setting conflict.claims asks for them
}
