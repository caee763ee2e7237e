package play

// Next names the row of the course to which a step leads.
type Next string

// The rows that steps lead to.
const (
	ToNext      Next = "" // the row below
	ToSettle    Next = "after_turn_started"
	ToSpeaker   Next = "speaker"
	ToModel     Next = "before_model_call"
	ToNarration Next = "narration"
	ToDecide    Next = "decide"
	ToApproval  Next = "approval"
	ToPassed    Next = "passed"
	ToSpoken    Next = "spoken"
	ToContinue  Next = "continue"
	ToNarrate   Next = "narrate"
	ToRetry     Next = "retry"
	ToGiveUp    Next = "give_up"
	ToReport    Next = "report"
	ToNoRoom    Next = "no_room"
	ToCalls     Next = "calls"
	ToDenied    Next = "denied"
)
