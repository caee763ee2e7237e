package hooks

import (
	"github.com/talewright/talewright/memvars"
)

// raise notes the event of a value that really changed by a commit: before and
// after are compared, so two changes that undo each other raise nothing. The
// event speaks for the same conversation, character, user and channel as its
// cause, and its id is made from the cause's, so that a replay gives the same.
func (r *runner) raise(typ string, before, after memvars.Value, h *hook, sc *scene, depth int) {
	var changes []memvars.Member
	for field, v := range after.Members() { // no commit removes a field
		old := before.Get(field)
		if old.Equal(v) {
			continue
		}
		if !old.Exists() {
			old = memvars.Int(0) // as the action saw it
		}
		changes = append(changes, memvars.Member{Key: field, Value: changeOf(old, v)})
	}
	if len(changes) == 0 {
		return
	}
	cause := sc.event
	// A hook runs once per turn, so event, hook and type name this change and no other.
	event := Event{
		ID:             "evt_" + shortHash(cause.ID, h.ID, typ),
		Type:           typ,
		Source:         "hooks",
		ConversationID: cause.ConversationID,
		CharacterID:    cause.CharacterID,
		UserID:         cause.UserID,
		GroupID:        cause.GroupID,
		CreatedAt:      r.now,
		Payload: memvars.Object(
			memvars.Member{Key: "changes", Value: memvars.Object(changes...)},
			memvars.Member{Key: "hook_id", Value: memvars.Text(h.ID)},
			memvars.Member{Key: "cause_event_id", Value: memvars.Text(cause.ID)}),
		Metadata: memvars.Object(memvars.Member{Key: "channel", Value: memvars.Text(sc.channel)}),
	}
	r.res.Derived = append(r.res.Derived, DerivedEvent{Event: event, Depth: depth + 1})
	r.trace(h, cause, depth, GateDerived, typ)
}
