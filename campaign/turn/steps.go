package turn

// next is where a step of a running turn leads: a row of the course.
type next string

// The rows that steps lead to.
const (
	toNext      next = "" // the row below
	toSettle    next = "after_turn_started"
	toSpeaker   next = "speaker"
	toModel     next = "before_model_call"
	toNarration next = "narration"
	toDecide    next = "decide"
	toApproval  next = "approval"
	toPassed    next = "passed"
	toSpoken    next = "spoken"
	toContinue  next = "continue"
	toNarrate   next = "narrate"
	toRetry     next = "retry"
	toGiveUp    next = "give_up"
	toReport    next = "report"
	toNoRoom    next = "no_room"
	toCalls     next = "calls"
	toDenied    next = "denied"
)
