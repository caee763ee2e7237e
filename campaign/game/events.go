package game

// The events of the engine for hooks, in addition to the events of package hooks. All except the
// first and the last two are raised after the commit.
const (
	EventTurnAccepted      = "turn.accepted"      // content
	EventTurnCommitted     = "turn.committed"     // turn_id
	EventTurnConflict      = "turn.conflict"      // kinds
	EventMilestoneAdvanced = "milestone.advanced" // value
	EventRollbackDone      = "rollback.done"      // from_turn_id, to_turn_id

	// For each member of a cast who speaks: before its prompt is built, and when its reply is
	// accepted or dropped. Both are raised before the commit.
	EventSpeakerBegins = "character.before_turn" // speaker, name
	EventSpeakerDone   = "character.after_turn"  // speaker, name, text or dropped
)

// engineEvents lists the events that the engine adds to the events of package hooks.
func engineEvents() []string {
	return []string{EventTurnAccepted, EventTurnCommitted, EventTurnConflict,
		EventMilestoneAdvanced, EventRollbackDone, EventSpeakerBegins, EventSpeakerDone}
}

// EffectAutomation is the type of the [effect.Custom] that a host gets for each active entry of the
// world book with an automation ID. Its members are automationId and entry.
const EffectAutomation = "worldbook:automation"
