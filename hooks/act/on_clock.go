package act

import (
	"time"

	"github.com/talewright/talewright/memvars/tree"
)

// ClockPayload returns the payload of [ClockPassed]. The host's clock passed from the time from
// (exclusive) to the time to (inclusive). The time active is the time of the last activity. The
// condition clock_reaches reads times of day in the zone of to. A zero time is unknown, and is left
// out.
func ClockPayload(from, to, active time.Time) tree.Value {
	var members []tree.Member
	for _, m := range [...]struct {
		key string
		at  time.Time
	}{{"from", from}, {"to", to}, {"active", active}} {
		if !m.at.IsZero() {
			members = append(members, tree.Member{Key: m.key, Value: tree.Text(m.at.Format(time.RFC3339))})
		}
	}
	if !active.IsZero() && !to.Before(active) {
		minutes := int64(to.Sub(active) / time.Minute)
		members = append(members, tree.Member{Key: "idle_minutes", Value: tree.Int(minutes)})
	}
	return tree.Object(members...)
}
