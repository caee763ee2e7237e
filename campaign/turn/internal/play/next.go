package play

// Next names the row of the course to which a step leads.
type Next string

// The rows that steps lead to. The constants have no type: they are stops of package turn, too.
const (
	ToNext      = "" // the row below
	ToSettle    = "after_turn_started"
	ToSpeaker   = "speaker"
	ToModel     = "before_model_call"
	ToNarration = "narration"
	ToDecide    = "decide"
	ToApproval  = "approval"
	ToPassed    = "passed"
	ToSpoken    = "spoken"
	ToContinue  = "continue"
	ToNarrate   = "narrate"
	ToRetry     = "retry"
	ToGiveUp    = "give_up"
	ToReport    = "report"
	ToNoRoom    = "no_room"
	ToCalls     = "calls"
	ToDenied    = "denied"
)
