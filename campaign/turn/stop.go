package turn

// Stop names a place in the course of an instruction: one row of the table in
// course.go. [Machine.Stop] says at which one a machine stands. The names are for people and
// logs; what to do is in [Machine.Todo].
type Stop string

// The moves that are no names of rows.
const (
	onward Stop = ""      // to the row below
	again  Stop = "again" // to the same row: a loop, whose place the turn knows
	wait   Stop = "wait"  // nowhere: what the row asks is not answered yet
)

// The rows that others than the one above lead to, or instructions begin at.
const (
	idle        Stop = "idle" // the end of every instruction
	atRoute     Stop = "route"
	atSpeaker   Stop = "speaker"
	atHistory   Stop = "history"
	atModel     Stop = "before_model_call"
	atCalls     Stop = "calls"
	atNarration Stop = "narration"
	atDecide    Stop = "decide"
	atApproval  Stop = "approval"
	atPassed    Stop = "passed"
	atKeep      Stop = "keep"
	atSpoken    Stop = "spoken"
	atSettle    Stop = "after_turn_started"
	atRecord    Stop = "record"
	atCommit    Stop = "commit"
	atContinue  Stop = "continue"
	atNarrate   Stop = "narrate"
	atDenied    Stop = "denied"
	atRetry     Stop = "retry"
	atGiveUp    Stop = "give_up"
	atReport    Stop = "report"
	atNoRoom    Stop = "no_room"
	atSuggest   Stop = "suggest"
	atClock     Stop = "clock"
	atAnnounce  Stop = "announce"
	atPast      Stop = "state"
)
