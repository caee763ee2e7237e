package hooks

import (
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/internal/condition"
	"github.com/talewright/talewright/hooks/internal/stage"
	"github.com/talewright/talewright/memvars/tree"
)

// raiseChanges raises the events for one character's changes of state and relationship.
func (r *runner) raiseChanges(before, after stage.Values, who string, h *hook, sc *condition.Scene, depth int) {
	r.raiseChange(act.StateChanged, before.Character, after.Character, who, h, sc, depth)
	r.raiseChange(act.RelationshipChanged, before.Relationship, after.Relationship, who, h, sc, depth)
}

// raiseChange records the event of a value that a commit really changed. It compares before and
// after, so two changes that undo each other raise nothing. The event has the character who, and
// the conversation, user, group and channel of its cause. Its id is made from the cause's id, so
// that a replay gives the same id.
func (r *runner) raiseChange(typ string, before, after tree.Value, who string, h *hook, sc *condition.Scene, depth int) {
	var changes []tree.Member
	for field, v := range after.Members() { // no commit removes a field
		old := before.Get(field)
		if old.Equal(v) {
			continue
		}
		if !old.Exists() {
			old = tree.Int(0) // the action used this value too
		}
		changes = append(changes, tree.Member{Key: field, Value: stage.ChangeOf(old, v)})
	}
	if len(changes) == 0 {
		return
	}
	cause := sc.Event
	// A hook runs once per turn, so event, hook, type and character identify this change.
	named := []string{cause.ID, h.ID, typ}
	if who != cause.CharacterID {
		named = append(named, who)
	}
	event := act.Event{
		ID:             "evt_" + shortHash(named...),
		Type:           typ,
		Source:         "hooks",
		ConversationID: cause.ConversationID,
		CharacterID:    who,
		UserID:         cause.UserID,
		GroupID:        cause.GroupID,
		CreatedAt:      r.now,
		Payload: tree.Object(
			tree.Member{Key: "changes", Value: tree.Object(changes...)},
			tree.Member{Key: "hook_id", Value: tree.Text(h.ID)},
			tree.Member{Key: "cause_event_id", Value: tree.Text(cause.ID)}),
		Metadata: tree.Object(tree.Member{Key: "channel", Value: tree.Text(sc.Channel)}),
	}
	r.result.Derived = append(r.result.Derived, DerivedEvent{Event: event, Depth: depth + 1})
	r.trace(h, cause, depth, gateDerived, typ)
}
