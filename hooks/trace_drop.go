package hooks

// Drop is an event that was not handled, with the reason.
type Drop struct {
	EventID   string     `json:"event_id"`
	EventType string     `json:"event_type"`
	Depth     int        `json:"depth"`
	Reason    DropReason `json:"reason"`
}

// DropReason says why an event was not handled, or not handled completely.
//
// Its values:
//
//   - chain_depth: deeper than the limit
//   - no_type: an event without a type
//   - canceled: the context ended before all hooks were checked
type DropReason string

// The reasons for a drop.
const (
	dropChainDepth DropReason = "chain_depth"
	dropNoType     DropReason = "no_type"
	dropCanceled   DropReason = "canceled"
)
