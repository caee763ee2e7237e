package act

import (
	"time"

	"github.com/talewright/talewright/memvars/tree"
)

// The on part holds what hooks answer: an [Event], the names of those that have a fixed place in
// a turn, and how a pattern covers them ([MatchType]).
//
//	event := act.Event{ID: "evt_1", Type: act.BeforeSend, ConversationID: "c1"}
//	result := hooks.Run(ctx, set, event, state, env)
//
// Which events there are, and who raises them, stands in the documentation of package hooks.

// ClockPayload returns the payload of [ClockPassed]: the two times between which the
// host let the clock pass, from exclusive and to inclusive, and when somebody last did
// something. The zone of to is the one whose times of day clock_reaches means. A zero time is
// unknown, and left out.
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
