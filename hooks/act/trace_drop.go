package act

// Drop is an event that was not handled, with the reason.
type Drop struct {
	EventID   string     `json:"event_id"`
	EventType string     `json:"event_type"`
	Depth     int        `json:"depth"`
	Reason    DropReason `json:"reason"`
}

// DropReason says why an event was not handled, or not handled completely.
type DropReason string

// The reasons for a drop.
const (
	ChainDepth DropReason = "chain_depth" // deeper than the limit
	NoType     DropReason = "no_type"     // an event without a type
	Canceled   DropReason = "canceled"    // the context ended before all hooks were checked
)
